//! Solves positions of the variants, each by its own rule on repetition.
//!
//! The general results of [`Solver`] become a [`Proof`] here, and a value is returned only if the
//! proof's checker accepts it. The checker knows rules that the search does not: perpetual check may
//! lose, and a player may declare impasse.

use shogi_proof::{Claim, Proof, RefutedProof, StepError, Strategy};
use shogi_rules::shogi_core::{Colour, Move, Position};
use shogi_rules::{RepetitionResult, RepetitionRule, Rules, Verdict};

use crate::from_plan::strategy_from_plan;
use crate::game::{Goal, RulesGame};
use crate::search::Finding;
use crate::solve::{Ended, GoalPlan, Method, Options, RepetitionValue, Solver};
use shogi_mate::Budget;

/// The solution of a position of a variant.
#[derive(Clone, Debug)]
pub struct Solved<R: Rules> {
    /// The value for the player to move, if a checked proof supports it.
    pub value: Option<Verdict>,
    /// For a win or a loss that needs no repetition, the most plies to the end.
    pub plies: Option<u32>,
    /// The checked proof; without a value, the proof of a lower bound for one player, if one is
    /// known.
    pub proof: Option<Proof<R>>,
    /// The proof's line from the root, with the longest resistance; in a draw the moves that both
    /// players plan, up to the first repetition.
    pub line: Vec<Move<R>>,
    /// Why the search's answer was not a proof, if it was refused.
    pub refuted: Option<RefutedProof>,
    /// Moves played in all searches together.
    pub nodes: u64,
    /// Positions entered in all searches together.
    pub expansions: u64,
    /// The reason why the work ended.
    pub ended: Ended,
    /// How the proof was found.
    pub method: Method,
    /// The last findings of unfinished searches, by goal. A proof or a disproof among them has no
    /// certificate.
    pub open: Vec<(Goal, Finding)>,
}

/// Solves a position by the rules of its variant, within a budget.
///
/// The rule on repetition in the options is replaced by the variant's.
///
/// ```
/// use shogi_solve::shogi_core::Position;
/// use shogi_rules::{Shogi34, Verdict, parse_position};
/// use shogi_solve::{Budget, Options, solve_position};
///
/// // 3x4 shogi from RKR: Sente wins in five.
/// let root = parse_position::<Shogi34>("rkr/1p1/1P1/RKR b - 1")?;
/// let solved = solve_position(root, Options::default(), &mut Budget::unlimited());
/// assert_eq!(solved.value, Some(Verdict::Win));
/// assert!(solved.line.len() as u32 <= solved.plies.unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If the system refuses the memory for the tables.
pub fn solve_position<R: Rules>(
    root: Position<R>,
    options: Options,
    budget: &mut Budget,
) -> Solved<R> {
    let mut solver = Solver::of_position(root, options);
    solver.run(budget);
    solver.into_solved()
}

/// The value of a repetition for the searches: a draw if nobody wins.
const fn worth(rule: RepetitionRule) -> RepetitionValue {
    match rule.result {
        RepetitionResult::Win(winner) if rule.count > 0 => {
            RepetitionValue::LosesFor(match winner {
                Colour::Sente => Colour::Gote,
                Colour::Gote => Colour::Sente,
            })
        }
        RepetitionResult::RepeaterLoses if rule.count > 0 => RepetitionValue::LosesForRepeater,
        _ => RepetitionValue::Draw,
    }
}

impl<R: Rules> Solver<'static, RulesGame<R>> {
    /// A solver for a position by the rules of its variant, which replace the rule on repetition in
    /// the options.
    pub fn of_position(root: Position<R>, options: Options) -> Self {
        let options = Options { repetition: worth(R::repetition()), ..options };
        Self::new(&const { RulesGame::new() }, root, options)
    }

    /// Frees the tables and returns the current solution, proved and checked.
    pub fn into_solved(self) -> Solved<R> {
        let root = self.root;
        let answer = self.into_solution();
        let mut solved = Solved {
            value: None,
            plies: None,
            proof: None,
            line: Vec::new(),
            refuted: None,
            nodes: answer.nodes,
            expansions: answer.expansions,
            ended: answer.ended,
            method: answer.method,
            open: answer.open,
        };
        let Some(proof) = proof_of(&root, &answer.certificates) else { return solved };
        match proof.check() {
            Ok(checked) => {
                solved.value = proof.claim().value(root.side());
                solved.plies = checked.plies.filter(|_| proof.claim() != Claim::Draw);
                solved.line = proof.longest_line();
                solved.proof = Some(proof);
            }
            Err(refuted) => {
                solved.refuted = Some(refuted);
                if solved.ended == Ended::Solved {
                    solved.ended = Ended::Stuck;
                }
            }
        }
        solved
    }
}

