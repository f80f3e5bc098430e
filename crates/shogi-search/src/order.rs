//! Which moves are tried first.

use arrayvec::ArrayVec;
use shogi_core::{Colour, Face, Geometry, Move, Origin, Position, Promotion, RuleTable};
use shogi_rules::Rules;

use crate::evaluate::Values;
use crate::packed::{FACES, face_index, pack};

/// Room for the moves of a position: no legal shogi position has more than 593.
const ROOM: usize = 600;

/// A move on its way into the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<R: RuleTable> {
    pub(crate) made: Move<R>,
    /// Larger ones come first.
    pub(crate) rank: i32,
    /// Number of the face moved and its target, for [`Memory`].
    pub(crate) piece_to: u16,
    /// Whether it captures, or promotes to something better.
    pub(crate) tactical: bool,
}

/// The moves of a position.
pub(crate) type Candidates<R> = ArrayVec<Candidate<R>, ROOM>;

/// What a search remembers of quiet moves that were good or bad elsewhere.
#[derive(Clone)]
pub(crate) struct Memory {
    /// By player and piece with target.
    quiet: Vec<i16>,
    /// By player, the opponent's last move, and piece with target: a row for each of the first two.
    replies: Vec<i16>,
    /// The search in which each row of the replies was last looked at; see [`Memory::look_at`].
    looked_at: Vec<u32>,
    /// Searches so far.
    searches: u32,
    /// Two quiet moves for each ply that refuted something there.
    killers: Vec<[u16; 2]>,
    /// Numbers of pieces with targets.
    pieces_to: usize,
}

/// The bound of what is remembered of a move.
const MOST_HISTORY: i32 = 16_384;

impl Memory {
    pub(crate) fn new<R: RuleTable>() -> Self {
        let pieces_to = FACES * R::Geometry::AREA;
        Self {
            quiet: vec![0; 2 * pieces_to],
            replies: vec![0; 2 * pieces_to * pieces_to],
            looked_at: vec![0; 2 * pieces_to],
            searches: 0,
            killers: vec![[0; 2]; crate::score::MOST_PLIES + 2],
            pieces_to,
        }
    }

    /// Makes the lessons of the last search count for half in the next.
    ///
    /// There are millions of replies on 9x9, and a search of a few milliseconds looks at a small part of
    /// them, so they are halved row by row when they are looked at.
    pub(crate) fn fade(&mut self) {
        self.killers.fill([0; 2]);
        self.quiet.iter_mut().for_each(|value| *value /= 2);
        self.searches = self.searches.wrapping_add(1);
    }

    /// Brings the replies to a move up to date: to be called before any of them is asked for.
    #[inline]
    pub(crate) fn look_at(&mut self, side: Colour, previous: Option<u16>) {
        let Some(previous) = previous else { return };
        let row = side.index() * self.pieces_to + usize::from(previous);
        let searches = self.searches.wrapping_sub(self.looked_at[row]);
        if searches > 0 {
            self.looked_at[row] = self.searches;
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
    }

    /// What is remembered of a move: better than nothing if positive.
    #[inline]
    pub(crate) fn quiet(&self, side: Colour, previous: Option<u16>, piece_to: u16) -> i32 {
        let own = self.quiet[side.index() * self.pieces_to + usize::from(piece_to)];
        let reply =
            previous.map_or(0, |previous| self.replies[self.reply(side, previous, piece_to)]);
        i32::from(own) + i32::from(reply)
    }

    #[inline]
    fn reply(&self, side: Colour, previous: u16, piece_to: u16) -> usize {
        let row = side.index() * self.pieces_to + usize::from(previous);
        row * self.pieces_to + usize::from(piece_to)
    }

    /// Notes that a quiet move was good (`bonus` above zero) or bad.
    pub(crate) fn learn(&mut self, side: Colour, previous: Option<u16>, piece_to: u16, bonus: i32) {
        let own = side.index() * self.pieces_to + usize::from(piece_to);
        approach(&mut self.quiet[own], bonus);
        if let Some(previous) = previous {
            let reply = self.reply(side, previous, piece_to);
            approach(&mut self.replies[reply], bonus);
        }
    }

    /// Notes that a quiet move refuted the last one, `ply` plies from the root.
    pub(crate) fn set_killer(&mut self, ply: usize, packed: u16) {
        let killers = &mut self.killers[ply];
        if killers[0] != packed {
            *killers = [packed, killers[0]];
        }
    }
}

/// Moves a value towards a bound, by less the nearer it is.
fn approach(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MOST_HISTORY) as i16;
}

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    All,
    /// Captures, and promotions to something better.
    Tactical,
}

