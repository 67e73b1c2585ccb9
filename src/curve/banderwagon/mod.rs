//! Banderwagon: the prime-order group that Verkle proofs live in.
//!
//! Points of [Bandersnatch](super::bandersnatch) in the prime subgroup and its coset by
//! (0, −1), with (x, y) and (−x, −y) taken as one element. (0, −1) is so the identity.
//!
//! Source: the Banderwagon notes of the Verkle trie (K. Ramana, D. Feist, G. Wagner), and
//! go-ipa and rust-verkle for the bytes.
//!
//! The addition is complete here although a = −5 is not a square: a zero denominator needs a
//! point outside the subgroup and its coset, and no such point can be made: every decoder
//! checks it, and the group law keeps it.

use core::ops::Mul;

use super::bandersnatch::{Bandersnatch, GENERATOR_X, GENERATOR_Y};
#[cfg(feature = "verkle")]
use super::edwards::Extended;
use super::edwards::{Law, Niels, Point, quotient};
use super::{Addend, Chord, Places};
use crate::field::Field;
use crate::field::bandersnatch_scalar::Fr;
use crate::field::bls12_381_scalar::Fq;

mod batch;
mod constant_time;
mod encoding;
mod mul;
#[cfg(feature = "verkle")]
mod together;

pub use batch::{batch_map_to_scalar, batch_to_bytes};
pub use encoding::{Compressed, DecodeError};
#[cfg(feature = "verkle")]
pub(crate) use together::decode_with;

type Curve = Law<Bandersnatch, Fq>;

/// A group element in extended coordinates, 128 bytes.
pub type Element = quotient::Element<Bandersnatch>;

/// A group element in affine coordinates, 64 bytes. Either of its two representatives.
pub type Affine = quotient::Affine<Bandersnatch>;

/// A group element as the operand of an addition, 96 bytes: affine x, y and d·x·y.
#[derive(Clone, Copy, Debug)]
pub struct Precomputed(Niels<Fq>);

impl Affine {
    /// The generator.
    pub const GENERATOR: Self = Self {
        x: GENERATOR_X,
        y: GENERATOR_Y,
    };

    /// The map to the scalar field: (x/y mod q) as an integer, mod r; 0 for the identity.
    /// One inversion; [`batch_map_to_scalar`] shares it. Not injective, see `docs/`.
    pub fn map_to_scalar(&self) -> Fr {
        // y is not zero for any group element.
        let ratio = self.x * self.y.invert_vartime().unwrap_or(Fq::ZERO);
        reduce_to_scalar(&ratio)
    }

    /// The representative that encodings have: y the larger of y and −y.
    pub(crate) fn normalized(&self) -> Self {
        if self.y.is_lexicographically_largest() {
            *self
        } else {
            Self {
                x: -self.x,
                y: -self.y,
            }
        }
    }
}

/// q is about 4·r: an integer below q, mod r.
fn reduce_to_scalar(ratio: &Fq) -> Fr {
    Fr::from_limbs(ratio.to_limbs())
}

/// The bits of a field element in memory, of no meaning: as fast as a copy.
#[cfg(feature = "verkle")]
#[inline(always)]
fn to_bits(x: &Fq) -> [u8; 32] {
    let mut out = [0; 32];
    for (bytes, limb) in (out.as_chunks_mut().0.iter_mut()).zip(x.montgomery_limbs()) {
        *bytes = limb.to_le_bytes();
    }
    out
}

/// From what [`to_bits`] gave, and nothing else.
#[cfg(feature = "verkle")]
#[inline(always)]
fn from_bits(bits: &[u8; 32]) -> Fq {
    let mut limbs = [0; 4];
    for (limb, bytes) in limbs.iter_mut().zip(bits.as_chunks().0) {
        *limb = u64::from_le_bytes(*bytes);
    }
    Fq::from_montgomery_limbs(limbs)
}

impl core::hash::Hash for Affine {
    /// Hashes the canonical encoding, so equal elements hash alike.
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.to_bytes().hash(state);
    }
}

impl Precomputed {
    /// Memory before it is used: zero bytes, so that it takes no place in a program's image.
    /// No group element.
    #[cfg(feature = "verkle")]
    pub(crate) const VACANT: Self = Self(Niels {
        x: Fq::ZERO,
        y: Fq::ZERO,
        dt: Fq::ZERO,
    });

    /// What stands beside x and y.
    pub(in crate::curve) const fn third(&self) -> Fq {
        self.0.dt
    }

    /// Lends its place.
    pub(in crate::curve) fn set_third(&mut self, value: Fq) {
        self.0.dt = value;
    }

    /// The affine form.
    pub const fn to_affine(&self) -> Affine {
        Affine {
            x: self.0.x,
            y: self.0.y,
        }
    }

    /// The canonical compressed encoding. No inversion.
    pub fn to_bytes(&self) -> Compressed {
        self.to_affine().to_bytes()
    }

