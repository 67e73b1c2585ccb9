//! Batches of proofs: the verdict on all is that on each.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::statement::{LABEL, Openings as Statement, dense};
use lightproof::exec::{Serial, Threads};
use lightproof::field::Ring;
use lightproof::verkle::batch::{
    Batch, BatchBuffer, BatchError, BatchProof, BatchWorkspace, Openings, verify_batch,
    verify_batch_with,
};
use lightproof::verkle::{
    Committer, Error, MultiProof, Scalar, ScratchBuffer, Transcript, VerifierQuery, ipa,
};

/// Ten statements of 1 to 10 openings of the same polynomials, with their proofs.
fn proven(committer: &Committer<'_>) -> Vec<(Statement, MultiProof)> {
    let polynomials = dense(3);
    (1..=10)
        .map(|count| {
            let openings: Vec<_> = (0..count)
                .map(|i| (i % 3, (i * 41 + count) as u8))
                .collect();
            let statement = Statement::new(committer, polynomials.clone(), &openings);
            let proof = statement.prove(committer);
            (statement, proof)
        })
        .collect()
}

/// A batch's parts with owned claims.
struct Parts {
    label: &'static str,
    claims: Vec<Vec<(usize, u8, Scalar)>>,
    proofs: Vec<MultiProof>,
}

impl Parts {
    fn new(proven: &[(Statement, MultiProof)]) -> Self {
        let claims = |statement: &Statement| {
            let openings = statement.openings.iter();
            openings
                .map(|(k, z)| (*k, *z, statement.polynomials[*k][usize::from(*z)]))
                .collect()
        };
        Self {
            label: LABEL,
            claims: proven.iter().map(|(s, _)| claims(s)).collect(),
            proofs: proven.iter().map(|(_, proof)| proof.clone()).collect(),
        }
    }

    /// The verdict, by blocks of `block` proofs.
    fn verdict(
        &self,
        committer: &Committer<'_>,
        statement: &Statement,
        (block, threads): (usize, usize),
    ) -> Result<(), BatchError> {
        let transcript = Transcript::new(self.label);
        let queries: Vec<Vec<VerifierQuery<'_>>> = self
            .claims
            .iter()
            .map(|claims| {
                let query = |(k, point, value): &(usize, u8, Scalar)| VerifierQuery {
                    commitment: &statement.commitments[*k],
                    point: *point,
                    value: *value,
                };
                claims.iter().map(query).collect()
            })
            .collect();
        let proofs: Vec<BatchProof<'_>> = queries
            .iter()
            .zip(&self.proofs)
            .map(|(queries, proof)| BatchProof {
                transcript: &transcript,
                openings: Openings::Decoded(queries),
                proof,
            })
            .collect();
        let (mut memory, mut buffer) = (BatchBuffer::new(block), ScratchBuffer::new(10));
        let scratch = &mut buffer.scratch();
        match threads {
            1 => verify_batch(committer, &proofs, &[7; 32], memory.scratch(), scratch),
            n => verify_batch_with(
                &Threads(n),
                committer,
                &proofs,
                &[0; 32],
                memory.scratch(),
                scratch,
            ),
        }
    }
}

fn false_proof(index: usize) -> Result<(), BatchError> {
    let error = Error::NotProven;
    Err(BatchError::Proof { index, error })
}

#[test]
fn batches_of_every_length_and_block() {
    let (table, plain) = (Committer::new(), Committer::without_table());
    let proven = proven(&table);
    let statement = &proven[0].0;
    for count in 1..=10 {
        let parts = Parts::new(&proven[..count]);
        for block in [0, 1, 3, 10, 16] {
            assert_eq!(parts.verdict(&table, statement, (block, 1)), Ok(()));
        }
        assert_eq!(parts.verdict(&table, statement, (4, 2)), Ok(()));
        assert_eq!(parts.verdict(&plain, statement, (4, 1)), Ok(()));
    }
    let empty = Parts::new(&[]).verdict(&table, statement, (1, 1));
    assert_eq!(empty, Err(BatchError::Empty));
    let mut other = Parts::new(&proven[..3]);
    other.label = "other";
    assert_eq!(other.verdict(&table, statement, (2, 1)), false_proof(0));
}

