//! Whether a witness's claims hold under a state root: the multiproof over all its openings.

use super::error::WitnessError;
use super::evidence::Evidence;
use super::ssz::{Witness, join_multiproof};
use super::structure::{Checked, Shape};
use super::walk::{Entry, NodeKind, Opening};
use super::{Stem, Value};
use crate::curve::banderwagon::{batch_map_to_scalar, decode_with};
use crate::exec::{Executor, Serial};
use crate::verkle::multiproof::{self, MultiProof, Statement, Weights};
use crate::verkle::{Affine, Committer, Compressed, Precomputed, Scalar, Scratch, Transcript};

/// The protocol's label of the transcript.
pub(crate) const LABEL: &str = "vt";
/// Points mapped together: 1 KiB of stack.
const BLOCK: usize = 16;

/// What to do with absences that the witness claims but does not show.
///
/// The format does not say what a node is. An extension holds 0 from index 4 on, so one that is passed off as an
/// internal node "shows" empty slots where a stem that exists would go on. A stem said to be absent for an empty slot
/// is *shown* absent only if an opening of the same witness tells that the slot's node is an internal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Accept and count them ([`Verified::unshown_absences`]). Many blocks of test networks have some;
    /// the header's post-state root speaks for those that the block writes, and nothing for those it only reads.
    Count,
    /// Refuse them. Right for whoever asks whether single keys exist.
    Strict,
}

/// A witness whose claims hold under the parent's state root, as far as [`unshown_absences`] says.
///
/// [`unshown_absences`]: Self::unshown_absences
#[derive(Clone, Copy, Debug)]
#[must_use = "a witness may hold and yet leave absences unshown: see `unshown_absences`"]
pub struct Verified<'a, 's> {
    pub(super) checked: Checked<'a>,
    /// The nodes' commitments, and their images in the scalar field.
    pub(super) points: &'s [Precomputed],
    pub(super) images: &'s [Scalar],
    unshown: usize,
}

impl<'a> Verified<'a, '_> {
    /// How many stems are said to be absent without the witness showing it. If it is not 0, those absences are claims
    /// only: each such stem may exist.
    #[must_use]
    pub const fn unshown_absences(&self) -> usize {
        self.unshown
    }

    /// Calls `each` with the index of every stem whose absence is not shown, in order of the nodes.
    pub fn for_each_unshown(&self, each: impl FnMut(usize)) {
        self.checked.for_each_unshown(self.images, each);
    }

    /// The witness.
    #[must_use]
    pub const fn witness(&self) -> &Witness<'a> {
        &self.checked.witness
    }

    /// What it speaks of, counted.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.checked.shape
    }
}

impl<'a> Witness<'a> {
    /// Checks the structure, then verifies under `parent_root`: see [`Checked::verify`].
    ///
    /// # Errors
    /// The first check that fails.
    pub fn verify<'s>(
        &self,
        committer: &Committer<'_>,
        parent_root: &Compressed,
        mode: Mode,
        scratch: &'s mut Scratch<'_>,
    ) -> Result<Verified<'a, 's>, WitnessError> {
        self.check()?.verify(committer, parent_root, mode, scratch)
    }

    /// The multiproof as its 576 bytes: D, the left points, the right points, the scalar little-endian.
    #[must_use]
    pub fn multiproof_bytes(&self) -> [u8; MultiProof::BYTES] {
        join_multiproof(self.d(), self.cl(), self.cr(), self.final_evaluation())
    }
}

impl<'a> Checked<'a> {
    /// Calls `each` with the index of every stem whose absence is not shown, given the images of the nodes'
    /// commitments.
    pub(crate) fn for_each_unshown(&self, images: &[Scalar], each: impl FnMut(usize)) {
        let mut watch = Watch {
            evidence: Evidence::new(),
            images,
            each,
        };
        let done: Result<(), core::convert::Infallible> = self.openings(|opening| {
            watch.opening(&self.witness, &opening);
            Ok(())
        });
        if done.is_ok() {
            watch.close(&self.witness);
        }
    }

