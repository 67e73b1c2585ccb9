//! Properties of the generic field, for every field that has parameters.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_alloc)]

mod common;

use common::{hex, scaled};
use lightproof::field::bandersnatch_scalar::FrParams;
use lightproof::field::bls12_381_base::FpParams;
use lightproof::field::bls12_381_scalar::FqParams;
use lightproof::field::ed25519_base::F25519Params;
use lightproof::field::ed25519_scalar::Scalar25519Params;
use lightproof::field::helioselene::FHelioseleneParams;
use lightproof::field::{Field, LazySum, Montgomery, Params, PrimeField, Ring, batch};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// Natural numbers by the school's rules, least significant digit first, in digits of 32 bits.
mod school {
    /// A number of little-endian bytes.
    pub(crate) fn from_le(bytes: &[u8]) -> Vec<u32> {
        let word = |chunk: &[u8]| {
            let digits = chunk.iter().enumerate();
            digits.fold(0, |x, (i, byte)| x | u32::from(*byte) << (8 * i))
        };
        trim(bytes.chunks(4).map(word).collect())
    }

    fn trim(mut a: Vec<u32>) -> Vec<u32> {
        while a.last() == Some(&0) {
            a.pop();
        }
        a
    }

    /// a·b.
    pub(crate) fn mul(a: &[u32], b: &[u32]) -> Vec<u32> {
        let mut out = vec![0; a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            let mut carry = 0;
            for (j, y) in b.iter().chain([&0]).enumerate().take(out.len() - i) {
                let t = u64::from(*x) * u64::from(*y) + u64::from(out[i + j]) + carry;
                (out[i + j], carry) = (t as u32, t >> 32);
            }
        }
        trim(out)
    }

    /// a + b.
    pub(crate) fn add(a: &[u32], b: &[u32]) -> Vec<u32> {
        let mut carry = 0;
        let mut out: Vec<u32> = (0..a.len().max(b.len()))
            .map(|i| {
                let digit = |x: &[u32]| x.get(i).map_or(0, |d| u64::from(*d));
                let t = digit(a) + digit(b) + carry;
                carry = t >> 32;
                t as u32
            })
            .collect();
        out.push(carry as u32);
        trim(out)
    }

    /// a < b.
    pub(crate) fn less(a: &[u32], b: &[u32]) -> bool {
        (a.len(), a.iter().rev().collect::<Vec<_>>()) < (b.len(), b.iter().rev().collect())
    }

    /// a mod m, bit by bit from the top.
    pub(crate) fn rem(a: &[u32], m: &[u32]) -> Vec<u32> {
        let mut out = Vec::new();
        for digit in a.iter().rev() {
            for bit in (0..32).rev() {
                out = add(&add(&out, &out), &[(digit >> bit) & 1]);
                if !less(&out, m) {
                    out = sub(&out, m);
                }
            }
        }
        out
    }

    /// a − b for a ≥ b.
    fn sub(a: &[u32], b: &[u32]) -> Vec<u32> {
        let mut borrow = 0;
        let out = (0..a.len())
            .map(|i| {
                let t = i64::from(a[i]) - b.get(i).map_or(0, |d| i64::from(*d)) - borrow;
                borrow = i64::from(t < 0);
                t as u32
            })
            .collect();
        trim(out)
    }
}

type F<P, const N: usize> = Montgomery<P, N>;

/// The modulus as a number, from −1.
fn modulus<P: Params<N>, const N: usize>() -> Vec<u32> {
    let minus_one = (-F::<P, N>::ONE).to_le_bytes();
    school::add(&school::from_le(minus_one.as_ref()), &[1])
}

fn number<P: Params<N>, const N: usize>(a: &F<P, N>) -> Vec<u32> {
    school::from_le(a.to_le_bytes().as_ref())
}

/// Elements: random, small, large, of few bits, and with limbs of all ones or zeros.
fn elements<P: Params<N>, const N: usize>() -> impl Strategy<Value = F<P, N>> {
    let limb = prop_oneof![3 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX)];
    prop_oneof![
        4 => vec(any::<u8>(), 8 * N).prop_map(|b| F::from_le_bytes_reduced(&b)),
        2 => proptest::array::uniform::<_, N>(limb).prop_map(F::from_limbs),
        1 => (0u64..4).prop_map(F::from_u64),
        1 => (0u64..4).prop_map(|a| -F::from_u64(a)),
        1 => (0..64 * N as u64).prop_map(|k| F::from_u64(2).pow(&[k])),
        1 => (0..64 * N as u64).prop_map(|k| F::from_u64(2).pow(&[k]) - F::ONE),
    ]
}

