//! A Verkle tree in memory (EIP-6800): keys and values of 32 bytes, its commitments, its proofs.
//!
//! Keys that share their first 31 bytes, the stem, stand in one *extension*:
//!
//! ```text
//! C1 = commit(v), v[2s] = lo, v[2s+1] = hi        for every suffix s < 128 that is there
//! C2 = the same for the suffixes from 128 on, at index 2·(s − 128) and the next
//! lo = LE128(value[0..16]) + 2^128, hi = LE128(value[16..32]); both 0 where there is no value
//! E  = commit([1, LE248(stem), h(C1), h(C2)])
//! ```
//!
//! An extension stands at the shortest path, one byte or more, that no other stem shares. The
//! *internal* nodes above hold h of their children's commitments; the root is always internal. So
//! the tree depends on the keys alone, never on the order in which they came. Nothing is ever
//! deleted: a value of zeros is not the same as none.
//!
//! ```
//! use lightproof::verkle::tree::{ProveError, Request, Tree};
//! use lightproof::verkle::witness::{Mode, Witness};
//! use lightproof::verkle::{Committer, ScratchBuffer};
//!
//! let committer = Committer::new();
//! let mut tree = Tree::new();
//! tree.insert(&[1; 32], [2; 32]);
//! tree.insert(&[3; 32], [4; 32]);
//!
//! // A block that reads one key and writes another, which is new.
//! let mut block = Request::new();
//! block.read(&[1; 32]).write(&[5; 32], [6; 32]).show_absences();
//! let before = tree.commit(&committer);
//! let (root, witness) = (before.root(), before.prove(&block)?.to_ssz()?);
//!
//! // Whoever has the root alone learns the root after the block.
//! let mut scratch = ScratchBuffer::new(100);
//! let mut scratch = scratch.scratch();
//! let verified = Witness::from_ssz(&witness)?.verify(&committer, &root, Mode::Strict, &mut scratch)?;
//! tree.extend(block.writes());
//! assert_eq!(verified.post_root(&committer), tree.commit(&committer).root());
//! # Ok::<(), ProveError>(())
//! ```

mod commit;
mod prove;
mod request;

use alloc::vec::Vec;

use super::tree_key::{Key, split_key};
use super::witness::{Stem, Value};
use super::{Affine, Committer, Compressed, Scalar};
use crate::exec::{Executor, Serial};
pub use prove::ProveError;
pub use request::Request;

/// The tree. What is inserted is committed to when [`commit`](Self::commit) is called: the nodes
/// on the paths of what changed, and no others.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root is the first.
    internals: Vec<Internal>,
    extensions: Vec<Extension>,
}

/// A node by its place in one of the tree's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Child {
    Internal(usize),
    Extension(usize),
}

/// A child and its image that the parent's commitment has: zero until that is first made.
#[derive(Clone, Debug)]
struct Slot {
    index: u8,
    child: Child,
    committed: Scalar,
}

/// An internal node. Its slots ascend.
#[derive(Clone, Debug)]
struct Internal {
    slots: Vec<Slot>,
    node: Commitment,
    /// Something below has changed since the last commitment.
    dirty: bool,
}

/// All keys of a stem. Its leaves ascend.
#[derive(Clone, Debug)]
struct Extension {
    stem: Stem,
    leaves: Vec<Leaf>,
    /// What the leaves that changed since the last commitment were.
    changed: Vec<(u8, Option<Value>)>,
    node: Commitment,
    halves: [Commitment; 2],
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    suffix: u8,
    value: Value,
}

/// A commitment and its image in the scalar field.
#[derive(Clone, Copy, Debug)]
struct Commitment {
    point: Affine,
    image: Scalar,
}

impl Commitment {
    const IDENTITY: Self = Self {
        point: Affine::IDENTITY,
        image: Scalar::ZERO,
    };
}

impl Internal {
    const fn new() -> Self {
        Self {
            slots: Vec::new(),
            node: Commitment::IDENTITY,
            dirty: true,
        }
    }

    fn search(&self, index: u8) -> Result<usize, usize> {
        self.slots.binary_search_by_key(&index, |slot| slot.index)
    }

    fn child(&self, index: u8) -> Option<Child> {
        let place = self.search(index).ok()?;
        Some(self.slots.get(place)?.child)
    }
}

