//! A known line of play as the guide of a search for a mate.
//!
//! Where somebody has a line already, the author of a problem or an earlier search, most of the work is to find
//! that line again. So it is walked from its end to its start, and each position of it, the defender's too, is
//! searched for any mate: after the attacker's move in the line only the replies beside it are new, since those
//! behind it are in the table. What the line says is a guide and never taken as a proof, so that a line that is
//! no mate costs time and nothing else.

use shogi_core::{Move, Position};
use shogi_rules::Rules;

use super::memory::{Known, UNLIMITED};
use super::search::MateSearch;
use super::shortest::part;
use crate::budget::Budget;
use crate::numbers::ProofNumbers;

/// Moves played in the first turn for a position.
const FIRST_TURN: u64 = 1 << 12;
/// The part of a turn that the root gets where a position of the line was not decided in one.
const ROOT_DIVISOR: u64 = 4;
/// The most moves played for a mate from a position that keeps pace with the next one in the line.
const EFFORT_TO_KEEP_PACE: u64 = 1 << 20;

/// Searches for any mate, along a known line if there is one.
pub fn any_mate<R: Rules>(
    guide: Option<&mut KnownLine<R>>,
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    budget: &mut Budget<'_>,
) -> Known {
    match guide {
        Some(line) => line.walk(search, budget),
        None => search.run(root, UNLIMITED, budget),
    }
}

/// A line and how far it has been walked.
#[derive(Debug)]
pub struct KnownLine<R: Rules> {
    /// The root and the positions after each move; never empty.
    positions: Vec<Position<R>>,
    /// How many of them, from the root on, are still to be searched.
    open: usize,
    /// Moves played in a turn for the last of these.
    turn: u64,
    /// Moves played of this turn, of the root's part of it, and of those for a mate that keeps the pace, where a budget
    /// has ended them.
    searched: u64,
    of_root: u64,
    paced: u64,
}

impl<R: Rules> KnownLine<R> {
    /// A line of legal moves that has not been walked.
    #[cfg_attr(
        not(any(feature = "proof", test)),
        expect(dead_code, reason = "a line is given to a search that resumes")
    )]
    pub fn new(root: Position<R>, moves: &[Move<R>]) -> Self {
        let mut positions = vec![root];
        for &mv in moves {
            positions.extend(positions.last().map(|last| last.play_unchecked(mv)));
        }
        let open = positions.len();
        Self { positions, open, turn: FIRST_TURN, searched: 0, of_root: 0, paced: 0 }
    }

    /// Whether nothing of the line is left to be searched.
    const fn is_walked(&self) -> bool {
        self.open == 0
    }

    /// Walks on until the root is reached or the budget ends. Returns the knowledge about the root.
    pub fn walk(&mut self, search: &mut MateSearch<'_, R>, budget: &mut Budget<'_>) -> Known {
        while !self.is_walked() && !budget.is_over() {
            self.take_turn(search, budget);
        }
        let root = &self.positions[0];
        if !self.is_walked() {
            return Known::open(ProofNumbers::UNIT);
        }
        let known = search.run(root, UNLIMITED, budget);
        let length = search.known_length(root).unwrap_or(known.length);
        Known { length: known.length.min(length), ..known }
    }

    /// Searches the last open position. If a turn does not decide it, the line may be wrong there: then the root
    /// has a part of the turn, and the turn doubles.
    fn take_turn(&mut self, search: &mut MateSearch<'_, R>, budget: &mut Budget<'_>) {
        let (last, turn) = (self.open - 1, self.turn);
        let position = &self.positions[last];
        let any = |budget: &mut Budget<'_>| search.run(position, UNLIMITED, budget);
        if R::is_over(position) || part(&mut self.searched, turn, budget, any).is_final() {
            self.keep_pace(search, budget);
            if !budget.is_over() {
                (self.open, self.turn) = (last, FIRST_TURN);
                (self.searched, self.of_root, self.paced) = (0, 0, 0);
            }
        } else if !budget.is_over() {
            let root = &self.positions[0];
            let any = |budget: &mut Budget<'_>| search.run(root, UNLIMITED, budget);
            if part(&mut self.of_root, turn / ROOT_DIVISOR, budget, any).is_final() {
                self.open = 0;
            }
            if !budget.is_over() {
                (self.turn, self.searched, self.of_root) = (turn.saturating_mul(2), 0, 0);
            }
        }
    }

    /// Looks for a mate from the last open position, if it is the attacker's, that is no longer than the one from the
    /// attacker's next position in the line and the two moves to it. Detours behind other replies would add up along the line.
    fn keep_pace(&mut self, search: &mut MateSearch<'_, R>, budget: &mut Budget<'_>) {
        let position = &self.positions[self.open - 1];
        let next = self.positions.get(self.open + 1).and_then(|next| search.length_of(next));
        let (Some(next), Some(length)) = (next, search.known_length(position)) else { return };
        let pace = next.saturating_add(2);
        if search.is_attacking(position) && length > pace {
            let within = |budget: &mut Budget<'_>| search.run(position, pace, budget);
            part(&mut self.paced, EFFORT_TO_KEEP_PACE, budget, within);
        }
    }
}

