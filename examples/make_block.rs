//! Makes the block-sized witness of the README from a seed: a made-up state, a made-up block on
//! top of it, its witness and the state roots before and after, as a block's JSON.
//!
//! ```text
//! cargo run --example make_block > tests/vectors/block.json
//! ```
//!
//! A test makes it again and compares.

use core::error::Error;

use lightproof::verkle::Committer;
use lightproof::verkle::tree::{Request, Tree};
use lightproof::verkle::tree_key::{
    AccountKeys, BASIC_DATA_LEAF, BasicData, CODE_HASH_LEAF, CodeChunks, Position,
};
use lightproof::verkle::witness::Witness;
use sha2::{Digest, Sha256};

/// All data come from here.
const SEED: &str = "lightproof block";
/// The block's number.
const NUMBER: u64 = 1;

/// Accounts of the state without code, and with.
const USERS: u64 = 150;
const CONTRACTS: u64 = 30;
/// Storage slots of each contract.
const SLOTS: u64 = 24;

/// SHA-256 of seed, label and number: the source of all that looks random.
fn random(label: &str, i: u64) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(SEED);
    hash.update(label);
    hash.update(i.to_be_bytes());
    hash.finalize().into()
}

fn number(label: &str, i: u64) -> u64 {
    let [a, b, c, d, ..] = random(label, i);
    u64::from(u32::from_be_bytes([a, b, c, d]))
}

fn account<'c>(committer: &'c Committer<'c>, kind: &str, i: u64) -> AccountKeys<'c> {
    let mut address = [0; 20];
    address.copy_from_slice(&random(kind, i)[..20]);
    AccountKeys::new(committer, &address)
}

fn basic_data(code_size: usize, nonce: u64, balance: u64) -> [u8; 32] {
    let data = BasicData {
        version: 0,
        code_size: u32::try_from(code_size).unwrap_or(u32::MAX),
        nonce,
        balance: u128::from(balance) * 1_000_000_000,
    };
    data.to_value().unwrap_or_default()
}

/// Made-up code: random bytes, so with push instructions of every length.
fn code(contract: u64) -> Vec<u8> {
    let blocks = 20 + contract % 40;
    (0..blocks)
        .flat_map(|block| random("code", contract << 32 | block))
        .collect()
}

/// A contract's slot number `k`: small numbers stand in the account's header; the others, as of
/// a mapping, at a hash, or two beside each other.
fn slot(contract: u64, k: u64) -> [u8; 32] {
    let mut slot = [0; 32];
    match k % 3 {
        0 => slot[31] = (k * 2) as u8,
        1 => slot = random("mapping", contract << 32 | k),
        _ => {
            slot = random("mapping", contract << 32 | (k - 1));
            slot[31] ^= 1;
        }
    }
    slot
}

/// The state before the block.
fn state(committer: &Committer<'_>) -> Tree {
    let mut tree = Tree::new();
    for i in 0..USERS {
        let keys = account(committer, "user", i);
        let balance = number("balance", i);
        tree.insert(&keys.header(BASIC_DATA_LEAF), basic_data(0, i % 7, balance));
        tree.insert(&keys.header(CODE_HASH_LEAF), random("no code", 0));
    }
    for i in 0..CONTRACTS {
        let keys = account(committer, "contract", i);
        let code = code(i);
        tree.insert(&keys.header(BASIC_DATA_LEAF), basic_data(code.len(), 1, 0));
        tree.insert(&keys.header(CODE_HASH_LEAF), random("code hash", i));
        for (chunk, value) in (0..).zip(CodeChunks::new(&code)) {
            tree.insert(&keys.code_chunk(chunk), value);
        }
        for k in 0..SLOTS {
            tree.insert(&keys.storage(&slot(i, k)), random("stored", i << 32 | k));
        }
    }
    tree
}

/// What the block touches: transfers to accounts old and new, looks at accounts that are not
/// there, calls of contracts that run code, read storage and write it.
fn block(committer: &Committer<'_>) -> Request {
    let mut request = Request::new();
    for i in 0..22 {
        let sender = account(committer, "user", 3 * i);
        let data = basic_data(0, i + 1, number("sent", i));
        request
            .write(&sender.header(BASIC_DATA_LEAF), data)
            .read(&sender.header(CODE_HASH_LEAF));
        // Every second one pays to an account that is new.
        let kind = if i % 2 == 0 { "new user" } else { "user" };
        let receiver = account(committer, kind, 3 * i + 1);
        let data = basic_data(0, 0, number("received", i));
        request.write(&receiver.header(BASIC_DATA_LEAF), data);
        match i % 2 {
            0 => request.write(&receiver.header(CODE_HASH_LEAF), random("no code", 0)),
            _ => request.read(&receiver.header(CODE_HASH_LEAF)),
        };
    }
    for i in 0..12 {
        let nobody = account(committer, "nobody", i);
        request.read(&nobody.header(BASIC_DATA_LEAF));
    }
    for i in 0..9 {
        let called = account(committer, "contract", 3 * i);
        request
            .read(&called.header(BASIC_DATA_LEAF))
            .read(&called.header(CODE_HASH_LEAF));
        let chunks = 10 + number("chunks run", i) % 16;
        for chunk in 0..chunks {
            request.read(&called.code_chunk(chunk));
        }
        for k in 0..9 {
            let key = called.storage(&slot(3 * i, k));
            match k % 4 {
                1 => request.write(&key, random("written", i << 32 | k)),
                2 => request.write(&key, [0; 32]),
                _ => request.read(&key),
            };
        }
        // A slot of the header and one of a mapping that were never written.
        let fresh = called.storage(&slot(3 * i, 30));
        request.write(&fresh, random("fresh", i));
        let fresh = called.key(&Position::storage(&random("fresh mapping", i)));
        request.write(&fresh, random("fresh", 100 + i));
    }
    request.show_absences();
    request
}

/// The block's JSON.
pub(crate) fn make() -> Result<String, Box<dyn Error>> {
    let committer = Committer::new();
    let mut tree = state(&committer);
    let request = block(&committer);
    let parent = tree.commit(&committer);
    let (parent_root, witness) = (parent.root(), parent.prove(&request)?);
    tree.extend(request.writes());
    let root = tree.commit(&committer).root();

    let ssz = witness.to_ssz()?;
    let mut text = String::new();
    Witness::from_ssz(&ssz)?.write_block_json(&mut text, NUMBER, &parent_root, &root)?;
    Ok(text)
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", make()?);
    Ok(())
}
