//! Operations of every field.
//!
//! `cargo bench --bench field`; beside arkworks in the same run: `benches/peers`.

mod common;

use core::hint::black_box;

use common::{criterion, elements};
use criterion::{BatchSize, Criterion};
use lightproof::field::{
    Field, LazySum, Montgomery, Params, Ring, bandersnatch_scalar, batch, bls12_381_base,
    bls12_381_scalar, ed25519_base, ed25519_scalar, helioselene, sqrt_ratio,
};

/// Operands of a sum of products, and of a batch inversion.
const MANY: usize = 256;

fn field<P: Params<N>, const N: usize>(c: &mut Criterion) {
    let values: Vec<Montgomery<P, N>> = elements(MANY);
    let (a, b) = (values[0], values[1]);
    let mut group = c.benchmark_group(P::NAME);
    // The operands are hidden together, so that each of these is an operation's latency and
    // the copy of its operands.
    group.bench_function("add", |x| x.iter(|| *black_box(&a) + *black_box(&b)));
    group.bench_function("sub", |x| x.iter(|| *black_box(&a) - *black_box(&b)));
    group.bench_function("mul", |x| x.iter(|| *black_box(&a) * *black_box(&b)));
    group.bench_function("square", |x| x.iter(|| black_box(&a).square()));
    group.bench_function("mul, 256 each on the one before", |x| {
        x.iter(|| values.iter().fold(*black_box(&a), |acc, v| acc * *v));
    });
    group.bench_function("sum of 256 products", |x| {
        x.iter(|| {
            let mut sum = LazySum::ZERO;
            for (u, v) in black_box(&values).iter().zip(values.iter().rev()) {
                sum.add_product(u, v);
            }
            sum.reduce()
        });
    });
    group.bench_function("invert", |x| x.iter(|| black_box(&a).invert()));
    group.bench_function("invert_vartime", |x| {
        x.iter(|| black_box(&a).invert_vartime())
    });
    group.bench_function("legendre_vartime", |x| {
        x.iter(|| black_box(&a).legendre_vartime())
    });
    group.bench_function("sqrt_vartime", |x| {
        x.iter(|| black_box(&a).square().sqrt_vartime())
    });
    group.bench_function("batch invert 256", |x| {
        x.iter_batched_ref(
            || values.clone(),
            |v| batch::invert(v),
            BatchSize::SmallInput,
        );
    });
    let bytes = [0x5a; 96];
    group.bench_function("reduce twice the length", |x| {
        x.iter(|| Montgomery::<P, N>::from_le_bytes_reduced(&black_box(&bytes)[..16 * N]));
    });
    group.bench_function("encode", |x| x.iter(|| black_box(&a).to_le_bytes()));
    let encoding = a.to_le_bytes();
    group.bench_function("decode", |x| {
        x.iter(|| Montgomery::<P, N>::from_le_bytes(black_box(&encoding)));
    });
    group.finish();
}

fn main() {
    let mut c = criterion();
    field::<bls12_381_scalar::FqParams, 4>(&mut c);
    field::<bandersnatch_scalar::FrParams, 4>(&mut c);
    field::<bls12_381_base::FpParams, 6>(&mut c);
    field::<ed25519_base::F25519Params, 4>(&mut c);
    field::<helioselene::FHelioseleneParams, 4>(&mut c);
    field::<ed25519_scalar::Scalar25519Params, 4>(&mut c);
    let [u, v]: [_; 2] =
        core::array::from_fn(|i| elements::<bls12_381_scalar::FqParams, 4>(2)[i].square());
    c.bench_function("Fq/sqrt_ratio_vartime", |x| {
        x.iter(|| sqrt_ratio::sqrt_ratio_vartime(black_box(&u), black_box(&v)));
    });
    c.final_summary();
}
