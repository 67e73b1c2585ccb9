//! Faults that comparable software had, on the inputs that showed them: Verkle proofs.
//! `known_faults.md` beside this file says which test is for which fault.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::statement::{LABEL, Openings, Sent, boxed, dense, sparse, values, verdict};
use common::{hex, hex_array, scalar};
use lightproof::curve::Group;
use lightproof::curve::bandersnatch::isogenous;
use lightproof::exec::{Serial, Threads};
use lightproof::table::{Shape, Table, TableError};
use lightproof::verkle::crs::{GENERATORS, Q};
use lightproof::verkle::multiproof::{prove, verify_encoded};
use lightproof::verkle::{
    Affine, CommitError, Committer, DecodeError, Element, EncodedQuery, Error, IpaProof,
    MultiProof, ProofPart, Scalar, ScratchBuffer, TablePoint, Transcript, Vector, VerifierQuery,
    ipa,
};
use sha2::{Digest, Sha256};

/// r, little-endian.
const ORDER: &str = "e1e77628b506fd747104197400878fff007668020276ce0c525f67cad469fb1c";

fn polynomial_and_proof() -> (Committer<'static>, Openings, MultiProof) {
    let committer = Committer::new();
    let openings = Openings::new(&committer, dense(2), &[(0, 3), (1, 200), (0, 0)]);
    let proof = openings.prove(&committer);
    (committer, openings, proof)
}

#[test]
fn v05_every_length_but_one_is_a_typed_error() {
    let (_, _, proof) = polynomial_and_proof();
    let (multi, argument) = (proof.to_bytes(), proof.ipa.to_bytes());
    let (multi64, argument64) = (
        proof.to_uncompressed_bytes(),
        proof.ipa.to_uncompressed_bytes(),
    );
    let wrong = |expected, actual| Error::ProofLength { expected, actual };
    for length in 0..=1200 {
        let cut =
            |bytes: &[u8]| -> Vec<u8> { bytes.iter().copied().cycle().take(length).collect() };
        let found = MultiProof::from_bytes(&cut(&multi)).err();
        assert_eq!(found, (length != 576).then_some(wrong(576, length)));
        let found = IpaProof::from_bytes(&cut(&argument)).err();
        assert_eq!(found, (length != 544).then_some(wrong(544, length)));
        let found = MultiProof::from_uncompressed_bytes(&cut(&multi64)).err();
        assert_eq!(found, (length != 1120).then_some(wrong(1120, length)));
        let found = IpaProof::from_uncompressed_bytes(&cut(&argument64)).err();
        assert_eq!(found, (length != 1056).then_some(wrong(1056, length)));
    }
}

/// a + r as bytes, where a < r and so a + r < 2^256.
fn plus_order(a: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    a.iter()
        .zip(hex(ORDER))
        .map(|(a, r)| {
            let sum = u16::from(*a) + u16::from(r) + carry;
            carry = sum >> 8;
            sum as u8
        })
        .collect()
}

#[test]
fn v06_a_scalar_at_or_above_the_order_is_refused() {
    let (_, _, proof) = polynomial_and_proof();
    let bytes = proof.to_bytes();
    let (front, a) = bytes.split_at(MultiProof::BYTES - 32);
    for scalar in [plus_order(a), hex(ORDER), vec![0xff; 32]] {
        let forged = [front, &scalar].concat();
        assert_eq!(MultiProof::from_bytes(&forged), Err(Error::ProofScalar));
        assert_eq!(IpaProof::from_bytes(&forged[32..]), Err(Error::ProofScalar));
        let mut forged = proof.to_uncompressed_bytes();
        let at = MultiProof::UNCOMPRESSED_BYTES - 32;
        forged[at..].copy_from_slice(&scalar);
        assert_eq!(
            MultiProof::from_uncompressed_bytes(&forged),
            Err(Error::ProofScalar)
        );
    }
}

