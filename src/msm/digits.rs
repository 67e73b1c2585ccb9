//! Signed digits of scalars, each readable by itself.
//!
//! With windows of c bits, write b(j) for bit j of k (0 outside it) and
//!
//! dᵢ = −2^(c−1)·b(ci + c−1) + Σ_{j < c−1} 2^j·b(ci + j) + b(ci − 1).
//!
//! Then k = Σ dᵢ·2^(ci): bit ci + c−1 counts −2^(c−1)·2^(ci) in dᵢ and +2^(c(i+1)) in the next
//! digit, in sum its place value 2^(ci+c−1); every other bit counts once (Booth 1951). So
//! |dᵢ| ≤ 2^(c−1), and a digit depends on c + 1 bits of k: no carry runs through them.
//! The highest window must have its highest bit clear, or its part for the next digit were
//! lost: for k < 2^b that takes ⌊b/c⌋ + 1 windows, one more than ⌈b/c⌉ just when c divides b.

/// How many windows of `window` bits hold a number of `bits` bits.
pub(crate) const fn count(bits: u32, window: u32) -> u32 {
    bits / window + 1
}

/// The largest window whose digits [`digit`] can read.
pub(crate) const MAX_WINDOW: u32 = 20;

/// Bits of the little-endian number `bytes`: the place of the highest set bit, plus one.
pub(crate) fn bit_length(bytes: &[u8]) -> u32 {
    for (i, byte) in bytes.iter().enumerate().rev() {
        if *byte != 0 {
            return 8 * i as u32 + (8 - byte.leading_zeros());
        }
    }
    0
}

/// Up to 57 bits of the little-endian number `bytes` (8 bytes or more) from bit `position`
/// upwards, above them some more bits of the number or zeros.
#[inline(always)]
fn bits_from(bytes: &[u8], position: u32) -> u64 {
    let start = (position as usize / 8).min(bytes.len().saturating_sub(8));
    let word = match bytes.get(start..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => 0,
    };
    let shift = position - 8 * start as u32;
    word.checked_shr(shift).unwrap_or(0)
}

/// Digit `index` of the little-endian number `bytes` (8 bytes or more) in windows of
/// `window` bits, 1 to [`MAX_WINDOW`].
#[inline(always)]
pub(crate) fn digit(bytes: &[u8], index: u32, window: u32) -> i32 {
    recode(with_bit_below(bytes, index * window), window)
}

/// Windows of about equal width for numbers of `bits` bits: `count` of them, which cover one
/// bit more, so that the highest bit of the highest window is clear.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Windows {
    bits: u32,
    count: u32,
}

impl Windows {
    /// Of a count from 1 to the bits plus one, and so large that no window is wider than
    /// [`MAX_WINDOW`].
    pub(crate) const fn new(bits: u32, count: u32) -> Self {
        Self { bits, count }
    }

    /// How many.
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// The lowest bit of window `index`; of the one beyond the last the end.
    #[inline(always)]
    pub(crate) const fn low(&self, index: u32) -> u32 {
        index * (self.bits + 1) / self.count
    }

    /// Bits of the widest window.
    pub(crate) const fn width(&self) -> u32 {
        (self.bits + 1).div_ceil(self.count)
    }

    /// The windows from `first` on, as many as `out` has places.
    pub(crate) fn slice(&self, first: u32, out: &mut [Window]) {
        for (index, slot) in (first..).zip(out) {
            let low = self.low(index);
            *slot = Window {
                low,
                width: self.low(index + 1) - low,
            };
        }
    }
}

/// Where a window lies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Window {
    low: u32,
    width: u32,
}

impl Window {
    /// The digit of a number, at most 2^(width − 1) in absolute value.
    #[inline(always)]
    pub(crate) fn digit(&self, bytes: &[u8]) -> i32 {
        recode(with_bit_below(bytes, self.low), self.width)
    }

