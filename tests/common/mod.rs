//! What the runners of the test vectors share: where the vectors are, the counter streams
//! that their inputs come from, and the counts that each runner prints.
#![allow(dead_code, unreachable_pub)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_alloc)]

pub mod statement;

use core::fmt::Display;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use lightproof::curve::banderwagon::Element;
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::field::bls12_381_scalar::Fq;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Prints a line that the test harness does not swallow (it keeps what tests `println!`).
pub fn say(line: impl Display) {
    // Where nobody listens a test has nothing to say.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// [`say`], but the same line once in a program.
fn say_once(line: String) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().unwrap().insert(line.clone()) {
        say(line);
    }
}

/// The folders that hold vectors of `kind` (`verkle`, `verkle-witness`, …): the
/// repository's own, `../shared/vectors` if present, and `$LIGHTPROOF_VECTORS` if set.
pub fn roots(kind: &str) -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = vec![here.join("tests/vectors").join(kind)];
    let shared = here.join("../shared/vectors").join(kind);
    if shared.is_dir() && std::env::var_os("LIGHTPROOF_OWN_VECTORS").is_none() {
        out.push(shared);
    } else {
        say_once(format!(
            "vectors: no ../shared/vectors/{kind}, so only the repository's own run"
        ));
    }
    if let Some(root) = std::env::var_os("LIGHTPROOF_VECTORS") {
        let further = Path::new(&root).join(kind);
        if further.is_dir() {
            out.push(further);
        } else {
            say_once(format!("vectors: no {}", further.display()));
        }
    }
    out
}

/// Every file with the ending `extension` of every root of `kind`, in order.
pub fn files(kind: &str, extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for root in roots(kind) {
        let mut found: Vec<PathBuf> = std::fs::read_dir(&root)
            .unwrap_or_else(|e| panic!("{}: {e}", root.display()))
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == extension))
            .collect();
        found.sort();
        out.extend(found);
    }
    out
}

/// Every document of `verkle/` whose kind is in `kinds` (the names of the files in the
/// repository; a file by another name is known by its members). A document of no known
/// kind fails.
pub fn verkle_documents(kinds: &[&str]) -> Vec<(PathBuf, Value)> {
    files("verkle", "json")
        .into_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let doc: Value =
                serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let kind = verkle_kind(&path, &doc);
            kinds.contains(&kind).then_some((path, doc))
        })
        .collect()
}

/// A kind of document, the members of which any tells it, and the members of its first case.
const VERKLE_KINDS: [(&str, &[&str], &[&str]); 12] = [
    ("fields", &["fr", "fp"], &[]),
    (
        "banderwagon",
        &[
            "curve",
            "doublings_2^i_G",
            "equality_affine_representatives",
            "map_to_scalar",
            "multiples_of_G",
            "ops",
            "scalar_mul",
        ],
        &[],
    ),
    (
        "encodings",
        &["compressed_invalid", "compressed_valid", "uncompressed"],
        &[],
    ),
    (
        "crs",
        &["seed_ascii", "sha256_of_concatenated_compressed"],
        &[],
    ),
    ("msm_fixed", &["commitments", "delta_updates"], &[]),
    ("polynomial", &["weights", "evaluations", "quotients"], &[]),
    (
        "rust_ffi",
        &[
            "commit_to_scalars",
            "add_commitment",
            "update_commitment",
            "update_commitment_sparse",
            "hash_commitments",
            "tree_key",
            "proofs",
            "kaustinen_block_0x62",
        ],
        &[],
    ),
    ("transcript", &[], &["ops", "protocol_label"]),
    ("msm_variable", &[], &["points", "scalars", "result"]),
    ("multiproof", &[], &["poly_index", "proof"]),
    ("ipa", &[], &["poly", "proof"]),
    ("negative", &["bases"], &["base"]),
];

