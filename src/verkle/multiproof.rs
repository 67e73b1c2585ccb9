//! One proof for many openings (D. Feist's multiproof): opening i says that the polynomial
//! committed to in Cᵢ has value yᵢ at zᵢ, a point of the domain 0..=255.
//!
//! All openings go into the transcript; r combines them. The prover commits to
//! g = Σ rⁱ·(fᵢ − yᵢ)/(X − zᵢ) in D; t is drawn; with h = Σ rⁱ·fᵢ/(t − zᵢ), E = commit(h), it
//! shows by an inner-product argument that h − g, committed to in E − D, has at t the value
//! g₂ = Σ rⁱ·yᵢ/(t − zᵢ). The verifier computes E and g₂ itself.

use super::polynomial::domain_index;
use super::{
    Affine, Committer, Compressed, Element, Error, IpaProof, Precomputed, ProofPart, Scalar,
    Scratch, Transcript,
    ipa::{self, Claim},
};
use crate::curve::Group;
use crate::curve::banderwagon::decode_with;
use crate::exec::{Executor, Serial, worth_a_piece};
use crate::msm;

/// A proof of many openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiProof {
    /// The commitment to the quotient g.
    pub d: Affine,
    /// The inner-product argument for E − D at t.
    pub ipa: IpaProof,
}

impl MultiProof {
    /// Bytes of the encoding: D, L₀…L₇, R₀…R₇ compressed, a little-endian.
    pub const BYTES: usize = 32 + IpaProof::BYTES;
    /// Bytes of rust-verkle's uncompressed encoding: 64 bytes a point, little-endian.
    pub const UNCOMPRESSED_BYTES: usize = 64 + IpaProof::UNCOMPRESSED_BYTES;

    /// Decodes a proof, with every check on its points and its scalar.
    ///
    /// # Errors
    /// [`Error::ProofLength`], [`Error::ProofPoint`], [`Error::ProofScalar`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        decode::<32>(bytes, Self::BYTES, Affine::from_bytes)
    }

    /// Decodes rust-verkle's uncompressed encoding, with every check (the peer makes none).
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_uncompressed_bytes(bytes: &[u8]) -> Result<Self, Error> {
        decode::<64>(
            bytes,
            Self::UNCOMPRESSED_BYTES,
            Affine::from_uncompressed_le_bytes,
        )
    }

    /// The encoding.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut out = [0; Self::BYTES];
        let (d, rest) = out.split_at_mut(32);
        d.copy_from_slice(&self.d.to_bytes());
        self.ipa.write(rest, Affine::to_bytes);
        out
    }

    /// rust-verkle's uncompressed encoding, each point by its canonical representative.
    pub fn to_uncompressed_bytes(&self) -> [u8; Self::UNCOMPRESSED_BYTES] {
        let mut out = [0; Self::UNCOMPRESSED_BYTES];
        let (d, rest) = out.split_at_mut(64);
        d.copy_from_slice(&self.d.to_uncompressed_le_bytes());
        self.ipa.write(rest, Affine::to_uncompressed_le_bytes);
        out
    }
}

/// Decodes D of `SIZE` bytes, then the argument.
fn decode<const SIZE: usize>(
    bytes: &[u8],
    expected: usize,
    point: impl Fn(&[u8]) -> Result<Affine, super::DecodeError>,
) -> Result<MultiProof, Error> {
    let wrong = Error::ProofLength {
        expected,
        actual: bytes.len(),
    };
    if bytes.len() != expected {
        return Err(wrong);
    }
    let (d, rest) = bytes.split_at_checked(SIZE).ok_or(wrong)?;
    let ipa = ipa::decode::<SIZE>(rest, &point)?;
    let d = point(d).map_err(|error| Error::ProofPoint {
        part: ProofPart::D,
        error,
    })?;
    Ok(MultiProof { d, ipa })
}

