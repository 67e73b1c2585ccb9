//! Opening and membership proofs that light clients can verify on small boards.
#![no_std]
#![deny(unsafe_code)]

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
