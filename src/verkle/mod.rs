//! Verkle proofs: vector commitments over Banderwagon, inner-product arguments, multiproofs
//! of many openings, and execution witnesses.
//!
//! Byte for byte compatible with go-ipa, rust-verkle and go-verkle.
//!
//! - [`crs`]: the 256 generators. [`Committer`]: commitments to vectors of up to 256 scalars.
//! - [`polynomial`]: vectors as polynomials on the domain 0..=255.
//! - [`ipa`]: the argument that a committed polynomial has a value at a point.
//! - [`multiproof`]: one proof for many openings of many commitments.
//! - [`batch`]: several proofs verified as one.
//! - [`witness`]: a block's execution witness.
//! - [`tree_key`]: where accounts lie in the tree; `tree` (feature `alloc`): a tree in memory,
//!   its roots and its witnesses.

pub mod batch;
mod commit;
pub mod crs;
mod error;
pub mod ipa;
pub mod multiproof;
pub mod polynomial;
mod scratch;
#[cfg(feature = "alloc")]
pub mod tree;
pub mod tree_key;
pub mod witness;

pub use crate::curve::bandersnatch::isogenous::{Element as TablePoint, Entry as TableEntry};
pub use crate::curve::banderwagon::{Affine, Compressed, DecodeError, Element, Precomputed};
pub use crate::field::bandersnatch_scalar::Fr as Scalar;
pub use crate::transcript::Transcript;
pub use batch::Batch;
pub use commit::{CommitError, Committer, TABLE_BASES};
pub use error::{Error, ProofPart};
pub use ipa::IpaProof;
#[cfg(feature = "alloc")]
pub use multiproof::ProverQuery;
pub use multiproof::{EncodedQuery, MultiProof, VerifierQuery};
#[cfg(feature = "alloc")]
pub use scratch::ScratchBuffer;
pub use scratch::{Scratch, Workspace, scratch_bytes};

/// Length of the vectors that are committed to: the size of the evaluation domain 0..=255.
pub const WIDTH: usize = 256;

/// The number of rounds of the inner-product argument: log₂ of [`WIDTH`].
pub const ROUNDS: usize = 8;

/// A vector of [`WIDTH`] scalars: the values of a polynomial on the domain.
pub type Vector = [Scalar; WIDTH];
