//! The plots: the funnel, and the running estimate with its shrinking interval.

use std::path::Path;

use anyhow::Result;
use plotters::prelude::*;

use super::Point;
use crate::plot::{FONT, draw};

const OURS: RGBColor = RGBColor(31, 119, 180);
const PAPERS: RGBColor = RGBColor(214, 39, 40);

/// What is left after a stage, as shares of what is there at first.
pub struct Stage {
    /// The stage.
    pub name: &'static str,
    /// In this run.
    pub ours: f64,
    /// In the paper.
    pub paper: f64,
}

/// Draws what is left after each of up to four stages, ours beside the paper's; `whole` says what
/// they are shares of, the caption what is shown.
///
/// # Errors
///
/// If the file cannot be written.
pub fn funnel(path: &Path, caption: &str, whole: &str, stages: &[Stage]) -> Result<()> {
    draw(path, |root| {
        let mut chart = ChartBuilder::on(root)
            .caption(caption, FONT)
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..4.0f64, 0.0..1.0f64)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .max_light_lines(0)
            .x_labels(0)
            .y_desc(format!("share of the {whole}"))
            .y_label_formatter(&|share| format!("{:.0} %", 100.0 * share))
            .draw()?;
        let bar = |stage: usize, offset: f64, share: f64| {
            let left = stage as f64 + offset;
            [(left, 0.0), (left + 0.35, share)]
        };
        for (stage, &Stage { name, ours: share, paper: theirs }) in stages.iter().enumerate() {
            chart.draw_series([
                Rectangle::new(bar(stage, 0.14, share), OURS.filled()),
                Rectangle::new(bar(stage, 0.51, theirs), PAPERS.mix(0.7).filled()),
            ])?;
            let label = format!("{name} {:.3} %", 100.0 * share);
            let at = (stage as f64 + 0.14, share.max(theirs) + 0.035);
            chart.draw_series([Text::new(label, at, FONT)])?;
        }
        for (row, (name, colour)) in [("this run", OURS), ("the paper", PAPERS)].iter().enumerate()
        {
            let height = 0.95 - 0.06 * row as f64;
            let key = [(3.05, height - 0.02), (3.13, height + 0.02)];
            chart.draw_series([Rectangle::new(key, colour.filled())])?;
            chart.draw_series([Text::new(*name, (3.2, height + 0.015), FONT)])?;
        }
        Ok(())
    })
}

/// Draws the running estimate with its interval, and the paper's interval as a band, which `label`
/// explains.
///
/// # Errors
///
/// If the file cannot be written.
pub fn convergence(path: &Path, points: &[Point], paper: [f64; 2], label: &str) -> Result<()> {
    let [Some(first), Some(last)] = [points.first(), points.last()] else { return Ok(()) };
    // Runs that begin with a long part have no wide interval to show.
    let around = f64::min(0.012, 3.0 * (first.interval[1] - first.interval[0]));
    draw(path, |root| {
        let digits = if around < 0.01 { 4 } else { 3 };
        let (low, high) = (last.p - around, last.p + around);
        let start = points[0].samples as f64;
        let end = (last.samples as f64).max(start * 10.0);
        let inside = |p: f64| p.clamp(low, high);
        let mut chart = ChartBuilder::on(root)
            .caption("Share of reachable positions, 95 % interval", FONT)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d((start..end).log_scale(), low..high)?;
        chart
            .configure_mesh()
            .x_desc("samples")
            .y_desc("p")
            .x_label_formatter(&|x| format!("{x:.0e}"))
            .y_label_formatter(&|p| format!("{p:.digits$}"))
            .draw()?;
        let [paper_low, paper_high] = paper;
        let band = [(start, paper_low), (end, paper_high)];
        chart.draw_series([Rectangle::new(band, PAPERS.mix(0.5).filled())])?;
        let upper = points.iter().map(|point| (point.samples as f64, inside(point.interval[1])));
        let lower = points.iter().rev();
        let lower = lower.map(|point| (point.samples as f64, inside(point.interval[0])));
        let outline: Vec<_> = upper.chain(lower).collect();
        chart.draw_series([Polygon::new(outline, OURS.mix(0.25).filled())])?;
        let line = points.iter().map(|point| (point.samples as f64, inside(point.p)));
        chart.draw_series(LineSeries::new(line, OURS.stroke_width(2)))?;
        chart.draw_series([Text::new(
            label.to_owned(),
            (start * 1.2, high - 0.05 * around),
            FONT,
        )])?;
        Ok(())
    })
}
