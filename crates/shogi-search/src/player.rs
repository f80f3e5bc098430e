//! The player: from a game and limits to a move.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use shogi_core::clock::Instant;
use shogi_core::{Colour, Move};
use shogi_rules::{Game, GameResult, RepetitionRule, Rules};
use shogi_solve::Budget;
use shogi_solve::mate::{self, Status};

use crate::deepening::{Root, deepen_selectively, help, iterate};
use crate::evaluate::Evaluator;
use crate::history::History;
use crate::known::{KnownValues, known_line, known_moves};
use crate::limits::{Allotment, Control, Limits, micros};
use crate::parameters::Parameters;
use crate::path::Path;
use crate::root::{legal_moves, root_moves};
use crate::score::{MAX_PLY, MIN_WIN, Score};
use crate::table::TranspositionTable;
use crate::threads::{Helper, beside};
use crate::worker::{Shared, Worker};

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
    /// docs/engine.md). Always one thread and one line.
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
    /// The choice of a line's first move; of nothing if it has none.
    pub(crate) fn with_line(self, line: Vec<Move<R>>) -> Self {
        let action = line.first().map_or(Action::Resign, |&mv| Action::Play(mv));
        Self { action, ponder: line.get(1).copied(), line, ..self }
    }
}

/// What the player reports during a search.
#[derive(Clone, PartialEq, Debug)]
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
    settings: Settings,
    table: TranspositionTable,
    histories: Vec<History>,
    mates: mate::MateSolver<R>,
    known: Option<Arc<dyn KnownValues<R>>>,
}

impl<R: Rules, E: Evaluator<R>> fmt::Debug for Player<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Size of the table of the mate probe.
const MATE_HASH: usize = 4 << 20;
/// Most nodes of the mate probe.
const MATE_NODES: u64 = 40_000;
/// The mate probe may take one part in so many of a search.
const MATE_SHARE: u32 = 16;

impl<R: Rules, E: Evaluator<R>> Player<R, E> {
    /// A player. Allocates its tables.
    pub fn new(evaluator: E, settings: Settings) -> Self {
        let histories = vec![History::new::<R>(); settings.threads.max(1)];
        let mates = mate::MateSolver::new(mate::Options { hash_bytes: MATE_HASH, shortest: false });
        let table = TranspositionTable::new(settings.hash_bytes);
        Self { evaluator, settings, table, histories, mates, known: None }
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
        &self.settings
    }

    /// Has the next searches look for so many lines.
    pub const fn set_lines(&mut self, lines: usize) {
        self.settings.lines = lines;
    }

