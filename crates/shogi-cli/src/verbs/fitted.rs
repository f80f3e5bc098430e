//! Networks that are fitted to games in archives: `learn --form fitted` and `learn --form corrected`.

use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Error, Result};
use serde::Serialize;
use shogi_search::weigh::{NetFit, NetPass};
use shogi_variants::operations::JudgedBy;

use crate::common::Common;
use crate::end::Outcome;
use crate::evaluation::Judgement;
use crate::variant::Variant;
use crate::{bar, file, print};

/// What `learn` was given.
pub struct Arguments<'a> {
    pub variant: Variant,
    pub fit: NetFit,
    /// The weights that are corrected, if any are.
    pub base: Option<&'a Judgement>,
    /// The archives of the games.
    pub archives: &'a [PathBuf],
    /// The command that makes the network again, but for the archives.
    pub command: String,
    pub out: &'a PathBuf,
}

#[derive(Serialize)]
struct Answer {
    file: String,
    variant: &'static str,
    /// The name that `selfplay` calls the network by.
    name: String,
    bytes: usize,
    settings: NetFit,
    passes: Vec<NetPass>,
    seconds: f64,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pass    loss  held out")?;
        for NetPass { number, loss, held_out, .. } in &self.passes {
            writeln!(f, "{number:>4}  {loss:>6.4}  {held_out:>8.4}")?;
        }
        let Self { file, name, bytes, seconds, .. } = self;
        write!(f, "{name}: {bytes} bytes in {file}, {seconds:.1} s")
    }
}

/// Fits a network to the games of archives.
pub fn run(arguments: &Arguments<'_>, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, ref fit, base, archives, ref command, out } = arguments;
    file::check_writable(out)?;
    let games = file::read_archives(archives)?;
    let games: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
    let bar = bar::count(0, 0, "positions");
    let (started, mut passes) = (Instant::now(), Vec::new());
    let mut fit_over = |base: Option<JudgedBy<'_>>| {
        variant.playing().fit_network(&games, base, fit, command, &mut |fitting| {
            bar.set_length(fitting.total);
            bar.set_position(fitting.done);
            passes = fitting.passes.to_vec();
            ControlFlow::Continue(())
        })
    };
    let net = match base {
        Some(base) => base.apply(|base| fit_over(Some(base))),
        None => fit_over(None).map_err(Error::from),
    };
    let net = net.map_err(|error| file::in_archive(error, archives))?;
    bar.finish_and_clear();
    file::write_whole(out, &net.file)?;
    let answer = Answer {
        file: out.display().to_string(),
        variant: variant.name(),
        name: net.name,
        bytes: net.file.len(),
        settings: *fit,
        passes,
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}
