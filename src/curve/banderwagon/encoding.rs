//! Bytes of group elements. What is decoded is checked: length, canonical coordinates,
//! curve, group; what is encoded is the canonical representative.

use core::sync::atomic::{AtomicBool, Ordering};

use lightproof_arch::lanes::{Backend, Kernel, Portable, dispatch};

use super::Affine;
use crate::curve::bandersnatch::Bandersnatch;
use crate::curve::edwards::{self, Params};
use crate::exec::Executor;
use crate::field::Ring;
use crate::field::bls12_381_scalar::{Fq, FqParams};
use crate::field::lanes::FieldLanes;
use crate::field::sqrt_ratio::inverse_sqrt;

/// Why bytes are no group element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeError {
    /// The input has another length than the encoding.
    Length {
        /// Bytes of the encoding.
        expected: usize,
        /// Bytes given.
        actual: usize,
    },
    /// A coordinate is not below q.
    NotCanonical,
    /// No point of the curve has these coordinates.
    NotOnCurve,
    /// The point is on the curve, but not in the group.
    NotInSubgroup,
    /// An uncompressed encoding of the other representative: its y is not the larger of y and −y.
    NotNormalized,
}

impl core::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Length { expected, actual } => {
                write!(f, "an encoded point has {expected} bytes, not {actual}")
            }
            Self::NotCanonical => f.write_str("a coordinate is not below the field's modulus"),
            Self::NotOnCurve => f.write_str("no point of the curve has these coordinates"),
            Self::NotInSubgroup => f.write_str("the point is not in the prime-order group"),
            Self::NotNormalized => {
                f.write_str("y is not the larger of y and -y, so the encoding is not canonical")
            }
        }
    }
}

impl core::error::Error for DecodeError {}

/// A canonical compressed encoding: 32 bytes, big-endian x of the representative whose y is
/// the larger of y and −y.
pub type Compressed = [u8; 32];

