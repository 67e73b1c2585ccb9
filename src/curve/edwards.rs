//! Twisted Edwards curves a·x² + y² = 1 + d·x²·y² in extended coordinates
//! (Hisil, Wong, Carter, Dawson 2008): x = X/Z, y = Y/Z, T = X·Y/Z.
//!
//! The unified addition is right for all pairs of points of a subgroup in which no addition
//! meets a zero denominator; a curve file says why that holds for its group.

use core::marker::PhantomData;
use core::ops::{Add, Neg, Sub};

use crate::field::{Field, PrimeField, Ring};

/// The parameters of a twisted Edwards curve.
pub trait Params: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// The field of coordinates.
    type Base: PrimeField;
    /// d.
    const D: Self::Base;

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
#[derive(Clone, Copy, Debug)]
pub struct Law<C, R>(PhantomData<(C, R)>);

impl<C: Params, R: Ring + From<C::Base>> Law<C, R> {
    /// P + Q: 9 products, one by d, one by a (add-2008-hwcd).
    #[inline(always)]
    pub fn add(p: &Extended<R>, q: &Extended<R>) -> Extended<R> {
        let c = p.t * (q.t * R::from(C::D));
        Self::finish(p, (q.x, q.y), c, p.z * q.z)
    }

    /// P + Q for an affine Q with its d·x·y: 8 products, one by a.
    #[inline(always)]
    pub fn add_niels(p: &Extended<R>, q: &Niels<R>) -> Extended<R> {
        Self::finish(p, (q.x, q.y), p.t * q.dt, p.z)
    }

    /// P − Q for an affine Q with its d·x·y, at the price of [`Self::add_niels`]: −Q is
    /// (−x, y, −d·x·y), and the signs go through the formula instead of into Q.
    #[inline(always)]
    pub fn sub_niels(p: &Extended<R>, q: &Niels<R>) -> Extended<R> {
        let a = p.x * q.x;
        let b = p.y * q.y;
        let c = p.t * q.dt;
        let e = (p.x + p.y) * (q.y - q.x) + a - b;
        let f = p.z + c;
        let g = p.z - c;
        let h = b - C::mul_by_neg_a(a);
        Extended {
            x: e * f,
            y: g * h,
            t: e * h,
            z: f * g,
        }
    }

    /// The common rest of the additions: c = d·T₁·T₂, zz = Z₁·Z₂.
    #[inline(always)]
    fn finish(p: &Extended<R>, (qx, qy): (R, R), c: R, zz: R) -> Extended<R> {
        let a = p.x * qx;
        let b = p.y * qy;
        let e = (p.x + p.y) * (qx + qy) - a - b;
        let f = zz - c;
        let g = zz + c;
        let h = b + C::mul_by_neg_a(a);
        Extended {
            x: e * f,
            y: g * h,
            t: e * h,
            z: f * g,
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
        let f = g + c;
        let h = d + b;
        Extended {
            x: e * f,
            y: g * h,
            t: e * h,
            z: f * g,
        }
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
