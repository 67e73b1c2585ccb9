//! Comparison and choice in constant time, and wiping.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::{Affine, Element};
use crate::curve::edwards::{Extended, Point};
use crate::field::bls12_381_scalar::Fq;

impl ConstantTimeEq for Element {
    fn ct_eq(&self, other: &Self) -> Choice {
        let (p, q) = (&self.0.0, &other.0.0);
        (p.x * q.y).ct_eq(&(q.x * p.y))
    }
}

impl ConstantTimeEq for Affine {
    fn ct_eq(&self, other: &Self) -> Choice {
        (self.x * other.y).ct_eq(&(other.x * self.y))
    }
}

impl ConditionallySelectable for Element {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        let (p, q) = (&a.0.0, &b.0.0);
        Self(Point(Extended {
            x: Fq::conditional_select(&p.x, &q.x, choice),
            y: Fq::conditional_select(&p.y, &q.y, choice),
            t: Fq::conditional_select(&p.t, &q.t, choice),
            z: Fq::conditional_select(&p.z, &q.z, choice),
        }))
    }
}

impl ConditionallySelectable for Affine {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            x: Fq::conditional_select(&a.x, &b.x, choice),
            y: Fq::conditional_select(&a.y, &b.y, choice),
        }
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::DefaultIsZeroes for Element {}

#[cfg(feature = "zeroize")]
impl zeroize::DefaultIsZeroes for Affine {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_and_choice_agree_with_the_plain_ones() {
        let g = Element::generator();
        let other = Element::from(Affine {
            x: -Affine::GENERATOR.x,
            y: -Affine::GENERATOR.y,
        });
        let points = [Element::IDENTITY, g, -g, g + g, other];
        for a in points {
            for b in points {
                assert_eq!(bool::from(a.ct_eq(&b)), a == b);
                let (p, q) = (a.to_affine(), b.to_affine());
                assert_eq!(bool::from(p.ct_eq(&q)), p == q);
                assert_eq!(Element::conditional_select(&a, &b, Choice::from(0)), a);
                assert_eq!(Element::conditional_select(&a, &b, Choice::from(1)), b);
                assert_eq!(Affine::conditional_select(&p, &q, Choice::from(0)), p);
                assert_eq!(Affine::conditional_select(&p, &q, Choice::from(1)), q);
            }
        }
    }
}
