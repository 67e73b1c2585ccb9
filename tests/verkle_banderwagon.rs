//! Runs the vectors of the group: operations, encodings, sums of multiples.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{
    Counts, base_of, hex, hex_array, list, members, number, point_of, say, scalar_of, text,
};
use lightproof::curve::Group;
use lightproof::curve::banderwagon::{Affine, DecodeError, Element, batch_map_to_scalar};
use lightproof::exec::Threads;
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::msm::{msm_vartime, msm_with, scratch_len};
use lightproof::table::{Shape, Table};
use serde_json::Value;

#[test]
fn every_banderwagon_vector() {
    let mut counts = Counts::default();
    for (path, doc) in common::verkle_documents(&["banderwagon"]) {
        say(path.display());
        for (kind, cases) in members(&doc) {
            match kind {
                "curve" => curve(cases),
                "doublings_2^i_G" => doublings(cases),
                "equality_affine_representatives" => list(cases).iter().for_each(equality),
                "map_to_scalar" => maps(list(cases)),
                "multiples_of_G" => list(cases).iter().for_each(multiple),
                "ops" => list(cases).iter().for_each(operations),
                "scalar_mul" => list(cases).iter().for_each(scalar_mul),
                kind => panic!("{}: unknown kind {kind}", path.display()),
            }
            for _ in 0..cases.as_array().map_or(1, Vec::len) {
                counts.add(kind);
            }
        }
    }
    counts.print("banderwagon");
}

/// Decodes, and checks that the same bytes come back.
fn round_trip(digits: &str) -> Element {
    let point = point_of(digits);
    assert_eq!(point.to_bytes().as_slice(), hex(digits), "{digits}");
    point
}

fn curve(case: &Value) {
    let (x, y) = Affine::GENERATOR.coordinates();
    assert_eq!(x, base_of(text(case, "generator_x_be")));
    assert_eq!(y, base_of(text(case, "generator_y_be")));
    assert_eq!(
        y.is_lexicographically_largest(),
        case["generator_y_is_lexicographically_largest"]
    );
    assert_eq!(point_of(text(case, "generator")), Element::generator());
    assert_eq!(point_of(text(case, "identity")), Element::IDENTITY);
}

fn doublings(cases: &Value) {
    let mut point = Element::generator();
    for case in list(cases) {
        assert_eq!(point, round_trip(case.as_str().unwrap()));
        point = point.double();
    }
}

fn equality(case: &Value) {
    // Affine points are made of bytes only: the layout that takes either representative.
    let point = |x: &str, y: &str| {
        let (mut x, mut y) = (hex(text(case, x)), hex(text(case, y)));
        x.reverse();
        y.reverse();
        x.append(&mut y);
        Affine::from_uncompressed_le_bytes(&x)
    };
    let (p, q) = (point("x1", "y1"), point("x2", "y2"));
    let equal = case["equal"].as_bool().unwrap();
    if case.get("enc1").is_none() {
        // (0, 0), which peers can hold and which equals nothing, is no value here.
        assert!(!equal);
        assert_eq!(p.map(|_| ()), Err(DecodeError::NotOnCurve), "{case}");
        return;
    }
    let (p, q) = (p.unwrap(), q.unwrap());
    assert_eq!(p == q, equal, "{case}");
    assert_eq!(Element::from(p) == Element::from(q), equal, "{case}");
    for (point, enc, map) in [(p, "enc1", "map1"), (q, "enc2", "map2")] {
        assert_eq!(point.to_bytes().as_slice(), hex(text(case, enc)));
        assert_eq!(point.map_to_scalar(), scalar_of(text(case, map)));
    }
}

fn maps(cases: &[Value]) {
    let points: Vec<Element> = cases.iter().map(|c| round_trip(text(c, "p"))).collect();
    let expected: Vec<Fr> = cases
        .iter()
        .map(|c| scalar_of(text(c, "map_to_scalar")))
        .collect();
    let mut affine = vec![Affine::IDENTITY; points.len()];
    Element::batch_normalize(&points, &mut affine);
    let mut batch = vec![Fr::ONE; points.len()];
    batch_map_to_scalar(&affine, &mut batch);
    assert_eq!(batch, expected);
    for ((point, affine), expected) in points.iter().zip(&affine).zip(&expected) {
        assert_eq!(point.map_to_scalar(), *expected);
        assert_eq!(affine.map_to_scalar(), *expected);
    }
}

