//! Decoding of many points, whose subgroup check is one for all.
//!
//! A point of the curve is an element of the group if u = 1 − a·x² is a square: χ(u) = 1. Since
//! χ is multiplicative, the product over any subset of points that pass has χ = 1; if one does
//! not pass, a subset chosen by fair coins has χ = −1 in half of all cases. After 128
//! independent subsets a bad point is still unseen with probability 2^−128.
//!
//! The coins must not be known to who makes the points. They are SHA-256 in counter mode under
//! the digest of all encodings, so whoever wants other coins must change the points: each try
//! costs that digest, and succeeds with probability 2^−128.
//!
//! The subsets are taken eight at a time: the byte of coins of a point says which of 256
//! buckets it is multiplied into, one product for eight subsets; the products of the buckets
//! with a bit set are the subsets'. That is 16 products and half a block of SHA-256 a point,
//! where its Legendre symbol takes as long as 33 products; and 12 000 products in all for 128
//! symbols and 16 times 256 buckets.
//!
//! No memory is allocated: u waits in the place of d·x·y, which is computed once all have
//! passed, and the buckets lie in memory that the caller lends.

use core::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest, Sha256};

use super::encoding::{Candidate, decode, decode_each, decode_pieces, element};
use super::{Affine, Compressed, DecodeError, Precomputed, from_bits, to_bits};
use crate::curve::Addend;
use crate::exec::{Executor, worth_a_piece};
use crate::field::bls12_381_scalar::Fq;

/// Points from which on the check in common is worth while.
const MANY: usize = 4096;

/// Subsets that share buckets: the bits of a byte.
const SUBSETS: usize = 8;

/// Groups of them: 128 subsets.
const GROUPS: usize = 16;

/// Buckets of a group.
const BUCKETS: usize = 1 << SUBSETS;

/// Bytes of coins that are drawn at a time.
const COINS: usize = 32;

/// Points that all groups take before the next come: 384 KiB, for a cache to keep.
const TILE: usize = 4096;

/// A bucket: the bits of a field element.
type Bucket = [u8; 32];

/// Decodes `encoding(i)` into every `out[i]`, with every check, with the threads of `exec`; and
/// meanwhile calls `beside` with `lent`, whose contents are worthless afterwards.
///
/// From 4096 points on, where `lent` has as many places, they have their subgroup check in common
/// (see the [module](self)); if it fails, or else, each has its own.
///
/// # Errors
/// The index of the first encoding that is no group element, whichever the executor. `out` may
/// hold some of the elements after it, the identity, or what it held.
pub(crate) fn decode_with<'e>(
    exec: &impl Executor,
    encoding: impl Fn(usize) -> Option<&'e Compressed> + Sync,
    out: &mut [Precomputed],
    lent: &mut [Bucket],
    beside: impl FnOnce(&mut [Bucket]),
) -> Result<(), (usize, DecodeError)> {
    if out.len() < MANY || lent.len() < GROUPS * BUCKETS {
        return decode_each(exec, encoding, out, || beside(lent));
    }
    let len = out.len();
    let (on_curve, seed) = decode_pieces(exec, &encoding, out, with_u, || {
        beside(lent);
        seed((0..len).map_while(&encoding))
    });
    if on_curve && in_subgroup(exec, out, &mut lent[..GROUPS * BUCKETS], &seed) {
        let chunk = exec.chunk_len(len, worth_a_piece(40));
        exec.for_each_chunk(out, chunk, |_, points| {
            for point in points {
                *point = point.to_affine().into();
            }
        });
        return Ok(());
    }
    // In order, for the first bad one to be named, and nothing left of points that were not checked.
    out.fill(Precomputed::IDENTITY);
    decode(0, encoding, out, element)
}

/// A point of the curve, with u in the place of d·x·y.
fn with_u(candidate: &Candidate) -> Result<Precomputed, DecodeError> {
    let Affine { x, y } = candidate.point()?;
    let mut point = Precomputed::IDENTITY;
    (point.0.x, point.0.y, point.0.dt) = (x, y, candidate.u);
    Ok(point)
}

/// The digest of all that makes the points.
fn seed<'e>(encodings: impl Iterator<Item = &'e Compressed>) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(b"lightproof: coins of the subgroup check");
    for bytes in encodings {
        hasher.update(bytes);
    }
    hasher.finalize().into()
}

