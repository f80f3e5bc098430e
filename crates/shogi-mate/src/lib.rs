#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

//! # Conventions
//!
//! * Lengths are in plies, against every legal defence. Interpositions that only prolong the mate count
//!   like other moves.
//! * Repetition fails the attacker.
//! * Where a royal piece can be captured (Dobutsu shogi), a check is a move after which it is attacked, or its
//!   capture, and a mate means that the defender has lost by the rules of the variant; the plies include the
//!   capture.
//!
//! Of the parts of the searches in `shogi-solve` this one shares the numbers, the table and the budget. It has its own
//! frames and look-ups: with each move it keeps the hand that a result depends on and the plies that it holds
//! for, which an `Assessment` of the others lacks; it uses the table under three keys, for results, for
//! refutations within a limit and for those on a path; it takes over numbers from other hands on the board; and
//! a position with less in hand than one on the path counts as repeated.

// A map of the room; each line builds on those above it.
//
// table, budget, numbers, bytes   what every proof-number search needs, also those of `shogi-solve`
// interposition, hands, forks    useless interpositions; hands that decide as well; ways by which a position was reached
// memory, store, frame           what the table says of a position, for one thread or several; the path
// expansion, first               the moves of a position with their numbers; the numbers of a new one
// search                         the search itself. Start reading here
// together                       several threads on one table
// known_line                     any mate by the guide of a known line
// shortest, shorten, line        a mate of least length, and its moves
// book, solution                 lengths and lines as problem books count them
// cooks, defence, problem        other solutions; replies to an attack; pieces that a problem does not need
// games, compose                 problems from random games
// plan, strategy, run            what was found as a proof; a search that resumes
// saved, checkpoint              its state in a file

mod book;
mod budget;
mod bytes;
#[cfg(feature = "proof")]
mod checkpoint;
#[cfg(feature = "random")]
mod compose;
mod cooks;
mod defence;
mod expansion;
mod first;
mod forks;
mod frame;
#[cfg(feature = "random")]
mod games;
mod hands;
mod interposition;
mod known_line;
mod line;
mod memory;
mod numbers;
#[cfg(feature = "proof")]
mod plan;
mod problem;
#[cfg(feature = "proof")]
mod run;
#[cfg(feature = "proof")]
pub mod saved;
mod search;
mod shorten;
mod shortest;
mod solution;
mod store;
#[cfg(feature = "proof")]
pub mod strategy;
pub mod table;
mod together;

use shogi_core::{Move, Position};
use shogi_rules::Rules;

pub use budget::{Budget, Limit, OutOfBudget, SearchProgress};
pub use bytes::map_bytes;
#[cfg(feature = "proof")]
pub use checkpoint::{FORMAT, MateHeader, MateReader};
#[cfg(feature = "random")]
pub use compose::{Composed, ProblemSource, Wanted};
pub use cooks::{Alternatives, Cook};
pub use defence::{Defence, DefendUntil, Reply};
pub use numbers::{INFINITE, ProofNumbers, raised};
pub use problem::{Examination, PieceOf, Unknown, Useless};
#[cfg(feature = "proof")]
pub use run::{LineError, MateRun, Wish};
pub use shogi_core;
pub use shogi_core::{checks, generate_checks, has_check};

use crate::table::TranspositionTable;
use book::Book;
use interposition::Count;
use memory::{Known, LONGEST, UNLIMITED};
use search::MateSearch;
use shortest::Shortest;
use store::SharedTable;

/// The most bytes for the predecessors of positions ([`Forks`](forks::Forks)), for each thread.
const FORK_BYTES: usize = 1 << 20;

/// Options of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Bytes of the search: a sixteenth is for the path from the root, where a ply takes one or two kilobytes;
    /// an eighth, but at most a megabyte for each thread, is for the predecessors of positions; the rest is for
    /// the table, growth included. A path of a quarter of a megabyte and a table of a few kilobytes are the
    /// minimum, and a long path may need more.
    pub hash_bytes: usize,
    /// Whether to search for a mate of least length rather than for any.
    pub shortest: bool,
}

impl Default for Options {
    /// 256 MiB, any mate.
    fn default() -> Self {
        Self { hash_bytes: 256 << 20, shortest: false }
    }
}

impl Options {
    /// Bytes for the table with this many threads.
    fn table_bytes(&self, threads: usize) -> usize {
        let forks = FORK_BYTES.saturating_mul(threads);
        self.hash_bytes - self.hash_bytes / 16 - (self.hash_bytes / 8).min(forks)
    }
}

