//! The multiproof's prover.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{MultiProof, Statement, evaluation_point, normalize};
use crate::curve::Addend;
use crate::exec::{Executor, Serial};
use crate::field::{LazySum, batch};
use crate::verkle::polynomial::add_quotient;
use crate::verkle::scratch::zero_vector;
use crate::verkle::{
    Affine, Committer, Element, Error, Precomputed, Scalar, Transcript, Vector, WIDTH, ipa,
};

/// An opening to prove: the value of `polynomial` at `point`.
#[derive(Clone, Copy, Debug)]
pub struct ProverQuery<'a> {
    /// The commitment to the polynomial.
    pub commitment: &'a Element,
    /// The polynomial's values on the domain.
    pub polynomial: &'a Vector,
    /// The point of the domain.
    pub point: u8,
}

impl ProverQuery<'_> {
    /// The value that is proven.
    pub fn value(&self) -> Scalar {
        self.polynomial[usize::from(self.point)]
    }
}

/// Proves all `queries`, in their order.
///
/// That each commitment is its polynomial's is not checked (it would cost more than the
/// proof): a proof for another commitment does not verify.
///
/// Memory: about 110 bytes an opening, 8 KiB for each different point. Complexity: 256
/// products an opening, and ten commitments.
///
/// # Errors
/// No openings, or too many.
pub fn prove(
    committer: &Committer<'_>,
    transcript: &mut Transcript,
    queries: &[ProverQuery<'_>],
) -> Result<MultiProof, Error> {
    prove_with(&Serial, committer, transcript, queries)
}

/// As [`prove`], where `exec` shares the work. The proof is the same to the bit.
///
/// # Errors
/// As there.
pub fn prove_with(
    exec: &impl Executor,
    committer: &Committer<'_>,
    transcript: &mut Transcript,
    queries: &[ProverQuery<'_>],
) -> Result<MultiProof, Error> {
    if queries.is_empty() {
        return Err(Error::NoOpenings);
    }
    if u32::try_from(queries.len()).is_err() {
        return Err(Error::TooManyOpenings);
    }
    let (transcript, r) = append_openings(exec, transcript, queries);
    let groups = Groups::new(exec, queries, &r);

    let quotient = groups.quotient(exec);
    let d = Affine::from(committer.commit(&quotient[..])?);
    let t = evaluation_point(transcript, &d, &r)?;
    let mut combined = groups.combine(exec, &t);
    let e = Affine::from(committer.commit(&combined[..])?);
    transcript.append_point("E", &e.to_bytes());

    for (h, g) in combined.iter_mut().zip(quotient.iter()) {
        *h -= g;
    }
    let difference = Element::from(e) - Element::from(d);
    let (ipa, _) = ipa::prove(exec, committer, transcript, &difference, &combined, &t)?;
    Ok(MultiProof { d, ipa })
}

/// Appends all openings and draws r.
fn append_openings<'t>(
    exec: &impl Executor,
    transcript: &'t mut Transcript,
    queries: &[ProverQuery<'_>],
) -> (&'t mut Transcript, Scalar) {
    /// Openings that are normalised together, so that their memory stays small.
    const BATCH: usize = 4096;
    let mut statement = Statement::new(transcript);
    let mut points =
        alloc::vec![<Precomputed as Addend<Element>>::IDENTITY; queries.len().min(BATCH)];
    for batch in queries.chunks(BATCH) {
        let points = &mut points[..batch.len()];
        let chunk = exec.chunk_len(points.len(), 64);
        exec.for_each_chunk(points, chunk, |first, slots| {
            normalize(
                batch.iter().skip(first).map(|query| query.commitment),
                slots,
            );
        });
        for (point, query) in points.iter().zip(batch) {
            statement.append(&point.to_bytes(), query.point, &query.value());
        }
    }
    statement.combine()
}

/// The openings by point: F_z = Σ rⁱ·fᵢ over those at z, for each z that occurs.
struct Groups {
    points: Vec<u8>,
    /// WIDTH values for each of `points`.
    sums: Vec<Scalar>,
}

/// Coefficients that one piece of the grouping sums: their lazy sums are 2.3 KiB of stack.
const PIECE: usize = 32;

impl Groups {
    fn new(exec: &impl Executor, queries: &[ProverQuery<'_>], r: &Scalar) -> Self {
        let mut power = Scalar::ONE;
        let mut powers = Vec::with_capacity(queries.len());
        for _ in queries {
            powers.push(power);
            power *= *r;
        }
        // Openings sorted by point (a counting sort): members[starts[z]..starts[z + 1]].
        let mut starts = alloc::vec![0u32; WIDTH + 1];
        for query in queries {
            starts[usize::from(query.point) + 1] += 1;
        }
        for z in 0..WIDTH {
            starts[z + 1] += starts[z];
        }
        let mut next = starts.clone();
        let mut members = alloc::vec![0u32; queries.len()];
        for (i, query) in (0u32..).zip(queries) {
            let slot = &mut next[usize::from(query.point)];
            members[*slot as usize] = i;
            *slot += 1;
        }
        let points: Vec<u8> = (0..=255u8)
            .filter(|z| starts[usize::from(*z)] < starts[usize::from(*z) + 1])
            .collect();
        let group =
            |z: u8| &members[starts[usize::from(z)] as usize..starts[usize::from(z) + 1] as usize];

        // One piece sums a few coefficients of one group, so that a group with most of the
        // openings (0, 1 and 2 are the commonest points) is shared as well.
        let mut sums = alloc::vec![Scalar::ZERO; WIDTH * points.len()];
        exec.for_each_chunk(&mut sums, PIECE, |first, piece| {
            let start = first % WIDTH;
            let mut lazy = [LazySum::ZERO; PIECE];
            for i in group(points[first / WIDTH]) {
                let (query, power) = (&queries[*i as usize], &powers[*i as usize]);
                for (sum, f) in lazy.iter_mut().zip(&query.polynomial[start..]) {
                    sum.add_product(f, power);
                }
            }
            for (slot, sum) in piece.iter_mut().zip(&lazy) {
                *slot = sum.reduce();
            }
        });
        Self { points, sums }
    }

    /// F_z for each of `points`.
    fn vectors(&self) -> &[Vector] {
        self.sums.as_chunks::<WIDTH>().0
    }

    /// g = Σ (F_z − F_z(z)) / (X − z).
    fn quotient(&self, exec: &impl Executor) -> Box<Vector> {
        let pieces = exec.parallelism().clamp(1, self.points.len().max(1));
        let mut partial = alloc::vec![Scalar::ZERO; WIDTH * pieces];
        let (parts, _) = partial.as_chunks_mut::<WIDTH>();
        exec.for_each_chunk(parts, 1, |piece, slots| {
            for slot in slots {
                for (z, sum) in self
                    .points
                    .iter()
                    .zip(self.vectors())
                    .skip(piece)
                    .step_by(pieces)
                {
                    add_quotient(sum, *z, slot);
                }
            }
        });
        let mut out = zero_vector();
        for part in partial.chunks(WIDTH) {
            for (slot, value) in out.iter_mut().zip(part) {
                *slot += value;
            }
        }
        out
    }

    /// h = Σ F_z / (t − z).
    fn combine(&self, exec: &impl Executor, t: &Scalar) -> Box<Vector> {
        let mut inverses: Vec<Scalar> = self
            .points
            .iter()
            .map(|z| *t - Scalar::from_u64(u64::from(*z)))
            .collect();
        batch::invert(&mut inverses);
        let mut out = zero_vector();
        exec.for_each_chunk(&mut out[..], PIECE, |first, piece| {
            for (k, slot) in piece.iter_mut().enumerate() {
                let column = self.vectors().iter().map(|sum| &sum[first + k]);
                *slot = Scalar::sum_of_products(column.zip(&inverses));
            }
        });
        out
    }
}
