//! Square roots of ratios in BLS12-381's scalar field, with one exponentiation and no
//! inversion.
//!
//! q − 1 = 2^32·T with T odd, g a root of unity of order 2^32. For s ≠ 0 let
//! z = s^((T−1)/2); then b = z²·s = s^T has an order that divides 2^32, so b = g^k, and
//! (z·g^(−k/2))²·s = b·g^(−k) = 1 where k is even: z·g^(−k/2) is 1/√s. Where k is odd, s is
//! no square. With s = u·v, u·(1/√s) is √(u/v).
//!
//! The logarithm k is read byte by byte (Pohlig and Hellman 1978; with tables: Sarkar 2020,
//! "Computing square roots faster than the Tonelli-Shanks/Bernstein algorithm"): b^(2^24)
//! has one of 256 values, which a perfect hash of its lowest limb tells apart; that gives
//! the lowest byte, and what it adds is divided out of b^(2^16), and so on.
//!
//! Tables: 32 KiB of powers and 2 KiB of the hash, constants of the program.

use lightproof_arch::lanes::{Backend, Portable};
use lightproof_arch::portable::montgomery;

use super::bls12_381_scalar::{Fq, FqParams};
use super::lanes::FieldLanes;
use super::{Field, Params, Ring};

/// The most lanes that a backend may have side by side here.
pub(crate) const MAX_LANES: usize = 16;

/// One step of the power: `acc ← acc^(2^squarings)·register[factor]`, kept in a register.
struct Step {
    squarings: u32,
    factor: usize,
    keep: usize,
}

/// Registers: s itself, s³, the base of the running power, f, and one that is never read.
const S: usize = 0;
const S3: usize = 1;
const BASE: usize = 2;
const F: usize = 3;
const NONE: usize = 4;

const fn step(squarings: u32, factor: usize, keep: usize) -> Step {
    Step {
        squarings,
        factor,
        keep,
    }
}

/// s^((T−1)/2): 219 squarings and 30 products (windows of five bits: 240 and 60).
///
/// From BLS12-381's parameter X = −(2^63 + 2^62 + 2^60 + 2^57 + 2^48 + 2^16):
/// q = X⁴ − X² + 1, so T = Y²·(X² − 1) with Y = |X|/2^16, and with K = (Y − 1)/2
/// (T − 1)/2 = (X² − 1)·2·K·(K + 1) + (X² − 2)/2. All powers are sparse.
const CHAIN: [Step; 30] = [
    step(1, S, S3),
    step(2, S, NONE),
    step(3, S, NONE),
    step(9, S, NONE), // 0xd201, the top of |X|
    step(34, S3, NONE),
    step(2, S3, NONE),
    step(2, S3, NONE),
    step(2, S3, NONE),
    step(2, S3, NONE),
    step(2, S3, NONE),
    step(2, S3, NONE),
    step(1, S, BASE), // h: |X|/2 − 1
    step(1, BASE, NONE),
    step(2, BASE, NONE),
    step(3, BASE, NONE),
    step(9, BASE, NONE),
    step(32, BASE, NONE),
    step(15, BASE, NONE),
    step(1, S, F),    // f = h^|X|·h²·s: (X² − 2)/2
    step(1, S, BASE), // X² − 1
    step(1, BASE, NONE),
    step(2, BASE, NONE),
    step(3, BASE, NONE),
    step(9, BASE, BASE), // w = (X² − 1)·0xd201, and K = 0xd201·2^31
    step(1, BASE, NONE),
    step(2, BASE, NONE),
    step(3, BASE, NONE),
    step(9, BASE, NONE),
    step(31, BASE, NONE), // w^(K + 1)
    step(32, F, NONE),
];

type FqLanes<B> = FieldLanes<B, FqParams, 4>;

/// x^(2^n).
#[inline(always)]
fn square_times<R: Ring>(mut x: R, n: u32) -> R {
    for _ in 0..n {
        x = x.square();
    }
    x
}

/// s^((T−1)/2): see [`CHAIN`].
#[inline(always)]
fn power<R: Ring>(s: R) -> R {
    let mut registers = [s; 5];
    let mut acc = s;
    for step in &CHAIN {
        acc = square_times(acc, step.squarings) * registers[step.factor];
        registers[step.keep] = acc;
    }
    acc
}

