//! The walk in constant memory gives the openings that a table of all nodes gives.
#![cfg(all(feature = "verkle", feature = "alloc"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_alloc)]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use lightproof::verkle::witness::{
    Entry, NodeKind, OwnedProof, OwnedStemDiff, OwnedSuffixDiff, OwnedWitness, Status, Stem,
    Witness,
};
use proptest::prelude::*;

/// What a node holds, children by their paths.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Held {
    Zero,
    One,
    Child(Vec<u8>),
    Stem(Stem),
    Low([u8; 32]),
    High([u8; 32]),
}

type Nodes = BTreeMap<Vec<u8>, (NodeKind, BTreeMap<u8, Held>)>;

/// Where a stem ends in the tree of `stems`, and what is there.
fn locate(stems: &BTreeSet<Stem>, stem: &Stem) -> (usize, Status, Option<Stem>) {
    for depth in 1..=31 {
        let below: Vec<_> = stems
            .iter()
            .filter(|s| s[..depth] == stem[..depth])
            .collect();
        match below[..] {
            [] => return (depth, Status::Empty, None),
            [found] if found == stem => return (depth, Status::Present, Some(*stem)),
            [found] => return (depth, Status::Other, Some(*found)),
            _ => {}
        }
    }
    panic!("a stem is in the tree twice");
}

/// The value of a key of the tree; every third key of a stem is absent.
fn value(suffix: u8) -> Option<[u8; 32]> {
    (!suffix.is_multiple_of(3)).then(|| core::array::from_fn(|i| suffix.wrapping_mul(31) ^ i as u8))
}

/// The witness of these keys, its points left zero, and its nodes as a table.
fn build(tree: &BTreeSet<Stem>, keys: &BTreeMap<Stem, BTreeSet<u8>>) -> (OwnedWitness, Nodes) {
    let mut nodes = Nodes::new();
    let mut witness = OwnedWitness {
        state_diff: Vec::new(),
        other_stems: Vec::new(),
        depth_extension_present: Vec::new(),
        commitments_by_path: Vec::new(),
        proof: OwnedProof::from_multiproof(&[0; 576]),
    };
    let present: BTreeSet<_> = keys
        .keys()
        .filter(|stem| locate(tree, stem).1 == Status::Present)
        .collect();
    for (stem, suffixes) in keys {
        let (depth, status, extension) = locate(tree, stem);
        witness
            .depth_extension_present
            .push((depth as u8) << 3 | status.to_byte());
        let here = status == Status::Present;
        let diff = |suffix: &u8| OwnedSuffixDiff {
            suffix: *suffix,
            current_value: value(*suffix).filter(|_| here),
            new_value: None,
        };
        let suffix_diffs: Vec<_> = suffixes.iter().map(diff).collect();
        for length in 0..depth {
            let (_, held) = nodes
                .entry(stem[..length].to_vec())
                .or_insert((NodeKind::Internal, BTreeMap::new()));
            let child = match extension {
                None if length + 1 == depth => Held::Zero,
                _ => Held::Child(stem[..=length].to_vec()),
            };
            held.insert(stem[length], child);
        }
        if let Some(extension) = extension {
            if status == Status::Other
                && !present.contains(&extension)
                && witness.other_stems.last() != Some(&extension)
            {
                witness.other_stems.push(extension);
            }
            let path = stem[..depth].to_vec();
            let (_, held) = nodes
                .entry(path.clone())
                .or_insert((NodeKind::Extension, BTreeMap::new()));
            held.extend([(0, Held::One), (1, Held::Stem(extension))]);
            if here {
                add_halves(&mut nodes, &path, &suffix_diffs);
            }
        }
        witness.state_diff.push(OwnedStemDiff {
            stem: *stem,
            suffix_diffs,
        });
    }
    witness.commitments_by_path = vec![[0; 32]; nodes.len() - 1];
    (witness, nodes)
}

