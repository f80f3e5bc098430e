//! Retrograde analysis in place, one byte a position.
//!
//! ```text
//! for each position: lost in 0 where there is no move; else count its moves
//! for n = 0, 2, 4, ...:
//!     each position lost in n:    who could move there wins in n + 1
//!     each position won in n + 1: who could move there has one move less;
//!                                 without any that is left, that player has lost in n + 2
//! what is left is drawn
//! ```
//!
//! The count shares the byte with the plies that replace it. More moves than it has room for are
//! not counted but examined each time. Positions of more plies than a byte holds are few, if any;
//! they are listed, and the next pass walks through their list.
//!
//! Each move must be counted down once. A position and its mirror image share a number unless both
//! kings stand on the middle file. So [`Passes::predecessors`] handles two cases: two mirror images
//! with a number each, and a position that is its own mirror image, come from the same number by
//! one move, but are met twice.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use shogi_core::{Colour, Move, Movement, Placement, Role};
use shogi_rules::{Stalemate, Verdict};

use crate::board::Board;
use crate::index::{Index, IndexWalk};
use crate::parallel;
use crate::value::{Counts, DRAW, ILLEGAL, LONGEST, byte_of};
use crate::world::World;

/// Positions that share a mark.
pub(crate) const STRETCH: u64 = 256;

/// The bytes of all positions, with marks on the stretches in which some were resolved lately.
pub(crate) struct Field {
    pub(crate) bytes: Vec<AtomicU8>,
    /// By parity of the plies.
    marks: [Vec<AtomicBool>; 2],
}

impl Field {
    /// All positions unresolved.
    pub(crate) fn new(size: u64) -> Self {
        let stretches = size.div_ceil(STRETCH);
        let marks = || (0..stretches).map(|_| AtomicBool::new(false)).collect();
        Self { bytes: (0..size).map(|_| AtomicU8::new(DRAW)).collect(), marks: [marks(), marks()] }
    }

    #[inline]
    fn get(&self, rank: u64) -> &AtomicU8 {
        &self.bytes[rank as usize]
    }

    #[inline]
    fn resolve(&self, rank: u64, plies: u32) {
        self.mark(plies)[(rank / STRETCH) as usize].store(true, Relaxed);
        self.get(rank).store(byte_of(plies), Relaxed);
    }

    /// The marks for this number of plies.
    #[inline]
    fn mark(&self, plies: u32) -> &[AtomicBool] {
        &self.marks[(plies % 2) as usize]
    }

    /// Clears the mark of a stretch and returns whether it was set.
    fn take_mark(&self, stretch: u64, plies: u32) -> bool {
        let mark = &self.mark(plies)[stretch as usize];
        mark.load(Relaxed) && mark.swap(false, Relaxed)
    }

    /// The numbers and bytes of a range.
    pub(crate) fn range(&self, ranks: Range<u64>) -> impl Iterator<Item = (u64, &AtomicU8)> {
        let bytes = &self.bytes[ranks.start as usize..ranks.end as usize];
        ranks.zip(bytes)
    }

    /// Changes the counts of moves of all positions to a narrower encoding.
    pub(crate) fn cut_down(&self, wider: Counts, counts: Counts) {
        parallel::in_blocks(self.bytes.len() as u64, &|ranks| {
            for (_, byte) in self.range(ranks) {
                byte.store(counts.cut_down(wider, byte.load(Relaxed)), Relaxed);
            }
        });
    }
}

/// The positions resolved in a part of a pass.
#[derive(Default)]
pub(crate) struct Resolved {
    /// Number of positions. A position that two threads resolve at the same time may count twice.
    pub(crate) count: u64,
    /// The numbers of those with more plies than a byte holds; some may occur twice.
    pub(crate) deep: Vec<u64>,
}

impl Resolved {
    /// The union of two results.
    pub(crate) fn merged(mut self, mut other: Self) -> Self {
        self.deep.append(&mut other.deep);
        Self { count: self.count + other.count, ..self }
    }
}

/// Resolves some blocks on all threads.
pub(crate) fn resolve(blocks: Range<u64>, block: &(dyn Fn(u64) -> Resolved + Sync)) -> Resolved {
    let mut all = Resolved::default();
    for resolved in parallel::map(blocks, block) {
        all = all.merged(resolved);
    }
    all
}

/// The first byte of a position without a legal move.
fn without_moves<R: World>(placement: &Placement<R>) -> u8 {
    let drawn = R::stalemate() == Stalemate::Draw && !placement.in_check(placement.side());
    if drawn { DRAW } else { 0 }
}

