//! Prime fields: one generic Montgomery field ([`Montgomery`]), and one small file a field
//! that holds its parameters and nothing else.
//!
//! | field | type | where it stands |
//! |---|---|---|
//! | BLS12-381's scalars, 255 bits | [`bls12_381_scalar::Fq`] | Bandersnatch's coordinates; KZG's polynomials |
//! | Bandersnatch's scalars, 253 bits | [`bandersnatch_scalar::Fr`] | Verkle's polynomials and proofs |
//! | BLS12-381's coordinates, 381 bits | [`bls12_381_base::Fp`] | KZG's points |
//! | 2^255 − 19 | [`ed25519_base::F25519`] | Ed25519's and Selene's coordinates, Helios's scalars |
//! | Helioselene's prime, 255 bits | [`helioselene::FHelioselene`] | Helios's coordinates, Selene's scalars |
//! | Ed25519's scalars, 253 bits | [`ed25519_scalar::Scalar25519`] | Ed25519's scalars |

use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};

pub mod bandersnatch_scalar;
pub mod batch;
pub mod bls12_381_base;
pub mod bls12_381_scalar;
pub mod ed25519_base;
pub mod ed25519_scalar;
pub mod helioselene;
pub mod lanes;
pub mod lattice;
mod montgomery;
mod repr;
#[cfg(all(feature = "alloc", feature = "verkle"))]
pub(crate) mod split_sum;
mod sqrt;
pub mod sqrt_ratio;
#[cfg(all(test, feature = "ff"))]
pub(crate) mod test_random;
#[cfg(feature = "ff")]
pub mod traits;

pub use lanes::{FieldLanes, LooseLanes};
pub use lightproof_arch::Modulus;
pub use montgomery::{LazySum, Loose, Montgomery, Params};
pub use repr::Repr;

/// What the group formulas need of their coordinates. A field element has it, and so has a
/// vector of field elements side by side (see [`lightproof_arch::lanes`]).
pub trait Ring:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// A sum whose reduction is left out, since it is only multiplied: a factor of
    /// [`mul_loose`](Self::mul_loose) and of nothing else.
    type Loose: Copy;

    /// a².
    #[must_use]
    fn square(&self) -> Self;
    /// 2a.
    #[must_use]
    fn double(&self) -> Self;
    /// a + b, not reduced.
    #[must_use]
    fn add_loose(self, other: Self) -> Self::Loose;
    /// a − b, not reduced.
    #[must_use]
    fn sub_loose(self, other: Self) -> Self::Loose;
    /// a·b for a loose b.
    #[must_use]
    fn mul_loose(self, other: &Self::Loose) -> Self;
}

/// A field.
pub trait Field: Ring + Eq + Default + Send + Sync + 'static {
    /// The neutral element of addition.
    const ZERO: Self;
    /// The neutral element of multiplication.
    const ONE: Self;

    /// Whether it is zero.
    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }
    /// 1/a, or none for zero. Its time depends on the value: for public values.
    fn invert_vartime(&self) -> Option<Self>;
}

/// A field of prime order whose elements have a canonical little-endian encoding.
pub trait PrimeField: Field + From<u64> {
    /// Bits of the order.
    const NUM_BITS: u32;
    /// The canonical encoding: the number below the order in little-endian bytes.
    type Repr: Repr;

    /// The canonical encoding.
    fn to_repr(&self) -> Self::Repr;
    /// Decodes a canonical encoding; none for a number that is not below the order.
    fn from_repr(repr: &Self::Repr) -> Option<Self>;
}
