//! Multi-scalar multiplication and tables against the naive sum.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use core::sync::atomic::{AtomicUsize, Ordering};

use lightproof::curve::banderwagon::{Affine, Element, Precomputed};
use lightproof::curve::{Addend, BatchAffine, Group, bls12_381_g1, helios, mul_vartime, selene};
use lightproof::exec::{Executor, Serial, Threads};
use lightproof::field::PrimeField;
use lightproof::msm::{
    Cut, MIN_SCRATCH, MsmError, ScalarRepr, batch_affine_with_cut, msm_in_place_vartime,
    msm_vartime, msm_with, pippenger_with_window, scratch_len, scratch_len_in_place,
    straus_with_window,
};
use lightproof::table::{Shape, Table, TableError, entries_len, generate_into};

/// How much of the long tests to run: LIGHTPROOF_TEST_SCALE, default 1.
fn scale() -> f64 {
    std::env::var("LIGHTPROOF_TEST_SCALE")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(1.0)
}

/// A stream of 64-bit words (splitmix64).
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Σ wᵢ·2^(64·i) of five words, reduced.
    fn scalar<F: PrimeField + core::ops::Add<Output = F>>(&mut self) -> F {
        let shift = F::from(1 << 32) * F::from(1 << 32);
        (0..7).fold(F::ZERO, |acc, _| acc * shift + F::from(self.next()))
    }
}

/// Points and scalars with everything that can trouble a sum, and the naive sums of their
/// prefixes: `sums[n]` is the sum of the first n.
struct Case<G: Group> {
    affine: Vec<G::Affine>,
    points: Vec<G::Precomputed>,
    scalars: Vec<G::Scalar>,
    reprs: Vec<ScalarRepr<G>>,
    sums: Vec<G>,
}

fn case<G: Group>(generator: G, n: usize, seed: u64) -> Case<G> {
    let mut words = Words(seed);
    let mut points: Vec<G> = Vec::new();
    let mut scalars: Vec<G::Scalar> = Vec::new();
    let minus_one = -G::Scalar::from(1);
    for i in 0..n {
        let last = points.last().copied().unwrap_or(generator);
        let last_scalar = scalars.last().copied().unwrap_or(G::Scalar::from(5));
        points.push(match words.next() % 10 {
            0 => G::IDENTITY,
            1 => last,
            2 => -last,
            3 => last.double(),
            4 => last + generator,
            _ => mul_vartime(&generator, &words.scalar()),
        });
        scalars.push(match words.next() % 12 {
            0 => G::Scalar::from(0),
            1 => G::Scalar::from(1),
            2 => minus_one,
            3 => last_scalar,
            4 => -last_scalar,
            5 => G::Scalar::from(i as u64),
            _ => words.scalar(),
        });
    }
    let mut affine = vec![<G::Affine as Addend<G>>::IDENTITY; n];
    G::batch_normalize(&points, &mut affine);
    let mut sums = vec![G::IDENTITY];
    for (point, scalar) in points.iter().zip(&scalars) {
        sums.push(sums[sums.len() - 1] + mul_vartime(point, scalar));
    }
    Case {
        points: affine.iter().map(|p| (*p).into()).collect(),
        affine,
        reprs: scalars.iter().map(PrimeField::to_repr).collect(),
        scalars,
        sums,
    }
}

/// Some cuts of a sum, in turns.
fn cuts(turn: u32) -> [Cut; 3] {
    let cut = |windows, group, halves| Cut {
        windows,
        group,
        halves,
    };
    [
        cut(22 + turn % 90, 1 + turn % 9, false),
        cut(22 + turn % 50, 1 + turn % 9, true),
        // Limits that are not the group's and the scalars' are brought within them.
        cut(26 + 500 * (turn % 3), turn % 5 * 20, turn.is_multiple_of(2)),
    ]
}

