//! Faults of comparable software in sums of multiples, by their ids in the project's list.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use lightproof::curve::banderwagon::{Affine, Element, Precomputed};
use lightproof::curve::{Addend, Group, mul_vartime};
use lightproof::exec::Threads;
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::field::{Modulus, Ring};
use lightproof::msm::{
    Cut, MsmError, batch_affine_with_cut, msm_in_place_vartime, msm_vartime, msm_with,
    pippenger_with_window, scratch_len, straus_with_window,
};
use lightproof::table::{Shape, Table, TableError, entries_len};

type Scalar = [u8; 32];

fn generator() -> Element {
    Element::generator()
}

fn multiple(k: u64) -> Element {
    mul_vartime(&generator(), &Fr::from(k))
}

fn affine(points: &[Element]) -> Vec<Affine> {
    let mut out = vec![Affine::IDENTITY; points.len()];
    Element::batch_normalize(points, &mut out);
    out
}

/// The sum by every way, which must agree.
fn sum(points: &[Element], scalars: &[Scalar]) -> Element {
    let points = affine(points);
    let precomputed: Vec<Precomputed> = points.iter().map(|p| (*p).into()).collect();
    let n = points.len();
    let mut buckets = vec![generator(); scratch_len(n).max(n << 7).max(1 << 11)];
    let got = msm_vartime(&points, scalars, &mut buckets).unwrap();
    for window in 1..=12 {
        let by = pippenger_with_window(&precomputed, scalars, window, &mut buckets).unwrap();
        assert_eq!(by, got, "Pippenger's window {window}");
    }
    for window in 1..=8 {
        let by = straus_with_window(&precomputed, scalars, window, &mut buckets).unwrap();
        assert_eq!(by, got, "Straus's window {window}");
    }
    for (windows, group) in [(20, 1), (26, 3), (64, 16), (127, 5)] {
        for halves in [true, false] {
            let cut = Cut {
                windows,
                group,
                halves,
            };
            let mut scratch = vec![generator(); n + (group << 12) as usize];
            let by = batch_affine_with_cut(&points, scalars, cut, &mut scratch).unwrap();
            assert_eq!(by, got, "{cut:?}");
        }
    }
    let in_place = msm_in_place_vartime(&mut precomputed.clone(), scalars, &mut buckets);
    assert_eq!(in_place, Ok(got));
    let reduced: Vec<Fr> = scalars
        .iter()
        .map(|k| Fr::from_le_bytes_reduced(k))
        .collect();
    for threads in [1, 2, 3] {
        assert_eq!(msm_with(&Threads(threads), &points, &reduced), Ok(got));
    }
    for (multiples, spacing) in [(1, 256), (8, 256), (128, 256), (1, 10), (5, 11), (8, 4)] {
        let shape = Shape::new(multiples, spacing).unwrap();
        let table = Table::<Element>::generate(&Threads(2), &points, shape).unwrap();
        assert_eq!(table.msm_vartime(&reduced), Ok(got), "table of {shape:?}");
    }
    got
}

fn naive(points: &[Element], scalars: &[Fr]) -> Element {
    points
        .iter()
        .zip(scalars)
        .map(|(p, k)| mul_vartime(p, k))
        .sum()
}

fn bytes(scalars: &[Fr]) -> Vec<Scalar> {
    scalars.iter().map(Fr::to_le_bytes).collect()
}

/// Scalars spread over the whole field.
fn spread(n: usize) -> Vec<Fr> {
    let mut x = Fr::from(0x1234_5678_9abc_def1);
    (0..n)
        .map(|_| {
            x = x.square() + Fr::from(7);
            x
        })
        .collect()
}

#[test]
fn v13_more_scalars_than_bases_is_an_error() {
    let bases: Vec<Element> = (1..=8).map(multiple).collect();
    let table = Table::<Element>::generate(&Threads(1), &affine(&bases), Shape::DEFAULT).unwrap();
    let scalars: Vec<Fr> = (1..=9).map(Fr::from).collect();
    let error = TableError::Scalars { bases: 8, given: 9 };
    assert_eq!(table.msm_vartime(&scalars), Err(error));
    // Fewer are padded with zeros.
    assert_eq!(
        table.msm_vartime(&scalars[..5]),
        Ok(naive(&bases[..5], &scalars[..5]))
    );
}

