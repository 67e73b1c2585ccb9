//! Sums of products as [`LazySum`] has them, with a quarter fewer multiplications: for many
//! sums that share their factors, in fields of at most 254 bits.

use core::marker::PhantomData;

use lightproof_arch::portable::split;

use super::{LazySum, Montgomery, Params};

/// A factor of many products.
#[derive(Clone, Copy)]
pub(crate) struct Factor<P>(split::Split, PhantomData<P>);

impl<P: Params<4>> From<&Montgomery<P, 4>> for Factor<P> {
    fn from(a: &Montgomery<P, 4>) -> Self {
        const { assert!(P::NUM_BITS <= 254) };
        Self(split::Split::new(a.montgomery_limbs()), PhantomData)
    }
}

/// A sum of up to 2^64 products that is reduced once.
pub(crate) struct SplitSum<P>(split::SplitSum, PhantomData<P>);

impl<P: Params<4>> SplitSum<P> {
    /// The empty sum.
    pub(crate) const ZERO: Self = Self(split::SplitSum::ZERO, PhantomData);

    /// Adds a·b.
    #[inline(always)]
    pub(crate) fn add_product(&mut self, a: &Montgomery<P, 4>, b: &Factor<P>) {
        self.0.add_product(a.montgomery_limbs(), &b.0);
    }

    /// The sum, reduced.
    #[inline(always)]
    pub(crate) fn reduce(&self) -> Montgomery<P, 4> {
        LazySum(self.0.to_wide(), PhantomData).reduce()
    }
}

impl<P> Clone for SplitSum<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for SplitSum<P> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::bandersnatch_scalar::Fr;

    #[test]
    fn equals_the_plain_sum() {
        let mut x = Fr::from_u64(7);
        let (mut sum, mut plain) = (SplitSum::ZERO, Fr::ZERO);
        for i in 0..500 {
            let y = if i % 3 == 0 { -Fr::ONE } else { x * x };
            sum.add_product(&x, &Factor::from(&y));
            plain += x * y;
            assert_eq!(sum.reduce(), plain);
            x = x * x + Fr::ONE;
        }
    }
}
