//! Faults that other implementations had, each as a test named after its row of the list.
#![cfg(feature = "std")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;

use core::hash::{Hash, Hasher};

use common::{hex, hex_array, point, scalar};
use lightproof::curve::bandersnatch::LAMBDA;
use lightproof::curve::banderwagon::{
    Affine, Compressed, DecodeError, Element, Precomputed, batch_map_to_scalar, batch_to_bytes,
};
use lightproof::curve::{Addend, Group, mul_vartime};
use lightproof::exec::{Serial, Threads};
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::field::bls12_381_scalar::Fq;
use lightproof::field::{Field, Ring};

const GENERATOR: &str = "4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9";

/// The encoding of a small x.
fn small(x: u64) -> Compressed {
    Fq::from_u64(x).to_be_bytes()
}

/// Every decoder of compressed bytes, with one element before the one that is tried.
fn decode_all_ways(bytes: &Compressed) -> Result<Affine, DecodeError> {
    let single = Affine::from_bytes(bytes);
    assert_eq!(Element::from_bytes(bytes), single.map(Element::from));
    let batch = [hex_array(GENERATOR), *bytes];
    let mut out = [Affine::IDENTITY; 2];
    let expected = single.map(|_| ()).map_err(|error| (1, error));
    assert_eq!(Affine::batch_from_bytes(&batch, &mut out), expected);
    assert_eq!(
        Affine::batch_from_bytes_with(&Serial, &batch, &mut out),
        expected
    );
    assert_eq!(
        Affine::batch_from_bytes_with(&Threads(2), &batch, &mut out),
        expected
    );
    if let Ok(point) = single {
        assert_eq!(out[1], point);
    }
    single
}

/// Points on the curve outside the group pass no decoder.
#[test]
fn v01_no_decoder_skips_the_subgroup() {
    for x in [7, 10, 15, 16, 20] {
        for x in [Fq::from_u64(x), -Fq::from_u64(x)] {
            let bytes = x.to_be_bytes();
            assert_eq!(decode_all_ways(&bytes), Err(DecodeError::NotInSubgroup));
            // The same point with its y: it is on the curve, so that is not what refuses it.
            let xx = x.square();
            let d = Fq::from_be_bytes(&hex_array(
                "6389c12633c267cbc66e3bf86be3b6d8cb66677177e54f92b369f2f5188d58e7",
            ))
            .unwrap();
            let u = Fq::ONE + Fq::from_u64(5) * xx;
            let inverse = (Fq::ONE - d * xx).invert_vartime().unwrap();
            let y = (u * inverse).sqrt_vartime().unwrap();
            for y in [y, -y] {
                let be = [x.to_be_bytes(), y.to_be_bytes()].concat();
                let le = [x.to_le_bytes(), y.to_le_bytes()].concat();
                let refused = Err(DecodeError::NotInSubgroup);
                assert_eq!(Affine::from_uncompressed_bytes(&be), refused);
                assert_eq!(Affine::from_uncompressed_le_bytes(&le), refused);
            }
        }
    }
    for x in [0, 1, 23] {
        assert_eq!(decode_all_ways(&small(x)).unwrap().to_bytes(), small(x));
    }
}

