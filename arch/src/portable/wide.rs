//! Sums of products that are reduced once.

use super::limbs::{adc, mac};
use super::montgomery;
use crate::Modulus;

/// A sum of products a·b of Montgomery forms, kept unreduced: 2·N limbs and a word of
/// carries, so up to 2^64 products of numbers below m can be added.
#[derive(Clone, Copy, Debug)]
pub struct Wide<const N: usize> {
    low: [u64; N],
    high: [u64; N],
    top: u64,
}

impl<const N: usize> Default for Wide<N> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const N: usize> Wide<N> {
    /// The empty sum.
    pub const ZERO: Self = Self {
        low: [0; N],
        high: [0; N],
        top: 0,
    };

    /// Adds a·b.
    #[inline(always)]
    pub const fn add_product(&mut self, a: &[u64; N], b: &[u64; N]) {
        // The whole product, then one chain of carries into the sum: rows that are added to the
        // sum one by one take a carry more each, and a tenth more time.
        let (low, high) = product(a, b);
        let mut carry = 0;
        let mut i = 0;
        while i < N {
            (self.low[i], carry) = adc(self.low[i], low[i], carry);
            i += 1;
        }
        i = 0;
        while i < N {
            (self.high[i], carry) = adc(self.high[i], high[i], carry);
            i += 1;
        }
        self.top = self.top.wrapping_add(carry);
    }

    /// Adds `words`·2^bits for `bits` below 128·N and a sum that has room for it.
    #[inline(always)]
    pub(super) const fn add_shifted<const W: usize>(&mut self, words: &[u64; W], bits: usize) {
        let (from, shift) = (bits / 64, bits % 64);
        let (mut below, mut carry) = (0, 0);
        let mut i = from;
        while i <= 2 * N {
            let word = if i - from < W { words[i - from] } else { 0 };
            let shifted = if shift == 0 {
                word
            } else {
                word << shift | below >> (64 - shift)
            };
            below = word;
            if i < N {
                (self.low[i], carry) = adc(self.low[i], shifted, carry);
            } else if i < 2 * N {
                (self.high[i - N], carry) = adc(self.high[i - N], shifted, carry);
            } else {
                (self.top, _) = adc(self.top, shifted, carry);
            }
            i += 1;
        }
    }

    /// The sum, reduced: Σ a·b·R⁻¹ mod m. Where the field is [`Modulus::PUBLIC`], whether it is
    /// longer than 2·N limbs shows in the time.
    #[inline(always)]
    pub const fn reduce<M: Modulus<N>>(&self) -> [u64; N] {
        if M::PUBLIC {
            self.reduce_public::<M>()
        } else {
            self.reduce_whole::<M>()
        }
    }

    /// Most sums are too short for `top`: m²·n, where the modulus leaves bits free.
    #[inline(always)]
    const fn reduce_public<M: Modulus<N>>(&self) -> [u64; N] {
        if self.top != 0 {
            return self.reduce_whole::<M>();
        }
        let above = montgomery::mul::<M, N>(&M::R, &self.high);
        montgomery::redc::<M, N>(&self.low, &above)
    }

    #[inline(always)]
    const fn reduce_whole<M: Modulus<N>>(&self) -> [u64; N] {
        // (low + high·R + top·R²)/R = low/R + high + top·R. The products below bring the last
        // two under m: high·R·R⁻¹ and top·R²·R⁻¹, the free operand of `mul` below R.
        let above = montgomery::mul::<M, N>(&M::R, &self.high);
        let mut top = [0; N];
        top[0] = self.top;
        let top = montgomery::mul::<M, N>(&M::R2, &top);
        montgomery::redc::<M, N>(&self.low, &montgomery::add::<M, N>(&above, &top))
    }
}

#[cfg(test)]
impl Wide<4> {
    /// The words of the sum.
    pub(super) fn words(&self) -> [u64; 9] {
        core::array::from_fn(|i| match i {
            0..4 => self.low[i],
            4..8 => self.high[i - 4],
            _ => self.top,
        })
    }
}