/// An opening that a verifier is told: the polynomial committed to has `value` at `point`.
#[derive(Clone, Copy, Debug)]
pub struct VerifierQuery<'a> {
    /// The commitment.
    pub commitment: &'a Element,
    /// The point of the domain.
    pub point: u8,
    /// The claimed value.
    pub value: Scalar,
}

/// An opening as it travels: a compressed commitment, and a value of 32 little-endian bytes.
#[derive(Clone, Copy, Debug)]
pub struct EncodedQuery<'a> {
    /// The compressed commitment.
    pub commitment: &'a Compressed,
    /// The point of the domain.
    pub point: u8,
    /// The claimed value, canonical little-endian.
    pub value: &'a [u8; 32],
}

/// The transcript of the openings, before r is drawn: for the verifiers, and the prover.
pub(crate) struct Statement<'t>(&'t mut Transcript);

impl<'t> Statement<'t> {
    pub(crate) fn new(transcript: &'t mut Transcript) -> Self {
        transcript.domain_sep("multiproof");
        Self(transcript)
    }

    /// Appends an opening.
    pub(crate) fn append(&mut self, commitment: &Compressed, point: u8, value: &Scalar) {
        self.append_bytes(commitment, point, &value.to_le_bytes());
    }

    /// Appends an opening whose value is encoded already: C, z and y, each with its label.
    pub(crate) fn append_bytes(&mut self, commitment: &Compressed, point: u8, value: &[u8; 32]) {
        let mut message = [0; 98];
        message[..32].copy_from_slice(commitment);
        message[32] = b'z';
        message[33] = point;
        message[65] = b'y';
        message[66..].copy_from_slice(value);
        self.0.append_message("C", &message);
    }

    /// Draws r.
    pub(crate) fn combine(self) -> (&'t mut Transcript, Scalar) {
        let r = self.0.challenge("r");
        (self.0, r)
    }
}

/// Appends D and draws t, which must lie outside of the domain. Nor may r be zero: it would
/// drop all openings but the first.
fn evaluation_point(transcript: &mut Transcript, d: &Affine, r: &Scalar) -> Result<Scalar, Error> {
    transcript.append_point("D", &d.to_bytes());
    let t = transcript.challenge("t");
    if domain_index(&t).is_some() || *r == Scalar::ZERO {
        Err(Error::Challenge)
    } else {
        Ok(t)
    }
}

