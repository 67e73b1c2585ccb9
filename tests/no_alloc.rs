//! What verifying asks of the heap: nothing with lent memory, and little for what is lent.
//! K48: the same however often it is called.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use std::alloc::System;

use common::statement::{LABEL, Openings, dense};
use lightproof::curve::banderwagon::batch_map_to_scalar;
use lightproof::exec::Serial;
use lightproof::msm::{MIN_SCRATCH, scratch_len_in_place};
use lightproof::verkle::batch::{self, Batch, BatchWorkspace};
use lightproof::verkle::multiproof::{verify, verify_encoded};
use lightproof::verkle::{
    Affine, Committer, EncodedQuery, Error, MultiProof, Scalar, ScratchBuffer, Transcript, Vector,
    VerifierQuery, Workspace, ipa, scratch_bytes,
};

/// Counts what the calling thread allocates.
struct Counting;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

fn count(size: usize) {
    // Threads that end may allocate when their counters are gone.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
    let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() + size));
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller's contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations and their bytes during `work`.
fn allocations<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = (CALLS.get(), BYTES.get());
    let out = work();
    (out, CALLS.get() - before.0, BYTES.get() - before.1)
}

/// Runs `work` and fails if it allocates.
fn without_heap<T>(work: impl FnOnce() -> T) -> T {
    let (out, calls, _) = allocations(work);
    assert_eq!(calls, 0, "allocations");
    out
}

const OPENINGS: usize = 40;
type Memory = Workspace<OPENINGS, MIN_SCRATCH>;

/// Openings of five polynomials at many points, the memory to verify them, the proof.
fn statement(committer: &Committer<'_>) -> (Openings, Box<Memory>, MultiProof) {
    let list: Vec<(usize, u8)> = (0..OPENINGS).map(|i| (i % 5, (i * 37) as u8)).collect();
    let openings = Openings::new(committer, dense(5), &list);
    let proof = openings.prove(committer);
    (openings, Box::default(), proof)
}

#[test]
fn the_counter_counts() {
    let (_, calls, bytes) = allocations(|| vec![0u8; 1000]);
    assert_eq!((calls, bytes), (1, 1000));
}

/// So many that their commitments have a subgroup check in common.
#[test]
fn verifying_many_with_lent_memory_allocates_nothing() {
    let committer = Committer::without_table();
    let list: Vec<(usize, u8)> = (0..4100).map(|i| (i % 5, (i * 37) as u8)).collect();
    let openings = Openings::new(&committer, dense(5), &list);
    let proof = openings.prove(&committer);
    let claims = openings.claims();
    let bytes: Vec<([u8; 32], [u8; 32])> = claims
        .iter()
        .map(|c| (c.commitment.to_bytes(), c.value.to_le_bytes()))
        .collect();
    let mut queries: Vec<EncodedQuery<'_>> = claims
        .iter()
        .zip(&bytes)
        .map(|(claim, (commitment, value))| EncodedQuery {
            commitment,
            point: claim.point,
            value,
        })
        .collect();
    let mut memory = ScratchBuffer::new(queries.len());
    let mut verdict = |queries: &[EncodedQuery<'_>]| {
        without_heap(|| {
            let mut transcript = Transcript::new(LABEL);
            let scratch = &mut memory.scratch();
            verify_encoded(&committer, &mut transcript, queries, &proof, scratch)
        })
    };
    assert_eq!(verdict(&queries), Ok(()));
    let other = queries[4001];
    queries[4001].commitment = &[0xff; 32];
    assert!(matches!(
        verdict(&queries),
        Err(Error::Commitment { index: 4001, .. })
    ));
    queries[4001] = other;
    queries.swap(17, 18);
    assert_eq!(verdict(&queries), Err(Error::NotProven));
}

