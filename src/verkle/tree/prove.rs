//! A tree's witnesses: the values of keys, proven under the tree's root.
//!
//! The tree says what stands on the keys' paths; which of it is opened, and in which order, is
//! told by the very [walk](crate::verkle::witness::Checked::openings) that verifiers make.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use super::commit::{half, low_index};
use super::{Child, Commitment, Committed, End, Location, Request, Tree};
use crate::exec::{Executor, Serial};
use crate::verkle::multiproof::{self, MultiProof};
use crate::verkle::tree_key::{Key, key, split_key};
use crate::verkle::witness::{
    Checked, LABEL, OwnedProof, OwnedStemDiff, OwnedSuffixDiff, OwnedWitness, Status, Stem, Value,
    Witness, WitnessError, halves, stem_scalar,
};
use crate::verkle::{Element, Error, ProverQuery, Scalar, Transcript, WIDTH};

/// Why no witness can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProveError {
    /// No key was asked for, or more than a witness has room for.
    Witness(WitnessError),
    /// The multiproof could not be made.
    Proof(Error),
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Witness(error) => write!(f, "the witness: {error}"),
            Self::Proof(error) => write!(f, "the proof: {error}"),
        }
    }
}

impl core::error::Error for ProveError {}

impl<E: Into<WitnessError>> From<E> for ProveError {
    fn from(error: E) -> Self {
        Self::Witness(error.into())
    }
}

/// A node of the partial tree that a witness lists.
#[derive(Clone, Copy)]
enum Place {
    Internal(usize),
    Extension(usize),
    Half(usize, usize),
}

/// A witness but for its proof, and its nodes in the order of their paths, the root first.
struct Draft {
    witness: OwnedWitness,
    nodes: Vec<Place>,
}

impl Committed<'_> {
    /// The witness of the keys of `request`: their values here, their new values, the proof.
    ///
    /// All of it is determined: the peers' provers give the same bytes. Memory: 8 KiB for each
    /// node on the keys' paths. Complexity: see [`multiproof::prove`].
    ///
    /// # Errors
    /// No key, or more stems than a witness has room for.
    pub fn prove(&self, request: &Request) -> Result<OwnedWitness, ProveError> {
        self.prove_with(&Serial, request)
    }

    /// As [`prove`](Self::prove), where `exec` shares the work.
    ///
    /// # Errors
    /// As there.
    pub fn prove_with(
        &self,
        exec: &impl Executor,
        request: &Request,
    ) -> Result<OwnedWitness, ProveError> {
        let mut keys = request.keys.clone();
        let mut draft = self.tree.draft(&keys);
        if request.show_absences {
            let mut round = 0;
            while self.tree.add_evidence(&draft, round, &mut keys)? {
                draft = self.tree.draft(&keys);
                round += 1;
            }
        }
        let ssz = draft.witness.to_ssz()?;
        let checked = Witness::from_ssz(&ssz)?.check()?;
        let proof = self
            .multiproof(exec, &checked, &draft.nodes)
            .map_err(ProveError::Proof)?;
        draft.witness.proof = OwnedProof::from_multiproof(&proof.to_bytes());
        Ok(draft.witness)
    }

    /// Proves the openings of a draft.
    fn multiproof(
        &self,
        exec: &impl Executor,
        checked: &Checked<'_>,
        nodes: &[Place],
    ) -> Result<MultiProof, Error> {
        let mut vectors = alloc::vec![Scalar::ZERO; nodes.len() * WIDTH];
        let (vectors, _) = vectors.as_chunks_mut::<WIDTH>();
        let mut commitments = Vec::with_capacity(nodes.len());
        for (place, vector) in nodes.iter().zip(vectors.iter_mut()) {
            self.tree.fill(*place, vector);
            commitments.push(Element::from(self.tree.commitment(*place).point));
        }
        let mut queries = Vec::with_capacity(checked.shape().openings);
        checked.openings(|opening| {
            // As many nodes as the structure check found.
            let node = commitments.get(opening.node).zip(vectors.get(opening.node));
            let (commitment, polynomial) = node.ok_or(Error::NoOpenings)?;
            queries.push(ProverQuery {
                commitment,
                polynomial,
                point: opening.z,
            });
            Ok::<(), Error>(())
        })?;
        let mut transcript = Transcript::new(LABEL);
        multiproof::prove_with(exec, self.committer, &mut transcript, &queries)
    }
}

