//! The value of a position, proved.

use core::fmt;
use std::boxed::Box;
use std::path::PathBuf;
use std::string::{String, ToString as _};
use std::time::Duration;
use std::vec::Vec;

use shogi_proof::{Claim, RefutedProof};
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Dialect, Rules, Verdict};
use shogi_solve::{Algorithm, Ended, Finding, Goal, Method, Options, Solved, StartLeaf};

use super::{Answer, Session, Task, counted, grouped};
use crate::Variant;
use crate::operations::{AnyProof, Claimed, held_proof, play_in_usi, solver};
use crate::operations::{claim, ended, known_value};
use crate::variant::call;

/// Proves the value of a position: by proof-number searches, and by looking at the whole of a small game.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::rules::Verdict;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{Session, SolveTask, Task as _};
/// let task = SolveTask { hash: 16, ..SolveTask::default() };
/// let start = Variant::Shogi34.rules().named_start("RKR")?;
/// let solution = task.answer(Variant::Shogi34, &start, &mut Session::new(Budget::unlimited()))?;
/// assert_eq!(solution.value, Some(Verdict::Win));
/// assert!(solution.line.len() as u32 <= solution.plies.unwrap());
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if the line stands for no legal position, or the system refuses the memory for the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SolveTask {
    /// The search.
    #[serde(deserialize_with = "super::read::name")]
    #[cfg_attr(feature = "clap", arg(long, default_value = "dfpn",
        value_parser = super::choice::parser(<Algorithm as super::choice::Named>::CHOICES)))]
    pub algorithm: Algorithm,
    /// The numbers that a position starts with before it is searched.
    #[serde(deserialize_with = "super::read::name")]
    #[cfg_attr(feature = "clap", arg(long, default_value = "unit",
        value_parser = super::choice::parser(<StartLeaf as super::choice::Named>::CHOICES)))]
    pub leaf: StartLeaf,
    /// Limit of the moves played, all runs from a checkpoint together, such as 5e8; beyond it the value is
    /// unknown [default: no limit].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N",
        value_parser = super::amount::count::<u64>(..)))]
    pub nodes: Option<u64>,
    /// Limit of time, all runs from a checkpoint together, in seconds or as in 5m or 2h; beyond it
    /// the value is unknown [default: no limit].
    #[serde(deserialize_with = "super::read::seconds")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", value_parser = super::amount::time))]
    pub time: Option<Duration>,
    /// Megabytes for the tables of the searches; plans and proofs come on top. A checkpoint grows up to
    /// the size of the tables.
    #[cfg_attr(feature = "clap", arg(long, value_name = "MB", default_value = "256",
        value_parser = super::amount::count::<u32>(1..)))]
    pub hash: u32,
    /// Positions of a small game: one of at most so many is looked at as a whole, position by position, beside the
    /// search; 0 leaves all to the search.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "4e6",
        value_parser = super::amount::count::<u32>(..)))]
    pub small_game: u32,
}

impl Default for SolveTask {
    /// Df-pn with leaves of 1 and 1, without a limit, in 256 megabytes; a game of four million positions is small.
    fn default() -> Self {
        let (algorithm, leaf) = (Algorithm::default(), StartLeaf::default());
        Self { algorithm, leaf, nodes: None, time: None, hash: 256, small_game: 4_000_000 }
    }
}

impl SolveTask {
    /// The settings of the solver, for programs that keep it from one run to the next:
    /// [`SolvingTasks::solver`](crate::operations::SolvingTasks::solver).
    pub fn options(&self) -> Options {
        let &Self { algorithm, leaf, hash, small_game, .. } = self;
        let hash_bytes = (hash as usize).saturating_mul(1 << 20);
        Options {
            algorithm,
            leaf,
            hash_bytes,
            small_game: small_game as usize,
            ..Options::default()
        }
    }
}

impl Task for SolveTask {
    const NAME: &'static str = "solve";
    type Answer = Solution;

    fn answer(&self, variant: Variant, line: &str, session: &mut Session<'_>) -> Answer<Solution> {
        let mut solver = call!(variant, R => solver::<R>(line, self.options()))?;
        session.budget.part(self.nodes, self.time, |budget| solver.run(budget));
        Ok(solver.into_solution(session.dialect))
    }
}

/// The findings on a position: the answer of [`SolveTask`].
#[derive(serde::Serialize)]
pub struct Solution {
    /// The value for the player to move, if it is proved; in a data format `unknown` where it is not.
    #[serde(serialize_with = "known_value")]
    pub value: Option<Verdict>,
    /// For a win or a loss that needs no repetition: plies to the end at most.
    #[serde(rename = "plies_at_most")]
    pub plies: Option<u32>,
    /// Moves played in all searches together.
    pub nodes: u64,
    /// The seconds that it took, for programs that print them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The moves that the proof plans from the root on, in USI notation: see [`Solved::line`].
    #[serde(rename = "pv")]
    pub line: Vec<String>,
    /// Positions entered in all searches together.
    pub expansions: u64,
    /// The cause of the end.
    #[serde(serialize_with = "ended")]
    pub ended: Ended,
    /// How the value was found: `search`, `whole` for a small game that was looked at as a whole, or `tablebase`.
    pub method: &'static str,
    /// Whether the value was checked by the rules alone.
    pub certified: bool,
    /// The proof, checked; without a value, of what one player has at least, if that is known. In a data format its claim, the
    /// players whose moves are stored, and the number of positions with a stored move.
    #[serde(serialize_with = "proof")]
    pub proof: Option<Box<dyn AnyProof>>,
    /// The answer that was proved by the search but not by the rules, if there is one.
    pub refuted: Option<Refutation>,
    /// The questions that are left.
    pub open: Vec<OpenGoal>,
    /// The tablebase that the answer was found in, for programs that look there first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<PathBuf>,
}

