//! The state root after the block, from a verified witness alone.
//!
//! One walk over the groups. For each open internal node, one a level, there is a frame with its new commitment so
//! far. When the walk leaves a node its new image, less its old one, goes into the frame above. Extensions that
//! come to share a slot move down: the nodes above them are built in the frames below, from nothing.

use super::structure::{Group, shared};
use super::verify::{Verified, halves, stem_scalar};
use super::walk::nodes_of;
use super::{Status, Stem, StemDiff, SuffixDiff};
use crate::curve::Addend;
use crate::verkle::{Committer, Compressed, Element, Scalar};

/// Internal nodes have paths of length 0..=30: two stems share 30 bytes at most.
const LEVELS: usize = 31;

/// Writes of a stem committed to at once: 640 bytes of stack.
const WRITES: usize = 16;

/// Changed slots whose products wait to be summed at once: 1280 bytes of stack.
const PENDING: usize = 32;

impl Verified<'_, '_> {
    /// The state root after the block's writes. Right as far as the claims are: a written stem whose absence is not
    /// shown ([`unshown_absences`](Self::unshown_absences)) gives a wrong root if it exists after all; and it
    /// reflects what the witness lists, nothing else. To be compared with the block's header.
    ///
    /// Memory: 6 KiB of stack, and the committer's (measured on x86-64, all in all: below 16 KiB with a table, below
    /// 28 KiB without). Complexity: a product of a generator for each half of each value written, for each
    /// half and each new stem written, and for each node changed.
    #[must_use]
    pub fn post_root(&self, committer: &Committer<'_>) -> Compressed {
        let witness = &self.checked.witness;
        let mut walk = Walk {
            verified: self,
            committer,
            frames: [Element::IDENTITY; LEVELS],
            nodes: [None; LEVELS],
            pending: heapless::Vec::new(),
            starts: [0; LEVELS],
            depth: 0,
            changed: 0,
            moved: (LEVELS, Scalar::ZERO),
        };
        walk.open(0, Some(0));
        let mut path = witness.stem(0);
        let mut before = 1;
        for group in witness.groups() {
            walk.close(group.shared, path);
            path = witness.stem(group.first);
            for length in group.shared + 1..group.depth {
                walk.open(length, Some(before + length - group.shared - 1));
            }
            walk.group(&group, before + group.internals());
            before += nodes_of(witness, &group);
        }
        walk.close(0, path);
        walk.settle(0);
        walk.frames[0].to_bytes()
    }

    fn point(&self, node: usize) -> Element {
        let point = self.points.get(node);
        point.map_or(Element::IDENTITY, |point| point.add_to(&Element::IDENTITY))
    }

    fn image(&self, node: usize) -> Scalar {
        self.images.get(node).copied().unwrap_or(Scalar::ZERO)
    }
}

/// An extension that is in the tree after the block.
#[derive(Clone, Copy)]
struct Leaf<'a> {
    stem: &'a Stem,
    /// The stem's index if it is a new one; the group's extension otherwise.
    new: Option<usize>,
}

struct Walk<'v> {
    verified: &'v Verified<'v, 'v>,
    committer: &'v Committer<'v>,
    /// The commitments of the open nodes, by the lengths of their paths.
    frames: [Element; LEVELS],
    /// Which nodes of the witness they are; none for a new node.
    nodes: [Option<usize>; LEVELS],
    /// Changes that the frames do not hold yet, those of a lower node after those of a higher one: a node gets
    /// its changes only while it is the lowest.
    pending: heapless::Vec<(u8, Scalar), PENDING>,
    /// Where the changes of each open node start.
    starts: [usize; LEVELS],
    /// Length of the path of the lowest open node.
    depth: usize,
    /// Bit m: the node of length m is changed.
    changed: u32,
    /// The length of a new node that takes the place of an extension, and that extension's old image.
    moved: (usize, Scalar),
}

