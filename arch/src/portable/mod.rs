//! Arithmetic in plain Rust on 64-bit limbs, with no assembly.
//!
//! Every function takes and gives numbers below the modulus unless it says otherwise.

pub mod inverse;
pub mod limbs;
pub mod montgomery;
pub mod split;
pub mod wide;
