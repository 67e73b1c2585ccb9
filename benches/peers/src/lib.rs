//! What the differential tests and the measurements share: inputs from a counter, and the way
//! between our elements and arkworks'.

pub mod figures;
pub mod measure;
pub mod peak;

use ark_ec::CurveGroup;
use ark_ed_on_bls12_381_bandersnatch::{EdwardsAffine, EdwardsProjective};
use ark_ff::{BigInt, PrimeField};
use lightproof::curve::banderwagon::{Affine, Element};
use lightproof::field::{Montgomery, Params};
use lightproof::verkle::multiproof::{EncodedQuery, ProverQuery, VerifierQuery};
use lightproof::verkle::{Committer, Scalar, Vector, WIDTH, crs};

/// arkworks' field elements of N limbs.
pub trait Peer<const N: usize>: PrimeField<BigInt = BigInt<N>> {}
impl<F: PrimeField<BigInt = BigInt<N>>, const N: usize> Peer<N> for F {}

/// A stream of numbers that looks random and is the same in every run (SplitMix64: Steele,
/// Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Stream(u64);

impl Stream {
    /// A stream of its own for each `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next number.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Bytes.
    pub fn bytes<const L: usize>(&mut self) -> [u8; L] {
        let mut out = [0; L];
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
        out
    }

    /// A field element.
    pub fn element<P: Params<N>, const N: usize>(&mut self) -> Montgomery<P, N> {
        Montgomery::from_le_bytes_reduced(&self.bytes::<128>()[..16 * N])
    }

    /// A point of the prime subgroup of Bandersnatch.
    pub fn point(&mut self) -> EdwardsProjective {
        use ark_ec::{AdditiveGroup, PrimeGroup};
        let mut point = EdwardsProjective::generator();
        // A short walk: enough to leave no small multiple.
        for _ in 0..4 {
            point = point.mul_bigint([self.word()]).double() + EdwardsProjective::generator();
        }
        point
    }
}

/// Our element as arkworks'.
pub fn to_peer<A: Peer<N>, P: Params<N>, const N: usize>(a: &Montgomery<P, N>) -> A {
    A::from_bigint(BigInt(a.to_limbs())).expect("our numbers are below the modulus")
}

/// arkworks' element as ours.
pub fn from_peer<A: Peer<N>, P: Params<N>, const N: usize>(a: &A) -> Montgomery<P, N> {
    Montgomery::from_limbs(a.into_bigint().0)
}

/// A point of arkworks' in the prime subgroup, or its coset by (0, −1), as our element.
pub fn element(point: &EdwardsProjective) -> Element {
    affine(&point.into_affine()).into()
}

/// The same for an affine one.
pub fn affine(point: &EdwardsAffine) -> Affine {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(
        &from_peer::<_, lightproof::field::bls12_381_scalar::FqParams, 4>(&point.x).to_le_bytes(),
    );
    bytes[32..].copy_from_slice(
        &from_peer::<_, lightproof::field::bls12_381_scalar::FqParams, 4>(&point.y).to_le_bytes(),
    );
    Affine::from_uncompressed_le_bytes(&bytes).expect("a point of the group")
}

/// The representative in memory of our element, as a point of arkworks'.
pub fn point(element: &Element) -> EdwardsAffine {
    let (x, y) = element.to_affine().coordinates();
    EdwardsAffine::new_unchecked(to_peer(&x), to_peer(&y))
}

/// The coset's other representative: P + (0, −1) = (−x, −y).
pub fn other_representative(point: &EdwardsAffine) -> EdwardsAffine {
    EdwardsAffine::new_unchecked(-point.x, -point.y)
}

/// The polynomials f_i = f_0 + i at index 0, opened at 167·i mod 256.
#[derive(Debug)]
pub struct Statement {
    /// The polynomials.
    pub polynomials: Vec<Vector>,
    /// Their commitments.
    pub commitments: Vec<Element>,
}

impl Statement {
    /// `openings` polynomials.
    pub fn new(committer: &Committer<'_>, openings: usize) -> Self {
        let mut stream = Stream::new(4);
        let mut polynomial: Vector = [Scalar::ZERO; WIDTH];
        polynomial.fill_with(|| stream.element());
        let mut commitment = committer.commit(&polynomial).expect("256 scalars");
        let step = Element::from(crs::GENERATORS[0]);
        let mut out = Self {
            polynomials: Vec::new(),
            commitments: Vec::new(),
        };
        for _ in 0..openings {
            out.polynomials.push(polynomial);
            out.commitments.push(commitment);
            polynomial[0] += Scalar::ONE;
            commitment += step;
        }
        out
    }

    /// The first `openings` openings, to be proven.
    pub fn queries(&self, openings: usize) -> Vec<ProverQuery<'_>> {
        self.commitments
            .iter()
            .zip(&self.polynomials)
            .take(openings)
            .enumerate()
            .map(|(i, (commitment, polynomial))| ProverQuery {
                commitment,
                polynomial,
                point: (167 * i % WIDTH) as u8,
            })
            .collect()
    }
}

/// The bytes of claims as they travel: commitment and value.
pub fn encodings(claims: &[VerifierQuery<'_>]) -> Vec<[[u8; 32]; 2]> {
    claims
        .iter()
        .map(|c| [c.commitment.to_bytes(), c.value.to_le_bytes()])
        .collect()
}

/// Claims as they travel; `bytes` are their [`encodings`].
pub fn encoded<'a>(
    claims: &[VerifierQuery<'_>],
    bytes: &'a [[[u8; 32]; 2]],
) -> Vec<EncodedQuery<'a>> {
    bytes
        .iter()
        .zip(claims)
        .map(|([commitment, value], claim)| EncodedQuery {
            commitment,
            point: claim.point,
            value,
        })
        .collect()
}
