//! The traits of the `ff` crate for the generic field.
//!
//! Constant time as that crate asks: inversion, square root and exponentiation take the same
//! steps for every element. The exception is a field that is declared to hold public values
//! only ([`Modulus::PUBLIC`](super::Modulus::PUBLIC)), where a product may branch on its
//! value. The encodings are this crate's, little-endian.

use ff::helpers::sqrt_tonelli_shanks;
use lightproof_arch::portable::limbs;
use rand_core::TryRng;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};

use super::{Montgomery, Params, Ring};

/// Bytes of "0x" and the digits of the longest modulus.
const HEX_BYTES: usize = 2 + 16 * 6;

/// The modulus as "0x" and big-endian hexadecimal digits, all 16 of each limb.
const fn hex<const N: usize>(modulus: &[u64; N]) -> [u8; HEX_BYTES] {
    let mut out = [b'0'; HEX_BYTES];
    out[1] = b'x';
    let mut i = 0;
    while i < 16 * N {
        let nibble = (modulus[N - 1 - i / 16] >> (60 - 4 * (i % 16))) as u8 & 15;
        out[2 + i] = nibble + if nibble < 10 { b'0' } else { b'a' - 10 };
        i += 1;
    }
    out
}

/// The first `len` bytes as text; empty if they are none, which digits are not.
const fn text(bytes: &[u8; HEX_BYTES], len: usize) -> &str {
    match core::str::from_utf8(bytes.split_at(len).0) {
        Ok(text) => text,
        Err(_) => "",
    }
}

impl<P: Params<N>, const N: usize> Montgomery<P, N> {
    const MODULUS_HEX: &'static [u8; HEX_BYTES] = &hex(&P::MODULUS);

    /// a^(2^s).
    const fn square_times(&self, s: u32) -> Self {
        let mut out = *self;
        let mut i = 0;
        while i < s {
            out = out.mul_const(&out);
            i += 1;
        }
        out
    }
}

impl<P: Params<N>, const N: usize> ff::Field for Montgomery<P, N> {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    /// 16·N random bytes, reduced: 2^(−64·N + 1) from uniform at most.
    fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut low = [0; N];
        let mut high = [0; N];
        for limb in low.iter_mut().chain(&mut high) {
            *limb = rng.try_next_u64()?;
        }
        // R2 in Montgomery form stands for R.
        let shift = Self::from_montgomery_limbs(P::R2);
        Ok(Self::from_limbs(high) * shift + Self::from_limbs(low))
    }

    fn square(&self) -> Self {
        Ring::square(self)
    }

    fn double(&self) -> Self {
        Ring::double(self)
    }

    fn invert(&self) -> CtOption<Self> {
        let inverse = Self::invert(self).unwrap_or(Self::ZERO);
        CtOption::new(inverse, !self.ct_eq(&Self::ZERO))
    }

    fn sqrt_ratio(num: &Self, div: &Self) -> (Choice, Self) {
        let inverse = ff::Field::invert(div).unwrap_or(Self::ZERO);
        let ratio = *num * inverse;
        let root = ff::Field::sqrt(&ratio);
        // The root of unity is no square, so exactly one of them has a root, or both are 0.
        let root_of_other =
            ff::Field::sqrt(&(ratio * Self::from_montgomery_limbs(P::ROOT_OF_UNITY)));
        let is_square = root.is_some();
        let value = Self::conditional_select(
            &root_of_other.unwrap_or(Self::ZERO),
            &root.unwrap_or(Self::ZERO),
            is_square,
        );
        let defined = num.ct_eq(&Self::ZERO) | !div.ct_eq(&Self::ZERO);
        (is_square & defined, value)
    }

    fn sqrt(&self) -> CtOption<Self> {
        sqrt_tonelli_shanks(self, limbs::half(&P::ODD_PART))
    }
}

/// A canonical encoding as the `ff` traits want it: with a default, all zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding<R>(pub R);

impl<R: super::Repr> Default for Encoding<R> {
    fn default() -> Self {
        Self(R::ZERO)
    }
}

