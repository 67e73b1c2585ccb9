//! Which absences a witness shows, and which it only claims.

use super::Status;
use super::ssz::Witness;
use super::structure::shared;
use super::walk::{Entry, NodeKind, Opening};

/// Which *empty* slots lie in nodes that are shown to be internal.
///
/// Nothing in the format says that a node claimed to be internal is one, and an extension holds 0 from index 4
/// on; so an empty slot in a node of unknown kind proves no absence. The root is internal. Another node is shown
/// to be internal when its parent is, and one of its own openings contradicts the form of an extension:
///
/// - index 0 holds something other than 1, or
/// - index 1 holds no number of a stem that begins with the node's path, or
/// - an index from 4 on does not hold 0, or
/// - an extension lies below index 2 or 3: below a half there is none.
///
/// Fed with the openings in their order; keeps one bit a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    /// Bit m: the node of length m on the current path is shown to be internal.
    shown: u32,
    /// The node whose openings are coming, its length, and the stems below it.
    node: Option<(usize, usize)>,
    contradicts: bool,
    stems: (usize, usize),
}

impl Evidence {
    pub(super) const fn new() -> Self {
        Self {
            shown: 0,
            node: None,
            contradicts: false,
            stems: (0, 0),
        }
    }

    /// Takes the next opening. `image(k)` is the image of node k's commitment, 32 bytes little-endian; `unshown`
    /// is called with each stem whose absence is left unshown.
    pub(super) fn opening(
        &mut self,
        witness: &Witness<'_>,
        opening: &Opening<'_>,
        image: impl Fn(usize) -> [u8; 32],
        unshown: impl FnMut(usize),
    ) {
        if opening.kind != NodeKind::Internal {
            return;
        }
        if self.node != Some((opening.node, opening.depth)) {
            self.close(witness, unshown);
            self.node = Some((opening.node, opening.depth));
            self.contradicts = opening.depth == 0;
            self.stems.0 = opening.first_stem;
        }
        self.stems.1 = opening.end_stem;
        self.contradicts |= contradicts_extension(witness, opening, image);
    }

    /// Settles the last node; to be called after the last opening, too.
    pub(super) fn close(&mut self, witness: &Witness<'_>, unshown: impl FnMut(usize)) {
        let Some((_, length)) = self.node.take() else {
            return;
        };
        let parent = length == 0 || self.shown & (1 << (length - 1)) != 0;
        if parent && self.contradicts {
            self.shown |= 1 << length;
        } else {
            self.shown &= !(1 << length);
            let ends_here =
                |&i: &usize| witness.status(i) == Status::Empty && witness.depth(i) == length + 1;
            (self.stems.0..self.stems.1)
                .filter(ends_here)
                .for_each(unshown);
        }
    }
}

/// Whether an extension could not hold what this opening of an internal node says.
fn contradicts_extension(
    witness: &Witness<'_>,
    opening: &Opening<'_>,
    image: impl Fn(usize) -> [u8; 32],
) -> bool {
    let held = match opening.entry {
        Entry::Child(child) => image(child),
        _ => [0; 32],
    };
    match opening.z {
        0 => held
            .iter()
            .enumerate()
            .any(|(i, &byte)| byte != u8::from(i == 0)),
        1 => {
            let [stem @ .., top] = &held;
            *top != 0 || shared(stem, opening.stem) < opening.depth
        }
        2 | 3 => {
            let extension = |i| witness.status(i) != Status::Empty;
            (opening.first_stem..opening.end_stem).any(extension)
        }
        _ => held != [0; 32],
    }
}
