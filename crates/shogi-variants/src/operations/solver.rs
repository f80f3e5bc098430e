//! Proof searches that resume where they stopped.

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::string::{String, ToString as _};
use std::time::Duration;
use std::vec::Vec;

use shogi_proof::{Claim, RefutedProof};
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Dialect, Rules, Verdict};
use shogi_solve::checkpoint::{CheckpointError, Reader};
use shogi_solve::{Budget, Ended, Finding, Goal, Method, Options, RulesGame, Solved, Solver};

use super::Error;
use super::held::Held;
use super::position::{play_in_usi, position};
use super::proofs::{AnyProof, Claimed, held};

/// A [`Solver`] of a position of any variant, for [`SolvingTasks::solver`](super::SolvingTasks::solver).
pub trait AnySolver {
    /// Searches until the value is proved, the budget is spent, or the solver is stuck: see
    /// [`Solver::run`].
    ///
    /// # Panics
    ///
    /// If the system refuses the memory for the tables, which it had when the solver was made.
    fn run(&mut self, budget: &mut Budget<'_>);

    /// The value for the player to move, once it is proved.
    fn value(&self) -> Option<Verdict>;

    /// Whether more time is of no use: see [`Solver::is_stuck`].
    fn is_stuck(&self) -> bool;

    /// Moves played in all runs.
    fn nodes(&self) -> u64;

    /// Positions whose moves were looked at, in all runs.
    fn expansions(&self) -> u64;

    /// The time spent in all runs.
    fn elapsed(&self) -> Duration;

    /// Writes a checkpoint: see [`Solver::write`].
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// What is known now, proved and checked, with moves in USI notation.
    fn into_solution(self: Box<Self>, dialect: Option<Dialect>) -> Solution;
}

/// What is known of a position: a [`Solved`] of any variant.
#[non_exhaustive]
pub struct Solution {
    /// The value for the player to move, if a checked proof carries it.
    pub value: Option<Verdict>,
    /// For a win or a loss that needs no repetition: plies to the end at most.
    pub plies: Option<u32>,
    /// The proof, checked; without a value, of what one player has at least, if that is known.
    pub proof: Option<Box<dyn AnyProof>>,
    /// The moves that the proof plans from the root on, in USI notation: see [`Solved::line`].
    pub line: Vec<String>,
    /// Why the search's answer was no proof, if it was none.
    pub refuted: Option<RefutedProof>,
    /// Moves played in all searches together.
    pub nodes: u64,
    /// Positions entered in all searches together.
    pub expansions: u64,
    /// What ended the work.
    pub ended: Ended,
    /// How the proof was found.
    pub method: Method,
    /// The numbers of the searches that were left, by goal.
    pub open: Vec<(Goal, Finding)>,
}

impl Solution {
    /// What a program prints of it.
    pub fn printed(&self) -> PrintedSolution {
        let Self { value, plies, proof, line, refuted, nodes, expansions, ended, method, open } =
            self;
        let is_known = value.is_some();
        PrintedSolution {
            value: *value,
            plies_at_most: plies.filter(|_| is_known),
            nodes: *nodes,
            seconds: None,
            line: if is_known { line.clone() } else { Vec::new() },
            expansions: *expansions,
            ended: *ended,
            method: method.name(),
            certified: is_known,
            proof: proof.as_ref().map(|proof| PrintedProof::of(&**proof)),
            refuted: refuted.as_ref().map(|RefutedProof { fault, sfen }| Refutation {
                reason: fault.to_string(),
                position: sfen.clone(),
            }),
            open: open.iter().map(|&(goal, finding)| OpenGoal::new(goal, finding)).collect(),
        }
    }
}

/// A [`Solution`] as programs print it.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PrintedSolution {
    /// The value for the player to move; in a data format `unknown` where it is not known.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::serde::known_value"))]
    pub value: Option<Verdict>,
    /// Plies to the end at most.
    pub plies_at_most: Option<u32>,
    /// Moves played.
    pub nodes: u64,
    /// The seconds that it took, for programs that print them.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub seconds: Option<f64>,
    /// The moves that the proof plans from the root on, in USI notation.
    #[cfg_attr(feature = "serde", serde(rename = "pv"))]
    pub line: Vec<String>,
    /// Positions entered.
    pub expansions: u64,
    /// What ended the work.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::serde::ended"))]
    pub ended: Ended,
    /// How the value was found: `search`, `whole` for a small game that was looked at as a whole, or `tablebase`.
    pub method: &'static str,
    /// Whether the value was checked by the rules alone.
    pub certified: bool,
    /// What is proved; without a value it may be that one player does not lose.
    pub proof: Option<PrintedProof>,
    /// What was proved by the search but not by the rules, if anything was.
    pub refuted: Option<Refutation>,
    /// The questions that are left.
    pub open: Vec<OpenGoal>,
}

