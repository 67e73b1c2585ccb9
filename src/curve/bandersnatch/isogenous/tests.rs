//! The curve, the isogenies and the group against their definitions.

use super::isogeny::{SCALE_FIRST, SCALE_LAST, SCALE_Y, STEPS, dual, isogeny};
use super::*;
use crate::curve;
use crate::curve::bandersnatch::Bandersnatch;
use crate::curve::edwards::Extended;
use crate::field::Field;

type Pair = (Fq, Fq);

/// (x₁, y₁) + (x₂, y₂) by the affine law of a·x² + y² = 1 + d·x²·y².
fn affine_add<C: Params<Base = Fq>>(p: Pair, q: Pair) -> Pair {
    let t = C::D * p.0 * q.0 * p.1 * q.1;
    let over = |n: Fq, d: Fq| n * d.invert_vartime().unwrap();
    (
        over(p.0 * q.1 + p.1 * q.0, Fq::ONE + t),
        over(p.1 * q.1 + C::mul_by_neg_a(p.0 * q.0), Fq::ONE - t),
    )
}

fn affine<C: Params<Base = Fq>>(p: &Extended<Fq>) -> Pair {
    assert_eq!(p.t * p.z, p.x * p.y);
    let inverse = p.z.invert_vartime().unwrap();
    let (x, y) = (p.x * inverse, p.y * inverse);
    assert!(Point::<C>::is_on_curve(&x, &y));
    (x, y)
}

/// The same point with some Z.
fn extended((x, y): Pair, z: u64) -> Extended<Fq> {
    let z = Fq::from(z);
    Extended {
        x: x * z,
        y: y * z,
        t: x * y * z,
        z,
    }
}

fn plus_t((x, y): Pair) -> Pair {
    (-x, -y)
}

const IDENTITY: Pair = (Fq::ZERO, Fq::ONE);

/// The identity and multiples of Bandersnatch's generator, and each plus (0, −1).
fn samples<C: Params<Base = Fq>>(generator: Pair, count: usize) -> alloc::vec::Vec<Pair> {
    let mut p = IDENTITY;
    let mut out = alloc::vec![];
    for _ in 0..count {
        out.extend([p, plus_t(p)]);
        p = affine_add::<C>(affine_add::<C>(p, p), generator);
    }
    out
}

fn here(count: usize) -> alloc::vec::Vec<Pair> {
    samples::<Isogenous>(Affine::GENERATOR.coordinates(), count)
}

fn there(count: usize) -> alloc::vec::Vec<Pair> {
    let generator = banderwagon::Affine::GENERATOR;
    samples::<Bandersnatch>(generator.coordinates(), count)
}

fn times_8(p: Pair) -> Pair {
    (0..3).fold(p, |p, _| affine_add::<Bandersnatch>(p, p))
}

#[test]
fn the_steps_are_what_they_say() {
    // e and −β are roots: x² + a₀·x + b₀ of Bandersnatch, then x² − 2(2e + β)x + β².
    let half = Fq::from(2).invert_vartime().unwrap();
    let a = -Fq::from(5);
    let mut x1 = (a + Bandersnatch::D) * half;
    let mut x0 = SCALE_FIRST.square();
    assert_eq!(SCALE_FIRST * Fq::from(4), a - Bandersnatch::D);
    for step in &STEPS {
        for root in [step.e, -step.beta] {
            assert_eq!(root.square() + x1 * root + x0, Fq::ZERO);
        }
        assert_eq!(step.b, step.e * (step.e + step.beta));
        x1 = -(step.e.double() + step.beta).double();
        x0 = step.beta.square();
    }
    // y² = x³ + x1·x² + x0·x with x = s·u, y = t·v is B·v² = u³ + A·u² + u with
    // A = 2(a + d)/(a − d) and B = 4/(a − d), the form of the Edwards curve with a = −1.
    let (a, d) = (-Fq::ONE, Isogenous::D);
    assert_eq!(x0, SCALE_LAST.square());
    assert_eq!(x1 * (a - d), SCALE_LAST * (a + d).double());
    let cube = SCALE_LAST.square() * SCALE_LAST;
    assert_eq!(SCALE_Y.square() * (a - d), cube * Fq::from(4));
    assert_eq!(d.legendre_vartime(), -1);
    assert_eq!(a.legendre_vartime(), 1);
}

