//! The argument's prover.
//!
//! Folding the basis as the protocol says, G ← G_L + x⁻¹·G_R, would cost a scalar multiplication
//! for each of its elements. Instead a round's L and R are sums over an older basis, with the
//! folding put into the scalars: over the generators for [`TABLE_ROUNDS`] rounds, so that the
//! committer's table serves them; then over the basis folded that far, whose elements are sums
//! of 2^TABLE_ROUNDS generators, from the table again. It is so short that the sums over it cost
//! less than the table's.

use alloc::vec::Vec;

use super::{round, start};
use crate::curve::Group;
use crate::exec::Executor;
use crate::field::Field;
use crate::msm::{msm_vartime, scratch_len};
use crate::verkle::crs::Q;
use crate::verkle::polynomial::{inner_product, lagrange_coefficients};
use crate::verkle::scratch::zero_vector;
use crate::verkle::{
    Affine, Committer, Element, Error, IpaProof, Precomputed, ROUNDS, Scalar, Transcript, Vector,
    WIDTH,
};

/// Rounds over the generators. Each more halves the folded basis, and with it all later rounds,
/// but costs a dense commitment.
const TABLE_ROUNDS: usize = 4;

/// Proves the value at `z` of the polynomial `vector`, whose commitment is `commitment`
/// (that it is, is not checked: a proof for another commitment does not verify). Gives
/// the proof and the value. `exec` shares the two sums of a round, and the folding.
///
/// Memory: 60 KiB of heap, used again in each round. Complexity: five dense commitments, eight
/// multiples of Q, and eight sums of nine multiples.
///
/// # Errors
/// [`Error::Challenge`], once in 2^250 proofs.
pub fn prove(
    exec: &impl Executor,
    committer: &Committer<'_>,
    transcript: &mut Transcript,
    commitment: &Element,
    vector: &Vector,
    z: &Scalar,
) -> Result<(IpaProof, Scalar), Error> {
    let mut halves = Halves::new(vector, z);
    let y = inner_product(&halves.a, &halves.b);
    let w = start(transcript, &commitment.to_bytes(), z, &y)?;
    let mut proof = IpaProof {
        l: [Affine::IDENTITY; ROUNDS],
        r: [Affine::IDENTITY; ROUNDS],
        a: Scalar::ZERO,
    };
    let mut sides = [Side::default(), Side::default()];
    let mut basis = Vec::new();
    for (k, (l, r)) in proof.l.iter_mut().zip(&mut proof.r).enumerate() {
        if k == TABLE_ROUNDS {
            basis = fold_basis(exec, committer, &halves.folds);
            halves.folds.truncate(1);
        }
        exec.for_each_chunk(&mut sides, 1, |which, side| {
            for side in side {
                let q = halves.side(which, &mut side.scalars) * w;
                side.sum = if basis.is_empty() {
                    side.over_generators(committer, &q)
                } else {
                    side.over_basis(&basis, &q)
                };
            }
        });
        let sums = [sides[0].sum?, sides[1].sum?];
        let mut affine = [Affine::IDENTITY; 2];
        Element::batch_normalize(&sums, &mut affine);
        [*l, *r] = affine;
        let x = round(transcript, l, r)?;
        halves.fold(&x, &x.invert_vartime().ok_or(Error::Challenge)?);
    }
    proof.a = halves.a[0];
    Ok((proof, y))
}

/// The vectors that are halved in each round.
struct Halves {
    a: Vec<Scalar>,
    b: Vec<Scalar>,
    /// Element (top, low) of the basis that sums are over stands in the folded basis at `low`
    /// with coefficient folds[top]; the first is 1.
    folds: Vec<Scalar>,
}

impl Halves {
    fn new(vector: &Vector, z: &Scalar) -> Self {
        let mut b = zero_vector();
        lagrange_coefficients(z, &mut b);
        let most = TABLE_ROUNDS.max(ROUNDS - TABLE_ROUNDS);
        let mut folds = Vec::with_capacity(1 << most);
        folds.push(Scalar::ONE);
        Self {
            a: vector.to_vec(),
            b: (b as alloc::boxed::Box<[Scalar]>).into_vec(),
            folds,
        }
    }