/// The passes over a block.
pub(crate) struct Passes<'a, R: World> {
    pub(crate) index: &'a Index<R>,
    pub(crate) field: &'a Field,
    counts: Counts,
    /// Whether every legal move leads to a position of the index.
    is_closed: bool,
    /// Whether any piece slides.
    has_slides: bool,
}

impl<'a, R: World> Passes<'a, R> {
    pub(crate) fn new(index: &'a Index<R>, field: &'a Field, counts: Counts) -> Self {
        let is_closed = R::royal_safety() && index.has_all_kings();
        let mut has_slides = false;
        for kind in index.set().kinds() {
            let spec = kind.spec::<R>();
            has_slides |= spec.front.slides() || spec.back.is_some_and(Movement::slides);
        }
        Self { index, field, counts, is_closed, has_slides }
    }

    fn ranks(&self, block: u64) -> Range<u64> {
        parallel::numbers_of(block, self.index.size())
    }

    /// Sets the first byte of each position of a block.
    pub(crate) fn begin(&self, block: u64) {
        let mut walk = IndexWalk::new(self.index);
        for (rank, byte) in self.field.range(self.ranks(block)) {
            let (board, placement) = walk.to(rank);
            byte.store(self.first_byte(board, placement), Relaxed);
        }
    }

    fn first_byte(&self, board: &Board, placement: &Placement<R>) -> u8 {
        if placement.in_check(Colour::Gote) || placement.has_nifu() {
            return ILLEGAL;
        }
        if R::is_over(placement) {
            return match R::verdict(placement) {
                Some(Verdict::Loss) => 0,
                Some(Verdict::Win) => 1,
                _ => DRAW,
            };
        }
        if self.is_closed {
            let moves = placement.count_moves() as u32;
            return if moves == 0 { without_moves(placement) } else { self.counts.byte(moves) };
        }
        // Without slides no move of another piece lets a king that is safe be captured.
        let is_calm = !self.has_slides
            && !placement.in_check(Colour::Sente)
            && self.index.place_of(board.kings, true).is_some();
        let (mut any, mut saving) = (false, 0);
        let won = placement.generate(|batch| {
            any = true;
            if is_calm && batch.face.kind.spec::<R>().role != Role::Royal {
                saving += batch.len();
                return ControlFlow::Continue(());
            }
            for mv in batch.moves() {
                match self.result(board, placement, mv) {
                    Some(Verdict::Win) => {}
                    Some(Verdict::Loss) => return ControlFlow::Break(()),
                    Some(Verdict::Draw) | None => saving += 1,
                }
            }
            ControlFlow::Continue(())
        });
        match (won.is_break(), any, saving) {
            (true, ..) => 1,
            (_, false, _) => without_moves(placement),
            // The opponent answers each move with the end of the game.
            (_, _, 0) => 2,
            _ => self.counts.byte(saving),
        }
    }

    /// Starts from the positions of a block that were resolved with this many plies, in `all` or in
    /// the marked stretches, and returns the positions that they resolve.
    pub(crate) fn advance(&self, block: u64, plies: u32, all: bool) -> Resolved {
        let mut walk = IndexWalk::new(self.index);
        let Range { start, end } = self.ranks(block);
        let mut resolved = Resolved::default();
        let mut before = Vec::new();
        for start in (start..end).step_by(STRETCH as usize) {
            if self.field.take_mark(start / STRETCH, plies) || all {
                for (rank, byte) in self.field.range(start..end.min(start + STRETCH)) {
                    if byte.load(Relaxed) == byte_of(plies) {
                        let (board, placement) = walk.to(rank);
                        self.predecessors(rank, board, placement, plies, &mut before);
                    }
                }
                self.resolve_before(&mut before, plies, &mut resolved);
            }
        }
        resolved
    }

    /// As [`Passes::advance`], from a sorted list of positions that all have this many plies.
    pub(crate) fn advance_listed(&self, ranks: &[u64], plies: u32) -> Resolved {
        let mut walk = IndexWalk::new(self.index);
        let mut resolved = Resolved::default();
        let mut before = Vec::new();
        for &rank in ranks {
            let (board, placement) = walk.to(rank);
            self.predecessors(rank, board, placement, plies, &mut before);
            self.resolve_before(&mut before, plies, &mut resolved);
        }
        resolved
    }

