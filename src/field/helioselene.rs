//! Helioselene's prime: the coordinates of Helios, the scalars of Selene.

use lightproof_arch::Modulus;
use lightproof_arch::hex_limbs;

use super::{Montgomery, Params};

/// The parameters of [`FHelioselene`].
#[derive(Clone, Copy, Debug)]
pub struct FHelioseleneParams;

impl Modulus<4> for FHelioseleneParams {
    const MODULUS: [u64; 4] =
        hex_limbs!("7fffffffffffffffffffffffffffffffbf7f782cb7656b586eb6d2727927c79f");
}

impl Params<4> for FHelioseleneParams {
    type Repr = [u8; 32];
    const NAME: &'static str = "FHelioselene";
    /// It generates: g^((m − 1)/ℓ) ≠ 1 for each prime ℓ of
    /// m − 1 = 2·19·11196728661736481·280005961966877111993·
    /// 485967096496448812583595070740018565469.
    const GENERATOR: u64 = 5;
}

/// An integer modulo Helioselene's prime, 255 bits.
pub type FHelioselene = Montgomery<FHelioseleneParams, 4>;
