//! Positions and records of any rule set: what the formats are read and written by.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Faults, Piece, Position};

use super::end::{End, Ending};
use super::tree::{Branch, Line, Record, RecordMove};
use crate::game::PlayError;
use crate::plain::{AnyMove, AnyPlacement, AnySquare};
use crate::rules::Rules;
use crate::violations::Violations;

/// A position of any rule set.
pub(super) trait AnyPosition {
    fn side(&self) -> Colour;

    fn piece(&self, square: AnySquare) -> Option<Piece>;

    fn is_legal(&self, mv: AnyMove) -> bool;

    /// The squares of the pieces of the player to move that show this face and attack the square.
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
            let attackers = self.placement().attackers(to, self.side(), self.occupied());
            for square in attackers & self.face(face) {
                squares.push(AnySquare::of(square));
            }
        }
        squares
    }
}

/// What a record says of a move or an end besides it.
#[derive(Clone, Copy)]
pub(super) struct Notes<'a> {
    pub(super) comments: &'a [String],
    pub(super) bookmarks: &'a [String],
    pub(super) seconds: Option<u32>,
}

/// The same, to be changed; before the first move there is no time.
pub(super) struct NotesMut<'a> {
    pub(super) comments: &'a mut Vec<String>,
    pub(super) bookmarks: &'a mut Vec<String>,
    pub(super) seconds: Option<&'a mut Option<u32>>,
}

/// A line of a record, without its moves.
#[derive(Clone, Copy)]
pub(super) struct AnyLine {
    pub(super) branch: Option<Branch>,
    /// Moves of the game before it.
    pub(super) before: usize,
    /// How many moves it has.
    pub(super) len: usize,
    /// The target of the move before its first: what 同 means there.
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

/// What is done with each move of a line, given the position it is made in.
pub(super) type VisitMove<'a, 'v> = &'v mut dyn FnMut(&dyn AnyPosition, AnyMove, Notes<'a>);

/// A record of any rule set, whose lines have numbers, the main line 0.
pub(super) trait AnyRecord {
    fn headers(&self) -> &[(String, String)];

    /// What is said before the first move.
    fn notes(&self) -> Notes<'_>;

    fn start(&self) -> AnyPlacement;

    /// The numbers of all lines in the order of KIF.
    fn order(&self) -> Vec<usize>;

    fn line(&self, number: usize) -> AnyLine;

    /// The numbers of the lines that leave a line at a place.
    fn variations(&self, branch: Branch) -> Vec<usize>;

    /// The position after the last move of a line.
    fn last(&self, number: usize) -> &dyn AnyPosition;

    fn ending(&self, number: usize) -> Option<AnyEnding<'_>>;

    /// Gives the moves of a line in order.
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
            position = position.play(one.mv());
        }
    }
}

/// The target of the move before a place.
fn target_before<R: Rules>(record: &Record<R>, branch: Option<Branch>) -> Option<AnySquare> {
    let Branch { line, at } = branch?;
    let one = record.lines()[line].moves().get(at.checked_sub(1)?)?;
    Some(AnySquare::of(one.mv().to()))
}

/// The records of a text while they are read. All but [`Growing::begin`] is about the line that was
/// begun last in the last of them.
pub(super) trait Growing {
    /// Begins a record with a start position; problems are often set without the attacker's king.
    fn begin(&mut self, start: &AnyPlacement) -> Result<(), Faults>;

    fn set_headers(&mut self, headers: Vec<(String, String)>);

    fn last(&self) -> Option<&dyn AnyPosition>;

    /// Where the next move would be.
    fn place(&self) -> Branch;

    /// How many moves of the game come before the next one.
    fn before(&self) -> usize;

    /// The target of the last move: what 同 means next.
    fn last_target(&self) -> Option<AnySquare>;

    fn is_ended(&self) -> bool;

    /// Whether the line has ended so.
    fn has_end(&self, end: &End) -> bool;

    fn push(&mut self, mv: AnyMove) -> Result<(), PlayError>;

    /// Begins a variation.
    fn branch(&mut self, branch: Branch);

    /// Begins a variation of the lines read last that has so many moves before it; whether they have
    /// as many.
    fn branch_behind(&mut self, before: usize) -> bool;

    /// Takes back a variation that has turned out to be none.
    fn drop_empty(&mut self);

    fn end(&mut self, end: End, by: Option<Colour>);

    /// Ends the line by a foul of the player to move, with the move if it can be kept.
    fn end_by_foul(&mut self, mv: Option<AnyMove>);

    /// The comments, bookmarks and time of what came last; `illegal_move` is that rather than the end.
    fn latest(&mut self, illegal_move: bool) -> Option<NotesMut<'_>>;

    fn winner(&self) -> Option<Colour>;
}

/// The line of the last record that was begun last, and its number.
fn growing<R: Rules>(records: &[Record<R>]) -> Option<(&Line<R>, usize)> {
    let lines = records.last()?.lines();
    Some((lines.last()?, lines.len() - 1))
}

