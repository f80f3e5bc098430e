//! The plot: errors of the ways to draw samples, by the number of samples.

use std::path::Path;

use anyhow::Result;
use plotters::prelude::*;
use shogi_variants_counting_examples::plot::{FONT, draw, head};

use crate::Results;

const COLOURS: [RGBColor; 5] = [
    RGBColor(214, 39, 40),
    RGBColor(255, 127, 14),
    RGBColor(44, 160, 44),
    RGBColor(31, 119, 180),
    RGBColor(148, 103, 189),
];
const SAMPLES: [f64; 2] = [1e6, 1e10];

/// Draws the relative standard errors, the paper's run and this one.
pub fn errors(path: &Path, results: &Results) -> Result<()> {
    draw(path, |root| {
        let names = results.estimators.iter().map(|estimator| estimator.name);
        let legend: Vec<_> = names.zip(COLOURS).collect();
        let title = "Relative standard error of the number of reachable positions";
        let plot = head(root, title, &legend)?;
        let mut chart = ChartBuilder::on(&plot)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(
                (SAMPLES[0]..SAMPLES[1]).log_scale(),
                (1e-8..1e-2f64).log_scale(),
            )?;
        chart
            .configure_mesh()
            .x_desc("samples")
            .y_desc("relative standard error")
            .x_label_formatter(&|x: &f64| format!("1e{:.0}", x.log10()))
            .y_label_formatter(&|y: &f64| format!("1e{:.0}", y.log10()))
            .max_light_lines(0)
            .draw()?;
        let error = |variance: f64, samples: f64| (variance / samples).sqrt();
        for (row, (estimator, colour)) in results.estimators.iter().zip(COLOURS).enumerate() {
            let line = SAMPLES.map(|samples| (samples, error(estimator.variance, samples)));
            // The last two lines are as good as one: the upper is thin, so that the lower shows.
            let width = if row + 2 == results.estimators.len() { 7 } else { 2 };
            chart.draw_series(LineSeries::new(line, colour.stroke_width(width)))?;
        }
        let runs = [(0, 1e8, "the paper"), (3, results.report.samples as f64, "this run")];
        for (estimator, samples, name) in runs {
            let at = (samples, error(results.estimators[estimator].variance, samples));
            chart.draw_series([Circle::new(at, 4, COLOURS[estimator].filled())])?;
            chart.draw_series([Text::new(name, (at.0 * 1.2, at.1 * 1.6), FONT)])?;
        }
        Ok(())
    })
}
