//! Multiples of an element by a public scalar.

use super::Element;
use crate::curve::bandersnatch::{LATTICE, endomorphism};
use crate::curve::edwards::Point;
use crate::curve::{Endomorphic, Group};
use crate::field::bandersnatch_scalar::Fr;
use crate::field::lattice::Half;

/// Bits of a window of signed odd digits.
const WINDOW: u32 = 5;
/// The odd multiples 1, 3, … below 2^(WINDOW − 1).
const ODD_MULTIPLES: usize = 1 << (WINDOW - 2);
/// Digits of a number below 2^127: its bits, and one for a carry.
const DIGITS: usize = 128;

impl Element {
    /// φ(P) = `[λ]P` for [`LAMBDA`](crate::curve::bandersnatch::LAMBDA), in 11 products.
    #[must_use]
    pub fn endomorphism(&self) -> Self {
        // The formula has no answer for its kernel, which is the identity.
        if self.is_identity() {
            Self::IDENTITY
        } else {
            Self(Point(endomorphism(&self.0.0)))
        }
    }

    /// `[s]P`. Public values only.
    ///
    /// s = k₁ + k₂·λ with halves of 126 bits, so `[s]P = [k₁]P + [k₂]φ(P)` with shared
    /// doublings, both in windows of signed odd digits: about 126 doublings and 50 additions.
    #[must_use]
    pub fn mul_vartime(&self, scalar: &Fr) -> Self {
        let (k1, k2) = LATTICE.split(scalar);
        let base = if k1.negative { -*self } else { *self };
        let table = base.odd_multiples();
        let images = table.map(|p| {
            let image = p.endomorphism();
            if k1.negative == k2.negative {
                image
            } else {
                -image
            }
        });
        let (digits1, digits2) = (odd_digits(k1.magnitude), odd_digits(k2.magnitude));
        let mut acc = Self::IDENTITY;
        let mut started = false;
        for (d1, d2) in digits1.iter().zip(&digits2).rev() {
            if started {
                acc = acc.double();
            }
            for (digit, table) in [(*d1, &table), (*d2, &images)] {
                if digit != 0 {
                    started = true;
                    let entry = table[usize::from(digit.unsigned_abs() / 2)];
                    acc = if digit < 0 { acc - entry } else { acc + entry };
                }
            }
        }
        acc
    }

    /// P, 3P, 5P, …
    fn odd_multiples(&self) -> [Self; ODD_MULTIPLES] {
        let double = self.double();
        let mut next = *self;
        core::array::from_fn(|_| {
            let this = next;
            next += double;
            this
        })
    }
}

impl Endomorphic for Element {
    const HALF_BITS: Option<u32> = Some(126);

    fn endomorphism(&self) -> Self {
        self.endomorphism()
    }

    fn split(scalar: &[u8; 32]) -> [Half; 2] {
        LATTICE.split_bytes(scalar).into()
    }
}

/// n below 2^127 as Σ dᵢ·2^i with digits that are zero or odd and below 2^(WINDOW − 1) in
/// absolute value, of which no two that are not zero stand within a window.
fn odd_digits(mut n: u128) -> [i8; DIGITS] {
    let mut out = [0i8; DIGITS];
    for slot in &mut out {
        if n & 1 == 1 {
            let low = (n & ((1 << WINDOW) - 1)) as i8;
            let digit = if low < 1 << (WINDOW - 1) {
                low
            } else {
                low - (1 << WINDOW)
            };
            *slot = digit;
            // n − digit ends in WINDOW zeros; n < 2^127, so nothing overflows.
            n = n.wrapping_sub(digit as u128);
        }
        n >>= 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve;
    use crate::curve::bandersnatch::LAMBDA;
    use crate::curve::banderwagon::Affine;
    use crate::field::Ring;

    #[test]
    fn digits_make_the_number() {
        let mut n = 1u128;
        let mut numbers = alloc::vec![0, 1, 15, 16, 17, 31, 32, (1 << 127) - 1, 1 << 126];
        for _ in 0..200 {
            n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(77);
            numbers.push(n >> 1);
            numbers.push(n >> 60);
        }
        for n in numbers {
            let digits = odd_digits(n);
            let sum = digits.iter().rev().fold(0u128, |acc, digit| {
                acc.wrapping_mul(2).wrapping_add(*digit as u128)
            });
            assert_eq!(sum, n);
            assert!(
                digits
                    .iter()
                    .all(|d| *d == 0 || (d % 2 != 0 && d.abs() < 16))
            );
        }
    }

    #[test]
    fn the_endomorphism_is_multiplication_by_lambda() {
        let mut p = Element::generator();
        for _ in 0..20 {
            let image = p.endomorphism();
            assert_eq!(image, curve::mul_vartime(&p, &LAMBDA));
            let (x, y) = image.to_affine().coordinates();
            assert!(Point::<curve::bandersnatch::Bandersnatch>::is_on_curve(
                &x, &y
            ));
            // T is X·Y/Z, which sums rely on.
            assert_eq!(image.0.0.t * image.0.0.z, image.0.0.x * image.0.0.y);
            assert_eq!(image.endomorphism(), -p.double());
            assert_eq!((p + image).endomorphism(), image - p.double());
            p = p.double() + Element::generator();
        }
        assert_eq!(Element::IDENTITY.endomorphism(), Element::IDENTITY);
        let other = Element::from(Affine::from_xy_unchecked(
            crate::field::bls12_381_scalar::Fq::ZERO,
            -crate::field::bls12_381_scalar::Fq::ONE,
        ));
        assert_eq!(other.endomorphism(), Element::IDENTITY);
    }

    #[test]
    fn equals_doubling_and_adding() {
        let mut scalar = LAMBDA;
        let mut p = Element::generator();
        for _ in 0..100 {
            scalar = scalar.square() + Fr::ONE;
            p = p.double() + Element::generator();
            assert_eq!(p.mul_vartime(&scalar), curve::mul_vartime(&p, &scalar));
        }
    }
}
