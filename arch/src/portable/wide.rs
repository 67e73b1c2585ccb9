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
        let mut row = 0;
        // `spill` is what the row before left for its top place (at most one carry bit
        // besides the product's word: a row's word and the carry are added below).
        let mut spill = 0;
        while row < N {
            let mut carry = 0;
            let mut j = 0;
            while j < N {
                let k = row + j;
                if k < N {
                    (self.low[k], carry) = mac(self.low[k], a[j], b[row], carry);
                } else {
                    (self.high[k - N], carry) = mac(self.high[k - N], a[j], b[row], carry);
                }
                j += 1;
            }
            (self.high[row], spill) = adc(self.high[row], carry, spill);
            row += 1;
        }
        self.top = self.top.wrapping_add(spill);
    }

    /// The sum, reduced: Σ a·b·R⁻¹ mod m.
    #[inline(always)]
    pub const fn reduce<M: Modulus<N>>(&self) -> [u64; N] {
        // high + top·R < 2^(64(N+1)): bring it below m first, (x·R)·R⁻¹ by two products.
        let high = montgomery::mul::<M, N>(&M::R2, &self.high);
        let mut top = [0; N];
        top[0] = self.top;
        let top = montgomery::mul::<M, N>(&M::R3, &top);
        let sum = montgomery::add::<M, N>(&high, &top);
        // `high`·R2·R⁻¹ = high·R mod m, and `top`·R3·R⁻¹ = top·R²: the sum stands for
        // (high + top·R) in Montgomery form; divide by R to put it at its place.
        let placed = montgomery::to_canonical::<M, N>(&sum);
        montgomery::redc::<M, N>(&self.low, &placed)
    }
}
