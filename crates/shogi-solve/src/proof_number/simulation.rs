//! Simulation: whether a disproof found on another path holds on this one.

use crate::game::GameGraph;
use crate::ghi::PathDependence;
use crate::plan::reached;
use crate::proof_number::{Explorer, ProofNumbers};

/// The most positions that one simulation examines.
const SIMULATION_STEPS: u32 = 100;

impl<G: GameGraph> Explorer<'_, G> {
    /// Simulates the disproof of a position at this depth: whether the prover fails by unconditional
    /// disproofs, by repetitions of positions on the current path, and by disproofs found once, which are
    /// simulated in the same way. Returns the dependence of the disproof here, if it holds. After Kishimoto
    /// & Müller, "A General Solution to the Graph History Interaction Problem" (2004).
    pub(super) fn simulate(
        &mut self,
        position: &G::Position,
        depth: u32,
    ) -> Option<PathDependence> {
        let mut steps = SIMULATION_STEPS;
        let dependence = self.simulate_moves(position, depth, &mut steps);
        self.walk.simulated += u64::from(SIMULATION_STEPS - steps);
        dependence
    }

    fn simulate_moves(
        &mut self,
        position: &G::Position,
        depth: u32,
        steps: &mut u32,
    ) -> Option<PathDependence> {
        let key = self.game.key(position);
        self.walk.path.mark(key, depth);
        let prover_moves = self.is_prover(position);
        // The prover fails if all moves fail, by the one that depends on most; the opponent needs one move.
        let (certain, none) = (Some(PathDependence::None), None);
        let (mut dependence, settled) =
            if prover_moves { (certain, none) } else { (none, certain) };
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        for &mv in &moves {
            let child = self.game.play(position, mv);
            let found = self.simulate_child(&child, depth + 1, steps);
            dependence = if prover_moves { dependence.min(found) } else { dependence.max(found) };
            if dependence == settled {
                break;
            }
        }
        self.walk.path.unmark(key);
        Some(dependence?.seen_from(depth))
    }

    fn simulate_child(
        &mut self,
        position: &G::Position,
        depth: u32,
        steps: &mut u32,
    ) -> Option<PathDependence> {
        let key = self.game.key(position);
        if let Some(at) = self.walk.path.depth_of(key) {
            return Some(PathDependence::Path(at));
        }
        let lookup = self.look_up(self.game.parts(position), key);
        if let Some(known) = lookup.ended {
            return (known.numbers == ProofNumbers::FAILURE).then_some(known.dependence);
        }
        match reached(self.game, self.walk.goal, position) {
            Some(true) => return None,
            Some(false) => return Some(PathDependence::None),
            None => {}
        }
        *steps = steps.checked_sub(1)?;
        match lookup.was_disproved_once() {
            true => self.simulate_moves(position, depth, steps),
            false => None,
        }
    }
}
