//! The form that allocates, with an executor.

use alloc::vec;
use alloc::vec::Vec;

use super::batch::{self, Cut};
use super::plan::{Plan, plan};
use super::{MsmError, ScalarRepr, begin, digits, limits, pippenger, straus, straus_with_window};
use crate::curve::{Addend, BatchAffine, Endomorphic, Group};
use crate::exec::Executor;
use crate::field::{PrimeField, Repr};

/// Points in a piece of Straus's way, at least: its doublings are as much as 6 of them.
const STRAUS_PIECE: usize = 16;

/// Elements that are converted in a piece, at least.
const CONVERT_PIECE: usize = 256;

/// Σ scalars\[i\]·points\[i\], on the threads of `exec`; the identity for none. The value is
/// the same whatever the executor.
///
/// Public input only. Memory: an encoding for each scalar, and what
/// [`msm_canonical_with`] needs.
///
/// # Errors
/// Lengths that differ.
pub fn msm_with<G: BatchAffine, P, E: Executor>(
    exec: &E,
    points: &[P],
    scalars: &[G::Scalar],
) -> Result<G, MsmError>
where
    P: Addend<G> + Into<G::Affine>,
{
    if points.len() != scalars.len() {
        return Err(MsmError::Length {
            points: points.len(),
            scalars: scalars.len(),
        });
    }
    let mut reprs = vec![<ScalarRepr<G> as Repr>::ZERO; scalars.len()];
    convert(exec, scalars, &mut reprs, |k| k.to_repr());
    msm_canonical_with(exec, points, &reprs)
}

/// [`msm_vartime`](super::msm_vartime) on the threads of `exec`. Memory: the points in another form,
/// at most n elements, and for each thread tables or buckets: about 2000 elements for some hundred
/// points, and n/8 to n/4 for many.
///
/// # Errors
/// Lengths that differ.
pub fn msm_canonical_with<G: BatchAffine, P: Addend<G> + Into<G::Affine>, E: Executor>(
    exec: &E,
    points: &[P],
    scalars: &[ScalarRepr<G>],
) -> Result<G, MsmError> {
    let bits = begin::<G, _>(points, scalars)?;
    match plan(points.len(), &limits::<G>(bits, usize::MAX)) {
        Plan::Nothing => Ok(G::IDENTITY),
        Plan::Straus(window) => by_points(exec, points, scalars, window),
        Plan::Pippenger(window) => Ok(by_windows(exec, points, scalars, bits, window)),
        Plan::Affine(cut) => Ok(by_groups(exec, points, scalars, bits, cut)),
    }
}

/// Into how many parts points are cut for `pieces` pieces of work: so many that a part has
/// still points for `buckets` buckets. (With fewer than two a bucket it would be more work for
/// its buckets than for its points.)
fn parts(exec: &impl Executor, points: usize, pieces: usize, buckets: usize) -> usize {
    let wanted = match exec.parallelism() {
        0 | 1 => 1,
        threads => threads.saturating_mul(4),
    };
    let most = points / buckets.saturating_mul(2).max(1);
    let parts = wanted.div_ceil(pieces).clamp(1, most.max(1));
    points.div_ceil(points.div_ceil(parts))
}

