//! The traits of the `group` crate for Banderwagon, G1, Helios and Selene.
//!
//! Multiplication takes public scalars: it is not constant time.

use core::iter::Sum;
use core::ops::{Add, AddAssign, MulAssign, Sub, SubAssign};

use group::GroupEncoding;
use group::prime::PrimeGroup;
use rand_core::TryRng;
use subtle::{Choice, CtOption};

use super::{Group, banderwagon, bls12_381_g1, helios, selene};
use crate::field::traits::Encoding;

/// A multiple of the generator by a random scalar that is not zero.
fn random_multiple<G: group::Group, R: TryRng + ?Sized>(rng: &mut R) -> Result<G, R::Error> {
    loop {
        let scalar = <G::Scalar as ff::Field>::try_random(rng)?;
        let point = G::generator() * scalar;
        if !bool::from(point.is_identity()) {
            return Ok(point);
        }
    }
}

macro_rules! group {
    ($point:ty, $scalar:ty, $bytes:expr) => {
        impl Add<&Self> for $point {
            type Output = Self;
            fn add(self, other: &Self) -> Self {
                self + *other
            }
        }

        impl Sub<&Self> for $point {
            type Output = Self;
            fn sub(self, other: &Self) -> Self {
                self - *other
            }
        }

        impl AddAssign<&Self> for $point {
            fn add_assign(&mut self, other: &Self) {
                *self += *other;
            }
        }

        impl SubAssign<&Self> for $point {
            fn sub_assign(&mut self, other: &Self) {
                *self -= *other;
            }
        }

        impl MulAssign<$scalar> for $point {
            fn mul_assign(&mut self, scalar: $scalar) {
                *self = self.mul_vartime(&scalar);
            }
        }

        impl MulAssign<&$scalar> for $point {
            fn mul_assign(&mut self, scalar: &$scalar) {
                *self = self.mul_vartime(scalar);
            }
        }

        impl<'a> Sum<&'a Self> for $point {
            fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
                iter.copied().sum()
            }
        }

        impl group::Group for $point {
            type Scalar = $scalar;

            /// A random multiple of the generator: its logarithm is known to who knows the
            /// random numbers.
            fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
                random_multiple(rng)
            }

            fn identity() -> Self {
                Self::IDENTITY
            }

            fn generator() -> Self {
                Self::generator()
            }

            fn is_identity(&self) -> Choice {
                Choice::from(u8::from(Group::is_identity(self)))
            }

            fn double(&self) -> Self {
                Group::double(self)
            }
        }

        impl GroupEncoding for $point {
            type Repr = Encoding<[u8; $bytes]>;

            fn from_bytes(bytes: &Self::Repr) -> CtOption<Self> {
                let point = Self::from_bytes(&bytes.0);
                let valid = Choice::from(u8::from(point.is_ok()));
                CtOption::new(point.unwrap_or(Self::IDENTITY), valid)
            }

            /// As `from_bytes`: every check is made.
            fn from_bytes_unchecked(bytes: &Self::Repr) -> CtOption<Self> {
                <Self as GroupEncoding>::from_bytes(bytes)
            }

            fn to_bytes(&self) -> Self::Repr {
                Encoding(self.to_bytes())
            }
        }

        impl PrimeGroup for $point {}
    };
}

group!(
    banderwagon::Element,
    crate::field::bandersnatch_scalar::Fr,
    32
);
group!(
    bls12_381_g1::Point,
    crate::field::bls12_381_scalar::Fq,
    bls12_381_g1::COMPRESSED_BYTES
);
group!(
    helios::Point,
    crate::field::helioselene::FHelioselene,
    super::parity::BYTES
);
group!(
    selene::Point,
    crate::field::ed25519_base::F25519,
    super::parity::BYTES
);

#[cfg(test)]
mod tests {
    use ff::Field;

    use super::*;
    use crate::field::test_random::Xorshift;

    /// The traits' methods against the crate's own.
    fn methods<G: PrimeGroup + Group>() {
        let mut rng = Xorshift(11);
        let identity = <G as group::Group>::identity();
        for _ in 0..5 {
            let (p, q) = (
                <G as group::Group>::random(&mut rng),
                <G as group::Group>::random(&mut rng),
            );
            assert_ne!(p, q);
            let s = <G as group::Group>::Scalar::random(&mut rng);
            let by_reference = &s;
            assert_eq!(p * s, p * by_reference);
            assert_eq!((p + q) * s, p * s + q * s);
            assert_eq!(G::generator() * s, G::mul_by_generator(&s));
            let mut acc = p;
            acc += &q;
            acc -= q;
            acc *= s;
            acc *= &s;
            assert_eq!(acc, p * s.square());
            let by_reference = &q;
            assert_eq!(p - by_reference + by_reference, p);
            assert_eq!([p, q].iter().sum::<G>(), p + q);
            assert_eq!(group::Group::double(&p), p + p);
            let encoded = p.to_bytes();
            assert_eq!(G::from_bytes(&encoded).unwrap(), p);
            assert_eq!(G::from_bytes_unchecked(&encoded).unwrap(), p);
            assert!(!bool::from(group::Group::is_identity(&p)));
        }
        assert!(bool::from(group::Group::is_identity(&identity)));
        assert_eq!(G::from_bytes(&identity.to_bytes()).unwrap(), identity);
        let mut wrong = <G as GroupEncoding>::Repr::default();
        wrong.as_mut().fill(0xff);
        assert!(bool::from(G::from_bytes(&wrong).is_none()));
    }

    #[test]
    fn methods_of_all_groups() {
        methods::<banderwagon::Element>();
        methods::<bls12_381_g1::Point>();
        methods::<helios::Point>();
        methods::<selene::Point>();
    }
}
