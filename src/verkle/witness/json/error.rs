//! What is wrong with a JSON document, and where.

use core::fmt;

/// Why a JSON document is no witness or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The rule that is broken.
    pub rule: Rule,
    /// The member at fault; for malformed JSON the last one entered.
    pub place: Place,
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1 (0: before the first).
    pub column: usize,
}

/// The rules of the JSON form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// Not JSON.
    Malformed,
    /// Another type belongs here.
    Type,
    /// A hexadecimal string must begin with `0x`.
    Prefix,
    /// Neither 0..9 nor a..f nor A..F.
    Digit,
    /// A hexadecimal string has the wrong number of digits.
    Length {
        /// Digits found after the prefix.
        digits: usize,
        /// Digits that belong there; 0: any even number.
        expected: usize,
    },
    /// A number is out of range.
    Range,
    /// A list does not have eight elements.
    Eight,
    /// A list is over the format's limit.
    TooMany,
    /// A member is missing.
    Missing,
    /// A member stands here twice.
    Duplicate,
}

/// A member of a witness or block. Indices count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The document itself.
    Document,
    /// `parentStateRoot`
    ParentStateRoot,
    /// `header`
    Header,
    /// `header.stateRoot`
    StateRoot,
    /// `header.number` or `header.blockNumber`
    Number,
    /// `execution_payload`
    Payload,
    /// `executionWitness`
    Witness,
    /// `stateDiff`
    StateDiff,
    /// `stateDiff[i]`
    StemDiff(usize),
    /// `stateDiff[i].stem`
    Stem(usize),
    /// `stateDiff[i].suffixDiffs`
    SuffixDiffs(usize),
    /// `stateDiff[i].suffixDiffs[k]`
    SuffixDiff(usize, usize),
    /// `stateDiff[i].suffixDiffs[k].suffix`
    Suffix(usize, usize),
    /// `stateDiff[i].suffixDiffs[k].currentValue`
    CurrentValue(usize, usize),
    /// `stateDiff[i].suffixDiffs[k].newValue`
    NewValue(usize, usize),
    /// `verkleProof`
    VerkleProof,
    /// `verkleProof.otherStems`
    OtherStems,
    /// `verkleProof.otherStems[i]`
    OtherStem(usize),
    /// `verkleProof.depthExtensionPresent`
    DepthExtensionPresent,
    /// `verkleProof.commitmentsByPath`
    CommitmentsByPath,
    /// `verkleProof.commitmentsByPath[i]`
    Commitment(usize),
    /// `verkleProof.d`
    D,
    /// `verkleProof.ipaProof`
    IpaProof,
    /// `verkleProof.ipaProof.cl`
    Cl,
    /// `verkleProof.ipaProof.cl[i]`
    ClPoint(usize),
    /// `verkleProof.ipaProof.cr`
    Cr,
    /// `verkleProof.ipaProof.cr[i]`
    CrPoint(usize),
    /// `verkleProof.ipaProof.finalEvaluation`
    FinalEvaluation,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Document => write!(f, "document"),
            Self::ParentStateRoot => write!(f, "parentStateRoot"),
            Self::Header => write!(f, "header"),
            Self::StateRoot => write!(f, "header.stateRoot"),
            Self::Number => write!(f, "header.number"),
            Self::Payload => write!(f, "execution_payload"),
            Self::Witness => write!(f, "executionWitness"),
            Self::StateDiff => write!(f, "stateDiff"),
            Self::StemDiff(i) => write!(f, "stateDiff[{i}]"),
            Self::Stem(i) => write!(f, "stateDiff[{i}].stem"),
            Self::SuffixDiffs(i) => write!(f, "stateDiff[{i}].suffixDiffs"),
            Self::SuffixDiff(i, k) => write!(f, "stateDiff[{i}].suffixDiffs[{k}]"),
            Self::Suffix(i, k) => write!(f, "stateDiff[{i}].suffixDiffs[{k}].suffix"),
            Self::CurrentValue(i, k) => write!(f, "stateDiff[{i}].suffixDiffs[{k}].currentValue"),
            Self::NewValue(i, k) => write!(f, "stateDiff[{i}].suffixDiffs[{k}].newValue"),
            Self::VerkleProof => write!(f, "verkleProof"),
            Self::OtherStems => write!(f, "verkleProof.otherStems"),
            Self::OtherStem(i) => write!(f, "verkleProof.otherStems[{i}]"),
            Self::DepthExtensionPresent => write!(f, "verkleProof.depthExtensionPresent"),
            Self::CommitmentsByPath => write!(f, "verkleProof.commitmentsByPath"),
            Self::Commitment(i) => write!(f, "verkleProof.commitmentsByPath[{i}]"),
            Self::D => write!(f, "verkleProof.d"),
            Self::IpaProof => write!(f, "verkleProof.ipaProof"),
            Self::Cl => write!(f, "verkleProof.ipaProof.cl"),
            Self::ClPoint(i) => write!(f, "verkleProof.ipaProof.cl[{i}]"),
            Self::Cr => write!(f, "verkleProof.ipaProof.cr"),
            Self::CrPoint(i) => write!(f, "verkleProof.ipaProof.cr[{i}]"),
            Self::FinalEvaluation => write!(f, "verkleProof.ipaProof.finalEvaluation"),
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rule,
            place,
            line,
            column,
        } = *self;
        match rule {
            Rule::Malformed => write!(f, "not JSON")?,
            Rule::Type => write!(f, "{place}: wrong type")?,
            Rule::Prefix => write!(f, "{place}: hexadecimal without 0x")?,
            Rule::Digit => write!(f, "{place}: no hexadecimal digit")?,
            Rule::Length {
                digits,
                expected: 0,
            } => {
                write!(f, "{place}: {digits} hexadecimal digits, an odd number")?;
            }
            Rule::Length { digits, expected } => {
                write!(
                    f,
                    "{place}: {digits} hexadecimal digits where {expected} belong"
                )?;
            }
            Rule::Range => write!(f, "{place}: number out of range")?,
            Rule::Eight => write!(f, "{place}: not eight elements")?,
            Rule::TooMany => write!(f, "{place}: too many elements")?,
            Rule::Missing => write!(f, "{place}: missing")?,
            Rule::Duplicate => write!(f, "{place}: given twice")?,
        }
        write!(f, " (line {line}, column {column})")
    }
}

impl core::error::Error for JsonError {}
