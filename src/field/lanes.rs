//! Field elements side by side: what hot loops compute on.

use core::ops::{Add, Mul, Neg, Sub};

use lightproof_arch::lanes::{Backend, Lanes};

use super::{Montgomery, Params, Ring};

/// A vector of [`WIDTH`](Self::WIDTH) elements of one field, computed by the backend `B`.
/// It is a [`Ring`], so the group formulas run on it as they stand.
pub struct FieldLanes<B: Backend, P: Params<N>, const N: usize>(B::Lanes<P, N>);

impl<B: Backend, P: Params<N>, const N: usize> FieldLanes<B, P, N> {
    /// How many elements stand side by side.
    pub const WIDTH: usize = <B::Lanes<P, N> as Lanes<P, N>>::WIDTH;

    /// Fills lane i with `f(i)`.
    #[inline(always)]
    pub fn load(mut f: impl FnMut(usize) -> Montgomery<P, N>) -> Self {
        Self(Lanes::load(|i| *f(i).montgomery_limbs()))
    }

    /// Gives lane i to `f(i, ·)`.
    #[inline(always)]
    pub fn store(&self, mut f: impl FnMut(usize, Montgomery<P, N>)) {
        self.0
            .store(|i, limbs| f(i, Montgomery::from_montgomery_limbs(limbs)));
    }

    /// The same element in every lane.
    #[inline(always)]
    pub fn splat(a: &Montgomery<P, N>) -> Self {
        Self(Lanes::splat(a.montgomery_limbs()))
    }
}

impl<B: Backend, P: Params<N>, const N: usize> Clone for FieldLanes<B, P, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Backend, P: Params<N>, const N: usize> Copy for FieldLanes<B, P, N> {}

impl<B: Backend, P: Params<N>, const N: usize> core::fmt::Debug for FieldLanes<B, P, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut result = write!(f, "{}[", B::NAME);
        self.store(|i, a| {
            let comma = if i == 0 { "" } else { ", " };
            result = result.and_then(|()| write!(f, "{comma}{a:?}"));
        });
        result.and_then(|()| f.write_str("]"))
    }
}

impl<B: Backend, P: Params<N>, const N: usize> From<Montgomery<P, N>> for FieldLanes<B, P, N> {
    #[inline(always)]
    fn from(a: Montgomery<P, N>) -> Self {
        Self::splat(&a)
    }
}

macro_rules! operator {
    ($op:ident, $method:ident) => {
        impl<B: Backend, P: Params<N>, const N: usize> $op for FieldLanes<B, P, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(Lanes::$method(&self.0, &other.0))
            }
        }
    };
}

operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);

impl<B: Backend, P: Params<N>, const N: usize> Neg for FieldLanes<B, P, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::splat(&Montgomery::ZERO) - self
    }
}

/// Sums side by side that are not reduced: see [`Ring::Loose`].
pub struct LooseLanes<B: Backend, P: Params<N>, const N: usize>(
    <B::Lanes<P, N> as Lanes<P, N>>::Loose,
);

impl<B: Backend, P: Params<N>, const N: usize> Clone for LooseLanes<B, P, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Backend, P: Params<N>, const N: usize> Copy for LooseLanes<B, P, N> {}

impl<B: Backend, P: Params<N>, const N: usize> core::fmt::Debug for LooseLanes<B, P, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        FieldLanes::<B, P, N>::splat(&Montgomery::ONE)
            .mul_loose(self)
            .fmt(f)
    }
}

impl<B: Backend, P: Params<N>, const N: usize> Ring for FieldLanes<B, P, N> {
    type Loose = LooseLanes<B, P, N>;