/// Equal elements have equal bytes in every layout, equal hashes, and every output is read back.
#[test]
fn v03_one_uncompressed_form_an_element() {
    let hash = |value: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        value(&mut hasher);
        hasher.finish()
    };
    for element in [
        Element::IDENTITY,
        Element::generator(),
        point("known-faults/v03", 0),
        point("known-faults/v03", 1),
    ] {
        let p = element.to_affine();
        let (x, y) = p.coordinates();
        // The other representative enters in the one layout that takes both.
        let other = [(-x).to_le_bytes(), (-y).to_le_bytes()].concat();
        let q = Affine::from_uncompressed_le_bytes(&other).unwrap();
        assert_eq!(p, q);
        assert_ne!(p.coordinates(), q.coordinates());
        assert_eq!(p.to_bytes(), q.to_bytes());
        assert_eq!(p.to_uncompressed_bytes(), q.to_uncompressed_bytes());
        assert_eq!(p.to_uncompressed_le_bytes(), q.to_uncompressed_le_bytes());
        assert_eq!(hash(&|h| p.hash(h)), hash(&|h| q.hash(h)));
        let (pe, qe) = (Element::from(p), Element::from(q));
        assert_eq!(pe, qe);
        assert_eq!(hash(&|h| pe.hash(h)), hash(&|h| qe.hash(h)));
        assert_eq!(pe.map_to_scalar(), qe.map_to_scalar());
        for point in [p, q] {
            assert_eq!(Affine::from_bytes(&point.to_bytes()), Ok(p));
            let (be, le) = (
                point.to_uncompressed_bytes(),
                point.to_uncompressed_le_bytes(),
            );
            assert_eq!(Affine::from_uncompressed_bytes(&be), Ok(p));
            assert_eq!(Affine::from_uncompressed_le_bytes(&le), Ok(p));
        }
    }
    let set: HashSet<Element> = [
        Element::generator(),
        Element::generator() + Element::IDENTITY,
    ]
    .into_iter()
    .collect();
    assert_eq!(set.len(), 1);
}

/// An encoding has exactly its length; the error names both.
#[test]
fn v04_only_exact_length() {
    let generator = hex(GENERATOR);
    let refused = |bytes: &[u8]| {
        let error = DecodeError::Length {
            expected: 32,
            actual: bytes.len(),
        };
        assert_eq!(Affine::from_bytes(bytes), Err(error));
        assert_eq!(Element::from_bytes(bytes), Err(error));
    };
    refused(&[vec![0xff], generator.clone()].concat());
    refused(&[vec![0xa5; 32], generator.clone()].concat());
    refused(&[generator.clone(), vec![0]].concat());
    for len in (0..=96).filter(|len| *len != 32) {
        refused(&vec![0; len]);
        let mut longer = generator.clone();
        longer.resize(len, 0);
        refused(&longer);
        longer.reverse();
        refused(&longer);
    }
    let uncompressed = Affine::GENERATOR.to_uncompressed_bytes();
    for len in (0..=160).filter(|len| *len != 64) {
        let mut bytes = uncompressed.to_vec();
        bytes.resize(len, 0);
        let error = Err(DecodeError::Length {
            expected: 64,
            actual: len,
        });
        assert_eq!(Affine::from_uncompressed_bytes(&bytes), error);
        assert_eq!(Affine::from_uncompressed_le_bytes(&bytes), error);
    }
}

/// Normalising a batch takes its input as it is, however often an element stands in it.
#[test]
fn v10_normalizing_leaves_the_input_and_takes_repetitions() {
    let c = point("known-faults/v10", 0).double();
    let points = [c, c, Element::IDENTITY, c, c.double(), c];
    let mut affine = [Affine::IDENTITY; 6];
    Element::batch_normalize(&points, &mut affine);
    for (p, a) in points.iter().zip(&affine) {
        assert_eq!(Element::from(*a), *p);
        assert_eq!(a.to_bytes(), p.to_bytes());
    }
    assert_eq!(points[0], c);
    // Once more, from what came out.
    let again: Vec<Element> = affine.iter().map(|a| Element::from(*a)).collect();
    let mut twice = [Affine::IDENTITY; 6];
    Element::batch_normalize(&again, &mut twice);
    assert_eq!(twice, affine);
}

/// Points and scalars with which multiplication goes wrong elsewhere.
fn edge_scalars() -> Vec<Fr> {
    let two_to = |n: u64| Fr::from_u64(2).pow(&[n]);
    let mut out: Vec<Fr> = (0..=64).map(Fr::from_u64).collect();
    for base in [
        LAMBDA,
        LAMBDA + LAMBDA,
        LAMBDA * LAMBDA,
        two_to(64),
        two_to(126),
        two_to(127),
        two_to(128),
        two_to(252),
        two_to(253),
    ] {
        out.extend([base - Fr::ONE, base, base + Fr::ONE]);
    }
    let negative: Vec<Fr> = out.iter().map(|s| -*s).collect();
    out.extend(negative);
    for i in 0..common::scaled(20) as u64 {
        out.push(scalar("known-faults/scalars", i));
    }
    out
}

