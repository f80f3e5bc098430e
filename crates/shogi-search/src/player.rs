//! The player: from a game and limits to a move.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use shogi_core::{Colour, Move};
use shogi_rules::{Game, Rules};
use shogi_solve::Budget;
use shogi_solve::mate::{self, Status};

use crate::deepening::Finding;
use crate::evaluate::Evaluator;
use crate::history::History;
use crate::known::{KnownValues, known_line, known_moves};
use crate::limits::{Control, Limits};
use crate::packed::{packed, unpacked};
use crate::parameters::Parameters;
use crate::path::PathEntry;
use crate::root::{Searcher, legal_moves};
use crate::score::Score;
use crate::settings::SettingsError;
use crate::think::{Chosen, Memory, Question, Situation, think};
use crate::thread::Thread;
use crate::worker::Worker;

/// How the player searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Size of the transposition table, in bytes.
    pub hash_bytes: usize,
    /// Threads that search one position together, at least one.
    pub threads: usize,
    /// How many different first moves are looked for and reported, best first (MultiPV).
    pub lines: usize,
    /// How the search is divided among the root moves.
    pub strategy: Strategy,
    /// Whether mates by checks are looked for first, by proof-number search.
    pub mate_probe: bool,
    /// The numbers of the search.
    pub parameters: Parameters,
}

impl Default for Settings {
    /// 64 MiB, one thread, one line, iterative deepening, with the mate probe, standard parameters.
    fn default() -> Self {
        Self {
            hash_bytes: 64 << 20,
            threads: 1,
            lines: 1,
            strategy: Strategy::Iterative,
            mate_probe: true,
            parameters: Parameters::default(),
        }
    }
}

/// How a search is divided among the root moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// All moves to depth 1, then all to depth 2, and so on.
    Iterative,
    /// Every move has a depth of its own, and the move that looks best is deepened (selective
    /// deepening, after "AI for playing shogi (Japanese chess)"; see the references of
    /// docs/how/engine.md). Always one thread and one line.
    Selective {
        /// The search ends when every move has been searched so deep, or
        minimum: u32,
        /// when every move that looks better than one that has not has been searched so deep.
        maximum: u32,
    },
}

/// What the player does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<R: Rules> {
    /// It makes a move.
    Play(Move<R>),
    /// It declares a win by the impasse rule.
    Declare,
    /// There is nothing to play.
    Resign,
}

/// The result of thinking.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Choice<R: Rules> {
    /// What to do.
    pub action: Action<R>,
    /// The reply that is expected.
    pub ponder: Option<Move<R>>,
    /// How good the position is.
    pub score: Score,
    /// The depth of the last iteration that came to an end.
    pub depth: u32,
    /// The line expected, beginning with the move.
    pub line: Vec<Move<R>>,
    /// Positions visited, all threads together.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl<R: Rules> Choice<R> {
    fn new(chosen: &Chosen) -> Self {
        let line = unpacked(&chosen.line);
        let action = match line.first() {
            _ if chosen.declares => Action::Declare,
            Some(&mv) => Action::Play(mv),
            None => Action::Resign,
        };
        let &Chosen { score, depth, nodes, time, .. } = chosen;
        Self { action, ponder: line.get(1).copied(), score, depth, line, nodes, time }
    }
}

/// What the player reports during a search.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Report<R: Rules> {
    /// The depth of the iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub selective_depth: u32,
    /// The number of the line among those asked for, from 1.
    pub line_number: usize,
    /// How good the position is if this line is played.
    pub score: Score,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time taken so far.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The line.
    pub line: Vec<Move<R>>,
}

impl<R: Rules> Report<R> {
    fn new(found: &Finding<'_>) -> Self {
        let &Finding { depth, selective_depth, line_number, score, nodes, time, hashfull, line } =
            found;
        let line = unpacked(line);
        Self { depth, selective_depth, line_number, score, nodes, time, hashfull, line }
    }
}

/// A player of any variant, with an evaluation, a transposition table and history scores.
///
/// The same settings, games, limits of depth or nodes and a single thread always give the same
/// moves, as long as the player has had the same searches since it was made or cleared.
///
/// ```
/// use shogi_rules::{Game, Minishogi, parse_position, to_usi};
/// use shogi_search::{Action, Control, Limits, Material, Player, Score, Settings, Values};
///
/// let evaluation = Material::<Minishogi>::new(Values::by_freedom::<Minishogi>());
/// let mut player = Player::new(evaluation, Settings::default());
/// // The rook is dropped in front of the king, the gold guards it.
/// let game = Game::new(parse_position::<Minishogi>("4k/5/4G/5/K4 b R 1")?);
/// let choice = player.think(&game, &Limits::depth(4), &Control::new(), |_| {});
/// assert_eq!(choice.score, Score::WinIn(1));
/// # let Action::Play(mv) = choice.action else { panic!() };
/// # assert!(game.position().play(mv).is_mate());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Player<R: Rules, E: Evaluator<R>> {
    evaluator: E,
    memory: Memory,
    mates: mate::MateSolver<R>,
    known: Option<Arc<dyn KnownValues<R>>>,
}

