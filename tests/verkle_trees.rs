//! Tree vectors: tree keys, the root and every node of trees, proofs that our prover makes.
//!
//! Every file below the vector roots is looked at; the claims of witnesses are another runner's.
#![cfg(all(feature = "verkle", feature = "serde"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_alloc)]

mod common;

use std::path::{Path, PathBuf};

use common::{Counts, hex, hex_array, list, members, number, scaled, text, to_hex};
use lightproof::exec::Threads;
use lightproof::verkle::tree::{Committed, Node, ProveError, Request, Tree};
use lightproof::verkle::tree_key::{self, AccountKeys, Key, Position};
use lightproof::verkle::witness::json::{self, Leniency};
use lightproof::verkle::witness::{Mode, OwnedWitness, Status, Witness, WitnessError};
use lightproof::verkle::{Affine, Committer, Scalar, ScratchBuffer};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn files() -> Vec<PathBuf> {
    let mut out = common::files("verkle-witness", "json");
    out.extend(common::files("verkle-witness", "jsonl"));
    out
}

/// The records of a file: a list, or an object a line.
fn records(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let parsed: serde_json::Result<Vec<Value>> = if path
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        serde_json::from_str::<Value>(&text).map(|doc| match doc {
            Value::Array(records) => records,
            doc => vec![doc],
        })
    } else {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines.map(serde_json::from_str).collect()
    };
    parsed.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn has(record: &Value, members: &[&str]) -> bool {
    members.iter().all(|member| record.get(member).is_some())
}

/// Runs `each` on every record that has all `members` and none of `without`.
fn run(
    counts: &mut Counts,
    kind: &str,
    with: &[&str],
    without: &[&str],
    each: impl Fn(&Value, &mut Counts),
) {
    for path in files() {
        for (i, record) in records(&path).iter().enumerate() {
            if has(record, with) && !without.iter().any(|member| has(record, &[member])) {
                let name = record["id"].as_str().unwrap_or("");
                let run = core::panic::AssertUnwindSafe(|| each(record, counts));
                let result = std::panic::catch_unwind(run);
                assert!(result.is_ok(), "{kind}: {} {i} {name}", path.display());
            }
        }
    }
}

/// Little-endian bytes of a number in hexadecimal digits, any number of them.
fn number_le(digits: &str) -> [u8; 32] {
    let mut bytes = number_be(digits);
    bytes.reverse();
    bytes
}

fn number_be(digits: &str) -> [u8; 32] {
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    hex_array(&format!("{digits:0>64}"))
}

fn tree_key(committer: &Committer<'_>, record: &Value) {
    let address = hex_array(text(record, "address32"));
    let keys = AccountKeys::from_address32(committer, &address);
    let position = match text(record, "kind") {
        "raw" => Position {
            tree_index: number_le(text(record, "index")),
            sub_index: u8::try_from(record["sub"].as_u64().unwrap_or(0)).unwrap(),
        },
        "header" => Position::header(u8::try_from(number(record, "leaf")).unwrap()),
        "storage" => Position::storage(&number_be(text(record, "slot"))),
        "code" => Position::code_chunk(record["chunk"].as_u64().unwrap()),
        kind => panic!("a tree key of no known kind: {kind}"),
    };
    assert_eq!(position.tree_index, number_le(text(record, "tree_index")));
    assert_eq!(usize::from(position.sub_index), number(record, "sub_index"));
    let commitment = keys.commitment(&position.tree_index);
    assert_eq!(commitment.to_bytes(), hex_array(text(record, "commitment")));
    let hash = tree_key::tree_key_hash(committer, &address, &position.tree_index);
    assert_eq!(hash, hex_array(text(record, "hash")));
    assert_eq!(keys.key(&position), hex_array(text(record, "key")));
}

#[test]
fn tree_keys() {
    let committer = Committer::new();
    let mut counts = Counts::default();
    run(
        &mut counts,
        "treekeys",
        &["kind", "address32"],
        &[],
        |record, counts| {
            tree_key(&committer, record);
            counts.add(&format!("treekeys {}", text(record, "kind")));
        },
    );
    for (path, doc) in common::verkle_documents(&["rust_ffi"]) {
        for (_, member) in members(&doc).filter(|(name, _)| *name == "tree_key") {
            for case in list(&member["cases"]) {
                let address = hex_array(text(case, "address32"));
                let index = hex_array(text(case, "tree_index_le"));
                let hash = tree_key::tree_key_hash(&committer, &address, &index);
                assert_eq!(to_hex(&hash), text(case, "key_hash"), "{}", path.display());
                let position = Position {
                    tree_index: index,
                    sub_index: u8::try_from(number(case, "sub_index")).unwrap(),
                };
                let keys = AccountKeys::from_address32(&committer, &address);
                assert_eq!(to_hex(&keys.key(&position)), text(case, "tree_key"));
                counts.add("rust_ffi tree_key");
            }
        }
    }
    counts.print("tree keys");
}

