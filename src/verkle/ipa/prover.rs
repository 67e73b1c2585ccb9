//! The argument's prover.
//!
//! Folding the basis as the protocol says, G ← G_L + x⁻¹·G_R, would cost a scalar multiplication
//! for each of its elements. Instead a round's L and R are sums over an older basis, with the
//! folding put into the scalars: first over the generators, by the committer's table if it has
//! one; then over the basis folded as far as that, each of whose elements is one sum over the
//! generators. It is so short that sums over it cost less.

use alloc::vec::Vec;

use super::{round, start};
use crate::curve::Group;
use crate::exec::Executor;
use crate::field::Field;
use crate::msm::{msm_vartime, scratch_len};
use crate::verkle::crs::{GENERATORS, Q};
use crate::verkle::polynomial::{inner_product, lagrange_coefficients};
use crate::verkle::scratch::zero_vector;
use crate::verkle::{
    Affine, Committer, Element, Error, IpaProof, Precomputed, ROUNDS, Scalar, Transcript, Vector,
    WIDTH,
};

/// Rounds over the generators, with a table and without. One more halves the folded basis, and
/// with it all later rounds, but costs two sums over the generators.
const TABLE_ROUNDS: usize = 4;
const PLAIN_ROUNDS: usize = 3;

/// Proves the value at `z` of the polynomial `vector`, whose commitment is `commitment`
/// (that it is, is not checked: a proof for another commitment does not verify). Gives
/// the proof and the value. `exec` shares the two sums of a round, and the folding.
///
/// Memory: less than 64 KiB of heap, used again in each round; 160 KiB where there is no table.
/// Complexity: five dense commitments, and eight sums of nine multiples.
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
    let mut basis = Basis::new(committer);
    let mut sides = [Side::default(), Side::default()];
    let rounds = basis.rounds();
    for (k, (l, r)) in proof.l.iter_mut().zip(&mut proof.r).enumerate() {
        if k == rounds {
            basis = basis.fold(exec, &halves.folds)?;
            halves.folds.truncate(1);
        }
        exec.for_each_chunk(&mut sides, 1, |which, side| {
            for side in side {
                let q = halves.side(which, &mut side.scalars) * w;
                side.sum = side.over(&basis, &q);
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
    /// with coefficient folds\[top\]; the first is 1.
    folds: Vec<Scalar>,
}

impl Halves {
    fn new(vector: &Vector, z: &Scalar) -> Self {
        let mut b = zero_vector();
        lagrange_coefficients(z, &mut b);
        let mut folds = Vec::with_capacity(WIDTH >> PLAIN_ROUNDS);
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

/// What a round's sums are over.
enum Basis<'c> {
    /// The generators, by a table.
    Table(&'c Committer<'c>),
    /// The generators, or the folded basis.
    Points(Vec<Precomputed>),
}

impl<'c> Basis<'c> {
    fn new(committer: &'c Committer<'_>) -> Self {
        if committer.has_table() {
            Self::Table(committer)
        } else {
            Self::Points(GENERATORS.iter().copied().map(Precomputed::from).collect())
        }
    }

    /// Rounds after which the generators are folded.
    const fn rounds(&self) -> usize {
        match self {
            Self::Table(_) => TABLE_ROUNDS,
            Self::Points(_) => PLAIN_ROUNDS,
        }
    }

    /// From the generators the folded basis: Gᵢ′ = Σ folds\[j\]·G_{i + j·n} for its n elements.
    fn fold(&self, exec: &impl Executor, folds: &[Scalar]) -> Result<Self, Error> {
        let len = WIDTH / folds.len();
        let mut sums = alloc::vec![Ok(Element::IDENTITY); len];
        let chunk = exec.chunk_len(len, 1);
        exec.for_each_chunk(&mut sums, chunk, |first, slots| {
            let mut memory = Memory::default();
            let mut entries = Vec::with_capacity(folds.len());
            for (i, slot) in (first..).zip(slots) {
                let terms = (i..).step_by(len).zip(folds.iter().copied());
                *slot = match self {
                    Self::Table(committer) => {
                        entries.clear();
                        // Below WIDTH, so a byte.
                        entries.extend(terms.map(|(i, fold)| (i as u8, fold)));
                        Ok(committer.commit_sparse(&entries))
                    }
                    Self::Points(points) => {
                        memory.sum(terms.filter_map(|(i, fold)| Some((*points.get(i)?, fold))))
                    }
                };
            }
        });
        let sums = sums.into_iter().collect::<Result<Vec<Element>, Error>>()?;
        let mut affine = alloc::vec![Affine::IDENTITY; len];
        Element::batch_normalize(&sums, &mut affine);
        Ok(Self::Points(
            affine.into_iter().map(Precomputed::from).collect(),
        ))
    }
}

/// Memory for sums over points.
#[derive(Default)]
struct Memory {
    points: Vec<Precomputed>,
    canonical: Vec<[u8; 32]>,
    buckets: Vec<Element>,
}

impl Memory {
    /// Σ scalar·point; zeros are left out.
    fn sum(
        &mut self,
        terms: impl Iterator<Item = (Precomputed, Scalar)>,
    ) -> Result<Element, Error> {
        self.points.clear();
        self.canonical.clear();
        for (point, scalar) in terms.filter(|(_, scalar)| *scalar != Scalar::ZERO) {
            self.points.push(point);
            self.canonical.push(scalar.to_le_bytes());
        }
        let buckets = scratch_len(self.points.len());
        if self.buckets.len() < buckets {
            self.buckets.resize(buckets, Element::IDENTITY);
        }
        Ok(msm_vartime(
            &self.points,
            &self.canonical,
            &mut self.buckets,
        )?)
    }
}

/// L or R in the making.
struct Side {
    /// The scalars over the basis, half of which are zero.
    scalars: Vec<Scalar>,
    memory: Memory,
    sum: Result<Element, Error>,
}

impl Default for Side {
    fn default() -> Self {
        Self {
            scalars: Vec::with_capacity(WIDTH),
            memory: Memory::default(),
            sum: Ok(Element::IDENTITY),
        }
    }
}

impl Side {
    /// The sum over the basis, with q·Q.
    fn over(&mut self, basis: &Basis<'_>, q: &Scalar) -> Result<Element, Error> {
        match basis {
            Basis::Table(committer) => Ok(committer.commit_and_q(&self.scalars, q)?),
            Basis::Points(points) => {
                let terms = points.iter().copied().zip(self.scalars.iter().copied());
                self.memory.sum(terms.chain([(Q.into(), *q)]))
            }
        }
    }
}