/// `POWERS[t][j]` = g^(−j·2^(8t)), g the field's root of unity of order 2^32.
static POWERS: [[Fq; 256]; 4] = [powers(0), powers(1), powers(2), powers(3)];

const fn powers(t: u32) -> [Fq; 256] {
    // 1/g = g^(2^32 − 1).
    let base = montgomery::pow::<FqParams, 4>(&FqParams::ROOT_OF_UNITY, &[u32::MAX as u64]);
    first_powers(square_const(Fq::from_montgomery_limbs(base), 8 * t))
}

/// x^(2^n).
const fn square_const(mut x: Fq, n: u32) -> Fq {
    let mut i = 0;
    while i < n {
        x = x.mul_const(&x);
        i += 1;
    }
    x
}

/// 1, base, base², …
const fn first_powers(base: Fq) -> [Fq; 256] {
    let mut out = [Fq::ONE; 256];
    let mut j = 1;
    while j < 256 {
        out[j] = out[j - 1].mul_const(&base);
        j += 1;
    }
    out
}

/// The bits of the hash of a root of unity of order 256.
const HASH_BITS: u32 = 11;
/// Found by trying; that it separates all 256 roots is asserted where the table is made.
const HASH_FACTOR: u64 = 0x7f4e_fe56_94bf_6ca9;

/// The hash, of the Montgomery form.
#[inline(always)]
const fn hash(root: &Fq) -> usize {
    (root.montgomery_limbs()[0].wrapping_mul(HASH_FACTOR) >> (64 - HASH_BITS)) as usize
}

/// The logarithm of a root of unity of order 256 to the base g^(2^24), at its hash.
static LOGARITHMS: [u8; 1 << HASH_BITS] = logarithms();

const fn logarithms() -> [u8; 1 << HASH_BITS] {
    let base = square_const(Fq::from_montgomery_limbs(FqParams::ROOT_OF_UNITY), 24);
    let roots = first_powers(base);
    let mut out = [0; 1 << HASH_BITS];
    let mut j = 0;
    while j < 256 {
        let slot = hash(&roots[j]);
        // Only the zeroth power may leave a zero, so a slot met twice shows.
        assert!(out[slot] == 0 && slot != hash(&roots[0]) || j == 0);
        out[slot] = j as u8;
        j += 1;
    }
    out
}

/// The bytes of each lane's logarithm, lowest first.
struct Logarithms([[u8; 4]; MAX_LANES]);

impl Logarithms {
    /// Reads byte `t` of each lane from a root of unity of order 256.
    #[inline(always)]
    fn read<B: Backend>(&mut self, root: FqLanes<B>, t: usize) {
        root.store(|lane, root| self.0[lane][t] = LOGARITHMS[hash(&root)]);
    }

    /// g^(−byte·2^(8·table)) for byte `t` of each lane.
    #[inline(always)]
    fn power<B: Backend>(&self, table: usize, t: usize) -> FqLanes<B> {
        FqLanes::load(|lane| POWERS[table][self.0[lane][t] as usize])
    }
}

/// 1/√s in each lane, and whether s is a square there. For s = 0 the root is 0 and the
/// answer has no meaning.
///
/// Complexity: 244 squarings, 41 products.
#[inline(always)]
pub(crate) fn inverse_sqrt<B: Backend>(s: FqLanes<B>) -> (FqLanes<B>, [bool; MAX_LANES]) {
    const { assert!(FqLanes::<B>::WIDTH <= MAX_LANES) };
    let z = power(s);
    let b = z.square() * s;
    let b8 = square_times(b, 8);
    let b16 = square_times(b8, 8);
    let b24 = square_times(b16, 8);
    // k = k₀ + 2^8·k₁ + 2^16·k₂ + 2^24·k₃.
    let mut k = Logarithms([[0; 4]; MAX_LANES]);
    k.read(b24, 0);
    k.read(b16 * k.power(2, 0), 1);
    k.read(b8 * k.power(1, 0) * k.power(2, 1), 2);
    k.read(b * k.power(0, 0) * k.power(1, 1) * k.power(2, 2), 3);
    let mut is_square = [false; MAX_LANES];
    for (bytes, is_square) in k.0.iter_mut().zip(&mut is_square) {
        *is_square = bytes[0] & 1 == 0;
        *bytes = (u32::from_le_bytes(*bytes) >> 1).to_le_bytes();
    }
    let shift = k.power(0, 0) * k.power(1, 1) * (k.power(2, 2) * k.power(3, 3));
    (z * shift, is_square)
}

