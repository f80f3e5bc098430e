//! A search for a mate that resumes where it stopped, and proves what it has found.

use std::io;
use std::time::Duration;

use shogi_core::clock::Instant;
use shogi_core::{Move, Position, checks};
use shogi_proof::{Proof, Repetition, Strategy};
use shogi_rules::{Rules, to_usi};

use super::interposition::Count;
use super::known_line::{KnownLine, any_mate};
use super::memory::UNLIMITED;
use super::search::MateSearch;
use super::shortest::Turns;
use super::store::{SharedTable, Store};
use super::{MateAnswer, Options, answer_by_the_book, answer_to, plan, together};
use crate::budget::Budget;
use crate::strategy::{insert_shorter, needed_from, proof_of_strategy};
use crate::table::{Entry, TranspositionTable};

/// Which mate is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wish {
    /// Any.
    Any,
    /// One of least length, every move counted.
    Shortest,
    /// One of least length as problem books count it.
    Book,
}

impl Wish {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Any, Self::Shortest, Self::Book];

    /// `any`, `shortest` or `book`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Shortest => "shortest",
            Self::Book => "book",
        }
    }

    const fn count(self) -> Count {
        match self {
            Self::Book => Count::Book,
            Self::Any | Self::Shortest => Count::Moves,
        }
    }
}

/// Why moves are no line of play to a mate by checks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// A move is not legal, or the game has ended before it.
    #[error("move {number} of the line, {text}, is not legal")]
    Illegal {
        /// Which move, from 1.
        number: usize,
        /// The move in USI notation.
        text: String,
    },
    /// A move of the attacker gives no check.
    #[error("move {number} of the line, {text}, gives no check")]
    NoCheck {
        /// Which move, from 1.
        number: usize,
        /// The move in USI notation.
        text: String,
    },
}

/// The table of one thread or of several.
#[derive(Debug)]
enum Table {
    Own(TranspositionTable),
    Shared(SharedTable),
}

impl Table {
    fn store(&mut self) -> Store<'_> {
        match self {
            Self::Own(table) => table.into(),
            Self::Shared(table) => (&*table).into(),
        }
    }
}

/// A search for a mate by the player to move that resumes with each budget, and in another process by
/// [`MateRun::write`] and [`MateReader`](super::MateReader).
///
/// ```
/// use shogi_rules::{Minishogi, parse_position};
/// use shogi_mate::{Budget, MateRun, Options, Status, Wish};
///
/// let position = parse_position::<Minishogi>("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1")?;
/// let options = Options { hash_bytes: 16 << 20, ..Options::default() };
/// let mut run = MateRun::new(position, Wish::Shortest, 1, options);
/// while !run.has_ended() {
///     run.run(&mut Budget::nodes(1_000));
/// }
/// let answer = run.answer(&mut Budget::unlimited());
/// assert_eq!((answer.status, answer.plies, answer.exact), (Status::Mate, Some(13), true));
/// let proof = run.proof(&mut Budget::unlimited()).ok_or("no proof")?;
/// assert_eq!(proof.check()?.plies, Some(13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MateRun<R: Rules> {
    pub(super) root: Position<R>,
    pub(super) wish: Wish,
    threads: usize,
    pub(super) options: Options,
    table: Table,
    pub(super) turns: Turns<R>,
    pub(super) nodes: u64,
    pub(super) expansions: u64,
    pub(super) elapsed: Duration,
}

impl<R: Rules> MateRun<R> {
    /// A search that has done nothing yet. Several threads search for any mate only; the wish says whether one of least
    /// length is looked for, whatever the options say.
    pub fn new(root: Position<R>, wish: Wish, threads: usize, options: Options) -> Self {
        let threads = if wish == Wish::Any { threads.max(1) } else { 1 };
        let bytes = options.table_bytes(threads);
        let table = match threads {
            1 => Table::Own(TranspositionTable::growing_to(bytes)),
            _ => Table::Shared(SharedTable::growing_to(bytes, threads)),
        };
        let (nodes, expansions, elapsed) = (0, 0, Duration::ZERO);
        let turns = Turns::new();
        Self { root, wish, threads, options, table, turns, nodes, expansions, elapsed }
    }

