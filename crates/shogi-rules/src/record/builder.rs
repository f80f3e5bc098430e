//! What reading a record has in common in all formats: moves, ends, notes and variations come in, in
//! the order of the text.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Faults, Piece};

use super::Record;
use super::any::AnyPosition;
use super::cursor::{Cursor, error_at_end};
use super::end::End;
use super::error::{RecordError, RecordReason};
use super::growing::{GrowingRecords, NotesMut};
use super::names::{Recorded, Vocabulary};
use super::tree::Branch;
use crate::game::PlayError;
use crate::plain::{AnyMove, AnyPlacement, AnySquare};

/// Reads the records of a text.
pub(super) type Read = fn(&str, &mut Builder<'_>) -> Result<(), RecordError>;

/// Makes an error of a reason at some place.
pub(super) type ErrorHere<'e> = &'e dyn Fn(RecordReason) -> RecordError;

/// Reads all records of a text.
pub(super) fn parse_all<R: Recorded>(
    text: &str,
    read: Read,
) -> Result<Vec<Record<R>>, RecordError> {
    let mut records: Vec<Record<R>> = Vec::new();
    let vocabulary = Vocabulary::of::<R>();
    let mut builder = Builder::new(&vocabulary, &mut records);
    read(text, &mut builder)?;
    builder.finish();
    if records.is_empty() {
        return Err(error_at_end(text, RecordReason::Missing("a record")));
    }
    Ok(records)
}

/// Reads the first record of a text.
pub(super) fn parse<R: Recorded>(text: &str, read: Read) -> Result<Record<R>, RecordError> {
    // There is one, or reading has failed.
    let missing = || error_at_end(text, RecordReason::Missing("a record"));
    parse_all(text, read)?.into_iter().next().ok_or_else(missing)
}

/// The records of a text while they are read.
///
/// A move against the rules may be the foul by which a game ended. So it is no error at once, but
/// when another move follows.
pub(super) struct Builder<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    records: &'a mut dyn GrowingRecords,
    /// Whether the record that is being read has begun.
    begun: bool,
    /// Why the line has ended with what came last, of which the record may say more.
    refused: Option<RecordError>,
}

impl<'a> Builder<'a> {
    fn new(vocabulary: &'a Vocabulary, records: &'a mut dyn GrowingRecords) -> Self {
        Self { vocabulary, records, begun: false, refused: None }
    }

    /// Whether the record that is being read has begun: its start is known.
    pub(super) const fn has_begun(&self) -> bool {
        self.begun
    }

    /// Whether a record has been read or begun.
    pub(super) fn has_records(&self) -> bool {
        self.records.last().is_some()
    }

    /// Begins a record with its start position.
    pub(super) fn begin(&mut self, start: &AnyPlacement) -> Result<(), Faults> {
        self.records.begin(start)?;
        self.begun = true;
        Ok(())
    }

    /// Begins a record with the start position and the number of the first move of an SFEN.
    pub(super) fn begin_numbered(
        &mut self,
        start: &AnyPlacement,
        number: u32,
    ) -> Result<(), Faults> {
        self.begin(start)?;
        self.records.set_first_number(number);
        Ok(())
    }

    /// Ends the record that is being read, so that another can begin.
    pub(super) fn finish(&mut self) {
        self.refused = None;
        self.records.drop_empty();
        self.begun = false;
    }

    pub(super) fn set_headers(&mut self, headers: Vec<(String, String)>) {
        self.records.set_headers(headers);
    }

    /// The position for the next move.
    pub(super) fn position(&self, at: Cursor) -> Result<&dyn AnyPosition, RecordError> {
        self.records.last().ok_or_else(|| at.error(RecordReason::Missing("the start position")))
    }

    /// The player who would be next.
    pub(super) fn to_move(&self) -> Colour {
        let side = self.records.last().map_or(Colour::Sente, AnyPosition::side);
        // The illegal move has been made, if not on the board.
        if self.refused.is_some() { !side } else { side }
    }

    /// The number of the next move or the end, from 1.
    pub(super) fn number(&self) -> usize {
        self.records.before() + 1 + usize::from(self.refused.is_some())
    }

    /// The target of the last move: what 同 means next.
    pub(super) fn last_target(&self) -> Option<AnySquare> {
        self.records.last_target()
    }

