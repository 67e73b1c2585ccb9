//! Runs the vectors of inner-product arguments and multiproofs, true and false.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use core::ops::RangeInclusive;

use common::{
    Counts, constant, hex, hex_array, knows, list, members, number, point_of, say, scalar_of,
    strings, text, truth,
};
use lightproof::exec::{Executor, Serial, Threads};
use lightproof::field::Field;
use lightproof::verkle::batch::{BatchBuffer, BatchError, BatchProof, Openings, verify_batch_with};
use lightproof::verkle::multiproof::{
    prove, prove_with, verify, verify_encoded, verify_encoded_with, verify_with,
};
use lightproof::verkle::{
    Affine, Committer, Compressed, Element, EncodedQuery, Error, IpaProof, MultiProof, ProverQuery,
    Scalar, ScratchBuffer, Transcript, Vector, VerifierQuery, ipa,
};
use serde_json::{Value, json};

fn boxed(values: Vec<Scalar>) -> Box<Vector> {
    values.into_boxed_slice().try_into().unwrap()
}

#[test]
fn every_ipa_vector() {
    let mut counts = Counts::default();
    let (table, plain) = (Committer::new(), Committer::without_table());
    for (path, doc) in common::verkle_documents(&["ipa"]) {
        say(path.display());
        for (kind, cases) in members(&doc) {
            assert_eq!(kind, "cases", "{}: unknown kind", path.display());
            for case in list(cases) {
                argument(&table, &plain, case);
                let inside = scalar_of(text(case, "z")).to_limbs();
                counts.add(match inside {
                    [0..=255, 0, 0, 0] => "inside the domain",
                    _ => "outside of the domain",
                });
            }
        }
    }
    counts.print("ipa");
}

fn argument(table: &Committer<'_>, plain: &Committer<'_>, case: &Value) {
    let named = [
        "poly",
        "commitment",
        "z",
        "y",
        "proof",
        "trace",
        "transcript_label",
        "final_state",
        "verify",
        "verify_with_y_plus_1",
    ];
    knows(case, &named);
    let vector = boxed(common::polynomial(&case["poly"]));
    let commitment = point_of(text(case, "commitment"));
    let (z, y) = (scalar_of(text(case, "z")), scalar_of(text(case, "y")));
    let label = text(case, "transcript_label");
    let bytes = hex(text(case, "proof"));
    let state = scalar_of(text(case, "final_state"));

    // The prover, whatever runs it, reproduces the bytes.
    let prover = |committer: &Committer<'_>, exec: &dyn Fn(&mut Transcript) -> Made| {
        assert_eq!(committer.commit(&vector[..]).unwrap(), commitment);
        let mut transcript = Transcript::new(label);
        let (proof, value) = exec(&mut transcript).unwrap();
        assert_eq!(proof.to_bytes().as_slice(), bytes, "{}", case["name"]);
        assert_eq!(value, y);
        assert_eq!(transcript.challenge("state"), state, "{}", case["name"]);
    };
    type Made = Result<(IpaProof, Scalar), Error>;
    prover(table, &|t| {
        ipa::prove(&Serial, table, t, &commitment, &vector, &z)
    });
    prover(plain, &|t| {
        ipa::prove(&Serial, plain, t, &commitment, &vector, &z)
    });
    for threads in thread_counts(false) {
        prover(table, &|t| {
            ipa::prove(&Threads(threads), table, t, &commitment, &vector, &z)
        });
    }

    let proof = IpaProof::from_bytes(&bytes).unwrap();
    assert_eq!(proof.to_bytes().as_slice(), bytes);
    ipa_trace(label, &commitment, &z, &y, &proof, case);
    let mut buffer = ScratchBuffer::new(1);
    for committer in [table, plain] {
        let mut verdict = |y: &Scalar| {
            let mut transcript = Transcript::new(label);
            let verdict = ipa::verify(
                committer,
                &mut transcript,
                &commitment,
                &z,
                y,
                &proof,
                &mut buffer.scratch(),
            );
            (verdict, transcript.challenge("state"))
        };
        let (found, found_state) = verdict(&y);
        assert_verdict(found, truth(case, "verify"), case);
        assert_eq!(found_state, state);
        let (found, _) = verdict(&(y + Scalar::ONE));
        assert_verdict(found, truth(case, "verify_with_y_plus_1"), case);
    }
}

