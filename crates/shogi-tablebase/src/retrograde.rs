//! Retrograde analysis in place, one byte a position.
//!
//! ```text
//! for each position: lost in 0 where there is no move; else count its moves
//! for n = 0, 2, 4, ...:
//!     each position lost in n:    who could move there wins in n + 1
//!     each position won in n + 1: who could move there has one move less;
//!                                 without any that is left, he has lost in n + 2
//! what is left is drawn
//! ```
//!
//! The count shares the byte with the plies that take its place. It is only a lower bound: moves
//! beyond [`MAX_COUNTED`] are not counted, and a position met through its mirror image may be
//! counted down twice. Where it runs out, the moves are looked at again, and either all are won for
//! the opponent or the count starts anew. So each loss is found by its moves, and a count that is
//! too low costs time only. For the same reason a pass may be repeated from any snapshot taken in
//! the midst of it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use shogi_core::{Colour, Face, Move, Placement, Role, Slide};
use shogi_rules::Verdict;

use crate::board::Board;
use crate::index::Index;
use crate::value::{DRAW, ILLEGAL, MAX_COUNTED, OPEN, is_open, is_win};
use crate::world::World;

/// Positions in a block, the unit of work.
pub(crate) const BLOCK: u64 = 4096;

/// The bytes of all positions, with marks on the blocks where some were resolved lately.
pub(crate) struct Field {
    pub(crate) bytes: Vec<AtomicU8>,
    /// By parity of the plies.
    marks: [Vec<AtomicBool>; 2],
}

/// Where a move leads.
enum Child {
    Stored(u64),
    /// Out of the table, with the result for the player to move there.
    Out(Verdict),
}

impl Field {
    /// All positions unresolved.
    pub(crate) fn new(size: u64) -> Self {
        let blocks = size.div_ceil(BLOCK);
        let marks = || (0..blocks).map(|_| AtomicBool::new(false)).collect();
        Self { bytes: (0..size).map(|_| AtomicU8::new(DRAW)).collect(), marks: [marks(), marks()] }
    }

    #[inline]
    fn get(&self, rank: u64) -> &AtomicU8 {
        &self.bytes[rank as usize]
    }

    #[inline]
    fn resolve(&self, rank: u64, plies: u8) {
        self.mark(rank / BLOCK, plies);
        self.get(rank).store(plies, Relaxed);
    }

    #[inline]
    fn mark(&self, block: u64, plies: u8) {
        self.marks[usize::from(plies % 2)][block as usize].store(true, Relaxed);
    }

    /// Takes the mark from a block and returns whether it had one.
    pub(crate) fn take_mark(&self, block: u64, plies: u8) -> bool {
        self.marks[usize::from(plies % 2)][block as usize].swap(false, Relaxed)
    }
}

/// The passes over a block.
pub(crate) struct Passes<'a, R: World> {
    pub(crate) index: &'a Index<R>,
    pub(crate) field: &'a Field,
    /// Whether every legal move leads to a position of the index.
    is_closed: bool,
    /// Whether a king can be captured on a square of the index, from a distance.
    has_captures: bool,
}

impl<'a, R: World> Passes<'a, R> {
    pub(crate) fn new(index: &'a Index<R>, field: &'a Field) -> Self {
        let is_closed = R::ROYAL_SAFETY && index.has_all_kings();
        let slides = |face: Face| face.movement::<R>().is_some_and(|m| m.slide != Slide::None);
        let mut kinds = index.set().kinds();
        let has_slides = kinds.any(|kind| slides(Face::front(kind)) || slides(Face::back(kind)));
        Self { index, field, is_closed, has_captures: !R::ROYAL_SAFETY && has_slides }
    }

    fn ranks(&self, block: u64) -> std::ops::Range<u64> {
        block * BLOCK..((block + 1) * BLOCK).min(self.index.size())
    }

