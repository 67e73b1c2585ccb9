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
    let mut acc = G::IDENTITY;
    for index in (0..digits::count(bits, window)).rev() {
        for _ in 0..window {
            acc = acc.double();
        }
        acc += one_window(points, scalars, index, window, buckets);
    }
    acc
}

/// Σ dᵢ·Pᵢ for the digits of one window.
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
            *bucket = if digit < 0 {
                point.sub_from(bucket)
            } else {
                point.add_to(bucket)
            };
        }
    }
    aggregate(buckets)
}

/// Σ (j + 1)·buckets\[j\] as the sum of all suffix sums.
fn aggregate<G: Group>(buckets: &[G]) -> G {
    let mut suffix = G::IDENTITY;
    let mut sum = G::IDENTITY;
    for bucket in buckets.iter().rev() {
        suffix += *bucket;
        sum += suffix;
    }
    sum
}
