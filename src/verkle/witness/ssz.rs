//! The SSZ form of a witness, read in place.
//!
//! ```text
//! SuffixStateDiff  { suffix: Bytes1, current_value: Optional[Bytes32], new_value: Optional[Bytes32] }
//! StemStateDiff    { stem: Bytes31, suffix_diffs: List[SuffixStateDiff, 256] }
//! IPAProof         { cl: Vector[Bytes32, 8], cr: Vector[Bytes32, 8], final_evaluation: Bytes32 }
//! VerkleProof      { other_stems: List[Bytes31, 2^16], depth_extension_present: ByteList[2^16],
//!                    commitments_by_path: List[Bytes32, 2^16 * 33], d: Bytes32, ipa_proof: IPAProof }
//! ExecutionWitness { state_diff: List[StemStateDiff, 2^16], verkle_proof: VerkleProof }
//! ```
//!
//! These are the containers of the consensus specs' EIP-6800 feature. `Optional` is EIP-6475's: nothing, or the
//! byte 1 and the value. Every offset must point exactly to where the part before it ends, so a witness has one
//! encoding only.

use super::error::{FormError, FormRule};
use super::{Status, Stem, Value};

/// Most stems, other stems and depth bytes that the format allows.
pub const MAX_STEMS: usize = 1 << 16;
/// Most suffixes of one stem.
pub const MAX_SUFFIXES: usize = 256;
/// Most commitments: below the root, a stem passes 30 internal nodes, its extension and its two halves.
pub const MAX_COMMITMENTS: usize = MAX_STEMS * 33;

/// Bytes of an offset.
pub(super) const OFFSET: usize = 4;
/// Fixed parts: the witness (two offsets), a stem's diff (stem, offset), a suffix's diff (suffix, two offsets).
pub(super) const WITNESS_HEAD: usize = 2 * OFFSET;
pub(super) const STEM_HEAD: usize = 31 + OFFSET;
pub(super) const SUFFIX_HEAD: usize = 1 + 2 * OFFSET;
/// A value that is there: the byte 1, then 32 bytes.
pub(super) const SOME: usize = 33;
/// `cl`, `cr` and the final evaluation.
pub(super) const IPA_SIZE: usize = (8 + 8 + 1) * 32;
/// Three offsets, `d`, and the inner-product proof.
pub(super) const PROOF_HEAD: usize = 3 * OFFSET + 32 + IPA_SIZE;

/// A witness over borrowed SSZ bytes whose form has been checked.
///
/// Nothing is copied; every access is O(1). That the form is right says nothing yet of the contents: see
/// [`check`](Self::check).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness<'a> {
    stems: Offsets<'a>,
    other_stems: &'a [Stem],
    depths: &'a [u8],
    commitments: &'a [[u8; 32]],
    d: &'a [u8; 32],
    cl: &'a [[u8; 32]; 8],
    cr: &'a [[u8; 32]; 8],
    final_evaluation: &'a [u8; 32],
}

/// One stem of a witness with what is said of its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StemDiff<'a> {
    stem: &'a Stem,
    suffixes: Offsets<'a>,
}

/// What a witness says of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuffixDiff<'a> {
    /// Last byte of the key.
    pub suffix: u8,
    /// The value before the block; `None`: the key is absent.
    pub current_value: Option<&'a Value>,
    /// The value after the block; `None`: not written.
    pub new_value: Option<&'a Value>,
}

impl<'a> Witness<'a> {
    /// Reads the form: all offsets, lengths and limits. O(number of keys), no allocation.
    ///
    /// # Errors
    /// The first rule broken and the byte where.
    pub fn from_ssz(bytes: &'a [u8]) -> Result<Self, FormError> {
        let all = Part { bytes, at: 0 };
        let proof_at = all.offset(OFFSET)?;
        all.expect_offset(0, WITNESS_HEAD)?;
        let (diffs, proof) = (
            all.range(WITNESS_HEAD, proof_at, OFFSET)?,
            all.from(proof_at)?,
        );
        let stems = diffs.list(MAX_STEMS)?;
        for i in 0..stems.count {
            check_stem(Part {
                bytes: stems.item(i),
                at: diffs.at + stems.start(i),
            })?;
        }
        Self::read_proof(stems, proof)
    }

