//! Many group elements at once: inversions are shared.

use super::{Affine, Compressed, Element, reduce_to_scalar};
use crate::curve::Group;
use crate::field::bandersnatch_scalar::Fr;
use crate::field::batch::invert;
use crate::field::bls12_381_scalar::Fq;

/// Elements that share an inversion.
const BLOCK: usize = 32;

/// Maps `points` to scalars into `out`, an inversion for 32 of them; the shorter length counts.
pub fn batch_map_to_scalar(points: &[Affine], out: &mut [Fr]) {
    let mut ys = [Fq::ZERO; BLOCK];
    for (points, out) in points.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        for (y, point) in ys.iter_mut().zip(points) {
            *y = point.y;
        }
        invert(&mut ys);
        for ((slot, point), inverse) in out.iter_mut().zip(points).zip(&ys) {
            *slot = reduce_to_scalar(&(point.x * *inverse));
        }
    }
}

/// Encodes `points` into `out`, an inversion for 32 of them; the shorter length counts.
pub fn batch_to_bytes(points: &[Element], out: &mut [Compressed]) {
    let mut affine = [Affine::IDENTITY; BLOCK];
    for (points, out) in points.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        Element::batch_normalize(points, &mut affine);
        for (slot, point) in out.iter_mut().zip(&affine) {
            *slot = point.to_bytes();
        }
    }
}
