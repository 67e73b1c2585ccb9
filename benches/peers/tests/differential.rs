//! Our arithmetic against arkworks', on random and extreme values.
//!
//! `LIGHTPROOF_TEST_SCALE` multiplies the number of random values.

use ark_ec::twisted_edwards::TECurveConfig;
use ark_ec::{AdditiveGroup, AffineRepr, CurveGroup, PrimeGroup, VariableBaseMSM};
use ark_ed_on_bls12_381_bandersnatch::{BandersnatchConfig, EdwardsAffine, EdwardsProjective};
use ark_ff::{BigInteger, Field as _, LegendreSymbol, One, Zero};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use lightproof::curve::banderwagon::{Affine, Element, Precomputed, batch_map_to_scalar};
use lightproof::curve::{Addend, Group, bls12_381_g1};
use lightproof::exec::Serial;
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::field::bls12_381_scalar::Fq;
use lightproof::field::{
    Field, LazySum, Montgomery, Params, PrimeField, Repr, Ring, bandersnatch_scalar, batch,
    bls12_381_base, bls12_381_scalar, ed25519_base, ed25519_scalar,
};
use lightproof::msm::{msm_vartime, msm_with, scratch_len};
use lightproof::verkle::{Committer, crs};
use lightproof_peers::{
    Peer, Stream, affine, element, from_peer, other_representative, point, to_peer,
};

type ArkFq = ark_bls12_381::Fr;
type ArkFr = ark_ed_on_bls12_381_bandersnatch::Fr;

/// `usual` random cases times `LIGHTPROOF_TEST_SCALE` (a number, or a fraction such as
/// 1/100), at least one.
fn scaled(usual: usize) -> usize {
    let text = std::env::var("LIGHTPROOF_TEST_SCALE").unwrap_or_else(|_| "1".to_owned());
    let mut parts = text.splitn(2, '/').map(|part| {
        part.trim()
            .parse::<f64>()
            .expect("LIGHTPROOF_TEST_SCALE is a number")
    });
    let scale = parts.next().unwrap_or(1.0) / parts.next().unwrap_or(1.0);
    ((usual as f64 * scale) as usize).max(1)
}

/// Numbers at the ends of the range and of the limbs, then random ones.
fn values<P: Params<N>, const N: usize>(random: usize, seed: u64) -> Vec<Montgomery<P, N>> {
    let one = Montgomery::<P, N>::ONE;
    let mut out = vec![Montgomery::ZERO, one, -one, one.double(), -one.double()];
    for limb in 0..N {
        for limbs in [
            core::array::from_fn(|i| u64::from(i == limb)),
            core::array::from_fn(|i| if i == limb { u64::MAX } else { 0 }),
            core::array::from_fn(|i| if i <= limb { u64::MAX } else { 0 }),
            core::array::from_fn(|i| P::MODULUS[i] >> u32::from(i == limb)),
        ] {
            out.push(Montgomery::from_limbs(limbs));
        }
    }
    // The number whose Montgomery form is 1, and those of R and R².
    let r_inverse = Montgomery::<P, N>::from_limbs(P::R)
        .invert_vartime()
        .expect("not zero");
    out.extend([
        r_inverse,
        -r_inverse,
        Montgomery::from_limbs(P::R),
        Montgomery::from_limbs(P::R2),
    ]);
    let mut stream = Stream::new(seed);
    out.extend((0..random).map(|_| stream.element()));
    out
}

fn same<A: Peer<N>, P: Params<N>, const N: usize>(ours: Montgomery<P, N>, peer: A, what: &str) {
    assert_eq!(to_peer::<A, P, N>(&ours), peer, "{} {what}", P::NAME);
}