    /// L's scalars (side 0) or R's (side 1) over the basis, without Q's; gives their inner
    /// product with b.
    fn side(&self, side: usize, scalars: &mut Vec<Scalar>) -> Scalar {
        let half = self.a.len() / 2;
        let (a_low, a_high) = self.a.split_at(half);
        let (b_low, b_high) = self.b.split_at(half);
        let (a, b, at) = match side {
            0 => (a_high, b_low, 0),
            _ => (a_low, b_high, half),
        };
        scalars.clear();
        scalars.resize(2 * half * self.folds.len(), Scalar::ZERO);
        for (block, fold) in scalars.chunks_mut(2 * half).zip(&self.folds) {
            for (slot, a) in block.iter_mut().skip(at).zip(a) {
                *slot = *a * *fold;
            }
        }
        inner_product(a, b)
    }

    /// a ← a_L + x·a_R, b ← b_L + x⁻¹·b_R, and each fold becomes itself and x⁻¹ times itself.
    fn fold(&mut self, x: &Scalar, x_inverse: &Scalar) {
        for (values, x) in [(&mut self.a, x), (&mut self.b, x_inverse)] {
            let half = values.len() / 2;
            let (low, high) = values.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                *low += *x * *high;
            }
            values.truncate(half);
        }
        let count = self.folds.len();
        self.folds.resize(2 * count, Scalar::ZERO);
        for i in (0..count).rev() {
            let fold = self.folds[i];
            self.folds[2 * i] = fold;
            self.folds[2 * i + 1] = fold * *x_inverse;
        }
    }
}

/// The folded basis: Gᵢ′ = Σ folds\[j\]·G_{i + j·n} for its n elements.
fn fold_basis(
    exec: &impl Executor,
    committer: &Committer<'_>,
    folds: &[Scalar],
) -> Vec<Precomputed> {
    let len = WIDTH / folds.len();
    let mut sums = alloc::vec![Element::IDENTITY; len];
    let chunk = exec.chunk_len(len, 1);
    exec.for_each_chunk(&mut sums, chunk, |first, slots| {
        let mut terms = Vec::with_capacity(folds.len());
        for (i, slot) in (first..).zip(slots) {
            terms.clear();
            // Below WIDTH, so a byte.
            terms.extend(
                (i..)
                    .step_by(len)
                    .map(|i| i as u8)
                    .zip(folds.iter().copied()),
            );
            *slot = committer.commit_sparse(&terms);
        }
    });
    let mut affine = alloc::vec![Affine::IDENTITY; len];
    Element::batch_normalize(&sums, &mut affine);
    affine.into_iter().map(Precomputed::from).collect()
}

/// L or R in the making.
struct Side {
    /// The scalars over the basis, half of which are zero.
    scalars: Vec<Scalar>,
    /// The terms of a sum over the folded basis, and the memory for it.
    points: Vec<Precomputed>,
    canonical: Vec<[u8; 32]>,
    buckets: Vec<Element>,
    sum: Result<Element, Error>,
}

impl Default for Side {
    fn default() -> Self {
        let terms = (WIDTH >> TABLE_ROUNDS) / 2 + 1;
        Self {
            scalars: Vec::with_capacity(WIDTH),
            points: Vec::with_capacity(terms),
            canonical: Vec::with_capacity(terms),
            buckets: alloc::vec![Element::IDENTITY; scratch_len(terms)],
            sum: Ok(Element::IDENTITY),
        }
    }
}

impl Side {
    /// Σ scalars·G + q·Q.
    fn over_generators(&self, committer: &Committer<'_>, q: &Scalar) -> Result<Element, Error> {
        Ok(committer.commit(&self.scalars)? + Element::from(Q).mul_vartime(q))
    }

    /// Σ scalars·G′ + q·Q.
    fn over_basis(&mut self, basis: &[Precomputed], q: &Scalar) -> Result<Element, Error> {
        let q_term = (Precomputed::from(Q), *q);
        let terms = basis.iter().copied().zip(self.scalars.iter().copied());
        self.points.clear();
        self.canonical.clear();
        for (point, scalar) in terms.chain([q_term]) {
            if scalar != Scalar::ZERO {
                self.points.push(point);
                self.canonical.push(scalar.to_le_bytes());
            }
        }
        Ok(msm_vartime(
            &self.points,
            &self.canonical,
            &mut self.buckets,
        )?)
    }
}
