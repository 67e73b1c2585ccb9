//! Straus: odd multiples of every point, and one chain of doublings for all. Where the group
//! has an endomorphism, of half the length, with the multiples' images as further rows.

use super::digits::{OddDigit, next_odd};
use super::{ScalarRepr, plan};
use crate::curve::{Addend, Endomorphic, Group};

/// The largest window.
pub(super) const MAX_WINDOW: u32 = 8;

/// Points that share their doublings: so many have their halves on the stack, 3.5 KiB with
/// their digits.
const BLOCK: usize = 64;

/// Bytes of a half.
const HALF_BYTES: usize = 16;

/// Elements that the tables of `n` points take; saturates.
pub(super) const fn table_len<G: Endomorphic>(n: usize, window: u32) -> usize {
    plan::straus_table_len(n, G::HALF_BITS.is_some(), window)
}

/// `table` has [`table_len`] elements; scalars have at most `bits` bits.
pub(super) fn sum<G: Endomorphic, P: Addend<G>>(
    points: &[P],
    scalars: &[ScalarRepr<G>],
    bits: u32,
    window: u32,
    table: &mut [G],
) -> G {
    let mut sum = G::IDENTITY;
    for (points, scalars) in points.chunks(BLOCK).zip(scalars.chunks(BLOCK)) {
        let len = plan::straus_table_len(1, false, window);
        let (own, images) = table.split_at_mut((points.len() * len).min(table.len()));
        multiples(points, own, len);
        sum += match G::HALF_BITS {
            Some(half) if half < bits => {
                for (image, multiple) in images.iter_mut().zip(own.iter()) {
                    *image = multiple.endomorphism();
                }
                by_halves(scalars, half, window, [own, images])
            }
            _ => {
                let mut next = [None; BLOCK];
                let row = |i: usize| (scalars[i].as_ref(), false, &own[i * len..(i + 1) * len]);
                chain(bits, window, &mut next[..points.len()], row)
            }
        };
    }
    sum
}

/// P, 3P, 5P, … of each point into its row of `len` elements.
fn multiples<G: Group, P: Addend<G>>(points: &[P], table: &mut [G], len: usize) {
    for (row, point) in table.chunks_exact_mut(len).zip(points) {
        let mut multiple = point.to_group();
        let double = if len > 1 { multiple.double() } else { multiple };
        let mut slots = row.iter_mut();
        if let Some(first) = slots.next() {
            *first = multiple;
        }
        for slot in slots {
            multiple += double;
            *slot = multiple;
        }
    }
}

/// The sum over the halves of at most [`BLOCK`] scalars.
fn by_halves<G: Endomorphic>(
    scalars: &[ScalarRepr<G>],
    bits: u32,
    window: u32,
    tables: [&[G]; 2],
) -> G {
    let mut halves = [([0u8; HALF_BYTES], false); 2 * BLOCK];
    for (pair, scalar) in halves.as_chunks_mut::<2>().0.iter_mut().zip(scalars) {
        *pair = G::split(scalar).map(|half| (half.magnitude.to_le_bytes(), half.negative));
    }
    let len = plan::straus_table_len(1, false, window);
    let mut next = [None; 2 * BLOCK];
    chain(bits, window, &mut next[..2 * scalars.len()], |i| {
        let (bytes, negative) = &halves[i];
        let table = &tables[i % 2][i / 2 * len..(i / 2 + 1) * len];
        (bytes, *negative, table)
    })
}

/// Doubles from the top down, and adds each row's multiple wherever the row's number has a
/// digit. `row(i)` gives number, whether its sign is changed, and multiples of row i; `next`
/// has a place for each row.
fn chain<'a, G: Group>(
    bits: u32,
    window: u32,
    next: &mut [Option<OddDigit>],
    row: impl Fn(usize) -> (&'a [u8], bool, &'a [G]),
) -> G {
    for (i, slot) in next.iter_mut().enumerate() {
        *slot = next_odd(row(i).0, bits + 1, window);
    }
    let positions = next.iter().flatten().map(|odd| odd.position);
    let Some(top) = positions.max() else {
        return G::IDENTITY;
    };
    let mut acc = G::IDENTITY;
    for position in (0..=top).rev() {
        if position != top {
            acc = acc.double();
        }
        for (i, slot) in next.iter_mut().enumerate() {
            let Some(odd) = slot.filter(|odd| odd.position == position) else {
                continue;
            };
            let (bytes, negative, multiples) = row(i);
            let multiple = multiples[odd.digit.unsigned_abs() as usize / 2];
            if (odd.digit < 0) != negative {
                acc -= multiple;
            } else {
                acc += multiple;
            }
            *slot = next_odd(bytes, odd.below, window);
        }
    }
    acc
}
