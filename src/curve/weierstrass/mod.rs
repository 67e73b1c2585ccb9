//! Short Weierstrass curves y² = x³ + a·x + b in homogeneous projective coordinates
//! (x = X/Z, y = Y/Z), for a = 0 and a = −3.
//!
//! The formulas are the complete ones of Renes, Costello and Batina (2016), which are right
//! for every pair of points of a curve without a point of order two: equal, opposite, or the
//! identity (0 : 1 : 0). A curve file says why its curve has no such point. Both forms of a
//! share one body: with
//!
//! - s = a·(X₁Z₂ + X₂Z₁) + 3b·Z₁Z₂,
//! - u = 3·X₁X₂ + a·Z₁Z₂,
//! - w = a·X₁X₂ + 3b·(X₁Z₂ + X₂Z₁) − a²·Z₁Z₂,
//!
//! the sum is
//!
//! - X₃ = (X₁Y₂ + X₂Y₁)(Y₁Y₂ − s) − (Y₁Z₂ + Y₂Z₁)·w,
//! - Y₃ = (Y₁Y₂ − s)(Y₁Y₂ + s) + u·w,
//! - Z₃ = (Y₁Z₂ + Y₂Z₁)(Y₁Y₂ + s) + (X₁Y₂ + X₂Y₁)·u,
//!
//! and a decides only how s, u and w are computed ([`A`]).

use core::hash::{Hash, Hasher};
use core::iter::Sum;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::{Addend, Endomorphic, Group};
use crate::field::{self, Field, Montgomery, PrimeField, Ring};

mod batch_affine;
mod error;

pub use error::DecodeError;

/// The coefficient a of a curve: the two values that have short formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum A {
    /// a = 0.
    Zero,
    /// a = −3.
    MinusThree,
}

/// The parameters of a short Weierstrass curve with b ≠ 0 and no point of order two.
pub trait Params: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// The field of coordinates.
    type Base: PrimeField;
    /// The integers modulo the order of the group.
    type Scalar: PrimeField;
    /// a.
    const A: A;
    /// b.
    const B: Self::Base;
    /// The group's generator.
    const GENERATOR: (Self::Base, Self::Base);

    /// b·x: one product, or less for a small b.
    #[inline(always)]
    fn mul_by_b<R: Ring + From<Self::Base>>(x: R) -> R {
        x * R::from(Self::B)
    }
}

/// Projective coordinates (X : Y : Z) of a point, over field elements or lanes of them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Projective<R> {
    pub x: R,
    pub y: R,
    pub z: R,
}

/// The group law over coordinates `R`.
#[derive(Clone, Copy, Debug)]
pub struct Law<C, R>(PhantomData<(C, R)>);

impl<C: Params, R: Ring + From<C::Base>> Law<C, R> {
    /// P + Q: 12 products and two by b.
    #[inline(always)]
    pub fn add(p: &Projective<R>, q: &Projective<R>) -> Projective<R> {
        let xx = p.x * q.x;
        let yy = p.y * q.y;
        let zz = p.z * q.z;
        let xy = ((p.x + p.y).mul_loose(&q.x.add_loose(q.y)) - xx).sub_loose(yy);
        let yz = (p.y + p.z).mul_loose(&q.y.add_loose(q.z)) - yy - zz;
        let xz = (p.x + p.z).mul_loose(&q.x.add_loose(q.z)) - xx - zz;
        Self::finish(xx, yy, zz, &xy, yz, xz)
    }

    /// P + Q for an affine Q, which is so not the identity: 11 products and two by b.
    #[inline(always)]
    pub fn add_mixed(p: &Projective<R>, (qx, qy): &(R, R)) -> Projective<R> {
        let xx = p.x * *qx;
        let yy = p.y * *qy;
        let xy = ((p.x + p.y).mul_loose(&qx.add_loose(*qy)) - xx).sub_loose(yy);
        let yz = p.z * *qy + p.y;
        let xz = p.z * *qx + p.x;
        Self::finish(xx, yy, p.z, &xy, yz, xz)
    }

    /// The common rest of the additions, from the products and crossed sums of products.
    ///
    /// Its own products form a cycle of six: xy, plus and w may be loose, each between two
    /// of minus, u and yz.
    #[inline(always)]
    fn finish(xx: R, yy: R, zz: R, xy: &R::Loose, yz: R, xz: R) -> Projective<R> {
        let (s, u, w) = Self::suw(xx, zz, xz);
        let (minus, plus) = (yy - s, yy.add_loose(s));
        Projective {
            x: minus.mul_loose(xy) - yz.mul_loose(&w),
            y: minus.mul_loose(&plus) + u.mul_loose(&w),
            z: yz.mul_loose(&plus) + u.mul_loose(xy),
        }
    }