    /// Where the next move would be.
    pub(super) fn place(&self) -> Branch {
        self.records.place()
    }

    /// Whether the record has said how the line ended.
    pub(super) fn is_ended(&self) -> bool {
        self.refused.is_none() && self.records.is_ended()
    }

    /// Whether the line has ended so.
    pub(super) fn is_said(&self, end: &End) -> bool {
        self.is_ended() && self.records.has_end(end)
    }

    /// The winner by the end of the line.
    pub(super) fn winner(&self) -> Option<Colour> {
        self.records.winner()
    }

    /// What stands on a square.
    pub(super) fn piece(&self, square: AnySquare) -> Option<Piece> {
        self.records.last()?.piece(square)
    }

    /// That a move can follow what has been read.
    pub(super) fn check_open(&mut self, error: ErrorHere) -> Result<(), RecordError> {
        if let Some(error) = self.refused.take() {
            return Err(error);
        }
        if self.is_ended() { Err(error(RecordReason::AfterEnd)) } else { Ok(()) }
    }

    /// Adds a move.
    pub(super) fn push(&mut self, mv: AnyMove, error: ErrorHere) -> Result<(), RecordError> {
        self.check_open(error)?;
        let Err(play) = self.records.push(mv) else { return Ok(()) };
        let is_illegal = matches!(play, PlayError::Illegal(_));
        let error = error(RecordReason::of_push(mv, play, self.vocabulary));
        if !is_illegal {
            return Err(error);
        }
        self.records.end_by_foul(Some(mv));
        self.refused = Some(error);
        Ok(())
    }

    /// Adds a move that has to be legal.
    pub(super) fn push_legal(&mut self, mv: AnyMove) -> Result<(), RecordReason> {
        if self.is_ended() {
            return Err(RecordReason::AfterEnd);
        }
        self.records.push(mv).map_err(|error| RecordReason::of_push(mv, error, self.vocabulary))
    }

    /// Ends the line by a move that nobody can have made, such as one of a piece that is not there; its
    /// words become a comment on the end. Any other error is one.
    pub(super) fn refuse(&mut self, error: RecordError, words: &str) -> Result<(), RecordError> {
        let impossible =
            [RecordReason::WrongPiece, RecordReason::WrongSide, RecordReason::NoSuchMove];
        if !impossible.contains(&error.reason) {
            return Err(error);
        }
        self.records.end_by_foul(None);
        self.note(words);
        self.refused = Some(error);
        Ok(())
    }

    /// Ends the line; the words in which a second end is said become a comment on the first.
    pub(super) fn end(&mut self, (end, by): (End, Option<Colour>), words: &str) {
        match self.refused.take() {
            // The player who made the move has lost, whatever the record says of the other.
            Some(_) if end == End::Foul => {}
            None if self.is_ended() => self.note(words),
            _ => self.records.end(end, by),
        }
    }

    /// Ends the line by an illegal move, of which more is said by [`Builder::end_as`].
    pub(super) fn end_by_foul(&mut self, mv: AnyMove) {
        self.records.end_by_foul(Some(mv));
    }

    /// What is said of the illegal move that ended the line.
    pub(super) fn latest_of_illegal_move(&mut self) -> Option<NotesMut<'_>> {
        self.records.latest(true)
    }

    /// Ends the line so and no other way.
    pub(super) fn end_as(&mut self, end: End, by: Option<Colour>) {
        self.records.end(end, by);
    }

    fn note(&mut self, words: &str) {
        if let Some(notes) = self.latest() {
            notes.comments.push(words.trim().into());
        }
    }

    /// The comments, bookmarks and time of what came last.
    pub(super) fn latest(&mut self) -> Option<NotesMut<'_>> {
        self.records.latest(self.refused.is_some())
    }

    /// Begins a variation at a place.
    pub(super) fn branch(&mut self, branch: Branch) {
        self.refused = None;
        self.records.branch(branch);
    }

    /// Begins a variation with the move of this number.
    pub(super) fn branch_at(&mut self, number: usize, at: Cursor) -> Result<(), RecordError> {
        self.refused = None;
        let found = number > 0 && self.records.branch_behind(number - 1);
        if found { Ok(()) } else { Err(at.error(RecordReason::NoSuchPlace)) }
    }
}
