//! The forms of a witness: strictness of the SSZ and JSON readers, damaged bytes, memory.
#![cfg(all(feature = "verkle", feature = "serde"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_alloc)]

mod common;

use common::scaled;
use lightproof::verkle::witness::json::{self, Leniency, Place, Rule};
use lightproof::verkle::witness::{
    BinaryProof, FormError, FormRule, Mode, OwnedWitness, Witness, WitnessError,
};
use lightproof::verkle::{Committer, ScratchBuffer};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A record of the honest proofs.
fn record(id: &str) -> Value {
    let path = common::roots("verkle-witness")[0].join("proofs.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let records = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    records
        .into_iter()
        .find(|record| record["id"] == id)
        .unwrap()
}

fn owned(record: &Value) -> OwnedWitness {
    let text = record["witness"].to_string();
    json::read_witness(text.as_bytes(), Leniency::Strict).unwrap()
}

fn ssz(id: &str) -> Vec<u8> {
    owned(&record(id)).to_ssz().unwrap()
}

fn read(value: &Value, leniency: Leniency) -> Result<OwnedWitness, (Rule, Place)> {
    let text = value.to_string();
    json::read_witness(text.as_bytes(), leniency).map_err(|error| {
        assert!(error.line > 0 && !error.to_string().is_empty());
        (error.rule, error.place)
    })
}

#[test]
fn each_rule_of_the_ssz_form() {
    let good = ssz("s/mixture");
    let refused = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        Witness::from_ssz(&bytes).unwrap_err()
    };
    assert!(Witness::from_ssz(&good).is_ok());
    assert_eq!(
        refused(0, 9),
        FormError {
            offset: 0,
            rule: FormRule::Offset
        }
    );
    assert_eq!(
        refused(7, 1),
        FormError {
            offset: 4,
            rule: FormRule::Offset
        }
    );
    // The first offset of the state diff tells the number of stems: 11.
    assert_eq!(good[8], 44);
    assert_eq!(
        refused(8, 43),
        FormError {
            offset: 8,
            rule: FormRule::Offset
        }
    );
    assert_eq!(
        refused(8, 0),
        FormError {
            offset: 8,
            rule: FormRule::Offset
        }
    );
    // The first stem: its offset, the offset of its first suffix diff, that one's offsets.
    let stem = 8 + 44;
    assert_eq!(
        refused(stem + 31, 36),
        FormError {
            offset: stem + 31,
            rule: FormRule::Offset
        }
    );
    let suffix = stem + 35 + usize::from(good[stem + 35]);
    assert_eq!(
        refused(suffix + 1, 10),
        FormError {
            offset: suffix + 1,
            rule: FormRule::Offset
        }
    );
    assert_eq!(
        refused(suffix + 5, 8),
        FormError {
            offset: suffix + 5,
            rule: FormRule::Offset
        }
    );
    // A value's tag stands in front of it.
    let witness = owned(&record("s/mixture"));
    let mut keys = witness
        .state_diff
        .iter()
        .flat_map(|diff| &diff.suffix_diffs);
    let value = keys.find_map(|key| key.current_value).unwrap();
    let tag = good.windows(32).position(|bytes| bytes == value).unwrap() - 1;
    for byte in [0, 2, 255] {
        assert_eq!(
            refused(tag, byte),
            FormError {
                offset: tag,
                rule: FormRule::Optional
            }
        );
    }
    // The commitments are the last part: whole points only.
    for cut in 1..32 {
        let error = Witness::from_ssz(&good[..good.len() - cut]).unwrap_err();
        assert_eq!(error.rule, FormRule::Length);
    }
    for len in 0..8 + 4 {
        assert!(Witness::from_ssz(&good[..len]).is_err());
    }
    assert_eq!(
        Witness::from_ssz(&[]),
        Err(FormError {
            offset: 4,
            rule: FormRule::Truncated
        })
    );
}

#[test]
fn limits_of_the_ssz_form() {
    let witness = owned(&record("s/present-1"));
    let mut many = witness.clone();
    many.state_diff[0].suffix_diffs = vec![many.state_diff[0].suffix_diffs[0]; 257];
    assert_eq!(many.to_ssz().unwrap_err().rule, FormRule::TooMany);
    many = witness.clone();
    many.other_stems = vec![[0; 31]; (1 << 16) + 1];
    assert_eq!(many.to_ssz().unwrap_err().rule, FormRule::TooMany);
    many = witness;
    many.depth_extension_present = vec![0; (1 << 16) + 1];
    assert_eq!(many.to_ssz().unwrap_err().rule, FormRule::TooMany);
    assert!(
        OwnedWitness {
            state_diff: vec![],
            ..many
        }
        .to_ssz()
        .is_err()
    );
}