#[test]
fn verifying_with_lent_memory_allocates_nothing() {
    for committer in [Committer::new(), Committer::without_table()] {
        let (openings, mut memory, proof) = statement(&committer);
        let bytes = proof.to_bytes();
        let mut claims = openings.claims();
        let commitments: Vec<[u8; 32]> = claims.iter().map(|c| c.commitment.to_bytes()).collect();
        let values: Vec<[u8; 32]> = claims.iter().map(|c| c.value.to_le_bytes()).collect();
        let mut encoded: Vec<EncodedQuery<'_>> = commitments
            .iter()
            .zip(&claims)
            .zip(&values)
            .map(|((commitment, claim), value)| EncodedQuery {
                commitment,
                point: claim.point,
                value,
            })
            .collect();

        let proof = without_heap(|| MultiProof::from_bytes(&bytes).unwrap());
        let uncompressed = without_heap(|| proof.to_uncompressed_bytes());
        let _ = without_heap(|| MultiProof::from_uncompressed_bytes(&uncompressed).unwrap());
        let mut from_elements = |claims: &[VerifierQuery<'_>]| {
            without_heap(|| {
                let mut transcript = Transcript::new(LABEL);
                let scratch = &mut memory.scratch();
                verify(&committer, &mut transcript, claims, &proof, scratch)
            })
        };
        assert_eq!(from_elements(&claims), Ok(()));
        assert_eq!(from_elements(&[]), Err(Error::NoOpenings));
        claims[3].value += Scalar::ONE;
        assert_eq!(from_elements(&claims), Err(Error::NotProven));
        let twice = [&claims[..], &claims].concat();
        let small = Error::Scratch {
            needed: 80,
            given: 40,
        };
        assert_eq!(from_elements(&twice), Err(small));

        let mut from_bytes = |queries: &[EncodedQuery<'_>]| {
            without_heap(|| {
                let mut transcript = Transcript::new(LABEL);
                let scratch = &mut memory.scratch();
                verify_encoded(&committer, &mut transcript, queries, &proof, scratch)
            })
        };
        assert_eq!(from_bytes(&encoded), Ok(()));
        encoded[9].commitment = &[0xff; 32];
        assert!(matches!(
            from_bytes(&encoded),
            Err(Error::Commitment { index: 9, .. })
        ));
    }
}

#[test]
fn arguments_and_commitments_allocate_nothing() {
    for committer in [Committer::new(), Committer::without_table()] {
        let (openings, mut memory, _) = statement(&committer);
        let vector: &Vector = &openings.polynomials[0];
        // A dense sum by a table has its buckets on the heap, and nothing else.
        let (commitment, calls, bytes) = allocations(|| committer.commit(vector).unwrap());
        assert!(calls <= 1 && bytes <= 54 << 10, "{calls} of {bytes} bytes");
        assert_eq!(commitment, openings.commitments[0]);
        let _ = without_heap(|| committer.commit_sparse(&[(3, Scalar::ONE), (200, vector[1])]));
        let _ = without_heap(|| committer.update(&commitment, 255, &vector[2]));
        let _ = without_heap(|| committer.mul(7, &vector[3]));
        let _ = without_heap(|| committer.commit(&vec_of(257)));
        let vectors = [&vector[..], &vector[..100]];
        let mut out = [commitment; 2];
        let (done, calls, _) = allocations(|| committer.commit_batch(&Serial, &vectors, &mut out));
        assert!(done.is_ok() && calls <= 2);

        let z = Scalar::from(1 << 40);
        let mut transcript = Transcript::new(LABEL);
        let (proof, y) = ipa::prove(
            &Serial,
            &committer,
            &mut transcript,
            &commitment,
            vector,
            &z,
        )
        .unwrap();
        without_heap(|| {
            let mut transcript = Transcript::new(LABEL);
            let scratch = &mut memory.scratch();
            ipa::verify(
                &committer,
                &mut transcript,
                &commitment,
                &z,
                &y,
                &proof,
                scratch,
            )
        })
        .unwrap();
        without_heap(|| {
            let affine = Affine::from(commitment);
            let mut scalars = [Scalar::ZERO; 2];
            batch_map_to_scalar(&[affine, affine], &mut scalars);
            assert_eq!(scalars[0], commitment.map_to_scalar());
            let _ = Affine::from_bytes(&affine.to_bytes());
            let _ = Affine::from_uncompressed_bytes(&affine.to_uncompressed_bytes());
        });
    }
}

/// Scalars on the stack, so that making them is no allocation either.
fn vec_of(len: usize) -> heapless::Vec<Scalar, 300> {
    (0..len).map(|_| Scalar::ONE).collect()
}