impl<R: AsRef<[u8]>> AsRef<[u8]> for Encoding<R> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<R: AsMut<[u8]>> AsMut<[u8]> for Encoding<R> {
    fn as_mut(&mut self) -> &mut [u8] {
        self.0.as_mut()
    }
}

impl<P: Params<N>, const N: usize> ff::PrimeField for Montgomery<P, N> {
    type Repr = Encoding<P::Repr>;

    fn from_repr(repr: Self::Repr) -> CtOption<Self> {
        let value = Self::from_le_bytes(&repr.0);
        let canonical = Choice::from(u8::from(value.is_some()));
        CtOption::new(value.unwrap_or(Self::ZERO), canonical)
    }

    fn to_repr(&self) -> Self::Repr {
        Encoding(self.to_le_bytes())
    }

    fn is_odd(&self) -> Choice {
        Choice::from((self.to_limbs()[0] & 1) as u8)
    }

    const MODULUS: &'static str = text(Self::MODULUS_HEX, 2 + 16 * N);
    const NUM_BITS: u32 = P::NUM_BITS;
    const CAPACITY: u32 = P::NUM_BITS - 1;
    const TWO_INV: Self = Self::from_u64(2).invert_const();
    const MULTIPLICATIVE_GENERATOR: Self = Self::from_u64(P::GENERATOR);
    const S: u32 = P::TWO_ADICITY;
    const ROOT_OF_UNITY: Self = Self::from_montgomery_limbs(P::ROOT_OF_UNITY);
    const ROOT_OF_UNITY_INV: Self = <Self as ff::PrimeField>::ROOT_OF_UNITY.invert_const();
    const DELTA: Self = Self::from_u64(P::GENERATOR).square_times(P::TWO_ADICITY);
}

macro_rules! from_uniform_bytes {
    ($($limbs:literal: $bytes:literal,)*) => {$(
        impl<P: Params<$limbs>> ff::FromUniformBytes<$bytes> for Montgomery<P, $limbs> {
            fn from_uniform_bytes(bytes: &[u8; $bytes]) -> Self {
                Self::from_le_bytes_reduced(bytes)
            }
        }
    )*};
}

from_uniform_bytes! {
    4: 64,
    6: 96,
}

#[cfg(test)]
mod tests {
    use crate::field::bandersnatch_scalar::Fr;
    use crate::field::bls12_381_base::Fp;
    use crate::field::bls12_381_scalar::Fq;
    use crate::field::ed25519_base::F25519;
    use crate::field::ed25519_scalar::Scalar25519;
    use crate::field::helioselene::FHelioselene;
    use crate::field::test_random::Xorshift;
    use ff::PrimeField;

    /// Each constant against its definition.
    fn constants<F: PrimeField>(generator: u64) {
        let minus_one = -F::ONE;
        assert_eq!(F::TWO_INV.double(), F::ONE);
        assert_eq!(F::MULTIPLICATIVE_GENERATOR, F::from(generator));
        assert!(bool::from(F::MULTIPLICATIVE_GENERATOR.sqrt().is_none()));
        // t = (m − 1)/2^S is odd: halving −1 as a number.
        let mut t = minus_one.to_repr();
        let mut s = 0;
        while t.as_ref()[0] & 1 == 0 {
            let mut carry = 0;
            for byte in t.as_mut().iter_mut().rev() {
                (*byte, carry) = ((*byte >> 1) | carry, *byte << 7);
            }
            s += 1;
        }
        assert_eq!(F::S, s);
        let mut exponent = [0; 6];
        for (limb, chunk) in exponent.iter_mut().zip(t.as_ref().chunks(8)) {
            *limb = u64::from_le_bytes(chunk.try_into().unwrap());
        }
        assert_eq!(F::ROOT_OF_UNITY, F::MULTIPLICATIVE_GENERATOR.pow(exponent));
        let half_turn = (1..F::S).fold(F::ROOT_OF_UNITY, |x, _| x.square());
        assert_eq!(half_turn, minus_one);
        assert_eq!(F::ROOT_OF_UNITY * F::ROOT_OF_UNITY_INV, F::ONE);
        let delta = (0..F::S).fold(F::MULTIPLICATIVE_GENERATOR, |x, _| x.square());
        assert_eq!(F::DELTA, delta);
        assert_eq!(F::DELTA.pow(exponent), F::ONE);
        // The text is the modulus: one more than −1.
        let digits = F::MODULUS.strip_prefix("0x").unwrap();
        let sixteen = F::from(16);
        let value = digits.chars().fold(F::ZERO, |x, digit| {
            x * sixteen + F::from(u64::from(digit.to_digit(16).unwrap()))
        });
        assert_eq!(value, F::ZERO);
        let all = minus_one.to_repr();
        assert_eq!(digits.len(), 2 * all.as_ref().len());
        let bits = digits.trim_start_matches('0');
        let top = u32::from_str_radix(&bits[..1], 16).unwrap();
        let len = u32::try_from(bits.len()).unwrap();
        assert_eq!(F::NUM_BITS, 4 * len - top.leading_zeros() + 28);
        assert_eq!(F::CAPACITY, F::NUM_BITS - 1);
    }