    /// Sets the first byte of each position of a block.
    pub(crate) fn begin(&self, block: u64) {
        self.index.for_each(self.ranks(block), |rank, board| {
            let placement = self.index.placement_of(board);
            self.field.get(rank).store(self.first_byte(board, &placement), Relaxed);
        });
        // Those lost in 0 or 2 and won in 1.
        self.field.mark(block, 0);
        self.field.mark(block, 1);
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
            let mut moves = 0;
            let _: ControlFlow<()> = placement.generate(|batch| {
                moves += batch.len();
                if moves < u32::from(MAX_COUNTED) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
            return if moves == 0 { 0 } else { OPEN + moves.min(u32::from(MAX_COUNTED)) as u8 };
        }
        let (mut any, mut saving, mut wins) = (false, 0, false);
        let _: ControlFlow<()> = self.children(board, placement, |child| {
            any = true;
            match child {
                Child::Out(Verdict::Win) => {}
                Child::Out(Verdict::Loss) => {
                    wins = true;
                    return ControlFlow::Break(());
                }
                Child::Out(Verdict::Draw) | Child::Stored(_) => saving += 1,
            }
            ControlFlow::Continue(())
        });
        match (wins, any, saving) {
            (true, ..) => 1,
            (_, false, _) => 0,
            // The opponent answers each move with the end of the game.
            (_, _, 0) => 2,
            _ => OPEN + saving.min(MAX_COUNTED),
        }
    }

    /// Goes on from the positions of a block that were resolved with so many plies, and returns
    /// how many others are resolved by them.
    pub(crate) fn advance(&self, block: u64, plies: u8) -> u64 {
        let mut found = 0;
        let mut predecessors = Vec::new();
        for rank in self.ranks(block) {
            if self.field.get(rank).load(Relaxed) != plies {
                continue;
            }
            let board = self.index.unrank_board(rank);
            self.predecessors(&board, plies, &mut predecessors);
            for before in predecessors.drain(..) {
                let resolved = if plies % 2 == 0 {
                    is_open(self.field.get(before).load(Relaxed))
                } else {
                    self.count_down(before)
                };
                if resolved {
                    self.field.resolve(before, plies + 1);
                    found += 1;
                }
            }
        }
        found
    }

    /// Takes one from the moves that may still save a position, and returns whether none is left.
    fn count_down(&self, rank: u64) -> bool {
        let byte = self.field.get(rank);
        loop {
            let count = byte.load(Relaxed);
            if !is_open(count) {
                return false;
            }
            let mut next = count - 1;
            if next == OPEN {
                next += self.count_saving(rank);
            }
            if next == OPEN {
                return true;
            }
            if byte.compare_exchange(count, next, Relaxed, Relaxed).is_ok() {
                return false;
            }
        }
    }

    /// How many moves do not lead to a win of the opponent, as far as counted.
    fn count_saving(&self, rank: u64) -> u8 {
        let board = self.index.unrank_board(rank);
        let placement = self.index.placement_of(&board);
        let mut saving = 0;
        let _: ControlFlow<()> = self.children(&board, &placement, |child| {
            saving += u8::from(match child {
                Child::Stored(rank) => !is_win(self.field.get(rank).load(Relaxed)),
                Child::Out(verdict) => verdict != Verdict::Win,
            });
            if saving < MAX_COUNTED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        saving
    }

    /// Gives the positions after each move.
    #[inline]
    fn children(
        &self,
        board: &Board,
        placement: &Placement<R>,
        mut visit: impl FnMut(Child) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        placement.generate(|batch| {
            for mv in batch.moves() {
                visit(self.child(board, placement, mv))?;
            }
            ControlFlow::Continue(())
        })
    }

    #[inline]
    fn child(&self, board: &Board, placement: &Placement<R>, mv: Move<R>) -> Child {
        let next = board.after(mv, Colour::Sente, self.index.codes());
        match self.index.rank_board(&next, true) {
            Some(_) if self.has_captures && placement.after(mv).in_check(Colour::Sente) => {
                Child::Out(self.result(placement, mv))
            }
            Some(rank) => Child::Stored(rank),
            None => Child::Out(self.result(placement, mv)),
        }
    }

    /// The result, for the player to move after it, of a move out of the table: the game is over,
    /// or the king can be captured.
    fn result(&self, placement: &Placement<R>, mv: Move<R>) -> Verdict {
        let after = placement.after(mv);
        let ended = if R::is_over(&after) { R::verdict(&after) } else { None };
        ended.unwrap_or(Verdict::Win)
    }

    /// The ranks of the positions from which a move leads to a board that was resolved with so
    /// many plies. Some may be illegal, and one may be there twice.
    #[inline]
    fn predecessors(&self, board: &Board, plies: u8, list: &mut Vec<u64>) {
        let placement = self.index.placement_of(board);
        // Not to have a move is lost in 0; mated by a pawn drop one is not.
        let mated = !R::ALLOWS_DROP_PAWN_MATE && plies == 0 && placement.in_check(Colour::Sente);
        let is_single = self.index.rank_twin(board, false).is_none();
        let _: ControlFlow<()> = placement.generate_pseudo_unmoves(|unmove| {
            if let Move::Drop { face, .. } = unmove.mv {
                let is_pawn = face.kind.spec::<R>().role == Role::Pawn && !face.promoted;
                if mated && is_pawn {
                    return ControlFlow::Continue(());
                }
            }
            let before = board.before(unmove, Colour::Gote, self.index.codes());
            list.extend(self.index.rank_board(&before, true));
            if is_single {
                list.extend(self.index.rank_twin(&before, true));
            }
            ControlFlow::Continue(())
        });
    }
}