/// Lists moves with what is known of them before a search.
pub(crate) struct Ordering<'a> {
    pub(crate) values: &'a Values,
    pub(crate) memory: &'a Memory,
    /// The best move of an earlier search, packed, or none.
    pub(crate) best: u16,
    /// The opponent's last move.
    pub(crate) previous: Option<u16>,
    pub(crate) ply: usize,
}

/// Ranks: the table's move, then captures, then killers, then the others by what is remembered.
const BEST: i32 = 1 << 30;
const TACTICAL: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;

impl Ordering<'_> {
    /// Lists all moves of the kind wanted, unsorted.
    #[inline]
    pub(crate) fn list<R: Rules>(
        &self,
        position: &Position<R>,
        wanted: Wanted,
        list: &mut Candidates<R>,
    ) {
        let us = position.side();
        let enemies = position.of(!us);
        let killers = self.memory.killers[self.ply];
        let _: std::ops::ControlFlow<()> = position.generate(|batch| {
            if batch.origin == Origin::Hand && wanted == Wanted::Tactical {
                return std::ops::ControlFlow::Break(());
            }
            let growth = growth::<R>(self.values, batch.face);
            for made in batch.moves() {
                let to = made.to();
                let capture = enemies.contains(to);
                let turn = matches!(made, Move::Board { turn: true, .. });
                let tactical = capture || (turn && growth >= LEAST_GROWTH);
                if wanted == Wanted::Tactical && !tactical {
                    continue;
                }
                let piece_to = (face_index(batch.face) * R::Geometry::AREA + to.index()) as u16;
                let packed = pack(made);
                let rank = if packed == self.best {
                    BEST
                } else if tactical {
                    let taken = position.piece(to).filter(|_| capture);
                    let won = taken.map_or(0, |piece| self.values.capture(piece.face));
                    let grown = if turn { growth } else { 0 };
                    TACTICAL + 16 * (won + grown) - self.values.capture(batch.face).min(5000)
                } else if let Some(n) = killers.iter().position(|&killer| killer == packed) {
                    KILLER - n as i32
                } else {
                    self.memory.quiet(us, self.previous, piece_to)
                };
                // There is room for every move of a legal position.
                let _ = list.try_push(Candidate { made, rank, piece_to, tactical });
            }
            std::ops::ControlFlow::Continue(())
        });
    }
}

/// Promotions that gain at least this much are tactical.
const LEAST_GROWTH: i32 = 150;

/// What turning a piece over gains; nothing where every move turns it.
fn growth<R: RuleTable>(values: &Values, face: Face) -> i32 {
    if face.promoted || R::PROMOTION == Promotion::EveryMove || face.kind.spec::<R>().back.is_none()
    {
        return 0;
    }
    values.board(Face::back(face.kind)) - values.board(face)
}

/// Brings the best of the moves from `from` on to `from`.
#[inline]
pub(crate) fn bring_best<R: RuleTable>(list: &mut Candidates<R>, from: usize) {
    let mut best = from;
    for at in from + 1..list.len() {
        if list[at].rank > list[best].rank {
            best = at;
        }
    }
    list.swap(from, best);
}

#[cfg(test)]
mod tests {
    use shogi_rules::Dobutsu;
    use testing::random::Random;

    use super::*;

    #[test]
    fn replies_fade_as_if_all_were_halved_at_once() {
        let mut memory = Memory::new::<Dobutsu>();
        let size = memory.pieces_to;
        let mut plain = vec![0i16; memory.replies.len()];
        let mut random = Random::new(1);
        let mut draw = move |below: usize| random.below(below) as u16;
        for _ in 0..60 {
            memory.fade();
            plain.iter_mut().for_each(|value| *value /= 2);
            for _ in 0..200 {
                let side = Colour::ALL[usize::from(draw(2))];
                // Few rows, so that some are met in every search and some after many.
                let most = 1 + usize::from(draw(size));
                let (previous, made) = (draw(most), draw(3));
                memory.look_at(side, Some(previous));
                let at = memory.reply(side, previous, made);
                assert_eq!(memory.replies[at], plain[at]);
                let bonus = i32::from(draw(4096)) - 2048;
                memory.learn(side, Some(previous), made, bonus);
                approach(&mut plain[at], bonus);
            }
        }
        assert!(plain.iter().filter(|&&value| value != 0).count() > 100);
    }
}