impl Affine {
    /// Decodes a compressed encoding, with every check: canonical, on the curve, in the group.
    ///
    /// # Errors
    /// The first of them that fails, or a length other than 32.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let array: &Compressed = bytes.try_into().map_err(|_| DecodeError::Length {
            expected: 32,
            actual: bytes.len(),
        })?;
        let mut point = [Self::IDENTITY];
        let mut candidates = [Candidate::NONE];
        // One encoding fills one lane, so the backend of one lane is the right one.
        let solve = |kernel: Solve<'_>| kernel.run::<Portable>();
        decode_block(
            &[*array],
            &mut point,
            &mut candidates,
            solve,
            Candidate::element,
        )
        .map_err(|(_, error)| error)?;
        Ok(point[0])
    }

    /// Decodes `encodings` into `out`, as [`from_bytes`](Self::from_bytes) does each; both
    /// have the same length, or the shorter one counts. Public values only.
    ///
    /// # Errors
    /// The index of the first encoding that is no group element, and why; `out` is left as it
    /// was from there on.
    ///
    /// Complexity: 245 squarings, 45 products and one Legendre symbol each; no inversion.
    pub fn batch_from_bytes(
        encodings: &[Compressed],
        out: &mut [Self],
    ) -> Result<(), (usize, DecodeError)> {
        let count = encodings.len().min(out.len());
        let (encodings, out) = (&encodings[..count], &mut out[..count]);
        let mut candidates = [Candidate::NONE; BLOCK];
        for (i, (encodings, out)) in encodings
            .chunks(BLOCK)
            .zip(out.chunks_mut(BLOCK))
            .enumerate()
        {
            decode_block(encodings, out, &mut candidates, best, Candidate::element)
                .map_err(|(index, error)| (BLOCK * i + index, error))?;
        }
        Ok(())
    }

    /// [`batch_from_bytes`](Self::batch_from_bytes) with the threads of `exec`.
    ///
    /// # Errors
    /// As there, whichever the executor; but `out` may hold some of the elements after the
    /// bad one.
    pub fn batch_from_bytes_with(
        exec: &impl Executor,
        encodings: &[Compressed],
        out: &mut [Self],
    ) -> Result<(), (usize, DecodeError)> {
        let count = encodings.len().min(out.len());
        decode_each(exec, |i| encodings.get(i), &mut out[..count], || ())
    }

    /// The canonical compressed encoding. No inversion.
    pub fn to_bytes(&self) -> Compressed {
        self.normalized().x.to_be_bytes()
    }

    /// The canonical uncompressed encoding: big-endian x, then y, of the representative
    /// whose y is the larger of y and −y.
    pub fn to_uncompressed_bytes(&self) -> [u8; 64] {
        let point = self.normalized();
        let mut out = [0; 64];
        let (x, y) = out.split_at_mut(32);
        x.copy_from_slice(&point.x.to_be_bytes());
        y.copy_from_slice(&point.y.to_be_bytes());
        out
    }

    /// Decodes a canonical uncompressed encoding, with every check but the square root.
    ///
    /// # Errors
    /// Length, canonical coordinates, curve, group, and that y is the larger of y and −y.
    pub fn from_uncompressed_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let point = Self::from_xy_be(bytes)?;
        if point.y.is_lexicographically_largest() {
            Ok(point)
        } else {
            Err(DecodeError::NotNormalized)
        }
    }

    /// Decodes big-endian x, then y, of either representative, with every other check.
    fn from_xy_be(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (x, y) = bytes
            .split_first_chunk::<32>()
            .and_then(|(x, rest)| Some((x, <&[u8; 32]>::try_from(rest).ok()?)))
            .ok_or(DecodeError::Length {
                expected: 64,
                actual: bytes.len(),
            })?;
        let x = Fq::from_be_bytes(x).ok_or(DecodeError::NotCanonical)?;
        let y = Fq::from_be_bytes(y).ok_or(DecodeError::NotCanonical)?;
        if !edwards::Point::<Bandersnatch>::is_on_curve(&x, &y) {
            return Err(DecodeError::NotOnCurve);
        }
        if (Fq::ONE + Bandersnatch::mul_by_neg_a(x.square())).legendre_vartime() != 1 {
            return Err(DecodeError::NotInSubgroup);
        }
        Ok(Self { x, y })
    }

    /// rust-verkle's uncompressed layout: little-endian x, then y, either representative;
    /// decoded with every check (the peer makes none).
    ///
    /// # Errors
    /// Length, canonical coordinates, curve, group.
    pub fn from_uncompressed_le_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut be: [u8; 64] = bytes.try_into().map_err(|_| DecodeError::Length {
            expected: 64,
            actual: bytes.len(),
        })?;
        let (x, y) = be.split_at_mut(32);
        x.reverse();
        y.reverse();
        Self::from_xy_be(&be)
    }

    /// rust-verkle's uncompressed layout: little-endian x, then y, of the canonical
    /// representative (the peer writes whichever is in memory).
    pub fn to_uncompressed_le_bytes(&self) -> [u8; 64] {
        let mut out = self.to_uncompressed_bytes();
        let (x, y) = out.split_at_mut(32);
        x.reverse();
        y.reverse();
        out
    }
}

/// Runs the kernel on the best backend.
fn best(kernel: Solve<'_>) {
    dispatch(kernel);
}

/// Decodes `encoding(i)` into `out[i]`, each with every check, with the threads of `exec`, and
/// meanwhile calls `beside`; what has no encoding is left as it is.
///
/// # Errors
/// The index of the first encoding that is no group element, whichever the executor. `out` may
/// hold some of the elements after it.
pub(super) fn decode_each<'e, T: From<Affine> + Send, R>(
    exec: &impl Executor,
    encoding: impl Fn(usize) -> Option<&'e Compressed> + Sync,
    out: &mut [T],
    beside: impl FnOnce() -> R,
) -> Result<(), (usize, DecodeError)> {
    if decode_pieces(exec, &encoding, out, element, beside).0 {
        Ok(())
    } else {
        decode(0, &encoding, out, element)
    }
}

/// The group element, in the form that is wanted.
pub(super) fn element<T: From<Affine>>(candidate: &Candidate) -> Result<T, DecodeError> {
    candidate.element().map(T::from)
}

/// Decodes `encoding(i)` into `out[i]`, in the form that `form` gives, in pieces by `exec`, and
/// meanwhile calls `beside`. Whether all are good, and what `beside` gave; which is the first
/// that is not, [`decode`] tells.
pub(super) fn decode_pieces<'e, T: Send, R>(
    exec: &impl Executor,
    encoding: impl Fn(usize) -> Option<&'e Compressed> + Sync,
    out: &mut [T],
    form: impl Fn(&Candidate) -> Result<T, DecodeError> + Sync,
    beside: impl FnOnce() -> R,
) -> (bool, R) {
    // Stores and loads alone: small cores have no other atomics.
    let failed = AtomicBool::new(false);
    let chunk = exec.chunk_len(out.len(), BLOCK).next_multiple_of(BLOCK);
    let piece = |first: usize, out: &mut [T]| {
        if !failed.load(Ordering::Relaxed) && decode(first, &encoding, out, &form).is_err() {
            failed.store(true, Ordering::Relaxed);
        }
    };
    let result = exec.for_each_chunk_beside(out, chunk, piece, beside);
    (!failed.into_inner(), result)
}

