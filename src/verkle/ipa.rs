//! The inner-product argument (Bootle et al. 2016; Bünz et al. 2018, in the form of Halo):
//! the polynomial committed to in C has value y at z, in 8 rounds, 544 bytes.
//!
//! With b = (Lᵢ(z)) the claim is ⟨a, b⟩ = y for the committed vector a. A round sends
//! L = ⟨a_R, G_L⟩ + ⟨a_R, b_L⟩·Q′ and R = ⟨a_L, G_R⟩ + ⟨a_L, b_R⟩·Q′, draws x, and halves
//! a ← a_L + x·a_R, b ← b_L + x⁻¹·b_R, G ← G_L + x⁻¹·G_R.

use super::crs::Q;
use super::polynomial::{evaluate_from_distances, inverse_distances};
use super::scratch::PROOF_POINTS;
use super::{
    Affine, Committer, Compressed, Element, Error, Precomputed, ProofPart, ROUNDS, Scalar, Scratch,
    Transcript, Vector,
};
use crate::exec::{Executor, Serial};
use crate::field::batch;
use crate::msm::msm_vartime;

/// A proof that a committed polynomial has a value at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IpaProof {
    /// The left commitments, one a round.
    pub l: [Affine; ROUNDS],
    /// The right commitments.
    pub r: [Affine; ROUNDS],
    /// The vector a, folded to one scalar.
    pub a: Scalar,
}

impl IpaProof {
    /// Bytes of the encoding: L₀…L₇, R₀…R₇ compressed, a little-endian.
    pub const BYTES: usize = 32 * (2 * ROUNDS + 1);
    /// Bytes of rust-verkle's uncompressed encoding: 64 bytes a point, little-endian.
    pub const UNCOMPRESSED_BYTES: usize = 64 * 2 * ROUNDS + 32;

    /// Decodes a proof, with every check on its points and its scalar.
    ///
    /// # Errors
    /// [`Error::ProofLength`], [`Error::ProofPoint`], [`Error::ProofScalar`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        decode::<32>(bytes, Affine::from_bytes)
    }

    /// Decodes rust-verkle's uncompressed encoding, with every check (the peer makes none).
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_uncompressed_bytes(bytes: &[u8]) -> Result<Self, Error> {
        decode::<64>(bytes, Affine::from_uncompressed_le_bytes)
    }

    /// The encoding.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut out = [0; Self::BYTES];
        self.write(&mut out, |point| point.to_bytes());
        out
    }

    /// rust-verkle's uncompressed encoding, each point by its canonical representative.
    pub fn to_uncompressed_bytes(&self) -> [u8; Self::UNCOMPRESSED_BYTES] {
        let mut out = [0; Self::UNCOMPRESSED_BYTES];
        self.write(&mut out, |point| point.to_uncompressed_le_bytes());
        out
    }

    /// Writes points of `SIZE` bytes and then a.
    pub(crate) fn write<const SIZE: usize>(
        &self,
        out: &mut [u8],
        encode: impl Fn(&Affine) -> [u8; SIZE],
    ) {
        let mut chunks = out.chunks_mut(SIZE);
        for (point, chunk) in self.l.iter().chain(&self.r).zip(&mut chunks) {
            chunk.copy_from_slice(&encode(point));
        }
        if let Some(last) = out.last_chunk_mut::<32>() {
            *last = self.a.to_le_bytes();
        }
    }
}

/// Decodes 16 points of `SIZE` bytes and a scalar.
pub(crate) fn decode<const SIZE: usize>(
    bytes: &[u8],
    point: impl Fn(&[u8]) -> Result<Affine, super::DecodeError>,
) -> Result<IpaProof, Error> {
    let expected = 2 * ROUNDS * SIZE + 32;
    let wrong = Error::ProofLength {
        expected,
        actual: bytes.len(),
    };
    if bytes.len() != expected {
        return Err(wrong);
    }
    let (points, scalar) = bytes.split_last_chunk::<32>().ok_or(wrong)?;
    // The scalar first: it costs nothing.
    let a = Scalar::from_le_bytes(scalar).ok_or(Error::ProofScalar)?;
    let mut proof = IpaProof {
        l: [Affine::IDENTITY; ROUNDS],
        r: [Affine::IDENTITY; ROUNDS],
        a,
    };
    let parts = (0..ROUNDS as u8)
        .map(ProofPart::L)
        .chain((0..ROUNDS as u8).map(ProofPart::R));
    let slots = proof.l.iter_mut().chain(&mut proof.r);
    for ((slot, part), chunk) in slots.zip(parts).zip(points.chunks(SIZE)) {
        *slot = point(chunk).map_err(|error| Error::ProofPoint { part, error })?;
    }
    Ok(proof)
}

