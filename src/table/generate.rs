//! Filling a table with multiples.

use crate::curve::{Addend, Group};
#[cfg(feature = "alloc")]
use crate::exec::Executor;

/// Multiples that share an inversion: their two forms take less than 4 KiB of stack.
const BLOCK: usize = 16;

/// Writes the rows of `bases`, each of 2^(window − 1) multiples.
pub(super) fn rows<G: Group>(bases: &[G::Affine], window: u32, entries: &mut [G::Precomputed]) {
    for (row, base) in entries.chunks_exact_mut(1 << (window - 1)).zip(bases) {
        multiples::<G>(base, row);
    }
}

/// Writes 1·B, 2·B, … into `row`.
fn multiples<G: Group>(base: &G::Affine, row: &mut [G::Precomputed]) {
    let mut projective = [G::IDENTITY; BLOCK];
    let mut affine = [<G::Affine as Addend<G>>::IDENTITY; BLOCK];
    let base = G::Precomputed::from(*base);
    let mut last = G::IDENTITY;
    for block in row.chunks_mut(BLOCK) {
        // Places beyond a last block that is shorter are computed in vain, at most 15 in all.
        for slot in &mut projective {
            last = base.add_to(&last);
            *slot = last;
        }
        G::batch_normalize(&projective, &mut affine);
        for (entry, point) in block.iter_mut().zip(&affine) {
            *entry = G::Precomputed::from(*point);
        }
    }
}

/// [`rows`], cut into pieces of whole rows.
#[cfg(feature = "alloc")]
pub(super) fn in_parallel<G: Group, E: Executor>(
    exec: &E,
    bases: &[G::Affine],
    window: u32,
    entries: &mut [G::Precomputed],
) {
    let row_len = 1usize << (window - 1);
    let rows_a_piece = exec.chunk_len(bases.len(), 1);
    exec.for_each_chunk(
        entries,
        rows_a_piece.saturating_mul(row_len),
        |first, piece| {
            if let Some(bases) = bases.get(first / row_len..) {
                rows::<G>(bases, window, piece);
            }
        },
    );
}
