//! A builder at work: what its coordinator needs of the game, the proofs and whoever looks on.

use super::builder::Builder;
use super::coordinator::{Coordinator, Scene, Step, Task};
use super::job::{Done, Outcome};
use super::oracle::Named;
use super::progress::{Cost, Event, Observer, State};
use crate::game::GameGraph;
use crate::leaf::Leaf;

/// A builder, and who receives what it does.
pub(super) struct Watched<'b, 't, 'g, G: GameGraph, L> {
    pub(super) builder: &'b mut Builder<'g, G, L>,
    pub(super) observer: &'b mut Observer<'t, 'g, G, L>,
}

impl<G: GameGraph, L: Leaf<G>> Scene for Watched<'_, '_, '_, G, L> {
    fn coordinator(&mut self) -> &mut Coordinator {
        &mut self.builder.coordinator
    }

    fn plies(&self, number: u32) -> Option<u32> {
        let Builder { game, places, .. } = &*self.builder;
        let parts = game.parts(&places[number as usize].position);
        self.builder.proofs().plies(game, parts)
    }

    fn prove(&mut self, number: u32, mv: u32) -> Option<u32> {
        let place = self.builder.place(number);
        let mv = place.mv(mv);
        let mut proofs = self.builder.proofs_mut();
        proofs.add(None, self.builder.game, &place.position, &mut |_| Some(mv)).ok()?;
        drop(proofs);
        Some(self.plies(number).unwrap_or(0))
    }

    fn replies(&mut self, number: u32, mv: u32) -> Option<Vec<u32>> {
        let place = self.builder.place(number);
        let after = self.builder.game.play(&place.position, place.mv(mv));
        self.builder.meet_all(&after)
    }

    fn count_moves(&self, number: u32) -> usize {
        self.builder.legal_moves(number).len()
    }

    fn forget_ranking(&mut self, number: u32) {
        self.builder.place_mut(number).ranked = Vec::new();
    }

    fn tell(&mut self, number: u32, step: &Step) {
        let mv = |mv| self.builder.place(number).mv(mv);
        let event = match *step {
            Step::Known { plies } => Event::Known { plies },
            Step::LeftOpen { cost, numbers: (proof, disproof) } => {
                Event::LeftOpen { cost, proof, disproof }
            }
            Step::Refuted { cost } => Event::Refuted { cost },
            Step::NoMoveLeft => Event::NoMoveLeft,
            Step::Followed { mv: followed } => Event::Followed { mv: mv(followed) },
            Step::MoveFails { mv: failed } => Event::MoveFails { mv: mv(failed) },
        };
        self.tell_of(number, &event);
    }
}

impl<'g, G: GameGraph, L: Leaf<G>> Watched<'_, '_, 'g, G, L> {
    pub(super) fn scene(&mut self) -> &mut (dyn Scene + '_) {
        self
    }

    fn tell_of(&mut self, number: u32, event: &Event<G::Move>) {
        let position = &self.builder.place(number).position;
        if (self.observer)(self.builder, position, event).is_break() {
            self.builder.coordinator.stopped = true;
        }
    }

    /// Takes over what a job has found.
    pub(super) fn finish(&mut self, Task { path, budget }: Task, done: Done<G>) {
        let Done { outcome, nodes, expansions } = done;
        let coordinator = &mut self.builder.coordinator;
        let cost = Cost { budget, nodes, expansions };
        coordinator.count_nodes(cost);
        let Some(number) = coordinator.land(&path) else { return };
        match outcome {
            Outcome::Cut => {}
            Outcome::Open { numbers, ranked } => {
                self.builder.place_mut(number).ranked = ranked;
                self.scene().leave_open(number, cost, numbers);
            }
            Outcome::Refuted => self.scene().refute(number, cost),
            Outcome::Proved(found) => {
                let (game, place) = (self.builder.game, self.builder.place(number));
                let mv = &mut |at: &G::Position| Some(found.find(game, game.parts(at))?.0);
                let added = self.builder.proofs_mut().add(None, game, &place.position, mv);
                match added {
                    Ok(moves) => self.prove_by(number, cost, moves),
                    // Only where two positions have one key.
                    Err(_) => self.builder.coordinator.leave(number, cost, (1, 1)),
                }
            }
        }
    }

    /// Notes a job that has proved a position, with the moves of the proof.
    pub(super) fn prove_by(&mut self, number: u32, cost: Cost, moves: Vec<G::Move>) {
        let coordinator = &mut self.builder.coordinator;
        coordinator.count_proof(number, cost);
        let parents = coordinator.tree.close(number, State::Proved);
        self.forget_ranking(number);
        self.tell_of(number, &Event::Proved { cost, moves });
        self.scene().settle_all(&parents);
    }

    /// Takes over what an oracle has answered of the position at the end of a path.
    pub(super) fn take_answer(&mut self, path: &[u32], moves: Vec<Named<G::Move>>) {
        if let Some(number) = self.builder.coordinator.take_answer(path) {
            self.builder.expand(number, &moves);
            self.tell_of(number, &Event::Expanded { moves });
        }
    }
}
