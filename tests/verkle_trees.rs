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
use lightproof::verkle::tree::{Committed, Node, Tree};
use lightproof::verkle::tree_key::{self, AccountKeys, Key, Position};
use lightproof::verkle::{Affine, Committer, Scalar};
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
