//! A witness written as JSON, the form of blocks.

use core::fmt::{self, Write};

use super::ssz::{StemDiff, SuffixDiff, Witness};

/// Bytes as a quoted hexadecimal string.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_char('"')
    }
}

/// A value, or `null`.
struct Nullable<'a>(Option<&'a [u8; 32]>);

impl fmt::Display for Nullable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(value) => Hex(value).fmt(f),
            None => f.write_str("null"),
        }
    }
}

impl Witness<'_> {
    /// Writes the JSON of blocks' `executionWitness`, without white space. No memory.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_json(&self, out: &mut impl Write) -> fmt::Result {
        out.write_str("{\"stateDiff\":")?;
        write_list(out, self.stem_diffs(), write_stem)?;
        out.write_str(",\"verkleProof\":{\"otherStems\":")?;
        write_list(out, self.other_stems(), |out, stem| {
            write!(out, "{}", Hex(stem))
        })?;
        write!(
            out,
            ",\"depthExtensionPresent\":{}",
            Hex(self.depth_bytes())
        )?;
        out.write_str(",\"commitmentsByPath\":")?;
        write_list(out, self.commitments(), |out, point| {
            write!(out, "{}", Hex(point))
        })?;
        write!(out, ",\"d\":{},\"ipaProof\":{{\"cl\":", Hex(self.d()))?;
        write_list(out, self.cl(), |out, point| write!(out, "{}", Hex(point)))?;
        out.write_str(",\"cr\":")?;
        write_list(out, self.cr(), |out, point| write!(out, "{}", Hex(point)))?;
        write!(
            out,
            ",\"finalEvaluation\":{}}}}}}}",
            Hex(self.final_evaluation())
        )
    }

    /// Writes a block: its number, the parent's state root, its own (`header.stateRoot`), the witness.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_block_json(
        &self,
        out: &mut impl Write,
        number: u64,
        parent_state_root: &[u8; 32],
        state_root: &[u8; 32],
    ) -> fmt::Result {
        write!(
            out,
            "{{\"header\":{{\"number\":\"{number:#x}\",\"stateRoot\":{}}},",
            Hex(state_root)
        )?;
        write!(
            out,
            "\"parentStateRoot\":{},\"executionWitness\":",
            Hex(parent_state_root)
        )?;
        self.write_json(out)?;
        out.write_str("}\n")
    }
}

fn write_stem<W: Write>(out: &mut W, diff: StemDiff<'_>) -> fmt::Result {
    write!(out, "{{\"stem\":{},\"suffixDiffs\":", Hex(diff.stem()))?;
    write_list(out, diff.suffix_diffs(), |out, key: SuffixDiff<'_>| {
        let (current, new) = (Nullable(key.current_value), Nullable(key.new_value));
        write!(
            out,
            "{{\"suffix\":{},\"currentValue\":{current},\"newValue\":{new}}}",
            key.suffix
        )
    })?;
    out.write_char('}')
}

fn write_list<W: Write, T>(
    out: &mut W,
    list: impl IntoIterator<Item = T>,
    each: impl Fn(&mut W, T) -> fmt::Result,
) -> fmt::Result {
    out.write_char('[')?;
    for (i, item) in list.into_iter().enumerate() {
        if i > 0 {
            out.write_char(',')?;
        }
        each(out, item)?;
    }
    out.write_char(']')
}
