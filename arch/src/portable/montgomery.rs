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

/// `a` or `a − m` for a below 2m, by a branch that predictors like: for random factors below
/// m a product needs the subtraction in m/(4R) of all cases, 11 % for the fullest modulus here.
#[inline(always)]
const fn reduce_once_public<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    // The top limb nearly always tells.
    let top = N - 1;
    if a[top] < M::MODULUS[top] {
        return *a;
    }
    let (less, borrow) = limbs::sub(a, &M::MODULUS);
    if borrow == 0 { less } else { *a }
}

/// a + b mod m.
#[inline(always)]
pub const fn add<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (sum, carry) = limbs::add(a, b);
    // Known at compile time for most moduli: 2m fits the limbs, and no carry leaves them.
    reduce_once::<M, N>(&sum, if M::SPARE_BIT { 0 } else { carry })
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

/// a + b, loose: below 2m and not reduced if that fits the limbs ([`Modulus::SPARE_BIT`]), else
/// reduced. For the second operand of [`mul_loose`] alone.
#[inline(always)]
pub const fn add_loose<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    if M::SPARE_BIT {
        limbs::add(a, b).0
    } else {
        add::<M, N>(a, b)
    }
}

/// a − b + m, loose as [`add_loose`] is.
#[inline(always)]
pub const fn sub_loose<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    if M::SPARE_BIT {
        // a − b may wrap around; the sum with m, which is not negative, unwraps it.
        limbs::add(&limbs::sub(a, b).0, &M::MODULUS).0
    } else {
        sub::<M, N>(a, b)
    }
}

/// −a mod m.
#[inline(always)]
pub const fn neg<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    sub::<M, N>(&[0; N], a)
}

/// a·b·R⁻¹ mod m, below m, for `a < m` and `b` any number of N limbs: (a·b + q·m)/R is below
/// 2m for `b < R`, and one subtraction suffices. The operands can't be exchanged: without the
/// extra carry words ([`Modulus::NO_CARRY`]) an `a` of m or more may overflow, unnoticed.
#[inline(always)]
pub const fn mul<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    if M::NO_CARRY {
        let t = mul_no_carry::<M, N>(a, b);
        if M::PUBLIC {
            reduce_once_public::<M, N>(&t)
        } else {
            reduce_once::<M, N>(&t, 0)
        }
    } else {
        mul_carry::<M, N>(a, b)
    }
}

/// [`mul`] for a loose b ([`add_loose`]). The subtraction at the end is needed twice as often,
/// in m/(2R) of all cases: too often for a branch where m is near R/2. (For 0.45·R, the base field of
/// Bandersnatch, the branch is still better: sums from tables take 0.93 of the time.)
#[inline(always)]
pub const fn mul_loose<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    if M::NEAR_HALF {
        reduce_once::<M, N>(&mul_no_carry::<M, N>(a, b), 0)
    } else {
        mul::<M, N>(a, b)
    }
}

/// (a·b + q·m)/R, below 2m.
#[inline(always)]
const fn mul_no_carry<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut t = [0u64; N];
    let mut i = 0;
    while i < N {
        // The product's row and the reduction's row interleaved: two chains of carries at a time.
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
        // No overflow: the top limbs of a and m are below 2^63 − 1.
        t[N - 1] = c1.wrapping_add(c2);
        i += 1;
    }
    t
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
    // Measured on x86-64: up to 4 limbs the products saved do not pay for the doubling.
    if N <= 4 {
        return mul::<M, N>(a, a);
    }
    let (low, high) = wide_square(a);
    redc::<M, N>(&low, &high)
}

