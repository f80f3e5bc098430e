//! From a position and limits to a choice, whatever the rule set.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use shogi_core::Colour;
use shogi_core::clock::Instant;
use shogi_rules::{EnteringKingRule, RepetitionResult, RepetitionRule};
use shogi_solve::Budget;

use crate::deepening::{Aim, Finding, deepen_selectively, help, iterate};
use crate::history::History;
use crate::limits::{Allotment, Control, Limits, micros};
use crate::path::{Path, PathEntry};
use crate::player::{Settings, Strategy};
use crate::root::{Searcher, root_moves};
use crate::score::{MAX_PLY, MIN_WIN, Score};
use crate::table::TranspositionTable;
use crate::thread::{Shared, Thread};
use crate::threads::{Helper, beside};

/// Most nodes of the mate probe.
const MATE_NODES: u64 = 40_000;
/// The mate probe may take one part in so many of a search.
const MATE_SHARE: u32 = 16;

/// What a player keeps from search to search.
pub(crate) struct Memory {
    pub(crate) settings: Settings,
    table: TranspositionTable,
    histories: Vec<History>,
}

impl Memory {
    /// With empty tables; `history` has room for the moves of the rule set.
    pub(crate) fn new(settings: Settings, history: History) -> Self {
        let histories = vec![history; settings.threads.max(1)];
        Self { settings, table: TranspositionTable::new(settings.hash_bytes), histories }
    }

    /// Empties the table and the history, as before another game.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(History::clear);
    }
}

/// What has to be known of a game that goes on.
pub(crate) struct Situation {
    /// The positions up to the one to choose a move in.
    pub(crate) positions: Vec<PathEntry>,
    pub(crate) side: Colour,
    pub(crate) repetition: RepetitionRule,
    pub(crate) entering_king: EnteringKingRule,
    /// Points that Sente and Gote have in impasse for what they gave as odds.
    pub(crate) odds: [u32; 2],
}

/// A position to choose a move in, with all that depends on the rule set. Moves are packed.
pub(crate) trait Question {
    /// The game that has led to it.
    fn situation(&self) -> Situation;
    /// The moves with their known scores, the best first; `None` if nothing is known, or not of all.
    fn known_moves(&self) -> Option<Vec<(i32, u16)>>;
    /// A line of best play by known values, beginning with a move.
    fn known_line(&self, first: u16) -> Vec<u16>;
    /// The line to a mate by checks, if a search for one finds it, and the nodes of that search.
    fn mate(&mut self, budget: &mut Budget<'_>) -> (Option<Vec<u16>>, u64);
    /// The legal moves in the order in which they are searched, the best one of the table first.
    fn moves(&self, best: u16) -> Vec<u16>;
    /// A thread of a search for the answer, which asks for known values only if it is to.
    fn searcher<'a>(
        &'a self,
        thread: Thread<'a>,
        asks_known: bool,
    ) -> Box<dyn Searcher<'a> + Send + 'a>;
}

/// What was chosen; see [`Choice`](crate::Choice), which has its moves by the rules.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// Whether to declare a win by the impasse rule.
    pub(crate) declares: bool,
    pub(crate) score: Score,
    pub(crate) depth: u32,
    /// The line expected, packed; without a move it is to resign.
    pub(crate) line: Vec<u16>,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

impl Chosen {
    /// To resign.
    pub(crate) const fn nothing() -> Self {
        Self {
            declares: false,
            score: Score::LossIn(0),
            depth: 0,
            line: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
        }
    }

    /// To declare a win.
    pub(crate) fn declaration() -> Self {
        Self { declares: true, score: Score::WinIn(0), ..Self::nothing() }
    }
}

