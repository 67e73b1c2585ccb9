//! Sums from a table.
//!
//! The bits of a position are cut into windows of b bits. For each window, from the highest down:
//! b doublings of the sum so far; then each scalar's digit of that window, at every position, is
//! written as ±m·s ([`factor`](super::factor)), and entry ±m of its base and position is
//! added to bucket s; then the sum gains Σ s·bucket. With the only weight 1 the sum itself is
//! the bucket: Straus's way (1964). With more it is that of Brickell, Gordon, McCurley,
//! Wilson (1992), for which Pippenger's buckets are the variable-base form.
//!
//! b is what a sum's number of scalars, and the buckets that are lent, make cheapest.

use lightproof_arch::prefetch;

use super::Shape;
use super::factor::{Factors, Level, Part};
use crate::curve::{Addend, Group};
use crate::field::{Field, PrimeField, Repr};
use crate::msm::{ScalarRepr, digits};

/// Scalars that are decoded together: 1.3 KiB. Sums of no more decode each once.
const CHUNK: usize = 32;

/// Additions whose operands are asked for together, and then done.
const BATCH: usize = 32;

/// The widest gap between weights that has a sum of its own; wider ones are taken in steps.
const GAPS: usize = 15;

// Costs in tenths of a mixed addition, by measure on Banderwagon.
const MIXED: u64 = 10;
const FULL: u64 = 13;
const DOUBLE: u64 = 12;
/// An addition to an empty bucket.
const FIRST: u64 = 2;

/// A table as a sum sees it.
#[derive(Debug)]
pub(super) struct View<'t, G: Group> {
    pub(super) entries: &'t [G::Precomputed],
    pub(super) shape: Shape,
    pub(super) factors: &'t Factors,
}

impl<G: Group> Clone for View<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Group> Copy for View<'_, G> {}

/// A scalar's magnitude, ready for its digits to be read.
#[derive(Clone, Copy)]
struct Decoded<G: Group> {
    magnitude: ScalarRepr<G>,
    /// Positions up to the magnitude's highest bit, that of the digits' carry included.
    positions: u32,
    negative: bool,
    /// Where the base's entries start.
    row: usize,
}

impl<'t, G: Group> View<'t, G> {
    const ORDER_BITS: u32 = <G::Scalar as PrimeField>::NUM_BITS;

