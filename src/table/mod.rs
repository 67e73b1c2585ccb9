//! Tables of multiples of fixed bases: sums Σ kᵢ·Bᵢ by additions of table entries.
//!
//! A table of [`Shape`] (M, c) holds for each base B the multiples m·2^(c·j)·B, m = 1 … M, at
//! each of P positions j, in the group's fastest addend form: entry (i·P + j)·M + m − 1 is
//! m·2^(c·j)·Bᵢ. One way to sum ([`msm_with_scratch`](Table::msm_with_scratch)) serves every shape, for
//! one scalar or for all.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::curve::{Addend, Group};
#[cfg(feature = "alloc")]
use crate::exec::Executor;
#[cfg(feature = "alloc")]
use crate::field::Field;
use crate::field::PrimeField;

mod factor;
mod generate;
mod shape;
mod sum;
#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests;

use factor::Factors;
pub use shape::{MAX_MULTIPLES, MAX_SPACING, Shape};

/// Buckets that a sum keeps on its stack when none are lent: 2 KiB for Banderwagon.
const STACK_BUCKETS: usize = 16;

/// Why a table could not be made or used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TableError {
    /// No such shape: see [`Shape::new`].
    Shape {
        /// Multiples given.
        multiples: u32,
        /// Bits from one position to the next.
        spacing: u32,
    },
    /// The memory of the entries is longer or shorter than the table.
    Entries {
        /// Entries of the table.
        needed: usize,
        /// Entries given.
        given: usize,
    },
    /// The entries are more than the address space or the allocator has room for.
    TooLarge {
        /// Bases given.
        bases: usize,
    },
    /// More scalars than bases.
    Scalars {
        /// Bases of the table.
        bases: usize,
        /// Scalars given.
        given: usize,
    },
}

impl core::fmt::Display for TableError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Shape { multiples, spacing } => {
                write!(
                    f,
                    "a table has 1 to {MAX_MULTIPLES} multiples every 1 to {MAX_SPACING} bits, \
                     not {multiples} every {spacing}"
                )
            }
            Self::Entries { needed, given } => {
                write!(
                    f,
                    "the table has {needed} entries, memory of {given} was given"
                )
            }
            Self::TooLarge { bases } => {
                write!(f, "a table of {bases} bases is too large for this machine")
            }
            Self::Scalars { bases, given } => {
                write!(f, "{given} scalars for a table of {bases} bases")
            }
        }
    }
}

impl core::error::Error for TableError {}

/// Entries of a table of `bases` bases of `G`.
///
/// # Errors
/// A product beyond `usize`.
pub const fn entries_len<G: Group>(bases: usize, shape: Shape) -> Result<usize, TableError> {
    match bases.checked_mul(shape.entries_a_base(<G::Scalar as PrimeField>::NUM_BITS)) {
        Some(len) => Ok(len),
        None => Err(TableError::TooLarge { bases }),
    }
}

/// The most buckets that sums of a table of a named [`Shape`] have use for: those of
/// [`Shape::SMALL`].
#[cfg(all(feature = "alloc", feature = "verkle"))]
pub(crate) const MOST_BUCKETS: usize = 512;

/// Writes the table of `bases` into `entries`, which must have exactly [`entries_len`]
/// elements.
///
/// No heap. Complexity: as many doublings a base as a scalar has bits; an addition and about
/// six products an entry, an inversion for every 16.
///
/// # Errors
/// Entries of another length.
pub fn generate_into<G: Group>(
    bases: &[G::Affine],
    shape: Shape,
    entries: &mut [G::Precomputed],
) -> Result<(), TableError> {
    generate_from(&base_of::<G>(bases), bases.len(), shape, entries)
}

/// [`generate_into`] of the bases that a function gives.
pub(crate) fn generate_from<G: Group>(
    bases: &impl Fn(usize) -> G,
    count: usize,
    shape: Shape,
    entries: &mut [G::Precomputed],
) -> Result<(), TableError> {
    check_entries::<G>(count, shape, entries.len())?;
    generate::rows(bases, 0, shape, entries);
    Ok(())
}