fn unary<A: Peer<N>, P: Params<N>, const N: usize>(a: &Montgomery<P, N>, exponent: &[u64; N]) {
    let p: A = to_peer(a);
    same(-*a, -p, "neg");
    same(a.double(), p.double(), "double");
    same(a.square(), p.square(), "square");
    same(a.pow(exponent), p.pow(exponent), "pow");
    assert_eq!(
        a.invert_vartime().map(|x| to_peer(&x)),
        p.inverse(),
        "{} inverse of {a:?}",
        P::NAME
    );
    assert_eq!(
        a.invert().map(|x| to_peer(&x)),
        p.inverse(),
        "{} constant-time inverse of {a:?}",
        P::NAME
    );
    let symbol = match p.legendre() {
        LegendreSymbol::Zero => 0,
        LegendreSymbol::QuadraticResidue => 1,
        LegendreSymbol::QuadraticNonResidue => -1,
    };
    assert_eq!(
        a.legendre_vartime(),
        symbol,
        "{} Legendre symbol of {a:?}",
        P::NAME
    );
    let root = a.sqrt_vartime();
    assert_eq!(
        root.is_some(),
        p.sqrt().is_some(),
        "{} square root of {a:?}",
        P::NAME
    );
    if let (Some(ours), Some(peer)) = (root, p.sqrt()) {
        assert!(to_peer::<A, P, N>(&ours) == peer || to_peer::<A, P, N>(&-ours) == peer);
    }
    assert_eq!(a.is_odd(), p.into_bigint().is_odd());
    assert_eq!(a.is_lexicographically_largest(), p > -p);
    assert_eq!(from_peer::<A, P, N>(&p), *a);
    let mut bytes = Vec::new();
    p.serialize_compressed(&mut bytes).expect("memory");
    assert_eq!(a.to_le_bytes().as_ref(), bytes, "{} encoding", P::NAME);
}

/// Every operation of a field, on pairs of extreme values and on random ones.
fn field<A: Peer<N>, P: Params<N>, const N: usize>() {
    let values = values::<P, N>(scaled(2000), P::NUM_BITS.into());
    let mut stream = Stream::new(7);
    for a in &values {
        unary::<A, P, N>(a, &core::array::from_fn(|_| stream.word()));
    }
    let extreme = values.len().min(40);
    for (i, a) in values.iter().enumerate() {
        let partners = if i < extreme {
            &values[..extreme]
        } else {
            &values[i - 1..i]
        };
        for b in partners {
            let (p, q): (A, A) = (to_peer(a), to_peer(b));
            same(*a + *b, p + q, "add");
            same(*a - *b, p - q, "sub");
            same(*a * *b, p * q, "mul");
            assert_eq!(a == b, p == q);
        }
    }
    sums::<A, P, N>(&values);
    decoding::<A, P, N>();
}

fn sums<A: Peer<N>, P: Params<N>, const N: usize>(values: &[Montgomery<P, N>]) {
    let peers: Vec<A> = values.iter().map(to_peer).collect();
    let mut lazy = LazySum::ZERO;
    let mut sum = A::zero();
    for i in 0..values.len() {
        let j = values.len() - 1 - i;
        lazy.add_product(&values[i], &values[j]);
        sum += peers[i] * peers[j];
        same(lazy.reduce(), sum, "sum of products");
    }
    let mut inverses = values.to_vec();
    batch::invert(&mut inverses);
    let mut expected = peers;
    ark_ff::batch_inversion(&mut expected);
    for (ours, peer) in inverses.into_iter().zip(expected) {
        same(ours, peer, "batch inversion");
    }
}

fn decoding<A: Peer<N>, P: Params<N>, const N: usize>() {
    let mut stream = Stream::new(11);
    for i in 0..scaled(2000) {
        // Half of them near the modulus, where the verdict changes.
        let mut bytes = stream.bytes::<128>();
        if i % 2 == 0 {
            for (chunk, limb) in bytes.chunks_mut(8).zip(P::MODULUS) {
                chunk.copy_from_slice(&limb.to_le_bytes());
            }
            bytes[0] = bytes[0].wrapping_add((i % 7) as u8).wrapping_sub(3);
        }
        let mut repr = P::Repr::ZERO;
        repr.as_mut().copy_from_slice(&bytes[..8 * N]);
        let peer = A::deserialize_compressed(repr.as_ref()).ok();
        assert_eq!(
            Montgomery::<P, N>::from_le_bytes(&repr).map(|x| to_peer::<A, P, N>(&x)),
            peer,
            "{} decoding",
            P::NAME
        );
        for length in [0, 1, 8 * N - 1, 8 * N, 8 * N + 1, 16 * N] {
            let ours = Montgomery::<P, N>::from_le_bytes_reduced(&bytes[..length]);
            same(
                ours,
                A::from_le_bytes_mod_order(&bytes[..length]),
                "reduction",
            );
        }
    }
}