#[test]
fn v06_f04_bytes_after_the_proof_are_refused() {
    let (_, _, proof) = polynomial_and_proof();
    let bytes = proof.to_bytes();
    let mut longer = bytes.to_vec();
    longer.push(0);
    for wrong in [&longer[..], &bytes[..575], &[bytes, bytes].concat()] {
        assert_eq!(
            MultiProof::from_bytes(wrong),
            Err(Error::ProofLength {
                expected: 576,
                actual: wrong.len()
            })
        );
    }
    let argument = proof.ipa.to_bytes();
    for wrong in [&[&argument[..], &[0]].concat()[..], &argument[..543]] {
        assert_eq!(
            IpaProof::from_bytes(wrong),
            Err(Error::ProofLength {
                expected: 544,
                actual: wrong.len()
            })
        );
    }
}

#[test]
fn v07_no_openings_is_an_error_on_both_sides() {
    let committer = Committer::without_table();
    let zeros = MultiProof::from_bytes(&[0; 576]).unwrap();
    let transcript = || Transcript::new(LABEL);
    assert_eq!(
        prove(&committer, &mut transcript(), &[]),
        Err(Error::NoOpenings)
    );
    assert_eq!(verdict(&committer, &[], &zeros), Err(Error::NoOpenings));
    let mut buffer = ScratchBuffer::new(4);
    let found = verify_encoded(
        &committer,
        &mut transcript(),
        &[],
        &zeros,
        &mut buffer.scratch(),
    );
    assert_eq!(found, Err(Error::NoOpenings));
}