#[test]
fn v23_negative_scalars_and_the_order() {
    let five = Fr::from(5);
    let b = multiple(77);
    assert_eq!(sum(&[b], &bytes(&[-five])), -sum(&[b], &bytes(&[five])));
    assert_eq!(sum(&[b], &bytes(&[-Fr::ONE])), -b);
    assert_eq!(sum(&[b], &bytes(&[Fr::ZERO])), Element::IDENTITY);
}

#[test]
fn v24_small_scalars() {
    let p = multiple(9);
    let mut expected = Element::IDENTITY;
    for k in 0..=64 {
        assert_eq!(sum(&[p], &bytes(&[Fr::from(k)])), expected, "{k}");
        expected += p;
    }
}

#[test]
fn k15_one_identity_among_others() {
    for n in 0..=70usize {
        let scalars = spread(n);
        for place in [0, n / 2, n.saturating_sub(1)] {
            let mut points: Vec<Element> = (1..=n as u64).map(|i| multiple(i * i)).collect();
            if let Some(slot) = points.get_mut(place) {
                *slot = Element::IDENTITY;
            }
            let points_affine = affine(&points);
            let mut buckets = vec![generator(); scratch_len(n)];
            let got = msm_vartime(&points_affine, &bytes(&scalars), &mut buckets);
            assert_eq!(
                got,
                Ok(naive(&points, &scalars)),
                "{n} points, identity at {place}"
            );
            if n == 8 || n == 40 {
                assert_eq!(got, Ok(sum(&points, &bytes(&scalars))));
            }
        }
    }
    let identities = [Element::IDENTITY; 33];
    assert_eq!(sum(&identities, &bytes(&spread(33))), Element::IDENTITY);
}

#[test]
fn k16_identity_points_and_zero_scalars_in_buckets() {
    let (o, g) = (Element::IDENTITY, generator());
    let scalars = [Fr::ZERO, Fr::ONE, -Fr::ONE];
    assert_eq!(sum(&[o, g, o], &bytes(&scalars)), g);
    assert_eq!(sum(&[g; 3], &[[0; 32]; 3]), o);
    assert_eq!(sum(&[o; 3], &bytes(&scalars)), o);
}

#[test]
fn k17_scalars_not_below_the_order_count_as_reduced() {
    let r = <lightproof::field::bandersnatch_scalar::FrParams as Modulus<4>>::MODULUS;
    // k·r + add, little-endian; 2r + 1 has 254 bits.
    let plus = |times: u64, add: u64| {
        let mut carry = u128::from(add);
        let mut out = [0; 32];
        for (limb, chunk) in r.iter().zip(out.chunks_exact_mut(8)) {
            carry += u128::from(*limb) * u128::from(times);
            chunk.copy_from_slice(&(carry as u64).to_le_bytes());
            carry >>= 64;
        }
        out
    };
    let (o, g) = (Element::IDENTITY, generator());
    assert_eq!(sum(&[g], &[plus(1, 0)]), o);
    assert_eq!(sum(&[g], &[plus(1, 1)]), g);
    assert_eq!(sum(&[g], &[plus(2, 0)]), o);
    assert_eq!(sum(&[g], &[plus(2, 1)]), g);
    let all_ones = [0xff; 32];
    let mut top_clear = all_ones;
    top_clear[31] = 0x7f;
    for scalar in [all_ones, top_clear] {
        let reduced = Fr::from_le_bytes_reduced(&scalar);
        assert_eq!(sum(&[g], &[scalar]), mul_vartime(&g, &reduced));
        assert_eq!(
            sum(&[g, g], &[scalar, plus(1, 0)]),
            mul_vartime(&g, &reduced)
        );
    }
}

#[test]
fn k19_windows_that_divide_the_bit_length() {
    let power = |bit: usize| {
        let mut out = [0u8; 32];
        out[bit / 8] = 1 << (bit % 8);
        out
    };
    let ones = |bits: usize| {
        let mut out = [0u8; 32];
        (0..bits).for_each(|bit| out[bit / 8] |= 1 << (bit % 8));
        out
    };
    let scalars = [
        (-Fr::ONE).to_le_bytes(),
        power(252),
        power(251),
        ones(252),
        ones(253),
        ones(255),
        ones(256),
        ones(65),
        ones(64),
    ];
    let points: Vec<Element> = (1..=9).map(|i| multiple(3 * i)).collect();
    let reduced: Vec<Fr> = scalars
        .iter()
        .map(|k| Fr::from_le_bytes_reduced(k))
        .collect();
    let expected = naive(&points, &reduced);
    assert_eq!(sum(&points, &scalars), expected);
    for (point, scalar) in points.iter().zip(&scalars) {
        let reduced = Fr::from_le_bytes_reduced(scalar);
        assert_eq!(sum(&[*point], &[*scalar]), mul_vartime(point, &reduced));
    }
    // The windows that divide 255 and 256 besides: 15, 16, 17.
    let precomputed: Vec<Precomputed> = affine(&points).iter().map(|p| (*p).into()).collect();
    let mut buckets = vec![generator(); 1 << 16];
    for window in 13..=17 {
        let got = pippenger_with_window(&precomputed, &scalars, window, &mut buckets);
        assert_eq!(got, Ok(expected), "{window}");
    }
}

