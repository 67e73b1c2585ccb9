//! `prove`, `verify` and `commit`.

use lightproof::field::bandersnatch_scalar::Fr;
use serde_json::{Value, json};

use super::{common, file, run, run_with, written};

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", common::to_hex(bytes))
}

fn dense(polynomial: &[Fr]) -> Value {
    polynomial
        .iter()
        .map(|scalar| hex(&scalar.to_le_bytes()))
        .collect()
}

/// A statement with both forms of polynomials, a repeated one, and both forms of scalars.
fn statement() -> Value {
    let polynomial: Vec<Fr> = (0..256).map(|i| common::scalar("cli/poly", i)).collect();
    json!({ "openings": [
        { "polynomial": dense(&polynomial), "point": 0 },
        { "polynomial": dense(&polynomial), "point": 200 },
        { "polynomial": { "3": 5, "255": hex(&common::scalar("cli/sparse", 0).to_le_bytes()) }, "point": 3 },
        { "polynomial": [1, 2, 3], "point": 255 },
        { "polynomial": {}, "point": 9 },
    ]})
}

fn proven() -> Value {
    let run = run_with(&["prove", "-"], statement().to_string().as_bytes()).holds();
    serde_json::from_slice(&run.out).unwrap()
}

#[track_caller]
fn verify(proven: &Value) -> super::Run {
    run_with(&["verify", "-"], proven.to_string().as_bytes())
}

#[test]
fn what_is_proven_verifies() {
    let proven = proven();
    let run = verify(&proven).holds();
    assert!(run.out().contains("5 openings"));
    assert_eq!(proven["label"], "vt");
    let value = |i: usize| proven["openings"][i]["value"].as_str().unwrap();
    assert_eq!(value(2), hex(&Fr::from_u64(5).to_le_bytes()));
    assert_eq!(value(3), hex(&[0; 32]));

    // By files, and with threads: the same to the byte.
    let input = written("statement.json", statement().to_string());
    let output = file("proven.json");
    let output = output.to_str().unwrap();
    super::run(&["prove", &input, output, "--threads", "3"]).holds();
    let written: Value = serde_json::from_slice(&std::fs::read(output).unwrap()).unwrap();
    assert_eq!(written, proven);
    super::run(&["verify", output, "--threads", "2"]).holds();
}

#[test]
fn what_was_not_proven_is_rejected() {
    let proven = proven();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut changed = proven.clone();
        change(&mut changed);
        verify(&changed).fails(1, &["rejected: the proof does not hold"]);
    };
    changed(&|proven| proven["openings"][1]["value"] = json!(hex(&[1; 32])));
    changed(&|proven| proven["openings"][1]["point"] = json!(201));
    changed(&|proven| {
        proven["openings"][1]["commitment"] = proven["openings"][2]["commitment"].clone();
    });
    changed(&|proven| proven["openings"].as_array_mut().unwrap().swap(0, 1));
    changed(&|proven| drop(proven["openings"].as_array_mut().unwrap().pop()));
    changed(&|proven| proven["label"] = json!("other"));
}

#[test]
fn a_damaged_proof_never_verifies() {
    let proven = proven();
    let proof = common::hex(proven["proof"].as_str().unwrap());
    for i in 0..common::scaled(60) as u64 {
        let random = common::h("cli/proof", i);
        let mut damaged = proof.clone();
        let place = usize::from(random[0]) * 256 + usize::from(random[1]);
        damaged[place % proof.len()] ^= random[2].max(1);
        let mut proven = proven.clone();
        proven["proof"] = json!(hex(&damaged));
        assert_ne!(verify(&proven).status, 0, "{place}");
    }
}

#[test]
fn malformed_proofs_name_the_place() {
    let proven = proven();
    let changed = |place: &[&str], change: &dyn Fn(&mut Value)| {
        let mut changed = proven.clone();
        change(&mut changed);
        verify(&changed).fails(2, place);
    };
    changed(&["-: openings[1].value"], &|proven| {
        proven["openings"][1]["value"] = json!("0x12");
    });
    changed(&["opening 1"], &|proven| {
        proven["openings"][1]["value"] = json!(hex(&[0xff; 32]));
    });
    changed(&["-: openings[2].commitment"], &|proven| {
        proven["openings"][2]["commitment"] = json!("points");
    });
    changed(&["commitment of opening 2"], &|proven| {
        proven["openings"][2]["commitment"] = json!(hex(&[0xff; 32]));
    });
    changed(&["-: proof"], &|proven| proven["proof"] = json!("0x"));
    changed(&["D of the proof"], &|proven| {
        let rest = &proven["proof"].as_str().unwrap()[66..];
        proven["proof"] = json!(format!("0x{}{rest}", "ff".repeat(32)));
    });
    changed(&["a of the proof"], &|proven| {
        let rest = &proven["proof"].as_str().unwrap()[..2 + 2 * 544];
        proven["proof"] = json!(format!("{rest}{}", "ff".repeat(32)));
    });
    changed(&["no openings"], &|proven| proven["openings"] = json!([]));
    changed(&["point", "line 1 column"], &|proven| {
        proven["points"] = json!([])
    });
    changed(&["256", "line 1 column"], &|proven| {
        proven["openings"][0]["point"] = json!(256);
    });
    run_with(&["verify", "-"], b"{}").fails(2, &["missing field `proof`"]);
    run_with(&["verify", "-"], b"").fails(2, &["-: "]);
}