impl Extension {
    const fn new(stem: Stem) -> Self {
        Self {
            stem,
            leaves: Vec::new(),
            changed: Vec::new(),
            node: Commitment::IDENTITY,
            halves: [Commitment::IDENTITY; 2],
        }
    }

    fn get(&self, suffix: u8) -> Option<&Value> {
        let place = self
            .leaves
            .binary_search_by_key(&suffix, |leaf| leaf.suffix);
        place.ok().map(|place| &self.leaves[place].value)
    }

    /// Sets a value and gives the one before.
    fn set(&mut self, suffix: u8, value: Value) -> Option<Value> {
        let place = self
            .leaves
            .binary_search_by_key(&suffix, |leaf| leaf.suffix);
        let before = match place {
            Ok(place) => Some(core::mem::replace(&mut self.leaves[place].value, value)),
            Err(place) => {
                self.leaves.insert(place, Leaf { suffix, value });
                None
            }
        };
        if before != Some(value) && self.changed.iter().all(|(other, _)| *other != suffix) {
            self.changed.push((suffix, before));
        }
        before
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    /// The tree without keys; the commitment of its root is the identity.
    pub fn new() -> Self {
        Self {
            internals: alloc::vec![Internal::new()],
            extensions: Vec::new(),
        }
    }

    /// Sets the value of a key and gives the one before. Nothing is computed yet.
    pub fn insert(&mut self, key: &Key, value: Value) -> Option<Value> {
        let (stem, suffix) = split_key(key);
        let extension = self.extension_for(&stem);
        self.extensions[extension].set(suffix, value)
    }

    /// The extension of a stem, made if there is none; all nodes on its path become dirty.
    ///
    /// Where another stem's extension is in the way it moves down a level, into a new internal
    /// node, until the stems part: within 31 bytes, since they differ.
    fn extension_for(&mut self, stem: &Stem) -> usize {
        let mut node = 0;
        for (depth, &index) in stem.iter().enumerate() {
            self.internals[node].dirty = true;
            let place = match self.internals[node].search(index) {
                Ok(place) => place,
                Err(place) => {
                    let extension = self.extensions.len();
                    self.extensions.push(Extension::new(*stem));
                    let slot = Slot {
                        index,
                        child: Child::Extension(extension),
                        committed: Scalar::ZERO,
                    };
                    self.internals[node].slots.insert(place, slot);
                    return extension;
                }
            };
            node = match self.internals[node].slots[place].child {
                Child::Internal(child) => child,
                Child::Extension(extension) if self.extensions[extension].stem == *stem => {
                    return extension;
                }
                Child::Extension(extension) => self.push_down(node, place, extension, depth + 1),
            };
        }
        // Not reached: the stems part before their end.
        0
    }

    /// Puts a new internal node of path length `length` between a node and an extension below it.
    fn push_down(&mut self, node: usize, place: usize, extension: usize, length: usize) -> usize {
        let mut between = Internal::new();
        if let Some(&index) = self.extensions[extension].stem.get(length) {
            between.slots.push(Slot {
                index,
                child: Child::Extension(extension),
                committed: Scalar::ZERO,
            });
        }
        let id = self.internals.len();
        self.internals.push(between);
        self.internals[node].slots[place].child = Child::Internal(id);
        id
    }

    /// The value of a key.
    pub fn get(&self, key: &Key) -> Option<&Value> {
        let (stem, suffix) = split_key(key);
        match self.locate(&stem).end {
            End::Extension(id) if self.extensions[id].stem == stem => {
                self.extensions[id].get(suffix)
            }
            _ => None,
        }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.extensions.iter().map(|node| node.leaves.len()).sum()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.extensions.is_empty()
    }

    /// How many stems there are.
    pub fn stem_count(&self) -> usize {
        self.extensions.len()
    }

    /// Every key with its value, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Key, &Value)> {
        self.extensions.iter().flat_map(|node| {
            let leaves = node.leaves.iter();
            leaves.map(|leaf| (super::tree_key::key(&node.stem, leaf.suffix), &leaf.value))
        })
    }

    /// Where the path of a stem ends.
    fn locate(&self, stem: &Stem) -> Location {
        let mut passed = alloc::vec![0];
        let mut node = 0;
        for &index in stem {
            let end = match self.internals[node].child(index) {
                Some(Child::Internal(child)) => {
                    passed.push(child);
                    node = child;
                    continue;
                }
                Some(Child::Extension(extension)) => End::Extension(extension),
                None => End::Empty,
            };
            return Location { passed, end };
        }
        // Not reached: no internal node has a path of 31 bytes.
        let end = End::Empty;
        Location { passed, end }
    }

