//! Bandersnatch's fast endomorphism φ = √−2 (Masson, Sanso, Zhang 2021, section 2).
//!
//! φ(x, y) = (c·(1 − y²)/(x·y), b·(y² + b)/(y² − b)), of degree 2, with the kernel
//! {(0, 1), (0, −1)}. On the group it is multiplication by λ.

use crate::curve::edwards::Extended;
use crate::field::Ring;
use crate::field::bandersnatch_scalar::Fr;
use crate::field::bls12_381_scalar::Fq;
use crate::field::lattice::Lattice;

/// λ, a square root of −2 mod r.
pub const LAMBDA: Fr =
    Fr::from_hex("13b4f3dc4a39a493edf849562b38c72bcfc49db970a5056ed13d21408783df05");

/// √2 − 1.
const B: Fq = Fq::from_hex("52c9f28b828426a561f00d3a63511a882ea712770d9af4d6ee0f014d172510b4");
/// The factor that brings the image back onto the curve itself.
const C: Fq = Fq::from_hex("6cc624cf865457c3a97c6efd6c17d1078456abcfff36f4e9515c806cdf650b3d");

/// The lattice that splits scalars, by its vector of norm r.
pub const LATTICE: Lattice = Lattice::new(
    0x555f_e200_4be6_928e_4b02_f94a_9789_181f,
    0x0814_b3ee_e55e_8f5d_f8e2_591a_23d6_1f44,
);

/// φ of a point of the group that is not in the kernel: 2 squarings and 9 products.
/// The kernel gives (0, 0, 0, 0), which is no point: the caller looks for it.
///
/// Y² = b·Z² does not happen in the group: φ would be a point at infinity there.
#[inline(always)]
pub(crate) fn endomorphism<R: Ring + From<Fq>>(p: &Extended<R>) -> Extended<R> {
    let (yy, zz, xy) = (p.y.square(), p.z.square(), p.x * p.y);
    let b_zz = zz * R::from(B);
    let f = (zz - yy) * R::from(C);
    let g = (yy + b_zz) * R::from(B);
    let h = yy - b_zz;
    // (f/xy, g/h) over the denominator h·xy.
    Extended {
        x: f * h,
        y: g * xy,
        t: f * g,
        z: h * xy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crypto_bigint::U256;

    const X: u128 = 0x555f_e200_4be6_928e_4b02_f94a_9789_181f;
    const Y: u128 = 0x0814_b3ee_e55e_8f5d_f8e2_591a_23d6_1f44;

    #[test]
    fn constants_are_what_they_say() {
        assert_eq!(LAMBDA.square(), -Fr::from_u64(2));
        assert_eq!((B + Fq::ONE).square(), Fq::from_u64(2));
        assert_eq!(Fr::from_u128(X) + Fr::from_u128(Y) * LAMBDA, Fr::ZERO);
        // x² + 2·y² is r itself, one more than the number −1.
        let (x, y) = (U256::from_u128(X), U256::from_u128(Y));
        let norm = x.wrapping_mul(&x);
        let norm = norm.wrapping_add(&y.wrapping_mul(&y).shl_vartime(1));
        let minus_one = U256::from_le_slice(&(-Fr::ONE).to_le_bytes());
        assert_eq!(norm, minus_one.wrapping_add(&U256::ONE));
        const { assert!(2 * Y <= X) };
    }

    #[test]
    fn halves_are_short_and_make_the_scalar() {
        let mut scalars = alloc::vec![
            Fr::ZERO,
            Fr::ONE,
            -Fr::ONE,
            LAMBDA,
            -LAMBDA,
            LAMBDA + Fr::ONE,
            Fr::from_u128(X),
            Fr::from_u128(Y),
            -Fr::from_u128(X),
            Fr::from_u128(u128::MAX),
        ];
        let mut k = LAMBDA;
        for _ in 0..2000 {
            k = k.square() + Fr::ONE;
            scalars.push(k);
        }
        for k in scalars {
            let (k1, k2) = LATTICE.split(&k);
            let number = |half: crate::field::lattice::Half| {
                assert!(half.magnitude <= (X + 2 * Y) / 2 + 1);
                assert!(half.magnitude < 1 << 126);
                let magnitude = Fr::from_u128(half.magnitude);
                if half.negative { -magnitude } else { magnitude }
            };
            assert_eq!(number(k1) + number(k2) * LAMBDA, k);
        }
    }
}