#[test]
fn malformed_statements_name_the_place() {
    for (text, words) in [
        (r#"{"openings": []}"#, ["no openings", "-: "]),
        (r#"{"openings": 7}"#, ["a sequence", "line 1 column 14"]),
        (
            r#"{"openings": [{"polynomial": [1]}]}"#,
            ["missing field `point`", "line 1"],
        ),
        (
            r#"{"openings": [{"polynomial": 7, "point": 1}]}"#,
            ["a list of scalars", "line 1 column 30"],
        ),
        (
            r#"{"openings": [{"polynomial": ["0xff"], "point": 1}]}"#,
            ["openings[0].polynomial[0]", "2 hexadecimal digits, not 64"],
        ),
        (
            r#"{"openings": [{"polynomial": [1], "point": -1}]}"#,
            ["-1", "line 1 column"],
        ),
        ("{\"openings\": [\n\n{]}", ["line 3", "-: "]),
    ] {
        run_with(&["prove", "-"], text.as_bytes()).fails(2, &words);
    }
    run(&["prove", "/nowhere/at/all"]).fails(2, &["can't read /nowhere/at/all"]);
}

#[test]
fn commitments_of_the_vectors() {
    let path = super::repository("tests/vectors/verkle/msm_fixed.json");
    let vectors: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut counts = common::Counts::default();
    for case in common::list(&vectors["commitments"]) {
        let polynomial = common::polynomial(&case["poly"]);
        let sparse: serde_json::Map<String, Value> = polynomial
            .iter()
            .enumerate()
            .filter(|(_, scalar)| **scalar != Fr::ZERO)
            .map(|(i, scalar)| (i.to_string(), json!(hex(&scalar.to_le_bytes()))))
            .collect();
        let expected = format!(
            "commitment 0x{}\nscalar     0x{}\n",
            common::text(case, "commitment"),
            common::text(case, "map_to_scalar")
        );
        for (form, text) in [
            ("dense", dense(&polynomial)),
            ("sparse", Value::Object(sparse)),
        ] {
            let run = run_with(&["commit", "-"], text.to_string().as_bytes()).holds();
            assert_eq!(run.out(), expected, "{form} {}", case["name"]);
            counts.add(form);
        }
    }
    counts.print("cli commit");
}

#[test]
fn malformed_vectors_name_the_place() {
    let long = format!("[{}1]", "1, ".repeat(256));
    let large = format!("[1, {:?}]", hex(&[0xff; 32]));
    for (text, words) in [
        ("", ["-: ", "line 1"]),
        ("7", ["a list of scalars, or an object", "line 1 column 1"]),
        (
            "[1, true]",
            ["a whole number below 2^64", "line 1 column 8"],
        ),
        ("[1, -1]", ["`-1`", "line 1 column 6"]),
        ("[1, 1.5]", ["1.5", "line 1 column"]),
        ("[1, 18446744073709551616]", ["below 2^64", "line 1 column"]),
        ("[1] 2", ["trailing", "line 1 column 5"]),
        (r#"{"256": 1}"#, ["\"256\" is not in 0..=255", "line 1"]),
        (r#"{"01": 1}"#, ["\"01\" is not in 0..=255", "line 1"]),
        (r#"{"a": 1}"#, ["\"a\" is not in 0..=255", "line 1"]),
        (
            r#"{"1": 1, "1": 2}"#,
            ["index 1 stands here twice", "line 1"],
        ),
        (&long, ["more than 256 scalars", "line 1"]),
        (&large, ["-: scalars[1]", "not below the group's order"]),
        (r#"["0xzz"]"#, ["-: scalars[0]", "2 hexadecimal digits"]),
    ] {
        run_with(&["commit", "-"], text.as_bytes()).fails(2, &words);
    }
}
