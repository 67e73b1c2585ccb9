//! Runs the vectors of the fields and curves under full-chain membership proofs: 2^255 − 19,
//! Helioselene's prime, Ed25519's scalars; Helios and Selene.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::path::{Path, PathBuf};

use blake2::{Blake2b512, Digest};
use common::{Counts, hex, hex_array, list, number, roots, say, text};
use lightproof::curve::helios::Helios;
use lightproof::curve::parity::ParityEncoded;
use lightproof::curve::selene::Selene;
use lightproof::curve::weierstrass::{self, Affine, Point};
use lightproof::curve::{Addend, Group};
use lightproof::field::ed25519_base::F25519Params;
use lightproof::field::ed25519_scalar::Scalar25519Params;
use lightproof::field::helioselene::FHelioseleneParams;
use lightproof::field::{Montgomery, Params, Ring};
use lightproof::msm;
use serde_json::Value;

/// Every JSON file of `fcmp/` and its folders.
fn documents() -> Vec<(PathBuf, Value)> {
    let mut folders = roots("fcmp");
    let mut out = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "json") {
                let doc = serde_json::from_str(&std::fs::read_to_string(&path).unwrap());
                out.push((
                    path.clone(),
                    doc.unwrap_or_else(|e| panic!("{}: {e}", path.display())),
                ));
            }
        }
    }
    out
}

/// What a document holds.
#[derive(PartialEq)]
enum Kind {
    Fields,
    Curves,
    /// Of the layers above fields and curves.
    Above,
}

fn kind(path: &Path, doc: &Value) -> Kind {
    let any_has = |member: &str| {
        doc.as_object()
            .is_some_and(|o| o.values().any(|v| v.get(member).is_some()))
    };
    if any_has("modulus_le") {
        return Kind::Fields;
    }
    if any_has("field_modulus_be") {
        return Kind::Curves;
    }
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let above = ["divisors", "fcmp_", "gbp", "generators", "tree"];
    assert!(
        above.iter().any(|name| stem.starts_with(name)),
        "{}: a document of no known kind",
        path.display()
    );
    Kind::Above
}

#[test]
fn every_field_vector() {
    let mut counts = Counts::default();
    for (path, doc) in documents() {
        if kind(&path, &doc) != Kind::Fields {
            continue;
        }
        say(path.display());
        for (name, cases) in common::members(&doc) {
            match name {
                "field25519" => field::<F25519Params>(cases, &mut counts),
                "helioselene" => field::<FHelioseleneParams>(cases, &mut counts),
                "ed25519_scalar" => field::<Scalar25519Params>(cases, &mut counts),
                name => panic!("{}: unknown field {name}", path.display()),
            }
        }
    }
    counts.print("fcmp fields");
}

fn field<P: Params<4, Repr = [u8; 32]>>(doc: &Value, counts: &mut Counts) {
    for (kind, value) in common::members(doc) {
        match kind {
            "modulus_le" => {
                let mut modulus = (-Montgomery::<P, 4>::ONE).to_le_bytes();
                modulus[0] += 1; // m − 1 is even
                assert_eq!(modulus.as_slice(), hex(value.as_str().unwrap()));
            }
            "num_bits" => assert_eq!(P::NUM_BITS, u32::try_from(value.as_u64().unwrap()).unwrap()),
            "cases" => each(value, kind, counts, field_operations::<P>),
            "wide_reduce_le" => each(value, kind, counts, |case| {
                let reduced = Montgomery::<P, 4>::from_le_bytes_reduced(&hex(text(case, "bytes")));
                assert_eq!(reduced, element(&case["out"]), "{case}");
            }),
            "decode" => each(value, kind, counts, |case| {
                let bytes = hex_array(text(case, "bytes"));
                let decoded = Montgomery::<P, 4>::from_le_bytes(&bytes);
                assert_eq!(decoded.is_some(), case["ok"].as_bool().unwrap(), "{case}");
                assert!(decoded.is_none_or(|a| a.to_le_bytes() == bytes));
            }),
            kind => panic!("unknown kind {kind}"),
        }
    }
}