/// Whether there is a mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The player to move mates whatever the opponent does.
    Mate,
    /// The player to move does not.
    NoMate,
    /// The budget ended before an answer, or before a mate had its line, which may take a quarter more than the
    /// search.
    Unknown,
}

impl Status {
    /// `mate`, `nomate` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::NoMate => "nomate",
            Self::Unknown => "unknown",
        }
    }
}

/// The answer of [`MateSolver::solve`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateAnswer<R: Rules> {
    /// Whether there is a mate.
    pub status: Status,
    /// The most plies to the mate against any defence, if there is one. The proof guarantees it; with `exact`
    /// it is the least such number.
    pub plies: Option<u32>,
    /// Whether no shorter mate exists.
    pub exact: bool,
    /// A line of exactly `plies` plies to the end; empty without a mate.
    pub line: Vec<Move<R>>,
    /// Moves played on a board in the search, including those whose positions were only looked up in the table.
    pub nodes: u64,
    /// Positions entered: the number of times that the moves of a position were generated for a search.
    /// Programs that count a node for each entered position report this number.
    pub expansions: u64,
}

/// The line of a mate by the books' count; `None` if the budget ends.
fn book_line<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    budget: &mut Budget<'_>,
) -> Option<Vec<Move<R>>> {
    let mut book = Book::new(search, budget);
    let length = book.length(root, LONGEST)??;
    Some(solution::solution(&mut book, root, length)?.0)
}

/// A line of the shortest mate known, counting every move; `None` if the budget ends.
fn any_line<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    budget: &mut Budget<'_>,
) -> Option<Vec<Move<R>>> {
    let known = search.run(root, UNLIMITED, budget);
    if known.is_proved() { line::line(search, root, known.length, false, budget) } else { None }
}

/// An answer without its counts. A mate needs its moves: without a line the status is unknown.
fn answer<R: Rules>(known: Known, exact: bool, line: Option<Vec<Move<R>>>) -> MateAnswer<R> {
    let status = match &line {
        Some(_) => Status::Mate,
        None if known.is_refuted() => Status::NoMate,
        None => Status::Unknown,
    };
    let plies = line.as_ref().map(|line| line.len() as u32);
    MateAnswer {
        status,
        plies,
        exact: plies.is_some_and(|plies| exact || plies <= 1),
        line: line.unwrap_or_default(),
        nodes: 0,
        expansions: 0,
    }
}

/// The answer from the knowledge about a root, with the line of a mate. The first mate's line is used if the
/// budget ends before a line of the present knowledge, or if it is shorter.
fn answer_to<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    Shortest { known, exact, first }: Shortest<R>,
    budget: &mut Budget<'_>,
    nodes: u64,
) -> MateAnswer<R> {
    if !known.is_proved() {
        return answer(known, false, None);
    }
    let found = line::line(search, root, known.length, exact, budget).or_else(|| {
        budget.overtime(nodes, |budget| line::line(search, root, known.length, false, budget))
    });
    let line = shorter(found, first);
    let is_least = line.as_ref().is_some_and(|line| line.len() == usize::from(known.length));
    answer(known, exact && is_least, line)
}

/// The shorter of two lines; the first if they are equally long.
fn shorter<R: Rules>(
    found: Option<Vec<Move<R>>>,
    other: Option<Vec<Move<R>>>,
) -> Option<Vec<Move<R>>> {
    match (found, other) {
        (Some(found), Some(other)) if other.len() < found.len() => Some(other),
        (found, other) => found.or(other),
    }
}

/// The answer by the book's count, from all that is known of a root after so many nodes. Where the book's line is not
/// found within the budget, the line is that of the shortest mate known, with every move counted.
fn answer_by_the_book<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    Shortest { known, exact, first }: Shortest<R>,
    budget: &mut Budget<'_>,
    nodes: u64,
) -> MateAnswer<R> {
    let before = budget.spent();
    let mut line = None;
    if known.is_proved() && exact {
        line = book_line(search, root, budget);
    }
    let exact = line.is_some();
    if known.is_proved() && !exact {
        let nodes = nodes + budget.spent() - before;
        line = shorter(budget.overtime(nodes, |budget| any_line(search, root, budget)), first);
    }
    answer(known, exact, line)
}

