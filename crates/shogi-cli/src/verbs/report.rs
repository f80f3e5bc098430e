//! `variant report`: what a game is like, on one page.

use std::io::BufWriter;
use std::path::PathBuf;

use anyhow::Result;
use shogi_solve::{Budget, SearchProgress};
use shogi_variants::tasks::report::{ReportProgress, Subject};
use shogi_variants::tasks::{Report, ReportTask, Session};

use crate::bar::bar;
use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::job::{Checkpoint, Job};
use crate::print::note;
use crate::start::Start;
use crate::variant::{self, CalledGame};
use crate::{file, print};

/// Arguments of `variant report`.
///
/// Each part has a limit, so that the report of a small game takes seconds; what the limits leave open is said with the
/// command that goes on. Ctrl-C ends it with what is known by then.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The game, by name or as a file `*.toml` that describes one of your own.
    #[arg(value_name = "GAME", value_parser = variant::called())]
    game: CalledGame,
    #[command(flatten)]
    task: ReportTask,
    #[command(flatten)]
    start: Start,
    /// Write the report as a page with pictures to this file.
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Write what is proved of the value to this file, for `verify` and `proof`.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let Arguments { game: CalledGame { variant, called }, task, out, proof, .. } = arguments;
    let outputs = || out.iter().chain(proof);
    let none = Checkpoint::default();
    let mut job = Job::start(&none, outputs())?;
    let start = arguments.start.sfen(*variant)?;
    job.show(bar(task.games.into(), 0, "{bar:10} {human_pos} of {human_len} {wide_msg}"));
    let show = |progress: ReportProgress| {
        job.bar().set_length(progress.all);
        job.bar().set_position(progress.done);
        job.bar().set_message(progress.things);
    };
    let mut searched = |progress: SearchProgress| job.bar().set_position(progress.nodes);
    let budget = Budget::unlimited().stopped_by(job.stop_signal()).reporting_to(&mut searched);
    let mut session = Session { dialect: common.dialect(), ..Session::new(budget) };
    let threads = rayon::current_num_threads();
    let subject = Subject { variant: *variant, start: &start, called, threads };
    let report = task.report(&subject, &mut session, &mut |progress| show(progress))?;
    job.bar().finish_and_clear();
    let written = write(&report, arguments);
    let board = variant.rules().diagram(&report.start, common.dialect())?.letters().to_string();
    print::answer_beside(outputs(), common.json, &report, format!("{board}\n{report}"))?;
    written?;
    if report.complete {
        return Ok(Outcome::Good);
    }
    let advice = "the report has what was known by then".to_owned();
    Err(Interrupted { advice }.into())
}

/// Writes the page and the proof, where they are wanted.
fn write(report: &Report, arguments: &Arguments) -> Result<()> {
    let Arguments { game, out, proof, .. } = arguments;
    if let Some(path) = out {
        file::write_whole(path, report.page(game.variant)?.as_bytes())?;
    }
    let Some(path) = proof else { return Ok(()) };
    match report.value.known().and_then(|solution| solution.proof.as_ref()) {
        Some(proof) => file::write_by(path, &mut |out| Ok(proof.write(&mut BufWriter::new(out))?)),
        None => {
            note(format_args!("nothing is proved, and {} is not written", path.display()));
            Ok(())
        }
    }
}
