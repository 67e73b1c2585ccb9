//! The inner-product argument (Bootle et al. 2016; Bünz et al. 2018, in the form of Halo):
//! the polynomial committed to in C has value y at z, in 8 rounds, 544 bytes.
//!
//! With b = (Lᵢ(z)) the claim is ⟨a, b⟩ = y for the committed vector a. A round sends
//! L = ⟨a_R, G_L⟩ + ⟨a_R, b_L⟩·Q′ and R = ⟨a_L, G_R⟩ + ⟨a_L, b_R⟩·Q′, draws x, and halves
//! a ← a_L + x·a_R, b ← b_L + x⁻¹·b_R, G ← G_L + x⁻¹·G_R.

use super::crs::Q;
use super::polynomial::{inner_product, inverse_distances, lagrange_from_distances};
use super::{
    Affine, Committer, Compressed, Element, Error, Precomputed, ProofPart, ROUNDS, Scalar, Scratch,
    Transcript, Vector,
};
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
    inverse_distances(z, scratch.lagrange);
    verify_with_distances(committer, transcript, commitment, z, y, proof, scratch)
}

/// As [`verify`], where `scratch.lagrange` holds the inverse distances 1/(z − i) already.
pub(crate) fn verify_with_distances(
    committer: &Committer<'_>,
    transcript: &mut Transcript,
    commitment: &Element,
    z: &Scalar,
    y: &Scalar,
    proof: &IpaProof,
    scratch: &mut Scratch<'_>,
) -> Result<(), Error> {
    let w = start(transcript, &commitment.to_bytes(), z, y)?;
    let mut x = [Scalar::ZERO; ROUNDS];
    for ((x, l), r) in x.iter_mut().zip(&proof.l).zip(&proof.r) {
        *x = round(transcript, l, r)?;
    }
    let mut x_inverse = x;
    batch::invert(&mut x_inverse);

    // b = (Lᵢ(z)), s = the coefficients of the folded basis; both fold to ⟨b, s⟩ and Σ sᵢ·Gᵢ.
    lagrange_from_distances(z, scratch.lagrange);
    folding_coefficients(&x_inverse, scratch.generators);
    let b = inner_product(scratch.lagrange, scratch.generators);

    // C + w·y·Q + Σ x·L + x⁻¹·R = a·Σ sᵢ·Gᵢ + w·a·⟨b, s⟩·Q, as one sum that must vanish.
    let minus_a = -proof.a;
    scratch.generators.iter_mut().for_each(|s| *s *= minus_a);
    let fixed =
        committer.commit_with_scratch(scratch.generators, scratch.canonical, scratch.buckets)?;
    let scalars = x
        .iter()
        .chain(&x_inverse)
        .copied()
        .chain([w * (*y - proof.a * b)]);
    let points = proof.l.iter().chain(&proof.r).copied().chain([Q]);
    for (((point, canonical), p), s) in scratch
        .proof_points
        .iter_mut()
        .zip(scratch.proof_scalars.iter_mut())
        .zip(points)
        .zip(scalars)
    {
        *point = Precomputed::from(p);
        *canonical = s.to_le_bytes();
    }
    let variable = msm_vartime(
        &scratch.proof_points[..],
        &scratch.proof_scalars[..],
        scratch.buckets,
    )?;
    if *commitment + variable + fixed == Element::IDENTITY {
        Ok(())
    } else {
        Err(Error::NotProven)
    }
}