#[test]
fn field_q() {
    field::<ArkFq, bls12_381_scalar::FqParams, 4>();
}

#[test]
fn field_r() {
    field::<ArkFr, bandersnatch_scalar::FrParams, 4>();
}

#[test]
fn field_bls12_381_base() {
    field::<ark_bls12_381::Fq, bls12_381_base::FpParams, 6>();
}

#[test]
fn field_25519() {
    field::<ark_curve25519::Fq, ed25519_base::F25519Params, 4>();
}

#[test]
fn field_ed25519_scalars() {
    field::<ark_curve25519::Fr, ed25519_scalar::Scalar25519Params, 4>();
}

/// Our element is the peer's point, or its other representative.
fn same_element(ours: &Element, peer: &EdwardsProjective, what: &str) {
    let (ours, peer) = (point(ours), peer.into_affine());
    assert!(
        ours == peer || ours == other_representative(&peer),
        "{what}: {ours} for {peer}"
    );
}

/// The identity, the generator, their other representatives, and random points.
fn points(random: usize, seed: u64) -> Vec<EdwardsProjective> {
    let identity = EdwardsProjective::zero();
    let generator = EdwardsProjective::generator();
    let mut stream = Stream::new(seed);
    let mut out = vec![identity, generator, -generator, generator.double()];
    out.extend((0..random).map(|_| stream.point()));
    let others: Vec<EdwardsProjective> = out
        .iter()
        .take(8)
        .map(|p| other_representative(&p.into_affine()).into())
        .collect();
    out.extend(others);
    out
}

#[test]
fn banderwagon_group() {
    assert_eq!(point(&Element::generator()), EdwardsAffine::generator());
    let points = points(scaled(100), 1);
    for p in &points {
        let ours = element(p);
        same_element(&ours, p, "from coordinates");
        same_element(&ours.double(), &p.double(), "double");
        same_element(&-ours, &-*p, "neg");
        assert_eq!(ours.is_identity(), p.into_affine().x.is_zero());
        for q in &points {
            let other = element(q);
            same_element(&(ours + other), &(*p + q), "add");
            same_element(&(ours - other), &(*p - q), "sub");
            let mixed = q.into_affine();
            same_element(
                &affine(&mixed).add_to(&ours),
                &(*p + mixed),
                "mixed addition",
            );
            same_element(
                &Precomputed::from(affine(&mixed)).sub_from(&ours),
                &(*p - mixed),
                "mixed subtraction",
            );
            let (a, b) = (p.into_affine(), q.into_affine());
            assert_eq!(ours == other, a == b || a == other_representative(&b));
        }
    }
}

/// The decoder against the definition, computed with arkworks' field.
fn decode(bytes: &[u8; 32]) -> Option<EdwardsAffine> {
    let mut le = *bytes;
    le.reverse();
    let x = ArkFq::deserialize_compressed(&le[..]).ok()?;
    let square = x.square();
    let five = ArkFq::from(5u64);
    let d = BandersnatchConfig::COEFF_D;
    let y = ((ArkFq::one() + five * square) / (ArkFq::one() - d * square)).sqrt()?;
    // In the group where 1 − a·x² is a square.
    if (ArkFq::one() + five * square).legendre() != LegendreSymbol::QuadraticResidue {
        return None;
    }
    Some(EdwardsAffine::new_unchecked(x, if y > -y { y } else { -y }))
}