fn check<S: Strategy>(
    cases: usize,
    strategy: S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let mut config = ProptestConfig::with_cases(u32::try_from(scaled(cases)).unwrap());
    config.failure_persistence = None;
    TestRunner::new(config).run(&strategy, test).unwrap();
}

/// The name of a property, the usual number of runs, and the six fields.
macro_rules! for_every_field {
    ($($property:ident)*) => {$(
        mod $property {
            use super::*;

            #[test]
            fn bls12_381_scalar() {
                super::properties::$property::<FqParams, 4>();
            }
            #[test]
            fn bandersnatch_scalar() {
                super::properties::$property::<FrParams, 4>();
            }
            #[test]
            fn bls12_381_base() {
                super::properties::$property::<FpParams, 6>();
            }
            #[test]
            fn ed25519_base() {
                super::properties::$property::<F25519Params, 4>();
            }
            #[test]
            fn helioselene() {
                super::properties::$property::<FHelioseleneParams, 4>();
            }
            #[test]
            fn ed25519_scalar() {
                super::properties::$property::<Scalar25519Params, 4>();
            }
        }
    )*};
}

for_every_field! {
    ring_axioms
    operations_are_those_of_the_numbers
    encodings_are_canonical
    bytes_of_any_length_are_reduced
    inverses
    k36_inverse_of_one_in_disguise
    k22_batches_with_zeros
    powers
    roots_and_symbols
    sums_of_products
    selection_and_equality
    order
}

mod properties {
    use super::*;

    pub(super) fn ring_axioms<P: Params<N>, const N: usize>() {
        let triples = (elements(), elements(), elements());
        check(500, triples, |(a, b, c): (F<P, N>, _, _)| {
            prop_assert_eq!(a + b, b + a);
            prop_assert_eq!((a + b) + c, a + (b + c));
            prop_assert_eq!(a * b, b * a);
            prop_assert_eq!((a * b) * c, a * (b * c));
            prop_assert_eq!(a * (b + c), a * b + a * c);
            prop_assert_eq!(a + F::ZERO, a);
            prop_assert_eq!(a * F::ONE, a);
            prop_assert_eq!(a * F::ZERO, F::ZERO);
            prop_assert_eq!(a - b, a + -b);
            prop_assert_eq!(a + -a, F::ZERO);
            prop_assert_eq!(-(-a), a);
            prop_assert_eq!(a.square(), a * a);
            prop_assert_eq!(a.double(), a + a);
            prop_assert_eq!([a, b, c].iter().sum::<F<P, N>>(), a + b + c);
            prop_assert_eq!([a, b, c].iter().product::<F<P, N>>(), a * b * c);
            let mut d = a;
            d += b;
            d *= &c;
            d -= &a;
            let (at, bt, ct) = (&a, &b, &c);
            prop_assert_eq!(d, (a + bt) * ct - at);
            Ok(())
        });
    }

    pub(super) fn operations_are_those_of_the_numbers<P: Params<N>, const N: usize>() {
        let m = modulus::<P, N>();
        check(100, (elements(), elements()), |(a, b): (F<P, N>, _)| {
            let (x, y) = (number(&a), number(&b));
            prop_assert_eq!(number(&(a + b)), school::rem(&school::add(&x, &y), &m));
            prop_assert_eq!(number(&(a * b)), school::rem(&school::mul(&x, &y), &m));
            prop_assert_eq!(school::rem(&school::add(&number(&(a - b)), &y), &m), x);
            Ok(())
        });
    }

