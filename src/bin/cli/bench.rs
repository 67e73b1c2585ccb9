//! `lightproof bench`: proving and verifying many openings.

use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use lightproof::exec::Threads;
use lightproof::verkle::multiproof::{MultiProof, ProverQuery, prove_with};
use lightproof::verkle::{Committer, Element, Scalar, Transcript, Vector, crs};

use self::job::{Job, Op, timed};
use super::{Failure, Outcome, cpu, memory, print_line};

mod copies;
mod job;

/// Measure prover and verifier for numbers of openings
///
/// The statement: distinct dense polynomials f_i = f_0 + i at index 0, opened at 167·i mod 256. `verify` is given
/// decoded commitments, `verify_bytes` compressed ones. Times are minima. For more threads than one, `copies`
/// is the time of as many independent runs of one thread side by side, each on data of its own, and `of copies`
/// what the threads do together as a part of what the copies do in the same time.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Numbers of openings
    #[arg(long, value_delimiter = ',', default_values_t = [2000, 16000, 32000, 64000, 128000], value_name = "LIST")]
    openings: Vec<usize>,
    /// Numbers of threads; 0 for as many as the machine has
    #[arg(long, value_delimiter = ',', default_values_t = [1], value_name = "LIST")]
    threads: Vec<usize>,
    /// Backends, of those that `cpu` lists
    #[arg(long, value_delimiter = ',', default_values_t = [String::from(cpu::BACKENDS[0])], value_name = "LIST")]
    backend: Vec<String>,
    /// Runs of each operation, of which the fastest counts
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

/// More openings than this would need more than 64 GiB of polynomials.
const MAX_OPENINGS: usize = 1 << 23;

/// Each has a copy of the statement.
const MAX_THREADS: usize = 1024;

/// The polynomials and commitments of a statement.
struct Statement {
    polynomials: Vec<Vector>,
    commitments: Vec<Element>,
}

impl Statement {
    fn new(
        committer: &Committer<'_>,
        openings: usize,
        progress: &ProgressBar,
    ) -> Result<Self, Failure> {
        let too_large =
            |_| Failure::unusable(format!("no memory for {openings} polynomials of 8 KiB"));
        let mut polynomials: Vec<Vector> = Vec::new();
        let mut commitments = Vec::new();
        polynomials.try_reserve_exact(openings).map_err(too_large)?;
        commitments.try_reserve_exact(openings).map_err(too_large)?;
        let mut polynomial = dense();
        let mut commitment = committer
            .commit(&polynomial[..])
            .map_err(Failure::unusable)?;
        let step = Element::from(crs::GENERATORS[0]);
        for i in 0..openings {
            polynomials.push(*polynomial);
            commitments.push(commitment);
            polynomial[0] += Scalar::ONE;
            commitment += step;
            if i % 1000 == 0 {
                progress.tick();
            }
        }
        Ok(Self {
            polynomials,
            commitments,
        })
    }

    /// A copy of its own memory.
    fn copy(&self) -> Result<Self, Failure> {
        let mut polynomials = Vec::new();
        polynomials
            .try_reserve_exact(self.polynomials.len())
            .map_err(|_| Failure::unusable("no memory for a second copy of the polynomials"))?;
        polynomials.extend_from_slice(&self.polynomials);
        Ok(Self {
            polynomials,
            commitments: self.commitments.clone(),
        })
    }

    fn queries(&self) -> Vec<ProverQuery<'_>> {
        let pairs = self.commitments.iter().zip(&self.polynomials);
        // 167 is odd, so the points go through the whole domain.
        let points = (0..=255u8).map(|i| i.wrapping_mul(167)).cycle();
        pairs
            .zip(points)
            .map(|((commitment, polynomial), point)| ProverQuery {
                commitment,
                polynomial,
                point,
            })
            .collect()
    }
}

/// A polynomial without a small or zero value: powers of a large number.
fn dense() -> Box<Vector> {
    let base = Scalar::from_le_bytes_reduced(&[0xa7; 64]);
    let mut power = Scalar::ONE;
    let mut out = Box::new([Scalar::ZERO; 256]);
    for slot in out.iter_mut() {
        power *= base;
        *slot = power;
    }
    out
}

/// One line of the result.
struct Row<'a> {
    op: &'static str,
    openings: usize,
    threads: usize,
    backend: &'a str,
    time: Duration,
    peak: Option<u64>,
    /// The time of as many independent runs of one thread side by side.
    copies: Option<Duration>,
}

impl Row<'_> {
    /// What the threads do together, as a part of what the copies do in the same time.
    fn of_copies(&self) -> Option<f64> {
        let of = |copies: Duration| {
            copies.as_secs_f64() / (self.threads as f64 * self.time.as_secs_f64().max(1e-9))
        };
        self.copies.map(of)
    }

    fn print(&self, json: bool) -> Outcome {
        let in_ms = |time: Duration| time.as_secs_f64() * 1e3;
        let ms = in_ms(self.time);
        if json {
            return print_line(serde_json::json!({
                "op": self.op, "openings": self.openings, "threads": self.threads,
                "backend": self.backend, "ms": ms, "peak_bytes": self.peak,
                "proof_bytes": MultiProof::BYTES,
                "copies_ms": self.copies.map(in_ms), "of_copies": self.of_copies(),
            }));
        }
        let a_second = self.openings as f64 / self.time.as_secs_f64().max(1e-9);
        let peak = self.peak.map_or_else(
            || String::from("-"),
            |peak| format!("{:.1}", peak as f64 / 1048576.0),
        );
        let number = |x: Option<f64>, digits| {
            x.map_or_else(|| String::from("-"), |x| format!("{x:.digits$}"))
        };
        print_line(format_args!(
            "{:<13} {:>9} {:>8} {:<10} {:>12.2} {:>12.0} {:>12} {:>10} {:>12} {:>10}",
            self.op,
            self.openings,
            self.threads,
            self.backend,
            ms,
            a_second,
            MultiProof::BYTES,
            peak,
            number(self.copies.map(in_ms), 2),
            number(self.of_copies(), 3)
        ))
    }
}

