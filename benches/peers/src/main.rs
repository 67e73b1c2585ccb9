//! The same work done by us and by arkworks, in one run, turn about; a table in Markdown.
//!
//! ```text
//! taskset -c 0 cargo run --release --manifest-path benches/peers/Cargo.toml -- [OPTIONS] [PART…]
//! ```
//!
//! Parts: `field`, `group`, `verkle`; all by default. `--seconds S`: time a line (0.5).
//! `--openings LIST`: numbers of openings (2000,16000). `--largest K`: sums of up to 2^K points (14).
//! `--block FILE`: a block's JSON whose witness is verified; `--parent-root HEX`: the root of the state
//! before it, where the file does not name it.

mod field;
mod group;
mod verkle;

use std::path::PathBuf;

use lightproof_peers::figures;
use lightproof_peers::measure::Table;

const PARTS: [&str; 3] = ["field", "group", "verkle"];

struct Options {
    seconds: f64,
    openings: Vec<usize>,
    largest: u32,
    block: Option<PathBuf>,
    parent_root: Option<[u8; 32]>,
    parts: Vec<String>,
}

fn options() -> Result<Options, String> {
    let mut out = Options {
        seconds: 0.5,
        openings: vec![2000, 16000],
        largest: 14,
        block: None,
        parent_root: None,
        parts: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--seconds" => out.seconds = value()?.parse().map_err(|e| format!("--seconds: {e}"))?,
            "--openings" => {
                let list: Result<_, _> = value()?.split(',').map(str::parse).collect();
                out.openings = list.map_err(|e| format!("--openings: {e}"))?;
                if out.openings.contains(&0) {
                    return Err("--openings: at least one".to_owned());
                }
            }
            "--largest" => match value()?.parse() {
                Ok(k @ 5..=20) => out.largest = k,
                _ => return Err("--largest: 5 to 20".to_owned()),
            },
            "--block" => out.block = Some(value()?.into()),
            "--parent-root" => {
                let root = value()?;
                let mut bytes = [0; 32];
                hex::decode_to_slice(root.trim_start_matches("0x"), &mut bytes)
                    .map_err(|e| format!("--parent-root: {e}"))?;
                out.parent_root = Some(bytes);
            }
            part if PARTS.contains(&part) => out.parts.push(argument),
            _ => {
                return Err(format!(
                    "{argument}: no such option or part ({})",
                    PARTS.join(", ")
                ));
            }
        }
    }
    if out.parts.is_empty() {
        out.parts = PARTS.map(str::to_owned).to_vec();
    }
    Ok(out)
}

fn main() -> std::process::ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}");
            return std::process::ExitCode::from(2);
        }
    };
    let has = |part: &str| options.parts.iter().any(|p| p == part);
    let assembly = cfg!(all(
        feature = "asm",
        target_arch = "x86_64",
        target_feature = "bmi2",
        target_feature = "adx"
    ));
    println!(
        "arkworks {}; CPU time of one thread, the fastest of many short runs, turn about.",
        if assembly {
            "with its assembly"
        } else {
            "in portable Rust"
        }
    );
    if cfg!(feature = "asm") && !assembly {
        eprintln!(
            "arkworks' assembly needs RUSTFLAGS='-C target-feature=+bmi2,+adx' on x86-64: it is not used"
        );
    }
    let table = Table::new(options.seconds);
    if has("field") {
        field::rows(&table);
    }
    if has("group") {
        group::rows(&table, options.largest);
    }
    if has("verkle") {
        let block = options
            .block
            .as_deref()
            .map(|file| (file, options.parent_root));
        verkle::rows(&table, &options.openings, block);
    }
    figures::print(&table);
    std::process::ExitCode::SUCCESS
}
