//! Sums of multiples over the Weierstrass groups: the faults of comparable software, by
//! their ids in the project's list. The points are known multiples of the generator, so the
//! sum is one multiple of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_alloc)]

mod common;

use lightproof::curve::bls12_381_g1::G1;
use lightproof::curve::helios::Helios;
use lightproof::curve::selene::Selene;
use lightproof::curve::weierstrass::{Affine, Params, Point};
use lightproof::curve::{Addend, Group, mul_vartime};
use lightproof::exec::Threads;
use lightproof::field::{self, Field, Montgomery};
use lightproof::msm::{
    msm_vartime, msm_with, pippenger_with_window, scratch_len, straus_with_window,
};

type Scalar<S> = Montgomery<S, 4>;

/// A group whose scalars have 4 limbs and 32 bytes.
trait Curve<S>: Params<Scalar = Scalar<S>> {}
impl<C: Params<Scalar = Scalar<S>>, S> Curve<S> for C {}

/// Checks Σ scalars\[i\]·(logs\[i\]·G) by every way.
fn check<C: Curve<S>, S: field::Params<4, Repr = [u8; 32]>>(
    logs: &[Scalar<S>],
    scalars: &[Scalar<S>],
) {
    let points: Vec<Point<C>> = logs.iter().map(small_multiple).collect();
    let mut affine = vec![Affine::GENERATOR; points.len()];
    Point::batch_normalize(&points, &mut affine);
    let log = Scalar::sum_of_products(logs.iter().zip(scalars));
    let expected = Point::<C>::generator().mul_vartime(&log);
    let bytes: Vec<[u8; 32]> = scalars.iter().map(Scalar::to_le_bytes).collect();
    let n = points.len();
    let mut scratch = vec![Point::<C>::generator(); scratch_len(n).max(n << 2)];
    let got = msm_vartime(&affine, &bytes, &mut scratch);
    assert_eq!(got, Ok(expected), "{n} points");
    let got = pippenger_with_window(&affine, &bytes, 4, &mut [Point::IDENTITY; 8]);
    assert_eq!(got, Ok(expected), "{n} points");
    let got = straus_with_window(&affine, &bytes, 3, &mut scratch);
    assert_eq!(got, Ok(expected), "{n} points");
    assert_eq!(msm_with(&Threads(2), &affine, scalars), Ok(expected));
}

/// [k]G for a small k or its negative, at few additions.
fn small_multiple<C: Curve<S>, S: field::Params<4, Repr = [u8; 32]>>(k: &Scalar<S>) -> Point<C> {
    let g = Point::<C>::generator();
    let [low, ..] = k.to_limbs();
    if k.is_lexicographically_largest() {
        -small_multiple::<C, S>(&-*k)
    } else {
        (0..64 - low.leading_zeros())
            .rev()
            .fold(Point::IDENTITY, |acc, i| {
                let acc = acc.double();
                if (low >> i) & 1 == 1 { acc + g } else { acc }
            })
    }
}

/// A scalar of all bits that differs for each i.
fn scalar<S: field::Params<4>>(i: usize) -> Scalar<S> {
    Scalar::from_u64(0x9e37_79b9_7f4a_7c15).pow(&[i as u64 + 5])
}

fn run<C: Curve<S>, S: field::Params<4, Repr = [u8; 32]>>() {
    let log = |i: usize| Scalar::<S>::from_u64(i as u64 + 1);
    // K15: sizes on both sides of every switch, one identity at the first, middle, last place.
    let step = if common::test_scale() < 1.0 { 13 } else { 1 };
    for n in (0..=40).step_by(step) {
        let scalars: Vec<_> = (0..n).map(scalar).collect();
        let places = [0, n / 2, n.saturating_sub(1)];
        for identity in [n, places[n % 3]] {
            let logs: Vec<_> = (0..n)
                .map(|i| if i == identity { Scalar::ZERO } else { log(i) })
                .collect();
            check::<C, S>(&logs, &scalars);
        }
        if n % 4 == 0 {
            check::<C, S>(&vec![Scalar::ZERO; n], &scalars);
        }
    }
    // K16: [O, G, O] with [0, 1, r − 1]; zeros for scalars.
    let (zero, one) = (Scalar::<S>::ZERO, Scalar::<S>::ONE);
    check::<C, S>(&[zero, one, zero], &[zero, one, -one]);
    check::<C, S>(&[one, log(2), one], &[zero; 3]);
    // K23: equal and opposite points, many times, with equal and opposite scalars.
    for n in [2, 32, 64] {
        let equal = vec![log(6); n];
        let opposite: Vec<_> = (0..n)
            .map(|i| if i % 2 == 0 { log(6) } else { -log(6) })
            .collect();
        for scalars in [
            vec![-one; n],
            vec![scalar(3); n],
            (0..n).map(scalar).collect(),
        ] {
            check::<C, S>(&equal, &scalars);
            check::<C, S>(&opposite, &scalars);
        }
    }
}

/// K19: windows on scalars that carry out of the last one; `long` ones are slow on few points.
fn every_window<C: Curve<S>, S: field::Params<4, Repr = [u8; 32]>>(long: &[u32]) {
    let one = Scalar::<S>::ONE;
    let scalars = [
        -one,
        -one - one,
        Scalar::from_u64(2).pow(&[252]),
        one,
        scalar(1),
    ];
    let bytes = scalars.map(|s| s.to_le_bytes());
    let points = [Affine::<C>::GENERATOR; 5];
    let expected = Point::<C>::generator().mul_vartime(&scalars.iter().sum());
    let mut scratch = vec![Point::<C>::IDENTITY; 1 << 16];
    for window in (1..=11).chain(long.iter().copied()) {
        let got = pippenger_with_window(&points, &bytes, window, &mut scratch);
        assert_eq!(got, Ok(expected), "Pippenger's window {window}");
    }
    for window in 1..=8 {
        let got = straus_with_window(&points, &bytes, window, &mut scratch);
        assert_eq!(got, Ok(expected), "Straus's window {window}");
    }
    // K17: numbers that are not below the order count as their remainder.
    let mut order = (-one).to_le_bytes();
    order[0] += 1; // the order is odd
    for bytes in [order, [0xff; 32]] {
        let reduced = Scalar::<S>::from_le_bytes_reduced(&bytes);
        let got = msm_vartime(&points[..1], &[bytes], &mut scratch);
        assert_eq!(got, Ok(Point::<C>::generator().mul_vartime(&reduced)));
    }
}

#[test]
fn g1() {
    run::<G1, _>();
    every_window::<G1, _>(&[]);
}

#[test]
fn helios() {
    run::<Helios, _>();
    every_window::<Helios, _>(&[15]);
}

#[test]
fn selene() {
    run::<Selene, _>();
    every_window::<Selene, _>(&[17]);
}

#[test]
fn naive_multiples_agree_with_addition() {
    let g = Point::<Selene>::generator();
    let mut sum = Point::<Selene>::IDENTITY;
    for k in 0..40 {
        assert_eq!(mul_vartime(&g, &Montgomery::from_u64(k)), sum);
        sum = Affine::<Selene>::GENERATOR.add_to(&sum);
    }
    assert!(!sum.is_identity() && !Field::is_zero(&sum.to_affine().coordinates().unwrap().0));
}