/// a², low and high half: the products a_i·a_j of i < j once, doubled, and the squares.
#[inline(always)]
const fn wide_square<const N: usize>(a: &[u64; N]) -> ([u64; N], [u64; N]) {
    let (mut low, mut high) = ([0; N], [0; N]);
    let mut i = 0;
    while i + 1 < N {
        let mut carry = 0;
        let mut j = i + 1;
        while j < N {
            let k = i + j;
            if k < N {
                (low[k], carry) = mac(low[k], a[j], a[i], carry);
            } else {
                (high[k - N], carry) = mac(high[k - N], a[j], a[i], carry);
            }
            j += 1;
        }
        high[i] = carry;
        i += 1;
    }
    let mut below = 0;
    let mut carry = 0;
    i = 0;
    while i < N {
        // The limbs 2i and 2i + 1.
        let product = a[i] as u128 * a[i] as u128;
        let words = [product as u64, (product >> 64) as u64];
        let mut j = 0;
        while j < 2 {
            let k = 2 * i + j;
            let limb = if k < N { low[k] } else { high[k - N] };
            let twice = (limb << 1) | below;
            below = limb >> 63;
            if k < N {
                (low[k], carry) = adc(twice, words[j], carry);
            } else {
                (high[k - N], carry) = adc(twice, words[j], carry);
            }
            j += 1;
        }
        i += 1;
    }
    (low, high)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    struct P;
    impl Modulus<6> for P {
        const MODULUS: [u64; 6] = crate::hex_limbs!(
            "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
        );
    }
    /// 2^320 − 1: every bit in use, an odd number of limbs (the product asks for no prime).
    #[derive(Clone, Copy, Debug)]
    struct Full;
    impl Modulus<5> for Full {
        const MODULUS: [u64; 5] = [u64::MAX; 5];
    }

    fn squares<M: Modulus<N>, const N: usize>() {
        let mut one = [0; N];
        one[0] = 1;
        let last = limbs::sub(&M::MODULUS, &one).0;
        let mut x = M::R2;
        for a in [[0; N], one, last, limbs::half(&last), M::R, M::R2] {
            assert_eq!(square::<M, N>(&a), mul::<M, N>(&a, &a));
        }
        for seed in 0u64..5000 {
            // Limbs of all ones or zeros in every pattern, and numbers from a chain.
            let mut a = [0; N];
            for i in 0..N {
                a[i] = if seed >> i & 1 == 1 {
                    u64::MAX
                } else {
                    x[i] & (seed >> 6 & 1).wrapping_neg()
                };
            }
            let a = from_limbs::<M, N>(&from_limbs::<M, N>(&a));
            let a = to_canonical::<M, N>(&to_canonical::<M, N>(&a));
            assert_eq!(square::<M, N>(&a), mul::<M, N>(&a, &a));
            x = add::<M, N>(&square::<M, N>(&x), &M::R3);
            assert_eq!(square::<M, N>(&x), mul::<M, N>(&x, &x));
        }
    }

    /// A spare bit, but not enough to leave out the carry words.
    #[derive(Clone, Copy, Debug)]
    struct Ed;
    impl Modulus<4> for Ed {
        const MODULUS: [u64; 4] =
            crate::hex_limbs!("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
    }
    /// As full as a modulus without carry words can be.
    #[derive(Clone, Copy, Debug)]
    struct Brim;
    impl Modulus<2> for Brim {
        const MODULUS: [u64; 2] = [u64::MAX, (u64::MAX >> 1) - 1];
    }

    /// Products by loose sums, extreme ones among them, are those by the reduced sums.
    fn loose_sums<M: Modulus<N>, const N: usize>() {
        let mut one = [0; N];
        one[0] = 1;
        let last = limbs::sub(&M::MODULUS, &one).0;
        let values = [[0; N], one, M::R, M::R2, limbs::half(&last), last];
        let mut factors = [last; 64];
        for i in 2..factors.len() {
            factors[i] = mul::<M, N>(&factors[i - 1], &M::R3);
        }
        factors[0] = [0; N];
        for x in &factors {
            for a in &values {
                for b in &values {
                    let (sum, difference) = (add_loose::<M, N>(a, b), sub_loose::<M, N>(a, b));
                    let expected = mul::<M, N>(x, &add::<M, N>(a, b));
                    assert_eq!(mul_loose::<M, N>(x, &sum), expected);
                    let expected = mul::<M, N>(x, &sub::<M, N>(a, b));
                    assert_eq!(mul_loose::<M, N>(x, &difference), expected);
                }
            }
        }
    }

    #[test]
    fn loose_sums_are_factors() {
        loose_sums::<P, 6>();
        loose_sums::<Ed, 4>();
        loose_sums::<Brim, 2>();
        loose_sums::<Full, 5>();
        const { assert!(Brim::NO_CARRY && P::NO_CARRY && !Ed::NO_CARRY) };
        const { assert!(Brim::SPARE_BIT && Ed::SPARE_BIT && !Full::SPARE_BIT) };
    }

    /// The first operand must be reduced: exchanged, there are wrong products, so the tests of
    /// loose sums would see an exchange.
    #[test]
    fn loose_first_factors_overflow() {
        let last = limbs::sub(&Brim::MODULUS, &[1, 0]).0;
        let sum = add_loose::<Brim, 2>(&last, &last);
        let mut x = Brim::R2;
        let wrong = (0..64).any(|_| {
            x = mul::<Brim, 2>(&x, &Brim::R3);
            mul_loose::<Brim, 2>(&sum, &x) != mul_loose::<Brim, 2>(&x, &sum)
        });
        assert!(wrong);
    }

    #[test]
    fn square_is_the_product_with_itself() {
        squares::<P, 6>();
        squares::<Full, 5>();
    }
}