/// A solver of mate problems with a table of its own.
#[derive(Debug)]
pub struct MateSolver<R: Rules> {
    options: Options,
    table: TranspositionTable,
    /// The most bytes of the path in the last search.
    path_bytes: usize,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules> MateSolver<R> {
    /// Makes a solver, which allocates memory as it needs it.
    pub fn new(options: Options) -> Self {
        let table = TranspositionTable::growing_to(options.table_bytes(1));
        Self { options, table, path_bytes: 0, rules: std::marker::PhantomData }
    }

    /// Searches for a mate by the player to move; a defender without a royal piece cannot be mated.
    ///
    /// Findings about other positions are dropped first, so that equal questions have equal answers if the
    /// budget is in nodes. If the budget ends after a mate was found but before a shortest one, the answer is
    /// that mate and not exact.
    pub fn solve(&mut self, root: &Position<R>, budget: &mut Budget<'_>) -> MateAnswer<R> {
        if !self.table.is_empty() {
            self.table.clear();
        }
        let before = budget.spent();
        let mut search = MateSearch::new(&mut self.table, root.side());
        let found = if self.options.shortest {
            shortest::shortest(&mut search, root, Count::Moves, budget)
        } else {
            Shortest { known: search.run(root, UNLIMITED, budget), exact: false, first: None }
        };
        let nodes = budget.spent() - before;
        let answer = answer_to(&mut search, root, found, budget, nodes);
        self.path_bytes = search.path_bytes();
        MateAnswer { nodes: budget.spent() - before, expansions: search.expansions(), ..answer }
    }

    /// Searches for any mate by the player to move with several threads that share a table, regardless of
    /// [`Options::shortest`]. `docs/how/mate.md` explains how the threads keep apart.
    ///
    /// The status is the same each time, unless the budget ends first. The mate found, its length, its line and
    /// the nodes of all threads together vary. A budget in nodes is shared out among the threads. With fewer
    /// than two threads this is [`MateSolver::solve`].
    ///
    /// ```
    /// use shogi_rules::{Minishogi, parse_position};
    /// use shogi_mate::{Budget, MateSolver, Options, Status};
    ///
    /// let position = parse_position::<Minishogi>("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1")?;
    /// let mut solver = MateSolver::new(Options { hash_bytes: 16 << 20, shortest: false });
    /// let answer = solver.solve_together(&position, 2, &mut Budget::unlimited());
    /// assert_eq!(answer.status, Status::Mate);
    /// assert_eq!(answer.plies, Some(answer.line.len() as u32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_together(
        &mut self,
        root: &Position<R>,
        threads: usize,
        budget: &mut Budget<'_>,
    ) -> MateAnswer<R> {
        if threads < 2 {
            return self.solve(root, budget);
        }
        // The memory is for the shared table.
        self.table.clear();
        let table = SharedTable::growing_to(self.options.table_bytes(threads), threads);
        let before = budget.spent();
        let whole = together::together(&table, root, threads, budget);
        let mut search = MateSearch::new(&table, root.side());
        let found = Shortest { known: whole.known, exact: false, first: None };
        let nodes = budget.spent() - before;
        let answer = answer_to(&mut search, root, found, budget, nodes);
        self.path_bytes = whole.path_bytes + table.peak_bytes();
        MateAnswer {
            nodes: budget.spent() - before,
            expansions: whole.expansions + search.expansions(),
            ..answer
        }
    }