fn add_halves(nodes: &mut Nodes, path: &[u8], diffs: &[OwnedSuffixDiff]) {
    for diff in diffs {
        let (index, kind) = match diff.suffix {
            0..128 => (2, NodeKind::LowHalf),
            128.. => (3, NodeKind::HighHalf),
        };
        let half = [path, &[index]].concat();
        nodes
            .get_mut(path)
            .unwrap()
            .1
            .insert(index, Held::Child(half.clone()));
        let (_, held) = nodes.entry(half).or_insert((kind, BTreeMap::new()));
        let z = 2 * (diff.suffix % 128);
        held.insert(z, diff.current_value.map_or(Held::Zero, Held::Low));
        held.insert(z + 1, diff.current_value.map_or(Held::Zero, Held::High));
    }
}

fn check(tree: &BTreeSet<Stem>, keys: &BTreeMap<Stem, BTreeSet<u8>>) {
    let (witness, nodes) = build(tree, keys);
    let ssz = witness.to_ssz().unwrap();
    let checked = Witness::from_ssz(&ssz).unwrap().check().unwrap();
    let paths: Vec<_> = nodes.keys().collect();
    let place = |path: &Vec<u8>| paths.binary_search(&path).unwrap();
    let mut expected = nodes
        .iter()
        .flat_map(|(path, (kind, held))| held.iter().map(move |(z, held)| (path, *kind, *z, held)));
    let mut count = 0;
    let walked: Result<(), ()> = checked.openings(|opening| {
        let (path, kind, z, held) = expected.next().expect("no more openings");
        assert_eq!(
            (opening.node, opening.kind, opening.z),
            (place(path), kind, z)
        );
        assert!(path.starts_with(&opening.stem[..opening.depth]));
        let entry = match held {
            Held::Zero => Entry::Zero,
            Held::One => Entry::One,
            Held::Child(child) => Entry::Child(place(child)),
            Held::Stem(stem) => Entry::Stem(stem),
            Held::Low(value) => Entry::Low(value),
            Held::High(value) => Entry::High(value),
        };
        assert_eq!(opening.entry, entry);
        if kind == NodeKind::Internal {
            let below = keys
                .keys()
                .enumerate()
                .filter(|(_, stem)| stem.starts_with(path) && stem[path.len()] == z);
            let below: Vec<_> = below.map(|(i, _)| i).collect();
            assert_eq!(
                (opening.first_stem..opening.end_stem).collect::<Vec<_>>(),
                below
            );
        }
        count += 1;
        Ok(())
    });
    assert!(walked.is_ok() && expected.next().is_none());
    let shape = checked.shape();
    assert_eq!((shape.nodes, shape.openings), (nodes.len(), count));
    assert_eq!(shape.keys, keys.values().map(BTreeSet::len).sum::<usize>());
}

/// Stems that share prefixes of all lengths, of few different bytes.
fn stem() -> impl Strategy<Value = Stem> {
    let byte = prop::sample::select(vec![0u8, 0, 1, 2, 3, 255]);
    (0..31usize, prop::collection::vec(byte, 4)).prop_map(|(at, bytes)| {
        let mut stem = [0; 31];
        for (slot, byte) in stem[at..].iter_mut().zip(bytes) {
            *slot = byte;
        }
        stem
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: u32::try_from(common::scaled(2000)).unwrap_or(u32::MAX),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn openings_are_those_of_the_table(
        tree in prop::collection::btree_set(stem(), 0..24),
        asked in prop::collection::btree_map(
            stem(), prop::collection::btree_set(any::<u8>(), 1..5), 1..24),
        known in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::collection::btree_set(any::<u8>(), 1..5)), 0..6),
    ) {
        let mut keys = asked;
        let stems: Vec<_> = tree.iter().collect();
        for (at, suffixes) in known {
            if !stems.is_empty() {
                keys.insert(*stems[at.index(stems.len())], suffixes);
            }
        }
        check(&tree, &keys);
    }
}
