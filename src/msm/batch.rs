//! Buckets in affine coordinates: additions that wait share an inversion.
//!
//! An affine addition is 3 products and an inversion. Of many additions together the
//! inversions are one and 3 products each (Montgomery's trick): 6 products an addition and a
//! share of an inversion, against 8 of a mixed addition in extended coordinates. The additions
//! that wait must be to different buckets; one to a bucket that is spoken for is put off to the
//! next batch. Where scalars repeat so much that batches stay small, the rest of a piece is
//! added in the group's own coordinates, in the same memory.

use super::digits::{Window, Windows};
use super::{ScalarRepr, digits};
use crate::curve::{BatchAffine, Chord, Endomorphic, Places, chord_at};
use crate::field::Field;

/// Additions that share an inversion, and additions put off: 1.5 KiB of stack.
pub(super) const BATCH: usize = 128;
const PUT_OFF: usize = 64;

/// A batch of fewer additions is small: its inversion costs more than the additions in other
/// coordinates would save.
const SMALL: usize = 16;
/// Small batches until the buckets change over. The end of every piece has some.
const PATIENCE: u32 = 12;

/// The most points: a place in the store of points and images, and a sign, are one number.
pub(super) const MAX_POINTS: usize = 1 << 30;

/// How a sum is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Windows of a scalar, or of its halves.
    pub windows: u32,
    /// Windows whose buckets are in memory at the same time.
    pub group: u32,
    /// Whether scalars are split, in a group with an endomorphism.
    pub halves: bool,
}

/// The parts of a sum that do not change while it is computed.
#[derive(Debug)]
pub(super) struct Sum<'a, G: BatchAffine, S> {
    /// The points, and their images if there are any, in the places of these elements.
    pub(super) store: &'a [S],
    pub(super) scalars: &'a [ScalarRepr<G>],
    pub(super) windows: Windows,
    pub(super) halves: bool,
}

/// Elements that `n` points take, with or without their images; saturates.
pub(super) const fn store_len(n: usize, halves: bool, places: usize) -> usize {
    if halves { n } else { n.div_ceil(places) }
}

/// The windows of scalars of `bits` bits.
pub(super) fn windows<G: Endomorphic>(bits: u32, cut: &Cut) -> Windows {
    let bits = match G::HALF_BITS {
        Some(half) if cut.halves => half,
        _ => bits,
    };
    // A window has one bit at least, and at most what a digit can have.
    let least = bits / digits::MAX_WINDOW + 1;
    Windows::new(bits, cut.windows.clamp(least, bits + 1))
}

/// Windows at the same time.
pub(super) fn group(cut: &Cut, windows: &Windows) -> u32 {
    cut.group.clamp(1, MAX_GROUP.min(windows.count()))
}

/// Buckets of a window.
pub(super) fn buckets(windows: &Windows) -> usize {
    1 << (windows.width() - 1)
}

impl<G: BatchAffine, S: Places<G::Base>> Sum<'_, G, S> {
    /// The sums of the windows from `first` on, one for each block of [`buckets`] elements of
    /// `cells`, over the points of `range`.
    pub(super) fn of_windows(
        &self,
        first: u32,
        range: core::ops::Range<usize>,
        cells: &mut [G],
        sums: &mut [G],
    ) {
        let block = buckets(&self.windows);
        let mut windows = [Window::default(); MAX_GROUP as usize];
        let windows = &mut windows[..sums.len()];
        self.windows.slice(first, windows);
        let mut piece = Buckets::new(cells, self.store);
        for (i, scalar) in range.clone().zip(&self.scalars[range]) {
            if self.halves {
                for (image, half) in (0..).zip(G::split(scalar)) {
                    let operand = (2 * i as u32 + image) << 1 | u32::from(half.negative);
                    piece.add_to_windows(windows, block, operand, |window| {
                        window.digit_of_half(half.magnitude)
                    });
                }
            } else {
                let bytes = scalar.as_ref();
                piece.add_to_windows(windows, block, (i as u32) << 1, |window| {
                    window.digit(bytes)
                });
            }
        }
        piece.settle();
        if piece.changed_over {
            for (block, sum) in piece.cells.chunks_exact(block).zip(sums) {
                *sum = super::pippenger::aggregate(block);
            }
        } else {
            aggregate(piece.cells, block, &mut piece.batch, sums);
        }
    }

    /// The sum of all windows, `group` of them at a time in `cells`.
    pub(super) fn total(&self, group: u32, cells: &mut [G]) -> G {
        let block = buckets(&self.windows);
        let mut sums = [G::IDENTITY; MAX_GROUP as usize];
        let group = group.clamp(1, MAX_GROUP);
        let mut acc = G::IDENTITY;
        let mut end = self.windows.count();
        while end > 0 {
            let first = end.saturating_sub(group);
            let count = (end - first) as usize;
            let (cells, sums) = (&mut cells[..count * block], &mut sums[..count]);
            self.of_windows(first, 0..self.scalars.len(), cells, sums);
            acc = combine(&self.windows, first, acc, sums);
            end = first;
        }
        acc
    }
}

