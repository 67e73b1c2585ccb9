//! Witness vectors: honest proofs, forgeries, damaged witnesses, opening lists, real blocks.
//!
//! Every file below the vector roots is run; see `common::roots` for where they are.
#![cfg(all(feature = "verkle", feature = "serde"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_alloc)]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::{Counts, hex, hex_array};
use lightproof::verkle::witness::json::{self, Leniency};
use lightproof::verkle::witness::{
    BinaryProof, Checked, Entry, Mode, NodeKind, Opening, OwnedWitness, Shape, Status, Witness,
    WitnessError,
};
use lightproof::verkle::{Affine, Committer, Element, Scalar, ScratchBuffer, Transcript};
use serde_json::Value;
use serde_json::value::RawValue;

/// A record whose members are kept as text, so that the witness is read from the very bytes.
struct Record(BTreeMap<String, Box<RawValue>>);

impl Record {
    fn lines(path: &Path) -> Vec<Self> {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines
            .map(|line| Self(serde_json::from_str(line).expect("an object a line")))
            .collect()
    }

    fn raw(&self, member: &str) -> &str {
        self.0
            .get(member)
            .unwrap_or_else(|| panic!("{member} is missing"))
            .get()
    }

    fn value(&self, member: &str) -> Value {
        let raw = self
            .0
            .get(member)
            .map(|raw| serde_json::from_str(raw.get()));
        raw.map_or(Value::Null, |value| value.expect("JSON"))
    }

    fn text(&self, member: &str) -> String {
        self.value(member).as_str().unwrap_or_default().to_string()
    }

    /// What to call it in a message.
    fn name(&self) -> String {
        match (self.value("id"), self.value("mutation")) {
            (Value::String(id), _) => id,
            (_, Value::String(mutation)) => mutation,
            _ => format!("block {}", self.value("number")),
        }
    }
}

/// Reads a witness, and checks that every form of it goes back and forth.
fn read(text: &str) -> Result<Vec<u8>, json::JsonError> {
    let owned = json::read_witness(text.as_bytes(), Leniency::Strict)?;
    assert_eq!(
        json::read_witness(text.as_bytes(), Leniency::Lenient).as_ref(),
        Ok(&owned)
    );
    let ssz = owned.to_ssz().expect("what was read is within the limits");
    assert_eq!(ssz.len(), owned.ssz_size());
    let witness = Witness::from_ssz(&ssz).expect("the form just written");
    assert_eq!(OwnedWitness::from(&witness), owned);
    let mut written = String::new();
    witness
        .write_json(&mut written)
        .expect("a string takes all");
    assert_eq!(
        json::read_witness(written.as_bytes(), Leniency::Strict),
        Ok(owned.clone())
    );
    let binary = owned.to_binary();
    let proof = BinaryProof::read(&binary).expect("the layout just written");
    assert_eq!(proof.with_state_diff(owned.state_diff.clone()), owned);
    Ok(ssz)
}

fn check(ssz: &[u8]) -> Result<Checked<'_>, WitnessError> {
    Witness::from_ssz(ssz)?.check()
}

/// Compares the counts of a record with those of the witness, and those with the openings themselves.
fn check_stats(stats: &Value, checked: &Checked<'_>) {
    let shape: Shape = checked.shape();
    let stat = |name: &str| stats[name].as_u64().map(|n| n as usize);
    let counts = [
        ("stems", shape.stems),
        ("keys", shape.keys),
        ("openings", shape.openings),
        ("commitments", shape.nodes - 1),
        ("present", shape.present),
        ("absent_empty", shape.absent_empty),
        ("absent_other", shape.absent_other),
        ("max_depth", usize::from(shape.max_depth)),
    ];
    for (name, count) in counts {
        assert_eq!(stat(name), Some(count), "{name}");
    }
    assert_order(checked);
}

/// Openings come strictly ascending by node and index, leave no node out, and are as many as counted.
fn assert_order(checked: &Checked<'_>) {
    let all = openings(checked);
    assert_eq!(all.len(), checked.shape().openings);
    for pair in all.windows(2) {
        let step = pair[1].node - pair[0].node;
        assert!(
            step == 1 || (step == 0 && pair[0].z < pair[1].z),
            "{pair:?}"
        );
        assert!(path(&pair[0]) <= path(&pair[1]), "{pair:?}");
    }
    assert_eq!(
        all.last().map(|last| last.node + 1),
        Some(checked.shape().nodes)
    );
    for opening in &all {
        if let Entry::Child(child) = opening.entry {
            let child = all
                .iter()
                .find(|other| other.node == child)
                .expect("a node");
            assert!(
                path(child).starts_with(&path(opening)),
                "{opening:?} {child:?}"
            );
        }
    }
}

