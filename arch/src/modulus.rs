//! A prime modulus as a type, with what Montgomery arithmetic derives from it.

use crate::portable::{limbs, montgomery};

/// An odd prime modulus of `N` limbs of 64 bits. Only [`MODULUS`](Self::MODULUS) is given;
/// the rest is computed from it at compile time.
///
/// Montgomery form: the number `a` is kept as `a·R mod m`, `R = 2^(64·N)`.
pub trait Modulus<const N: usize>: Copy + Clone + core::fmt::Debug + Send + Sync + 'static {
    /// The modulus m: odd, greater than 2, its top limb not zero.
    const MODULUS: [u64; N];

    /// Whether only public numbers are computed with: then a product may end with a branch
    /// on its value, which is faster than a selection. False where secrets go.
    const PUBLIC: bool = false;

    /// −m⁻¹ mod 2^64.
    const NEG_INV: u64 = montgomery::neg_inv(Self::MODULUS[0]);
    /// Number of bits of m.
    const NUM_BITS: u32 = limbs::num_bits(&Self::MODULUS);
    /// Whether 2m fits the limbs: then a sum of two numbers below m needs no carry beyond them.
    const SPARE_BIT: bool = Self::MODULUS[N - 1] >> 63 == 0;
    /// Whether the product may leave out its extra carry words: m < 2^(64·N − 1) with a
    /// top limb below 2^63 − 1 (the bound of the "no-carry" CIOS product).
    const NO_CARRY: bool = Self::MODULUS[N - 1] < (u64::MAX >> 1);
    /// Whether m is that, and above 31/64 of R: of two loose operands' products half must be reduced.
    const NEAR_HALF: bool = Self::NO_CARRY && Self::MODULUS[N - 1] >> 58 == 0x1f;
    /// R mod m, the Montgomery form of one.
    const R: [u64; N] = limbs::pow2_mod(&Self::MODULUS, 64 * N);
    /// R² mod m: multiplying by it brings a number into Montgomery form.
    const R2: [u64; N] = limbs::pow2_mod(&Self::MODULUS, 128 * N);
    /// R³ mod m: for reducing numbers of 2·N limbs.
    const R3: [u64; N] = limbs::pow2_mod(&Self::MODULUS, 192 * N);
}
