//! Faults that comparable software had on some platform or in some build: K37, K44 to K46,
//! K50, K60. `known_faults.md` beside this file says which test is for which fault.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::statement::{LABEL, Openings, Sent, dense};
use lightproof::curve::Addend;
use lightproof::exec::{Executor, Serial, Threads};
use lightproof::field::bandersnatch_scalar::Fr;
use lightproof::field::bls12_381_scalar::Fq;
use lightproof::field::{Field, PrimeField};
use lightproof::msm;
use lightproof::table::{Shape, Table, TableError, entries_len, generate_into};
use lightproof::verkle::crs::GENERATORS;
use lightproof::verkle::multiproof::{
    prove, prove_with, verify, verify_encoded, verify_encoded_with, verify_with,
};
use lightproof::verkle::polynomial::{add_quotient, lagrange_coefficients};
use lightproof::verkle::{
    Affine, Committer, Element, EncodedQuery, Error, IpaProof, MultiProof, Precomputed,
    ProverQuery, Scalar, ScratchBuffer, TABLE_BASES, TableEntry, TablePoint, Transcript,
    VerifierQuery, Workspace, ipa, scratch_bytes,
};

/// A field against plain integers modulo its order.
macro_rules! field_agrees {
    ($field:ty, $uint:ty, $order:expr, $label:literal) => {{
        use crypto_bigint::{NonZero, Odd};
        let order = NonZero::new($order).unwrap();
        let odd = Odd::new($order).unwrap();
        let uint = |f: &$field| <$uint>::from_le_slice(f.to_repr().as_ref());
        let field = |u: &$uint| {
            let bytes = u.to_le_bytes();
            <$field>::from_le_bytes(bytes.as_ref().try_into().unwrap()).unwrap()
        };
        let mut edges: Vec<$uint> = Vec::new();
        let bits = <$uint>::BITS;
        let one = <$uint>::ONE;
        let half = order.shr_vartime(1);
        let near = [order.wrapping_sub(&one), half, half.wrapping_add(&one)];
        edges.extend(near);
        for k in 0..bits {
            let power = one.shl_vartime(k);
            edges.extend([power, power.wrapping_sub(&one), order.wrapping_sub(&power)]);
        }
        // R = 2^bits and its inverse; each limb all ones and the others zero.
        let r = <$uint>::MAX.rem_vartime(&order).add_mod(&one, &order);
        edges.extend([r, r.invert_odd_mod(&odd).unwrap()]);
        for limb in 0..bits / 64 {
            let ones = <$uint>::from(u64::MAX).shl_vartime(64 * limb);
            edges.extend([ones, !ones]);
        }
        let edges: Vec<$uint> = edges.iter().map(|e| e.rem_vartime(&order)).collect();
        let check = |a: &$uint, b: &$uint| {
            let (x, y) = (field(a), field(b));
            assert_eq!(uint(&(x * y)), a.mul_mod(b, &order), "{a} · {b}");
            assert_eq!(uint(&(x + y)), a.add_mod(b, &order), "{a} + {b}");
            assert_eq!(uint(&(x - y)), a.sub_mod(b, &order), "{a} − {b}");
        };
        let check_one = |a: &$uint| {
            use lightproof::field::Ring;
            let x = field(a);
            assert_eq!(uint(&x), *a);
            assert_eq!(uint(&-x), a.neg_mod(&order), "−{a}");
            assert_eq!(uint(&x.square()), a.mul_mod(a, &order), "{a}²");
            assert_eq!(uint(&x.double()), a.add_mod(a, &order), "2·{a}");
            let inverse: Option<$uint> = a.invert_odd_mod(&odd).into();
            assert_eq!(x.invert_vartime().map(|i| uint(&i)), inverse, "1/{a}");
            assert_eq!(x.invert().map(|i| uint(&i)), inverse, "1/{a}");
            let euler = x.pow(half.as_words());
            let symbol = match euler {
                e if e == <$field>::ONE => 1,
                e if e == <$field>::ZERO => 0,
                _ => -1,
            };
            assert_eq!(x.legendre_vartime(), symbol, "({a}/p)");
        };
        for a in &edges {
            check_one(a);
            for b in &edges[..16] {
                check(a, b);
                check(b, a);
            }
        }
        let random = |i: u64| {
            let bytes = [
                common::h(concat!("k37/", $label), 2 * i),
                common::h(concat!("k37/", $label), 2 * i + 1),
            ]
            .concat();
            <$uint>::from_le_slice(&bytes[..<$uint>::BYTES]).rem_vartime(&order)
        };
        // Random operands: each is hashed once and used with several others.
        let pool: Vec<$uint> = (0..64 + common::scaled(500) as u64).map(random).collect();
        for (i, a) in pool.iter().enumerate() {
            check_one(a);
            for b in pool.iter().skip(i % 3).step_by(3) {
                check(a, b);
            }
        }
    }};
}

