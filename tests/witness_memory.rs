//! Verifying a witness and computing the root after the block allocates nothing.
#![cfg(all(feature = "verkle", feature = "serde"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_alloc)]

mod common;

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicUsize, Ordering};
use std::alloc::System;

use lightproof::verkle::witness::json::{self, Leniency};
use lightproof::verkle::witness::{Mode, Witness};
use lightproof::verkle::{Committer, Workspace};

/// The system's allocator, counted.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's contract is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is the same.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's contract is the same.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Room for the largest witness of the project's own vectors; in a firmware it would be a `static`.
type Memory = Workspace<160, 32>;

#[test]
fn nothing_is_allocated() {
    let text = std::fs::read_to_string(common::roots("verkle-witness")[0].join("proofs.jsonl"));
    let text = text.unwrap();
    let mut memory = Box::new(Memory::new());
    let (plain, fast) = (Committer::without_table(), Committer::new());
    let mut runs = 0;
    for line in text.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let root = |member: &str| common::hex_array::<32>(record[member].as_str().unwrap());
        let (pre, post) = (root("pre"), root("post"));
        let witness = record["witness"].to_string();
        let owned = json::read_witness(witness.as_bytes(), Leniency::Strict).unwrap();
        let ssz = owned.to_ssz().unwrap();
        let committer = if runs % 8 == 0 { &plain } else { &fast };
        let before = ALLOCATIONS.load(Ordering::SeqCst);
        let read = Witness::from_ssz(&ssz).unwrap();
        let mut scratch = memory.scratch();
        let verified = read
            .verify(committer, &pre, Mode::Count, &mut scratch)
            .unwrap();
        let computed = verified.post_root(committer);
        let after = ALLOCATIONS.load(Ordering::SeqCst);
        assert_eq!((computed, after - before), (post, 0), "{}", record["id"]);
        runs += 1;
    }
    assert!(runs > 0);
}
