//! Weights of the features that the player judges positions by, fitted to games: `learn --form weighted`.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use shogi_search::weigh::{WeightedFit, WeightedPass};

use crate::common::Common;
use crate::end::Outcome;
use crate::variant::Variant;
use crate::{bar, file, print};

/// What `learn` was given.
pub struct Arguments<'a> {
    pub variant: Variant,
    pub fit: WeightedFit,
    /// The archives of the games.
    pub archives: &'a [PathBuf],
    /// The command that makes the weights again, but for the archives.
    pub command: String,
    pub out: &'a PathBuf,
}

#[derive(Serialize)]
struct Answer {
    file: String,
    variant: &'static str,
    /// The name that `selfplay` calls the weights by.
    name: String,
    games: usize,
    settings: WeightedFit,
    passes: Vec<WeightedPass>,
    seconds: f64,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pass    loss")?;
        for WeightedPass { number, loss } in &self.passes {
            writeln!(f, "{number:>4}  {loss:>6.4}")?;
        }
        let Self { file, name, games, seconds, .. } = self;
        write!(f, "{name}: fitted to {games} games in {file}, {seconds:.1} s")
    }
}

/// Fits weights to the games of archives.
pub fn run(arguments: &Arguments<'_>, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, ref fit, archives, ref command, out } = arguments;
    file::check_writable(out)?;
    let games = file::read_archives(archives)?;
    let games: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
    let bar = bar::count(fit.passes.into(), 0, "passes");
    let (started, mut passes) = (Instant::now(), Vec::new());
    let fitted = variant.playing().weigh(&games, fit, command, &mut |pass| {
        bar.inc(1);
        passes.push(*pass);
    });
    let fitted = fitted.map_err(|error| file::in_archive(error.into(), archives))?;
    bar.finish_and_clear();
    file::write_whole(out, format!("{}\n", fitted.json).as_bytes())?;
    let answer = Answer {
        file: out.display().to_string(),
        variant: variant.name(),
        name: fitted.name,
        games: fitted.games,
        settings: *fit,
        passes,
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}
