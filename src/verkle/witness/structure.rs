//! What can be checked of a witness without any cryptography: garbage costs only comparisons.

use core::ops::Range;

use super::error::WitnessError;
use super::ssz::Witness;
use super::{Status, Stem};

/// What a checked witness speaks of, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Stems asked for.
    pub stems: usize,
    /// Keys asked for.
    pub keys: usize,
    /// Nodes of the partial tree, the root counted: one more than there are commitments.
    pub nodes: usize,
    /// Openings that the multiproof proves.
    pub openings: usize,
    /// Stems that are in the tree.
    pub present: usize,
    /// Stems whose place is empty.
    pub absent_empty: usize,
    /// Stems in whose place another stem is.
    pub absent_other: usize,
    /// Length of the longest path.
    pub max_depth: u8,
    /// Keys written.
    pub writes: usize,
}

/// A witness whose structure holds: stems and suffixes ascend, all claims about the shape of the tree fit
/// together, and every commitment has its place. What it claims is not proven yet.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'a> {
    pub(super) witness: Witness<'a>,
    pub(super) shape: Shape,
}

/// The stems that end in one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group<'a> {
    /// First stem, and how many bytes it shares with the one before it.
    pub(super) first: usize,
    pub(super) shared: usize,
    /// One past the last stem.
    pub(super) end: usize,
    /// Length of the path to the slot.
    pub(super) depth: usize,
    /// The stem that is in the tree.
    pub(super) present: Option<usize>,
    /// The stem of the extension in the slot.
    pub(super) extension: Option<&'a Stem>,
}

impl Group<'_> {
    /// Internal nodes that the first stem adds: those below the path shared, above the slot.
    pub(super) fn internals(&self) -> usize {
        (self.depth - 1).saturating_sub(self.shared)
    }

    pub(super) fn stems(&self) -> Range<usize> {
        self.first..self.end
    }
}