#[test]
fn banderwagon_encodings() {
    let mut stream = Stream::new(5);
    let mut accepted = Vec::new();
    let count = scaled(6000);
    for i in 0..count {
        let mut bytes: [u8; 32] = stream.bytes();
        if i % 8 != 0 {
            bytes[0] &= 0x7f; // mostly below q
        }
        let expected = decode(&bytes);
        let ours = Affine::from_bytes(&bytes).ok();
        assert_eq!(ours.is_some(), expected.is_some(), "{bytes:02x?}");
        if let (Some(ours), Some(expected)) = (ours, expected) {
            assert_eq!(ours.to_bytes(), bytes);
            same_element(&ours.into(), &expected.into(), "decoding");
            let (x, y) = (expected.x, expected.y);
            let ratio: Fq = from_peer(&(x / y));
            assert_eq!(
                ours.map_to_scalar(),
                Fr::from_le_bytes_reduced(&ratio.to_le_bytes())
            );
            accepted.push(bytes);
        }
    }
    assert!(
        accepted.len() > count / 10 || count < 20,
        "about a quarter is in the group"
    );
    let mut batch = vec![Affine::IDENTITY; accepted.len()];
    Affine::batch_from_bytes(&accepted, &mut batch).expect("each was accepted alone");
    let mut images = vec![Fr::ZERO; batch.len()];
    batch_map_to_scalar(&batch, &mut images);
    for ((bytes, point), image) in accepted.iter().zip(&batch).zip(images) {
        assert_eq!(point.to_bytes(), *bytes);
        assert_eq!(point.map_to_scalar(), image);
    }
}

#[test]
fn banderwagon_scalar_multiplication() {
    let points = points(4, 2);
    for scalar in values::<bandersnatch_scalar::FrParams, 4>(scaled(100), 3) {
        for p in &points {
            let expected = p.mul_bigint(scalar.to_limbs());
            same_element(
                &element(p).mul_vartime(&scalar),
                &expected,
                "scalar multiplication",
            );
        }
    }
}

#[test]
fn banderwagon_msm() {
    let mut stream = Stream::new(9);
    let largest = 1 << 10;
    let peers: Vec<EdwardsAffine> = (0..largest).map(|_| stream.point().into_affine()).collect();
    let ours: Vec<Precomputed> = peers.iter().map(|p| affine(p).into()).collect();
    let mut scalars = values::<bandersnatch_scalar::FrParams, 4>(largest, 10);
    scalars.truncate(largest);
    // Every size; under emulation or in haste, some.
    let step = if scaled(100) >= 100 { 1 } else { 13 };
    for n in (0..40).chain((40..=300).step_by(step)).chain([largest]) {
        // The extreme scalars come first: in every sum, and beside different points.
        let (points, peers) = (&ours[largest - n..], &peers[largest - n..]);
        let scalars = &scalars[..n];
        let of_peer: Vec<ArkFr> = scalars.iter().map(to_peer).collect();
        let expected = EdwardsProjective::msm(peers, &of_peer).expect("equal lengths");
        let with = msm_with::<Element, _, _>(&Serial, points, scalars).expect("equal lengths");
        same_element(&with, &expected, "sum");
        let reprs: Vec<[u8; 32]> = scalars.iter().map(PrimeField::to_repr).collect();
        let mut scratch = vec![Element::IDENTITY; scratch_len(n)];
        let lent = msm_vartime::<Element, _>(points, &reprs, &mut scratch).expect("equal lengths");
        same_element(&lent, &expected, "sum with lent memory");
    }
}

#[test]
fn banderwagon_commitments() {
    let generators: Vec<EdwardsAffine> = crs::GENERATORS
        .iter()
        .map(|g| point(&(*g).into()))
        .collect();
    let (with, without) = (Committer::new(), Committer::without_table());
    let scalars = values::<bandersnatch_scalar::FrParams, 4>(256, 12);
    for n in [0, 1, 2, 5, 16, 17, 64, 255, 256] {
        for start in [0, 21] {
            let vector = &scalars[start..(start + n).min(scalars.len())];
            let of_peer: Vec<ArkFr> = vector.iter().map(to_peer).collect();
            let expected = EdwardsProjective::msm(&generators[..vector.len()], &of_peer)
                .expect("equal lengths");
            same_element(
                &with.commit(vector).expect("at most 256"),
                &expected,
                "commitment by table",
            );
            same_element(
                &without.commit(vector).expect("at most 256"),
                &expected,
                "commitment without table",
            );
        }
    }
}

fn g1_bytes(point: &ark_bls12_381::G1Projective) -> [u8; 48] {
    let mut out = [0; 48];
    point
        .into_affine()
        .serialize_compressed(&mut out[..])
        .expect("48 bytes");
    out
}

