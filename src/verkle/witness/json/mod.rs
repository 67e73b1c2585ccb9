//! Witnesses and blocks read from JSON.
//!
//! The strict form is that of blocks: hexadecimal strings with `0x`, either case, of the exact length; `suffix` an
//! integer; exactly eight points a side; members in any order, unknown ones ignored, none twice; a missing
//! `newValue` is `null`. The writer is [`Witness::write_json`](super::Witness::write_json).

mod error;
mod read;
mod value;

pub use error::{JsonError, Place, Rule};
pub use read::Block;

use super::OwnedWitness;

/// Which forms are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leniency {
    /// The strict form alone.
    #[default]
    Strict,
    /// Forms met in the wild, too: `suffix` and block numbers as decimal strings, `"0x"` or `""` for `null`, names
    /// in snake case, and a block at `execution_payload`. For tools that convert; not for a verifier's door.
    Lenient,
}

/// Reads a witness: an object with `stateDiff` and `verkleProof`.
///
/// # Errors
/// What is wrong and where.
pub fn read_witness(json: &[u8], leniency: Leniency) -> Result<OwnedWitness, JsonError> {
    read::witness(json, leniency)
}

/// Reads a block: an object with `executionWitness` and what else is there of `header` and `parentStateRoot`.
///
/// # Errors
/// What is wrong and where.
pub fn read_block(json: &[u8], leniency: Leniency) -> Result<Block, JsonError> {
    read::block(json, leniency)
}
