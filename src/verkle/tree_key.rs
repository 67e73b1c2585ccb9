//! Where the state of accounts lies in the tree (EIP-6800, "Tree embedding").
//!
//! An account's state is a row of values of 32 bytes; position p stands at sub index p mod 256 of
//! the stem for tree index p / 256. The stem is a hash of address and tree index:
//!
//! ```text
//! hash = LE bytes of map_to_scalar(commit([2 + 256·64, a0, a1, i0, i1]))
//! key  = hash[0..31] ‖ sub index
//! ```
//!
//! a0, a1 are the little-endian halves of the 32-byte address (12 zeros before the usual 20
//! bytes), i0, i1 those of the tree index. The commitment is a sum, so its half for the address is
//! computed once for all stems of an account: [`AccountKeys`].
//!
//! | what | position |
//! |---|---|
//! | header leaf ℓ | ℓ |
//! | storage slot k < 64 | 64 + k |
//! | code chunk c | 128 + c |
//! | storage slot k ≥ 64 | 256³¹ + k |
//!
//! Older test networks hashed to the commitment's bytes instead; that is not this.
//!
//! ```
//! use lightproof::verkle::Committer;
//! use lightproof::verkle::tree_key::{AccountKeys, BASIC_DATA_LEAF};
//!
//! let committer = Committer::without_table();
//! let account = AccountKeys::new(&committer, &[0x11; 20]);
//! let balance_and_nonce = account.header(BASIC_DATA_LEAF);
//! let first_slot = account.storage(&[0; 32]);
//! assert_eq!(balance_and_nonce[..31], first_slot[..31]);
//! ```

use super::witness::Stem;
use super::{Committer, Element, Scalar};

/// The first scalar: a mark of 2, and 64 bytes of input in the upper bits.
const DOMAIN: u64 = 2 + 256 * 64;

/// Header leaf of the [basic data](BasicData).
pub const BASIC_DATA_LEAF: u8 = 0;
/// Header leaf of the Keccak-256 of the code.
pub const CODE_HASH_LEAF: u8 = 1;
/// Position of storage slot 0.
pub const HEADER_STORAGE_OFFSET: u8 = 64;
/// Position of code chunk 0.
pub const CODE_OFFSET: u8 = 128;
/// Storage slots that stand in the header's stem.
pub const HEADER_STORAGE_SLOTS: u8 = CODE_OFFSET - HEADER_STORAGE_OFFSET;

/// A key of the tree.
pub type Key = [u8; 32];

/// The key of a stem and a sub index.
pub const fn key(stem: &Stem, sub_index: u8) -> Key {
    let mut key = [sub_index; 32];
    let mut i = 0;
    while i < stem.len() {
        key[i] = stem[i];
        i += 1;
    }
    key
}

/// The stem and the sub index of a key.
pub const fn split_key(key: &Key) -> (Stem, u8) {
    let mut stem = [0; 31];
    let mut i = 0;
    while i < stem.len() {
        stem[i] = key[i];
        i += 1;
    }
    (stem, key[31])
}

/// The 32-byte form of a 20-byte address: twelve zeros before it.
pub const fn address32(address: &[u8; 20]) -> [u8; 32] {
    let mut out = [0; 32];
    let mut i = 0;
    while i < address.len() {
        out[12 + i] = address[i];
        i += 1;
    }
    out
}

/// The hash of an address and a tree index (a little-endian number), both of 32 bytes. A key is
/// its first 31 bytes and a sub index.
///
/// Complexity: a commitment to five short scalars; [`AccountKeys`] shares half of it.
pub fn tree_key_hash(
    committer: &Committer<'_>,
    address32: &[u8; 32],
    tree_index: &[u8; 32],
) -> [u8; 32] {
    AccountKeys::from_address32(committer, address32).hash(tree_index)
}

/// Where a value stands in an account: a tree index (a little-endian number) and a sub index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Which of the account's stems.
    pub tree_index: [u8; 32],
    /// Which value of the stem.
    pub sub_index: u8,
}

