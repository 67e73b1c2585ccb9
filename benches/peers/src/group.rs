//! Operations of Banderwagon, and of G1.

use core::hint::black_box;

use ark_ec::twisted_edwards::TECurveConfig;
use ark_ec::{AdditiveGroup, CurveGroup, PrimeGroup, VariableBaseMSM};
use ark_ed_on_bls12_381_bandersnatch::{BandersnatchConfig, EdwardsAffine, EdwardsProjective};
use ark_ff::{Field as _, LegendreSymbol, One};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use lightproof::curve::bandersnatch::isogenous;
use lightproof::curve::banderwagon::{Affine, Element, Precomputed, batch_map_to_scalar};
use lightproof::curve::{Addend, Group, bls12_381_g1};
use lightproof::exec::Serial;
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::msm::msm_with;
use lightproof::table::Shape;
use lightproof::verkle::{Committer, crs};
use lightproof_peers::{Stream, affine, element, to_peer};

use lightproof_peers::figures::COMMITMENTS;
use lightproof_peers::measure::{Table, keep, time, turn_about};

type ArkFq = ark_bls12_381::Fr;
type ArkFr = ark_ed_on_bls12_381_bandersnatch::Fr;

const COUNT: usize = 64;

/// Commitments that are decoded together: about a block's.
const BATCH: usize = 1024;

/// The same operands on both sides.
struct Operands {
    ours: Vec<Element>,
    ours_affine: Vec<Affine>,
    scalars: Vec<Fr>,
    peers: Vec<EdwardsProjective>,
    peers_affine: Vec<EdwardsAffine>,
    peer_scalars: Vec<ArkFr>,
}

impl Operands {
    fn new(count: usize) -> Self {
        let mut stream = Stream::new(2);
        let peers: Vec<EdwardsProjective> = (0..count).map(|_| stream.point()).collect();
        let peers_affine = EdwardsProjective::normalize_batch(&peers);
        let scalars: Vec<Fr> = (0..count).map(|_| stream.element()).collect();
        Self {
            // Sums, so that Z is not one on either side.
            ours: peers
                .iter()
                .map(|p| element(p) + Element::generator())
                .collect(),
            ours_affine: peers_affine.iter().map(affine).collect(),
            peer_scalars: scalars.iter().map(to_peer).collect(),
            scalars,
            peers,
            peers_affine,
        }
    }
}

fn additions(table: &Table, o: &Operands) {
    let precomputed: Vec<Precomputed> = o
        .ours_affine
        .iter()
        .map(|p| Precomputed::from(*p))
        .collect();
    let mut images = vec![isogenous::Affine::GENERATOR; COUNT];
    isogenous::batch_from_banderwagon(&o.ours_affine[..COUNT], &mut images);
    let entries: Vec<isogenous::Entry> = images.iter().map(|p| (*p).into()).collect();
    let mut sums: Vec<_> = images
        .iter()
        .map(|p| isogenous::Element::from(*p).double())
        .collect();
    let mut peer_sums = o.peers[..COUNT].to_vec();
    // In place, and the results are the next call's operands: so no branch predictor learns them by heart.
    let (mut ours, mut peers) = (o.ours[..COUNT].to_vec(), o.peers[..COUNT].to_vec());
    macro_rules! compare {
        ($name:literal, $others:expr, $peer_others:expr, $f:expr, $g:expr) => {
            table.compare(
                $name,
                COUNT,
                &mut || {
                    for (a, b) in black_box(&mut ours).iter_mut().zip(black_box($others)) {
                        $f(a, b);
                    }
                },
                &mut || {
                    for (a, b) in black_box(&mut peers)
                        .iter_mut()
                        .zip(black_box($peer_others))
                    {
                        $g(a, b);
                    }
                },
            );
        };
    }
    compare!(
        "addition",
        &o.ours,
        &o.peers,
        |a: &mut Element, b: &Element| *a += *b,
        |p: &mut EdwardsProjective, q: &EdwardsProjective| *p += q
    );
    // On the isogenous curve that tables are on.
    table.compare(
        "mixed addition of a table's entry",
        COUNT,
        &mut || {
            for (a, b) in black_box(&mut sums).iter_mut().zip(black_box(&entries)) {
                b.add_assign_to(a);
            }
        },
        &mut || {
            let others = black_box(&o.peers_affine);
            for (a, b) in black_box(&mut peer_sums).iter_mut().zip(others) {
                *a += b;
            }
        },
    );
    compare!(
        "mixed addition of x, y and d·x·y",
        &precomputed,
        &o.peers_affine,
        |a: &mut Element, b: &Precomputed| b.add_assign_to(a),
        |p: &mut EdwardsProjective, q: &EdwardsAffine| *p += q
    );
    compare!(
        "mixed addition of x, y",
        &o.ours_affine,
        &o.peers_affine,
        |a: &mut Element, b: &Affine| b.add_assign_to(a),
        |p: &mut EdwardsProjective, q: &EdwardsAffine| *p += q
    );
    compare!(
        "doubling",
        &o.ours,
        &o.peers,
        |a: &mut Element, _| *a = a.double(),
        |p: &mut EdwardsProjective, _| {
            p.double_in_place();
        }
    );
    compare!(
        "scalar multiplication",
        &o.scalars,
        &o.peer_scalars,
        |a: &mut Element, s: &Fr| *a = a.mul_vartime(s),
        |p: &mut EdwardsProjective, s: &ArkFr| *p *= s
    );
}

