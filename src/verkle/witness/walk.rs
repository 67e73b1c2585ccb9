//! The partial tree, walked in constant memory.
//!
//! The nodes that a witness speaks of come in the order of their paths, a node before what lies below it:
//!
//! - internal nodes, one for each proper prefix of a stem that is shorter than the stem's depth;
//! - one extension for each group of stems whose slot is not empty;
//! - the halves of a present stem's extension of which a key is asked.
//!
//! Node 0 is the root and node k has `commitments()[k - 1]`. Sorted stems give this order directly: a group that
//! shares `l` bytes with the one before it adds the internal nodes of lengths `l + 1` to `depth - 1`, then its
//! extension, then that one's halves. So with the number of nodes added before a group, the place of each of its
//! nodes is known, and the child that a node has at a byte is found by looking forward over the stems below it.

use super::ssz::Witness;
use super::structure::{Checked, Group, Groups};
use super::{Stem, Value};

/// What a node of the partial tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// An internal node: the images of its children's commitments.
    Internal,
    /// An extension: 1, the stem, the images of its two halves' commitments.
    Extension,
    /// The values of suffixes 0..=127.
    LowHalf,
    /// The values of suffixes 128..=255.
    HighHalf,
}

/// What a witness claims a node to hold at an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// Nothing: an empty slot, or a part of an absent value.
    Zero,
    /// The mark of an extension.
    One,
    /// The image of this node's commitment in the scalar field.
    Child(usize),
    /// The stem, as a little-endian number.
    Stem(&'a Stem),
    /// The first 16 bytes of this value as a little-endian number, plus 2^128.
    Low(&'a Value),
    /// The last 16 bytes of this value as a little-endian number.
    High(&'a Value),
}

/// One claim of a witness: node `node` holds `entry` at index `z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening<'a> {
    /// Place of the node in path order; 0 is the root.
    pub node: usize,
    /// What the node is.
    pub kind: NodeKind,
    /// A stem on whose path the node is.
    pub stem: &'a Stem,
    /// Length of the node's path; for a half, that of its extension.
    pub depth: usize,
    /// The index opened.
    pub z: u8,
    /// What is there.
    pub entry: Entry<'a>,
    /// The stems that the slot leads to: the first of them.
    pub first_stem: usize,
    /// The stems that the slot leads to: one past the last.
    pub end_stem: usize,
}

impl<'a> Checked<'a> {
    /// Calls `visit` with every opening, ordered by node, then by index; stops at the first error.
    ///
    /// O(sum of the depths) stem comparisons, no memory. Every node has an opening, so `node` takes every value
    /// from 0 to `shape().nodes - 1` without a gap.
    ///
    /// # Errors
    /// The error of `visit`.
    pub fn openings<E>(
        &self,
        mut visit: impl FnMut(Opening<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let witness = &self.witness;
        let mut groups = witness.groups();
        // The root counts as added before the first group.
        let mut before = 1;
        loop {
            let scan = groups;
            let Some(group) = groups.next() else {
                return Ok(());
            };
            let top = if group.first == 0 {
                0
            } else {
                group.shared + 1
            };
            for length in top..group.depth {
                Self::internal(scan, before, length, &mut visit)?;
            }
            if let Some(stem) = group.extension {
                self.extension(&group, stem, before + group.internals(), &mut visit)?;
            }
            before += nodes_of(witness, &group);
        }
    }

    /// The openings of the internal node of this length that the first group of `scan` adds.
    fn internal<E>(
        mut scan: Groups<'a>,
        mut before: usize,
        length: usize,
        visit: &mut impl FnMut(Opening<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let witness = scan.witness();
        let mut pending: Option<Opening<'a>> = None;
        // For the root, `before` counts the root itself alone; its index is 0 either way.
        let mut node = 0;
        for group in &mut scan {
            if pending.is_some() && group.shared < length {
                break;
            }
            if let Some(run) = pending.as_mut().filter(|_| group.shared > length) {
                run.end_stem = group.end;
            } else {
                match pending.take() {
                    Some(run) => visit(run)?,
                    None if length > 0 => node = before + length - group.shared - 1,
                    None => {}
                }
                let stem = witness.stem(group.first);
                // The node added for length + 1, or the extension if the path ends there: both are the
                // (length - shared)-th that the group adds.
                let child = before + length - group.shared;
                let empty = group.depth == length + 1 && group.extension.is_none();
                pending = Some(Opening {
                    node,
                    kind: NodeKind::Internal,
                    stem,
                    depth: length,
                    z: stem[length],
                    entry: if empty {
                        Entry::Zero
                    } else {
                        Entry::Child(child)
                    },
                    first_stem: group.first,
                    end_stem: group.end,
                });
            }
            before += nodes_of(&witness, &group);
        }
        pending.map_or(Ok(()), visit)
    }

    /// The openings of a group's extension, which is node `node`, and of its halves.
    fn extension<E>(
        &self,
        group: &Group<'a>,
        stem: &'a Stem,
        node: usize,
        visit: &mut impl FnMut(Opening<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let opening = |node, kind, z, entry| Opening {
            node,
            kind,
            stem,
            depth: group.depth,
            z,
            entry,
            first_stem: group.first,
            end_stem: group.end,
        };
        visit(opening(node, NodeKind::Extension, 0, Entry::One))?;
        visit(opening(node, NodeKind::Extension, 1, Entry::Stem(stem)))?;
        let Some(present) = group.present else {
            return Ok(());
        };
        let halves = self.witness.halves(present);
        let high = node + 1 + usize::from(halves.low);
        if halves.low {
            visit(opening(
                node,
                NodeKind::Extension,
                2,
                Entry::Child(node + 1),
            ))?;
        }
        if halves.high {
            visit(opening(node, NodeKind::Extension, 3, Entry::Child(high)))?;
        }
        for key in self.witness.diff(present).suffix_diffs() {
            let (node, kind) = if key.suffix < 128 {
                (node + 1, NodeKind::LowHalf)
            } else {
                (high, NodeKind::HighHalf)
            };
            let z = 2 * (key.suffix % 128);
            visit(opening(
                node,
                kind,
                z,
                key.current_value.map_or(Entry::Zero, Entry::Low),
            ))?;
            visit(opening(
                node,
                kind,
                z + 1,
                key.current_value.map_or(Entry::Zero, Entry::High),
            ))?;
        }
        Ok(())
    }
}

/// How many nodes a group adds.
pub(super) fn nodes_of(witness: &Witness<'_>, group: &Group<'_>) -> usize {
    let halves = group
        .present
        .map_or(0, |present| witness.halves(present).count());
    group.internals() + usize::from(group.extension.is_some()) + halves
}