#[test]
fn k37_fields_agree_with_plain_integers_at_every_edge() {
    use crypto_bigint::{U256, U384};
    use lightproof::field::{bls12_381_base, ed25519_base, ed25519_scalar, helioselene};
    // The orders, as their definitions write them.
    let q = U256::from_be_hex("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001");
    let r = U256::from_be_hex("1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e1");
    let p = U384::from_be_hex(concat!(
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf",
        "6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab"
    ));
    let p25519 =
        U256::from_be_hex("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
    let l = U256::from_be_hex("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");
    let helioselene =
        U256::from_be_hex("7fffffffffffffffffffffffffffffffbf7f782cb7656b586eb6d2727927c79f");
    field_agrees!(Fq, U256, q, "q");
    field_agrees!(Fr, U256, r, "r");
    field_agrees!(bls12_381_base::Fp, U384, p, "p");
    field_agrees!(ed25519_base::F25519, U256, p25519, "25519");
    field_agrees!(ed25519_scalar::Scalar25519, U256, l, "l");
    field_agrees!(helioselene::FHelioselene, U256, helioselene, "helioselene");
}

#[test]
fn k44_sizes_do_not_wrap() {
    let max = usize::MAX;
    let fits = max >> 15;
    let shape = Shape::new(1 << 15, 256).unwrap();
    assert_eq!(entries_len::<Element>(fits, shape), Ok(fits << 15));
    for bases in [fits + 1, max / 2, max] {
        let too_large = TableError::TooLarge { bases };
        assert_eq!(entries_len::<Element>(bases, shape), Err(too_large));
        assert!(Shape::new(1, bases as u32).is_err());
    }
    for window in [0, 17, 31, 32, 33, 63, 64, 65, u32::MAX] {
        let mut one = [Element::IDENTITY];
        let scalar = [Scalar::ONE.to_le_bytes()];
        for sum in [
            msm::pippenger_with_window(&[Affine::GENERATOR], &scalar, window, &mut one),
            msm::straus_with_window(&[Affine::GENERATOR], &scalar, window, &mut one),
        ] {
            assert!(sum.is_err());
        }
    }
    assert_eq!(scratch_bytes(max, 1), max);
    assert_eq!(scratch_bytes(1, max), max);
    assert!(scratch_bytes(0, 0) > 0);
    for n in [0, 1, 1 << 16, max >> 1, max] {
        let buckets = msm::scratch_len(n);
        assert!((msm::MIN_SCRATCH..=1 << 20).contains(&buckets));
        assert!(Serial.chunk_len(n, 64) >= 64);
        assert!(Threads(max).chunk_len(n, 64) >= 64);
    }
    for value in [1 << 31, 1 << 32, 1 << 63, u64::MAX] {
        let mut sum = Scalar::ONE;
        for _ in 0..value.ilog2() {
            sum += sum;
        }
        let rest = value - (1 << value.ilog2());
        assert_eq!(sum + Scalar::from(rest), Scalar::from(value));
        assert_eq!(Scalar::from(value).to_limbs(), [value, 0, 0, 0]);
    }
}

#[test]
fn k46_every_window_works_or_is_refused_and_its_memory_is_known_before() {
    let scalars = [-Scalar::ONE, Scalar::from(0x1_0001)];
    let generators = &GENERATORS[..2];
    let expected: Element = generators
        .iter()
        .zip(&scalars)
        .map(|(g, s)| Element::from(*g).mul_vartime(s))
        .sum();
    let straus = (0..16).map(|bit| (1 << bit, 256));
    for (multiples, spacing) in straus.chain([(1, 1), (1, 10), (5, 11), (128, 16), (3, 255)]) {
        let shape = Shape::new(multiples, spacing).unwrap();
        let entries = entries_len::<Element>(2, shape).unwrap();
        let positions = 252 / spacing + 1;
        assert_eq!(entries, 2 * (multiples * positions) as usize);
        // The caller's budget is the memory that it lends: neither less nor more.
        let mut memory = vec![Precomputed::from(Affine::IDENTITY); entries + 1];
        for given in [entries - 1, entries + 1] {
            let refused = generate_into::<Element>(generators, shape, &mut memory[..given]);
            let error = TableError::Entries {
                needed: entries,
                given,
            };
            assert_eq!(refused, Err(error));
        }
        with_stack(STACK_KIB, || {
            let memory = &mut memory[..entries];
            generate_into::<Element>(generators, shape, memory).unwrap();
            let table: Table<'_, Element> = Table::from_entries(2, shape, memory).unwrap();
            assert_eq!(table.msm_vartime(&scalars), Ok(expected), "{shape:?}");
        });
    }
}

/// Runs `work` in a thread with `kib` KiB of stack.
fn with_stack(kib: usize, work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(kib << 10)
            .spawn_scoped(scope, work)
            .unwrap()
            .join()
            .unwrap();
    });
}

