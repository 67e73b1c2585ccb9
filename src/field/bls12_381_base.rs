//! BLS12-381's base field: the coordinates of G1.

use lightproof_arch::Modulus;
use lightproof_arch::hex_limbs;

use super::{Montgomery, Params};

/// The parameters of [`Fp`].
#[derive(Clone, Copy, Debug)]
pub struct FpParams;

impl Modulus<6> for FpParams {
    const MODULUS: [u64; 6] = hex_limbs!(
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    );
    /// Commitments, proofs and state are public.
    const PUBLIC: bool = true;
}

impl Params<6> for FpParams {
    type Repr = [u8; 48];
    const NAME: &'static str = "Fp";
    /// It generates: g^((m − 1)/ℓ) ≠ 1 for each prime ℓ of
    /// m − 1 = 2·3²·11·23·47·10177·859267·52437899·2584487767265781317813·
    /// 15778400344354997994418419698270088123916926905054652752758194827714659.
    const GENERATOR: u64 = 2;
}

/// An integer modulo p, 381 bits.
///
/// For public values: a product may branch on its value ([`Modulus::PUBLIC`]).
pub type Fp = Montgomery<FpParams, 6>;