/// A commitment decoded as rust-verkle does it: y of the curve's equation with one inversion
/// and one Tonelli–Shanks root, the group by a Legendre symbol; all in arkworks' field.
fn rust_verkles_way(bytes: &[u8; 32]) -> Option<EdwardsAffine> {
    let mut le = *bytes;
    le.reverse();
    let x = ArkFq::deserialize_compressed(&le[..]).ok()?;
    let ax2 = BandersnatchConfig::mul_by_a(x.square());
    let denominator = ArkFq::one() - BandersnatchConfig::COEFF_D * x.square();
    let y = ((ArkFq::one() - ax2) * denominator.inverse()?).sqrt()?;
    if (ArkFq::one() - ax2).legendre() != LegendreSymbol::QuadraticResidue {
        return None;
    }
    Some(EdwardsAffine::new_unchecked(x, if y > -y { y } else { -y }))
}

fn decoding(table: &Table, o: &Operands) {
    let encodings: Vec<[u8; 32]> = o.ours_affine[..BATCH]
        .iter()
        .map(Affine::to_bytes)
        .collect();
    let peer_encodings: Vec<Vec<u8>> = o.peers_affine[..BATCH]
        .iter()
        .map(|p| {
            let mut out = Vec::new();
            p.serialize_compressed(&mut out).expect("memory");
            out
        })
        .collect();
    let mut out = vec![Affine::IDENTITY; BATCH];
    let mut batch = || Affine::batch_from_bytes(black_box(&encodings), &mut out).expect("valid");
    let mut single = || {
        for bytes in black_box(&encodings) {
            keep(black_box(Affine::from_bytes(bytes)).expect("valid"));
        }
    };
    let mut verkle = || {
        for bytes in black_box(&encodings) {
            keep(black_box(rust_verkles_way(bytes)).expect("valid"));
        }
    };
    let mut ark = || {
        for bytes in black_box(&peer_encodings) {
            keep(black_box(EdwardsAffine::deserialize_compressed(&bytes[..])).expect("valid"));
        }
    };
    table.compare(
        "decode, one; rust-verkle's way",
        BATCH,
        &mut single,
        &mut verkle,
    );
    table.compare(
        "decode, batch of 1024; rust-verkle's way",
        BATCH,
        &mut batch,
        &mut verkle,
    );
    table.compare(
        "decode, batch of 1024; arkworks' way (y, checked)",
        BATCH,
        &mut batch,
        &mut ark,
    );
    let mut images = vec![Fr::ZERO; COUNT];
    table.compare(
        "map to scalar, batch of 64; with arkworks' batch inversion",
        COUNT,
        &mut || batch_map_to_scalar(black_box(&o.ours_affine[..COUNT]), &mut images),
        &mut || {
            let points = black_box(&o.peers_affine[..COUNT]);
            let mut inverses: Vec<ArkFq> = points.iter().map(|p| p.y).collect();
            ark_ff::batch_inversion(&mut inverses);
            for (point, inverse) in points.iter().zip(&inverses) {
                let mut bytes = [0; 32];
                (point.x * inverse)
                    .serialize_compressed(&mut bytes[..])
                    .expect("32 bytes");
                black_box(<ArkFr as ark_ff::PrimeField>::from_le_bytes_mod_order(
                    &bytes,
                ));
            }
        },
    );
}

