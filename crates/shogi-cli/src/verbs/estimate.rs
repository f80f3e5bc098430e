//! `estimate`: the number of reachable positions, from a sample.

use std::io::Write;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, ensure};
use shogi_solve::reach::{EXACT, EstimateReport, Shard};
use shogi_variants::operations::AnySampling;
use shogi_variants::tasks::EstimateTask;

use crate::bar::count;
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::job::{Checkpoint, Job};
use crate::plot::{Point, certainty};
use crate::print::note;
use crate::start::Start;
use crate::variant::Game;
use crate::{file, print};

/// Arguments of `estimate`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    task: EstimateTask,
    /// Do part i of n only, counted from 1; `merge` puts the parts together.
    #[arg(long, value_name = "i/n", default_value = "1/1")]
    shard: SamplePart,
    /// Write the tally to this file, for `merge` and `verify`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw how the interval narrows with the samples of this run into this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    checkpoint: Checkpoint,
    #[command(flatten)]
    start: Start,
}

/// One of the equal parts of a run, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SamplePart {
    index: u64,
    parts: u64,
}

impl FromStr for SamplePart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (index, parts) = text.split_once('/').ok_or("write i/n, such as 1/4")?;
        let number = |text: &str| text.parse().map_err(|_| format!("{text:?} is no whole number"));
        let (index, parts) = (number(index)?, number(parts)?);
        if (1..=parts).contains(&index) {
            Ok(Self { index, parts })
        } else {
            Err(format!("parts are counted from 1 to the number of parts, {parts}"))
        }
    }
}