    /// The level that is cheapest for `scalars` scalars that are not zero.
    pub(super) fn level(&self, scalars: usize, buckets: usize) -> Option<&'t Level> {
        let span = self.shape.span(Self::ORDER_BITS);
        let positions = self.shape.positions(Self::ORDER_BITS);
        let digits = scalars as u64 * u64::from(positions);
        let levels = self.factors.levels().iter();
        levels
            .filter(|level| level.count <= buckets)
            .min_by_key(|level| cost(level, digits, span))
    }

    /// Σ scalar·B_base over `terms` of (base, scalar), each base in the table.
    pub(super) fn sum(
        &self,
        terms: impl Iterator<Item = (usize, G::Scalar)> + Clone,
        buckets: &mut [G],
    ) -> G {
        let terms = terms.filter(|(_, scalar)| !scalar.is_zero());
        match self.level(terms.clone().count(), buckets.len()) {
            Some(level) => self.sum_by(level, terms, buckets),
            None => G::IDENTITY,
        }
    }

    /// [`sum`](Self::sum) by a level, for which there are buckets.
    pub(super) fn sum_by(
        &self,
        level: &Level,
        terms: impl Iterator<Item = (usize, G::Scalar)> + Clone,
        buckets: &mut [G],
    ) -> G {
        let mut acc = G::IDENTITY;
        let span = self.shape.span(Self::ORDER_BITS);
        let mut chunk = Chunk::new();
        for index in (0..span.div_ceil(level.window)).rev() {
            if !acc.is_identity() {
                for _ in 0..level.window {
                    acc = acc.double();
                }
            }
            let low = index * level.window;
            let window = (low, level.window.min(span - low));
            match (self.factors.parts(level), buckets.get_mut(..level.count)) {
                (Some(parts), Some(buckets)) => {
                    buckets.fill(G::IDENTITY);
                    self.add_window(&terms, &mut chunk, window, Some(parts), buckets);
                    acc += weighted(buckets, self.factors.weights(level), level.widest_gap);
                }
                _ => {
                    let acc = core::slice::from_mut(&mut acc);
                    self.add_window(&terms, &mut chunk, window, None, acc);
                }
            }
        }
        acc
    }

    /// Adds the entries of a window, given by its lowest bit and its width, to their buckets.
    fn add_window(
        &self,
        terms: &(impl Iterator<Item = (usize, G::Scalar)> + Clone),
        chunk: &mut Chunk<G>,
        window: (u32, u32),
        parts: Option<&[Part]>,
        buckets: &mut [G],
    ) {
        let mut batch = Batch::new();
        let mut add = |decoded: &Decoded<G>| {
            let (low, width) = window;
            let (spacing, multiples) = (self.shape.spacing(), self.shape.multiples());
            let mut row = decoded.row;
            for position in 0..decoded.positions {
                let bits =
                    digits::with_bit_below(decoded.magnitude.as_ref(), position * spacing + low);
                let digit = digits::recode(bits, width);
                let magnitude = digit.unsigned_abs();
                let (multiple, bucket) = match parts {
                    None => (magnitude as usize, 0),
                    Some(parts) => parts
                        .get(magnitude as usize)
                        .map_or((1, 0), |part| (usize::from(part.multiple), part.bucket)),
                };
                // Digit 0 takes any entry, and leaves its slot to the next.
                let entry = (row + multiple).saturating_sub(1);
                if let Some(entry) = self.entries.get(entry) {
                    prefetch(entry);
                }
                let negative = (digit < 0) ^ decoded.negative;
                batch.push(entry, bucket, negative, digit != 0);
                if batch.is_full() {
                    batch.flush(self.entries, buckets);
                }
                row += multiples as usize;
            }
        };
        let mut terms = terms.clone();
        let mut first = true;
        loop {
            if !chunk.is_whole {
                chunk.fill(&mut terms, &self.shape);
                chunk.is_whole = first && chunk.count < CHUNK;
            }
            chunk.list().iter().for_each(&mut add);
            if chunk.count < CHUNK {
                break;
            }
            first = false;
        }
        batch.flush(self.entries, buckets);
    }
}

/// The cost of a sum of `digits` digits, zeros included, a position's `span` bits cut as in `level`.
fn cost(level: &Level, digits: u64, span: u32) -> u64 {
    let windows = u64::from(span.div_ceil(level.window));
    let doublings = (windows - 1) * u64::from(level.window);
    // One digit in 2^window is 0; a window's weights are taken as all met.
    let added = digits - (digits >> level.window);
    let (count, gaps) = (level.count as u64, level.widest_gap as u64);
    let first = added.min(count);
    let in_buckets = (added - first) * MIXED + first * FIRST;
    // Of the additions for a gap half meet an identity.
    let of_buckets = (first + count + gaps) * FULL;
    doublings * DOUBLE + windows * (in_buckets + if count == 0 { 0 } else { of_buckets })
}

/// Scalars with their magnitudes.
struct Chunk<G: Group> {
    list: [Decoded<G>; CHUNK],
    count: usize,
    /// Whether these are all that the sum has.
    is_whole: bool,
}

impl<G: Group> Chunk<G> {
    fn new() -> Self {
        let none = Decoded {
            magnitude: Repr::ZERO,
            positions: 0,
            negative: false,
            row: 0,
        };
        Self {
            list: [none; CHUNK],
            count: 0,
            is_whole: false,
        }
    }

    /// Decodes the next scalars, less than [`CHUNK`] only at the end.
    fn fill(&mut self, terms: &mut impl Iterator<Item = (usize, G::Scalar)>, shape: &Shape) {
        let order_bits = <G::Scalar as PrimeField>::NUM_BITS;
        self.count = 0;
        for (slot, (base, scalar)) in self.list.iter_mut().zip(terms) {
            let mut magnitude = scalar.to_repr();
            let mut bits = digits::bit_length(magnitude.as_ref());
            let negative = bits == order_bits;
            if negative {
                magnitude = (-scalar).to_repr();
                bits = digits::bit_length(magnitude.as_ref());
            }
            *slot = Decoded {
                magnitude,
                positions: bits / shape.spacing() + 1,
                negative,
                row: base * shape.entries_a_base(order_bits),
            };
            self.count += 1;
        }
    }