impl Position {
    /// Of a leaf of the account's header, as [`BASIC_DATA_LEAF`].
    pub const fn header(leaf: u8) -> Self {
        Self {
            tree_index: [0; 32],
            sub_index: leaf,
        }
    }

    /// Of a storage slot, a big-endian number of 256 bits as in the EVM. Every slot has a
    /// position: from 64 on it is 256³¹ + slot, so tree index 2²⁴⁰ + slot / 256 < 2²⁴⁹.
    pub const fn storage(slot: &[u8; 32]) -> Self {
        let mut tree_index = [0; 32];
        let mut high = 0;
        let mut i = 0;
        while i < 31 {
            tree_index[30 - i] = slot[i];
            high |= slot[i];
            i += 1;
        }
        if high == 0 && slot[31] < HEADER_STORAGE_SLOTS {
            return Self::header(HEADER_STORAGE_OFFSET + slot[31]);
        }
        // Byte 30 is the one of 2²⁴⁰; byte 31 takes the carry.
        let (sum, carry) = tree_index[30].overflowing_add(1);
        tree_index[30] = sum;
        tree_index[31] = carry as u8;
        Self {
            tree_index,
            sub_index: slot[31],
        }
    }

    /// Of a chunk of 31 bytes of code, counted from 0.
    pub const fn code_chunk(chunk: u64) -> Self {
        let position = (chunk as u128 + CODE_OFFSET as u128).to_le_bytes();
        let mut tree_index = [0; 32];
        let mut i = 1;
        while i < position.len() {
            tree_index[i - 1] = position[i];
            i += 1;
        }
        Self {
            tree_index,
            sub_index: position[0],
        }
    }
}

/// The keys of one account: keeps the half of the commitment that all its stems share.
#[derive(Clone, Copy, Debug)]
pub struct AccountKeys<'c> {
    committer: &'c Committer<'c>,
    address: Element,
}

impl<'c> AccountKeys<'c> {
    /// For a 20-byte address.
    pub fn new(committer: &'c Committer<'c>, address: &[u8; 20]) -> Self {
        Self::from_address32(committer, &address32(address))
    }

    /// For a 32-byte address.
    pub fn from_address32(committer: &'c Committer<'c>, address32: &[u8; 32]) -> Self {
        let [low, high] = halves(address32);
        let address = commit(committer, &[Scalar::from_u64(DOMAIN), low, high]);
        Self { committer, address }
    }

    /// The commitment whose image is the hash.
    pub fn commitment(&self, tree_index: &[u8; 32]) -> Element {
        if *tree_index == [0; 32] {
            return self.address;
        }
        let [low, high] = halves(tree_index);
        let zero = Scalar::ZERO;
        self.address + commit(self.committer, &[zero, zero, zero, low, high])
    }

    /// The hash of the address and a tree index, a little-endian number. All 32 bytes of it.
    pub fn hash(&self, tree_index: &[u8; 32]) -> [u8; 32] {
        self.commitment(tree_index).map_to_scalar().to_le_bytes()
    }

    /// The stem for a tree index. Keep it where many of its keys are needed.
    pub fn stem(&self, tree_index: &[u8; 32]) -> Stem {
        split_key(&self.hash(tree_index)).0
    }

    /// The key of a position.
    pub fn key(&self, position: &Position) -> Key {
        key(&self.stem(&position.tree_index), position.sub_index)
    }

    /// The key of a header leaf: [`Position::header`].
    pub fn header(&self, leaf: u8) -> Key {
        self.key(&Position::header(leaf))
    }

    /// The key of a storage slot, a big-endian number: [`Position::storage`].
    pub fn storage(&self, slot: &[u8; 32]) -> Key {
        self.key(&Position::storage(slot))
    }

    /// The key of a code chunk: [`Position::code_chunk`].
    pub fn code_chunk(&self, chunk: u64) -> Key {
        self.key(&Position::code_chunk(chunk))
    }
}

