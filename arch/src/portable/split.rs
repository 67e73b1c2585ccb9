//! Sums of products with a quarter of the multiplications saved, for numbers of four limbs that
//! leave two bits free.
//!
//! Karatsuba's identity (1962) with a = a₀ + 2^127·a₁, both parts below 2^127:
//! a·b = a₀·b₀ + 2^127·((a₀ + a₁)(b₀ + b₁) − a₀·b₀ − a₁·b₁) + 2^254·a₁·b₁.
//! Three sums of products of two limbs are kept apart; the subtractions and the shifts are the
//! same for a sum as for one product, so they are made once. The split is at 127 bits, not at
//! 128, for a₀ + a₁ to fit two limbs.

use super::limbs::adc;
use super::wide::Wide;

/// A number below 2^254 in parts: a₀, a₁ and their sum.
#[derive(Clone, Copy, Debug)]
pub struct Split([[u64; 2]; 3]);

impl Split {
    /// Splits a number below 2^254.
    #[inline(always)]
    pub const fn new(a: &[u64; 4]) -> Self {
        let low = [a[0], a[1] & (u64::MAX >> 1)];
        // a >> 127, by doubling: a carry chain is shorter than shifts of two words.
        let (_, carry) = adc(a[1], a[1], 0);
        let (high_0, carry) = adc(a[2], a[2], carry);
        let (high_1, _) = adc(a[3], a[3], carry);
        // Below 2^127 each.
        let (sum_0, carry) = adc(low[0], high_0, 0);
        let (sum_1, _) = adc(low[1], high_1, carry);
        Self([low, [high_0, high_1], [sum_0, sum_1]])
    }
}

/// A sum of up to 2^64 products of numbers below 2^254, not reduced.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitSum([[u64; 5]; 3]);

impl SplitSum {
    /// The empty sum.
    pub const ZERO: Self = Self([[0; 5]; 3]);

    /// Adds a·b: 12 multiplications of limbs.
    #[inline(always)]
    pub const fn add_product(&mut self, a: &[u64; 4], b: &Split) {
        let a = Split::new(a);
        add(&mut self.0[0], &a.0[0], &b.0[0]);
        add(&mut self.0[1], &a.0[1], &b.0[1]);
        add(&mut self.0[2], &a.0[2], &b.0[2]);
    }

    /// The sum as one number.
    #[inline(always)]
    pub const fn to_wide(&self) -> Wide<4> {
        let [low, high, mixed] = &self.0;
        let mixed = sub(&sub(mixed, low), high);
        let mut out = Wide::ZERO;
        out.add_shifted(low, 0);
        out.add_shifted(&mixed, 127);
        out.add_shifted(high, 254);
        out
    }
}

/// sum + a·b: the product's four words first, then one chain of carries.
#[inline(always)]
const fn add(sum: &mut [u64; 5], a: &[u64; 2], b: &[u64; 2]) {
    const LOW: u128 = u64::MAX as u128;
    let p00 = a[0] as u128 * b[0] as u128;
    // A product and one or two words more are below 2^128.
    let p01 = a[0] as u128 * b[1] as u128 + (p00 >> 64);
    let p10 = a[1] as u128 * b[0] as u128 + (p01 & LOW);
    let p11 = a[1] as u128 * b[1] as u128 + (p01 >> 64) + (p10 >> 64);
    let carry;
    (sum[0], carry) = adc(sum[0], p00 as u64, 0);
    let carry_1;
    (sum[1], carry_1) = adc(sum[1], p10 as u64, carry);
    let carry_2;
    (sum[2], carry_2) = adc(sum[2], p11 as u64, carry_1);
    let carry_3;
    (sum[3], carry_3) = adc(sum[3], (p11 >> 64) as u64, carry_2);
    sum[4] = sum[4].wrapping_add(carry_3);
}

/// a − b, for b not above a.
#[inline(always)]
const fn sub(a: &[u64; 5], b: &[u64; 5]) -> [u64; 5] {
    super::limbs::sub(a, b).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limbs of zeros, ones and a mix, below 2^254.
    fn patterned(seed: u64) -> [u64; 4] {
        let mut out = [0; 4];
        for i in 0..4 {
            let mixed = (seed + i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            out[i] = match mixed >> 62 {
                0 => 0,
                1 => u64::MAX,
                _ => mixed ^ (mixed >> 29),
            };
        }
        out[3] >>= 2;
        out
    }

    #[test]
    fn equals_the_sum_of_whole_products() {
        let largest = [u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 2];
        let (mut split, mut plain) = (SplitSum::ZERO, Wide::<4>::ZERO);
        assert_eq!(split.to_wide().words(), [0; 9]);
        for seed in 0..3000 {
            let (a, b) = if seed % 3 == 0 {
                (largest, largest)
            } else {
                (patterned(7 * seed), patterned(5 * seed + 3))
            };
            split.add_product(&a, &Split::new(&b));
            plain.add_product(&a, &b);
            assert_eq!(split.to_wide().words(), plain.words());
        }
    }

    #[test]
    fn parts_are_the_number() {
        for seed in 0..500 {
            let a = patterned(seed);
            let Split([low, high, sum]) = Split::new(&a);
            let number = |x: [u64; 2]| u128::from(x[0]) | u128::from(x[1]) << 64;
            assert!(number(low) < 1 << 127 && number(high) < 1 << 127);
            assert_eq!(number(low) + number(high), number(sum));
            let mut back = Wide::<4>::ZERO;
            back.add_shifted(&low, 0);
            back.add_shifted(&high, 127);
            assert_eq!(back.words()[..4], a);
        }
    }
}
