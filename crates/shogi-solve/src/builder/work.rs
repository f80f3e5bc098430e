//! Jobs as files, for workers on any machine.

use std::sync::RwLock;

use serde::{Deserialize, Serialize};
use shogi_core::Move;
use shogi_files::sealed::{Flaw, JsonFormat, from_json, to_json};
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Rules, to_sfen};

use super::job::{self, JobOutcome, JobResult};
use super::proofs::Proofs;
use super::text::{moves_from_texts, moves_to_text, position_from_text, rules_digits};
use crate::df_pn::{DfPn, Options};
use crate::game::{GameGraph as _, Goal, RulesGame};
use crate::leaf::Leaf;
use shogi_mate::Budget;

/// The format of the file of a job.
pub const JOB_FORMAT: JsonFormat =
    JsonFormat { format: Some("proof job"), version: 1, name: "proof job" };

/// The format of the file with its result.
pub const RESULT_FORMAT: JsonFormat =
    JsonFormat { format: Some("proof job result"), version: 1, name: "result of a proof job" };

/// The most bytes of the result of a job with this budget: a proof has at most one move for each expansion,
/// in few bytes.
pub(super) fn most_bytes(expansions: u64) -> u64 {
    job::most_expansions(expansions).saturating_mul(16).saturating_add(1 << 20)
}

/// The most nodes for each expansion: the moves of a position, and repeated looks at the positions that a
/// disproof rests on.
const MOST_NODES: u64 = 1 << 20;

/// A position that a worker on any machine searches.
///
/// The result depends on the worker's leaf and table. The rules check proofs when the result is read, and
/// refutations are searched again, so workers need not be trusted.
///
/// ```
/// use shogi_rules::{Rules as _, Shogi34};
/// use shogi_solve::builder::Job;
/// use shogi_solve::df_pn::Options;
/// use shogi_solve::shogi_core::{Colour, Position};
/// use shogi_solve::{Budget, Goal, Unit};
///
/// let position = Position::new(Shogi34::named_start("KGR")?)?;
/// let job = Job { position, goal: Goal::win(Colour::Sente), expansions: 100_000 };
/// // On another machine:
/// let job = Job::<Shogi34>::from_json(&job.to_json())?;
/// let options = Options { hash_bytes: 1 << 20, ..Options::default() };
/// let result = job.run(Unit, options, &mut Budget::unlimited()).unwrap();
/// assert!(result.contains("\"proved\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job<R: Rules> {
    /// The position, the prover to move.
    pub position: Position<R>,
    /// The goal to prove.
    pub goal: Goal,
    /// Most expansions.
    pub expansions: u64,
}

/// Why a text is not a usable job, or not a result of this one.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The file is damaged, or of another format.
    #[error(transparent)]
    File(#[from] Flaw),
    /// The job is of another rule set.
    #[error("the job is of {0} by other rules")]
    Rules(String),
    /// The result is of another job.
    #[error("the result is of another job")]
    Other,
    /// A position or a move cannot be read.
    #[error("{0}")]
    Text(String),
    /// The moves are not a proof.
    #[error("the moves are no proof")]
    NoProof,
    /// The result is not a regular file.
    #[error("it is no file")]
    NoFile,
    /// The result is too large for the job.
    #[error("it has more than {0} bytes, and no result of the job is so large")]
    Size(u64),
    /// The costs are impossible for the job.
    #[error("{nodes} nodes and {expansions} expansions are more than the job can take")]
    Cost {
        /// Moves played, by the result.
        nodes: u64,
        /// Expansions, by the result.
        expansions: u64,
    },
    /// A worker has refuted the position, but the same job done here has not.
    #[error("the position is not refuted by the same job done here")]
    NotRefuted,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JobFile {
    variant: String,
    rules: String,
    position: String,
    sente_proves: bool,
    draw_suffices: bool,
    expansions: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultFile {
    job: JobFile,
    nodes: u64,
    expansions: u64,
    found: FoundInFile,
}

/// The findings of a worker, with moves in USI notation.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum FoundInFile {
    /// The prover's moves in depth-first order.
    Proved(String),
    Refuted,
    Open {
        numbers: [u32; 2],
        /// All moves, the most promising first.
        ranked: String,
    },
}

impl JobFile {
    fn goal(&self) -> Goal {
        let prover = if self.sente_proves { Colour::Sente } else { Colour::Gote };
        Goal { prover, draw_suffices: self.draw_suffices }
    }
}

impl ResultFile {
    /// Reads the result of a job.
    fn of_job(text: &str, job: &JobFile) -> Result<Self, WorkError> {
        let result: Self = from_json(text, &RESULT_FORMAT)?;
        if result.job != *job {
            return Err(WorkError::Other);
        }
        let Self { nodes, expansions, .. } = result;
        let most = job::most_expansions(job.expansions);
        // Far below values whose sums would overflow.
        let most_nodes = most.saturating_mul(MOST_NODES).min(1 << 50);
        match expansions <= most && nodes <= most_nodes {
            true => Ok(result),
            false => Err(WorkError::Cost { nodes, expansions }),
        }
    }
}

impl<R: Rules> Job<R> {
    fn file(&self) -> JobFile {
        JobFile {
            variant: R::name().to_owned(),
            rules: rules_digits::<R>(),
            position: to_sfen(&self.position),
            sente_proves: self.goal.prover == Colour::Sente,
            draw_suffices: self.goal.draw_suffices,
            expansions: self.expansions,
        }
    }

    /// Writes the job as JSON.
    pub fn to_json(&self) -> String {
        to_json(&self.file(), &JOB_FORMAT)
    }

    /// Reads a job from JSON.
    ///
    /// # Errors
    ///
    /// If the text is damaged or not a job by these rules.
    pub fn from_json(text: &str) -> Result<Self, WorkError> {
        let file: JobFile = from_json(text, &JOB_FORMAT)?;
        let position = position_from_text(&file.position).map_err(WorkError::Text)?;
        let job = Self { position, goal: file.goal(), expansions: file.expansions };
        if file == job.file() { Ok(job) } else { Err(WorkError::Rules(file.variant)) }
    }

    /// Does the job and returns its result as JSON; `None` if the budget is spent first.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn run<L: Leaf<RulesGame<R>>>(
        &self,
        leaf: L,
        options: Options,
        budget: &mut Budget,
    ) -> Option<String> {
        let game = RulesGame::<R>::new();
        let none = RwLock::new(Proofs::new(self.goal));
        let mut search = DfPn::new(&game, self.goal, leaf, options);
        let done = job::run(&game, &mut search, &self.position, self.expansions, &none, budget);
        let found = match done.outcome {
            JobOutcome::Cut => return None,
            JobOutcome::Refuted => FoundInFile::Refuted,
            JobOutcome::Open { numbers: (proof, disproof), ref ranked } => {
                FoundInFile::Open { numbers: [proof, disproof], ranked: moves_to_text(ranked) }
            }
            JobOutcome::Proved(ref proofs) => {
                let mv = &mut |at: &Position<R>| Some(proofs.find(&game, game.parts(at))?.0);
                // The moves were found by the same walk just now.
                let moves = Proofs::new(self.goal).add(None, &game, &self.position, mv).ok()?;
                FoundInFile::Proved(moves_to_text(&moves))
            }
        };
        let JobResult { nodes, expansions, .. } = done;
        let file = ResultFile { job: self.file(), nodes, expansions, found };
        Some(to_json(&file, &RESULT_FORMAT))
    }

    /// Reads the findings of a worker. A proof is checked by the rules; a refutation is not.
    pub(super) fn read_result(&self, text: &str) -> Result<JobResult<RulesGame<R>>, WorkError> {
        let ResultFile { nodes, expansions, found, .. } = ResultFile::of_job(text, &self.file())?;
        let outcome = match &found {
            FoundInFile::Refuted => JobOutcome::Refuted,
            &FoundInFile::Open { numbers: [proof, disproof], ref ranked } => {
                let ranked = moves(ranked)?;
                if ranked.is_empty() || !ranked.iter().all(|&mv| self.position.is_legal(mv)) {
                    let reason = "the moves are not those of the job";
                    return Err(WorkError::Text(reason.to_owned()));
                }
                JobOutcome::Open { numbers: (proof, disproof), ranked }
            }
            FoundInFile::Proved(text) => {
                let moves = moves(text)?;
                let (mut proofs, mut next) = (Proofs::new(self.goal), moves.iter());
                let next = &mut |_: &_| next.next().copied();
                match proofs.add(None, &RulesGame::new(), &self.position, next) {
                    Ok(_) => JobOutcome::Proved(proofs),
                    Err(_) => return Err(WorkError::NoProof),
                }
            }
        };
        Ok(JobResult { outcome, nodes, expansions })
    }
}

