//! The state of an evaluation, computed when it is needed.

use shogi_rules::Rules;

use super::Evaluator;
use crate::worker::Node;

/// The states of the positions of the line being searched, by their plies. The search decides half of all positions
/// without their evaluation, by the table or because the game has ended. So a state is computed when the evaluation of
/// its position, or of one below it, is first needed.
pub(crate) struct LazyStates<S> {
    states: Vec<S>,
    /// Number of states that are those of the line; the others are left from lines before.
    found: usize,
}

impl<S: Clone> LazyStates<S> {
    /// The states of lines that begin with a position in this state.
    pub(crate) fn of(root: S) -> Self {
        Self { states: vec![root], found: 1 }
    }

    /// Forgets the states of the plies below this one, where another move is made.
    #[inline]
    pub(crate) fn leave(&mut self, ply: usize) {
        self.found = self.found.min(ply + 1);
    }

    /// The state of a position of the line.
    #[inline]
    pub(crate) fn at<R: Rules, E>(&mut self, evaluator: &E, node: &Node<'_, R>) -> &S
    where
        E: Evaluator<R, State = S>,
    {
        if node.ply >= self.found {
            self.find(evaluator, node);
        }
        &self.states[node.ply]
    }

    /// Computes the state of a position, and those before it that are not found.
    fn find<R: Rules, E>(&mut self, evaluator: &E, node: &Node<'_, R>)
    where
        E: Evaluator<R, State = S>,
    {
        let Some((before, mv)) = node.before else { return };
        if before.ply >= self.found {
            self.find(evaluator, before);
        }
        if self.states.len() <= node.ply {
            self.states.push(self.states[0].clone());
        }
        let (earlier, later) = self.states.split_at_mut(node.ply);
        let (state, next) = (&earlier[before.ply], &mut later[0]);
        match mv {
            Some(mv) => evaluator.update(next, state, before.position, mv, node.position),
            None => *next = evaluator.after_pass(state, node.position),
        }
        self.found = node.ply + 1;
    }
}

#[cfg(test)]
mod tests {
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;
    use crate::evaluation::{Evaluation, EvaluationState};

    /// Follows a random line with null moves and reads the states of some positions. Returns how many were
    /// computed from a state more than one move earlier.
    fn walk<R: Rules>(
        evaluation: &Evaluation<R>,
        node: &Node<'_, R>,
        states: &mut LazyStates<EvaluationState>,
        (left, since): (u32, u32),
        random: &mut Random,
    ) -> usize {
        let position = node.position;
        let moves = position.legal_moves();
        if left == 0 || moves.is_empty() || R::is_over(position) {
            return 0;
        }
        let ask = random.below(3) == 0;
        let start = evaluation.start(position);
        if ask {
            assert_eq!(*states.at(evaluation, node), start);
        }
        let mut skipped = usize::from(ask && since > 1);
        // The second line from here begins where the states of the first are left.
        for left in [left - 1, left.min(2) - 1] {
            let pass = random.below(4) == 0 && !position.is_check();
            let mv = (!pass).then(|| random.pick(&moves));
            let next = mv.map_or_else(|| position.pass(), |mv| position.play_unchecked(mv));
            let (ply, before) = (node.ply + 1, Some((node, mv)));
            let child = Node { position: &next, before, ply, check: false, previous: None };
            states.leave(node.ply);
            let since_next = if states.found > node.ply { 1 } else { since + 1 };
            skipped += walk(evaluation, &child, states, (left, since_next), random);
        }
        // Once found, a state stays.
        assert_eq!(*states.at(evaluation, node), start);
        skipped
    }

    fn ask<R: Rules>(lines: u64) {
        let evaluation = Evaluation::<R>::standard();
        let mut random = Random::new(11);
        let start = R::start();
        let root = Node { position: &start, before: None, ply: 0, check: false, previous: None };
        let mut states = LazyStates::of(evaluation.start(&start));
        let skipped: usize =
            (0..lines).map(|_| walk(&evaluation, &root, &mut states, (40, 1), &mut random)).sum();
        assert!(skipped > 10, "some states are found across several moves");
    }

    for_every_variant!(states_found_late_are_those_found_from_scratch: ask(20; shogi: 6));
}
