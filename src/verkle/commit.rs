//! Pedersen commitments to vectors of scalars over the [generators](super::crs).

use core::fmt;

use super::crs::{GENERATORS, Q};
use super::{Element, Scalar, TablePoint, WIDTH};
use crate::curve::Addend;
use crate::exec::Executor;
use crate::msm::{self, MsmError};
use crate::table::{self, Shape, Table, TableError};

/// Commits to vectors: Σ vᵢ·Gᵢ. With a table of multiples of the generators, or (slower,
/// with no memory) from the 16 KiB of generators alone. Immutable, and for public values only.
///
/// The table is of the generators' images on an isogenous curve with faster additions, so a
/// sum is one of [`TablePoint`]s, brought back at its end.
#[derive(Clone, Debug, Default)]
pub struct Committer<'a> {
    table: Option<Table<'a, TablePoint>>,
}

/// Bases of a committer's table: G₀ … G₂₅₅, and Q.
pub const TABLE_BASES: usize = WIDTH + 1;

/// Q's place among them.
#[cfg(feature = "alloc")]
const Q_BASE: usize = WIDTH;

/// Base i of a committer's table.
fn table_base(i: usize) -> TablePoint {
    Element::from(*GENERATORS.get(i).unwrap_or(&Q)).into()
}

/// Why a vector can't be committed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CommitError {
    /// The vector is longer than the generators.
    TooLong {
        /// Scalars given.
        given: usize,
    },
    /// A table over another number of bases than [`TABLE_BASES`].
    Bases {
        /// Bases of the table.
        given: usize,
    },
    /// A table whose first entry for a generator is not its image.
    Foreign {
        /// The generator; 256 for Q.
        index: usize,
    },
    /// The table refused.
    Table(TableError),
    /// The sum could not be computed.
    Msm(MsmError),
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { given } => {
                write!(f, "a vector has at most {WIDTH} scalars, not {given}")
            }
            Self::Bases { given } => write!(f, "the table has {given} bases, not {TABLE_BASES}"),
            Self::Foreign { index } => {
                write!(
                    f,
                    "the table's entry for generator {index} is not that generator"
                )
            }
            Self::Table(error) => write!(f, "the table: {error}"),
            Self::Msm(error) => write!(f, "the sum: {error}"),
        }
    }
}

impl core::error::Error for CommitError {}

/// Buckets and canonical scalars that a commitment without a table keeps on its stack:
/// 2 KiB each.
const STACK_BUCKETS: usize = 16;
const STACK_SCALARS: usize = 64;
/// Entries of a sparse vector that are summed at once without a table: 1.5 KiB.
const STACK_ENTRIES: usize = 16;

impl Committer<'static> {
    /// Without a table: 20 000 additions for a dense vector, 4 KiB of stack.
    pub const fn without_table() -> Self {
        Self { table: None }
    }

    /// With the default table, made now: 2.7 MiB, 6 700 additions for a dense vector.
    #[cfg(feature = "alloc")]
    pub fn new() -> Self {
        Self::generate(&crate::exec::Serial, Shape::DEFAULT).unwrap_or_default()
    }

    /// With a table of this shape, made now by `exec`: 96 bytes an entry.
    ///
    /// # Errors
    /// [`CommitError::Table`] for a table larger than there is memory for.
    #[cfg(feature = "alloc")]
    pub fn generate(exec: &impl Executor, shape: Shape) -> Result<Self, CommitError> {
        let table = Table::generate_with(exec, &table_base, TABLE_BASES, shape)
            .map_err(CommitError::Table)?;
        Ok(Self { table: Some(table) })
    }
}