#[cfg(test)]
mod tests {
    use shogi_core::checks;
    use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, parse_problem, to_sfen};
    use testing::random::Random;
    use testing::sample::{Style, legal};

    use super::*;
    use crate::line::line;
    use crate::table::TranspositionTable;

    const BYTES: usize = 16 << 20;
    const NODES: u64 = 200_000;

    /// Any mate along a line, with its own moves, found with at most `nodes` nodes.
    fn along<R: Rules>(root: &Position<R>, guide: &[Move<R>], nodes: u64) -> (Known, Vec<Move<R>>) {
        let mut table = TranspositionTable::growing_to(BYTES);
        let mut search = MateSearch::new(&mut table, root.side());
        let mut budget = Budget::nodes(nodes);
        let known = KnownLine::new(*root, guide).walk(&mut search, &mut budget);
        let moves = if known.is_proved() {
            line(&mut search, root, known.length, false, &mut budget)
        } else {
            None
        };
        (known, moves.unwrap_or_default())
    }

    /// Checks and replies at random, as many as there are, but at most this many.
    fn checks_at_random<R: Rules>(
        root: &Position<R>,
        random: &mut Random,
        most: usize,
    ) -> Vec<Move<R>> {
        let (mut position, mut moves) = (*root, Vec::new());
        while moves.len() < most && !R::is_over(&position) {
            let choices = match moves.len() % 2 {
                0 => checks(&position).to_vec(),
                _ => position.legal_moves().to_vec(),
            };
            if choices.is_empty() {
                break;
            }
            let mv = random.pick(&choices);
            moves.push(mv);
            position = position.play_unchecked(mv);
        }
        moves
    }

    /// Compares the answers along lines of mates, of parts of them and of moves at random with those without a line.
    fn compare<R: Rules>(positions: usize) -> [usize; 2] {
        let mut random = Random::new(3);
        let mut found = [0; 2];
        for number in 0..positions {
            let root = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
            if R::is_over(&root) {
                continue;
            }
            let (alone, moves) = along(&root, &[], NODES);
            if !alone.is_final() {
                continue;
            }
            let part = &moves[..moves.len() / 2];
            let wrong = checks_at_random(&root, &mut random, 5);
            for guide in [&moves[..], part, &wrong] {
                let (known, line) = along(&root, guide, 20 * NODES);
                assert!(known.is_final(), "{}", to_sfen(&root));
                assert_eq!(known.is_proved(), alone.is_proved(), "{}", to_sfen(&root));
                assert!(line.len() <= usize::from(known.length), "{}", to_sfen(&root));
                assert!(!line.is_empty() || !known.is_proved() || known.length == 0);
            }
            found[usize::from(alone.is_proved() && alone.length > 1)] += 1;
        }
        found
    }

    /// No share of the work waits for ever where budgets are small.
    #[test]
    fn a_walk_in_small_parts_ends() {
        let root = parse_problem::<Minishogi>("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1").unwrap();
        let wrong = checks_at_random(&root, &mut Random::new(1), 6);
        let mut table = TranspositionTable::growing_to(BYTES);
        let mut search = MateSearch::new(&mut table, root.side());
        let mut guide = KnownLine::new(root, &wrong);
        let mut parts = 0;
        while !guide.walk(&mut search, &mut Budget::nodes(300)).is_final() {
            parts += 1;
            assert!(parts < 10_000);
        }
        assert!(search.known_length(&root).is_some());
    }

    #[test]
    fn whatever_the_line_the_answer_is_that_without_it() {
        for found in
            [compare::<Minishogi>(300), compare::<KyotoShogi>(300), compare::<Dobutsu>(600)]
        {
            assert!(found.iter().all(|&found| found > 10), "{found:?}");
        }
    }

    /// The shortest mates have 21 and 13 plies, and any mate that is found without a line has 29 and 33.
    #[test]
    fn a_mate_along_a_shortest_line_is_no_longer() {
        for (sfen, least) in
            [("+R3K/5/+S1G2/+p3B/1Bkrs b Gp 1", 21), ("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1", 13)]
        {
            let root = parse_problem::<Minishogi>(sfen).unwrap();
            let mut table = TranspositionTable::growing_to(BYTES);
            let mut search = MateSearch::new(&mut table, root.side());
            let budget = &mut Budget::unlimited();
            assert!(search.run(&root, least, budget).is_proved());
            let shortest = line(&mut search, &root, least, true, budget).unwrap();
            assert_eq!(shortest.len(), usize::from(least));
            let (known, _) = along(&root, &shortest, NODES);
            let (alone, _) = along(&root, &[], NODES);
            assert!(known.length == least && alone.length > least, "{sfen}");
        }
    }
}