#[test]
fn the_transcript_allocates_nothing() {
    without_heap(|| {
        let mut transcript = Transcript::new(LABEL);
        for _ in 0..1000 {
            transcript.append_point("C", &[7; 32]);
            transcript.append_scalar("y", &Scalar::ONE);
            transcript.append_message("m", &[1; 700]);
        }
        let _ = transcript.challenge("r");
    });
}

#[test]
fn k48_calls_in_a_row_allocate_nothing() {
    let committer = Committer::new();
    let (openings, mut memory, proof) = statement(&committer);
    let mut claims = openings.claims();
    claims.truncate(1);
    let one = Openings {
        openings: openings.openings[..1].to_vec(),
        ..openings.clone()
    }
    .prove(&committer);
    // Asking for the scale allocates.
    let calls = common::scaled(1000);
    without_heap(|| {
        for k in 0..calls {
            let mut transcript = Transcript::new(LABEL);
            // Half of them are wrong: another proof, or a damaged one.
            let verdict = match k % 4 {
                0 | 1 => Some(&one),
                2 => Some(&proof),
                _ => None,
            }
            .map(|proof| {
                let scratch = &mut memory.scratch();
                verify(&committer, &mut transcript, &claims, proof, scratch)
            });
            let damaged = MultiProof::from_bytes(&[0xee; 576]);
            match k % 4 {
                0 | 1 => assert_eq!(verdict, Some(Ok(()))),
                2 => assert_eq!(verdict, Some(Err(Error::NotProven))),
                _ => assert!(damaged.is_err()),
            }
        }
    });
}

#[test]
fn scratch_is_under_200_bytes_an_opening() {
    let made = |openings| {
        let (_, _, bytes) = allocations(|| ScratchBuffer::new(openings));
        bytes
    };
    for (few, many) in [(1000, 2000), (2000, 16_000), (16_000, 128_000)] {
        let slope = (made(many) - made(few)) as f64 / (many - few) as f64;
        println!("{few} to {many} openings: {slope:.1} bytes an opening");
        assert!(slope < 200.0, "{slope} bytes an opening");
        let buckets = |n| scratch_len_in_place(n);
        let told =
            scratch_bytes(many, buckets(many)) as f64 - scratch_bytes(few, buckets(few)) as f64;
        assert!((told / (many - few) as f64) < 200.0);
    }
    assert_eq!(size_of::<Memory>(), scratch_bytes(OPENINGS, MIN_SCRATCH));
}

#[test]
fn no_memory_for_a_buffer_is_too_little_scratch() {
    let mut buffer = ScratchBuffer::new(usize::MAX / 2);
    assert_eq!(buffer.scratch().capacity(), 0);
    let openings = Openings::new(
        &Committer::without_table(),
        vec![Box::new([Scalar::ONE; 256])],
        &[(0, 1)],
    );
    let proof = MultiProof {
        d: Affine::IDENTITY,
        ipa: ipa::IpaProof {
            l: [Affine::IDENTITY; 8],
            r: [Affine::IDENTITY; 8],
            a: Scalar::ZERO,
        },
    };
    let claims = openings.claims();
    let verdict = verify(
        &Committer::without_table(),
        &mut Transcript::new(LABEL),
        &claims,
        &proof,
        &mut buffer.scratch(),
    );
    assert_eq!(
        verdict,
        Err(Error::Scratch {
            needed: 1,
            given: 0
        })
    );
}

#[test]
fn verifying_a_batch_allocates_nothing() {
    let committer = Committer::without_table();
    let (openings, mut memory, proof) = statement(&committer);
    let claims = openings.claims();
    let mut block: Box<BatchWorkspace<2>> = Box::default();
    let verdict = without_heap(|| {
        let mut batch = Batch::new(block.scratch(), &[0; 32]);
        for _ in 0..5 {
            let transcript = &mut Transcript::new(LABEL);
            batch.add(
                transcript,
                batch::Openings::Decoded(&claims),
                &proof,
                &mut memory.scratch(),
            )?;
        }
        batch.finish(&committer, &mut memory.scratch())
    });
    assert_eq!(verdict, Ok(()));
}
