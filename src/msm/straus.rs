//! Straus: multiples of every point, and one chain of doublings.

use super::{ScalarRepr, digits};
use crate::curve::{Addend, Group};

/// The largest window.
pub(super) const MAX_WINDOW: u32 = 8;

/// `table` has points.len()·2^(window − 1) elements.
pub(super) fn sum<G: Group, P: Addend<G>>(
    points: &[P],
    scalars: &[ScalarRepr<G>],
    bits: u32,
    window: u32,
    table: &mut [G],
) -> G {
    let row_len = 1usize << (window - 1);
    for (row, point) in table.chunks_exact_mut(row_len).zip(points) {
        // row[j] = (j + 1)·P
        let mut multiple = point.to_group();
        let mut slots = row.iter_mut();
        if let Some(first) = slots.next() {
            *first = multiple;
        }
        for slot in slots {
            multiple = point.add_to(&multiple);
            *slot = multiple;
        }
    }
    let mut acc = G::IDENTITY;
    let windows = digits::count(bits, window);
    for index in (0..windows).rev() {
        if index + 1 != windows {
            for _ in 0..window {
                acc = acc.double();
            }
        }
        for (row, scalar) in table.chunks_exact(row_len).zip(scalars) {
            let digit = digits::digit(scalar.as_ref(), index, window);
            let place = (digit.unsigned_abs() as usize).wrapping_sub(1);
            // No entry for digit 0.
            if let Some(multiple) = row.get(place) {
                if digit < 0 {
                    acc -= *multiple;
                } else {
                    acc += *multiple;
                }
            }
        }
    }
    acc
}