    fn read_proof(stems: Offsets<'a>, proof: Part<'a>) -> Result<Self, FormError> {
        let fixed = proof.head::<PROOF_HEAD>()?;
        proof.expect_offset(0, PROOF_HEAD)?;
        let (depths_at, commitments_at) = (proof.offset(OFFSET)?, proof.offset(2 * OFFSET)?);
        let other_stems = proof
            .range(PROOF_HEAD, depths_at, OFFSET)?
            .chunks::<31>(MAX_STEMS)?;
        let depths = proof.range(depths_at, commitments_at, 2 * OFFSET)?;
        let commitments = proof.from(commitments_at)?.chunks::<32>(MAX_COMMITMENTS)?;
        if depths.bytes.len() > MAX_STEMS {
            return Err(depths.error(0, FormRule::TooMany));
        }
        let truncated = proof.error(0, FormRule::Truncated);
        let (points, _) = fixed[3 * OFFSET..].as_chunks::<32>();
        let (d, rest) = points.split_first().ok_or(truncated)?;
        let (cl, rest) = rest.split_first_chunk::<8>().ok_or(truncated)?;
        let (cr, rest) = rest.split_first_chunk::<8>().ok_or(truncated)?;
        let final_evaluation = rest.first().ok_or(truncated)?;
        Ok(Self {
            stems,
            other_stems,
            depths: depths.bytes,
            commitments,
            d,
            cl,
            cr,
            final_evaluation,
        })
    }

    /// Number of stems in the state diff.
    #[must_use]
    pub const fn stem_count(&self) -> usize {
        self.stems.count
    }

    /// Stem `i` of the state diff and its suffixes.
    #[must_use]
    pub fn stem_diff(&self, i: usize) -> Option<StemDiff<'a>> {
        (i < self.stems.count).then(|| self.diff(i))
    }

    /// The stems in their order.
    pub fn stem_diffs(&self) -> impl ExactSizeIterator<Item = StemDiff<'a>> + use<'a> {
        let this = *self;
        (0..self.stems.count).map(move |i| this.diff(i))
    }

    /// Stem `i`; for an index out of range a stem of zeros without suffixes.
    pub(super) fn diff(&self, i: usize) -> StemDiff<'a> {
        StemDiff::read(self.stems.item(i))
    }

    /// Stem `i` alone; for an index out of range zeros.
    pub(super) fn stem(&self, i: usize) -> &'a Stem {
        self.diff(i).stem
    }

    /// Depth and status of stem `i`. `None`: out of range, or a byte with status 3 or the unused bit.
    #[must_use]
    pub fn depth_status(&self, i: usize) -> Option<(u8, Status)> {
        let byte = *self.depths.get(i)?;
        Some((byte >> 3, Status::from_byte(byte)?))
    }

    /// The bytes `depth << 3 | status`, one for each stem if the witness is right.
    #[must_use]
    pub const fn depth_bytes(&self) -> &'a [u8] {
        self.depths
    }

    /// Stems that are in the way of absent ones.
    #[must_use]
    pub const fn other_stems(&self) -> &'a [Stem] {
        self.other_stems
    }

    /// The commitments of all nodes but the root, encoded, in path order.
    #[must_use]
    pub const fn commitments(&self) -> &'a [[u8; 32]] {
        self.commitments
    }

    /// The multiproof's commitment D, encoded.
    #[must_use]
    pub const fn d(&self) -> &'a [u8; 32] {
        self.d
    }

    /// The left points of the eight rounds, encoded.
    #[must_use]
    pub const fn cl(&self) -> &'a [[u8; 32]; 8] {
        self.cl
    }

    /// The right points of the eight rounds, encoded.
    #[must_use]
    pub const fn cr(&self) -> &'a [[u8; 32]; 8] {
        self.cr
    }

    /// The last scalar of the inner-product proof, **big-endian**.
    #[must_use]
    pub const fn final_evaluation(&self) -> &'a [u8; 32] {
        self.final_evaluation
    }
}

