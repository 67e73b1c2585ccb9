//! The proof part of a witness in the binary layout of rust-verkle's `VerkleProof::write`.
//!
//! ```text
//! u32 LE  number of other stems      then 31 bytes each
//! u32 LE  number of depth bytes      then 1 byte each
//! u32 LE  number of commitments      then 32 bytes each
//! 576 bytes  D, L0..L7, R0..R7, the final evaluation little-endian
//! ```
//!
//! Keys and values travel apart from it.

use alloc::vec::Vec;

use super::Stem;
use super::error::{FormError, FormRule};
use super::owned::{OwnedProof, OwnedStemDiff, OwnedWitness};
use super::ssz::{MAX_COMMITMENTS, MAX_STEMS};

/// The proof part, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinaryProof<'a> {
    /// Stems that are in the way of absent ones.
    pub other_stems: &'a [Stem],
    /// `depth << 3 | status`, one for each stem.
    pub depth_extension_present: &'a [u8],
    /// The commitments of all nodes but the root, encoded, in path order.
    pub commitments_by_path: &'a [[u8; 32]],
    /// The multiproof.
    pub multiproof: &'a [u8; 576],
}

impl<'a> BinaryProof<'a> {
    /// Reads the layout; nothing may follow.
    ///
    /// # Errors
    /// The first rule broken and the byte where.
    pub fn read(bytes: &'a [u8]) -> Result<Self, FormError> {
        let mut rest = bytes;
        let other_stems = take(&mut rest, bytes.len(), MAX_STEMS)?;
        let depths = take::<1>(&mut rest, bytes.len(), MAX_STEMS)?;
        let commitments_by_path = take(&mut rest, bytes.len(), MAX_COMMITMENTS)?;
        let offset = bytes.len() - rest.len();
        let (multiproof, rest) = rest.split_first_chunk().ok_or(FormError {
            offset,
            rule: FormRule::Truncated,
        })?;
        if !rest.is_empty() {
            return Err(FormError {
                offset: offset + 576,
                rule: FormRule::Trailing,
            });
        }
        Ok(Self {
            other_stems,
            depth_extension_present: depths.as_flattened(),
            commitments_by_path,
            multiproof,
        })
    }

    /// The witness of these keys and this proof.
    #[must_use]
    pub fn with_state_diff(&self, state_diff: Vec<OwnedStemDiff>) -> OwnedWitness {
        OwnedWitness {
            state_diff,
            other_stems: self.other_stems.to_vec(),
            depth_extension_present: self.depth_extension_present.to_vec(),
            commitments_by_path: self.commitments_by_path.to_vec(),
            proof: OwnedProof::from_multiproof(self.multiproof),
        }
    }
}

impl OwnedWitness {
    /// The proof part in the binary layout. Lists over the format's limits are cut at 2^32 - 1 elements.
    #[must_use]
    pub fn to_binary(&self) -> Vec<u8> {
        let mut out = Vec::new();
        push(&mut out, &self.other_stems);
        push(&mut out, self.depth_extension_present.as_chunks::<1>().0);
        push(&mut out, &self.commitments_by_path);
        out.extend_from_slice(&self.proof.to_multiproof());
        out
    }
}

/// A count and that many elements of `N` bytes off the front of `rest`.
fn take<'a, const N: usize>(
    rest: &mut &'a [u8],
    total: usize,
    limit: usize,
) -> Result<&'a [[u8; N]], FormError> {
    let error = |rest: &[u8], rule| FormError {
        offset: total - rest.len(),
        rule,
    };
    let (count, body) = rest
        .split_first_chunk()
        .ok_or(error(rest, FormRule::Truncated))?;
    let count = usize::try_from(u32::from_le_bytes(*count)).unwrap_or(usize::MAX);
    if count > limit {
        return Err(error(rest, FormRule::TooMany));
    }
    // Within the limits the product is under 2^27.
    let (list, after) = body
        .split_at_checked(count * N)
        .ok_or(error(body, FormRule::Truncated))?;
    *rest = after;
    Ok(list.as_chunks().0)
}

fn push<const N: usize>(out: &mut Vec<u8>, list: &[[u8; N]]) {
    let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&count.to_le_bytes());
    for element in list
        .iter()
        .take(usize::try_from(count).unwrap_or(usize::MAX))
    {
        out.extend_from_slice(element);
    }
}