/// Thinks until a limit is met or `control` stops it, and chooses a line. `report` is called with every line found.
pub(crate) fn think(
    question: &mut dyn Question,
    memory: &mut Memory,
    limits: &Limits,
    control: &Control,
    report: &mut dyn FnMut(&Finding<'_>),
) -> Chosen {
    let started = Instant::now();
    let Situation { positions, side, repetition, entering_king, odds } = question.situation();
    let Memory { settings, table, histories } = memory;
    let mut choice = Chosen::nothing();
    let allotment = allotment(limits);
    let may_play_at_once = may_play_at_once(settings.lines, repetition, &positions);
    let known = if settings.lines <= 1 { question.known_moves() } else { None };
    let drawn = known.as_ref().is_some_and(|moves| moves[0].0 == 0);
    let is_safe = may_play_at_once || (drawn && repetition_draws(repetition));
    let mut kept = None;
    if let Some(moves) = known.filter(|_| is_safe) {
        let (best, mv) = moves[0];
        if best.abs() >= MIN_WIN {
            choice.score = Score::from_search(best);
            return at_once(choice, question.known_line(mv), started, report);
        }
        let as_good = moves.iter().filter(|(score, _)| *score == best);
        kept = Some(as_good.map(|&(_, mv)| mv).collect::<Vec<u16>>());
    }
    // The search looks for chances in a drawn position; its scores tell how good they are.
    let keeps_draw = drawn && kept.is_some();
    let told = Cell::new(None);
    let report: &mut dyn FnMut(&Finding<'_>) = &mut |found| {
        if found.line_number == 1 {
            told.set(found.line.first().copied());
        }
        let score = if keeps_draw { Score::Value(0) } else { found.score };
        report(&Finding { score, ..*found });
    };
    if settings.mate_probe && may_play_at_once {
        let (line, nodes) = question.mate(&mut mate_budget(limits, &allotment, control));
        choice.nodes = nodes;
        // A limit of depth is not exceeded.
        let short = |line: &Vec<u16>| limits.depth.is_none_or(|most| line.len() <= most as usize);
        if let Some(line) = line.filter(short) {
            choice.score = Score::WinIn(line.len() as u32);
            choice.depth = line.len() as u32;
            return at_once(choice, line, started, report);
        }
    }
    table.next_generation();
    histories.iter_mut().for_each(History::age);
    let threads = match settings.strategy {
        Strategy::Iterative => settings.threads.max(1),
        Strategy::Selective { .. } => 1,
    };
    let maximum = micros(allotment.maximum);
    let shared = Shared {
        control,
        parameters: settings.parameters,
        table,
        entering_king,
        odds,
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
    let key = positions.last().map_or(0, |position| position.key);
    let best = shared.table.probe(key, 0).map_or(0, |entry| entry.best);
    let mut moves = question.moves(best);
    if let Some(kept) = kept {
        moves.retain(|mv| kept.contains(mv));
    }
    let mut path = Path::new(positions, repetition);
    if keeps_draw {
        path.set_contempt(side, settings.parameters.known_draw_contempt);
    }
    let question: &dyn Question = question;
    let mut searchers = Vec::new();
    for history in histories.iter_mut().take(threads) {
        let thread = Thread::new(&shared, path.clone(), history);
        searchers.push(question.searcher(thread, !is_safe));
    }
    let mut searchers = searchers.into_iter();
    let Some(mut first) = searchers.next() else { return choice };
    let mut helpers: Vec<Helper<'_>> = Vec::new();
    for (number, mut searcher) in searchers.enumerate() {
        let moves = &moves[..];
        helpers.push(Box::new(move || help(&mut *searcher, moves, number)));
    }
    let aim = Aim {
        lines: settings.lines.clamp(1, moves.len()),
        most: limits
            .depth
            .map_or(MAX_PLY as i32 - 1, |depth| depth.clamp(1, MAX_PLY as u32 - 1) as i32),
        optimum: allotment.optimum,
        clock: limits.clock.is_some(),
    };
    let mut found = root_moves(&moves);
    let mut depth = 0;
    beside(helpers, &mut || {
        depth = match settings.strategy {
            Strategy::Iterative => iterate(&mut *first, &aim, &mut found, report),
            Strategy::Selective { minimum, maximum } => {
                let bounds = (minimum as i32, (maximum as i32).min(aim.most));
                deepen_selectively(&mut *first, &mut found, bounds, report)
            }
        };
        first.thread().report_nodes();
        shared.done.store(true, Relaxed);
    });
    choice.depth = depth as u32;
    choice.nodes = shared.all_nodes();
    choice.time = started.elapsed();
    let Some(best) = found.first() else { return choice };
    choice.score = if keeps_draw { Score::Value(0) } else { best.score() };
    let line = best.line.to_vec();
    // Clients wait for a line that begins with the move, also of a search that was broken off.
    let is_told = told.get().is_some_and(|mv| line.first() == Some(&mv));
    if is_told { Chosen { line, ..choice } } else { at_once(choice, line, started, report) }
}

/// Whether a forced win may be played without looking at the game before.
///
/// Each of its lines meets a position once, so one that has come up less often than twice before
/// the end does no harm.
fn may_play_at_once(lines: usize, rule: RepetitionRule, positions: &[PathEntry]) -> bool {
    let count = rule.count as usize;
    lines <= 1 && (count == 0 || most_repeated(positions) + 1 < count)
}

/// How often the most repeated position of a game has come up.
fn most_repeated(positions: &[PathEntry]) -> usize {
    let mut keys: Vec<u64> = positions.iter().map(|position| position.key).collect();
    keys.sort_unstable();
    keys.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(0)
}

/// Whether every repetition is a draw, so that a drawn position stays one whatever came before.
fn repetition_draws(rule: RepetitionRule) -> bool {
    !rule.perpetual_check
        && matches!(rule.result, RepetitionResult::Draw | RepetitionResult::NoResult)
}

/// What the search for a mate before another search may take.
fn mate_budget<'c>(limits: &Limits, allotment: &Allotment, control: &'c Control) -> Budget<'c> {
    let nodes = limits.nodes.map_or(MATE_NODES, |n| (n / u64::from(MATE_SHARE)).min(MATE_NODES));
    let budget = Budget::nodes(nodes).stopped_by(control.flag());
    if limits.clock.is_some() || limits.move_time.is_some() {
        budget.time(allotment.optimum / MATE_SHARE)
    } else {
        budget
    }
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
fn at_once(
    mut choice: Chosen,
    line: Vec<u16>,
    started: Instant,
    report: &mut dyn FnMut(&Finding<'_>),
) -> Chosen {
    choice.time = started.elapsed();
    report(&Finding {
        depth: choice.depth,
        selective_depth: choice.depth,
        line_number: 1,
        score: choice.score,
        nodes: choice.nodes,
        time: choice.time,
        hashfull: 0,
        line: &line,
    });
    Chosen { line, ..choice }
}