impl<'a> Committer<'a> {
    /// With a table of this shape, made now in lent memory: as many entries as
    /// [`table::entries_len`] tells for [`TABLE_BASES`] bases. Later,
    /// [`with_table`](Self::with_table) takes them as they are.
    ///
    /// # Errors
    /// [`CommitError::Table`] for memory of another length.
    pub fn generate_into(
        shape: Shape,
        entries: &'a mut [super::TableEntry],
    ) -> Result<Self, CommitError> {
        table::generate_from(&table_base, TABLE_BASES, shape, entries)
            .and_then(|()| Table::from_entries(TABLE_BASES, shape, entries))
            .map(|table| Self { table: Some(table) })
            .map_err(CommitError::Table)
    }

    /// With a table made before, by [`generate_into`](Self::generate_into).
    ///
    /// # Errors
    /// A table over other bases: their number, and the first multiple of each, are checked.
    pub fn with_table(table: Table<'a, TablePoint>) -> Result<Self, CommitError> {
        if table.bases() != TABLE_BASES {
            return Err(CommitError::Bases {
                given: table.bases(),
            });
        }
        let row = table.entries().len() / TABLE_BASES;
        for (index, generator) in GENERATORS.iter().chain([&Q]).enumerate() {
            // The isomorphism back is cheap, and one to one.
            let is_generator = |entry: &super::TableEntry| {
                Element::from(entry.to_group()) == Element::from(*generator)
            };
            if !table.entries().get(index * row).is_some_and(is_generator) {
                return Err(CommitError::Foreign { index });
            }
        }
        Ok(Self { table: Some(table) })
    }

    /// Whether there is a table.
    pub(crate) const fn has_table(&self) -> bool {
        self.table.is_some()
    }

    /// Σ vᵢ·Gᵢ; missing scalars count as zero.
    ///
    /// With `alloc` and the default table a sum of many scalars allocates its buckets, 54 KiB; without, it
    /// makes do with 16 on the stack.
    ///
    /// # Errors
    /// More than 256 scalars.
    pub fn commit(&self, vector: &[Scalar]) -> Result<Element, CommitError> {
        if vector.len() > WIDTH {
            return Err(CommitError::TooLong {
                given: vector.len(),
            });
        }
        if let Some(table) = &self.table {
            return Ok(table.sum(vector.iter().copied().enumerate()).into());
        }
        let mut buckets = [Element::IDENTITY; STACK_BUCKETS];
        let mut canonical = [[0; 32]; STACK_SCALARS];
        let mut sum = Element::IDENTITY;
        for (block, generators) in vector
            .chunks(STACK_SCALARS)
            .zip(GENERATORS.chunks(STACK_SCALARS))
        {
            sum += sum_block(block, generators, &mut canonical, &mut buckets)?;
        }
        Ok(sum)
    }

    /// Σ vᵢ·Gᵢ + q·Q, otherwise as [`commit`](Self::commit).
    #[cfg(feature = "alloc")]
    pub(crate) fn commit_and_q(
        &self,
        vector: &[Scalar],
        q: &Scalar,
    ) -> Result<Element, CommitError> {
        if let Some(table) = &self.table
            && vector.len() <= WIDTH
        {
            let terms = vector.iter().copied().enumerate();
            return Ok(table.sum(terms.chain([(Q_BASE, *q)])).into());
        }
        Ok(self.commit(vector)? + Element::from(Q).mul_vartime(q))
    }

    /// As [`commit`](Self::commit), in lent memory: the more buckets (see [`msm::scratch_len`]) and
    /// room for canonical scalars, the faster without a table; the more of the table's buckets
    /// (see [`Table::scratch_len`]), the faster with one.
    pub(crate) fn commit_with_scratch(
        &self,
        vector: &[Scalar],
        canonical: &mut [[u8; 32]],
        buckets: &mut [Element],
        table_buckets: &mut [TablePoint],
    ) -> Result<Element, CommitError> {
        if vector.len() > WIDTH {
            return Err(CommitError::TooLong {
                given: vector.len(),
            });
        }
        if let Some(table) = &self.table {
            let sum = if table_buckets.is_empty() {
                table.msm_vartime(vector)
            } else {
                table.msm_with_scratch(vector, table_buckets)
            };
            return sum.map(Element::from).map_err(CommitError::Table);
        }
        if canonical.len() < STACK_SCALARS || buckets.len() < STACK_BUCKETS {
            return self.commit(vector);
        }
        let mut sum = Element::IDENTITY;
        let step = canonical.len().min(WIDTH);
        for (block, generators) in vector.chunks(step).zip(GENERATORS.chunks(step)) {
            sum += sum_block(block, generators, canonical, buckets)?;
        }
        Ok(sum)
    }

