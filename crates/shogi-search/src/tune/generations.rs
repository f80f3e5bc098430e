//! Games and fits in turns.

use std::ops::ControlFlow;

use serde::Serialize;
use shogi_core::Position;
use shogi_learn::king_piece::{Fit, Judged, Pass, fit};
use shogi_learn::{KingPiece, Values, WeightsError};
use shogi_rules::Rules;

use crate::evaluate::Material;
use crate::evaluation::Evaluation;
use crate::player::Player;
use crate::self_play::{Sample, SelfPlay, play_games};

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

/// Scores from here on are wins and losses that a search has found; such positions are not learnt
/// from, since the search finds them without any evaluation.
const SEEN: i16 = 25_000;

/// Makes tables: plays games with the evaluation so far, at first material by freedom, fits tables to
/// them, and begins again with these. From the second generation on the scores of the search count
/// as well, and the games of the two generations before are kept.
///
/// The same tuning always makes the same tables, on any number of threads, if the effort of a move
/// is one of nodes. `None` if `report` broke it off.
///
/// # Errors
///
/// None for the tables of a rule set; see [`KingPiece::new`].
///
/// ```
/// use std::ops::ControlFlow;
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
    let prior = Values::by_freedom::<R>();
    let mut evaluation = Evaluation::Material(Material::new(prior.clone()));
    let mut kept: Vec<Vec<Judged<R>>> = Vec::new();
    let mut tables = None;
    for generation in 0..tuning.generations {
        let first = generation * tuning.games;
        let mut samples = Vec::new();
        let mut played = first;
        let player = || Player::new(evaluation.clone(), tuning.self_play.player());
        let games = first..first + tuning.games;
        let broken = play_games(start, &tuning.self_play, games, threads, player, |game| {
            let open =
                |sample: &Sample<R>| sample.score.abs() < SEEN && !sample.position.is_check();
            samples.extend(game.samples().filter(open).map(|sample| sample.judged()));
            played += 1;
            report(Progress::Games(played))
        });
        if broken.is_break() {
            return Ok(None);
        }
        kept.push(samples);
        if kept.len() > 3 {
            kept.remove(0);
        }
        let all: Vec<Judged<R>> = kept.iter().flatten().copied().collect();
        let result_share = if generation == 0 { 1.0 } else { tuning.fit.result_share };
        let settings = Fit { result_share, ..tuning.fit };
        let mut last = None;
        let fitted = fit(&all, &settings, &prior, origin, |pass| last = Some(*pass))?;
        if let Some(pass) = last {
            let generation = generation + 1;
            if report(Progress::Fitted { generation, positions: all.len(), pass }).is_break() {
                return Ok(None);
            }
        }
        evaluation = Evaluation::KingPiece(fitted.clone());
        tables = Some(fitted);
    }
    Ok(tables)
}
