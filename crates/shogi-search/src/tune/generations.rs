//! Games and fits in turns.

use std::ops::{ControlFlow, Range};

use serde::Serialize;
use shogi_core::Position;
use shogi_eval::{KingPiece, Values, WeightsError};
use shogi_learn::king_piece::{Fit, Pass, fit};
use shogi_rules::Rules;

use crate::archive::Archive;
use crate::evaluate::Material;
use crate::evaluation::Evaluation;
use crate::player::Player;
use crate::self_play::{SelfPlay, judged, play_games};

/// How tables are made from nothing.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Tuning {
    /// How often games are played and learnt from.
    pub generations: u32,
    /// Games of each generation.
    pub games: u32,
    /// How they are played.
    pub self_play: SelfPlay,
    /// How tables are fitted to them.
    pub fit: Fit,
}

impl Default for Tuning {
    /// Three generations of 3,000 games.
    fn default() -> Self {
        let (self_play, fit) = (SelfPlay::default(), Fit::default());
        Self { generations: 3, games: 3_000, self_play, fit }
    }
}

impl Tuning {
    /// The games that a generation has still to play when so many have been played in all, and those it learns from.
    fn games_of(&self, generation: u32, played: usize) -> (Range<u32>, Range<usize>) {
        let (start, end) = (generation * self.games, (generation + 1) * self.games);
        let played = u32::try_from(played).unwrap_or(u32::MAX);
        let kept = generation.saturating_sub(KEPT) * self.games;
        (end.min(played).max(start)..end, kept as usize..end as usize)
    }

    /// How its tables are fitted.
    fn fit_of(&self, generation: u32) -> Fit {
        // The first scores are those of material alone.
        let result_share = if generation == 0 { 1.0 } else { self.fit.result_share };
        Fit { result_share, ..self.fit }
    }
}

/// How far tuning has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Progress {
    /// So many games of all generations have been played.
    Games(u32),
    /// The fit of a generation, counted from 1, to so many positions came to an end.
    Fitted {
        /// The generation.
        generation: u32,
        /// Positions that were fitted.
        positions: usize,
        /// The last pass.
        pass: Pass,
    },
}

/// Makes tables in one run; `None` if `report` breaks it off. See [`Tuner`], which can be saved.
///
/// # Errors
///
/// None for the tables of a rule set; see [`KingPiece::new`].
///
/// ```
/// use std::ops::{ControlFlow, Range};
/// use shogi_search::shogi_rules::{Dobutsu, Rules, parse_position};
/// use shogi_search::self_play::{Effort, SelfPlay};
/// use shogi_search::tune::{Tuning, tune};
/// let start = parse_position::<Dobutsu>(Dobutsu::START)?;
/// let self_play = SelfPlay { effort: Effort::Nodes(50), ..SelfPlay::default() };
/// let tuning = Tuning { generations: 2, games: 20, self_play, ..Tuning::default() };
/// let tables = tune(&start, &tuning, 1, "doc", |_| ControlFlow::Continue(()))?;
/// assert!(tables.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tune<R: Rules>(
    start: &Position<R>,
    tuning: &Tuning,
    threads: usize,
    origin: &str,
    mut report: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Option<KingPiece<R>>, WeightsError> {
    Tuner::new(*start, *tuning, origin).run(threads, |_, progress| report(progress))
}

/// Makes tables: plays games with the evaluation so far, at first material by freedom, fits tables to
/// them, and begins again with these. From the second generation on the scores of the search count
/// as well, and the games of the two generations before are kept.
///
/// The same tuning always makes the same tables, on any number of threads and in any number of runs,
/// if the effort of a move is one of nodes: the games of earlier runs are kept in an archive, and what
/// was fitted to them is fitted again.
pub struct Tuner<R: Rules> {
    tuning: Tuning,
    /// All games so far. What they were played with is the origin of the tables.
    archive: Archive<R>,
}

impl<R: Rules> Tuner<R> {
    /// Tuning without a game. `origin` says in the tables and in the archive what they depend on.
    pub fn new(start: Position<R>, tuning: Tuning, origin: &str) -> Self {
        Self { tuning, archive: Archive::new(start, tuning.self_play, origin.to_owned()) }
    }

    /// Goes on from an archive of the same tuning; whether it is one.
    #[must_use]
    pub fn resume(&mut self, archive: Archive<R>) -> bool {
        let same = archive.is_of_the_same_run(&self.archive);
        if same {
            self.archive = archive;
        }
        same
    }

    /// All games so far.
    pub const fn archive(&self) -> &Archive<R> {
        &self.archive
    }

    /// Tunes to the end, or until `report` breaks; then returns `None`.
    ///
    /// # Errors
    ///
    /// None for the tables of a rule set; see [`KingPiece::new`].
    pub fn run(
        &mut self,
        threads: usize,
        mut report: impl FnMut(&Archive<R>, Progress) -> ControlFlow<()>,
    ) -> Result<Option<KingPiece<R>>, WeightsError> {
        self.tune(threads, &mut report)
    }

    fn tune(
        &mut self,
        threads: usize,
        report: &mut dyn FnMut(&Archive<R>, Progress) -> ControlFlow<()>,
    ) -> Result<Option<KingPiece<R>>, WeightsError> {
        let Self { tuning, archive } = self;
        let prior = Values::by_freedom::<R>();
        let mut evaluation = Evaluation::Material(Material::new(prior.clone()));
        let mut tables = None;
        for generation in 0..tuning.generations {
            let (left, kept) = tuning.games_of(generation, archive.games.len());
            let start = *archive.start();
            let player = || Player::new(evaluation.clone(), tuning.self_play.player());
            let end = play_games(&start, &tuning.self_play, left, threads, player, |game| {
                archive.games.push(game);
                report(archive, Progress::Games(archive.games.len() as u32))
            });
            if end.is_break() {
                return Ok(None);
            }
            let samples = judged(&archive.games[kept]);
            let mut last = None;
            let (settings, origin) = (tuning.fit_of(generation), archive.evaluation());
            let fitted = fit(&samples, &settings, &prior, origin, |pass| last = Some(*pass))?;
            if let Some(pass) = last {
                let (generation, positions) = (generation + 1, samples.len());
                let fitted = Progress::Fitted { generation, positions, pass };
                if report(archive, fitted).is_break() {
                    return Ok(None);
                }
            }
            evaluation = Evaluation::KingPiece(fitted.clone());
            tables = Some(fitted);
        }
        Ok(tables)
    }
}

/// Generations before the last one whose games are learnt from.
const KEPT: u32 = 2;
