//! BLS12-381's G1: the subgroup of prime order of y² = x³ + 4.
//!
//! The curve has h·r points with odd h = (z − 1)²/3, z = −0xd201000000010000, so no point of
//! order two, and the formulas are complete on the whole curve.
//!
//! Source: S. Bowe's description of the curve's encodings (the "Zcash format"), which
//! EIP-4844 takes over.

use super::Group;
use super::weierstrass::{self, A, DecodeError};
use crate::field::Ring;
use crate::field::bls12_381_base::Fp;
use crate::field::bls12_381_scalar::Fq;

/// The curve's parameters.
#[derive(Clone, Copy, Debug)]
pub struct G1;

impl weierstrass::Params for G1 {
    type Base = Fp;
    type Scalar = Fq;
    const A: A = A::Zero;
    const B: Fp = Fp::from_u64(4);
    const GENERATOR: (Fp, Fp) = (
        Fp::from_hex(
            "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
        ),
        Fp::from_hex(
            "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1",
        ),
    );

    #[inline(always)]
    fn mul_by_b<R: Ring + From<Fp>>(x: R) -> R {
        x.double().double()
    }
}

/// A point of G1 in projective coordinates, 144 bytes.
pub type Point = weierstrass::Point<G1>;
/// A point of G1 in affine coordinates, 96 bytes.
pub type Affine = weierstrass::Affine<G1>;

/// Bytes of a compressed point.
pub const COMPRESSED_BYTES: usize = 48;

/// Set in the first byte of each compressed encoding.
const COMPRESSED: u8 = 0x80;
/// Set for the identity.
const INFINITY: u8 = 0x40;
/// Set if y is greater than its negative.
const LARGEST: u8 = 0x20;
/// The three flags.
const FLAGS: u8 = COMPRESSED | INFINITY | LARGEST;

/// The absolute value of the curve family's parameter z; z is negative.
const Z_ABS: u64 = 0xd201_0000_0001_0000;

/// The cube root of unity with which φ(x, y) = (β·x, y) is multiplication by −z² on G1.
const BETA: Fp = Fp::from_hex(
    "5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffe",
);

impl Affine {
    /// Decodes a compressed encoding: 48 bytes, big-endian x, its top three bits flags.
    /// Public values only. Complexity: one square root and the subgroup check.
    ///
    /// # Errors
    /// Another length; not compressed, or an encoding of the identity with any other bit set
    /// ([`DecodeError::Flags`]); x not below p; no point with that x; a point outside G1.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let point = Self::from_bytes_on_curve(bytes)?;
        if point.is_in_subgroup() {
            Ok(point)
        } else {
            Err(DecodeError::NotInSubgroup)
        }
    }

    /// As [`from_bytes`](Self::from_bytes), but a point of the whole curve.
    fn from_bytes_on_curve(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut repr: [u8; COMPRESSED_BYTES] =
            bytes.try_into().map_err(|_| DecodeError::Length {
                expected: COMPRESSED_BYTES,
                actual: bytes.len(),
            })?;
        let flags = repr[0] & FLAGS;
        repr[0] &= !FLAGS;
        if flags & COMPRESSED == 0 {
            return Err(DecodeError::Flags);
        }
        if flags & INFINITY != 0 {
            return if flags & LARGEST == 0 && repr == [0; COMPRESSED_BYTES] {
                Ok(Self::IDENTITY)
            } else {
                Err(DecodeError::Flags)
            };
        }
        let x = Fp::from_be_bytes(&repr).ok_or(DecodeError::NotCanonical)?;
        let y = Self::y_squared(&x)
            .sqrt_vartime()
            .ok_or(DecodeError::NotOnCurve)?;
        // y is not zero, so exactly one of the roots is the larger one.
        let y = if y.is_lexicographically_largest() == (flags & LARGEST != 0) {
            y
        } else {
            -y
        };
        Ok(Self::from_xy_unchecked(x, y))
    }

    /// The compressed encoding.
    pub fn to_bytes(&self) -> [u8; COMPRESSED_BYTES] {
        let Some((x, y)) = self.coordinates() else {
            let mut out = [0; COMPRESSED_BYTES];
            out[0] = COMPRESSED | INFINITY;
            return out;
        };
        let mut out = x.to_be_bytes();
        out[0] |= COMPRESSED;
        if y.is_lexicographically_largest() {
            out[0] |= LARGEST;
        }
        out
    }

    /// Whether a point of the curve is in G1: φ(P) = \[−z²\]P (M. Scott 2021).
    ///
    /// Why it is right: φ² + φ + 1 = 0 on the whole curve, so φ(P) = \[−z²\]P gives
    /// \[z⁴ − z² + 1\]P = \[r\]P = O. And φ acts on G1 by one of the two roots of λ² + λ + 1
    /// modulo r; β is the cube root of unity for which that is −z².
    fn is_in_subgroup(&self) -> bool {
        let Some((x, y)) = self.coordinates() else {
            return true;
        };
        let endomorphism = Point::from(Self::from_xy_unchecked(x * BETA, y));
        let point = Point::from(*self);
        endomorphism == -mul_by_z_abs(&mul_by_z_abs(&point))
    }
}

/// \[|z|\]P.
fn mul_by_z_abs(point: &Point) -> Point {
    (0..64).rev().fold(Point::IDENTITY, |acc, i| {
        let acc = acc.double();
        if (Z_ABS >> i) & 1 == 1 {
            acc + *point
        } else {
            acc
        }
    })
}

