//! Mates and values of positions.

use std::boxed::Box;
use std::io::{BufRead, Read};
use std::string::String;

use shogi_solve::checkpoint::{CheckpointError, Content, Reader};
use shogi_solve::mate::MateReader;
use shogi_solve::{self as solve, Budget};

use super::Error;
use super::builder::{
    AnyBuilder, BuilderOptions, CheckedBuild, SkeletonOf, WorkOptions, builder, check_build,
    skeleton, work,
};
use super::mate_run::{AnyMateRun, mate_run};
use super::solver::{AnySolver, resume, solver};
use crate::Variant;
use crate::tasks::{MateTask, Session};
use crate::variant::call;

/// Tasks that need proof searches: [`Variant::solving`].
#[derive(Clone, Copy, Debug)]
pub struct SolvingTasks(pub(super) Variant);

impl SolvingTasks {
    /// A search for a mate that resumes where it stopped, with the settings of the task, or the one of a checkpoint; it proves
    /// what it finds.
    ///
    /// # Errors
    ///
    /// As [`MateTask`]; if it is to list [`all`](MateTask::all) moves; if the checkpoint is of another run or damaged.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::solve::Budget;
    /// use shogi_variants::tasks::{MateTask, Session};
    /// let session = Session::new(Budget::unlimited());
    /// let solving = Variant::Minishogi.solving();
    /// let line = "r1k2/2p2/5/2P2/2K2 b RBGSbgs 1";
    /// let mut run = solving.mate_run(&MateTask::default(), line, &session, None)?;
    /// run.run(&mut Budget::unlimited());
    /// assert!(run.has_ended() && run.answer(&mut Budget::unlimited(), None).plies >= Some(13));
    /// assert!(run.proof(&mut Budget::unlimited()).is_some());
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn mate_run(
        self,
        task: &MateTask,
        line: &str,
        session: &Session<'_>,
        checkpoint: Option<&mut dyn Read>,
    ) -> Result<Box<dyn AnyMateRun>, Error> {
        call!(self.0, R => mate_run::<R>(task, line, session, checkpoint))
    }

    /// Reads through a checkpoint of a search for a mate and keeps nothing of it; how many entries its table has.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    pub fn check_mate_checkpoint(
        self,
        checkpoint: MateReader<Box<dyn Read + '_>>,
    ) -> Result<u64, CheckpointError> {
        call!(self.0, R => checkpoint.check::<R>())
    }

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
    pub fn solver(
        self,
        position: &str,
        options: solve::Options,
    ) -> Result<Box<dyn AnySolver>, Error> {
        call!(self.0, R => solver::<R>(position, options))
    }

    /// The solver of a checkpoint, with the tables' bytes as the options say and all else as both say.
    ///
    /// # Errors
    ///
    /// If the checkpoint is of another run or damaged, the text stands for no legal position, or the system
    /// refuses the memory for the tables.
    pub fn resume_solver(
        self,
        checkpoint: &mut dyn Read,
        position: &str,
        options: solve::Options,
    ) -> Result<Box<dyn AnySolver>, Error> {
        call!(self.0, R => resume::<R>(checkpoint, position, options))
    }

    /// Reads through a checkpoint of a solver and keeps nothing of it.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    pub fn check_checkpoint(
        self,
        checkpoint: Reader<Box<dyn Read + '_>>,
    ) -> Result<Content, CheckpointError> {
        call!(self.0, R => checkpoint.check::<R>())
    }

    /// The claim of the text of a [skeleton](shogi_solve::builder::Skeleton) of this variant.
    ///
    /// # Errors
    ///
    /// If the text is damaged, or no skeleton of the variant.
    pub fn skeleton(self, text: &str) -> Result<SkeletonOf, Error> {
        call!(self.0, R => skeleton::<R>(text))
    }

    /// Checks the [log](shogi_solve::builder::Log) of a builder: that it is whole, that its steps follow from
    /// each other, and each proof by the rules.
    ///
    /// # Errors
    ///
    /// If it is damaged, or not one of the variant.
    pub fn check_build(self, log: &mut dyn BufRead) -> Result<CheckedBuild, Error> {
        call!(self.0, R => check_build::<R>(log))
    }

    /// Does a [job](shogi_solve::builder::Job) of a builder elsewhere, and returns the text of its result;
    /// `None` if the budget is spent before.
    ///
    /// # Errors
    ///
    /// If the text is damaged or no job of the variant, or the evaluation is malformed.
    pub fn work(
        self,
        job: &str,
        options: &WorkOptions,
        budget: &mut Budget<'_>,
    ) -> Result<Option<String>, Error> {
        call!(self.0, R => work::<R>(job, options, budget))
    }

    /// A builder of a proof from a position on, at the state of its checkpoint if there is one.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the checkpoint or the evaluation cannot be used.
    pub fn builder(
        self,
        position: &str,
        options: &BuilderOptions,
    ) -> Result<Box<dyn AnyBuilder>, Error> {
        call!(self.0, R => builder::<R>(position, options))
    }
}
