//! `verify-block` and `convert`.

use serde_json::{Value, json};

use super::{common, file, record, records, repository, run, run_with, written};

/// A record of the vectors in the form of blocks.
fn block(record: &Value) -> Value {
    json!({
        "parentStateRoot": record["pre"],
        "header": { "number": "0x2a", "stateRoot": record["post"] },
        "executionWitness": record["witness"],
    })
}

fn honest() -> Value {
    block(&record("proofs.jsonl", "s/w-mixture"))
}

/// Verifies a block that is given by standard input.
#[track_caller]
fn verify(block: &Value, options: &[&str]) -> super::Run {
    let mut arguments = vec!["verify-block", "-"];
    arguments.extend_from_slice(options);
    run_with(&arguments, block.to_string().as_bytes())
}

#[test]
fn the_readmes_block_holds() {
    let block = repository("tests/vectors/block.json");
    let run = run(&["verify-block", &block]).holds();
    let json: Value = serde_json::from_slice(&std::fs::read(&block).unwrap()).unwrap();
    let post = json["header"]["stateRoot"].as_str().unwrap();
    assert!(run.out().contains(&format!("post root   {post}\n")));
    assert!(run.out().contains("header      agrees"));
    for stage in ["read", "structure", "multiproof", "post root"] {
        assert!(run.out().contains(&format!("{stage} ")), "{stage}");
    }
}

#[test]
fn a_block_made_here_holds() {
    use lightproof::verkle::Committer;
    use lightproof::verkle::tree::{Request, Tree};

    let committer = Committer::without_table();
    let mut tree = Tree::new();
    for i in 0..40u64 {
        tree.insert(&common::h("cli/key", i), common::h("cli/value", i));
    }
    let mut request = Request::default();
    request.read(&common::h("cli/key", 3));
    request.write(&common::h("cli/key", 5), [7; 32]);
    request.write(&common::h("cli/new", 0), [8; 32]);
    let before = tree.commit(&committer);
    let parent = before.root();
    let witness = before.prove(&request).unwrap().to_ssz().unwrap();
    let witness = lightproof::verkle::witness::Witness::from_ssz(&witness).unwrap();
    for (key, value) in request.writes() {
        tree.insert(&key, value);
    }
    let after = tree.commit(&committer).root();
    let mut json = String::new();
    witness
        .write_block_json(&mut json, 7, &parent, &after)
        .unwrap();
    let run = run_with(&["verify-block", "-"], json.as_bytes()).holds();
    assert!(run.out().contains("block       7 (-)"), "{run:?}");
    let root = format!("post root   0x{}\n", common::to_hex(&after));
    assert!(run.out().contains(&root), "{run:?}");
}

#[test]
fn every_honest_witness_holds_and_reaches_its_root() {
    for record in records("proofs.jsonl") {
        let run = verify(&block(&record), &[]).holds();
        let post = record["post"].as_str().unwrap();
        assert!(run.out().contains(&format!("post root   {post}\n")));
        assert!(run.out().contains("block       42 (-)"));
        let unshown = record["unproven_absent_stems"].as_u64().unwrap();
        assert_eq!(run.out().contains("not proven  the absence"), unshown > 0);
        let strict = verify(&block(&record), &["--strict", "--threads", "3"]);
        if unshown == 0 {
            let strict = strict.holds();
            assert!(strict.out().contains(post));
        } else {
            strict.fails(1, &["unshown-absence"]);
        }
    }
}

#[test]
fn every_forgery_is_refused_or_counted() {
    for record in records("forgeries.jsonl") {
        let run = verify(&block(&record), &[]);
        if record["pre_verdict"] == "reject" {
            run.fails(1, &["rejected: ", record["reason"].as_str().unwrap()]);
            continue;
        }
        assert!(run.out().contains("not proven  the absence"), "{run:?}");
        let reached = record["post_verdict"] == "match";
        assert_eq!(run.status, i32::from(!reached), "{run:?}");
        verify(&block(&record), &["--strict"]).fails(1, &["unshown-absence"]);
    }
}