fn each(cases: &Value, kind: &str, counts: &mut Counts, mut run: impl FnMut(&Value)) {
    for case in list(cases) {
        run(case);
        counts.add(kind);
    }
}

fn element<P: Params<4, Repr = [u8; 32]>>(digits: &Value) -> Montgomery<P, 4> {
    let bytes = hex_array(digits.as_str().unwrap());
    Montgomery::from_le_bytes(&bytes).unwrap_or_else(|| panic!("not canonical: {digits}"))
}

fn field_operations<P: Params<4, Repr = [u8; 32]>>(case: &Value) {
    let get = |member: &str| element::<P>(&case[member]);
    let maybe = |member: &str| (!case[member].is_null()).then(|| get(member));
    let (a, b) = (get("a"), get("b"));
    assert_eq!(a + b, get("add"), "{case}");
    assert_eq!(a - b, get("sub"), "{case}");
    assert_eq!(a * b, get("mul"), "{case}");
    assert_eq!(-a, get("neg_a"), "{case}");
    assert_eq!(a.square(), get("square_a"), "{case}");
    assert_eq!(a.double(), get("double_a"), "{case}");
    assert_eq!(a.is_odd(), case["odd_a"].as_bool().unwrap(), "{case}");
    assert_eq!(a.invert(), maybe("inv_a"), "{case}");
    let inverse = lightproof::field::Field::invert_vartime(&a);
    assert_eq!(inverse, maybe("inv_a"), "{case}");
    let root = a.sqrt_vartime();
    let even = root.map(|root| if root.is_odd() { -root } else { root });
    assert_eq!(even, maybe("sqrt_a_even"), "{case}");
    let symbol = match (a == Montgomery::ZERO, root) {
        (true, _) => 0,
        (false, Some(_)) => 1,
        (false, None) => -1,
    };
    assert_eq!(a.legendre_vartime(), symbol, "{case}");
}

#[test]
fn every_curve_vector() {
    let mut counts = Counts::default();
    for (path, doc) in documents() {
        if kind(&path, &doc) != Kind::Curves {
            continue;
        }
        say(path.display());
        for (name, cases) in common::members(&doc) {
            match name {
                "helios" => curve::<Helios, _, _>(cases, &mut counts),
                "selene" => curve::<Selene, _, _>(cases, &mut counts),
                // The map from Ed25519 is of the protocol, which is above this layer.
                "wei25519" => counts.add("wei25519, passed over"),
                name => panic!("{}: unknown curve {name}", path.display()),
            }
        }
    }
    counts.print("fcmp curves");
}

/// What the vectors' curves have in common.
trait Curve<B, S>:
    ParityEncoded + weierstrass::Params<Base = Montgomery<B, 4>, Scalar = Montgomery<S, 4>>
{
}
impl<C, B, S> Curve<B, S> for C where
    C: ParityEncoded + weierstrass::Params<Base = Montgomery<B, 4>, Scalar = Montgomery<S, 4>>
{
}

fn curve<C, B, S>(doc: &Value, counts: &mut Counts)
where
    C: Curve<B, S>,
    B: Params<4, Repr = [u8; 32]>,
    S: Params<4, Repr = [u8; 32]>,
{
    for (kind, value) in common::members(doc) {
        match kind {
            "a" => assert_eq!(element::<B>(value), -Montgomery::from_u64(3)),
            "b" => assert_eq!(element::<B>(value), C::B),
            "generator" => assert_eq!(point::<C, B>(value), Point::generator()),
            "generator_xy" => assert_eq!(xy::<B>(value), Affine::<C>::GENERATOR.coordinates()),
            "field_modulus_be" => assert_eq!(modulus_be::<B>(), hex(value.as_str().unwrap())),
            "order_be" => assert_eq!(modulus_be::<S>(), hex(value.as_str().unwrap())),
            "multiples" => each(value, kind, counts, multiple::<C, B, S>),
            "ops" => each(value, kind, counts, operations::<C, B, S>),
            "decode" => each(value, kind, counts, decode::<C, B>),
            "msm" => each(value, kind, counts, |case| {
                let points: Vec<_> = list(&case["points"]).iter().map(point::<C, B>).collect();
                let scalars: Vec<_> = list(&case["scalars"]).iter().map(element::<S>).collect();
                sums(&points, &scalars, &point(&case["result"]));
            }),
            "msm_derived" => each(value, kind, counts, derived_sum::<C, B, S>),
            kind => panic!("unknown kind {kind}"),
        }
    }
}

