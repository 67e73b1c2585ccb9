//! Bandersnatch (Masson, Sanso, Zhang 2021): −5·x² + y² = 1 + d·x²·y² over the scalar field
//! of BLS12-381, with 4·r points. Its quotient by a point of order two is
//! [`banderwagon`](super::banderwagon), which is what protocols use.

use super::edwards;
use crate::field::Ring;
use crate::field::bls12_381_scalar::Fq;

mod endomorphism;
pub mod isogenous;
mod weierstrass;

pub(crate) use endomorphism::endomorphism;
pub use endomorphism::{LAMBDA, LATTICE};

/// The curve's parameters.
#[derive(Clone, Copy, Debug)]
pub struct Bandersnatch;

impl edwards::Params for Bandersnatch {
    type Base = Fq;
    const D: Fq = Fq::from_hex("6389c12633c267cbc66e3bf86be3b6d8cb66677177e54f92b369f2f5188d58e7");

    /// a = −5.
    #[inline(always)]
    fn mul_by_neg_a<R: Ring>(x: R) -> R {
        x.double().double() + x
    }
}

/// The prime subgroup's generator.
pub const GENERATOR_X: Fq =
    Fq::from_hex("29c132cc2c0b34c5743711777bbe42f32b79c022ad998465e1e71866a252ae18");
/// The generator's y.
pub const GENERATOR_Y: Fq =
    Fq::from_hex("2a6c669eda123e0f157d8b50badcd586358cad81eee464605e3167b6cc974166");
