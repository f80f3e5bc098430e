//! Positions and records of any rule set as trait objects, which the writers of the formats use.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Piece, Position};

use super::end::{End, Ending};
use super::tree::{Branch, Record, RecordMove};
use shogi_core::plain::{AnyMove, AnyPlacement, AnySquare};
use shogi_rules::Rules;

/// A position of any rule set.
pub(super) trait AnyPosition {
    fn side(&self) -> Colour;

    fn piece(&self, square: AnySquare) -> Option<Piece>;

    fn is_legal(&self, mv: AnyMove) -> bool;

    /// The squares of the pieces of the player to move that show `face` and move as is needed to come to `to`.
    fn attackers(&self, face: Face, to: AnySquare) -> Vec<AnySquare>;
}

impl<R: Rules> AnyPosition for Position<R> {
    fn side(&self) -> Colour {
        self.placement().side()
    }

    fn piece(&self, square: AnySquare) -> Option<Piece> {
        self.placement().piece(square.typed()?)
    }

    fn is_legal(&self, mv: AnyMove) -> bool {
        mv.typed().is_some_and(|mv| self.placement().is_legal(mv))
    }

    fn attackers(&self, face: Face, to: AnySquare) -> Vec<AnySquare> {
        let mut squares = Vec::new();
        if let Some(to) = to.typed() {
            for square in self.placement().movers(to, self.side()) & self.face(face) {
                squares.push(AnySquare::of(square));
            }
        }
        squares
    }
}

/// Comments, bookmarks and time of a move or an end.
#[derive(Clone, Copy)]
pub(super) struct Notes<'a> {
    pub(super) comments: &'a [String],
    pub(super) bookmarks: &'a [String],
    pub(super) seconds: Option<u32>,
}

/// A line of a record, without its moves.
#[derive(Clone, Copy)]
pub(super) struct AnyLine {
    pub(super) branch: Option<Branch>,
    /// The number of moves of the game before it.
    pub(super) before: usize,
    /// The number of its moves.
    pub(super) len: usize,
    /// The target of the move before its first, which 同 means there.
    pub(super) target_before: Option<AnySquare>,
}

/// The end of a line.
pub(super) struct AnyEnding<'a> {
    pub(super) end: &'a End,
    pub(super) by: Option<Colour>,
    pub(super) illegal_move: Option<(AnyMove, Notes<'a>)>,
    pub(super) notes: Notes<'a>,
    pub(super) winner: Option<Colour>,
}

/// A function for each move of a line, with the position before it.
pub(super) type VisitMove<'a, 'v> = &'v mut dyn FnMut(&dyn AnyPosition, AnyMove, Notes<'a>);

/// A record of any rule set. Its lines are numbered; the main line is 0.
pub(super) trait AnyRecord {
    fn headers(&self) -> &[(String, String)];

    /// Comments and bookmarks before the first move.
    fn notes(&self) -> Notes<'_>;

    fn start(&self) -> AnyPlacement;

    /// The number of the first move in SFEN.
    fn first_number(&self) -> u32;

    /// The numbers of all lines in the order of KIF.
    fn order(&self) -> Vec<usize>;

    fn line(&self, number: usize) -> AnyLine;

    /// The numbers of the variations that begin at a place.
    fn variations(&self, branch: Branch) -> Vec<usize>;

    /// The position after the last move of a line.
    fn last(&self, number: usize) -> &dyn AnyPosition;

    fn ending(&self, number: usize) -> Option<AnyEnding<'_>>;

    /// Calls `visit` with the moves of a line in order.
    fn for_each_move<'a>(&'a self, number: usize, visit: VisitMove<'a, '_>);
}

fn notes<R: Rules>(one: &RecordMove<R>) -> Notes<'_> {
    Notes { comments: &one.comments, bookmarks: &one.bookmarks, seconds: one.seconds }
}

impl<R: Rules> AnyRecord for Record<R> {
    fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    fn notes(&self) -> Notes<'_> {
        Notes { comments: &self.comments, bookmarks: &self.bookmarks, seconds: None }
    }

    fn start(&self) -> AnyPlacement {
        AnyPlacement::of(Self::start(self).placement())
    }

    fn first_number(&self) -> u32 {
        self.first_number
    }

    fn order(&self) -> Vec<usize> {
        Self::order(self)
    }

    fn line(&self, number: usize) -> AnyLine {
        let line = &self.lines()[number];
        let (branch, before, len) = (line.branch(), line.moves_before(), line.moves().len());
        AnyLine { branch, before, len, target_before: target_before(self, branch) }
    }

    fn variations(&self, branch: Branch) -> Vec<usize> {
        let lines = Self::variations(self, branch);
        lines.filter(|&number| !self.lines()[number].is_empty()).collect()
    }

    fn last(&self, number: usize) -> &dyn AnyPosition {
        self.lines()[number].last()
    }

    fn ending(&self, number: usize) -> Option<AnyEnding<'_>> {
        let Ending { end, by, illegal_move, comments, bookmarks, seconds } =
            self.lines()[number].ending()?;
        let illegal_move = illegal_move.as_ref().map(|one| (AnyMove::of(one.mv()), notes(one)));
        let notes = Notes { comments, bookmarks, seconds: *seconds };
        Some(AnyEnding { end, by: *by, illegal_move, notes, winner: self.winner_of(number) })
    }

    fn for_each_move<'a>(&'a self, number: usize, visit: VisitMove<'a, '_>) {
        let line = &self.lines()[number];
        let mut position = *line.start();
        for one in line.moves() {
            visit(&position, AnyMove::of(one.mv()), notes(one));
            position = position.play_unchecked(one.mv());
        }
    }
}

/// The target of the move before a place.
pub(super) fn target_before<R: Rules>(
    record: &Record<R>,
    branch: Option<Branch>,
) -> Option<AnySquare> {
    let Branch { line, at } = branch?;
    let one = record.lines()[line].moves().get(at.checked_sub(1)?)?;
    Some(AnySquare::of(one.mv().to()))
}
