//! Why a witness is refused: one variant for each check, in the order in which the checks are made.

use core::fmt;

use crate::verkle::{DecodeError, Error, ProofPart};

/// Why bytes are not the SSZ form of a witness: which rule, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormError {
    /// Offset into the bytes given, of the part at fault.
    pub offset: usize,
    /// The rule that is broken there.
    pub rule: FormRule,
}

/// The rules of the SSZ form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormRule {
    /// The bytes end before the fixed part of a container does.
    Truncated,
    /// An offset does not point where the previous part ends: a gap, an overlap or a wrong order.
    Offset,
    /// A list's bytes are no whole number of elements.
    Length,
    /// A list is longer than the format's limit.
    TooMany,
    /// An optional value is neither nothing nor the byte 1 and 32 bytes.
    Optional,
    /// Bytes follow after the end.
    Trailing,
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.rule {
            FormRule::Truncated => "truncated",
            FormRule::Offset => "wrong offset",
            FormRule::Length => "no whole number of elements",
            FormRule::TooMany => "list over its limit",
            FormRule::Optional => "malformed optional value",
            FormRule::Trailing => "trailing bytes",
        };
        write!(f, "{rule} at byte {}", self.offset)
    }
}

impl core::error::Error for FormError {}

/// Why a witness is refused. Indices count from 0: `stem` into the list of stems, `suffix` into a stem's
/// list, `index` into the list that the variant names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WitnessError {
    /// The bytes are not the SSZ form.
    Form(FormError),
    /// No stem at all: there is nothing to prove.
    EmptyWitness,
    /// This stem is not greater than the one before it.
    StemsNotAscending {
        /// The stem.
        stem: usize,
    },
    /// This stem lists no suffix.
    EmptySuffixList {
        /// The stem.
        stem: usize,
    },
    /// This suffix is not greater than the one before it.
    SuffixesNotAscending {
        /// The stem.
        stem: usize,
        /// Position in the stem's list.
        suffix: usize,
    },
    /// Not one depth byte for each stem.
    DepthCount {
        /// Stems listed.
        stems: usize,
        /// Depth bytes listed.
        bytes: usize,
    },
    /// Status 3, or the unused bit is set.
    BadStatus {
        /// The stem.
        stem: usize,
        /// Its depth byte.
        byte: u8,
    },
    /// Depth 0, or no room for the other stem to differ.
    BadDepth {
        /// The stem.
        stem: usize,
        /// The depth.
        depth: u8,
    },
    /// A stem said to be absent has a current value.
    AbsentWithValue {
        /// The stem.
        stem: usize,
        /// Position in the stem's list.
        suffix: usize,
    },
    /// This stem and the one before it say different things of one place in the tree.
    PathConflict {
        /// The later of the two stems.
        stem: usize,
    },
    /// The list of other stems ends before the group that opens with this stem gets its own.
    OtherStemMissing {
        /// First stem of the group.
        stem: usize,
    },
    /// An other stem that no group needs.
    OtherStemUnused {
        /// Position in the list of other stems.
        index: usize,
    },
    /// An other stem does not lie on its group's path.
    OtherStemPrefix {
        /// Position in the list of other stems.
        index: usize,
        /// First stem of the group.
        stem: usize,
    },
    /// An other stem is the very stem whose absence it should show.
    OtherStemSelf {
        /// Position in the list of other stems.
        index: usize,
        /// The stem it equals.
        stem: usize,
    },
    /// The number of commitments is not the one that the stems and depths imply.
    CommitmentCount {
        /// What the structure implies.
        expected: usize,
        /// What is listed.
        got: usize,
    },
    /// The parent's state root is no group element.
    BadRoot {
        /// Why.
        error: DecodeError,
    },
    /// A commitment is no group element.
    BadCommitment {
        /// Position in the list of commitments.
        index: usize,
        /// Why.
        error: DecodeError,
    },
    /// A point of the multiproof is no group element.
    BadProofPoint {
        /// Which one.
        part: ProofPart,
        /// Why.
        error: DecodeError,
    },
    /// The final evaluation is not below the group's order.
    BadScalar,
    /// An internal node or an extension below the root is the identity: that is an empty slot, not a node.
    IdentityNode {
        /// Position in the list of commitments.
        index: usize,
    },
    /// The form is right, but the claims do not hold under the root.
    Multiproof,
    /// Strict mode: the claims hold, but some absences are not shown.
    UnshownAbsence {
        /// How many stems.
        count: usize,
        /// The first of them, in the order of the nodes.
        first: usize,
    },
    /// The lent memory has too little room.
    Scratch {
        /// Openings that it must have room for: the nodes of the witness.
        needed: usize,
        /// Openings that it has room for.
        given: usize,
    },
    /// The verifier could not finish, for want of memory.
    Verifier(Error),
}