/// The most windows at the same time: their sums are on the stack.
pub(super) const MAX_GROUP: u32 = 16;

/// Σ sumᵢ·2^low(first + i), over 2^low(first), with what the higher windows gave.
pub(super) fn combine<G: BatchAffine>(windows: &Windows, first: u32, above: G, sums: &[G]) -> G {
    sums.iter().enumerate().rev().fold(above, |acc, (i, sum)| {
        let index = first + i as u32;
        let width = windows.low(index + 1) - windows.low(index);
        (0..width).fold(acc, |acc, _| acc.double()) + *sum
    })
}

/// An addition that waits: to a bucket, of a place of the store with a sign as its lowest bit;
/// or of another bucket.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    bucket: u32,
    operand: u32,
}

/// Additions that wait for their common inversion.
#[derive(Debug)]
struct Batch<F> {
    entries: [Entry; BATCH],
    len: usize,
    product: F,
}

impl<F: Field> Batch<F> {
    const fn new() -> Self {
        Self {
            entries: [Entry {
                bucket: 0,
                operand: 0,
            }; BATCH],
            len: 0,
            product: F::ONE,
        }
    }

    /// Adds a point to a bucket, or lets the addition wait. The batch must have room, and
    /// nothing wait for the bucket.
    #[inline(always)]
    fn begin<G: BatchAffine<Base = F>>(
        &mut self,
        cell: &mut G,
        q: Chord<F>,
        negative: bool,
        entry: Entry,
    ) {
        if q.is_identity() {
            return;
        }
        let p = cell.get(0);
        if p.is_identity() {
            cell.set(0, q.negated_if(negative));
            return;
        }
        // What the slope of the chord is divided by, or that of the tangent.
        let mut divisor = q.x - p.x;
        if divisor.is_zero() {
            if p.y != q.negated_if(negative).y {
                cell.set(0, Chord::IDENTITY);
                return;
            }
            // Not zero: p is not the neutral element.
            divisor = p.y.double();
        }
        if let Some(slot) = self.entries.get_mut(self.len) {
            *slot = entry;
            self.len += 1;
            // Not zero, by which it is seen that something waits.
            cell.set_spare(self.product);
            self.product = self.product * divisor;
        }
    }

    /// Performs what waits.
    fn finish<G: BatchAffine<Base = F>>(
        &mut self,
        cells: &mut [G],
        operand: impl Fn(&[G], u32) -> Chord<F>,
    ) {
        if self.len == 0 {
            return;
        }
        // A product of non-zero values is not zero.
        let mut inverse = self.product.invert_vartime().unwrap_or(F::ZERO);
        for entry in self.entries[..self.len].iter().rev() {
            let q = operand(cells, entry.operand);
            let cell = &mut cells[entry.bucket as usize];
            let p = cell.get(0);
            let dx = q.x - p.x;
            let of_this = inverse * cell.spare();
            let slope = if dx.is_zero() {
                inverse = inverse * p.y.double();
                G::tangent(p.x) * of_this
            } else {
                inverse = inverse * dx;
                (q.y - p.y) * of_this
            };
            let x = slope.square() - p.x - q.x;
            let y = slope * (p.x - x) - p.y;
            cell.set(0, Chord { x, y });
            cell.set_spare(F::ZERO);
        }
        (self.len, self.product) = (0, F::ONE);
    }
}

/// Buckets to which points are added.
#[derive(Debug)]
struct Buckets<'a, G: BatchAffine, S> {
    cells: &'a mut [G],
    store: &'a [S],
    batch: Batch<G::Base>,
    put_off: [Entry; PUT_OFF],
    put_off_len: usize,
    small_batches: u32,
    /// Whether the buckets hold elements of the group, not points of the curve.
    changed_over: bool,
}

/// The point that an entry's operand names, without its sign.
#[inline(always)]
fn stored<F, S: Places<F>>(store: &[S], operand: u32) -> Chord<F> {
    chord_at(store, (operand >> 1) as usize)
}

/// The sign of an entry's operand.
#[inline(always)]
const fn is_negative(operand: u32) -> bool {
    operand & 1 == 1
}

impl<'a, G: BatchAffine, S: Places<G::Base>> Buckets<'a, G, S> {
    fn new(cells: &'a mut [G], store: &'a [S]) -> Self {
        cells.fill(G::EMPTY);
        Self {
            cells,
            store,
            batch: Batch::new(),
            put_off: [Entry::default(); PUT_OFF],
            put_off_len: 0,
            small_batches: 0,
            changed_over: false,
        }
    }

    /// Adds a point to its bucket of each window.
    #[inline(always)]
    fn add_to_windows(
        &mut self,
        windows: &[Window],
        block: usize,
        operand: u32,
        digit: impl Fn(&Window) -> i32,
    ) {
        let mut start = 0;
        for window in windows {
            let digit = digit(window);
            if digit != 0 {
                self.add(Entry {
                    bucket: start + digit.unsigned_abs() - 1,
                    operand: operand ^ u32::from(digit < 0),
                });
            }
            start += block as u32;
        }
    }

