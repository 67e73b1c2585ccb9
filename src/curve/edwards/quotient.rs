//! The prime-order group of a twisted Edwards curve's points modulo (0, −1).
//!
//! Elements are points of the prime subgroup and of its coset by (0, −1), with (x, y) and
//! (−x, −y) = (x, y) + (0, −1) taken as one element. (0, −1) is so the identity, y is never
//! zero (such points have order four), and two points are the same element when their x/y are.

use core::iter::Sum;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use super::{Extended, Params, Point};
use crate::curve::{Addend, Group};
use crate::field::{Field, PrimeField};

/// A curve whose group this is: the subgroup has prime order, and no addition of elements
/// meets a zero denominator.
pub trait Quotient: Params {
    /// The integers modulo the order of the group.
    type Scalar: PrimeField;
    /// The form that is fastest to add.
    type Precomputed: Addend<Element<Self>> + From<Affine<Self>> + Into<Affine<Self>>;
}

/// A group element in extended coordinates, 4 field elements.
#[derive(Clone, Copy, Debug)]
pub struct Element<C: Params>(pub(in crate::curve) Point<C>);

/// A group element in affine coordinates, 2 field elements. Either of its two representatives.
#[derive(Clone, Copy, Debug)]
pub struct Affine<C: Params> {
    pub(in crate::curve) x: C::Base,
    pub(in crate::curve) y: C::Base,
}

impl<C: Params> Affine<C> {
    /// The identity, (0, 1).
    pub const IDENTITY: Self = Self {
        x: C::Base::ZERO,
        y: C::Base::ONE,
    };

    /// From coordinates known to be in the group: for constants and checked tables only.
    pub(crate) const fn from_xy_unchecked(x: C::Base, y: C::Base) -> Self {
        Self { x, y }
    }

    /// The affine coordinates of the representative that is kept.
    pub const fn coordinates(&self) -> (C::Base, C::Base) {
        (self.x, self.y)
    }
}

impl<C: Params> Element<C> {
    /// The identity.
    pub const IDENTITY: Self = Self(Point::IDENTITY);

    /// Affine coordinates; one inversion. Public values only.
    pub fn to_affine(&self) -> Affine<C> {
        let p = &self.0.0;
        // z is not zero for any group element.
        let inverse = p.z.invert_vartime().unwrap_or(C::Base::ZERO);
        Affine {
            x: p.x * inverse,
            y: p.y * inverse,
        }
    }
}

impl<C: Params> PartialEq for Affine<C> {
    fn eq(&self, other: &Self) -> bool {
        self.x * other.y == other.x * self.y
    }
}

impl<C: Params> Eq for Affine<C> {}

impl<C: Params> PartialEq for Element<C> {
    /// x₁·y₂ = x₂·y₁: the same for both representatives, and Z cancels.
    fn eq(&self, other: &Self) -> bool {
        let (p, q) = (&self.0.0, &other.0.0);
        p.x * q.y == q.x * p.y
    }
}

impl<C: Params> Eq for Element<C> {}

impl<C: Params> Default for Affine<C> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<C: Params> Default for Element<C> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<C: Params> From<Affine<C>> for Element<C> {
    #[inline]
    fn from(p: Affine<C>) -> Self {
        Self(Point(Extended {
            x: p.x,
            y: p.y,
            t: p.x * p.y,
            z: C::Base::ONE,
        }))
    }
}

impl<C: Params> From<Element<C>> for Affine<C> {
    fn from(p: Element<C>) -> Self {
        p.to_affine()
    }
}

impl<C: Quotient> Group for Element<C> {
    type Scalar = C::Scalar;
    type Affine = Affine<C>;
    type Precomputed = C::Precomputed;
    const IDENTITY: Self = Self::IDENTITY;

    #[inline]
    fn double(&self) -> Self {
        Self(self.0.double())
    }

    #[inline]
    fn is_identity(&self) -> bool {
        self.0.0.x.is_zero()
    }

    fn batch_normalize(points: &[Self], out: &mut [Affine<C>]) {
        // out[i].x holds the product of the z before i until the way back.
        let mut product = C::Base::ONE;
        for (slot, point) in out.iter_mut().zip(points) {
            slot.x = product;
            product = product * point.0.0.z;
        }
        let mut inverse = product.invert_vartime().unwrap_or(C::Base::ZERO);
        let count = points.len().min(out.len());
        for (slot, point) in out.iter_mut().zip(points).take(count).rev() {
            let p = &point.0.0;
            let z_inverse = inverse * slot.x;
            inverse = inverse * p.z;
            *slot = Affine {
                x: p.x * z_inverse,
                y: p.y * z_inverse,
            };
        }
    }
}

impl<C: Quotient> Addend<Element<C>> for Affine<C> {
    const IDENTITY: Self = Self::IDENTITY;
    #[inline]
    fn to_group(&self) -> Element<C> {
        (*self).into()
    }
    #[inline]
    fn add_to(&self, acc: &Element<C>) -> Element<C> {
        C::Precomputed::from(*self).add_to(acc)
    }
    #[inline]
    fn sub_from(&self, acc: &Element<C>) -> Element<C> {
        C::Precomputed::from(*self).sub_from(acc)
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<C: Params> $op for Element<C> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self($op::$method(self.0, other.0))
            }
        }
        impl<C: Params> $assign for Element<C> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = $op::$method(*self, other);
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
}

impl<C: Params> Neg for Element<C> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<C: Params> Neg for Affine<C> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self {
            x: -self.x,
            y: self.y,
        }
    }
}

impl<C: Params> Sum for Element<C> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::IDENTITY, Add::add)
    }
}
