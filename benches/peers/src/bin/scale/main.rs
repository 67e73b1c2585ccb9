//! Prover and verifier from few openings to many: time, allocations and peak memory; a CSV file and a plot.
//!
//! ```text
//! cargo run --release --manifest-path benches/peers/Cargo.toml --bin scale -- --csv docs/scale.csv --svg docs/scale.svg
//! ```
//!
//! `--openings LIST` (2000,16000,32000,64000,128000), `--threads LIST` (1), `--runs K` (3): the fastest counts,
//! by CPU time for one thread and by the clock on the wall for more.
//! Rows are added to what the CSV file has; a row measured again takes the old one's place. `--draw`: only the plot,
//! from the CSV file. `--peers F`: with the published times of go-ipa and rust-verkle, times F. The polynomials take 8 KiB an opening: 8 GiB for 2^20.

mod plot;
mod rows;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use lightproof::exec::{Executor, Threads};
use lightproof::verkle::multiproof::{
    MultiProof, ProverQuery, VerifierQuery, prove_with, verify_encoded_with, verify_with,
};
use lightproof::verkle::{Committer, ScratchBuffer, Transcript, scratch_bytes};
use lightproof_peers::measure::thread_time;
use lightproof_peers::{Statement, encoded, encodings, peak};

use rows::{Row, Rows};

struct Options {
    openings: Vec<usize>,
    threads: Vec<usize>,
    runs: usize,
    csv: Option<PathBuf>,
    svg: Option<PathBuf>,
    draw: bool,
    peers: Option<f64>,
}

fn options() -> Result<Options, String> {
    let mut out = Options {
        openings: vec![2000, 16000, 32000, 64000, 128_000],
        threads: vec![1],
        runs: 3,
        csv: None,
        svg: None,
        draw: false,
        peers: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--openings" => out.openings = list(&value()?)?,
            "--threads" => out.threads = list(&value()?)?,
            "--runs" => out.runs = list(&value()?)?[0],
            "--csv" => out.csv = Some(value()?.into()),
            "--svg" => out.svg = Some(value()?.into()),
            "--peers" => out.peers = Some(value()?.parse().map_err(|e| format!("--peers: {e}"))?),
            "--draw" => out.draw = true,
            _ => return Err(format!("{argument}: no such option")),
        }
    }
    if out.draw && (out.csv.is_none() || out.svg.is_none()) {
        return Err("--draw needs --csv and --svg".to_owned());
    }
    Ok(out)
}

/// Numbers from 1 on.
fn list(text: &str) -> Result<Vec<usize>, String> {
    let numbers: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
    match numbers {
        Ok(numbers) if !numbers.contains(&0) => Ok(numbers),
        _ => Err(format!("{text}: no list of positive numbers")),
    }
}

/// The fastest of `runs`; then one more for its allocations and the process's peak of memory.
fn measure<T>(name: &str, shape: (usize, usize), runs: usize, mut work: impl FnMut() -> T) -> Row {
    let (openings, threads) = shape;
    let mut fastest = f64::INFINITY;
    for _ in 0..runs {
        // What other processes take does not count where one thread does all the work.
        let (start, cpu) = (Instant::now(), thread_time());
        let result = work();
        let time = if threads == 1 {
            (thread_time() - cpu) as f64 / 1e9
        } else {
            start.elapsed().as_secs_f64()
        };
        fastest = fastest.min(time);
        drop(result);
    }
    let resets = peak::reset();
    let allocated = allocation_counter::measure(|| drop(work()));
    // The counter sees the calling thread alone.
    let counted = |n: u64| (threads == 1).then_some(n);
    Row {
        operation: name.to_owned(),
        openings,
        threads,
        ms: fastest * 1e3,
        allocations: counted(allocated.count_total),
        allocated: counted(allocated.bytes_total),
        most_allocated: counted(allocated.bytes_max),
        peak: if resets { peak::peak() } else { None },
    }
}

fn openings(committer: &Committer<'_>, n: usize, options: &Options, out: &mut Rows) {
    let statement = Statement::new(committer, n);
    let queries = statement.queries(n);
    for threads in &options.threads {
        let exec = Threads(*threads);
        let shape = (n, exec.parallelism());
        let prove =
            || prove_with(&exec, committer, &mut Transcript::new("vt"), &queries).expect("a proof");
        let bytes = prove().to_bytes();
        out.add(measure("prove", shape, options.runs, prove));
        let claims: Vec<VerifierQuery<'_>> = queries.iter().map(ProverQuery::claim).collect();
        let proof = MultiProof::from_bytes(&bytes).expect("valid");
        let mut buffer = ScratchBuffer::new(n);
        out.add(measure("verify", shape, options.runs, || {
            let (transcript, scratch) = (&mut Transcript::new("vt"), &mut buffer.scratch());
            verify_with(&exec, committer, transcript, &claims, &proof, scratch).expect("holds");
        }));
        let encodings = encodings(&claims);
        let claims = encoded(&claims, &encodings);
        out.add(measure("verify from bytes", shape, options.runs, || {
            let proof = MultiProof::from_bytes(&bytes).expect("valid");
            let (transcript, scratch) = (&mut Transcript::new("vt"), &mut buffer.scratch());
            verify_encoded_with(&exec, committer, transcript, &claims, &proof, scratch)
                .expect("holds");
        }));
    }
}

fn run() -> Result<(), String> {
    let options = options()?;
    let mut rows = Rows::read(options.csv.as_deref())?;
    if !options.draw {
        let committer = Committer::new();
        println!("{}", Row::HEAD);
        for n in &options.openings {
            openings(&committer, *n, &options, &mut rows);
        }
        println!(
            "\nLent to the verifier: {} bytes an opening, {} besides, and the buckets.",
            scratch_bytes(1, 0) - scratch_bytes(0, 0),
            scratch_bytes(0, 0)
        );
        if let Some(file) = &options.csv {
            rows.write(file)?;
        }
    }
    if let Some(file) = &options.svg {
        plot::draw(&rows, options.peers, file)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