fn openings<'a>(checked: &Checked<'a>) -> Vec<Opening<'a>> {
    let mut all = Vec::new();
    let done: Result<(), ()> = checked.openings(|opening| {
        all.push(opening);
        Ok(())
    });
    assert_eq!(done, Ok(()));
    all
}

fn path(opening: &Opening<'_>) -> Vec<u8> {
    let mut path = opening.stem[..opening.depth].to_vec();
    match opening.kind {
        NodeKind::LowHalf => path.push(2),
        NodeKind::HighHalf => path.push(3),
        NodeKind::Internal | NodeKind::Extension => {}
    }
    path
}

/// The entry as 32 little-endian bytes, unless it is a child's image.
fn entry_bytes(entry: Entry<'_>) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    match entry {
        Entry::Zero => {}
        Entry::One => bytes[0] = 1,
        Entry::Stem(stem) => bytes[..31].copy_from_slice(stem),
        Entry::Low(value) => {
            bytes[..16].copy_from_slice(&value[..16]);
            bytes[16] = 1;
        }
        Entry::High(value) => bytes[..16].copy_from_slice(&value[16..]),
        Entry::Child(_) => return None,
    }
    Some(bytes)
}

fn run_trace(record: &Record, ssz: &[u8]) {
    let checked = check(ssz).expect("an honest witness");
    let expected = record.value("openings");
    let expected = expected.as_array().expect("a list");
    let all = openings(&checked);
    assert_eq!(all.len(), expected.len());
    for (opening, expected) in all.iter().zip(expected) {
        let field = |name: &str| expected[name].as_str().expect("a string");
        let kind = match opening.kind {
            NodeKind::Internal => "Internal",
            NodeKind::Extension => "Ext",
            NodeKind::LowHalf => "C1",
            NodeKind::HighHalf => "C2",
        };
        assert_eq!(field("node"), kind);
        assert_eq!(hex(field("path")), path(opening));
        assert_eq!(expected["z"].as_u64(), Some(u64::from(opening.z)));
        let listed = checked.witness().commitments();
        if opening.node > 0 {
            assert_eq!(hex_array::<32>(field("c")), listed[opening.node - 1]);
        }
        let bytes = match opening.entry {
            Entry::Child(child) => {
                let child = Affine::from_bytes(&listed[child - 1]).expect("a point");
                child.map_to_scalar().to_le_bytes()
            }
            entry => entry_bytes(entry).expect("no child"),
        };
        assert_eq!(hex_array::<32>(field("y_le")), bytes);
    }
    replay(record, expected, checked.witness().d());
}

/// The transcript over a trace's openings: r, t, E and g₂(t) as it names them.
fn replay(record: &Record, openings: &[Value], d: &[u8; 32]) {
    let named = |member: &str| hex_array::<32>(&record.text(member));
    let mut transcript = Transcript::new("vt");
    transcript.domain_sep("multiproof");
    let parts: Vec<([u8; 32], Scalar, Scalar)> = openings
        .iter()
        .map(|opening| {
            let bytes = |name: &str| hex_array::<32>(opening[name].as_str().expect("a string"));
            let z = Scalar::from_u64(opening["z"].as_u64().expect("a number"));
            (
                bytes("c"),
                z,
                Scalar::from_le_bytes(&bytes("y_le")).expect("below r"),
            )
        })
        .collect();
    for (c, z, y) in &parts {
        transcript.append_point("C", c);
        transcript.append_scalar("z", z);
        transcript.append_scalar("y", y);
    }
    let r = transcript.challenge("r");
    assert_eq!(r.to_le_bytes(), named("r_le"));
    transcript.append_point("D", d);
    let t = transcript.challenge("t");
    assert_eq!(t.to_le_bytes(), named("t_le"));
    let (mut power, mut e, mut g2) = (Scalar::ONE, Element::IDENTITY, Scalar::ZERO);
    for (c, z, y) in &parts {
        let weight = power * (t - *z).invert().expect("t is outside of the domain");
        e += Element::from_bytes(c)
            .expect("a point")
            .mul_vartime(&weight);
        g2 += weight * *y;
        power *= r;
    }
    assert_eq!(e.to_bytes(), named("E"));
    assert_eq!(g2.to_le_bytes(), named("g2_t_le"));
}

