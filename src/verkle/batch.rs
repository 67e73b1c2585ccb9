//! Several proofs verified as one.
//!
//! Each proof j comes down to an equation eⱼ = 0 in the group (see [`ipa`](super::ipa)):
//! C + w·y·Q + Σ x·L + Σ x⁻¹·R − a·Σ sᵢ·Gᵢ − w·a·⟨b, s⟩·Q = 0. A [`Batch`] checks Σ ρⱼ·eⱼ = 0
//! instead: one sum over the generators for all proofs, and one over all C, L and R in blocks.
//!
//! # Why that is enough
//!
//! ρ₀ = 1, and ρⱼ is 128 bits of hⱼ, where hⱼ = SHA-256(h₍ⱼ₋₁₎, the last challenge of proof j, its
//! a) and h₋₁ is the caller's entropy. The last challenge is a digest of the whole transcript of
//! proof j: read from its end, where all lengths are fixed, it determines C, z, y, every L and R
//! and every challenge; with a these are all that eⱼ is made of. So hⱼ commits to e₀, …, eⱼ.
//!
//! Say that some equations are false, and that m is the last of them. If m = 0 the sum is
//! e₀ ≠ 0. Otherwise it vanishes only if ρₘ·eₘ = −Σ_{j<m} ρⱼ·eⱼ; the group's order is prime and
//! above 2^128, so that at most one of the 2^128 values of ρₘ does it, and which one was settled
//! by e₀, …, eₘ and ρ₀, …, ρₘ₋₁, before hₘ was computed. A random oracle hits it with probability
//! 2^-128. Proofs after m do not matter: they add nothing. Whoever looks for a batch that is
//! wrongly accepted can try again with another proof, each try at the price of a hash and with
//! that chance: as hard as a logarithm in the group, on which all proofs rest. With 32 bytes of
//! entropy that the prover can't know there is one try only.
//!
//! Equal weights would not do: two false proofs could be made whose errors cancel.
//!
//! # Memory
//!
//! That of one proof, and 8 KiB of a [`BatchScratch`] with 2176 bytes for each proof of a block,
//! however many proofs there are.

use core::fmt;

use sha2::{Digest, Sha256};

use super::ipa::{Claim, Equation};
use super::scratch::PROOF_POINTS;
#[cfg(feature = "alloc")]
use super::scratch::{filled, zero_vector};
use super::{
    Committer, Element, EncodedQuery, Error, IpaProof, MultiProof, Precomputed, Scalar, Scratch,
    Transcript, Vector, VerifierQuery, WIDTH, crs, multiproof, polynomial,
};
use crate::exec::{Executor, Serial};

/// Parts the weights' hashes from all others.
const DOMAIN: &[u8] = b"lightproof: weights of a batch of inner-product arguments";

/// Lent memory of a [`Batch`]: from a [`BatchWorkspace`] of constant size, or (with `alloc`) from
/// a [`BatchBuffer`].
#[derive(Debug)]
pub struct BatchScratch<'m> {
    generators: &'m mut Vector,
    points: &'m mut [[Precomputed; PROOF_POINTS]],
    scalars: &'m mut [[[u8; 32]; PROOF_POINTS]],
}

/// Memory for verifying batches, with no heap, in blocks of `BLOCK` proofs (at least 1): the
/// points of so many are summed at once, the more the faster.
#[derive(Debug)]
pub struct BatchWorkspace<const BLOCK: usize> {
    generators: Vector,
    points: [[Precomputed; PROOF_POINTS]; BLOCK],
    scalars: [[[u8; 32]; PROOF_POINTS]; BLOCK],
}

impl<const BLOCK: usize> BatchWorkspace<BLOCK> {
    /// New memory, all bytes zero: in a `static` it takes memory, and no place in the image.
    pub const fn new() -> Self {
        const { assert!(BLOCK > 0, "a block has one proof or more") }
        Self {
            generators: [Scalar::ZERO; WIDTH],
            points: [[Precomputed::VACANT; PROOF_POINTS]; BLOCK],
            scalars: [[[0; 32]; PROOF_POINTS]; BLOCK],
        }
    }