impl WitnessError {
    /// The short code of the check that failed, as test vectors and log lines name it.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Form(_) => "parse",
            Self::EmptyWitness => "empty-witness",
            Self::StemsNotAscending { .. } => "stems-not-ascending",
            Self::EmptySuffixList { .. } => "empty-suffix-list",
            Self::SuffixesNotAscending { .. } => "suffixes-not-ascending",
            Self::DepthCount { .. } => "depth-count",
            Self::BadStatus { .. } => "bad-status",
            Self::BadDepth { .. } => "bad-depth",
            Self::AbsentWithValue { .. } => "absent-with-value",
            Self::PathConflict { .. } => "path-conflict",
            Self::OtherStemMissing { .. } => "other-stem-missing",
            Self::OtherStemUnused { .. } => "other-stem-unused",
            Self::OtherStemPrefix { .. } => "other-stem-prefix",
            Self::OtherStemSelf { .. } => "other-stem-self",
            Self::CommitmentCount { .. } => "commitment-count",
            Self::BadRoot { .. } => "bad-root",
            Self::BadCommitment { .. } => "bad-commitment",
            Self::BadProofPoint { .. } => "bad-proof-point",
            Self::BadScalar => "bad-scalar",
            Self::IdentityNode { .. } => "identity-node",
            Self::Multiproof => "multiproof",
            Self::UnshownAbsence { .. } => "unshown-absence",
            Self::Scratch { .. } => "scratch",
            Self::Verifier(_) => "verifier",
        }
    }
}

impl WitnessError {
    /// What an error of the multiproof means for a witness.
    pub(super) const fn from_proof(error: Error) -> Self {
        match error {
            Error::ProofPoint { part, error } => Self::BadProofPoint { part, error },
            Error::ProofScalar => Self::BadScalar,
            Error::NotProven | Error::Challenge => Self::Multiproof,
            error => Self::Verifier(error),
        }
    }
}

impl From<FormError> for WitnessError {
    fn from(error: FormError) -> Self {
        Self::Form(error)
    }
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code())?;
        match *self {
            Self::Form(error) => write!(f, "{error}"),
            Self::EmptyWitness => write!(f, "no stem"),
            Self::StemsNotAscending { stem } => {
                write!(f, "stem {stem} is not greater than the one before it")
            }
            Self::EmptySuffixList { stem } => write!(f, "stem {stem} has no suffix"),
            Self::SuffixesNotAscending { stem, suffix } => {
                write!(
                    f,
                    "stem {stem}: suffix {suffix} is not greater than the one before it"
                )
            }
            Self::DepthCount { stems, bytes } => write!(f, "{bytes} depth bytes for {stems} stems"),
            Self::BadStatus { stem, byte } => write!(f, "stem {stem}: depth byte {byte:#04x}"),
            Self::BadDepth { stem, depth } => write!(f, "stem {stem}: depth {depth}"),
            Self::AbsentWithValue { stem, suffix } => {
                write!(
                    f,
                    "stem {stem} is absent but its suffix {suffix} has a value"
                )
            }
            Self::PathConflict { stem } => {
                write!(
                    f,
                    "stem {stem} contradicts the stem before it about one place"
                )
            }
            Self::OtherStemMissing { stem } => write!(f, "none is left for stem {stem}"),
            Self::OtherStemUnused { index } => write!(f, "other stem {index} belongs to no stem"),
            Self::OtherStemPrefix { index, stem } => {
                write!(f, "other stem {index} is not on the path of stem {stem}")
            }
            Self::OtherStemSelf { index, stem } => {
                write!(f, "other stem {index} is stem {stem} itself")
            }
            Self::CommitmentCount { expected, got } => {
                write!(f, "{got} commitments where {expected} belong")
            }
            Self::BadRoot { error } => write!(f, "parent state root: {error}"),
            Self::BadCommitment { index, error } => write!(f, "commitment {index}: {error}"),
            Self::BadProofPoint { part, error } => write!(f, "{part}: {error}"),
            Self::BadScalar => write!(f, "the final evaluation is not below the group's order"),
            Self::IdentityNode { index } => write!(f, "commitment {index} is the identity"),
            Self::Multiproof => write!(f, "the proof does not hold under the parent state root"),
            Self::UnshownAbsence { count, first } => {
                write!(
                    f,
                    "{count} absent stems are not shown to be absent, the first is stem number {first}"
                )
            }
            Self::Scratch { needed, given } => {
                write!(
                    f,
                    "the lent memory has room for {given} openings, not {needed}"
                )
            }
            Self::Verifier(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for WitnessError {}