/// Appends the statement and draws w.
fn start(
    transcript: &mut Transcript,
    commitment: &Compressed,
    z: &Scalar,
    y: &Scalar,
) -> Result<Scalar, Error> {
    transcript.domain_sep("ipa");
    transcript.append_point("C", commitment);
    transcript.append_scalar("input point", z);
    transcript.append_scalar("output point", y);
    challenge(transcript, "w")
}

/// A challenge that must have an inverse.
pub(crate) fn challenge(transcript: &mut Transcript, label: &'static str) -> Result<Scalar, Error> {
    let challenge = transcript.challenge(label);
    if challenge == Scalar::ZERO {
        Err(Error::Challenge)
    } else {
        Ok(challenge)
    }
}

/// Appends one round's commitments and draws its challenge.
fn round(transcript: &mut Transcript, l: &Affine, r: &Affine) -> Result<Scalar, Error> {
    transcript.append_point("L", &l.to_bytes());
    transcript.append_point("R", &r.to_bytes());
    challenge(transcript, "x")
}

/// What an argument shows: the polynomial committed to has value `y` at `z`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) commitment: Affine,
    pub(crate) z: Scalar,
    pub(crate) y: Scalar,
    /// A(z): what [`inverse_distances`] gave.
    pub(crate) az: Scalar,
}

/// The last equation of an argument, times a weight ρ, all of whose scalars but those of the
/// generators are here:
///
/// ρ·C + Σ ρx·L + ρx⁻¹·R + q·Q + Σ gᵢ·Gᵢ = 0
///
/// with gᵢ = −ρa·sᵢ and q = ρw·(y − a·⟨b, s⟩). The argument holds if and only if it holds for
/// a weight that is not zero.
#[derive(Debug)]
pub(crate) struct Equation {
    /// ρ, the scalar of C.
    pub(crate) weight: Scalar,
    /// The scalar of Q.
    pub(crate) q: Scalar,
    l: [Scalar; ROUNDS],
    r: [Scalar; ROUNDS],
}

impl Equation {
    /// Appends the statement and the proof, and computes the equation. `weigh` gives ρ from the
    /// last challenge, a digest of all before it, and a. `scratch.lagrange` holds the inverse
    /// distances 1/(z − i), and `scratch.generators` gets gᵢ.
    pub(crate) fn new(
        transcript: &mut Transcript,
        claim: &Claim,
        proof: &IpaProof,
        weigh: impl FnOnce(&Scalar, &Scalar) -> Scalar,
        scratch: &mut Scratch<'_>,
    ) -> Result<Self, Error> {
        let w = start(transcript, &claim.commitment.to_bytes(), &claim.z, &claim.y)?;
        let mut l = [Scalar::ZERO; ROUNDS];
        for ((x, l), r) in l.iter_mut().zip(&proof.l).zip(&proof.r) {
            *x = round(transcript, l, r)?;
        }
        let mut r = l;
        batch::invert(&mut r);
        let weight = weigh(&l[ROUNDS - 1], &proof.a);

        folding_coefficients(&-(weight * proof.a), &r, scratch.generators);
        let folded =
            evaluate_from_distances(&claim.z, &claim.az, scratch.lagrange, scratch.generators);
        l.iter_mut().chain(&mut r).for_each(|x| *x *= weight);
        Ok(Self {
            weight,
            q: w * (weight * claim.y + folded),
            l,
            r,
        })
    }

    /// Writes the terms of L and R, and `last`, for a sum.
    pub(crate) fn write_terms(
        &self,
        proof: &IpaProof,
        last: (Affine, Scalar),
        points: &mut [Precomputed; PROOF_POINTS],
        scalars: &mut [[u8; 32]; PROOF_POINTS],
    ) {
        let terms = (proof.l.iter().zip(&self.l)).chain(proof.r.iter().zip(&self.r));
        let terms = terms.chain([(&last.0, &last.1)]);
        for ((slot, canonical), (point, scalar)) in
            points.iter_mut().zip(scalars.iter_mut()).zip(terms)
        {
            *slot = Precomputed::from(*point);
            *canonical = scalar.to_le_bytes();
        }
    }
}

/// Verifies that the polynomial committed to in `commitment` has value `y` at `z`.
///
/// Complexity: 256 fixed-base and 17 variable-base scalar multiplications, as sums.
///
/// # Errors
/// [`Error::NotProven`] if it does not hold; [`Error::Msm`] for too little scratch.
pub fn verify(
    committer: &Committer<'_>,
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
        az: inverse_distances(z, scratch.lagrange),
    };
    verify_with_distances(&Serial, committer, transcript, &claim, proof, scratch)
}