impl Tree {
    fn commitment(&self, place: Place) -> &Commitment {
        match place {
            Place::Internal(id) => &self.internals[id].node,
            Place::Extension(id) => &self.extensions[id].node,
            Place::Half(id, which) => &self.extensions[id].halves[which],
        }
    }

    /// Writes the vector that a node commits to over zeros.
    fn fill(&self, place: Place, vector: &mut [Scalar; WIDTH]) {
        match place {
            Place::Internal(id) => {
                for slot in &self.internals[id].slots {
                    vector[usize::from(slot.index)] = self.image(slot.child);
                }
            }
            Place::Extension(id) => {
                let extension = &self.extensions[id];
                vector[0] = Scalar::ONE;
                vector[1] = stem_scalar(&extension.stem);
                vector[2] = extension.halves[0].image;
                vector[3] = extension.halves[1].image;
            }
            Place::Half(id, which) => {
                let leaves = self.extensions[id].leaves.iter();
                for leaf in leaves.filter(|leaf| half(leaf.suffix) == which) {
                    let index = usize::from(low_index(leaf.suffix));
                    [vector[index], vector[index + 1]] = halves(&leaf.value);
                }
            }
        }
    }

    /// Everything of the witness of these keys but its proof.
    fn draft(&self, keys: &BTreeMap<Key, Option<Value>>) -> Draft {
        let mut state_diff: Vec<OwnedStemDiff> = Vec::new();
        for (key, new_value) in keys {
            let (stem, suffix) = split_key(key);
            if state_diff.last().is_none_or(|last| last.stem != stem) {
                state_diff.push(OwnedStemDiff {
                    stem,
                    suffix_diffs: Vec::new(),
                });
            }
            if let Some(diff) = state_diff.last_mut() {
                diff.suffix_diffs.push(OwnedSuffixDiff {
                    suffix,
                    current_value: self.get(key).copied(),
                    new_value: *new_value,
                });
            }
        }
        let stems = state_diff.iter().map(|diff| &diff.stem);
        let locations: Vec<_> = stems.map(|stem| self.locate(stem)).collect();
        let nodes = self.nodes(&state_diff, &locations);
        let depth_byte = |(diff, at): (&OwnedStemDiff, &Location)| {
            // A path has 31 bytes at most.
            (at.passed.len() as u8) << 3 | self.status(&diff.stem, at).to_byte()
        };
        let depth_bytes = state_diff.iter().zip(&locations).map(depth_byte);
        let commitments = nodes.iter().skip(1);
        let commitments = commitments.map(|place| self.commitment(*place).point.to_bytes());
        let witness = OwnedWitness {
            depth_extension_present: depth_bytes.collect(),
            other_stems: self.other_stems(&state_diff, &locations),
            commitments_by_path: commitments.collect(),
            state_diff,
            proof: OwnedProof::from_multiproof(&[0; MultiProof::BYTES]),
        };
        Draft { witness, nodes }
    }

    fn status(&self, stem: &Stem, at: &Location) -> Status {
        match at.end {
            End::Empty => Status::Empty,
            End::Extension(id) if self.extensions[id].stem == *stem => Status::Present,
            End::Extension(_) => Status::Other,
        }
    }

    /// The stems in the way of absent ones, where the stem itself is not asked for: once each.
    fn other_stems(&self, diffs: &[OwnedStemDiff], locations: &[Location]) -> Vec<Stem> {
        let mut out = Vec::new();
        let mut start = 0;
        // Stems that end in one slot are neighbours.
        for group in locations.chunk_by(|a, b| a.end == b.end) {
            let diffs = &diffs[start..start + group.len()];
            start += group.len();
            if let Some(End::Extension(id)) = group.first().map(|at| at.end) {
                let stem = self.extensions[id].stem;
                if diffs.iter().all(|diff| diff.stem != stem) {
                    out.push(stem);
                }
            }
        }
        out
    }