    /// Lends it.
    pub fn scratch(&mut self) -> BatchScratch<'_> {
        BatchScratch {
            generators: &mut self.generators,
            points: &mut self.points,
            scalars: &mut self.scalars,
        }
    }
}

impl<const BLOCK: usize> Default for BatchWorkspace<BLOCK> {
    fn default() -> Self {
        Self::new()
    }
}

/// Memory for verifying batches, on the heap.
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub struct BatchBuffer {
    generators: alloc::boxed::Box<Vector>,
    points: alloc::vec::Vec<[Precomputed; PROOF_POINTS]>,
    scalars: alloc::vec::Vec<[[u8; 32]; PROOF_POINTS]>,
}

#[cfg(feature = "alloc")]
impl BatchBuffer {
    /// Memory for blocks of `block` proofs (0 counts as 1): see [`BatchWorkspace`]. More than
    /// there are proofs is of no use, more than 64 of little. Where the allocator has none for so
    /// many, for blocks of one.
    pub fn new(block: usize) -> Self {
        let (points, scalars) = ([Precomputed::VACANT; PROOF_POINTS], [[0; 32]; PROOF_POINTS]);
        let memory = filled(points, block.max(1)).zip(filled(scalars, block.max(1)));
        let (points, scalars) =
            memory.unwrap_or_else(|| (alloc::vec![points], alloc::vec![scalars]));
        Self {
            generators: zero_vector(),
            points,
            scalars,
        }
    }

    /// Lends it.
    pub fn scratch(&mut self) -> BatchScratch<'_> {
        BatchScratch {
            generators: &mut self.generators,
            points: &mut self.points,
            scalars: &mut self.scalars,
        }
    }
}

/// The weights ρ₀, ρ₁, …: see the module.
#[derive(Clone, Copy, Debug)]
struct Weights {
    digest: [u8; 32],
    drawn: bool,
}

impl Weights {
    /// Draws the weight of the next proof.
    fn next(&mut self, last_challenge: &Scalar, a: &Scalar) -> Scalar {
        let mut hasher = Sha256::new();
        hasher.update(DOMAIN);
        hasher.update(self.digest);
        hasher.update(last_challenge.to_le_bytes());
        hasher.update(a.to_le_bytes());
        self.digest = hasher.finalize().into();
        if !core::mem::replace(&mut self.drawn, true) {
            return Scalar::ONE;
        }
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&self.digest[..16]);
        // 128 bits are below the order.
        Scalar::from_le_bytes(&bytes).unwrap_or(Scalar::ONE)
    }
}

/// Proofs that are verified together. They are taken one after another and not kept: what stays
/// is their weighted sum. [`finish`](Self::finish) gives the verdict on all.
///
/// A proof that is refused when it is added is not in the batch, which goes on without it.
#[derive(Debug)]
#[must_use = "a batch is verified by `finish`"]
pub struct Batch<'m> {
    memory: BatchScratch<'m>,
    weights: Weights,
    proofs: usize,
    /// Proofs whose points wait to be summed.
    pending: usize,
    /// The points summed so far.
    sum: Element,
    /// The scalar of Q.
    q: Scalar,
}

impl<'m> Batch<'m> {
    /// An empty batch. `entropy` goes into the weights: 32 bytes that the provers could not know
    /// rule out that they search for proofs whose weights suit them; zeros are safe as well, see
    /// the [module](self).
    pub fn new(memory: BatchScratch<'m>, entropy: &[u8; 32]) -> Self {
        memory.generators.fill(Scalar::ZERO);
        Self {
            memory,
            weights: Weights {
                digest: *entropy,
                drawn: false,
            },
            proofs: 0,
            pending: 0,
            sum: Element::IDENTITY,
            q: Scalar::ZERO,
        }
    }

