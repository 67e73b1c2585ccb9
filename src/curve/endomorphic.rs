//! Groups with a fast endomorphism.

use super::Group;
use crate::field::PrimeField;
use crate::field::lattice::Half;

/// A group that may have an endomorphism φ = \[λ\], faster than a multiplication by λ, so
/// that scalars can be split into halves: \[k\]P = \[k₁\]P + \[k₂\]φ(P) (Gallant, Lambert,
/// Vanstone 2001).
pub trait Endomorphic: Group {
    /// Bits of the halves, at most 126; none if there is no endomorphism, and then nobody asks for it.
    const HALF_BITS: Option<u32> = None;

    /// φ(P).
    #[must_use]
    fn endomorphism(&self) -> Self {
        *self
    }

    /// k₁ and k₂ with k₁ + k₂·λ = k for any little-endian number k, each below 2^HALF_BITS in
    /// absolute value: sums rely on it.
    fn split(scalar: &<Self::Scalar as PrimeField>::Repr) -> [Half; 2] {
        let _ = scalar;
        [Half::ZERO; 2]
    }
}