    /// Σ v·Gᵢ over (i, v): a vector that is zero elsewhere. An index may repeat. The doublings
    /// are shared: by 16 entries without a table (4 KiB of stack), by all with one.
    pub fn commit_sparse(&self, entries: &[(u8, Scalar)]) -> Element {
        if let Some(table) = &self.table {
            let terms = entries.iter().map(|(i, scalar)| (usize::from(*i), *scalar));
            return table.sum(terms).into();
        }
        sum_sparse(entries)
    }

    /// The commitment to the vector that differs from the one in `commitment` by `delta`
    /// (new value less old) at `index`.
    pub fn update(&self, commitment: &Element, index: u8, delta: &Scalar) -> Element {
        *commitment + self.mul(index, delta)
    }

    /// delta·G_index.
    pub fn mul(&self, index: u8, scalar: &Scalar) -> Element {
        match &self.table {
            Some(_) => self.commit_sparse(&[(index, *scalar)]),
            None => Element::from(GENERATORS[usize::from(index)]).mul_vartime(scalar),
        }
    }

    /// As [`commit`](Self::commit), where a table's sum is shared by the threads of `exec`, which
    /// meanwhile do `beside` as well.
    #[cfg(feature = "alloc")]
    pub(crate) fn commit_with<R>(
        &self,
        exec: &impl Executor,
        vector: &[Scalar],
        beside: impl FnOnce() -> R,
    ) -> (Result<Element, CommitError>, R) {
        /// Scalars of a piece, at least: fewer share too little of what a sum takes for any number.
        const LEAST: usize = 64;
        let piece = vector.len().div_ceil(exec.parallelism().max(1)).max(LEAST);
        let table = match &self.table {
            Some(table) if vector.len() <= WIDTH && piece < vector.len() => table,
            _ => return (self.commit(vector), beside()),
        };
        let mut sums = alloc::vec![TablePoint::IDENTITY; vector.len().div_ceil(piece)];
        let work = |first: usize, slots: &mut [TablePoint]| {
            for (k, slot) in (first..).zip(slots) {
                let terms = vector.iter().copied().enumerate();
                *slot = table.sum(terms.skip(k * piece).take(piece));
            }
        };
        let result = exec.for_each_chunk_beside(&mut sums, 1, work, beside);
        (Ok(sums.into_iter().sum::<TablePoint>().into()), result)
    }

    /// Commits to each of `vectors` into `out`; the shorter length counts. `exec` shares the
    /// vectors.
    ///
    /// # Errors
    /// As [`commit`](Self::commit), with the first vector's index that is too long; nothing
    /// in `out` is to be used then.
    pub fn commit_batch(
        &self,
        exec: &impl Executor,
        vectors: &[&[Scalar]],
        out: &mut [Element],
    ) -> Result<(), (usize, CommitError)> {
        if let Some(index) = vectors.iter().position(|vector| vector.len() > WIDTH) {
            return Err((
                index,
                CommitError::TooLong {
                    given: vectors[index].len(),
                },
            ));
        }
        exec.for_each_chunk(out, 1, |first, slots| {
            for (slot, vector) in slots.iter_mut().zip(vectors.iter().skip(first)) {
                // Lengths were checked, and a commitment has no other error.
                *slot = self.commit(vector).unwrap_or_default();
            }
        });
        Ok(())
    }
}

