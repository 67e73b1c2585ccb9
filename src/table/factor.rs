//! Digits as products of a multiple in the table and the weight of a bucket.
//!
//! A window's digit d with |d| ≤ D is written as ±m·s, where the table holds multiples m ≤ M
//! and s is the weight of a bucket: entry m goes into bucket s, and the window's sum is
//! Σ s·bucket. The fewer weights, the less that costs (the idea of Luo, Fu, Gong 2023). For D ≤ M
//! the only weight is 1.
//!
//! The weights are found by a sieve from D down: of the divisors of a digit not yet covered that
//! weight is taken which covers the most digits not yet covered. For M = 5 and D = 1024 it takes
//! 424 (with M = 1 it would be 1024, and the sieve from 1 up takes 488).

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::Shape;

/// A digit's magnitude as multiple·weight, with the weight's bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) multiple: u16,
    pub(super) bucket: u16,
}

impl Part {
    const NONE: Self = Self {
        multiple: 1,
        bucket: 0,
    };
}

/// The widest window of a sum.
const MAX_WINDOW: u32 = 16;

/// Ways to cut a position's bits: the one without buckets, and those into 1 to 4 windows.
const MAX_LEVELS: usize = 5;

/// D·M that the sieve is run for at most.
const MAX_WORK: u64 = 1 << 18;

/// One way to cut a position's bits into windows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Bits of a window; of the highest perhaps less.
    pub(super) window: u32,
    /// Where this level's parts and weights start.
    parts: usize,
    weights: usize,
    /// Weights, that is buckets. 0 stands for the weight 1 alone, without a map.
    pub(super) count: usize,
    /// The widest gap between neighbours of 0 and the weights.
    pub(super) widest_gap: usize,
}

/// The levels of a shape: first the one without buckets, then ever wider windows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    list: [Level; MAX_LEVELS],
    len: usize,
    parts: usize,
}

impl Levels {
    /// The levels for windows of `span` bits or less, their weights not yet found.
    pub(super) const fn new(shape: Shape, span: u32) -> Self {
        let direct = shape.multiples().ilog2() + 1;
        let none = Level {
            window: balanced(span, span.div_ceil(direct)),
            parts: 0,
            weights: 0,
            count: 0,
            widest_gap: 0,
        };
        let mut out = Self {
            list: [none; MAX_LEVELS],
            len: 1,
            parts: 0,
        };
        let mut windows = MAX_LEVELS as u32 - 1;
        while windows >= 1 {
            let window = balanced(span, windows);
            let most = if window <= MAX_WINDOW {
                1u64 << (window - 1)
            } else {
                u64::MAX / MAX_WORK
            };
            let last = out.list[out.len - 1].window;
            if window > last && most * (shape.multiples() as u64) <= MAX_WORK {
                out.list[out.len] = Level {
                    window,
                    parts: out.parts,
                    ..none
                };
                out.len += 1;
                out.parts += most as usize + 1;
            }
            windows -= 1;
        }
        out
    }

    /// The level without buckets alone.
    pub(super) const fn direct(shape: Shape, span: u32) -> Self {
        let mut out = Self::new(shape, span);
        out.len = 1;
        out
    }

    /// Parts of all levels; and there are no more weights.
    pub(super) const fn parts_len(&self) -> usize {
        self.parts
    }

    pub(super) fn as_slice(&self) -> &[Level] {
        self.list.get(..self.len).unwrap_or(&[])
    }

    /// Finds the parts and the weights of every level; `parts` and `weights` have
    /// [`parts_len`](Self::parts_len) elements. Gives the number of weights.
    pub(super) const fn fill(
        &mut self,
        multiples: u32,
        parts: &mut [Part],
        weights: &mut [u16],
    ) -> usize {
        let mut used = 0;
        let mut i = 1;
        while i < self.len {
            let level = &mut self.list[i];
            let most = 1 << (level.window - 1);
            let (_, rest) = parts.split_at_mut(level.parts);
            let (parts, _) = rest.split_at_mut(most + 1);
            let (_, rest) = weights.split_at_mut(used);
            let (weights, _) = rest.split_at_mut(most);
            level.weights = used;
            (level.count, level.widest_gap) = sieve(multiples as usize, parts, weights);
            used += level.count;
            i += 1;
        }
        used
    }
}

/// Bits of a window when `span` bits are cut into `windows`.
const fn balanced(span: u32, windows: u32) -> u32 {
    span.div_ceil(windows)
}