#[test]
fn v07_v31_the_proof_of_zeros_is_true_for_true_statements_only() {
    let committer = Committer::without_table();
    let zeros = MultiProof::from_bytes(&[0; 576]).unwrap();
    let claim = |commitment, value: u64| VerifierQuery {
        commitment,
        point: 9,
        value: Scalar::from(value),
    };
    let (identity, generator) = (Element::IDENTITY, Element::generator());
    let holds = |claims: &[VerifierQuery<'_>]| verdict(&committer, claims, &zeros);
    assert_eq!(holds(&[claim(&identity, 0)]), Ok(()));
    assert_eq!(holds(&[claim(&identity, 0), claim(&identity, 0)]), Ok(()));
    assert_eq!(holds(&[claim(&identity, 1)]), Err(Error::NotProven));
    assert_eq!(holds(&[claim(&generator, 0)]), Err(Error::NotProven));
    assert_eq!(
        holds(&[claim(&identity, 0), claim(&generator, 0)]),
        Err(Error::NotProven)
    );
    // The other representative of the identity, and one with Z ≠ 1.
    let other = generator - generator;
    assert_eq!(holds(&[claim(&other, 0)]), Ok(()));

    let openings = Openings::new(&committer, vec![sparse(&[])], &[(0, 9)]);
    assert_eq!(openings.prove(&committer).to_bytes(), [0; 576]);
    // One element zero and another not.
    let both = vec![sparse(&[]), sparse(&[(9, 7)])];
    let openings = Openings::new(&committer, both, &[(0, 9), (1, 9), (1, 8), (0, 0)]);
    let proof = openings.prove(&committer);
    assert_eq!(verdict(&committer, &openings.claims(), &proof), Ok(()));
    assert_eq!(
        verdict(&committer, &openings.claims(), &zeros),
        Err(Error::NotProven)
    );
}

#[test]
fn v08_points_inside_and_outside_of_the_domain() {
    let committer = Committer::new();
    let f = values(|i| Scalar::from(i * i + 1));
    let commitment = committer.commit(&f[..]).unwrap();
    let mut buffer = ScratchBuffer::new(1);
    let numbers = [0, 1, 2, 254, 255, 256, 257, u64::MAX].map(Scalar::from);
    for z in numbers.into_iter().chain([-Scalar::ONE]) {
        let transcript = || Transcript::new(LABEL);
        let (proof, y) =
            ipa::prove(&Serial, &committer, &mut transcript(), &commitment, &f, &z).unwrap();
        assert_eq!(y, z * z + Scalar::ONE);
        let mut verdict = |y: &Scalar| {
            ipa::verify(
                &committer,
                &mut transcript(),
                &commitment,
                &z,
                y,
                &proof,
                &mut buffer.scratch(),
            )
        };
        assert_eq!(verdict(&y), Ok(()));
        assert_eq!(verdict(&(y + Scalar::ONE)), Err(Error::NotProven));
    }
}

#[test]
fn v09_values_that_are_zero_or_cancel() {
    let committer = Committer::new();
    let polynomials = vec![
        sparse(&[(0, 5)]),
        values(|i| scalar("v09", i)),
        values(|i| -scalar("v09", i)),
    ];
    for list in [
        &[(0, 1u8)][..],
        &[(0, 1), (0, 1)],
        &[(1, 7), (2, 7)],
        &[(0, 255), (1, 7), (2, 7), (0, 0)],
    ] {
        let openings = Openings::new(&committer, polynomials.clone(), list);
        let proof = openings.prove(&committer);
        let mut claims = openings.claims();
        assert_eq!(verdict(&committer, &claims, &proof), Ok(()));
        for i in 0..claims.len() {
            claims[i].value += Scalar::ONE;
            assert_eq!(verdict(&committer, &claims, &proof), Err(Error::NotProven));
            claims[i].value -= Scalar::ONE;
        }
    }
}

#[test]
fn v10_one_commitment_in_many_openings() {
    let committer = Committer::new();
    let mut openings = Openings::new(&committer, dense(1), &[(0, 1), (0, 2), (0, 1)]);
    // A commitment that is not normalised.
    openings.commitments[0] += Element::generator();
    openings.commitments[0] -= Element::generator();
    let before = format!("{:?}", openings.commitments[0]);
    let proof = openings.prove(&committer);
    let mut claims = openings.claims();
    assert_eq!(verdict(&committer, &claims, &proof), Ok(()));
    assert_eq!(format!("{:?}", openings.commitments[0]), before);
    // The same point with another value.
    claims[2].value += Scalar::ONE;
    assert_eq!(verdict(&committer, &claims, &proof), Err(Error::NotProven));
}

#[test]
fn v13_more_scalars_than_generators_are_refused() {
    let scalars: Vec<Scalar> = (1..=257).map(Scalar::from_u64).collect();
    let too_long = CommitError::TooLong { given: 257 };
    for committer in [Committer::new(), Committer::without_table()] {
        assert_eq!(committer.commit(&scalars), Err(too_long));
        let vectors = [&scalars[..256], &scalars];
        let mut out = [Element::IDENTITY; 2];
        for exec in [Threads(1), Threads(2)] {
            let found = committer.commit_batch(&exec, &vectors, &mut out);
            assert_eq!(found, Err((1, too_long)));
        }
        // Fewer scalars than generators count as followed by zeros.
        let padded = [&scalars[..8], &[Scalar::ZERO; 248]].concat();
        assert_eq!(committer.commit(&scalars[..8]), committer.commit(&padded));
    }
    // The bases of a committer's table, and what is none.
    let image = |point: &Affine| TablePoint::from(Element::from(*point)).to_affine();
    let mut bases: Vec<isogenous::Affine> = GENERATORS.iter().chain([&Q]).map(image).collect();
    let shape = Shape::new(1, 256).unwrap();
    let table = Table::<TablePoint>::generate(&Serial, &bases[..8], shape).unwrap();
    assert_eq!(
        table.msm_vartime(&scalars[..9]),
        Err(TableError::Scalars { bases: 8, given: 9 })
    );
    assert_eq!(
        Committer::with_table(table).err(),
        Some(CommitError::Bases { given: 8 })
    );
    // A table over other bases of the right number.
    for index in [77, 256, 0] {
        let kept = bases[index];
        bases[index] = TablePoint::from(kept).double().to_affine();
        let table = Table::generate(&Serial, &bases, shape).unwrap();
        assert_eq!(
            Committer::with_table(table).err(),
            Some(CommitError::Foreign { index })
        );
        bases[index] = kept;
    }
    let table = Table::generate(&Serial, &bases, shape).unwrap();
    let committer = Committer::with_table(table).unwrap();
    let plain = Committer::without_table().commit(&scalars[..256]);
    assert_eq!(committer.commit(&scalars[..256]), plain);
}

#[test]
fn v15_scalars_are_little_endian_and_points_big_endian() {
    let mut bytes = [0; 32];
    bytes[0] = 1;
    assert_eq!(Scalar::from_le_bytes(&bytes), Some(Scalar::ONE));
    bytes[0] = 0xff;
    assert_eq!(Scalar::from_le_bytes(&bytes), Some(Scalar::from(255)));
    assert_eq!(Scalar::from_be_bytes(&bytes), None);
    bytes.reverse();
    assert_eq!(Scalar::from_le_bytes(&bytes), None);

    let committer = Committer::without_table();
    let zeros = MultiProof::from_bytes(&[0; 576]).unwrap();
    let query = EncodedQuery {
        commitment: &[0; 32],
        point: 0,
        value: &bytes,
    };
    let fine = EncodedQuery {
        value: &[0; 32],
        ..query
    };
    let found = verify_encoded(
        &committer,
        &mut Transcript::new(LABEL),
        &[fine, query],
        &zeros,
        &mut ScratchBuffer::new(2).scratch(),
    );
    assert_eq!(found, Err(Error::Value { index: 1 }));
    let mut generator = Affine::GENERATOR.to_bytes();
    assert_eq!(Affine::from_bytes(&generator), Ok(Affine::GENERATOR));
    generator.reverse();
    assert_eq!(
        Affine::from_bytes(&generator),
        Err(DecodeError::NotCanonical)
    );
}

/// The hash of 64 bytes that tree keys are made of.
fn tree_key_hash(input: &[u8; 64]) -> [u8; 32] {
    let mut scalars = vec![Scalar::from(2 + 256 * 64)];
    scalars.extend(input.chunks(16).map(Scalar::from_le_bytes_reduced));
    let commitment = Committer::without_table().commit(&scalars).unwrap();
    commitment.map_to_scalar().to_le_bytes()
}

#[test]
fn v16_the_map_to_scalars_is_the_quotient_of_the_coordinates() {
    assert_eq!(
        tree_key_hash(&[0; 64]),
        hex_array("1a100684fd68185060405f3f160e4bb6e034194336b547bdae323f888d533207")
    );
    assert_eq!(
        tree_key_hash(&[1; 64]),
        hex_array("3afb8486ed3053ac55f62864da803c074844509d253260d870337c20fd73eb11")
    );
    assert_eq!(
        Element::generator().map_to_scalar().to_le_bytes(),
        hex_array("d1e7de2aaea9603d5bc6c208d319596376556ecd8336671ba7670c2139772d14")
    );
}

#[test]
fn v17_the_generators_are_those_of_the_seed() {
    let bytes = GENERATORS.map(|g| g.to_bytes());
    assert_eq!(
        bytes[0],
        hex_array("01587ad1336675eb912550ec2a28eb8923b824b490dd2ba82e48f14590a298a0")
    );
    assert_eq!(
        bytes[255],
        hex_array("3de2be346b539395b0c0de56a5ccca54a317f1b5c80107b0802af9a62276a4d8")
    );
    let digest: [u8; 32] = Sha256::digest(bytes.concat()).into();
    assert_eq!(
        digest,
        hex_array("1fcaea10bf24f750200e06fa473c76ff0468007291fa548e2d99f09ba9256fdb")
    );
}

#[test]
fn v18_every_part_of_a_statement_and_its_proof_is_bound() {
    let committer = Committer::new();
    // Not made by this library's prover.
    let sent = Sent::vector("16 openings, 5 polynomials");
    assert_eq!(sent.verdict(&committer), Ok(()));
    let rejected = |change: &dyn Fn(&mut Sent), what: &str| {
        let mut forged = sent.clone();
        change(&mut forged);
        assert_eq!(forged.verdict(&committer), Err(Error::NotProven), "{what}");
    };
    let other = |bytes: &[u8]| {
        let point = Element::from_bytes(bytes).unwrap();
        (point + Element::generator()).to_bytes()
    };
    for part in 0..17 {
        let place = 32 * part..32 * part + 32;
        let change = |forged: &mut Sent| {
            let bytes = other(&forged.proof[place.clone()]);
            forged.proof[place.clone()].copy_from_slice(&bytes);
        };
        rejected(&change, &format!("point {part} of the proof"));
    }
    let next = |bytes: &[u8]| {
        let scalar = Scalar::from_le_bytes(bytes.try_into().unwrap()).unwrap();
        (scalar + Scalar::ONE).to_le_bytes()
    };
    let change = |forged: &mut Sent| {
        let bytes = next(&forged.proof[544..]);
        forged.proof[544..].copy_from_slice(&bytes);
    };
    rejected(&change, "a");
    for i in 0..sent.points.len() {
        rejected(&|s| s.values[i] = next(&s.values[i]), &format!("y {i}"));
        rejected(
            &|s| s.commitments[i] = other(&s.commitments[i]),
            &format!("C {i}"),
        );
        for bit in 0..8 {
            rejected(&|s| s.points[i] ^= 1 << bit, &format!("z {i}"));
        }
    }
    rejected(&|s| s.label.push('x'), "the label");
}

#[test]
fn v24_small_scalars_are_repeated_additions() {
    let committers = [
        Committer::without_table(),
        Committer::generate(&Serial, Shape::new(1, 256).unwrap()).unwrap(),
        Committer::generate(&Serial, Shape::SMALL).unwrap(),
        Committer::generate(&Serial, Shape::new(128, 256).unwrap()).unwrap(),
    ];
    for index in [0u8, 1, 5, 255] {
        let generator = Element::from(GENERATORS[usize::from(index)]);
        let mut expected = Element::IDENTITY;
        for k in 0..=64u64 {
            let scalar = Scalar::from(k);
            let mut vector = vec![Scalar::ZERO; usize::from(index)];
            vector.push(scalar);
            for committer in &committers {
                assert_eq!(committer.commit(&vector), Ok(expected), "{k}·G{index}");
                assert_eq!(committer.mul(index, &scalar), expected);
                assert_eq!(committer.commit_sparse(&[(index, scalar)]), expected);
                let updated = committer.update(&generator, index, &scalar);
                assert_eq!(updated, expected + generator);
            }
            expected += generator;
        }
    }
}

#[test]
fn v29_results_do_not_depend_on_what_was_done_before() {
    fn shared<T: Send + Sync>(_: &T) {}
    let (committer, openings, proof) = polynomial_and_proof();
    shared(&committer);
    shared(&proof);
    shared(&openings);
    let vector: &Vector = &openings.polynomials[0];
    let expected = format!("{:?}", committer.commit(vector).unwrap());
    for k in 0..1000u64 {
        let k = Scalar::from(k);
        let other = committer.commit(&[k, -k, k * k]).unwrap();
        let _ = committer.update(&other, 3, &k);
    }
    let again = || format!("{:?}", committer.commit(vector).unwrap());
    assert_eq!(again(), expected);
    std::thread::scope(|scope| {
        let callers: Vec<_> = (0..8).map(|_| scope.spawn(again)).collect();
        for caller in callers {
            assert_eq!(caller.join().unwrap(), expected);
        }
    });
}

#[test]
fn v30_one_layout_and_no_other() {
    let committer = Committer::new();
    let sent = Sent::vector("16 openings, 5 polynomials");
    let proof = MultiProof::from_bytes(&sent.proof).unwrap();
    // D, L₀ … L₇, R₀ … R₇, a.
    let mut parts = vec![proof.d.to_bytes()];
    parts.extend(proof.ipa.l.iter().map(Affine::to_bytes));
    parts.extend(proof.ipa.r.iter().map(Affine::to_bytes));
    parts.push(proof.ipa.a.to_le_bytes());
    assert_eq!(parts.concat(), sent.proof);
    let mut swapped = parts.clone();
    swapped[1..17].rotate_left(8);
    let mut interleaved = parts.clone();
    for round in 0..8 {
        interleaved[1 + 2 * round] = parts[1 + round];
        interleaved[2 + 2 * round] = parts[9 + round];
    }
    let mut reversed = parts.clone();
    reversed[1..9].reverse();
    reversed[9..17].reverse();
    let mut last = parts.clone();
    last[..17].rotate_left(1);
    for wrong in [swapped, interleaved, reversed, last] {
        let mut forged = sent.clone();
        forged.proof = wrong.concat();
        assert_eq!(forged.verdict(&committer), Err(Error::NotProven));
    }
    // A scalar where a point stands is refused for what it is, or gives another statement.
    let mut forged = sent;
    forged.proof.rotate_right(32);
    assert!(forged.verdict(&committer).is_err());
}

#[test]
fn v31_identities_inside_of_a_proof_are_group_elements() {
    let (committer, openings, proof) = polynomial_and_proof();
    let claims = openings.claims();
    for part in 0..17 {
        let mut bytes = proof.to_bytes();
        bytes[32 * part..32 * part + 32].fill(0);
        let forged = MultiProof::from_bytes(&bytes).unwrap();
        assert_eq!(verdict(&committer, &claims, &forged), Err(Error::NotProven));
    }
    let mut forged = proof.clone();
    forged.ipa.l = [Affine::IDENTITY; 8];
    forged.ipa.r = [Affine::IDENTITY; 8];
    forged.d = Affine::IDENTITY;
    assert_eq!(verdict(&committer, &claims, &forged), Err(Error::NotProven));
}

#[test]
fn errors_name_the_part_that_is_wrong() {
    let (_, _, proof) = polynomial_and_proof();
    let part = |k: usize| match k {
        0 => ProofPart::D,
        1..9 => ProofPart::L(k as u8 - 1),
        _ => ProofPart::R(k as u8 - 9),
    };
    for k in 0..17 {
        let mut bytes = proof.to_bytes();
        bytes[32 * k..32 * k + 32].fill(0xff);
        let Err(Error::ProofPoint { part: found, .. }) = MultiProof::from_bytes(&bytes) else {
            panic!("part {k} was accepted");
        };
        assert_eq!(found, part(k));
    }
    let constant = boxed(vec![Scalar::ONE; 256]);
    let committer = Committer::without_table();
    let openings = Openings::new(&committer, vec![constant], &[(0, 0)]);
    let commitment = openings.commitments[0].to_bytes();
    let query = |commitment| EncodedQuery {
        commitment,
        point: 0,
        value: &[0; 32],
    };
    let bad = [0xff; 32];
    let mut queries = vec![query(&commitment); 70];
    queries[65].commitment = &bad;
    queries[68].commitment = &bad;
    for threads in 1..=4 {
        let found = lightproof::verkle::multiproof::verify_encoded_with(
            &Threads(threads),
            &committer,
            &mut Transcript::new(LABEL),
            &queries,
            &proof,
            &mut ScratchBuffer::new(70).scratch(),
        );
        assert!(
            matches!(found, Err(Error::Commitment { index: 65, .. })),
            "{found:?}"
        );
    }
}