    /// Resolves or counts down the predecessors of positions that were resolved with this many
    /// plies, one for each move, and empties the list.
    fn resolve_before(&self, ranks: &mut Vec<u64>, plies: u32, resolved: &mut Resolved) {
        // The bytes are scattered over the memory. No load here waits for another, so they are
        // fetched in parallel.
        let touched = ranks.iter().fold(0, |all, &rank| all | self.field.get(rank).load(Relaxed));
        std::hint::black_box(touched);
        for before in ranks.drain(..) {
            let is_resolved = if plies.is_multiple_of(2) {
                self.counts.is_open(self.field.get(before).load(Relaxed))
            } else {
                self.count_down(before)
            };
            if is_resolved {
                self.field.resolve(before, plies + 1);
                resolved.count += 1;
                if plies >= LONGEST {
                    resolved.deep.push(before);
                }
            }
        }
    }

    /// Decrements the number of moves that may still save a position, and returns whether none is
    /// left.
    #[inline]
    fn count_down(&self, rank: u64) -> bool {
        let byte = self.field.get(rank);
        let count = byte.load(Relaxed);
        if !self.counts.is_open(count) {
            return false;
        }
        if count == Counts::UNCOUNTED {
            return self.count_saving(rank) == 0;
        }
        byte.fetch_sub(1, Relaxed) == self.counts.none() + 1
    }

    /// Number of moves that do not lead to a win of the opponent.
    fn count_saving(&self, rank: u64) -> u32 {
        let board = self.index.unrank_board(rank);
        let placement = self.index.placement_of(&board);
        let mut saving = 0;
        let _ = placement.generate_dyn(&mut |batch| {
            for mv in batch.moves() {
                let is_lost = match self.result(&board, &placement, mv) {
                    Some(verdict) => verdict == Verdict::Win,
                    None => self.is_won(&board.play(mv, Colour::Sente, self.index.codes())),
                };
                saving += u32::from(!is_lost);
            }
            ControlFlow::Continue(())
        });
        saving
    }

    /// Whether the position with Gote to move is known to be won for Gote.
    fn is_won(&self, board: &Board) -> bool {
        let rank = self.index.rank_board(board, true);
        rank.is_some_and(|rank| self.counts.is_win(self.field.get(rank).load(Relaxed)))
    }

    /// The result of a move to a position without a stored value, for the player to move after it:
    /// the game is over, or the king can be captured.
    #[inline]
    fn result(&self, board: &Board, placement: &Placement<R>, mv: Move<R>) -> Option<Verdict> {
        let after = placement.play_unchecked(mv);
        let is_capturable = !R::royal_safety() && after.in_check(Colour::Sente);
        let mut kings = board.kings;
        if let Move::Board { from, to, .. } = mv
            && usize::from(kings[0]) == from.index()
        {
            kings[0] = to.index() as u8;
        }
        if !is_capturable && self.index.place_of(kings, true).is_some() {
            return None;
        }
        let ended = if R::is_over(&after) { R::verdict(&after) } else { None };
        Some(ended.unwrap_or(Verdict::Win))
    }

    /// Lists the ranks of the predecessors of a position that was resolved with this many plies,
    /// one for each move. Some may be illegal.
    #[inline]
    fn predecessors(
        &self,
        rank: u64,
        board: &Board,
        placement: &Placement<R>,
        plies: u32,
        ranks: &mut Vec<u64>,
    ) {
        // A player without a move has lost in 0 plies, unless mated by a pawn drop.
        let mated = !R::allows_drop_pawn_mate() && plies == 0 && placement.in_check(Colour::Sente);
        let twin = self.index.rank_twin(board, false);
        // A predecessor and its mirror image share a number: only the first of two mirror images
        // produces it, and a board that is its own mirror image produces it by one move of two.
        let is_second = twin.is_some_and(|twin| twin < rank);
        let is_own_image = twin == Some(rank);
        let mut before = *board;
        let _: ControlFlow<()> = placement.generate_pseudo_unmoves(|unmove| {
            if let Move::Drop { face, .. } = unmove.mv {
                let is_pawn = face.kind.spec::<R>().role == Role::Pawn && !face.promoted;
                if mated && is_pawn {
                    return ControlFlow::Continue(());
                }
            }
            before.take_back(unmove, Colour::Gote, self.index.codes());
            if let Some(place) = self.index.place_of(before.kings, true) {
                if (place.has_twins || !(is_second || is_own_image && place.is_mirrored))
                    && let Some(rank) = self.index.rank_at(place, &before, true)
                {
                    ranks.push(rank);
                }
                if twin.is_none()
                    && let Some(rank) = self.index.twin_at(place, &before, true)
                {
                    ranks.push(rank);
                }
            }
            before.restore(board, unmove.mv);
            ControlFlow::Continue(())
        });
    }
}
