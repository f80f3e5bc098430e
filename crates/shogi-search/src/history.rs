//! Knowledge from elsewhere in the search: history, killer moves and corrections of the evaluation.

use shogi_core::{Colour, Face, Geometry, Move, Position, RuleTable, Square};

use crate::correction::Corrections;
use crate::score::MAX_PLY;

/// Scores of quiet moves by piece and target square, alone and as replies; killer moves; errors of the
/// evaluation.
#[derive(Clone)]
pub(crate) struct History {
    /// By player and piece-to index.
    quiet: Vec<i16>,
    /// By player, piece-to index of the opponent's last move, and piece-to index: a row for each
    /// of the first two (continuation history).
    replies: Vec<i16>,
    /// The search in which each row of the replies was last used; see [`History::refresh`].
    refreshed: Vec<u32>,
    /// Searches so far.
    searches: u32,
    /// Two quiet moves for each ply that caused a beta cutoff there, packed.
    killers: Vec<[u16; 2]>,
    pub(crate) corrections: Corrections,
    /// The number of piece-to indices.
    pieces_to: usize,
}

/// The bound of the magnitude of a move's score.
const MAX_HISTORY: i32 = 16_384;

/// The index of a moving piece's face with its target square.
#[inline]
pub(crate) fn piece_to<R: RuleTable>(face: Face, to: Square<R::Geometry>) -> u16 {
    (face.index() * R::Geometry::AREA + to.index()) as u16
}

/// [`piece_to`] of a move in a position.
pub(crate) fn piece_to_of<R: RuleTable>(position: &Position<R>, mv: Move<R>) -> u16 {
    let face = match mv {
        Move::Drop { face, .. } => Some(face),
        Move::Board { from, .. } => position.piece(from).map(|piece| piece.face),
    };
    // Every legal move moves a piece.
    face.map_or(0, |face| piece_to::<R>(face, mv.to()))
}

impl History {
    pub(crate) fn new<R: RuleTable>() -> Self {
        let pieces_to = Face::MAX * R::Geometry::AREA;
        Self {
            quiet: vec![0; 2 * pieces_to],
            replies: vec![0; 2 * pieces_to * pieces_to],
            refreshed: vec![0; 2 * pieces_to],
            searches: 0,
            killers: vec![[0; 2]; MAX_PLY + 2],
            corrections: Corrections::new(),
            pieces_to,
        }
    }

    /// The bytes of the scores of replies, nearly all of the memory.
    pub(crate) const fn bytes<R: RuleTable>() -> usize {
        let pieces_to = Face::MAX * R::Geometry::AREA;
        2 * pieces_to * pieces_to * size_of::<i16>()
    }

    /// Halves all scores before the next search and clears the killer moves.
    ///
    /// There are millions of replies on 9x9, and a search of a few milliseconds uses a small part
    /// of them, so each row is halved when it is next used; see [`History::refresh`].
    pub(crate) fn age(&mut self) {
        self.killers.fill([0; 2]);
        self.quiet.iter_mut().for_each(|value| *value /= 2);
        self.searches = self.searches.wrapping_add(1);
    }