/// Every size up to 300 (fewer under emulation) and every way; up to 64 points every sensible
/// window, beyond by turns.
fn every_size<G: BatchAffine>(generator: G, max: usize) {
    let step = ((1.0 / scale()) as usize).clamp(1, 37);
    let case = case(generator, max, 1);
    let mut buckets = vec![generator; scratch_len(max).max(1 << 15).max(max << 7)];
    for n in (0..=max).step_by(step) {
        let (points, reprs, sum) = (&case.points[..n], &case.reprs[..n], case.sums[n]);
        let fast = scratch_len(n);
        let lengths = [MIN_SCRATCH, 2, 3, 10, fast / 2 + 1];
        for len in [lengths[n % 5], fast, fast + 9] {
            let got = msm_vartime(points, reprs, &mut buckets[..len]);
            assert_eq!(got, Ok(sum), "{n} points, scratch {len}");
        }
        let affine = msm_vartime(&case.affine[..n], reprs, &mut buckets[..fast]);
        assert_eq!(affine, Ok(sum), "{n} affine points");
        for len in [fast / 2 + 1, scratch_len_in_place(n)] {
            let mut lent = points.to_vec();
            let got = msm_in_place_vartime(&mut lent, reprs, &mut buckets[..len]);
            assert_eq!(got, Ok(sum), "{n} points in place, scratch {len}");
        }
        for cut in cuts(n as u32) {
            let got = batch_affine_with_cut(points, reprs, cut, &mut buckets);
            assert_eq!(got, Ok(sum), "{n} points, {cut:?}");
        }
        let windows = |max: u32| {
            let turn = n as u32 % max + 1;
            if n <= 64 { 1..=max } else { turn..=turn }
        };
        for window in windows(9) {
            let got = pippenger_with_window(points, reprs, window, &mut buckets);
            assert_eq!(got, Ok(sum), "{n} points, Pippenger's window {window}");
        }
        for window in windows(6) {
            let got = straus_with_window(points, reprs, window, &mut buckets);
            assert_eq!(got, Ok(sum), "{n} points, Straus's window {window}");
        }
        for threads in [1, n % 7] {
            let got = msm_with(&Threads(threads), points, &case.scalars[..n]);
            assert_eq!(got, Ok(sum), "{n} points, {threads} threads");
        }
    }
}

#[test]
fn banderwagon_every_size() {
    every_size(Element::generator(), 300);
}

/// Every window, on both sides of a few sizes.
fn every_window<G: BatchAffine>(generator: G, max: u32) {
    let case = case(generator, 70, 2);
    let mut buckets = vec![generator; 1 << 19];
    let max = if scale() < 0.5 { max.min(12) } else { max };
    for window in 1..=max {
        let sizes: &[usize] = if window < 14 { &[1, 2, 31, 70] } else { &[70] };
        for &n in sizes {
            let got =
                pippenger_with_window(&case.points[..n], &case.reprs[..n], window, &mut buckets);
            assert_eq!(got, Ok(case.sums[n]), "{n} points, window {window}");
        }
    }
    for window in 1..=8 {
        for n in [0, 1, 2, 31, 70] {
            let got = straus_with_window(&case.points[..n], &case.reprs[..n], window, &mut buckets);
            assert_eq!(got, Ok(case.sums[n]), "{n} points, window {window}");
        }
    }
}

#[test]
fn banderwagon_every_window() {
    every_window(Element::generator(), 20);
}

#[test]
fn helios_sums() {
    every_size(helios::Point::generator(), 70);
    every_window(helios::Point::generator(), 17);
    tables(helios::Point::generator(), 20, &SHAPES);
}

#[test]
fn selene_sums() {
    every_size(selene::Point::generator(), 70);
    every_window(selene::Point::generator(), 17);
    tables(selene::Point::generator(), 20, &SHAPES);
}

#[test]
fn bls12_381_g1_sums() {
    every_size(bls12_381_g1::Point::generator(), 70);
    every_window(bls12_381_g1::Point::generator(), 17);
    tables(bls12_381_g1::Point::generator(), 20, &SHAPES);
}

/// Sums of thousands of points, as large windows and several threads meet them.
#[test]
fn banderwagon_large() {
    let n = (5000.0 * scale().min(1.0)) as usize;
    let case = case(Element::generator(), n, 3);
    for threads in [1, 2, 5] {
        let got = msm_with(&Threads(threads), &case.affine, &case.scalars);
        assert_eq!(got, Ok(case.sums[n]));
    }
    assert_eq!(
        msm_with(&Serial, &case.points, &case.scalars),
        Ok(case.sums[n])
    );
}