    /// Searches for a shortest mate by the count of problem books, regardless of the options: useless
    /// interpositions are not moves. The definition is in `docs/how/mate.md`.
    ///
    /// The line of an exact answer is the book's: both sides play the best moves by that count, and of several
    /// such lines it leaves the attacker the fewest pieces in hand. At its end the defender has at most useless
    /// interpositions. If the budget ends first, the answer is that of [`MateSolver::solve`] and not exact: its
    /// plies count every move.
    ///
    /// ```
    /// use shogi_rules::{Shogi, parse_sfen};
    /// use shogi_rules::shogi_core::{Faults, Position};
    /// use shogi_mate::{Budget, MateSolver, Options};
    ///
    /// // After 1e2d the lance gives check from afar: whatever is interposed, it takes.
    /// let (placement, _) = parse_sfen::<Shogi>("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1")?;
    /// let position = Position::new_allowing(placement, Faults::MISSING_KING)?;
    /// let mut solver = MateSolver::new(Options { hash_bytes: 1 << 20, shortest: true });
    /// let (moves, book) = (
    ///     solver.solve(&position, &mut Budget::unlimited()),
    ///     solver.solve_by_the_book(&position, &mut Budget::unlimited()),
    /// );
    /// assert_eq!((moves.plies, book.plies), (Some(13), Some(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_by_the_book(
        &mut self,
        root: &Position<R>,
        budget: &mut Budget<'_>,
    ) -> MateAnswer<R> {
        if !self.table.is_empty() {
            self.table.clear();
        }
        let before = budget.spent();
        let mut search = MateSearch::new(&mut self.table, root.side());
        let found = shortest::shortest(&mut search, root, Count::Book, budget);
        let nodes = budget.spent() - before;
        let answer = answer_by_the_book(&mut search, root, found, budget, nodes);
        self.path_bytes = search.path_bytes();
        MateAnswer { nodes: budget.spent() - before, expansions: search.expansions(), ..answer }
    }

    /// Searches for the moves of the player to move after which the opponent does not mate by checks; for each other one the
    /// answer has the mate, with [`Options::shortest`] a shortest one. The player to move may be in check, as after a move of a
    /// mate problem, or not, as after the quiet move of a brinkmate.
    ///
    /// ```
    /// use shogi_rules::{Minishogi, parse_problem, to_usi};
    /// use shogi_mate::{Budget, DefendUntil, MateSolver, Options, Reply, Status};
    ///
    /// // Gote's king is in check by the rook. It may flee, or two pawns help.
    /// let root = parse_problem::<Minishogi>("4k/5/3G1/5/4R w Prbgsp 1")?;
    /// let mut solver = MateSolver::new(Options { hash_bytes: 1 << 20, shortest: true });
    /// let defence = solver.defend(&root, DefendUntil::EachIsDecided, &mut Budget::unlimited());
    /// assert_eq!(defence.answer.status, Status::NoMate);
    /// let helps = |reply: &&Reply<_>| reply.attack.status == Status::NoMate;
    /// let helpful: Vec<_> = defence.replies.iter().filter(helps).map(|reply| to_usi(reply.mv)).collect();
    /// assert_eq!(helpful, ["1a2a", "P*1c", "P*1d"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn defend(
        &mut self,
        root: &Position<R>,
        until: DefendUntil,
        budget: &mut Budget<'_>,
    ) -> Defence<R> {
        if !self.table.is_empty() {
            self.table.clear();
        }
        let before = budget.spent();
        let mut search = MateSearch::new(&mut self.table, !root.side());
        let found = defence::defend(&mut search, root, self.options.shortest, until, budget);
        let (nodes, expansions) = (budget.spent() - before, search.expansions());
        self.path_bytes = search.path_bytes();
        Defence { answer: MateAnswer { nodes, expansions, ..found.answer }, ..found }
    }

    /// The peak of bytes in use by the last search, for its table and its path.
    pub const fn peak_bytes(&self) -> usize {
        self.table.peak_bytes() + self.path_bytes
    }

    /// Like [`MateSolver::alternatives`], beside the line of [`MateSolver::solve_by_the_book`] and by the
    /// book's count: other last moves, which books tolerate, are not cooks.
    pub fn alternatives_by_the_book(
        &mut self,
        root: &Position<R>,
        answer: &MateAnswer<R>,
        budget: &mut Budget<'_>,
    ) -> Alternatives<R> {
        self.beside_line(root, answer, budget, cooks::alternatives_by_the_book)
    }

    /// All first moves that mate in the least length, and the other moves beside the line that mate.
    ///
    /// `answer` must be that of the last [`MateSolver::solve`] for the same position, whose findings are
    /// reused. Without an exact mate and a line nothing is searched or found.
    ///
    /// ```
    /// use shogi_rules::{Minishogi, parse_position, to_usi};
    /// use shogi_mate::{Budget, Options, MateSolver};
    ///
    /// let position = parse_position::<Minishogi>("4k/5/4P/5/K4 b 2G 1")?;
    /// let mut solver = MateSolver::new(Options { hash_bytes: 1 << 20, shortest: true });
    /// let answer = solver.solve(&position, &mut Budget::unlimited());
    /// let others = solver.alternatives(&position, &answer, &mut Budget::unlimited());
    /// let first: Vec<_> = others.first_moves.iter().map(|&mv| to_usi(mv)).collect();
    /// assert_eq!((answer.plies, first.join(" ")), (Some(1), "G*1b".to_owned()));
    /// assert!(others.complete);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn alternatives(
        &mut self,
        root: &Position<R>,
        answer: &MateAnswer<R>,
        budget: &mut Budget<'_>,
    ) -> Alternatives<R> {
        self.beside_line(root, answer, budget, cooks::alternatives)
    }

    /// Searches beside the line of an answer. The result is complete only with an exact line, or without a
    /// mate.
    fn beside_line(
        &mut self,
        root: &Position<R>,
        answer: &MateAnswer<R>,
        budget: &mut Budget<'_>,
        look: cooks::BesideLine<R>,
    ) -> Alternatives<R> {
        let line = if answer.exact { &answer.line[..] } else { &[] };
        let found = look(&mut MateSearch::new(&mut self.table, root.side()), root, line, budget);
        let is_decided = !line.is_empty() || answer.status == Status::NoMate;
        Alternatives { complete: found.complete && is_decided, ..found }
    }
}
