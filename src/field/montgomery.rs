//! The generic prime field: elements in Montgomery form over [`lightproof_arch`].

use core::hash::{Hash, Hasher};
use core::iter::{Product, Sum};
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use lightproof_arch::Modulus;
use lightproof_arch::portable::wide::Wide;
use lightproof_arch::portable::{inverse, limbs, montgomery};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::{Field, PrimeField, Repr, Ring};

/// The parameters of a prime field: its modulus, its encoding, and a small number that is
/// not a square.
pub trait Params<const N: usize>: Modulus<N> {
    /// The canonical encoding, 8·N bytes.
    type Repr: Repr;
    /// The field's name, for `Debug`.
    const NAME: &'static str;
    /// A small number that generates the multiplicative group (so it is not a square).
    const GENERATOR: u64;

    /// The largest s with 2^s | m − 1.
    const TWO_ADICITY: u32 = two_adicity(&Self::MODULUS);
    /// t with m − 1 = 2^s·t, t odd.
    const ODD_PART: [u64; N] = odd_part(&Self::MODULUS);
    /// [`GENERATOR`](Self::GENERATOR)^t in Montgomery form: a root of unity of order 2^s.
    const ROOT_OF_UNITY: [u64; N] = montgomery::pow::<Self, N>(
        &montgomery::from_limbs::<Self, N>(&small(Self::GENERATOR)),
        &Self::ODD_PART,
    );
}

const fn small<const N: usize>(value: u64) -> [u64; N] {
    let mut out = [0; N];
    out[0] = value;
    out
}

const fn two_adicity<const N: usize>(m: &[u64; N]) -> u32 {
    let mut x = *m;
    x[0] -= 1; // m is odd
    let mut s = 0;
    while x[0] & 1 == 0 {
        x = limbs::half(&x);
        s += 1;
    }
    s
}

const fn odd_part<const N: usize>(m: &[u64; N]) -> [u64; N] {
    let mut x = *m;
    x[0] -= 1;
    while x[0] & 1 == 0 {
        x = limbs::half(&x);
    }
    x
}

/// An element of the prime field with parameters `P`: always reduced, so equal elements
/// have equal limbs. 8·N bytes.
#[derive(Clone, Copy)]
pub struct Montgomery<P, const N: usize>([u64; N], PhantomData<P>);

impl<P: Params<N>, const N: usize> Montgomery<P, N> {
    /// Zero.
    pub const ZERO: Self = Self::wrap([0; N]);
    /// One.
    pub const ONE: Self = Self::wrap(P::R);
    /// The length of the canonical encoding.
    pub const BYTES: usize = 8 * N;

    #[inline(always)]
    const fn wrap(limbs: [u64; N]) -> Self {
        Self(limbs, PhantomData)
    }

    /// The Montgomery limbs: for kernels that compute on lanes. Below the modulus.
    #[inline(always)]
    pub(crate) const fn montgomery_limbs(&self) -> &[u64; N] {
        &self.0
    }

    /// From Montgomery limbs below the modulus, as a kernel stores them.
    #[inline(always)]
    pub(crate) const fn from_montgomery_limbs(limbs: [u64; N]) -> Self {
        Self::wrap(limbs)
    }

    /// From a number of N limbs, least significant first, reduced.
    pub const fn from_limbs(limbs: [u64; N]) -> Self {
        Self::wrap(montgomery::from_limbs::<P, N>(&limbs))
    }

    /// From big-endian hexadecimal digits without a prefix, reduced: for constants (a wrong
    /// digit stops the compilation).
    #[allow(clippy::panic)] // evaluated by the compiler
    pub(crate) const fn from_hex(hex: &str) -> Self {
        match limbs::from_hex(hex) {
            Some(limbs) => Self::from_limbs(limbs),
            None => panic!("no hexadecimal digits of so many limbs"),
        }
    }