#[test]
fn singular_and_plural() {
    let run = verify(&block(&record("proofs.jsonl", "s/empty-d2")), &[]).holds();
    assert!(run.out().contains("1 stem, 1 key, 2 nodes, 2 openings"));
    assert!(run.out().contains("the absence of 1 stem: "), "{run:?}");
    assert!(!run.out().contains("written"), "{run:?}");
}

#[test]
fn roots_come_from_the_file_or_the_option() {
    let whole = honest();
    let parent = whole["parentStateRoot"].as_str().unwrap();

    let mut block = whole.clone();
    block.as_object_mut().unwrap().remove("parentStateRoot");
    verify(&block, &[]).fails(2, &["no parent state root", "--parent-root"]);
    verify(&block, &["--parent-root", parent]).holds();
    let digits = parent.strip_prefix("0x").unwrap();
    verify(&block, &["--parent-root", digits]).holds();

    // The option comes first.
    block["parentStateRoot"] = whole["header"]["stateRoot"].clone();
    verify(&block, &["--parent-root", parent]).holds();
    verify(&block, &[]).fails(1, &["rejected: multiproof"]);

    // Text that is no root, and a root that is no point.
    for text in ["", "0x", "0x12", "no root", &format!("{digits}00")] {
        verify(&whole, &["--parent-root", text]).fails(2, &["--parent-root"]);
    }
    let digit = format!("0xg{}", &digits[1..]);
    verify(&whole, &["--parent-root", &digit]).fails(2, &["--parent-root"]);
    for byte in ["ff", "01"] {
        let root = format!("0x{}", byte.repeat(32));
        verify(&whole, &["--parent-root", &root]).fails(1, &["rejected: bad-root"]);
    }
}

#[test]
fn the_headers_root_is_compared_if_there_is_one() {
    let mut block = honest();
    let parent = block["parentStateRoot"].clone();
    block["header"]["stateRoot"] = parent;
    let run = verify(&block, &[]).fails(1, &["rejected: ", "header's state root"]);
    assert!(run.out().contains("differs from the post root"));

    block["header"].as_object_mut().unwrap().remove("stateRoot");
    let run = verify(&block, &[]).holds();
    assert!(run.out().contains("names no state root"), "{run:?}");
    block.as_object_mut().unwrap().remove("header");
    let run = verify(&block, &[]).holds();
    assert!(run.out().starts_with("block       -\n"), "{run:?}");
}

#[test]
fn the_number_has_two_names() {
    let mut block = honest();
    block["header"].as_object_mut().unwrap().remove("number");
    for number in [json!("0x49"), json!(73)] {
        block["header"]["blockNumber"] = number;
        let run = verify(&block, &[]).holds();
        assert!(run.out().starts_with("block       73 (-)\n"), "{run:?}");
    }
    block["header"]["number"] = json!(72);
    verify(&block, &[]).fails(2, &["header.number"]);
}

#[test]
fn damaged_proofs_are_rejected() {
    let whole = honest();
    let damaged = |change: &dyn Fn(&mut Value)| {
        let mut block = whole.clone();
        change(&mut block["executionWitness"]);
        verify(&block, &[])
    };
    let no_point = || json!(format!("0x{}", "ff".repeat(32)));
    damaged(&|witness| {
        witness["verkleProof"]["d"] = witness["verkleProof"]["ipaProof"]["cl"][0].clone();
    })
    .fails(1, &["rejected: multiproof"]);
    damaged(&|witness| witness["verkleProof"]["d"] = no_point())
        .fails(1, &["rejected: bad-proof-point", "D"]);
    damaged(&|witness| witness["verkleProof"]["ipaProof"]["cr"][7] = no_point())
        .fails(1, &["rejected: bad-proof-point", "R[7]"]);
    damaged(&|witness| witness["verkleProof"]["ipaProof"]["finalEvaluation"] = no_point())
        .fails(1, &["rejected: bad-scalar"]);
    damaged(&|witness| witness["verkleProof"]["commitmentsByPath"][3] = no_point())
        .fails(1, &["rejected: bad-commitment", "commitment 3"]);
    damaged(&|witness| witness["stateDiff"] = json!([])).fails(1, &["rejected: empty-witness"]);
    damaged(&|witness| witness["verkleProof"]["depthExtensionPresent"] = json!("0x"))
        .fails(1, &["rejected: depth-count"]);
    damaged(&|witness| witness["stateDiff"].as_array_mut().unwrap().swap(0, 1))
        .fails(1, &["rejected: stems-not-ascending", "stem 1"]);
}

