//! Verkle proofs: Banderwagon commitments, inner-product argument, multiproof, execution witness.

pub mod witness;