    #[inline(always)]
    fn add_loose(self, other: Self) -> LooseLanes<B, P, N> {
        LooseLanes(self.0.add_loose(&other.0))
    }
    #[inline(always)]
    fn sub_loose(self, other: Self) -> LooseLanes<B, P, N> {
        LooseLanes(self.0.sub_loose(&other.0))
    }
    #[inline(always)]
    fn mul_loose(self, other: &LooseLanes<B, P, N>) -> Self {
        Self(self.0.mul_loose(&other.0))
    }
    #[inline(always)]
    fn square(&self) -> Self {
        Self(Lanes::square(&self.0))
    }
    #[inline(always)]
    fn double(&self) -> Self {
        *self + *self
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use lightproof_arch::lanes::{Kernel, Portable, dispatch};

    use super::*;
    use crate::curve::bandersnatch::{Bandersnatch, GENERATOR_X, GENERATOR_Y};
    use crate::curve::bls12_381_g1::G1;
    use crate::curve::edwards::{self, Extended};
    use crate::curve::selene::Selene;
    use crate::curve::weierstrass::{self, Projective};
    use crate::curve::{Addend, Group};
    use crate::field::bls12_381_scalar::{Fq, FqParams};

    /// Each operation on the lanes of `B`, against the field's own.
    fn operations_agree<B: Backend>() {
        type L<B> = FieldLanes<B, FqParams, 4>;
        let value = |i: usize| Fq::from_u64(0x1234_5678_9abc_def1).pow(&[i as u64 + 3]);
        let (a, b) = (L::<B>::load(value), L::<B>::load(|i| value(i + 100)));
        let check = |lanes: L<B>, plain: &dyn Fn(Fq, Fq) -> Fq| {
            let mut seen = 0;
            lanes.store(|i, c| {
                assert_eq!(c, plain(value(i), value(i + 100)));
                seen += 1;
            });
            assert_eq!(seen, L::<B>::WIDTH);
        };
        check(a + b, &|a, b| a + b);
        check(a - b, &|a, b| a - b);
        check(b - a, &|a, b| b - a);
        check(a * b, &|a, b| a * b);
        check(-a, &|a, _| -a);
        check(a.square(), &|a, _| a.square());
        check(a.double(), &|a, _| a.double());
        let (zero, last) = (L::<B>::from(Fq::ZERO), L::<B>::from(-Fq::ONE));
        check(last.mul_loose(&last.add_loose(last)), &|_, _| Fq::from(2));
        check(last.mul_loose(&zero.sub_loose(last)), &|_, _| -Fq::ONE);
        check(a.mul_loose(&b.add_loose(last)), &|a, b| a * (b - Fq::ONE));
        check(a.mul_loose(&b.sub_loose(a)), &|a, b| a * (b - a));
        check(L::<B>::from(Fq::ONE) - a + b, &|a, b| Fq::ONE - a + b);
        check(-L::<B>::from(Fq::ZERO), &|_, _| Fq::ZERO);
    }

    type Lane<B, P, const N: usize> = FieldLanes<B, P, N>;

    fn edwards_law_agrees<B: Backend>() {
        type R<B> = Lane<B, FqParams, 4>;
        type Lanes<B> = edwards::Law<Bandersnatch, R<B>>;
        type Plain = edwards::Law<Bandersnatch, Fq>;
        let g = Extended {
            x: GENERATOR_X,
            y: GENERATOR_Y,
            t: GENERATOR_X * GENERATOR_Y,
            z: Fq::ONE,
        };
        let mut points: Vec<Extended<Fq>> = vec![g];
        for i in 0..R::<B>::WIDTH {
            points.push(Plain::add(&points[i], &g));
        }
        let load = |shift: usize| Extended {
            x: R::<B>::load(|i| points[i + shift].x),
            y: R::<B>::load(|i| points[i + shift].y),
            t: R::<B>::load(|i| points[i + shift].t),
            z: R::<B>::load(|i| points[i + shift].z),
        };
        let check = |got: Extended<R<B>>, want: &dyn Fn(usize) -> Extended<Fq>| {
            got.x.store(|i, x| assert_eq!(x, want(i).x));
            got.y.store(|i, y| assert_eq!(y, want(i).y));
            got.t.store(|i, t| assert_eq!(t, want(i).t));
            got.z.store(|i, z| assert_eq!(z, want(i).z));
        };
        check(Lanes::<B>::add(&load(0), &load(1)), &|i| {
            Plain::add(&points[i], &points[i + 1])
        });
        check(Lanes::<B>::double(&load(0)), &|i| Plain::double(&points[i]));
        let niels = Lanes::<B>::niels(R::<B>::from(g.x), R::<B>::from(g.y));
        for (niels, plain) in [
            (niels, Plain::niels(g.x, g.y)),
            (-niels, -Plain::niels(g.x, g.y)),
        ] {
            check(Lanes::<B>::add_niels(&load(1), &niels), &|i| {
                Plain::add_niels(&points[i + 1], &plain)
            });
        }
    }

    fn weierstrass_law_agrees<B: Backend, C, P, const N: usize>()
    where
        P: Params<N>,
        C: weierstrass::Params<Base = Montgomery<P, N>>,
    {
        let g = weierstrass::Affine::<C>::GENERATOR;
        // The identity, then multiples of the generator: the last pair is equal points.
        let mut points = vec![weierstrass::Point::<C>::IDENTITY];
        for i in 0..=Lane::<B, P, N>::WIDTH {
            points.push(g.add_to(&points[i]));
        }
        let load = |shift: usize| Projective {
            x: Lane::<B, P, N>::load(|i| points[i + shift].0.x),
            y: Lane::<B, P, N>::load(|i| points[i + shift].0.y),
            z: Lane::<B, P, N>::load(|i| points[i + shift].0.z),
        };
        let check = |got: Projective<Lane<B, P, N>>, want: &dyn Fn(usize) -> _| {
            let want = |i| -> weierstrass::Point<C> { want(i) };
            got.x.store(|i, x| assert_eq!(x, want(i).0.x));
            got.y.store(|i, y| assert_eq!(y, want(i).0.y));
            got.z.store(|i, z| assert_eq!(z, want(i).0.z));
        };
        for (a, b) in [(0, 1), (1, 1), (1, 2)] {
            let sum = weierstrass::Law::<C, Lane<B, P, N>>::add(&load(a), &load(b));
            check(sum, &|i| points[i + a] + points[i + b]);
            let negated = weierstrass::Law::<C, Lane<B, P, N>>::add(&load(a), &-load(b));
            check(negated, &|i| points[i + a] - points[i + b]);
        }
        let (gx, gy) = C::GENERATOR;
        let mixed = (gx.into(), gy.into());
        for shift in [0, 1] {
            let sum = weierstrass::Law::<C, Lane<B, P, N>>::add_mixed(&load(shift), &mixed);
            check(sum, &|i| g.add_to(&points[i + shift]));
            let double = weierstrass::Law::<C, Lane<B, P, N>>::double(&load(shift));
            check(double, &|i| points[i + shift].double());
        }
    }

    /// All of the above on one backend.
    struct All;

    impl Kernel for All {
        type Output = ();
        fn run<B: Backend>(self) {
            operations_agree::<B>();
            edwards_law_agrees::<B>();
            weierstrass_law_agrees::<B, G1, _, 6>();
            weierstrass_law_agrees::<B, Selene, _, 4>();
        }
    }

    #[test]
    fn lanes_compute_what_single_elements_do() {
        All.run::<Portable>();
        dispatch(All);
    }

    #[test]
    fn debug_shows_every_lane() {
        let lanes = FieldLanes::<Portable, FqParams, 4>::from(Fq::ONE);
        assert_eq!(
            alloc::format!("{lanes:?}"),
            alloc::format!("portable[{:?}]", Fq::ONE)
        );
    }
}
