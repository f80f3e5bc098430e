//! Mates and values of positions.

use std::boxed::Box;
use std::format;
use std::io::{BufRead, Read};
use std::string::String;
use std::vec::Vec;

#[cfg(feature = "record")]
use shogi_rules::record::{Format, Record};
use shogi_rules::shogi_core::{Colour, Face, Move, Position};
use shogi_rules::{Dialect, to_sfen_in, to_usi_in, write_face};
use shogi_solve::checkpoint::{CheckpointError, Content, Reader};
use shogi_solve::mate::{
    Alternatives, Cook, Examination, MateAnswer, MateSolver, Options, PieceOf, Status, Useless,
};
use shogi_solve::{self as solve, Budget};

use super::builder::{
    AnyBuilder, BuilderOptions, CheckedBuild, SkeletonOf, WorkOptions, builder, check_build,
    skeleton, work,
};
use super::position::{play_in_usi, problem};
use super::solver::{AnySolver, resume, solver};
use super::{Error, Of};
use crate::RuleSet;

/// Tasks that need proof searches.
pub trait AnySolving: Sync {
    /// Whether the player to move mates by checks, whatever the opponent does. The attacker may have no
    /// king, as in problems.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, the defender has no king, or the system refuses the memory
    /// for the table.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::solve::{Budget, mate::Options};
    /// let options = Options { hash_bytes: 1 << 20, shortest: true };
    /// let position = "4k/5/3PP/5/K4 b G 1";
    /// let mate = Variant::Minishogi.solving().mate(position, options, &mut Budget::unlimited(), None)?;
    /// assert_eq!((mate.plies, mate.line.len()), (Some(1), 1));
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    fn mate(
        &self,
        position: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<Mate, Error>;

    /// A shortest mate, whatever the options say, and what mates beside its line.
    ///
    /// # Errors
    ///
    /// As [`AnySolving::mate`].
    fn all_mates(
        &self,
        position: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<(Mate, OtherMates), Error>;

    /// A shortest mate as problem books count it, whatever the options say; see
    /// [`MateSolver::solve_by_the_book`].
    ///
    /// # Errors
    ///
    /// As [`AnySolving::mate`].
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::solve::{Budget, mate::Options};
    /// // Whatever is interposed on the rook's file, the rook takes it.
    /// let position = "4k/2S2/4G/5/R4 b rbgsp 1";
    /// let (solving, options) = (Variant::Minishogi.solving(), Options::default());
    /// let mate = solving.mate_by_the_book(position, options, &mut Budget::unlimited(), None)?;
    /// assert_eq!((mate.plies, mate.line), (Some(1), vec!["5e5a".to_owned()]));
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    fn mate_by_the_book(
        &self,
        position: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<Mate, Error>;

    /// The same, and what mates beside its line.
    ///
    /// # Errors
    ///
    /// As [`AnySolving::mate`].
    fn all_mates_by_the_book(
        &self,
        position: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<(Mate, OtherMates), Error>;

    /// Examines a problem by the custom of problem books: [`MateSolver::examine`].
    ///
    /// # Errors
    ///
    /// As [`AnySolving::mate`].
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::solve::{Budget, mate::Options};
    /// let solving = Variant::Minishogi.solving();
    /// let problem = "4k/5/4P/S4/K4 b G 1";
    /// let options = Options { hash_bytes: 1 << 20, shortest: true };
    /// let found = solving.examine_problem(problem, options, &mut Budget::unlimited(), None)?;
    /// assert!(found.is_unique && !found.is_sound);
    /// assert_eq!(found.unnecessary, ["5d"]);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    fn examine_problem(
        &self,
        problem: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<Problem, Error>;

    /// One attempt at a problem of so many plies from a random position: [`MateSolver::compose`].
    fn compose_problem(
        &self,
        attempt: Attempt,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Option<Problem>;

    /// A solver of a position that has done nothing yet.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the system refuses the memory for the tables.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::rules::Verdict;
    /// use shogi_variants::solve::{Budget, Options};
    /// let start = Variant::Shogi34.rules().named_start("RKR")?;
    /// let mut solver = Variant::Shogi34.solving().solver(&start, Options::default())?;
    /// solver.run(&mut Budget::unlimited());
    /// let solution = solver.into_solution(None);
    /// assert_eq!(solution.value, Some(Verdict::Win));
    /// assert!(solution.line.len() as u32 <= solution.plies.unwrap());
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    fn solver(&self, position: &str, options: solve::Options) -> Result<Box<dyn AnySolver>, Error>;

    /// The solver of a checkpoint, with the tables' bytes as the options say and all else as both say.
    ///
    /// # Errors
    ///
    /// If the checkpoint is of another run or damaged, the text stands for no legal position, or the system
    /// refuses the memory for the tables.
    fn resume_solver(
        &self,
        checkpoint: &mut dyn Read,
        position: &str,
        options: solve::Options,
    ) -> Result<Box<dyn AnySolver>, Error>;

    /// Reads through a checkpoint of a solver and keeps nothing of it.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    fn check_checkpoint(
        &self,
        checkpoint: Reader<Box<dyn Read + '_>>,
    ) -> Result<Content, CheckpointError>;

    /// What the text of a [skeleton](shogi_solve::builder::Skeleton) of this variant is of.
    ///
    /// # Errors
    ///
    /// If the text is damaged, or no skeleton of the variant.
    fn skeleton(&self, text: &str) -> Result<SkeletonOf, Error>;

    /// Checks the [log](shogi_solve::builder::Log) of a builder: that it is whole, that its steps follow from
    /// each other, and each proof by the rules.
    ///
    /// # Errors
    ///
    /// If it is damaged, or not one of the variant.
    fn check_build(&self, log: &mut dyn BufRead) -> Result<CheckedBuild, Error>;

    /// Does a [job](shogi_solve::builder::Job) of a builder elsewhere, and returns the text of its result;
    /// `None` if the budget is spent before.
    ///
    /// # Errors
    ///
    /// If the text is damaged or no job of the variant, or the evaluation is none.
    fn work(
        &self,
        job: &str,
        options: &WorkOptions,
        budget: &mut Budget<'_>,
    ) -> Result<Option<String>, Error>;

    /// A builder of a proof from a position on, at the state of its checkpoint if there is one.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the checkpoint or the evaluation cannot be used.
    fn builder(
        &self,
        position: &str,
        options: &BuilderOptions,
    ) -> Result<Box<dyn AnyBuilder>, Error>;
}

/// The answer of [`AnySolving::mate`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// Whether there is a mate.
    pub status: Status,
    /// If there is one: in how many plies at most.
    pub plies: Option<u32>,
    /// Whether no shorter mate exists.
    pub exact: bool,
    /// A line of that many plies in USI notation.
    pub line: Vec<String>,
    /// Moves played in the search.
    pub nodes: u64,
    /// Positions entered: how often the moves of a position were generated to search it.
    pub expansions: u64,
}

/// What mates beside the line of a shortest mate: the answer of [`AnySolving::all_mates`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherMates {
    /// All first moves that mate in the least length, in USI notation; the line's own is one of them.
    pub first_moves: Vec<String>,
    /// All other moves beside the line that mate, in order.
    pub cooks: Vec<OtherMate>,
    /// The other last moves that mate, where they are told from cooks: by the book's count, beside a line of more
    /// than one ply.
    pub last_moves: Vec<String>,
    /// Whether all other moves are known not to mate.
    pub complete: bool,
}

/// Which attempt at a problem to make: see [`AnySolving::compose_problem`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Draws all attempts.
    pub seed: u64,
    /// The number of the attempt.
    pub number: u64,
    /// Plies of the solution by the book's count.
    pub plies: u16,
}

/// A problem, examined: the answer of [`AnySolving::examine_problem`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The position.
    pub sfen: String,
    /// The solution by the book's count.
    pub mate: Mate,
    /// What mates beside it.
    pub others: OtherMates,
    /// Pieces left in the attacker's hand at the end of the line.
    pub left: u32,
    /// Useless interpositions: the plies of the line before each, and the move in USI notation.
    pub useless: Vec<(usize, String)>,
    /// Pieces that are not needed: a square such as `5d`, or a piece in hand such as `G*`.
    pub unnecessary: Vec<String>,
    /// Whether there is one solution, up to its last move.
    pub is_unique: bool,
    /// Whether it is a problem as books print them.
    pub is_sound: bool,
    /// Whether all of this is known: the budget did not end before.
    pub complete: bool,
    /// The solution as a record; `None` if it cannot be one.
    #[cfg(feature = "record")]
    pub record: Option<ProblemRecord>,
}

