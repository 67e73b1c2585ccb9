//! A curve that is isogenous to Bandersnatch by a degree of 8 and has a = −1:
//! −x² + y² = 1 + d′·x²·y². Its additions take a product less than Bandersnatch's own, two
//! with prepared operands, so it is where sums of fixed multiples are computed.
//!
//! No curve nearer than that has a point of order four, without which there is no such form.
//! The addition is complete on the whole curve: −1 is a square and d′ is not.
//!
//! ψ: Bandersnatch → this curve and its dual ψ̂ have ψ̂∘ψ = \[8\]. The group here is
//! [`Element`]: the points of order r modulo (0, −1), as in [Banderwagon](banderwagon). To it,
//! P ↦ ψ((1/8)·P) is an isomorphism, and ψ̂ is its inverse: the two are the `From` of the two
//! elements. The way here takes a scalar multiplication, the way back 18 products.

use crate::curve::edwards::minus_one::Halves;
use crate::curve::edwards::{Law, Params, Point, quotient};
use crate::curve::{Addend, Group, banderwagon};
use crate::field::Ring;
use crate::field::bandersnatch_scalar::Fr;
use crate::field::bls12_381_scalar::Fq;

mod isogeny;

/// The curve's parameters.
#[derive(Clone, Copy, Debug)]
pub struct Isogenous;

impl Params for Isogenous {
    type Base = Fq;
    /// d′, not a square.
    const D: Fq = Fq::from_hex("08540a65bbed3d449da7e71645d33b4d19b54f66a1a9132c3a215ccdec6cb255");
    const A_IS_MINUS_ONE: bool = true;

    #[inline(always)]
    fn mul_by_neg_a<R: Ring>(x: R) -> R {
        x
    }
}

impl quotient::Quotient for Isogenous {
    type Scalar = Fr;
    type Precomputed = Entry;
}

type Curve = Law<Isogenous, Fq>;

/// A group element in extended coordinates, 128 bytes.
pub type Element = quotient::Element<Isogenous>;

/// A group element in affine coordinates, 64 bytes. Either of its two representatives.
pub type Affine = quotient::Affine<Isogenous>;

/// A group element as the operand of an addition of 7 products, 96 bytes: (y − x)/2,
/// (y + x)/2 and d′·x·y.
#[derive(Clone, Copy, Debug)]
pub struct Entry(Halves<Fq>);

const HALF: Fq = Fq::from_u64(2).invert_const();
const EIGHTH: Fr = Fr::from_u64(8).invert_const();

impl Affine {
    /// The image of Banderwagon's generator.
    pub const GENERATOR: Self = Self::from_xy_unchecked(
        Fq::from_hex("66a4848fdbd063b6e5787a90dd3e57a0fc0a40a015f2ab3b08426abd0ab3f684"),
        Fq::from_hex("14cf37733c92a01179c748c89b6f14a0681afccb096f3201406a5b0900ebffb7"),
    );
}

impl From<Affine> for Entry {
    #[inline]
    fn from(p: Affine) -> Self {
        Self(Halves::new(p.coordinates(), Isogenous::D, HALF))
    }
}

impl From<Entry> for Affine {
    #[inline]
    fn from(entry: Entry) -> Self {
        let (x, y) = entry.0.coordinates();
        Self::from_xy_unchecked(x, y)
    }
}

impl Addend<Element> for Entry {
    const IDENTITY: Self = Self(Halves {
        minus: HALF,
        plus: HALF,
        dt: Fq::ZERO,
    });
    #[inline]
    fn to_group(&self) -> Element {
        Affine::from(*self).into()
    }
    #[inline]
    fn add_to(&self, acc: &Element) -> Element {
        quotient::Element(Point(Curve::add_halves(&acc.0.0, &self.0)))
    }
    #[inline]
    fn sub_from(&self, acc: &Element) -> Element {
        quotient::Element(Point(Curve::sub_halves(&acc.0.0, &self.0)))
    }
    // Not inlined: both together, once, fit the instruction cache.
    #[inline(never)]
    fn add_assign_to(&self, acc: &mut Element) {
        *acc = self.add_to(acc);
    }
    #[inline(never)]
    fn sub_assign_from(&self, acc: &mut Element) {
        *acc = self.sub_from(acc);
    }
}

impl From<banderwagon::Element> for Element {
    /// ψ((1/8)·P): a scalar multiplication. Public values only.
    fn from(p: banderwagon::Element) -> Self {
        let eighth = p.mul_vartime(&EIGHTH);
        Self(Point(isogeny::isogeny(&eighth.0.0)))
    }
}

impl From<Element> for banderwagon::Element {
    /// ψ̂(P): 18 products, no inversion.
    fn from(p: Element) -> Self {
        Self(Point(isogeny::dual(&p.0.0)))
    }
}

/// Elements that share an inversion.
const BLOCK: usize = 8;

/// Writes the images of Banderwagon's `points` to `out`; the shorter length counts. Public
/// values only. Complexity: a scalar multiplication a point.
pub fn batch_from_banderwagon(points: &[banderwagon::Affine], out: &mut [Affine]) {
    let mut images = [Element::IDENTITY; BLOCK];
    for (points, out) in points.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        for (image, point) in images.iter_mut().zip(points) {
            *image = banderwagon::Element::from(*point).into();
        }
        let count = points.len().min(out.len());
        Element::batch_normalize(&images, &mut out[..count]);
    }
}

#[cfg(test)]
mod tests;
