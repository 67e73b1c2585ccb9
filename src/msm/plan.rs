//! Which way, and with which window: the one whose estimated cost is least.

use super::batch::{self, Cut};
use super::{digits, straus};

/// The least scratch memory of [`msm_vartime`](super::msm_vartime), in elements.
pub const MIN_SCRATCH: usize = 1;

/// A way to compute a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// The sum is empty or every scalar is zero.
    Nothing,
    /// Tables of multiples, this window.
    Straus(u32),
    /// Buckets in the group's own coordinates, this window.
    Pippenger(u32),
    /// Buckets in affine coordinates.
    Affine(Cut),
}

/// What a plan depends on besides the number of points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Bits of the longest scalar.
    pub(super) bits: u32,
    /// Bits of halves of scalars, if there are any.
    pub(super) halves: Option<u32>,
    /// Points of a curve that an element's memory holds; none if the points need no further
    /// memory, and then have no images.
    pub(super) places: Option<usize>,
    /// Elements of memory.
    pub(super) scratch: usize,
}

// Measured times of the operations on Banderwagon in eighths of a mixed addition, which is
// about a field multiplication. Only their ratios matter, and those hold for other curves.
const ADD: u64 = 10;
const MIXED: u64 = 8;
const DOUBLE: u64 = 8;
const IMAGE: u64 = 12;
const INVERSION: u64 = 50;
/// Ten affine additions, without the inversion.
const TEN_AFFINE: u64 = 62;
/// A point brought to the curve; with its image.
const TO_CHORD: u64 = 8;
const TO_CHORDS: u64 = 14;
/// A scalar split.
const SPLIT: u64 = 2;

/// The most buckets of several windows that are in memory together: 256 KiB; and
/// beside points that are lent in place, where memory is short, 64 KiB.
const MOST_TOGETHER: usize = 2048;
const MOST_TOGETHER_IN_PLACE: usize = 512;

/// The length of scratch memory with which [`msm_vartime`](super::msm_vartime) is fastest for
/// `n` points, in elements: for few points tables or buckets, from about a hundred on also the
/// points in another form, n elements up to some thousand points and n/2 from there on. For
/// sums of several sizes lend the largest. For Banderwagon; groups whose element holds one affine
/// point, not two, take n/2 more.
#[must_use]
pub const fn scratch_len(n: usize) -> usize {
    len_for(n, Some(2))
}

/// As [`scratch_len`], for [`msm_in_place_vartime`](super::msm_in_place_vartime): without the
/// points, so at most about n/8 elements for many points.
#[must_use]
pub const fn scratch_len_in_place(n: usize) -> usize {
    len_for(n, None)
}

const fn len_for(n: usize, places: Option<usize>) -> usize {
    let limits = Limits {
        bits: 256,
        halves: Some(126),
        places,
        scratch: usize::MAX,
    };
    match plan(n, &limits) {
        Plan::Nothing => MIN_SCRATCH,
        Plan::Straus(window) => straus_table_len(n, true, window),
        Plan::Pippenger(window) => 1 << (window - 1),
        Plan::Affine(cut) => affine_len(n, &limits, &cut),
    }
}

/// The way for `n` points; with less memory than [`MIN_SCRATCH`] one that reports it.
pub(super) const fn plan(n: usize, limits: &Limits) -> Plan {
    cheapest(n, limits).0
}

/// The cut of affine buckets for points that are lent too, unless another way, with the
/// points kept, is cheaper in the same memory.
pub(super) fn plan_in_place(n: usize, limits: &Limits) -> Option<Cut> {
    let in_place = Limits {
        places: None,
        ..*limits
    };
    match cheapest(n, &in_place) {
        (Plan::Affine(cut), cost) if cost <= cheapest(n, limits).1 => Some(cut),
        _ => None,
    }
}

/// The plan that costs least, and its cost.
const fn cheapest(n: usize, limits: &Limits) -> (Plan, u64) {
    if n == 0 || limits.bits == 0 {
        return (Plan::Nothing, 0);
    }
    let Limits {
        bits,
        halves,
        scratch,
        ..
    } = *limits;
    let mut best = Plan::Pippenger(1);
    let mut least = pippenger_cost(n as u64, bits, 1);
    let mut window = 2;
    while window <= digits::MAX_WINDOW && scratch >> (window - 1) >= 1 {
        let cost = pippenger_cost(n as u64, bits, window);
        if cost < least {
            (best, least) = (Plan::Pippenger(window), cost);
        }
        window += 1;
    }
    let mut window = 2;
    while window <= straus::MAX_WINDOW && scratch >= straus_table_len(n, halves.is_some(), window) {
        let cost = straus_cost(n as u64, bits, halves, window);
        if cost < least {
            (best, least) = (Plan::Straus(window), cost);
        }
        window += 1;
    }
    let (cut, cost) = best_affine(n, limits);
    if cost < least {
        return (Plan::Affine(cut), cost);
    }
    (best, least)
}