impl<'a> Witness<'a> {
    /// Checks the structure: fourteen rules, in the order of [`WitnessError`]'s variants.
    ///
    /// At most 31 byte comparisons a stem and a few a key; no memory.
    ///
    /// # Errors
    /// The first rule broken and where.
    pub fn check(&self) -> Result<Checked<'a>, WitnessError> {
        if self.stem_count() == 0 {
            return Err(WitnessError::EmptyWitness);
        }
        self.check_stems()?;
        self.check_suffixes()?;
        self.check_depths()?;
        self.check_absent()?;
        self.check_paths()?;
        self.check_others()?;
        let shape = self.count();
        if shape.nodes - 1 != self.commitments().len() {
            return Err(WitnessError::CommitmentCount {
                expected: shape.nodes - 1,
                got: self.commitments().len(),
            });
        }
        Ok(Checked {
            witness: *self,
            shape,
        })
    }

    fn check_stems(&self) -> Result<(), WitnessError> {
        for stem in 1..self.stem_count() {
            if self.stem(stem - 1) >= self.stem(stem) {
                return Err(WitnessError::StemsNotAscending { stem });
            }
        }
        Ok(())
    }

    fn check_suffixes(&self) -> Result<(), WitnessError> {
        if let Some(stem) = self.stem_diffs().position(|diff| diff.suffix_count() == 0) {
            return Err(WitnessError::EmptySuffixList { stem });
        }
        for (stem, diff) in self.stem_diffs().enumerate() {
            let mut before = None;
            for (suffix, key) in diff.suffix_diffs().enumerate() {
                if before >= Some(key.suffix) {
                    return Err(WitnessError::SuffixesNotAscending { stem, suffix });
                }
                before = Some(key.suffix);
            }
        }
        Ok(())
    }

    fn check_depths(&self) -> Result<(), WitnessError> {
        let (stems, bytes) = (self.stem_count(), self.depth_bytes());
        if stems != bytes.len() {
            return Err(WitnessError::DepthCount {
                stems,
                bytes: bytes.len(),
            });
        }
        for (stem, &byte) in bytes.iter().enumerate() {
            if Status::from_byte(byte).is_none() {
                return Err(WitnessError::BadStatus { stem, byte });
            }
        }
        for (stem, &byte) in bytes.iter().enumerate() {
            let depth = byte >> 3;
            // Two stems that share 31 bytes are the same, so at depth 31 no other stem has room.
            let other = Status::from_byte(byte) == Some(Status::Other);
            if depth == 0 || (other && depth == 31) {
                return Err(WitnessError::BadDepth { stem, depth });
            }
        }
        Ok(())
    }

    fn check_absent(&self) -> Result<(), WitnessError> {
        for (stem, diff) in self.stem_diffs().enumerate() {
            if self.status(stem) != Status::Present {
                let mut keys = diff.suffix_diffs();
                if let Some(suffix) = keys.position(|key| key.current_value.is_some()) {
                    return Err(WitnessError::AbsentWithValue { stem, suffix });
                }
            }
        }
        Ok(())
    }

    /// Neighbours suffice: stems ascend, so whatever two stems share all between them share too.
    fn check_paths(&self) -> Result<(), WitnessError> {
        let mut present = self.status(0) == Status::Present;
        for stem in 1..self.stem_count() {
            let (status, before) = (self.status(stem), self.status(stem - 1));
            let (depth, depth_before) = (self.depth(stem), self.depth(stem - 1));
            if depth.min(depth_before) > self.shared(stem) {
                present = status == Status::Present;
                continue;
            }
            let mixed = (status == Status::Empty) != (before == Status::Empty);
            let second = present && status == Status::Present;
            if depth != depth_before || mixed || second {
                return Err(WitnessError::PathConflict { stem });
            }
            present |= status == Status::Present;
        }
        Ok(())
    }

    /// Each group that needs another stem takes the next one; none may be left.
    fn check_others(&self) -> Result<(), WitnessError> {
        let mut others = self.other_stems().iter().enumerate();
        for group in self.groups() {
            if group.present.is_some() || self.status(group.first) != Status::Other {
                continue;
            }
            let missing = WitnessError::OtherStemMissing { stem: group.first };
            let (index, other) = others.next().ok_or(missing)?;
            if shared(self.stem(group.first), other) < group.depth {
                return Err(WitnessError::OtherStemPrefix {
                    index,
                    stem: group.first,
                });
            }
            if let Some(stem) = group.stems().find(|&i| self.stem(i) == other) {
                return Err(WitnessError::OtherStemSelf { index, stem });
            }
        }
        match others.next() {
            Some((index, _)) => Err(WitnessError::OtherStemUnused { index }),
            None => Ok(()),
        }
    }

    /// Counts what the stems and depth bytes imply; the checks before must have passed.
    fn count(&self) -> Shape {
        let mut shape = Shape {
            stems: self.stem_count(),
            nodes: 1,
            ..Shape::default()
        };
        for group in self.groups() {
            shape.nodes += group.internals();
            // One slot of each node on the way: of the node where this path leaves the one before it, and of
            // each node added.
            shape.openings += group.internals() + 1;
            if group.extension.is_some() {
                shape.nodes += 1;
                shape.openings += 2;
            }
            if let Some(present) = group.present {
                let halves = self.halves(present);
                shape.nodes += halves.count();
                shape.openings += halves.count() + 2 * self.diff(present).suffix_count();
            }
            shape.max_depth = shape.max_depth.max(self.depth_bytes()[group.first] >> 3);
        }
        for (stem, diff) in self.stem_diffs().enumerate() {
            shape.keys += diff.suffix_count();
            shape.writes += diff
                .suffix_diffs()
                .filter(|key| key.new_value.is_some())
                .count();
            match self.status(stem) {
                Status::Empty => shape.absent_empty += 1,
                Status::Other => shape.absent_other += 1,
                Status::Present => shape.present += 1,
            }
        }
        shape
    }

    /// Status of stem `i`, once the depth bytes are checked.
    pub(super) fn status(&self, i: usize) -> Status {
        self.depth_status(i)
            .map_or(Status::Empty, |(_, status)| status)
    }

    /// Depth of stem `i`, once the depth bytes are checked: 1..=31.
    pub(super) fn depth(&self, i: usize) -> usize {
        self.depth_bytes()
            .get(i)
            .map_or(1, |byte| usize::from(byte >> 3).max(1))
    }

    /// How many leading bytes stem `i` shares with the stem before it; 0 for the first.
    pub(super) fn shared(&self, i: usize) -> usize {
        if i == 0 {
            0
        } else {
            shared(self.stem(i - 1), self.stem(i))
        }
    }

    /// The halves of a present stem that are nodes: those of which a key is asked.
    pub(super) fn halves(&self, i: usize) -> Halves {
        let mut keys = self.diff(i).suffix_diffs();
        let (first, last) = (keys.next(), keys.next_back());
        let last = last.or(first);
        Halves {
            low: first.is_some_and(|key| key.suffix < 128),
            high: last.is_some_and(|key| key.suffix >= 128),
        }
    }

    /// The groups in their order.
    pub(super) fn groups(&self) -> Groups<'a> {
        Groups {
            witness: *self,
            next: 0,
            others: 0,
        }
    }
}

/// Which halves of an extension are nodes of the partial tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Halves {
    pub(super) low: bool,
    pub(super) high: bool,
}

impl Halves {
    pub(super) fn count(self) -> usize {
        usize::from(self.low) + usize::from(self.high)
    }
}

/// Iterator over the groups of a witness; constant memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Groups<'a> {
    witness: Witness<'a>,
    next: usize,
    others: usize,
}

impl<'a> Groups<'a> {
    pub(super) const fn witness(&self) -> Witness<'a> {
        self.witness
    }
}

impl<'a> Iterator for Groups<'a> {
    type Item = Group<'a>;

    fn next(&mut self) -> Option<Group<'a>> {
        let (witness, first) = (&self.witness, self.next);
        if first >= witness.stem_count() {
            return None;
        }
        let depth = witness.depth(first);
        let ends = |&i: &usize| witness.shared(i) < depth;
        let end = (first + 1..witness.stem_count())
            .find(ends)
            .unwrap_or(witness.stem_count());
        let present = (first..end).find(|&i| witness.status(i) == Status::Present);
        let extension = match present {
            Some(i) => Some(witness.stem(i)),
            None if witness.status(first) == Status::Empty => None,
            None => {
                self.others += 1;
                witness.other_stems().get(self.others - 1)
            }
        };
        self.next = end;
        Some(Group {
            first,
            shared: witness.shared(first),
            end,
            depth,
            present,
            extension,
        })
    }
}

/// How many leading bytes two stems share.
pub(super) fn shared(a: &Stem, b: &Stem) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

impl<'a> Checked<'a> {
    /// The witness.
    #[must_use]
    pub const fn witness(&self) -> &Witness<'a> {
        &self.witness
    }

    /// What it speaks of, counted.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }
}
