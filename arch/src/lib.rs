//! Fixed-width limb arithmetic under `lightproof`.
//!
//! This crate names limbs and CPU features, never a field: a prime enters as a
//! [`Modulus`], a type that carries constants. Numbers are `[u64; N]`, least
//! significant limb first, in memory on every target.
//!
//! - [`portable`]: the arithmetic in plain Rust, `const fn` wherever it can be.
//! - [`lanes`]: several numbers computed side by side, the one interface of all backends,
//!   and the door ([`lanes::dispatch`]) that chooses a backend once for each operation.
//! - [`prefetch`]: a hint to the memory.
#![no_std]
#![deny(unsafe_code)]

pub mod lanes;
mod modulus;
pub mod portable;
mod prefetch;

pub use modulus::Modulus;
pub use prefetch::{PREFETCH_IS_FREE, prefetch};