/// As [`verify`], where `scratch.lagrange` holds the inverse distances 1/(z − i) already.
pub(crate) fn verify_with_distances(
    exec: &impl Executor,
    committer: &Committer<'_>,
    transcript: &mut Transcript,
    claim: &Claim,
    proof: &IpaProof,
    scratch: &mut Scratch<'_>,
) -> Result<(), Error> {
    let equation = Equation::new(transcript, claim, proof, |_, _| Scalar::ONE, scratch)?;
    let (points, scalars) = (&mut *scratch.proof_points, &mut *scratch.proof_scalars);
    equation.write_terms(proof, (Q, equation.q), points, scalars);
    let variable = |buckets: &mut [Element]| msm_vartime(&points[..], &scalars[..], buckets);
    let (generators, buckets) = (&scratch.generators[..], &mut *scratch.buckets);
    let shares = cfg!(feature = "alloc") && exec.parallelism() > 1 && committer.has_table();
    let (fixed, variable) = match shares {
        #[cfg(feature = "alloc")]
        true => committer.commit_with(exec, generators, || variable(buckets)),
        _ => (
            committer.commit_with_scratch(
                generators,
                scratch.canonical,
                buckets,
                scratch.table_buckets,
            ),
            variable(buckets),
        ),
    };
    if fixed? + variable? + Element::from(claim.commitment) == Element::IDENTITY {
        Ok(())
    } else {
        Err(Error::NotProven)
    }
}

/// start·Π xₖ⁻¹ over the bits set in i, k = 0 for the most significant of eight: the folded
/// basis is Σ of the generators with these.
fn folding_coefficients(start: &Scalar, x_inverse: &[Scalar; ROUNDS], s: &mut Vector) {
    s[0] = *start;
    for (bit, x_inverse) in x_inverse.iter().rev().enumerate() {
        let (done, next) = s.split_at_mut(1 << bit);
        for (slot, value) in next.iter_mut().zip(done) {
            *slot = *value * *x_inverse;
        }
    }
}

#[cfg(feature = "alloc")]
pub use prover::prove;

#[cfg(feature = "alloc")]
mod prover;

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::verkle::multiproof::{self, ProverQuery, VerifierQuery};
    use crate::verkle::{MultiProof, ScratchBuffer};

    /// A transcript whose challenges from the `place`-th on are `value`.
    fn forced(place: usize, value: u64) -> Transcript {
        let mut transcript = Transcript::new("vt");
        transcript.forced = Some((place, Scalar::from_u64(value)));
        transcript
    }

    #[test]
    fn f09_a_zero_challenge_is_an_error_on_both_sides() {
        let committer = Committer::without_table();
        let vector: alloc::boxed::Box<Vector> =
            alloc::boxed::Box::new(core::array::from_fn(|i| Scalar::from_u64(i as u64 * 3 + 1)));
        let commitment = committer.commit(&vector[..]).unwrap();
        let mut buffer = ScratchBuffer::new(1);
        let z = Scalar::from_u64(1000);
        let make = |transcript: &mut Transcript| {
            prove(&Serial, &committer, transcript, &commitment, &vector, &z)
        };
        let (proof, y) = make(&mut Transcript::new("vt")).unwrap();
        // w, then x of each round.
        for place in 0..=ROUNDS {
            let transcript = forced(place, 0);
            assert_eq!(make(&mut transcript.clone()), Err(Error::Challenge));
            let verdict = verify(
                &committer,
                &mut transcript.clone(),
                &commitment,
                &z,
                &y,
                &proof,
                &mut buffer.scratch(),
            );
            assert_eq!(verdict, Err(Error::Challenge));
        }

        let query = ProverQuery {
            commitment: &commitment,
            polynomial: &vector,
            point: 5,
        };
        let claim = VerifierQuery {
            commitment: &commitment,
            point: 5,
            value: query.value(),
        };
        let zeros = MultiProof::from_bytes(&[0; 576]).unwrap();
        // r, t (which must lie outside of the domain as well), w, x.
        for (place, value) in (0..3 + ROUNDS).map(|p| (p, 0)).chain([(1, 5), (1, 255)]) {
            let made = multiproof::prove(&committer, &mut forced(place, value), &[query]);
            assert_eq!(made, Err(Error::Challenge), "{place}");
            let verdict = multiproof::verify(
                &committer,
                &mut forced(place, value),
                &[claim],
                &zeros,
                &mut buffer.scratch(),
            );
            assert_eq!(verdict, Err(Error::Challenge), "{place}");
        }
    }
}