    /// The digit of a number below 2^127.
    #[inline(always)]
    pub(crate) fn digit_of_half(&self, half: u128) -> i32 {
        recode(((half << 1) >> self.low) as u64, self.width)
    }
}

/// b(position − 1) as the lowest bit, and up to 56 bits from `position` upwards.
#[inline(always)]
pub(crate) fn with_bit_below(bytes: &[u8], position: u32) -> u64 {
    match position {
        0 => bits_from(bytes, 0) << 1,
        _ => bits_from(bytes, position - 1),
    }
}

/// The digit whose c + 1 bits b(ci − 1) … b(ci + c − 1) are the lowest of `bits`.
#[inline(always)]
pub(crate) fn recode(bits: u64, window: u32) -> i32 {
    let bits = bits as u32 & ((2u32 << window) - 1);
    // (bits + 1) / 2 is the window plus the bit below it; the top bit weighs 2^c too much.
    bits.div_ceil(2) as i32 - (((bits >> window) << window) as i32)
}

/// An odd number at a place: digit·2^position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OddDigit {
    /// Where it stands.
    pub(crate) position: u32,
    /// Odd, below 2^(window − 1) in absolute value, or ±1.
    pub(crate) digit: i32,
    /// The next digit is made of what lies below this bit.
    pub(crate) below: u32,
}