/// The best cut of buckets in affine coordinates, and its cost. More memory has to be
/// worth it by 1 part in 64.
const fn best_affine(n: usize, limits: &Limits) -> (Cut, u64) {
    let mut best = Cut {
        windows: 1,
        group: 1,
        halves: false,
    };
    let mut least = u64::MAX;
    if n > batch::MAX_POINTS {
        return (best, least);
    }
    let most_together = match limits.places {
        Some(_) => MOST_TOGETHER,
        None => MOST_TOGETHER_IN_PLACE,
    };
    let mut width = 4;
    while width <= digits::MAX_WINDOW {
        let mut group = 1;
        while group == 1
            || group <= batch::MAX_GROUP && (group as usize) << (width - 1) <= most_together
        {
            let mut halves = 0;
            while halves < 2 {
                let mut cut = Cut {
                    windows: 1,
                    group,
                    halves: halves == 1,
                };
                let bits = cut_bits(limits, &cut);
                cut.windows = (bits + 1).div_ceil(width);
                let possible = !cut.halves || limits.halves.is_some() && limits.places.is_some();
                if possible && affine_len(n, limits, &cut) <= limits.scratch {
                    let cost = affine_cost(n as u64, limits, &cut);
                    if cost < least - least / 64 {
                        (best, least) = (cut, cost);
                    }
                }
                halves += 1;
            }
            group *= 2;
        }
        width += 1;
    }
    (best, least)
}

/// Bits of the numbers that are cut into windows.
const fn cut_bits(limits: &Limits, cut: &Cut) -> u32 {
    match limits.halves {
        Some(half) if cut.halves => half,
        _ => limits.bits,
    }
}

/// Elements that the buckets of a group of windows and the store of points take; saturates.
const fn affine_len(n: usize, limits: &Limits, cut: &Cut) -> usize {
    let windows = digits::Windows::new(cut_bits(limits, cut), cut.windows);
    let store = match limits.places {
        Some(places) => batch::store_len(n, cut.halves, places),
        None => 0,
    };
    ((cut.group as usize) << (windows.width() - 1)).saturating_add(store)
}

/// The points brought to the curve; for each window an addition a point that has a digit and
/// finds its bucket not empty, and two a bucket; the sums of the rounds; inversions for full
/// batches, and for those that end a round; and the doublings.
const fn affine_cost(n: u64, limits: &Limits, cut: &Cut) -> u64 {
    let bits = cut_bits(limits, cut);
    let windows = digits::Windows::new(bits, cut.windows);
    let width = windows.width();
    let (rows, load, split) = if cut.halves {
        (2 * n, TO_CHORDS, SPLIT)
    } else {
        (n, TO_CHORD, 0)
    };
    let buckets = 1 << (width - 1);
    let group = cut.group as u64;
    let groups = (cut.windows as u64).div_ceil(group);
    let met_empty = rows * buckets / (rows + buckets);
    let additions = (rows - (rows >> width)).saturating_sub(met_empty);
    // Batches are full only where there are more buckets than that.
    let together = group * buckets;
    let batch = if together * 3 / 4 < batch::BATCH as u64 {
        together * 3 / 4
    } else {
        batch::BATCH as u64
    };
    let inversions = group * additions / batch + 4 + 2 * together / batch + 2 * width as u64;
    let of_window = (additions + 2 * buckets) * TEN_AFFINE / 10 + width as u64 * (DOUBLE + ADD + 4);
    n * load
        + groups * (inversions * INVERSION + n * split)
        + cut.windows as u64 * of_window
        + bits as u64 * DOUBLE
}

/// For each window a mixed addition a point that has a digit and finds its bucket not empty,
/// and two additions a bucket; and the doublings. (Held against measured times of all windows
/// for 64 to 2^14 points: the choice was the best or within 3 percent of it.)
const fn pippenger_cost(n: u64, bits: u32, window: u32) -> u64 {
    let windows = digits::count(bits, window) as u64;
    let buckets = 1 << (window - 1);
    // n·B/(n + B), without overflow, stands for the expected B·(1 − exp(−n/B)).
    let met_empty = if n < 1 << 32 {
        n * buckets / (n + buckets)
    } else {
        buckets
    };
    let additions = (n - (n >> window)).saturating_sub(met_empty);
    windows
        .saturating_mul(
            additions
                .saturating_mul(MIXED)
                .saturating_add(2 * (buckets - 1) * ADD),
        )
        .saturating_add(bits as u64 * DOUBLE)
}

/// Elements that the tables of `n` points take; saturates.
pub(super) const fn straus_table_len(n: usize, halves: bool, window: u32) -> usize {
    n.saturating_mul((1 << window.saturating_sub(2)) << halves as u32)
}

/// For each point its multiples; an addition for each of its digits, of which there is one in
/// window + 1 bits; and the doublings. Halves need the multiples' images beside.
const fn straus_cost(n: u64, bits: u32, halves: Option<u32>, window: u32) -> u64 {
    let entries = straus_table_len(1, false, window) as u64;
    let mut table = entries * ADD;
    let (mut chain, mut rows) = (bits as u64, 1);
    if let Some(half) = halves
        && half < bits
    {
        table += entries * IMAGE;
        (chain, rows) = (half as u64, 2);
    }
    let additions = rows * (chain + 1) * ADD / (window as u64 + 1);
    n.saturating_mul(table + additions)
        .saturating_add(chain * DOUBLE)
}
