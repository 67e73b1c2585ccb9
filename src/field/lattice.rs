//! Splitting a scalar of Bandersnatch into two of half the length (Gallant, Lambert,
//! Vanstone 2001): k = k₁ + k₂·λ mod r, where λ² = −2.

use lightproof_arch::Modulus;
use lightproof_arch::portable::limbs;

use super::bandersnatch_scalar::{Fr, FrParams};

/// A signed number of at most 127 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Half {
    /// Whether it is below zero.
    pub negative: bool,
    /// Its absolute value.
    pub magnitude: u128,
}

/// The lattice of all (a, b) with a + b·λ ≡ 0 mod r, by a vector (x, y) in it whose norm
/// x² + 2·y² is r. A second one is (2·y, −x), which is √−2 times the first; the two have
/// determinant −r, so they span it.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    x: u128,
    y: u128,
    x_over_r: [u64; 4],
    y_over_r: [u64; 4],
}

impl Lattice {
    /// Of a vector of norm r, with 2·y ≤ x.
    pub const fn new(x: u128, y: u128) -> Self {
        Self {
            x,
            y,
            x_over_r: scaled_quotient(x),
            y_over_r: scaled_quotient(y),
        }
    }

    /// (k₁, k₂), each at most (x + 2·y)/2 + 1 in absolute value, which is below 2^126.
    ///
    /// (k, 0) = (k·x/r)·(x, y) + (k·y/r)·(2y, −x); the two factors are rounded to c₁ and c₂,
    /// and what is left over is (k₁, k₂).
    pub const fn split(&self, scalar: &Fr) -> (Half, Half) {
        self.split_canonical(&scalar.to_limbs())
    }

    /// As [`split`](Self::split), of a little-endian number of 32 bytes. One that is not below
    /// r is reduced before.
    pub fn split_bytes(&self, bytes: &[u8; 32]) -> (Half, Half) {
        let mut k = [0; 4];
        for (limb, chunk) in k.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *limb = u64::from_le_bytes(*chunk);
        }
        if limbs::less(&k, &FrParams::MODULUS) {
            self.split_canonical(&k)
        } else {
            self.split(&Fr::from_limbs(k))
        }
    }

    /// Of a number below r.
    const fn split_canonical(&self, k: &[u64; 4]) -> (Half, Half) {
        let c1 = scaled_product(k, &self.x_over_r);
        let c2 = scaled_product(k, &self.y_over_r);
        // The results are below 2^127 in absolute value, so modulo 2^128 is enough.
        let low = k[0] as u128 | (k[1] as u128) << 64;
        let k1 = low
            .wrapping_sub(c1.wrapping_mul(self.x))
            .wrapping_sub(c2.wrapping_mul(self.y).wrapping_mul(2));
        let k2 = c2
            .wrapping_mul(self.x)
            .wrapping_sub(c1.wrapping_mul(self.y));
        (Half::new(k1 as i128), Half::new(k2 as i128))
    }
}

impl Half {
    /// Zero.
    pub const ZERO: Self = Self::new(0);

    const fn new(value: i128) -> Self {
        Self {
            negative: value < 0,
            magnitude: value.unsigned_abs(),
        }
    }
}

/// ⌊v·2^320/r⌉ by long division; below 2^256 for v below 2^127, since r is above 2^252.
const fn scaled_quotient(v: u128) -> [u64; 4] {
    let (mut quotient, mut rest) = ([0u64; 4], [0u64; 4]);
    let mut i = 128 + 320;
    while i > 0 {
        i -= 1;
        // rest < r < 2^253, so doubling does not overflow.
        rest = limbs::add(&rest, &rest).0;
        if i >= 320 {
            rest[0] |= (v >> (i - 320)) as u64 & 1;
        }
        quotient = limbs::add(&quotient, &quotient).0;
        if !limbs::less(&rest, &FrParams::MODULUS) {
            rest = limbs::sub(&rest, &FrParams::MODULUS).0;
            quotient[0] |= 1;
        }
    }
    let double = limbs::add(&rest, &rest).0;
    let round_up = !limbs::less(&double, &FrParams::MODULUS);
    limbs::add(&quotient, &[round_up as u64, 0, 0, 0]).0
}

/// ⌊k·g/2^320⌉, which must be below 2^128.
const fn scaled_product(k: &[u64; 4], g: &[u64; 4]) -> u128 {
    let mut product = [0u64; 8];
    let mut i = 0;
    while i < 4 {
        let mut carry = 0;
        let mut j = 0;
        while j < 4 {
            (product[i + j], carry) = limbs::mac(product[i + j], k[i], g[j], carry);
            j += 1;
        }
        product[i + 4] = carry;
        i += 1;
    }
    let floor = product[5] as u128 | (product[6] as u128) << 64;
    floor + (product[4] >> 63) as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use crypto_bigint::U512;

    fn wide(limbs: &[u64; 4]) -> U512 {
        let mut bytes = [0; 64];
        for (chunk, limb) in bytes.chunks_mut(8).zip(limbs) {
            chunk.copy_from_slice(&limb.to_le_bytes());
        }
        U512::from_le_slice(&bytes)
    }

    #[test]
    fn bytes_and_scalars_have_the_same_halves() {
        let lattice = crate::curve::bandersnatch::LATTICE;
        let mut k = Fr::from_u64(3);
        for _ in 0..50 {
            k = k * k + Fr::ONE;
            let bytes = k.to_le_bytes();
            assert_eq!(lattice.split_bytes(&bytes), lattice.split(&k));
        }
        let reduced = Fr::from_le_bytes_reduced(&[0xff; 32]);
        assert_eq!(lattice.split_bytes(&[0xff; 32]), lattice.split(&reduced));
    }

    #[test]
    fn quotient_and_product_are_rounded() {
        let r = wide(&FrParams::MODULUS);
        for v in [0, 1, 7, u128::MAX >> 1, 0x555f_e200_4be6_928e] {
            // |q·r − v·2^320| ≤ r/2.
            let q = wide(&scaled_quotient(v)).wrapping_mul(&r);
            let exact = U512::from_u128(v).shl_vartime(320);
            let error = if q > exact {
                q.wrapping_sub(&exact)
            } else {
                exact.wrapping_sub(&q)
            };
            assert!(error.shl_vartime(1) <= r);
        }
        let (one, half) = ([0, 1, 0, 0], [0, 0, 0, 1 << 63]);
        assert_eq!(scaled_product(&one, &half), 1); // 1/2 rounds up
        assert_eq!(scaled_product(&one, &[u64::MAX, 0, 0, (1 << 63) - 1]), 0);
        assert_eq!(
            scaled_product(&[0, 0, 0, 1], &[9, 9, 9, 9]),
            9 | 9 << 64 // (9 + 9·2^64)·2^320 and less than half of it
        );
    }
}
