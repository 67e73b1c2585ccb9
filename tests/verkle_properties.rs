//! Decoders and verifiers on random and on damaged bytes: nothing panics, what is accepted
//! is canonical, and no damaged proof is accepted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::sync::LazyLock;

use common::statement::Sent;
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::field::bls12_381_scalar::Fq;
use lightproof::verkle::{Affine, Committer, Error, IpaProof, MultiProof};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn cases(usual: usize) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::with_cases(common::scaled(usual) as u32)
    }
}

static COMMITTER: LazyLock<Committer<'static>> = LazyLock::new(Committer::new);
static SENT: LazyLock<Sent> = LazyLock::new(|| Sent::vector("3 openings, leaf-shaped polynomials"));

/// Bytes of about a length: random ones, few different ones, or valid ones that were damaged.
fn bytes(length: usize, valid: impl Fn() -> Vec<u8> + Clone + 'static) -> BoxedStrategy<Vec<u8>> {
    let lengths = prop_oneof![8 => Just(length), 1 => 0..2 * length + 2];
    let random = lengths.prop_flat_map(|n| proptest::collection::vec(any::<u8>(), n));
    let few = proptest::collection::vec(prop_oneof![Just(0u8), Just(0xff), Just(1)], length);
    let damaged =
        (any::<prop::sample::Index>(), 1u8.., 0..3usize).prop_map(move |(at, bits, how)| {
            let mut out = valid();
            let at = at.index(out.len());
            match how {
                0 => out[at] ^= bits,
                1 => out[at] = bits,
                _ => out.swap(at, usize::from(bits) % length),
            }
            out
        });
    // A top byte that is small makes numbers below the moduli likely.
    let small = proptest::collection::vec(any::<u8>(), length).prop_map(|mut out| {
        for chunk in out.chunks_mut(32) {
            chunk[0] &= 0x3f;
            if let Some(last) = chunk.last_mut() {
                *last &= 0x1f;
            }
        }
        out
    });
    prop_oneof![random, few, damaged, small].boxed()
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn points_that_decode_encode_to_the_same_bytes(
        input in bytes(32, || Affine::GENERATOR.to_bytes().to_vec()),
    ) {
        if let Ok(point) = Affine::from_bytes(&input) {
            prop_assert_eq!(&point.to_bytes()[..], &input[..]);
            let uncompressed = point.to_uncompressed_bytes();
            prop_assert_eq!(Affine::from_uncompressed_bytes(&uncompressed), Ok(point));
        }
    }

    #[test]
    fn uncompressed_points_that_decode_encode_to_the_same_bytes(
        input in bytes(64, || Affine::GENERATOR.to_uncompressed_bytes().to_vec()),
    ) {
        if let Ok(point) = Affine::from_uncompressed_bytes(&input) {
            prop_assert_eq!(&point.to_uncompressed_bytes()[..], &input[..]);
        }
        // The peer's layout takes either representative, and only those two.
        if let Ok(point) = Affine::from_uncompressed_le_bytes(&input) {
            let (x, y) = point.coordinates();
            let mut kept = [x.to_le_bytes(), y.to_le_bytes()].concat();
            prop_assert_eq!(&kept, &input);
            if !y.is_lexicographically_largest() {
                kept = [(-x).to_le_bytes(), (-y).to_le_bytes()].concat();
            }
            prop_assert_eq!(&point.to_uncompressed_le_bytes()[..], &kept[..]);
        }
    }

    #[test]
    fn the_peers_layout_of_valid_points(
        input in bytes(64, || Affine::GENERATOR.to_uncompressed_le_bytes().to_vec()),
    ) {
        if let Ok(point) = Affine::from_uncompressed_le_bytes(&input) {
            let again = Affine::from_uncompressed_le_bytes(&point.to_uncompressed_le_bytes());
            prop_assert_eq!(again, Ok(point));
        }
    }

    #[test]
    fn scalars_that_decode_encode_to_the_same_bytes(
        input in bytes(32, || (-Fr::ONE).to_le_bytes().to_vec()),
    ) {
        if let Ok(array) = <[u8; 32]>::try_from(&input[..]) {
            if let Some(scalar) = Fr::from_le_bytes(&array) {
                prop_assert_eq!(scalar.to_le_bytes(), array);
            }
            if let Some(scalar) = Fr::from_be_bytes(&array) {
                prop_assert_eq!(scalar.to_be_bytes(), array);
            }
            if let Some(x) = Fq::from_be_bytes(&array) {
                prop_assert_eq!(x.to_be_bytes(), array);
            }
        }
        let reduced = Fr::from_le_bytes_reduced(&input);
        prop_assert_eq!(Fr::from_le_bytes(&reduced.to_le_bytes()), Some(reduced));
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn proofs_that_decode_encode_to_the_same_bytes(
        input in bytes(MultiProof::BYTES, || SENT.proof.clone()),
    ) {
        if let Ok(proof) = MultiProof::from_bytes(&input) {
            prop_assert_eq!(&proof.to_bytes()[..], &input[..]);
            let longer = proof.to_uncompressed_bytes();
            prop_assert_eq!(MultiProof::from_uncompressed_bytes(&longer), Ok(proof));
        }
        if let Some(Ok(proof)) = input.get(32..).map(IpaProof::from_bytes) {
            prop_assert_eq!(&proof.to_bytes()[..], &input[32..]);
            let longer = proof.to_uncompressed_bytes();
            prop_assert_eq!(IpaProof::from_uncompressed_bytes(&longer), Ok(proof));
        }
    }

    #[test]
    fn uncompressed_proofs_that_decode_are_the_same_elements(
        input in bytes(MultiProof::UNCOMPRESSED_BYTES, || {
            let proof = MultiProof::from_bytes(&SENT.proof).unwrap();
            proof.to_uncompressed_bytes().to_vec()
        }),
    ) {
        if let Ok(proof) = MultiProof::from_uncompressed_bytes(&input) {
            let again = MultiProof::from_uncompressed_bytes(&proof.to_uncompressed_bytes());
            prop_assert_eq!(again.as_ref(), Ok(&proof));
            prop_assert_eq!(MultiProof::from_bytes(&proof.to_bytes()), Ok(proof));
        }
        if let Some(Ok(proof)) = input.get(64..).map(IpaProof::from_uncompressed_bytes) {
            prop_assert_eq!(IpaProof::from_bytes(&proof.to_bytes()), Ok(proof));
        }
    }

    #[test]
    fn random_bytes_are_no_proof(input in bytes(MultiProof::BYTES, || SENT.proof.clone())) {
        let sent = Sent { proof: input, ..SENT.clone() };
        prop_assert_eq!(sent.verdict(&COMMITTER).is_ok(), sent.proof == SENT.proof);
    }
}

/// Damages the `at`-th byte of all that is sent.
fn damage(sent: &mut Sent, at: usize, bits: u8) {
    let openings = sent.points.len();
    match at.checked_sub(sent.proof.len()) {
        None => sent.proof[at] ^= bits,
        Some(at) => match at / openings {
            32 => sent.points[at % openings] ^= bits,
            byte @ 0..32 => sent.commitments[at % openings][byte] ^= bits,
            byte => sent.values[at % openings][byte - 33] ^= bits,
        },
    }
}

fn is_refused(verdict: Result<(), Error>) -> bool {
    matches!(
        verdict,
        Err(Error::NotProven
            | Error::ProofPoint { .. }
            | Error::ProofScalar
            | Error::Commitment { .. }
            | Error::Value { .. })
    )
}

/// Every byte of the proof, the commitments, the points and the values.
#[test]
fn no_damaged_byte_is_accepted() {
    assert_eq!(SENT.verdict(&COMMITTER), Ok(()));
    let all = SENT.proof.len() + SENT.points.len() * (32 + 1 + 32);
    // Emulated runs look at fewer places, spread over all.
    let step = (1.0 / common::test_scale().min(1.0)) as usize;
    for at in (0..all).step_by(step) {
        for bits in [1 << (at % 8), 0x80, common::h("damage", at as u64)[0] | 1] {
            let mut sent = SENT.clone();
            damage(&mut sent, at, bits);
            let verdict = sent.verdict(&COMMITTER);
            assert!(is_refused(verdict), "byte {at} ^ {bits:#x}: {verdict:?}");
        }
    }
}