/// sᵢ = Π xₖ⁻¹ over the bits set in i, k = 0 for the most significant of eight.
fn folding_coefficients(x_inverse: &[Scalar; ROUNDS], s: &mut Vector) {
    s[0] = Scalar::ONE;
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
mod prover {
    use super::*;
    use crate::curve::Group;
    use crate::exec::Executor;
    use crate::field::Field;
    use crate::verkle::WIDTH;
    use crate::verkle::polynomial::lagrange_coefficients;
    use crate::verkle::scratch::zero_vector;
    use alloc::vec::Vec;

    /// Proves the value at `z` of the polynomial `vector`, whose commitment is `commitment`
    /// (that it is, is not checked: a proof for another commitment does not verify). Gives
    /// the proof and the value.
    ///
    /// The basis is never folded: a round's L and R are sums over the 256 generators, with
    /// the folding put into the scalars, so that the committer's table serves them.
    ///
    /// Complexity: 8 rounds of 256 fixed-base scalar multiplications, as sums.
    ///
    /// # Errors
    /// [`Error::Challenge`], once in 2^250 proofs.
    pub fn prove(
        exec: &impl Executor,
        committer: &Committer<'_>,
        transcript: &mut Transcript,
        commitment: &Element,
        vector: &Vector,
        z: &Scalar,
    ) -> Result<(IpaProof, Scalar), Error> {
        let mut a: Vec<Scalar> = vector.to_vec();
        let mut b = zero_vector();
        lagrange_coefficients(z, &mut b);
        let mut b: Vec<Scalar> = b.to_vec();
        let y = inner_product(&a, &b);
        let w = start(transcript, &commitment.to_bytes(), z, &y)?;

        let mut proof = IpaProof {
            l: [Affine::IDENTITY; ROUNDS],
            r: [Affine::IDENTITY; ROUNDS],
            a: Scalar::ZERO,
        };
        // Generator (top, low) stands in the folded basis at `low` with coefficient folds[top].
        let mut folds: Vec<Scalar> = alloc::vec![Scalar::ONE];
        for (l, r) in proof.l.iter_mut().zip(&mut proof.r) {
            let half = a.len() / 2;
            let (a_low, a_high) = a.split_at(half);
            let (b_low, b_high) = b.split_at(half);
            let sides = [
                Side {
                    a: a_high,
                    at: 0,
                    inner: inner_product(a_high, b_low) * w,
                },
                Side {
                    a: a_low,
                    at: half,
                    inner: inner_product(a_low, b_high) * w,
                },
            ];
            let mut sums = [Ok(Element::IDENTITY); 2];
            exec.for_each_chunk(&mut sums, 1, |i, slot| {
                slot[0] = sides[i].sum(committer, &folds)
            });
            let sums = [sums[0]?, sums[1]?];
            let mut affine = [Affine::IDENTITY; 2];
            Element::batch_normalize(&sums, &mut affine);
            [*l, *r] = affine;
            let x = round(transcript, l, r)?;
            let x_inverse = x.invert_vartime().ok_or(Error::Challenge)?;
            a = fold(a_low, a_high, &x);
            b = fold(b_low, b_high, &x_inverse);
            folds = folds
                .iter()
                .flat_map(|fold| [*fold, *fold * x_inverse])
                .collect();
        }
        proof.a = a[0];
        Ok((proof, y))
    }

    /// low + x·high.
    fn fold(low: &[Scalar], high: &[Scalar], x: &Scalar) -> Vec<Scalar> {
        low.iter()
            .zip(high)
            .map(|(low, high)| *low + *x * *high)
            .collect()
    }

    /// One of a round's two sums: the half of a, where its half of the folded basis starts,
    /// and the scalar of Q.
    struct Side<'a> {
        a: &'a [Scalar],
        at: usize,
        inner: Scalar,
    }

    impl Side<'_> {
        fn sum(&self, committer: &Committer<'_>, folds: &[Scalar]) -> Result<Element, Error> {
            let half = self.a.len();
            let mut scalars: Vec<Scalar> = alloc::vec![Scalar::ZERO; WIDTH];
            for (block, fold) in scalars.chunks_mut(2 * half).zip(folds) {
                for (slot, a) in block.iter_mut().skip(self.at).zip(self.a) {
                    *slot = *a * *fold;
                }
            }
            Ok(committer.commit(&scalars)? + Element::from(Q).mul_vartime(&self.inner))
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::exec::Serial;
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