    /// How many proofs it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.proofs
    }

    /// Whether it has none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.proofs == 0
    }

    /// Adds the proof that all `openings` hold.
    ///
    /// Memory: what is lent; [`Scratch`] has room for the openings. Complexity: one sum over the
    /// different commitments, and 17 terms of the batch's sum.
    ///
    /// # Errors
    /// No openings; the first value or commitment that can't be decoded; too little scratch; a
    /// challenge that is zero.
    pub fn add(
        &mut self,
        transcript: &mut Transcript,
        openings: Openings<'_>,
        proof: &MultiProof,
        scratch: &mut Scratch<'_>,
    ) -> Result<(), Error> {
        self.add_with(&Serial, transcript, openings, proof, scratch)
    }

    /// As [`add`](Self::add), where `exec` shares decoding or normalisation, and the sums.
    ///
    /// # Errors
    /// As there.
    pub fn add_with(
        &mut self,
        exec: &impl Executor,
        transcript: &mut Transcript,
        openings: Openings<'_>,
        proof: &MultiProof,
        scratch: &mut Scratch<'_>,
    ) -> Result<(), Error> {
        let d = &proof.d;
        let claim = match openings {
            Openings::Decoded(q) => multiproof::claim_decoded(exec, transcript, q, d, scratch),
            Openings::Encoded(q) => multiproof::claim_encoded(exec, transcript, q, d, scratch),
        }?;
        self.add_claim(exec, transcript, &claim, &proof.ipa, scratch)
    }

    /// Adds the argument that the polynomial committed to in `commitment` has value `y` at `z`.
    ///
    /// # Errors
    /// Too little scratch; a challenge that is zero.
    pub fn add_argument(
        &mut self,
        transcript: &mut Transcript,
        commitment: &Element,
        z: &Scalar,
        y: &Scalar,
        proof: &IpaProof,
        scratch: &mut Scratch<'_>,
    ) -> Result<(), Error> {
        let claim = Claim {
            commitment: commitment.to_affine(),
            z: *z,
            y: *y,
            az: polynomial::inverse_distances(z, scratch.lagrange),
        };
        self.add_claim(&Serial, transcript, &claim, proof, scratch)
    }

    /// Adds the equation of an argument; `scratch.lagrange` holds the inverse distances. All that
    /// can fail comes before the batch is changed.
    fn add_claim(
        &mut self,
        exec: &impl Executor,
        transcript: &mut Transcript,
        claim: &Claim,
        proof: &IpaProof,
        scratch: &mut Scratch<'_>,
    ) -> Result<(), Error> {
        if self.pending >= self.memory.points.len() {
            self.sum_pending(exec, scratch.buckets)?;
        }
        let mut weights = self.weights;
        let weigh = |last: &Scalar, a: &Scalar| weights.next(last, a);
        let equation = Equation::new(transcript, claim, proof, weigh, scratch)?;
        let (points, scalars) = (&mut *self.memory.points, &mut *self.memory.scalars);
        let block = points.iter_mut().zip(scalars).nth(self.pending);
        // There is room, or the sum above would have failed.
        let (points, scalars) = block.ok_or(Error::Scratch {
            needed: 1,
            given: 0,
        })?;
        equation.write_terms(proof, (claim.commitment, equation.weight), points, scalars);
        for (sum, scalar) in self.memory.generators.iter_mut().zip(&*scratch.generators) {
            *sum += *scalar;
        }
        self.q += equation.q;
        self.weights = weights;
        self.pending += 1;
        self.proofs += 1;
        Ok(())
    }

    /// Adds the points that wait to the sum.
    fn sum_pending(&mut self, exec: &impl Executor, buckets: &mut [Element]) -> Result<(), Error> {
        let count = self.pending.min(self.memory.points.len());
        let points = self.memory.points[..count].as_flattened_mut();
        let scalars = self.memory.scalars[..count].as_flattened();
        self.sum += multiproof::sum_in_place(exec, points, scalars, buckets)?;
        self.pending = 0;
        Ok(())
    }

    /// Whether all proofs hold.
    ///
    /// Complexity: 256 fixed-base scalar multiplications, as a sum; the points that still wait.
    ///
    /// # Errors
    /// [`Error::NotProven`] if one does not (which one, only verifying them singly tells);
    /// [`Error::NoOpenings`] if there is none; too little scratch.
    pub fn finish(self, committer: &Committer<'_>, scratch: &mut Scratch<'_>) -> Result<(), Error> {
        self.finish_with(&Serial, committer, scratch)
    }

    /// As [`finish`](Self::finish), where `exec` shares the sum over the points that wait.
    ///
    /// # Errors
    /// As there.
    pub fn finish_with(
        mut self,
        exec: &impl Executor,
        committer: &Committer<'_>,
        scratch: &mut Scratch<'_>,
    ) -> Result<(), Error> {
        if self.is_empty() {
            return Err(Error::NoOpenings);
        }
        self.sum_pending(exec, scratch.buckets)?;
        let generators = &*self.memory.generators;
        let fixed = committer.commit_with_scratch(
            generators,
            scratch.canonical,
            scratch.buckets,
            scratch.table_buckets,
        )?;
        let q = Element::from(crs::Q).mul_vartime(&self.q);
        if self.sum + fixed + q == Element::IDENTITY {
            Ok(())
        } else {
            Err(Error::NotProven)
        }
    }
}