/// The coins of a group for the `counter`-th [`COINS`] points. What is hashed is one block.
fn coins(seed: &[u8; 32], group: usize, counter: usize) -> [u8; COINS] {
    let mut hasher = Sha256::new();
    hasher.update(b"subgroup coins");
    hasher.update(seed);
    hasher.update([group as u8]);
    hasher.update((counter as u64).to_le_bytes());
    hasher.finalize().into()
}

/// Whether the u of all `points` are squares other than zero, wrong with probability 2^−128 where
/// `seed` is a digest of all that made them. `buckets` are those of all groups; a group is a piece
/// of work.
fn in_subgroup(
    exec: &impl Executor,
    points: &[Precomputed],
    buckets: &mut [Bucket],
    seed: &[u8; 32],
) -> bool {
    buckets.fill(to_bits(&Fq::ONE));
    for (tile, points) in (0..).step_by(TILE / COINS).zip(points.chunks(TILE)) {
        exec.for_each_chunk(buckets, BUCKETS, |first, buckets| {
            multiply(points, buckets, |i| coins(seed, first / BUCKETS, tile + i));
        });
    }
    let failed = AtomicBool::new(false);
    exec.for_each_chunk(buckets, BUCKETS, |_, buckets| {
        if !subsets_are_squares(buckets) {
            failed.store(true, Ordering::Relaxed);
        }
    });
    !failed.into_inner()
}

/// Multiplies the u of each point into the bucket that its coins say; `coins(i)` are those of the
/// i-th [`COINS`] points.
fn multiply(points: &[Precomputed], buckets: &mut [Bucket], coins: impl Fn(usize) -> [u8; COINS]) {
    for (i, points) in points.chunks(COINS).enumerate() {
        for (point, coins) in points.iter().zip(coins(i)) {
            if let Some(bucket) = buckets.get_mut(usize::from(coins)) {
                *bucket = to_bits(&(from_bits(bucket) * point.third()));
            }
        }
    }
}

