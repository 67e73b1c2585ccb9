//! Sums of fixed bases: each profile's bytes against its times.
//!
//! `LIGHTPROOF_BENCH_SHAPES` lists other shapes, as in `5x11,128x256`: multiples, and bits between positions.
#![allow(missing_docs)]

use core::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use lightproof::curve::Group;
use lightproof::curve::bandersnatch::isogenous::{Affine, Element};
use lightproof::exec::{Serial, Threads};
use lightproof::field::Ring;
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::table::{Shape, Table};

const BASES: usize = 257;
const LENGTHS: [usize; 10] = [1, 2, 4, 5, 8, 16, 32, 64, 128, 256];

fn bases() -> Vec<Affine> {
    let mut point = Element::from(Affine::GENERATOR);
    let points: Vec<Element> = (0..BASES)
        .map(|_| {
            point = point.double() + Affine::GENERATOR.into();
            point
        })
        .collect();
    let mut affine = vec![Affine::IDENTITY; BASES];
    Element::batch_normalize(&points, &mut affine);
    affine
}

fn scalars() -> Vec<Fr> {
    let mut scalar = -Fr::from(12345).square().square().square().square().square();
    (0..BASES as u64)
        .map(|i| {
            scalar = scalar.square() + Fr::from(i);
            scalar
        })
        .collect()
}

fn shapes() -> Vec<(String, Shape)> {
    let named = [
        ("small", Shape::SMALL),
        ("default", Shape::DEFAULT),
        ("large", Shape::LARGE),
        ("sparse", Shape::SPARSE),
        ("huge", Shape::HUGE),
    ];
    let mut out: Vec<_> = named.map(|(name, s)| (name.to_owned(), s)).into();
    for text in std::env::var("LIGHTPROOF_BENCH_SHAPES")
        .iter()
        .flat_map(|list| list.split(','))
    {
        let (multiples, spacing) = text.split_once('x').unwrap_or((text, "256"));
        if let (Ok(multiples), Ok(spacing)) = (multiples.parse(), spacing.parse())
            && let Ok(shape) = Shape::new(multiples, spacing)
        {
            out.push((text.to_owned(), shape));
        }
    }
    out
}

/// The fastest of some runs, in microseconds.
fn fastest(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut least = f64::MAX;
    let mut runs = 0;
    while runs < 5 || start.elapsed().as_millis() < 150 {
        let start = Instant::now();
        work();
        least = least.min(start.elapsed().as_secs_f64());
        runs += 1;
    }
    1e6 * least
}

/// One line a shape, times in µs: with lent buckets, and for 256 scalars with the stack's as well.
fn bytes_against_time() {
    let (bases, scalars) = (bases(), scalars());
    print!("{:>9} {:>8} {:>8} {:>8}", "shape", "MiB", "make", "buckets");
    LENGTHS.iter().for_each(|n| print!(" {n:>7}"));
    println!("   no heap");
    for (name, shape) in shapes() {
        let make = || Table::<Element>::generate(&Serial, &bases, shape);
        let Ok(table) = make() else {
            continue;
        };
        let mib = size_of_val(table.entries()) as f64 / (1 << 20) as f64;
        let made = fastest(|| {
            let _ = black_box(make());
        });
        let most = LENGTHS.map(|n| table.scratch_len(n)).into_iter().max();
        let mut buckets = vec![Element::IDENTITY; most.unwrap_or(0)];
        print!("{name:>9} {mib:>8.2} {made:>8.0} {:>8}", buckets.len());
        for n in LENGTHS {
            let time = fastest(|| {
                let _ = black_box(table.msm_with_scratch(black_box(&scalars[..n]), &mut buckets));
            });
            print!(" {time:>7.1}");
        }
        let time = fastest(|| {
            let _ = black_box(table.msm_vartime(black_box(&scalars[..256])));
        });
        println!(" {time:>9.1}");
    }
}

fn fixed(criterion: &mut Criterion) {
    if criterion_is_measuring() {
        bytes_against_time();
    }
    let (bases, scalars) = (bases(), scalars());
    let Ok(table) = Table::<Element>::generate(&Serial, &bases, Shape::DEFAULT) else {
        return;
    };
    let mut buckets = vec![Element::IDENTITY; table.scratch_len(256)];
    let mut group = criterion.benchmark_group("table/sum");
    group.sample_size(20);
    for n in LENGTHS {
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| table.msm_with_scratch(black_box(&scalars[..n]), &mut buckets));
        });
    }
    for threads in [1, 2] {
        group.bench_function(BenchmarkId::new("generate", threads), |b| {
            let make = || Table::<Element>::generate(&Threads(threads), &bases, Shape::DEFAULT);
            b.iter(make);
        });
    }
    group.finish();
}

/// Not when the bench is only tried out, as `cargo test` does.
fn criterion_is_measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

criterion_group!(benches, fixed);
criterion_main!(benches);
