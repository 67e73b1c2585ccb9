//! Which multiples of each base a table holds.

use super::TableError;

/// The most multiples at a position.
pub const MAX_MULTIPLES: u32 = 1 << 15;

/// The widest spacing of positions, in bits.
pub const MAX_SPACING: u32 = 256;

/// Which multiples of each base B a table holds: m·2^(c·j)·B for m = 1 … `multiples` at each
/// position j, `spacing` = c bits apart.
///
/// Scalars have signs: k of as many bits as the order r counts as −(r − k), which has fewer.
/// So positions hold one bit less than the order has, and the one bit more that signed digits
/// need.
///
/// Memory buys speed two ways. Positions are cheap: they replace the doublings between
/// windows, and let all windows of a sum share one set of buckets. Multiples shrink that
/// set. A table with one position (a spacing of [`MAX_SPACING`]) and 2^(w − 1) multiples is
/// that of Straus's windows of w bits, one with a spacing of w and 2^(w − 1) multiples has
/// every window's multiples ready.
///
/// An endomorphism φ = \[λ\] could halve the positions: k = k₁ + λ·k₂ with halves of 126 bits, two
/// sums, and φ of one of them at the end. A spacing of 2w instead of w halves them as well: two windows
/// share a position, at the cost of w doublings. For w = 8 these are 64 products; φ, the second way
/// back from the isogenous curve and the addition are 10 + 18 + 9, and each scalar's division by the
/// lattice comes on top. For one scalar in 40 additions it would save two hundredths; for many it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    multiples: u32,
    spacing: u32,
}

impl Shape {
    /// One multiple every 10 bits: 0.6 MiB for Verkle's 257 bases.
    pub const SMALL: Self = Self::trusted(1, 10);
    /// Five multiples every 11 bits: 2.7 MiB for Verkle's 257 bases.
    pub const DEFAULT: Self = Self::trusted(5, 11);
    /// 32 multiples every 11 bits: 17 MiB for Verkle's 257 bases. Half the time for one scalar, and the least
    /// for very many.
    pub const LARGE: Self = Self::trusted(32, 11);
    /// 128 multiples every 16 bits: 48 MiB for Verkle's 257 bases. Without buckets: for few scalars.
    pub const SPARSE: Self = Self::trusted(128, 16);
    /// 128 multiples every 8 bits: 96 MiB for Verkle's 257 bases. No doubling: a third of the time
    /// for one scalar.
    pub const HUGE: Self = Self::trusted(128, 8);

    const fn trusted(multiples: u32, spacing: u32) -> Self {
        Self { multiples, spacing }
    }

    /// `multiples` multiples, 1 to [`MAX_MULTIPLES`], every `spacing` bits, 1 to
    /// [`MAX_SPACING`].
    ///
    /// # Errors
    /// Numbers out of these ranges.
    pub const fn new(multiples: u32, spacing: u32) -> Result<Self, TableError> {
        let good =
            1 <= multiples && multiples <= MAX_MULTIPLES && 1 <= spacing && spacing <= MAX_SPACING;
        if good {
            Ok(Self { multiples, spacing })
        } else {
            Err(TableError::Shape { multiples, spacing })
        }
    }

    /// How many multiples of a base are at each position.
    pub const fn multiples(&self) -> u32 {
        self.multiples
    }

    /// Bits from one position to the next.
    pub const fn spacing(&self) -> u32 {
        self.spacing
    }

    /// Positions for scalars whose order has `order_bits` bits: ⌊(order_bits − 1)/c⌋ + 1.
    pub const fn positions(&self, order_bits: u32) -> u32 {
        order_bits.saturating_sub(1) / self.spacing + 1
    }

    /// The bits that a position stands for: the spacing, or all that there are.
    pub(super) const fn span(&self, order_bits: u32) -> u32 {
        if self.spacing < order_bits {
            self.spacing
        } else {
            order_bits
        }
    }

    /// Entries of a base: its multiples at all positions.
    pub const fn entries_a_base(&self, order_bits: u32) -> usize {
        self.multiples as usize * self.positions(order_bits) as usize
    }
}

impl Default for Shape {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_hold_every_scalar_with_a_bit_to_spare() {
        for order_bits in [1, 2, 252, 253, 255, 256, 381] {
            for spacing in 1..=MAX_SPACING {
                let shape = Shape::new(1, spacing).unwrap();
                let held = shape.positions(order_bits) * spacing;
                assert!(held >= order_bits && held < order_bits + spacing);
                assert!(shape.span(order_bits) * shape.positions(order_bits) >= order_bits);
            }
        }
        assert_eq!(Shape::DEFAULT.positions(253), 23);
        assert_eq!(Shape::DEFAULT.entries_a_base(253), 115);
    }

    #[test]
    fn other_shapes_are_refused() {
        for (multiples, spacing) in [(0, 1), (1, 0), (MAX_MULTIPLES + 1, 1), (1, 257)] {
            let refused = Err(TableError::Shape { multiples, spacing });
            assert_eq!(Shape::new(multiples, spacing), refused);
        }
        for shape in [
            Shape::SMALL,
            Shape::DEFAULT,
            Shape::LARGE,
            Shape::SPARSE,
            Shape::HUGE,
        ] {
            assert_eq!(Shape::new(shape.multiples, shape.spacing), Ok(shape));
        }
    }
}