    /// Verifies that the claims hold under `parent_root`, the state root before the block.
    ///
    /// Memory: what is lent, with room for `shape().nodes` openings, see [`Scratch`]. Complexity: a decoding for each
    /// commitment, one sum over the nodes, one of 256 fixed and 17 other points, 99 bytes of SHA-256 an opening.
    ///
    /// # Errors
    /// Bytes that are no point or scalar; an identity where a node must be; [`WitnessError::Multiproof`] if the
    /// claims do not hold; in strict mode [`WitnessError::UnshownAbsence`]; too little scratch.
    pub fn verify<'s>(
        &self,
        committer: &Committer<'_>,
        parent_root: &Compressed,
        mode: Mode,
        scratch: &'s mut Scratch<'_>,
    ) -> Result<Verified<'a, 's>, WitnessError> {
        self.verify_with(&Serial, committer, parent_root, mode, scratch)
    }

    /// As [`verify`](Self::verify), where `exec` shares the decoding and the sum over the nodes.
    ///
    /// # Errors
    /// As there.
    pub fn verify_with<'s>(
        &self,
        exec: &impl Executor,
        committer: &Committer<'_>,
        parent_root: &Compressed,
        mode: Mode,
        scratch: &'s mut Scratch<'_>,
    ) -> Result<Verified<'a, 's>, WitnessError> {
        let (needed, given) = (self.shape.nodes, scratch.capacity());
        if given < needed {
            return Err(WitnessError::Scratch { needed, given });
        }
        // The proof's seventeen points before the many of the tree.
        let proof = MultiProof::from_bytes(&self.witness.multiproof_bytes())
            .map_err(WitnessError::from_proof)?;
        let points = &mut scratch.points[..needed];
        self.decode(exec, parent_root, points, scratch.canonical)?;
        self.check_identities()?;
        map_to_scalars(
            exec,
            &scratch.points[..needed],
            &mut scratch.weights[..needed],
        );
        let (mut unshown, mut first) = (0, 0);
        self.check_multiproof(exec, committer, parent_root, &proof, scratch, |stem| {
            first = if unshown == 0 { stem } else { first };
            unshown += 1;
        })?;
        if mode == Mode::Strict && unshown > 0 {
            return Err(WitnessError::UnshownAbsence {
                count: unshown,
                first,
            });
        }
        Ok(Verified {
            checked: *self,
            points: &scratch.points[..needed],
            images: &scratch.weights[..needed],
            unshown,
        })
    }

    /// Decodes the root and the commitments, with memory to work in.
    fn decode(
        &self,
        exec: &impl Executor,
        parent_root: &Compressed,
        points: &mut [Precomputed],
        lent: &mut [[u8; 32]],
    ) -> Result<(), WitnessError> {
        let commitments = self.witness.commitments();
        let Some((root, nodes)) = points.split_first_mut() else {
            return Ok(());
        };
        *root = Affine::from_bytes(parent_root)
            .map_err(|error| WitnessError::BadRoot { error })?
            .into();
        decode_with(exec, |i| commitments.get(i), nodes, lent, |_| ())
            .map_err(|(index, error)| WitnessError::BadCommitment { index, error })
    }

    /// No internal node or extension but the root is the identity, which has one encoding: zeros. It would be an empty
    /// slot, and the tree has no such node.
    fn check_identities(&self) -> Result<(), WitnessError> {
        let commitments = self.witness.commitments();
        self.openings(|opening| {
            let half = matches!(opening.kind, NodeKind::LowHalf | NodeKind::HighHalf);
            match opening.node.checked_sub(1) {
                Some(index) if !half && commitments.get(index) == Some(&[0; 32]) => {
                    Err(WitnessError::IdentityNode { index })
                }
                _ => Ok(()),
            }
        })
    }

    /// The multiproof over the decoded points, whose images are in `scratch.weights`; they stay there.
    fn check_multiproof(
        &self,
        exec: &impl Executor,
        committer: &Committer<'_>,
        parent_root: &Compressed,
        proof: &MultiProof,
        scratch: &mut Scratch<'_>,
        unshown: impl FnMut(usize),
    ) -> Result<(), WitnessError> {
        let mut transcript = Transcript::new(LABEL);
        let mut statement = Statement::new(&mut transcript);
        let images = &*scratch.weights;
        let mut watch = Watch {
            evidence: Evidence::new(),
            images,
            each: unshown,
        };
        let commitments = self.witness.commitments();
        self.openings(|opening| {
            let encoded = opening.node.checked_sub(1).and_then(|k| commitments.get(k));
            statement.append(
                encoded.unwrap_or(parent_root),
                opening.z,
                &value(&opening, images),
            );
            watch.opening(&self.witness, &opening);
            Ok::<(), WitnessError>(())
        })?;
        watch.close(&self.witness);

        let (transcript, r) = statement.combine();
        let mut weights = Weights::new(transcript, &proof.d, r, scratch.lagrange)
            .map_err(WitnessError::from_proof)?;
        // The openings of a node are neighbours: their weights add up to the node's.
        let (mut node, mut weight) = (0, Scalar::ZERO);
        self.openings(|opening| {
            if opening.node != node {
                store(scratch.canonical, node, &weight);
                (node, weight) = (opening.node, Scalar::ZERO);
            }
            weight += weights.next(opening.z, &value(&opening, images), scratch.lagrange);
            Ok::<(), WitnessError>(())
        })?;
        store(scratch.canonical, node, &weight);
        multiproof::sum(exec, self.shape.nodes, scratch)
            .and_then(|e| weights.finish(exec, committer, transcript, &e, proof, scratch))
            .map_err(WitnessError::from_proof)
    }
}