    /// The number below the modulus, least significant limb first.
    #[inline(always)]
    pub const fn to_limbs(&self) -> [u64; N] {
        montgomery::to_canonical::<P, N>(&self.0)
    }

    /// From a small number.
    pub const fn from_u64(value: u64) -> Self {
        Self::from_limbs(small(value))
    }

    /// From a number of 128 bits (a field of two limbs or more).
    pub const fn from_u128(value: u128) -> Self {
        let mut out = [0; N];
        out[0] = value as u64;
        if N > 1 {
            out[1] = (value >> 64) as u64;
        }
        Self::from_limbs(out)
    }

    /// Whether a little-endian number is below the modulus.
    pub fn is_canonical(bytes: &P::Repr) -> bool {
        limbs::less(&read_le::<N>(bytes.as_ref()), &P::MODULUS)
    }

    /// Decodes a canonical little-endian encoding; none for a value not below the modulus.
    pub fn from_le_bytes(bytes: &P::Repr) -> Option<Self> {
        let limbs = read_le::<N>(bytes.as_ref());
        limbs::less(&limbs, &P::MODULUS).then(|| Self::from_limbs(limbs))
    }

    /// Decodes a canonical big-endian encoding; none for a value not below the modulus.
    pub fn from_be_bytes(bytes: &P::Repr) -> Option<Self> {
        let mut le = *bytes;
        le.as_mut().reverse();
        Self::from_le_bytes(&le)
    }

    /// The canonical encoding, little-endian.
    pub fn to_le_bytes(&self) -> P::Repr {
        let mut out = P::Repr::ZERO;
        for (chunk, limb) in out.as_mut().chunks_exact_mut(8).zip(self.to_limbs()) {
            chunk.copy_from_slice(&limb.to_le_bytes());
        }
        out
    }

    /// The canonical encoding, big-endian.
    pub fn to_be_bytes(&self) -> P::Repr {
        let mut out = self.to_le_bytes();
        out.as_mut().reverse();
        out
    }

    /// A little-endian number of any length, reduced. For 32 or 64 bytes that is one or two
    /// products; in general one product for 8·N bytes.
    pub fn from_le_bytes_reduced(bytes: &[u8]) -> Self {
        // Horner's rule over blocks of N limbs: x ← x·R + block. In Montgomery form x·R is
        // x times R2 times R⁻¹, so each step is one product and one for the block.
        let shift = Self::wrap(P::R2);
        bytes.chunks(8 * N).rev().fold(Self::ZERO, |acc, block| {
            acc * shift + Self::from_limbs(read_le::<N>(block))
        })
    }

    /// A big-endian number of at most 32 bytes a step: see [`Self::from_le_bytes_reduced`].
    pub fn from_be_bytes_reduced(bytes: &P::Repr) -> Self {
        let mut le = *bytes;
        le.as_mut().reverse();
        Self::from_le_bytes_reduced(le.as_ref())
    }

    /// Whether the number is odd.
    pub fn is_odd(&self) -> bool {
        self.to_limbs()[0] & 1 == 1
    }

    /// Whether the number is greater than (m − 1)/2, that is greater than its negative.
    pub const fn is_lexicographically_largest(&self) -> bool {
        // m is odd, so (m − 1)/2 is m >> 1.
        limbs::less(&limbs::half(&P::MODULUS), &self.to_limbs())
    }

    /// a·b, usable in constants.
    #[inline(always)]
    pub const fn mul_const(&self, b: &Self) -> Self {
        Self::wrap(montgomery::mul::<P, N>(&self.0, &b.0))
    }

    /// a − b, usable in constants.
    #[inline(always)]
    pub const fn sub_const(&self, b: &Self) -> Self {
        Self::wrap(montgomery::sub::<P, N>(&self.0, &b.0))
    }

    /// a^(m − 2), which is 1/a, or 0 for 0: for constants.
    pub(crate) const fn invert_const(&self) -> Self {
        let mut exponent = P::MODULUS;
        exponent[0] -= 2; // m is odd and not 1, so this does not borrow
        Self::wrap(montgomery::pow::<P, N>(&self.0, &exponent))
    }