    /// The nodes of the partial tree in the order of their paths.
    fn nodes(&self, diffs: &[OwnedStemDiff], locations: &[Location]) -> Vec<Place> {
        let mut nodes = alloc::vec![Place::Internal(0)];
        let mut before: Option<&Stem> = None;
        for (diff, at) in diffs.iter().zip(locations) {
            let common = |before: &Stem| {
                let pairs = before.iter().zip(&diff.stem);
                pairs.take_while(|(a, b)| a == b).count()
            };
            // The root is there; then what is below the path that the stem before shares.
            let shared = before.map_or(0, common);
            let passed = at.passed.iter().skip(shared + 1);
            nodes.extend(passed.map(|id| Place::Internal(*id)));
            if let End::Extension(id) = at.end {
                if before.is_none() || shared < at.passed.len() {
                    nodes.push(Place::Extension(id));
                }
                if self.extensions[id].stem == diff.stem {
                    for which in 0..2 {
                        let mut asked = diff.suffix_diffs.iter();
                        if asked.any(|asked| half(asked.suffix) == which) {
                            nodes.push(Place::Half(id, which));
                        }
                    }
                }
            }
            before = Some(&diff.stem);
        }
        nodes
    }

    /// Adds keys that show the absences which a draft leaves unshown; whether there were any.
    ///
    /// In the first round that is one key below the last node passed. It does not show what the
    /// node is in one case: the child stands at index 1 and its image looks like a stem. The
    /// rounds after it go through the other children, and end with the slot 0, which says what
    /// the node is even if it is empty: an extension has a 1 there.
    fn add_evidence(
        &self,
        draft: &Draft,
        round: usize,
        keys: &mut BTreeMap<Key, Option<Value>>,
    ) -> Result<bool, WitnessError> {
        let ssz = draft.witness.to_ssz()?;
        let checked = Witness::from_ssz(&ssz)?.check()?;
        let nodes = draft.nodes.iter();
        let images: Vec<_> = nodes.map(|place| self.commitment(*place).image).collect();
        let mut unshown = Vec::new();
        checked.for_each_unshown(&images, |stem| unshown.push(stem));
        for stem in unshown
            .iter()
            .filter_map(|i| draft.witness.state_diff.get(*i))
        {
            let at = self.locate(&stem.stem);
            // The root needs no evidence.
            let least = if round == 0 { at.passed.len() - 1 } else { 0 };
            for (length, id) in at.passed.iter().enumerate().skip(least.max(1)) {
                keys.entry(self.evidence(&stem.stem, length, *id, round))
                    .or_insert(None);
            }
        }
        Ok(!unshown.is_empty())
    }

    /// A key whose path leads through an internal node and its child number `round`, extensions
    /// first; after the last child, a key of its slot 0.
    fn evidence(&self, stem: &Stem, length: usize, id: usize, round: usize) -> Key {
        let slots = &self.internals[id].slots;
        let of_kind = |extension| {
            let children = slots.iter().map(|slot| slot.child);
            children.filter(move |child| matches!(child, Child::Extension(_)) == extension)
        };
        if let Some(child) = of_kind(true).chain(of_kind(false)).nth(round) {
            return self.first_key(child);
        }
        let mut key = [0; 32];
        key[..length].copy_from_slice(&stem[..length]);
        key
    }

    /// The first key below a node.
    fn first_key(&self, mut at: Child) -> Key {
        loop {
            match at {
                Child::Internal(id) => match self.internals[id].slots.first() {
                    Some(slot) => at = slot.child,
                    None => return [0; 32],
                },
                Child::Extension(id) => {
                    let extension = &self.extensions[id];
                    let suffix = extension.leaves.first().map_or(0, |leaf| leaf.suffix);
                    return key(&extension.stem, suffix);
                }
            }
        }
    }
}
