//! The weights of the openings in the verifier's sums.

use super::{MultiProof, evaluation_point};
use crate::curve::Group;
use crate::exec::{Executor, worth_a_piece};
use crate::field::LazySum;
use crate::verkle::ipa::{self, Claim};
use crate::verkle::polynomial::inverse_distances;
use crate::verkle::{Affine, Committer, Element, Error, Scalar, Scratch, Transcript, Vector};

/// Pieces that weights are computed in, at most.
const PIECES: usize = 32;

/// The verifier between t and the last check: it hands out weights rⁱ/(t − zᵢ) and adds up g₂.
pub(crate) struct Weights {
    r: Scalar,
    power: Scalar,
    t: Scalar,
    az: Scalar,
    value: LazySum<crate::field::bandersnatch_scalar::FrParams, 4>,
}

impl Weights {
    /// Appends D, draws t, and puts 1/(t − i) into `distances`.
    pub(crate) fn new(
        transcript: &mut Transcript,
        d: &Affine,
        r: Scalar,
        distances: &mut Vector,
    ) -> Result<Self, Error> {
        let t = evaluation_point(transcript, d, &r)?;
        let az = inverse_distances(&t, distances);
        Ok(Self {
            r,
            power: Scalar::ONE,
            t,
            az,
            value: LazySum::ZERO,
        })
    }

    /// The weight of the next opening.
    pub(crate) fn next(&mut self, point: u8, value: &Scalar, distances: &Vector) -> Scalar {
        let weight = self.power * distances[usize::from(point)];
        self.value.add_product(&weight, value);
        self.power *= self.r;
        weight
    }

    /// The weights of all openings that are left, into `weights`; `opening(i)` gives zᵢ and yᵢ.
    ///
    /// # Errors
    /// An opening that is none.
    pub(crate) fn fill(
        &mut self,
        exec: &impl Executor,
        opening: impl Fn(usize) -> Option<(u8, Scalar)> + Sync,
        weights: &mut [Scalar],
        distances: &Vector,
    ) -> Result<(), Error> {
        /// A part of the weights, and Σ weights·values over it.
        struct Piece<'a> {
            first: usize,
            weights: &'a mut [Scalar],
            value: Result<Scalar, Error>,
        }
        let count = weights.len();
        let chunk = (exec.chunk_len(count, worth_a_piece(50))).max(count.div_ceil(PIECES));
        let mut parts = weights.chunks_mut(chunk);
        let mut pieces: [Piece<'_>; PIECES] = core::array::from_fn(|k| Piece {
            first: k * chunk,
            weights: parts.next().unwrap_or_default(),
            value: Ok(Scalar::ZERO),
        });
        let Self {
            power: start,
            r,
            t,
            az,
            ..
        } = *self;
        let used = count.div_ceil(chunk).min(PIECES);
        exec.for_each_chunk(&mut pieces[..used], 1, |_, pieces| {
            for piece in pieces {
                let mut part = Self {
                    r,
                    power: start * r.pow(&[piece.first as u64]),
                    t,
                    az,
                    value: LazySum::ZERO,
                };
                let mut openings = (piece.first..).zip(piece.weights.iter_mut());
                piece.value = openings
                    .try_for_each(|(index, slot)| {
                        let (z, y) = opening(index).ok_or(Error::Value { index })?;
                        *slot = part.next(z, &y, distances);
                        Ok(())
                    })
                    .map(|()| part.value.reduce());
            }
        });
        for piece in &pieces[..used] {
            self.value.add_product(&piece.value?, &Scalar::ONE);
        }
        self.power = start * r.pow(&[count as u64]);
        Ok(())
    }

    /// Appends E = Σ weights·C; what is left to show is that E − D has value g₂ at t. The two
    /// share an inversion.
    pub(crate) fn claim(&self, transcript: &mut Transcript, e: &Element, d: &Affine) -> Claim {
        let mut affine = [Affine::IDENTITY; 2];
        Element::batch_normalize(&[*e, *e - Element::from(*d)], &mut affine);
        let [e, commitment] = affine;
        transcript.append_point("E", &e.to_bytes());
        Claim {
            commitment,
            z: self.t,
            y: self.value.reduce(),
            az: self.az,
        }
    }

    /// Appends E and verifies the argument for E − D. `scratch.lagrange` still holds the
    /// distances.
    pub(crate) fn finish(
        &self,
        exec: &impl Executor,
        committer: &Committer<'_>,
        transcript: &mut Transcript,
        e: &Element,
        proof: &MultiProof,
        scratch: &mut Scratch<'_>,
    ) -> Result<(), Error> {
        let claim = self.claim(transcript, e, &proof.d);
        ipa::verify_with_distances(exec, committer, transcript, &claim, &proof.ipa, scratch)
    }
}
