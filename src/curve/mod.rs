//! Groups: generic formulas ([`edwards`], [`weierstrass`]), and one file a curve that
//! holds its parameters, its encodings and its endomorphism.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use crate::field::PrimeField;

pub mod bandersnatch;
pub mod banderwagon;
mod batch_affine;
pub mod bls12_381_g1;
pub mod edwards;
mod endomorphic;
pub mod helios;
pub mod parity;
pub mod selene;
#[cfg(feature = "group")]
mod traits;
pub mod weierstrass;

pub(crate) use batch_affine::chord_at;
pub use batch_affine::{BatchAffine, Chord, Places};
pub use endomorphic::Endomorphic;

/// A commutative group of prime order, written additively. Every operation is right for
/// every pair of elements: equal, opposite, or the identity.
pub trait Group:
    Copy
    + Debug
    + Eq
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Send
    + Sync
    + 'static
{
    /// The integers modulo the group's order.
    type Scalar: PrimeField;
    /// An element in affine coordinates: what batches are normalised to.
    type Affine: Addend<Self>;
    /// The form that is fastest to add: what tables hold.
    type Precomputed: Addend<Self> + From<Self::Affine> + Into<Self::Affine>;

    /// The neutral element.
    const IDENTITY: Self;

    /// 2P.
    #[must_use]
    fn double(&self) -> Self;

    /// Whether it is the neutral element.
    fn is_identity(&self) -> bool {
        *self == Self::IDENTITY
    }

    /// Normalises `points` into `out`, one inversion for all and a few products a point.
    /// Works on the first `min(points.len(), out.len())` elements.
    fn batch_normalize(points: &[Self], out: &mut [Self::Affine]);
}

/// An element in a form that can only be added to another or subtracted from it.
pub trait Addend<G>: Copy + Debug + Send + Sync + 'static {
    /// The neutral element.
    const IDENTITY: Self;

    /// The element alone: what [`add_to`](Self::add_to) the neutral element gives, for less.
    fn to_group(&self) -> G
    where
        G: Group,
    {
        self.add_to(&G::IDENTITY)
    }
    /// `acc + self`.
    fn add_to(&self, acc: &G) -> G;
    /// `acc − self`.
    fn sub_from(&self, acc: &G) -> G;

    /// [`add_to`](Self::add_to) in place: what sums of many elements call.
    fn add_assign_to(&self, acc: &mut G) {
        *acc = self.add_to(acc);
    }
    /// [`sub_from`](Self::sub_from) in place.
    fn sub_assign_from(&self, acc: &mut G) {
        *acc = self.sub_from(acc);
    }
}

/// `[k]P` for the canonical encoding of k, by doubling and adding. Public scalars only; the
/// plain form that faster ones are tested against.
pub fn mul_vartime<G: Group>(point: &G, scalar: &G::Scalar) -> G {
    let repr = scalar.to_repr();
    let bytes = repr.as_ref();
    let mut acc = G::IDENTITY;
    for byte in bytes.iter().rev() {
        for bit in (0..8).rev() {
            acc = acc.double();
            if (byte >> bit) & 1 == 1 {
                acc += *point;
            }
        }
    }
    acc
}