impl<'a> StemDiff<'a> {
    /// From bytes that `check_stem` has passed.
    fn read(bytes: &'a [u8]) -> Self {
        const NONE: &Stem = &[0; 31];
        Self {
            stem: bytes.first_chunk().unwrap_or(NONE),
            suffixes: Offsets::unchecked(bytes.get(STEM_HEAD..).unwrap_or(&[])),
        }
    }

    /// First 31 bytes of the keys.
    #[must_use]
    pub const fn stem(&self) -> &'a Stem {
        self.stem
    }

    /// Number of suffixes listed.
    #[must_use]
    pub const fn suffix_count(&self) -> usize {
        self.suffixes.count
    }

    /// What is said of the keys, in the order listed.
    pub fn suffix_diffs(
        &self,
    ) -> impl ExactSizeIterator<Item = SuffixDiff<'a>> + DoubleEndedIterator + use<'a> {
        let suffixes = self.suffixes;
        (0..suffixes.count).map(move |i| SuffixDiff::read(suffixes.item(i)))
    }
}

impl<'a> SuffixDiff<'a> {
    /// From bytes that `check_suffix` has passed.
    fn read(bytes: &'a [u8]) -> Self {
        let split = read_u32(bytes, 1 + OFFSET).unwrap_or(SUFFIX_HEAD);
        let value = |bytes: Option<&'a [u8]>| bytes?.get(1..)?.first_chunk();
        Self {
            suffix: bytes.first().copied().unwrap_or(0),
            current_value: value(bytes.get(SUFFIX_HEAD..split)),
            new_value: value(bytes.get(split..)),
        }
    }
}

fn check_stem(part: Part<'_>) -> Result<(), FormError> {
    part.head::<STEM_HEAD>()?;
    part.expect_offset(31, STEM_HEAD)?;
    let body = part.from(STEM_HEAD)?;
    let suffixes = body.list(MAX_SUFFIXES)?;
    for i in 0..suffixes.count {
        check_suffix(Part {
            bytes: suffixes.item(i),
            at: body.at + suffixes.start(i),
        })?;
    }
    Ok(())
}

fn check_suffix(part: Part<'_>) -> Result<(), FormError> {
    part.head::<SUFFIX_HEAD>()?;
    part.expect_offset(1, SUFFIX_HEAD)?;
    let split = part.offset(1 + OFFSET)?;
    for value in [
        part.range(SUFFIX_HEAD, split, 1 + OFFSET)?,
        part.from(split)?,
    ] {
        match value.bytes {
            [] => {}
            [1, rest @ ..] if rest.len() == SOME - 1 => {}
            _ => return Err(value.error(0, FormRule::Optional)),
        }
    }
    Ok(())
}

/// A list of variable-size elements: a table of offsets, then the elements without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offsets<'a> {
    bytes: &'a [u8],
    count: usize,
}

impl<'a> Offsets<'a> {
    /// From bytes that `Part::list` has passed: the first offset tells the number of elements.
    fn unchecked(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            count: read_u32(bytes, 0).unwrap_or(0) / OFFSET,
        }
    }

    /// Where element `i` starts; the end of the bytes from the last element on.
    fn start(&self, i: usize) -> usize {
        if i < self.count {
            read_u32(self.bytes, i * OFFSET).unwrap_or(self.bytes.len())
        } else {
            self.bytes.len()
        }
    }

    /// The bytes of element `i`; empty if there is none.
    fn item(&self, i: usize) -> &'a [u8] {
        self.bytes
            .get(self.start(i)..self.start(i + 1))
            .unwrap_or(&[])
    }
}