fn multiple(case: &Value) {
    let point = Element::generator().mul_vartime(&scalar_of(text(case, "k")));
    assert_eq!(point, round_trip(text(case, "p")), "{case}");
    assert_eq!(
        point.map_to_scalar(),
        scalar_of(text(case, "map_to_scalar"))
    );
    let affine = point.to_affine();
    // The first few multiples have their uncompressed layouts beside them.
    assert_eq!(case.get("unc_be").is_some(), case.get("unc_le").is_some());
    if case.get("unc_be").is_some() {
        let (be, le) = (hex(text(case, "unc_be")), hex(text(case, "unc_le")));
        assert_eq!(affine.to_uncompressed_bytes().as_slice(), be);
        assert_eq!(affine.to_uncompressed_le_bytes().as_slice(), le);
        assert_eq!(Affine::from_uncompressed_bytes(&be), Ok(affine));
        assert_eq!(Affine::from_uncompressed_le_bytes(&le), Ok(affine));
    }
}

fn operations(case: &Value) {
    let [p, q, sum, difference, negative, double] =
        ["p", "q", "p+q", "p-q", "-p", "2p"].map(|member| round_trip(text(case, member)));
    assert_eq!(p + q, sum);
    assert_eq!(q + p, sum);
    assert_eq!(p - q, difference);
    assert_eq!(-p, negative);
    assert_eq!(p.double(), double);
    assert_eq!(p + p, double);
    assert_eq!(sum - q, p);
}

fn scalar_mul(case: &Value) {
    let (p, s) = (round_trip(text(case, "p")), scalar_of(text(case, "s")));
    let expected = round_trip(text(case, "sp"));
    assert_eq!(p.mul_vartime(&s), expected, "{case}");
    assert_eq!(lightproof::curve::mul_vartime(&p, &s), expected, "{case}");
}

#[test]
fn every_encoding_vector() {
    let mut counts = Counts::default();
    for (path, doc) in common::verkle_documents(&["encodings"]) {
        say(path.display());
        for (kind, cases) in members(&doc) {
            for case in list(cases) {
                match kind {
                    "compressed_valid" => compressed_valid(case),
                    "compressed_invalid" => compressed_invalid(case),
                    "uncompressed" => uncompressed(case),
                    kind => panic!("{}: unknown kind {kind}", path.display()),
                }
                counts.add(kind);
            }
        }
    }
    counts.print("encodings");
}

fn compressed_valid(case: &Value) {
    let bytes: [u8; 32] = hex_array(text(case, "bytes"));
    let point = Affine::from_bytes(&bytes).unwrap_or_else(|e| panic!("{e}: {case}"));
    assert_eq!(point.to_bytes(), bytes, "{case}");
    let unc_be = hex(text(case, "unc_be"));
    assert_eq!(point.to_uncompressed_bytes().as_slice(), unc_be);
    assert_eq!(Affine::from_uncompressed_bytes(&unc_be), Ok(point));
    assert_eq!(
        point.map_to_scalar(),
        scalar_of(text(case, "map_to_scalar"))
    );
    let mut batch = [Affine::IDENTITY];
    assert_eq!(Affine::batch_from_bytes(&[bytes], &mut batch), Ok(()));
    assert_eq!(batch[0], point);
}

fn compressed_invalid(case: &Value) {
    let bytes = hex(text(case, "bytes"));
    let expected = match text(case, "reason") {
        "wrong length" => DecodeError::Length {
            expected: 32,
            actual: bytes.len(),
        },
        "not on curve" => DecodeError::NotOnCurve,
        "on curve, not in subgroup" => DecodeError::NotInSubgroup,
        reason if reason.starts_with("non-canonical") => DecodeError::NotCanonical,
        reason => panic!("unknown reason {reason}"),
    };
    assert_eq!(Affine::from_bytes(&bytes), Err(expected), "{case}");
    assert_eq!(Element::from_bytes(&bytes), Err(expected), "{case}");
    if let Ok(bytes) = <[u8; 32]>::try_from(bytes) {
        let mut batch = [Affine::IDENTITY; 2];
        assert_eq!(
            Affine::batch_from_bytes(&[[0; 32], bytes], &mut batch),
            Err((1, expected)),
            "{case}"
        );
    }
}