impl<R: Rules> Growing for Vec<Record<R>> {
    fn begin(&mut self, start: &AnyPlacement) -> Result<(), Faults> {
        let start = Position::new_allowing(start.typed(), Faults::MISSING_KING);
        self.push(Record::new(start.map_err(|invalid| invalid.faults)?));
        Ok(())
    }

    fn set_headers(&mut self, headers: Vec<(String, String)>) {
        if let Some(record) = self.last_mut() {
            record.headers = headers;
        }
    }

    fn last(&self) -> Option<&dyn AnyPosition> {
        growing(self).map(|(line, _)| line.last() as &dyn AnyPosition)
    }

    fn place(&self) -> Branch {
        let own = growing(self)
            .map_or((0, 0, None), |(line, number)| (number, line.moves().len(), line.branch()));
        match own {
            (_, 0, Some(branch)) => branch,
            (line, at, _) => Branch { line, at },
        }
    }

    fn before(&self) -> usize {
        growing(self).map_or(0, |(line, _)| line.moves_before() + line.moves().len())
    }

    fn last_target(&self) -> Option<AnySquare> {
        let place = Growing::place(self);
        target_before(self.as_slice().last()?, Some(place))
    }

    fn is_ended(&self) -> bool {
        growing(self).is_some_and(|(line, _)| line.ending().is_some())
    }

    fn has_end(&self, end: &End) -> bool {
        let ending = growing(self).and_then(|(line, _)| line.ending());
        ending.is_some_and(|ending| ending.end == *end)
    }

    fn push(&mut self, mv: AnyMove) -> Result<(), PlayError> {
        let illegal = PlayError::Illegal(Violations::NO_SUCH_MOVE);
        let (Some(mv), Some(record)) = (mv.typed(), self.last_mut()) else { return Err(illegal) };
        record.push(mv).map(drop)
    }

    fn branch(&mut self, branch: Branch) {
        if let Some(record) = self.last_mut() {
            record.branch(branch);
        }
    }

    fn branch_behind(&mut self, before: usize) -> bool {
        let Some(record) = self.last_mut() else { return false };
        // A variation without moves has gone along a line that was there already.
        let mut number = record.lines().len() - 1;
        loop {
            let line = &record.lines()[number];
            match line.branch() {
                Some(parent) if before < line.moves_before() || line.moves().is_empty() => {
                    number = parent.line;
                }
                _ => break,
            }
        }
        let line = &record.lines()[number];
        let (first, moves) = (line.moves_before(), line.moves().len());
        let found = (first..=first + moves).contains(&before);
        if found {
            record.branch(Branch { line: number, at: before - first });
        }
        found
    }

    fn drop_empty(&mut self) {
        if let Some(record) = self.last_mut() {
            record.drop_empty();
        }
    }

    fn end(&mut self, end: End, by: Option<Colour>) {
        let Some(record) = self.last_mut() else { return };
        match record.lines_mut().last_mut().and_then(Line::ending_mut) {
            // It ended by an illegal move, of which the record says more.
            Some(ending) => (ending.end, ending.by) = (end, by),
            None => record.end(Ending { by, ..end.into() }),
        }
    }

    fn end_by_foul(&mut self, mv: Option<AnyMove>) {
        let Some(record) = self.last_mut() else { return };
        match mv.and_then(AnyMove::typed) {
            Some(mv) => {
                let by = record.lines().last().map(|line| line.last().placement().side());
                let ending = by.map(|by| Ending::by_illegal_move(mv, by));
                record.end(ending.unwrap_or_else(|| End::Foul.into()));
            }
            None => record.end(End::Foul),
        }
    }

    fn latest(&mut self, illegal_move: bool) -> Option<NotesMut<'_>> {
        let Branch { line, at } = Growing::place(self);
        let record = self.last_mut()?;
        let number = record.lines().len() - 1;
        if record.lines()[number].ending().is_some() {
            let ending = record.lines_mut()[number].ending_mut()?;
            return Some(match &mut ending.illegal_move {
                Some(one) if illegal_move => notes_mut(one),
                _ => NotesMut {
                    comments: &mut ending.comments,
                    bookmarks: &mut ending.bookmarks,
                    seconds: Some(&mut ending.seconds),
                },
            });
        }
        match at.checked_sub(1) {
            Some(before) => record.lines_mut()[line].move_mut(before).map(notes_mut),
            None => Some(NotesMut {
                comments: &mut record.comments,
                bookmarks: &mut record.bookmarks,
                seconds: None,
            }),
        }
    }

    fn winner(&self) -> Option<Colour> {
        let record = self.as_slice().last()?;
        record.winner_of(record.lines().len() - 1)
    }
}

fn notes_mut<R: Rules>(one: &mut RecordMove<R>) -> NotesMut<'_> {
    NotesMut {
        comments: &mut one.comments,
        bookmarks: &mut one.bookmarks,
        seconds: Some(&mut one.seconds),
    }
}