/// Whether the products over a group of subsets are squares other than zero.
fn subsets_are_squares(buckets: &mut [Bucket]) -> bool {
    // By the highest bit: the upper half's product is that bit's subset; then the halves are
    // folded for the bits below.
    let mut rest = buckets;
    while rest.len() > 1 {
        let (low, high) = rest.split_at_mut(rest.len() / 2);
        let product: Fq = high.iter().map(from_bits).product();
        if product.legendre_vartime() != 1 {
            return false;
        }
        for (low, high) in low.iter_mut().zip(high) {
            *low = to_bits(&(from_bits(low) * from_bits(high)));
        }
        rest = low;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::encoding::tests::{encodings, plain};
    use super::*;
    use crate::exec::Serial;
    use crate::field::Ring;
    use alloc::{vec, vec::Vec};

    /// Elements' encodings, and others.
    fn good_and_bad() -> (Vec<Compressed>, Vec<Compressed>) {
        (encodings().into_iter()).partition(|bytes| plain(bytes).is_ok())
    }

    fn decode_all(
        exec: &impl Executor,
        encoded: &[Compressed],
        out: &mut [Precomputed],
        lent: &mut [Bucket],
    ) -> Result<(), (usize, DecodeError)> {
        let mut calls = 0;
        let all = lent.len();
        let verdict = decode_with(
            exec,
            |i| encoded.get(i),
            out,
            lent,
            |lent| {
                assert_eq!(lent.len(), all);
                calls += 1;
            },
        );
        assert_eq!(calls, 1);
        verdict
    }

    /// Decodes with every number of threads, to the same.
    fn decode_by_all(
        encoded: &[Compressed],
        out: &mut [Precomputed],
        lent: &mut [Bucket],
    ) -> Result<(), (usize, DecodeError)> {
        let verdict = decode_all(&Serial, encoded, out, lent);
        #[cfg(feature = "std")]
        for threads in [2, 3] {
            out.iter().for_each(assert_element);
            out.fill(Precomputed::IDENTITY);
            let exec = crate::exec::Threads(threads);
            assert_eq!(decode_all(&exec, encoded, out, lent), verdict);
        }
        verdict
    }

    /// With x·y·d beside x and y.
    fn assert_element(point: &Precomputed) {
        let affine = point.to_affine();
        assert_eq!(Precomputed::from(affine).third(), point.third());
        assert!(Affine::from_uncompressed_bytes(&affine.to_uncompressed_bytes()).is_ok());
    }

    #[test]
    fn many_are_decoded_as_few_are() {
        let (good, _) = good_and_bad();
        let points: Vec<Affine> = (good.iter().map(|bytes| plain(bytes).unwrap())).collect();
        let encoded: Vec<Compressed> = good.iter().copied().cycle().take(MANY + 70).collect();
        let room = GROUPS * BUCKETS;
        for (len, lent, together) in [
            (MANY - 1, room, false),
            (MANY, room, true),
            (MANY + 70, room + 5, true),
            (MANY, room - 1, false),
            (MANY, 0, false),
        ] {
            let mut out = vec![Precomputed::VACANT; len];
            let mut lent = vec![[0; 32]; lent];
            assert_eq!(decode_by_all(&encoded[..len], &mut out, &mut lent), Ok(()));
            for (point, expected) in out.iter().zip(points.iter().cycle()) {
                assert_eq!(point.to_affine().coordinates(), expected.coordinates());
                assert_element(point);
            }
            // The buckets were used, or not at all.
            for (i, bucket) in lent.iter().enumerate() {
                assert_eq!(*bucket != [0; 32], together && i < room);
            }
        }
    }

    #[test]
    fn the_first_bad_one_of_many_is_named() {
        let (good, bad) = good_and_bad();
        let of_kind = |kind: DecodeError| {
            let mut all = bad.iter().filter(|bytes| plain(bytes).err() == Some(kind));
            (*all.next().unwrap(), kind)
        };
        let outside = of_kind(DecodeError::NotInSubgroup);
        let kinds = [
            outside,
            of_kind(DecodeError::NotOnCurve),
            of_kind(DecodeError::NotCanonical),
        ];
        let mut encoded: Vec<Compressed> = good.iter().copied().cycle().take(MANY).collect();
        let mut out = vec![Precomputed::VACANT; MANY];
        let mut lent = vec![[0; 32]; GROUPS * BUCKETS];
        // Alone, or with another outside of the group: their product is a square.
        let places = [
            (0, None),
            (15, Some(16)),
            (2000, Some(MANY - 1)),
            (MANY - 1, None),
        ];
        for ((bytes, kind), (place, other)) in
            (kinds.into_iter()).flat_map(|kind| places.map(|places| (kind, places)))
        {
            let before = encoded.clone();
            encoded[place] = bytes;
            if let Some(other) = other {
                encoded[other] = outside.0;
            }
            let verdict = decode_by_all(&encoded, &mut out, &mut lent);
            assert_eq!(verdict, Err((place, kind)));
            out.iter().for_each(assert_element);
            encoded = before;
        }
    }

    #[test]
    fn one_that_is_no_square_is_seen_wherever_it_stands() {
        let with = |u: Fq| {
            let mut point = Precomputed::IDENTITY;
            point.0.dt = u;
            point
        };
        let mut x = Fq::from_u64(3);
        let mut squares: Vec<Precomputed> = (0..200)
            .map(|_| {
                x = x.square() + Fq::ONE;
                with(x.square())
            })
            .collect();
        let mut buckets = vec![[0; 32]; GROUPS * BUCKETS];
        let mut pass = |points: &[Precomputed], seed: &[u8; 32]| {
            let verdict = in_subgroup(&Serial, points, &mut buckets, seed);
            #[cfg(feature = "std")]
            assert_eq!(
                in_subgroup(&crate::exec::Threads(3), points, &mut buckets, seed),
                verdict
            );
            verdict
        };
        let none = Fq::from_u64(5);
        assert_eq!(none.legendre_vartime(), -1);
        for seed in 0..20 {
            let seed = [seed; 32];
            for len in [0, 1, 2, 31, 32, 33, 200] {
                assert!(pass(&squares[..len], &seed));
            }
            for bad in [0, 31, 32, 199] {
                for wrong in [none, Fq::ZERO, squares[bad].third() * none] {
                    let right = core::mem::replace(&mut squares[bad], with(wrong));
                    assert!(!pass(&squares, &seed));
                    squares[bad] = right;
                }
            }
            // Two that are no squares, whose product is one.
            let pair = [squares[7], squares[8]];
            squares[7..9].copy_from_slice(&pair.map(|point| with(point.third() * none)));
            assert!(!pass(&squares, &seed));
            squares[7..9].copy_from_slice(&pair);
        }
    }
}
