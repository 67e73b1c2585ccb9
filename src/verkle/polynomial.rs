//! Polynomials of degree below 256 by their values on the domain 0, 1, …, 255.
//!
//! With A(X) = Π (X − i), the Lagrange polynomials are Lᵢ(z) = A(z) / (A′(i)·(z − i)).

use super::{Scalar, Vector, WIDTH};
use crate::field::{Field, LazySum, Ring};

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

/// 1/(z − i) for each i of the domain; 0 where z = i. Gives A(z) = Π (z − i), which is zero
/// exactly on the domain.
///
/// One inversion and 768 products. The distances are computed twice, which is cheaper than
/// memory for them: `out` holds the products before each until the way back.
pub fn inverse_distances(z: &Scalar, out: &mut Vector) -> Scalar {
    let index = domain_index(z).map(usize::from);
    let (mut distance, mut product) = (*z, Scalar::ONE);
    for (i, slot) in out.iter_mut().enumerate() {
        *slot = product;
        // On the domain the one distance that is zero is left out.
        if index != Some(i) {
            product *= distance;
        }
        distance -= Scalar::ONE;
    }
    // A product of distances that are not zero.
    let mut inverse = product.invert_vartime().unwrap_or(Scalar::ZERO);
    for (i, slot) in out.iter_mut().enumerate().rev() {
        distance += Scalar::ONE;
        *slot *= inverse;
        if index != Some(i) {
            inverse *= distance;
        }
    }
    if let Some(at) = index {
        out[at] = Scalar::ZERO;
        return Scalar::ZERO;
    }
    product
}

/// The values Lᵢ(z): the inner product with a vector is its polynomial's value at z. On the
/// domain, where the formula divides zero by zero, that is a unit vector.
pub fn lagrange_coefficients(z: &Scalar, out: &mut Vector) {
    if let Some(index) = domain_index(z) {
        out.fill(Scalar::ZERO);
        out[usize::from(index)] = Scalar::ONE;
        return;
    }
    let az = inverse_distances(z, out);
    for (slot, weight) in out.iter_mut().zip(&WEIGHTS.derivative_inverse) {
        *slot = *slot * az * *weight;
    }
}

/// The value at z of the polynomial with these values on the domain, given what
/// [`inverse_distances`] gives, whose memory it takes. 257 products, and a sum of 256.
pub(crate) fn evaluate_from_distances(
    z: &Scalar,
    az: &Scalar,
    distances: &mut Vector,
    values: &Vector,
) -> Scalar {
    if let Some(index) = domain_index(z) {
        return values[usize::from(index)];
    }
    for (slot, weight) in distances.iter_mut().zip(&WEIGHTS.derivative_inverse) {
        *slot *= *weight;
    }
    *az * inner_product(distances, values)
}

/// Σ aᵢ·bᵢ with one reduction; the shorter length counts.
pub fn inner_product(a: &[Scalar], b: &[Scalar]) -> Scalar {
    Scalar::sum_of_products(a.iter().zip(b))
}

/// Adds the values of the quotient (f(X) − f(k)) / (X − k) to `out`: with them a
/// commitment shows that f(k) is what it is. 255 products, and a sum of 255.
///
/// qᵢ = (fᵢ − f_k)/(i − k) for i ≠ k, and q_k = −Σ (A′(k)/A′(i))·qᵢ.
pub fn add_quotient(f: &Vector, k: u8, out: &mut Vector) {
    let at = k as usize;
    let value = f[at];
    let mut sum = LazySum::ZERO;
    let mut add = |i: usize, difference: &<Scalar as Ring>::Loose, inverse: Scalar| {
        let quotient = inverse.mul_loose(difference);
        sum.add_product(&quotient, &WEIGHTS.derivative_inverse[i]);
        out[i] += quotient;
    };
    for i in 0..at {
        add(i, &value.sub_loose(f[i]), WEIGHTS.inverse[at - i]);
    }
    for i in at + 1..WIDTH {
        add(i, &f[i].sub_loose(value), WEIGHTS.inverse[i - at]);
    }
    out[at] -= sum.reduce() * WEIGHTS.derivative[at];
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
    fn inverse_distances_are_inverses() {
        let mut out = [Scalar::ONE; WIDTH];
        for z in [0u64, 1, 100, 255, 256, 1 << 50].map(Scalar::from_u64) {
            let az = inverse_distances(&z, &mut out);
            let mut product = Scalar::ONE;
            for (i, inverse) in (0u64..).zip(&out) {
                let distance = z - Scalar::from_u64(i);
                product *= distance;
                let expected = Scalar::from_u64(u64::from(distance != Scalar::ZERO));
                assert_eq!(*inverse * distance, expected);
                assert!(distance != Scalar::ZERO || *inverse == Scalar::ZERO);
            }
            assert_eq!(az, product);
        }
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