/// The keys and values of a record, in the order of their insertion.
fn pairs(record: &Value) -> Vec<(Key, [u8; 32])> {
    if let Some(pairs) = record.get("kv") {
        let word = |value: &Value| hex_array(value.as_str().unwrap());
        let pairs = list(pairs).iter();
        return pairs.map(|pair| (word(&pair[0]), word(&pair[1]))).collect();
    }
    let spec = &record["gen"];
    let seed = hex(text(spec, "seed"));
    let h = |label: &str, i: usize| -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(&seed);
        hash.update(label.as_bytes());
        hash.update(u32::try_from(i).unwrap().to_le_bytes());
        hash.finalize().into()
    };
    let shape = text(spec, "shape");
    let key = |i: usize| {
        let mut key = h("k", i);
        match shape {
            "uniform" => {}
            "stems" => {
                key[..31].copy_from_slice(&h("s", i / 40)[..31]);
                key[31] = u8::try_from((i % 40) * 7 % 256).unwrap();
            }
            "crowded" => {
                key[0] &= 3;
                key[1] &= 7;
            }
            "deep" => {
                let (p, c) = (h("p", i / 5), (i % 5) * 6);
                key[..c].copy_from_slice(&p[..c]);
                key[c] = p[c] ^ (1 + u8::try_from(i % 5).unwrap());
            }
            shape => panic!("keys of no known shape: {shape}"),
        }
        key
    };
    (0..number(spec, "n"))
        .map(|i| (key(i), h("v", i)))
        .collect()
}

fn scalar_hex(scalar: &Scalar) -> String {
    format!("0x{}", to_hex(&scalar.to_le_bytes()))
}

fn point_hex(point: &Affine) -> String {
    format!("0x{}", to_hex(&point.to_bytes()))
}

/// The nodes as the vectors list them.
fn describe(tree: &Committed<'_>) -> Vec<Value> {
    let mut out = Vec::new();
    tree.visit_nodes(|path, node| {
        let path = format!("0x{}", to_hex(path));
        out.push(match node {
            Node::Internal { commitment, image } => serde_json::json!({
                "path": path, "type": "internal",
                "c": point_hex(commitment), "scalar_le": scalar_hex(&image),
            }),
            Node::Extension {
                commitment,
                image,
                stem,
                halves,
                half_images,
            } => serde_json::json!({
                "path": path, "type": "extension",
                "c": point_hex(commitment), "scalar_le": scalar_hex(&image),
                "stem": format!("0x{}", to_hex(stem)),
                "c1": point_hex(halves[0]), "c1_scalar_le": scalar_hex(&half_images[0]),
                "c2": point_hex(halves[1]), "c2_scalar_le": scalar_hex(&half_images[1]),
            }),
            _ => panic!("a node of no known kind"),
        });
    });
    out
}

fn tree_record(committer: &Committer<'_>, record: &Value, counts: &mut Counts) {
    let pairs = pairs(record);
    let root = hex_array(text(record, "root"));
    let mut tree: Tree = pairs.iter().copied().collect();
    if let Some(keys) = record["distinct_keys"].as_u64() {
        assert_eq!(tree.len() as u64, keys);
    }
    let committed = tree.commit_with(&Threads(2), committer);
    assert_eq!(committed.root(), root);
    counts.add("roots");
    if record.get("nodes").is_some() {
        let mut expected = list(&record["nodes"]).to_vec();
        expected.sort_by_key(|node| text(node, "path").to_owned());
        assert_eq!(describe(&committed), expected);
        counts.add("roots with every node");
    }
    let last: std::collections::BTreeMap<_, _> = pairs.into_iter().collect();
    let held: std::collections::BTreeMap<_, _> = tree.iter().map(|(k, v)| (k, *v)).collect();
    assert_eq!(held, last);
    assert!(last.iter().all(|(key, value)| tree.get(key) == Some(value)));

    // In pieces and backwards: the same, whatever the order (the last value of a key counts).
    let mut pieces = Tree::new();
    for (i, (key, value)) in last.iter().rev().enumerate() {
        if i % 5 == 0 {
            pieces.insert(key, [i as u8; 32]);
        }
        if i % 64 == 3 {
            pieces.commit(committer);
        }
        pieces.insert(key, *value);
    }
    assert_eq!(pieces.commit(committer).root(), root);
    assert_eq!(
        describe(&pieces.commit(committer)),
        describe(&tree.commit(committer))
    );
}