#[test]
fn an_empty_witness_is_well_formed_and_refused() {
    let mut witness = owned(&record("s/present-1"));
    witness.state_diff.clear();
    let bytes = witness.to_ssz().unwrap();
    let read = Witness::from_ssz(&bytes).unwrap();
    assert_eq!(OwnedWitness::from(&read), witness);
    assert_eq!(read.check().unwrap_err(), WitnessError::EmptyWitness);
    assert_eq!(read.stem_diff(0), None);
    assert_eq!(read.depth_status(7), None);
}

#[test]
fn binary_layout_is_strict() {
    let binary = owned(&record("s/mixture")).to_binary();
    for len in 0..binary.len() {
        assert!(BinaryProof::read(&binary[..len]).is_err(), "{len}");
    }
    let mut longer = binary.clone();
    longer.push(0);
    let trailing = FormError {
        offset: binary.len(),
        rule: FormRule::Trailing,
    };
    assert_eq!(BinaryProof::read(&longer), Err(trailing));
    let huge = [0xff; 600];
    let error = FormError {
        offset: 0,
        rule: FormRule::TooMany,
    };
    assert_eq!(BinaryProof::read(&huge), Err(error));
}

#[test]
fn json_errors_name_rule_and_place() {
    let good = record("s/mixture")["witness"].clone();
    let refused = |pointer: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        read(&bad, Leniency::Strict).unwrap_err()
    };
    let length = |digits, expected| Rule::Length { digits, expected };
    let stem = "/stateDiff/3/stem";
    assert_eq!(
        refused(stem, json!("0x00")),
        (length(2, 62), Place::Stem(3))
    );
    assert_eq!(refused(stem, json!("00")), (Rule::Prefix, Place::Stem(3)));
    assert_eq!(
        refused(stem, json!(format!("0X{:062}", 0))),
        (Rule::Prefix, Place::Stem(3))
    );
    assert_eq!(
        refused(stem, json!(format!("0x{:061}g", 0))),
        (Rule::Digit, Place::Stem(3))
    );
    assert_eq!(refused(stem, json!(null)), (Rule::Type, Place::Stem(3)));
    assert_eq!(refused(stem, json!([])), (Rule::Type, Place::Stem(3)));
    let suffix = "/stateDiff/0/suffixDiffs/0/suffix";
    for (value, rule) in [
        (json!(256), Rule::Range),
        (json!(-1), Rule::Range),
        (json!(1.0), Rule::Type),
        (json!("1"), Rule::Type),
        (json!(null), Rule::Type),
    ] {
        assert_eq!(refused(suffix, value), (rule, Place::Suffix(0, 0)));
    }
    let current = "/stateDiff/0/suffixDiffs/0/currentValue";
    assert_eq!(
        refused(current, json!("0x")),
        (length(0, 64), Place::CurrentValue(0, 0))
    );
    assert_eq!(
        refused(current, json!("")),
        (Rule::Prefix, Place::CurrentValue(0, 0))
    );
    let depths = "/verkleProof/depthExtensionPresent";
    assert_eq!(
        refused(depths, json!("0x123")),
        (length(3, 0), Place::DepthExtensionPresent)
    );
    let points = "/verkleProof/commitmentsByPath/2";
    assert_eq!(
        refused(points, json!("0x123")),
        (length(3, 64), Place::Commitment(2))
    );
    assert_eq!(
        refused("/verkleProof/ipaProof/cl", json!([])),
        (Rule::Eight, Place::Cl)
    );
    let mut nine = good.pointer("/verkleProof/ipaProof/cr").unwrap().clone();
    let ninth = nine[0].clone();
    nine.as_array_mut().unwrap().push(ninth);
    assert_eq!(
        refused("/verkleProof/ipaProof/cr", nine),
        (Rule::Eight, Place::Cr)
    );
    assert_eq!(
        refused("/verkleProof", json!({})),
        (Rule::Missing, Place::IpaProof)
    );
    assert_eq!(
        refused("/stateDiff/1", json!({})),
        (Rule::Missing, Place::Stem(1))
    );
    assert_eq!(
        refused("/stateDiff", json!({})),
        (Rule::Type, Place::StateDiff)
    );
}

