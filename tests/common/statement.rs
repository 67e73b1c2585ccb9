//! Openings with their polynomials, for tests of proofs.

use super::{hex_array, list, scalar, strings, text};
use lightproof::verkle::multiproof::{prove, verify, verify_encoded};
use lightproof::verkle::{
    Committer, Compressed, Element, EncodedQuery, Error, MultiProof, ProverQuery, Scalar,
    ScratchBuffer, Transcript, Vector, VerifierQuery,
};
use serde_json::Value;

/// The transcript label of most tests.
pub const LABEL: &str = "vt";

/// A polynomial of values.
pub fn boxed(values: Vec<Scalar>) -> Box<Vector> {
    values
        .into_boxed_slice()
        .try_into()
        .expect("a polynomial has 256 values")
}

/// The polynomial with these values, zero elsewhere.
pub fn sparse(entries: &[(u8, u64)]) -> Box<Vector> {
    let mut out = boxed(vec![Scalar::ZERO; 256]);
    for (index, value) in entries {
        out[usize::from(*index)] = Scalar::from(*value);
    }
    out
}

/// The polynomial of the values f(0), f(1), …
pub fn values(f: impl Fn(u64) -> Scalar) -> Box<Vector> {
    boxed((0..256).map(f).collect())
}

/// `count` dense polynomials.
pub fn dense(count: usize) -> Vec<Box<Vector>> {
    let one = |k| values(|i| scalar(&format!("statement/{k}"), i));
    (0..count).map(one).collect()
}

/// Openings of polynomials: each names its polynomial and its point.
#[derive(Clone)]
pub struct Openings {
    pub polynomials: Vec<Box<Vector>>,
    pub commitments: Vec<Element>,
    pub openings: Vec<(usize, u8)>,
}

impl Openings {
    pub fn new(
        committer: &Committer<'_>,
        polynomials: Vec<Box<Vector>>,
        openings: &[(usize, u8)],
    ) -> Self {
        let commit = |f: &Vector| committer.commit(f).expect("256 scalars");
        Self {
            commitments: polynomials.iter().map(|f| commit(f)).collect(),
            polynomials,
            openings: openings.to_vec(),
        }
    }

    pub fn prover(&self) -> Vec<ProverQuery<'_>> {
        self.openings
            .iter()
            .map(|(k, point)| ProverQuery {
                commitment: &self.commitments[*k],
                polynomial: &self.polynomials[*k],
                point: *point,
            })
            .collect()
    }

    pub fn claims(&self) -> Vec<VerifierQuery<'_>> {
        self.openings
            .iter()
            .map(|(k, point)| VerifierQuery {
                commitment: &self.commitments[*k],
                point: *point,
                value: self.polynomials[*k][usize::from(*point)],
            })
            .collect()
    }

    pub fn prove(&self, committer: &Committer<'_>) -> MultiProof {
        prove(committer, &mut Transcript::new(LABEL), &self.prover()).expect("openings")
    }
}

/// The verdict on openings under [`LABEL`].
pub fn verdict(
    committer: &Committer<'_>,
    claims: &[VerifierQuery<'_>],
    proof: &MultiProof,
) -> Result<(), Error> {
    verify(
        committer,
        &mut Transcript::new(LABEL),
        claims,
        proof,
        &mut ScratchBuffer::new(claims.len()).scratch(),
    )
}

/// A statement of bytes with its proof's bytes: what a verifier is sent.
#[derive(Clone)]
pub struct Sent {
    pub label: String,
    pub commitments: Vec<Compressed>,
    pub points: Vec<u8>,
    pub values: Vec<[u8; 32]>,
    pub proof: Vec<u8>,
}

impl Sent {
    /// The multiproof vector of the repository with that name: not made by this library.
    pub fn vector(name: &str) -> Self {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/vectors/verkle/multiproof.json"
        );
        let document = std::fs::read_to_string(path).expect("the repository has it");
        let document: Value = serde_json::from_str(&document).expect("JSON");
        let case = list(&document["cases"])
            .iter()
            .find(|case| case["name"] == name)
            .expect("a vector of that name");
        let unique: Vec<Compressed> = strings(&case["commitments"]).map(hex_array).collect();
        let place = |i: &Value| usize::try_from(i.as_u64().expect("a number")).expect("small");
        let index = list(&case["poly_index"]).iter().map(place);
        Self {
            label: text(case, "transcript_label").to_owned(),
            commitments: index.map(|i| unique[i]).collect(),
            points: list(&case["z"]).iter().map(|z| place(z) as u8).collect(),
            values: strings(&case["y"]).map(hex_array).collect(),
            proof: super::hex(text(case, "proof")),
        }
    }

    /// The verdict, from decoding the proof on.
    pub fn verdict(&self, committer: &Committer<'_>) -> Result<(), Error> {
        let proof = MultiProof::from_bytes(&self.proof)?;
        let triples = self.commitments.iter().zip(&self.points).zip(&self.values);
        let queries: Vec<EncodedQuery<'_>> = triples
            .map(|((commitment, point), value)| EncodedQuery {
                commitment,
                point: *point,
                value,
            })
            .collect();
        verify_encoded(
            committer,
            &mut Transcript::new(&self.label),
            &queries,
            &proof,
            &mut ScratchBuffer::new(queries.len()).scratch(),
        )
    }
}
