//! The plot: time against the number of openings, both axes logarithmic; the prover beside the verifier.

use std::path::Path;

use lightproof_peers::figures;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::rows::Rows;

const SIZE: (u32, u32) = (1100, 480);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// One colour an operation.
const PROVE: RGBColor = RGBColor(31, 119, 180);
const VERIFY: RGBColor = RGBColor(44, 160, 44);
const FROM_BYTES: RGBColor = RGBColor(214, 39, 40);

/// One curve: its label and style, and (openings, milliseconds).
struct Curve {
    label: String,
    style: ShapeStyle,
    points: Vec<(f64, f64)>,
}

/// Draws `rows`; and the peers' published times multiplied by `peers`, if that is given.
pub(crate) fn draw(rows: &Rows, peers: Option<f64>, file: &Path) -> Result<(), String> {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    let result = root
        .fill(&WHITE)
        .map_err(|error| error.to_string())
        .and_then(|()| {
            let (left, right) = root.split_horizontally(SIZE.0 / 2);
            panel(&left, "Prover", &curves(rows, peers, &[("prove", PROVE)]))?;
            let operations = [("verify", VERIFY), ("verify from bytes", FROM_BYTES)];
            panel(&right, "Verifier", &curves(rows, peers, &operations))?;
            root.present().map_err(|error| error.to_string())
        });
    result.map_err(|error| format!("{}: {error}", file.display()))
}

fn curves(rows: &Rows, peers: Option<f64>, operations: &[(&str, RGBColor)]) -> Vec<Curve> {
    let mut out = Vec::new();
    for (name, color) in operations {
        for threads in rows.threads() {
            // More threads, thinner lines.
            out.push(Curve {
                label: match threads {
                    1 => format!("{name}, 1 thread"),
                    threads => format!("{name}, {threads} threads"),
                },
                style: color.stroke_width(if threads == 1 { 3 } else { 1 }),
                points: rows.curve(name, threads),
            });
        }
        for ((peer, points), opacity) in figures::curves(name).into_iter().zip([0.25, 0.5]) {
            let Some(factor) = peers else { continue };
            out.push(Curve {
                label: format!("{name}, {peer} (scaled)"),
                style: color.mix(opacity).stroke_width(1),
                points: points.iter().map(|(n, ms)| (*n, ms * factor)).collect(),
            });
        }
    }
    out.retain(|curve| !curve.points.is_empty());
    out
}

fn panel(area: &Area<'_>, title: &str, curves: &[Curve]) -> Result<(), String> {
    let points = || curves.iter().flat_map(|curve| curve.points.iter());
    let most = points().fold((1.0f64, 1.0f64), |a, p| (a.0.max(p.0), a.1.max(p.1)));
    let least = points().fold(most, |a, p| (a.0.min(p.0), a.1.min(p.1)));
    if points().next().is_none() {
        return Err("nothing was measured".to_owned());
    }
    fill(area, title, curves, (least, most)).map_err(|error| error.to_string())
}

fn fill<'a>(
    area: &Area<'a>,
    title: &str,
    curves: &[Curve],
    (least, most): ((f64, f64), (f64, f64)),
) -> Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>> {
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(
            (least.0 / 1.5..most.0 * 1.5).log_scale(),
            (least.1 / 2.0..most.1 * 4.0).log_scale(),
        )?;
    let number = |x: &f64| format!("{x:.0}");
    chart
        .configure_mesh()
        .x_desc("openings")
        .y_desc("milliseconds")
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .x_labels(5)
        .y_labels(5)
        .max_light_lines(1)
        .bold_line_style(RGBColor(225, 225, 225))
        .draw()?;
    for Curve {
        label,
        style,
        points,
    } in curves
    {
        let style = *style;
        chart
            .draw_series(LineSeries::new(points.iter().copied(), style))?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
        let dot = |point: &(f64, f64)| Circle::new(*point, 3, style.filled());
        chart.draw_series(points.iter().map(dot))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE)
        .border_style(RGBColor(200, 200, 200))
        .draw()
}
