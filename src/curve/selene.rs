//! Selene: y² = x³ − 3·x + b over Helioselene's prime, of prime order
//! (2^255 − 19). It forms a cycle with [`Helios`](super::helios): the field of each one's
//! coordinates is the field of the other one's scalars.
//!
//! The order is odd, so there is no point of order two and the formulas are complete. b is
//! not a square, so no point has x = 0.

use super::parity::ParityEncoded;
use super::weierstrass::{self, A};
use crate::field::ed25519_base::F25519;
use crate::field::helioselene::FHelioselene;

/// The curve's parameters.
#[derive(Clone, Copy, Debug)]
pub struct Selene;

impl weierstrass::Params for Selene {
    type Base = FHelioselene;
    type Scalar = F25519;
    const A: A = A::MinusThree;
    const B: FHelioselene =
        FHelioselene::from_hex("70127713695876c17f51bba595ffe279f3944bdf06ae900e68de0983cb5a4558");
    const GENERATOR: (FHelioselene, FHelioselene) = (
        FHelioselene::from_u64(1),
        FHelioselene::from_hex("7a19d927b85cca9257c93177455c825f938bb198c8f09b37741e0aa6a1d3fdd2"),
    );
}

impl ParityEncoded for Selene {}

/// A point of Selene in projective coordinates, 96 bytes.
pub type Point = weierstrass::Point<Selene>;
/// A point of Selene in affine coordinates, 64 bytes.
pub type Affine = weierstrass::Affine<Selene>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::parity::tests as encodings;
    use crate::curve::weierstrass::tests as laws;

    #[test]
    fn no_point_has_x_zero() {
        assert_eq!(<Selene as weierstrass::Params>::B.legendre_vartime(), -1);
    }

    #[test]
    fn the_group_laws_hold() {
        laws::group_laws::<Selene>();
        laws::normalization_with_identities::<Selene>();
    }

    #[test]
    fn the_order_is_the_scalar_fields() {
        laws::order_annihilates::<Selene>();
    }

    #[test]
    fn f19_encodings_of_zero_and_beyond_the_modulus() {
        encodings::zero_and_beyond_the_modulus::<Selene, _>();
    }

    #[test]
    fn decoding_takes_back_what_encoding_gave() {
        encodings::round_trips::<Selene, _>();
    }
}
