//! What a cheat can claim whose every opening is true. Going down from the root, which is given, each true opening
//! tells which node of the real tree a listed commitment must be; so no proof is needed to know what would verify.

use alloc::vec::Vec;

use super::*;
use crate::verkle::tree::{Node, Tree};
use crate::verkle::{Committer, Scalar, tree_key};

/// A generator of small choices.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) as usize) % n
    }

    /// Bytes that mean something to an extension or a half, zeros after them: the least stems are numbers that
    /// extensions hold elsewhere.
    fn stem(&mut self) -> Stem {
        let mut stem = [0; 31];
        for byte in &mut stem[..4] {
            *byte = [0, 0, 0, 1, 2, 3, 4, 255][self.below(8)];
        }
        stem
    }

    fn value(&mut self) -> Value {
        let mut value = [0; 32];
        value[0] = self.below(3) as u8;
        value[16] = self.below(3) as u8;
        value
    }
}

const SUFFIXES: [u8; 6] = [0, 1, 2, 127, 128, 255];

/// What a listed commitment really is.
#[derive(Clone, PartialEq, Debug)]
enum Real {
    Internal(Vec<u8>),
    Extension(Stem),
    Half(Stem, bool),
    /// A vector of zeros.
    Nothing,
}

/// What a node really holds: a number, and the node whose image it is.
fn held(tree: &Tree, committer: &Committer<'_>, real: &Real, z: u8) -> (Scalar, Option<Real>) {
    let mut copy = tree.clone();
    let committed = copy.commit(committer);
    match real {
        Real::Nothing => (Scalar::ZERO, None),
        Real::Internal(path) => {
            let mut below = path.clone();
            below.push(z);
            match committed.node(&below) {
                None => (Scalar::ZERO, None),
                Some(Node::Internal { image, .. }) => (image, Some(Real::Internal(below))),
                Some(Node::Extension { image, stem, .. }) => (image, Some(Real::Extension(*stem))),
            }
        }
        Real::Extension(stem) => match z {
            0 => (Scalar::ONE, None),
            1 => (stem_scalar(stem), None),
            2 | 3 => {
                let mut found = Scalar::ZERO;
                committed.visit_nodes(|_, node| match node {
                    Node::Extension {
                        stem: this,
                        half_images,
                        ..
                    } if this == stem => {
                        found = half_images[usize::from(z - 2)];
                    }
                    _ => {}
                });
                (found, Some(Real::Half(*stem, z == 3)))
            }
            _ => (Scalar::ZERO, None),
        },
        Real::Half(stem, high) => {
            let key = tree_key::key(stem, z / 2 + 128 * u8::from(*high));
            let parts = tree.get(&key).map_or([Scalar::ZERO; 2], halves);
            (parts[usize::from(z % 2)], None)
        }
    }
}

/// The nodes and their images if every opening is true.
fn truth(checked: &Checked<'_>, tree: &Tree, committer: &Committer<'_>) -> Option<Vec<Scalar>> {
    let mut reals: Vec<Option<Real>> = alloc::vec![None; checked.shape().nodes];
    let mut images = alloc::vec![Scalar::ZERO; checked.shape().nodes];
    reals[0] = Some(Real::Internal(Vec::new()));
    let done = checked.openings(|opening| {
        let real = reals[opening.node].clone().ok_or(())?;
        let half = matches!(opening.kind, NodeKind::LowHalf | NodeKind::HighHalf);
        if real == Real::Nothing && !half {
            return Err(());
        }
        let (number, node) = held(tree, committer, &real, opening.z);
        let claimed = match opening.entry {
            Entry::Zero => Scalar::ZERO,
            Entry::One => Scalar::ONE,
            Entry::Stem(stem) => stem_scalar(stem),
            Entry::Low(value) => halves(value)[0],
            Entry::High(value) => halves(value)[1],
            Entry::Child(child) => {
                // Zero is the image of no vector known but that of zeros.
                let known = if number == Scalar::ZERO {
                    Some(Real::Nothing)
                } else {
                    node
                };
                reals[child] = Some(known.ok_or(())?);
                images[child] = number;
                number
            }
        };
        if claimed == number { Ok(()) } else { Err(()) }
    });
    done.ok().map(|()| images)
}

