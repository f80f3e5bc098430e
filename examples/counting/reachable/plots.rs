//! The plots: the funnel, and the error of the running estimate.

use std::path::Path;

use anyhow::Result;
use plotters::prelude::*;
use shogi_rank::Z_95;

use super::Point;
use super::tables::Row;
use crate::plot::{draw, head};

const OURS: RGBColor = RGBColor(31, 119, 180);
const PAPERS: RGBColor = RGBColor(214, 39, 40);
const BETWEEN: RGBColor = RGBColor(44, 160, 44);

/// Draws what is left after each stage, this run beside the paper: the rows of a table with what they are shares
/// of, there and here. `whole` names it.
///
/// # Errors
///
/// If the file cannot be written.
pub fn funnel(path: &Path, whole: &str, rows: &[Row], of: [f64; 2]) -> Result<()> {
    let share = |count: u64, of: f64| count as f64 / of;
    let stages: Vec<_> = rows
        .iter()
        .map(|row| (&row.name, share(row.ours, of[0]), share(row.paper, of[1])))
        .collect();
    draw(path, |root| {
        let title = format!("Left after each stage, of the {whole}");
        let plot = head(root, &title, &[("this run", OURS), ("the paper", PAPERS)])?;
        let mut chart = ChartBuilder::on(&plot)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..stages.len() as f64, 0.0..1.0f64)?;
        // The middle of a stage's column has its label, the ends have none.
        let label = |x: &f64| match stages.get(*x as usize) {
            Some((name, ours, _)) if (x.fract() - 0.5).abs() < 0.01 => {
                format!("{name}: {:.3} %", 100.0 * ours)
            }
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .max_light_lines(0)
            .x_labels(2 * stages.len() + 1)
            .x_label_formatter(&label)
            .x_desc("stage, and its share in this run")
            .y_desc(format!("share of the {whole}"))
            .y_label_formatter(&|share| format!("{:.0} %", 100.0 * share))
            .draw()?;
        for (stage, &(_, ours, paper)) in stages.iter().enumerate() {
            let bar = |offset: f64, share: f64| {
                let left = stage as f64 + offset;
                [(left, 0.0), (left + 0.35, share)]
            };
            chart.draw_series([
                Rectangle::new(bar(0.14, ours), OURS.filled()),
                Rectangle::new(bar(0.51, paper), PAPERS.filled()),
            ])?;
        }
        Ok(())
    })
}

/// A published share of reachable positions.
pub struct Published {
    /// Its interval.
    pub interval: [f64; 2],
    /// How many standard errors the interval reaches to either side.
    pub errors: f64,
    /// Samples it rests on.
    pub samples: u64,
}

/// Draws how uncertain the running estimate is, relative to itself, how uncertain the published one is, and how
/// far apart the two are.
///
/// # Errors
///
/// If the file cannot be written.
pub fn convergence(path: &Path, points: &[Point], published: &Published) -> Result<()> {
    let [Some(first), Some(last)] = [points.first(), points.last()] else { return Ok(()) };
    let [low, high] = published.interval;
    let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0 * Z_95 / published.errors);
    let width = |point: &Point| (point.interval[1] - point.interval[0]) / 2.0 / point.p;
    let start = first.samples as f64;
    let end = (last.samples.max(published.samples) as f64).max(start * 10.0) * 1.2;
    // What is below the plot is drawn at its lower edge.
    let least = (width(last).min(half / middle) / 100.0).max(1e-9);
    let most = 2.0 * width(first).max(half / middle);
    let distance = |point: &Point| ((point.p - middle).abs() / middle).max(least);
    draw(path, |root| {
        let plot = head(
            root,
            "Relative error of the share of reachable positions",
            &[
                ("half of the 95 % interval of this run so far", OURS),
                (
                    "half of the 95 % interval of the paper, with a circle at its number of samples",
                    PAPERS,
                ),
                ("distance between this run so far and the paper", BETWEEN),
            ],
        )?;
        let mut chart = ChartBuilder::on(&plot)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d((start..end).log_scale(), (least..most).log_scale())?;
        chart
            .configure_mesh()
            .max_light_lines(0)
            .x_desc("samples")
            .y_desc("relative error")
            .x_label_formatter(&|x| format!("{x:.0e}"))
            .y_label_formatter(&|y| format!("{y:.0e}"))
            .draw()?;
        let paper = half / middle;
        let line = [(start, paper), (end, paper)];
        chart.draw_series(DashedLineSeries::new(line, 8, 6, PAPERS.stroke_width(2)))?;
        let widths = points.iter().map(|point| (point.samples as f64, width(point)));
        chart.draw_series(LineSeries::new(widths, OURS.stroke_width(2)))?;
        let distances = points.iter().map(|point| (point.samples as f64, distance(point)));
        chart.draw_series(distances.map(|at| Circle::new(at, 3, BETWEEN.filled())))?;
        let own = (published.samples as f64, paper);
        chart.draw_series([Circle::new(own, 6, PAPERS.stroke_width(2))])?;
        Ok(())
    })
}
