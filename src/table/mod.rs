//! Tables of multiples of fixed bases: sums Σ kᵢ·Bᵢ by additions of table entries.
//!
//! For each base B and windows of w bits a table holds 1·B, 2·B, … 2^(w−1)·B in the group's
//! fastest addend form, one base after another: entry i·2^(w−1) + j − 1 is j·Bᵢ. All windows
//! share it, since the windows are taken from the highest down and the doublings between them
//! are shared by all bases (Straus 1964): w doublings a window, against a memory b/w times
//! smaller than with a table a window. Digits are signed, so half the multiples suffice.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
use crate::curve::Addend;
use crate::curve::Group;
#[cfg(feature = "alloc")]
use crate::exec::Executor;

mod generate;
mod sum;

/// The default window: 8 bits, 128 entries a base; 3 MiB for Verkle's 256 bases.
pub const DEFAULT_WINDOW: u32 = 8;

/// The largest window.
pub const MAX_WINDOW: u32 = 16;

/// Why a table could not be made or used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TableError {
    /// No such window size.
    Window {
        /// The largest window; the smallest is 1.
        max: u32,
        /// The window given.
        given: u32,
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
            Self::Window { max, given } => {
                write!(f, "a window has 1 to {max} bits, not {given}")
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

/// Entries of a table of `bases` bases: bases·2^(window − 1).
///
/// # Errors
/// A window that is not 1 to [`MAX_WINDOW`]; a product beyond `usize`.
pub const fn entries_len(bases: usize, window: u32) -> Result<usize, TableError> {
    if window < 1 || window > MAX_WINDOW {
        return Err(TableError::Window {
            max: MAX_WINDOW,
            given: window,
        });
    }
    match bases.checked_mul(1 << (window - 1)) {
        Some(len) => Ok(len),
        None => Err(TableError::TooLarge { bases }),
    }
}

/// Writes the table of `bases` with windows of `window` bits into `entries`, which must have
/// exactly [`entries_len`] elements.
///
/// No heap. Complexity: an addition and about six products an entry, an inversion for every 16.
///
/// # Errors
/// A window out of range, entries of another length.
pub fn generate_into<G: Group>(
    bases: &[G::Affine],
    window: u32,
    entries: &mut [G::Precomputed],
) -> Result<(), TableError> {
    check_entries(bases.len(), window, entries.len())?;
    generate::rows::<G>(bases, window, entries);
    Ok(())
}

fn check_entries(bases: usize, window: u32, given: usize) -> Result<(), TableError> {
    let needed = entries_len(bases, window)?;
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
    window: u32,
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

impl<'a, G: Group> Table<'a, G> {
    /// The table of `bases` bases whose entries are these, as [`generate_into`] wrote them.
    /// Other entries give other sums, and nothing worse.
    ///
    /// # Errors
    /// A window out of range, entries of another length than [`entries_len`].
    pub fn from_entries(
        bases: usize,
        window: u32,
        entries: &'a [G::Precomputed],
    ) -> Result<Self, TableError> {
        check_entries(bases, window, entries.len())?;
        Ok(Self {
            entries: Entries::Borrowed(entries),
            bases,
            window,
        })
    }

    /// Makes the table of `bases` on the threads of `exec`. Its memory is all that it allocates.
    ///
    /// # Errors
    /// A window out of range, a table larger than there is memory for.
    #[cfg(feature = "alloc")]
    pub fn generate<E: Executor>(
        exec: &E,
        bases: &[G::Affine],
        window: u32,
    ) -> Result<Self, TableError> {
        let len = entries_len(bases.len(), window)?;
        let mut entries = Vec::new();
        let too_large = |_| TableError::TooLarge { bases: bases.len() };
        entries.try_reserve_exact(len).map_err(too_large)?;
        entries.resize(len, <G::Precomputed as Addend<G>>::IDENTITY);
        generate::in_parallel::<G, E>(exec, bases, window, &mut entries);
        Ok(Self {
            entries: Entries::Owned(entries),
            bases: bases.len(),
            window,
        })
    }

    /// How many bases it has.
    pub fn bases(&self) -> usize {
        self.bases
    }

    /// Bits of a window.
    pub fn window(&self) -> u32 {
        self.window
    }

    /// The entries: j·Bᵢ at place i·2^(window − 1) + j − 1.
    pub fn entries(&self) -> &[G::Precomputed] {
        self.entries.as_slice()
    }

    /// Σ scalars\[i\]·Bᵢ. Fewer scalars than bases count as followed by zeros; the identity
    /// for none.
    ///
    /// Public input only. No heap, less than 4 KiB of stack. Complexity for scalars of b bits:
    /// about b/w additions for each scalar that is not zero, and b doublings once; a sum
    /// whose scalars are short takes as many windows as its longest scalar has.
    ///
    /// # Errors
    /// More scalars than bases.
    pub fn msm_vartime(&self, scalars: &[G::Scalar]) -> Result<G, TableError> {
        if scalars.len() > self.bases {
            return Err(TableError::Scalars {
                bases: self.bases,
                given: scalars.len(),
            });
        }
        Ok(sum::sum(self.entries(), self.window, scalars))
    }

    /// Σ scalar·B_base over (base, scalar), for sums of few of the first 256 bases. A base may
    /// repeat. Otherwise as [`msm_vartime`](Self::msm_vartime).
    ///
    /// # Errors
    /// A base that the table does not have.
    pub fn msm_sparse_vartime(&self, scalars: &[(u8, G::Scalar)]) -> Result<G, TableError> {
        let bases = scalars.iter().map(|(base, _)| usize::from(*base) + 1);
        let given = bases.max().unwrap_or(0);
        if given > self.bases {
            return Err(TableError::Scalars {
                bases: self.bases,
                given,
            });
        }
        Ok(sum::sum_sparse(self.entries(), self.window, scalars))
    }
}