/// The halves of 32 bytes as little-endian numbers below 2¹²⁸.
fn halves(bytes: &[u8; 32]) -> [Scalar; 2] {
    let (low, high) = bytes.split_at(16);
    [low, high].map(Scalar::from_le_bytes_reduced)
}

/// A commitment to five scalars at most, which has no error.
fn commit(committer: &Committer<'_>, vector: &[Scalar]) -> Element {
    committer.commit(vector).unwrap_or_default()
}

/// What header leaf 0 holds of an account, big-endian: version at byte 0, code size at bytes 5..8,
/// nonce at 8..16, balance at 16..32, zeros between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BasicData {
    /// Version of the account's layout.
    pub version: u8,
    /// Bytes of code; below 2²⁴.
    pub code_size: u32,
    /// Transactions sent, or contracts made.
    pub nonce: u64,
    /// In wei.
    pub balance: u128,
}

impl BasicData {
    /// The value. `None` if the code size does not fit its three bytes.
    pub fn to_value(&self) -> Option<[u8; 32]> {
        let [0, size @ ..] = self.code_size.to_be_bytes() else {
            return None;
        };
        let mut value = [0; 32];
        value[0] = self.version;
        value[5..8].copy_from_slice(&size);
        value[8..16].copy_from_slice(&self.nonce.to_be_bytes());
        value[16..].copy_from_slice(&self.balance.to_be_bytes());
        Some(value)
    }

    /// What a value says; the bytes that mean nothing are passed over.
    pub fn from_value(value: &[u8; 32]) -> Self {
        let number = |bytes: &[u8]| bytes.iter().fold(0, |n, byte| n << 8 | u128::from(*byte));
        Self {
            version: value[0],
            code_size: number(&value[5..8]) as u32,
            nonce: number(&value[8..16]) as u64,
            balance: number(&value[16..]),
        }
    }
}

/// The values of code, one for each 31 bytes of it: how many bytes at the start of the chunk are
/// still data of a push instruction before it (at most 31), then the bytes, zeros after the last.
#[derive(Clone, Debug)]
pub struct CodeChunks<'a> {
    code: &'a [u8],
    /// Push data that reaches over into the rest of the code.
    push_data: usize,
}

impl<'a> CodeChunks<'a> {
    /// Cuts up `code`.
    pub const fn new(code: &'a [u8]) -> Self {
        Self { code, push_data: 0 }
    }
}

impl Iterator for CodeChunks<'_> {
    type Item = [u8; 32];

    fn next(&mut self) -> Option<[u8; 32]> {
        const CHUNK: usize = 31;
        const PUSH1: u8 = 0x60;
        const PUSH32: u8 = 0x7f;
        if self.code.is_empty() {
            return None;
        }
        let (bytes, rest) = self.code.split_at(self.code.len().min(CHUNK));
        let mut chunk = [0; 32];
        chunk[0] = self.push_data.min(CHUNK) as u8;
        chunk[1..=bytes.len()].copy_from_slice(bytes);
        let mut at = self.push_data;
        while let Some(&instruction) = bytes.get(at) {
            at += 1;
            if (PUSH1..=PUSH32).contains(&instruction) {
                at += usize::from(instruction - PUSH1) + 1;
            }
        }
        self.push_data = at.saturating_sub(CHUNK);
        self.code = rest;
        Some(chunk)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let chunks = self.code.len().div_ceil(31);
        (chunks, Some(chunks))
    }
}