impl<'v> Walk<'v> {
    fn open(&mut self, length: usize, node: Option<usize>) {
        self.frames[length] = node.map_or(Element::IDENTITY, |node| self.verified.point(node));
        self.nodes[length] = node;
        self.starts[length] = self.pending.len();
        self.changed &= !(1 << length);
        self.depth = length;
    }

    /// Closes the nodes below `length` on this path, from the bottom up.
    fn close(&mut self, length: usize, path: &Stem) {
        while self.depth > length {
            let (open, node) = (self.depth, self.nodes[self.depth]);
            self.depth -= 1;
            if self.changed & (1 << open) == 0 {
                continue;
            }
            let old = match node {
                Some(node) => self.verified.image(node),
                None if self.moved.0 == open => self.moved.1,
                None => Scalar::ZERO,
            };
            self.settle(open);
            let image = self.frames[open].map_to_scalar();
            self.add(open - 1, path, image - old);
        }
    }

    /// Adds the pending changes of this node, below which nothing is pending, to its frame.
    fn settle(&mut self, length: usize) {
        let start = self.starts[length];
        let changes = self.pending.get(start..).unwrap_or(&[]);
        self.frames[length] += self.committer.commit_sparse(changes);
        self.pending.truncate(start);
    }

    /// Adds to what the lowest open node, of this length on this path, holds at the path's next byte.
    fn add(&mut self, length: usize, path: &Stem, delta: Scalar) {
        if delta == Scalar::ZERO {
            return;
        }
        if self.pending.is_full() {
            let has_changes = |level: &usize| self.starts[*level] < PENDING;
            let lowest = (0..=length).rev().find(has_changes).unwrap_or(0);
            self.settle(lowest);
            // Nodes below it had no changes, and theirs start where its started.
            self.starts[lowest..=length].fill(self.pending.len());
        }
        // There is room now.
        let _ = self.pending.push((path[length], delta));
        self.changed |= 1 << length;
    }

    /// Brings a group's slot up to date; `node` is the place of its extension if it has one.
    fn group(&mut self, group: &Group<'v>, node: usize) {
        let (verified, depth) = (self.verified, group.depth);
        let old = group
            .extension
            .map_or(Scalar::ZERO, |_| verified.image(node));
        let mut leaves = leaves(verified, group);
        let Some(mut leaf) = leaves.next() else {
            return;
        };
        let mut next = leaves.next();
        if next.is_none() {
            let image = self.leaf_image(&leaf, group, node);
            return self.add(depth - 1, leaf.stem, image - old);
        }
        self.moved = (depth, old);
        // Bytes shared with the leaf before; the first opens the node at the slot.
        let mut above = depth;
        loop {
            let below = next.map_or(depth, |next| shared(leaf.stem, next.stem));
            // Stems that differ share at most 30 bytes.
            let length = above.max(below).min(LEVELS - 1);
            for level in self.depth + 1..=length {
                self.open(level, None);
            }
            let image = self.leaf_image(&leaf, group, node);
            self.add(length, leaf.stem, image);
            let Some(following) = next else { break };
            self.close(below, leaf.stem);
            (leaf, next, above) = (following, leaves.next(), below);
        }
        self.close(depth - 1, leaf.stem);
    }

    /// The image of an extension as it is after the block. Not inlined, so that its lists are off the stack while
    /// the walk's own sums run.
    #[inline(never)]
    fn leaf_image(&self, leaf: &Leaf<'v>, group: &Group<'v>, node: usize) -> Scalar {
        let verified = self.verified;
        let witness = &verified.checked.witness;
        match (leaf.new, group.present) {
            (Some(stem), _) => self.new_extension(&witness.diff(stem)),
            (None, Some(present)) => {
                let halves = witness.halves(present);
                let low = halves.low.then_some(node + 1);
                let high = halves.high.then_some(node + 1 + usize::from(halves.low));
                self.changed_extension(&witness.diff(present), node, low, high)
            }
            (None, None) => verified.image(node),
        }
    }

