//! What can be wrong with openings and their proofs.

use core::fmt;

use super::{CommitError, DecodeError};
use crate::msm::MsmError;

/// A part of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProofPart {
    /// The multiproof's commitment D to the quotient.
    D,
    /// The left commitment of a round, 0..8.
    L(u8),
    /// The right commitment of a round, 0..8.
    R(u8),
    /// The last scalar, a.
    A,
}

impl fmt::Display for ProofPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::D => f.write_str("D"),
            Self::L(round) => write!(f, "L[{round}]"),
            Self::R(round) => write!(f, "R[{round}]"),
            Self::A => f.write_str("a"),
        }
    }
}

/// Why openings are not proven, or can't be.
///
/// [`NotProven`](Self::NotProven) is the one verdict on well-formed input; all others are
/// about its form, about what the caller lent, or about what the prover was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// There is no opening: nothing to prove or to verify.
    NoOpenings,
    /// There are more openings than 2^32 − 1.
    TooManyOpenings,
    /// The proof has another length than its encoding.
    ProofLength {
        /// Bytes of the encoding.
        expected: usize,
        /// Bytes given.
        actual: usize,
    },
    /// A point of the proof is no group element.
    ProofPoint {
        /// Which one.
        part: ProofPart,
        /// Why.
        error: DecodeError,
    },
    /// The proof's scalar is not below r.
    ProofScalar,
    /// A commitment is no group element.
    Commitment {
        /// Index of the opening.
        index: usize,
        /// Why.
        error: DecodeError,
    },
    /// A value is not below r.
    Value {
        /// Index of the opening.
        index: usize,
    },
    /// The lent memory is too small.
    Scratch {
        /// Openings that it must have room for.
        needed: usize,
        /// Openings that it has room for.
        given: usize,
    },
    /// A sum of the protocol could not be computed, for want of memory.
    Msm(MsmError),
    /// A commitment of the protocol could not be computed.
    Commit(CommitError),
    /// A challenge came out zero or inside the domain, which honest use meets once in 2^244
    /// proofs: the proof can't be made or checked.
    Challenge,
    /// The proof does not hold.
    NotProven,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOpenings => f.write_str("there are no openings"),
            Self::TooManyOpenings => f.write_str("there are more than 2^32 - 1 openings"),
            Self::ProofLength { expected, actual } => {
                write!(f, "a proof has {expected} bytes, not {actual}")
            }
            Self::ProofPoint { part, error } => write!(f, "{part} of the proof: {error}"),
            Self::ProofScalar => f.write_str("a of the proof is not below the group's order"),
            Self::Commitment { index, error } => {
                write!(f, "commitment of opening {index}: {error}")
            }
            Self::Value { index } => {
                write!(
                    f,
                    "the value of opening {index} is not below the group's order"
                )
            }
            Self::Scratch { needed, given } => {
                write!(
                    f,
                    "the scratch memory has room for {given} openings, not {needed}"
                )
            }
            Self::Msm(error) => write!(f, "a sum of the proof: {error}"),
            Self::Commit(error) => write!(f, "a commitment of the proof: {error}"),
            Self::Challenge => f.write_str("a challenge is zero or inside the domain"),
            Self::NotProven => f.write_str("the proof does not hold"),
        }
    }
}

impl core::error::Error for Error {}

impl From<MsmError> for Error {
    fn from(error: MsmError) -> Self {
        Self::Msm(error)
    }
}

impl From<CommitError> for Error {
    fn from(error: CommitError) -> Self {
        Self::Commit(error)
    }
}
