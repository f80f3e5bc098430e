//! The records of a text while they are read, of any rule set: the readers of the formats fill them.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Faults, Position, Violations};

use super::any::{AnyPosition, target_before};
use super::end::{End, Ending};
use super::tree::{Branch, Line, Record, RecordMove};
use shogi_core::plain::{AnyMove, AnyPlacement, AnySquare};
use shogi_rules::PlayError;
use shogi_rules::Rules;

/// Comments, bookmarks and time of a move or an end, to be changed; before the first move there is no time.
pub(super) struct NotesMut<'a> {
    pub(super) comments: &'a mut Vec<String>,
    pub(super) bookmarks: &'a mut Vec<String>,
    pub(super) seconds: Option<&'a mut Option<u32>>,
}

/// The records of a text while they are read. All functions but [`GrowingRecords::begin`] concern the latest
/// line of the last record.
pub(super) trait GrowingRecords {
    /// Begins a record with a start position; problems often lack the attacker's king.
    fn begin(&mut self, start: &AnyPlacement) -> Result<(), Faults>;

    fn set_headers(&mut self, headers: Vec<(String, String)>);

    /// The value of a header.
    fn header(&self, name: &str) -> Option<&str>;

    fn last(&self) -> Option<&dyn AnyPosition>;

    /// The place of the next move.
    fn place(&self) -> Branch;

    /// The number of the first move of the record.
    fn first_number(&self) -> usize;

    /// Sets the number of the first move; 0 counts as 1.
    fn set_first_number(&mut self, number: u32);

    /// The number of the next move.
    fn number(&self) -> usize;

    /// Whether the record has neither moves nor an end yet.
    fn is_untouched(&self) -> bool;

    /// The target of the last move, which 同 means next.
    fn last_target(&self) -> Option<AnySquare>;

    fn is_ended(&self) -> bool;

    /// The end of the line and its player.
    fn ended(&self) -> Option<(End, Option<Colour>)>;

    fn push(&mut self, mv: AnyMove) -> Result<(), PlayError>;

    /// Begins a variation.
    fn branch(&mut self, branch: Branch);

    /// Begins a variation after `before` moves of the lines read last; returns whether they have that many.
    fn branch_behind(&mut self, before: usize) -> bool;

    /// Takes back a variation that has stayed empty.
    fn drop_empty(&mut self);

    fn end(&mut self, end: End, by: Option<Colour>);

    /// Ends the line by a player's foul, with the move if it can be kept.
    fn end_by_foul(&mut self, mv: Option<AnyMove>, by: Colour);

    /// The comments, bookmarks and time of the last move or end; with `illegal_move` those of the illegal
    /// move rather than of the end.
    fn latest(&mut self, illegal_move: bool) -> Option<NotesMut<'_>>;

    fn winner(&self) -> Option<Colour>;
}

/// The latest line of the last record, and its number.
fn growing<R: Rules>(records: &[Record<R>]) -> Option<(&Line<R>, usize)> {
    let lines = records.last()?.lines();
    Some((lines.last()?, lines.len() - 1))
}

impl<R: Rules> GrowingRecords for Vec<Record<R>> {
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

    fn header(&self, name: &str) -> Option<&str> {
        let headers = &self.as_slice().last()?.headers;
        headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
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

    fn first_number(&self) -> usize {
        self.as_slice().last().map_or(1, |record| record.first_number as usize)
    }

    fn set_first_number(&mut self, number: u32) {
        if let Some(record) = self.last_mut() {
            record.first_number = number.max(1);
        }
    }

    fn number(&self) -> usize {
        let before = growing(self).map_or(0, |(line, _)| line.moves_before() + line.moves().len());
        GrowingRecords::first_number(self) + before
    }

    fn is_untouched(&self) -> bool {
        growing(self).is_some_and(|(line, number)| {
            number == 0 && line.moves().is_empty() && line.ending().is_none()
        })
    }

    fn last_target(&self) -> Option<AnySquare> {
        let place = GrowingRecords::place(self);
        target_before(self.as_slice().last()?, Some(place))
    }

    fn is_ended(&self) -> bool {
        growing(self).is_some_and(|(line, _)| line.ending().is_some())
    }

    fn ended(&self) -> Option<(End, Option<Colour>)> {
        let ending = growing(self).and_then(|(line, _)| line.ending())?;
        Some((ending.end.clone(), ending.by))
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
        // A variation without moves follows an existing line.
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

    fn end_by_foul(&mut self, mv: Option<AnyMove>, by: Colour) {
        let Some(record) = self.last_mut() else { return };
        let illegal_move = mv.and_then(AnyMove::typed).map(RecordMove::new);
        record.end(Ending { by: Some(by), illegal_move, ..End::Foul.into() });
    }

    fn latest(&mut self, illegal_move: bool) -> Option<NotesMut<'_>> {
        let Branch { line, at } = GrowingRecords::place(self);
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