#[test]
fn g1_group() {
    let generator = ark_bls12_381::G1Projective::generator();
    let mut stream = Stream::new(13);
    let mut peers = vec![
        ark_bls12_381::G1Projective::zero(),
        generator,
        -generator,
        generator.double(),
    ];
    peers.extend(
        (0..scaled(16))
            .map(|_| generator.mul_bigint([stream.word(), stream.word(), stream.word()])),
    );
    let ours: Vec<bls12_381_g1::Point> = peers
        .iter()
        .map(|p| bls12_381_g1::Point::from_bytes(&g1_bytes(p)).expect("a point"))
        .collect();
    assert_eq!(
        bls12_381_g1::Point::generator().to_bytes(),
        g1_bytes(&generator)
    );
    for (a, p) in ours.iter().zip(&peers) {
        assert_eq!(a.to_bytes(), g1_bytes(p), "encoding");
        assert_eq!(a.double().to_bytes(), g1_bytes(&p.double()), "double");
        assert_eq!((-*a).to_bytes(), g1_bytes(&-*p), "neg");
        for (b, q) in ours.iter().zip(&peers) {
            assert_eq!((*a + *b).to_bytes(), g1_bytes(&(*p + q)), "add");
            assert_eq!((*a - *b).to_bytes(), g1_bytes(&(*p - q)), "sub");
            assert_eq!(
                b.to_affine().add_to(a).to_bytes(),
                g1_bytes(&(*p + q.into_affine())),
                "mixed addition"
            );
        }
    }
    let scalars = values::<bls12_381_scalar::FqParams, 4>(20, 14);
    for scalar in &scalars {
        let expected = peers[4].mul_bigint(scalar.to_limbs());
        assert_eq!(
            ours[4].mul_vartime(scalar).to_bytes(),
            g1_bytes(&expected),
            "scalar multiplication"
        );
    }
    let n = ours.len().min(scalars.len());
    let affine: Vec<_> = ours[..n]
        .iter()
        .map(bls12_381_g1::Point::to_affine)
        .collect();
    let bases: Vec<_> = peers[..n].iter().map(|p| p.into_affine()).collect();
    let of_peer: Vec<ArkFq> = scalars[..n].iter().map(to_peer).collect();
    let sum = msm_with::<bls12_381_g1::Point, _, _>(&Serial, &affine, &scalars[..n])
        .expect("equal lengths");
    let expected = ark_bls12_381::G1Projective::msm(&bases, &of_peer).expect("equal lengths");
    assert_eq!(sum.to_bytes(), g1_bytes(&expected), "sum");
}

#[test]
fn g1_decoding_agrees_on_points_outside_the_group_and_on_damage() {
    let mut stream = Stream::new(15);
    let agree = |bytes: &[u8; 48]| {
        let peer = ark_bls12_381::G1Affine::deserialize_compressed(&bytes[..]).ok();
        let ours = bls12_381_g1::Affine::from_bytes(bytes).ok();
        assert_eq!(ours.is_some(), peer.is_some(), "{bytes:02x?}");
        if let Some(ours) = ours {
            assert_eq!(ours.to_bytes(), *bytes);
        }
    };
    for i in 0..scaled(100) {
        let mut bytes: [u8; 48] = stream.bytes();
        if i % 8 != 0 {
            bytes[0] = 0x80 | (bytes[0] & 0x2f);
        }
        agree(&bytes);
        let x = ark_bls12_381::Fq::from(stream.word());
        if let Some(point) = ark_bls12_381::G1Affine::get_point_from_x_unchecked(x, i % 2 == 0) {
            let mut bytes = g1_bytes(&point.into());
            agree(&bytes);
            bytes[i % 48] ^= 1 << (i % 8);
            agree(&bytes);
        }
        let mut bytes =
            g1_bytes(&ark_bls12_381::G1Projective::generator().mul_bigint([stream.word()]));
        agree(&bytes);
        bytes[0] ^= 0x20; // the other root
        agree(&bytes);
        bytes[0] ^= 0x40; // infinity with a coordinate
        agree(&bytes);
    }
}