    pub(super) fn encodings_are_canonical<P: Params<N>, const N: usize>() {
        check(300, elements(), |a: F<P, N>| {
            let (le, be) = (a.to_le_bytes(), a.to_be_bytes());
            let mut reversed = le;
            reversed.as_mut().reverse();
            prop_assert_eq!(reversed, be);
            prop_assert_eq!(F::from_le_bytes(&le), Some(a));
            prop_assert_eq!(F::from_be_bytes(&be), Some(a));
            prop_assert_eq!(<F<P, N> as PrimeField>::to_repr(&a), le);
            prop_assert_eq!(F::<P, N>::from_limbs(a.to_limbs()), a);
            prop_assert_eq!(a.is_odd(), le.as_ref()[0] & 1 == 1);
            // Of a and −a exactly one is the larger, unless they are the same.
            let larger = a.is_lexicographically_largest();
            prop_assert_eq!(larger, school::less(&number(&-a), &number(&a)));
            Ok(())
        });
        // Any bytes: what is accepted encodes to the same bytes; what is not, is too large.
        let m = modulus::<P, N>();
        check(300, vec(any::<u8>(), 8 * N), |bytes| {
            let mut le = F::<P, N>::ZERO.to_le_bytes();
            le.as_mut().copy_from_slice(&bytes);
            let reduced = school::rem(&school::from_le(&bytes), &m);
            match F::<P, N>::from_le_bytes(&le) {
                Some(a) => prop_assert_eq!(a.to_le_bytes(), le),
                None => prop_assert_ne!(&reduced, &school::from_le(&bytes)),
            }
            Ok(())
        });
        // The modulus and the numbers beside it.
        let mut bytes = (-F::<P, N>::ONE).to_le_bytes();
        assert!(F::<P, N>::from_le_bytes(&bytes).is_some());
        for _ in 0..3 {
            bytes.as_mut()[0] += 1; // the lowest byte of no modulus here is above 0xf0
            assert_eq!(F::<P, N>::from_le_bytes(&bytes), None);
            let mut be = bytes;
            be.as_mut().reverse();
            assert_eq!(F::<P, N>::from_be_bytes(&be), None);
        }
        bytes.as_mut().fill(0xff);
        assert_eq!(F::<P, N>::from_le_bytes(&bytes), None);
    }

    pub(super) fn bytes_of_any_length_are_reduced<P: Params<N>, const N: usize>() {
        let m = modulus::<P, N>();
        let bytes = prop_oneof![vec(any::<u8>(), 0..=100), vec(Just(0xff), 0..=100)];
        check(150, bytes, |bytes| {
            let expected = school::rem(&school::from_le(&bytes), &m);
            prop_assert_eq!(number(&F::<P, N>::from_le_bytes_reduced(&bytes)), expected);
            Ok(())
        });
        check(100, vec(any::<u8>(), 8 * N), |bytes| {
            let mut be = F::<P, N>::ZERO.to_be_bytes();
            be.as_mut().copy_from_slice(&bytes);
            let mut le = bytes;
            le.reverse();
            let expected = F::<P, N>::from_le_bytes_reduced(&le);
            prop_assert_eq!(F::<P, N>::from_be_bytes_reduced(&be), expected);
            Ok(())
        });
        check(50, any::<u128>(), |x| {
            let expected = F::<P, N>::from_le_bytes_reduced(&x.to_le_bytes());
            prop_assert_eq!(F::<P, N>::from_u128(x), expected);
            prop_assert_eq!(
                F::<P, N>::from(x as u64),
                F::from_u128(u128::from(x as u64))
            );
            Ok(())
        });
    }

    pub(super) fn inverses<P: Params<N>, const N: usize>() {
        check(200, elements(), |a: F<P, N>| {
            let inverse = a.invert();
            prop_assert_eq!(inverse, a.invert_vartime());
            prop_assert_eq!(inverse.is_none(), a.is_zero());
            prop_assert!(inverse.is_none_or(|inverse| inverse * a == F::ONE));
            Ok(())
        });
        for a in [F::<P, N>::ONE, -F::<P, N>::ONE] {
            assert_eq!((a.invert(), a.invert_vartime()), (Some(a), Some(a)));
        }
    }

    /// The elements whose Montgomery form, or whose number, is 1 or R or R².
    pub(super) fn k36_inverse_of_one_in_disguise<P: Params<N>, const N: usize>() {
        let r = F::<P, N>::from_u64(2).pow(&[64 * N as u64]);
        let r_inverse = r.invert().unwrap();
        assert_eq!(r * r_inverse, F::ONE);
        assert_eq!(r_inverse.invert(), Some(r));
        assert_eq!(r_inverse.invert_vartime(), Some(r));
        assert_eq!(r.invert_vartime(), Some(r_inverse));
        assert_eq!(r.square().invert_vartime(), Some(r_inverse.square()));
        for (modulus, digits) in [
            (
                FqParams::NAME,
                "1bbe869330009d577204078a4f77266aab6fca8f09dc705f13f75b69fe75c040",
            ),
            (
                FrParams::NAME,
                "1ba1957175f1d132598fb2877f713be043f39be2ffd050c66246f8b90f7c4aad",
            ),
            (
                FHelioseleneParams::NAME,
                "4a870bd554b44431e6a4bcaa7cd29f9b56a5a55c20c00c00ec1a759ab52a9ca6",
            ),
        ] {
            if modulus == P::NAME {
                let a = F::<P, N>::from_le_bytes_reduced(&{
                    let mut bytes = hex(digits);
                    bytes.reverse();
                    bytes
                });
                assert_eq!(a, r_inverse);
            }
        }
    }