/// The point of the report is refused, and the endomorphism agrees with doubling and adding.
#[test]
fn v20_endomorphism_equals_the_plain_product() {
    let decimal = |digits: &str| {
        digits.bytes().fold(Fq::ZERO, |acc, digit| {
            acc * Fq::from_u64(10) + Fq::from_u64(u64::from(digit - b'0'))
        })
    };
    let x =
        decimal("18117916180900044038769101307378694226656604001413977957989208801045106289272");
    let y =
        decimal("32622399107551617669424155920349902745880508009388682895260105611357660813203");
    for (x, y) in [(x, y), (-x, y), (x, -y), (-x, -y)] {
        let be = [x.to_be_bytes(), y.to_be_bytes()].concat();
        let le = [x.to_le_bytes(), y.to_le_bytes()].concat();
        let refused = Err(DecodeError::NotInSubgroup);
        assert_eq!(Affine::from_uncompressed_bytes(&be), refused);
        assert_eq!(Affine::from_uncompressed_le_bytes(&le), refused);
        assert_eq!(decode_all_ways(&x.to_be_bytes()), refused);
    }
    assert_eq!(LAMBDA.square(), -Fr::from_u64(2));
    for p in [Element::generator(), point("known-faults/v20", 0)] {
        assert_eq!(p.endomorphism(), mul_vartime(&p, &LAMBDA));
        for s in edge_scalars() {
            assert_eq!(p.mul_vartime(&s), mul_vartime(&p, &s), "{s:?}");
            assert_eq!(p * s, mul_vartime(&p, &s), "{s:?}");
        }
    }
}

/// Whatever is added, doubled or multiplied, the identity is a value like any other.
#[test]
fn v22_the_identity_is_no_exception() {
    let o = Element::IDENTITY;
    // The identity's other representative, (0, −1), which decoding gives.
    let other = Element::from_bytes(&[0; 32]).unwrap();
    for o in [
        o,
        other,
        o + other,
        other.double(),
        Element::generator() - Element::generator(),
    ] {
        assert!(o.is_identity());
        assert_eq!(o.endomorphism(), Element::IDENTITY);
        assert_eq!(o.to_bytes(), [0; 32]);
        assert_eq!(o.map_to_scalar(), Fr::ZERO);
        for s in edge_scalars() {
            let product = o.mul_vartime(&s);
            assert_eq!(product, Element::IDENTITY);
            assert_eq!(product.to_bytes(), [0; 32]);
            // It is a point, which (0, 0) is not: a sum with it is right.
            assert_eq!(product + Element::generator(), Element::generator());
        }
        for p in [Element::generator(), point("known-faults/v22", 0), o] {
            let affine = p.to_affine();
            let table = Precomputed::from(affine);
            let o_affine = o.to_affine();
            for (sum, expected) in [
                (o + p, p),
                (p + o, p),
                (p - o, p),
                (o - p, -p),
                (p + p, p.double()),
                (p - p, o),
                (p + -p, o),
                (affine.add_to(&o), p),
                (affine.sub_from(&o), -p),
                (affine.add_to(&p), p.double()),
                (affine.sub_from(&p), o),
                (table.add_to(&o), p),
                (table.sub_from(&o), -p),
                (table.add_to(&p), p.double()),
                (table.sub_from(&p), o),
                (o_affine.add_to(&p), p),
                (o_affine.sub_from(&p), p),
                (Precomputed::from(o_affine).add_to(&p), p),
                (Precomputed::IDENTITY.add_to(&p), p),
                (Affine::IDENTITY.sub_from(&p), p),
            ] {
                assert_eq!(sum, expected);
                assert_eq!(sum.to_bytes(), expected.to_bytes());
            }
        }
    }
}

