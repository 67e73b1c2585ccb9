//! Threads that share an operation against independent runs side by side: both use the machine's
//! cores, caches and memory alike, so that what is missing is the sharing's fault.

use std::sync::Barrier;
use std::time::Duration;

use lightproof::exec::Threads;
use lightproof::verkle::Error;

use super::job::{Job, Op};
use super::{Row, Statement};
use crate::cli::{Failure, Outcome};

/// Runs both in turn, `runs` times each, and writes the fastest times into `rows`, one row for
/// each of [`Op::ALL`].
pub(super) fn compare(
    job: &mut Job<'_>,
    statement: &Statement,
    rows: &mut [Row<'_>],
    exec: Threads,
    runs: usize,
) -> Outcome {
    let statements = (0..exec.0)
        .map(|_| statement.copy())
        .collect::<Result<Vec<_>, _>>()?;
    let mut jobs: Vec<Job<'_>> = statements
        .iter()
        .map(|statement| Job::new(job.committer(), statement, job.proof.clone()))
        .collect();
    for (row, op) in rows.iter_mut().zip(Op::ALL) {
        let mut copies = Duration::MAX;
        for _ in 0..runs {
            let shared = job.run(op, exec).map_err(Failure::rejected)?;
            row.time = row.time.min(shared);
            copies = copies.min(side_by_side(&mut jobs, op).map_err(Failure::rejected)?);
        }
        row.copies = Some(copies);
    }
    Ok(())
}

/// The slowest of the runs, which start together.
fn side_by_side(jobs: &mut [Job<'_>], op: Op) -> Result<Duration, Error> {
    let start = Barrier::new(jobs.len());
    let start = &start;
    std::thread::scope(|scope| {
        let runs: Vec<_> = jobs
            .iter_mut()
            .map(|job| {
                scope.spawn(move || {
                    start.wait();
                    job.run(op, Threads(1))
                })
            })
            .collect();
        let mut slowest = Duration::ZERO;
        for run in runs {
            // A panic goes on here.
            let time = run
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            slowest = slowest.max(time);
        }
        Ok(slowest)
    })
}