    /// Empties the table and the history, as before another game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(History::clear);
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
        self.think_and_report(game, limits, control, &mut report)
    }

    /// [`Player::think`], compiled once for all callers.
    fn think_and_report(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report<R>),
    ) -> Choice<R> {
        let started = Instant::now();
        let position = game.position();
        let mut choice = Choice {
            action: Action::Resign,
            ponder: None,
            score: Score::LossIn(0),
            depth: 0,
            line: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
        };
        if game.outcome().is_some() {
            return choice;
        }
        if let Some(rule) = game.impasse_rule() {
            let declared = rule.declared(&game.declaration()).result;
            if declared == GameResult::Win(position.side()) {
                return Choice { action: Action::Declare, score: Score::WinIn(0), ..choice };
            }
        }
        let allotment = allotment(limits);
        let may_play_at_once = self.may_play_at_once(game);
        let mut known = self.known.clone();
        let moves = match &known {
            Some(values) if self.settings.lines <= 1 => known_moves(&**values, game),
            _ => None,
        };
        let drawn = moves.as_ref().is_some_and(|moves| moves[0].0 == 0);
        let is_safe = may_play_at_once || (drawn && repetition_draws(game.repetition_rule()));
        let mut kept = None;
        if let Some((values, moves)) = known.take_if(|_| is_safe).zip(moves) {
            let (best, mv) = moves[0];
            if best.abs() >= MIN_WIN {
                let line = known_line(&*values, game, mv);
                choice.score = Score::from_search(best);
                return at_once(choice, line, started, report);
            }
            let mut as_good = Vec::new();
            for (score, mv) in moves {
                if score == best {
                    as_good.push(mv);
                }
            }
            kept = Some(as_good);
        }
        // The search looks for chances in a drawn position; its scores tell how good they are.
        let keeps_draw = drawn && kept.is_some();
        let told = Cell::new(None);
        let report: &mut dyn FnMut(&Report<R>) = &mut |found| {
            if found.line_number == 1 {
                told.set(found.line.first().copied());
            }
            if keeps_draw {
                report(&Report { score: Score::Value(0), ..found.clone() });
            } else {
                report(found);
            }
        };
        if let Some(line) = self.probe_mate(game, limits, &allotment, control, &mut choice) {
            choice.score = Score::WinIn(line.len() as u32);
            choice.depth = line.len() as u32;
            return at_once(choice, line, started, report);
        }
        self.table.next_generation();
        self.histories.iter_mut().for_each(History::age);
        let threads = match self.settings.strategy {
            Strategy::Iterative => self.settings.threads.max(1),
            Strategy::Selective { .. } => 1,
        };
        let maximum = micros(allotment.maximum);
        let shared = Shared {
            control,
            parameters: self.settings.parameters,
            table: &self.table,
            impasse: game.impasse_rule(),
            odds: [game.odds(Colour::Sente), game.odds(Colour::Gote)],
            started,
            nodes: AtomicU64::new(0),
            nodes_before: choice.nodes,
            max_nodes: limits.nodes.unwrap_or(u64::MAX).saturating_sub(choice.nodes).max(1),
            done: AtomicBool::new(false),
            clock_started: AtomicU64::new(0),
            maximum,
            deadline: AtomicU64::new(if control.is_pondering() { u64::MAX } else { maximum }),
            threads,
        };
        let mut path = Path::new(game);
        if keeps_draw {
            path.set_contempt(position.side(), self.settings.parameters.known_draw_contempt);
        }
        let best = self.table.probe(position.key(), 0).map_or(0, |entry| entry.best);
        let mut moves = legal_moves(self.evaluator.values(), position, best);
        if let Some(kept) = kept {
            moves.retain(|mv| kept.contains(mv));
        }
        let most = limits
            .depth
            .map_or(MAX_PLY as i32 - 1, |depth| depth.clamp(1, MAX_PLY as u32 - 1) as i32);
        let evaluator = &self.evaluator;
        let known = known.as_deref();
        let strategy = self.settings.strategy;
        let lines = self.settings.lines.clamp(1, moves.len());
        let Some((first, others)) = self.histories.split_first_mut() else { return choice };
        let mut helpers: Vec<Helper<'_>> = Vec::new();
        for (number, history) in others.iter_mut().enumerate().take(threads - 1) {
            let (path, shared, moves) = (path.clone(), &shared, &moves[..]);
            helpers.push(Box::new(move || {
                let mut worker = Worker::new(evaluator, shared, known, path, history);
                help(&mut worker, position, moves, number);
            }));
        }
        let mut worker = Worker::new(evaluator, &shared, known, path, first);
        let root = Root {
            position,
            lines,
            most,
            optimum: allotment.optimum,
            clock: limits.clock.is_some(),
        };
        let mut found = root_moves(&moves);
        let mut depth = 0;
        beside(helpers, &mut || {
            depth = match strategy {
                Strategy::Iterative => iterate(&mut worker, &root, &mut found, report),
                Strategy::Selective { minimum, maximum } => {
                    let bounds = (minimum as i32, (maximum as i32).min(most));
                    deepen_selectively(&mut worker, &root, &mut found, bounds, report)
                }
            };
            worker.report_nodes();
            shared.done.store(true, Relaxed);
        });
        choice.depth = depth as u32;
        choice.nodes = shared.all_nodes();
        choice.time = started.elapsed();
        let Some(best) = found.first() else { return choice };
        if keeps_draw {
            choice.score = Score::Value(0);
        } else {
            choice.score = best.score();
        }
        let line = best.line.to_vec();
        // Clients wait for a line that begins with the move, also of a search that was broken off.
        let is_told = told.get().is_some_and(|mv| line.first() == Some(&mv));
        if is_told { choice.with_line(line) } else { at_once(choice, line, started, report) }
    }

    /// Whether a forced win may be played without looking at the game before.
    ///
    /// Each of its lines meets a position once, so one that has come up less often than twice before
    /// the end does no harm.
    fn may_play_at_once(&self, game: &Game<R>) -> bool {
        let count = game.repetition_rule().count as usize;
        self.settings.lines <= 1 && (count == 0 || most_repeated(game) + 1 < count)
    }

    /// A mate by checks, if a small search finds one: the line to it.
    fn probe_mate(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        allotment: &Allotment,
        control: &Control,
        choice: &mut Choice<R>,
    ) -> Option<Vec<Move<R>>> {
        if !self.settings.mate_probe || !self.may_play_at_once(game) {
            return None;
        }
        let nodes =
            limits.nodes.map_or(MATE_NODES, |n| (n / u64::from(MATE_SHARE)).min(MATE_NODES));
        let mut budget = Budget::nodes(nodes).stopped_by(control.flag());
        if limits.clock.is_some() || limits.move_time.is_some() {
            budget = budget.time(allotment.optimum / MATE_SHARE);
        }
        let answer = self.mates.solve(game.position(), &mut budget);
        choice.nodes = answer.nodes;
        let won = answer.status == Status::Mate && !answer.line.is_empty();
        // A limit of depth is not exceeded.
        let short = limits.depth.is_none_or(|depth| answer.line.len() <= depth as usize);
        (won && short).then_some(answer.line)
    }
}

/// Whether every repetition is a draw, so that a drawn position stays one whatever came before.
fn repetition_draws(rule: RepetitionRule) -> bool {
    !rule.perpetual_check && matches!(rule.result, GameResult::Draw | GameResult::NoResult)
}

/// How often the most repeated position of the game has come up.
fn most_repeated<R: Rules>(game: &Game<R>) -> usize {
    let mut keys = Vec::new();
    for position in game.positions() {
        keys.push(position.key());
    }
    most_equal(keys)
}

/// The number of keys that are equal at most.
fn most_equal(mut keys: Vec<u64>) -> usize {
    keys.sort_unstable();
    keys.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(0)
}

/// The time for a search with these limits.
fn allotment(limits: &Limits) -> Allotment {
    let mut allotment = Allotment { optimum: Duration::MAX, maximum: Duration::MAX };
    if let Some(clock) = limits.clock {
        allotment = clock.allotment();
    }
    if let Some(time) = limits.move_time {
        allotment.maximum = allotment.maximum.min(time);
        if limits.clock.is_none() {
            allotment.optimum = time;
        }
    }
    allotment
}

/// Reports a line that no iteration of the search has told, and chooses its first move.
fn at_once<R: Rules>(
    mut choice: Choice<R>,
    line: Vec<Move<R>>,
    started: Instant,
    report: &mut dyn FnMut(&Report<R>),
) -> Choice<R> {
    choice.time = started.elapsed();
    report(&Report {
        depth: choice.depth,
        selective_depth: choice.depth,
        line_number: 1,
        score: choice.score,
        nodes: choice.nodes,
        time: choice.time,
        hashfull: 0,
        line: line.clone(),
    });
    choice.with_line(line)
}