/// The fastest of `runs`, with the peak of memory over all of them.
fn measure<T>(
    runs: usize,
    progress: &ProgressBar,
    mut work: impl FnMut() -> Result<(T, Duration), lightproof::verkle::Error>,
) -> Result<(T, Duration, Option<u64>), Failure> {
    let resets = memory::reset_peak();
    let mut best: Option<(T, Duration)> = None;
    for _ in 0..runs.max(1) {
        let (result, time) = work().map_err(Failure::rejected)?;
        progress.inc(1);
        if best.as_ref().is_none_or(|(_, fastest)| time < *fastest) {
            best = Some((result, time));
        }
    }
    let peak = if resets { memory::peak() } else { None };
    best.map(|(result, time)| (result, time, peak))
        .ok_or_else(|| Failure::unusable("no run"))
}

impl Bench {
    pub(crate) fn run(&self) -> Outcome {
        if let Some(name) = self
            .backend
            .iter()
            .find(|name| !cpu::BACKENDS.contains(&name.as_str()))
        {
            return Err(Failure::unusable(format!(
                "no backend {name:?} in this build: it has {}",
                cpu::BACKENDS.join(", ")
            )));
        }
        let largest = self.openings.iter().copied().max().unwrap_or(0);
        if self.openings.contains(&0) || largest > MAX_OPENINGS {
            return Err(Failure::unusable(format!(
                "numbers of openings are 1 to {MAX_OPENINGS}"
            )));
        }
        let threads = self.threads.iter().map(|n| super::threads(*n).0);
        let copies = threads.max().unwrap_or(1);
        if copies > MAX_THREADS || copies.saturating_mul(largest) > MAX_OPENINGS {
            return Err(Failure::unusable(format!(
                "numbers of threads are 0 to {MAX_THREADS}, and of openings times threads at most {MAX_OPENINGS}"
            )));
        }
        let runs = usize::from(self.runs);
        let progress = self.progress(runs);
        let committer = Committer::generate(&super::threads(0), lightproof::table::Shape::DEFAULT)
            .map_err(Failure::unusable)?;
        if !self.json {
            print_line(format_args!(
                "{:<13} {:>9} {:>8} {:<10} {:>12} {:>12} {:>12} {:>10} {:>12} {:>10}",
                "op",
                "openings",
                "threads",
                "backend",
                "ms",
                "openings/s",
                "proof bytes",
                "peak MiB",
                "copies ms",
                "of copies"
            ))?;
        }
        for openings in &self.openings {
            progress.set_message("polynomials");
            // One for each number, so that the peak of memory is that number's.
            let statement = Statement::new(&committer, *openings, &progress)?;
            for backend in &self.backend {
                for threads in &self.threads {
                    let exec = super::threads(*threads);
                    self.one(&committer, &statement, exec, backend, (runs, &progress))?;
                }
            }
        }
        progress.finish_and_clear();
        Ok(())
    }

    fn progress(&self, runs: usize) -> ProgressBar {
        if !super::on_terminal() {
            return ProgressBar::hidden();
        }
        let steps = 3 * runs * self.openings.len() * self.threads.len() * self.backend.len();
        let bar = ProgressBar::new(steps as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar
    }

    /// Proves, verifies, and verifies from bytes.
    fn one(
        &self,
        committer: &Committer<'_>,
        statement: &Statement,
        exec: Threads,
        backend: &str,
        (runs, progress): (usize, &ProgressBar),
    ) -> Outcome {
        let openings = statement.polynomials.len();
        let mut rows = Vec::new();
        let mut row = |op: Op, time, peak| {
            rows.push(Row {
                op: op.name(),
                openings,
                threads: exec.0,
                backend,
                time,
                peak,
                copies: None,
            });
        };
        progress.set_message(format!("prove {openings}"));
        let queries = statement.queries();
        let (proof, time, peak) = measure(runs, progress, || {
            timed(|| prove_with(&exec, committer, &mut Transcript::new("vt"), &queries))
        })?;
        row(Op::Prove, time, peak);
        progress.set_message(format!("verify {openings}"));
        let mut job = Job::new(committer, statement, proof);
        for op in [Op::Verify, Op::VerifyBytes] {
            let ((), time, peak) = measure(runs, progress, || Ok(((), job.run(op, exec)?)))?;
            row(op, time, peak);
        }
        if exec.0 > 1 {
            progress.set_message(format!("{} copies {openings}", exec.0));
            copies::compare(&mut job, statement, &mut rows, exec, runs)?;
        }
        progress.suspend(|| rows.iter().try_for_each(|row| row.print(self.json)))
    }
}