    fn list(&self) -> &[Decoded<G>] {
        self.list.get(..self.count).unwrap_or(&[])
    }
}

/// Additions to come, and behind them, from the end, subtractions: two loops do them, with
/// no branch on a sign that can't be foretold.
struct Batch {
    /// Entry and bucket.
    slots: [(usize, u16); BATCH],
    additions: usize,
    subtractions: usize,
}

impl Batch {
    const fn new() -> Self {
        Self {
            slots: [(0, 0); BATCH],
            additions: 0,
            subtractions: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.additions + self.subtractions == BATCH
    }

    /// Not to be called when full. Where `counts` is false the next one takes its place.
    #[inline(always)]
    fn push(&mut self, entry: usize, bucket: u16, negative: bool, counts: bool) {
        let place = if negative {
            BATCH - 1 - self.subtractions
        } else {
            self.additions
        };
        if let Some(slot) = self.slots.get_mut(place) {
            *slot = (entry, bucket);
        }
        self.additions += usize::from(counts & !negative);
        self.subtractions += usize::from(counts & negative);
    }

    /// Does what has been collected.
    fn flush<G: Group>(&mut self, entries: &[G::Precomputed], buckets: &mut [G]) {
        let (additions, rest) = self.slots.split_at(self.additions);
        for (entry, bucket) in additions {
            if let (Some(entry), Some(bucket)) =
                (entries.get(*entry), buckets.get_mut(usize::from(*bucket)))
            {
                if bucket.is_identity() {
                    *bucket = entry.to_group();
                } else {
                    entry.add_assign_to(bucket);
                }
            }
        }
        for (entry, bucket) in rest.iter().rev().take(self.subtractions) {
            if let (Some(entry), Some(bucket)) =
                (entries.get(*entry), buckets.get_mut(usize::from(*bucket)))
            {
                if bucket.is_identity() {
                    *bucket = -entry.to_group();
                } else {
                    entry.sub_assign_from(bucket);
                }
            }
        }
        (self.additions, self.subtractions) = (0, 0);
    }
}

/// Σ weight·bucket. With weights w₁ < w₂ < … and Rᵢ the sum of the buckets from i up, it is
/// Σ (wᵢ − wᵢ₋₁)·Rᵢ: each Rᵢ goes to the sum of its gap, and Σ gap·sum is taken by sums of
/// suffixes once more. An addition a bucket for Rᵢ, one for its gap, and two for each gap.
#[inline(never)]
fn weighted<G: Group>(buckets: &[G], weights: &[u16], widest_gap: usize) -> G {
    let mut sums = [G::IDENTITY; GAPS];
    let mut suffix = G::IDENTITY;
    for (i, (bucket, weight)) in buckets.iter().zip(weights).enumerate().rev() {
        add_to(&mut suffix, bucket);
        let below = i.checked_sub(1).and_then(|i| weights.get(i)).unwrap_or(&0);
        let mut gap = usize::from(*weight - *below);
        while let Some(place) = gap.checked_sub(1) {
            let step = place.min(GAPS - 1);
            add_to(&mut sums[step], &suffix);
            gap -= step + 1;
        }
    }
    let (mut suffix, mut total) = (G::IDENTITY, G::IDENTITY);
    for sum in sums.iter().take(widest_gap).rev() {
        add_to(&mut suffix, sum);
        add_to(&mut total, &suffix);
    }
    total
}

/// `acc` += `other`, for nothing where one of them is the identity.
#[inline(always)]
fn add_to<G: Group>(acc: &mut G, other: &G) {
    if acc.is_identity() {
        *acc = *other;
    } else if !other.is_identity() {
        *acc += *other;
    }
}
