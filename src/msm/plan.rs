//! Which way, and with which window: the one whose estimated cost is least.

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
    /// Buckets, this window.
    Pippenger(u32),
}

// Measured times of the operations on Banderwagon in eighths of a mixed addition, which is
// about a field multiplication. Only their ratios matter, and those hold for other curves.
const ADD: u64 = 10;
const MIXED: u64 = 8;
const DOUBLE: u64 = 8;
const IMAGE: u64 = 12;

/// The length of scratch memory with which [`msm_vartime`](super::msm_vartime) is fastest for
/// `n` points, in elements. It does not grow with n throughout: for sums of several sizes
/// lend the largest.
#[must_use]
pub const fn scratch_len(n: usize) -> usize {
    match plan(n, 256, Some(126), usize::MAX) {
        Plan::Nothing => MIN_SCRATCH,
        Plan::Straus(window) => straus_table_len(n, true, window),
        Plan::Pippenger(window) => 1 << (window - 1),
    }
}

/// The way for `n` points and scalars of `bits` bits, of halves of `halves` bits if there are
/// any, with `scratch` elements of memory; with less than [`MIN_SCRATCH`] one that reports it.
pub(super) const fn plan(n: usize, bits: u32, halves: Option<u32>, scratch: usize) -> Plan {
    if n == 0 || bits == 0 {
        return Plan::Nothing;
    }
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
    best
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