/// The strongest claim that certificates support, with their plans.
fn proof_of<R: Rules>(
    root: &Position<R>,
    certificates: &[GoalPlan<RulesGame<R>>],
) -> Option<Proof<R>> {
    let [mut sente, mut gote] = [None, None];
    for certificate in certificates {
        // All steps of a plan in this game can be stored.
        let Ok(strategy) = strategy(root, certificate) else { continue };
        let prover = strategy.prover();
        if certificate.planner_wins() {
            return Proof::new(*root, Claim::Win { prover }, vec![strategy]).ok();
        }
        let own = if prover == Colour::Sente { &mut sente } else { &mut gote };
        if own.is_none() {
            *own = Some(strategy);
        }
    }
    let (claim, strategies) = match (sente, gote) {
        (None, None) => return None,
        (Some(own), None) | (None, Some(own)) => {
            (Claim::NotLose { prover: own.prover() }, vec![own])
        }
        (Some(sente), Some(gote)) => (Claim::Draw, vec![sente, gote]),
    };
    Proof::new(*root, claim, strategies).ok()
}

/// Converts the plan of a certificate to a strategy, if these rules accept it.
pub(crate) fn strategy<R: Rules>(
    root: &Position<R>,
    certificate: &GoalPlan<RulesGame<R>>,
) -> Result<Strategy<R>, StepError> {
    let prover = certificate.planner();
    let repetition = match worth(R::repetition()) {
        _ if certificate.reaches => shogi_proof::Repetition::Absent,
        RepetitionValue::LosesFor(loser) if loser != prover => shogi_proof::Repetition::Win,
        _ => shogi_proof::Repetition::Draw,
    };
    strategy_from_plan(root, &certificate.plan, prover, repetition)
}

#[cfg(test)]
mod tests {
    use shogi_rules::{KyotoShogi, Minishogi, Shogi, Shogi34, parse_position};

    use super::*;

    #[test]
    fn repetition_has_the_value_of_the_variants_rule() {
        assert_eq!(worth(Minishogi::REPETITION), RepetitionValue::LosesFor(Colour::Sente));
        assert_eq!(worth(Shogi34::REPETITION), RepetitionValue::Draw);
        assert_eq!(worth(KyotoShogi::REPETITION), RepetitionValue::Draw);
        assert_eq!(worth(Shogi::REPETITION), RepetitionValue::Draw);
        let repeater = RepetitionRule {
            result: RepetitionResult::RepeaterLoses,
            ..RepetitionRule::SENNICHITE
        };
        assert_eq!(worth(repeater), RepetitionValue::LosesForRepeater);
        assert_eq!(worth(RepetitionRule { count: 0, ..repeater }), RepetitionValue::Draw);
        let never = RepetitionRule { count: 0, ..Minishogi::REPETITION };
        assert_eq!(worth(never), RepetitionValue::Draw);
    }

    #[test]
    fn without_a_value_one_half_may_be_proved() {
        // GKG is a draw, and one half of that result is found before the other.
        let root = parse_position::<Shogi34>("gkg/1p1/1P1/GKG b - 1").unwrap();
        let mut solver = Solver::of_position(root, Options::default());
        while solver.certificates.is_empty() {
            solver.run(&mut Budget::nodes(200_000));
        }
        let both = solver.value().is_some();
        let solved = solver.into_solved();
        let proof = solved.proof.unwrap();
        assert_eq!(solved.refuted, None);
        assert_eq!((solved.value.is_some(), proof.claim() == Claim::Draw), (both, both));
        assert!(proof.check().is_ok() && !solved.line.is_empty() && solved.plies.is_none());
    }
}