impl<R: Rules, E: Evaluator<R>> fmt::Debug for Player<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("settings", &self.memory.settings).finish_non_exhaustive()
    }
}

/// Size of the table of the mate probe.
const MATE_HASH: usize = 4 << 20;

impl<R: Rules, E: Evaluator<R>> Player<R, E> {
    /// A player. Allocates its tables; [`Player::try_new`] is for settings that come from outside.
    pub fn new(evaluator: E, settings: Settings) -> Self {
        let mates = mate::MateSolver::new(mate::Options { hash_bytes: MATE_HASH, shortest: false });
        let memory = Memory::new(settings, History::new::<R>());
        Self { evaluator, memory, mates, known: None }
    }

    /// A player, if the settings are within their bounds and the system has the memory for its tables.
    ///
    /// # Errors
    ///
    /// What of the settings cannot be had.
    ///
    /// ```
    /// use shogi_rules::Minishogi;
    /// use shogi_search::{MAX_THREADS, Material, Player, Settings, SettingsError, Values};
    ///
    /// let evaluation = Material::<Minishogi>::new(Values::by_freedom::<Minishogi>());
    /// let settings = Settings { threads: 1 << 31, ..Settings::default() };
    /// let error = Player::try_new(evaluation, settings).err();
    /// assert_eq!(error, Some(SettingsError::Threads(1 << 31)));
    /// assert_eq!(MAX_THREADS, 256);
    /// ```
    pub fn try_new(evaluator: E, settings: Settings) -> Result<Self, SettingsError> {
        settings.check(History::bytes::<R>())?;
        Ok(Self::new(evaluator, settings))
    }

    /// The player with values that it need not search for.
    #[must_use]
    pub fn with_known_values(mut self, known: Arc<dyn KnownValues<R>>) -> Self {
        self.known = Some(known);
        self
    }

    /// The evaluation.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// The settings.
    pub const fn settings(&self) -> &Settings {
        &self.memory.settings
    }

    /// Has the next searches look for so many lines.
    pub const fn set_lines(&mut self, lines: usize) {
        self.memory.settings.lines = lines;
    }

    /// Empties the table and the history, as before another game.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Thinks about the position of a game until a limit is met or `control` stops it, and chooses
    /// what to do. `report` is called with every line found, on the caller's thread.
    pub fn think(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        control: &Control,
        mut report: impl FnMut(&Report<R>),
    ) -> Choice<R> {
        let mut tell = |found: &Finding<'_>| report(&Report::new(found));
        Choice::new(&self.choose(game, limits, control, &mut tell))
    }

    /// [`Player::think`] with packed moves, compiled once for all callers.
    pub(crate) fn choose(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Finding<'_>),
    ) -> Chosen {
        if game.outcome().is_some() {
            return Chosen::nothing();
        }
        if game.may_declare() {
            return Chosen::declaration();
        }
        let Self { evaluator, memory, mates, known } = self;
        let mut question = Asked { game, evaluator, mates, known: known.as_deref() };
        think(&mut question, memory, limits, control, report)
    }
}

/// The position of a game that a player is asked to choose a move in.
struct Asked<'p, R: Rules, E> {
    game: &'p Game<R>,
    evaluator: &'p E,
    mates: &'p mut mate::MateSolver<R>,
    known: Option<&'p dyn KnownValues<R>>,
}

impl<R: Rules, E: Evaluator<R>> Question for Asked<'_, R, E> {
    fn situation(&self) -> Situation {
        let game = self.game;
        let mut positions = Vec::new();
        for position in game.positions() {
            positions.push(PathEntry { key: position.key(), check: position.is_check() });
        }
        Situation {
            positions,
            side: game.position().side(),
            repetition: game.repetition_rule(),
            entering_king: game.entering_king_rule(),
            odds: [game.odds(Colour::Sente), game.odds(Colour::Gote)],
        }
    }

    fn known_moves(&self) -> Option<Vec<(i32, u16)>> {
        known_moves(self.known?, self.game)
    }

    fn known_line(&self, first: u16) -> Vec<u16> {
        let Some(known) = self.known else { return Vec::new() };
        known_line(known, self.game, first)
    }

    fn mate(&mut self, budget: &mut Budget<'_>) -> (Option<Vec<u16>>, u64) {
        let answer = self.mates.solve(self.game.position(), budget);
        let won = answer.status == Status::Mate && !answer.line.is_empty();
        (won.then(|| packed(&answer.line)), answer.nodes)
    }

    fn moves(&self, best: u16) -> Vec<u16> {
        legal_moves(self.evaluator.values(), self.game.position(), best)
    }

    fn searcher<'a>(
        &'a self,
        thread: Thread<'a>,
        asks_known: bool,
    ) -> Box<dyn Searcher<'a> + Send + 'a> {
        let known = if asks_known { self.known } else { None };
        Box::new(Worker::new(self.evaluator, self.game.position(), known, thread))
    }
}