/// Points and scalars that make every bucket's additions of a kind.
fn degenerate<G: BatchAffine>(generator: G) {
    let n = (700.0 * scale().min(1.0)) as u64;
    let small = |kind: u32, i: u64| match kind {
        0 => G::Scalar::from(5),
        1 if i % 2 == 1 => -G::Scalar::from(5),
        1 => G::Scalar::from(5),
        2 => G::Scalar::from(i + 1),
        3 => G::Scalar::from(i % 3),
        _ => G::Scalar::from(0),
    };
    let long: G::Scalar = Words(9).scalar();
    for kind in 0..5 {
        let logs: Vec<G::Scalar> = (0..n).map(|i| small(kind, i)).collect();
        let points: Vec<G> = logs.iter().map(|k| mul_vartime(&generator, k)).collect();
        let mut affine = vec![<G::Affine as Addend<G>>::IDENTITY; points.len()];
        G::batch_normalize(&points, &mut affine);
        for (other, by) in [
            (0, None),
            (0, Some(long)),
            (1, Some(long)),
            (2, None),
            (3, Some(long)),
        ] {
            // The sum is Σ by·small·P, by additions alone.
            let scalars: Vec<G::Scalar> = (0..n)
                .map(|i| by.map_or(small(other, i), |by| small(other, i) * by))
                .collect();
            let sum = points.iter().zip(0..n).fold(G::IDENTITY, |sum, (p, i)| {
                sum + mul_vartime(p, &small(other, i))
            });
            let expected = by.map_or(sum, |by| mul_vartime(&sum, &by));
            for threads in [1, 3] {
                let got = msm_with(&Threads(threads), &affine, &scalars);
                assert_eq!(got, Ok(expected), "{kind} {other}");
            }
            let reprs: Vec<_> = scalars.iter().map(PrimeField::to_repr).collect();
            let mut lent: Vec<G::Precomputed> = affine.iter().map(|p| (*p).into()).collect();
            let mut buckets = vec![generator; scratch_len_in_place(n as usize)];
            let got = msm_in_place_vartime(&mut lent, &reprs, &mut buckets);
            assert_eq!(got, Ok(expected), "{kind} {other} in place");
        }
    }
}

#[test]
fn points_and_scalars_that_fill_one_bucket() {
    degenerate(Element::generator());
    degenerate(selene::Point::generator());
}

#[test]
fn errors_say_what_is_wrong() {
    let mut buckets = [Element::IDENTITY; 4];
    let points = [Precomputed::from(Affine::GENERATOR); 3];
    let got = msm_vartime(&points, &[[1; 32]; 2], &mut buckets);
    let length = MsmError::Length {
        points: 3,
        scalars: 2,
    };
    assert_eq!(got, Err(length));
    assert_eq!(length.to_string(), "3 points but 2 scalars");
    let scratch = MsmError::Scratch {
        needed: 1,
        given: 0,
    };
    assert_eq!(msm_vartime(&points, &[[1; 32]; 3], &mut []), Err(scratch));
    let scratch = MsmError::Scratch {
        needed: 8,
        given: 4,
    };
    let got = pippenger_with_window(&points, &[[1; 32]; 3], 4, &mut buckets);
    assert_eq!(got, Err(scratch));
    let scratch = MsmError::Scratch {
        needed: 6,
        given: 4,
    };
    assert_eq!(
        straus_with_window(&points, &[[1; 32]; 3], 2, &mut buckets),
        Err(scratch)
    );
    for given in [0, 21, u32::MAX] {
        let got = pippenger_with_window(&points, &[[1; 32]; 3], given, &mut buckets);
        assert_eq!(got, Err(MsmError::Window { max: 20, given }));
    }
    for given in [0, 9] {
        let got = straus_with_window(&points, &[[1; 32]; 3], given, &mut buckets);
        assert_eq!(got, Err(MsmError::Window { max: 8, given }));
    }
    // Nothing to add needs no memory.
    assert_eq!(
        msm_vartime::<Element, Affine>(&[], &[], &mut []),
        Ok(Element::IDENTITY)
    );
}

/// Multiples and spacings.
const SHAPES: [(u32, u32); 5] = [(1, 10), (5, 11), (16, 256), (8, 4), (3, 40)];

