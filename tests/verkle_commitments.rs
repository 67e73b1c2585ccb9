//! Runs the vectors of the transcript, of polynomials and of commitments.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{
    Counts, constant, hex, hex_array, knows, list, members, number, point_of, say, scalar_of,
    strings, text,
};
use lightproof::exec::{Executor, Serial, Threads};
use lightproof::table::Shape;
use lightproof::verkle::polynomial::{
    add_quotient, domain_index, inner_product, lagrange_coefficients, weight, weight_inverse,
};
use lightproof::verkle::{Committer, Element, Scalar, Transcript, Vector, WIDTH};
use serde_json::Value;

#[test]
fn every_transcript_vector() {
    let mut counts = Counts::default();
    for (path, doc) in common::verkle_documents(&["transcript"]) {
        say(path.display());
        for (kind, cases) in members(&doc) {
            assert_eq!(kind, "cases", "{}: unknown kind", path.display());
            for case in list(cases) {
                knows(case, &["ops", "protocol_label"]);
                transcript(case, &mut counts);
            }
        }
    }
    counts.print("transcript");
}

fn transcript(case: &Value, counts: &mut Counts) {
    let mut transcript = Transcript::new(text(case, "protocol_label"));
    for operation in list(&case["ops"]) {
        knows(operation, &["op", "label", "hex", "out"]);
        let label = constant(text(operation, "label"));
        // An empty message has no member `hex`.
        let digits = operation.get("hex").map_or("", |d| d.as_str().unwrap());
        let kind = text(operation, "op");
        match kind {
            "domain_sep" => transcript.domain_sep(label),
            "message" => transcript.append_message(label, &hex(digits)),
            "scalar" => transcript.append_scalar(label, &scalar_of(digits)),
            "point" => transcript.append_point(label, &point_of(digits).to_bytes()),
            "challenge" => assert_eq!(
                transcript.challenge(label),
                scalar_of(text(operation, "out")),
                "{case}"
            ),
            kind => panic!("unknown operation {kind}"),
        }
        counts.add(kind);
    }
    counts.add("sequence");
}

#[test]
fn every_polynomial_vector() {
    let mut counts = Counts::default();
    for (path, doc) in common::verkle_documents(&["polynomial"]) {
        say(path.display());
        for (kind, cases) in members(&doc) {
            for case in list(cases) {
                match kind {
                    "weights" => weights(case),
                    "evaluations" => evaluation(case),
                    "quotients" => quotient(case),
                    kind => panic!("{}: unknown kind {kind}", path.display()),
                }
                counts.add(kind);
            }
        }
    }
    counts.print("polynomial");
}

fn weights(case: &Value) {
    knows(case, &["i", "w", "w_inv"]);
    let i = u8::try_from(number(case, "i")).unwrap();
    assert_eq!(weight(i), scalar_of(text(case, "w")));
    assert_eq!(weight_inverse(i), scalar_of(text(case, "w_inv")));
}

fn boxed(values: Vec<Scalar>) -> Box<Vector> {
    values.into_boxed_slice().try_into().unwrap()
}

fn evaluation(case: &Value) {
    knows(case, &["poly", "z", "f(z)", "lagrange_coeffs_L_i(z)"]);
    let z = scalar_of(text(case, "z"));
    let mut coefficients = Box::new([Scalar::ZERO; WIDTH]);
    lagrange_coefficients(&z, &mut coefficients);
    if let Some(expected) = case.get("lagrange_coeffs_L_i(z)") {
        let expected: Vec<Scalar> = strings(expected).map(scalar_of).collect();
        assert_eq!(coefficients[..], expected);
    }
    let f = common::polynomial(&case["poly"]);
    assert_eq!(
        inner_product(&f, &coefficients[..]),
        scalar_of(text(case, "f(z)"))
    );
    if let Some(index) = domain_index(&z) {
        assert_eq!(f[usize::from(index)], scalar_of(text(case, "f(z)")));
    }
}