/// Verifies that all `queries` hold, in the order in which they were proven.
///
/// Memory: what is lent, see [`Scratch`]. Complexity: one sum over the different
/// commitments, 256 fixed-base and 17 variable-base multiplications.
///
/// # Errors
/// [`Error::NotProven`] if one does not hold; no openings; too little scratch.
pub fn verify(
    committer: &Committer<'_>,
    transcript: &mut Transcript,
    queries: &[VerifierQuery<'_>],
    proof: &MultiProof,
    scratch: &mut Scratch<'_>,
) -> Result<(), Error> {
    verify_with(&Serial, committer, transcript, queries, proof, scratch)
}

/// As [`verify`], where `exec` shares the normalisation and the sum over the commitments.
///
/// # Errors
/// As there.
pub fn verify_with(
    exec: &impl Executor,
    committer: &Committer<'_>,
    transcript: &mut Transcript,
    queries: &[VerifierQuery<'_>],
    proof: &MultiProof,
    scratch: &mut Scratch<'_>,
) -> Result<(), Error> {
    let claim = claim_decoded(exec, transcript, queries, &proof.d, scratch)?;
    ipa::verify_with_distances(exec, committer, transcript, &claim, &proof.ipa, scratch)
}

/// Verifies openings as they travel: decodes the commitments, with every check, and
/// verifies as [`verify`] does.
///
/// # Errors
/// As there, and the first value or commitment that can't be decoded.
pub fn verify_encoded(
    committer: &Committer<'_>,
    transcript: &mut Transcript,
    queries: &[EncodedQuery<'_>],
    proof: &MultiProof,
    scratch: &mut Scratch<'_>,
) -> Result<(), Error> {
    verify_encoded_with(&Serial, committer, transcript, queries, proof, scratch)
}

/// As [`verify_encoded`], where `exec` shares the decoding and the sum.
///
/// # Errors
/// As there.
pub fn verify_encoded_with(
    exec: &impl Executor,
    committer: &Committer<'_>,
    transcript: &mut Transcript,
    queries: &[EncodedQuery<'_>],
    proof: &MultiProof,
    scratch: &mut Scratch<'_>,
) -> Result<(), Error> {
    let claim = claim_encoded(exec, transcript, queries, &proof.d, scratch)?;
    ipa::verify_with_distances(exec, committer, transcript, &claim, &proof.ipa, scratch)
}

/// What is left to show of the openings: a claim about E − D. `scratch.lagrange` then holds the
/// inverse distances from its point.
pub(crate) fn claim_decoded(
    exec: &impl Executor,
    transcript: &mut Transcript,
    queries: &[VerifierQuery<'_>],
    d: &Affine,
    scratch: &mut Scratch<'_>,
) -> Result<Claim, Error> {
    /// Points that are normalised while those before them are hashed.
    const BATCH: usize = 4096;
    let count = queries.len();
    let mut later = room(scratch, count)?;
    let mut before: (&[VerifierQuery<'_>], &[Precomputed]) = (&[], &[]);
    let mut statement = Statement::new(transcript);
    let mut hash = |(queries, points): (&[VerifierQuery<'_>], &[Precomputed])| {
        for (query, point) in queries.iter().zip(points) {
            statement.append(&point.normalized_to_bytes(), query.point, &query.value);
        }
    };
    for queries in queries.chunks(BATCH) {
        let (points, rest) = later.split_at_mut(queries.len().min(later.len()));
        let chunk = exec.chunk_len(points.len(), worth_a_piece(300));
        let piece = |first: usize, slots: &mut [Precomputed]| {
            let commitments = queries.iter().skip(first).map(|query| query.commitment);
            normalize(commitments, slots);
        };
        exec.for_each_chunk_beside(points, chunk, piece, || hash(before));
        before = (queries, points);
        later = rest;
    }
    hash(before);
    let (keys, order) = (&mut scratch.canonical[..count], &mut scratch.order[..count]);
    distinct::sort(|i| scratch.points[i].normalized_bits(), keys, order);
    let opening = |i: usize| queries.get(i).map(|query| (query.point, query.value));
    claim(exec, statement, opening, count, d, scratch)
}

/// As [`claim_decoded`], of openings as they travel.
pub(crate) fn claim_encoded(
    exec: &impl Executor,
    transcript: &mut Transcript,
    queries: &[EncodedQuery<'_>],
    d: &Affine,
    scratch: &mut Scratch<'_>,
) -> Result<Claim, Error> {
    let count = queries.len();
    // The values first: they cost nothing.
    let bad = |query: &EncodedQuery<'_>| !Scalar::is_canonical(query.value);
    if let Some(index) = queries.iter().position(bad) {
        return Err(Error::Value { index });
    }
    room(scratch, count)?;
    // What is hashed and sorted is known before it is decoded. The caller's transcript stays as
    // it was where something can't be.
    let mut copy = transcript.clone();
    let mut statement = Statement::new(&mut copy);
    let commitment = |i: usize| queries.get(i).map(|query| query.commitment);
    let (points, order) = (&mut scratch.points[..count], &mut scratch.order[..count]);
    // The sort leaves the order; its keys are of no use afterwards.
    let beside = |keys: &mut [[u8; 32]]| {
        for query in queries {
            statement.append_bytes(query.commitment, query.point, query.value);
        }
        distinct::sort(|i| *queries[i].commitment, &mut keys[..count], order);
    };
    decode_with(exec, commitment, points, scratch.canonical, beside)
        .map_err(|(index, error)| Error::Commitment { index, error })?;
    let opening = |i: usize| {
        let query = queries.get(i)?;
        Some((query.point, Scalar::from_le_bytes(query.value)?))
    };
    let claim = claim(exec, statement, opening, count, d, scratch);
    *transcript = copy;
    claim
}

/// The scratch's points for `count` openings.
fn room<'s>(scratch: &'s mut Scratch<'_>, count: usize) -> Result<&'s mut [Precomputed], Error> {
    let given = scratch.capacity();
    if count == 0 {
        return Err(Error::NoOpenings);
    }
    if u32::try_from(count).is_err() {
        return Err(Error::TooManyOpenings);
    }
    scratch
        .points
        .get_mut(..count)
        .ok_or(Error::Scratch {
            needed: count,
            given,
        })
        .and_then(|points| {
            if count > given {
                Err(Error::Scratch {
                    needed: count,
                    given,
                })
            } else {
                Ok(points)
            }
        })
}

/// How many points are normalised or decoded together: 1 KiB to 2 KiB of stack.
const BLOCK: usize = 16;

/// Normalises elements to the representative that encodings have, so that equal elements get
/// equal coordinates.
fn normalize<'e>(mut elements: impl Iterator<Item = &'e Element>, out: &mut [Precomputed]) {
    let mut block = [Element::IDENTITY; BLOCK];
    let mut affine = [Affine::IDENTITY; BLOCK];
    for slots in out.chunks_mut(BLOCK) {
        for (slot, element) in block.iter_mut().zip(elements.by_ref().take(slots.len())) {
            *slot = *element;
        }
        Element::batch_normalize(&block[..slots.len()], &mut affine);
        for (slot, point) in slots.iter_mut().zip(&affine) {
            *slot = Precomputed::from(point.normalized());
        }
    }
}

/// The claim from the hashed statement on: `scratch.points[..count]` hold the commitments,
/// normalised, `scratch.order[..count]` their order, and `opening(i)` gives zᵢ and yᵢ.
fn claim(
    exec: &impl Executor,
    statement: Statement<'_>,
    opening: impl Fn(usize) -> Option<(u8, Scalar)> + Sync,
    count: usize,
    d: &Affine,
    scratch: &mut Scratch<'_>,
) -> Result<Claim, Error> {
    let (transcript, r) = statement.combine();
    let mut weights = Weights::new(transcript, d, r, scratch.lagrange)?;
    weights.fill(
        exec,
        opening,
        &mut scratch.weights[..count],
        scratch.lagrange,
    )?;
    let distinct = distinct::merge(exec, count, scratch);
    let (points, scalars) = (
        &mut scratch.points[..distinct],
        &scratch.canonical[..distinct],
    );
    let e = sum_in_place(exec, points, scalars, scratch.buckets)?;
    Ok(weights.claim(transcript, &e, d))
}

/// Σ weights·points over the first `count`; the points are kept.
pub(crate) fn sum(
    exec: &impl Executor,
    count: usize,
    scratch: &mut Scratch<'_>,
) -> Result<Element, Error> {
    let (points, scalars) = (&scratch.points[..count], &scratch.canonical[..count]);
    #[cfg(feature = "alloc")]
    if exec.parallelism() > 1 && points.len() >= PARALLEL_SUM {
        return Ok(msm::msm_canonical_with(exec, points, scalars)?);
    }
    #[cfg(not(feature = "alloc"))]
    let _ = exec;
    Ok(msm::msm_vartime(points, scalars, scratch.buckets)?)
}

/// Points from which on threads are worth their making for a sum.
#[cfg(feature = "alloc")]
const PARALLEL_SUM: usize = 64;

/// Σ scalars·points, by `exec` if they are many, or with the lent buckets. The points may be
/// worthless afterwards.
pub(crate) fn sum_in_place(
    exec: &impl Executor,
    points: &mut [Precomputed],
    scalars: &[[u8; 32]],
    buckets: &mut [Element],
) -> Result<Element, Error> {
    #[cfg(feature = "alloc")]
    if exec.parallelism() > 1 && points.len() >= PARALLEL_SUM {
        return Ok(msm::msm_canonical_with(exec, &*points, scalars)?);
    }
    #[cfg(not(feature = "alloc"))]
    let _ = exec;
    Ok(msm::msm_in_place_vartime(points, scalars, buckets)?)
}

mod distinct;
mod weights;

pub(crate) use weights::Weights;

#[cfg(feature = "alloc")]
pub use prover::{ProverQuery, prove, prove_with};

#[cfg(feature = "alloc")]
mod prover;

#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests {
    use super::*;
    use crate::verkle::{ScratchBuffer, Vector, WIDTH};
    use alloc::vec::Vec;

    /// Some distinct dense polynomials with their commitments.
    fn statement(
        committer: &Committer<'_>,
        count: usize,
    ) -> Vec<(Element, alloc::boxed::Box<Vector>)> {
        (0..count)
            .map(|k| {
                let f: alloc::boxed::Box<Vector> =
                    alloc::boxed::Box::new(core::array::from_fn(|i| {
                        let mut x = Scalar::from_u64((k * WIDTH + i) as u64 + 1);
                        for _ in 0..9 {
                            x = x * x + Scalar::ONE;
                        }
                        x
                    }));
                (committer.commit(&f[..]).unwrap(), f)
            })
            .collect()
    }

    #[test]
    fn proofs_verify_and_false_values_do_not() {
        let committer = Committer::new();
        let plain = Committer::without_table();
        let polynomials = statement(&committer, 5);
        // Repeated commitments and points, points 0 and 255.
        let openings = [(0, 0u8), (1, 255), (2, 7), (0, 7), (0, 0), (4, 7), (3, 255)];
        let queries: Vec<ProverQuery<'_>> = openings
            .iter()
            .map(|(k, z)| ProverQuery {
                commitment: &polynomials[*k].0,
                polynomial: &polynomials[*k].1,
                point: *z,
            })
            .collect();
        let proof = prove(&committer, &mut Transcript::new("vt"), &queries).unwrap();
        assert_eq!(
            MultiProof::from_bytes(&proof.to_bytes()).as_ref(),
            Ok(&proof)
        );
        assert_eq!(
            MultiProof::from_uncompressed_bytes(&proof.to_uncompressed_bytes()).as_ref(),
            Ok(&proof)
        );
        let claims: Vec<VerifierQuery<'_>> = queries.iter().map(ProverQuery::claim).collect();
        let mut buffer = ScratchBuffer::new(claims.len());
        for committer in [&committer, &plain] {
            let verdict = |claims: &[VerifierQuery<'_>], label, buffer: &mut ScratchBuffer| {
                verify(
                    committer,
                    &mut Transcript::new(label),
                    claims,
                    &proof,
                    &mut buffer.scratch(),
                )
            };
            assert_eq!(verdict(&claims, "vt", &mut buffer), Ok(()));
            assert_eq!(verdict(&claims, "vu", &mut buffer), Err(Error::NotProven));
            assert_eq!(
                verdict(&claims[1..], "vt", &mut buffer),
                Err(Error::NotProven)
            );
            assert_eq!(verdict(&[], "vt", &mut buffer), Err(Error::NoOpenings));
            for i in 0..claims.len() {
                let mut false_claims = claims.clone();
                false_claims[i].value += Scalar::ONE;
                assert_eq!(
                    verdict(&false_claims, "vt", &mut buffer),
                    Err(Error::NotProven)
                );
            }
        }
        let mut small = ScratchBuffer::new(6);
        assert_eq!(
            verify(
                &plain,
                &mut Transcript::new("vt"),
                &claims,
                &proof,
                &mut small.scratch()
            ),
            Err(Error::Scratch {
                needed: 7,
                given: 6
            })
        );
    }
}
