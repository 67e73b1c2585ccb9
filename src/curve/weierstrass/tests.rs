//! The group laws that every curve file tests for its curve, against the affine chord and
//! tangent.

extern crate alloc;

use alloc::vec::Vec;

use super::*;

/// The sum by chord and tangent, from affine coordinates.
fn chord_and_tangent<C: Params>(p: &Affine<C>, q: &Affine<C>) -> Affine<C> {
    let (Some((px, py)), Some((qx, qy))) = (p.coordinates(), q.coordinates()) else {
        return if p.is_identity() { *q } else { *p };
    };
    let slope = if px != qx {
        (qy - py) * (qx - px).invert_vartime().unwrap()
    } else if py == qy {
        let a = match C::A {
            A::Zero => C::Base::ZERO,
            A::MinusThree => -triple(C::Base::ONE),
        };
        (triple(px.square()) + a) * py.double().invert_vartime().unwrap()
    } else {
        return Affine::IDENTITY;
    };
    let x = slope.square() - px - qx;
    Affine::from_xy_unchecked(x, slope * (px - x) - py)
}

/// The same point with other projective coordinates.
fn rescaled<C: Params>(p: &Point<C>, z: u64) -> Point<C> {
    let z = C::Base::from(z);
    Point(Projective {
        x: p.0.x * z,
        y: p.0.y * z,
        z: p.0.z * z,
    })
}

/// The identity, small multiples of the generator and their negatives, in several coordinates.
fn samples<C: Params>() -> Vec<Point<C>> {
    let g = Affine::<C>::GENERATOR;
    let two = chord_and_tangent(&g, &g);
    let mut affine = alloc::vec![Affine::IDENTITY, g, two];
    for i in 1..4 {
        affine.push(chord_and_tangent(&affine[i + 1], &two));
    }
    let mut out = Vec::new();
    for (i, p) in affine.into_iter().enumerate() {
        out.push(Point::from(p));
        out.push(rescaled(&Point::from(-p), 3 + i as u64));
    }
    out
}

/// Every operation on every pair of samples.
pub(crate) fn group_laws<C: Params>()
where
    C::Base: ConstantTimeEq + ConditionallySelectable,
{
    let (gx, gy) = C::GENERATOR;
    assert!(Affine::<C>::is_on_curve(&gx, &gy));
    let samples = samples::<C>();
    for p in &samples {
        let pa = p.to_affine();
        assert_eq!(Affine::from(p.double()), chord_and_tangent(&pa, &pa));
        assert_eq!(-*p + *p, Point::IDENTITY);
        assert_eq!(p.is_identity(), *p == Point::IDENTITY);
        for q in &samples {
            let qa = q.to_affine();
            let (sum, difference) = (chord_and_tangent(&pa, &qa), chord_and_tangent(&pa, &-qa));
            assert_eq!((*p + *q).to_affine(), sum);
            assert_eq!((*p - *q).to_affine(), difference);
            assert_eq!(qa.add_to(p).to_affine(), sum);
            assert_eq!(qa.sub_from(p).to_affine(), difference);
            assert_eq!(p == q, pa == qa);
            assert_eq!(bool::from(p.ct_eq(q)), p == q);
            assert_eq!(Point::conditional_select(p, q, 0.into()), *p);
            assert_eq!(Point::conditional_select(p, q, 1.into()), *q);
            if let Some((x, y)) = sum.coordinates() {
                assert!(Affine::<C>::is_on_curve(&x, &y));
            }
        }
    }
    assert_eq!(samples.iter().copied().sum::<Point<C>>(), Point::IDENTITY);
}

/// K15, K22: batches with the identity at every place, and nothing else.
pub(crate) fn normalization_with_identities<C: Params>() {
    let some: Vec<_> = samples::<C>()
        .into_iter()
        .filter(|p| !p.is_identity())
        .collect();
    for n in 0..some.len() {
        for place in 0..n {
            let mut points = some[..n].to_vec();
            points[place] = Point::IDENTITY;
            points[n / 2] = rescaled(&Point::IDENTITY, 5);
            let mut out = alloc::vec![Affine::GENERATOR; n + 1];
            Point::batch_normalize(&points, &mut out);
            for (p, a) in points.iter().zip(&out) {
                assert_eq!(p.to_affine(), *a);
            }
            assert_eq!(out[n], Affine::GENERATOR);
        }
    }
    let mut out = [Affine::<C>::GENERATOR; 3];
    Point::batch_normalize(&[Point::IDENTITY; 3], &mut out);
    assert_eq!(out, [Affine::IDENTITY; 3]);
}

/// The generator's order is the scalar field's.
pub(crate) fn order_annihilates<C: Params>() {
    let g = Point::<C>::generator();
    let minus_one = g.mul_vartime(&-C::Scalar::ONE);
    assert_eq!(minus_one, -g);
    assert_eq!(minus_one + g, Point::IDENTITY);
    assert_eq!(g.mul_vartime(&C::Scalar::ZERO), Point::IDENTITY);
}
