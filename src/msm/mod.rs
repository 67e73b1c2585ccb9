//! Multi-scalar multiplication Σ kᵢ·Pᵢ of public points and scalars, over any [`Group`].
//!
//! - [`msm_vartime`]: no heap, the caller lends scratch memory.
//! - [`msm_with`] (`alloc`): allocates it, and uses threads.
//!
//! Few points: Straus (1964), a small table of odd multiples for each point and one chain of
//! doublings for all, of half the length where the group is
//! [`Endomorphic`]. Many: Pippenger's buckets (1976, in the form of Bernstein, Doumen,
//! Lange, Oosterwijk 2012), with signed digits: in affine coordinates, where many additions
//! share an inversion ([`BatchAffine`]), if there is memory for the points in that form, else
//! in the group's own. Measured on Banderwagon the affine form takes 0.7 to 0.8 of the time.
//!
//! Equal, opposite and identity points are right in any number and anywhere: additions in the
//! group's own coordinates are complete, and affine ones look at each case.
//!
//! For fixed bases see [`table`](crate::table).

use crate::curve::{Addend, BatchAffine, Endomorphic, Group, Places};
use crate::field::PrimeField;

mod batch;
pub(crate) mod digits;
#[cfg(feature = "alloc")]
mod parallel;
mod pippenger;
mod plan;
mod straus;

pub use batch::Cut;
#[cfg(feature = "alloc")]
pub use parallel::{msm_canonical_with, msm_with};
pub use plan::{MIN_SCRATCH, scratch_len, scratch_len_in_place};

/// The canonical encoding of `G`'s scalars.
pub type ScalarRepr<G> = <<G as Group>::Scalar as PrimeField>::Repr;

/// Why a multi-scalar multiplication was not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MsmError {
    /// There are more points than scalars, or fewer.
    Length {
        /// Points given.
        points: usize,
        /// Scalars given.
        scalars: usize,
    },
    /// The scratch memory is too short.
    Scratch {
        /// Elements needed.
        needed: usize,
        /// Elements given.
        given: usize,
    },
    /// More points than a cut in affine coordinates can number.
    TooMany {
        /// Points that it can.
        max: usize,
        /// Points given.
        given: usize,
    },
    /// No such window size.
    Window {
        /// The largest window; the smallest is 1.
        max: u32,
        /// The window given.
        given: u32,
    },
}

impl core::fmt::Display for MsmError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Length { points, scalars } => {
                write!(f, "{points} points but {scalars} scalars")
            }
            Self::Scratch { needed, given } => write!(
                f,
                "scratch memory of {needed} elements is needed, {given} were given"
            ),
            Self::TooMany { max, given } => {
                write!(f, "{given} points, of which at most {max} can be numbered")
            }
            Self::Window { max, given } => {
                write!(f, "a window has 1 to {max} bits, not {given}")
            }
        }
    }
}

impl core::error::Error for MsmError {}

/// Σ scalars\[i\]·points\[i\]; the identity for none.
///
/// Scalars are little-endian. Any value of the encoding's length may stand there: one that
/// is not below the order counts as its remainder modulo the order.
///
/// `buckets` is scratch memory of any length from [`MIN_SCRATCH`] on; its contents before do
/// not matter, and are worthless afterwards. [`scratch_len`] tells the length that is
/// fastest; a longer one is not slower. Where it has no room for the points in affine form,
/// points of type `G::Precomputed` are the fastest.
///
/// Time depends on the values: public input only. No heap; about 4 KiB of stack.
/// Complexity: about b/c·(n + 2^c) additions and b doublings for scalars of b bits, where the
/// window c is about log2(n) − 2; b is the length of the longest scalar that is given, or
/// half of it and n twice as many where scalars are split.
///
/// # Errors
/// Lengths that differ, too little scratch memory.
pub fn msm_vartime<G: BatchAffine, P: Addend<G> + Into<G::Affine>>(
    points: &[P],
    scalars: &[ScalarRepr<G>],
    buckets: &mut [G],
) -> Result<G, MsmError> {
    let bits = begin::<G, P>(points, scalars)?;
    match plan::plan(points.len(), &limits::<G>(bits, buckets.len())) {
        plan::Plan::Nothing => Ok(G::IDENTITY),
        plan::Plan::Straus(window) => straus_with_window(points, scalars, window, buckets),
        plan::Plan::Pippenger(window) => pippenger_with_window(points, scalars, window, buckets),
        plan::Plan::Affine(cut) => batch_affine_with_cut(points, scalars, cut, buckets),
    }
}

/// As [`msm_vartime`], where the points are also lent and worthless afterwards: the fastest form
/// of many points then takes no further memory. [`scratch_len_in_place`] tells the length of
/// `buckets` that is fastest.
///
/// # Errors
/// As there.
pub fn msm_in_place_vartime<G: BatchAffine>(
    points: &mut [G::Precomputed],
    scalars: &[ScalarRepr<G>],
    buckets: &mut [G],
) -> Result<G, MsmError> {
    let bits = begin::<G, _>(points, scalars)?;
    let limits = limits::<G>(bits, buckets.len());
    let Some(cut) = plan::plan_in_place(points.len(), &limits) else {
        return msm_vartime(points, scalars, buckets);
    };
    G::to_chords_in_place(points);
    affine(points, scalars, bits, cut, buckets)
}