/// Decodes `encoding(first + i)` into `out[i]` in order, in the form that `form` gives.
pub(super) fn decode<'e, T>(
    first: usize,
    encoding: impl Fn(usize) -> Option<&'e Compressed>,
    out: &mut [T],
    form: impl Fn(&Candidate) -> Result<T, DecodeError>,
) -> Result<(), (usize, DecodeError)> {
    let mut encodings = [[0; 32]; BLOCK];
    let mut candidates = [Candidate::NONE; BLOCK];
    for (first, out) in (first..).step_by(BLOCK).zip(out.chunks_mut(BLOCK)) {
        let mut count = 0;
        let given = (first..first + out.len()).map_while(&encoding);
        for (slot, bytes) in encodings.iter_mut().zip(given) {
            *slot = *bytes;
            count += 1;
        }
        decode_block(&encodings[..count], out, &mut candidates, best, &form)
            .map_err(|(i, error)| (first + i, error))?;
    }
    Ok(())
}

/// Encodings that are decoded together: a few vectors of the widest backend.
const BLOCK: usize = 16;

/// What solving the curve's equation for an x gives.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    x: Fq,
    /// 1 − a·x².
    pub(super) u: Fq,
    /// A root of u/(1 − d·x²), if that is a square.
    y: Fq,
    on_curve: bool,
}

impl Candidate {
    const NONE: Self = Self {
        x: Fq::ZERO,
        u: Fq::ZERO,
        y: Fq::ZERO,
        on_curve: false,
    };

    /// The group element.
    fn element(&self) -> Result<Affine, DecodeError> {
        let point = self.point()?;
        if self.u.legendre_vartime() != 1 {
            return Err(DecodeError::NotInSubgroup);
        }
        Ok(point)
    }

    /// The point of the curve, of the two y the larger; an element if u is a square.
    pub(super) fn point(&self) -> Result<Affine, DecodeError> {
        if !self.on_curve {
            return Err(DecodeError::NotOnCurve);
        }
        let larger = self.y.is_lexicographically_largest();
        let y = if larger { self.y } else { -self.y };
        Ok(Affine { x: self.x, y })
    }
}

/// Solves a·x² + y² = 1 + d·x²·y² for y at each x: y² = u/v with u = 1 − a·x² and
/// v = 1 − d·x². Neither is ever zero, since neither 1/a nor 1/d is a square.
struct Solve<'a>(&'a mut [Candidate]);

impl Kernel for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self) {
        for candidates in self.0.chunks_mut(FieldLanes::<B, FqParams, 4>::WIDTH) {
            let x = FieldLanes::<B, _, 4>::load(|i| candidates.get(i).map_or(Fq::ZERO, |c| c.x));
            let xx = x.square();
            let one = FieldLanes::from(Fq::ONE);
            let u = one + Bandersnatch::mul_by_neg_a(xx);
            let v = one - FieldLanes::from(Bandersnatch::D) * xx;
            let (root, is_square) = inverse_sqrt(u * v);
            (u * root).store(|i, y| {
                if let Some(candidate) = candidates.get_mut(i) {
                    candidate.y = y;
                    candidate.on_curve = is_square[i];
                }
            });
            u.store(|i, u| {
                if let Some(candidate) = candidates.get_mut(i) {
                    candidate.u = u;
                }
            });
        }
    }
}