fn uncompressed(case: &Value) {
    let bytes = hex(text(case, "bytes_be"));
    let decoded = Affine::from_uncompressed_bytes(&bytes);
    let want = case["want"].as_bool().unwrap();
    assert_eq!(decoded.is_ok(), want, "{decoded:?}: {case}");
    if let Ok(point) = decoded {
        assert_eq!(point.to_uncompressed_bytes().as_slice(), bytes);
        assert_eq!(point.to_bytes().as_slice(), hex(text(case, "enc")));
    }
}

#[test]
fn every_variable_msm_vector() {
    let mut counts = Counts::default();
    for (path, doc) in common::verkle_documents(&["msm_variable"]) {
        say(path.display());
        for (kind, cases) in members(&doc) {
            assert_eq!(kind, "cases", "{}: unknown kind", path.display());
            for case in list(cases) {
                variable_msm(case);
                counts.add(&format!(
                    "points {}, scalars {}",
                    text(&case["points"], "kind"),
                    text(&case["scalars"], "kind")
                ));
            }
        }
    }
    counts.print("msm_variable");
}

fn variable_msm(case: &Value) {
    let n = number(case, "n");
    let points = msm_points(&case["points"], n);
    let scalars = msm_scalars(&case["scalars"], n);
    let expected = point_of(text(case, "result"));
    let sum: Element = points
        .iter()
        .zip(&scalars)
        .map(|(point, scalar)| point.mul_vartime(scalar))
        .sum();
    assert_eq!(sum, expected, "naive sum: {}", case["name"]);
    let mut affine = vec![Affine::IDENTITY; n];
    Element::batch_normalize(&points, &mut affine);
    for threads in [1, 3] {
        let sum = msm_with(&Threads(threads), &affine, &scalars);
        assert_eq!(sum, Ok(expected), "{threads} threads: {}", case["name"]);
    }
    let canonical: Vec<[u8; 32]> = scalars.iter().map(Fr::to_le_bytes).collect();
    let mut scratch = vec![Element::IDENTITY; scratch_len(n)];
    let sum = msm_vartime(&affine, &canonical, &mut scratch);
    assert_eq!(sum, Ok(expected), "lent memory: {}", case["name"]);
    if n <= 256 {
        let table = Table::<Element>::generate(&Threads(1), &affine, Shape::DEFAULT).unwrap();
        let sum = table.msm_vartime(&scalars);
        assert_eq!(sum, Ok(expected), "table: {}", case["name"]);
    }
}

fn msm_points(spec: &Value, n: usize) -> Vec<Element> {
    let label = text(spec, "label");
    let point = |i: u64| common::point(label, i);
    (0..n as u64)
        .map(|i| match text(spec, "kind") {
            "stream" => point(i),
            "repeat" => point(number(spec, "index") as u64),
            "stream_neg_pairs" if i % 2 == 1 => -point(i - 1),
            "stream_neg_pairs" => point(i),
            "stream_identity_every_3" if i % 3 == 0 => Element::IDENTITY,
            "stream_identity_every_3" => point(i),
            kind => panic!("unknown kind of points {kind}"),
        })
        .collect()
}

fn msm_scalars(spec: &Value, n: usize) -> Vec<Fr> {
    (0..n as u64)
        .map(|i| match text(spec, "kind") {
            "stream" => common::scalar(text(spec, "label"), i),
            "stream_pairs" => common::scalar(text(spec, "label"), i - i % 2),
            "const" => scalar_of(text(spec, "value")),
            "list" => scalar_of(list(&spec["values"])[i as usize].as_str().unwrap()),
            "index" => Fr::from_u64(i),
            kind => panic!("unknown kind of scalars {kind}"),
        })
        .collect()
}