    /// Commits to what changed since the last time, on this thread.
    ///
    /// The commitments of a tree that is new come out much faster with a committer that has a
    /// table. Complexity: a commitment for each node that changed, to as many scalars as changed
    /// in it; one inversion for each 32 nodes of a level.
    pub fn commit<'t>(&'t mut self, committer: &'t Committer<'t>) -> Committed<'t> {
        self.commit_with(&Serial, committer)
    }

    /// As [`commit`](Self::commit), where `exec` shares the nodes of each level.
    pub fn commit_with<'t>(
        &'t mut self,
        exec: &impl Executor,
        committer: &'t Committer<'t>,
    ) -> Committed<'t> {
        self.update(exec, committer);
        Committed {
            tree: self,
            committer,
        }
    }
}

impl FromIterator<(Key, Value)> for Tree {
    fn from_iter<I: IntoIterator<Item = (Key, Value)>>(pairs: I) -> Self {
        let mut tree = Self::new();
        tree.extend(pairs);
        tree
    }
}

impl Extend<(Key, Value)> for Tree {
    fn extend<I: IntoIterator<Item = (Key, Value)>>(&mut self, pairs: I) {
        for (key, value) in pairs {
            self.insert(&key, value);
        }
    }
}

/// The nodes passed on a stem's path, the root first, and what is in the slot at its end. The
/// slot's path is as long as there are nodes.
struct Location {
    passed: Vec<usize>,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Empty,
    Extension(usize),
}

/// A tree all of whose commitments are made.
#[derive(Clone, Copy, Debug)]
pub struct Committed<'t> {
    tree: &'t Tree,
    committer: &'t Committer<'t>,
}

/// A node of a tree, for those who look.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Node<'t> {
    /// Commits to the images of its children.
    Internal {
        /// Its commitment.
        commitment: &'t Affine,
        /// The image of it.
        image: Scalar,
    },
    /// Commits to the stem and the images of its halves.
    Extension {
        /// Its commitment.
        commitment: &'t Affine,
        /// The image of it.
        image: Scalar,
        /// The stem.
        stem: &'t Stem,
        /// The commitments to the values of the suffixes below 128, and of those from 128 on.
        halves: [&'t Affine; 2],
        /// The images of those.
        half_images: [Scalar; 2],
    },
}

impl<'t> Committed<'t> {
    /// The tree.
    pub const fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// The state root: the encoding of the root's commitment.
    pub fn root(&self) -> Compressed {
        self.tree.internals[0].node.point.to_bytes()
    }

    /// The node at a path: a whole stem's extension is at the path where it stands, not below.
    pub fn node(&self, path: &[u8]) -> Option<Node<'t>> {
        let mut at = Child::Internal(0);
        for &index in path {
            let Child::Internal(node) = at else {
                return None;
            };
            at = self.tree.internals[node].child(index)?;
        }
        Some(self.describe(at))
    }

    /// Calls `visit` with the path of every node and the node, in the order of the paths.
    pub fn visit_nodes(&self, mut visit: impl FnMut(&[u8], Node<'t>)) {
        let mut open = alloc::vec![(Vec::new(), Child::Internal(0))];
        while let Some((path, child)) = open.pop() {
            visit(&path, self.describe(child));
            if let Child::Internal(node) = child {
                for slot in self.tree.internals[node].slots.iter().rev() {
                    let mut below = path.clone();
                    below.push(slot.index);
                    open.push((below, slot.child));
                }
            }
        }
    }

    fn describe(&self, child: Child) -> Node<'t> {
        match child {
            Child::Internal(id) => {
                let node = &self.tree.internals[id].node;
                Node::Internal {
                    commitment: &node.point,
                    image: node.image,
                }
            }
            Child::Extension(id) => {
                let extension = &self.tree.extensions[id];
                Node::Extension {
                    commitment: &extension.node.point,
                    image: extension.node.image,
                    stem: &extension.stem,
                    halves: extension.halves.each_ref().map(|half| &half.point),
                    half_images: extension.halves.each_ref().map(|half| half.image),
                }
            }
        }
    }
}