/// The codes of checks that need no cryptography.
const STRUCTURAL: [&str; 15] = [
    "empty-witness",
    "stems-not-ascending",
    "empty-suffix-list",
    "suffixes-not-ascending",
    "depth-count",
    "bad-status",
    "bad-depth",
    "absent-with-value",
    "path-conflict",
    "other-stem-missing",
    "other-stem-unused",
    "other-stem-prefix",
    "other-stem-self",
    "commitment-count",
    "parse",
];

/// Runs every record; a failure names the one it happened in.
fn run(counts: &mut Counts, kind: &str, records: &[Record], each: impl Fn(&Record)) {
    for record in records {
        let result = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| each(record)));
        assert!(result.is_ok(), "{kind}: {}", record.name());
        counts.add(kind);
    }
}

/// All files below a folder, sorted.
fn files(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            let list = if path.is_dir() {
                &mut folders
            } else {
                &mut found
            };
            list.push(path);
        }
    }
    found.sort();
    found
}

/// A record with a verdict: an honest proof, a forgery, a damaged witness or a block.
fn run_claim(committer: &Committer<'_>, record: &Record) {
    let reason = record.text("reason");
    let rejected = record.text("pre_verdict") == "reject";
    let ssz = match read(record.raw("witness")) {
        Ok(ssz) => ssz,
        Err(error) => return assert!(rejected && reason == "parse", "{error}"),
    };
    let checked = check(&ssz);
    if let Ok(checked) = &checked {
        assert!(!STRUCTURAL.contains(&reason.as_str()), "accepted: {reason}");
        assert_order(checked);
        let stats = record.value("stats");
        if !stats.is_null() {
            check_stats(&stats, checked);
        }
    }
    match checked.and_then(|checked| verdict(committer, record, &checked)) {
        Ok(()) => assert!(!rejected, "accepted: {reason}"),
        Err(error) => {
            assert!(rejected, "refused: {error}");
            assert_eq!(error.code(), reason);
        }
    }
    let binary = record.text("rust_binary");
    if !binary.is_empty() {
        let owned = json::read_witness(record.raw("witness").as_bytes(), Leniency::Strict);
        assert_eq!(owned.expect("read before").to_binary(), hex(&binary));
    }
}

/// Verifies a claim in both modes, and compares the root after the block and the absences not shown.
fn verdict(
    committer: &Committer<'_>,
    record: &Record,
    checked: &Checked<'_>,
) -> Result<(), WitnessError> {
    let mut buffer = ScratchBuffer::new(checked.shape().nodes);
    let pre = hex_array::<32>(&record.text("pre"));
    let mut scratch = buffer.scratch();
    let verified = checked.verify(committer, &pre, Mode::Count, &mut scratch)?;
    let unshown = verified.unshown_absences();
    let mut listed = Vec::new();
    verified.for_each_unshown(|stem| listed.push(stem));
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(listed.len(), unshown);
    let depths = checked.witness();
    assert!(listed.iter().all(|stem| {
        depths
            .depth_status(*stem)
            .is_some_and(|(_, status)| status == Status::Empty)
    }));
    let expected = match record.value("unproven_absent_stems") {
        Value::Null => record.value("stats")["unproven_absent_stems"].as_u64(),
        number => number.as_u64(),
    };
    if let Some(expected) = expected {
        assert_eq!(unshown as u64, expected, "absences not shown");
    }

    let root = verified.post_root(committer);
    let post = ["post", "header_state_root"].map(|member| record.value(member));
    let post = post.iter().find_map(Value::as_str).map(hex_array::<32>);
    let computed = record.value("post_computed");
    if let Some(computed) = computed.as_str().map(hex_array::<32>) {
        assert_eq!(root, computed);
    }
    match record.text("post_verdict").as_str() {
        "match" => assert_eq!(Some(root), post),
        "mismatch" => assert_ne!(Some(root), post),
        _ => assert!(post.is_none()),
    }

    let strict = checked.verify(committer, &pre, Mode::Strict, &mut scratch);
    match strict {
        Ok(verified) => assert_eq!((unshown, verified.unshown_absences()), (0, 0)),
        Err(error) => {
            let first = listed.first().copied();
            assert!(unshown > 0, "{error}");
            assert!(
                matches!(error, WitnessError::UnshownAbsence { count, .. } if count == unshown)
            );
            assert!(first.is_some());
        }
    }
    Ok(())
}

