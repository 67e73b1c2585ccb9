//! The operations on one statement, to be run again and again.

use std::time::{Duration, Instant};

use lightproof::exec::Threads;
use lightproof::verkle::multiproof::{
    EncodedQuery, MultiProof, ProverQuery, VerifierQuery, prove_with, verify_encoded_with,
    verify_with,
};
use lightproof::verkle::{Committer, Error, ScratchBuffer, Transcript};

use super::Statement;

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Prove,
    Verify,
    VerifyBytes,
}

impl Op {
    pub(super) const ALL: [Self; 3] = [Self::Prove, Self::Verify, Self::VerifyBytes];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Prove => "prove",
            Self::Verify => "verify",
            Self::VerifyBytes => "verify_bytes",
        }
    }
}

/// The result of `work`, and its time.
pub(super) fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(T, Duration), E> {
    let start = Instant::now();
    let result = work()?;
    Ok((result, start.elapsed()))
}

/// A statement with its proof, and the memory to verify it.
pub(super) struct Job<'a> {
    committer: &'a Committer<'a>,
    queries: Vec<ProverQuery<'a>>,
    claims: Vec<VerifierQuery<'a>>,
    encoded: Vec<[[u8; 32]; 2]>,
    pub(super) proof: MultiProof,
    buffer: ScratchBuffer,
}

impl<'a> Job<'a> {
    pub(super) fn new(
        committer: &'a Committer<'a>,
        statement: &'a Statement,
        proof: MultiProof,
    ) -> Self {
        let queries = statement.queries();
        let claims: Vec<VerifierQuery<'a>> = queries.iter().map(ProverQuery::claim).collect();
        let encoded = claims
            .iter()
            .map(|claim| [claim.commitment.to_bytes(), claim.value.to_le_bytes()])
            .collect();
        Self {
            committer,
            buffer: ScratchBuffer::new(queries.len()),
            queries,
            claims,
            encoded,
            proof,
        }
    }

    pub(super) fn committer(&self) -> &'a Committer<'a> {
        self.committer
    }

    /// Runs `op` and gives its time.
    pub(super) fn run(&mut self, op: Op, exec: Threads) -> Result<Duration, Error> {
        let (committer, transcript) = (self.committer, &mut Transcript::new("vt"));
        let mut scratch = self.buffer.scratch();
        match op {
            Op::Prove => {
                timed(|| prove_with(&exec, committer, transcript, &self.queries)).map(|run| run.1)
            }
            Op::Verify => timed(|| {
                let (claims, proof) = (&self.claims, &self.proof);
                verify_with(&exec, committer, transcript, claims, proof, &mut scratch)
            })
            .map(|run| run.1),
            Op::VerifyBytes => {
                let claims: Vec<EncodedQuery<'_>> = (self.encoded.iter().zip(&self.queries))
                    .map(|([commitment, value], q)| EncodedQuery {
                        commitment,
                        point: q.point,
                        value,
                    })
                    .collect();
                let proof = self.proof.to_bytes();
                timed(|| {
                    let proof = MultiProof::from_bytes(&proof)?;
                    verify_encoded_with(&exec, committer, transcript, &claims, &proof, &mut scratch)
                })
                .map(|run| run.1)
            }
        }
    }
}