#[test]
fn members_in_any_order_unknown_ones_ignored_none_twice() {
    let good = record("s/mixture")["witness"].clone();
    let expected = read(&good, Leniency::Strict).unwrap();
    // The order of a map here is that of the alphabet; the vectors have another.
    let mut more = good.clone();
    more["comment"] = json!({"stateDiff": [[1, {}], "x"]});
    more["stateDiff"][0]["comment"] = json!("changed");
    more["stateDiff"][0]["suffixDiffs"][0]["comment"] = json!(null);
    assert_eq!(read(&more, Leniency::Strict), Ok(expected.clone()));
    let mut short = good.clone();
    let diff = short["stateDiff"][0]["suffixDiffs"][0]
        .as_object_mut()
        .unwrap();
    assert_eq!(diff.remove("newValue"), Some(json!(null)));
    assert_eq!(read(&short, Leniency::Strict), Ok(expected));
    let diff = short["stateDiff"][0]["suffixDiffs"][0]
        .as_object_mut()
        .unwrap();
    diff.remove("currentValue");
    let missing = (Rule::Missing, Place::CurrentValue(0, 0));
    assert_eq!(read(&short, Leniency::Strict), Err(missing));

    let text = good.to_string();
    for (twice, place) in [
        ("\"currentValue\":null,", Place::CurrentValue(0, 0)),
        ("\"newValue\":null,", Place::NewValue(0, 0)),
        ("\"stem\":", Place::Stem(0)),
        ("\"d\":", Place::D),
    ] {
        let value = text
            .split(twice)
            .nth(1)
            .unwrap()
            .split([',', '}'])
            .next()
            .unwrap();
        let once = if twice.ends_with(',') {
            twice.into()
        } else {
            format!("{twice}{value},")
        };
        let doubled = text.replacen(twice, &format!("{once}{twice}"), 1);
        let error = json::read_witness(doubled.as_bytes(), Leniency::Strict).unwrap_err();
        assert_eq!(error.rule, Rule::Duplicate, "{twice} {error}");
        assert_eq!(
            core::mem::discriminant(&error.place),
            core::mem::discriminant(&place)
        );
    }
    for len in 0..text.len() {
        let error = json::read_witness(&text.as_bytes()[..len], Leniency::Strict).unwrap_err();
        assert_eq!(error.rule, Rule::Malformed, "{len}");
    }
    let trailing = format!("{text} x");
    let error = json::read_witness(trailing.as_bytes(), Leniency::Strict).unwrap_err();
    assert_eq!(error.rule, Rule::Malformed);
}

/// Names in snake case, suffixes as decimal strings, "0x" for null: the forms met in the wild.
fn wild(value: &Value) -> Value {
    let snake = |name: &str| {
        let mut out = String::new();
        for letter in name.chars() {
            if letter.is_ascii_uppercase() {
                out.push('_');
            }
            out.push(letter.to_ascii_lowercase());
        }
        out
    };
    match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, value)| (snake(name), wild(value)))
                .collect(),
        ),
        Value::Array(list) => Value::Array(list.iter().map(wild).collect()),
        Value::Number(number) => Value::String(number.to_string()),
        Value::Null => Value::String("0x".into()),
        other => other.clone(),
    }
}

#[test]
fn forms_met_in_the_wild_are_read_leniently_only() {
    let good = record("s/w-mixture")["witness"].clone();
    let expected = read(&good, Leniency::Strict).unwrap();
    let lenient = wild(&good);
    assert_eq!(read(&lenient, Leniency::Lenient), Ok(expected.clone()));
    assert!(read(&lenient, Leniency::Strict).is_err());

    let root = format!("0x{:064x}", 7);
    let payload = json!({"execution_payload": {
        "block_number": "73", "state_root": root, "execution_witness": lenient,
    }});
    let text = payload.to_string();
    let block = json::read_block(text.as_bytes(), Leniency::Lenient).unwrap();
    assert_eq!(
        (block.number, block.state_root.map(|root| root[31])),
        (Some(73), Some(7))
    );
    assert_eq!((block.witness, block.parent_state_root), (expected, None));
    let error = json::read_block(text.as_bytes(), Leniency::Strict).unwrap_err();
    assert_eq!((error.rule, error.place), (Rule::Missing, Place::Witness));
}

