//! Square roots in any prime field (Tonelli 1891, Shanks 1973). A field with high 2-adicity
//! that needs them often has a table form of its own beside its curve.

use lightproof_arch::portable::limbs;

use super::{Montgomery, Params, Ring};

impl<P: Params<N>, const N: usize> Montgomery<P, N> {
    /// A square root, or none if there is none. Which of the two roots is not said. Public
    /// values only.
    ///
    /// Complexity: one exponentiation, and up to s²/2 squarings for 2^s | m − 1.
    pub fn sqrt_vartime(&self) -> Option<Self> {
        if *self == Self::ZERO {
            return Some(Self::ZERO);
        }
        // With m − 1 = 2^s·t: w = a^((t−1)/2), root = a·w, b = root·w = a^t.
        let w = self.pow(&limbs::half(&P::ODD_PART));
        let mut root = *self * w;
        let mut b = root * w;
        let mut g = Self::from_montgomery_limbs(P::ROOT_OF_UNITY);
        let mut order = P::TWO_ADICITY;
        // Invariant: root² = a·b, b has order 2^k for some k < order, g has order 2^order.
        while b != Self::ONE {
            let mut k = 0;
            let mut power = b;
            while power != Self::ONE {
                power = power.square();
                k += 1;
                if k >= order {
                    return None; // b is no square of a power of g, so a is no square
                }
            }
            let shift = (k..order - 1).fold(g, |x, _| x.square());
            root *= shift;
            g = shift.square();
            b *= g;
            order = k;
        }
        Some(root)
    }
}