#[test]
fn trees() {
    let committer = Committer::new();
    let mut counts = Counts::default();
    let witness = ["witness"];
    run(
        &mut counts,
        "trees",
        &["root", "id"],
        &witness,
        |record, counts| {
            tree_record(&committer, record, counts);
        },
    );
    counts.print("trees");
}

/// Every key alone changes the root, and setting it back brings the root back.
#[test]
fn incremental_commitments_are_those_of_a_new_tree() {
    let committer = Committer::new();
    let mut tree = Tree::new();
    let mut all = Vec::new();
    for i in 0..scaled(60) {
        let mut key = common::h("incremental", i as u64);
        // Few first bytes, so that stems meet and move down.
        key[0] &= 1;
        key[1] &= 3;
        all.push((key, common::h("value", i as u64)));
        let before = tree.commit(&committer).root();
        assert_eq!(tree.insert(&key, all[i].1), None);
        let new = tree.commit(&committer).root();
        assert_ne!(new, before);
        assert_eq!(tree.insert(&key, [7; 32]), Some(all[i].1));
        assert_ne!(tree.commit(&committer).root(), new);
        tree.insert(&key, all[i].1);
        assert_eq!(tree.commit(&committer).root(), new);
        let mut fresh: Tree = all.iter().copied().collect();
        assert_eq!(fresh.commit(&committer).root(), new);
    }
}

/// Verifies a witness; gives the number of unshown absences and the root after the block.
fn verify(
    committer: &Committer<'_>,
    witness: &OwnedWitness,
    root: &[u8; 32],
    mode: Mode,
) -> Result<(usize, [u8; 32]), WitnessError> {
    let ssz = witness.to_ssz().unwrap();
    let checked = Witness::from_ssz(&ssz).unwrap().check()?;
    let mut scratch = ScratchBuffer::new(checked.shape().nodes);
    let mut scratch = scratch.scratch();
    let verified = checked.verify(committer, root, mode, &mut scratch)?;
    Ok((verified.unshown_absences(), verified.post_root(committer)))
}

/// What a witness speaks of, asked of a tree.
fn request(witness: &OwnedWitness) -> Request {
    let mut request = Request::new();
    // Backwards: a request needs no order.
    for diff in witness.state_diff.iter().rev() {
        for asked in &diff.suffix_diffs {
            let key = tree_key::key(&diff.stem, asked.suffix);
            match asked.new_value {
                Some(value) => request.read(&key).write(&key, value).read(&key),
                None => request.read(&key),
            };
        }
    }
    request
}

fn proof_record(committer: &Committer<'_>, record: &Value, counts: &mut Counts) {
    let pre = hex_array(text(record, "pre"));
    let mut tree: Tree = pairs(record).into_iter().collect();
    let expected = record["witness"].to_string();
    let expected = json::read_witness(expected.as_bytes(), Leniency::Strict).unwrap();
    let mut request = request(&expected);
    let committed = tree.commit(committer);
    assert_eq!(committed.root(), pre);
    assert_eq!(committed.prove(&request).as_ref(), Ok(&expected));
    let threads = committed.prove_with(&Threads(3), &request);
    assert_eq!(threads.as_ref(), Ok(&expected));
    if record.get("rust_binary").is_some() {
        assert_eq!(expected.to_binary(), hex(text(record, "rust_binary")));
    }
    counts.add("proofs made, byte for byte");

    // With every absence shown, strict mode accepts; a request that shows them all gains no key.
    let shown = committed.prove(request.show_absences()).unwrap();
    let strict = verify(committer, &shown, &pre, Mode::Strict);
    let (unshown, post) = strict.unwrap();
    assert_eq!(unshown, 0);
    let unshown = record["unproven_absent_stems"].as_u64().unwrap();
    assert_eq!(shown == expected, unshown == 0);
    if unshown > 0 {
        let strict = verify(committer, &expected, &pre, Mode::Strict);
        let refused = matches!(strict, Err(WitnessError::UnshownAbsence { .. }));
        assert!(refused, "{strict:?}");
        counts.add("absences shown by further keys");
    }

    tree.extend(request.writes());
    assert_eq!(tree.commit(committer).root(), post);
    if record["post_verdict"] == "match" {
        assert_eq!(post, hex_array(text(record, "post")));
    }
    counts.add("roots after the writes");
}

#[test]
fn proofs() {
    let committer = Committer::new();
    let mut counts = Counts::default();
    let dishonest = ["mutation", "family"];
    for tree in ["kv", "gen"] {
        let with = ["id", "pre", "post", "witness", tree];
        run(
            &mut counts,
            "proofs",
            &with,
            &dishonest,
            |record, counts| {
                proof_record(&committer, record, counts);
            },
        );
    }
    counts.print("tree proofs");
}

