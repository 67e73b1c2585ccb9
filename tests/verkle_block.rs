//! The block of the README: made again from its seed, and verified.
#![cfg(all(feature = "verkle", feature = "serde", feature = "std"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../examples/make_block.rs"]
mod make_block;

use lightproof::verkle::witness::json::{self, Leniency};
use lightproof::verkle::witness::{Mode, Status, Witness};
use lightproof::verkle::{Committer, ScratchBuffer};

const BLOCK: &str = include_str!("vectors/block.json");

#[test]
fn the_block_is_the_one_that_its_command_makes() {
    let made = make_block::make().unwrap();
    assert!(
        made == BLOCK,
        "run: cargo run --example make_block > tests/vectors/block.json"
    );
}

#[test]
fn the_block_holds_and_is_of_a_blocks_size() {
    assert!(BLOCK.len() < 120 << 10);
    let block = json::read_block(BLOCK.as_bytes(), Leniency::Strict).unwrap();
    let ssz = block.witness.to_ssz().unwrap();
    let checked = Witness::from_ssz(&ssz).unwrap().check().unwrap();
    let shape = checked.shape();
    assert!(shape.stems >= 90, "{shape:?}");
    assert!((360..=390).contains(&shape.keys), "{shape:?}");
    assert!(shape.max_depth > 1, "{shape:?}");

    let committer = Committer::without_table();
    let mut scratch = ScratchBuffer::new(shape.nodes);
    let mut scratch = scratch.scratch();
    let parent = block.parent_state_root.unwrap();
    let verified = checked
        .verify(&committer, &parent, Mode::Strict, &mut scratch)
        .unwrap();
    assert_eq!(verified.unshown_absences(), 0);
    assert_eq!(Some(verified.post_root(&committer)), block.state_root);

    // All that a block can do: every status with keys read and keys written.
    let witness = checked.witness();
    for status in [Status::Empty, Status::Other, Status::Present] {
        let of_status = |i: &usize| witness.depth_status(*i).unwrap().1 == status;
        let diffs = (0..shape.stems).filter(of_status);
        let keys = diffs.flat_map(|i| witness.stem_diff(i).unwrap().suffix_diffs());
        let (written, read): (Vec<_>, Vec<_>) = keys.partition(|key| key.new_value.is_some());
        assert!(!read.is_empty() && !written.is_empty(), "{status:?}");
        if status == Status::Present {
            let new =
                |key: &&lightproof::verkle::witness::SuffixDiff<'_>| key.current_value.is_none();
            assert!(written.iter().any(|key| new(&key)));
            assert!(!written.iter().all(|key| new(&key)));
        }
    }
}
