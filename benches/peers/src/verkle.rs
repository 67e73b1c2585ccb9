//! Proofs: our times, to be held against the [figures](lightproof_peers::figures) of peers.

use core::hint::black_box;
use std::path::Path;

use lightproof::exec::Serial;
use lightproof::verkle::multiproof::{self, MultiProof, ProverQuery, VerifierQuery};
use lightproof::verkle::witness::json::{self, Leniency};
use lightproof::verkle::witness::{Mode, Witness};
use lightproof::verkle::{Committer, Scalar, ScratchBuffer, Transcript, ipa, scratch_bytes};
use lightproof_peers::figures::PROOFS;
use lightproof_peers::measure::{Table, keep, time, turn_about};
use lightproof_peers::{Statement, encoded, encodings};

fn line(table: &Table, name: &str, ours: f64) {
    table.record(name, ours, None);
    println!("| {name} | {} |", time(ours));
}

fn argument(table: &Table, committer: &Committer<'_>, statement: &Statement) {
    let (vector, commitment) = (&statement.polynomials[0], &statement.commitments[0]);
    let z = Scalar::from_u64(1 << 40);
    let prove = || {
        ipa::prove(
            &Serial,
            committer,
            &mut Transcript::new("ipa"),
            commitment,
            vector,
            &z,
        )
        .expect("a proof")
    };
    let (proof, y) = prove();
    let mut buffer = ScratchBuffer::new(1);
    let [proving, verifying] = turn_about(
        table.seconds,
        [&mut || keep(prove()), &mut || {
            ipa::verify(
                committer,
                &mut Transcript::new("ipa"),
                commitment,
                &z,
                &y,
                &proof,
                &mut buffer.scratch(),
            )
            .expect("holds");
        }],
    );
    line(table, "IPA prove", proving);
    line(table, "IPA verify", verifying);
}

fn openings(table: &Table, committer: &Committer<'_>, statement: &Statement, n: usize) {
    let queries = statement.queries(n);
    let proof =
        multiproof::prove(committer, &mut Transcript::new("vt"), &queries).expect("a proof");
    let claims: Vec<VerifierQuery<'_>> = queries.iter().map(ProverQuery::claim).collect();
    let encodings = encodings(&claims);
    let encoded = encoded(&claims, &encodings);
    let bytes = proof.to_bytes();
    let (mut buffer, mut other) = (ScratchBuffer::new(n), ScratchBuffer::new(n));
    let [proving, verifying, from_bytes] = turn_about(
        table.seconds,
        [
            &mut || {
                keep(multiproof::prove(
                    committer,
                    &mut Transcript::new("vt"),
                    black_box(&queries),
                ));
            },
            &mut || {
                multiproof::verify(
                    committer,
                    &mut Transcript::new("vt"),
                    black_box(&claims),
                    &proof,
                    &mut buffer.scratch(),
                )
                .expect("holds");
            },
            &mut || {
                let proof = MultiProof::from_bytes(black_box(&bytes)).expect("valid");
                let (transcript, scratch) = (&mut Transcript::new("vt"), &mut other.scratch());
                multiproof::verify_encoded(
                    committer,
                    transcript,
                    black_box(&encoded),
                    &proof,
                    scratch,
                )
                .expect("holds");
            },
        ],
    );
    line(table, &format!("prove, {n} openings"), proving);
    line(table, &format!("verify, {n} openings"), verifying);
    line(
        table,
        &format!("verify from bytes, {n} openings"),
        from_bytes,
    );
}

/// The witness of the block in `file`: its SSZ form read, checked and verified against the root
/// that is given, or that the file names.
fn block(table: &Table, file: &Path, parent_root: Option<[u8; 32]>) {
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => return eprintln!("{}: {error}", file.display()),
    };
    let block = match json::read_block(&bytes, Leniency::Lenient) {
        Ok(block) => block,
        Err(error) => return eprintln!("{}: {error}", file.display()),
    };
    let Some(parent) = parent_root.or(block.parent_state_root) else {
        return eprintln!("{}: it names no parent state root", file.display());
    };
    let ssz = block.witness.to_ssz().expect("well formed");
    let witness = Witness::from_ssz(&ssz).expect("well formed");
    let nodes = witness.check().expect("well formed").shape().nodes;
    let mut buffer = ScratchBuffer::new(nodes);
    let committer = Committer::new();
    let [verifying] = turn_about(
        table.seconds,
        [&mut || {
            let witness = Witness::from_ssz(black_box(&ssz)).expect("well formed");
            let mut scratch = buffer.scratch();
            keep(
                witness
                    .verify(&committer, &parent, Mode::Count, &mut scratch)
                    .expect("holds"),
            );
        }],
    );
    line(table, "a block's witness", verifying);
}

pub(crate) fn rows(table: &Table, list: &[usize], witness: Option<(&Path, Option<[u8; 32]>)>) {
    table.silent_section(PROOFS);
    println!("\n| Verkle, one thread, default table | ours |\n|---|---:|");
    let committer = Committer::new();
    let statement = Statement::new(&committer, list.iter().copied().max().unwrap_or(1).max(1));
    argument(table, &committer, &statement);
    for n in list {
        openings(table, &committer, &statement, *n);
    }
    if let Some((file, parent_root)) = witness {
        block(table, file, parent_root);
    }
    println!(
        "\nThe verifier's memory beyond its input: {} bytes an opening, and {} without buckets.",
        scratch_bytes(1, 0) - scratch_bytes(0, 0),
        scratch_bytes(0, 0)
    );
}
