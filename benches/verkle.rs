//! The Verkle layer: transcript, commitments, arguments, multiproofs, a block's witness.
//!
//! `cargo bench --bench verkle`; `LIGHTPROOF_BENCH_OPENINGS=1000,16000` names the numbers of
//! openings (1000 by default). The witness is read with the feature `serde`.
#![allow(clippy::expect_used)]

mod common;

use core::hint::black_box;

use common::{criterion, elements};
use criterion::Criterion;
use lightproof::exec::Serial;
use lightproof::verkle::batch::{BatchBuffer, BatchProof, Openings, verify_batch};
use lightproof::verkle::multiproof::{self, EncodedQuery, ProverQuery, VerifierQuery};
use lightproof::verkle::{
    Committer, Element, Scalar, ScratchBuffer, Transcript, Vector, WIDTH, crs, ipa,
};

fn transcript(c: &mut Criterion) {
    let scalar = elements(1)[0];
    c.bench_function("transcript/1000 openings and a challenge", |x| {
        x.iter(|| {
            let mut transcript = Transcript::new("vt");
            for i in 0..1000u32 {
                transcript.append_point("C", black_box(&[7; 32]));
                transcript.append_message("z", &i.to_le_bytes());
                transcript.append_scalar("y", black_box(&scalar));
            }
            transcript.challenge("r")
        });
    });
}

fn commitments(c: &mut Criterion, committer: &Committer<'_>) {
    let scalars: Vec<Scalar> = elements(WIDTH);
    let mut group = c.benchmark_group("commit");
    for n in [1, 5, 16, 64, 256] {
        group.bench_function(format!("{n}, default table"), |x| {
            x.iter(|| committer.commit(black_box(&scalars[..n])));
        });
    }
    let without = Committer::without_table();
    group.bench_function("256, no table", |x| {
        x.iter(|| without.commit(black_box(&scalars)))
    });
    let old = committer.commit(&scalars).expect("256 scalars");
    group.bench_function("update", |x| {
        x.iter(|| committer.update(black_box(&old), 77, black_box(&scalars[0])));
    });
    group.bench_function("making the default table", |x| x.iter(Committer::new));
    group.finish();
}

fn argument(c: &mut Criterion, committer: &Committer<'_>) {
    let vector: Vector = core::array::from_fn(|i| elements(WIDTH)[i]);
    let commitment = committer.commit(&vector).expect("256 scalars");
    let z = Scalar::from_u64(1 << 40);
    let prove = || {
        ipa::prove(
            &Serial,
            committer,
            &mut Transcript::new("ipa"),
            &commitment,
            &vector,
            &z,
        )
    };
    let (proof, y) = prove().expect("a proof");
    let mut buffer = ScratchBuffer::new(1);
    let mut verify = |committer: &Committer<'_>| {
        let (transcript, scratch) = (&mut Transcript::new("ipa"), &mut buffer.scratch());
        ipa::verify(committer, transcript, &commitment, &z, &y, &proof, scratch)
    };
    let mut group = c.benchmark_group("ipa");
    group.bench_function("prove", |x| x.iter(prove));
    group.bench_function("verify", |x| x.iter(|| verify(committer)));
    group.bench_function("verify, no table", |x| {
        x.iter(|| verify(&Committer::without_table()))
    });
    group.finish();
}

/// The polynomials f_i = f_0 + i at index 0, whose commitments are cheap to make.
fn statement(committer: &Committer<'_>, openings: usize) -> (Vec<Vector>, Vec<Element>) {
    let scalars = elements(WIDTH);
    let mut polynomial: Vector = core::array::from_fn(|i| scalars[i]);
    let mut commitment = committer.commit(&polynomial).expect("256 scalars");
    let mut out = (Vec::new(), Vec::new());
    for _ in 0..openings {
        out.0.push(polynomial);
        out.1.push(commitment);
        polynomial[0] += Scalar::ONE;
        commitment += Element::from(crs::GENERATORS[0]);
    }
    out
}

/// Proofs of a batch.
const BATCH: usize = 16;

