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
    let low = index * window;
    let bits = if low == 0 {
        bits_from(bytes, 0) << 1
    } else {
        bits_from(bytes, low - 1)
    };
    recode(bits, window)
}

/// The digit whose c + 1 bits b(ci − 1) … b(ci + c − 1) are the lowest of `bits`.
#[inline(always)]
pub(crate) fn recode(bits: u64, window: u32) -> i32 {
    let bits = bits as u32 & ((2u32 << window) - 1);
    // (bits + 1) / 2 is the window plus the bit below it; the top bit weighs 2^c too much.
    bits.div_ceil(2) as i32 - (((bits >> window) << window) as i32)
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
