//! `lightproof convert`: a witness between JSON and SSZ.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lightproof::verkle::witness::json::{self, JsonError, Leniency, Place, Rule};
use lightproof::verkle::witness::{OwnedWitness, Witness};

use super::{Failure, Outcome};

/// The forms of a witness.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// The JSON of `executionWitness`
    Json,
    /// SSZ, with `new_value`: the form that is verified in place, without an allocation
    Ssz,
}

/// Convert an execution witness between JSON and SSZ
///
/// Input in JSON may be a block (its `executionWitness` is taken) or the witness alone; anything that does not begin
/// with `{` is read as SSZ. The other form is written, or the one that --to names.
#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// The file to read; `-` for standard input
    input: PathBuf,
    /// The file to write; standard output where there is none, or for `-`
    output: Option<PathBuf>,
    /// The form to write
    #[arg(long, value_enum)]
    to: Option<Form>,
    /// Read forms met in the wild, too
    #[arg(long)]
    lenient: bool,
}

impl Convert {
    pub(crate) fn run(&self) -> Outcome {
        let bytes = super::read(&self.input)?;
        let unusable = |error: &dyn std::fmt::Display| {
            Failure::unusable(format!("{}: {error}", self.input.display()))
        };
        let is_json = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
        let witness: OwnedWitness = if is_json {
            let leniency = if self.lenient {
                Leniency::Lenient
            } else {
                Leniency::Strict
            };
            read_json(&bytes, leniency).map_err(|error| unusable(&error))?
        } else {
            let no_ssz = |error| unusable(&format_args!("not the SSZ of a witness: {error}"));
            (&Witness::from_ssz(&bytes).map_err(no_ssz)?).into()
        };
        let to = self
            .to
            .unwrap_or(if is_json { Form::Ssz } else { Form::Json });
        let ssz = witness.to_ssz().map_err(|error| unusable(&error))?;
        match to {
            Form::Ssz => super::write(self.output.as_ref(), &ssz),
            Form::Json => {
                let mut text = String::new();
                Witness::from_ssz(&ssz)
                    .map_err(|error| unusable(&error))?
                    .write_json(&mut text)
                    .map_err(|error| unusable(&error))?;
                text.push('\n');
                super::write(self.output.as_ref(), text.as_bytes())
            }
        }
    }
}

/// Reads a witness, or the witness of a block.
fn read_json(json: &[u8], leniency: Leniency) -> Result<OwnedWitness, JsonError> {
    let as_witness = match json::read_witness(json, leniency) {
        Ok(witness) => return Ok(witness),
        Err(error) => error,
    };
    match json::read_block(json, leniency) {
        Ok(block) => Ok(block.witness),
        // Not a block at all: what is wrong with the witness says more.
        Err(error) if error.place == Place::Witness && error.rule == Rule::Missing => {
            Err(as_witness)
        }
        Err(error) => Err(error),
    }
}
