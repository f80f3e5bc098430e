//! The plots: positions proved by expansions, and expansions by reply, from the logs of builds.

use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use plotters::prelude::*;
use serde_json::Value;
use shogi_variants_examples::plot::{FONT, draw, head};

const PROVED: RGBColor = RGBColor(44, 160, 44);
const OPEN: RGBColor = RGBColor(214, 39, 40);

/// What the log of a build says of its course.
struct Course {
    reply: String,
    /// Expansions and positions proved after each job.
    points: Vec<(f64, f64)>,
    is_proved: bool,
}

impl Course {
    /// Reads `DIR/log`, where the name of the directory is the reply.
    fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("log");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        // A build that was killed leaves a part of a line at the end.
        let whole = &text[..text.rfind('\n').unwrap_or(0)];
        let mut lines = whole.lines().map(|line| {
            let (json, _) = line.rsplit_once(' ').context("the line is cut off")?;
            Ok::<Value, anyhow::Error>(serde_json::from_str(json)?)
        });
        let first = lines.next().context("the log is empty")??;
        let (mut expansions, mut proved, mut is_proved) = (0, 0, false);
        let mut points = Vec::new();
        for line in lines {
            let line = line.with_context(|| path.display().to_string())?;
            let Some((kind, step)) = line.as_object().and_then(|line| line.iter().next()) else {
                continue;
            };
            if kind == "proved" {
                proved += step["moves"].as_str().map_or(0, |moves| moves.split(' ').count());
            }
            is_proved |=
                ["proved", "known"].contains(&kind.as_str()) && step["sfen"] == first["root"];
            if let Some(spent) = step["cost"][2].as_u64() {
                expansions += spent;
                points.push((expansions as f64, proved as f64));
            }
        }
        ensure!(!points.is_empty(), "{} has no jobs", path.display());
        let reply = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Self { reply: reply.unwrap_or_default(), points, is_proved })
    }

    fn expansions(&self) -> f64 {
        self.points.last().map_or(0.0, |&(expansions, _)| expansions)
    }

    const fn colour(&self) -> RGBColor {
        if self.is_proved { PROVED } else { OPEN }
    }
}

/// Draws both plots of the builds in these directories, each with the name of the reply.
pub fn all(folders: &[impl AsRef<Path>], out: &Path) -> Result<()> {
    let mut courses =
        folders.iter().map(|folder| Course::read(folder.as_ref())).collect::<Result<Vec<_>>>()?;
    courses.sort_by(|a, b| a.expansions().total_cmp(&b.expansions()));
    let most = courses.iter().map(Course::expansions).fold(1e5, f64::max) * 4.0;
    progress(&out.join("kyoto_progress.svg"), &courses, 1e3..most)?;
    effort(&out.join("kyoto_effort.svg"), &courses, 1e3..most)
}

const LEGEND: [(&str, RGBColor); 2] = [("proved", PROVED), ("open", OPEN)];

/// Positions proved by expansions.
fn progress(path: &Path, courses: &[Course], expansions: Range<f64>) -> Result<()> {
    draw(path, |root| {
        let plot = head(root, "Positions proved after each reply to 1e1d+", &LEGEND)?;
        let mut chart = ChartBuilder::on(&plot)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(expansions.log_scale(), (100.0..1e7).log_scale())?;
        chart
            .configure_mesh()
            .x_desc("expansions")
            .y_desc("positions proved")
            .x_label_formatter(&power)
            .y_label_formatter(&power)
            .max_light_lines(0)
            .draw()?;
        for course in courses {
            // As many points as can be distinguished.
            let mut last = 0.0;
            let shown = course.points.iter().copied().filter(|&(at, proved)| {
                let is_shown = proved > 0.0 && (at > 1.02 * last || at == course.expansions());
                last = if is_shown { at } else { last };
                is_shown
            });
            let shown: Vec<_> = shown.collect();
            let end = shown.last().copied();
            chart.draw_series(LineSeries::new(shown, course.colour().stroke_width(2)))?;
            // A reply that a few jobs have proved is a point, and its name would cover others.
            let is_named = course.points.len() > 10;
            if let Some(at) = end {
                chart.draw_series([Circle::new(at, 3, course.colour().filled())])?;
                let at = (at.0 * 1.08, at.1 * 1.15);
                let name = is_named.then(|| Text::new(course.reply.clone(), at, FONT));
                chart.draw_series(name)?;
            }
        }
        Ok(())
    })
}

/// Expansions by reply.
fn effort(path: &Path, courses: &[Course], expansions: Range<f64>) -> Result<()> {
    draw(path, |root| {
        let plot = head(root, "Expansions for each reply to 1e1d+", &LEGEND)?;
        let (least, rows) = (expansions.start, courses.len() as f64);
        let mut chart = ChartBuilder::on(&plot)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(16)
            .build_cartesian_2d(expansions.log_scale(), rows..0.0)?;
        chart
            .configure_mesh()
            .x_desc("expansions")
            .x_label_formatter(&power)
            .disable_y_mesh()
            .y_labels(0)
            .max_light_lines(0)
            .draw()?;
        for (row, course) in courses.iter().enumerate() {
            let row = row as f64;
            let corners = [(least, row + 0.15), (course.expansions(), row + 0.85)];
            chart.draw_series([Rectangle::new(corners, course.colour().filled())])?;
            let at = (course.expansions() * 1.1, row + 0.25);
            chart.draw_series([Text::new(course.reply.clone(), at, FONT)])?;
        }
        Ok(())
    })
}

/// A power of ten.
fn power(number: &f64) -> String {
    format!("1e{:.0}", number.log10())
}
