//! Runs the vectors of Verkle's two fields.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use core::marker::PhantomData;

use common::{Counts, hex_array, list, members, say, text, verkle_documents};
use lightproof::field::bandersnatch_scalar::FrParams;
use lightproof::field::bls12_381_scalar::FqParams;
use lightproof::field::{Field, Montgomery, Params, Ring, batch};
use serde_json::Value;

/// A field with the byte order of its values in the vectors.
struct Runner<P> {
    big_endian: bool,
    params: PhantomData<P>,
}

#[test]
fn every_field_vector() {
    let mut counts = Counts::default();
    for (path, doc) in verkle_documents(&["fields"]) {
        say(path.display());
        for (name, cases) in members(&doc) {
            match name {
                "fr" => Runner {
                    big_endian: false,
                    params: PhantomData::<FrParams>,
                }
                .run(name, cases, &mut counts),
                "fp" => Runner {
                    big_endian: true,
                    params: PhantomData::<FqParams>,
                }
                .run(name, cases, &mut counts),
                name => panic!("{}: unknown field {name}", path.display()),
            }
        }
    }
    counts.print("verkle fields");
}

impl<P: Params<4, Repr = [u8; 32]>> Runner<P> {
    fn run(&self, field: &str, doc: &Value, counts: &mut Counts) {
        for (kind, value) in members(doc) {
            let run = match kind {
                "modulus_le" | "modulus_be" => {
                    assert_eq!(self.decode(value), None, "the modulus is not canonical");
                    continue;
                }
                "modulus_dec" => {
                    let ten = Montgomery::from_u64(10);
                    let digits = value.as_str().unwrap().bytes();
                    let zero = digits.fold(Montgomery::<P, 4>::ZERO, |x, digit| {
                        x * ten + Montgomery::from_u64(u64::from(digit - b'0'))
                    });
                    assert_eq!(zero, Montgomery::ZERO);
                    continue;
                }
                "batch_inverse_zero_stays_zero" => {
                    self.batch_inverse(value);
                    counts.add(&format!("{field} {kind}"));
                    continue;
                }
                "edge" => Self::edge,
                "bin" => Self::binary,
                "un" => Self::unary,
                "reduce_32_bytes" => Self::reduce,
                "canonical_decode" => Self::canonical_decode,
                "pow" => Self::pow,
                kind => panic!("unknown kind {kind}"),
            };
            for case in list(value) {
                run(self, case);
                counts.add(&format!("{field} {kind}"));
            }
        }
    }

    fn decode(&self, digits: &Value) -> Option<Montgomery<P, 4>> {
        let bytes = hex_array(digits.as_str().unwrap());
        if self.big_endian {
            Montgomery::from_be_bytes(&bytes)
        } else {
            Montgomery::from_le_bytes(&bytes)
        }
    }

    fn encode(&self, a: &Montgomery<P, 4>) -> [u8; 32] {
        if self.big_endian {
            a.to_be_bytes()
        } else {
            a.to_le_bytes()
        }
    }

    fn element(&self, digits: &Value) -> Montgomery<P, 4> {
        let a = self.decode(digits);
        let a = a.unwrap_or_else(|| panic!("not canonical: {digits}"));
        assert_eq!(self.encode(&a), hex_array(digits.as_str().unwrap()));
        a
    }

    fn maybe(&self, digits: &Value) -> Option<Montgomery<P, 4>> {
        (!digits.is_null()).then(|| self.element(digits))
    }

    fn edge(&self, case: &Value) {
        let a = self.element(&case["v"]);
        assert_eq!(a + -a, Montgomery::ZERO);
        assert_eq!(a * Montgomery::ONE, a);
    }

    fn binary(&self, case: &Value) {
        let (a, b) = (self.element(&case["a"]), self.element(&case["b"]));
        assert_eq!(a + b, self.element(&case["add"]), "{case}");
        assert_eq!(a - b, self.element(&case["sub"]), "{case}");
        assert_eq!(a * b, self.element(&case["mul"]), "{case}");
        assert_eq!(b * a, self.element(&case["mul"]), "{case}");
    }

    fn unary(&self, case: &Value) {
        let a = self.element(&case["a"]);
        assert_eq!(-a, self.element(&case["neg"]), "{case}");
        assert_eq!(a.double(), self.element(&case["dbl"]), "{case}");
        assert_eq!(a.square(), self.element(&case["sq"]), "{case}");
        let inverse = self.maybe(&case["inv"]);
        assert_eq!(a.invert(), inverse, "{case}");
        assert_eq!(a.invert_vartime(), inverse, "{case}");
        let symbol = case["leg"].as_i64().unwrap();
        assert_eq!(i64::from(a.legendre_vartime()), symbol, "{case}");
        // The vectors name the root that is not the larger one.
        let root = a.sqrt_vartime().map(|root| {
            if root.is_lexicographically_largest() {
                -root
            } else {
                root
            }
        });
        assert_eq!(root, self.maybe(&case["sqrt"]), "{case}");
        assert_eq!(a.is_lexicographically_largest(), case["lex"], "{case}");
    }

    fn reduce(&self, case: &Value) {
        let bytes: [u8; 32] = hex_array(text(case, "bytes"));
        if self.big_endian {
            let reduced = Montgomery::<P, 4>::from_be_bytes_reduced(&bytes);
            assert_eq!(reduced, self.element(&case["be_mod_q"]), "{case}");
            let le = hex_array(text(case, "same_value_le_bytes"));
            assert_eq!(reduced.to_le_bytes(), le, "{case}");
        } else {
            let reduced = Montgomery::<P, 4>::from_le_bytes_reduced(&bytes);
            assert_eq!(reduced, self.element(&case["le_mod_r"]), "{case}");
        }
    }

    fn canonical_decode(&self, case: &Value) {
        let decoded = self.decode(&case["bytes"]);
        assert_eq!(decoded.is_some(), case["ok"].as_bool().unwrap(), "{case}");
        if let Some(a) = decoded {
            assert_eq!(self.encode(&a), hex_array(text(case, "bytes")), "{case}");
        }
    }

    fn pow(&self, case: &Value) {
        let e: [u8; 32] = hex_array(text(case, "e_le"));
        let mut limbs = [0; 4];
        for (limb, chunk) in limbs.iter_mut().zip(e.chunks(8)) {
            *limb = u64::from_le_bytes(chunk.try_into().unwrap());
        }
        let power = self.element(&case["a"]).pow(&limbs);
        assert_eq!(power, self.element(&case["out"]), "{case}");
    }

    fn batch_inverse(&self, case: &Value) {
        let all = |member: &str| -> Vec<_> {
            list(&case[member])
                .iter()
                .map(|digits| self.element(digits))
                .collect()
        };
        let (values, expected) = (all("in"), all("out"));
        let mut blocks = values.clone();
        batch::invert(&mut blocks);
        assert_eq!(blocks, expected);
        let mut whole = values;
        let mut scratch = whole.clone();
        assert!(batch::invert_with_scratch(&mut whole, &mut scratch));
        assert_eq!(whole, expected);
    }
}