    #[inline(always)]
    fn add(&mut self, entry: Entry) {
        if self.changed_over {
            return self.add_changed_over(entry);
        }
        let cell = &mut self.cells[entry.bucket as usize];
        if cell.spare().is_zero() {
            let point = stored(self.store, entry.operand);
            self.batch
                .begin(cell, point, is_negative(entry.operand), entry);
            if self.batch.len == BATCH {
                self.flush();
            }
        } else {
            self.put_off[self.put_off_len] = entry;
            self.put_off_len += 1;
            if self.put_off_len == PUT_OFF {
                self.flush();
            }
        }
    }

    /// Performs what waits, and lets what was put off wait in its stead, as far as it can.
    #[inline(never)]
    fn flush(&mut self) {
        self.small_batches += u32::from(self.batch.len < SMALL);
        let store = self.store;
        self.batch.finish(self.cells, |_, operand| {
            stored(store, operand).negated_if(is_negative(operand))
        });
        if self.small_batches > PATIENCE {
            self.change_over();
            return;
        }
        // Fewer than a batch: there is room, and room for what is put off again.
        let mut again = 0;
        for i in 0..self.put_off_len {
            let entry = self.put_off[i];
            let cell = &mut self.cells[entry.bucket as usize];
            if cell.spare().is_zero() {
                let point = stored(store, entry.operand);
                self.batch
                    .begin(cell, point, is_negative(entry.operand), entry);
            } else {
                self.put_off[again] = entry;
                again += 1;
            }
        }
        self.put_off_len = again;
    }

    /// Performs all that waits.
    fn settle(&mut self) {
        while self.batch.len > 0 || self.put_off_len > 0 {
            self.flush();
        }
    }

    /// Brings the buckets to the group's own coordinates. Nothing waits for them.
    #[cold]
    fn change_over(&mut self) {
        for cell in self.cells.iter_mut() {
            *cell = G::from_chord(&cell.get(0));
        }
        self.changed_over = true;
        for i in 0..core::mem::take(&mut self.put_off_len) {
            self.add_changed_over(self.put_off[i]);
        }
    }

    fn add_changed_over(&mut self, entry: Entry) {
        self.cells[entry.bucket as usize] += G::from_chord(
            &stored(self.store, entry.operand).negated_if(is_negative(entry.operand)),
        );
    }
}

/// Σ (j + 1)·cells\[j\] over each block of `block` elements, a power of two, into `sums`.
///
/// Let T(l) be the sum of the cells whose index has bit l. Then the sum is
/// Σ T(l)·2^l + Σ cells\[j\]: two additions a cell, but unlike the sum of suffix sums in
/// rounds of independent ones. On the way up a tree over the indices each cell i = 2^l·odd
/// becomes the sum of cells i … i + 2^l − 1, and cell 0 that of all; T(l) is then the sum of
/// the cells 2^l·odd.
fn aggregate<G: BatchAffine>(
    cells: &mut [G],
    block: usize,
    batch: &mut Batch<G::Base>,
    sums: &mut [G],
) {
    let levels = block.trailing_zeros();
    let mut pairs = Pairs { cells, batch };
    for level in 0..levels {
        for i in (0..pairs.cells.len()).step_by(2 << level) {
            pairs.add(i, i + (1 << level));
        }
        pairs.finish();
    }
    // Folds the cells 2^l·odd of each block, the second half onto the first, all levels at once.
    for round in 1..levels {
        for level in 0..levels - round {
            let half = block >> (level + round + 1);
            for start in (0..pairs.cells.len()).step_by(block) {
                for j in 0..half {
                    let place = start + ((2 * j + 1) << level);
                    pairs.add(place, place + ((2 * half) << level));
                }
            }
        }
        pairs.finish();
    }
    for (cells, sum) in pairs.cells.chunks_exact(block).zip(sums) {
        let of = |place: usize| G::from_chord(&cells[place].get(0));
        let weighted = (0..levels)
            .rev()
            .fold(G::IDENTITY, |acc, level| acc.double() + of(1 << level));
        *sum = weighted + of(0);
    }
}

/// Additions of cells to other cells.
struct Pairs<'a, G: BatchAffine> {
    cells: &'a mut [G],
    batch: &'a mut Batch<G::Base>,
}

impl<G: BatchAffine> Pairs<'_, G> {
    /// Adds cell `from` to cell `to`. Until [`finish`](Self::finish) neither may be named again.
    #[inline(always)]
    fn add(&mut self, to: usize, from: usize) {
        let q = self.cells[from].get(0);
        let entry = Entry {
            bucket: to as u32,
            operand: from as u32,
        };
        self.batch.begin(&mut self.cells[to], q, false, entry);
        if self.batch.len == BATCH {
            self.finish();
        }
    }

    fn finish(&mut self) {
        self.batch
            .finish(self.cells, |cells, from| cells[from as usize].get(0));
    }
}