/// True, or false for being so: no other error.
fn assert_verdict(found: Result<(), Error>, expected: bool, case: &Value) {
    let expected = if expected {
        Ok(())
    } else {
        Err(Error::NotProven)
    };
    assert_eq!(found, expected, "{}", case["name"]);
}

/// The challenges w and x, from a transcript that the test writes itself.
fn ipa_trace(
    label: &str,
    commitment: &Element,
    z: &Scalar,
    y: &Scalar,
    proof: &IpaProof,
    case: &Value,
) {
    knows(&case["trace"], &["w", "x"]);
    let mut transcript = Transcript::new(label);
    let (w, x) = replay_ipa(&mut transcript, commitment, z, y, proof);
    assert_eq!(w, scalar_of(text(&case["trace"], "w")));
    let expected: Vec<Scalar> = strings(&case["trace"]["x"]).map(scalar_of).collect();
    assert_eq!(x, expected);
    assert_eq!(
        transcript.challenge("state"),
        scalar_of(text(case, "final_state"))
    );
}

fn replay_ipa(
    transcript: &mut Transcript,
    commitment: &Element,
    z: &Scalar,
    y: &Scalar,
    proof: &IpaProof,
) -> (Scalar, Vec<Scalar>) {
    transcript.domain_sep("ipa");
    transcript.append_point("C", &commitment.to_bytes());
    transcript.append_scalar("input point", z);
    transcript.append_scalar("output point", y);
    let w = transcript.challenge("w");
    let rounds = proof.l.iter().zip(&proof.r).map(|(l, r)| {
        transcript.append_point("L", &l.to_bytes());
        transcript.append_point("R", &r.to_bytes());
        transcript.challenge("x")
    });
    let x = rounds.collect();
    (w, x)
}

/// What a multiproof's vector states.
struct Statement {
    label: String,
    commitments: Vec<Compressed>,
    points: Vec<u8>,
    values: Vec<[u8; 32]>,
    elements: Vec<Element>,
}

impl Statement {
    fn new(label: &str, commitments: Vec<Compressed>, z: &Value, y: &Value) -> Self {
        let points: Vec<u8> = list(z)
            .iter()
            .map(|z| u8::try_from(z.as_u64().unwrap()).unwrap())
            .collect();
        let values: Vec<[u8; 32]> = strings(y).map(hex_array).collect();
        assert_eq!(points.len(), commitments.len());
        assert_eq!(points.len(), values.len());
        // Elements that are no result of a decoder: Z is not 1, half of them are the other
        // representative.
        let elements = commitments
            .iter()
            .map(|bytes| {
                let element = Element::from_bytes(bytes).unwrap_or_default();
                element + Element::generator() - Element::generator()
            })
            .collect();
        Self {
            label: label.to_owned(),
            commitments,
            points,
            values,
            elements,
        }
    }

    fn transcript(&self) -> Transcript {
        Transcript::new(&self.label)
    }

    fn encoded(&self) -> Vec<EncodedQuery<'_>> {
        let triples = self.commitments.iter().zip(&self.points).zip(&self.values);
        triples
            .map(|((commitment, point), value)| EncodedQuery {
                commitment,
                point: *point,
                value,
            })
            .collect()
    }

    /// None where a value is not canonical.
    fn decoded(&self) -> Option<Vec<VerifierQuery<'_>>> {
        let triples = self.elements.iter().zip(&self.points).zip(&self.values);
        triples
            .map(|((commitment, point), value)| {
                Some(VerifierQuery {
                    commitment,
                    point: *point,
                    value: Scalar::from_le_bytes(value)?,
                })
            })
            .collect()
    }
}

#[test]
fn every_multiproof_vector() {
    let mut counts = Counts::default();
    let (table, plain) = (Committer::new(), Committer::without_table());
    for (path, doc) in common::verkle_documents(&["multiproof"]) {
        say(path.display());
        for (kind, cases) in members(&doc) {
            assert_eq!(kind, "cases", "{}: unknown kind", path.display());
            for case in list(cases) {
                multiproof(&table, &plain, case);
                counts.add(&format!("of {} openings", number(case, "n")));
            }
        }
    }
    counts.print("multiproof");
}

