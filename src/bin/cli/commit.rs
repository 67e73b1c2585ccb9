//! `lightproof commit`: the commitment to a vector, and how commands read vectors.

use std::collections::BTreeMap;
use std::fmt::Formatter;
use std::path::PathBuf;

use clap::Args;
use lightproof::verkle::{Committer, Scalar, Vector, WIDTH};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

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
pub(crate) enum Polynomial {
    Dense(Vec<ScalarText>),
    Sparse(BTreeMap<u8, ScalarText>),
}

/// A scalar as it is written.
pub(crate) enum ScalarText {
    Small(u64),
    Bytes(String),
}

/// An index in the one way to write it: no sign, no zeros before it.
fn index(key: &str) -> Option<u8> {
    let index: u8 = key.parse().ok()?;
    (index.to_string() == key).then_some(index)
}

// Visitors of our own, not untagged enums: those forget line and column, and what belongs there.

impl<'de> Deserialize<'de> for Polynomial {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;

        impl<'de> Visitor<'de> for Form {
            type Value = Polynomial;

            fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of scalars, or an object from index to scalar")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Polynomial, A::Error> {
                let mut scalars = Vec::new();
                while let Some(scalar) = list.next_element()? {
                    if scalars.len() == WIDTH {
                        return Err(Error::custom(format_args!("more than {WIDTH} scalars")));
                    }
                    scalars.push(scalar);
                }
                Ok(Polynomial::Dense(scalars))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Polynomial, A::Error> {
                let mut scalars = BTreeMap::new();
                while let Some(key) = object.next_key::<String>()? {
                    let index = index(&key).ok_or_else(|| {
                        Error::custom(format_args!("index {key:?} is not in 0..={}", WIDTH - 1))
                    })?;
                    if scalars.insert(index, object.next_value()?).is_some() {
                        return Err(Error::custom(format_args!(
                            "index {index} stands here twice"
                        )));
                    }
                }
                Ok(Polynomial::Sparse(scalars))
            }
        }

        deserializer.deserialize_any(Form)
    }
}

impl<'de> Deserialize<'de> for ScalarText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;

        impl Visitor<'_> for Form {
            type Value = ScalarText;

            fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str(
                    "a scalar: a whole number below 2^64, or 32 little-endian bytes in hexadecimal",
                )
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<ScalarText, E> {
                Ok(ScalarText::Small(number))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ScalarText, E> {
                Ok(ScalarText::Bytes(String::from(text)))
            }
        }

        deserializer.deserialize_any(Form)
    }
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
        let vector = vector(&polynomial, &format!("{name}: scalars"))?;
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
