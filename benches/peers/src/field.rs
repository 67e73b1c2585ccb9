//! Field operations.

use core::hint::black_box;

use lightproof::field::{
    Field, Montgomery, Params, Ring, bandersnatch_scalar, bls12_381_base, bls12_381_scalar,
    ed25519_base,
};
use lightproof_peers::{Peer, Stream, to_peer};

use crate::measure::{Table, keep};

/// Elements in an array: enough to keep the multipliers busy, few enough for the first cache.
const COUNT: usize = 64;

/// `f` on each pair, as independent operations.
fn each<T: Copy>(out: &mut [T], a: &[T], b: &[T], f: impl Fn(T, T) -> T) {
    let (a, b) = (black_box(a), black_box(b));
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = f(*a, *b);
    }
    black_box(out);
}

/// `f` on its own result, COUNT times.
fn chain<T: Copy>(start: T, by: T, f: impl Fn(T, T) -> T) {
    let by = black_box(by);
    let mut x = black_box(start);
    for _ in 0..COUNT {
        x = f(x, by);
    }
    black_box(x);
}

fn one<A: Peer<N>, P: Params<N>, const N: usize>(table: &Table) {
    let mut stream = Stream::new(1);
    let a: Vec<Montgomery<P, N>> = (0..COUNT).map(|_| stream.element()).collect();
    let b: Vec<Montgomery<P, N>> = (0..COUNT).map(|_| stream.element()).collect();
    let (c, d): (Vec<A>, Vec<A>) = (
        a.iter().map(to_peer).collect(),
        b.iter().map(to_peer).collect(),
    );
    let (mut x, mut y) = (a.clone(), c.clone());

    table.section(P::NAME, "arkworks");
    macro_rules! independent {
        ($name:literal, $ours:expr, $peer:expr) => {
            table.compare(
                $name,
                COUNT,
                &mut || each(&mut x, &a, &b, $ours),
                &mut || each(&mut y, &c, &d, $peer),
            );
        };
    }
    independent!("mul, independent", |a, b| a * b, |a, b| a * b);
    table.compare(
        "mul, each on the one before",
        COUNT,
        &mut || chain(a[0], b[0], |a, b| a * b),
        &mut || chain(c[0], d[0], |a, b| a * b),
    );
    independent!("square, independent", |a, _| a.square(), |a, _| a.square());
    table.compare(
        "square, each on the one before",
        COUNT,
        &mut || chain(a[0], b[0], |a, _| a.square()),
        &mut || chain(c[0], d[0], |a, _| a.square()),
    );
    independent!("add", |a, b| a + b, |a, b| a + b);
    independent!("sub", |a, b| a - b, |a, b| a - b);
    independent!(
        "inversion",
        |a, _| a.invert_vartime().unwrap_or(a),
        |a, _| a.inverse().unwrap_or(a)
    );
    table.compare(
        "Legendre symbol",
        COUNT,
        &mut || a.iter().for_each(|a| keep(black_box(a).legendre_vartime())),
        &mut || c.iter().for_each(|c| keep(black_box(c).legendre())),
    );
    table.compare(
        "sum of 64 products",
        1,
        &mut || {
            keep(Montgomery::sum_of_products(
                black_box(&a).iter().zip(black_box(&b)),
            ))
        },
        &mut || {
            let (c, d): (&[A; COUNT], &[A; COUNT]) = (
                c[..].try_into().expect("COUNT"),
                d[..].try_into().expect("COUNT"),
            );
            black_box(A::sum_of_products(black_box(c), black_box(d)));
        },
    );
}

pub(crate) fn rows(table: &Table) {
    one::<ark_bls12_381::Fr, bls12_381_scalar::FqParams, 4>(table);
    one::<ark_ed_on_bls12_381_bandersnatch::Fr, bandersnatch_scalar::FrParams, 4>(table);
    one::<ark_curve25519::Fq, ed25519_base::F25519Params, 4>(table);
    one::<ark_bls12_381::Fq, bls12_381_base::FpParams, 6>(table);
}
