//! Bandersnatch in a Weierstrass form, where affine additions take 6 products and a share of an
//! inversion.
//!
//! With the birational map u = (1 + y)/(1 − y), x′ = s·u, y′ = s·u/x, for s = (a − d)/4, a
//! twisted Edwards curve becomes y² = x·(x² + a₂·x + a₄), a₂ = (a + d)/2, a₄ = s² (Bernstein, Birkner, Joye,
//! Lange, Peters 2008, through Montgomery's form). The neutral element has no image and is kept
//! as (0, 0), which is the image of (0, −1): the same element of Banderwagon. The other points
//! with y = 0 are outside of the group.
//!
//! φ becomes (x, y) ↦ (−m²/2, k·m·(2·x + a₂ − m²)) for m = y/x, k² = −1/8.
//!
//! What sums see is x + a₂/3 instead of x: then the curve has no a₂, and an addition is a
//! subtraction shorter.

use super::Bandersnatch;
use crate::curve::banderwagon::{Affine, Element, Precomputed};
use crate::curve::edwards::{Extended, Params, Point, quotient};
use crate::curve::{BatchAffine, Chord, Places};
use crate::field::bls12_381_scalar::Fq;
use crate::field::{Field, Ring};

const A: Fq = Fq::ZERO.sub_const(&Fq::from_u64(5));
const HALF: Fq = Fq::from_u64(2).invert_const();
/// s = (a − d)/4.
const S: Fq = A
    .sub_const(&Bandersnatch::D)
    .mul_const(&HALF)
    .mul_const(&HALF);
/// (a + d)/2.
const A2: Fq = Bandersnatch::D.sub_const(&Fq::from_u64(5)).mul_const(&HALF);
const A4: Fq = S.mul_const(&S);
const SHIFT: Fq = A2.mul_const(&Fq::from_u64(3).invert_const());
/// a of the curve of x + a₂/3: a₄ − a₂²/3.
const SHORT_A: Fq = A4.sub_const(&A2.mul_const(&SHIFT));
/// The root of −1/8 that makes φ multiplication by λ.
const K: Fq = Fq::from_hex("11e2c6491836ddcb11b0a0334ed78f12107fec7e46f101b634983eed518363ea");
const MINUS_HALF: Fq = Fq::ZERO.sub_const(&HALF);

/// φ of a point by its x, not shifted, and m = y/x, which is 1/x on the Edwards form: 5 products.
#[inline(always)]
fn image(x: Fq, m: Fq) -> Chord<Fq> {
    let mm = m.square();
    Chord {
        x: mm * MINUS_HALF + SHIFT,
        y: K * m * (x.double() + A2 - mm),
    }
}

/// The denominator that the map has, x·(1 − y): zero for the neutral element's two forms only.
#[inline(always)]
fn denominator(p: &Affine) -> Fq {
    p.x - p.x * p.y
}

/// Puts a point, and its image, to places from `index` on, for the inverse of its denominator.
#[inline(always)]
fn put(p: &Affine, inverse: Fq, cells: &mut [Element], index: usize, images: bool) {
    let y = S * (Fq::ONE + p.y) * inverse;
    let x = y * p.x;
    cells[index / 2].set(index % 2, Chord { x: x + SHIFT, y });
    if images {
        // 0 for a denominator of zero, and so is the image.
        let m = (Fq::ONE - p.y) * inverse;
        cells[index / 2].set(1, image(x, m));
    }
}

impl Places<Fq> for Element {
    const COUNT: usize = 2;

    #[inline(always)]
    fn get(&self, place: usize) -> Chord<Fq> {
        let cell = &self.0.0;
        if place == 0 {
            Chord {
                x: cell.x,
                y: cell.y,
            }
        } else {
            Chord {
                x: cell.t,
                y: cell.z,
            }
        }
    }

    #[inline(always)]
    fn set(&mut self, place: usize, point: Chord<Fq>) {
        let cell = &mut self.0.0;
        if place == 0 {
            (cell.x, cell.y) = (point.x, point.y);
        } else {
            (cell.t, cell.z) = (point.x, point.y);
        }
    }
}

impl BatchAffine for Element {
    type Base = Fq;
    const EMPTY: Self = quotient::Element(Point(Extended {
        x: Fq::ZERO,
        y: Fq::ZERO,
        t: Fq::ZERO,
        z: Fq::ZERO,
    }));

    #[inline(always)]
    fn tangent(x: Fq) -> Fq {
        let xx = x.square();
        xx.double() + xx + SHORT_A
    }

    #[inline(always)]
    fn spare(&self) -> Fq {
        self.0.0.t
    }

    #[inline(always)]
    fn set_spare(&mut self, value: Fq) {
        self.0.0.t = value;
    }