#[test]
fn nothing_asked_is_an_error() {
    let committer = Committer::without_table();
    let mut tree = Tree::new();
    let committed = tree.commit(&committer);
    let error = ProveError::Witness(WitnessError::EmptyWitness);
    assert_eq!(committed.prove(&Request::new()), Err(error));
    let mut request = Request::new();
    let shown = committed.prove(request.read(&[9; 32]).show_absences());
    let witness = shown.unwrap();
    assert_eq!(witness.depth_extension_present, [1 << 3]);
    assert_eq!(
        verify(&committer, &witness, &[0; 32], Mode::Strict).unwrap(),
        (0, [0; 32])
    );
}

/// Random requests on random trees of few paths: what our prover makes our verifier accepts,
/// in strict mode when asked to, and the root after the writes is the tree's.
#[test]
fn random_requests_hold() {
    let committer = Committer::new();
    let key = |label: &str, i: usize| {
        let mut key = common::h(label, i as u64);
        let base = common::h("paths", u64::from(key[20] % 3));
        let depth = usize::from(key[21] % 7);
        key[..depth].copy_from_slice(&base[..depth]);
        key[depth] %= 5;
        key
    };
    for case in 0..scaled(12) {
        let label = format!("random {case}");
        let mut tree: Tree = (0..40 * case)
            .map(|i| (key(&label, i), common::h("v", i as u64)))
            .collect();
        let mut request = Request::new();
        for i in 0..25 {
            match i % 4 {
                0 => request.read(&key(&label, i)),
                1 => request.write(&key(&label, i), [1; 32]),
                2 => request.read(&key("absent", 25 * case + i)),
                _ => request.write(&key("absent", 25 * case + i), [2; 32]),
            };
        }
        let committed = tree.commit(&committer);
        let root = committed.root();
        let plain = committed.prove(&request).unwrap();
        let (unshown, post) = verify(&committer, &plain, &root, Mode::Count).unwrap();
        let shown = committed.prove(request.show_absences()).unwrap();
        assert_eq!(
            verify(&committer, &shown, &root, Mode::Strict),
            Ok((0, post))
        );
        assert_eq!(shown == plain, unshown == 0);
        let absent = |byte: &u8| Status::from_byte(*byte) != Some(Status::Present);
        let count = |witness: &OwnedWitness| {
            witness
                .depth_extension_present
                .iter()
                .copied()
                .filter(absent)
                .count()
        };
        assert!(count(&shown) >= count(&plain));
        tree.extend(request.writes());
        assert_eq!(tree.commit(&committer).root(), post);
    }
}

/// A child at index 1 whose image could be a stem below its parent does not show that the parent
/// is internal. Another child does, and where there is none the empty slot 0.
#[test]
fn evidence_is_sought_until_it_is_there() {
    let committer = Committer::new();
    let at_1 = |third: u8, value: u64| {
        let mut key = [7; 32];
        (key[1], key[2]) = (1, third);
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&value.to_le_bytes());
        (key, bytes)
    };
    // The values were found by trying: the image's first byte is the path's, its last is 0.
    let beside = [at_1(7, 7581), ([7; 32], [0; 32])];
    let alone = [at_1(7, 13950), at_1(9, 0)];
    let mut absent = [7; 32];
    absent[1] = 5;
    let mut slot_0 = [0; 32];
    slot_0[0] = 7;
    for (pairs, last) in [(beside, [7; 32]), (alone, slot_0)] {
        let mut tree: Tree = pairs.into_iter().collect();
        let committed = tree.commit(&committer);
        let image = match committed.node(&[7, 1]) {
            Some(Node::Internal { image, .. } | Node::Extension { image, .. }) => image,
            node => panic!("{node:?}"),
        };
        let bytes = image.to_le_bytes();
        assert_eq!((bytes[0], bytes[31]), (7, 0));

        let root = committed.root();
        let mut request = Request::new();
        request.read(&absent).read(&pairs[0].0);
        let plain = committed.prove(&request).unwrap();
        assert_eq!(verify(&committer, &plain, &root, Mode::Count).unwrap().0, 1);
        let mut request = Request::new();
        request.read(&absent).show_absences();
        let shown = committed.prove(&request).unwrap();
        let strict = verify(&committer, &shown, &root, Mode::Strict);
        assert_eq!(strict, Ok((0, root)));
        let asked = |key: &Key| {
            let (stem, _) = tree_key::split_key(key);
            shown.state_diff.iter().any(|diff| diff.stem == stem)
        };
        assert!(asked(&absent) && asked(&last));
    }
}
