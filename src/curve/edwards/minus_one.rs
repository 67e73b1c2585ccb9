//! The additions for a = −1 (Hisil, Wong, Carter, Dawson 2008, section 3.1).
//!
//! With (Y₁ − X₁)(y₂ − x₂) and (Y₁ + X₁)(y₂ + x₂) instead of x·x, y·y and the crossed product
//! a sum needs a product less. All of E, F, G and H may carry the same factor, so the sums of
//! a prepared operand are kept by half: then 2·Z₁ becomes Z₁ and its doubling goes too.

use core::ops::Neg;

use super::{Extended, Law, Params};
use crate::field::Ring;

/// An affine point as the operand of the mixed addition for a = −1.
#[derive(Clone, Copy, Debug)]
pub struct Halves<R> {
    /// (y − x)/2.
    pub minus: R,
    /// (y + x)/2.
    pub plus: R,
    /// d·x·y.
    pub dt: R,
}

impl<C: Params, R: Ring + From<C::Base>> Law<C, R> {
    /// P + Q: 8 products and one by 2d (add-2008-hwcd-3).
    #[inline(always)]
    pub(super) fn add_minus_one(p: &Extended<R>, q: &Extended<R>) -> Extended<R> {
        let c = p.t * (q.t * R::from(C::D.double()));
        let zz = (p.z * q.z).double();
        let a = (p.y - p.x).mul_loose(&q.y.sub_loose(q.x));
        let b = (p.y + p.x).mul_loose(&q.y.add_loose(q.x));
        Self::finish((b - a, zz + c), (&zz.sub_loose(c), &b.add_loose(a)))
    }

    /// P + Q for a prepared Q, a = −1: 7 products.
    #[inline(always)]
    pub fn add_halves(p: &Extended<R>, q: &Halves<R>) -> Extended<R> {
        const { assert!(C::A_IS_MINUS_ONE) };
        let c = p.t * q.dt;
        let (e, h) = Self::halves_crossed(p, q.minus, q.plus);
        Self::finish((e, p.z + c), (&p.z.sub_loose(c), &h))
    }

    /// P − Q for a prepared Q, a = −1: 7 products. −Q has the halves of Q exchanged and −d·x·y.
    #[inline(always)]
    pub fn sub_halves(p: &Extended<R>, q: &Halves<R>) -> Extended<R> {
        const { assert!(C::A_IS_MINUS_ONE) };
        let c = p.t * q.dt;
        let (e, h) = Self::halves_crossed(p, q.plus, q.minus);
        Self::finish((e, p.z - c), (&p.z.add_loose(c), &h))
    }

    /// E/2 and H/2 of a sum with a point of these halves.
    #[inline(always)]
    fn halves_crossed(p: &Extended<R>, minus: R, plus: R) -> (R, R::Loose) {
        let a = minus.mul_loose(&p.y.sub_loose(p.x));
        let b = plus.mul_loose(&p.y.add_loose(p.x));
        (b - a, b.add_loose(a))
    }
}

impl<R: Ring> Halves<R> {
    /// The operand (x, y) for the curve with this d; `half` is 1/2. 4 products.
    #[inline(always)]
    pub(crate) fn new((x, y): (R, R), d: R, half: R) -> Self {
        let (half_x, half_y) = (x * half, y * half);
        Self {
            minus: half_y - half_x,
            plus: half_y + half_x,
            dt: x * y * d,
        }
    }

    /// (x, y).
    #[inline(always)]
    pub fn coordinates(&self) -> (R, R) {
        (self.plus - self.minus, self.plus + self.minus)
    }
}

impl<R: Ring> Neg for Halves<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            minus: self.plus,
            plus: self.minus,
            dt: -self.dt,
        }
    }
}
