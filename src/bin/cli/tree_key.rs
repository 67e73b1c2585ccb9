//! `lightproof tree-key`: where an account's data stand in the tree.

use clap::Args;
use lightproof::verkle::Committer;
use lightproof::verkle::tree_key::{AccountKeys, Position, address32};

use super::{Failure, Outcome, hex, print_line, unhex};

/// Derive a tree key (EIP-6800)
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("item").required(true))]
pub(crate) struct TreeKey {
    /// The account's address: 20 bytes in hexadecimal, or 32
    address: String,
    /// A leaf of the account's header, 0 to 63: 0 basic data, 1 code hash
    #[arg(long, group = "item", value_name = "LEAF", value_parser = clap::value_parser!(u8).range(..64))]
    header: Option<u8>,
    /// A storage slot: a decimal number, or 0x and 64 hexadecimal digits, big-endian
    #[arg(long, group = "item", value_name = "SLOT")]
    storage: Option<String>,
    /// A chunk of the code
    #[arg(long, group = "item", value_name = "CHUNK")]
    code: Option<u64>,
}

impl TreeKey {
    pub(crate) fn run(&self) -> Outcome {
        let digits = self
            .address
            .strip_prefix("0x")
            .unwrap_or(&self.address)
            .len();
        let address = if digits == 64 {
            unhex::<32>("the address", &self.address)?
        } else {
            address32(&unhex::<20>("the address", &self.address)?)
        };
        let position = match (self.header, &self.storage, self.code) {
            (Some(leaf), ..) => Position::header(leaf),
            (None, Some(slot), _) => Position::storage(&slot_bytes(slot)?),
            (None, None, Some(chunk)) => Position::code_chunk(chunk),
            (None, None, None) => {
                return Err(Failure::unusable(
                    "one of --header, --storage, --code is needed",
                ));
            }
        };
        let committer = Committer::without_table();
        let key = AccountKeys::from_address32(&committer, &address).key(&position);
        print_line(format_args!("{}", hex(&key)))
    }
}

/// A slot's 32 big-endian bytes.
fn slot_bytes(text: &str) -> Result<[u8; 32], Failure> {
    if text.starts_with("0x") {
        return unhex("the slot", text);
    }
    if text.starts_with('+') {
        return Err(Failure::unusable("the slot: a number has no sign"));
    }
    let number: u128 = text.parse().map_err(|error| {
        Failure::unusable(format!(
            "the slot: {error} (a larger one goes in hexadecimal)"
        ))
    })?;
    let mut out = [0; 32];
    out[16..].copy_from_slice(&number.to_be_bytes());
    Ok(out)
}