/// Base i of a list; the identity beyond its end.
fn base_of<G: Group>(bases: &[G::Affine]) -> impl Fn(usize) -> G + Sync {
    |i| bases.get(i).map_or(G::IDENTITY, Addend::to_group)
}

fn check_entries<G: Group>(bases: usize, shape: Shape, given: usize) -> Result<(), TableError> {
    let needed = entries_len::<G>(bases, shape)?;
    if needed == given {
        Ok(())
    } else {
        Err(TableError::Entries { needed, given })
    }
}

/// A table over borrowed or owned entries. Immutable, to be shared by any number of threads.
#[derive(Clone, Debug)]
pub struct Table<'a, G: Group> {
    entries: Entries<'a, G>,
    bases: usize,
    shape: Shape,
    factors: Factors,
}

#[derive(Clone)]
enum Entries<'a, G: Group> {
    Borrowed(&'a [G::Precomputed]),
    #[cfg(feature = "alloc")]
    Owned(Vec<G::Precomputed>),
}

impl<G: Group> core::fmt::Debug for Entries<'_, G> {
    /// The number of entries: a table has megabytes of them.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "[{} entries]", self.as_slice().len())
    }
}

impl<G: Group> Entries<'_, G> {
    fn as_slice(&self) -> &[G::Precomputed] {
        match self {
            Self::Borrowed(entries) => entries,
            #[cfg(feature = "alloc")]
            Self::Owned(entries) => entries,
        }
    }
}

/// More scalars than this have the same buckets; their number of digits fits 64 bits.
const MOST_SCALARS: usize = 1 << 30;

impl<'a, G: Group> Table<'a, G> {
    /// The table of `bases` bases whose entries are these, as [`generate_into`] wrote them.
    /// Other entries give other sums, and nothing worse.
    ///
    /// A shape other than the default one has its buckets worked out now, on the heap; without `alloc` its sums
    /// use none.
    ///
    /// # Errors
    /// Entries of another length than [`entries_len`].
    pub fn from_entries(
        bases: usize,
        shape: Shape,
        entries: &'a [G::Precomputed],
    ) -> Result<Self, TableError> {
        check_entries::<G>(bases, shape, entries.len())?;
        Ok(Self {
            entries: Entries::Borrowed(entries),
            bases,
            shape,
            factors: Factors::new(shape, <G::Scalar as PrimeField>::NUM_BITS),
        })
    }

    /// Makes the table of `bases` on the threads of `exec`. Its memory is nearly all that it keeps
    /// allocated; while it is made, each thread has 50 KiB besides.
    ///
    /// # Errors
    /// A table larger than there is memory for.
    #[cfg(feature = "alloc")]
    pub fn generate<E: Executor>(
        exec: &E,
        bases: &[G::Affine],
        shape: Shape,
    ) -> Result<Self, TableError> {
        Self::generate_with(exec, &base_of::<G>(bases), bases.len(), shape)
    }

    /// [`generate`](Self::generate) of the bases that a function gives.
    #[cfg(feature = "alloc")]
    pub(crate) fn generate_with<E: Executor>(
        exec: &E,
        base: &(impl Fn(usize) -> G + Sync),
        bases: usize,
        shape: Shape,
    ) -> Result<Self, TableError> {
        let len = entries_len::<G>(bases, shape)?;
        let mut entries = Vec::new();
        let too_large = |_| TableError::TooLarge { bases };
        entries.try_reserve_exact(len).map_err(too_large)?;
        entries.resize(len, <G::Precomputed as Addend<G>>::IDENTITY);
        generate::in_parallel(exec, base, bases, shape, &mut entries);
        Ok(Self {
            entries: Entries::Owned(entries),
            bases,
            shape,
            factors: Factors::new(shape, <G::Scalar as PrimeField>::NUM_BITS),
        })
    }

    /// How many bases it has.
    pub fn bases(&self) -> usize {
        self.bases
    }

    /// Which multiples it has.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The entries: m·2^(c·j)·Bᵢ at place (i·P + j)·M + m − 1.
    pub fn entries(&self) -> &[G::Precomputed] {
        self.entries.as_slice()
    }