fn verkle_kind(path: &Path, doc: &Value) -> &'static str {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let first = &doc["cases"][0];
    VERKLE_KINDS
        .iter()
        .find(|(_, members, of_case)| {
            members.iter().any(|m| doc.get(m).is_some())
                || (!of_case.is_empty() && of_case.iter().all(|m| first.get(m).is_some()))
        })
        .or_else(|| {
            VERKLE_KINDS
                .iter()
                .find(|(name, ..)| stem.starts_with(name))
        })
        .map(|(name, ..)| *name)
        .unwrap_or_else(|| panic!("{}: a document of no known kind", path.display()))
}

/// The members of a document but `about`.
pub fn members(doc: &Value) -> impl Iterator<Item = (&str, &Value)> {
    doc.as_object()
        .expect("a document is an object")
        .iter()
        .filter(|(name, _)| *name != "about")
        .map(|(name, value)| (name.as_str(), value))
}

/// The elements of a list; a missing list fails.
pub fn list(value: &Value) -> &[Value] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("no list: {value}"))
}

/// A string member.
pub fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member]
        .as_str()
        .unwrap_or_else(|| panic!("no string `{member}` in {value}"))
}

/// A member that is a number.
pub fn number(value: &Value, member: &str) -> usize {
    value[member]
        .as_u64()
        .and_then(|n| usize::try_from(n).ok())
        .unwrap_or_else(|| panic!("no number `{member}` in {value}"))
}

/// How often random tests run, against the usual number: `LIGHTPROOF_TEST_SCALE`, or 1.
pub fn test_scale() -> f64 {
    match std::env::var("LIGHTPROOF_TEST_SCALE") {
        Ok(text) => {
            // Emulated runs name a fraction: 1/100.
            let mut parts = text.trim().splitn(2, '/').map(|part| {
                part.trim()
                    .parse::<f64>()
                    .unwrap_or_else(|_| panic!("LIGHTPROOF_TEST_SCALE is no number: {text}"))
            });
            let (over, under) = (parts.next().unwrap(), parts.next().unwrap_or(1.0));
            over / under
        }
        Err(_) => 1.0,
    }
}

/// `usual` runs of a random test times [`test_scale`], at least one.
pub fn scaled(usual: usize) -> usize {
    ((usual as f64 * test_scale()) as usize).max(1)
}

/// Bytes of hexadecimal digits (an `0x` in front is passed over).
pub fn hex(digits: &str) -> Vec<u8> {
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    assert!(
        digits.len().is_multiple_of(2),
        "an odd number of digits: {digits}"
    );
    (0..digits.len() / 2)
        .map(|i| {
            u8::from_str_radix(&digits[2 * i..2 * i + 2], 16)
                .unwrap_or_else(|_| panic!("no hexadecimal digits: {digits}"))
        })
        .collect()
}

/// `N` bytes of hexadecimal digits.
pub fn hex_array<const N: usize>(digits: &str) -> [u8; N] {
    hex(digits)
        .try_into()
        .unwrap_or_else(|_| panic!("not {N} bytes: {digits}"))
}

/// Hexadecimal digits of bytes.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A scalar of its canonical 32 little-endian bytes.
pub fn scalar_of(digits: &str) -> Fr {
    Fr::from_le_bytes(&hex_array(digits)).unwrap_or_else(|| panic!("not below r: {digits}"))
}

/// A coordinate of its canonical 32 big-endian bytes.
pub fn base_of(digits: &str) -> Fq {
    Fq::from_be_bytes(&hex_array(digits)).unwrap_or_else(|| panic!("not below q: {digits}"))
}

/// A group element of its compressed bytes.
pub fn point_of(digits: &str) -> Element {
    Element::from_bytes(&hex(digits)).unwrap_or_else(|e| panic!("{digits}: {e}"))
}

/// H(label, i) = SHA-256(label ‖ 8-byte big-endian i).
pub fn h(label: &str, i: u64) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(label.as_bytes());
    hash.update(i.to_be_bytes());
    hash.finalize().into()
}

