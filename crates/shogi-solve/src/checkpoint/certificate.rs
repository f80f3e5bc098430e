//! Certificates in a checkpoint: each is written as a proof file.

use std::io;

use shogi_proof::{Claim, Proof, Repetition, Strategy};
use shogi_rules::Rules;
use shogi_rules::shogi_core::{Colour, Position};

use super::CheckpointReason;
use crate::family::strategy;
use crate::game::{Goal, RulesGame};
use crate::plan::{Plan, PlanStep, children};
use crate::solve::GoalPlan;

/// The bytes of the proof file.
pub(super) fn to_proof<R: Rules>(
    root: &Position<R>,
    certificate: &GoalPlan<RulesGame<R>>,
) -> io::Result<Vec<u8>> {
    let strategy = strategy(root, certificate).map_err(io::Error::other)?;
    let prover = strategy.prover();
    let wins = certificate.planner_wins();
    let claim = if wins { Claim::Win { prover } } else { Claim::NotLose { prover } };
    let proof = Proof::new(*root, claim, vec![strategy]).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    proof.write(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

/// Reads a certificate from its proof file and checks it.
pub(super) fn from_proof<R: Rules>(
    root: &Position<R>,
    bytes: &[u8],
) -> Result<GoalPlan<RulesGame<R>>, CheckpointReason> {
    let proof = match Proof::<R>::read(bytes) {
        Ok(proof) => proof,
        Err(error) => return Err(CheckpointReason::Certificate(error.to_string())),
    };
    let ([strategy], true) = (proof.strategies(), proof.root() == root) else {
        return Err(CheckpointReason::Certificate("it is for something else".to_owned()));
    };
    let (goal, reaches) = goal(proof.claim(), strategy.prover(), strategy.repetition());
    let certificate = GoalPlan { goal, reaches, plan: plan(root, strategy) };
    match certificate.check(&RulesGame::new(), root) {
        Ok(()) => Ok(certificate),
        Err(flaw) => Err(CheckpointReason::Certificate(flaw.reason.to_owned())),
    }
}

/// The goal of a strategy for a claim, and whether the strategy reaches it or prevents it.
fn goal(claim: Claim, prover: Colour, repetition: Repetition) -> (Goal, bool) {
    let wins = matches!(claim, Claim::Win { .. });
    let reaches = repetition == Repetition::Absent;
    let prover = if reaches { prover } else { !prover };
    (Goal { prover, draw_suffices: wins != reaches }, reaches)
}

/// The plan of a strategy: its steps in all positions that arise from the root.
fn plan<R: Rules>(root: &Position<R>, strategy: &Strategy<R>) -> Plan<RulesGame<R>> {
    let game = RulesGame::new();
    let mut plan = Plan::new();
    let mut open = vec![*root];
    while let Some(position) = open.pop() {
        let replied = match strategy.get(&position) {
            Some(step) if plan.get(&game, &position).is_none() => {
                plan.insert(&game, PlanStep { position, mv: step.mv, plies: step.rank });
                position.play_unchecked(step.mv)
            }
            None if position.side() != strategy.prover() => position,
            _ => continue,
        };
        if R::verdict(&replied).is_none() {
            open.append(&mut children(&game, &replied));
        }
    }
    plan
}
