//! What a witness is to speak of.

use alloc::collections::BTreeMap;

use crate::verkle::tree_key::Key;
use crate::verkle::witness::Value;

/// The keys that a block reads and writes: what a [witness](super::Committed::prove) is made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    pub(super) keys: BTreeMap<Key, Option<Value>>,
    pub(super) show_absences: bool,
}

impl Request {
    /// No key.
    pub const fn new() -> Self {
        Self {
            keys: BTreeMap::new(),
            show_absences: false,
        }
    }

    /// A key whose value before the block is needed. Keys may come in any order and repeat.
    pub fn read(&mut self, key: &Key) -> &mut Self {
        self.keys.entry(*key).or_insert(None);
        self
    }

    /// A key that the block sets to `value`. If it is set several times, the last counts.
    pub fn write(&mut self, key: &Key, value: Value) -> &mut Self {
        self.keys.insert(*key, Some(value));
        self
    }

    /// Adds keys until the witness shows every absence that it claims: below a node with an empty
    /// slot, one key that is there. Such a witness is accepted in
    /// [strict mode](crate::verkle::witness::Mode::Strict); its form is the usual one.
    pub const fn show_absences(&mut self) -> &mut Self {
        self.show_absences = true;
        self
    }

    /// The keys written and their new values, in order: [`Extend`] the tree with them to have it
    /// after the block.
    pub fn writes(&self) -> impl Iterator<Item = (Key, Value)> {
        let keys = self.keys.iter();
        keys.filter_map(|(key, value)| Some((*key, (*value)?)))
    }
}
