//! The positions that lead to the searched one: those of the game and of the line.

use shogi_core::{Colour, Hand, Position, RuleTable};
use shogi_rules::{RepetitionResult, RepetitionRule};

use crate::score::{MAX_EVAL, MAX_PLY, WIN_BY_REPETITION};

/// One position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathEntry {
    /// The key without the hands.
    board: u64,
    /// The hand of Sente. Of positions with the same board and hand, Gote's is the same, too.
    hand: Hand,
    /// Whether the player to move is in check.
    check: bool,
}

impl PathEntry {
    /// A position, with the player to move in check or not.
    #[inline]
    pub(crate) fn of<R: RuleTable>(position: &Position<R>, check: bool) -> Self {
        Self { board: position.board_key(), hand: position.hand(Colour::Sente), check }
    }
}

/// Number of counts, so large that few keys of a path share one.
const COUNTS: usize = 4096;

/// The place of a board among the counts.
#[inline]
const fn count_of(board: u64) -> usize {
    board as usize % COUNTS
}

/// All positions up to the present one.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    steps: Vec<PathEntry>,
    /// Numbers of steps whose boards' keys share their last bits; if the count is one, no step need be
    /// compared.
    counts: Vec<u16>,
    /// Positions of the game, the root of the search among them.
    played: usize,
    rule: RepetitionRule,
    /// The value of a draw by repetition for Sente.
    draw_for_sente: i32,
}

impl Path {
    /// The path through the positions of a game.
    pub(crate) fn new(mut steps: Vec<PathEntry>, rule: RepetitionRule) -> Self {
        let played = steps.len();
        steps.reserve(2 * MAX_PLY);
        let mut counts = vec![0; COUNTS];
        steps.iter().for_each(|step| counts[count_of(step.board)] += 1);
        Self { played, steps, counts, rule, draw_for_sente: 0 }
    }

    /// Sets the cost of a draw by repetition for a player.
    pub(crate) const fn set_contempt(&mut self, player: Colour, contempt: i32) {
        self.draw_for_sente = if matches!(player, Colour::Sente) { -contempt } else { contempt };
    }

    /// Appends a position.
    #[inline]
    pub(crate) fn push(&mut self, step: PathEntry) {
        self.counts[count_of(step.board)] += 1;
        self.steps.push(step);
    }

    /// Removes the last position.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.counts[count_of(step.board)] -= 1;
        }
    }

    /// The number of occurrences of the most repeated position.
    pub(crate) fn most_repeated(&self) -> usize {
        let mut keys: Vec<_> = self.steps.iter().map(|step| (step.board, step.hand)).collect();
        keys.sort_unstable();
        keys.chunk_by(|a, b| a == b).map(<[_]>::len).max().unwrap_or(0)
    }

    /// The score for the player to move, `side`, if the present position is a repetition that
    /// decides the game.
    ///
    /// A position that repeats within the line counts as a repetition at once: a player content with
    /// it once will be content with it again. A position that occurred only in the game counts as the
    /// rule says. A position of the line that comes back with more in a player's hand, and less in the other's, is
    /// as good as won for that player: the one who has lost pieces on the way could have done better.
    pub(crate) fn repetition(&self, side: Colour) -> Option<i32> {
        if self.rule.count == 0 {
            return None;
        }
        let last = self.steps.len() - 1;
        let PathEntry { board, hand, .. } = self.steps[last];
        if self.counts[count_of(board)] == 1 {
            return None;
        }
        let mut times = 1;
        // A position cannot come back before both players have moved twice.
        for at in (0..=last.checked_sub(4)?).rev().step_by(2) {
            let earlier = self.steps[at];
            if earlier.board != board {
                continue;
            }
            if earlier.hand == hand {
                times += 1;
                if at >= self.played || times >= self.rule.count {
                    return Some(self.judge(at, side));
                }
            } else if at >= self.played
                && let Some(better) = with_more(hand, earlier.hand)
            {
                return Some(if better == side { MAX_EVAL } else { -MAX_EVAL });
            }
        }
        None
    }

    /// The score for `side`, to move, of a game that ends because the last position occurred earlier,
    /// at step `at`.
    fn judge(&self, at: usize, side: Colour) -> i32 {
        if self.rule.perpetual_check {
            // The opponent's last move led to the present position.
            let reached = &self.steps[at + 1..];
            let by_opponent = reached.iter().rev().step_by(2).all(|step| step.check);
            let by_us = reached.iter().rev().skip(1).step_by(2).all(|step| step.check);
            match (by_us, by_opponent) {
                (true, false) => return -WIN_BY_REPETITION,
                (false, true) => return WIN_BY_REPETITION,
                _ => {}
            }
        }
        match self.rule.result {
            RepetitionResult::Win(winner) if winner == side => WIN_BY_REPETITION,
            RepetitionResult::Win(_) => -WIN_BY_REPETITION,
            // The opponent's move led to the position.
            RepetitionResult::RepeaterLoses => WIN_BY_REPETITION,
            RepetitionResult::Draw | RepetitionResult::NoResult => {
                if side == Colour::Sente {
                    self.draw_for_sente
                } else {
                    -self.draw_for_sente
                }
            }
        }
    }
}