/// √(u/v), or none where that is no square or v is zero. Which of the two roots is not said.
///
/// Public values only. Complexity: 244 squarings, 43 products.
pub fn sqrt_ratio_vartime(u: &Fq, v: &Fq) -> Option<Fq> {
    if v.is_zero() {
        return None;
    }
    if u.is_zero() {
        return Some(Fq::ZERO);
    }
    let s = *u * *v;
    let (root, is_square) = inverse_sqrt(FqLanes::<Portable>::from(s));
    let mut out = None;
    root.store(|_, root| {
        if is_square[0] {
            out = Some(*u * root);
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crypto_bigint::U256;
    use lightproof_arch::portable::limbs;

    #[test]
    fn the_chain_is_half_of_the_odd_part() {
        let mut registers = [U256::ONE; 5];
        let mut acc = U256::ONE;
        let (mut squarings, mut products) = (0, 0);
        for step in &CHAIN {
            acc = acc.shl_vartime(step.squarings);
            acc = acc.wrapping_add(&registers[step.factor]);
            assert_ne!(step.factor, NONE);
            registers[step.keep] = acc;
            squarings += step.squarings;
            products += 1;
        }
        let words: alloc::vec::Vec<u8> = limbs::half(&FqParams::ODD_PART)
            .iter()
            .flat_map(|limb| limb.to_le_bytes())
            .collect();
        assert_eq!(acc, U256::from_le_slice(&words));
        assert_eq!((squarings, products), (219, 30));
    }

    #[test]
    fn the_tables_hold_what_they_say() {
        let g = Fq::from_montgomery_limbs(FqParams::ROOT_OF_UNITY);
        for (t, table) in POWERS.iter().enumerate() {
            let base = g.pow(&[1 << (8 * t)]);
            for (j, entry) in table.iter().enumerate() {
                let power = base.pow(&[j as u64]);
                assert_eq!(power * *entry, Fq::ONE);
            }
        }
        let root = g.pow(&[1 << 24]);
        for j in 0..256 {
            let slot = hash(&root.pow(&[j]));
            assert_eq!(u64::from(LOGARITHMS[slot]), j);
        }
        assert_eq!(root.pow(&[256]), Fq::ONE);
        assert!(size_of_val(&POWERS) + size_of_val(&LOGARITHMS) <= 40 << 10);
    }

    fn check(u: Fq, v: Fq) {
        let plain = v
            .invert_vartime()
            .and_then(|inverse| (u * inverse).sqrt_vartime());
        let root = sqrt_ratio_vartime(&u, &v);
        assert_eq!(root.map(|y| y.square()), plain.map(|y| y.square()));
        if let Some(y) = root {
            assert_eq!(y.square() * v, u);
        }
    }

    #[test]
    fn equals_tonelli_and_shanks() {
        let small: alloc::vec::Vec<Fq> = (0..12)
            .flat_map(|i| [Fq::from_u64(i), -Fq::from_u64(i)])
            .collect();
        for u in &small {
            for v in &small {
                check(*u, *v);
            }
        }
        let mut x = Fq::from_u64(3);
        for i in 0..300 {
            x = x.square() + Fq::from_u64(i);
            check(x, x.square() - Fq::ONE);
            check(x, Fq::ONE);
        }
    }

    /// Every byte of the logarithm takes every value, and every order of b is met.
    #[test]
    fn roots_of_unity_of_every_order() {
        let g = Fq::from_montgomery_limbs(FqParams::ROOT_OF_UNITY);
        let mut x = g;
        for _ in 0..=32 {
            check(x, Fq::ONE);
            check(x, Fq::from_u64(5));
            x = x.square();
        }
        assert_eq!(x, Fq::ONE);
        for j in 0..=255u64 {
            for shift in [0, 7, 8, 16, 24] {
                check(g.pow(&[j << shift]), Fq::ONE);
                check(g.pow(&[(j << shift) ^ 0xffff_ffff]), Fq::ONE);
            }
        }
    }
}
