//! Equal commitments are one term of the verifier's sum. To find them they are sorted.

use crate::exec::{Executor, worth_a_piece};
use crate::verkle::{Scalar, Scratch};

/// Leading bytes of a sort key that are of the element; the others tell its place.
const PREFIX: usize = 28;

/// Sorts elements by `bits(i)`, which are the same for equal elements and for no others, and
/// then by place: `order` gets their places. `keys` is as long, and memory to work in.
///
/// Keys lie side by side and hold most of the bits, so that sorting looks at nothing else. All
/// bits are looked at where keys agree: somebody may have made them so.
pub(super) fn sort(bits: impl Fn(usize) -> [u8; 32], keys: &mut [[u8; 32]], order: &mut [u32]) {
    for (place, key) in (0u32..).zip(keys.iter_mut()) {
        *key = bits(place as usize);
        key[PREFIX..].copy_from_slice(&place.to_be_bytes());
    }
    let head = |key: &[u8; 32]| key.first_chunk::<8>().map(|head| u64::from_be_bytes(*head));
    keys.sort_unstable_by(|a, b| head(a).cmp(&head(b)).then_with(|| a.cmp(b)));
    for (slot, key) in order.iter_mut().zip(keys.iter()) {
        let place = key
            .last_chunk::<4>()
            .map(|place| u32::from_be_bytes(*place));
        *slot = place.unwrap_or_default();
    }
    let mut rest = order;
    for run in keys.chunk_by(|a, b| a[..PREFIX] == b[..PREFIX]) {
        let (run, after) = rest.split_at_mut(run.len().min(rest.len()));
        if run.len() > 1 {
            let whole = |i: &u32| (bits(*i as usize), *i);
            run.sort_unstable_by_key(whole);
        }
        rest = after;
    }
}

/// Adds up the weights of equal commitments and moves the different ones to the front, with
/// their canonical weights beside them; gives their number. `scratch.order` is their order.
pub(super) fn merge(exec: &impl Executor, count: usize, scratch: &mut Scratch<'_>) -> usize {
    let (points, weights) = (&mut scratch.points[..count], &mut scratch.weights[..count]);
    // Each run of equal points leaves its sum at its first opening; the others become zero.
    for run in scratch.order[..count].chunk_by(|i, j| {
        points[*i as usize]
            .cmp_normalized(&points[*j as usize])
            .is_eq()
    }) {
        if let [first, rest @ ..] = run {
            for i in rest {
                let weight = core::mem::take(&mut weights[*i as usize]);
                weights[*first as usize] += weight;
            }
        }
    }
    let mut distinct = 0;
    for i in 0..count {
        if weights[i] != Scalar::ZERO {
            if i != distinct {
                points[distinct] = points[i];
                weights[distinct] = weights[i];
            }
            distinct += 1;
        }
    }
    let (canonical, weights) = (&mut scratch.canonical[..distinct], &weights[..distinct]);
    let chunk = exec.chunk_len(distinct, worth_a_piece(10));
    exec.for_each_chunk(canonical, chunk, |first, slots| {
        for (slot, weight) in slots.iter_mut().zip(weights.iter().skip(first)) {
            *slot = weight.to_le_bytes();
        }
    });
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ones_are_neighbours_in_their_order() {
        // Keys that differ nowhere, at the end, or at the start.
        let bits = |i: usize| {
            let mut out = [7; 32];
            match i % 4 {
                0 => out[31] = (i / 4 % 3) as u8,
                1 => out[0] = (i / 4 % 5) as u8,
                2 => out[27] = (i % 7) as u8,
                _ => {}
            }
            out
        };
        const COUNT: usize = 200;
        let (mut keys, mut order) = ([[0; 32]; COUNT], [0; COUNT]);
        for count in [0, 1, 2, 50, COUNT] {
            sort(bits, &mut keys[..count], &mut order[..count]);
            let mut seen = [false; COUNT];
            order[..count].iter().for_each(|i| seen[*i as usize] = true);
            assert!(seen[..count].iter().all(|seen| *seen));
            let places = &order[..count];
            // All that are equal are in one run, by place.
            for (k, i) in places.iter().enumerate() {
                for j in &places[k + 1..] {
                    if bits(*i as usize) == bits(*j as usize) {
                        assert!(i < j);
                        assert_eq!(bits(places[k + 1] as usize), bits(*i as usize));
                    }
                }
            }
        }
    }
}