impl Point {
    /// Decodes a compressed encoding: see [`Affine::from_bytes`].
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        Affine::from_bytes(bytes).map(Into::into)
    }

    /// The compressed encoding; one inversion.
    pub fn to_bytes(&self) -> [u8; COMPRESSED_BYTES] {
        self.to_affine().to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::weierstrass::tests as laws;

    fn generator_bytes() -> [u8; 48] {
        let mut bytes = <G1 as weierstrass::Params>::GENERATOR.0.to_be_bytes();
        bytes[0] |= 0x80;
        bytes
    }

    #[test]
    fn the_group_laws_hold() {
        laws::group_laws::<G1>();
        laws::normalization_with_identities::<G1>();
    }

    #[test]
    fn the_order_is_the_scalar_fields() {
        laws::order_annihilates::<G1>();
    }

    #[test]
    fn generator_and_identity_have_the_published_bytes() {
        assert_eq!(Affine::GENERATOR.to_bytes(), generator_bytes());
        assert_eq!(generator_bytes()[..4], [0x97, 0xf1, 0xd3, 0xa7]);
        assert_eq!(
            Affine::from_bytes(&generator_bytes()),
            Ok(Affine::GENERATOR)
        );
        let mut identity = [0; 48];
        identity[0] = 0xc0;
        assert_eq!(Affine::IDENTITY.to_bytes(), identity);
        assert_eq!(Affine::from_bytes(&identity), Ok(Affine::IDENTITY));
    }

    #[test]
    fn k01_illegal_flags_are_refused() {
        let mut bytes = generator_bytes();
        for first in 0..=255u8 {
            bytes[0] = first;
            let got = Affine::from_bytes(&bytes);
            match first {
                0x97 => assert_eq!(got, Ok(Affine::GENERATOR)),
                0xb7 => assert_eq!(got, Ok(-Affine::GENERATOR)),
                0x80..=0xbf => assert_ne!(got, Err(DecodeError::Flags)),
                _ => assert_eq!(got, Err(DecodeError::Flags), "{first:02x}"),
            }
        }
        for first in 0..=255u8 {
            for last in [0, 1] {
                let mut bytes = [0; 48];
                (bytes[0], bytes[47]) = (first, last);
                let got = Affine::from_bytes(&bytes);
                if first & 0x80 == 0 || (first & 0x40 != 0 && (first, last) != (0xc0, 0)) {
                    assert_eq!(got, Err(DecodeError::Flags), "{first:02x} {last}");
                }
            }
        }
        // x = p and above.
        let mut p = (-Fp::ONE).to_be_bytes();
        p[47] += 1;
        for flags in [0x80, 0xa0] {
            let mut bytes = p;
            bytes[0] |= flags;
            assert_eq!(Affine::from_bytes(&bytes), Err(DecodeError::NotCanonical));
        }
    }

    #[test]
    fn k04_points_outside_the_subgroup_are_refused() {
        let mut bytes = [0; 48];
        for (byte, value) in bytes.iter_mut().zip(
            [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]
                .iter()
                .cycle(),
        ) {
            *byte = *value;
        }
        bytes[0] = 0x81;
        assert!(Affine::from_bytes_on_curve(&bytes).is_ok());
        assert_eq!(Affine::from_bytes(&bytes), Err(DecodeError::NotInSubgroup));
        bytes[47] = 0xe0;
        assert_eq!(Affine::from_bytes(&bytes), Err(DecodeError::NotOnCurve));
        for length in [0, 47, 49] {
            assert_eq!(
                Affine::from_bytes(&[0x81; 49][..length]),
                Err(DecodeError::Length {
                    expected: 48,
                    actual: length
                })
            );
        }
    }

    #[test]
    fn beta_is_the_cube_root_of_unity_that_goes_with_z() {
        let (x, y) = <G1 as weierstrass::Params>::GENERATOR;
        assert_ne!(BETA, Fp::ONE);
        assert_eq!(BETA.square() * BETA, Fp::ONE);
        let z_squared = Fq::from_u64(Z_ABS).square();
        assert_eq!(
            Point::from(Affine::from_xy_unchecked(x * BETA, y)),
            Point::generator().mul_vartime(&-z_squared)
        );
        // r = z⁴ − z² + 1.
        assert_eq!(z_squared.square() - z_squared + Fq::ONE, Fq::ZERO);
    }

    #[test]
    fn the_endomorphism_check_agrees_with_the_order() {
        let minus_one = -Fq::ONE;
        let mut outside = 0;
        for x in 0..200 {
            let x = Fp::from_u64(x);
            let Some(y) = Affine::y_squared(&x).sqrt_vartime() else {
                continue;
            };
            let affine = Affine::from_xy_unchecked(x, y);
            let point = Point::from(affine);
            let by_order = point.mul_vartime(&minus_one) + point == Point::IDENTITY;
            assert_eq!(affine.is_in_subgroup(), by_order);
            outside += usize::from(!by_order);
            // [1 − z] = [1 + |z|] clears the cofactor (Wahby, Boneh 2019).
            let inside = (mul_by_z_abs(&point) + point).to_affine();
            assert!(inside.is_in_subgroup());
            assert_eq!(Affine::from_bytes(&inside.to_bytes()), Ok(inside));
        }
        assert!(outside > 50);
    }
}