    /// s, u and w of the module's description.
    #[inline(always)]
    fn suw(xx: R, zz: R, xz: R) -> (R, R, R::Loose) {
        match C::A {
            A::Zero => {
                let b_xz = C::mul_by_b(xz);
                let w = b_xz.double().add_loose(b_xz);
                (triple(C::mul_by_b(zz)), triple(xx), w)
            }
            A::MinusThree => {
                let third = C::mul_by_b(xz) - xx - triple(zz);
                let w = third.double().add_loose(third);
                (triple(C::mul_by_b(zz) - xz), triple(xx - zz), w)
            }
        }
    }

    /// 2P. For a = 0: 6 products, 2 squares and one by b; for a = −3: 8 products, 3 squares
    /// and two by b.
    #[inline(always)]
    pub fn double(p: &Projective<R>) -> Projective<R> {
        let yy = p.y.square();
        let yz = (p.y * p.z).double();
        let half_xy = p.x * p.y;
        let xy = half_xy.add_loose(half_xy);
        // Both: Z₃ = 8·Y³·Z, which the curve's equation makes of the addition's Z₃.
        let z = (yy * yz).double().double();
        match C::A {
            // The curve's equation also removes X² from Y₃ and X₃ here.
            A::Zero => {
                let s = triple(C::mul_by_b(p.z.square()));
                let minus = yy - triple(s);
                Projective {
                    x: minus.mul_loose(&xy),
                    y: minus.mul_loose(&yy.add_loose(s)) + (yy * s).double().double().double(),
                    z,
                }
            }
            A::MinusThree => {
                let xz = (p.x * p.z).double();
                let (s, u, w) = Self::suw(p.x.square(), p.z.square(), xz);
                let (minus, plus) = (yy - s, yy.add_loose(s));
                Projective {
                    x: minus.mul_loose(&xy) - yz.mul_loose(&w),
                    y: minus.mul_loose(&plus) + u.mul_loose(&w),
                    z,
                }
            }
        }
    }
}

#[inline(always)]
fn triple<R: Ring>(x: R) -> R {
    x.double() + x
}

impl<R: Ring> Neg for Projective<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            x: self.x,
            y: -self.y,
            z: self.z,
        }
    }
}

/// A point of the curve `C`, 3 field elements.
#[derive(Clone, Copy, Debug)]
pub struct Point<C: Params>(pub(crate) Projective<C::Base>);

/// A point of the curve `C` in affine coordinates, 2 field elements. The identity has none
/// and is kept as (0, 0), which is no point of the curve since b ≠ 0.
#[derive(Clone, Copy, Debug)]
pub struct Affine<C: Params> {
    x: C::Base,
    y: C::Base,
}

impl<C: Params> Affine<C> {
    /// The identity.
    pub const IDENTITY: Self = Self {
        x: C::Base::ZERO,
        y: C::Base::ZERO,
    };

    /// The generator.
    pub const GENERATOR: Self = Self {
        x: C::GENERATOR.0,
        y: C::GENERATOR.1,
    };

    /// From coordinates known to be of a point of the group: for decoders that have checked
    /// it, and constants.
    pub(crate) const fn from_xy_unchecked(x: C::Base, y: C::Base) -> Self {
        Self { x, y }
    }

    /// The coordinates, or none for the identity.
    pub fn coordinates(&self) -> Option<(C::Base, C::Base)> {
        (!self.is_identity()).then_some((self.x, self.y))
    }

    /// Whether it is the identity.
    #[inline]
    pub fn is_identity(&self) -> bool {
        // y = 0 is of a point of order two, which there is not.
        self.y.is_zero()
    }

    /// x³ + a·x + b, of which y is a square root.
    pub fn y_squared(x: &C::Base) -> C::Base {
        let cube = x.square() * *x;
        match C::A {
            A::Zero => cube + C::B,
            A::MinusThree => cube - triple(*x) + C::B,
        }
    }

    /// Whether (x, y) satisfies the curve's equation.
    pub fn is_on_curve(x: &C::Base, y: &C::Base) -> bool {
        y.square() == Self::y_squared(x)
    }
}

impl<C: Params> PartialEq for Affine<C> {
    fn eq(&self, other: &Self) -> bool {
        self.x == other.x && self.y == other.y
    }
}

impl<C: Params> Eq for Affine<C> {}

impl<C: Params> Default for Affine<C> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<C: Params> Hash for Affine<C>
where
    C::Base: Hash,
{
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.x.hash(state);
        self.y.hash(state);
    }
}

impl<C: Params> Neg for Affine<C> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self {
            x: self.x,
            y: -self.y,
        }
    }
}

impl<C: Params> From<Affine<C>> for Point<C> {
    #[inline]
    fn from(p: Affine<C>) -> Self {
        if p.is_identity() {
            return Self::IDENTITY;
        }
        Self(Projective {
            x: p.x,
            y: p.y,
            z: C::Base::ONE,
        })
    }
}

impl<C: Params> From<Point<C>> for Affine<C> {
    fn from(p: Point<C>) -> Self {
        p.to_affine()
    }
}

impl<C: Params> Point<C> {
    /// The identity, (0 : 1 : 0).
    pub const IDENTITY: Self = Self(Projective {
        x: C::Base::ZERO,
        y: C::Base::ONE,
        z: C::Base::ZERO,
    });