/// Decodes as many encodings as `out` has places and `candidates` at least, and leaves `out` as it was
/// from the first bad one on; `solve` runs the kernel, and `form` checks what it found.
fn decode_block<T>(
    encodings: &[Compressed],
    out: &mut [T],
    candidates: &mut [Candidate],
    solve: impl FnOnce(Solve<'_>),
    form: impl Fn(&Candidate) -> Result<T, DecodeError>,
) -> Result<(), (usize, DecodeError)> {
    // The x, up to the first that is none.
    let mut count = 0;
    let mut verdict = Ok(());
    for (bytes, candidate) in encodings.iter().zip(&mut *candidates) {
        let Some(x) = Fq::from_be_bytes(bytes) else {
            verdict = Err((count, DecodeError::NotCanonical));
            break;
        };
        candidate.x = x;
        count += 1;
    }
    let candidates = &mut candidates[..count];
    solve(Solve(candidates));
    for (i, (slot, candidate)) in out.iter_mut().zip(candidates.iter()).enumerate() {
        *slot = form(candidate).map_err(|error| (i, error))?;
    }
    verdict
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::field::Field;
    use alloc::vec::Vec;

    /// The definition: divide, take the root, try the subgroup.
    pub(in super::super) fn plain(bytes: &Compressed) -> Result<Affine, DecodeError> {
        let x = Fq::from_be_bytes(bytes).ok_or(DecodeError::NotCanonical)?;
        let xx = x.square();
        let u = Fq::ONE + Bandersnatch::mul_by_neg_a(xx);
        let v = Fq::ONE - Bandersnatch::D * xx;
        let inverse = v.invert_vartime().ok_or(DecodeError::NotOnCurve)?;
        let root = (u * inverse).sqrt_vartime();
        let y = root.ok_or(DecodeError::NotOnCurve)?;
        if u.legendre_vartime() != 1 {
            return Err(DecodeError::NotInSubgroup);
        }
        let larger = y.is_lexicographically_largest();
        Ok(Affine {
            x,
            y: if larger { y } else { -y },
        })
    }

    /// A few hundred x of all kinds; one in four is an element's.
    pub(in super::super) fn encodings() -> Vec<Compressed> {
        let mut x = Fq::from_u64(0x1234_5678_9abc_def1);
        let mut out: Vec<Compressed> = (0..40u64)
            .flat_map(|i| [Fq::from_u64(i), -Fq::from_u64(i)])
            .map(|x| x.to_be_bytes())
            .collect();
        for _ in 0..300 {
            x = x.square() + Fq::ONE;
            out.push(x.to_be_bytes());
        }
        out.push([0xff; 32]);
        out
    }

    fn coordinates(decoded: Result<Affine, DecodeError>) -> Result<(Fq, Fq), DecodeError> {
        decoded.map(|point| point.coordinates())
    }

    #[test]
    fn decoding_equals_the_plain_form() {
        let encodings = encodings();
        let mut good = Vec::new();
        for bytes in &encodings {
            let decoded = Affine::from_bytes(bytes);
            assert_eq!(coordinates(decoded), coordinates(plain(bytes)));
            if let Ok(point) = decoded {
                assert_eq!(point.to_bytes(), *bytes);
                good.push(*bytes);
            }
        }
        for count in [0, 1, 2, 15, 16, 17, 33, good.len()] {
            let mut out = alloc::vec![Affine::IDENTITY; count];
            assert_eq!(Affine::batch_from_bytes(&good, &mut out), Ok(()));
            for (point, bytes) in out.iter().zip(&good) {
                assert_eq!(coordinates(Ok(*point)), coordinates(plain(bytes)));
            }
        }
    }

    #[test]
    fn the_first_bad_encoding_is_named() {
        let all = encodings();
        let is_good = |bytes: &&Compressed| plain(bytes).is_ok();
        let good: Vec<Compressed> = all.iter().filter(is_good).copied().collect();
        let bad: Vec<Compressed> = all.iter().filter(|b| !is_good(b)).copied().collect();
        let len = good.len();
        for (i, first) in bad.iter().enumerate() {
            let (index, later) = (i % len, (7 * i + i % len + 1) % len);
            let mut mixed = good.clone();
            mixed[index.max(later)] = bad[(i + 1) % bad.len()];
            mixed[index.min(later)] = *first;
            let expected = Err((index.min(later), plain(first).unwrap_err()));
            let mut out = alloc::vec![Affine::IDENTITY; len];
            assert_eq!(Affine::batch_from_bytes(&mixed, &mut out), expected);
            // What is there is decoded or untouched: never half an element.
            for point in &out {
                assert!(edwards::Point::<Bandersnatch>::is_on_curve(
                    &point.x, &point.y
                ));
            }
            let serial = crate::exec::Serial;
            assert_eq!(
                Affine::batch_from_bytes_with(&serial, &mixed, &mut out),
                expected
            );
            #[cfg(feature = "std")]
            for threads in [2, 3] {
                let exec = crate::exec::Threads(threads);
                assert_eq!(
                    Affine::batch_from_bytes_with(&exec, &mixed, &mut out),
                    expected
                );
            }
        }
    }
}