/// The sum over a store of points, with buckets at the start of `cells`.
fn affine<G: BatchAffine, S: Places<G::Base>>(
    store: &[S],
    scalars: &[ScalarRepr<G>],
    bits: u32,
    cut: Cut,
    cells: &mut [G],
) -> Result<G, MsmError> {
    let windows = batch::windows::<G>(bits, &cut);
    let group = batch::group(&cut, &windows);
    let cells = take_scratch(cells, group as usize * batch::buckets(&windows))?;
    let halves = cut.halves;
    let sum = batch::Sum {
        store,
        scalars,
        windows,
        halves,
    };
    Ok(sum.total(group, cells))
}

/// What a plan depends on.
const fn limits<G: BatchAffine>(bits: u32, scratch: usize) -> plan::Limits {
    plan::Limits {
        bits,
        halves: G::HALF_BITS,
        places: Some(G::COUNT),
        scratch,
    }
}

/// [`msm_vartime`] by Pippenger's buckets with windows of `window` bits, 1 to 20: needs
/// 2^(window − 1) elements of scratch memory. For tests and benches.
///
/// # Errors
/// Lengths that differ, a window out of range, too little scratch memory.
pub fn pippenger_with_window<G: Group, P: Addend<G>>(
    points: &[P],
    scalars: &[ScalarRepr<G>],
    window: u32,
    buckets: &mut [G],
) -> Result<G, MsmError> {
    let bits = begin::<G, P>(points, scalars)?;
    check_window(window, digits::MAX_WINDOW)?;
    let buckets = take_scratch(buckets, 1 << (window - 1))?;
    Ok(pippenger::all_windows(
        points, scalars, bits, window, buckets,
    ))
}

/// [`msm_vartime`] by buckets in affine coordinates. For tests and benches; what a cut says
/// beyond the group's and the scalars' limits counts as the limit.
///
/// # Errors
/// Lengths that differ, too little scratch memory, more than 2^30 points.
pub fn batch_affine_with_cut<G: BatchAffine, P: Addend<G> + Into<G::Affine>>(
    points: &[P],
    scalars: &[ScalarRepr<G>],
    cut: Cut,
    scratch: &mut [G],
) -> Result<G, MsmError> {
    let bits = begin::<G, P>(points, scalars)?;
    let halves = cut.halves && G::HALF_BITS.is_some();
    let cut = Cut { halves, ..cut };
    if points.len() > batch::MAX_POINTS {
        return Err(MsmError::TooMany {
            max: batch::MAX_POINTS,
            given: points.len(),
        });
    }
    let store = batch::store_len(points.len(), halves, G::COUNT);
    let windows = batch::windows::<G>(bits, &cut);
    let cells = batch::group(&cut, &windows) as usize * batch::buckets(&windows);
    let scratch = take_scratch(scratch, store.saturating_add(cells))?;
    let (store, cells) = scratch.split_at_mut(store);
    G::to_chords(points, store, halves);
    affine(store, scalars, bits, cut, cells)
}

/// [`msm_vartime`] by Straus's way with windows of `window` bits, 1 to 8: needs
/// points.len()·2^(window − 2) elements of scratch memory (a window of 1 as many as 2), and
/// twice as many in a group with an endomorphism. For tests and benches.
///
/// # Errors
/// Lengths that differ, a window out of range, too little scratch memory.
pub fn straus_with_window<G: Endomorphic, P: Addend<G>>(
    points: &[P],
    scalars: &[ScalarRepr<G>],
    window: u32,
    scratch: &mut [G],
) -> Result<G, MsmError> {
    let bits = begin::<G, P>(points, scalars)?;
    check_window(window, straus::MAX_WINDOW)?;
    let table = take_scratch(scratch, straus::table_len::<G>(points.len(), window))?;
    Ok(straus::sum(points, scalars, bits, window, table))
}

/// Checks the lengths; gives the bits of the longest scalar.
fn begin<G: Group, P>(points: &[P], scalars: &[ScalarRepr<G>]) -> Result<u32, MsmError> {
    if points.len() != scalars.len() {
        return Err(MsmError::Length {
            points: points.len(),
            scalars: scalars.len(),
        });
    }
    let lengths = scalars.iter().map(|k| digits::bit_length(k.as_ref()));
    Ok(lengths.max().unwrap_or(0))
}

fn check_window(given: u32, max: u32) -> Result<(), MsmError> {
    if (1..=max).contains(&given) {
        Ok(())
    } else {
        Err(MsmError::Window { max, given })
    }
}

fn take_scratch<G>(scratch: &mut [G], needed: usize) -> Result<&mut [G], MsmError> {
    let given = scratch.len();
    scratch
        .get_mut(..needed)
        .ok_or(MsmError::Scratch { needed, given })
}
