//! The courses of builds, from their logs: positions proved by expansions, and expansions by reply.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use shogi_variants_examples::write_whole;

/// What the log of a build says of its course.
struct Course {
    reply: String,
    /// Expansions and positions proved after each job.
    points: Vec<(u64, usize)>,
    is_proved: bool,
}

impl Course {
    /// Reads `REPLY.log`, or `REPLY/log` of the directory of a checkpoint.
    fn read(build: &Path) -> Result<Self> {
        let path = if build.is_dir() { build.join("log") } else { build.to_owned() };
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
                points.push((expansions, proved));
            }
        }
        ensure!(!points.is_empty(), "{} has no jobs", path.display());
        let reply = build.file_stem().map(|name| name.to_string_lossy().into_owned());
        Ok(Self { reply: reply.unwrap_or_default(), points, is_proved })
    }

    fn expansions(&self) -> u64 {
        self.points.last().map_or(0, |&(expansions, _)| expansions)
    }

    /// As many points as a picture can show, with positions proved.
    fn shown(&self) -> impl Iterator<Item = (u64, usize)> {
        let mut last = 0.0;
        self.points.iter().copied().filter(move |&(at, proved)| {
            let is_shown = proved > 0 && (at as f64 > 1.02 * last || at == self.expansions());
            last = if is_shown { at as f64 } else { last };
            is_shown
        })
    }
}

/// Writes the courses of these builds, each named like its reply, and the expansions of those that are proofs.
pub fn write(builds: &[impl AsRef<Path>], out: &Path) -> Result<()> {
    let mut progress = "reply\tstate\texpansions\tpositions\n".to_owned();
    let mut replies = "reply\texpansions\n".to_owned();
    for build in builds {
        let course = Course::read(build.as_ref())?;
        let Course { reply, is_proved, .. } = &course;
        let state = if *is_proved { "proved" } else { "open" };
        // Writing to a string cannot fail.
        for (expansions, positions) in course.shown() {
            let _ = writeln!(progress, "{reply}\t{state}\t{expansions}\t{positions}");
        }
        if *is_proved {
            let _ = writeln!(replies, "{reply}\t{}", course.expansions());
        }
    }
    write_whole(&out.join("kyoto_progress.tsv"), progress)?;
    Ok(write_whole(&out.join("kyoto_replies.tsv"), replies)?)
}