    /// The canonical compressed encoding of a normalised representative.
    #[cfg(feature = "verkle")]
    pub(crate) fn normalized_to_bytes(&self) -> Compressed {
        self.0.x.to_be_bytes()
    }

    /// Bytes that are the same for equal elements in normalised representatives, and no others.
    #[cfg(feature = "verkle")]
    pub(crate) fn normalized_bits(&self) -> [u8; 32] {
        to_bits(&self.0.x)
    }

    /// Some total order of normalised representatives (in memory order, of no meaning): equal
    /// for equal elements.
    pub(crate) fn cmp_normalized(&self, other: &Self) -> core::cmp::Ordering {
        self.0
            .x
            .montgomery_limbs()
            .cmp(other.0.x.montgomery_limbs())
    }
}

impl Places<Fq> for Precomputed {
    const COUNT: usize = 1;

    #[inline(always)]
    fn get(&self, _: usize) -> Chord<Fq> {
        let Niels { x, y, .. } = self.0;
        Chord { x, y }
    }

    #[inline(always)]
    fn set(&mut self, _: usize, point: Chord<Fq>) {
        (self.0.x, self.0.y) = (point.x, point.y);
    }
}

impl From<Precomputed> for Affine {
    #[inline]
    fn from(p: Precomputed) -> Self {
        p.to_affine()
    }
}

impl From<Affine> for Precomputed {
    #[inline]
    fn from(p: Affine) -> Self {
        Self(Curve::niels(p.x, p.y))
    }
}

impl Element {
    /// As [`Precomputed::VACANT`].
    #[cfg(feature = "verkle")]
    pub(crate) const VACANT: Self = Self(Point(Extended {
        x: Fq::ZERO,
        y: Fq::ZERO,
        t: Fq::ZERO,
        z: Fq::ZERO,
    }));

    /// The generator.
    pub fn generator() -> Self {
        Affine::GENERATOR.into()
    }

    /// Decodes a compressed encoding: see [`Affine::from_bytes`].
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        Affine::from_bytes(bytes).map(Into::into)
    }

    /// The canonical compressed encoding; one inversion.
    pub fn to_bytes(&self) -> Compressed {
        self.to_affine().to_bytes()
    }

    /// The map to the scalar field; one inversion (Z cancels).
    pub fn map_to_scalar(&self) -> Fr {
        Affine {
            x: self.0.0.x,
            y: self.0.0.y,
        }
        .map_to_scalar()
    }
}

impl core::hash::Hash for Element {
    /// Hashes the canonical encoding, so equal elements hash alike; one inversion.
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.to_bytes().hash(state);
    }
}

impl quotient::Quotient for Bandersnatch {
    type Scalar = Fr;
    type Precomputed = Precomputed;
}

impl Addend<Element> for Precomputed {
    const IDENTITY: Self = Self(Niels {
        x: Fq::ZERO,
        y: Fq::ONE,
        dt: Fq::ZERO,
    });
    #[inline]
    fn to_group(&self) -> Element {
        Affine {
            x: self.0.x,
            y: self.0.y,
        }
        .into()
    }
    #[inline]
    fn add_to(&self, acc: &Element) -> Element {
        quotient::Element(Point(Curve::add_niels(&acc.0.0, &self.0)))
    }
    #[inline]
    fn sub_from(&self, acc: &Element) -> Element {
        quotient::Element(Point(Curve::sub_niels(&acc.0.0, &self.0)))
    }
    // Not inlined: each is 12 KiB of instructions, and both together, once, fit the caches.
    #[inline(never)]
    fn add_assign_to(&self, acc: &mut Element) {
        *acc = self.add_to(acc);
    }
    #[inline(never)]
    fn sub_assign_from(&self, acc: &mut Element) {
        *acc = self.sub_from(acc);
    }
}

impl Mul<&Fr> for Element {
    type Output = Self;
    /// Variable time: public values only.
    fn mul(self, scalar: &Fr) -> Self {
        self.mul_vartime(scalar)
    }
}

impl Mul<Fr> for Element {
    type Output = Self;
    /// Variable time: public values only.
    fn mul(self, scalar: Fr) -> Self {
        self.mul_vartime(&scalar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Group;

    #[test]
    fn generator_and_identity_have_the_published_bytes() {
        let hex = "4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9";
        let expected: [u8; 32] =
            core::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap());
        assert_eq!(Affine::GENERATOR.to_bytes(), expected);
        assert_eq!(Element::from_bytes(&expected), Ok(Element::generator()));
        assert_eq!(Element::from_bytes(&[0; 32]), Ok(Element::IDENTITY));
        assert_eq!(Element::IDENTITY.to_bytes(), [0; 32]);
    }

    #[test]
    fn the_order_annihilates_the_generator() {
        let g = Element::generator();
        let minus_one = g.mul_vartime(&-Fr::ONE);
        assert_eq!(minus_one, -g);
        assert_eq!(minus_one + g, Element::IDENTITY);
        assert_eq!(g.double() + g.double(), g.mul_vartime(&Fr::from(4)));
    }
}
