//! Helios: y² = x³ − 3·x + b over 2^255 − 19, of prime order
//! (Helioselene's prime). It forms a cycle with [`Selene`](super::selene): the field of each one's
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
pub struct Helios;

impl weierstrass::Params for Helios {
    type Base = F25519;
    type Scalar = FHelioselene;
    const A: A = A::MinusThree;
    const B: F25519 =
        F25519::from_hex("22e8c739b0ea70b8be94a76b3ebb7b3b043f6f384113bf3522b49ee1edd73ad4");
    const GENERATOR: (F25519, F25519) = (
        F25519::from_u64(3),
        F25519::from_hex("537b74d97ac0721cbd92668350205f0759003bddc586a5dcd243e639e3183ef4"),
    );
}

impl ParityEncoded for Helios {}

/// A point of Helios in projective coordinates, 96 bytes.
pub type Point = weierstrass::Point<Helios>;
/// A point of Helios in affine coordinates, 64 bytes.
pub type Affine = weierstrass::Affine<Helios>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::parity::tests as encodings;
    use crate::curve::weierstrass::tests as laws;

    #[test]
    fn no_point_has_x_zero() {
        assert_eq!(<Helios as weierstrass::Params>::B.legendre_vartime(), -1);
    }

    #[test]
    fn the_group_laws_hold() {
        laws::group_laws::<Helios>();
        laws::normalization_with_identities::<Helios>();
    }

    #[test]
    fn the_order_is_the_scalar_fields() {
        laws::order_annihilates::<Helios>();
    }

    #[test]
    fn f19_encodings_of_zero_and_beyond_the_modulus() {
        encodings::zero_and_beyond_the_modulus::<Helios, _>();
    }

    #[test]
    fn decoding_takes_back_what_encoding_gave() {
        encodings::round_trips::<Helios, _>();
    }
}