    /// 7 products a point, 12 with its image, and one inversion for all.
    fn to_chords<P: Copy + Into<Affine>>(points: &[P], cells: &mut [Self], images: bool) {
        let stride = 1 + usize::from(images);
        let count = points.len().min(2 * cells.len() / stride);
        let points = &points[..count];
        // Until the way back a place holds the denominator and the product of those before.
        let mut product = Fq::ONE;
        for (i, point) in points.iter().enumerate() {
            let x = denominator(&(*point).into());
            let index = i * stride;
            cells[index / 2].set(index % 2, Chord { x, y: product });
            if !x.is_zero() {
                product *= x;
            }
        }
        // A product of non-zero values is not zero.
        let mut inverse = product.invert_vartime().unwrap_or(Fq::ZERO);
        for (i, point) in points.iter().enumerate().rev() {
            let index = i * stride;
            let Chord { x, y: before } = cells[index / 2].get(index % 2);
            let mut of_this = Fq::ZERO;
            if !x.is_zero() {
                of_this = inverse * before;
                inverse *= x;
            }
            put(&(*point).into(), of_this, cells, index, images);
        }
    }

    /// 8 products a point, and one inversion for all.
    fn to_chords_in_place(points: &mut [Precomputed]) {
        // What a sum would be given beside x and y holds the product of the denominators before.
        let mut product = Fq::ONE;
        for point in points.iter_mut() {
            let x = denominator(&point.to_affine());
            point.set_third(product);
            if !x.is_zero() {
                product *= x;
            }
        }
        let mut inverse = product.invert_vartime().unwrap_or(Fq::ZERO);
        for point in points.iter_mut().rev() {
            let p = point.to_affine();
            let x = denominator(&p);
            let mut of_this = Fq::ZERO;
            if !x.is_zero() {
                of_this = inverse * point.third();
                inverse *= x;
            }
            let y = S * (Fq::ONE + p.y) * of_this;
            let x = y * p.x + SHIFT;
            point.set(0, Chord { x, y });
        }
    }

    /// x = x′/y′ and y = (x′ − s)/(x′ + s), brought to one denominator: 4 products.
    fn from_chord(point: &Chord<Fq>) -> Self {
        if point.is_identity() {
            return Self::IDENTITY;
        }
        let x = point.x - SHIFT;
        let (minus, plus) = (x - S, x + S);
        quotient::Element(Point(Extended {
            x: x * plus,
            y: minus * point.y,
            t: x * minus,
            z: point.y * plus,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Group;
    use alloc::vec::Vec;

    /// Both representatives of some elements, among them both neutral points.
    fn points() -> Vec<Affine> {
        let mut p = Element::from(Affine::GENERATOR);
        let mut out = alloc::vec![Affine::IDENTITY, Affine::GENERATOR];
        for _ in 0..20 {
            p = p.double() + Element::generator();
            out.push(p.to_affine());
        }
        let others: Vec<_> = out
            .iter()
            .map(|p| Affine::from_xy_unchecked(-p.x, -p.y))
            .collect();
        out.extend(others);
        out
    }

    #[test]
    fn constants_are_what_they_say() {
        let four = Fq::from_u64(4);
        assert_eq!(S * four, A - Bandersnatch::D);
        assert_eq!(A2.double(), A + Bandersnatch::D);
        assert_eq!(A4, S.square());
        assert_eq!(SHIFT * Fq::from_u64(3), A2);
        assert_eq!(K.square() * Fq::from_u64(8), -Fq::ONE);
    }

    #[test]
    fn points_lie_on_the_curve_and_come_back_with_their_images() {
        let points = points();
        let mut cells = alloc::vec![Element::EMPTY; points.len()];
        let mut plain = alloc::vec![Element::EMPTY; points.len().div_ceil(2)];
        Element::to_chords(&points, &mut cells, true);
        Element::to_chords(&points, &mut plain, false);
        let mut in_place: Vec<Precomputed> = points.iter().map(|p| (*p).into()).collect();
        Element::to_chords_in_place(&mut in_place);
        for (i, p) in points.iter().enumerate() {
            let element = Element::from(*p);
            let (own, image) = (cells[i].get(0), cells[i].get(1));
            for (chord, expected) in [(own, element), (image, element.endomorphism())] {
                if !chord.is_identity() {
                    let (x, y) = (chord.x - SHIFT, chord.y);
                    assert_eq!(y.square(), x * (x.square() + A2 * x + A4));
                    // 2·y·λ = 3·x² + 2·a₂·x + a₄.
                    let slope = (x.double() + x + A2.double()) * x + A4;
                    assert_eq!(Element::tangent(chord.x), slope);
                }
                assert_eq!(chord.is_identity(), expected == Element::IDENTITY);
                let back = Element::from_chord(&chord);
                assert_eq!(back, expected);
                let Extended { x, y, t, z } = back.0.0;
                assert_eq!(t * z, x * y);
            }
            // The point itself, not only its class.
            if !own.is_identity() {
                let back = Element::from_chord(&own).to_affine();
                assert_eq!((back.x, back.y), (p.x, p.y));
            }
            for chord in [plain[i / 2].get(i % 2), in_place[i].get(0)] {
                assert_eq!((chord.x, chord.y), (own.x, own.y));
            }
        }
        // Fewer cells than points, and none.
        Element::to_chords(&points, &mut plain[..3], true);
        Element::to_chords(&points, &mut [], true);
        Element::to_chords::<Affine>(&[], &mut plain, true);
    }
}
