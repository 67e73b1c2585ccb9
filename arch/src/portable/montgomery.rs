//! Montgomery arithmetic: addition, product, square, reduction.
//!
//! The product is CIOS (Koç, Acar, Kaliski 1996). Where the modulus leaves a bit free
//! ([`Modulus::NO_CARRY`]) the two carry words of a row are added without overflow, which
//! drops the extra word of the accumulator.

use super::limbs::{self, adc, mac};
use crate::Modulus;

/// −m0⁻¹ mod 2^64 for odd m0 by Newton's iteration: each step doubles the right bits,
/// and 1 is right to 1 bit, so six steps give 64.
pub const fn neg_inv(m0: u64) -> u64 {
    let mut inv = 1u64;
    let mut i = 0;
    while i < 6 {
        inv = inv.wrapping_mul(2u64.wrapping_sub(m0.wrapping_mul(inv)));
        i += 1;
    }
    inv.wrapping_neg()
}

/// `a` or `a − m`: `a + carry·2^(64N)` below 2m comes out below m.
#[inline(always)]
pub const fn reduce_once<M: Modulus<N>, const N: usize>(a: &[u64; N], carry: u64) -> [u64; N] {
    let (less, borrow) = limbs::sub(a, &M::MODULUS);
    // Keep `a` only if the subtraction borrowed and there was no carry to pay it.
    limbs::select(&less, a, ((borrow & !carry) & 1).wrapping_neg())
}

/// a + b mod m.
#[inline(always)]
pub const fn add<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (sum, carry) = limbs::add(a, b);
    // Known at compile time for most moduli: 2m fits the limbs, and no carry leaves them.
    reduce_once::<M, N>(&sum, if M::NO_CARRY { 0 } else { carry })
}

/// 2a mod m.
#[inline(always)]
pub const fn double<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    add::<M, N>(a, a)
}

/// a − b mod m.
#[inline(always)]
pub const fn sub<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (diff, borrow) = limbs::sub(a, b);
    let mask = borrow.wrapping_neg();
    let mut out = [0; N];
    let mut carry = 0;
    let mut i = 0;
    while i < N {
        (out[i], carry) = adc(diff[i], M::MODULUS[i] & mask, carry);
        i += 1;
    }
    out
}

/// −a mod m.
#[inline(always)]
pub const fn neg<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    sub::<M, N>(&[0; N], a)
}

/// a·b·R⁻¹ mod m. `a < m`; `b` may be any number of N limbs when the modulus has no free
/// bit to spare for less (the result is reduced once, so it is below m for `b < m`; for
/// `b < R` with `a < m` the sum (a·b + q·m)/R stays below 2m, and one subtraction suffices).
#[inline(always)]
pub const fn mul<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    if M::NO_CARRY {
        mul_no_carry::<M, N>(a, b)
    } else {
        mul_carry::<M, N>(a, b)
    }
}

#[inline(always)]
const fn mul_no_carry<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut t = [0u64; N];
    let mut i = 0;
    while i < N {
        let mut c1 = 0;
        let mut j = 0;
        while j < N {
            (t[j], c1) = mac(t[j], a[j], b[i], c1);
            j += 1;
        }
        let q = t[0].wrapping_mul(M::NEG_INV);
        let (_, mut c2) = mac(t[0], q, M::MODULUS[0], 0);
        j = 1;
        while j < N {
            (t[j - 1], c2) = mac(t[j], q, M::MODULUS[j], c2);
            j += 1;
        }
        // No overflow: the top limbs of a and m are below 2^63 − 1.
        t[N - 1] = c1.wrapping_add(c2);
        i += 1;
    }
    reduce_once::<M, N>(&t, 0)
}

#[inline(always)]
const fn mul_carry<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut t = [0u64; N];
    let mut top = 0;
    let mut i = 0;
    while i < N {
        let (t0, mut c1) = mac(t[0], a[0], b[i], 0);
        let q = t0.wrapping_mul(M::NEG_INV);
        let (_, mut c2) = mac(t0, q, M::MODULUS[0], 0);
        let mut j = 1;
        while j < N {
            let tj;
            (tj, c1) = mac(t[j], a[j], b[i], c1);
            (t[j - 1], c2) = mac(tj, q, M::MODULUS[j], c2);
            j += 1;
        }
        let (low, high) = adc(c1, c2, top);
        t[N - 1] = low;
        top = high;
        i += 1;
    }
    reduce_once::<M, N>(&t, top)
}

/// a²·R⁻¹ mod m.
#[inline(always)]
pub const fn square<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    mul::<M, N>(a, a)
}

/// (low + high·R)·R⁻¹ mod m for `high < m`; the result is below m.
#[inline(always)]
pub const fn redc<M: Modulus<N>, const N: usize>(low: &[u64; N], high: &[u64; N]) -> [u64; N] {
    let mut t = *low;
    let mut i = 0;
    // Each round divides by one limb; `carry` words leave at the bottom and fill the top.
    while i < N {
        let q = t[0].wrapping_mul(M::NEG_INV);
        let (_, mut c) = mac(t[0], q, M::MODULUS[0], 0);
        let mut j = 1;
        while j < N {
            (t[j - 1], c) = mac(t[j], q, M::MODULUS[j], c);
            j += 1;
        }
        t[N - 1] = c;
        i += 1;
    }
    // t ≤ m here (low < R), high < m: the sum is below 2m.
    let (sum, carry) = limbs::add(&t, high);
    reduce_once::<M, N>(&sum, carry)
}

/// The number that a Montgomery form stands for, below m.
#[inline(always)]
pub const fn to_canonical<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    redc::<M, N>(a, &[0; N])
}

/// The Montgomery form of any number of N limbs, reduced.
#[inline(always)]
pub const fn from_limbs<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    // The scanned operand may be any number below R: see `mul`.
    mul::<M, N>(&M::R2, a)
}

/// a^e for an exponent of limbs, least significant first; time depends on `e` only.
pub const fn pow<M: Modulus<N>, const N: usize>(a: &[u64; N], e: &[u64]) -> [u64; N] {
    let mut out = M::R;
    let mut i = 64 * e.len();
    while i > 0 {
        i -= 1;
        out = square::<M, N>(&out);
        if (e[i / 64] >> (i % 64)) & 1 == 1 {
            out = mul::<M, N>(&out, a);
        }
    }
    out
}
