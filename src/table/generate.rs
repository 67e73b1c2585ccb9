//! Filling a table with multiples.
//!
//! At each position Q, 2Q, … MQ: a power of two by a doubling, any other by an addition. The
//! last power of two is on the way to the next position's Q, to which the rest of c doublings
//! leads. The multiples are normalised many at a time, with one inversion.

use super::Shape;
use crate::curve::{Addend, Group};
#[cfg(feature = "alloc")]
use crate::exec::Executor;
use crate::field::PrimeField;

/// Multiples that share an inversion without a heap: their two forms take less than 4 KiB of
/// stack.
const STACK_BLOCK: usize = 16;

/// Multiples that share an inversion with a heap: a hundred products each 256.
#[cfg(feature = "alloc")]
const HEAP_BLOCK: usize = 256;

/// All multiples in the order of the entries, one base after another from some base on.
struct Walk<'b, G, F> {
    bases: &'b F,
    shape: Shape,
    positions: u32,
    base: usize,
    position: u32,
    /// The multiple of the position's point that was last, 0 for none yet.
    multiple: u32,
    point: G,
    last: G,
    /// The last that was a power of two times the point.
    power: G,
}

impl<'b, G: Group, F: Fn(usize) -> G> Walk<'b, G, F> {
    fn new(bases: &'b F, base: usize, shape: Shape) -> Self {
        let point = bases(base);
        Self {
            bases,
            shape,
            positions: shape.positions(<G::Scalar as PrimeField>::NUM_BITS),
            base,
            position: 0,
            multiple: 0,
            point,
            last: point,
            power: point,
        }
    }

    fn next(&mut self) -> G {
        if self.multiple == self.shape.multiples() {
            self.step();
        }
        self.multiple += 1;
        if self.multiple == 1 {
            self.last = self.point;
            self.power = self.point;
        } else if self.multiple.is_power_of_two() {
            self.power = self.power.double();
            self.last = self.power;
        } else {
            self.last += self.point;
        }
        self.last
    }

    /// To the next position, or the next base.
    fn step(&mut self) {
        let doubled = self.multiple.ilog2();
        self.multiple = 0;
        self.position += 1;
        if self.position < self.positions {
            let spacing = self.shape.spacing();
            // Multiples that reach beyond the next position start from its predecessor.
            let (mut point, done) = if doubled <= spacing {
                (self.power, doubled)
            } else {
                (self.point, 0)
            };
            for _ in done..spacing {
                point = point.double();
            }
            self.point = point;
        } else {
            self.position = 0;
            self.base += 1;
            self.point = (self.bases)(self.base);
        }
    }
}

/// Writes the entries of the bases from `first` on, as many as there are entries for.
/// `projective` and `affine` are memory of the same length, not 0.
fn fill<G: Group>(
    bases: &impl Fn(usize) -> G,
    first: usize,
    shape: Shape,
    entries: &mut [G::Precomputed],
    (projective, affine): (&mut [G], &mut [G::Affine]),
) {
    if entries.is_empty() {
        return;
    }
    let mut walk = Walk::new(bases, first, shape);
    for block in entries.chunks_mut(projective.len().max(1)) {
        let mut count = 0;
        for slot in projective.iter_mut().take(block.len()) {
            *slot = walk.next();
            count += 1;
        }
        G::batch_normalize(&projective[..count], affine);
        for (entry, point) in block.iter_mut().zip(affine.iter()) {
            *entry = G::Precomputed::from(*point);
        }
    }
}

/// Writes the entries of the bases from `first` on, as many as there are entries for, without
/// a heap.
pub(super) fn rows<G: Group>(
    bases: &impl Fn(usize) -> G,
    first: usize,
    shape: Shape,
    entries: &mut [G::Precomputed],
) {
    let mut projective = [G::IDENTITY; STACK_BLOCK];
    let mut affine = [<G::Affine as Addend<G>>::IDENTITY; STACK_BLOCK];
    fill(bases, first, shape, entries, (&mut projective, &mut affine));
}

/// [`rows`] of the first `count` bases, cut into pieces of whole bases, each with a block on the heap.
#[cfg(feature = "alloc")]
pub(super) fn in_parallel<G: Group, E: Executor>(
    exec: &E,
    bases: &(impl Fn(usize) -> G + Sync),
    count: usize,
    shape: Shape,
    entries: &mut [G::Precomputed],
) {
    let row = shape.entries_a_base(<G::Scalar as PrimeField>::NUM_BITS);
    let piece = exec.chunk_len(count, 1).saturating_mul(row);
    exec.for_each_chunk(entries, piece, |start, entries| {
        let first = start / row;
        let len = HEAP_BLOCK.min(entries.len());
        let (mut projective, mut affine) = (alloc::vec::Vec::new(), alloc::vec::Vec::new());
        if projective.try_reserve_exact(len).is_err() || affine.try_reserve_exact(len).is_err() {
            return rows(bases, first, shape, entries);
        }
        projective.resize(len, G::IDENTITY);
        affine.resize(len, <G::Affine as Addend<G>>::IDENTITY);
        fill(bases, first, shape, entries, (&mut projective, &mut affine));
    });
}
