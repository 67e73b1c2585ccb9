//! A witness that owns its parts: for what makes witnesses, and for forms that cannot be read in place.

use alloc::vec::Vec;

use super::error::{FormError, FormRule};
use super::ssz::{
    IPA_SIZE, MAX_COMMITMENTS, MAX_STEMS, MAX_SUFFIXES, OFFSET, PROOF_HEAD, SOME, STEM_HEAD,
    SUFFIX_HEAD, WITNESS_HEAD, Witness, join_multiproof,
};
use super::{Stem, Value};

/// A witness as plain data, unchecked. [`to_ssz`](Self::to_ssz) gives the form that is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedWitness {
    /// The stems and their keys.
    pub state_diff: Vec<OwnedStemDiff>,
    /// Stems that are in the way of absent ones.
    pub other_stems: Vec<Stem>,
    /// `depth << 3 | status`, one for each stem.
    pub depth_extension_present: Vec<u8>,
    /// The commitments of all nodes but the root, encoded, in path order.
    pub commitments_by_path: Vec<[u8; 32]>,
    /// The multiproof and its inner-product proof.
    pub proof: OwnedProof,
}

/// The multiproof of a witness, its points encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnedProof {
    /// The commitment D.
    pub d: [u8; 32],
    /// The left points of the eight rounds.
    pub cl: [[u8; 32]; 8],
    /// The right points of the eight rounds.
    pub cr: [[u8; 32]; 8],
    /// The last scalar, **big-endian**.
    pub final_evaluation: [u8; 32],
}

/// One stem with what is said of its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedStemDiff {
    /// First 31 bytes of the keys.
    pub stem: Stem,
    /// Its keys.
    pub suffix_diffs: Vec<OwnedSuffixDiff>,
}

/// What is said of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnedSuffixDiff {
    /// Last byte of the key.
    pub suffix: u8,
    /// The value before the block; `None`: absent.
    pub current_value: Option<Value>,
    /// The value after the block; `None`: not written.
    pub new_value: Option<Value>,
}

impl OwnedWitness {
    /// The SSZ form, which [`Witness::from_ssz`] reads.
    ///
    /// # Errors
    /// [`FormRule::TooMany`] if a list is over the format's limit; the offset tells where its bytes would start.
    pub fn to_ssz(&self) -> Result<Vec<u8>, FormError> {
        let too_many = |offset| FormError {
            offset,
            rule: FormRule::TooMany,
        };
        let limits = [
            (self.state_diff.len(), MAX_STEMS),
            (self.other_stems.len(), MAX_STEMS),
            (self.depth_extension_present.len(), MAX_STEMS),
            (self.commitments_by_path.len(), MAX_COMMITMENTS),
        ];
        if limits.iter().any(|(len, limit)| len > limit) {
            return Err(too_many(0));
        }
        let mut out = Vec::with_capacity(self.ssz_size());
        push_offset(&mut out, WITNESS_HEAD);
        push_offset(&mut out, 0);
        let mut end = self.state_diff.len() * OFFSET;
        for diff in &self.state_diff {
            push_offset(&mut out, end);
            end += diff.ssz_size();
        }
        for diff in &self.state_diff {
            if diff.suffix_diffs.len() > MAX_SUFFIXES {
                return Err(too_many(out.len()));
            }
            diff.push(&mut out);
        }
        let proof_at = offset_bytes(out.len());
        out[OFFSET..2 * OFFSET].copy_from_slice(&proof_at);
        self.push_proof(&mut out);
        Ok(out)
    }

    fn push_proof(&self, out: &mut Vec<u8>) {
        let depths_at = PROOF_HEAD + 31 * self.other_stems.len();
        push_offset(out, PROOF_HEAD);
        push_offset(out, depths_at);
        push_offset(out, depths_at + self.depth_extension_present.len());
        out.extend_from_slice(&self.proof.d);
        out.extend_from_slice(self.proof.cl.as_flattened());
        out.extend_from_slice(self.proof.cr.as_flattened());
        out.extend_from_slice(&self.proof.final_evaluation);
        out.extend_from_slice(self.other_stems.as_flattened());
        out.extend_from_slice(&self.depth_extension_present);
        out.extend_from_slice(self.commitments_by_path.as_flattened());
    }