    pub(super) fn k22_batches_with_zeros<P: Params<N>, const N: usize>() {
        type Way<T> = fn(&mut [T]);
        let ways: [Way<F<P, N>>; 2] = [batch::invert, |values| {
            let mut scratch = values.to_vec();
            assert!(batch::invert_with_scratch(values, &mut scratch));
        }];
        let run = |values: &[F<P, N>]| {
            let inverse = |a: &F<P, N>| a.invert().unwrap_or(F::ZERO);
            let expected: Vec<_> = values.iter().map(inverse).collect();
            for way in ways {
                let mut got = values.to_vec();
                way(&mut got);
                assert_eq!(got, expected);
            }
        };
        // Every length up to 5 with zeros at every set of places.
        for n in 0..=5 {
            for zeros in 0..1 << n {
                let values: Vec<_> = (0..n)
                    .map(|i| F::from_u64(if zeros >> i & 1 == 1 { 0 } else { 3 + i }))
                    .collect();
                run(&values);
            }
        }
        // Across the blocks of 32: one zero, and all but one zero.
        for n in [31u64, 32, 33, 64, 65] {
            for place in [0, 30, 31, 32, n - 1] {
                let one: Vec<_> = (0..n)
                    .map(|i| F::from_u64(if i == place { 0 } else { i + 2 }))
                    .collect();
                run(&one);
                let others: Vec<_> = (0..n)
                    .map(|i| F::from_u64(if i == place { 9 } else { 0 }))
                    .collect();
                run(&others);
            }
        }
        check(20, vec(elements(), 0..70), |values| {
            run(&values);
            Ok(())
        });
        // Too little scratch memory: said, and nothing changed.
        let mut values = [F::<P, N>::from_u64(2); 3];
        assert!(!batch::invert_with_scratch(&mut values, &mut [F::ZERO; 2]));
        assert_eq!(values, [F::from_u64(2); 3]);
    }

    pub(super) fn powers<P: Params<N>, const N: usize>() {
        check(
            50,
            (elements(), any::<[u64; 2]>(), 0..40u64),
            |(a, [e, f], small): (F<P, N>, _, _)| {
                let by_products = (0..small).fold(F::ONE, |x, _| x * a);
                prop_assert_eq!(a.pow(&[small]), by_products);
                prop_assert_eq!(a.pow(&[e]) * a.pow(&[f]), {
                    let (sum, carry) = e.overflowing_add(f);
                    a.pow(&[sum, u64::from(carry)])
                });
                prop_assert_eq!(a.pow(&[e]).pow(&[f]), {
                    let product = u128::from(e) * u128::from(f);
                    a.pow(&[product as u64, (product >> 64) as u64])
                });
                prop_assert_eq!(a.pow(&[]), F::ONE);
                // Fermat.
                prop_assert_eq!(a.pow(&P::MODULUS), a);
                Ok(())
            },
        );
    }

    pub(super) fn roots_and_symbols<P: Params<N>, const N: usize>() {
        let generator = F::<P, N>::from_u64(P::GENERATOR);
        check(100, elements(), |a: F<P, N>| {
            let square = a.square();
            let root = square.sqrt_vartime().unwrap();
            prop_assert!(root == a || root == -a);
            prop_assert_eq!(square.legendre_vartime(), i8::from(!a.is_zero()));
            if !a.is_zero() {
                let other = square * generator;
                prop_assert_eq!(other.sqrt_vartime(), None);
                prop_assert_eq!(other.legendre_vartime(), -1);
            }
            // Euler: a^((m − 1)/2).
            let minus_one = (-F::<P, N>::ONE).to_limbs();
            let half: Vec<u64> = (0..N)
                .map(|i| minus_one[i] >> 1 | minus_one.get(i + 1).map_or(0, |next| next << 63))
                .collect();
            let symbol = match a.legendre_vartime() {
                0 => F::ZERO,
                1 => F::ONE,
                _ => -F::ONE,
            };
            prop_assert_eq!(a.pow(&half), symbol);
            Ok(())
        });
        // Elements of every order 2^k: the longest and shortest ways through the loop.
        let mut root = F::<P, N>::from_u64(P::GENERATOR).pow(&P::ODD_PART);
        for k in (0..=P::TWO_ADICITY).rev() {
            let is_square = k < P::TWO_ADICITY;
            assert_eq!(
                root.sqrt_vartime().map(|b| b.square()),
                is_square.then_some(root)
            );
            assert_eq!(root.legendre_vartime(), if is_square { 1 } else { -1 });
            assert_eq!(root == F::ONE, k == 0);
            root = root.square();
        }
    }