/// The highest odd digit of what the little-endian number `bytes` (8 bytes or more) has below
/// bit `below`, or none; to begin with, `below` is one more than the number's bits.
///
/// k = 2k − k = Σ (b(i − 1) − b(i))·2^i: the digits of this difference are 0 or ±1, the bits'
/// changes. A window of c of them from a change downwards is [`recode`]'s digit; without its
/// trailing zeros it is odd. A digit so stands in one place of c + 1 on average (Okeya,
/// Schmidt-Samoa, Spahn, Takagi 2004, read from the top).
#[inline]
pub(crate) fn next_odd(bytes: &[u8], below: u32, window: u32) -> Option<OddDigit> {
    // b(position + i) ^ b(position + i − 1) for i = 0 … 55.
    let changes = |position: u32| {
        let bits = with_bit_below(bytes, position);
        (bits ^ (bits >> 1)) & ((1 << 56) - 1)
    };
    let mut end = below;
    let top = loop {
        let start = end.saturating_sub(56);
        let changes = changes(start) & ((1 << (end - start)) - 1);
        if changes != 0 {
            break start + 63 - changes.leading_zeros();
        }
        if start == 0 {
            return None;
        }
        end = start;
    };
    let low = (top + 1).saturating_sub(window);
    let value = recode(with_bit_below(bytes, low), top + 1 - low);
    let zeros = value.trailing_zeros();
    Some(OddDigit {
        position: low + zeros,
        digit: value >> zeros,
        below: low,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Group;
    use crate::curve::banderwagon::Element;
    use crate::field::PrimeField;
    use crate::field::bandersnatch_scalar::Fr;

    /// Horner's rule over the digits, in the scalar field.
    fn value(bytes: &[u8; 32], bits: u32, window: u32) -> Fr {
        (0..count(bits, window)).rev().fold(Fr::ZERO, |acc, i| {
            let shifted = acc * Fr::from(1 << window);
            let d = digit(bytes, i, window);
            assert!(d.unsigned_abs() <= 1 << (window - 1));
            let magnitude = Fr::from(u64::from(d.unsigned_abs()));
            if d < 0 {
                shifted - magnitude
            } else {
                shifted + magnitude
            }
        })
    }

    #[test]
    fn digits_sum_to_the_number_for_every_window() {
        let mut cases = std::vec![[0u8; 32], [0xff; 32], (-Fr::ONE).to_repr()];
        for bit in 0..256 {
            let mut power = [0u8; 32];
            power[bit / 8] = 1 << (bit % 8);
            cases.push(power);
            // 2^bit − 1
            let mut ones = [0u8; 32];
            for j in 0..bit {
                ones[j / 8] |= 1 << (j % 8);
            }
            cases.push(ones);
        }
        let mut x = Fr::from(3);
        for _ in 0..50 {
            x = x * x + Fr::ONE;
            cases.push(x.to_repr());
        }
        for bytes in &cases {
            let expected = Fr::from_le_bytes_reduced(bytes);
            for window in 1..=MAX_WINDOW {
                assert_eq!(value(bytes, 256, window), expected);
                assert_eq!(value(bytes, bit_length(bytes), window), expected);
            }
        }
    }

    #[test]
    fn windows_of_equal_width_cover_the_number() {
        let mut cases = std::vec![[0xff; 32], (-Fr::ONE).to_repr(), [0x55; 32]];
        cases.push(Fr::from(7).to_repr());
        for bytes in &cases {
            for bits in [bit_length(bytes), 256] {
                for count in bits / 20 + 1..=bits + 1 {
                    let windows = Windows::new(bits, count);
                    assert!(windows.width() <= MAX_WINDOW);
                    assert_eq!(windows.low(count), bits + 1);
                    let mut slice = std::vec![Window::default(); count as usize];
                    windows.slice(0, &mut slice);
                    let value = (0..count).fold(Fr::ZERO, |sum, i| {
                        let d = slice[i as usize].digit(bytes);
                        if bits <= 126 {
                            let half = u128::from_le_bytes(*bytes.first_chunk().unwrap());
                            assert_eq!(d, slice[i as usize].digit_of_half(half));
                        }
                        assert!(d.unsigned_abs() <= 1 << (windows.width() - 1));
                        let place = Fr::from_u64(2).pow(&[u64::from(windows.low(i))]);
                        let term = place * Fr::from(u64::from(d.unsigned_abs()));
                        if d < 0 { sum - term } else { sum + term }
                    });
                    assert_eq!(value, Fr::from_le_bytes_reduced(bytes));
                }
            }
        }
    }

    #[test]
    fn odd_digits_sum_to_the_number_and_are_sparse() {
        let mut x = Fr::from(3);
        let mut cases = std::vec![[0u8; 32], [0xff; 32], (-Fr::ONE).to_repr()];
        for _ in 0..50 {
            x = x * x + Fr::ONE;
            cases.push(x.to_repr());
        }
        for bytes in &cases {
            for window in 1..=8 {
                let mut below = bit_length(bytes) + 1;
                let (mut sum, mut count) = (Fr::ZERO, 0);
                while let Some(odd) = next_odd(bytes, below, window) {
                    assert!(odd.position >= odd.below && odd.position < below);
                    assert!(odd.digit % 2 != 0);
                    assert!(odd.digit.unsigned_abs() <= 1 << (window - 1));
                    let magnitude = Fr::from(u64::from(odd.digit.unsigned_abs()));
                    let value = magnitude * Fr::from_u64(2).pow(&[u64::from(odd.position)]);
                    sum = if odd.digit < 0 {
                        sum - value
                    } else {
                        sum + value
                    };
                    (below, count) = (odd.below, count + 1);
                }
                assert_eq!(sum, Fr::from_le_bytes_reduced(bytes));
                assert!(count <= 256 / window + 1);
            }
        }
    }

    #[test]
    fn no_window_is_lost_where_it_divides_the_bits() {
        const BITS: u32 = <<Element as Group>::Scalar as PrimeField>::NUM_BITS;
        assert_eq!((BITS, count(BITS, 11)), (253, 24));
        assert_eq!(count(255, 15), 18);
        assert_eq!(count(256, 8), 33);
        assert_eq!(count(0, 5), 1);
        let top = (-Fr::ONE).to_repr();
        assert_eq!(bit_length(&top), BITS);
        // Bit 252 is set: a window of 11 bits overflows into a 24th digit.
        assert_eq!(digit(&top, 23, 11), 1);
    }
}
