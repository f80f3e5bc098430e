//! From a game and limits to the best line: known values, else a mate by checks, else alpha-beta.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use shogi_core::clock::Instant;
use shogi_core::{Colour, Move};
use shogi_mate::{Budget, Status};
use shogi_rules::threads::spawn_scoped;
use shogi_rules::{Game, Rules};

use crate::deepening::Aim;
use crate::evaluate::Evaluator;
use crate::known::{KnownMoves, known_line, known_moves};
use crate::limits::{Allotment, Control, Limits, micros};
use crate::outgrown::Outgrown;
use crate::packed::{pack, packed, unpack, unpacked};
use crate::parameters::Parameters;
use crate::player::{Memory, Player};
use crate::report::{BestLine, Reporter, SearchReport};
use crate::root::{RootMove, RootPosition, root_moves};
use crate::score::{MIN_WIN, Score};
use crate::table::TranspositionTable;
use crate::thread::{SharedState, Thread};
use crate::worker::Worker;

/// Most nodes of the mate probe.
const MATE_NODES: u64 = 40_000;
/// The mate probe may take one part in this many of a search.
const MATE_SHARE: u32 = 16;

/// A search of a position.
struct RootSearch<'s, R: Rules> {
    root: RootPosition<'s, R>,
    limits: &'s Limits,
    control: &'s Control,
    /// The packed moves that the caller allows; empty for all.
    search_moves: Vec<u16>,
    allotment: Allotment,
    started: Instant,
    /// Nodes of the mate probe.
    mate_nodes: u64,
    /// The only moves to choose from, if their values are known.
    only: Option<KnownMoves>,
    /// Whether values of positions below the root are looked up.
    looks_up: bool,
}

impl<R: Rules> RootSearch<'_, R> {
    /// Chooses a line, and reports it unless the last report began with its move.
    ///
    /// Clients expect a line that begins with the move, even from an interrupted search.
    fn finish(
        &self,
        (score, depth, nodes): (Score, u32, u64),
        line: Vec<Move<R>>,
        reporter: &mut Reporter<'_, R>,
    ) -> BestLine<R> {
        let report = SearchReport {
            depth,
            selective_depth: depth,
            line_number: 1,
            score,
            nodes,
            time: self.started.elapsed(),
            hashfull: 0,
            line,
        };
        if reporter.best.is_none() || reporter.best != report.line.first().copied() {
            reporter.report(&report);
        }
        BestLine::of(report)
    }

    /// Whether the caller allows a packed move.
    fn may_choose(&self, mv: u16) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(&mv)
    }

    /// The budget of the mate probe.
    fn mate_budget(&self) -> Budget<'_> {
        let share = |nodes: u64| (nodes / u64::from(MATE_SHARE)).min(MATE_NODES);
        let nodes = self.limits.nodes.map_or(MATE_NODES, share);
        let budget = Budget::nodes(nodes).stopped_by(self.control.flag());
        if self.limits.clock.is_some() || self.limits.move_time.is_some() {
            budget.time(self.allotment.optimum / MATE_SHARE)
        } else {
            budget
        }
    }

    /// Whether the position is known to be drawn, and only moves that keep the draw are searched.
    fn is_drawn(&self) -> bool {
        self.only.as_ref().is_some_and(|known| known.score == 0)
    }
}

