//! The multiproof's prover.

use alloc::boxed::Box;
use alloc::vec::Vec;

use lightproof_arch::{PREFETCH_IS_FREE, prefetch};

use super::{BLOCK, MultiProof, Statement, VerifierQuery, evaluation_point, normalize};
use crate::curve::Addend;
use crate::exec::{Executor, Serial, worth_a_piece};
use crate::field::batch;
use crate::field::split_sum::{Factor, SplitSum};
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

impl<'a> ProverQuery<'a> {
    /// The value that is proven.
    pub fn value(&self) -> Scalar {
        self.polynomial[usize::from(self.point)]
    }

    /// What a verifier is told.
    pub fn claim(&self) -> VerifierQuery<'a> {
        VerifierQuery {
            commitment: self.commitment,
            point: self.point,
            value: self.value(),
        }
    }
}

/// Proves all `queries`, in their order.
///
/// That each commitment is its polynomial's is not checked (it would cost more than the
/// proof): a proof for another commitment does not verify.
///
/// Memory: 72 bytes an opening, 8 KiB for each different point, 30 KiB for each thread. Complexity: 256
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
    let d = Affine::from(committer.commit_with(exec, &quotient[..], || ()).0?);
    let t = evaluation_point(transcript, &d, &r)?;
    let mut combined = groups.combine(exec, &t);
    let e = Affine::from(committer.commit_with(exec, &combined[..], || ()).0?);
    transcript.append_point("E", &e.to_bytes());

    for (h, g) in combined.iter_mut().zip(quotient.iter()) {
        *h -= g;
    }
    let difference = Element::from(e) - Element::from(d);
    let (ipa, _) = ipa::prove(exec, committer, transcript, &difference, &combined, &t)?;
    Ok(MultiProof { d, ipa })
}

/// A commitment and a value.
type Encoded = [[u8; 32]; 2];

