//! The form that allocates, with an executor.

use alloc::vec;
use alloc::vec::Vec;

use super::plan::{Plan, plan};
use super::{MsmError, ScalarRepr, begin, digits, pippenger, straus, straus_with_window};
use crate::curve::{Addend, Endomorphic, Group};
use crate::exec::Executor;
use crate::field::{PrimeField, Repr};

/// Points in a piece of Straus's way, at least: its doublings are as much as 6 of them.
const STRAUS_PIECE: usize = 16;

/// Elements that are converted in a piece, at least.
const CONVERT_PIECE: usize = 256;

/// Σ scalars\[i\]·points\[i\], on the threads of `exec`; the identity for none. The value is
/// the same whatever the executor.
///
/// Public input only. Memory: an encoding and a precomputed point for each point, and for
/// each thread at most [`scratch_len`](super::scratch_len)(n) elements; for many points that
/// is about n/4.
///
/// # Errors
/// Lengths that differ.
pub fn msm_with<G: Endomorphic, P, E: Executor>(
    exec: &E,
    points: &[P],
    scalars: &[G::Scalar],
) -> Result<G, MsmError>
where
    P: Addend<G> + Into<G::Precomputed>,
{
    if points.len() != scalars.len() {
        return Err(MsmError::Length {
            points: points.len(),
            scalars: scalars.len(),
        });
    }
    let mut reprs = vec![<ScalarRepr<G> as Repr>::ZERO; scalars.len()];
    convert(exec, scalars, &mut reprs, |k| k.to_repr());
    // Each point is added once a window: better to bring it into its best form once.
    let mut addends = vec![<G::Precomputed as Addend<G>>::IDENTITY; points.len()];
    convert(exec, points, &mut addends, |p| (*p).into());
    msm_canonical_with(exec, &addends, &reprs)
}

/// [`msm_vartime`](super::msm_vartime) on the threads of `exec`, with memory of its own for
/// each thread: at most [`scratch_len`](super::scratch_len)(n) elements.
///
/// # Errors
/// Lengths that differ.
pub fn msm_canonical_with<G: Endomorphic, P: Addend<G>, E: Executor>(
    exec: &E,
    points: &[P],
    scalars: &[ScalarRepr<G>],
) -> Result<G, MsmError> {
    let bits = begin::<G, _>(points, scalars)?;
    match plan(points.len(), bits, G::HALF_BITS, usize::MAX) {
        Plan::Nothing => Ok(G::IDENTITY),
        Plan::Straus(window) => by_points(exec, points, scalars, window),
        Plan::Pippenger(window) => Ok(by_windows(exec, points, scalars, bits, window)),
    }
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
    let wanted = match exec.parallelism() {
        0 | 1 => 1,
        threads => threads.saturating_mul(4),
    };
    // A part of fewer points than two a bucket would be more work for its buckets than for its points.
    let most = (points.len() >> window).max(1);
    let parts = wanted.div_ceil(windows).min(most);
    let part = points.len().div_ceil(parts);
    let parts = points.len().div_ceil(part);
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