/// ψ as its definition has it, step by step in affine coordinates; none at a denominator
/// that is zero.
fn isogeny_by_steps((x, y): Pair) -> Option<Pair> {
    let u = (Fq::ONE + y) * (Fq::ONE - y).invert_vartime()?;
    let (mut wx, mut wy) = (SCALE_FIRST * u, SCALE_FIRST * u * x.invert_vartime()?);
    for step in &STEPS {
        let inverse = (wx - step.e).invert_vartime()?;
        (wx, wy) = (
            wx * (wx + step.beta) * inverse,
            wy * (Fq::ONE - step.b * inverse.square()),
        );
    }
    let u = wx * SCALE_LAST.invert_vartime()?;
    let v = wy * SCALE_Y.invert_vartime()?;
    let last = (u + Fq::ONE).invert_vartime()?;
    Some((u * v.invert_vartime()?, (u - Fq::ONE) * last))
}

#[test]
fn psi_is_its_steps() {
    for (i, p) in there(30).into_iter().enumerate() {
        let image = affine::<Isogenous>(&isogeny(&extended(p, 3)));
        // The steps have zero denominators at (0, ±1) alone.
        match isogeny_by_steps(p) {
            Some(expected) => assert_eq!(image, expected),
            None => assert!(i < 2),
        }
    }
}

#[test]
fn psi_is_a_homomorphism() {
    let psi = |p: Pair| affine::<Isogenous>(&isogeny(&extended(p, 7)));
    let points = there(6);
    assert_eq!(psi(IDENTITY), IDENTITY);
    assert_eq!(psi(plus_t(IDENTITY)), plus_t(IDENTITY));
    for p in &points {
        assert_eq!(psi(plus_t(*p)), plus_t(psi(*p)));
        for q in &points {
            let sum = affine_add::<Bandersnatch>(*p, *q);
            assert_eq!(psi(sum), affine_add::<Isogenous>(psi(*p), psi(*q)));
        }
    }
}

#[test]
fn the_dual_forgets_t_and_makes_8() {
    let psi = |p: Pair| affine::<Isogenous>(&isogeny(&extended(p, 7)));
    let psi_dual = |p: Pair| affine::<Bandersnatch>(&dual(&extended(p, 5)));
    let points = here(6);
    assert_eq!(psi_dual(IDENTITY), IDENTITY);
    for p in &points {
        assert_eq!(psi_dual(plus_t(*p)), psi_dual(*p));
        for q in &points {
            let sum = affine_add::<Isogenous>(*p, *q);
            let expected = affine_add::<Bandersnatch>(psi_dual(*p), psi_dual(*q));
            assert_eq!(psi_dual(sum), expected);
        }
    }
    for p in there(30) {
        assert_eq!(psi_dual(psi(p)), times_8(p));
    }
}

#[test]
fn the_generators_correspond() {
    let g = banderwagon::Element::generator();
    let image = Element::from(g);
    assert_eq!(image, Affine::GENERATOR.into());
    assert_eq!(banderwagon::Element::from(image), g);
    // The group's order.
    let last = curve::mul_vartime(&image, &-Fr::ONE);
    assert_eq!(last, -image);
    assert_eq!(last + image, Element::IDENTITY);
    // The generator is of order r, not of twice that.
    let (mut p, mut order) = (IDENTITY, (-Fr::ONE).to_le_bytes());
    order[0] += 1; // r − 1 is even
    for bit in (0..256).rev() {
        p = affine_add::<Isogenous>(p, p);
        if order[bit / 8] >> (bit % 8) & 1 == 1 {
            p = affine_add::<Isogenous>(p, Affine::GENERATOR.coordinates());
        }
    }
    assert_eq!(p, IDENTITY);
}

