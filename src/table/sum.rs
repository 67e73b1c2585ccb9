//! Sums from a table.

use crate::curve::{Addend, Group};
use crate::field::{Field, PrimeField};
use crate::msm::digits;

/// Bases that share a chain of doublings.
const BLOCK: usize = 256;

/// Entries that are fetched together: 768 bytes for Banderwagon.
const BATCH: usize = 8;

/// Entries fetched, and whether each is subtracted.
type Batch<G> = [(<G as Group>::Precomputed, bool); BATCH];

/// The non-zero scalars of a block: their places in the list, and the bits of some windows of each.
struct Block {
    places: [u16; BLOCK],
    bits: [u64; BLOCK],
    count: usize,
}

/// Σ scalars\[i\]·Bᵢ; `entries` has 2^(window − 1) entries a base, for scalars.len() bases or more.
pub(super) fn sum<G: Group>(entries: &[G::Precomputed], window: u32, scalars: &[G::Scalar]) -> G {
    let row_len = 1usize << (window - 1);
    let mut acc = G::IDENTITY;
    for (rows, scalars) in entries
        .chunks(BLOCK.saturating_mul(row_len))
        .zip(scalars.chunks(BLOCK))
    {
        acc += block_sum::<G, _>(rows, window, scalars, |i, scalar| (i, *scalar));
    }
    acc
}

/// Σ scalar·B_base over (base, scalar).
pub(super) fn sum_sparse<G: Group>(
    entries: &[G::Precomputed],
    window: u32,
    scalars: &[(u8, G::Scalar)],
) -> G {
    let mut acc = G::IDENTITY;
    for scalars in scalars.chunks(BLOCK) {
        acc += block_sum::<G, _>(entries, window, scalars, |_, item| {
            (usize::from(item.0), item.1)
        });
    }
    acc
}

/// The sum of up to [`BLOCK`] items; `part` gives an item's base and scalar.
fn block_sum<G: Group, T>(
    rows: &[G::Precomputed],
    window: u32,
    items: &[T],
    part: impl Fn(usize, &T) -> (usize, G::Scalar),
) -> G {
    let mut block = Block {
        places: [0; BLOCK],
        bits: [0; BLOCK],
        count: 0,
    };
    for (i, item) in items.iter().enumerate() {
        if !part(i, item).1.is_zero()
            && let Some(place) = block.places.get_mut(block.count)
        {
            *place = i as u16;
            block.count += 1;
        }
    }
    let base = |place: u16| {
        let i = usize::from(place);
        items.get(i).map_or(0, |item| part(i, item).0)
    };
    let scalar = |place: u16| {
        let i = usize::from(place);
        items
            .get(i)
            .map_or(<G::Scalar as Field>::ZERO, |item| part(i, item).1)
    };
    // The window + 1 bits of each digit of a group lie in one word.
    let group = 63 / window;
    let windows = digits::count(<G::Scalar as PrimeField>::NUM_BITS, window);
    let mut acc = G::IDENTITY;
    let mut batch = [(<G::Precomputed as Addend<G>>::IDENTITY, false); BATCH];
    let mut started = false;
    for first in (0..windows.div_ceil(group)).rev().map(|g| g * group) {
        block.load(scalar, first * window);
        for index in (0..group.min(windows - first)).rev() {
            if started {
                for _ in 0..window {
                    acc = acc.double();
                }
            }
            started |= block.add_window(rows, base, (index, window), &mut batch, &mut acc);
        }
    }
    acc
}

impl Block {
    /// Fills `bits` with 64 bits of every scalar from bit `position` − 1 on.
    fn load<F: PrimeField>(&mut self, scalar: impl Fn(u16) -> F, position: u32) {
        for (place, bits) in self.places.iter().zip(&mut self.bits).take(self.count) {
            *bits = word(scalar(*place).to_repr().as_ref(), position);
        }
    }

    /// Adds the entries of window `index` of the loaded group to `acc`; whether there were any.
    ///
    /// Entries are fetched [`BATCH`] at a time before they are added: a table is larger than
    /// the caches nearby, and so the memory answers several requests at once.
    fn add_window<G: Group>(
        &self,
        rows: &[G::Precomputed],
        base: impl Fn(u16) -> usize,
        (index, window): (u32, u32),
        batch: &mut Batch<G>,
        acc: &mut G,
    ) -> bool {
        let mut any = false;
        let places = self.places.chunks(BATCH).zip(self.bits.chunks(BATCH));
        for (places, bits) in places.take(self.count.div_ceil(BATCH)) {
            let mut len = 0;
            for (place, bits) in places.iter().zip(bits) {
                let digit = digits::recode(*bits >> (index * window), window);
                // Digit 0 (places beyond the last too) takes any entry, and leaves its slot
                // to the next.
                let multiple = (digit.unsigned_abs() as usize).saturating_sub(1);
                let entry = (base(*place) << (window - 1)) + multiple;
                if let (Some(slot), Some(entry)) = (batch.get_mut(len), rows.get(entry)) {
                    *slot = (*entry, digit < 0);
                    len += usize::from(digit != 0);
                }
            }
            any |= len > 0;
            for (entry, negative) in batch.iter().take(len) {
                if *negative {
                    entry.sub_assign_from(acc);
                } else {
                    entry.add_assign_to(acc);
                }
            }
        }
        any
    }
}

/// 64 bits of a little-endian number from bit `position` − 1 on.
fn word(bytes: &[u8], position: u32) -> u64 {
    let limb = |i: usize| {
        bytes
            .get(8 * i..)
            .and_then(|rest| rest.first_chunk::<8>())
            .map_or(0, |chunk| u64::from_le_bytes(*chunk))
    };
    let Some(below) = position.checked_sub(1) else {
        return limb(0) << 1;
    };
    let (i, shift) = ((below / 64) as usize, below % 64);
    let high = limb(i + 1).checked_shl(64 - shift).unwrap_or(0);
    limb(i) >> shift | high
}