/// The polynomials of groups: the j-th of a group has label `label_prefix` + j.
fn polynomials(groups: &Value) -> Vec<Box<Vector>> {
    let mut out = Vec::new();
    for group in list(groups) {
        knows(
            group,
            &["kind", "count", "label_prefix", "value", "entries"],
        );
        for j in 0..number(group, "count") {
            let mut spec = group.clone();
            if group.get("label_prefix").is_some() {
                spec["label"] = json!(format!("{}{j}", text(group, "label_prefix")));
            }
            out.push(boxed(common::polynomial(&spec)));
        }
    }
    out
}

fn multiproof(table: &Committer<'_>, plain: &Committer<'_>, case: &Value) {
    let named = [
        "commitments",
        "final_state",
        "n",
        "poly_index",
        "polys",
        "proof",
        "trace",
        "transcript_label",
        "verify",
        "y",
        "z",
    ];
    knows(case, &named);
    let polynomials = polynomials(&case["polys"]);
    let unique: Vec<Compressed> = strings(&case["commitments"]).map(hex_array).collect();
    assert_eq!(unique.len(), polynomials.len());
    for (bytes, polynomial) in unique.iter().zip(&polynomials) {
        assert_eq!(table.commit(&polynomial[..]).unwrap().to_bytes(), *bytes);
    }
    let index: Vec<usize> = list(&case["poly_index"])
        .iter()
        .map(|i| usize::try_from(i.as_u64().unwrap()).unwrap())
        .collect();
    let statement = Statement::new(
        text(case, "transcript_label"),
        index.iter().map(|i| unique[*i]).collect(),
        &case["z"],
        &case["y"],
    );
    assert_eq!(number(case, "n"), index.len());
    let queries: Vec<ProverQuery<'_>> = index
        .iter()
        .zip(&statement.elements)
        .zip(&statement.points)
        .map(|((i, commitment), point)| ProverQuery {
            commitment,
            polynomial: &polynomials[*i],
            point: *point,
        })
        .collect();
    for (query, value) in queries.iter().zip(&statement.values) {
        assert_eq!(query.value().to_le_bytes(), *value);
    }
    prover(table, plain, &statement, &queries, case);
    let proof = MultiProof::from_bytes(&hex(text(case, "proof"))).unwrap();
    trace(&statement, &proof, case);
    let state = scalar_of(text(case, "final_state"));
    verifier(table, &statement, &proof, &state, case);
    if index.len() <= MANY {
        verifier(plain, &statement, &proof, &state, case);
    }
}

/// The numbers of threads that results are compared for.
fn thread_counts(few: bool) -> RangeInclusive<usize> {
    let few = few || common::test_scale() < 1.0;
    if few { 3..=3 } else { 1..=3 }
}

/// Of statements of more openings than these, fewer forms are tried.
const MANY: usize = 16;