/// A piece of the input that knows where it stands in it.
#[derive(Clone, Copy)]
struct Part<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Part<'a> {
    const fn error(&self, offset: usize, rule: FormRule) -> FormError {
        FormError {
            offset: self.at + offset,
            rule,
        }
    }

    /// The fixed part.
    fn head<const N: usize>(&self) -> Result<&'a [u8; N], FormError> {
        self.bytes
            .first_chunk()
            .ok_or(self.error(0, FormRule::Truncated))
    }

    /// The offset that stands at byte `at`.
    fn offset(&self, at: usize) -> Result<usize, FormError> {
        read_u32(self.bytes, at).ok_or(self.error(at, FormRule::Truncated))
    }

    /// The offset at byte `at` must be this one.
    fn expect_offset(&self, at: usize, value: usize) -> Result<(), FormError> {
        if self.offset(at)? == value {
            Ok(())
        } else {
            Err(self.error(at, FormRule::Offset))
        }
    }

    /// The part from one offset to the next, which was read at byte `read_at`.
    fn range(&self, from: usize, to: usize, read_at: usize) -> Result<Self, FormError> {
        let bytes = self
            .bytes
            .get(from..to)
            .ok_or(self.error(read_at, FormRule::Offset))?;
        Ok(Self {
            bytes,
            at: self.at + from,
        })
    }

    /// The part from an offset to the end.
    fn from(&self, from: usize) -> Result<Self, FormError> {
        let bytes = self
            .bytes
            .get(from..)
            .ok_or(self.error(0, FormRule::Offset))?;
        Ok(Self {
            bytes,
            at: self.at + from,
        })
    }

    /// A list of elements of `N` bytes.
    fn chunks<const N: usize>(&self, limit: usize) -> Result<&'a [[u8; N]], FormError> {
        let (chunks, rest) = self.bytes.as_chunks();
        if !rest.is_empty() {
            return Err(self.error(self.bytes.len() - rest.len(), FormRule::Length));
        }
        if chunks.len() > limit {
            return Err(self.error(0, FormRule::TooMany));
        }
        Ok(chunks)
    }

    /// A list of elements of variable size: the table is whole, its offsets ascend and stay inside.
    fn list(&self, limit: usize) -> Result<Offsets<'a>, FormError> {
        if self.bytes.is_empty() {
            return Ok(Offsets {
                bytes: self.bytes,
                count: 0,
            });
        }
        let table = self.offset(0)?;
        if table == 0 || !table.is_multiple_of(OFFSET) || table > self.bytes.len() {
            return Err(self.error(0, FormRule::Offset));
        }
        let list = Offsets {
            bytes: self.bytes,
            count: table / OFFSET,
        };
        if list.count > limit {
            return Err(self.error(0, FormRule::TooMany));
        }
        for i in 0..list.count {
            if list.start(i) > list.start(i + 1) {
                return Err(self.error(i * OFFSET, FormRule::Offset));
            }
        }
        Ok(list)
    }
}

/// Four bytes, little-endian. Saturates where `usize` is smaller, which no slice reaches.
fn read_u32(bytes: &[u8], at: usize) -> Option<usize> {
    let value = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
    Some(usize::try_from(value).unwrap_or(usize::MAX))
}

/// A multiproof's bytes: D, the left points, the right points, the scalar, which is turned little-endian.
pub(super) fn join_multiproof(
    d: &[u8; 32],
    cl: &[[u8; 32]; 8],
    cr: &[[u8; 32]; 8],
    final_evaluation: &[u8; 32],
) -> [u8; 32 + IPA_SIZE] {
    let mut bytes = [0; 32 + IPA_SIZE];
    let mut last = *final_evaluation;
    last.reverse();
    let parts = [d].into_iter().chain(cl).chain(cr).chain([&last]);
    for (slot, part) in bytes.as_chunks_mut::<32>().0.iter_mut().zip(parts) {
        *slot = *part;
    }
    bytes
}