#[test]
fn what_cannot_be_read_has_status_2() {
    let missing = file("missing.json");
    run(&["verify-block", missing.to_str().unwrap()]).fails(2, &["can't read", "missing.json"]);
    let folder = repository("tests");
    run(&["verify-block", &folder]).fails(2, &["can't read"]);
    let name = written("text.json", "state root");
    run(&["verify-block", &name]).fails(2, &["text.json", "line 1"]);
    for text in [
        &b""[..],
        b"{",
        b"[]",
        b"7",
        b"\xff\xfe",
        b"{\"header\": {}}",
    ] {
        run_with(&["verify-block", "-"], text).fails(2, &["-: "]);
    }

    let whole = honest();
    let malformed = |place: &[&str], change: &dyn Fn(&mut Value)| {
        let mut block = whole.clone();
        change(&mut block);
        verify(&block, &[]).fails(2, place);
    };
    let diff = |block: &mut Value, value| {
        block["executionWitness"]["stateDiff"][1]["suffixDiffs"][0]["currentValue"] = value;
    };
    malformed(
        &["stateDiff[1].suffixDiffs[0].currentValue", "line 1"],
        &|block| diff(block, json!("0x12")),
    );
    malformed(&["stateDiff[1].suffixDiffs[0].currentValue"], &|block| {
        diff(block, json!("00".repeat(33)));
    });
    malformed(&["verkleProof.ipaProof.cl"], &|block| {
        let list = &mut block["executionWitness"]["verkleProof"]["ipaProof"]["cl"];
        list.as_array_mut().unwrap().pop();
    });
    malformed(&["verkleProof.d"], &|block| {
        block["executionWitness"]["verkleProof"]["d"] = json!(format!("0xz{}", "0".repeat(63)));
    });
    malformed(&["parentStateRoot"], &|block| {
        block["parentStateRoot"] = json!("0x1f")
    });
    malformed(&["header.stateRoot"], &|block| {
        block["header"]["stateRoot"] = json!(7)
    });
}

#[test]
fn forms_of_the_wild_need_lenient() {
    let mut block = honest();
    for diff in block["executionWitness"]["stateDiff"]
        .as_array_mut()
        .unwrap()
    {
        for suffix in diff["suffixDiffs"].as_array_mut().unwrap() {
            suffix["suffix"] = json!(suffix["suffix"].as_u64().unwrap().to_string());
            if suffix["currentValue"].is_null() {
                suffix["currentValue"] = json!("0x");
            }
        }
    }
    verify(&block, &[]).fails(2, &["stateDiff[0].suffixDiffs[0]"]);
    verify(&block, &["--lenient"]).holds();
}

#[test]
fn random_damage_never_panics() {
    let whole = honest().to_string().into_bytes();
    for i in 0..common::scaled(150) as u64 {
        let random = common::h("cli/damage", i);
        let place = u64::from_le_bytes(random[..8].try_into().unwrap()) as usize % whole.len();
        let mut text = whole.clone();
        match random[8] % 3 {
            0 => text[place] = random[9],
            1 => text.truncate(place),
            _ => drop(text.remove(place)),
        }
        // `run_with` checks the status and that nothing panicked.
        let run = run_with(&["verify-block", "-"], &text);
        assert_eq!(run.status == 0, run.err.is_empty(), "{run:?}");
    }
}

