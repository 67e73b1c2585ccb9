//! Proofs. rust-verkle and go-ipa are in no package registry, so their figures are those of
//! one other machine, scaled by what arkworks' sum of 2^14 points takes here and took there.

use core::hint::black_box;

use lightproof::exec::Serial;
use lightproof::verkle::multiproof::{self, EncodedQuery, MultiProof, VerifierQuery};
use lightproof::verkle::{Committer, Scalar, ScratchBuffer, Transcript, ipa, scratch_bytes};
use lightproof_peers::Statement;

use crate::measure::{Table, keep, time, turn_about};

/// arkworks' time for 2^14 points on the machine of the figures below, in nanoseconds.
const REFERENCE: f64 = 118e6;

/// A peer's times on that machine, in milliseconds: one thread, CPU time, minimum of several.
struct Figure {
    work: &'static str,
    openings: usize,
    rust_verkle: f64,
    go_ipa: f64,
}

const fn figure(work: &'static str, openings: usize, rust_verkle: f64, go_ipa: f64) -> Figure {
    Figure {
        work,
        openings,
        rust_verkle,
        go_ipa,
    }
}

const FIGURES: [Figure; 8] = [
    figure("IPA prove", 0, 38.4, 28.2),
    figure("IPA verify", 0, 5.6, 6.6),
    figure("prove", 2000, 75.0, 60.0),
    figure("verify", 2000, 35.0, 27.0),
    figure("verify from bytes", 2000, 78.0, 54.0),
    figure("prove", 16000, 243.0, 152.0),
    figure("verify", 16000, 206.0, 128.0),
    figure("verify from bytes", 16000, 569.0, 349.0),
];

struct Report {
    /// This machine's time over that of the figures.
    factor: f64,
}

impl Report {
    fn line(&self, work: &str, openings: usize, ours: f64) {
        let name = if openings == 0 {
            work.to_owned()
        } else {
            format!("{work}, {openings} openings")
        };
        let scaled = FIGURES
            .iter()
            .find(|f| f.work == work && f.openings == openings);
        let columns = scaled.map_or_else(
            || {
                [
                    "–".to_owned(),
                    "–".to_owned(),
                    "–".to_owned(),
                    "–".to_owned(),
                ]
            },
            |f| {
                let [rust, go] = [f.rust_verkle, f.go_ipa].map(|ms| ms * 1e6 * self.factor);
                [
                    time(rust),
                    format!("{:.2}", ours / rust),
                    time(go),
                    format!("{:.2}", ours / go),
                ]
            },
        );
        println!("| {name} | {} | {} |", time(ours), columns.join(" | "));
    }
}

fn argument(table: &Table, report: &Report, committer: &Committer<'_>, statement: &Statement) {
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
    report.line("IPA prove", 0, proving);
    report.line("IPA verify", 0, verifying);
}

fn openings(
    table: &Table,
    report: &Report,
    committer: &Committer<'_>,
    statement: &Statement,
    n: usize,
) {
    let queries = statement.queries(n);
    let proof =
        multiproof::prove(committer, &mut Transcript::new("vt"), &queries).expect("a proof");
    let claims: Vec<VerifierQuery<'_>> = queries
        .iter()
        .map(|q| VerifierQuery {
            commitment: q.commitment,
            point: q.point,
            value: q.value(),
        })
        .collect();
    let encoded: Vec<([u8; 32], [u8; 32])> = claims
        .iter()
        .map(|c| (c.commitment.to_bytes(), c.value.to_le_bytes()))
        .collect();
    let encoded: Vec<EncodedQuery<'_>> = encoded
        .iter()
        .zip(&claims)
        .map(|((commitment, value), c)| EncodedQuery {
            commitment,
            point: c.point,
            value,
        })
        .collect();
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
    report.line("prove", n, proving);
    report.line("verify", n, verifying);
    report.line("verify from bytes", n, from_bytes);
}

pub(crate) fn rows(table: &Table, list: &[usize], reference: f64) {
    let report = Report {
        factor: reference / REFERENCE,
    };
    println!(
        "\nPeers' times (scaled) are {:.2} times those of another machine, where arkworks' sum of 2^14 points took {}.",
        report.factor,
        time(REFERENCE)
    );
    println!(
        "\n| Verkle, one thread, 3 MiB table | ours | rust-verkle (scaled) | ours / that | go-ipa (scaled) | ours / that |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    let committer = Committer::new();
    let statement = Statement::new(&committer, list.iter().copied().max().unwrap_or(1).max(1));
    argument(table, &report, &committer, &statement);
    for n in list {
        openings(table, &report, &committer, &statement, *n);
    }
    println!(
        "\nThe verifier's memory beyond its input: {} bytes an opening, and {} without buckets.",
        scratch_bytes(1, 0) - scratch_bytes(0, 0),
        scratch_bytes(0, 0)
    );
}
