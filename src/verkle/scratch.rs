//! The memory that a verifier works in, lent by the caller.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::{Element, Precomputed, ROUNDS, Scalar, TablePoint, Vector, WIDTH};
use crate::msm;

/// Points and canonical scalars besides one for each opening: the proof's L and R, and Q or C.
pub(super) const PROOF_POINTS: usize = 2 * ROUNDS + 1;

/// Lent memory for verifying up to [`capacity`](Self::capacity) openings: from a
/// [`Workspace`] of constant size, or (with `alloc`) from a [`ScratchBuffer`].
#[derive(Debug)]
pub struct Scratch<'a> {
    pub(crate) points: &'a mut [Precomputed],
    pub(crate) weights: &'a mut [Scalar],
    pub(crate) canonical: &'a mut [[u8; 32]],
    pub(crate) order: &'a mut [u32],
    pub(crate) lagrange: &'a mut Vector,
    pub(crate) generators: &'a mut Vector,
    pub(crate) proof_points: &'a mut [Precomputed; PROOF_POINTS],
    pub(crate) proof_scalars: &'a mut [[u8; 32]; PROOF_POINTS],
    pub(crate) buckets: &'a mut [Element],
    /// Of the committer's table; none lent leaves it those on the stack.
    pub(crate) table_buckets: &'a mut [TablePoint],
}

impl Scratch<'_> {
    /// The number of openings that it has room for.
    pub fn capacity(&self) -> usize {
        self.points
            .len()
            .min(self.weights.len())
            .min(self.canonical.len())
            .min(self.order.len())
    }
}

/// Bytes of scratch an opening: its point, weight, canonical weight and place.
const BYTES_PER_OPENING: usize =
    size_of::<Precomputed>() + size_of::<Scalar>() + 32 + size_of::<u32>();

/// Bytes of scratch to verify `openings` openings with `buckets` buckets: 164 bytes an
/// opening, 128 a bucket, and 18 KiB; `usize::MAX` where that is more than can be addressed.
pub const fn scratch_bytes(openings: usize, buckets: usize) -> usize {
    let fixed = 2 * WIDTH * size_of::<Scalar>() + PROOF_POINTS * (size_of::<Precomputed>() + 32);
    openings
        .saturating_mul(BYTES_PER_OPENING)
        .saturating_add(buckets.saturating_mul(size_of::<Element>()))
        .saturating_add(fixed)
}

/// Memory for verifying up to `OPENINGS` openings, with no heap: put it in a `static` or
/// in a box. `BUCKETS` is at least [`msm::MIN_SCRATCH`]; more are faster, up to
/// [`msm::scratch_len_in_place`] of the openings, and to some 2300 for few. Its size is [`scratch_bytes`].
#[derive(Debug)]
pub struct Workspace<const OPENINGS: usize, const BUCKETS: usize> {
    points: [Precomputed; OPENINGS],
    weights: [Scalar; OPENINGS],
    canonical: [[u8; 32]; OPENINGS],
    order: [u32; OPENINGS],
    lagrange: Vector,
    generators: Vector,
    proof_points: [Precomputed; PROOF_POINTS],
    proof_scalars: [[u8; 32]; PROOF_POINTS],
    buckets: [Element; BUCKETS],
}

impl<const OPENINGS: usize, const BUCKETS: usize> Workspace<OPENINGS, BUCKETS> {
    /// New memory, all bytes zero: in a `static` it takes memory, and no place in the image.
    pub const fn new() -> Self {
        const {
            assert!(
                BUCKETS >= msm::MIN_SCRATCH,
                "a workspace has msm::MIN_SCRATCH buckets or more"
            );
        }
        Self {
            points: [Precomputed::VACANT; OPENINGS],
            weights: [Scalar::ZERO; OPENINGS],
            canonical: [[0; 32]; OPENINGS],
            order: [0; OPENINGS],
            lagrange: [Scalar::ZERO; WIDTH],
            generators: [Scalar::ZERO; WIDTH],
            proof_points: [Precomputed::VACANT; PROOF_POINTS],
            proof_scalars: [[0; 32]; PROOF_POINTS],
            buckets: [Element::VACANT; BUCKETS],
        }
    }

