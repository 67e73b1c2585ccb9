//! Field operations.

use core::hint::black_box;

use lightproof::field::{
    Field, Montgomery, Params, Ring, bandersnatch_scalar, bls12_381_base, bls12_381_scalar,
    ed25519_base,
};
use lightproof_peers::{Peer, Stream, to_peer};

use lightproof_peers::measure::{Table, keep};

/// Elements in an array: enough to keep the multipliers busy, few enough for the first cache.
const COUNT: usize = 64;

/// `f` on each pair, in place, as independent operations. The results are the next call's
/// operands, so that no branch predictor learns them by heart.
fn each<T: Copy>(a: &mut [T], b: &[T], f: impl Fn(&mut T, &T)) {
    for (a, b) in black_box(&mut *a).iter_mut().zip(black_box(b)) {
        f(a, b);
    }
}

/// `f` on its own result, COUNT times. In place: copies of what was just written would stall.
fn chain<T: Copy>(x: &mut T, by: T, f: impl Fn(&mut T, &T)) {
    let (mut value, by) = (black_box(*x), black_box(by));
    for _ in 0..COUNT {
        f(&mut value, &by);
    }
    *x = black_box(value);
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
            table.compare($name, COUNT, &mut || each(&mut x, &b, $ours), &mut || {
                each(&mut y, &d, $peer)
            });
        };
    }
    macro_rules! dependent {
        ($name:literal, $ours:expr, $peer:expr) => {
            table.compare(
                $name,
                COUNT,
                &mut || chain(&mut x[0], b[0], $ours),
                &mut || chain(&mut y[0], d[0], $peer),
            );
        };
    }
    independent!("mul, independent", |a, b| *a *= *b, |a, b| *a *= b);
    dependent!("mul, each on the one before", |a, b| *a *= *b, |a, b| *a *=
        b);
    independent!("square, independent", |a, _| *a = a.square(), |a, _| {
        a.square_in_place();
    });
    dependent!(
        "square, each on the one before",
        |a, _| *a = a.square(),
        |a, _| {
            a.square_in_place();
        }
    );
    independent!("add", |a, b| *a += *b, |a, b| *a += b);
    independent!("sub", |a, b| *a -= *b, |a, b| *a -= b);
    independent!(
        "inversion (and an addition)",
        |a, b| *a = a.invert_vartime().unwrap_or(*a) + *b,
        |a, b| *a = a.inverse().unwrap_or(*a) + b
    );
    independent!(
        "Legendre symbol (and an addition)",
        |a, b| if a.legendre_vartime() == 1 {
            *a += *b
        } else {
            *a -= *b
        },
        |a, b| if a.legendre().is_qr() {
            *a += b
        } else {
            *a -= b
        }
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