/// a·b, low and high half.
#[inline(always)]
const fn product<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], [u64; N]) {
    let (mut low, mut high) = ([0; N], [0; N]);
    let mut row = 0;
    while row < N {
        let mut carry = 0;
        let mut j = 0;
        while j < N {
            let k = row + j;
            if k < N {
                (low[k], carry) = mac(low[k], a[j], b[row], carry);
            } else {
                (high[k - N], carry) = mac(high[k - N], a[j], b[row], carry);
            }
            j += 1;
        }
        high[row] = carry;
        row += 1;
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::super::limbs;
    use super::*;

    #[derive(Clone, Copy, Debug)]
    struct Q;
    impl Modulus<4> for Q {
        const MODULUS: [u64; 4] =
            crate::hex_limbs!("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001");
    }
    /// Every bit of the limbs in use: secp256k1.
    #[derive(Clone, Copy, Debug)]
    struct K1;
    impl Modulus<4> for K1 {
        const MODULUS: [u64; 4] =
            crate::hex_limbs!("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f");
    }

    /// The sum by columns of 32-bit digits that are carried once, at the end.
    fn by_columns<const N: usize>(terms: &[([u64; N], [u64; N])]) -> [u64; 16] {
        let digit = |x: &[u64; N], i: usize| (x[i / 2] >> (32 * (i % 2))) & 0xffff_ffff;
        let mut columns = [0u64; 32];
        for (a, b) in terms {
            for i in 0..2 * N {
                for j in 0..2 * N {
                    let product = digit(a, i) * digit(b, j);
                    columns[i + j] += product & 0xffff_ffff;
                    columns[i + j + 1] += product >> 32;
                }
            }
        }
        let mut out = [0; 16];
        let mut carry = 0;
        for (i, column) in columns.iter().enumerate() {
            let t = column + carry;
            out[i / 2] |= (t & 0xffff_ffff) << (32 * (i % 2));
            carry = t >> 32;
        }
        out
    }

    fn agrees<const N: usize>(terms: &[([u64; N], [u64; N])]) {
        let mut sum = Wide::<N>::ZERO;
        for (a, b) in terms {
            sum.add_product(a, b);
        }
        let expected = by_columns(terms);
        assert_eq!(sum.low, expected[..N]);
        assert_eq!(sum.high, expected[N..2 * N]);
        assert_eq!(sum.top, expected[2 * N]);
        assert!(expected[2 * N + 1..].iter().all(|&x| x == 0));
    }

    /// A number of limbs that are zero, one, all ones or a mix, chosen by the bits of `seed`.
    fn patterned<const N: usize>(seed: u64) -> [u64; N] {
        let mut out = [0; N];
        for i in 0..N {
            let mixed = (seed + i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            out[i] = match mixed >> 62 {
                0 => 0,
                1 => u64::MAX,
                2 => 1 << (mixed >> 32 & 63),
                _ => mixed ^ (mixed >> 29),
            };
        }
        out
    }

    #[test]
    fn carries_of_full_limbs() {
        for count in [0, 1, 2, 3, 100] {
            agrees(&[([u64::MAX; 1], [u64::MAX; 1]); 100][..count]);
            agrees(&[([u64::MAX; 4], [u64::MAX; 4]); 100][..count]);
            agrees(&[([u64::MAX; 6], [u64::MAX; 6]); 100][..count]);
        }
        for seed in 0..2000 {
            let pair = |k: u64| {
                (
                    patterned::<4>(97 * seed + k),
                    patterned::<4>(89 * seed + 10 * k),
                )
            };
            agrees(&[([u64::MAX; 4], [u64::MAX; 4]), pair(1), pair(2), pair(3)]);
            let pair = |k: u64| {
                (
                    patterned::<6>(97 * seed + k),
                    patterned::<6>(89 * seed + 10 * k),
                )
            };
            agrees(&[pair(0), pair(1), pair(2), ([u64::MAX; 6], [u64::MAX; 6])]);
        }
    }

    fn reduces<M: Modulus<4>>() {
        let one = [1, 0, 0, 0];
        let largest = limbs::sub(&M::MODULUS, &one).0;
        let mut sum = Wide::<4>::ZERO;
        let mut expected = [0; 4];
        assert_eq!(sum.reduce::<M>(), expected);
        for seed in 0..1000 {
            // Numbers below m, every second one the largest: the top word fills.
            let below = |k: u64| montgomery::from_limbs::<M, 4>(&patterned(seed * 7 + k));
            let (a, b) = if seed % 2 == 0 {
                (largest, largest)
            } else {
                (below(0), below(3))
            };
            sum.add_product(&a, &b);
            let product = montgomery::mul::<M, 4>(&a, &b);
            expected = montgomery::add::<M, 4>(&expected, &product);
            assert_eq!(sum.reduce::<M>(), expected);
        }
        // The largest state there is.
        let full = Wide {
            low: [u64::MAX; 4],
            high: [u64::MAX; 4],
            top: u64::MAX,
        };
        // R^2·2^64 − 1 over R.
        let power = limbs::pow2_mod(&M::MODULUS, 2 * 256 + 64);
        let value = montgomery::sub::<M, 4>(&power, &one);
        assert_eq!(full.reduce::<M>(), montgomery::to_canonical::<M, 4>(&value));
    }

    #[test]
    fn reduced_sum_is_the_sum_of_products() {
        reduces::<Q>();
        reduces::<K1>();
    }
}