    /// Bytes of the SSZ form. Within the limits it is under 1.3 GiB, so offsets of 32 bits do.
    #[must_use]
    pub fn ssz_size(&self) -> usize {
        let diffs = self.state_diff.iter().map(|diff| OFFSET + diff.ssz_size());
        WITNESS_HEAD
            + diffs.sum::<usize>()
            + PROOF_HEAD
            + 31 * self.other_stems.len()
            + self.depth_extension_present.len()
            + 32 * self.commitments_by_path.len()
    }
}

impl OwnedStemDiff {
    fn ssz_size(&self) -> usize {
        let sizes = self
            .suffix_diffs
            .iter()
            .map(|diff| OFFSET + diff.ssz_size());
        STEM_HEAD + sizes.sum::<usize>()
    }

    fn push(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.stem);
        push_offset(out, STEM_HEAD);
        let mut end = self.suffix_diffs.len() * OFFSET;
        for diff in &self.suffix_diffs {
            push_offset(out, end);
            end += diff.ssz_size();
        }
        for diff in &self.suffix_diffs {
            out.push(diff.suffix);
            push_offset(out, SUFFIX_HEAD);
            push_offset(out, SUFFIX_HEAD + diff.current_value.map_or(0, |_| SOME));
            for value in [&diff.current_value, &diff.new_value].into_iter().flatten() {
                out.push(1);
                out.extend_from_slice(value);
            }
        }
    }
}

impl OwnedSuffixDiff {
    fn ssz_size(&self) -> usize {
        let values = [&self.current_value, &self.new_value];
        SUFFIX_HEAD + SOME * values.into_iter().flatten().count()
    }
}

impl OwnedProof {
    /// From the 576 bytes of a multiproof: D, the left points, the right points, the scalar little-endian.
    #[must_use]
    pub fn from_multiproof(bytes: &[u8; 32 + IPA_SIZE]) -> Self {
        let points = bytes.as_chunks::<32>().0;
        let mut proof = Self {
            d: [0; 32],
            cl: [[0; 32]; 8],
            cr: [[0; 32]; 8],
            final_evaluation: [0; 32],
        };
        let targets = core::iter::once(&mut proof.d)
            .chain(&mut proof.cl)
            .chain(&mut proof.cr)
            .chain(core::iter::once(&mut proof.final_evaluation));
        for (target, point) in targets.zip(points) {
            *target = *point;
        }
        proof.final_evaluation.reverse();
        proof
    }

    /// The 576 bytes of a multiproof.
    #[must_use]
    pub fn to_multiproof(&self) -> [u8; 32 + IPA_SIZE] {
        join_multiproof(&self.d, &self.cl, &self.cr, &self.final_evaluation)
    }
}

impl From<&Witness<'_>> for OwnedWitness {
    fn from(witness: &Witness<'_>) -> Self {
        let stem = |diff: super::StemDiff<'_>| OwnedStemDiff {
            stem: *diff.stem(),
            suffix_diffs: diff
                .suffix_diffs()
                .map(|key| OwnedSuffixDiff {
                    suffix: key.suffix,
                    current_value: key.current_value.copied(),
                    new_value: key.new_value.copied(),
                })
                .collect(),
        };
        Self {
            state_diff: witness.stem_diffs().map(stem).collect(),
            other_stems: witness.other_stems().to_vec(),
            depth_extension_present: witness.depth_bytes().to_vec(),
            commitments_by_path: witness.commitments().to_vec(),
            proof: OwnedProof {
                d: *witness.d(),
                cl: *witness.cl(),
                cr: *witness.cr(),
                final_evaluation: *witness.final_evaluation(),
            },
        }
    }
}

/// Offsets fit 32 bits: see `ssz_size`.
#[allow(clippy::cast_possible_truncation)]
const fn offset_bytes(value: usize) -> [u8; OFFSET] {
    (value as u32).to_le_bytes()
}

fn push_offset(out: &mut Vec<u8>, value: usize) {
    out.extend_from_slice(&offset_bytes(value));
}
