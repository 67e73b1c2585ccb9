//! Runs the vectors of rust-verkle's byte interface: what its layouts hold, through the
//! calls of this library.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{
    Counts, hex, hex_array, knows, list, members, number, point_of, say, scalar_of, strings, text,
    truth,
};
use lightproof::curve::banderwagon::batch_map_to_scalar;
use lightproof::verkle::multiproof::{prove, verify_encoded};
use lightproof::verkle::{
    Affine, Committer, Element, EncodedQuery, Error, MultiProof, ProverQuery, Scalar,
    ScratchBuffer, Transcript, Vector,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The transcript label of its proofs.
const LABEL: &str = "verkle";

#[test]
fn every_byte_interface_vector() {
    let mut counts = Counts::default();
    let committer = Committer::new();
    for (path, doc) in common::verkle_documents(&["rust_ffi"]) {
        say(path.display());
        for (kind, cases) in members(&doc) {
            // A kind with one case may stand without a list.
            let cases = cases.as_array().map_or(core::slice::from_ref(cases), |c| c);
            for case in cases {
                match kind {
                    "commit_to_scalars" => commit(&committer, case),
                    "add_commitment" => add(case),
                    "update_commitment" => update(&committer, case),
                    "update_commitment_sparse" => update_sparse(&committer, case),
                    "hash_commitments" => hashes(case),
                    "tree_key" => tree_keys(&committer, case),
                    "proofs" => proof(&committer, case),
                    "kaustinen_block_0x62" => block(&committer, case),
                    kind => panic!("{}: unknown kind {kind}", path.display()),
                }
                match case.get("cases") {
                    None => counts.add(kind),
                    Some(cases) => list(cases).iter().for_each(|_| counts.add(kind)),
                }
            }
        }
    }
    counts.print("rust_ffi");
}

/// A commitment of 64 little-endian bytes, either representative.
fn commitment64(digits: &str) -> Element {
    let point = Affine::from_uncompressed_le_bytes(&hex(digits)).unwrap();
    // What is written is one representative, and the same element.
    let written = point.to_uncompressed_le_bytes();
    assert_eq!(Affine::from_uncompressed_le_bytes(&written), Ok(point));
    point.into()
}

/// Checks an element against its 64 bytes and its compressed bytes.
fn same(element: Element, bytes64: &str, case: &Value) {
    assert_eq!(element, commitment64(bytes64));
    assert_eq!(element, point_of(text(case, "compressed")));
    assert_eq!(element.to_bytes(), hex_array(text(case, "compressed")));
}

fn commit(committer: &Committer<'_>, case: &Value) {
    let named = ["scalars", "commitment64", "compressed", "hash_commitment"];
    knows(case, &named);
    let mut scalars = common::polynomial(&case["scalars"]);
    scalars.truncate(number(&case["scalars"], "count"));
    for committer in [committer, &Committer::without_table()] {
        let commitment = committer.commit(&scalars).unwrap();
        same(commitment, text(case, "commitment64"), case);
        let hash = commitment.map_to_scalar();
        assert_eq!(hash.to_le_bytes(), hex_array(text(case, "hash_commitment")));
    }
}

fn add(case: &Value) {
    knows(case, &["a", "b", "sum64", "compressed"]);
    let (a, b) = (text(case, "a"), text(case, "b"));
    let sum = commitment64(a) + commitment64(b);
    same(sum, text(case, "sum64"), case);
}

fn update(committer: &Committer<'_>, case: &Value) {
    let named = [
        "old_commitment64",
        "index",
        "old",
        "new",
        "new_commitment64",
        "compressed",
    ];
    knows(case, &named);
    let before = commitment64(text(case, "old_commitment64"));
    let index = u8::try_from(number(case, "index")).unwrap();
    let delta = scalar_of(text(case, "new")) - scalar_of(text(case, "old"));
    let after = committer.update(&before, index, &delta);
    same(after, text(case, "new_commitment64"), case);
}

fn update_sparse(committer: &Committer<'_>, case: &Value) {
    let named = [
        "old_commitment64",
        "index",
        "old",
        "new",
        "new_commitment64",
        "compressed",
    ];
    knows(case, &named);
    let before = commitment64(text(case, "old_commitment64"));
    let deltas: Vec<(u8, Scalar)> = list(&case["index"])
        .iter()
        .zip(strings(&case["old"]))
        .zip(strings(&case["new"]))
        .map(|((index, old), new)| {
            let index = u8::try_from(index.as_u64().unwrap()).unwrap();
            (index, scalar_of(new) - scalar_of(old))
        })
        .collect();
    assert_eq!(deltas.len(), list(&case["index"]).len());
    let after = before + committer.commit_sparse(&deltas);
    same(after, text(case, "new_commitment64"), case);
}

fn hashes(case: &Value) {
    knows(case, &["commitments64", "compressed", "hashes"]);
    let elements: Vec<Element> = strings(&case["commitments64"]).map(commitment64).collect();
    let affine: Vec<Affine> = elements.iter().map(|e| Affine::from(*e)).collect();
    let mut batch = vec![Scalar::ZERO; affine.len()];
    batch_map_to_scalar(&affine, &mut batch);
    let expected: Vec<Scalar> = strings(&case["hashes"]).map(scalar_of).collect();
    assert_eq!(batch, expected);
    let compressed: Vec<Element> = strings(&case["compressed"]).map(point_of).collect();
    assert_eq!(elements, compressed);
    for (element, hash) in elements.iter().zip(&expected) {
        assert_eq!(element.map_to_scalar(), *hash);
    }
}

fn tree_keys(committer: &Committer<'_>, case: &Value) {
    // The rule itself is prose.
    knows(case, &["rule", "cases"]);
    for case in list(&case["cases"]) {
        let named = [
            "address32",
            "tree_index_le",
            "key_hash",
            "sub_index",
            "tree_key",
        ];
        knows(case, &named);
        let address: [u8; 32] = hex_array(text(case, "address32"));
        let index: [u8; 32] = hex_array(text(case, "tree_index_le"));
        let half = Scalar::from_le_bytes_reduced;
        let inputs = [
            Scalar::from(2 + 256 * 64),
            half(&address[..16]),
            half(&address[16..]),
            half(&index[..16]),
            half(&index[16..]),
        ];
        let hash = committer.commit(&inputs).unwrap().map_to_scalar();
        let mut key = hash.to_le_bytes();
        assert_eq!(key, hex_array(text(case, "key_hash")));
        key[31] = u8::try_from(number(case, "sub_index")).unwrap();
        assert_eq!(key, hex_array(text(case, "tree_key")));
    }
}

fn openings(case: &Value) -> Vec<([u8; 32], u8, [u8; 32])> {
    list(&case["openings"])
        .iter()
        .map(|opening| {
            knows(opening, &["poly", "C", "z", "y"]);
            (
                hex_array(text(opening, "C")),
                u8::try_from(number(opening, "z")).unwrap(),
                hex_array(text(opening, "y")),
            )
        })
        .collect()
}

fn verdict(
    committer: &Committer<'_>,
    label: &str,
    openings: &[([u8; 32], u8, [u8; 32])],
    proof: &MultiProof,
) -> Result<(), Error> {
    let queries: Vec<EncodedQuery<'_>> = openings
        .iter()
        .map(|(commitment, point, value)| EncodedQuery {
            commitment,
            point: *point,
            value,
        })
        .collect();
    verify_encoded(
        committer,
        &mut Transcript::new(label),
        &queries,
        proof,
        &mut ScratchBuffer::new(queries.len()).scratch(),
    )
}

fn assert_verdict(found: Result<(), Error>, expected: bool) {
    let expected = if expected {
        Ok(())
    } else {
        Err(Error::NotProven)
    };
    assert_eq!(found, expected);
}

fn proof(committer: &Committer<'_>, case: &Value) {
    let named = [
        "openings",
        "create_proof_input_sha256",
        "proof",
        "verify_proof_input",
        "verify_proof_ok",
        "proof_uncompressed",
    ];
    knows(case, &named);
    let openings = openings(case);
    let polynomials: Vec<Box<Vector>> = list(&case["openings"])
        .iter()
        .map(|opening| {
            let values = common::polynomial(&opening["poly"]);
            values.into_boxed_slice().try_into().unwrap()
        })
        .collect();

    // What the peer's prover is given.
    let mut input = Sha256::new();
    for ((commitment, point, value), polynomial) in openings.iter().zip(&polynomials) {
        input.update(commitment);
        for scalar in polynomial.iter() {
            input.update(scalar.to_le_bytes());
        }
        input.update([*point]);
        input.update(value);
    }
    let digest: [u8; 32] = input.finalize().into();
    assert_eq!(digest, hex_array(text(case, "create_proof_input_sha256")));

    let elements: Vec<Element> = openings
        .iter()
        .map(|(commitment, ..)| Element::from_bytes(commitment).unwrap())
        .collect();
    let queries: Vec<ProverQuery<'_>> = openings
        .iter()
        .zip(&elements)
        .zip(&polynomials)
        .map(|(((_, point, _), commitment), polynomial)| ProverQuery {
            commitment,
            polynomial,
            point: *point,
        })
        .collect();
    for (query, (_, _, value)) in queries.iter().zip(&openings) {
        assert_eq!(query.value().to_le_bytes(), *value);
    }
    let made = prove(committer, &mut Transcript::new(LABEL), &queries).unwrap();
    assert_eq!(made.to_bytes().as_slice(), hex(text(case, "proof")));

    // What the peer's verifier is given: the proof, then the openings.
    let input = hex(text(case, "verify_proof_input"));
    let (proof, rest) = input.split_at(MultiProof::BYTES);
    assert_eq!(proof, made.to_bytes());
    assert_eq!(rest.len(), 65 * openings.len());
    let read: Vec<([u8; 32], u8, [u8; 32])> = rest
        .chunks_exact(65)
        .map(|c| {
            (
                c[..32].try_into().unwrap(),
                c[32],
                c[33..].try_into().unwrap(),
            )
        })
        .collect();
    let proof = MultiProof::from_bytes(proof).unwrap();
    let holds = truth(case, "verify_proof_ok");
    assert_verdict(verdict(committer, LABEL, &read, &proof), holds);
    assert_eq!(holds, read == openings);

    // The peer writes whichever representatives it has; the elements are the same.
    let uncompressed = hex(text(case, "proof_uncompressed"));
    let decoded = MultiProof::from_uncompressed_bytes(&uncompressed).unwrap();
    assert_eq!(decoded, made);
    assert_eq!(decoded.to_bytes(), made.to_bytes());
    let written = decoded.to_uncompressed_bytes();
    assert_eq!(written, made.to_uncompressed_bytes());
    assert_eq!(MultiProof::from_uncompressed_bytes(&written), Ok(made));
}

fn block(committer: &Committer<'_>, case: &Value) {
    let named = ["transcript_label", "openings", "proof", "verify"];
    knows(case, &named);
    let proof = MultiProof::from_bytes(&hex(text(case, "proof"))).unwrap();
    let label = text(case, "transcript_label");
    let mut openings = openings(case);
    let found = verdict(committer, label, &openings, &proof);
    assert_verdict(found, truth(case, "verify"));
    openings[0].1 ^= 1;
    assert_verdict(verdict(committer, label, &openings, &proof), false);
}
