//! `lightproof prove` and `lightproof verify`: openings of committed polynomials, in JSON.

use std::path::PathBuf;

use clap::Args;
use lightproof::verkle::multiproof::{
    EncodedQuery, MultiProof, ProverQuery, prove_with, verify_encoded_with,
};
use lightproof::verkle::{Committer, Element, Error, ScratchBuffer, Transcript, Vector};
use serde::{Deserialize, Serialize};

use super::commit::{Polynomial, vector};
use super::{Failure, Outcome, counted, hex, print_line, threads, unhex};

/// Prove the values of polynomials at points of the domain
///
/// Input: {"label": "vt", "openings": [{"polynomial": P, "point": 7}, …]}. P is a list of up to 256 scalars, the
/// values at 0, 1, 2 …, missing ones zero; or an object from index to scalar. A scalar is a number below 2^64, or 32
/// little-endian bytes in hexadecimal. Output: what `verify` reads.
#[derive(Args, Debug)]
pub(crate) struct Prove {
    /// The openings' JSON file; `-` for standard input
    file: PathBuf,
    /// The file to write; standard output where there is none, or for `-`
    output: Option<PathBuf>,
    /// Threads; 0 for as many as the machine has
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Verify a proof of openings
///
/// Input: {"label": "vt", "proof": "0x…576 bytes", "openings": [{"commitment": "0x…32 bytes", "point": 7,
/// "value": "0x…32 little-endian bytes"}, …]}. Exit status: 0, it holds; 1, it does not; 2, malformed.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// The proof's JSON file; `-` for standard input
    file: PathBuf,
    /// Threads; 0 for as many as the machine has
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// The label of Verkle tries.
fn default_label() -> String {
    String::from("vt")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Statement {
    #[serde(default = "default_label")]
    label: String,
    openings: Vec<Request>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    polynomial: Polynomial,
    point: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proven {
    #[serde(default = "default_label")]
    label: String,
    proof: String,
    openings: Vec<Opening>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    commitment: String,
    point: u8,
    value: String,
}

impl Prove {
    pub(crate) fn run(&self) -> Outcome {
        let name = self.file.display();
        let statement: Statement = serde_json::from_slice(&super::read(&self.file)?)
            .map_err(|error| Failure::unusable(format!("{name}: {error}")))?;
        let committer = Committer::new();
        let count = statement.openings.len();
        let too_many = |_| {
            Failure::unusable(format!(
                "{name}: no memory for {count} polynomials of 8 KiB"
            ))
        };
        let mut polynomials: Vec<Vector> = Vec::new();
        let mut commitments: Vec<Element> = Vec::new();
        polynomials.try_reserve_exact(count).map_err(too_many)?;
        commitments.try_reserve_exact(count).map_err(too_many)?;
        for (i, request) in statement.openings.iter().enumerate() {
            let polynomial = vector(
                &request.polynomial,
                &format!("{name}: openings[{i}].polynomial"),
            )?;
            commitments.push(
                committer
                    .commit(&polynomial[..])
                    .map_err(Failure::unusable)?,
            );
            polynomials.push(*polynomial);
        }
        let queries: Vec<ProverQuery<'_>> = statement
            .openings
            .iter()
            .zip(commitments.iter().zip(&polynomials))
            .map(|(request, (commitment, polynomial))| ProverQuery {
                commitment,
                polynomial,
                point: request.point,
            })
            .collect();
        let mut transcript = Transcript::new(&statement.label);
        let proof = prove_with(
            &threads(self.threads),
            &committer,
            &mut transcript,
            &queries,
        )
        .map_err(|error| Failure::unusable(format!("{name}: {error}")))?;
        let proven = Proven {
            label: statement.label,
            proof: hex(&proof.to_bytes()),
            openings: queries
                .iter()
                .map(|query| Opening {
                    commitment: hex(&query.commitment.to_bytes()),
                    point: query.point,
                    value: hex(&query.value().to_le_bytes()),
                })
                .collect(),
        };
        let mut out = serde_json::to_vec_pretty(&proven).map_err(Failure::unusable)?;
        out.push(b'\n');
        super::write(self.output.as_ref(), &out)
    }
}

impl Verify {
    pub(crate) fn run(&self) -> Outcome {
        let name = self.file.display();
        let proven: Proven = serde_json::from_slice(&super::read(&self.file)?)
            .map_err(|error| Failure::unusable(format!("{name}: {error}")))?;
        let proof: [u8; MultiProof::BYTES] = unhex(&format!("{name}: proof"), &proven.proof)?;
        let mut decoded = Vec::with_capacity(proven.openings.len());
        for (i, opening) in proven.openings.iter().enumerate() {
            let place = |member: &str| format!("{name}: openings[{i}].{member}");
            let commitment: [u8; 32] = unhex(&place("commitment"), &opening.commitment)?;
            let value: [u8; 32] = unhex(&place("value"), &opening.value)?;
            decoded.push((commitment, opening.point, value));
        }
        let queries: Vec<EncodedQuery<'_>> = decoded
            .iter()
            .map(|(commitment, point, value)| EncodedQuery {
                commitment,
                point: *point,
                value,
            })
            .collect();
        let mut transcript = Transcript::new(&proven.label);
        let mut buffer = ScratchBuffer::new(queries.len());
        let verdict = MultiProof::from_bytes(&proof).and_then(|proof| {
            verify_encoded_with(
                &threads(self.threads),
                &Committer::without_table(),
                &mut transcript,
                &queries,
                &proof,
                &mut buffer.scratch(),
            )
        });
        match verdict {
            Ok(()) => print_line(format_args!(
                "the proof holds for {}",
                counted(queries.len(), "opening")
            )),
            Err(error @ (Error::NotProven | Error::Challenge)) => Err(Failure::rejected(error)),
            Err(error) => Err(Failure::unusable(format!("{name}: {error}"))),
        }
    }
}