/// The openings that a proof of a batch is about, in the order in which they were proven.
#[derive(Clone, Copy, Debug)]
pub enum Openings<'a> {
    /// Decoded.
    Decoded(&'a [VerifierQuery<'a>]),
    /// As they travel.
    Encoded(&'a [EncodedQuery<'a>]),
}

/// A proof of a batch.
#[derive(Clone, Copy, Debug)]
pub struct BatchProof<'a> {
    /// The transcript as it is before the openings; what is verified is a copy.
    pub transcript: &'a Transcript,
    /// What is proven.
    pub openings: Openings<'a>,
    /// The proof.
    pub proof: &'a MultiProof,
}

impl BatchProof<'_> {
    fn verify(
        &self,
        exec: &impl Executor,
        committer: &Committer<'_>,
        scratch: &mut Scratch<'_>,
    ) -> Result<(), Error> {
        let t = &mut self.transcript.clone();
        match self.openings {
            Openings::Decoded(q) => {
                multiproof::verify_with(exec, committer, t, q, self.proof, scratch)
            }
            Openings::Encoded(q) => {
                multiproof::verify_encoded_with(exec, committer, t, q, self.proof, scratch)
            }
        }
    }
}

/// Why a batch is not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BatchError {
    /// There is no proof.
    Empty,
    /// A proof is malformed or does not hold.
    Proof {
        /// Its index.
        index: usize,
        /// Why.
        error: Error,
    },
    /// The sum for all could not be computed.
    Sum(Error),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there are no proofs"),
            Self::Proof { index, error } => write!(f, "proof {index}: {error}"),
            Self::Sum(error) => write!(f, "the sum for all proofs: {error}"),
        }
    }
}

impl core::error::Error for BatchError {}