fn prover(
    table: &Committer<'_>,
    plain: &Committer<'_>,
    statement: &Statement,
    queries: &[ProverQuery<'_>],
    case: &Value,
) {
    let same = |made: Result<MultiProof, Error>, mut transcript: Transcript| {
        let made = made.unwrap();
        let bytes = hex(text(case, "proof"));
        assert_eq!(made.to_bytes().as_slice(), bytes, "{}", case["name"]);
        let state = scalar_of(text(case, "final_state"));
        assert_eq!(transcript.challenge("state"), state, "{}", case["name"]);
    };
    let mut transcript = statement.transcript();
    same(prove(table, &mut transcript, queries), transcript);
    let many = queries.len() > MANY;
    if !many {
        let mut transcript = statement.transcript();
        same(prove(plain, &mut transcript, queries), transcript);
    }
    for threads in thread_counts(many) {
        let mut transcript = statement.transcript();
        let made = prove_with(&Threads(threads), table, &mut transcript, queries);
        same(made, transcript);
    }
}

/// Every intermediate value, from a transcript that the test writes itself.
fn trace(statement: &Statement, proof: &MultiProof, case: &Value) {
    let expected = &case["trace"];
    knows(
        expected,
        &["r", "t", "D", "E", "E_minus_D", "g2_t", "w", "x"],
    );
    let mut transcript = statement.transcript();
    transcript.domain_sep("multiproof");
    let queries = statement.decoded().unwrap();
    for (query, commitment) in queries.iter().zip(&statement.commitments) {
        transcript.append_point("C", commitment);
        transcript.append_scalar("z", &Scalar::from(u64::from(query.point)));
        transcript.append_scalar("y", &query.value);
    }
    let r = transcript.challenge("r");
    assert_eq!(r, scalar_of(text(expected, "r")));
    assert_eq!(proof.d.to_bytes(), hex_array(text(expected, "D")));
    transcript.append_point("D", &proof.d.to_bytes());
    let t = transcript.challenge("t");
    assert_eq!(t, scalar_of(text(expected, "t")));

    let (mut power, mut value, mut e) = (Scalar::ONE, Scalar::ZERO, Element::IDENTITY);
    for query in &queries {
        let distance = t - Scalar::from(u64::from(query.point));
        let weight = power * distance.invert_vartime().unwrap();
        value += weight * query.value;
        e += query.commitment.mul_vartime(&weight);
        power *= r;
    }
    assert_eq!(value, scalar_of(text(expected, "g2_t")));
    assert_eq!(e.to_bytes(), hex_array(text(expected, "E")));
    transcript.append_point("E", &e.to_bytes());
    let difference = e - Element::from(proof.d);
    assert_eq!(
        difference.to_bytes(),
        hex_array(text(expected, "E_minus_D"))
    );
    let (w, x) = replay_ipa(&mut transcript, &difference, &t, &value, &proof.ipa);
    assert_eq!(w, scalar_of(text(expected, "w")));
    let expected: Vec<Scalar> = strings(&expected["x"]).map(scalar_of).collect();
    assert_eq!(x, expected);
}

fn verifier(
    committer: &Committer<'_>,
    statement: &Statement,
    proof: &MultiProof,
    state: &Scalar,
    case: &Value,
) {
    let (encoded, mut decoded) = (statement.encoded(), statement.decoded().unwrap());
    let mut buffer = ScratchBuffer::new(encoded.len());
    let mut check = |run: &mut Run<'_>, expected: bool| {
        let mut transcript = statement.transcript();
        let verdict = run(&mut transcript, &mut buffer);
        assert_verdict(verdict, expected, case);
        if expected {
            assert_eq!(transcript.challenge("state"), *state);
        }
    };
    type Run<'r> = dyn FnMut(&mut Transcript, &mut ScratchBuffer) -> Result<(), Error> + 'r;
    let expected = truth(case, "verify");
    check(
        &mut |t, b| verify(committer, t, &decoded, proof, &mut b.scratch()),
        expected,
    );
    check(
        &mut |t, b| verify_encoded(committer, t, &encoded, proof, &mut b.scratch()),
        expected,
    );
    let many = decoded.len() > MANY;
    for threads in thread_counts(many) {
        let exec = Threads(threads);
        check(
            &mut |t, b| verify_with(&exec, committer, t, &decoded, proof, &mut b.scratch()),
            expected,
        );
        check(
            &mut |t, b| verify_encoded_with(&exec, committer, t, &encoded, proof, &mut b.scratch()),
            expected,
        );
    }
    let verdict = if expected {
        Ok(())
    } else {
        Err(Error::NotProven)
    };
    in_batch(&Serial, committer, statement, proof, verdict);
    // A false value: first, middle, last.
    let count = decoded.len();
    let places = [count / 2, 0, count - 1];
    for i in places.into_iter().take(if many { 1 } else { 3 }) {
        decoded[i].value += Scalar::ONE;
        check(
            &mut |t, b| verify(committer, t, &decoded, proof, &mut b.scratch()),
            false,
        );
        decoded[i].value -= Scalar::ONE;
    }
}