/// A claim about some stems, true or not.
fn claim(random: &mut Random, tree: &Tree, stems: &[Stem]) -> OwnedWitness {
    let near = |random: &mut Random| {
        let mut stem = stems[random.below(stems.len())];
        if random.below(2) == 0 {
            let place = random.below(5);
            stem[place] = [0, 1, 2, 3, 4, 5, 255][random.below(7)];
        }
        stem
    };
    let mut asked: Vec<Stem> = (0..=random.below(4)).map(|_| near(random)).collect();
    asked.sort_unstable();
    asked.dedup();
    let mut depths = Vec::new();
    let mut depth = 1 + random.below(5) as u8;
    let mut diffs = Vec::new();
    for stem in &asked {
        if random.below(3) > 0 {
            depth = 1 + random.below(5) as u8;
        }
        let status = random.below(3) as u8;
        depths.push(depth << 3 | status);
        let mut suffixes: Vec<u8> = (0..=random.below(3))
            .map(|_| SUFFIXES[random.below(6)])
            .collect();
        suffixes.sort_unstable();
        suffixes.dedup();
        let keys = suffixes.iter().map(|&suffix| OwnedSuffixDiff {
            suffix,
            current_value: if status != 2 {
                None
            } else if random.below(4) > 0 {
                tree.get(&tree_key::key(stem, suffix)).copied()
            } else {
                (random.below(2) == 0).then(|| random.value())
            },
            new_value: None,
        });
        diffs.push(OwnedStemDiff {
            stem: *stem,
            suffix_diffs: keys.collect(),
        });
    }
    OwnedWitness {
        other_stems: other_stems(stems, &asked, &depths),
        state_diff: diffs,
        depth_extension_present: depths,
        commitments_by_path: Vec::new(),
        proof: OwnedProof::from_multiproof(&[0; 576]),
    }
}

/// For each group without a present stem that says other, some stem with the right beginning.
fn other_stems(stems: &[Stem], asked: &[Stem], depths: &[u8]) -> Vec<Stem> {
    let mut others = Vec::new();
    let mut start = 0;
    while start < asked.len() {
        let depth = usize::from(depths[start] >> 3);
        let mut end = start + 1;
        while end < asked.len() && structure::shared(&asked[end - 1], &asked[end]) >= depth {
            end += 1;
        }
        let is = |status: u8| depths[start..end].iter().any(|byte| byte & 7 == status);
        if is(1) && !is(2) {
            let fitting = stems
                .iter()
                .find(|stem| structure::shared(stem, &asked[start]) >= depth);
            let mut other = asked[start];
            other[5] ^= 1;
            others.push(fitting.copied().unwrap_or(other));
        }
        start = end;
    }
    others
}

/// How many claims came out in which way.
#[derive(Default)]
struct Counts {
    present: usize,
    shown: usize,
    false_but_unshown: usize,
}

/// Holds a claim whose openings are all true against the tree.
fn judge(
    counts: &mut Counts,
    checked: &Checked<'_>,
    images: &[Scalar],
    tree: &Tree,
    stems: &[Stem],
) {
    let mut unshown = Vec::new();
    checked.for_each_unshown(images, |stem| unshown.push(stem));
    for (i, diff) in checked.witness().stem_diffs().enumerate() {
        let there = stems.contains(diff.stem());
        if checked.witness().status(i) == Status::Present {
            assert!(there, "{checked:x?}");
            for key in diff.suffix_diffs() {
                let value = tree.get(&tree_key::key(diff.stem(), key.suffix));
                assert_eq!(value, key.current_value, "{checked:x?}");
            }
            counts.present += 1;
        } else if unshown.contains(&i) {
            counts.false_but_unshown += usize::from(there);
        } else {
            assert!(!there, "{checked:x?}");
            counts.shown += 1;
        }
    }
}

/// A small tree, and its stems.
fn planted(random: &mut Random) -> (Tree, Vec<Stem>) {
    let stems: Vec<Stem> = (0..=random.below(5)).map(|_| random.stem()).collect();
    let mut tree = Tree::new();
    for stem in &stems {
        for _ in 0..=random.below(3) {
            let key = tree_key::key(stem, SUFFIXES[random.below(6)]);
            tree.insert(&key, random.value());
        }
    }
    (tree, stems)
}

/// Values and presence are as claimed, and so is every absence that counts as shown. Of the others some are false:
/// that is why they are counted.
#[test]
fn what_verifies_is_so_or_is_counted() {
    let committer = Committer::new();
    let mut random = Random(1);
    let mut counts = Counts::default();
    for _ in 0..30 {
        let (mut tree, stems) = planted(&mut random);
        let _ = tree.commit(&committer);
        for _ in 0..15_000 {
            let mut owned = claim(&mut random, &tree, &stems);
            let ssz = owned.to_ssz().unwrap();
            let verdict = Witness::from_ssz(&ssz).unwrap().check();
            if let Err(WitnessError::CommitmentCount { expected, .. }) = verdict {
                // What they are is told by the openings.
                owned.commitments_by_path = alloc::vec![[1; 32]; expected];
            }
            let ssz = owned.to_ssz().unwrap();
            if let Ok(checked) = Witness::from_ssz(&ssz).unwrap().check()
                && let Some(images) = truth(&checked, &tree, &committer)
            {
                judge(&mut counts, &checked, &images, &tree, &stems);
            }
        }
    }
    assert!(counts.present > 1000 && counts.shown > 1000 && counts.false_but_unshown > 100);
}
