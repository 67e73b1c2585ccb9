//! Sums of multiples of variable bases.
//!
//! `LIGHTPROOF_BENCH_MAX` is the largest number of points (default 16384).
#![allow(missing_docs)]

use core::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use lightproof::curve::Group;
use lightproof::curve::banderwagon::{Affine, Element, Precomputed};
use lightproof::exec::Serial;
use lightproof::field::Ring;
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::msm::{msm_vartime, msm_with, scratch_len};

/// `n` distinct points and dense scalars.
fn inputs(n: usize) -> (Vec<Affine>, Vec<Fr>) {
    let mut point = Element::generator();
    let mut scalar = Fr::from(12345);
    let mut points = Vec::with_capacity(n);
    let mut scalars = Vec::with_capacity(n);
    for i in 0..n {
        point = point.double() + Element::generator();
        scalar = scalar.square() + Fr::from(i as u64);
        points.push(point);
        scalars.push(scalar);
    }
    let mut affine = vec![Affine::IDENTITY; n];
    Element::batch_normalize(&points, &mut affine);
    (affine, scalars)
}

fn variable(criterion: &mut Criterion) {
    let max = std::env::var("LIGHTPROOF_BENCH_MAX")
        .ok()
        .and_then(|max| max.parse().ok())
        .unwrap_or(1 << 14);
    let (affine, scalars) = inputs(max);
    let canonical: Vec<[u8; 32]> = scalars.iter().map(Fr::to_le_bytes).collect();
    let precomputed: Vec<Precomputed> = affine.iter().map(|p| (*p).into()).collect();
    let mut group = criterion.benchmark_group("msm/variable");
    group.sample_size(10);
    let mut n = 32;
    while n <= max {
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::new("alloc", n), |b| {
            b.iter(|| msm_with(&Serial, black_box(&affine[..n]), black_box(&scalars[..n])));
        });
        let mut scratch = vec![Element::IDENTITY; scratch_len(n)];
        group.bench_function(BenchmarkId::new("lent", n), |b| {
            b.iter(|| {
                let (points, scalars) = (&precomputed[..n], &canonical[..n]);
                msm_vartime(black_box(points), black_box(scalars), &mut scratch)
            });
        });
        n *= 2;
    }
    group.finish();
}

criterion_group!(benches, variable);
criterion_main!(benches);