impl ExactSizeIterator for CodeChunks<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn v16_the_hash_is_the_image_and_not_the_point_reversed() {
        let committer = Committer::without_table();
        let zero = tree_key_hash(&committer, &[0; 32], &[0; 32]);
        assert_eq!(
            hex(&zero),
            "1a100684fd68185060405f3f160e4bb6e034194336b547bdae323f888d533207"
        );
        let ones = tree_key_hash(&committer, &[1; 32], &[1; 32]);
        assert_eq!(
            hex(&ones),
            "3afb8486ed3053ac55f62864da803c074844509d253260d870337c20fd73eb11"
        );
        assert_eq!(
            hex(&Element::generator().map_to_scalar().to_le_bytes()),
            "d1e7de2aaea9603d5bc6c208d319596376556ecd8336671ba7670c2139772d14"
        );
    }

    #[test]
    fn every_slot_has_its_position() {
        let slot = |high: u8, low: u8| {
            let mut slot = [0; 32];
            (slot[0], slot[31]) = (high, low);
            slot
        };
        assert_eq!(Position::storage(&slot(0, 63)), Position::header(127));
        let first = Position::storage(&slot(0, 64));
        let mut index = [0; 32];
        index[30] = 1;
        assert_eq!((first.tree_index, first.sub_index), (index, 64));
        // The top byte's carry: slots from 2^256 - 2^248 on.
        let last = Position::storage(&[0xff; 32]);
        let mut index = [0xff; 32];
        (index[30], index[31]) = (0, 1);
        assert_eq!((last.tree_index, last.sub_index), (index, 0xff));
        let top = Position::storage(&slot(0xfe, 0));
        assert_eq!((top.tree_index[30], top.tree_index[31]), (0xff, 0));
    }

    #[test]
    fn code_chunks_have_no_last() {
        let far = Position::code_chunk(u64::MAX);
        // (2^64 - 1 + 128) / 256 = 2^56, and 127 remains.
        let mut index = [0; 32];
        index[7] = 1;
        assert_eq!((far.tree_index, far.sub_index), (index, 127));
        assert_eq!(Position::code_chunk(127), Position::header(255));
        assert_eq!(Position::code_chunk(128).tree_index[0], 1);
    }

    /// The EIP's own way: mark every byte of the whole code first.
    fn plain_chunks(code: &[u8]) -> Vec<[u8; 32]> {
        let mut left = vec![0u8; code.len() + 64];
        let mut at = 0;
        while at < code.len() {
            let data = match code[at] {
                op @ 0x60..=0x7f => usize::from(op - 0x5f),
                _ => 0,
            };
            at += 1;
            for i in 0..data {
                left[at + i] = (data - i) as u8;
            }
            at += data;
        }
        let chunk = |start: usize| {
            let mut chunk = [0; 32];
            chunk[0] = left[start].min(31);
            let bytes = &code[start..code.len().min(start + 31)];
            chunk[1..=bytes.len()].copy_from_slice(bytes);
            chunk
        };
        (0..code.len()).step_by(31).map(chunk).collect()
    }

    #[test]
    fn chunks_as_the_eip_cuts_them() {
        let mut code = Vec::new();
        let mut state = 1u32;
        for length in 0..300 {
            let chunks = CodeChunks::new(&code);
            assert_eq!(chunks.len(), code.len().div_ceil(31));
            assert_eq!(chunks.collect::<Vec<_>>(), plain_chunks(&code), "{length}");
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            code.push((state >> 24) as u8);
        }
        // PUSH32 as the last byte of a chunk: 32 bytes reach over a whole chunk, and one more.
        let mut code = vec![0; 30];
        code.push(0x7f);
        code.extend([0x7f; 40]);
        let counts: Vec<u8> = CodeChunks::new(&code).map(|chunk| chunk[0]).collect();
        assert_eq!(counts[..3], [0, 31, 1]);
    }

    #[test]
    fn basic_data_packs() {
        let data = BasicData {
            version: 1,
            code_size: 0x02_0304,
            nonce: 5,
            balance: 6 << 120,
        };
        let value = data.to_value().unwrap();
        assert_eq!(value[..8], [1, 0, 0, 0, 0, 2, 3, 4]);
        assert_eq!((value[15], value[16]), (5, 6));
        assert_eq!(BasicData::from_value(&value), data);
        let large = BasicData {
            code_size: 1 << 24,
            ..data
        };
        assert_eq!(large.to_value(), None);
    }
}