/// Real blocks are other people's data: they are read where they are, never copied.
#[test]
fn real_blocks() {
    let mut counts = common::Counts::default();
    let mut found = false;
    for root in common::roots("verkle-witness") {
        let folder = root.join("blocks");
        let Ok(text) = std::fs::read(folder.join("verdicts.json")) else {
            common::say(format_args!(
                "cli: no blocks in {}: skipped",
                folder.display()
            ));
            continue;
        };
        found = true;
        let verdicts: Vec<Value> = serde_json::from_slice(&text).unwrap();
        for verdict in verdicts {
            let path = root.join(verdict["file"].as_str().unwrap());
            let parent = verdict["pre"].as_str().unwrap();
            let path = path.to_str().unwrap();
            let run = run(&["verify-block", path, "--parent-root", parent]);
            if let Some(post) = verdict["post_computed"].as_str() {
                assert!(run.out().contains(&format!("post root   {post}\n")));
            }
            match (&verdict["pre_verdict"], &verdict["post_verdict"]) {
                (Value::String(pre), _) if pre == "reject" => {
                    run.fails(1, &["rejected: ", verdict["reason"].as_str().unwrap()]);
                    counts.add("block rejected");
                }
                (_, Value::String(post)) if post == "mismatch" => {
                    run.fails(1, &["header's state root"]);
                    counts.add("block whose root differs");
                }
                _ => {
                    run.holds();
                    counts.add("block that holds");
                }
            }
        }
    }
    if found {
        counts.print("cli");
    }
}

#[test]
fn convert_there_and_back() {
    for (i, record) in records("proofs.jsonl").iter().enumerate() {
        let json = written(&format!("{i}.json"), record["witness"].to_string());
        let ssz = file(&format!("{i}.ssz"));
        let ssz = ssz.to_str().unwrap();
        run(&["convert", &json, ssz]).holds();
        let back = run(&["convert", ssz]).holds();
        // The vector may have members of its own, and lack a `newValue` of null.
        let again = run_with(&["convert", "-"], &back.out).holds();
        assert_eq!(again.out, std::fs::read(ssz).unwrap());
        let (back, witness): (Value, _) = (
            serde_json::from_slice(&back.out).unwrap(),
            &record["witness"],
        );
        assert_eq!(back["verkleProof"], witness["verkleProof"]);
        let keys = |witness: &Value| -> Vec<Value> {
            let stems = witness["stateDiff"].as_array().unwrap().iter();
            stems
                .flat_map(|diff| {
                    let keys = diff["suffixDiffs"].as_array().unwrap().iter();
                    keys.map(|key| {
                        json!([
                            diff["stem"],
                            key["suffix"],
                            key["currentValue"],
                            key["newValue"]
                        ])
                    })
                })
                .collect()
        };
        assert_eq!(keys(&back), keys(witness));
    }
}

#[test]
fn convert_takes_a_block_and_names_what_is_wrong() {
    let block = repository("tests/vectors/block.json");
    let ssz = run(&["convert", &block]).holds();
    let json = run(&["convert", &block, "--to", "json"]).holds();
    assert_eq!(run_with(&["convert", "-"], &json.out).holds().out, ssz.out);
    assert_eq!(
        run_with(&["convert", "-", "--to", "ssz"], &ssz.out)
            .holds()
            .out,
        ssz.out
    );

    let half = &ssz.out[..ssz.out.len() / 2];
    run_with(&["convert", "-"], half).fails(2, &["-: ", "at byte"]);
    run_with(&["convert", "-"], b"").fails(2, &["truncated at byte"]);
    let malformed = br#"{"stateDiff": 7, "verkleProof": {}}"#;
    run_with(&["convert", "-"], malformed).fails(2, &["stateDiff"]);
    run_with(&["convert", "-"], b"{}").fails(2, &["missing"]);
    let nowhere = file("missing").join("folder.ssz");
    run(&["convert", &block, nowhere.to_str().unwrap()]).fails(2, &["can't write"]);
}