/// The modulus, big-endian.
fn modulus_be<P: Params<4, Repr = [u8; 32]>>() -> Vec<u8> {
    let mut bytes = (-Montgomery::<P, 4>::ONE).to_be_bytes();
    bytes[31] += 1; // m − 1 is even
    bytes.to_vec()
}

/// Decodes, and checks that the same bytes come back.
fn point<C, B>(digits: &Value) -> Point<C>
where
    C: ParityEncoded + weierstrass::Params<Base = Montgomery<B, 4>>,
    B: Params<4, Repr = [u8; 32]>,
{
    let bytes = hex(digits.as_str().unwrap());
    let point =
        Point::<C>::from_bytes(&bytes).unwrap_or_else(|e| panic!("{digits} is no point: {e}"));
    assert_eq!(point.to_bytes().as_slice(), bytes, "{digits}");
    point
}

/// Affine coordinates; none for the identity.
fn xy<P: Params<4, Repr = [u8; 32]>>(
    value: &Value,
) -> Option<(Montgomery<P, 4>, Montgomery<P, 4>)> {
    (!value.is_null()).then(|| (element(&value[0]), element(&value[1])))
}

fn multiple<C: Curve<B, S>, B, S>(case: &Value)
where
    B: Params<4, Repr = [u8; 32]>,
    S: Params<4, Repr = [u8; 32]>,
{
    let k = number(case, "k");
    let expected = point::<C, B>(&case["enc"]);
    let scalar = Montgomery::from_u64(k as u64);
    assert_eq!(Point::<C>::generator().mul_vartime(&scalar), expected);
    let by_adding = (0..k).fold(Point::IDENTITY, |acc, _| acc + Point::<C>::generator());
    assert_eq!(by_adding, expected);
    assert_eq!(expected.to_affine().coordinates(), xy(&case["xy"]));
}

fn operations<C: Curve<B, S>, B, S>(case: &Value)
where
    B: Params<4, Repr = [u8; 32]>,
    S: Params<4, Repr = [u8; 32]>,
{
    let get = |member: &str| point::<C, B>(&case[member]);
    let (a, b) = (get("a"), get("b"));
    let affine = b.to_affine();
    assert_eq!(a.to_affine().coordinates(), xy(&case["a_xy"]), "{case}");
    assert_eq!(a == b, case["eq"].as_bool().unwrap(), "{case}");
    for sum in [a + b, b + a, affine.add_to(&a)] {
        assert_eq!(sum, get("add"), "{case}");
    }
    for difference in [a - b, affine.sub_from(&a)] {
        assert_eq!(difference, get("sub"), "{case}");
    }
    assert_eq!(a.double(), get("double_a"), "{case}");
    assert_eq!(a + a, get("double_a"), "{case}");
    assert_eq!(-a, get("neg_a"), "{case}");
    let k = element::<S>(&case["k"]);
    assert_eq!(a.mul_vartime(&k), get("mul_k_a"), "{case}");
}

fn decode<C, B>(case: &Value)
where
    C: ParityEncoded + weierstrass::Params<Base = Montgomery<B, 4>>,
    B: Params<4, Repr = [u8; 32]>,
{
    let bytes = hex(text(case, "bytes"));
    match Affine::<C>::from_bytes(&bytes) {
        Ok(point) => {
            assert_eq!(case["ok"], true, "{case}");
            assert_eq!(point.is_identity(), case["is_identity"], "{case}");
            assert_eq!(point.coordinates(), xy(&case["xy"]), "{case}");
            assert_eq!(point.to_bytes().as_slice(), bytes, "{case}");
        }
        Err(error) => assert_eq!(case["ok"], false, "{case}: {error}"),
    }
}