/// Appends all openings and draws r. The openings of a batch are encoded while those before
/// them are hashed.
fn append_openings<'t>(
    exec: &impl Executor,
    transcript: &'t mut Transcript,
    queries: &[ProverQuery<'_>],
) -> (&'t mut Transcript, Scalar) {
    /// Openings in a batch: 512 KiB for two of them.
    const BATCH: usize = 4096;
    let mut statement = Statement::new(transcript);
    let batch_memory = || alloc::vec![Encoded::default(); queries.len().min(BATCH)];
    let (mut encoded, mut ready) = (batch_memory(), batch_memory());
    let mut before: &[ProverQuery<'_>] = &[];
    for batch in queries.chunks(BATCH).chain([&[][..]]) {
        let slots = &mut encoded[..batch.len()];
        let chunk = exec.chunk_len(slots.len(), worth_a_piece(400));
        let piece = |first: usize, slots: &mut [Encoded]| encode(&batch[first..], slots);
        exec.for_each_chunk_beside(slots, chunk, piece, || {
            for (query, [commitment, value]) in before.iter().zip(&ready) {
                statement.append_bytes(commitment, query.point, value);
            }
        });
        core::mem::swap(&mut encoded, &mut ready);
        before = batch;
    }
    statement.combine()
}

/// Encodes the first queries into `out`.
fn encode(queries: &[ProverQuery<'_>], out: &mut [Encoded]) {
    let mut points = [<Precomputed as Addend<Element>>::IDENTITY; BLOCK];
    for (slots, queries) in out.chunks_mut(BLOCK).zip(queries.chunks(BLOCK)) {
        let points = &mut points[..slots.len()];
        normalize(queries.iter().map(|query| query.commitment), points);
        for ((slot, point), query) in slots.iter_mut().zip(points).zip(queries) {
            *slot = [point.normalized_to_bytes(), query.value().to_le_bytes()];
        }
    }
}

/// The openings by point: F_z = Σ rⁱ·fᵢ over those at z, for each z that occurs.
struct Groups {
    points: Vec<u8>,
    /// WIDTH values for each of `points`.
    sums: Vec<Scalar>,
}

/// 1, r, r², …
fn powers(exec: &impl Executor, r: &Scalar, count: usize) -> Vec<Scalar> {
    let mut powers = alloc::vec![Scalar::ZERO; count];
    let chunk = exec.chunk_len(count, worth_a_piece(20));
    exec.for_each_chunk(&mut powers, chunk, |first, slots| {
        let mut power = r.pow(&[first as u64]);
        for slot in slots {
            *slot = power;
            power *= *r;
        }
    });
    powers
}

/// Coefficients that a piece of the grouping sums: all of a group, or less where threads would
/// else wait for the largest group (0, 1 and 2 are the commonest points). A power of two.
fn piece_len(exec: &impl Executor, openings: usize, largest: usize) -> usize {
    /// Shorter runs of a polynomial are read slowly.
    const LEAST: usize = 16;
    let threads = exec.parallelism();
    let mut piece = WIDTH;
    // No piece is more than an eighth of what each thread does.
    while threads > 1
        && piece > LEAST
        && largest.saturating_mul(piece * 8) > (openings / threads).saturating_mul(WIDTH)
    {
        piece /= 2;
    }
    piece
}

/// Scalars in a line of the cache. Each is asked for one polynomial ahead: polynomials lie
/// anywhere, and what the CPU foresees by itself ends with one.
const LINE: usize = 2;

/// A member of a group: the polynomial, and its power of r.
type Term<'a> = (&'a Vector, Scalar);

/// The openings' polynomials sorted by point, with powers of r, and where each point's start
/// (a counting sort): those at z are terms\[starts\[z\]..starts\[z + 1\]\].
fn sort<'a>(
    exec: &impl Executor,
    queries: &[ProverQuery<'a>],
    r: &Scalar,
) -> (Vec<Term<'a>>, Vec<usize>) {
    let powers = powers(exec, r, queries.len());
    let mut starts = alloc::vec![0; WIDTH + 1];
    for query in queries {
        starts[usize::from(query.point) + 1] += 1;
    }
    for z in 0..WIDTH {
        starts[z + 1] += starts[z];
    }
    let mut next = starts.clone();
    let mut terms: Vec<Term<'a>> = queries
        .iter()
        .map(|query| (query.polynomial, Scalar::ZERO))
        .collect();
    for (query, power) in queries.iter().zip(&powers) {
        let slot = &mut next[usize::from(query.point)];
        terms[*slot] = (query.polynomial, *power);
        *slot += 1;
    }
    (terms, starts)
}

impl Groups {
    fn new(exec: &impl Executor, queries: &[ProverQuery<'_>], r: &Scalar) -> Self {
        let (terms, starts) = sort(exec, queries, r);
        let group = |z: u8| &terms[starts[usize::from(z)]..starts[usize::from(z) + 1]];
        let points: Vec<u8> = (0..=255u8).filter(|z| !group(*z).is_empty()).collect();
        let largest = points.iter().map(|z| group(*z).len()).max().unwrap_or(0);

        // A group's sums in one pass over its polynomials, which are read from end to end once.
        let mut sums = alloc::vec![Scalar::ZERO; WIDTH * points.len()];
        let piece = piece_len(exec, queries.len(), largest);
        exec.for_each_chunk(&mut sums, piece, |first, slots| {
            let start = first % WIDTH;
            let mut lazy = alloc::vec![SplitSum::ZERO; slots.len()];
            let terms = group(points[first / WIDTH]);
            for (k, (polynomial, power)) in terms.iter().enumerate() {
                let ahead = terms.get(k + 1).map_or(*polynomial, |next| next.0);
                let power = Factor::from(power);
                let lines = polynomial[start..].chunks(LINE);
                let ahead = ahead[start..].chunks(LINE);
                for ((sums, values), ahead) in lazy.chunks_mut(LINE).zip(lines).zip(ahead) {
                    if PREFETCH_IS_FREE {
                        ahead.first().iter().for_each(|line| prefetch(*line));
                    }
                    for (sum, f) in sums.iter_mut().zip(values) {
                        sum.add_product(f, &power);
                    }
                }
            }
            for (slot, sum) in slots.iter_mut().zip(&lazy) {
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
        exec.for_each_chunk(&mut out[..], 32, |first, piece| {
            for (k, slot) in piece.iter_mut().enumerate() {
                let column = self.vectors().iter().map(|sum| &sum[first + k]);
                *slot = Scalar::sum_of_products(column.zip(&inverses));
            }
        });
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polynomials of a few values, and openings of which most are at 0, 1 and 2.
    fn polynomials(count: usize) -> Vec<Vector> {
        (0..count as u64)
            .map(|k| {
                core::array::from_fn(|i| {
                    Scalar::from_u64(k * k + 1) * Scalar::from_u64(i as u64 * 7 + k)
                        - Scalar::from_u64(1)
                })
            })
            .collect()
    }

    fn point(i: usize) -> u8 {
        match i % 10 {
            9 => (i * 31) as u8,
            i => (i % 3) as u8,
        }
    }

    #[test]
    fn groups_are_the_sums_by_point_for_every_executor() {
        let r = Scalar::from_u64(0x1234_5678_9abc) * -Scalar::from_u64(3);
        for count in [1, 2, 5, 70] {
            let polynomials = polynomials(count);
            let queries: Vec<ProverQuery<'_>> = (polynomials.iter().enumerate())
                .map(|(i, polynomial)| ProverQuery {
                    commitment: &Element::IDENTITY,
                    polynomial,
                    point: point(i),
                })
                .collect();
            let mut expected = alloc::vec![zero_vector(); WIDTH];
            let mut power = Scalar::ONE;
            for query in &queries {
                let sum = &mut expected[usize::from(query.point)];
                for (slot, f) in sum.iter_mut().zip(query.polynomial) {
                    *slot += power * *f;
                }
                power *= r;
            }
            let check = |groups: Groups| {
                let opened = |z: &u8| queries.iter().any(|query| query.point == *z);
                let points: Vec<u8> = (0..=255u8).filter(opened).collect();
                assert_eq!(groups.points, points);
                for (z, sum) in points.iter().zip(groups.vectors()) {
                    assert_eq!(*sum, *expected[usize::from(*z)]);
                }
            };
            check(Groups::new(&Serial, &queries, &r));
            #[cfg(feature = "std")]
            for threads in [1, 2, 3, 16] {
                check(Groups::new(&crate::exec::Threads(threads), &queries, &r));
            }
        }
    }

    #[cfg(feature = "std")]
    #[test]
    fn no_piece_of_the_grouping_is_most_of_the_work() {
        use crate::exec::Threads;
        assert_eq!(piece_len(&Serial, 1000, 1000), WIDTH);
        assert_eq!(piece_len(&Threads(2), 16000, 63), WIDTH);
        assert_eq!(piece_len(&Threads(2), 16000, 16000), 16);
        assert_eq!(piece_len(&Threads(2), 16000, 4000), 64);
        assert_eq!(piece_len(&Threads(64), 10, 10), 16);
    }

    #[test]
    fn powers_are_the_same_in_pieces() {
        let r = Scalar::from_u64(77);
        let serial = powers(&Serial, &r, 5000);
        assert_eq!(serial[..3], [Scalar::ONE, r, r * r]);
        assert_eq!(serial[4999], r.pow(&[4999]));
        #[cfg(feature = "std")]
        assert_eq!(powers(&crate::exec::Threads(2), &r, 5000), serial);
    }
}