/// A solution in Japanese.
#[cfg(feature = "record")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProblemRecord {
    /// The moves as books print them, with a blank between two.
    pub moves: String,
    /// A KIF record.
    pub kif: String,
}

#[cfg(feature = "record")]
impl ProblemRecord {
    fn new<R: RuleSet>(root: &Position<R>, line: &[Move<R>]) -> Option<Self> {
        let mut record = Record::new(*root);
        for &mv in line {
            record.push(mv).ok()?;
        }
        let text = Format::Ki2.write(&record).ok()?;
        let moves = text.lines().filter(|line| line.starts_with(['▲', '△']));
        let moves: Vec<_> = moves.flat_map(str::split_whitespace).collect();
        Some(Self { moves: moves.join(" "), kif: Format::Kif.write(&record).ok()? })
    }
}

/// A move that mates beside the one in the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherMate {
    /// Plies of the line before it.
    pub ply: usize,
    /// The move in USI notation.
    pub mv: String,
    /// Plies to the mate at most, this move included.
    pub plies: u32,
}

impl<R: RuleSet> AnySolving for Of<R> {
    fn mate(
        &self,
        text: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<Mate, Error> {
        Error::check_memory(options.hash_bytes)?;
        let position = mate_problem::<R>(text)?;
        let answer = MateSolver::new(options).solve(&position, budget);
        Ok(written(position, &answer, dialect))
    }

    fn all_mates(
        &self,
        text: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<(Mate, OtherMates), Error> {
        Error::check_memory(options.hash_bytes)?;
        let root = mate_problem::<R>(text)?;
        let mut solver = MateSolver::new(Options { shortest: true, ..options });
        let answer = solver.solve(&root, budget);
        let others = solver.alternatives(&root, &answer, budget);
        Ok(written_with_others(root, &answer, &others, dialect))
    }

    fn mate_by_the_book(
        &self,
        text: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<Mate, Error> {
        let position = mate_problem::<R>(text)?;
        let answer = MateSolver::new(options).solve_by_the_book(&position, budget);
        Ok(written(position, &answer, dialect))
    }

    fn all_mates_by_the_book(
        &self,
        text: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<(Mate, OtherMates), Error> {
        let root = mate_problem::<R>(text)?;
        let mut solver = MateSolver::new(options);
        let answer = solver.solve_by_the_book(&root, budget);
        let others = solver.alternatives_by_the_book(&root, &answer, budget);
        Ok(written_with_others(root, &answer, &others, dialect))
    }

    fn examine_problem(
        &self,
        text: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<Problem, Error> {
        let root = mate_problem::<R>(text)?;
        let found = MateSolver::new(options).examine(&root, budget);
        Ok(examined(root, &found, dialect))
    }

    fn compose_problem(
        &self,
        attempt: Attempt,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Option<Problem> {
        let Attempt { seed, number, plies } = attempt;
        let found = MateSolver::<R>::new(options).compose(seed, number, plies, budget)?;
        Some(examined(found.position, &found.examination, dialect))
    }

    fn solver(&self, position: &str, options: solve::Options) -> Result<Box<dyn AnySolver>, Error> {
        solver::<R>(position, options)
    }

    fn resume_solver(
        &self,
        checkpoint: &mut dyn Read,
        position: &str,
        options: solve::Options,
    ) -> Result<Box<dyn AnySolver>, Error> {
        resume::<R>(checkpoint, position, options)
    }

    fn check_checkpoint(
        &self,
        checkpoint: Reader<Box<dyn Read + '_>>,
    ) -> Result<Content, CheckpointError> {
        checkpoint.check::<R>()
    }

    fn skeleton(&self, text: &str) -> Result<SkeletonOf, Error> {
        skeleton::<R>(text)
    }

    fn check_build(&self, log: &mut dyn BufRead) -> Result<CheckedBuild, Error> {
        check_build::<R>(log)
    }

    fn work(
        &self,
        job: &str,
        options: &WorkOptions,
        budget: &mut Budget<'_>,
    ) -> Result<Option<String>, Error> {
        work::<R>(job, options, budget)
    }

    fn builder(
        &self,
        position: &str,
        options: &BuilderOptions,
    ) -> Result<Box<dyn AnyBuilder>, Error> {
        builder::<R>(position, options)
    }
}

/// The position of a mate problem, whose attacker may have no king.
fn mate_problem<R: RuleSet>(text: &str) -> Result<Position<R>, Error> {
    let position = problem::<R>(text)?;
    let defender = !position.side();
    if R::ROYAL_SAFETY && position.king(defender).is_none() {
        return Err(Error::NoKing(defender));
    }
    Ok(position)
}

fn after<R: RuleSet>(mut position: Position<R>, moves: &[Move<R>]) -> Position<R> {
    for &mv in moves {
        position = position.play(mv);
    }
    position
}

/// A problem and what was found out about it, in text.
fn examined<R: RuleSet>(
    root: Position<R>,
    found: &Examination<R>,
    dialect: Option<Dialect>,
) -> Problem {
    let line = &found.answer.line;
    let (mate, others) = written_with_others(root, &found.answer, &found.others, dialect);
    let written_in = dialect.unwrap_or(R::DIALECT);
    let useless = found
        .useless
        .iter()
        .map(|&Useless { ply, mv }| (ply, to_usi_in(mv, &after(root, &line[..ply]), written_in)));
    let unnecessary = found.unnecessary.iter().map(|piece| match piece {
        PieceOf::OnBoard(square) => format!("{square}"),
        PieceOf::InHand(kind) => {
            let mut text = String::new();
            write_face::<R>(Face::front(*kind), Colour::Sente, written_in, &mut text);
            text + "*"
        }
    });
    Problem {
        sfen: to_sfen_in(root.placement(), written_in),
        mate,
        others,
        left: found.left,
        useless: useless.collect(),
        unnecessary: unnecessary.collect(),
        is_unique: found.is_unique(),
        is_sound: found.is_sound(),
        complete: found.complete,
        #[cfg(feature = "record")]
        record: ProblemRecord::new(&root, line),
    }
}

/// An answer and what mates beside its line, in USI notation.
fn written_with_others<R: RuleSet>(
    root: Position<R>,
    answer: &MateAnswer<R>,
    others: &Alternatives<R>,
    dialect: Option<Dialect>,
) -> (Mate, OtherMates) {
    let mut mate = written(root, answer, dialect);
    mate.nodes += others.nodes;
    mate.expansions += others.expansions;
    let dialect = dialect.unwrap_or(R::DIALECT);
    let usi = |moves: &[Move<R>], position: &Position<R>| -> Vec<String> {
        moves.iter().map(|&mv| to_usi_in(mv, position, dialect)).collect()
    };
    let first_moves = usi(&others.first_moves, &root);
    let before_last = after(root, &answer.line[..answer.line.len().saturating_sub(1)]);
    let last_moves = usi(&others.last_moves, &before_last);
    let mut cooks = Vec::new();
    for &Cook { ply, mv, plies } in &others.cooks {
        let position = after(root, &answer.line[..ply]);
        cooks.push(OtherMate { ply, mv: to_usi_in(mv, &position, dialect), plies });
    }
    (mate, OtherMates { first_moves, cooks, last_moves, complete: others.complete })
}

fn written<R: RuleSet>(
    mut position: Position<R>,
    answer: &MateAnswer<R>,
    dialect: Option<Dialect>,
) -> Mate {
    let &MateAnswer { status, plies, exact, ref line, nodes, expansions } = answer;
    let line = play_in_usi(&mut position, line, dialect);
    Mate { status, plies, exact, line, nodes, expansions }
}