#[test]
fn blocks_are_written_and_read() {
    let bytes = ssz("s/w-mixture");
    let witness = Witness::from_ssz(&bytes).unwrap();
    let mut text = String::new();
    witness
        .write_block_json(&mut text, 0x1_0000_0049, &[1; 32], &[2; 32])
        .unwrap();
    let block = json::read_block(text.as_bytes(), Leniency::Strict).unwrap();
    assert_eq!(block.number, Some(0x1_0000_0049));
    assert_eq!(
        (block.parent_state_root, block.state_root),
        (Some([1; 32]), Some([2; 32]))
    );
    assert_eq!(block.witness.to_ssz(), Ok(bytes));
    let text = text.replacen("\"number\":", "\"blockNumber\":\"0x5\",\"number\":", 1);
    let error = json::read_block(text.as_bytes(), Leniency::Strict).unwrap_err();
    assert_eq!((error.rule, error.place), (Rule::Duplicate, Place::Number));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: u32::try_from(scaled(2000)).unwrap_or(u32::MAX), failure_persistence: None, ..ProptestConfig::default()
    })]

    /// Whatever the bytes: no panic; what is read is written back as the same bytes.
    #[test]
    fn damaged_ssz(
        id in prop::sample::select(vec!["s/mixture", "s/w-mixture", "s/deep-31", "s/empty-same-slot"]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = ssz(id);
        for (at, byte, how) in edits {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes[at] ^= 1 << (byte % 8),
                _ => bytes[at] = [0, 1, 2, 4, 8, 9, 35, 42, 255][usize::from(byte % 9)],
            }
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        if let Ok(witness) = Witness::from_ssz(&bytes) {
            prop_assert_eq!(OwnedWitness::from(&witness).to_ssz(), Ok(bytes.clone()));
            if let Ok(checked) = witness.check() {
                let mut count = 0;
                let walked: Result<(), ()> = checked.openings(|_| {
                    count += 1;
                    Ok(())
                });
                prop_assert!(walked.is_ok());
                prop_assert_eq!(count, checked.shape().openings);
            }
        }
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(Witness::from_ssz(&bytes).is_err() || bytes.len() > 600);
        let _ = BinaryProof::read(&bytes);
        prop_assert!(json::read_witness(&bytes, Leniency::Lenient).is_err());
    }
}

/// One bit anywhere outside of the new values makes a witness fail, and never a panic.
#[test]
fn no_bit_of_a_proven_witness_can_be_turned() {
    let record = record("s/present-1");
    let bytes = owned(&record).to_ssz().unwrap();
    let pre = common::hex_array(record["pre"].as_str().unwrap());
    let committer = Committer::new();
    let mut buffer = ScratchBuffer::new(8);
    let mut scratch = buffer.scratch();
    let mut verify = |bytes: &[u8], root: &[u8; 32]| {
        let witness = Witness::from_ssz(bytes)?;
        witness
            .verify(&committer, root, Mode::Strict, &mut scratch)
            .map(|_| ())
    };
    assert_eq!(verify(&bytes, &pre), Ok(()));
    let step = 1.max(bytes.len() * 8 / scaled(400));
    for bit in (0..bytes.len() * 8).step_by(step) {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(verify(&damaged, &pre).is_err(), "bit {bit}");
    }
    for bit in (0..256).step_by(256 / scaled(32).min(256)) {
        let mut root = pre;
        root[bit / 8] ^= 1 << (bit % 8);
        assert!(verify(&bytes, &root).is_err(), "bit {bit} of the root");
    }
}

#[test]
fn too_little_scratch_is_an_error() {
    let record = record("s/mixture");
    let bytes = owned(&record).to_ssz().unwrap();
    let checked = Witness::from_ssz(&bytes).unwrap().check().unwrap();
    let pre = common::hex_array(record["pre"].as_str().unwrap());
    let (needed, committer) = (checked.shape().nodes, Committer::without_table());
    for given in [0, 1, needed - 1] {
        let mut buffer = ScratchBuffer::new(given);
        let mut scratch = buffer.scratch();
        let refused = checked
            .verify(&committer, &pre, Mode::Count, &mut scratch)
            .err();
        assert_eq!(refused, Some(WitnessError::Scratch { needed, given }));
    }
    let mut buffer = ScratchBuffer::new(needed);
    let mut scratch = buffer.scratch();
    let verified = checked
        .verify(&committer, &pre, Mode::Count, &mut scratch)
        .unwrap();
    assert_eq!(
        verified.post_root(&committer),
        common::hex_array(record["post"].as_str().unwrap())
    );
}