/// Tables of some shapes, every number of scalars at some of them; dense and sparse.
fn tables<G: Group>(generator: G, bases: usize, shapes: &[(u32, u32)]) {
    let case = case(generator, bases, 4);
    for (multiples, spacing) in shapes {
        let shape = Shape::new(*multiples, *spacing).unwrap();
        let len = entries_len::<G>(bases, shape).unwrap();
        let mut entries = vec![<G::Precomputed as Addend<G>>::IDENTITY; len];
        generate_into::<G>(&case.affine, shape, &mut entries).unwrap();
        let table = Table::<G>::from_entries(bases, shape, &entries).unwrap();
        let owned = Table::<G>::generate(&Threads(3), &case.affine, shape).unwrap();
        assert_eq!((table.bases(), table.shape()), (bases, shape));
        let mut buckets = vec![generator; table.scratch_len(bases)];
        for n in 0..=bases {
            if n > 8 && n < bases && n % 7 != 0 {
                continue;
            }
            for table in [&table, &owned] {
                let got = table.msm_vartime(&case.scalars[..n]);
                assert_eq!(got, Ok(case.sums[n]), "{n} scalars, {shape:?}");
                let got = table.msm_with_scratch(&case.scalars[..n], &mut buckets);
                assert_eq!(got, Ok(case.sums[n]), "{n} scalars, {shape:?}");
            }
        }
        // Sparse: one scalar at some place.
        for place in [0, 1, bases / 2, bases - 1] {
            let mut sparse = vec![G::Scalar::from(0); bases];
            for scalar in [G::Scalar::from(1), -G::Scalar::from(1), case.scalars[place]] {
                sparse[place] = scalar;
                let expected = mul_vartime(&(G::IDENTITY + as_group(&case.points[place])), &scalar);
                assert_eq!(table.msm_vartime(&sparse), Ok(expected));
            }
        }
    }
}

fn as_group<G: Group>(point: &impl Addend<G>) -> G {
    point.add_to(&G::IDENTITY)
}

#[test]
fn banderwagon_tables() {
    tables(Element::generator(), 41, &SHAPES);
    tables(Element::generator(), 300, &[(4, 256)]);
}

#[test]
fn table_errors() {
    let bases = [Affine::GENERATOR; 2];
    for (multiples, spacing) in [(0, 8), (32_769, 8), (1, 0), (1, 257)] {
        let refused = TableError::Shape { multiples, spacing };
        assert_eq!(Shape::new(multiples, spacing), Err(refused));
    }
    let shape = Shape::new(4, 256).unwrap();
    let too_large = TableError::TooLarge { bases: usize::MAX };
    assert_eq!(entries_len::<Element>(usize::MAX, shape), Err(too_large));
    let mut entries = [Precomputed::from(Affine::GENERATOR); 7];
    let wrong = TableError::Entries {
        needed: 8,
        given: 7,
    };
    assert_eq!(
        generate_into::<Element>(&bases, shape, &mut entries),
        Err(wrong)
    );
    assert_eq!(
        wrong.to_string(),
        "the table has 8 entries, memory of 7 was given"
    );
    assert!(Table::<Element>::from_entries(2, shape, &entries).is_err());
}

/// Says that it has any number of threads, and counts the pieces it is given.
struct Boasting(usize, AtomicUsize);

impl Executor for Boasting {
    fn parallelism(&self) -> usize {
        self.0
    }

    fn for_each_chunk<T: Send>(
        &self,
        data: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let pieces = data.len().div_ceil(chunk.max(1));
        self.1.fetch_add(pieces, Ordering::Relaxed);
        Serial.for_each_chunk(data, chunk, work);
    }
}

/// More threads than there is work for must not make more work: a piece has points for its buckets.
#[test]
fn threads_without_number_do_not_multiply_the_work() {
    let case = case(Element::generator(), 700, 5);
    let mut pieces = Vec::new();
    for threads in [1, 2, 8, 64, 4096, usize::MAX] {
        let exec = Boasting(threads, AtomicUsize::new(0));
        let sum = msm_with(&exec, &case.affine, &case.scalars).unwrap();
        assert_eq!(sum, case.sums[700]);
        pieces.push(exec.1.into_inner());
    }
    assert!(pieces[5] < case.affine.len(), "{pieces:?}");
}
