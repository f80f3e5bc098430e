//! Mates and values of positions.

use std::boxed::Box;
use std::io::{BufRead, Read};
use std::string::String;
use std::vec::Vec;

use shogi_rules::shogi_core::{Faults, Move, Position};
use shogi_rules::{Dialect, to_usi_in};
use shogi_solve::checkpoint::{CheckpointError, Content, Reader};
use shogi_solve::expert::{ExpertError, ExpertIteration, ExpertSettings};
use shogi_solve::mate::{Cook, MateAnswer, MateSolver, Options, Status};
use shogi_solve::{self as solve, Budget};

use super::builder::{
    AnyBuilder, BuilderOptions, CheckedBuild, SkeletonOf, WorkOptions, builder, check_build,
    skeleton, work,
};
use super::expert::{self, AnyExpertIteration, expert_iteration};
use super::position::{placement, play_in_usi};
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

    /// What the text of a [skeleton](shogi_solve::build::Skeleton) of this variant is of.
    ///
    /// # Errors
    ///
    /// If the text is damaged, or no skeleton of the variant.
    fn skeleton(&self, text: &str) -> Result<SkeletonOf, Error>;

    /// Checks the [log](shogi_solve::build::Log) of a builder: that it is whole, that its steps follow from
    /// each other, and each proof by the rules.
    ///
    /// # Errors
    ///
    /// If it is damaged, or not one of the variant.
    fn check_build(&self, log: &mut dyn BufRead) -> Result<CheckedBuild, Error>;

    /// Does a [job](shogi_solve::build::Job) of a builder elsewhere, and returns the text of its result;
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

    /// Learning of an evaluation that knows effort, beside a linear one (the text of its file), from
    /// searches of positions of games from `start` on; nothing is searched yet.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the evaluation cannot be used.
    fn expert_iteration(
        &self,
        start: &str,
        evaluation: &str,
        settings: ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error>;

    /// The same, gone on with from a checkpoint of these settings.
    ///
    /// # Errors
    ///
    /// If the checkpoint is damaged, or of another run.
    fn resume_expert_iteration(
        &self,
        checkpoint: &mut dyn Read,
        start: &str,
        settings: &ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error>;

    /// Checks what [`AnyExpertIteration::write`] has written. Returns the number of searches.
    ///
    /// # Errors
    ///
    /// If it is damaged, or of another variant.
    fn check_expert_iteration(&self, checkpoint: &mut dyn Read) -> Result<u64, ExpertError>;
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
    /// Whether all other moves are known not to mate.
    pub complete: bool,
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
        let position = problem::<R>(text)?;
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
        let root = problem::<R>(text)?;
        let mut solver = MateSolver::new(Options { shortest: true, ..options });
        let answer = solver.solve(&root, budget);
        let others = solver.alternatives(&root, &answer, budget);
        let mut mate = written(root, &answer, dialect);
        mate.nodes += others.nodes;
        mate.expansions += others.expansions;
        let dialect = dialect.unwrap_or(R::DIALECT);
        let mut first_moves = Vec::new();
        for &mv in &others.first_moves {
            first_moves.push(to_usi_in(mv, &root, dialect));
        }
        let mut cooks = Vec::new();
        for &Cook { ply, mv, plies } in &others.cooks {
            let position = after(root, &answer.line[..ply]);
            cooks.push(OtherMate { ply, mv: to_usi_in(mv, &position, dialect), plies });
        }
        Ok((mate, OtherMates { first_moves, cooks, complete: others.complete }))
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

    fn expert_iteration(
        &self,
        start: &str,
        evaluation: &str,
        settings: ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error> {
        expert_iteration::<R>(start, evaluation, settings)
    }

    fn resume_expert_iteration(
        &self,
        checkpoint: &mut dyn Read,
        start: &str,
        settings: &ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error> {
        expert::resume::<R>(checkpoint, start, settings)
    }

    fn check_expert_iteration(&self, checkpoint: &mut dyn Read) -> Result<u64, ExpertError> {
        Ok(ExpertIteration::<R>::read(checkpoint)?.searches())
    }
}

/// The position of a problem, whose attacker may have no king.
fn problem<R: RuleSet>(text: &str) -> Result<Position<R>, Error> {
    let position = Position::<R>::new_allowing(placement(text)?, Faults::MISSING_KING)?;
    if R::ROYAL_SAFETY && position.king(!position.side()).is_none() {
        return Err(Error::NoKing);
    }
    Ok(position)
}

fn after<R: RuleSet>(mut position: Position<R>, moves: &[Move<R>]) -> Position<R> {
    for &mv in moves {
        position = position.play(mv);
    }
    position
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