/// All pairs of both representatives, equal, opposite and the identity among them, by every
/// addition there is.
#[test]
fn the_law_is_the_affine_one() {
    let mut points = here(5);
    let negatives: alloc::vec::Vec<_> = points.iter().map(|p| (-p.0, p.1)).collect();
    points.extend(negatives);
    for p in &points {
        let acc = quotient::Element(Point::<Isogenous>(extended(*p, 11)));
        let check = |sum: Element, expected: Pair| {
            assert_eq!(affine::<Isogenous>(&sum.0.0), expected);
        };
        check(acc.double(), affine_add::<Isogenous>(*p, *p));
        check(Entry::from(acc.to_affine()).to_group(), *p);
        for q in &points {
            let (sum, difference) = (
                affine_add::<Isogenous>(*p, *q),
                affine_add::<Isogenous>(*p, (-q.0, q.1)),
            );
            let other = quotient::Element(Point::<Isogenous>(extended(*q, 13)));
            check(acc + other, sum);
            check(acc - other, difference);
            let entry = Entry::from(Affine::from_xy_unchecked(q.0, q.1));
            check(entry.add_to(&acc), sum);
            check(entry.sub_from(&acc), difference);
            let mut place = acc;
            entry.add_assign_to(&mut place);
            check(place, sum);
            entry.sub_assign_from(&mut place);
            check(place, *p);
            check(Entry(-entry.0).add_to(&acc), difference);
            assert_eq!(acc == other, p == q || *p == plus_t(*q));
        }
        check(<Entry as Addend<Element>>::IDENTITY.add_to(&acc), *p);
    }
    let identity = <Entry as Addend<Element>>::IDENTITY.to_group();
    assert!(identity.is_identity());
    assert!(quotient::Element(Point::<Isogenous>(extended(plus_t(IDENTITY), 2))).is_identity());
}

#[test]
fn the_groups_are_isomorphic() {
    let g = banderwagon::Element::generator();
    let (mut p, mut q) = (banderwagon::Element::IDENTITY, g);
    for _ in 0..10 {
        let (p_here, q_here) = (Element::from(p), Element::from(q));
        assert_eq!(Element::from(p + q), p_here + q_here);
        assert_eq!(banderwagon::Element::from(p_here - q_here), p - q);
        assert_eq!(banderwagon::Element::from(p_here.double()), p.double());
        assert_eq!(Element::from(-p), -p_here);
        (p, q) = (q.double() + g, p + q);
    }
    assert!(Element::from(banderwagon::Element::IDENTITY).is_identity());
    let other = Affine::from_xy_unchecked(Fq::ZERO, -Fq::ONE);
    assert_eq!(
        banderwagon::Element::from(Element::from(other)),
        banderwagon::Element::IDENTITY
    );
}

#[test]
fn batches_are_the_single_images() {
    let points: alloc::vec::Vec<_> = there(10)
        .into_iter()
        .map(|(x, y)| banderwagon::Affine::from_xy_unchecked(x, y))
        .collect();
    for len in [0, 1, 7, 8, 9, 20] {
        let mut out = alloc::vec![Affine::GENERATOR; 20];
        batch_from_banderwagon(&points[..len], &mut out);
        for (image, point) in out.iter().zip(&points[..len]) {
            assert_eq!(
                *image,
                Element::from(banderwagon::Element::from(*point)).to_affine()
            );
        }
        assert!(out[len..].iter().all(|p| *p == Affine::GENERATOR));
        batch_from_banderwagon(&points, &mut out[..len]);
    }
}

/// Tables and sums of many work on the group as it is.
#[test]
fn sums_go_through_the_isomorphism() {
    use crate::table;
    let points: alloc::vec::Vec<_> = there(4)
        .into_iter()
        .map(|(x, y)| banderwagon::Affine::from_xy_unchecked(x, y))
        .collect();
    let mut bases = [Affine::IDENTITY; 8];
    batch_from_banderwagon(&points, &mut bases);
    let mut scalar = EIGHTH;
    let scalars: [Fr; 8] = core::array::from_fn(|_| {
        scalar = scalar.square() + Fr::ONE;
        scalar
    });
    let expected: banderwagon::Element = points
        .iter()
        .zip(&scalars)
        .map(|(p, s)| banderwagon::Element::from(*p) * s)
        .sum();
    let mut entries = [<Entry as Addend<Element>>::IDENTITY; 8 << 3];
    let shape = table::Shape::new(8, 256).unwrap();
    table::generate_into::<Element>(&bases, shape, &mut entries).unwrap();
    let table = table::Table::<Element>::from_entries(8, shape, &entries).unwrap();
    let sum = table.msm_vartime(&scalars).unwrap();
    assert_eq!(banderwagon::Element::from(sum), expected);
    let reprs = scalars.map(|s| s.to_le_bytes());
    let mut scratch = [Element::IDENTITY; 64];
    let sum =
        crate::msm::pippenger_with_window::<Element, _>(&bases, &reprs, 4, &mut scratch).unwrap();
    assert_eq!(banderwagon::Element::from(sum), expected);
}
