//! The player: from a game and limits to a move.

use std::fmt;
use std::sync::Arc;

use shogi_mate as mate;
use shogi_rules::{Game, Rules};

use crate::evaluate::Evaluator;
use crate::history::History;
use crate::known::KnownValues;
use crate::limits::{Control, Limits};
use crate::parameters::Parameters;
use crate::report::{BestLine, SearchReport};
use crate::settings::SettingsError;
use crate::table::TranspositionTable;

/// Settings of the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Size of the transposition table, in bytes.
    pub hash_bytes: usize,
    /// Threads that search one position together, at least one.
    pub threads: usize,
    /// Number of lines with different first moves to search for and report, best first (MultiPV).
    pub lines: usize,
    /// Whether a proof-number search looks for a mate by checks first.
    pub mate_probe: bool,
    /// The parameters of the search; `None` for those that were tuned for the evaluation
    /// ([`Evaluator::parameters`]).
    pub parameters: Option<Parameters>,
}

impl Default for Settings {
    /// 64 MiB, one thread, one line, with the mate probe, the game's own parameters.
    fn default() -> Self {
        Self { hash_bytes: 64 << 20, threads: 1, lines: 1, mate_probe: true, parameters: None }
    }
}

/// A player of any variant, with an evaluation, a transposition table and history scores.
///
/// With a single thread and limits of depth or nodes, the same settings and games always lead to the
/// same moves, provided the player has done the same searches since it was made or cleared.
///
/// ```
/// use shogi_rules::{Game, Minishogi, parse_position, to_usi};
/// use shogi_search::{Action, Control, Limits, Material, Player, Score, Settings, Values};
///
/// let evaluation = Material::<Minishogi>::new(Values::by_freedom::<Minishogi>());
/// let mut player = Player::new(evaluation, Settings::default());
/// // The rook is dropped in front of the king, the gold guards it.
/// let game = Game::new(parse_position::<Minishogi>("4k/5/4G/5/K4 b R 1")?);
/// let best = player.think(&game, &Limits::depth(4), &Control::new(), |_| {});
/// assert_eq!(best.score, Score::WinIn(1));
/// # let Action::Play(mv) = best.action else { panic!() };
/// # assert!(game.position().play_unchecked(mv).is_mate());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Player<R: Rules, E: Evaluator<R>> {
    pub(crate) evaluator: E,
    pub(crate) memory: Memory,
    pub(crate) mates: mate::MateSolver<R>,
    pub(crate) known: Option<Arc<dyn KnownValues<R>>>,
}

impl<R: Rules, E: Evaluator<R>> fmt::Debug for Player<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("settings", &self.memory.settings).finish_non_exhaustive()
    }
}

/// Size of the table of the mate probe.
const MATE_HASH: usize = 4 << 20;

impl<R: Rules, E: Evaluator<R>> Player<R, E> {
    /// Makes a player and allocates its tables; the process ends if the system refuses the memory. Use
    /// [`Player::try_new`] for settings from outside.
    pub fn new(evaluator: E, settings: Settings) -> Self {
        let mates = mate::MateSolver::new(mate::Options { hash_bytes: MATE_HASH, shortest: false });
        let memory = Memory::new(settings, History::new::<R>());
        Self { evaluator, memory, mates, known: None }
    }

    /// Makes a player, if the settings are within their bounds and the system has the memory for its
    /// tables.
    ///
    /// # Errors
    ///
    /// The first setting that cannot be met.
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

    /// Gives the player values that it need not search for.
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

    /// Sets the number of lines of the next searches.
    pub const fn set_lines(&mut self, lines: usize) {
        self.memory.settings.lines = lines;
    }

    /// Empties the table and the history, as before another game.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Searches the position of a game until a limit is reached or `control` stops it, and chooses an
    /// action. `report` is called with every line found, on the caller's thread.
    ///
    /// # Panics
    ///
    /// If there are several threads and the system refuses one.
    pub fn think(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        control: &Control,
        mut report: impl FnMut(&SearchReport<R>),
    ) -> BestLine<R> {
        self.best_line(game, &[], limits, control, &mut report)
    }
}

/// The memory of a player from search to search.
pub(crate) struct Memory {
    pub(crate) settings: Settings,
    pub(crate) table: TranspositionTable,
    /// The histories of the threads.
    pub(crate) histories: Vec<History>,
}

impl Memory {
    /// Makes empty tables; `history` has room for the moves of the rule set.
    fn new(settings: Settings, history: History) -> Self {
        let histories = vec![history; settings.threads.max(1)];
        Self { settings, table: TranspositionTable::new(settings.hash_bytes), histories }
    }

    fn clear(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(History::clear);
    }

    /// Ages the table and the histories.
    pub(crate) fn age(&mut self) {
        self.table.next_generation();
        self.histories.iter_mut().for_each(History::age);
    }
}
