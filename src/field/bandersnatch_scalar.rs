//! Bandersnatch's scalar field: the order of Banderwagon.

use lightproof_arch::Modulus;
use lightproof_arch::hex_limbs;

use super::{Montgomery, Params};

/// The parameters of [`Fr`].
#[derive(Clone, Copy, Debug)]
pub struct FrParams;

impl Modulus<4> for FrParams {
    const MODULUS: [u64; 4] =
        hex_limbs!("1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e1");
    /// Commitments, proofs and state are public.
    const PUBLIC: bool = true;
}

impl Params<4> for FrParams {
    type Repr = [u8; 32];
    const NAME: &'static str = "Fr";
    /// It generates: g^((m − 1)/ℓ) ≠ 1 for each prime ℓ of
    /// m − 1 = 2^5·3·5²·48407612962807291·2038476065687664805409·
    /// 55352597255927763854484663053009063.
    const GENERATOR: u64 = 7;
}

/// An integer modulo r, 253 bits.
///
/// For public values: a product may branch on its value ([`Modulus::PUBLIC`]).
pub type Fr = Montgomery<FrParams, 4>;