    /// Lends it.
    pub fn scratch(&mut self) -> Scratch<'_> {
        Scratch {
            points: &mut self.points,
            weights: &mut self.weights,
            canonical: &mut self.canonical,
            order: &mut self.order,
            lagrange: &mut self.lagrange,
            generators: &mut self.generators,
            proof_points: &mut self.proof_points,
            proof_scalars: &mut self.proof_scalars,
            buckets: &mut self.buckets,
            table_buckets: &mut [],
        }
    }
}

impl<const OPENINGS: usize, const BUCKETS: usize> Default for Workspace<OPENINGS, BUCKETS> {
    fn default() -> Self {
        Self::new()
    }
}

/// The buckets that are fastest for sums whose points are lent with them, and, where they are not
/// (a witness keeps its points), for those of up to 1024: for few openings about 300 KiB.
#[cfg(feature = "alloc")]
fn buckets(openings: usize) -> usize {
    let n = openings.max(WIDTH);
    let kept = msm::scratch_len(n.min(1024));
    msm::scratch_len_in_place(n).max(kept)
}

/// Memory for verifying, on the heap: made for a number of openings, used again and again.
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub struct ScratchBuffer {
    points: Vec<Precomputed>,
    weights: Vec<Scalar>,
    canonical: Vec<[u8; 32]>,
    order: Vec<u32>,
    buckets: Vec<Element>,
    table_buckets: Vec<TablePoint>,
    lagrange: alloc::boxed::Box<Vector>,
    generators: alloc::boxed::Box<Vector>,
    proof_points: alloc::boxed::Box<[Precomputed; PROOF_POINTS]>,
    proof_scalars: [[u8; 32]; PROOF_POINTS],
}

/// Zeros on the heap that were never on the stack.
#[cfg(feature = "alloc")]
pub(crate) fn zero_vector() -> alloc::boxed::Box<Vector> {
    #[cold]
    #[inline(never)]
    fn of_another_length() -> alloc::boxed::Box<Vector> {
        alloc::boxed::Box::new([Scalar::ZERO; WIDTH])
    }
    let zeros = alloc::vec![Scalar::ZERO; WIDTH].into_boxed_slice();
    zeros.try_into().unwrap_or_else(|_| of_another_length())
}

/// `len` copies, or none where the allocator has no memory for them.
#[cfg(feature = "alloc")]
pub(super) fn filled<T: Clone>(value: T, len: usize) -> Option<Vec<T>> {
    let mut out = Vec::new();
    out.try_reserve_exact(len).ok()?;
    out.resize(len, value);
    Some(out)
}

#[cfg(feature = "alloc")]
impl ScratchBuffer {
    /// Memory for `openings` openings, and as many buckets as are fastest for them. Where the
    /// allocator has none for so many, for no opening at all: verifying then answers that there
    /// is too little scratch.
    pub fn new(openings: usize) -> Self {
        Self::try_new(openings).unwrap_or_else(Self::empty)
    }

    fn try_new(openings: usize) -> Option<Self> {
        Some(Self {
            points: filled(Precomputed::VACANT, openings)?,
            weights: filled(Scalar::ZERO, openings)?,
            canonical: filled([0; 32], openings)?,
            order: filled(0, openings)?,
            buckets: filled(Element::VACANT, buckets(openings))?,
            table_buckets: filled(TablePoint::IDENTITY, crate::table::MOST_BUCKETS)?,
            ..Self::empty()
        })
    }

    /// The part that does not grow with the openings.
    fn empty() -> Self {
        Self {
            points: Vec::new(),
            weights: Vec::new(),
            canonical: Vec::new(),
            order: Vec::new(),
            buckets: alloc::vec![Element::VACANT; msm::MIN_SCRATCH],
            table_buckets: Vec::new(),
            lagrange: zero_vector(),
            generators: zero_vector(),
            proof_points: alloc::boxed::Box::new([Precomputed::VACANT; PROOF_POINTS]),
            proof_scalars: [[0; 32]; PROOF_POINTS],
        }
    }

    /// Lends it.
    pub fn scratch(&mut self) -> Scratch<'_> {
        Scratch {
            points: &mut self.points,
            weights: &mut self.weights,
            canonical: &mut self.canonical,
            order: &mut self.order,
            lagrange: &mut self.lagrange,
            generators: &mut self.generators,
            proof_points: &mut self.proof_points,
            proof_scalars: &mut self.proof_scalars,
            buckets: &mut self.buckets,
            table_buckets: &mut self.table_buckets,
        }
    }
}
