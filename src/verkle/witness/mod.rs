//! Execution witnesses (EIP-6800): a block's keys and values before it, with the proof that they stand under the
//! parent's state root, and the values written.
//!
//! There is one form that is verified: SSZ bytes, read in place by [`Witness`], without memory. The JSON of blocks
//! (feature `serde`) and the binary layout of rust-verkle become that form first.
//!
//! 1. [`Witness::from_ssz`] checks the form.
//! 2. [`Witness::check`] checks the structure: everything that needs no cryptography.
//! 3. [`Checked::openings`] says which openings of which nodes the multiproof must prove.
//! 4. [`Checked::verify`] verifies it under the parent's state root: [`Verified`].
//! 5. [`Verified::post_root`] is the state root after the block.

#[cfg(all(test, feature = "alloc"))]
mod attack;
#[cfg(feature = "alloc")]
mod binary;
mod error;
mod evidence;
#[cfg(feature = "serde")]
pub mod json;
#[cfg(feature = "alloc")]
mod owned;
mod post;
mod ssz;
mod structure;
mod verify;
mod walk;
mod write;

#[cfg(feature = "alloc")]
pub use binary::BinaryProof;
pub use error::{FormError, FormRule, WitnessError};
#[cfg(feature = "alloc")]
pub use owned::{OwnedProof, OwnedStemDiff, OwnedSuffixDiff, OwnedWitness};
pub use ssz::{MAX_COMMITMENTS, MAX_STEMS, MAX_SUFFIXES, StemDiff, SuffixDiff, Witness};
pub use structure::{Checked, Shape};
#[cfg(feature = "alloc")]
pub(crate) use verify::{LABEL, halves, stem_scalar};
pub use verify::{Mode, Verified};
pub use walk::{Entry, NodeKind, Opening};

/// First 31 bytes of a key.
pub type Stem = [u8; 31];
/// A value of the state.
pub type Value = [u8; 32];

/// What a witness claims of a stem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Absent: its slot is empty.
    Empty,
    /// Absent: in its slot is the extension of another stem.
    Other,
    /// In the tree.
    Present,
}

impl Status {
    /// From a depth byte: its lowest three bits. `None` for status 3 or if the unused bit is set.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        match byte & 7 {
            0 => Some(Self::Empty),
            1 => Some(Self::Other),
            2 => Some(Self::Present),
            _ => None,
        }
    }

    /// The lowest three bits of a depth byte.
    #[must_use]
    pub const fn to_byte(self) -> u8 {
        match self {
            Self::Empty => 0,
            Self::Other => 1,
            Self::Present => 2,
        }
    }
}
