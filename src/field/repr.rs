//! Canonical encodings as byte arrays.

use core::fmt::Debug;
use crypto_bigint::{Odd, U256, U384};

/// A byte array that holds a field element's canonical encoding, little-endian.
pub trait Repr: Copy + Debug + Eq + AsRef<[u8]> + AsMut<[u8]> + Send + Sync + 'static {
    /// All bytes zero.
    const ZERO: Self;

    /// The inverse of `self` modulo the odd number `modulus`, in time that does not depend
    /// on `self`; none where there is no inverse. (crypto-bigint's constant-time inversion.)
    fn invert_mod(&self, modulus: &Self) -> Option<Self>;
}

macro_rules! repr {
    ($bytes:literal, $uint:ty) => {
        impl Repr for [u8; $bytes] {
            const ZERO: Self = [0; $bytes];

            fn invert_mod(&self, modulus: &Self) -> Option<Self> {
                let modulus =
                    Option::<Odd<$uint>>::from(Odd::new(<$uint>::from_le_slice(modulus)))?;
                let inverse = <$uint>::from_le_slice(self).invert_odd_mod(&modulus);
                let mut out = Self::ZERO;
                out.copy_from_slice(Option::<$uint>::from(inverse)?.to_le_bytes().as_ref());
                Some(out)
            }
        }
    };
}

repr!(32, U256);
repr!(48, U384);
