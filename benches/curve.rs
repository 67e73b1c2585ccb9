//! Groups: additions and scalar multiplications of all curves, Banderwagon's encodings.
//!
//! `cargo bench --bench curve`; beside arkworks in the same run: `benches/peers`.

mod common;

use core::hint::black_box;

use common::{criterion, elements};
use criterion::Criterion;
use lightproof::curve::bandersnatch::isogenous;
use lightproof::curve::banderwagon::{Affine, Element, batch_map_to_scalar, batch_to_bytes};
use lightproof::curve::{Addend, Group, bls12_381_g1, helios, mul_vartime, selene};
use lightproof::field::bandersnatch_scalar::Fr;

/// Elements of a batch.
const MANY: usize = 256;

/// Multiples of `generator` in a row, none of them with Z = 1.
fn multiples<G: Group>(generator: G, count: usize) -> Vec<G> {
    core::iter::successors(Some(generator.double()), |p| Some(*p + generator))
        .take(count)
        .collect()
}

fn group<G: Group>(
    c: &mut Criterion,
    name: &str,
    generator: G,
    scalar: &G::Scalar,
    mul: impl Fn(&G, &G::Scalar) -> G,
) {
    let points = multiples(generator, MANY);
    let (p, q) = (points[0], points[1]);
    let mut affine = vec![<G::Affine as Addend<G>>::IDENTITY; MANY];
    G::batch_normalize(&points, &mut affine);
    let precomputed = G::Precomputed::from(affine[2]);
    let mut group = c.benchmark_group(name);
    group.bench_function("add", |x| x.iter(|| *black_box(&p) + *black_box(&q)));
    group.bench_function("add precomputed", |x| {
        x.iter(|| black_box(&precomputed).add_to(black_box(&p)));
    });
    let mut sum = p;
    group.bench_function("add precomputed in place", |x| {
        x.iter(|| black_box(&precomputed).add_assign_to(black_box(&mut sum)));
    });
    group.bench_function("add affine", |x| {
        x.iter(|| black_box(&affine[2]).add_to(black_box(&p)))
    });
    group.bench_function("double", |x| x.iter(|| black_box(&p).double()));
    group.bench_function("mul_vartime", |x| {
        x.iter(|| mul(black_box(&p), black_box(scalar)))
    });
    group.bench_function("normalize 256", |x| {
        x.iter(|| G::batch_normalize(black_box(&points), black_box(&mut affine)));
    });
    group.finish();
}

fn banderwagon_encodings(c: &mut Criterion) {
    let points = multiples(Element::generator(), MANY);
    let mut affine = vec![Affine::IDENTITY; MANY];
    Element::batch_normalize(&points, &mut affine);
    let mut bytes = vec![[0; 32]; MANY];
    batch_to_bytes(&points, &mut bytes);
    let uncompressed = affine[0].to_uncompressed_bytes();
    let mut images = vec![Fr::ZERO; MANY];
    let mut group = c.benchmark_group("banderwagon");
    group.bench_function("decode", |x| {
        x.iter(|| Affine::from_bytes(black_box(&bytes[0])))
    });
    group.bench_function("decode uncompressed", |x| {
        x.iter(|| Affine::from_uncompressed_bytes(black_box(&uncompressed)));
    });
    group.bench_function("encode", |x| x.iter(|| black_box(&points[0]).to_bytes()));
    group.bench_function("map_to_scalar", |x| {
        x.iter(|| black_box(&points[0]).map_to_scalar())
    });
    group.bench_function("decode 256", |x| {
        x.iter(|| Affine::batch_from_bytes(black_box(&bytes), black_box(&mut affine)));
    });
    group.bench_function("encode 256", |x| {
        x.iter(|| batch_to_bytes(black_box(&points), black_box(&mut bytes)));
    });
    group.bench_function("map_to_scalar 256", |x| {
        x.iter(|| batch_map_to_scalar(black_box(&affine), black_box(&mut images)));
    });
    group.finish();
}

/// The isomorphism between Banderwagon and the isogenous group, both ways.
fn isomorphism(c: &mut Criterion) {
    let p = Element::generator().double();
    let image = isogenous::Element::from(p);
    let mut group = c.benchmark_group("isogenous");
    group.bench_function("from Banderwagon", |x| {
        x.iter(|| isogenous::Element::from(*black_box(&p)))
    });
    group.bench_function("to Banderwagon", |x| {
        x.iter(|| Element::from(*black_box(&image)))
    });
    group.finish();
}

fn main() {
    let mut c = criterion();
    let r = elements(1)[0];
    group(
        &mut c,
        "banderwagon",
        Element::generator(),
        &r,
        Element::mul_vartime,
    );
    banderwagon_encodings(&mut c);
    group(
        &mut c,
        "isogenous",
        isogenous::Element::from(Element::generator()),
        &r,
        mul_vartime,
    );
    isomorphism(&mut c);
    let g1 = bls12_381_g1::Point::generator();
    group(
        &mut c,
        "G1",
        g1,
        &elements(1)[0],
        bls12_381_g1::Point::mul_vartime,
    );
    group(
        &mut c,
        "Helios",
        helios::Point::generator(),
        &elements(1)[0],
        helios::Point::mul_vartime,
    );
    group(
        &mut c,
        "Selene",
        selene::Point::generator(),
        &elements(1)[0],
        selene::Point::mul_vartime,
    );
    c.final_summary();
}