/// Negative scalars negate, and the order gives the identity.
#[test]
fn v23_scalars_have_signs_and_an_order() {
    for p in [Element::generator(), point("known-faults/v23", 0)] {
        let five = p.mul_vartime(&Fr::from_u64(5));
        assert_eq!(p.mul_vartime(&(Fr::ZERO - Fr::from_u64(5))), -five);
        assert_eq!(p.mul_vartime(&-Fr::ONE), -p);
        assert_eq!(p.mul_vartime(&-Fr::ONE) + p, Element::IDENTITY);
        assert_eq!(p.mul_vartime(&Fr::ZERO), Element::IDENTITY);
        // r itself is no scalar; as bytes it is refused, and reduced it is zero.
        let mut r = (-Fr::ONE).to_le_bytes();
        r[0] += 1;
        assert_eq!(Fr::from_le_bytes(&r), None);
        let reduced = Fr::from_le_bytes_reduced(&r);
        assert_eq!(p.mul_vartime(&reduced), Element::IDENTITY);
    }
}

/// Small scalars, where hard-coded chains go wrong.
#[test]
fn v24_small_scalars_equal_repeated_addition() {
    let p = point("known-faults/v24", 0);
    let mut sum = Element::IDENTITY;
    for k in 0..=64 {
        let s = Fr::from_u64(k);
        assert_eq!(p.mul_vartime(&s), sum, "{k}");
        assert_eq!(mul_vartime(&p, &s), sum, "{k}");
        assert_eq!(p.mul_vartime(&-s), -sum, "-{k}");
        sum += p;
    }
}

/// Identities at any place of a batch leave the others right.
#[test]
fn k22_identities_inside_a_batch() {
    let (p, q, o) = (
        point("known-faults/k22", 0).double(),
        point("known-faults/k22", 1).double(),
        Element::IDENTITY,
    );
    let long: Vec<Element> = (0..70)
        .map(|i| match i % 5 {
            0 | 3 => o,
            1 => p,
            _ => q + p,
        })
        .collect();
    for points in [
        vec![o, p, o, q, o],
        vec![o, p, q],
        vec![p, q, o],
        vec![o],
        vec![o; 40],
        vec![],
        long,
    ] {
        let n = points.len();
        let mut affine = vec![Affine::GENERATOR; n];
        let mut bytes = vec![[0xaa; 32]; n];
        let mut maps = vec![Fr::ONE; n];
        Element::batch_normalize(&points, &mut affine);
        batch_to_bytes(&points, &mut bytes);
        batch_map_to_scalar(&affine, &mut maps);
        for i in 0..n {
            assert_eq!(Element::from(affine[i]), points[i]);
            assert_eq!(bytes[i], points[i].to_bytes());
            assert_eq!(maps[i], points[i].map_to_scalar());
        }
        let mut decoded = vec![Affine::GENERATOR; n];
        assert_eq!(Affine::batch_from_bytes(&bytes, &mut decoded), Ok(()));
        assert_eq!(decoded, affine);
    }
}

/// Sums of pairs that are equal, opposite or the identity, among others in one batch.
#[test]
fn k23_equal_and_opposite_pairs_in_a_batch() {
    let stream: Vec<Element> = (0..64).map(|i| point("known-faults/k23", i)).collect();
    let (p, o) = (stream[0], Element::IDENTITY);
    let mut pairs: Vec<(Element, Element)> = stream.iter().map(|q| (*q, q.double())).collect();
    pairs[3] = (p, p);
    pairs[17] = (p, -p);
    pairs[40] = (o, p);
    pairs[63] = (p, o);
    pairs.extend([(p, p); 32]);
    let (left, right): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    let mut affine = vec![Affine::IDENTITY; pairs.len()];
    Element::batch_normalize(&right, &mut affine);
    let sums: Vec<Element> = left.iter().zip(&affine).map(|(l, r)| r.add_to(l)).collect();
    let mut bytes = vec![[0; 32]; sums.len()];
    batch_to_bytes(&sums, &mut bytes);
    for (i, (l, r)) in pairs.iter().enumerate() {
        // By another way: multiples of the two.
        let expected = match i {
            3 | 64.. => p.mul_vartime(&Fr::from_u64(2)),
            17 => o,
            40 | 63 => p,
            _ => l.mul_vartime(&Fr::from_u64(3)),
        };
        assert_eq!(sums[i], expected, "{i}: {r:?}");
        assert_eq!(bytes[i], expected.to_bytes());
    }
    let repeated: Element = [p; 32].into_iter().sum();
    assert_eq!(repeated, p.mul_vartime(&Fr::from_u64(32)));
}
