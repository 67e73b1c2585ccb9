//! `lightproof verify-block`: a block's execution witness against its parent's state root.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use lightproof::verkle::witness::json::{self, Block, Leniency};
use lightproof::verkle::witness::{Mode, Shape, Witness, WitnessError};
use lightproof::verkle::{Committer, ScratchBuffer};

use super::{Failure, Outcome, counted, hex, print_line, threads, unhex};

/// Verify a block's execution witness, and compute the state root after the block from it
///
/// The file is a block as JSON: `executionWitness`, and where they are known `parentStateRoot` (the root that the
/// witness is checked against), `header.stateRoot` (the root to reach), and `header.number`.
///
/// Exit status: 0, the witness holds and the header's root, if there is one, is reached. 1, a check fails or the
/// root differs; the last line says which. 2, the file can't be read, is malformed, or there is no parent root.
#[derive(Args, Debug)]
pub(crate) struct VerifyBlock {
    /// The block's JSON file; `-` for standard input
    file: PathBuf,
    /// The parent block's state root, instead of the file's `parentStateRoot`
    #[arg(long, value_name = "HEX")]
    parent_root: Option<String>,
    /// Refuse a witness that claims absences which it does not show
    #[arg(long)]
    strict: bool,
    /// Read forms met in the wild, too: suffixes as strings, "0x" for null, snake_case names
    #[arg(long)]
    lenient: bool,
    /// Threads; 0 for as many as the machine has
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// The time of each stage.
struct Stages {
    last: Instant,
    times: Vec<(&'static str, Duration)>,
}

impl Stages {
    fn new() -> Self {
        Self {
            last: Instant::now(),
            times: Vec::new(),
        }
    }

    fn done(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.times.push((stage, now - self.last));
        self.last = now;
    }

    fn print(&self) -> Outcome {
        let times: Vec<String> = self
            .times
            .iter()
            .map(|(stage, time)| format!("{stage} {:.2} ms", time.as_secs_f64() * 1e3))
            .collect();
        print_line(format_args!("time        {}", times.join(", ")))
    }
}

impl VerifyBlock {
    pub(crate) fn run(&self) -> Outcome {
        let mut stages = Stages::new();
        let name = self.file.display();
        let text = super::read(&self.file)?;
        let leniency = if self.lenient {
            Leniency::Lenient
        } else {
            Leniency::Strict
        };
        let unusable =
            |error: &dyn std::fmt::Display| Failure::unusable(format!("{name}: {error}"));
        let block = json::read_block(&text, leniency).map_err(|error| unusable(&error))?;
        let parent = self.parent_root(&block)?;
        let ssz = block.witness.to_ssz().map_err(|error| unusable(&error))?;
        let witness = Witness::from_ssz(&ssz).map_err(|error| unusable(&error))?;
        stages.done("read");

        match block.number {
            Some(number) => print_line(format_args!("block       {number} ({name})"))?,
            None => print_line(format_args!("block       {name}"))?,
        }
        print_line(format_args!("parent root {}", hex(&parent)))?;
        let result = self.check(&block, &witness, &parent, &mut stages);
        stages.print()?;
        match &result {
            Ok(verdict) => print_line(format_args!("verdict     {verdict}")),
            Err(failure) => {
                print_line(format_args!("verdict     {failure}"))?;
                result.map(|_| ())
            }
        }
    }

    fn parent_root(&self, block: &Block) -> Result<[u8; 32], Failure> {
        match &self.parent_root {
            Some(text) => unhex("--parent-root", text),
            None => block.parent_state_root.ok_or_else(|| {
                Failure::unusable(format!(
                    "{}: no parent state root: give --parent-root, or a member parentStateRoot in the file",
                    self.file.display()
                ))
            }),
        }
    }

    /// Everything after reading. Prints as it goes; gives the verdict's words.
    fn check(
        &self,
        block: &Block,
        witness: &Witness<'_>,
        parent: &[u8; 32],
        stages: &mut Stages,
    ) -> Result<&'static str, Failure> {
        let checked = witness.check().map_err(Failure::rejected)?;
        let shape = checked.shape();
        print_line(format_args!(
            "witness     {}, {}, {}, {}, depth {}",
            counted(shape.stems, "stem"),
            counted(shape.keys, "key"),
            counted(shape.nodes, "node"),
            counted(shape.openings, "opening"),
            shape.max_depth
        ))?;
        stages.done("structure");
        let exec = threads(self.threads);
        let committer = Committer::without_table();
        stages.done("table");
        let mut buffer = ScratchBuffer::new(shape.nodes);
        let mode = if self.strict {
            Mode::Strict
        } else {
            Mode::Count
        };
        let mut scratch = buffer.scratch();
        let verified = checked
            .verify_with(&exec, &committer, parent, mode, &mut scratch)
            .map_err(|error| match error {
                WitnessError::Verifier(_) | WitnessError::Scratch { .. } => {
                    Failure::unusable(error)
                }
                error => Failure::rejected(error),
            })?;
        stages.done("multiproof");
        let unshown = verified.unshown_absences();
        print_claims(&shape, unshown)?;

        let post = verified.post_root(&committer);
        stages.done("post root");
        print_line(format_args!("post root   {}", hex(&post)))?;
        match block.state_root {
            None => {
                print_line("header      names no state root: the post root is not compared")?;
                Ok("the witness holds")
            }
            Some(root) if root == post => {
                print_line("header      agrees with the post root")?;
                Ok("the witness holds, and its writes lead to the header's state root")
            }
            Some(root) => {
                print_line(format_args!(
                    "header      {} differs from the post root",
                    hex(&root)
                ))?;
                Err(Failure::rejected(
                    "the witness holds under the parent root, but its writes do not lead to the header's state root",
                ))
            }
        }
    }
}

/// What the verified witness proves, and what it does not.
fn print_claims(shape: &Shape, unshown: usize) -> Outcome {
    let absent = (shape.absent_empty + shape.absent_other).saturating_sub(unshown);
    print_line(format_args!(
        "proven      the values before the block of {}, and the absence of {}",
        counted(shape.present, "stem"),
        counted(absent, "stem")
    ))?;
    if unshown > 0 {
        let slots = if unshown == 1 {
            "its slot's node is"
        } else {
            "their slots' nodes are"
        };
        print_line(format_args!(
            "not proven  the absence of {}: the witness does not show that {slots} internal",
            counted(unshown, "stem")
        ))?;
    }
    let written = match shape.writes {
        0 => return Ok(()),
        writes => counted(writes, "value"),
    };
    print_line(format_args!(
        "not proven  the {written} written: only the post root speaks for them"
    ))
}
