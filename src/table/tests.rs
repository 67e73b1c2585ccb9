//! Sums of every shape, by every way, against the plain sum.

use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::curve::bandersnatch::isogenous;
use crate::curve::{banderwagon, mul_vartime};
use crate::exec::Serial;
use crate::field::bandersnatch_scalar::Fr;
use crate::field::{Field, Ring};

type Point = isogenous::Element;

/// Bases i + 1 times the generator, so that a sum is one multiple of it.
struct Case<G: Group> {
    generator: G,
    bases: Vec<G::Affine>,
}

impl<G: Group<Scalar = Fr>> Case<G> {
    fn new(generator: G, count: usize) -> Self {
        let mut point = G::IDENTITY;
        let points: Vec<G> = (0..count)
            .map(|_| {
                point += generator;
                point
            })
            .collect();
        let mut bases = vec![<G::Affine as Addend<G>>::IDENTITY; count];
        G::batch_normalize(&points, &mut bases);
        Self { generator, bases }
    }

    fn table(&self, shape: Shape) -> Table<'static, G> {
        Table::generate(&Serial, &self.bases, shape).unwrap()
    }

    fn plain(&self, terms: impl Iterator<Item = (usize, Fr)>) -> G {
        let multiple = terms.fold(Fr::ZERO, |sum, (base, scalar)| {
            sum + scalar * Fr::from(base as u64 + 1)
        });
        mul_vartime(&self.generator, &multiple)
    }

    /// The sum by each number of buckets on both sides of what a level asks for.
    fn check(&self, table: &Table<'_, G>, scalars: &[Fr]) {
        let expected = self.plain(scalars.iter().copied().enumerate());
        assert_eq!(table.msm_vartime(scalars), Ok(expected));
        assert_eq!(table.sum(scalars.iter().copied().enumerate()), expected);
        for count in table.factors.levels().iter().map(|level| level.count) {
            for lent in [count.saturating_sub(1), count, count + 1] {
                let mut buckets = vec![self.generator; lent];
                let sum = table.msm_with_scratch(scalars, &mut buckets);
                assert_eq!(sum, Ok(expected), "{:?} {lent} buckets", table.shape);
            }
        }
        // By each level, though another be cheaper.
        for level in table.factors.levels() {
            let mut buckets = vec![self.generator; level.count];
            let terms = scalars.iter().copied().enumerate();
            let sum = table.view().sum_by(level, terms, &mut buckets);
            assert_eq!(sum, expected, "{:?} by {level:?}", table.shape);
        }
    }
}

/// 0, ±1, ±2, r/2 and its neighbours, powers of two and their neighbours, and dense ones.
fn scalars() -> Vec<Fr> {
    let half = Fr::from(2).invert_vartime().unwrap();
    let mut out = vec![Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(2), -Fr::from(2)];
    out.extend([half, half - Fr::ONE, half + Fr::ONE, -half]);
    let mut power = Fr::ONE;
    for bit in 0..253 {
        if [1, 5, 10, 11, 63, 64, 121, 127, 240, 250, 251, 252].contains(&bit) {
            out.extend([power, power - Fr::ONE, -power, -power - Fr::ONE]);
        }
        power += power;
    }
    let mut dense = half;
    for i in 0..20 {
        dense = dense.square() + Fr::from(i);
        out.push(dense);
    }
    out
}

#[test]
fn every_shape_and_level() {
    let case = Case::new(Point::from(isogenous::Affine::GENERATOR), 3);
    let scalars = scalars();
    for multiples in (1..=8).chain([16, 128]) {
        for spacing in (1..=16).chain([252, 253, 256]) {
            let shape = Shape::new(multiples, spacing).unwrap();
            let table = case.table(shape);
            let len = entries_len::<Point>(3, shape).unwrap();
            assert_eq!(table.entries().len(), len);
            // Each scalar once somewhere, over all shapes in all places.
            let shift = (multiples + spacing) as usize;
            for list in scalars.chunks(3).skip(shift % 4).step_by(4) {
                case.check(&table, list);
            }
        }
    }
}

#[test]
fn entries_are_the_multiples_however_they_are_made() {
    let case = Case::new(Point::from(isogenous::Affine::GENERATOR), 5);
    for (multiples, spacing) in [(1, 10), (5, 11), (7, 2), (40, 3), (300, 100), (9, 256)] {
        let shape = Shape::new(multiples, spacing).unwrap();
        let table = case.table(shape);
        let mut entries = table.entries().iter();
        for i in 1..=5 {
            let mut power = Fr::from(i);
            for position in 0..shape.positions(253) {
                if position > 0 {
                    (0..spacing).for_each(|_| power += power);
                }
                for m in 1..=u64::from(multiples) {
                    let expected = mul_vartime(&case.generator, &(power * Fr::from(m)));
                    assert_eq!(entries.next().unwrap().to_group(), expected);
                }
            }
        }
        assert!(entries.next().is_none());
        // To the byte the same, with other blocks of shared inversions and in pieces.
        let text = |entries: &[isogenous::Entry]| alloc::format!("{entries:?}");
        let expected = text(table.entries());
        let mut lent = vec![table.entries()[0]; table.entries().len()];
        generate_into::<Point>(&case.bases, shape, &mut lent).unwrap();
        assert_eq!(text(&lent), expected);
        #[cfg(feature = "std")]
        for threads in [1, 2, 3, 8] {
            let exec = crate::exec::Threads(threads);
            let other = Table::<Point>::generate(&exec, &case.bases, shape).unwrap();
            assert_eq!(text(other.entries()), expected);
        }
        let borrowed = Table::<Point>::from_entries(5, shape, &lent).unwrap();
        case.check(&borrowed, &scalars()[40..45]);
    }
}