/// Half of the stack that this library promises to be content with.
const STACK_KIB: usize = 32;

#[test]
fn k45_every_function_runs_on_64_kib_of_stack() {
    // A thread that used more would end the process.
    let list: Vec<(usize, u8)> = (0..300).map(|i| (i % 3, (i * 7) as u8)).collect();
    let (table, plain) = (Committer::new(), Committer::without_table());
    let openings = Openings::new(&table, dense(3), &list);
    let proof = openings.prove(&table);
    let (bytes, longer) = (proof.to_bytes(), proof.to_uncompressed_bytes());
    let claims = openings.claims();
    let commitments: Vec<[u8; 32]> = claims.iter().map(|c| c.commitment.to_bytes()).collect();
    let values: Vec<[u8; 32]> = claims.iter().map(|c| c.value.to_le_bytes()).collect();
    let encoded: Vec<EncodedQuery<'_>> = (0..claims.len())
        .map(|i| EncodedQuery {
            commitment: &commitments[i],
            point: claims[i].point,
            value: &values[i],
        })
        .collect();
    for committer in [&table, &plain] {
        with_stack(STACK_KIB, || prover_calls(committer, &openings, &proof));
        with_stack(STACK_KIB, || {
            assert_eq!(MultiProof::from_bytes(&bytes).as_ref(), Ok(&proof));
            let again = MultiProof::from_uncompressed_bytes(&longer);
            assert_eq!(again.as_ref(), Ok(&proof));
            let mut memory = ScratchBuffer::new(claims.len());
            let mut scratch = memory.scratch();
            let t = || Transcript::new(LABEL);
            let verdicts = [
                verify(committer, &mut t(), &claims, &proof, &mut scratch),
                verify_encoded(committer, &mut t(), &encoded, &proof, &mut scratch),
                verify_with(
                    &Threads(2),
                    committer,
                    &mut t(),
                    &claims,
                    &proof,
                    &mut scratch,
                ),
                verify_encoded_with(
                    &Threads(2),
                    committer,
                    &mut t(),
                    &encoded,
                    &proof,
                    &mut scratch,
                ),
            ];
            assert_eq!(verdicts, [Ok(()); 4]);
        });
        with_stack(STACK_KIB, || other_calls(committer, &openings));
    }
    with_stack(STACK_KIB, || table_calls(&openings));
}

fn prover_calls(committer: &Committer<'_>, openings: &Openings, proof: &MultiProof) {
    let queries: Vec<ProverQuery<'_>> = openings.prover();
    let made = prove(committer, &mut Transcript::new(LABEL), &queries);
    assert_eq!(made.as_ref(), Ok(proof));
    let mut transcript = Transcript::new(LABEL);
    let made = prove_with(&Threads(2), committer, &mut transcript, &queries);
    assert_eq!(made.as_ref(), Ok(proof));
}

