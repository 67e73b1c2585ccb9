//! BLS12-381's scalar field, which is the field of Bandersnatch's coordinates.

use lightproof_arch::Modulus;
use lightproof_arch::hex_limbs;

use super::{Montgomery, Params};

/// The parameters of [`Fq`].
#[derive(Clone, Copy, Debug)]
pub struct FqParams;

impl Modulus<4> for FqParams {
    const MODULUS: [u64; 4] =
        hex_limbs!("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001");
    /// Commitments, proofs and state are public.
    const PUBLIC: bool = true;
}

impl Params<4> for FqParams {
    type Repr = [u8; 32];
    const NAME: &'static str = "Fq";
    /// It generates: g^((m − 1)/ℓ) ≠ 1 for each prime ℓ of
    /// m − 1 = 2^32·3·11·19·10177·125527·859267·906349²·2508409·2529403·52437899·254760293².
    const GENERATOR: u64 = 7;
}

/// An integer modulo q, 255 bits, q − 1 divisible by 2^32.
///
/// For public values: a product may branch on its value ([`Modulus::PUBLIC`]).
pub type Fq = Montgomery<FqParams, 4>;