    /// Halves the replies to a move once for each search since they were last used. Must be called before any
    /// of them is read.
    #[inline]
    pub(crate) fn refresh(&mut self, side: Colour, previous: Option<u16>) {
        let Some(previous) = previous else { return };
        let row = side.index() * self.pieces_to + usize::from(previous);
        let searches = self.searches.wrapping_sub(self.refreshed[row]);
        if searches > 0 {
            self.refreshed[row] = self.searches;
            let start = row * self.pieces_to;
            // Nothing is left after sixteen halves.
            let halves = searches.min(16);
            for value in &mut self.replies[start..start + self.pieces_to] {
                *value = (i32::from(*value) / (1 << halves)) as i16;
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.killers.fill([0; 2]);
        self.quiet.fill(0);
        self.replies.fill(0);
        self.corrections.clear();
    }

    /// The scores of a player's quiet moves after the opponent's last move.
    #[inline]
    pub(crate) fn scores(&self, side: Colour, previous: Option<u16>) -> Scores<'_> {
        let start = side.index() * self.pieces_to;
        let quiet = &self.quiet[start..start + self.pieces_to];
        let replies = previous.map(|previous| {
            let start = self.reply(side, previous, 0);
            &self.replies[start..start + self.pieces_to]
        });
        Scores { quiet, replies }
    }

    /// The score of a quiet move; see [`Scores::of`].
    #[inline]
    pub(crate) fn score(&self, side: Colour, previous: Option<u16>, piece_to: u16) -> i32 {
        self.scores(side, previous).of(piece_to)
    }

    #[inline]
    fn reply(&self, side: Colour, previous: u16, piece_to: u16) -> usize {
        let row = side.index() * self.pieces_to + usize::from(previous);
        row * self.pieces_to + usize::from(piece_to)
    }

    /// Rewards a quiet move (`bonus` above zero) or punishes it.
    pub(crate) fn update(
        &mut self,
        side: Colour,
        previous: Option<u16>,
        piece_to: u16,
        bonus: i32,
    ) {
        let own = side.index() * self.pieces_to + usize::from(piece_to);
        approach(&mut self.quiet[own], bonus);
        if let Some(previous) = previous {
            let reply = self.reply(side, previous, piece_to);
            approach(&mut self.replies[reply], bonus);
        }
    }

    /// The killer moves of a ply, the newest first.
    #[inline]
    pub(crate) fn killers(&self, ply: usize) -> [u16; 2] {
        self.killers[ply]
    }

    /// Notes a quiet move that caused a beta cutoff, `ply` plies from the root.
    pub(crate) fn set_killer(&mut self, ply: usize, packed: u16) {
        let killers = &mut self.killers[ply];
        if killers[0] != packed {
            *killers = [packed, killers[0]];
        }
    }
}

/// The scores of a player's quiet moves after one move of the opponent.
pub(crate) struct Scores<'h> {
    quiet: &'h [i16],
    replies: Option<&'h [i16]>,
}

impl Scores<'_> {
    /// The score of a quiet move, from -32,768 to 32,768: positive if it was good elsewhere.
    #[inline]
    pub(crate) fn of(&self, piece_to: u16) -> i32 {
        let at = usize::from(piece_to);
        let reply = self.replies.map_or(0, |replies| replies[at]);
        i32::from(self.quiet[at]) + i32::from(reply)
    }
}

/// Moves a score towards a bound, by less the nearer it is.
fn approach(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

#[cfg(test)]
mod tests {
    use shogi_rules::Dobutsu;
    use testing::random::Random;

    use super::*;

    #[test]
    fn replies_fade_as_if_all_were_halved_at_once() {
        let mut history = History::new::<Dobutsu>();
        let size = history.pieces_to;
        let mut plain = vec![0i16; history.replies.len()];
        let mut random = Random::new(1);
        let mut draw = move |below: usize| random.below(below) as u16;
        for _ in 0..60 {
            history.age();
            plain.iter_mut().for_each(|value| *value /= 2);
            for _ in 0..200 {
                let side = Colour::ALL[usize::from(draw(2))];
                // Few rows, so that some are met in every search and some after many.
                let most = 1 + usize::from(draw(size));
                let (previous, mv) = (draw(most), draw(3));
                history.refresh(side, Some(previous));
                let at = history.reply(side, previous, mv);
                assert_eq!(history.replies[at], plain[at]);
                let bonus = i32::from(draw(4096)) - 2048;
                history.update(side, Some(previous), mv, bonus);
                approach(&mut plain[at], bonus);
            }
        }
        assert!(plain.iter().filter(|&&value| value != 0).count() > 100);
    }
}
