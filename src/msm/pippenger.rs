//! Pippenger: for each window a bucket for each digit's magnitude.

use super::{ScalarRepr, digits};
use crate::curve::{Addend, Group};

/// The sum over all windows; `buckets` has 2^(window − 1) elements.
pub(super) fn all_windows<G: Group, P: Addend<G>>(
    points: &[P],
    scalars: &[ScalarRepr<G>],
    bits: u32,
    window: u32,
    buckets: &mut [G],
) -> G {
    let indices = (0..digits::count(bits, window)).rev();
    combine(
        window,
        indices.map(|index| one_window(points, scalars, index, window, buckets)),
    )
}

/// Σ sumᵢ·2^(window·i) of the sums of windows, which come from the highest down.
pub(super) fn combine<G: Group>(window: u32, sums: impl IntoIterator<Item = G>) -> G {
    let mut sums = sums.into_iter();
    let first = sums.next().unwrap_or(G::IDENTITY);
    sums.fold(first, |acc, sum| {
        (0..window).fold(acc, |acc, _| acc.double()) + sum
    })
}

/// Σ dᵢ·Pᵢ for the digits of one window; `buckets` has 2^(window − 1) elements.
pub(super) fn one_window<G: Group, P: Addend<G>>(
    points: &[P],
    scalars: &[ScalarRepr<G>],
    index: u32,
    window: u32,
    buckets: &mut [G],
) -> G {
    buckets.fill(G::IDENTITY);
    for (point, scalar) in points.iter().zip(scalars) {
        let digit = digits::digit(scalar.as_ref(), index, window);
        let place = (digit.unsigned_abs() as usize).wrapping_sub(1);
        // No bucket for digit 0.
        if let Some(bucket) = buckets.get_mut(place) {
            drop_into(bucket, point, digit < 0);
        }
    }
    aggregate(buckets)
}

/// Adds ±P to a bucket. Most buckets are met empty once a window: that costs no addition.
#[inline(always)]
fn drop_into<G: Group, P: Addend<G>>(bucket: &mut G, point: &P, negative: bool) {
    if bucket.is_identity() {
        let point = point.to_group();
        *bucket = if negative { -point } else { point };
    } else if negative {
        point.sub_assign_from(bucket);
    } else {
        point.add_assign_to(bucket);
    }
}

/// Σ (j + 1)·buckets\[j\] as the sum of all suffix sums.
pub(super) fn aggregate<G: Group>(buckets: &[G]) -> G {
    let mut full = buckets.iter().rev().skip_while(|b| b.is_identity());
    let mut suffix = full.next().copied().unwrap_or(G::IDENTITY);
    let mut sum = suffix;
    for bucket in full {
        if !bucket.is_identity() {
            suffix += *bucket;
        }
        sum += suffix;
    }
    sum
}