/// The kinds of files, by what their first record holds.
fn kind(first: &Value) -> Option<&'static str> {
    let has = |member: &str| first.get(member).is_some();
    let kinds: [(&'static str, &[&str]); 9] = [
        ("mutations", &["mutation", "witness"]),
        ("forgeries", &["family", "witness"]),
        ("chain", &["number", "header_state_root", "witness"]),
        ("proofs", &["pre", "pre_verdict", "witness"]),
        ("traces", &["openings", "g2_t_le"]),
        ("verdicts", &["file", "pre_verdict"]),
        ("block", &["executionWitness"]),
        // Run by the tests of the tree.
        ("trees", &["root", "id"]),
        ("treekeys", &["kind", "key"]),
    ];
    let found = kinds
        .iter()
        .find(|(_, members)| members.iter().all(|member| has(member)));
    found.map(|(kind, _)| *kind)
}

/// The records of a file and their kind; none of a file that another runner knows.
fn records(path: &Path) -> Option<(&'static str, Vec<Record>)> {
    let name = path.to_str().expect("a plain name");
    // The folder of hashes is run by the tests of commitments.
    if name.ends_with("README.md") || name.contains("/hashes/") {
        return None;
    }
    let records = if name.ends_with(".jsonl") {
        Record::lines(path)
    } else {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let list: Result<Vec<_>, _> = serde_json::from_str(&text);
        let list = list.unwrap_or_else(|_| vec![serde_json::from_str(&text).expect("JSON")]);
        list.into_iter().map(Record).collect()
    };
    let first = &records.first()?.0;
    let first = first.keys().map(|key| (key.clone(), Value::Null)).collect();
    let kind = kind(&Value::Object(first));
    Some((
        kind.unwrap_or_else(|| panic!("{name}: an unknown kind of vectors")),
        records,
    ))
}

#[test]
fn vectors() {
    let mut counts = Counts::default();
    let committer = Committer::new();
    let mut witnesses = BTreeMap::new();
    let mut traces = Vec::new();
    for root in common::roots("verkle-witness") {
        for path in files(&root) {
            let Some((kind, records)) = records(&path) else {
                continue;
            };
            match kind {
                "proofs" | "forgeries" | "mutations" | "chain" => {
                    run(&mut counts, kind, &records, |record| {
                        run_claim(&committer, record)
                    });
                    if kind == "proofs" {
                        let honest = records.iter();
                        witnesses.extend(
                            honest.map(|record| (record.name(), record.raw("witness").to_string())),
                        );
                    }
                }
                "verdicts" => run(&mut counts, "blocks", &records, |record| {
                    run_block(&committer, &root, record)
                }),
                "block" => {
                    let name = path.with_extension("");
                    let name = name.strip_prefix(&root).expect("below the root");
                    let name = name.to_str().expect("a plain name").to_string();
                    witnesses.insert(name, block_witness(&path).expect("a block"));
                }
                "traces" => traces.extend(records),
                _ => {}
            }
        }
    }
    run(&mut counts, "traces", &traces, |record| {
        let id = record.name();
        let witness = witnesses
            .get(&id)
            .unwrap_or_else(|| panic!("no witness of {id}"));
        run_trace(record, &read(witness).expect("an honest witness"));
    });
    counts.print("witness");
}

/// The text of a block's witness.
fn block_witness(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let block = Record(serde_json::from_str(&text).expect("an object"));
    Some(block.raw("executionWitness").to_string())
}

fn run_block(committer: &Committer<'_>, root: &Path, record: &Record) {
    let path = root.join(record.text("file"));
    let text = std::fs::read(&path).expect("the block's file");
    let block = json::read_block(&text, Leniency::Strict).expect("a block");
    let header = record.value("header_state_root");
    assert_eq!(block.state_root, header.as_str().map(hex_array::<32>));
    let ssz = read(&block_witness(&path).expect("the block's file")).expect("a witness");
    assert_eq!(block.witness.to_ssz().as_ref(), Ok(&ssz));
    let checked = check(&ssz).expect("all block files have their structure right");
    let stats = record.value("stats");
    if !stats.is_null() {
        check_stats(&stats, &checked);
    }
    let refused = verdict(committer, record, &checked)
        .err()
        .map(|error| error.code());
    let reason = record.value("reason");
    assert_eq!(refused, reason.as_str());
}
