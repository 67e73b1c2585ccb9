//! 2^255 − 19: the coordinates of Ed25519 and Selene, the scalars of Helios.

use lightproof_arch::Modulus;
use lightproof_arch::hex_limbs;

use super::{Montgomery, Params};

/// The parameters of [`F25519`].
#[derive(Clone, Copy, Debug)]
pub struct F25519Params;

impl Modulus<4> for F25519Params {
    const MODULUS: [u64; 4] =
        hex_limbs!("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
}

impl Params<4> for F25519Params {
    type Repr = [u8; 32];
    const NAME: &'static str = "F25519";
    /// It generates: g^((m − 1)/ℓ) ≠ 1 for each prime ℓ of
    /// m − 1 = 2²·3·65147·
    /// 74058212732561358302231226437062788676166966415465897661863160754340907.
    const GENERATOR: u64 = 2;
}

/// An integer modulo 2^255 − 19.
pub type F25519 = Montgomery<F25519Params, 4>;