    /// The buckets with which a sum of `scalars` scalars that are not zero is fastest; 0 where
    /// none are of use. It does not grow with `scalars` throughout.
    pub fn scratch_len(&self, scalars: usize) -> usize {
        let level = self.view().level(scalars.min(MOST_SCALARS), usize::MAX);
        level.map_or(0, |level| level.count)
    }

    fn view(&self) -> sum::View<'_, G> {
        sum::View {
            entries: self.entries(),
            shape: self.shape,
            factors: &self.factors,
        }
    }

    /// Σ scalar·B_base over `terms` of (base, scalar); what the table has no base for is left
    /// out. With `alloc`, the buckets are allocated where more than the stack's are of use, and the allocator
    /// has memory for them.
    pub(crate) fn sum(&self, terms: impl Iterator<Item = (usize, G::Scalar)> + Clone) -> G {
        #[cfg(feature = "alloc")]
        {
            let scalars = terms.clone().filter(|(_, scalar)| !scalar.is_zero());
            let len = self.scratch_len(scalars.count());
            let mut buckets = Vec::new();
            if len > STACK_BUCKETS && buckets.try_reserve_exact(len).is_ok() {
                buckets.resize(len, G::IDENTITY);
                return self.view().sum(terms, &mut buckets);
            }
        }
        self.view().sum(terms, &mut [G::IDENTITY; STACK_BUCKETS])
    }

    /// Σ scalars\[i\]·Bᵢ. Fewer scalars than bases count as followed by zeros; the identity
    /// for none.
    ///
    /// Public input only. No heap; 6 KiB of stack, where 16 buckets have room.
    /// [`msm_with_scratch`](Self::msm_with_scratch) with more of them is faster for many scalars.
    ///
    /// # Errors
    /// More scalars than bases.
    pub fn msm_vartime(&self, scalars: &[G::Scalar]) -> Result<G, TableError> {
        self.msm_with_scratch(scalars, &mut [G::IDENTITY; STACK_BUCKETS])
    }

    /// [`msm_vartime`](Self::msm_vartime) with lent buckets, of any number and contents. The
    /// cheapest way that they have room for is taken; [`scratch_len`](Self::scratch_len) tells how
    /// many the fastest has.
    ///
    /// Complexity, for n scalars that are not zero and a position's c bits cut into t windows: n·P·t
    /// additions of entries, 2·t additions for each bucket, and c·(t − 1)/t doublings.
    ///
    /// # Errors
    /// More scalars than bases.
    pub fn msm_with_scratch(
        &self,
        scalars: &[G::Scalar],
        buckets: &mut [G],
    ) -> Result<G, TableError> {
        self.check_scalars(scalars.len())?;
        let terms = scalars.iter().copied().enumerate();
        Ok(self.view().sum(terms, buckets))
    }

    /// Σ scalar·B_base over (base, scalar), for sums of few of the first 256 bases. A base may
    /// repeat. Otherwise as [`msm_vartime`](Self::msm_vartime).
    ///
    /// # Errors
    /// A base that the table does not have.
    pub fn msm_sparse_vartime(&self, scalars: &[(u8, G::Scalar)]) -> Result<G, TableError> {
        self.msm_sparse_with_scratch(scalars, &mut [G::IDENTITY; STACK_BUCKETS])
    }

    /// [`msm_sparse_vartime`](Self::msm_sparse_vartime) with lent buckets, as
    /// [`msm_with_scratch`](Self::msm_with_scratch).
    ///
    /// # Errors
    /// A base that the table does not have.
    pub fn msm_sparse_with_scratch(
        &self,
        scalars: &[(u8, G::Scalar)],
        buckets: &mut [G],
    ) -> Result<G, TableError> {
        let bases = scalars.iter().map(|(base, _)| usize::from(*base) + 1);
        self.check_scalars(bases.max().unwrap_or(0))?;
        let terms = scalars
            .iter()
            .map(|(base, scalar)| (usize::from(*base), *scalar));
        Ok(self.view().sum(terms, buckets))
    }

    fn check_scalars(&self, given: usize) -> Result<(), TableError> {
        if given <= self.bases {
            Ok(())
        } else {
            Err(TableError::Scalars {
                bases: self.bases,
                given,
            })
        }
    }
}