fn moves<R: Rules>(text: &str) -> Result<Vec<Move<R>>, WorkError> {
    moves_from_texts(&mut text.split_whitespace()).map_err(WorkError::Text)
}

/// The name of the rule set of a job.
///
/// # Errors
///
/// If the text is damaged or not a job.
pub fn job_variant(text: &str) -> Result<String, WorkError> {
    let file: JobFile = from_json(text, &JOB_FORMAT)?;
    Ok(file.variant)
}

#[cfg(test)]
mod tests {
    use shogi_rules::Shogi34;

    use super::*;
    use crate::leaf::Unit;

    #[test]
    fn a_result_is_taken_only_if_it_is_one_of_the_job_and_proves_what_it_says() {
        let position = Position::<Shogi34>::new(Shogi34::named_start("KGR").unwrap()).unwrap();
        let job = Job { position, goal: Goal::win(Colour::Sente), expansions: 100_000 };
        let options = Options { hash_bytes: 1 << 20, ..Options::default() };
        let result = job.run(Unit, options, &mut Budget::unlimited()).unwrap();
        let read = |text: &str| job.read_result(text);
        let JobOutcome::Proved(proofs) = read(&result).unwrap().outcome else { panic!("{result}") };
        assert!(proofs.len() > 10);

        let file = || from_json::<ResultFile>(&result, &RESULT_FORMAT).unwrap();
        let text_of = |file: ResultFile| to_json(&file, &RESULT_FORMAT);
        let FoundInFile::Proved(moves) = file().found else { unreachable!() };
        for wrong in ["", "1a1b", moves.rsplit_once(' ').unwrap().0] {
            let found = FoundInFile::Proved(wrong.to_owned());
            let text = text_of(ResultFile { found, ..file() });
            assert!(matches!(read(&text), Err(WorkError::NoProof)), "{wrong}");
        }
        let found = FoundInFile::Open { numbers: [1, 1], ranked: "1a1b".to_owned() };
        let text = text_of(ResultFile { found, ..file() });
        assert!(matches!(read(&text), Err(WorkError::Text(_))));
        let damaged = result.replacen("\"nodes\":", "\"nodes\":1", 1);
        assert!(matches!(read(&damaged), Err(WorkError::File(_))));
        for (nodes, expansions) in [(u64::MAX, 1), (1 << 51, 1), (1, u64::MAX), (1, 600_000)] {
            let text = text_of(ResultFile { nodes, expansions, ..file() });
            assert!(matches!(read(&text), Err(WorkError::Cost { .. })), "{nodes} {expansions}");
        }
        let other = Job { expansions: 99, ..job };
        assert!(matches!(other.read_result(&result), Err(WorkError::Other)));
    }
}