/// Verifies that all `proofs` hold, by a [`Batch`], whose `entropy` see. If one does not, verifies
/// them singly to name the first that doesn't.
///
/// Memory: what is lent; `scratch` has room for the most openings of one proof. Complexity: see
/// [`Batch::add`] and [`Batch::finish`]; a batch with a false proof costs as much again as verifying
/// the proofs up to it singly.
///
/// # Errors
/// No proofs; a proof that is malformed (before any that is merely false); the first that is
/// false; too little scratch.
pub fn verify_batch(
    committer: &Committer<'_>,
    proofs: &[BatchProof<'_>],
    entropy: &[u8; 32],
    memory: BatchScratch<'_>,
    scratch: &mut Scratch<'_>,
) -> Result<(), BatchError> {
    verify_batch_with(&Serial, committer, proofs, entropy, memory, scratch)
}

/// As [`verify_batch`], where `exec` shares the decoding and the sums, one proof after another.
///
/// # Errors
/// As there.
pub fn verify_batch_with(
    exec: &impl Executor,
    committer: &Committer<'_>,
    proofs: &[BatchProof<'_>],
    entropy: &[u8; 32],
    memory: BatchScratch<'_>,
    scratch: &mut Scratch<'_>,
) -> Result<(), BatchError> {
    if proofs.is_empty() {
        return Err(BatchError::Empty);
    }
    let mut batch = Batch::new(memory, entropy);
    for (index, proof) in proofs.iter().enumerate() {
        let transcript = &mut proof.transcript.clone();
        batch
            .add_with(exec, transcript, proof.openings, proof.proof, scratch)
            .map_err(|error| BatchError::Proof { index, error })?;
    }
    match batch.finish_with(exec, committer, scratch) {
        Err(Error::NotProven) => {}
        verdict => return verdict.map_err(BatchError::Sum),
    }
    for (index, proof) in proofs.iter().enumerate() {
        proof
            .verify(exec, committer, scratch)
            .map_err(|error| BatchError::Proof { index, error })?;
    }
    // Where no equation is false the weighted sum vanishes.
    Err(BatchError::Sum(Error::NotProven))
}

#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests {
    use super::*;
    use crate::verkle::{ProverQuery, ScratchBuffer};

    /// Two copies of a proof, one with a too large by δ and one too small by δ: the errors are
    /// opposite. Gives the verdict; `equal` makes all weights 1.
    fn opposite_errors(equal: bool) -> Result<(), Error> {
        let committer = Committer::new();
        let mut vector = zero_vector();
        for (i, slot) in (3u64..).zip(vector.iter_mut()) {
            *slot = Scalar::from_u64(i * i);
        }
        let commitment = committer.commit(&vector[..]).unwrap();
        let query = ProverQuery {
            commitment: &commitment,
            polynomial: &vector,
            point: 9,
        };
        let mut proof =
            multiproof::prove(&committer, &mut Transcript::new("vt"), &[query]).unwrap();
        let claim = VerifierQuery {
            commitment: &commitment,
            point: 9,
            value: query.value(),
        };
        let delta = Scalar::from_u64(77);
        proof.ipa.a += delta;
        let mut memory = BatchBuffer::new(2);
        let mut buffer = ScratchBuffer::new(1);
        let mut batch = Batch::new(memory.scratch(), &[0; 32]);
        for _ in 0..2 {
            batch.weights.drawn &= !equal;
            let transcript = &mut Transcript::new("vt");
            batch
                .add(
                    transcript,
                    Openings::Decoded(&[claim]),
                    &proof,
                    &mut buffer.scratch(),
                )
                .unwrap();
            proof.ipa.a -= delta + delta;
        }
        batch.finish(&committer, &mut buffer.scratch())
    }

    #[test]
    fn errors_that_cancel_with_equal_weights_do_not_with_these() {
        assert_eq!(opposite_errors(true), Ok(()));
        assert_eq!(opposite_errors(false), Err(Error::NotProven));
    }

    #[test]
    fn a_weight_depends_on_all_before_it() {
        let draw = |entropy: u8, scalars: [u64; 4]| {
            let mut weights = Weights {
                digest: [entropy; 32],
                drawn: false,
            };
            let [x0, a0, x1, a1] = scalars.map(Scalar::from_u64);
            [weights.next(&x0, &a0), weights.next(&x1, &a1)]
        };
        let [first, second] = draw(0, [1, 2, 3, 4]);
        assert_eq!(first, Scalar::ONE);
        assert_eq!(second.to_le_bytes()[16..], [0; 16]);
        for (entropy, scalars) in [
            (1, [1, 2, 3, 4]),
            (0, [5, 2, 3, 4]),
            (0, [1, 5, 3, 4]),
            (0, [1, 2, 5, 4]),
            (0, [1, 2, 3, 5]),
        ] {
            assert_ne!(draw(entropy, scalars)[1], second);
        }
    }
}