fn openings(c: &mut Criterion, committer: &Committer<'_>, n: usize) {
    let (polynomials, commitments) = statement(committer, n);
    let points = (0..=255u8).map(|i| i.wrapping_mul(167)).cycle();
    let queries: Vec<ProverQuery<'_>> = commitments
        .iter()
        .zip(&polynomials)
        .zip(points)
        .map(|((commitment, polynomial), point)| ProverQuery {
            commitment,
            polynomial,
            point,
        })
        .collect();
    let claims: Vec<VerifierQuery<'_>> = queries.iter().map(ProverQuery::claim).collect();
    let bytes: Vec<_> = claims
        .iter()
        .map(|q| (q.commitment.to_bytes(), q.value.to_le_bytes()))
        .collect();
    let encoded: Vec<EncodedQuery<'_>> = bytes
        .iter()
        .zip(&claims)
        .map(|((commitment, value), q)| EncodedQuery {
            commitment,
            point: q.point,
            value,
        })
        .collect();
    let prove = || multiproof::prove(committer, &mut Transcript::new("vt"), &queries);
    let proof = prove().expect("a proof");
    let mut buffer = ScratchBuffer::new(n);
    let (mut block, transcript) = (BatchBuffer::new(BATCH), Transcript::new("vt"));
    let item = BatchProof {
        transcript: &transcript,
        openings: Openings::Decoded(&claims),
        proof: &proof,
    };
    let batch = [item; BATCH];
    let mut group = c.benchmark_group(format!("multiproof of {n}"));
    group.bench_function("prove", |x| x.iter(prove));
    group.bench_function("verify", |x| {
        x.iter(|| {
            let (transcript, scratch) = (&mut Transcript::new("vt"), &mut buffer.scratch());
            multiproof::verify(committer, transcript, &claims, &proof, scratch).expect("holds");
        });
    });
    group.bench_function("verify_encoded", |x| {
        x.iter(|| {
            let (transcript, scratch) = (&mut Transcript::new("vt"), &mut buffer.scratch());
            multiproof::verify_encoded(committer, transcript, &encoded, &proof, scratch)
                .expect("holds");
        });
    });
    group.bench_function(format!("verify, a batch of {BATCH} such proofs"), |x| {
        x.iter(|| {
            let (block, scratch) = (block.scratch(), &mut buffer.scratch());
            verify_batch(committer, &batch, &[0; 32], block, scratch).expect("holds");
        });
    });
    group.finish();
}

#[cfg(feature = "serde")]
fn block(c: &mut Criterion) {
    use lightproof::verkle::witness::json::{self, Leniency};
    use lightproof::verkle::witness::{Mode, Witness};

    const BLOCK: &[u8] = include_bytes!("../tests/vectors/block.json");
    let block = json::read_block(BLOCK, Leniency::Strict).expect("a block");
    let parent = block.parent_state_root.expect("the block names it");
    let ssz = block.witness.to_ssz().expect("well formed");
    let witness = Witness::from_ssz(&ssz).expect("well formed");
    let nodes = witness.check().expect("well formed").shape().nodes;
    let committer = Committer::without_table();
    let mut buffer = ScratchBuffer::new(nodes);
    let mut group = c.benchmark_group("the README's block");
    group.bench_function("read JSON", |x| {
        x.iter(|| json::read_block(black_box(BLOCK), Leniency::Strict))
    });
    group.bench_function("verify", |x| {
        x.iter(|| {
            let mut scratch = buffer.scratch();
            let verified = witness.verify(&committer, &parent, Mode::Strict, &mut scratch);
            verified.expect("holds").unshown_absences()
        });
    });
    let mut scratch = buffer.scratch();
    let verified = witness
        .verify(&committer, &parent, Mode::Strict, &mut scratch)
        .expect("holds");
    group.bench_function("post root", |x| x.iter(|| verified.post_root(&committer)));
    group.finish();
}

fn main() {
    let mut c = criterion();
    transcript(&mut c);
    let committer = Committer::new();
    commitments(&mut c, &committer);
    argument(&mut c, &committer);
    let list = std::env::var("LIGHTPROOF_BENCH_OPENINGS").unwrap_or_else(|_| "1000".to_owned());
    for n in list.split(',') {
        let n: usize = n
            .trim()
            .parse()
            .expect("LIGHTPROOF_BENCH_OPENINGS is a list of numbers");
        openings(&mut c, &committer, n.max(1));
    }
    #[cfg(feature = "serde")]
    block(&mut c);
    c.final_summary();
}