#[test]
fn k20_sizes_around_the_number_of_threads() {
    for n in [0usize, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33] {
        let points: Vec<Element> = (1..=n as u64).map(multiple).collect();
        let scalars = spread(n);
        let expected = naive(&points, &scalars);
        let points = affine(&points);
        for threads in [0, 1, 2, 3, 4, 8, 32] {
            let exec = Threads(threads);
            assert_eq!(msm_with(&exec, &points, &scalars), Ok(expected));
            let table = Table::<Element>::generate(&exec, &points, Shape::DEFAULT).unwrap();
            assert_eq!(table.msm_vartime(&scalars), Ok(expected));
        }
    }
}

#[test]
fn k21_lengths_that_differ_are_errors() {
    let mut buckets = [Element::IDENTITY; 64];
    for (points, scalars) in [(4, 3), (3, 4), (0, 1), (1, 0)] {
        let error = Err(MsmError::Length { points, scalars });
        let (p, k) = (vec![Affine::GENERATOR; points], vec![[1u8; 32]; scalars]);
        assert_eq!(msm_vartime(&p, &k, &mut buckets), error);
        assert_eq!(pippenger_with_window(&p, &k, 2, &mut buckets), error);
        assert_eq!(straus_with_window(&p, &k, 2, &mut buckets), error);
        assert_eq!(msm_with(&Threads(2), &p, &vec![Fr::ONE; scalars]), error);
    }
}

#[test]
fn k22_batch_normalisation_of_identities() {
    let (o, p, q) = (
        Element::IDENTITY,
        multiple(5).double(),
        multiple(7).double(),
    );
    for points in [
        vec![o, p, o, q, o],
        vec![o],
        vec![o, o],
        vec![p, o],
        vec![o, q],
        vec![],
    ] {
        for (got, point) in affine(&points).iter().zip(&points) {
            assert_eq!(Element::from(*got), *point);
        }
    }
    // A table of identities among others: all of their multiples are identities.
    let bases = affine(&[o, p, o, q, o]);
    let table = Table::<Element>::generate(&Threads(1), &bases, Shape::DEFAULT).unwrap();
    let scalars = spread(5);
    assert_eq!(
        table.msm_vartime(&scalars),
        Ok(naive(&[o, p, o, q, o], &scalars))
    );
}

#[test]
fn k23_equal_and_opposite_points_in_one_bucket() {
    let (o, p) = (Element::IDENTITY, multiple(11));
    let mut points = vec![p, p, p, -p, o, p, p, o];
    points.extend((0..120).map(|i| multiple(i % 17 + 1)));
    let scalars = vec![Fr::from(3); points.len()];
    assert_eq!(sum(&points, &bytes(&scalars)), naive(&points, &scalars));
    let same = [p; 32];
    for scalar in spread(3) {
        let expected = mul_vartime(&p, &(scalar * Fr::from(32)));
        assert_eq!(sum(&same, &bytes(&[scalar; 32])), expected);
        // Each point meets its opposite.
        let pairs: Vec<Element> = (0..32).map(|i| if i % 2 == 0 { p } else { -p }).collect();
        assert_eq!(sum(&pairs, &bytes(&[scalar; 32])), o);
    }
}

#[test]
fn k44_lengths_that_no_memory_holds() {
    // The sizes are numbers only: products beyond usize are errors or saturate.
    assert!(entries_len::<Element>(usize::MAX / 2, Shape::DEFAULT).is_err());
    let most = Shape::new(1 << 15, 256).unwrap();
    assert!(entries_len::<Element>(1 << 17, most).is_ok() == (usize::BITS > 32));
    for n in [1usize << 20, usize::MAX >> 1, usize::MAX] {
        assert!((1..=1 << 20).contains(&scratch_len(n)));
    }
    let one = Precomputed::from(Affine::GENERATOR).add_to(&Element::IDENTITY);
    assert_eq!(one, generator());
}