    /// a^e; `e` in limbs, least significant first. Time depends on `e` alone.
    #[must_use]
    pub fn pow(&self, e: &[u64]) -> Self {
        Self::wrap(montgomery::pow::<P, N>(&self.0, e))
    }

    /// 1/a in time that does not depend on a, unless the field is [`Modulus::PUBLIC`]; none
    /// for zero.
    pub fn invert(&self) -> Option<Self> {
        let mut modulus = P::Repr::ZERO;
        for (chunk, limb) in modulus.as_mut().chunks_exact_mut(8).zip(P::MODULUS) {
            chunk.copy_from_slice(&limb.to_le_bytes());
        }
        Self::from_le_bytes(&self.to_le_bytes().invert_mod(&modulus)?)
    }

    /// The Legendre symbol: 1 for a square, −1 for none, 0 for zero. Public values only.
    pub fn legendre_vartime(&self) -> i8 {
        inverse::legendre_vartime::<P, N>(&self.0)
    }

    /// The sum of products Σ aᵢ·bᵢ with one reduction at the end.
    pub fn sum_of_products<'a>(pairs: impl IntoIterator<Item = (&'a Self, &'a Self)>) -> Self
    where
        P: 'a,
    {
        let mut sum = LazySum::ZERO;
        for (a, b) in pairs {
            sum.add_product(a, b);
        }
        sum.reduce()
    }
}

/// Up to 8·N little-endian bytes; missing bytes are zero.
fn read_le<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut out = [0; N];
    for (limb, chunk) in out.iter_mut().zip(bytes.chunks(8)) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        *limb = u64::from_le_bytes(word);
    }
    out
}

/// A sum of products that is reduced once, when it is asked for. Any number of products
/// that memory can hold may be added (the bound is 2^64).
pub struct LazySum<P, const N: usize>(pub(super) Wide<N>, pub(super) PhantomData<P>);

impl<P: Params<N>, const N: usize> LazySum<P, N> {
    /// The empty sum.
    pub const ZERO: Self = Self(Wide::ZERO, PhantomData);

    /// Adds a·b.
    #[inline(always)]
    pub fn add_product(&mut self, a: &Montgomery<P, N>, b: &Montgomery<P, N>) {
        self.0.add_product(&a.0, &b.0);
    }

    /// The sum, reduced.
    #[inline(always)]
    pub fn reduce(&self) -> Montgomery<P, N> {
        Montgomery::wrap(self.0.reduce::<P>())
    }
}

impl<P, const N: usize> Clone for LazySum<P, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, const N: usize> Copy for LazySum<P, N> {}

impl<P: Params<N>, const N: usize> core::fmt::Debug for LazySum<P, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.reduce().fmt(f)
    }
}

impl<P: Params<N>, const N: usize> core::fmt::Debug for Montgomery<P, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}(0x", P::NAME)?;
        self.to_be_bytes()
            .as_ref()
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, ")")
    }
}

impl<P, const N: usize> PartialEq for Montgomery<P, N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<P, const N: usize> Eq for Montgomery<P, N> {}

impl<P, const N: usize> Hash for Montgomery<P, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<P: Params<N>, const N: usize> Default for Montgomery<P, N> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<P: Params<N>, const N: usize> From<u64> for Montgomery<P, N> {
    fn from(value: u64) -> Self {
        Self::from_u64(value)
    }
}

impl<P, const N: usize> ConstantTimeEq for Montgomery<P, N> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl<P: Params<N>, const N: usize> ConditionallySelectable for Montgomery<P, N> {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self::wrap(core::array::from_fn(|i| {
            u64::conditional_select(&a.0[i], &b.0[i], choice)
        }))
    }
}

#[cfg(feature = "zeroize")]
impl<P: Params<N>, const N: usize> zeroize::DefaultIsZeroes for Montgomery<P, N> {}

