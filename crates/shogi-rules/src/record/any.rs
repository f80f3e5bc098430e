//! Positions and records of any rule set: what the formats are read and written by.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Faults, Piece, Position};

use super::cursor::error_at_end;
use super::names::{Recorded, Vocabulary};
use super::{Ending, Record, RecordError, RecordReason};
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

/// What a record says of a move besides the move.
#[derive(Clone, Copy)]
pub(super) struct Notes<'a> {
    pub(super) comments: &'a [String],
    pub(super) seconds: Option<u32>,
}

/// A record of any rule set.
pub(super) trait AnyRecord {
    fn headers(&self) -> &[(String, String)];

    /// The comments before the first move.
    fn comments(&self) -> &[String];

    fn ending(&self) -> Option<&Ending>;

    fn start(&self) -> AnyPlacement;

    fn last(&self) -> &dyn AnyPosition;

    /// How many moves there are.
    fn len(&self) -> usize;

    /// The target of the last move: what 同 means next.
    fn last_target(&self) -> Option<AnySquare>;

    /// Gives the moves in order, each with the position it is made in.
    fn for_each_move<'a>(&'a self, visit: &mut dyn FnMut(&dyn AnyPosition, AnyMove, Notes<'a>));

    /// Adds a move.
    fn push(&mut self, mv: AnyMove) -> Result<(), PlayError>;

    /// Sets how the game ended.
    fn end(&mut self, ending: Ending);

    fn set_headers(&mut self, headers: Vec<(String, String)>);

    /// Sets the comments before the first move.
    fn set_comments(&mut self, comments: Vec<String>);

    /// The comments and the time of what came last.
    fn latest(&mut self) -> (&mut Vec<String>, Option<&mut Option<u32>>);
}

impl<R: Rules> AnyRecord for Record<R> {
    fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    fn comments(&self) -> &[String] {
        &self.comments
    }

    fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    fn start(&self) -> AnyPlacement {
        AnyPlacement::of(self.start.placement())
    }

    fn last(&self) -> &dyn AnyPosition {
        &self.last
    }

    fn len(&self) -> usize {
        self.moves.len()
    }

    fn last_target(&self) -> Option<AnySquare> {
        self.moves.last().map(|one| AnySquare::of(one.mv.to()))
    }

    fn for_each_move<'a>(&'a self, visit: &mut dyn FnMut(&dyn AnyPosition, AnyMove, Notes<'a>)) {
        let mut position = self.start;
        for one in &self.moves {
            let notes = Notes { comments: &one.comments, seconds: one.seconds };
            visit(&position, AnyMove::of(one.mv), notes);
            position = position.play(one.mv);
        }
    }

    fn push(&mut self, mv: AnyMove) -> Result<(), PlayError> {
        let Some(mv) = mv.typed() else {
            return Err(PlayError::Illegal(Violations::NO_SUCH_MOVE));
        };
        Self::push(self, mv)?;
        Ok(())
    }

    fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
    }

    fn set_headers(&mut self, headers: Vec<(String, String)>) {
        self.headers = headers;
    }

    fn set_comments(&mut self, comments: Vec<String>) {
        self.comments = comments;
    }

    fn latest(&mut self) -> (&mut Vec<String>, Option<&mut Option<u32>>) {
        if let Some(ending) = &mut self.ending {
            return (&mut ending.comments, Some(&mut ending.seconds));
        }
        match self.moves.last_mut() {
            Some(last) => (&mut last.comments, Some(&mut last.seconds)),
            None => (&mut self.comments, None),
        }
    }
}

/// The record that is being read, of any rule set.
pub(super) trait Reading {
    /// Begins the record with a start position; problems are often set without the attacker's king.
    fn begin(&mut self, start: &AnyPlacement) -> Result<&mut dyn AnyRecord, Faults>;

    /// The record, once it has begun.
    fn record(&mut self) -> Option<&mut dyn AnyRecord>;
}

impl<R: Rules> Reading for Option<Record<R>> {
    fn begin(&mut self, start: &AnyPlacement) -> Result<&mut dyn AnyRecord, Faults> {
        let start = Position::new_allowing(start.typed(), Faults::MISSING_KING);
        Ok(self.insert(Record::new(start.map_err(|invalid| invalid.faults)?)))
    }

    fn record(&mut self) -> Option<&mut dyn AnyRecord> {
        match self {
            Some(record) => Some(record),
            None => None,
        }
    }
}

/// Reads a record of any rule set.
pub(super) type Read = fn(&str, &Vocabulary, &mut dyn Reading) -> Result<(), RecordError>;

/// Reads a record of one rule set.
pub(super) fn parse<R: Recorded>(text: &str, read: Read) -> Result<Record<R>, RecordError> {
    let mut record = None;
    read(text, Vocabulary::of::<R>(), &mut record)?;
    record.ok_or_else(|| error_at_end(text, RecordReason::Missing("a record")))
}