#[test]
fn every_negative_vector() {
    let mut counts = Counts::default();
    let committer = Committer::new();
    for (path, doc) in common::verkle_documents(&["negative"]) {
        say(path.display());
        let bases = list(&doc["bases"]);
        for base in bases {
            let named = ["C", "proof", "tag", "transcript_label", "y", "z"];
            knows(base, &named);
            let verdict = outcome(&committer, &Serial, base, base);
            assert_eq!(verdict, Ok(()), "a base must hold: {}", base["tag"]);
            counts.add("base");
        }
        for (kind, cases) in members(&doc) {
            match kind {
                "bases" => {}
                "cases" => {
                    for case in list(cases) {
                        counts.add(negative(&committer, bases, case));
                    }
                }
                kind => panic!("{}: unknown kind {kind}", path.display()),
            }
        }
    }
    counts.print("negative");
}

/// Checks that a mutation is refused, and for the right reason, which is its kind.
fn negative<'v>(committer: &Committer<'_>, bases: &[Value], case: &'v Value) -> &'v str {
    let named = ["base", "go", "proof", "C", "y", "z", "transcript_label"];
    knows(case, &named);
    let base = bases
        .iter()
        .find(|base| base["tag"] == case["base"])
        .unwrap_or_else(|| panic!("no base {}", case["base"]));
    let verdict = outcome(committer, &Serial, base, case);
    for threads in thread_counts(true) {
        let threaded = outcome(committer, &Threads(threads), base, case);
        assert_eq!(threaded, verdict, "{}", case["name"]);
    }
    let kind = text(case, "go");
    let right = match kind {
        "decode_error" => matches!(
            verdict,
            Err(Error::ProofLength { .. }
                | Error::ProofPoint { .. }
                | Error::ProofScalar
                | Error::Commitment { .. }
                | Error::Value { .. })
        ),
        "argument_error" => verdict == Err(Error::NoOpenings),
        "false" => verdict == Err(Error::NotProven),
        kind => panic!("unknown outcome {kind}"),
    };
    assert!(right, "{}: {verdict:?}", case["name"]);
    kind
}

/// The verdict on a base with the members that a case replaces, from bytes and from
/// elements alike.
fn outcome(
    committer: &Committer<'_>,
    exec: &impl Executor,
    base: &Value,
    case: &Value,
) -> Result<(), Error> {
    let member = |name: &str| case.get(name).unwrap_or(&base[name]);
    let label = constant(member("transcript_label").as_str().unwrap());
    let commitments = strings(member("C")).map(hex_array).collect();
    let statement = Statement::new(label, commitments, member("z"), member("y"));
    let proof = MultiProof::from_bytes(&hex(member("proof").as_str().unwrap()))?;
    let mut buffer = ScratchBuffer::new(statement.points.len());
    let verdict = verify_encoded_with(
        exec,
        committer,
        &mut statement.transcript(),
        &statement.encoded(),
        &proof,
        &mut buffer.scratch(),
    );
    let decodes = |bytes: &Compressed| Affine::from_bytes(bytes).is_ok();
    if let (true, Some(queries)) = (
        statement.commitments.iter().all(decodes),
        statement.decoded(),
    ) {
        let from_elements = verify_with(
            exec,
            committer,
            &mut statement.transcript(),
            &queries,
            &proof,
            &mut buffer.scratch(),
        );
        assert_eq!(from_elements, verdict, "{}", case["name"]);
    }
    in_batch(exec, committer, &statement, &proof, verdict);
    verdict
}

/// A batch of a proof, and the same from elements where there are some, has the proof's verdict.
fn in_batch(
    exec: &impl Executor,
    committer: &Committer<'_>,
    statement: &Statement,
    proof: &MultiProof,
    verdict: Result<(), Error>,
) {
    let (transcript, encoded) = (statement.transcript(), statement.encoded());
    let item = |openings| BatchProof {
        transcript: &transcript,
        openings,
        proof,
    };
    let mut proofs = vec![item(Openings::Encoded(&encoded))];
    let decoded = statement.decoded().unwrap_or_default();
    if verdict.is_ok() || verdict == Err(Error::NotProven) {
        proofs.push(item(Openings::Decoded(&decoded)));
    }
    let mut memory = BatchBuffer::new(2);
    let mut buffer = ScratchBuffer::new(encoded.len());
    let (memory, scratch) = (memory.scratch(), &mut buffer.scratch());
    let found = verify_batch_with(exec, committer, &proofs, &[1; 32], memory, scratch);
    let expected = verdict.map_err(|error| BatchError::Proof { index: 0, error });
    assert_eq!(found, expected);
}