/// Sums over 2^5 … 2^`log_largest` points.
fn sums(table: &Table, o: &Operands, log_largest: u32) {
    for log in 5..=log_largest {
        let n = 1 << log;
        table.compare(
            &format!("MSM of 2^{log}"),
            1,
            &mut || {
                let sum = msm_with::<Element, _, _>(
                    &Serial,
                    black_box(&o.ours_affine[..n]),
                    black_box(&o.scalars[..n]),
                );
                keep(sum);
            },
            &mut || {
                let sum = EdwardsProjective::msm(
                    black_box(&o.peers_affine[..n]),
                    black_box(&o.peer_scalars[..n]),
                );
                keep(sum);
            },
        );
    }
}

fn commitments(table: &Table, o: &Operands) {
    let generators: Vec<EdwardsAffine> = crs::GENERATORS
        .iter()
        .map(|g| lightproof_peers::point(&(*g).into()))
        .collect();
    table.section(COMMITMENTS, "arkworks");
    for (name, shape) in [
        ("small", Shape::SMALL),
        ("default", Shape::DEFAULT),
        ("large", Shape::LARGE),
        ("sparse", Shape::SPARSE),
        ("huge", Shape::HUGE),
    ] {
        let committer = Committer::generate(&Serial, shape).expect("memory");
        for n in [1, 5, 16, 64, 256] {
            let scalars = if n == 1 { "scalar" } else { "scalars" };
            table.compare(
                &format!("{n} {scalars}, {name} table"),
                1,
                &mut || keep(committer.commit(black_box(&o.scalars[..n]))),
                &mut || {
                    keep(EdwardsProjective::msm(
                        black_box(&generators[..n]),
                        black_box(&o.peer_scalars[..n]),
                    ));
                },
            );
        }
    }
    let [making] = turn_about(table.seconds, [&mut || keep(Committer::new())]);
    table.record("making the default table", making, None);
    println!("| making the default table | {} | – | – |", time(making));
}

fn g1(table: &Table) {
    let generator = ark_bls12_381::G1Projective::generator();
    let mut stream = Stream::new(3);
    let peers: Vec<ark_bls12_381::G1Projective> = (0..COUNT)
        .map(|_| generator.mul_bigint([stream.word(), stream.word(), stream.word()]))
        .collect();
    let bytes: Vec<Vec<u8>> = peers
        .iter()
        .map(|p| {
            let mut out = Vec::new();
            p.into_affine()
                .serialize_compressed(&mut out)
                .expect("memory");
            out
        })
        .collect();
    let ours: Vec<bls12_381_g1::Point> = bytes
        .iter()
        .map(|b| bls12_381_g1::Point::from_bytes(b).expect("valid").double())
        .collect();
    let affine = bls12_381_g1::Point::generator().to_affine();
    let peer_affine = generator.into_affine();
    macro_rules! each {
        ($list:expr, $f:expr) => {
            &mut || {
                for a in black_box(&$list) {
                    keep($f(a));
                }
            }
        };
    }
    table.compare(
        "addition",
        COUNT,
        each!(ours, |a: &bls12_381_g1::Point| *a + ours[1]),
        each!(peers, |a: &ark_bls12_381::G1Projective| *a + peers[1]),
    );
    table.compare(
        "mixed addition",
        COUNT,
        each!(ours, |a| affine.add_to(a)),
        each!(peers, |a: &ark_bls12_381::G1Projective| *a + peer_affine),
    );
    table.compare(
        "doubling",
        COUNT,
        each!(ours, |a: &bls12_381_g1::Point| a.double()),
        each!(peers, |a: &ark_bls12_381::G1Projective| a.double()),
    );
    table.compare(
        "decode with subgroup check",
        COUNT,
        each!(bytes, |b: &Vec<u8>| bls12_381_g1::Affine::from_bytes(b)),
        each!(bytes, |b: &Vec<u8>| {
            ark_bls12_381::G1Affine::deserialize_compressed(&b[..])
        }),
    );
}

/// All lines; sums of up to 2^`log_largest` points.
pub(crate) fn rows(table: &Table, log_largest: u32) {
    let operands = Operands::new(1 << log_largest.max(10));
    table.section("Banderwagon", "arkworks");
    additions(table, &operands);
    decoding(table, &operands);
    sums(table, &operands, log_largest);
    commitments(table, &operands);
    table.section("G1 of BLS12-381", "arkworks");
    g1(table);
}