/// Pieces are groups of windows, of all points or of parts of them.
fn by_groups<G: BatchAffine, P: Addend<G> + Into<G::Affine>, E: Executor>(
    exec: &E,
    points: &[P],
    scalars: &[ScalarRepr<G>],
    bits: u32,
    cut: Cut,
) -> G {
    let halves = cut.halves && G::HALF_BITS.is_some();
    let mut store = vec![G::EMPTY; batch::store_len(points.len(), halves, G::COUNT)];
    // Points for a whole number of cells.
    let chunk = exec.chunk_len(store.len(), CONVERT_PIECE);
    let per_cell = if halves { 1 } else { G::COUNT };
    exec.for_each_chunk(&mut store, chunk, |first, cells| {
        let points = points.get(first * per_cell..).unwrap_or_default();
        G::to_chords(points, cells, halves);
    });
    let windows = batch::windows::<G>(bits, &cut);
    let count = windows.count() as usize;
    let sum = batch::Sum {
        store: &store,
        scalars,
        windows,
        halves,
    };
    let group = (cut.group as usize).clamp(1, count.div_ceil(exec.parallelism().max(1)));
    let groups = count.div_ceil(group);
    let block = batch::buckets(&windows);
    let parts = parts(exec, points.len(), groups, block);
    let part = points.len().div_ceil(parts);
    // Each part has places for whole groups.
    let mut sums: Vec<G> = vec![G::IDENTITY; parts * groups * group];
    let piece = exec.chunk_len(parts * groups, 1) * group;
    exec.for_each_chunk(&mut sums, piece, |first, sums| {
        let mut cells = vec![G::EMPTY; group * block];
        for (place, sums) in (first / group..).zip(sums.chunks_mut(group)) {
            let (j, first) = (place / groups, place % groups * group);
            let range = j * part..((j + 1) * part).min(points.len());
            let sums = &mut sums[..group.min(count - first)];
            let cells = &mut cells[..sums.len() * block];
            sum.of_windows(first as u32, range, cells, sums);
        }
    });
    let of_windows: Vec<G> = (0..count)
        .map(|i| sums.iter().skip(i).step_by(groups * group))
        .map(|parts| parts.fold(G::IDENTITY, |acc, part| acc + *part))
        .collect();
    batch::combine(&windows, 0, G::IDENTITY, &of_windows)
}

fn convert<A: Sync, B: Send, E: Executor>(
    exec: &E,
    from: &[A],
    to: &mut [B],
    one: impl Fn(&A) -> B + Sync,
) {
    let piece = exec.chunk_len(from.len(), CONVERT_PIECE);
    exec.for_each_chunk(to, piece, |first, piece| {
        for (slot, value) in piece.iter_mut().zip(from.iter().skip(first)) {
            *slot = one(value);
        }
    });
}

/// The sum of the sums of pieces of points.
fn by_points<G: Endomorphic, P: Addend<G>, E: Executor>(
    exec: &E,
    points: &[P],
    reprs: &[ScalarRepr<G>],
    window: u32,
) -> Result<G, MsmError> {
    let len = points.len();
    let piece = len.div_ceil(exec.parallelism().max(1)).max(STRAUS_PIECE);
    let mut sums = vec![Ok(G::IDENTITY); len.div_ceil(piece)];
    exec.for_each_chunk(&mut sums, 1, |i, slots| {
        let (start, end) = (i * piece, ((i + 1) * piece).min(len));
        let (points, reprs) = (&points[start..end], &reprs[start..end]);
        for slot in slots {
            let mut table = vec![G::IDENTITY; straus::table_len::<G>(points.len(), window)];
            *slot = straus_with_window(points, reprs, window, &mut table);
        }
    });
    sums.into_iter()
        .try_fold(G::IDENTITY, |acc, sum| Ok(acc + sum?))
}

/// Pieces are windows, of all points as long as there are windows enough for the threads, or
/// else of parts of the points.
fn by_windows<G: Group, P: Addend<G>, E: Executor>(
    exec: &E,
    points: &[P],
    reprs: &[ScalarRepr<G>],
    bits: u32,
    window: u32,
) -> G {
    let windows = digits::count(bits, window) as usize;
    let parts = parts(exec, points.len(), windows, 1 << (window - 1));
    let part = points.len().div_ceil(parts);
    // Place i·parts + j is for window i and part j.
    let mut sums: Vec<G> = vec![G::IDENTITY; windows * parts];
    let piece = exec.chunk_len(sums.len(), 1);
    exec.for_each_chunk(&mut sums, piece, |first, slots| {
        let mut buckets = vec![G::IDENTITY; 1 << (window - 1)];
        for (place, slot) in (first..).zip(slots) {
            let (index, j) = ((place / parts) as u32, place % parts);
            let range = j * part..((j + 1) * part).min(points.len());
            *slot = pippenger::one_window(
                &points[range.clone()],
                &reprs[range],
                index,
                window,
                &mut buckets,
            );
        }
    });
    let of_windows = sums
        .chunks_exact(parts)
        .map(|parts| parts.iter().fold(G::IDENTITY, |acc, part| acc + *part));
    pippenger::combine(window, of_windows.rev())
}