/// Why the search's answer was no proof.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Refutation {
    /// The reason.
    pub reason: String,
    /// The position in SFEN at which it fails.
    pub position: String,
}

/// A question that was not answered, with its numbers at the root.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct OpenGoal {
    /// Who is to reach the goal.
    pub prover: Colour,
    /// The goal.
    #[serde(rename = "goal", serialize_with = "claim")]
    pub claim: Claim,
    /// `open`: nothing is certified.
    pub found: &'static str,
    /// The proof number, where the search came to no end.
    pub proof: Option<u32>,
    /// The disproof number, likewise.
    pub disproof: Option<u32>,
}

impl OpenGoal {
    fn new((Goal { prover, draw_suffices }, finding): (Goal, Finding)) -> Self {
        let claim = if draw_suffices { Claim::NotLose { prover } } else { Claim::Win { prover } };
        // A finding is not printed before there is a certificate.
        let (proof, disproof) = match finding {
            Finding::Proved { .. } | Finding::Disproved => (None, None),
            Finding::Unknown { proof, disproof } => (Some(proof), Some(disproof)),
        };
        Self { prover, claim, found: "open", proof, disproof }
    }
}

impl Solution {
    /// The findings of a solver on a position.
    pub(crate) fn new<R: Rules>(
        mut root: Position<R>,
        solved: Solved<R>,
        dialect: Option<Dialect>,
    ) -> Self {
        let Solved { value, plies, proof, line, refuted, nodes, expansions, ended, method, open } =
            solved;
        let certified = value.is_some();
        let line = if certified { play_in_usi(&mut root, &line, dialect) } else { Vec::new() };
        let refutation = |RefutedProof { fault, sfen }: RefutedProof| Refutation {
            reason: fault.to_string(),
            position: sfen,
        };
        Self {
            value,
            plies: plies.filter(|_| certified),
            nodes,
            seconds: None,
            line,
            expansions,
            ended,
            method: method.name(),
            certified,
            proof: proof.map(held_proof),
            refuted: refuted.map(refutation),
            open: open.into_iter().map(OpenGoal::new).collect(),
            tablebase: None,
        }
    }
}

fn proof<S: serde::Serializer>(
    proof: &Option<Box<dyn AnyProof>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let written = proof.as_ref().map(|proof| PrintedProof::of(&**proof));
    serde::Serialize::serialize(&written, serializer)
}

/// A proof as answers have it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct PrintedProof {
    /// Its claim: `win`, `not-lose` or `draw`.
    pub claim: &'static str,
    /// The players whose moves are stored.
    pub provers: Vec<Colour>,
    /// Positions with a stored move.
    pub entries: usize,
}

impl PrintedProof {
    /// The printed form of this proof.
    pub fn of(proof: &dyn AnyProof) -> Self {
        let Claimed { claim, provers, .. } = proof.claimed(None);
        Self { claim: claim.name(), provers, entries: proof.entries() }
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.value.map_or("unknown", Verdict::name))?;
        if let Some(plies) = self.plies {
            let at_most = if self.tablebase.is_some() { "" } else { "at most " };
            write!(f, " in {at_most}{}", counted(plies.into(), "ply", "plies"))?;
        }
        match &self.tablebase {
            Some(path) => write!(f, ", by {}", path.display())?,
            None => {
                write!(f, ", {} nodes", grouped(self.nodes))?;
                if let Some(seconds) = self.seconds {
                    write!(f, ", {seconds:.1} s")?;
                }
                if self.method == Method::Whole.name() {
                    f.write_str(", by looking at the whole of a small game")?;
                }
            }
        }
        match self.ended {
            Ended::Memory => {
                f.write_str("\nended by memory: --hash is too small for this search")?;
            }
            Ended::Repetition => {
                f.write_str("\nended by repetition: nobody wins without one, and who brings one about loses")?;
            }
            ended if self.value.is_none() => write!(f, "\nended by {}", ended.name())?,
            _ => {}
        }
        if !self.line.is_empty() {
            write!(f, "\n{}", self.line.join(" "))?;
        }
        self.write_proofs(f)
    }
}

impl Solution {
    /// Writes what is left, what is proved and what is refuted, a line for each.
    fn write_proofs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |colour| if colour == Colour::Sente { "sente" } else { "gote" };
        // Once the value is known, the questions on the way to it are of no interest.
        let open = if self.certified { &[][..] } else { &self.open };
        for OpenGoal { prover, claim, found, proof, disproof } in open {
            write!(f, "\n{} for {}: {found}", claim.name(), name(*prover))?;
            if let (Some(proof), Some(disproof)) = (proof, disproof) {
                write!(f, ", proof number {proof}, disproof number {disproof}")?;
            }
        }
        if let Some(proof) = &self.proof {
            let Claimed { claim, provers, .. } = proof.claimed(None);
            let provers: Vec<_> = provers.into_iter().map(name).collect();
            let (claim, provers) = (claim.name(), provers.join(" and "));
            let entries = counted(proof.entries() as u64, "entry", "entries");
            write!(f, "\nproved: {claim} for {provers}, {entries}")?;
        }
        match &self.refuted {
            Some(Refutation { reason, position }) => {
                write!(f, "\nnot proved by the rules: {reason}, at {position}")
            }
            None => Ok(()),
        }
    }
}