/// A proof as programs print it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PrintedProof {
    /// What it claims.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::serde::claim"))]
    pub claim: Claim,
    /// The players whose moves are stored.
    pub provers: Vec<Colour>,
    /// Positions with a stored move.
    pub entries: usize,
}

impl PrintedProof {
    /// What is printed of this proof.
    pub fn of(proof: &dyn AnyProof) -> Self {
        let Claimed { claim, provers, .. } = proof.claimed(None);
        Self { claim, provers, entries: proof.entries() }
    }
}

/// Why the search's answer was no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Refutation {
    /// The reason.
    pub reason: String,
    /// The position in SFEN at which it fails.
    pub position: String,
}

/// A question that was not answered, with its numbers at the root.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OpenGoal {
    /// Who is to reach the goal.
    pub prover: Colour,
    /// The goal.
    #[cfg_attr(feature = "serde", serde(rename = "goal", serialize_with = "super::serde::claim"))]
    pub claim: Claim,
    /// `open`: nothing is certified.
    pub found: &'static str,
    /// The proof number, where the search came to no end.
    pub proof: Option<u32>,
    /// The disproof number, likewise.
    pub disproof: Option<u32>,
}

impl OpenGoal {
    fn new(Goal { prover, draw_suffices }: Goal, finding: Finding) -> Self {
        let claim = if draw_suffices { Claim::NotLose { prover } } else { Claim::Win { prover } };
        // A finding is not printed before there is a certificate.
        let (proof, disproof) = match finding {
            Finding::Proved { .. } | Finding::Disproved => (None, None),
            Finding::Unknown { proof, disproof } => (Some(proof), Some(disproof)),
        };
        Self { prover, claim, found: "open", proof, disproof }
    }
}

/// A new solver.
pub(super) fn solver<R: Rules>(root: &str, options: Options) -> Result<Box<dyn AnySolver>, Error> {
    Error::check_memory(options.hash_bytes)?;
    Ok(Box::new(Held::new(Solver::of_position(position::<R>(root)?, options))))
}

/// The solver of a checkpoint.
pub(super) fn resume<R: Rules>(
    input: &mut dyn Read,
    root: &str,
    options: Options,
) -> Result<Box<dyn AnySolver>, Error> {
    Error::check_memory(options.hash_bytes)?;
    let root = position::<R>(root)?;
    let read = || -> Result<_, CheckpointError> { Reader::new(input)?.solver(root, options) };
    Ok(Box::new(Held::new(read().map_err(Error::library)?)))
}

impl<R: Rules> AnySolver for Held<Solver<'static, RulesGame<R>>> {
    fn run(&mut self, budget: &mut Budget<'_>) {
        self.with_mut(|solver| solver.run(budget));
    }

    fn value(&self) -> Option<Verdict> {
        self.with(Solver::value)
    }

    fn is_stuck(&self) -> bool {
        self.with(Solver::is_stuck)
    }

    fn nodes(&self) -> u64 {
        self.with(Solver::nodes)
    }

    fn expansions(&self) -> u64 {
        self.with(Solver::expansions)
    }

    fn elapsed(&self) -> Duration {
        self.with(Solver::elapsed)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.with(|solver| solver.write(out))
    }

    fn into_solution(self: Box<Self>, dialect: Option<Dialect>) -> Solution {
        self.consume(|solver| {
            let mut root = *solver.root();
            let Solved {
                value,
                plies,
                proof,
                line,
                refuted,
                nodes,
                expansions,
                ended,
                method,
                open,
            } = solver.into_solved();
            let (line, proof) = (play_in_usi(&mut root, &line, dialect), proof.map(held));
            Solution { value, plies, proof, line, refuted, nodes, expansions, ended, method, open }
        })
    }
}