fn quotient(case: &Value) {
    knows(case, &["poly", "index", "quotient"]);
    let f = boxed(common::polynomial(&case["poly"]));
    let index = u8::try_from(number(case, "index")).unwrap();
    let expected: Vec<Scalar> = strings(&case["quotient"]).map(scalar_of).collect();
    let mut quotient = Box::new([Scalar::ZERO; WIDTH]);
    add_quotient(&f, index, &mut quotient);
    assert_eq!(quotient[..], expected);
}

#[test]
fn every_commitment_vector() {
    let mut counts = Counts::default();
    let committers = [
        Committer::new(),
        Committer::without_table(),
        Committer::generate(&Threads(2), Shape::new(3, 12).unwrap()).unwrap(),
    ];
    for (path, doc) in common::verkle_documents(&["msm_fixed"]) {
        say(path.display());
        for (kind, cases) in members(&doc) {
            match kind {
                "commitments" => commitments(&committers, list(cases)),
                "delta_updates" => list(cases).iter().for_each(|c| update(&committers, c)),
                kind => panic!("{}: unknown kind {kind}", path.display()),
            }
            for _ in list(cases) {
                counts.add(kind);
            }
        }
    }
    counts.print("msm_fixed");
}

fn commitments(committers: &[Committer<'static>], cases: &[Value]) {
    let vectors: Vec<Vec<Scalar>> = cases
        .iter()
        .map(|case| {
            knows(case, &["poly", "commitment", "map_to_scalar"]);
            common::polynomial(&case["poly"])
        })
        .collect();
    let expected: Vec<Element> = cases
        .iter()
        .map(|case| point_of(text(case, "commitment")))
        .collect();
    for ((case, vector), expected) in cases.iter().zip(&vectors).zip(&expected) {
        for committer in committers {
            let commitment = committer.commit(vector).unwrap();
            assert_eq!(commitment, *expected, "{}", case["name"]);
            assert_eq!(
                commitment.to_bytes(),
                hex_array(text(case, "commitment")),
                "{}",
                case["name"]
            );
            assert_eq!(
                commitment.map_to_scalar(),
                scalar_of(text(case, "map_to_scalar"))
            );
        }
        // Trailing zeros may be left out.
        let short = vector.len()
            - vector
                .iter()
                .rev()
                .take_while(|s| **s == Scalar::ZERO)
                .count();
        for committer in committers {
            assert_eq!(committer.commit(&vector[..short]).unwrap(), *expected);
        }
        let entries: Vec<(u8, Scalar)> = (0..=255)
            .zip(vector.iter().copied())
            .filter(|(_, scalar)| *scalar != Scalar::ZERO)
            .collect();
        if entries.len() <= 40 {
            for committer in committers {
                assert_eq!(committer.commit_sparse(&entries), *expected);
            }
        }
    }
    let vectors: Vec<&[Scalar]> = vectors.iter().map(Vec::as_slice).collect();
    for committer in committers {
        batch(&Serial, committer, &vectors, &expected);
        for threads in 1..=3 {
            batch(&Threads(threads), committer, &vectors, &expected);
        }
    }
}

fn batch(
    exec: &impl Executor,
    committer: &Committer<'_>,
    vectors: &[&[Scalar]],
    expected: &[Element],
) {
    let mut out = vec![Element::generator(); vectors.len()];
    committer.commit_batch(exec, vectors, &mut out).unwrap();
    assert_eq!(out, expected);
}

fn update(committers: &[Committer<'static>], case: &Value) {
    let named = [
        "poly",
        "commitment",
        "index",
        "old",
        "new",
        "updated_commitment",
    ];
    knows(case, &named);
    let mut vector = common::polynomial(&case["poly"]);
    let index = u8::try_from(number(case, "index")).unwrap();
    let (old, new) = (scalar_of(text(case, "old")), scalar_of(text(case, "new")));
    let (before, after) = (
        point_of(text(case, "commitment")),
        point_of(text(case, "updated_commitment")),
    );
    assert_eq!(vector[usize::from(index)], old);
    for committer in committers {
        assert_eq!(committer.commit(&vector).unwrap(), before);
        assert_eq!(committer.update(&before, index, &(new - old)), after);
        assert_eq!(committer.update(&after, index, &(old - new)), before);
    }
    vector[usize::from(index)] = new;
    for committer in committers {
        assert_eq!(committer.commit(&vector).unwrap(), after);
    }
}