    /// commit([1, stem, h(C1), h(C2)]) of the values written.
    fn new_extension(&self, diff: &StemDiff<'_>) -> Scalar {
        let [low, high] = [false, true].map(|high| self.half_delta(diff, high).map_to_scalar());
        let entries = [
            (0, Scalar::ONE),
            (1, stem_scalar(diff.stem())),
            (2, low),
            (3, high),
        ];
        self.committer.commit_sparse(&entries).map_to_scalar()
    }

    /// The image of a present extension, its halves brought up to date.
    fn changed_extension(
        &self,
        diff: &StemDiff<'_>,
        node: usize,
        low: Option<usize>,
        high: Option<usize>,
    ) -> Scalar {
        let verified = self.verified;
        let mut extension = verified.point(node);
        let mut changed = false;
        for (half, index) in [(low, 2), (high, 3)] {
            let Some(half) = half else { continue };
            let delta = self.half_delta(diff, index == 3);
            if delta != Element::IDENTITY {
                let image = (verified.point(half) + delta).map_to_scalar();
                let difference = image - verified.image(half);
                extension = self.committer.update(&extension, index, &difference);
                changed = true;
            }
        }
        if changed {
            extension.map_to_scalar()
        } else {
            verified.image(node)
        }
    }

    /// What the writes add to a half's commitment.
    fn half_delta(&self, diff: &StemDiff<'_>, high: bool) -> Element {
        let mut sum = Element::IDENTITY;
        let mut entries = heapless::Vec::<(u8, Scalar), WRITES>::new();
        for key in diff
            .suffix_diffs()
            .filter(|key| (key.suffix >= 128) == high)
        {
            let place = 2 * (key.suffix % 128);
            for (index, delta) in [place, place + 1].into_iter().zip(deltas(&key)) {
                if delta != Scalar::ZERO && entries.push((index, delta)).is_err() {
                    sum += self.committer.commit_sparse(&entries);
                    entries.clear();
                    // There is room now.
                    let _ = entries.push((index, delta));
                }
            }
        }
        sum + self.committer.commit_sparse(&entries)
    }
}

/// How a write changes its key's two entries.
fn deltas(key: &SuffixDiff<'_>) -> [Scalar; 2] {
    let Some(new) = key.new_value else {
        return [Scalar::ZERO; 2];
    };
    let old = key.current_value.map_or([Scalar::ZERO; 2], halves);
    let new = halves(new);
    [new[0] - old[0], new[1] - old[1]]
}

/// The extensions that belong in a group's slot after the block, in the order of their stems: its own, and those of
/// absent stems that are written. None if the group is not written.
fn leaves<'v>(
    verified: &'v Verified<'v, 'v>,
    group: &Group<'v>,
) -> impl Iterator<Item = Leaf<'v>> + use<'v> {
    let witness = &verified.checked.witness;
    let own = group.extension;
    let is_written = |i: usize| {
        witness
            .diff(i)
            .suffix_diffs()
            .any(|key| key.new_value.is_some())
    };
    let stems = if group.stems().any(is_written) {
        group.stems()
    } else {
        0..0
    };
    let own_leaf = own
        .filter(|_| !stems.is_empty())
        .map(|stem| Leaf { stem, new: None });
    let new = move |i: usize| {
        let written = witness.status(i) != Status::Present && is_written(i);
        written.then(|| Leaf {
            stem: witness.stem(i),
            new: Some(i),
        })
    };
    let before = move |leaf: &Leaf<'v>| own.is_none_or(|own| leaf.stem < own);
    let after = move |leaf: &Leaf<'v>| own.is_some_and(|own| leaf.stem > own);
    let first = stems.clone().filter_map(new).filter(before);
    first
        .chain(own_leaf)
        .chain(stems.filter_map(new).filter(after))
}
