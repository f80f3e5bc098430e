//! One line through a proof: the one that lasts longest.

use shogi_core::{Move, Position};
use shogi_rules::Rules;

use crate::Proof;
use crate::strategy::{Repetition, Strategy, sorted_moves};

/// A reply of the opponent, with the proof's entry after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply<R: Rules> {
    /// The reply.
    pub mv: Move<R>,
    /// The position after it.
    pub position: Position<R>,
    /// The rank there: 0 at an end of the game and where the strategy has no ranks; `None` where
    /// the game goes on and there is no entry.
    pub rank: Option<u32>,
}

impl<R: Rules> Proof<R> {
    /// The opponent's legal moves in a position in which a prover is not to move, in order of moves,
    /// with the proof's entry after each. Empty at an end of the game and if both players are
    /// provers.
    pub fn replies(&self, position: &Position<R>) -> Vec<Reply<R>> {
        let Some(strategy) = self.strategy(!position.side()) else { return Vec::new() };
        if R::verdict(position).is_some() {
            return Vec::new();
        }
        let mut replies = Vec::new();
        for &mv in &sorted_moves(position) {
            let position = position.play_unchecked(mv);
            let rank = match R::verdict(&position) {
                Some(_) => Some(0),
                None => strategy.get(&position).map(|step| step.rank),
            };
            replies.push(Reply { mv, position, rank });
        }
        replies
    }

    /// The line from the root in which a player with a strategy follows it, and the other one plays
    /// the reply of greatest rank, the first of equals. It ends when the game ends, a position
    /// repeats, or no move is stored.
    pub fn line(&self) -> Vec<Move<R>> {
        self.line_by(&|reply| u64::from(reply.rank.unwrap_or(0)))
    }

    /// Like [`Proof::line`], but with the replies after which the game lasts longest against the
    /// strategy; ranks may be larger than necessary.
    ///
    /// Takes one pass over all entries and 12 bytes of memory for each. Without ranks there is no
    /// longest line, and this is [`Proof::line`].
    pub fn longest_line(&self) -> Vec<Move<R>> {
        let [strategy] = self.strategies() else { return self.line() };
        if strategy.repetition() != Repetition::Absent {
            return self.line();
        }
        let lengths = lengths(strategy);
        let length = |reply: &Reply<R>| {
            let (number, _) = strategy.find(&reply.position)?;
            Some(lengths[number as usize])
        };
        self.line_by(&|reply| length(reply).unwrap_or(0))
    }

    fn line_by(&self, worth: &dyn Fn(&Reply<R>) -> u64) -> Vec<Move<R>> {
        let mut position = *self.root();
        // A line is so short that each position is looked for among all before.
        let mut met = Vec::new();
        let mut line = Vec::new();
        while R::verdict(&position).is_none() && !met.contains(position.placement()) {
            met.push(*position.placement());
            let Some(mv) = self.next_in_line(&position, worth) else { break };
            line.push(mv);
            position = position.play_unchecked(mv);
        }
        line
    }

    /// The move of the player with a strategy, or the best reply of the other one.
    fn next_in_line(
        &self,
        position: &Position<R>,
        worth: &dyn Fn(&Reply<R>) -> u64,
    ) -> Option<Move<R>> {
        if let Some(strategy) = self.strategy(position.side()) {
            return Some(strategy.get(position)?.mv);
        }
        let (mut best, mut most) = (None, 0);
        for reply in &self.replies(position) {
            let worth = worth(reply);
            if best.is_none() || worth > most {
                (best, most) = (Some(reply.mv), worth);
            }
        }
        best
    }
}

/// The most plies to the end by the numbers of the entries, if ranks fall along every line: entries
/// are handled in rising order of ranks.
fn lengths<R: Rules>(strategy: &Strategy<R>) -> Vec<u64> {
    let mut lengths = vec![0; strategy.bound()];
    for number in strategy.by_rank() {
        let Some(position) = strategy.position(number) else { continue };
        let after = position.play_unchecked(strategy.step(number).mv);
        let ended = R::verdict(&after).is_some();
        let mut rest = 0;
        if !ended {
            for &reply in &after.legal_moves() {
                let found = strategy.find(&after.play_unchecked(reply));
                rest = rest.max(1 + found.map_or(0, |(number, _)| lengths[number as usize]));
            }
        }
        lengths[number as usize] = 1 + rest;
    }
    lengths
}
