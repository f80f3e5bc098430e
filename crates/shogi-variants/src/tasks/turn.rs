//! Moves of the player in a game.

use core::fmt;
use std::string::{String, ToString as _};
use std::time::Duration;
use std::vec::Vec;

use shogi_search::{Clock, Control, Level, Limits, Score};

use super::{Session, Task};
use crate::play::{AnyPlay, Choice};
use crate::{Error, Variant};

/// The next action of the player in a game, at a level: that of `shogi play`. The line is a game: a position and
/// the moves from it.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{ChooseTask, Session, Task as _};
/// let task = ChooseTask { level: 2, ..ChooseTask::default() };
/// let mut session = Session::new(Budget::unlimited());
/// let chosen = task.answer(Variant::Dobutsu, "startpos moves 2c2b", &mut session)?;
/// // It takes the chick, or lets the lion be captured: the lowest levels do.
/// assert!(chosen.mv.is_some());
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if the line is no game, the game is over, or there is no such level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize, serde::Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChooseTask {
    /// From 1 for the weakest to 10.
    pub level: u8,
    /// Draws the errors of low levels: the same game, level and seed lead to the same move where there is no clock.
    pub seed: u64,
    /// The player's clock, if the game is played with one.
    pub clock: Option<TurnClock>,
}

impl Default for ChooseTask {
    /// Level 3 with the seed 1 and without a clock.
    fn default() -> Self {
        Self { level: 3, seed: 1, clock: None }
    }
}

/// A player's clock at the beginning of a turn, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Deserialize, serde::Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct TurnClock {
    /// Time left.
    pub remaining_ms: u64,
    /// Time that is added after each move.
    pub increment_ms: u64,
    /// Time that each move may take once nothing is left.
    pub byoyomi_ms: u64,
}

impl TurnClock {
    fn limits(self) -> Limits {
        let [remaining, increment, byoyomi] =
            [self.remaining_ms, self.increment_ms, self.byoyomi_ms].map(Duration::from_millis);
        let clock = Clock { remaining, increment, byoyomi, ..Clock::default() };
        Limits { clock: Some(clock), ..Limits::default() }
    }
}

/// The answer of [`ChooseTask`].
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Chosen {
    /// The action: `move`, `declare` or `resign`.
    pub does: &'static str,
    /// The move in USI notation, if it makes one.
    #[serde(rename = "move")]
    pub mv: Option<String>,
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mv.as_deref().unwrap_or(self.does))
    }
}

impl Task for ChooseTask {
    const NAME: &'static str = "choose";
    type Answer = Chosen;

    fn answer(&self, variant: Variant, line: &str, _: &mut Session<'_>) -> Result<Chosen, Error> {
        let level = Level::new(self.level).ok_or(Error::Level(self.level))?;
        let mut game = going_on(variant, line, level)?;
        let limits = self.clock.map(TurnClock::limits).unwrap_or_default();
        Ok(match game.choose(level, self.seed, &limits, &Control::new()) {
            Choice::Played(played) => Chosen { does: "move", mv: Some(played.usi) },
            Choice::Declared => Chosen { does: "declare", mv: None },
            Choice::Resigned => Chosen { does: "resign", mv: None },
        })
    }
}

/// The best action of the player. The line is a game, as that of [`ChooseTask`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HintTask {
    /// Positions that are visited.
    pub nodes: u64,
}

impl Default for HintTask {
    /// 50,000 positions.
    fn default() -> Self {
        Self { nodes: 50_000 }
    }
}

/// The answer of [`HintTask`].
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Hinted {
    /// The line that it expects, in USI notation; empty where it would declare or resign.
    #[serde(rename = "pv")]
    pub line: Vec<String>,
    /// Whether it would declare.
    pub declares: bool,
    /// How good the position is for the player to move.
    pub score: HintScore,
}

/// A score as engines send it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HintScore {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Plies to the end at most, below 0 if the player to move loses.
    Mate(i64),
}

impl fmt::Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = if self.declares { "declare" } else { "resign" };
        match self.line.is_empty() {
            true => f.write_str(action),
            false => f.write_str(&self.line.join(" ")),
        }
    }
}

impl Task for HintTask {
    const NAME: &'static str = "hint";
    type Answer = Hinted;

    fn answer(&self, variant: Variant, line: &str, _: &mut Session<'_>) -> Result<Hinted, Error> {
        let mut game = going_on(variant, line, Level::HIGHEST)?;
        let hint = game.hint(self.nodes, &Control::new());
        let score = match hint.score {
            Score::Value(value) => HintScore::Cp(value),
            Score::WinIn(plies) => HintScore::Mate(plies.into()),
            Score::LossIn(plies) => HintScore::Mate(-i64::from(plies)),
        };
        let line = hint.line.into_iter().map(|played| played.usi).collect();
        Ok(Hinted { line, declares: hint.declares, score })
    }
}

/// A game that is not over.
fn going_on(variant: Variant, line: &str, level: Level) -> Result<AnyPlay, Error> {
    let game = variant.play(line, level)?;
    match game.end() {
        Some(end) => Err(Error::Over(end.to_string())),
        None => Ok(game),
    }
}