    /// Lets a line of play guide the search for any mate: it is walked from its end to its start, and each position of it is
    /// searched, which finds a mate whose line is known in a small part of the time. It is a guide alone: the answer is as
    /// true as without it, a wrong line costs time, and it may end before the mate.
    ///
    /// One thread walks it; several search without it, as with a line of no moves. A checkpoint does not hold the line: a search
    /// that resumes takes it anew, and is fast where its table has the answers. Nothing is walked where there is a mate already.
    ///
    /// # Errors
    ///
    /// The first move that is not legal, or comes after the end of the game, or is one of the attacker and gives no check.
    ///
    /// ```
    /// use shogi_rules::{Minishogi, parse_position};
    /// use shogi_mate::{Budget, MateRun, Options, Wish};
    ///
    /// let position = parse_position::<Minishogi>("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1")?;
    /// let options = Options { hash_bytes: 16 << 20, ..Options::default() };
    /// let mut run = MateRun::new(position, Wish::Shortest, 1, options);
    /// run.run(&mut Budget::unlimited());
    /// let known = run.answer(&mut Budget::unlimited());
    /// let mut run = MateRun::new(position, Wish::Any, 1, options).along(&known.line)?;
    /// run.run(&mut Budget::unlimited());
    /// assert_eq!(run.answer(&mut Budget::unlimited()).plies, Some(13));
    /// assert!(run.nodes() < known.nodes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn along(mut self, line: &[Move<R>]) -> Result<Self, LineError> {
        let mut position = self.root;
        for (number, &mv) in (1..).zip(line) {
            let text = || to_usi(mv);
            let illegal = || LineError::Illegal { number, text: text() };
            if R::is_over(&position) {
                return Err(illegal());
            }
            let next = position.play(mv).map_err(|_| illegal())?;
            if number % 2 == 1 && !checks(&position).contains(&mv) {
                return Err(LineError::NoCheck { number, text: text() });
            }
            position = next;
        }
        self.turns.guide = (!line.is_empty()).then(|| KnownLine::new(self.root, line));
        Ok(self)
    }

    /// Searches until it is known whether there is a mate, and of which length if that is wished, or the budget ends.
    pub fn run(&mut self, budget: &mut Budget<'_>) {
        if self.has_ended() {
            return;
        }
        self.count(budget, |run, budget| {
            let Self { root, wish, threads, table, turns, .. } = run;
            let expansions = match table {
                Table::Shared(table) => {
                    let whole = together::together(table, root, *threads, budget);
                    turns.any = whole.known;
                    whole.expansions
                }
                Table::Own(table) => {
                    let mut search = MateSearch::new(table, root.side());
                    match wish {
                        Wish::Any => {
                            turns.any = any_mate(turns.guide.as_mut(), &mut search, root, budget);
                        }
                        _ => turns.run(&mut search, root, wish.count(), budget),
                    }
                    search.expansions()
                }
            };
            ((), expansions)
        });
    }

    /// Whether it is known what is wished.
    pub const fn has_ended(&self) -> bool {
        match self.wish {
            Wish::Any => self.turns.any.is_final(),
            Wish::Shortest | Wish::Book => self.turns.has_ended(),
        }
    }

    /// The findings so far. Finding the moves of a mate may take a quarter more than the search.
    pub fn answer(&mut self, budget: &mut Budget<'_>) -> MateAnswer<R> {
        let found = self.count(budget, |run, budget| {
            let (root, wish, turns) = (run.root, run.wish, run.turns.result());
            let nodes = run.nodes;
            let mut search = MateSearch::new(run.table.store(), root.side());
            let found = match wish {
                Wish::Any | Wish::Shortest => answer_to(&mut search, &root, turns, budget, nodes),
                Wish::Book => answer_by_the_book(&mut search, &root, turns, budget, nodes),
            };
            (found, search.expansions())
        });
        MateAnswer { nodes: self.nodes, expansions: self.expansions, ..found }
    }

    /// The proof of a mate that was found, checked by the rules; `None` if there is none, or the budget ends. A mate wished by
    /// the book is proved with every move counted.
    pub fn proof(&mut self, budget: &mut Budget<'_>) -> Option<Proof<R>> {
        if !self.turns.result().known.is_proved() {
            return None;
        }
        self.count(budget, |run, budget| {
            let root = run.root;
            let mut search = MateSearch::new(run.table.store(), root.side());
            let proof = proof_of(&mut search, &root, budget);
            (proof, search.expansions())
        })
    }

    /// Does work, which also returns how many positions it has entered, and counts what it takes.
    fn count<'b, T>(
        &mut self,
        budget: &mut Budget<'b>,
        work: impl FnOnce(&mut Self, &mut Budget<'b>) -> (T, u64),
    ) -> T {
        let (before, begun) = (budget.spent(), Instant::now());
        let (done, expansions) = work(self, budget);
        self.nodes += budget.spent() - before;
        self.expansions += expansions;
        self.elapsed += begun.elapsed();
        done
    }

    /// The root.
    pub const fn root(&self) -> &Position<R> {
        &self.root
    }

    /// Moves played in all budgets.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Positions entered in all budgets.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The time spent in all budgets.
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The number of entries of the table.
    pub(super) fn entries(&self) -> u64 {
        match &self.table {
            Table::Own(table) => table.len() as u64,
            Table::Shared(table) => table.len() as u64,
        }
    }

    /// Gives each entry of the table, in any order.
    pub(super) fn each_entry(
        &self,
        visit: &mut dyn FnMut(Entry) -> io::Result<()>,
    ) -> io::Result<()> {
        match &self.table {
            Table::Own(table) => table.iter().try_for_each(visit),
            Table::Shared(table) => table.each_entry(visit),
        }
    }

    /// Makes room for so many entries in an empty table, as far as it may grow.
    pub(super) fn reserve(&mut self, entries: u64) {
        let entries = usize::try_from(entries).unwrap_or(usize::MAX);
        match &mut self.table {
            Table::Own(table) => table.reserve(entries),
            Table::Shared(table) => table.reserve(entries),
        }
    }

    /// Stores an entry.
    pub(super) fn store(&mut self, entry: Entry) {
        match &mut self.table {
            Table::Own(table) => table.store(entry),
            Table::Shared(table) => table.store(entry),
        }
    }
}

/// The proof of a mate in the table of a search.
fn proof_of<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    budget: &mut Budget<'_>,
) -> Option<Proof<R>> {
    let known = search.run(root, UNLIMITED, budget);
    if !known.is_proved() {
        return None;
    }
    let length = search.known_length(root).map_or(known.length, |length| length.min(known.length));
    let mut whole = Strategy::following(root, root.side(), Repetition::Absent);
    for step in plan::plan(search, root, length, budget)?.values() {
        insert_shorter(&mut whole, &step.position, step.mv, step.plies.into()).ok()?;
    }
    proof_of_strategy(root, needed_from(root, &whole).ok()?)
}
