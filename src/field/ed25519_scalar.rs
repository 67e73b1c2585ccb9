//! Ed25519's scalar field: the order of its prime subgroup.

use lightproof_arch::Modulus;
use lightproof_arch::hex_limbs;

use super::{Montgomery, Params};

/// The parameters of [`Scalar25519`].
#[derive(Clone, Copy, Debug)]
pub struct Scalar25519Params;

impl Modulus<4> for Scalar25519Params {
    const MODULUS: [u64; 4] =
        hex_limbs!("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");
}

impl Params<4> for Scalar25519Params {
    type Repr = [u8; 32];
    const NAME: &'static str = "Scalar25519";
    /// It generates: g^((m − 1)/ℓ) ≠ 1 for each prime ℓ of
    /// m − 1 = 2²·3·11·198211423230930754013084525763697·
    /// 276602624281642239937218680557139826668747.
    const GENERATOR: u64 = 2;
}

/// An integer modulo 2^252 + 27742317777372353535851937790883648493.
pub type Scalar25519 = Montgomery<Scalar25519Params, 4>;