#[test]
fn every_length() {
    let case = Case::new(Point::from(isogenous::Affine::GENERATOR), 257);
    let pool = scalars();
    let scalars: Vec<Fr> = (0..257).map(|i| pool[(i * 31) % pool.len()]).collect();
    for shape in [Shape::DEFAULT, Shape::SMALL, Shape::new(16, 256).unwrap()] {
        let table = case.table(shape);
        for n in [
            0, 1, 2, 3, 5, 8, 16, 31, 32, 33, 63, 64, 65, 96, 128, 200, 255, 256, 257,
        ] {
            case.check(&table, &scalars[..n]);
        }
        let given = 258;
        let refused = Err(TableError::Scalars { bases: 257, given });
        assert_eq!(table.msm_vartime(&[Fr::ZERO; 258]), refused);
        // Mostly zeros, and short ones.
        let mut few = vec![Fr::ZERO; 257];
        few[256] = pool[7];
        few[100] = Fr::from(77);
        case.check(&table, &few);
        case.check(&table, &[Fr::from(3); 257]);
    }
}

#[test]
fn sparse_sums_with_repeated_bases() {
    let case = Case::new(Point::from(isogenous::Affine::GENERATOR), 256);
    let pool = scalars();
    let table = case.table(Shape::DEFAULT);
    for n in [0, 1, 2, 7, 40, 300] {
        let terms: Vec<(u8, Fr)> = (0..n)
            .map(|i| ([255, 0, (i * 7) as u8][i % 3], pool[(i * 5) % pool.len()]))
            .collect();
        let expected = case.plain(terms.iter().map(|(i, k)| (usize::from(*i), *k)));
        assert_eq!(table.msm_sparse_vartime(&terms), Ok(expected));
        for lent in [0, 3, 13, 424] {
            let mut buckets = vec![Point::IDENTITY; lent];
            let sum = table.msm_sparse_with_scratch(&terms, &mut buckets);
            assert_eq!(sum, Ok(expected));
        }
    }
    let small = Case::new(case.generator, 4).table(Shape::SMALL);
    let refused = Err(TableError::Scalars { bases: 4, given: 6 });
    assert_eq!(small.msm_sparse_vartime(&[(5, Fr::ONE)]), refused);
}

#[test]
fn groups_and_bases_of_other_kinds() {
    let case = Case::new(banderwagon::Element::generator(), 6);
    let pool = scalars();
    for shape in [Shape::DEFAULT, Shape::SMALL, Shape::new(3, 7).unwrap()] {
        case.check(&case.table(shape), &pool[30..36]);
    }
    // Identities among the bases, and all buckets the same point.
    let mut bases = vec![isogenous::Affine::GENERATOR; 9];
    bases[3] = isogenous::Affine::IDENTITY;
    let table = Table::<Point>::generate(&Serial, &bases, Shape::DEFAULT).unwrap();
    let scalars = &pool[12..21];
    let multiple = (0..9)
        .filter(|i| *i != 3)
        .fold(Fr::ZERO, |sum, i| sum + scalars[i]);
    let expected = mul_vartime(&Point::from(bases[0]), &multiple);
    assert_eq!(table.msm_vartime(scalars), Ok(expected));
    assert!(
        table
            .msm_vartime(&[pool[9], -pool[9]])
            .unwrap()
            .is_identity()
    );
}

#[test]
fn more_scalars_take_more_buckets() {
    let case = Case::new(Point::from(isogenous::Affine::GENERATOR), 1);
    let table = case.table(Shape::DEFAULT);
    assert_eq!(table.scratch_len(0), 0);
    assert_eq!(table.scratch_len(256), 424);
    let named = [
        Shape::SMALL,
        Shape::DEFAULT,
        Shape::LARGE,
        Shape::SPARSE,
        Shape::HUGE,
    ];
    for shape in named {
        let factors = Factors::new(shape, 253);
        let counts = factors.levels().iter().map(|level| level.count);
        assert!(counts.max() <= Some(MOST_BUCKETS), "{shape:?}");
    }
    let lens: Vec<usize> = (0..300).map(|n| table.scratch_len(n)).collect();
    assert!(lens.is_sorted());
    // Straus's tables have no use for any.
    assert_eq!(
        case.table(Shape::new(128, 256).unwrap()).scratch_len(256),
        0
    );
}
