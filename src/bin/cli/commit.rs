//! `lightproof commit`: the commitment to a vector, and how commands read vectors.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lightproof::verkle::{Committer, Scalar, Vector, WIDTH};
use serde::Deserialize;

use super::{Failure, Outcome, hex, print_line};

/// Commit to a vector of up to 256 scalars
///
/// Input: a list of scalars, missing ones zero, or an object from index to scalar. A scalar is a number below 2^64,
/// or 32 little-endian bytes in hexadecimal. Output: the commitment, and its image in the scalar field.
#[derive(Args, Debug)]
pub(crate) struct Commit {
    /// The vector's JSON file; `-` for standard input
    file: PathBuf,
}

/// A vector as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Polynomial {
    Dense(Vec<ScalarText>),
    Sparse(BTreeMap<u8, ScalarText>),
}

/// A scalar as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum ScalarText {
    Small(u64),
    Bytes(String),
}

impl ScalarText {
    fn read(&self, place: &str) -> Result<Scalar, Failure> {
        match self {
            Self::Small(number) => Ok(Scalar::from_u64(*number)),
            Self::Bytes(text) => super::scalar(place, text),
        }
    }
}

/// Reads a vector; `place` names it in errors.
pub(crate) fn vector(polynomial: &Polynomial, place: &str) -> Result<Box<Vector>, Failure> {
    let mut out = Box::new([Scalar::ZERO; WIDTH]);
    match polynomial {
        Polynomial::Dense(scalars) if scalars.len() > WIDTH => {
            return Err(Failure::unusable(format!(
                "{place} has {} scalars, at most {WIDTH} are possible",
                scalars.len()
            )));
        }
        Polynomial::Dense(scalars) => {
            for (i, (slot, text)) in out.iter_mut().zip(scalars).enumerate() {
                *slot = text.read(&format!("{place}[{i}]"))?;
            }
        }
        Polynomial::Sparse(scalars) => {
            for (i, text) in scalars {
                out[usize::from(*i)] = text.read(&format!("{place}[{i}]"))?;
            }
        }
    }
    Ok(out)
}

impl Commit {
    pub(crate) fn run(&self) -> Outcome {
        let name = self.file.display().to_string();
        let polynomial: Polynomial = serde_json::from_slice(&super::read(&self.file)?)
            .map_err(|error| Failure::unusable(format!("{name}: {error}")))?;
        let vector = vector(&polynomial, &name)?;
        let commitment = Committer::without_table()
            .commit(&vector[..])
            .map_err(Failure::unusable)?
            .to_affine();
        print_line(format_args!("commitment {}", hex(&commitment.to_bytes())))?;
        print_line(format_args!(
            "scalar     {}",
            hex(&commitment.map_to_scalar().to_le_bytes())
        ))
    }
}
