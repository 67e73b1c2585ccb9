//! The figures that ours are held against: what peers take on one other machine, and our own goals there.
//!
//! rust-verkle and go-ipa are in no package registry, so they are not run. Their times are from that machine
//! (x86-64 with ADX, about 4 GHz, one thread, CPU time, minimum of several), where arkworks was measured too.

use crate::measure::{Measured, Table, time};

/// arkworks' time for a sum of 2^14 points there, in nanoseconds: what other figures are scaled by.
pub const REFERENCE: f64 = 118e6;

/// arkworks' time for a product in Fq there: the middle of 13.3 to 15.5.
const REFERENCE_PRODUCT: f64 = 14.4;

/// The section of the lines that only we have.
pub const PROOFS: &str = "Verkle";

/// The section of commitments with a table.
pub const COMMITMENTS: &str = "Commitments";

const US: f64 = 1e3;
const MS: f64 = 1e6;

/// Times on that machine in nanoseconds; 0 where there is none.
struct Figure {
    section: &'static str,
    name: &'static str,
    rust_verkle: f64,
    go_ipa: f64,
    goal: f64,
}

const fn figure(
    section: &'static str,
    name: &'static str,
    unit: f64,
    [rust_verkle, go_ipa, goal]: [f64; 3],
) -> Figure {
    Figure {
        section,
        name,
        rust_verkle: rust_verkle * unit,
        go_ipa: go_ipa * unit,
        goal: goal * unit,
    }
}

const GROUP: &str = "Banderwagon";

const FIGURES: [Figure; 30] = [
    figure("Fq", "mul, independent", 1.0, [0.0, 13.8, 14.0]),
    figure("Fq", "square, independent", 1.0, [0.0, 14.0, 14.0]),
    figure("Fq", "inversion (and an addition)", US, [0.0, 1.0, 1.0]),
    figure(
        GROUP,
        "mixed addition of a table's entry",
        1.0,
        [225.0, 183.0, 115.0],
    ),
    figure(
        GROUP,
        "decode, batch of 1024; rust-verkle's way",
        US,
        [21.4, 12.8, 5.1],
    ),
    figure(
        COMMITMENTS,
        "256 scalars, default table",
        MS,
        [16.7, 2.55, 1.0],
    ),
    figure(
        COMMITMENTS,
        "256 scalars, large table",
        MS,
        [16.7, 2.55, 0.75],
    ),
    figure(COMMITMENTS, "1 scalar, sparse table", US, [3.0, 2.7, 3.5]),
    figure(
        COMMITMENTS,
        "5 scalars, sparse table",
        US,
        [14.0, 13.0, 16.0],
    ),
    figure(
        COMMITMENTS,
        "16 scalars, sparse table",
        US,
        [780.0, 78.0, 55.0],
    ),
    figure(COMMITMENTS, "1 scalar, default table", US, [0.0, 0.0, 33.0]),
    figure(
        COMMITMENTS,
        "5 scalars, default table",
        US,
        [0.0, 0.0, 40.0],
    ),
    figure(
        COMMITMENTS,
        "16 scalars, default table",
        US,
        [0.0, 0.0, 90.0],
    ),
    figure(
        COMMITMENTS,
        "making the default table",
        MS,
        [1300.0, 3100.0, 200.0],
    ),
    figure(GROUP, "MSM of 2^8", MS, [4.4, 3.4, 2.0]),
    figure(GROUP, "MSM of 2^12", MS, [39.0, 35.0, 19.0]),
    figure(GROUP, "MSM of 2^14", MS, [127.0, 116.0, 66.0]),
    figure(GROUP, "MSM of 2^17", MS, [971.0, 839.0, 500.0]),
    figure(PROOFS, "IPA prove", MS, [38.4, 28.2, 5.2]),
    figure(PROOFS, "IPA verify", MS, [5.6, 6.6, 2.5]),
    figure(PROOFS, "prove, 2000 openings", MS, [75.0, 60.0, 13.0]),
    figure(PROOFS, "prove, 16000 openings", MS, [243.0, 152.0, 49.0]),
    figure(PROOFS, "prove, 128000 openings", MS, [0.0, 1120.0, 335.0]),
    figure(PROOFS, "verify, 2000 openings", MS, [35.0, 27.0, 12.0]),
    figure(PROOFS, "verify, 16000 openings", MS, [206.0, 128.0, 66.0]),
    figure(PROOFS, "verify, 128000 openings", MS, [0.0, 960.0, 480.0]),
    figure(
        PROOFS,
        "verify from bytes, 2000 openings",
        MS,
        [78.0, 54.0, 22.0],
    ),
    figure(
        PROOFS,
        "verify from bytes, 16000 openings",
        MS,
        [569.0, 349.0, 150.0],
    ),
    figure(
        PROOFS,
        "verify from bytes, 128000 openings",
        MS,
        [0.0, 2860.0, 1165.0],
    ),
    figure(PROOFS, "a block's witness", MS, [13.7, 17.8, 4.0]),
];

/// (openings, milliseconds) of `operation` by rust-verkle and by go-ipa on the other machine.
pub fn curves(operation: &str) -> [(&'static str, Vec<(f64, f64)>); 2] {
    let times = |of: fn(&Figure) -> f64| {
        let figure = |f: &Figure| {
            let (name, rest) = f.name.split_once(", ")?;
            let openings: f64 = rest.strip_suffix(" openings")?.parse().ok()?;
            (name == operation && of(f) > 0.0).then_some((openings, of(f) / MS))
        };
        FIGURES.iter().filter_map(figure).collect()
    };
    [
        ("rust-verkle", times(|f| f.rust_verkle)),
        ("go-ipa", times(|f| f.go_ipa)),
    ]
}

/// Prints every line that has a figure and was measured.
pub fn print(table: &Table) {
    let product = table
        .measured("Fq", "mul, independent")
        .and_then(|m| m.peer);
    let Some(sum) = table.measured(GROUP, "MSM of 2^14").and_then(|m| m.peer) else {
        return;
    };
    let factor = sum / REFERENCE;
    println!(
        "\nTimes of the other machine are multiplied by {factor:.2}: arkworks' sum of 2^14 points took {} there, {} here.",
        time(REFERENCE),
        time(sum)
    );
    if let Some(product) = product {
        println!(
            "(Its product in Fq took {} there, {} here: {:.2} times as long.)",
            time(REFERENCE_PRODUCT),
            time(product),
            product / REFERENCE_PRODUCT
        );
    }
    println!(
        "\n| work | ours | arkworks | ratio | rust-verkle (scaled) | ratio | go-ipa (scaled) | ratio | goal (scaled) | ratio |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for figure in FIGURES
        .iter()
        .filter(|f| f.rust_verkle + f.go_ipa + f.goal > 0.0)
    {
        if let Some(measured) = table.measured(figure.section, figure.name) {
            line(figure, &measured, factor);
        }
    }
}

fn line(figure: &Figure, measured: &Measured, factor: f64) {
    let cell = |other: Option<f64>| {
        other.map_or_else(
            || "– | –".to_owned(),
            |other| format!("{} | {:.2}", time(other), measured.ours / other),
        )
    };
    let scale = |t: f64| cell((t > 0.0).then_some(t * factor));
    println!(
        "| {} | {} | {} | {} | {} | {} |",
        figure.name,
        time(measured.ours),
        cell(measured.peer),
        scale(figure.rust_verkle),
        scale(figure.go_ipa),
        scale(figure.goal)
    );
}