/// The sum of multiples by each way, against `expected`.
fn sums<C: Curve<B, S>, B, S>(
    points: &[Point<C>],
    scalars: &[Montgomery<S, 4>],
    expected: &Point<C>,
) where
    B: Params<4, Repr = [u8; 32]>,
    S: Params<4, Repr = [u8; 32]>,
{
    assert_eq!(points.len(), scalars.len());
    let plain = points.iter().zip(scalars).map(|(p, s)| p.mul_vartime(s));
    assert_eq!(plain.sum::<Point<C>>(), *expected);
    let mut affine = vec![Affine::IDENTITY; points.len()];
    Point::batch_normalize(points, &mut affine);
    let scalars: Vec<_> = scalars.iter().map(Montgomery::to_le_bytes).collect();
    for scratch in [msm::MIN_SCRATCH, msm::scratch_len(points.len())] {
        let mut scratch = vec![Point::<C>::IDENTITY; scratch];
        let sum = msm::msm_vartime(&affine, &scalars, &mut scratch);
        assert_eq!(sum, Ok(*expected));
    }
}

/// n points, then n scalars, from the counter stream of BLAKE2b that the label seeds.
fn derived_sum<C: Curve<B, S>, B, S>(case: &Value)
where
    B: Params<4, Repr = [u8; 32]>,
    S: Params<4, Repr = [u8; 32]>,
{
    let mut stream = Stream::new(text(case, "seed_label"));
    let n = number(case, "n");
    let points: Vec<_> = (0..n).map(|_| stream.point::<C, B>()).collect();
    let scalars: Vec<_> = (0..n).map(|_| stream.element::<S>()).collect();
    assert_eq!(points[0], point::<C, B>(&case["first_point"]));
    assert_eq!(points[n - 1], point::<C, B>(&case["last_point"]));
    assert_eq!(scalars[0], element(&case["first_scalar"]));
    assert_eq!(scalars[n - 1], element(&case["last_scalar"]));
    sums(&points, &scalars, &point(&case["result"]));
}

/// seed = BLAKE2b-512(label)[..32]; block i = BLAKE2b-512(seed ‖ u64_le(i)).
struct Stream {
    seed: [u8; 32],
    next: u64,
    block: Vec<u8>,
}

impl Stream {
    fn new(label: &str) -> Self {
        Self {
            seed: Blake2b512::digest(label)[..32].try_into().unwrap(),
            next: 0,
            block: Vec::new(),
        }
    }

    fn bytes<const L: usize>(&mut self) -> [u8; L] {
        while self.block.len() < L {
            let hash = Blake2b512::new()
                .chain_update(self.seed)
                .chain_update(self.next.to_le_bytes());
            self.block.extend_from_slice(&hash.finalize());
            self.next += 1;
        }
        let rest = self.block.split_off(L);
        core::mem::replace(&mut self.block, rest)
            .try_into()
            .unwrap()
    }

    fn element<P: Params<4, Repr = [u8; 32]>>(&mut self) -> Montgomery<P, 4> {
        Montgomery::from_le_bytes_reduced(&self.bytes::<64>())
    }

    fn point<C, B>(&mut self) -> Point<C>
    where
        C: ParityEncoded + weierstrass::Params<Base = Montgomery<B, 4>>,
        B: Params<4, Repr = [u8; 32]>,
    {
        loop {
            let mut bytes = self.element::<B>().to_le_bytes();
            let sign = u32::from_le_bytes(self.bytes()) % 2;
            bytes[31] |= u8::try_from(sign).unwrap() << 7;
            if let Ok(point) = Point::<C>::from_bytes(&bytes) {
                return point;
            }
        }
    }
}