/// Writes the part of each digit 0 … D into `parts`, and the weights from the least up; D is
/// one less than `parts` has elements. Gives how many weights there are, and the widest gap.
const fn sieve(multiples: usize, parts: &mut [Part], weights: &mut [u16]) -> (usize, usize) {
    let most = parts.len() - 1;
    // Until the end `bucket` is 1 for weights, and `multiple` 0 for what is not covered.
    let mut d = 0;
    while d <= most {
        parts[d] = Part {
            multiple: 0,
            bucket: 0,
        };
        d += 1;
    }
    d = most;
    while d >= 1 {
        if parts[d].multiple == 0 {
            let weight = best_weight(d, multiples, parts);
            parts[weight].bucket = 1;
            let mut m = 1;
            while m <= multiples && m * weight <= most {
                if parts[m * weight].multiple == 0 {
                    parts[m * weight].multiple = m as u16;
                }
                m += 1;
            }
        }
        d -= 1;
    }
    number(parts, weights)
}

/// The divisor s = d/m of d with m ≤ `multiples` that covers the most digits not yet covered.
const fn best_weight(d: usize, multiples: usize, parts: &[Part]) -> usize {
    let (mut best, mut covered) = (d, 0);
    let mut m = 1;
    while m <= multiples && m <= d {
        if d.is_multiple_of(m) {
            let weight = d / m;
            let (mut count, mut k) = (0, 1);
            while k <= multiples && k * weight < parts.len() {
                count += (parts[k * weight].multiple == 0) as usize;
                k += 1;
            }
            if count > covered {
                (best, covered) = (weight, count);
            }
        }
        m += 1;
    }
    best
}

/// Numbers the weights, which are marked in `parts`, from the least up, and gives every digit
/// its bucket.
const fn number(parts: &mut [Part], weights: &mut [u16]) -> (usize, usize) {
    let (mut count, mut widest, mut last) = (0, 0, 0);
    parts[0] = Part::NONE;
    let mut d = 1;
    while d < parts.len() {
        if parts[d].bucket == 1 {
            weights[count] = d as u16;
            // A weight is its own first multiple, whichever covered it before.
            parts[d] = Part {
                multiple: 1,
                bucket: count as u16,
            };
            count += 1;
            if d - last > widest {
                widest = d - last;
            }
            last = d;
        } else {
            // The weight is less than d, and its bucket known.
            let weight = d / parts[d].multiple as usize;
            parts[d].bucket = parts[weight].bucket;
        }
        d += 1;
    }
    (count, widest)
}

/// Levels with their parts and weights.
#[derive(Clone, Debug)]
pub(super) struct Factors {
    levels: Levels,
    memory: Memory,
}

#[derive(Clone, Debug)]
enum Memory {
    /// Those of the default shape, made when the program was.
    Default,
    /// None: the level without buckets has no need.
    Direct,
    #[cfg(feature = "alloc")]
    Owned(Vec<Part>, Vec<u16>),
}

/// The order's bits that the constants are made for.
const DEFAULT_BITS: u32 = 253;
const DEFAULT_EMPTY: Levels = Levels::new(Shape::DEFAULT, Shape::DEFAULT.span(DEFAULT_BITS));
const DEFAULT_PARTS: usize = DEFAULT_EMPTY.parts_len();
static DEFAULT: (Levels, [Part; DEFAULT_PARTS], [u16; DEFAULT_PARTS]) = {
    let mut levels = DEFAULT_EMPTY;
    let mut parts = [Part::NONE; DEFAULT_PARTS];
    let mut weights = [0; DEFAULT_PARTS];
    levels.fill(Shape::DEFAULT.multiples(), &mut parts, &mut weights);
    (levels, parts, weights)
};

impl Factors {
    /// Those of a shape for an order of `order_bits` bits. Where they are no constants they are found now, in memory
    /// of their own (6 bytes for each digit); without that, only the level that needs none.
    pub(super) fn new(shape: Shape, order_bits: u32) -> Self {
        let span = shape.span(order_bits);
        if shape == Shape::DEFAULT && span == Shape::DEFAULT.span(DEFAULT_BITS) {
            return Self {
                levels: DEFAULT.0,
                memory: Memory::Default,
            };
        }
        #[cfg(feature = "alloc")]
        if let Some(found) = Self::found(shape, span) {
            return found;
        }
        Self {
            levels: Levels::direct(shape, span),
            memory: Memory::Direct,
        }
    }

    /// None where there is no memory.
    #[cfg(feature = "alloc")]
    fn found(shape: Shape, span: u32) -> Option<Self> {
        let mut levels = Levels::new(shape, span);
        let (mut parts, mut weights) = (Vec::new(), Vec::new());
        parts.try_reserve_exact(levels.parts_len()).ok()?;
        parts.resize(levels.parts_len(), Part::NONE);
        weights.try_reserve_exact(levels.parts_len()).ok()?;
        weights.resize(levels.parts_len(), 0);
        let used = levels.fill(shape.multiples(), &mut parts, &mut weights);
        weights.truncate(used);
        Some(Self {
            levels,
            memory: Memory::Owned(parts, weights),
        })
    }

