//! Numbers of `N` limbs without a modulus: carries, comparisons, constants.

/// `a + b + carry` with `carry` 0 or 1; low word and the carry out (0 or 1).
///
/// Two additions that overflow, not one of two words: compilers make a chain of add-with-carry
/// out of this form only.
#[inline(always)]
pub const fn adc(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let (t, over_first) = a.overflowing_add(b);
    let (t, over_second) = t.overflowing_add(carry);
    (t, (over_first | over_second) as u64)
}

/// `a − b − borrow` with `borrow` 0 or 1; low word and the borrow out (0 or 1).
#[inline(always)]
pub const fn sbb(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let (t, under_first) = a.overflowing_sub(b);
    let (t, under_second) = t.overflowing_sub(borrow);
    (t, (under_first | under_second) as u64)
}

/// `acc + a·b + carry`, low and high word; never overflows two words.
#[inline(always)]
pub const fn mac(acc: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let t = acc as u128 + a as u128 * b as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// `a + b`, and the carry out (0 or 1).
#[inline(always)]
pub const fn add<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u64) {
    let mut out = [0; N];
    let mut carry = 0;
    let mut i = 0;
    while i < N {
        (out[i], carry) = adc(a[i], b[i], carry);
        i += 1;
    }
    (out, carry)
}

/// `a − b`, and the borrow out (0 or 1).
#[inline(always)]
pub const fn sub<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u64) {
    let mut out = [0; N];
    let mut borrow = 0;
    let mut i = 0;
    while i < N {
        (out[i], borrow) = sbb(a[i], b[i], borrow);
        i += 1;
    }
    (out, borrow)
}

/// `a` where `mask` is zero, `b` where it is all ones. No branch.
#[inline(always)]
pub const fn select<const N: usize>(a: &[u64; N], b: &[u64; N], mask: u64) -> [u64; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = (a[i] & !mask) | (b[i] & mask);
        i += 1;
    }
    out
}

/// `a < b`, in time that does not depend on the values.
#[inline(always)]
pub const fn less<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    sub(a, b).1 == 1
}

/// `a == 0`, in time that does not depend on the value.
#[inline(always)]
pub const fn is_zero<const N: usize>(a: &[u64; N]) -> bool {
    let mut or = 0;
    let mut i = 0;
    while i < N {
        or |= a[i];
        i += 1;
    }
    or == 0
}

/// Number of bits of `a`; 0 for zero. Time depends on the value.
pub const fn num_bits<const N: usize>(a: &[u64; N]) -> u32 {
    let mut i = N;
    while i > 0 {
        i -= 1;
        if a[i] != 0 {
            return 64 * (i as u32 + 1) - a[i].leading_zeros();
        }
    }
    0
}

/// `a >> 1`.
#[inline(always)]
pub const fn half<const N: usize>(a: &[u64; N]) -> [u64; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        let above = if i + 1 < N { a[i + 1] << 63 } else { 0 };
        out[i] = (a[i] >> 1) | above;
        i += 1;
    }
    out
}

/// `2^bits mod m` by doubling: for constants.
pub const fn pow2_mod<const N: usize>(m: &[u64; N], bits: usize) -> [u64; N] {
    let mut x = [0; N];
    x[0] = 1;
    let mut i = 0;
    while i < bits {
        let (twice, carry) = add(&x, &x);
        let (less, borrow) = sub(&twice, m);
        x = if carry == 1 || borrow == 0 {
            less
        } else {
            twice
        };
        i += 1;
    }
    x
}

/// Reads big-endian hexadecimal digits (no prefix); none for a digit that is none, or for more
/// than N limbs. For constants see [`hex_limbs`](crate::hex_limbs).
pub const fn from_hex<const N: usize>(hex: &str) -> Option<[u64; N]> {
    let digits = hex.as_bytes();
    let mut out = [0u64; N];
    let mut i = 0;
    while i < digits.len() {
        let value = match digits[i] {
            c @ b'0'..=b'9' => c - b'0',
            c @ b'a'..=b'f' => c - b'a' + 10,
            _ => return None,
        };
        let place = digits.len() - 1 - i;
        if place / 16 >= N {
            return None;
        }
        out[place / 16] |= (value as u64) << (4 * (place % 16));
        i += 1;
    }
    Some(out)
}

/// The limbs of a constant in big-endian hexadecimal digits; a wrong digit stops the compilation.
#[macro_export]
macro_rules! hex_limbs {
    ($hex:expr $(,)?) => {
        const {
            match $crate::portable::limbs::from_hex($hex) {
                Some(limbs) => limbs,
                None => panic!("no hexadecimal digits of so many limbs"),
            }
        }
    };
}