macro_rules! operator {
    ($op:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl<P: Params<N>, const N: usize> $op for Montgomery<P, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self::wrap(montgomery::$method::<P, N>(&self.0, &other.0))
            }
        }
        impl<P: Params<N>, const N: usize> $op<&Self> for Montgomery<P, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: &Self) -> Self {
                $op::$method(self, *other)
            }
        }
        impl<P: Params<N>, const N: usize> $assign for Montgomery<P, N> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $op::$method(*self, other);
            }
        }
        impl<P: Params<N>, const N: usize> $assign<&Self> for Montgomery<P, N> {
            #[inline(always)]
            fn $assign_method(&mut self, other: &Self) {
                *self = $op::$method(*self, *other);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign);
operator!(Sub, sub, SubAssign, sub_assign);
operator!(Mul, mul, MulAssign, mul_assign);

impl<P: Params<N>, const N: usize> Neg for Montgomery<P, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::wrap(montgomery::neg::<P, N>(&self.0))
    }
}

impl<P: Params<N>, const N: usize> Sum for Montgomery<P, N> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl<'a, P: Params<N>, const N: usize> Sum<&'a Self> for Montgomery<P, N> {
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl<P: Params<N>, const N: usize> Product for Montgomery<P, N> {
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ONE, Mul::mul)
    }
}

impl<'a, P: Params<N>, const N: usize> Product<&'a Self> for Montgomery<P, N> {
    fn product<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.fold(Self::ONE, Mul::mul)
    }
}

/// A sum of two field elements that is not reduced: below 2m. It has no operation but to be a
/// factor: [`Ring::mul_loose`].
#[derive(Clone, Copy)]
pub struct Loose<P, const N: usize>([u64; N], PhantomData<P>);

impl<P: Params<N>, const N: usize> core::fmt::Debug for Loose<P, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // The scanned operand of a product may be any number: 1·b is b, reduced.
        Montgomery::<P, N>::ONE.mul_loose(self).fmt(f)
    }
}

impl<P: Params<N>, const N: usize> Ring for Montgomery<P, N> {
    type Loose = Loose<P, N>;

    #[inline(always)]
    fn add_loose(self, other: Self) -> Loose<P, N> {
        Loose(
            montgomery::add_loose::<P, N>(&self.0, &other.0),
            PhantomData,
        )
    }
    #[inline(always)]
    fn sub_loose(self, other: Self) -> Loose<P, N> {
        Loose(
            montgomery::sub_loose::<P, N>(&self.0, &other.0),
            PhantomData,
        )
    }
    #[inline(always)]
    fn mul_loose(self, other: &Loose<P, N>) -> Self {
        Self::wrap(montgomery::mul_loose::<P, N>(&self.0, &other.0))
    }
    #[inline(always)]
    fn square(&self) -> Self {
        Self::wrap(montgomery::square::<P, N>(&self.0))
    }
    #[inline(always)]
    fn double(&self) -> Self {
        Self::wrap(montgomery::double::<P, N>(&self.0))
    }
}

impl<P: Params<N>, const N: usize> Field for Montgomery<P, N> {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    /// By the lowest limb first, which nearly always tells: a comparison of all of them reads
    /// limbs in pairs, and on x86-64 waits for those that were just written one by one.
    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.0[0] == 0 && self.0 == [0; N]
    }

    fn invert_vartime(&self) -> Option<Self> {
        inverse::invert_vartime::<P, N>(&self.0).map(Self::wrap)
    }
}

impl<P: Params<N>, const N: usize> PrimeField for Montgomery<P, N> {
    const NUM_BITS: u32 = P::NUM_BITS;
    type Repr = P::Repr;

    fn to_repr(&self) -> P::Repr {
        self.to_le_bytes()
    }
    fn from_repr(repr: &P::Repr) -> Option<Self> {
        Self::from_le_bytes(repr)
    }
}
