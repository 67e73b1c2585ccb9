//! Batch inversion: one inversion and three products an element (Montgomery's trick).

use super::Field;

/// Replaces each element by its inverse, in place; zeros stay zero. `scratch` holds the
/// running products and must be as long as `values`.
///
/// Returns false, with nothing changed, if `scratch` is too short.
/// Public values only. Complexity: one inversion and 3·n products.
#[must_use]
pub fn invert_with_scratch<F: Field>(values: &mut [F], scratch: &mut [F]) -> bool {
    let Some(prefix) = scratch.get_mut(..values.len()) else {
        return false;
    };
    // prefix[i] = product of the non-zero values before i.
    let mut product = F::ONE;
    for (slot, value) in prefix.iter_mut().zip(values.iter()) {
        *slot = product;
        if !value.is_zero() {
            product = product * *value;
        }
    }
    // The product of non-zero values is not zero.
    let mut inverse = product.invert_vartime().unwrap_or(F::ZERO);
    for (slot, value) in prefix.iter().zip(values.iter_mut()).rev() {
        if !value.is_zero() {
            let of_value = inverse * *slot;
            inverse = inverse * *value;
            *value = of_value;
        }
    }
    true
}

/// Replaces each element by its inverse, in place; zeros stay zero. No memory besides 32
/// elements on the stack: blocks of 32, an inversion a block.
///
/// Public values only. Complexity: n/32 inversions and 3·n products.
pub fn invert<F: Field>(values: &mut [F]) {
    const BLOCK: usize = 32;
    let mut scratch = [F::ZERO; BLOCK];
    for block in values.chunks_mut(BLOCK) {
        // Blocks are never longer than the scratch.
        let _ = invert_with_scratch(block, &mut scratch);
    }
}