fn store(canonical: &mut [[u8; 32]], node: usize, weight: &Scalar) {
    if let Some(slot) = canonical.get_mut(node) {
        *slot = weight.to_le_bytes();
    }
}

/// Maps points to scalars, in blocks that share an inversion.
fn map_to_scalars(exec: &impl Executor, points: &[Precomputed], images: &mut [Scalar]) {
    let chunk = exec.chunk_len(images.len(), BLOCK);
    exec.for_each_chunk(images, chunk, |first, slots| {
        let points = points.get(first..).unwrap_or(&[]);
        let mut affine = [Affine::IDENTITY; BLOCK];
        for (points, slots) in points.chunks(BLOCK).zip(slots.chunks_mut(BLOCK)) {
            for (slot, point) in affine.iter_mut().zip(points) {
                *slot = point.to_affine();
            }
            batch_map_to_scalar(&affine, slots);
        }
    });
}

/// The evidence of absence, fed with images.
struct Watch<'s, F> {
    evidence: Evidence,
    images: &'s [Scalar],
    each: F,
}

impl<F: FnMut(usize)> Watch<'_, F> {
    fn opening(&mut self, witness: &Witness<'_>, opening: &Opening<'_>) {
        let images = self.images;
        let image = |node: usize| images.get(node).map_or([0; 32], Scalar::to_le_bytes);
        self.evidence
            .opening(witness, opening, image, &mut self.each);
    }

    fn close(&mut self, witness: &Witness<'_>) {
        self.evidence.close(witness, &mut self.each);
    }
}

/// What an opening says that the node holds.
fn value(opening: &Opening<'_>, images: &[Scalar]) -> Scalar {
    match opening.entry {
        Entry::Zero => Scalar::ZERO,
        Entry::One => Scalar::ONE,
        Entry::Child(node) => images.get(node).copied().unwrap_or(Scalar::ZERO),
        Entry::Stem(stem) => stem_scalar(stem),
        Entry::Low(value) => halves(value)[0],
        Entry::High(value) => halves(value)[1],
    }
}

/// A stem as a little-endian number.
pub(crate) fn stem_scalar(stem: &Stem) -> Scalar {
    let mut bytes = [0; 32];
    bytes[..31].copy_from_slice(stem);
    small(&bytes)
}

/// A value's two entries: its first 16 bytes as a little-endian number, plus 2^128; its last 16 bytes.
pub(crate) fn halves(value: &Value) -> [Scalar; 2] {
    let (mut low, mut high) = ([0; 32], [0; 32]);
    low[..16].copy_from_slice(&value[..16]);
    low[16] = 1;
    high[..16].copy_from_slice(&value[16..]);
    [small(&low), small(&high)]
}

/// From a number below 2^248, which is below the order.
fn small(bytes: &[u8; 32]) -> Scalar {
    Scalar::from_le_bytes(bytes).unwrap_or(Scalar::ZERO)
}
