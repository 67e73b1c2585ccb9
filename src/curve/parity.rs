//! The encoding that Helios and Selene share: 32 bytes, little-endian x with the parity of
//! y in bit 255; the identity is 32 zero bytes. Neither curve has a point with x = 0, so no
//! other point has that encoding.

use super::weierstrass::{Affine, DecodeError, Params, Point};
use crate::field::{self, Montgomery};

/// A curve over a 255-bit field whose points are encoded in this way.
pub trait ParityEncoded: Params {}

/// Bytes of an encoded point.
pub const BYTES: usize = 32;

impl<C, P> Affine<C>
where
    C: ParityEncoded + Params<Base = Montgomery<P, 4>>,
    P: field::Params<4, Repr = [u8; BYTES]>,
{
    /// Decodes 32 bytes: little-endian x below the modulus with the parity of y in the top
    /// bit. Public values only. Complexity: one square root.
    ///
    /// # Errors
    /// Another length; x not below the modulus; the identity with its parity bit set
    /// ([`DecodeError::Flags`]); no point with that x. Every point of the curve is in the
    /// group.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut repr: [u8; BYTES] = bytes.try_into().map_err(|_| DecodeError::Length {
            expected: BYTES,
            actual: bytes.len(),
        })?;
        let odd = repr[BYTES - 1] >> 7 == 1;
        repr[BYTES - 1] &= 0x7f;
        let x = C::Base::from_le_bytes(&repr).ok_or(DecodeError::NotCanonical)?;
        if x == C::Base::ZERO {
            return if odd {
                Err(DecodeError::Flags)
            } else {
                Ok(Self::IDENTITY)
            };
        }
        // y is not zero: the group has odd order. So exactly one root has the parity.
        let y = Self::y_squared(&x)
            .sqrt_vartime()
            .ok_or(DecodeError::NotOnCurve)?;
        let y = if y.is_odd() == odd { y } else { -y };
        Ok(Self::from_xy_unchecked(x, y))
    }

    /// The encoding.
    pub fn to_bytes(&self) -> [u8; BYTES] {
        let Some((x, y)) = self.coordinates() else {
            return [0; BYTES];
        };
        let mut out = x.to_le_bytes();
        out[BYTES - 1] |= u8::from(y.is_odd()) << 7;
        out
    }
}

impl<C, P> Point<C>
where
    C: ParityEncoded + Params<Base = Montgomery<P, 4>>,
    P: field::Params<4, Repr = [u8; BYTES]>,
{
    /// Decodes 32 bytes: see [`Affine::from_bytes`].
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        Affine::<C>::from_bytes(bytes).map(Into::into)
    }

    /// The encoding; one inversion.
    pub fn to_bytes(&self) -> [u8; BYTES] {
        self.to_affine().to_bytes()
    }
}

/// What the tests of both curves check of their encodings.
#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::field::Ring;

    pub(in crate::curve) fn zero_and_beyond_the_modulus<C, P>()
    where
        C: ParityEncoded + Params<Base = Montgomery<P, 4>>,
        P: field::Params<4, Repr = [u8; BYTES]>,
    {
        let modulus = {
            let mut bytes = (-C::Base::ONE).to_le_bytes();
            bytes[0] += 1; // m − 1 is even
            bytes
        };
        let with_sign = |mut bytes: [u8; BYTES]| {
            bytes[BYTES - 1] |= 0x80;
            bytes
        };
        let decode = Affine::<C>::from_bytes;
        assert_eq!(decode(&[0; BYTES]), Ok(Affine::IDENTITY));
        assert_eq!(decode(&with_sign([0; BYTES])), Err(DecodeError::Flags));
        for bytes in [modulus, with_sign(modulus), [0xff; BYTES]] {
            assert_eq!(decode(&bytes), Err(DecodeError::NotCanonical));
        }
        let mut above = modulus;
        above[0] += 1;
        assert_eq!(decode(&above), Err(DecodeError::NotCanonical));
        for actual in [0, 31, 33] {
            let expected = BYTES;
            assert_eq!(
                decode(&[1; 33][..actual]),
                Err(DecodeError::Length { expected, actual })
            );
        }
    }

    pub(in crate::curve) fn round_trips<C, P>()
    where
        C: ParityEncoded + Params<Base = Montgomery<P, 4>>,
        P: field::Params<4, Repr = [u8; BYTES]>,
    {
        let mut point = Point::<C>::generator();
        for _ in 0..20 {
            for p in [point, -point] {
                assert_eq!(Point::<C>::from_bytes(&p.to_bytes()), Ok(p));
            }
            point += Point::generator();
        }
        assert_eq!(Point::<C>::IDENTITY.to_bytes(), [0; BYTES]);
        let off = (1..)
            .map(C::Base::from_u64)
            .find(|x| (x.square() * *x - x.double() - *x + C::B).legendre_vartime() == -1);
        let bytes = off.unwrap().to_le_bytes();
        assert_eq!(
            Affine::<C>::from_bytes(&bytes),
            Err(DecodeError::NotOnCurve)
        );
    }
}