fn other_calls(committer: &Committer<'_>, openings: &Openings) {
    let (vector, commitment) = (&openings.polynomials[0], &openings.commitments[0]);
    let z = Scalar::from(1 << 33);
    let transcript = || Transcript::new(LABEL);
    let (proof, y) = ipa::prove(
        &Serial,
        committer,
        &mut transcript(),
        commitment,
        vector,
        &z,
    )
    .unwrap();
    assert_eq!(IpaProof::from_bytes(&proof.to_bytes()).as_ref(), Ok(&proof));
    let mut memory = ScratchBuffer::new(0);
    let verdict = ipa::verify(
        committer,
        &mut transcript(),
        commitment,
        &z,
        &y,
        &proof,
        &mut memory.scratch(),
    );
    assert_eq!(verdict, Ok(()));
    assert_eq!(committer.commit(&vector[..]), Ok(*commitment));
    let vectors = [&vector[..]; 3];
    let mut out = [Element::IDENTITY; 3];
    committer.commit_batch(&Serial, &vectors, &mut out).unwrap();
    let _ = committer.commit_sparse(&[(1, z), (200, y)]);
    let _ = committer.update(commitment, 255, &z);
    let mut out = vec![Scalar::ZERO; 256];
    let out = out.first_chunk_mut().unwrap();
    add_quotient(vector, 255, out);
    lagrange_coefficients(&z, out);
    let _ = commitment.map_to_scalar();
    let _ = Element::from_bytes(&commitment.to_bytes());
    let points = vec![Affine::from(*commitment); 300];
    let scalars = vec![y.to_le_bytes(); 300];
    let mut buckets = vec![Element::IDENTITY; msm::scratch_len(300)];
    let sum = msm::msm_vartime(&points, &scalars, &mut buckets).unwrap();
    let threaded = msm::msm_with(&Threads(2), &points, &vec![y; 300]).unwrap();
    assert_eq!(sum, threaded);
}

fn table_calls(openings: &Openings) {
    let committer = Committer::generate(&Threads(2), Shape::new(32, 256).unwrap()).unwrap();
    let commitment = committer.commit(&openings.polynomials[1][..]).unwrap();
    assert_eq!(commitment, openings.commitments[1]);
    let shape = Shape::SMALL;
    let len = entries_len::<TablePoint>(TABLE_BASES, shape).unwrap();
    let mut entries = vec![<TableEntry as Addend<TablePoint>>::IDENTITY; len];
    let committer = Committer::generate_into(shape, &mut entries).unwrap();
    let commitment = committer.commit(&openings.polynomials[2][..]).unwrap();
    assert_eq!(commitment, openings.commitments[2]);
    let table = Table::from_entries(TABLE_BASES, shape, &entries).unwrap();
    let committer = Committer::with_table(table).unwrap();
    let commitment = committer.commit(&openings.polynomials[2][..]).unwrap();
    assert_eq!(commitment, openings.commitments[2]);
}

#[test]
fn k45_memory_may_stand_in_a_static() {
    use std::sync::Mutex;
    static MEMORY: Mutex<Workspace<16, { msm::MIN_SCRATCH }>> = Mutex::new(Workspace::new());
    let sent = Sent::vector("3 openings, leaf-shaped polynomials");
    let proof = MultiProof::from_bytes(&sent.proof).unwrap();
    let committer = Committer::without_table();
    with_stack(STACK_KIB, || {
        let queries: Vec<EncodedQuery<'_>> = (0..sent.points.len())
            .map(|i| EncodedQuery {
                commitment: &sent.commitments[i],
                point: sent.points[i],
                value: &sent.values[i],
            })
            .collect();
        let verdict = verify_encoded(
            &committer,
            &mut Transcript::new(&sent.label),
            &queries,
            &proof,
            &mut MEMORY.lock().unwrap().scratch(),
        );
        assert_eq!(verdict, Ok(()));
    });
}

