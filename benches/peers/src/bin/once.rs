//! One proof and one verification of a number of openings (1000, or the argument), for
//! counting instructions:
//!
//! ```text
//! cargo build --release --manifest-path benches/peers/Cargo.toml
//! valgrind --tool=callgrind --toggle-collect='once::verify' benches/peers/target/release/once 1000
//! ```
//!
//! The functions to count are `once::prove`, `once::verify` and `once::verify_encoded`.

use lightproof::verkle::multiproof::{self, EncodedQuery, MultiProof, ProverQuery, VerifierQuery};
use lightproof::verkle::{Committer, Error, Scratch, ScratchBuffer, Transcript};
use lightproof_peers::{Statement, encoded, encodings};

#[inline(never)]
fn prove(committer: &Committer<'_>, queries: &[ProverQuery<'_>]) -> Result<MultiProof, Error> {
    multiproof::prove(committer, &mut Transcript::new("vt"), queries)
}

#[inline(never)]
fn verify(
    committer: &Committer<'_>,
    queries: &[VerifierQuery<'_>],
    proof: &MultiProof,
    scratch: &mut Scratch<'_>,
) -> Result<(), Error> {
    multiproof::verify(
        committer,
        &mut Transcript::new("vt"),
        queries,
        proof,
        scratch,
    )
}

#[inline(never)]
fn verify_encoded(
    committer: &Committer<'_>,
    queries: &[EncodedQuery<'_>],
    proof: &MultiProof,
    scratch: &mut Scratch<'_>,
) -> Result<(), Error> {
    multiproof::verify_encoded(
        committer,
        &mut Transcript::new("vt"),
        queries,
        proof,
        scratch,
    )
}

fn main() -> Result<(), Error> {
    let openings = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(1000);
    let committer = Committer::new();
    let statement = Statement::new(&committer, openings);
    let queries = statement.queries(openings);
    let proof = prove(&committer, &queries)?;
    let claims: Vec<VerifierQuery<'_>> = queries.iter().map(ProverQuery::claim).collect();
    let mut buffer = ScratchBuffer::new(openings);
    verify(&committer, &claims, &proof, &mut buffer.scratch())?;
    let bytes = encodings(&claims);
    let encoded = encoded(&claims, &bytes);
    verify_encoded(&committer, &encoded, &proof, &mut buffer.scratch())
}
