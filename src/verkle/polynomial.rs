//! Polynomials of degree below 256 by their values on the domain 0, 1, …, 255.
//!
//! With A(X) = Π (X − i), the Lagrange polynomials are Lᵢ(z) = A(z) / (A′(i)·(z − i)).

use super::{Scalar, Vector, WIDTH};
use crate::field::batch;

/// The weights of the domain: A′(i) and its inverse for each i, and 1/k for k < 256.
/// 24 KiB of constants; a verifier uses a third of them.
#[derive(Debug)]
struct Weights {
    derivative: Vector,
    derivative_inverse: Vector,
    inverse: Vector,
}

static WEIGHTS: Weights = weights();

const fn weights() -> Weights {
    let zero = [Scalar::ZERO; WIDTH];
    let mut out = Weights {
        derivative: zero,
        derivative_inverse: zero,
        inverse: zero,
    };
    // A′(i) = i!·(−1)^(255−i)·(255−i)!, and the same with inverses.
    let mut factorial = [Scalar::ONE; WIDTH];
    let mut k = 1;
    while k < WIDTH {
        factorial[k] = factorial[k - 1].mul_const(&Scalar::from_u64(k as u64));
        k += 1;
    }
    let mut inverse_factorial = [Scalar::ONE; WIDTH];
    inverse_factorial[WIDTH - 1] = factorial[WIDTH - 1].invert_const();
    k = WIDTH - 1;
    while k > 0 {
        inverse_factorial[k - 1] = inverse_factorial[k].mul_const(&Scalar::from_u64(k as u64));
        out.inverse[k] = inverse_factorial[k].mul_const(&factorial[k - 1]);
        k -= 1;
    }
    let minus_one = Scalar::ZERO.sub_const(&Scalar::ONE);
    while k < WIDTH {
        let mut weight = factorial[k].mul_const(&factorial[WIDTH - 1 - k]);
        let mut inverse = inverse_factorial[k].mul_const(&inverse_factorial[WIDTH - 1 - k]);
        if k % 2 == 0 {
            weight = weight.mul_const(&minus_one);
            inverse = inverse.mul_const(&minus_one);
        }
        out.derivative[k] = weight;
        out.derivative_inverse[k] = inverse;
        k += 1;
    }
    out
}

/// A′(i), the barycentric weight of the domain point i.
pub fn weight(i: u8) -> Scalar {
    WEIGHTS.derivative[i as usize]
}

/// 1/A′(i).
pub fn weight_inverse(i: u8) -> Scalar {
    WEIGHTS.derivative_inverse[i as usize]
}

/// Whether z is one of 0..=255, and which.
pub fn domain_index(z: &Scalar) -> Option<u8> {
    let limbs = z.to_limbs();
    match limbs {
        [low, 0, 0, 0] => u8::try_from(low).ok(),
        _ => None,
    }
}

/// 1/(z − i) for each i of the domain; 0 where z = i. One inversion in each block of 32.
pub fn inverse_distances(z: &Scalar, out: &mut Vector) {
    for (i, slot) in (0u64..).zip(out.iter_mut()) {
        *slot = *z - Scalar::from_u64(i);
    }
    batch::invert(out);
}

/// A(z) = Π (z − i): zero exactly on the domain. 255 products.
fn vanishing(z: &Scalar) -> Scalar {
    (0..WIDTH as u64).fold(Scalar::ONE, |product, i| {
        product * (*z - Scalar::from_u64(i))
    })
}

/// The values Lᵢ(z): the inner product with a vector is its polynomial's value at z. On the
/// domain, where the formula divides zero by zero, that is a unit vector.
pub fn lagrange_coefficients(z: &Scalar, out: &mut Vector) {
    if let Some(index) = domain_index(z) {
        out.fill(Scalar::ZERO);
        out[usize::from(index)] = Scalar::ONE;
        return;
    }
    inverse_distances(z, out);
    let az = vanishing(z);
    for (slot, weight) in out.iter_mut().zip(&WEIGHTS.derivative_inverse) {
        *slot = *slot * az * *weight;
    }
}

/// The value at z of the polynomial with these values on the domain, given the inverse
/// distances of [`inverse_distances`], whose memory it takes. 511 products, and as many sums of
/// products as there are values.
pub(crate) fn evaluate_from_distances(
    z: &Scalar,
    distances: &mut Vector,
    values: &Vector,
) -> Scalar {
    if let Some(index) = domain_index(z) {
        return values[usize::from(index)];
    }
    for (slot, weight) in distances.iter_mut().zip(&WEIGHTS.derivative_inverse) {
        *slot *= *weight;
    }
    vanishing(z) * inner_product(distances, values)
}

/// Σ aᵢ·bᵢ with one reduction; the shorter length counts.
pub fn inner_product(a: &[Scalar], b: &[Scalar]) -> Scalar {
    Scalar::sum_of_products(a.iter().zip(b))
}

/// Adds the values of the quotient (f(X) − f(k)) / (X − k) to `out`: with them a
/// commitment shows that f(k) is what it is. 512 products.
///
/// qᵢ = (fᵢ − f_k)/(i − k) for i ≠ k, and q_k = −Σ (A′(k)/A′(i))·qᵢ.
pub fn add_quotient(f: &Vector, k: u8, out: &mut Vector) {
    let at = k as usize;
    let value = f[at];
    let mut sum = Scalar::ZERO;
    for i in (0..WIDTH).filter(|i| *i != at) {
        let difference = f[i] - value;
        let quotient = if i > at {
            difference * WEIGHTS.inverse[i - at]
        } else {
            -(difference * WEIGHTS.inverse[at - i])
        };
        sum += quotient * WEIGHTS.derivative_inverse[i];
        out[i] += quotient;
    }
    out[at] -= sum * WEIGHTS.derivative[at];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cubes() -> alloc::boxed::Box<Vector> {
        alloc::boxed::Box::new(core::array::from_fn(|i| {
            Scalar::from_u64((i * i * i) as u64)
        }))
    }

    #[test]
    fn weights_are_the_derivatives() {
        for i in [0usize, 1, 2, 100, 254, 255] {
            let product: Scalar = (0..WIDTH)
                .filter(|j| *j != i)
                .map(|j| Scalar::from_u64(i as u64) - Scalar::from_u64(j as u64))
                .fold(Scalar::ONE, |a, b| a * b);
            assert_eq!(weight(i as u8), product);
            assert_eq!(weight(i as u8) * weight_inverse(i as u8), Scalar::ONE);
        }
    }

    #[test]
    fn v08_evaluation_inside_and_outside_of_the_domain() {
        let f = cubes();
        let mut b = [Scalar::ZERO; WIDTH];
        for z in [0u64, 1, 255, 256, 257, 1 << 40] {
            let z = Scalar::from_u64(z);
            lagrange_coefficients(&z, &mut b);
            assert_eq!(inner_product(&*f, &b), z * z * z);
        }
        let z = -Scalar::ONE;
        lagrange_coefficients(&z, &mut b);
        assert_eq!(inner_product(&*f, &b), z);
    }

    #[test]
    fn quotients_multiply_back() {
        let f = cubes();
        let z = Scalar::from_u64(123_456_789);
        let mut b = [Scalar::ZERO; WIDTH];
        lagrange_coefficients(&z, &mut b);
        for k in [0u8, 1, 77, 255] {
            let mut q = [Scalar::ZERO; WIDTH];
            add_quotient(&f, k, &mut q);
            let left = inner_product(&q, &b) * (z - Scalar::from_u64(u64::from(k)));
            assert_eq!(left, inner_product(&*f, &b) - f[k as usize]);
        }
    }
}
