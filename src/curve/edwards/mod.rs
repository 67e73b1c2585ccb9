//! Twisted Edwards curves a·x² + y² = 1 + d·x²·y² in extended coordinates
//! (Hisil, Wong, Carter, Dawson 2008): x = X/Z, y = Y/Z, T = X·Y/Z.
//!
//! The unified addition is right for all pairs of points of a subgroup in which no addition
//! meets a zero denominator; a curve file says why that holds for its group.

use core::marker::PhantomData;
use core::ops::{Add, Neg, Sub};

use crate::field::{Field, PrimeField, Ring};

pub mod minus_one;
pub mod quotient;

/// The parameters of a twisted Edwards curve.
pub trait Params: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// The field of coordinates.
    type Base: PrimeField;
    /// d.
    const D: Self::Base;

    /// Whether a is −1, which has a shorter addition.
    const A_IS_MINUS_ONE: bool = false;

    /// (−a)·x, for a small −a.
    fn mul_by_neg_a<R: Ring>(x: R) -> R;
}

/// Extended coordinates (X : Y : T : Z) of a point, over field elements or lanes of them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Extended<R> {
    pub x: R,
    pub y: R,
    pub t: R,
    pub z: R,
}

/// Affine coordinates with the product d·x·y beside them: the operand of the mixed addition.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Niels<R> {
    pub x: R,
    pub y: R,
    pub dt: R,
}

/// The group law over coordinates `R`.
///
/// A sum ends with the products E·F, G·H, E·H and F·G. They are a cycle, so E and G are
/// reduced, and F and H, each of which only meets those, are left loose ([`Ring::Loose`]).
#[derive(Clone, Copy, Debug)]
pub struct Law<C, R>(PhantomData<(C, R)>);

impl<C: Params, R: Ring + From<C::Base>> Law<C, R> {
    /// P + Q: 9 products, one by d, one by a (add-2008-hwcd); for a = −1, 8 and one by 2d
    /// ([`minus_one`]).
    #[inline(always)]
    pub fn add(p: &Extended<R>, q: &Extended<R>) -> Extended<R> {
        if C::A_IS_MINUS_ONE {
            return Self::add_minus_one(p, q);
        }
        let c = p.t * (q.t * R::from(C::D));
        let zz = p.z * q.z;
        let (e, h) = Self::crossed(p, &q.x.add_loose(q.y), p.x * q.x, p.y * q.y);
        Self::finish((e, zz + c), (&zz.sub_loose(c), &h))
    }

    /// P + Q for an affine Q with its d·x·y: 8 products, one by a.
    #[inline(always)]
    pub fn add_niels(p: &Extended<R>, q: &Niels<R>) -> Extended<R> {
        let c = p.t * q.dt;
        let (e, h) = Self::crossed(p, &q.x.add_loose(q.y), p.x * q.x, p.y * q.y);
        Self::finish((e, p.z + c), (&p.z.sub_loose(c), &h))
    }

    /// P − Q for an affine Q with its d·x·y, at the price of [`Self::add_niels`]: −Q is
    /// (−x, y, −d·x·y), and the signs go through the formula instead of into Q.
    #[inline(always)]
    pub fn sub_niels(p: &Extended<R>, q: &Niels<R>) -> Extended<R> {
        let c = p.t * q.dt;
        let a = p.x * q.x;
        let b = p.y * q.y;
        let e = (p.x + p.y).mul_loose(&q.y.sub_loose(q.x)) + a - b;
        let h = b.sub_loose(C::mul_by_neg_a(a));
        Self::finish((e, p.z - c), (&p.z.add_loose(c), &h))
    }

    /// E and H of a sum, from x₂ + y₂, A = X₁·x₂ and B = Y₁·y₂.
    #[inline(always)]
    fn crossed(p: &Extended<R>, q: &R::Loose, a: R, b: R) -> (R, R::Loose) {
        let e = (p.x + p.y).mul_loose(q) - a - b;
        (e, b.add_loose(C::mul_by_neg_a(a)))
    }

    /// The products that every sum ends with.
    #[inline(always)]
    fn finish((e, g): (R, R), (f, h): (&R::Loose, &R::Loose)) -> Extended<R> {
        Extended {
            x: e.mul_loose(f),
            y: g.mul_loose(h),
            t: e.mul_loose(h),
            z: g.mul_loose(f),
        }
    }

    /// 2P: 4 products and 4 squares (dbl-2008-hwcd, with E, F, G, H all negated, which
    /// leaves their products as they are and saves the negation of a·A).
    #[inline(always)]
    pub fn double(p: &Extended<R>) -> Extended<R> {
        let a = p.x.square();
        let b = p.y.square();
        let c = p.z.square().double();
        let d = C::mul_by_neg_a(a);
        let e = a + b - (p.x + p.y).square();
        let g = d - b;
        Self::finish((e, g), (&g.add_loose(c), &d.add_loose(b)))
    }

    /// The addition operand of an affine point: 2 products.
    #[inline(always)]
    pub fn niels(x: R, y: R) -> Niels<R> {
        Niels {
            x,
            y,
            dt: x * y * R::from(C::D),
        }
    }
}

impl<R: Ring> Neg for Niels<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            x: -self.x,
            y: self.y,
            dt: -self.dt,
        }
    }
}

impl<R: Ring> Neg for Extended<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            x: -self.x,
            y: self.y,
            t: -self.t,
            z: self.z,
        }
    }
}

/// A point of the curve `C` over its field.
#[derive(Clone, Copy, Debug)]
pub struct Point<C: Params>(pub(crate) Extended<C::Base>);

impl<C: Params> Point<C> {
    /// (0, 1), the neutral element.
    pub const IDENTITY: Self = Self(Extended {
        x: C::Base::ZERO,
        y: C::Base::ONE,
        t: C::Base::ZERO,
        z: C::Base::ONE,
    });

    /// 2P.
    #[must_use]
    #[inline]
    pub fn double(&self) -> Self {
        Self(Law::<C, C::Base>::double(&self.0))
    }

    /// Whether (x, y) satisfies the curve's equation.
    pub fn is_on_curve(x: &C::Base, y: &C::Base) -> bool {
        let (xx, yy) = (x.square(), y.square());
        yy - C::mul_by_neg_a(xx) == C::Base::ONE + C::D * xx * yy
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