    pub(super) fn levels(&self) -> &[Level] {
        self.levels.as_slice()
    }

    /// The parts of the digits 0 … D of a level; none where it has no buckets.
    pub(super) fn parts(&self, level: &Level) -> Option<&[Part]> {
        if level.count == 0 {
            return None;
        }
        let all: &[Part] = match &self.memory {
            Memory::Default => &DEFAULT.1,
            Memory::Direct => &[],
            #[cfg(feature = "alloc")]
            Memory::Owned(parts, _) => parts,
        };
        all.get(level.parts..)?.get(..(1 << (level.window - 1)) + 1)
    }

    /// The weights of a level's buckets, from the least up.
    pub(super) fn weights(&self, level: &Level) -> &[u16] {
        let all: &[u16] = match &self.memory {
            Memory::Default => &DEFAULT.2,
            Memory::Direct => &[],
            #[cfg(feature = "alloc")]
            Memory::Owned(_, weights) => weights,
        };
        let from = all.get(level.weights..).unwrap_or(&[]);
        from.get(..level.count).unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn every_digit_is_a_multiple_times_a_weight() {
        for window in 1..=12 {
            let most = 1 << (window - 1);
            for multiples in (1..=9).chain([16, 31, 64, 128]) {
                let mut parts = vec![Part::NONE; most + 1];
                let mut weights = vec![0; most];
                let (count, widest) = sieve(multiples, &mut parts, &mut weights);
                let weights = &weights[..count];
                for (d, part) in parts.iter().enumerate().skip(1) {
                    let weight = usize::from(weights[usize::from(part.bucket)]);
                    assert_eq!(usize::from(part.multiple) * weight, d);
                    assert!((1..=multiples).contains(&usize::from(part.multiple)));
                }
                assert!(weights.is_sorted_by(|a, b| a < b));
                let mut last = 0;
                let gaps = weights
                    .iter()
                    .map(|w| usize::from(*w - core::mem::replace(&mut last, *w)));
                assert_eq!(gaps.max(), Some(widest));
                if multiples >= most {
                    assert_eq!(weights, [1]);
                }
            }
        }
    }

    #[test]
    fn levels_have_ever_wider_windows() {
        for multiples in [1, 2, 3, 5, 16, 128, 2048, 1 << 15] {
            for spacing in [1, 2, 3, 7, 8, 11, 13, 16, 32, 64, 252, 253, 256] {
                let shape = Shape::new(multiples, spacing).unwrap();
                let factors = Factors::new(shape, 253);
                let levels = factors.levels();
                assert!(levels[0].count == 0 && factors.parts(&levels[0]).is_none());
                assert!(1 << (levels[0].window - 1) <= multiples);
                for (narrow, wide) in levels.iter().zip(&levels[1..]) {
                    assert!(narrow.window < wide.window && wide.window <= MAX_WINDOW);
                    let parts = factors.parts(wide).unwrap();
                    assert_eq!(parts.len(), (1 << (wide.window - 1)) + 1);
                    assert_eq!(factors.weights(wide).len(), wide.count);
                    assert!(wide.count > 1);
                }
            }
        }
        let counts = |shape| -> Vec<(u32, usize)> {
            let levels = Factors::new(shape, 253);
            levels
                .levels()
                .iter()
                .map(|l| (l.window, l.count))
                .collect()
        };
        assert_eq!(counts(Shape::DEFAULT), [(3, 0), (4, 3), (6, 13), (11, 424)]);
        assert_eq!(
            counts(Shape::SMALL),
            [(1, 0), (3, 4), (4, 8), (5, 16), (10, 512)]
        );
    }

    #[test]
    fn constants_are_what_the_heap_would_hold() {
        let constant = Factors::new(Shape::DEFAULT, DEFAULT_BITS);
        assert!(matches!(constant.memory, Memory::Default));
        let found = Factors::found(Shape::DEFAULT, Shape::DEFAULT.spacing()).unwrap();
        for (a, b) in constant.levels().iter().zip(found.levels()) {
            assert_eq!(
                (a.window, a.count, a.widest_gap),
                (b.window, b.count, b.widest_gap)
            );
            assert_eq!(constant.parts(a), found.parts(b));
            assert_eq!(constant.weights(a), found.weights(b));
        }
    }
}