/// A sparse commitment from the generators. Its 4 KiB are on the stack while it runs, not in every
/// function that it would be inlined into.
#[inline(never)]
fn sum_sparse(entries: &[(u8, Scalar)]) -> Element {
    let mut buckets = [Element::IDENTITY; STACK_BUCKETS];
    let mut points = [super::Affine::IDENTITY; STACK_ENTRIES];
    let mut canonical = [[0; 32]; STACK_ENTRIES];
    let mut sum = Element::IDENTITY;
    for block in entries.chunks(STACK_ENTRIES) {
        for ((point, canonical), (index, scalar)) in
            points.iter_mut().zip(&mut canonical).zip(block)
        {
            *point = GENERATORS[usize::from(*index)];
            *canonical = scalar.to_le_bytes();
        }
        let (points, canonical) = (&points[..block.len()], &canonical[..block.len()]);
        // Lengths are equal and there are buckets: no error is left.
        sum += msm::msm_vartime(points, canonical, &mut buckets).unwrap_or_default();
    }
    sum
}

/// One block of a commitment from the generators; `canonical` is as long as the block.
fn sum_block(
    block: &[Scalar],
    generators: &[super::Affine],
    canonical: &mut [[u8; 32]],
    buckets: &mut [Element],
) -> Result<Element, CommitError> {
    for (slot, scalar) in canonical.iter_mut().zip(block) {
        *slot = scalar.to_le_bytes();
    }
    let count = block.len().min(generators.len()).min(canonical.len());
    msm::msm_vartime(&generators[..count], &canonical[..count], buckets).map_err(CommitError::Msm)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::curve::Group;
    use alloc::vec::Vec;

    #[cfg(feature = "std")]
    #[test]
    fn a_shared_sum_is_the_same() {
        use crate::exec::Threads;
        let vector: Vec<Scalar> = (0..WIDTH as u64)
            .map(|i| Scalar::from_u64(i * i + 5) * -Scalar::from_u64(3))
            .collect();
        for committer in [Committer::without_table(), Committer::new()] {
            for len in [0, 1, 64, 129, 256] {
                let expected = committer.commit(&vector[..len]);
                for threads in [1, 2, 3, 9] {
                    let shared = committer.commit_with(&Threads(threads), &vector[..len], || 5);
                    assert_eq!(shared, (expected, 5));
                }
            }
        }
    }

    #[test]
    fn sparse_is_the_sum_of_the_products() {
        // Around a block, zeros, repeated indices, both ends, short and negative scalars.
        let entries: Vec<(u8, Scalar)> = (0..53u64)
            .map(|i| {
                let mut scalar = Scalar::from_u64(i);
                for _ in 0..i % 4 {
                    scalar = scalar * scalar - Scalar::from_u64(7);
                }
                ([0, 255, 7, (i * 5) as u8][i as usize % 4], scalar)
            })
            .collect();
        let (plain, table) = (Committer::without_table(), Committer::new());
        for len in [0, 1, 2, 15, 16, 17, 32, 53] {
            let entries = &entries[..len];
            let expected = entries
                .iter()
                .fold(Element::IDENTITY, |sum, (index, scalar)| {
                    sum + Element::from(GENERATORS[usize::from(*index)]).mul_vartime(scalar)
                });
            for committer in [&plain, &table] {
                assert_eq!(committer.commit_sparse(entries), expected, "{len}");
            }
        }
        let shape = Shape::new(4, 30).unwrap();
        let small =
            Table::<Element>::generate(&crate::exec::Serial, &GENERATORS[..4], shape).unwrap();
        assert!(small.msm_sparse_vartime(&entries[..1]).is_ok());
        let beyond = TableError::Scalars {
            bases: 4,
            given: 256,
        };
        assert_eq!(small.msm_sparse_vartime(&entries[..2]), Err(beyond));
        assert!(Element::is_identity(
            &small.msm_sparse_vartime(&[]).unwrap()
        ));
    }
}