    /// The methods with rules of their own.
    fn methods<F: PrimeField>() {
        let mut rng = Xorshift(7);
        let ratio = |num, div| {
            let (ok, root) = F::sqrt_ratio(&num, &div);
            (bool::from(ok), root)
        };
        for _ in 0..20 {
            let (a, b) = (F::random(&mut rng), F::random(&mut rng));
            assert_ne!(a, b);
            assert_eq!(a.invert().unwrap() * a, F::ONE);
            let root = a.square().sqrt().unwrap();
            assert!(root == a || root == -a);
            let (ok, root) = ratio(a, b);
            let expected = if ok { a } else { a * F::ROOT_OF_UNITY };
            assert_eq!(root.square() * b, expected);
            assert_eq!(ok, bool::from((a * b).sqrt().is_some()));
            assert!(ratio(a.square() * b, b).0);
            assert_eq!(ratio(F::ZERO, a), (true, F::ZERO));
            assert_eq!(ratio(a, F::ZERO), (false, F::ZERO));
            assert_eq!(F::from_repr(a.to_repr()).unwrap(), a);
            assert_eq!(bool::from(a.is_odd()), a.to_repr().as_ref()[0] & 1 == 1);
            assert_eq!(a.pow([5]), a.square().square() * a);
            assert_eq!(a.cube(), a * a * a);
        }
        assert_eq!(ratio(F::ZERO, F::ZERO), (true, F::ZERO));
        assert!(bool::from(F::ZERO.invert().is_none()));
        assert_eq!(F::ZERO.sqrt().unwrap(), F::ZERO);
        let mut modulus = (-F::ONE).to_repr();
        modulus.as_mut()[0] += 1;
        assert!(bool::from(F::from_repr(modulus).is_none()));
        let mut all = F::Repr::default();
        assert!(all.as_ref().iter().all(|byte| *byte == 0));
        all.as_mut().fill(0xff);
        assert!(bool::from(F::from_repr(all).is_none()));
        assert_eq!(F::from_str_vartime("65537"), Some(F::from(65537)));
        assert_eq!(F::from_u128(1 << 64), F::from(1 << 32).square());
    }

    #[test]
    fn constants_and_methods_of_all_fields() {
        constants::<Fq>(7);
        constants::<Fr>(7);
        constants::<Fp>(2);
        constants::<F25519>(2);
        constants::<FHelioselene>(5);
        constants::<Scalar25519>(2);
        methods::<Fq>();
        methods::<Fr>();
        methods::<Fp>();
        methods::<F25519>();
        methods::<FHelioselene>();
        methods::<Scalar25519>();
    }

    #[test]
    fn uniform_bytes_are_reduced() {
        let mut bytes = [0; 64];
        bytes[32] = 1;
        let two_to_256 = Fq::from_u64(2).pow(&[256]);
        assert_eq!(
            <Fq as ff::FromUniformBytes<64>>::from_uniform_bytes(&bytes),
            two_to_256
        );
    }
}
