//! The subgroup check of many points as one.
//!
//! A point of the curve is an element of the group if u = 1 − a·x² is a square: χ(u) = 1. Since
//! χ is multiplicative, the product over any subset of points that pass has χ = 1; if one does
//! not pass, a subset chosen by fair coins has χ = −1 in half of all cases. After 128
//! independent subsets a bad point is still unseen with probability 2^−128.
//!
//! The coins must not be known to who makes the points. They are ChaCha20's stream (RFC 8439)
//! under the digest of all encodings, so whoever wants other coins must change the points.
//!
//! The subsets are taken eight at a time: the byte of coins of a point says which of 256
//! buckets it is multiplied into, one product for eight subsets; the products of the buckets
//! with a bit set are the subsets'. That is 16 products a point, where its Legendre symbol takes
//! as long as 33, and 10 000 products in all for 128 symbols and 16 times 256 buckets.

use alloc::vec;

use crate::exec::Executor;
use crate::field::bls12_381_scalar::Fq;

/// Subsets that share buckets: the bits of a byte.
const SUBSETS: usize = 8;

/// Groups of them: 128 subsets.
const GROUPS: usize = 16;

/// Whether all `values` are squares other than zero, wrong with probability 2^−128 where `seed`
/// is a digest of all that made them. On the threads of `exec`, 8 KiB for each.
pub(super) fn all_squares(exec: &impl Executor, values: &[Fq], seed: &[u8; 32]) -> bool {
    let mut passed = [false; GROUPS];
    exec.for_each_chunk(&mut passed, 1, |group, slots| {
        for slot in slots {
            *slot = group_passes(values, seed, group as u32);
        }
    });
    passed.iter().all(|passed| *passed)
}

/// Whether the products over eight subsets of `values` are squares other than zero.
fn group_passes(values: &[Fq], seed: &[u8; 32], group: u32) -> bool {
    let mut buckets = vec![Fq::ONE; 1 << SUBSETS];
    for (counter, values) in (0u32..).zip(values.chunks(COINS)) {
        let coins = chacha20_block(seed, counter, &[group, 0, 0]);
        for (value, coins) in values.iter().zip(coins) {
            buckets[usize::from(coins)] *= *value;
        }
    }
    // By the highest bit: the upper half's product is that bit's subset; then the halves are
    // folded for the bits below.
    let mut rest = &mut buckets[..];
    for _ in 0..SUBSETS {
        let (low, high) = rest.split_at_mut(rest.len() / 2);
        let product: Fq = high.iter().product();
        if product.legendre_vartime() != 1 {
            return false;
        }
        for (low, high) in low.iter_mut().zip(high) {
            *low *= *high;
        }
        rest = low;
    }
    true
}

/// Bytes of a block of the stream.
const COINS: usize = 64;

/// A block of ChaCha20's stream.
fn chacha20_block(key: &[u8; 32], counter: u32, nonce: &[u32; 3]) -> [u8; COINS] {
    let mut state = [0u32; 16];
    // "expand 32-byte k"
    state[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
    for (word, bytes) in state[4..12].iter_mut().zip(key.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    state[12] = counter;
    state[13..].copy_from_slice(nonce);
    let mut x = state;
    for _ in 0..10 {
        for k in 0..4 {
            quarter(&mut x, [k, 4 + k, 8 + k, 12 + k]);
        }
        for k in 0..4 {
            quarter(
                &mut x,
                [k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4],
            );
        }
    }
    let mut out = [0; COINS];
    for ((bytes, x), start) in out.as_chunks_mut::<4>().0.iter_mut().zip(x).zip(state) {
        *bytes = x.wrapping_add(start).to_le_bytes();
    }
    out
}

/// ChaCha's quarter round on four of the words.
#[inline(always)]
fn quarter(x: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (left, right) in [(16, 12), (8, 7)] {
        x[a] = x[a].wrapping_add(x[b]);
        x[d] = (x[d] ^ x[a]).rotate_left(left);
        x[c] = x[c].wrapping_add(x[d]);
        x[b] = (x[b] ^ x[c]).rotate_left(right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Serial;
    use crate::field::Ring;
    use alloc::vec::Vec;

    /// RFC 8439, section 2.3.2.
    #[test]
    fn the_stream_is_chacha20() {
        let key: [u8; 32] = core::array::from_fn(|i| i as u8);
        let block = chacha20_block(&key, 1, &[0x0900_0000, 0x4a00_0000, 0]);
        let start = "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e";
        let end = "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e";
        let hex: alloc::string::String =
            (block.iter().map(|byte| alloc::format!("{byte:02x}"))).collect();
        assert_eq!(hex, alloc::format!("{start}{end}"));
    }

    #[test]
    fn one_that_is_no_square_is_seen_wherever_it_stands() {
        let mut x = Fq::from_u64(3);
        let mut squares: Vec<Fq> = (0..200)
            .map(|_| {
                x = x.square() + Fq::ONE;
                x.square()
            })
            .collect();
        let none = Fq::from_u64(5);
        assert_eq!(none.legendre_vartime(), -1);
        for seed in 0..20 {
            let seed = [seed; 32];
            for len in [0, 1, 2, 63, 64, 65, 200] {
                assert!(all_squares(&Serial, &squares[..len], &seed));
            }
            #[cfg(feature = "std")]
            assert!(all_squares(&crate::exec::Threads(3), &squares, &seed));
            for bad in [0, 63, 64, 199] {
                for wrong in [none, Fq::ZERO, squares[bad] * none] {
                    let right = core::mem::replace(&mut squares[bad], wrong);
                    assert!(!all_squares(&Serial, &squares, &seed));
                    #[cfg(feature = "std")]
                    assert!(!all_squares(&crate::exec::Threads(2), &squares, &seed));
                    squares[bad] = right;
                }
            }
            // Two that are no squares, whose product is one.
            let pair = [squares[7], squares[8]];
            squares[7] *= none;
            squares[8] *= none;
            assert!(!all_squares(&Serial, &squares, &seed));
            squares[7..9].copy_from_slice(&pair);
        }
    }
}