    pub(super) fn sums_of_products<P: Params<N>, const N: usize>() {
        check(
            50,
            vec((elements(), elements()), 0..60),
            |pairs: Vec<(F<P, N>, _)>| {
                let expected: F<P, N> = pairs.iter().map(|(a, b)| *a * *b).sum();
                let got = F::sum_of_products(pairs.iter().map(|(a, b)| (a, b)));
                prop_assert_eq!(got, expected);
                Ok(())
            },
        );
        let most = -F::<P, N>::ONE;
        let mut sum = LazySum::ZERO;
        for n in 1..=1000 {
            sum.add_product(&most, &most);
            assert_eq!(sum.reduce(), F::from_u64(n));
        }
    }

    pub(super) fn selection_and_equality<P: Params<N>, const N: usize>() {
        check(100, (elements(), elements()), |(a, b): (F<P, N>, _)| {
            prop_assert_eq!(bool::from(a.ct_eq(&b)), a == b);
            prop_assert!(bool::from(a.ct_eq(&(a + b - b))));
            prop_assert_eq!(F::conditional_select(&a, &b, 0.into()), a);
            prop_assert_eq!(F::conditional_select(&a, &b, 1.into()), b);
            prop_assert_eq!(a == b, a.to_le_bytes() == b.to_le_bytes());
            Ok(())
        });
    }

    /// The generator generates: it has the full order, by the primes of m − 1.
    pub(super) fn order<P: Params<N>, const N: usize>() {
        let factors: Vec<(Vec<u32>, u32)> = FACTORS
            .iter()
            .find(|(name, _)| *name == P::NAME)
            .unwrap()
            .1
            .iter()
            .map(|(prime, power)| {
                let digits = prime.bytes().map(|d| u32::from(d - b'0'));
                let number = digits.fold(Vec::new(), |x, d| {
                    school::add(&school::mul(&x, &[10]), &[d])
                });
                (number, *power)
            })
            .collect();
        let product = |without: usize| {
            factors
                .iter()
                .enumerate()
                .fold(vec![1], |x, (i, (prime, power))| {
                    (u32::from(i == without)..*power).fold(x, |x, _| school::mul(&x, prime))
                })
        };
        let all = product(factors.len());
        assert_eq!(school::add(&all, &[1]), modulus::<P, N>());
        for i in 0..factors.len() {
            let exponent: Vec<u64> = product(i)
                .chunks(2)
                .map(|d| u64::from(d[0]) | u64::from(*d.get(1).unwrap_or(&0)) << 32)
                .collect();
            assert_ne!(F::<P, N>::from_u64(P::GENERATOR).pow(&exponent), F::ONE);
        }
    }
}

/// The primes of m − 1 with their powers, by the field's name.
const FACTORS: [(&str, &[(&str, u32)]); 6] = [
    (
        "Fq",
        &[
            ("2", 32),
            ("3", 1),
            ("11", 1),
            ("19", 1),
            ("10177", 1),
            ("125527", 1),
            ("859267", 1),
            ("906349", 2),
            ("2508409", 1),
            ("2529403", 1),
            ("52437899", 1),
            ("254760293", 2),
        ],
    ),
    (
        "Fr",
        &[
            ("2", 5),
            ("3", 1),
            ("5", 2),
            ("48407612962807291", 1),
            ("2038476065687664805409", 1),
            ("55352597255927763854484663053009063", 1),
        ],
    ),
    (
        "Fp",
        &[
            ("2", 1),
            ("3", 2),
            ("11", 1),
            ("23", 1),
            ("47", 1),
            ("10177", 1),
            ("859267", 1),
            ("52437899", 1),
            ("2584487767265781317813", 1),
            (
                "15778400344354997994418419698270088123916926905054652752758194827714659",
                1,
            ),
        ],
    ),
    (
        "F25519",
        &[
            ("2", 2),
            ("3", 1),
            ("65147", 1),
            (
                "74058212732561358302231226437062788676166966415465897661863160754340907",
                1,
            ),
        ],
    ),
    (
        "FHelioselene",
        &[
            ("2", 1),
            ("19", 1),
            ("11196728661736481", 1),
            ("280005961966877111993", 1),
            ("485967096496448812583595070740018565469", 1),
        ],
    ),
    (
        "Scalar25519",
        &[
            ("2", 2),
            ("3", 1),
            ("11", 1),
            ("198211423230930754013084525763697", 1),
            ("276602624281642239937218680557139826668747", 1),
        ],
    ),
];
