//! Commitments of what changed, from the leaves up.
//!
//! A commitment is linear, so a node's new one is its old one plus a commitment to the vector of
//! differences, which is zero but where something changed. Each level is done as a whole: its
//! commitments are normalised and mapped to scalars together.

use alloc::vec::Vec;

use super::{Child, Commitment, Extension, Tree};
use crate::curve::Group;
use crate::curve::banderwagon::batch_map_to_scalar;
use crate::exec::Executor;
use crate::verkle::witness::{Value, halves, stem_scalar};
use crate::verkle::{Affine, Committer, Element, Scalar, WIDTH};

/// A change of a commitment: indices and the differences there. None: no change.
type Difference = Vec<(u8, Scalar)>;

/// Index of the low half of a suffix's value in its half's vector.
pub(super) const fn low_index(suffix: u8) -> u8 {
    2 * (suffix % 128)
}

/// Which half a suffix belongs to.
pub(super) const fn half(suffix: u8) -> usize {
    (suffix / 128) as usize
}

impl Extension {
    /// The differences of both halves' vectors; forgets what changed.
    fn take_changes(&mut self) -> [Difference; 2] {
        let mut out = [Vec::new(), Vec::new()];
        for (suffix, before) in core::mem::take(&mut self.changed) {
            let parts = |value: Option<&Value>| value.map_or([Scalar::ZERO; 2], halves);
            let (new, old) = (parts(self.get(suffix)), parts(before.as_ref()));
            let index = low_index(suffix);
            let difference = &mut out[half(suffix)];
            difference.push((index, new[0] - old[0]));
            difference.push((index + 1, new[1] - old[1]));
        }
        out
    }
}

impl Tree {
    /// Brings every commitment up to date.
    pub(super) fn update(&mut self, exec: &impl Executor, committer: &Committer<'_>) {
        let (levels, extensions) = self.dirty();
        self.update_extensions(exec, committer, &extensions);
        for level in levels.iter().rev() {
            self.update_internals(exec, committer, level);
        }
    }

    /// The dirty internal nodes of each level, and the extensions with changes, which are all
    /// below them. They are clean afterwards.
    fn dirty(&mut self) -> (Vec<Vec<usize>>, Vec<usize>) {
        let (mut levels, mut extensions) = (Vec::new(), Vec::new());
        let mut level = alloc::vec![0];
        level.retain(|id: &usize| self.internals[*id].dirty);
        while !level.is_empty() {
            let mut below = Vec::new();
            for id in &level {
                self.internals[*id].dirty = false;
                for slot in &self.internals[*id].slots {
                    match slot.child {
                        Child::Internal(child) if self.internals[child].dirty => below.push(child),
                        Child::Extension(child) if !self.extensions[child].changed.is_empty() => {
                            extensions.push(child);
                        }
                        _ => {}
                    }
                }
            }
            levels.push(core::mem::replace(&mut level, below));
        }
        (levels, extensions)
    }

    fn update_extensions(
        &mut self,
        exec: &impl Executor,
        committer: &Committer<'_>,
        ids: &[usize],
    ) {
        let (mut olds, mut changes, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        for &id in ids {
            let extension = &mut self.extensions[id];
            for (which, difference) in extension.take_changes().into_iter().enumerate() {
                if !difference.is_empty() {
                    olds.push(extension.halves[which].point);
                    changes.push(difference);
                    owners.push((id, which));
                }
            }
        }
        let halves = apply(exec, committer, &olds, &changes);

        // The first commitment to an extension has its two constants, too.
        let mut changes: Vec<Difference> = Vec::with_capacity(ids.len());
        for id in ids {
            let extension = &self.extensions[*id];
            changes.push(if extension.node.point == Affine::IDENTITY {
                alloc::vec![(0, Scalar::ONE), (1, stem_scalar(&extension.stem))]
            } else {
                Vec::new()
            });
        }
        let mut position = 0;
        for ((id, which), new) in owners.iter().zip(halves) {
            // The owners come in the order of the ids.
            while ids[position] != *id {
                position += 1;
            }
            let half = &mut self.extensions[*id].halves[*which];
            changes[position].push((2 + *which as u8, new.image - half.image));
            *half = new;
        }
        let olds: Vec<_> = ids
            .iter()
            .map(|id| self.extensions[*id].node.point)
            .collect();
        for (id, new) in ids.iter().zip(apply(exec, committer, &olds, &changes)) {
            self.extensions[*id].node = new;
        }
    }

    fn update_internals(&mut self, exec: &impl Executor, committer: &Committer<'_>, ids: &[usize]) {
        let (mut olds, mut changes) = (Vec::new(), Vec::new());
        for &id in ids {
            olds.push(self.internals[id].node.point);
            let mut slots = core::mem::take(&mut self.internals[id].slots);
            let mut difference = Vec::new();
            for slot in &mut slots {
                let image = self.image(slot.child);
                if image != slot.committed {
                    difference.push((slot.index, image - slot.committed));
                    slot.committed = image;
                }
            }
            self.internals[id].slots = slots;
            changes.push(difference);
        }
        for (id, new) in ids.iter().zip(apply(exec, committer, &olds, &changes)) {
            self.internals[*id].node = new;
        }
    }

    pub(super) fn image(&self, child: Child) -> Scalar {
        match child {
            Child::Internal(id) => self.internals[id].node.image,
            Child::Extension(id) => self.extensions[id].node.image,
        }
    }
}

/// The commitments after their differences, with their images.
fn apply(
    exec: &impl Executor,
    committer: &Committer<'_>,
    olds: &[Affine],
    changes: &[Difference],
) -> Vec<Commitment> {
    let mut out = alloc::vec![Commitment::IDENTITY; olds.len().min(changes.len())];
    let chunk = exec.chunk_len(out.len(), 8);
    exec.for_each_chunk(&mut out, chunk, |first, slots| {
        let mut vector = alloc::vec![Scalar::ZERO; WIDTH];
        let mut sums = Vec::with_capacity(slots.len());
        for (old, difference) in olds.iter().zip(changes).skip(first).take(slots.len()) {
            for (index, value) in difference {
                vector[usize::from(*index)] = *value;
            }
            // A vector as long as the generators can be committed to.
            let change = committer.commit(&vector).unwrap_or_default();
            sums.push(Element::from(*old) + change);
            for (index, _) in difference {
                vector[usize::from(*index)] = Scalar::ZERO;
            }
        }
        let mut points = alloc::vec![Affine::IDENTITY; sums.len()];
        Element::batch_normalize(&sums, &mut points);
        let mut images = alloc::vec![Scalar::ZERO; sums.len()];
        batch_map_to_scalar(&points, &mut images);
        for ((slot, point), image) in slots.iter_mut().zip(points).zip(images) {
            *slot = Commitment { point, image };
        }
    });
    out
}