#[test]
fn one_false_proof_at_each_place_is_named() {
    type Change = fn(&mut Parts, usize);
    let changes: [Change; 5] = [
        |parts, i| parts.claims[i][0].2 += Scalar::ONE,
        |parts, i| parts.proofs[i].ipa.a += Scalar::ONE,
        |parts, i| parts.proofs[i].d = parts.proofs[i].ipa.l[3],
        |parts, i| parts.proofs[i].ipa.l.swap(0, 7),
        |parts, i| parts.proofs[i].ipa.r[7] = -parts.proofs[i].ipa.r[7],
    ];
    let committer = Committer::new();
    let proven = proven(&committer);
    let statement = &proven[0].0;
    for count in [1, 2, 5] {
        for place in 0..count {
            for change in changes {
                let mut parts = Parts::new(&proven[..count]);
                change(&mut parts, place);
                for how in [(1, 1), (3, 1), (16, 2)] {
                    let verdict = parts.verdict(&committer, statement, how);
                    assert_eq!(verdict, false_proof(place));
                }
            }
        }
    }
    // Proofs of each other's statements; no openings at one place.
    let mut parts = Parts::new(&proven[..4]);
    parts.proofs.swap(1, 3);
    assert_eq!(parts.verdict(&committer, statement, (4, 1)), false_proof(1));
    parts.claims[2].clear();
    let error = Error::NoOpenings;
    assert_eq!(
        parts.verdict(&committer, statement, (4, 1)),
        Err(BatchError::Proof { index: 2, error })
    );
}

#[test]
fn opposite_errors_do_not_cancel() {
    let committer = Committer::new();
    let proven = proven(&committer);
    let twins = [&proven[4], &proven[4], &proven[2], &proven[4]].map(Clone::clone);
    for (i, j) in [(0, 1), (1, 3), (0, 3)] {
        let mut parts = Parts::new(&twins);
        parts.proofs[i].ipa.a += Scalar::from_u64(5);
        parts.proofs[j].ipa.a -= Scalar::from_u64(5);
        let verdict = parts.verdict(&committer, &proven[0].0, (4, 1));
        assert_eq!(verdict, false_proof(i));
        let mut parts = Parts::new(&twins);
        parts.proofs[i].ipa.l[0] = -parts.proofs[i].ipa.l[0];
        parts.proofs[j].ipa.r[0] = -parts.proofs[j].ipa.r[0];
        let verdict = parts.verdict(&committer, &proven[0].0, (4, 1));
        assert_eq!(verdict, false_proof(i));
    }
}

/// Arguments and multiproofs in one batch of constant memory; what is refused is left out.
#[test]
fn one_after_another() {
    let committer = Committer::new();
    let proven = proven(&committer);
    let vector = &proven[0].0.polynomials[1];
    let commitment = proven[0].0.commitments[1];
    let mut memory = Box::new(BatchWorkspace::<2>::new());
    let mut buffer = ScratchBuffer::new(10);
    for wrong in [None, Some(0), Some(1), Some(2), Some(3)] {
        let mut batch = Batch::new(memory.scratch(), &[0; 32]);
        assert!(batch.is_empty());
        // 77 is in the domain.
        for (i, z) in [(1u64 << 40), 77].map(Scalar::from_u64).iter().enumerate() {
            let transcript = &mut Transcript::new("ipa");
            let made = ipa::prove(&Serial, &committer, transcript, &commitment, vector, z);
            let (proof, mut y) = made.unwrap();
            if wrong == Some(i) {
                y = y.double();
            }
            let transcript = &mut Transcript::new("ipa");
            let scratch = &mut buffer.scratch();
            batch
                .add_argument(transcript, &commitment, z, &y, &proof, scratch)
                .unwrap();
        }
        let mut small = ScratchBuffer::new(1);
        for (i, (statement, proof)) in proven[1..3].iter().enumerate() {
            let mut claims = statement.claims();
            if wrong == Some(2 + i) {
                claims[1].value += Scalar::ONE;
            }
            let transcript = || Transcript::new(LABEL);
            let openings = Openings::Decoded(&claims);
            let refused = batch.add(&mut transcript(), openings, proof, &mut small.scratch());
            assert!(matches!(refused, Err(Error::Scratch { given: 1, .. })));
            let scratch = &mut buffer.scratch();
            batch
                .add(&mut transcript(), openings, proof, scratch)
                .unwrap();
        }
        assert_eq!(batch.len(), 4);
        let verdict = batch.finish(&committer, &mut buffer.scratch());
        assert_eq!(verdict, wrong.map_or(Ok(()), |_| Err(Error::NotProven)));
    }
    // No allocator has memory for so many: blocks of one.
    let mut most = BatchBuffer::new(usize::MAX);
    assert!(Batch::new(most.scratch(), &[0; 32]).is_empty());
    let batch = Batch::new(memory.scratch(), &[0; 32]);
    let verdict = batch.finish(&committer, &mut buffer.scratch());
    assert_eq!(verdict, Err(Error::NoOpenings));
}