/// The player whose hand has grown on the same board, if the other's has shrunk.
fn with_more(hand: Hand, earlier: Hand) -> Option<Colour> {
    match () {
        () if hand.dominates(earlier) => Some(Colour::Sente),
        () if earlier.dominates(hand) => Some(Colour::Gote),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use shogi_core::Move;
    use shogi_rules::{
        Dobutsu, Game, KyotoShogi, Minishogi, Outcome, Reason, Rules, Shogi, parse_position,
        parse_usi,
    };
    use testing::random::Random;

    use super::*;

    /// The path to the position of a game.
    fn path<R: Rules>(game: &Game<R>) -> Path {
        let mut steps = Vec::new();
        for position in game.positions() {
            steps.push(PathEntry::of(position, position.is_check()));
        }
        Path::new(steps, game.repetition_rule())
    }

    /// Plays the moves in a game and along a path, and compares what both say of the last position.
    fn both<R: Rules>(sfen: &str, moves: &[&str]) -> (Option<Outcome>, Option<i32>) {
        let mut game = Game::<R>::new(parse_position(sfen).unwrap());
        let mut path = path(&game);
        for usi in moves {
            game.play(parse_usi(usi).unwrap()).unwrap();
            path.push(PathEntry::of(game.position(), game.position().is_check()));
        }
        (game.outcome(), path.repetition(game.position().side()))
    }

    #[test]
    fn the_first_return_counts_in_a_line() {
        let round = ["1e1d", "5a5b", "1d1e", "5b5a"];
        let (start, sente) = (Minishogi::START, -WIN_BY_REPETITION);
        // The root itself must recur as often as the rule demands.
        assert_eq!(both::<Minishogi>(start, &round), (None, None));
        let more = ["1e1d", "5a5b", "1d1e", "5b5a", "1e1d"];
        assert_eq!(both::<Minishogi>(start, &more), (None, Some(-sente)));
        let thrice = round.repeat(3);
        let (outcome, score) = both::<Minishogi>(start, &thrice);
        assert!(outcome.is_some_and(|end| end.winner() == Some(Colour::Gote)));
        assert_eq!(score, Some(sente));
    }

    #[test]
    fn a_board_that_comes_back_with_less_in_hand_is_as_good_as_lost() {
        // Sente gives a pawn away and goes round a triangle; Gote takes it and comes back.
        let round = ["P*3c", "3b3c", "1e1d", "3c3b", "1d2e", "4a5a", "2e1e", "5a4a"];
        let line = ["1d1e", "5a4a"].iter().chain(&round).copied().collect::<Vec<_>>();
        let before = "k4/2g2/5/4K/5 b P 1";
        assert_eq!(both::<Minishogi>(before, &line), (None, Some(-MAX_EVAL)));
        // Gote's turn comes back one move sooner; the move before that is new.
        assert_eq!(both::<Minishogi>(before, &line[..9]), (None, Some(MAX_EVAL)));
        assert_eq!(both::<Minishogi>(before, &line[..8]), (None, None));
        // From the root on it may have been the best there was.
        let root = "1k3/2g2/5/5/4K b P 1";
        assert_eq!(both::<Minishogi>(root, &round), (None, None));
    }

    #[test]
    fn a_draw_by_repetition_costs_the_player_with_contempt() {
        let mut game = Game::<Dobutsu>::from_start();
        for usi in ["1d1c", "3a3b", "1c1d", "3b3a"].repeat(2) {
            assert_eq!(game.outcome(), None);
            game.play(parse_usi(usi).unwrap()).unwrap();
        }
        assert!(game.outcome().is_some_and(|end| end.winner().is_none()));
        for player in [Colour::Sente, Colour::Gote] {
            let mut path = path(&game);
            assert_eq!(path.repetition(player), Some(0));
            path.set_contempt(player, 70);
            assert_eq!((path.repetition(player), path.repetition(!player)), (Some(-70), Some(70)));
        }
    }

    /// Plays games whose players go back where they can, and compares after every move.
    fn follow<R: Rules>(games: u64) -> usize {
        let (mut random, mut repeated) = (Random::new(1), 0);
        for _ in 0..games {
            let mut game = Game::<R>::from_start();
            while game.outcome().is_none() && game.moves().len() < 120 {
                let position = game.position();
                let moves = position.legal_moves();
                let seen = |mv: &Move<R>| game.positions().contains(&position.play_unchecked(*mv));
                let back: Vec<_> = moves.iter().copied().filter(seen).collect();
                let anywhere = back.is_empty() || random.below(16) == 0;
                game.play(random.pick(if anywhere { &moves } else { &back })).unwrap();
                let side = game.position().side();
                let end = game.outcome().filter(|end| {
                    matches!(end.reason, Reason::Repetition | Reason::PerpetualCheck)
                });
                let expected = end.map(|end| match end.winner() {
                    Some(winner) if winner == side => WIN_BY_REPETITION,
                    Some(_) => -WIN_BY_REPETITION,
                    None => 0,
                });
                if game.outcome().is_none() || expected.is_some() {
                    assert_eq!(path(&game).repetition(side), expected, "{game:?}");
                    repeated += usize::from(expected.is_some());
                }
            }
        }
        repeated
    }

    #[test]
    fn the_played_part_counts_as_the_rules_count_it() {
        let counts = [
            follow::<Minishogi>(200),
            follow::<KyotoShogi>(200),
            follow::<Dobutsu>(200),
            follow::<Shogi>(60),
        ];
        assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
    }
}
