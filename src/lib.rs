//! Opening and membership proofs that light clients can verify on small boards: `no_std`, no allocator needed to
//! verify, portable 64-bit limbs.
//!
//! - `verkle` (feature `verkle`): commitments, openings, multiproofs, execution witnesses, trees, and the `transcript`.
//! - [`msm`] and [`table`]: sums of multiples of points.
//! - [`curve`]: groups and their encodings. [`field`]: prime fields.
//! - [`exec`]: where parallelism is chosen.
//!
//! The README has examples, `docs/formats.md` every byte form, `docs/architecture.md` the plan of the source.
#![no_std]
#![deny(unsafe_code)]
// Without a proof system some of what they stand on has no user.
#![cfg_attr(not(feature = "verkle"), allow(dead_code))]

#[cfg(any(feature = "alloc", test))]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod curve;
pub mod exec;
pub mod field;
pub mod msm;
pub mod table;
#[cfg(feature = "verkle")]
pub mod transcript;
#[cfg(feature = "verkle")]
pub mod verkle;

/// The README's examples, compiled and run.
#[cfg(all(doctest, feature = "verkle", feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