/// Lists what games from a start reach, where a variant has tablebases.
fn list(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let variant = arguments.game.variant;
    let files = arguments.out.is_some() || arguments.plot.is_some();
    if files || arguments.checkpoint.is_named() || arguments.shard.parts > 1 {
        let reason = format!(
            "{variant} is listed, not sampled: without --shard, --out, --plot and --checkpoint"
        );
        return Err(Usage(reason).into());
    }
    let start = arguments.start.sfen(variant)?;
    let answer = arguments.task.list(variant, &start, |megabytes| {
        if megabytes > 50 {
            note(format_args!(
                "listing all positions from {start}: {megabytes} MB of memory, and up to some minutes"
            ));
        }
    })?;
    print::answer(common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let variant = arguments.game.variant;
    let named = arguments.start.is_named().then(|| arguments.start.sfen(variant)).transpose()?;
    let (start, stop) = (named.as_deref(), AtomicBool::new(false));
    let Some(sampling) = arguments.task.sampling(variant, start, &stop)? else {
        return list(arguments, common);
    };
    let outputs = || arguments.out.iter().chain(&arguments.plot);
    let mut job = Job::start(&arguments.checkpoint, outputs())?;
    let SamplePart { index, parts } = arguments.shard;
    let mut shard = new_run(&*sampling, arguments.task, &job)?;
    // Of a small space all candidates are looked at, however many samples are wanted.
    let range = Shard::part(index - 1, parts, shard.samples());
    if let Some(path) = job.resume() {
        shard = resume(&shard, path, &range)?;
    }
    let things = if shard.set() == Some(EXACT) { "candidates" } else { "samples" };
    job.show(count(range.end - range.start, shard.tally().samples, things));
    let mut points = Points(arguments.plot.as_ref().map(|_| Vec::new()));
    let stopped = extend(&mut shard, &*sampling, range, &job, &mut points)?.is_break();
    let saved = job.end(&mut |file| write(&shard, file));
    if stopped {
        saved?;
        return Err(job.interrupted(&format!("{} {things} are", shard.tally().samples)));
    }
    let written = arguments.out.as_deref().map_or(Ok(()), |path| file::write_shard(path, &shard));
    let report = EstimateReport::from(&shard);
    let drawn = arguments.plot.as_deref().zip(points.0).map_or(Ok(()), |(path, points)| {
        let title = format!(
            "{}: relative error of the share of reachable positions, p = {:.6}",
            report.variant, report.p
        );
        file::write_whole(path, certainty(&title, &points).as_bytes())
    });
    // An answer that took hours is printed even where it cannot be saved.
    print::answer_beside(outputs(), common.json, &report, &report)?;
    written.and(drawn).and(saved)?;
    Ok(Outcome::Good)
}

/// The run with nothing done, after its pilot where it has one.
///
/// A checkpoint begins with what the pilot has found, so that with one the pilot is finished even after
/// Ctrl-C.
fn new_run(sampling: &dyn AnySampling, task: EstimateTask, job: &Job<'_>) -> Result<Shard> {
    let bar = count(0, 0, "samples of the pilot");
    let mut reported = false;
    let run = sampling.run(task.seed, task.samples, &mut |done, all| {
        bar.set_length(all);
        bar.set_position(done);
        if !job.is_interrupted() {
            return ControlFlow::Continue(());
        }
        if !job.has_checkpoint() {
            return ControlFlow::Break(());
        }
        if !reported {
            reported = true;
            let words = "interrupted: the pilot is finished first, then the state is saved; a second \
                         Ctrl-C ends the program at once";
            bar.suspend(|| job.report(words));
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    match run {
        Err(shogi_variants::Error::Stopped) => Err(job.interrupted("nothing is")),
        run => Ok(run?),
    }
}

/// The state in a checkpoint, if it belongs to this run and this part of it.
fn resume(new: &Shard, path: &Path, range: &Range<u64>) -> Result<Shard> {
    let found = Shard::load(path)?;
    let mismatch = || format!("{}: the checkpoint is of another run", path.display());
    let shard = new.merge(&found).with_context(mismatch)?;
    for done in shard.done() {
        ensure!(
            range.start <= done.start && done.end <= range.end,
            "{}: the checkpoint is of another shard: it has samples {} to {}, this shard takes {} \
             to {}",
            path.display(),
            done.start,
            done.end,
            range.start,
            range.end
        );
    }
    Ok(shard)
}

/// Takes the missing samples of the range, and breaks off early on an interrupt. `points` takes what is known after
/// numbers of samples that grow by a third.
fn extend(
    shard: &mut Shard,
    sampling: &dyn AnySampling,
    range: Range<u64>,
    job: &Job<'_>,
    points: &mut Points,
) -> Result<ControlFlow<()>> {
    let gaps: Vec<_> = shard.missing(range.clone()).collect();
    // What a checkpoint has is the first point.
    points.extend_from(shard);
    for gap in gaps {
        for part in parts(gap, range.start, points.0.is_some()) {
            let (next, findings) = sampling.tally(shard, part.clone(), &mut |next, findings| {
                let mut now = shard.clone();
                // What cannot be added is noticed below, where the part ends.
                if now.add_findings(part.start..next, findings).is_ok() {
                    show(&now, job);
                }
                job.pulse(&mut |file| write(&now, file))
            });
            shard.add_findings(part.start..next, &findings)?;
            points.extend_from(shard);
            if next < part.end {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// The points of a plot, if one is to be drawn.
struct Points(Option<Vec<Point>>);

impl Points {
    /// Adds what is known by now, if it is anything.
    fn extend_from(&mut self, shard: &Shard) {
        let Some(points) = self.0.as_mut().filter(|_| shard.tally().samples > 0) else { return };
        let EstimateReport { done, p, p_interval, .. } = EstimateReport::from(shard);
        points.push(Point { samples: done, share: p, interval: p_interval });
    }
}

/// Shows how far a run is, and how certain the share is by now.
fn show(now: &Shard, job: &Job<'_>) {
    let EstimateReport { p, p_interval: [least, most], .. } = EstimateReport::from(now);
    job.bar().set_message(format!(", p = {p:.5} ± {:.5}", (most - least) / 2.0));
    job.bar().set_position(now.tally().samples);
}

/// A range of samples in parts whose ends, counted from `start`, grow by a third, if it is `divided`.
fn parts(range: Range<u64>, start: u64, divided: bool) -> Vec<Range<u64>> {
    let mut parts = Vec::new();
    let (mut next, mut end) = (range.start, 100_u64);
    while next < range.end {
        while divided && start.saturating_add(end) <= next {
            end = end.saturating_add(end / 3);
        }
        let until = if divided { start.saturating_add(end).min(range.end) } else { range.end };
        parts.push(next..until);
        next = until;
    }
    parts
}

fn write(shard: &Shard, out: &mut dyn Write) -> Result<()> {
    Ok(writeln!(out, "{}", shard.to_json())?)
}