    /// The generator.
    pub fn generator() -> Self {
        Affine::GENERATOR.into()
    }

    /// Affine coordinates; one inversion. Public values only.
    pub fn to_affine(&self) -> Affine<C> {
        match self.0.z.invert_vartime() {
            None => Affine::IDENTITY,
            Some(inverse) => Affine {
                x: self.0.x * inverse,
                y: self.0.y * inverse,
            },
        }
    }

    /// \[s\]P. Public values only.
    #[must_use]
    pub fn mul_vartime(&self, scalar: &C::Scalar) -> Self {
        super::mul_vartime(self, scalar)
    }
}

impl<C: Params> PartialEq for Point<C> {
    /// X₁·Z₂ = X₂·Z₁ and Y₁·Z₂ = Y₂·Z₁: for the identity, Z = 0 and Y ≠ 0, the second is
    /// false with any other point.
    fn eq(&self, other: &Self) -> bool {
        let (p, q) = (&self.0, &other.0);
        p.x * q.z == q.x * p.z && p.y * q.z == q.y * p.z
    }
}

impl<C: Params> Eq for Point<C> {}

impl<C: Params> ConstantTimeEq for Point<C>
where
    C::Base: ConstantTimeEq,
{
    fn ct_eq(&self, other: &Self) -> Choice {
        let (p, q) = (&self.0, &other.0);
        (p.x * q.z).ct_eq(&(q.x * p.z)) & (p.y * q.z).ct_eq(&(q.y * p.z))
    }
}

impl<C: Params> ConditionallySelectable for Point<C>
where
    C::Base: ConditionallySelectable,
{
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        let select = C::Base::conditional_select;
        Self(Projective {
            x: select(&a.0.x, &b.0.x, choice),
            y: select(&a.0.y, &b.0.y, choice),
            z: select(&a.0.z, &b.0.z, choice),
        })
    }
}

impl<C: Params> Default for Point<C> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<C: Params> Group for Point<C> {
    type Scalar = C::Scalar;
    type Affine = Affine<C>;
    type Precomputed = Affine<C>;
    const IDENTITY: Self = Self::IDENTITY;

    #[inline]
    fn double(&self) -> Self {
        Self(Law::<C, C::Base>::double(&self.0))
    }

    fn is_identity(&self) -> bool {
        self.0.z.is_zero()
    }

    fn batch_normalize(points: &[Self], out: &mut [Affine<C>]) {
        // out[i].x holds the product of the non-zero Z before i until the way back.
        let mut product = C::Base::ONE;
        for (slot, point) in out.iter_mut().zip(points) {
            slot.x = product;
            if !point.is_identity() {
                product = product * point.0.z;
            }
        }
        // A product of non-zero values is not zero.
        let mut inverse = product.invert_vartime().unwrap_or(C::Base::ZERO);
        let count = points.len().min(out.len());
        for (slot, point) in out.iter_mut().zip(points).take(count).rev() {
            if point.is_identity() {
                *slot = Affine::IDENTITY;
                continue;
            }
            let z_inverse = inverse * slot.x;
            inverse = inverse * point.0.z;
            *slot = Affine {
                x: point.0.x * z_inverse,
                y: point.0.y * z_inverse,
            };
        }
    }
}

impl<C: Params> Endomorphic for Point<C> {}

impl<C: Params> Addend<Point<C>> for Affine<C> {
    const IDENTITY: Self = Self::IDENTITY;

    #[inline]
    fn to_group(&self) -> Point<C> {
        (*self).into()
    }

    /// The mixed addition; it branches on whether `self` is the identity.
    #[inline]
    fn add_to(&self, acc: &Point<C>) -> Point<C> {
        if self.is_identity() {
            return *acc;
        }
        Point(Law::<C, C::Base>::add_mixed(&acc.0, &(self.x, self.y)))
    }

    #[inline]
    fn sub_from(&self, acc: &Point<C>) -> Point<C> {
        (-*self).add_to(acc)
    }
}

impl<C: Params> Add for Point<C> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(Law::<C, C::Base>::add(&self.0, &other.0))
    }
}

impl<C: Params> Sub for Point<C> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<C: Params> Neg for Point<C> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<C: Params> AddAssign for Point<C> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<C: Params> SubAssign for Point<C> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<C: Params> Mul<&C::Scalar> for Point<C> {
    type Output = Self;
    /// Variable time: public values only.
    fn mul(self, scalar: &C::Scalar) -> Self {
        self.mul_vartime(scalar)
    }
}

impl<C, S, const N: usize> Mul<Montgomery<S, N>> for Point<C>
where
    S: field::Params<N>,
    C: Params<Scalar = Montgomery<S, N>>,
{
    type Output = Self;
    /// Variable time: public values only.
    fn mul(self, scalar: Montgomery<S, N>) -> Self {
        self.mul_vartime(&scalar)
    }
}

impl<C: Params> Sum for Point<C> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::IDENTITY, Add::add)
    }
}

#[cfg(test)]
pub(crate) mod tests;
