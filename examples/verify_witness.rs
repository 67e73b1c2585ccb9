//! Verifies an execution witness in SSZ under a state root, and prints the root after the block.
//!
//! ```text
//! cargo lightproof convert tests/vectors/block.json witness.ssz
//! cargo run --release --example verify_witness witness.ssz PARENT_ROOT
//! ```

use core::error::Error;

use lightproof::verkle::witness::{Mode, Witness};
use lightproof::verkle::{Committer, ScratchBuffer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(root)) = (arguments.next(), arguments.next()) else {
        return Err("usage: verify_witness FILE PARENT_ROOT".into());
    };
    let ssz = std::fs::read(file)?;
    let parent = root_of(&root).ok_or("the root is not 32 bytes in hexadecimal")?;

    // The form, then everything that needs no cryptography; then it is known how much memory is needed.
    let checked = Witness::from_ssz(&ssz)?.check()?;
    let mut memory = ScratchBuffer::new(checked.shape().nodes);
    let mut scratch = memory.scratch();
    let committer = Committer::without_table();
    let verified = checked.verify(&committer, &parent, Mode::Count, &mut scratch)?;

    for diff in verified.witness().stem_diffs() {
        println!("stem {}: {} keys", hex(diff.stem()), diff.suffix_count());
    }
    println!("absences not shown: {}", verified.unshown_absences());
    println!(
        "root after the block: {}",
        hex(&verified.post_root(&committer))
    );
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn root_of(text: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let (pairs, rest) = digits.as_chunks::<2>();
    let mut root = [0; 32];
    if pairs.len() != root.len() || !rest.is_empty() {
        return None;
    }
    for (byte, pair) in root.iter_mut().zip(pairs) {
        *byte = u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(root)
}