/// H(label, i) as a little-endian number, mod r.
pub fn scalar(label: &str, i: u64) -> Fr {
    Fr::from_le_bytes_reduced(&h(label, i))
}

/// H(label, i) as a big-endian number, mod q.
pub fn base(label: &str, i: u64) -> Fq {
    Fq::from_be_bytes_reduced(&h(label, i))
}

/// [`scalar`]`(label, i)`·G.
pub fn point(label: &str, i: u64) -> Element {
    Element::generator().mul_vartime(&scalar(label, i))
}

/// The 256 values of a polynomial that a vector describes.
pub fn polynomial(spec: &Value) -> Vec<Fr> {
    let label = || text(spec, "label");
    let each = |f: &dyn Fn(u64) -> Fr| (0..256).map(f).collect();
    match text(spec, "kind") {
        "zero" => each(&|_| Fr::ZERO),
        "const" => each(&|_| scalar_of(text(spec, "value"))),
        "index" => each(&Fr::from_u64),
        "seq32" => each(&|k| Fr::from_u64(k % 32 + 1)),
        "rseq32" => each(&|k| Fr::from_u64(32 - k % 32)),
        "stream" => each(&|k| scalar(label(), k)),
        "leaf" => each(&|k| {
            let half: [u8; 32] = h(label(), k / 2);
            if k % 2 == 0 {
                let two_to_128 = Fr::from_u128(1 << 127) + Fr::from_u128(1 << 127);
                Fr::from_le_bytes_reduced(&half[..16]) + two_to_128
            } else {
                Fr::from_le_bytes_reduced(&half[16..])
            }
        }),
        "u16" => each(&|k| Fr::from_le_bytes_reduced(&h(label(), k)[..2])),
        "sparse" => {
            let mut out = vec![Fr::ZERO; 256];
            for entry in list(&spec["entries"]) {
                let index = usize::try_from(entry[0].as_u64().unwrap()).unwrap();
                out[index] = scalar_of(entry[1].as_str().unwrap());
            }
            out
        }
        kind => panic!("a polynomial of no known kind: {kind}"),
    }
}

/// How many cases of each kind ran.
#[derive(Default)]
pub struct Counts(BTreeMap<String, usize>);

impl Counts {
    /// One more case of `kind`.
    pub fn add(&mut self, kind: &str) {
        *self.0.entry(kind.to_owned()).or_default() += 1;
    }

    /// Prints the counts, as each runner does at its end.
    pub fn print(&self, runner: &str) {
        for (kind, count) in &self.0 {
            say(format_args!("{runner}: {count:5} {kind}"));
        }
        assert!(!self.0.is_empty(), "{runner}: no case ran");
    }
}

/// Members that say where a case comes from, and nothing that a runner checks.
const METADATA: [&str; 7] = [
    "about",
    "name",
    "note",
    "comment",
    "source",
    "index_rule",
    "rust",
];

/// Says so if a case has a member that its runner does not look at.
pub fn knows(case: &Value, members: &[&str]) {
    for member in case.as_object().expect("a case is an object").keys() {
        if !members.contains(&member.as_str()) && !METADATA.contains(&member.as_str()) {
            say_once(format!(
                "vectors: a member {member} that no runner looks at"
            ));
        }
    }
}

/// A verdict member.
pub fn truth(value: &Value, member: &str) -> bool {
    value[member]
        .as_bool()
        .unwrap_or_else(|| panic!("no verdict `{member}`"))
}

/// The strings of a list.
pub fn strings(value: &Value) -> impl Iterator<Item = &str> {
    list(value)
        .iter()
        .map(|item| item.as_str().unwrap_or_else(|| panic!("no string: {item}")))
}

/// Labels are constants of a protocol; those of a vector become such.
pub fn constant(label: &str) -> &'static str {
    Box::leak(label.to_owned().into_boxed_str())
}