#[test]
fn k50_eight_callers_at_once_get_the_same_bytes() {
    let committer = Committer::new();
    let list: Vec<(usize, u8)> = (0..70).map(|i| (i % 3, i as u8)).collect();
    let openings = Openings::new(&committer, dense(3), &list);
    let expected = openings.prove(&committer).to_bytes();
    let call = |threads: usize| {
        let mut transcript = Transcript::new(LABEL);
        let queries = openings.prover();
        let proof = prove_with(&Threads(threads), &committer, &mut transcript, &queries).unwrap();
        assert_eq!(proof.to_bytes(), expected);
        let claims: Vec<VerifierQuery<'_>> = openings.claims();
        let verdict = verify_with(
            &Threads(threads),
            &committer,
            &mut Transcript::new(LABEL),
            &claims,
            &proof,
            &mut ScratchBuffer::new(claims.len()).scratch(),
        );
        assert_eq!(verdict, Ok::<(), Error>(()));
        let table = Committer::generate(&Threads(threads), Shape::SMALL).unwrap();
        let commitment = table.commit(&openings.polynomials[0][..]).unwrap();
        assert_eq!(commitment, openings.commitments[0]);
    };
    std::thread::scope(|scope| {
        for threads in 0..8 {
            scope.spawn(move || call(threads));
        }
    });
    // Inside of the executor's own threads.
    Threads(4).for_each_chunk(&mut [(); 8], 1, |first, _| call(first % 4));
    // By default nothing but the calling thread works: an executor is asked for, or Serial.
    assert_eq!(Serial.parallelism(), 1);
}

#[test]
fn k60_no_public_way_gives_a_scalar_that_is_not_reduced() {
    use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
    let order: [u8; 32] =
        common::hex_array("e1e77628b506fd747104197400878fff007668020276ce0c525f67cad469fb1c");
    let limbs = |bytes: &[u8; 32]| -> [u64; 4] {
        core::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap()))
    };
    let below = |scalar: Scalar| {
        let bytes = scalar.to_le_bytes();
        assert!(bytes.iter().rev().lt(order.iter().rev()), "{scalar:?}");
        // The only value with these bytes.
        assert_eq!(Scalar::from_le_bytes(&bytes), Some(scalar));
        assert_eq!(Scalar::from_limbs(limbs(&bytes)), scalar);
        scalar
    };
    let mut inputs = vec![order, [0xff; 32], [0; 32]];
    for add in [1u8, 2] {
        let mut next = order;
        next[0] += add;
        inputs.push(next);
    }
    inputs.extend((0..common::scaled(2000) as u64).map(|i| common::h("k60", i)));
    for bytes in &inputs {
        let is_below = bytes.iter().rev().lt(order.iter().rev());
        assert_eq!(Scalar::from_le_bytes(bytes).is_some(), is_below);
        assert_eq!(<Scalar as PrimeField>::from_repr(bytes).is_some(), is_below);
        let mut reversed = *bytes;
        reversed.reverse();
        assert_eq!(Scalar::from_be_bytes(&reversed).is_some(), is_below);
        let value = below(Scalar::from_limbs(limbs(bytes)));
        assert_eq!(below(Scalar::from_le_bytes_reduced(bytes)), value);
        assert_eq!(below(Scalar::from_be_bytes_reduced(&reversed)), value);
        below(Scalar::from_le_bytes_reduced(&[*bytes, *bytes].concat()));
        let low = u128::from_le_bytes(bytes[..16].try_into().unwrap());
        below(Scalar::from_u128(low));
        below(Scalar::from(low as u64));
        let selected = Scalar::conditional_select(&value, &-value, Choice::from(bytes[9] & 1));
        below(selected);
        let same = selected.ct_eq(&value);
        assert_eq!(bool::from(same), selected == value);
        for result in [value + value, -value, value - Scalar::ONE, value * value] {
            below(result);
        }
        below(value.invert_vartime().unwrap_or_default());
        below(value.pow(&limbs(bytes)));
    }
    assert_eq!(below(-Scalar::ONE) + Scalar::ONE, Scalar::ZERO);
}