impl<R: Rules, E: Evaluator<R>> Player<R, E> {
    /// [`Player::think`] with any callback. Searches only `search_moves`, which must be legal, or
    /// all moves if the list is empty.
    pub(crate) fn best_line(
        &mut self,
        game: &Game<R>,
        search_moves: &[Move<R>],
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&SearchReport<R>),
    ) -> BestLine<R> {
        if game.outcome().is_some() {
            return BestLine::resignation();
        }
        if search_moves.is_empty() && game.may_declare() {
            return BestLine::declaration();
        }
        let mut search = RootSearch {
            started: Instant::now(),
            root: RootPosition::new(game, self.memory.settings.lines),
            limits,
            control,
            search_moves: packed(search_moves),
            allotment: limits.allotment(),
            mate_nodes: 0,
            only: None,
            looks_up: true,
        };
        let mut reporter = Reporter::new(report);
        if let Some((score, line)) = self.known_values(&mut search) {
            return search.finish((score, 0, 0), line, &mut reporter);
        }
        reporter.is_drawn = search.is_drawn();
        if let Some(line) = self.mate_probe(&mut search) {
            let plies = line.len() as u32;
            let found = (Score::WinIn(plies), plies, search.mate_nodes);
            return search.finish(found, line, &mut reporter);
        }
        self.memory.age();
        self.alpha_beta(&mut search, &mut reporter)
    }

    /// The parameters of a search.
    fn parameters(&self) -> Parameters {
        self.memory.settings.parameters.unwrap_or_else(|| self.evaluator.parameters())
    }

    /// Looks up the values of the moves, if the history of the game does not matter. Returns a line if it
    /// decides the game; otherwise restricts the search to the best moves.
    fn known_values(&self, search: &mut RootSearch<'_, R>) -> Option<(Score, Vec<Move<R>>)> {
        let root = &search.root;
        let one_line = self.memory.settings.lines <= 1;
        let values = self.known.as_deref();
        let known = values
            .filter(|_| one_line)
            .and_then(|values| known_moves(values, root.game, &|mv| search.may_choose(mv)));
        let is_drawn = known.as_ref().is_some_and(|known| known.score == 0);
        search.looks_up = !(root.may_play_at_once || (is_drawn && root.repetition_draws()));
        if search.looks_up {
            return None;
        }
        let (values, known) = (values?, known?);
        if known.score.abs() < MIN_WIN {
            search.only = Some(known);
            return None;
        }
        let line = known_line(values, root.game, known.moves[0]);
        Some((Score::from_search(known.score), line))
    }

    /// Looks for a mate by checks. Returns the line if it is not longer than the limit of depth.
    fn mate_probe(&mut self, search: &mut RootSearch<'_, R>) -> Option<Vec<Move<R>>> {
        if !self.memory.settings.mate_probe || !search.root.may_play_at_once {
            return None;
        }
        let found = self.mates.solve(search.root.game.position(), &mut search.mate_budget());
        search.mate_nodes = found.nodes;
        let most = search.limits.depth.map_or(usize::MAX, |depth| depth as usize);
        let is_mate = found.status == Status::Mate && (1..=most).contains(&found.line.len());
        let may_play = found.line.first().is_some_and(|&mv| search.may_choose(pack(mv)));
        (is_mate && may_play).then_some(found.line)
    }

    /// Searches the moves by alpha-beta on all threads.
    fn alpha_beta(
        &mut self,
        search: &mut RootSearch<'_, R>,
        reporter: &mut Reporter<'_, R>,
    ) -> BestLine<R> {
        let parameters = self.parameters();
        let Self { evaluator, memory, known, .. } = self;
        let position = search.root.game.position();
        let best = memory.table.probe(position.key(), 0).map_or(0, |entry| entry.best);
        let mut moves = root_moves(evaluator.values(), position, best);
        moves.retain(|found| search.may_choose(found.mv));
        if let Some(only) = &search.only {
            moves.retain(|found| only.moves.contains(&found.mv));
        } else if memory.settings.lines <= 1 && search.search_moves.is_empty() {
            let outgrown = Outgrown::of::<R>();
            let leaves_out = |mv| unpack(mv).is_some_and(|mv| outgrown.leaves_out(position, mv));
            moves.retain(|found| !leaves_out(found.mv));
        }
        if search.is_drawn() {
            search.root.path.set_contempt(position.side(), parameters.known_draw_contempt);
        }
        let Memory { settings, table, histories } = memory;
        let threads = settings.threads.max(1);
        let shared = shared(search, parameters, table, threads);
        let known = known.as_deref().filter(|_| search.looks_up);
        let mut workers = Vec::new();
        for history in histories.iter_mut().take(threads) {
            let thread = Thread::new(&shared, search.root.path.clone(), history, moves.clone());
            workers.push(Worker::new(&*evaluator, position, known, thread));
        }
        let aim = Aim::new(settings, search.limits, &search.allotment, moves.len());
        let (depth, moves) = run(workers, &aim, reporter);
        let Some(best) = moves.first() else { return BestLine::resignation() };
        let score = if search.is_drawn() { Score::Value(0) } else { best.score() };
        let found = (score, depth as u32, shared.all_nodes());
        search.finish(found, unpacked(&best.line), reporter)
    }
}

/// The shared state of the threads of a search.
fn shared<'a, R: Rules>(
    search: &RootSearch<'a, R>,
    parameters: Parameters,
    table: &'a TranspositionTable,
    threads: usize,
) -> SharedState<'a> {
    let (game, control) = (search.root.game, search.control);
    let maximum = micros(search.allotment.maximum);
    let max_nodes = search.limits.nodes.unwrap_or(u64::MAX);
    SharedState {
        control,
        parameters,
        table,
        entering_king: game.entering_king_rule(),
        odds: Colour::ALL.map(|colour| game.odds(colour)),
        started: search.started,
        nodes: AtomicU64::new(0),
        nodes_before: search.mate_nodes,
        max_nodes: max_nodes.saturating_sub(search.mate_nodes).max(1),
        done: AtomicBool::new(false),
        clock_started: AtomicU64::new(0),
        maximum,
        deadline: AtomicU64::new(if control.is_pondering() { u64::MAX } else { maximum }),
        threads,
        root_is_whole: search.only.is_none() && search.search_moves.is_empty(),
    }
}

/// Runs the first worker here, each helper on its own thread. Returns the completed depth and the moves, best first.
fn run<R: Rules, E: Evaluator<R>>(
    workers: Vec<Worker<'_, R, E>>,
    aim: &Aim,
    reporter: &mut Reporter<'_, R>,
) -> (i32, Vec<RootMove>) {
    let mut workers = workers.into_iter();
    let Some(mut first) = workers.next() else { return (0, Vec::new()) };
    thread::scope(|scope| {
        for (number, mut helper) in workers.enumerate() {
            // Where the system refuses a thread, the search has fewer.
            let _ = spawn_scoped(scope, move || helper.help(number));
        }
        let depth = first.iterative_deepening(aim, reporter);
        first.thread.report_nodes();
        first.thread.shared.done.store(true, Relaxed);
        (depth, first.thread.roots)
    })
}
