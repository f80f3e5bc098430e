//! The part of reading that all formats share: it takes moves, ends, notes and variations in the order of the
//! text.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use shogi_core::{Colour, Faults, Piece, Position};

use super::Record;
use super::any::AnyPosition;
use super::cursor::{Cursor, error_at_end};
use super::end::{End, Said};
use super::error::{RecordError, RecordReason};
use super::growing::{GrowingRecords, NotesMut};
use super::names::{Recorded, Vocabulary};
use super::notice::{Notice, NoticeReason, Reading};
use super::tree::Branch;
use shogi_core::notation::Notation;
use shogi_core::plain::{AnyMove, AnyPlacement, AnySquare};
use shogi_rules::PlayError;

/// Reads the records of a text.
pub(super) type Read = fn(&str, &mut Builder<'_>) -> Result<(), RecordError>;

/// Reads one move of a line.
pub(super) type ReadMove = fn(&mut Builder<'_>, &mut Cursor<'_>) -> Result<(), RecordError>;

/// Makes an error with a reason at some place.
pub(super) type ErrorHere<'e> = &'e dyn Fn(RecordReason) -> RecordError;

/// Reads all records of a text, with notices about them.
pub(super) fn read_all<R: Recorded>(text: &str, read: Read) -> Result<Reading<R>, RecordError> {
    let mut records: Vec<Record<R>> = Vec::new();
    let vocabulary = Vocabulary::of::<R>();
    let mut builder = Builder::new(&vocabulary, &mut records);
    read(text, &mut builder)?;
    builder.finish();
    let notices = builder.notices;
    if records.is_empty() {
        return Err(error_at_end(text, RecordReason::Missing("a record")));
    }
    Ok(Reading { records, notices })
}

/// Reads the first record of a text.
pub(super) fn parse<R: Recorded>(text: &str, read: Read) -> Result<Record<R>, RecordError> {
    // There is a record, or reading has failed.
    let missing = || error_at_end(text, RecordReason::Missing("a record"));
    read_all(text, read)?.records.into_iter().next().ok_or_else(missing)
}

/// Reads one move, legal or not, in a position.
pub(super) fn read_one_move<R: Recorded>(
    position: &Position<R>,
    text: &str,
    vocabulary: &Vocabulary,
    read: ReadMove,
) -> Result<AnyMove, RecordReason> {
    let mut records = vec![Record::new(*position)];
    let mut builder = Builder::new(vocabulary, &mut records);
    builder.begun = true;
    let mut line = Cursor::new(1, text);
    read(&mut builder, &mut line).map_err(|error| error.reason)?;
    let record = &records[0];
    let illegal = record.ending().and_then(|ending| ending.illegal_move.as_ref());
    let read = record.moves().first().or(illegal).filter(|_| line.is_at_end());
    Ok(AnyMove::of(read.ok_or(RecordReason::Expected("the end of the move"))?.mv()))
}

/// The records of a text while they are read.
///
/// A move against the rules may be the foul that ended a game. So it becomes an error only when another move
/// follows.
pub(super) struct Builder<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    records: &'a mut dyn GrowingRecords,
    /// Whether the record that is being read has begun.
    begun: bool,
    /// The illegal move at the end of the line, while the record may still say more about it.
    refused: Option<Refused>,
    /// The record's words for the end of the line.
    words_of_end: String,
    /// The player whom these words mean, if the turn decides it.
    by_turn: Option<Colour>,
    /// Notices about the records.
    notices: Vec<Notice>,
    /// The number of lines before the part that is being read.
    lines_before: usize,
}

/// An illegal move that no other move has followed yet.
struct Refused {
    error: RecordError,
    /// The player who made it.
    mover: Colour,
    /// Whether a notice reports it.
    is_told: bool,
}

impl<'a> Builder<'a> {
    fn new(vocabulary: &'a Vocabulary, records: &'a mut dyn GrowingRecords) -> Self {
        Self {
            vocabulary,
            records,
            begun: false,
            refused: None,
            words_of_end: String::new(),
            by_turn: None,
            notices: Vec::new(),
            lines_before: 0,
        }
    }

    /// Whether the record that is being read has begun, so that its start is known.
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

    /// Ends the record that is being read, so that another can begin.
    pub(super) fn finish(&mut self) {
        self.end_line();
        self.records.drop_empty();
        self.begun = false;
    }

    /// Ends the line that is being read: the text says no more about it.
    fn end_line(&mut self) {
        if let Some(refused) = self.refused.take() {
            self.tell(refused);
        }
    }

    /// Treats the following text as part of a longer one, after `lines_before` lines.
    pub(super) const fn skip_lines(&mut self, lines_before: usize) {
        self.lines_before = lines_before;
    }

    /// Adds a notice about a place in the text.
    pub(super) fn notice(&mut self, here: ErrorHere, reason: NoticeReason) {
        // An error of any reason knows its place.
        self.notice_at(&here(RecordReason::UnknownLine), reason);
    }

    /// Adds a notice about the first fraction of a second in the text, which has these digits.
    pub(super) fn fraction(&mut self, digits: &str, here: ErrorHere) {
        let is_known = self.notices.iter().any(|notice| notice.reason == NoticeReason::Fraction);
        if !is_known && digits.bytes().any(|digit| digit != b'0') {
            self.notice(here, NoticeReason::Fraction);
        }
    }

    fn notice_at(&mut self, place: &RecordError, reason: NoticeReason) {
        let line = place.line + self.lines_before;
        self.notices.push(Notice { line, column: place.column, reason });
    }

    /// Reports an illegal move, unless a notice has done so.
    fn tell(&mut self, refused: Refused) {
        if !refused.is_told {
            let reason = NoticeReason::IllegalMove(refused.error.reason.clone());
            self.notice_at(&refused.error, reason);
        }
    }

    pub(super) fn set_headers(&mut self, headers: Vec<(String, String)>) {
        self.records.set_headers(headers);
    }

    /// The value of a header of the record.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.records.header(name)
    }

    /// The number of the first move of the record.
    pub(super) fn first_number(&self) -> usize {
        self.records.first_number()
    }

    /// Numbers the moves from a number other than 1.
    pub(super) fn set_first_number(&mut self, number: u32) {
        self.records.set_first_number(number);
    }

    /// The position for the next move.
    pub(super) fn position(&self, at: Cursor) -> Result<&dyn AnyPosition, RecordError> {
        self.records.last().ok_or_else(|| at.error(RecordReason::Missing("the start position")))
    }

    /// The player to move in the position for the next move.
    fn side(&self) -> Colour {
        self.records.last().map_or(Colour::Sente, AnyPosition::side)
    }

    /// The player who would move next.
    pub(super) fn to_move(&self) -> Colour {
        // The illegal move has been made, if not on the board.
        self.refused.as_ref().map_or_else(|| self.side(), |refused| !refused.mover)
    }

    /// The player who made the illegal move at the end of the line.
    pub(super) fn offender(&self) -> Option<Colour> {
        self.refused.as_ref().map(|refused| refused.mover)
    }

    /// The number of the next move or the end.
    pub(super) fn number(&self) -> usize {
        self.records.number() + usize::from(self.refused.is_some())
    }

    /// Whether nothing has been added to the record: no move, end or variation.
    pub(super) fn is_untouched(&self) -> bool {
        self.begun && self.refused.is_none() && self.records.is_untouched()
    }

    /// The target of the last move, which 同 means next.
    pub(super) fn last_target(&self) -> Option<AnySquare> {
        self.records.last_target()
    }

    /// The place of the next move.
    pub(super) fn place(&self) -> Branch {
        self.records.place()
    }

    /// Whether the record has said how the line ended.
    pub(super) fn is_ended(&self) -> bool {
        self.begun && self.refused.is_none() && self.records.is_ended()
    }

    /// Whether the line has ended with this end.
    fn has_end(&self, end: &End) -> bool {
        self.records.ended().is_some_and(|(own, _)| own == *end)
    }

    /// The winner, by the end of the line.
    pub(super) fn winner(&self) -> Option<Colour> {
        self.records.winner()
    }

    /// The piece on a square.
    pub(super) fn piece(&self, square: AnySquare) -> Option<Piece> {
        self.records.last()?.piece(square)
    }

    /// Checks that another move may follow.
    pub(super) fn check_open(&mut self, error: ErrorHere) -> Result<(), RecordError> {
        self.check_said()?;
        if self.is_ended() { Err(error(RecordReason::AfterEnd)) } else { Ok(()) }
    }

    /// Checks that the last move was legal. Formats call this in which only a word after an illegal move
    /// distinguishes the end of a game from a slip.
    pub(super) fn check_said(&mut self) -> Result<(), RecordError> {
        self.refused.take().map_or(Ok(()), |refused| Err(refused.error))
    }

    /// Adds a move of which the record gives only squares; `words` are the record's.
    pub(super) fn push_plain(
        &mut self,
        mv: AnyMove,
        words: &str,
        error: ErrorHere,
    ) -> Result<(), RecordError> {
        self.push(mv, error)?;
        if self.refused.is_some() && self.is_of_other_player(mv) {
            // It cannot be kept as a move of the player whose turn it was.
            self.refused = None;
            self.refuse(error(RecordReason::WrongSide), words)?;
        }
        Ok(())
    }

    /// Adds a move.
    pub(super) fn push(&mut self, mv: AnyMove, error: ErrorHere) -> Result<(), RecordError> {
        self.check_open(error)?;
        let mover = self.side();
        let Err(play) = self.records.push(mv) else { return Ok(()) };
        let is_illegal = matches!(play, PlayError::Illegal(_));
        let error = error(RecordReason::of_push(mv, play, self.vocabulary));
        if !is_illegal {
            return Err(error);
        }
        self.records.end_by_foul(Some(mv), mover);
        self.refused = Some(Refused { error, mover, is_told: false });
        Ok(())
    }

    /// Whether a move moves a piece of the player who is not to move.
    fn is_of_other_player(&self, mv: AnyMove) -> bool {
        let AnyMove::Board { from, .. } = mv else { return false };
        // The square may be off the board.
        let Notation { width, height, .. } = *self.vocabulary.notation;
        let is_on_board = (1..=width).contains(&from.file) && from.rank < height;
        is_on_board && self.piece(from).is_some_and(|piece| piece.colour != self.side())
    }

    /// Ends the line by a move that cannot be kept: one out of turn, or of a piece that is not there. Its words
    /// become a comment on the end. Other errors are returned.
    pub(super) fn refuse(&mut self, error: RecordError, words: &str) -> Result<(), RecordError> {
        let side = self.side();
        let (mover, reason) = match error.reason {
            RecordReason::WrongSide => (!side, NoticeReason::OutOfTurn(!side)),
            RecordReason::WrongPiece | RecordReason::NoSuchMove => {
                (side, NoticeReason::ImpossibleMove)
            }
            _ => return Err(error),
        };
        self.records.end_by_foul(None, mover);
        self.comment(words);
        self.notice_at(&error, reason);
        self.refused = Some(Refused { error, mover, is_told: true });
        Ok(())
    }

    /// Ends the line. If it has already ended, the words become a comment on that end.
    pub(super) fn end(&mut self, said: Said, words: &str, here: ErrorHere) {
        if let Some(refused) = self.refused.take() {
            self.end_after(refused, said, words);
        } else if !self.is_ended() {
            self.by_turn = said.by;
            self.records.end(said.end, said.by);
            words.trim().clone_into(&mut self.words_of_end);
        } else {
            self.comment(words);
            if !self.has_end(&said.end) {
                self.notice(here, NoticeReason::SecondEnd);
            }
        }
    }

    /// Handles a result whose cause differs from the end that the record has given before. It replaces that end
    /// if it names another winner.
    fn sum_up_otherwise(
        &mut self,
        said: Said,
        before: (End, Option<Colour>),
        words: &str,
        here: ErrorHere,
    ) {
        let winner = |end: &End, by: Option<Colour>| {
            by.map(|by| if end.is_won_by_its_player() { by } else { !by })
        };
        let named = winner(&said.end, said.by).filter(|_| said.is_named);
        let Some(named) = named.filter(|&named| winner(&before.0, before.1) != Some(named)) else {
            return self.end(said, words, here);
        };
        let words_of_end = core::mem::take(&mut self.words_of_end);
        self.comment(&words_of_end);
        self.notice(here, NoticeReason::OtherLoser(!named));
        self.records.end(said.end, said.by);
    }

    /// Ends the line after an illegal move.
    fn end_after(&mut self, refused: Refused, said: Said, words: &str) {
        let Said { end, by, is_named } = said;
        if matches!(end, End::Other(_)) && by.is_none() {
            // An unknown word does not replace the foul.
            self.tell(refused);
            return self.comment(words);
        }
        self.by_turn = by;
        // A word in the place of a move concerns the player who made the illegal move, whoever is to move.
        let by = if end == End::Foul && !is_named { Some(refused.mover) } else { by };
        if (&end, by) != (&End::Foul, Some(refused.mover)) {
            self.tell(refused);
        }
        self.records.end(end, by);
        words.trim().clone_into(&mut self.words_of_end);
    }

    /// Ends the line by the result with which the record sums it up. A `bare` result only names the winner and
    /// refers to the end that the record has given before.
    pub(super) fn sum_up(&mut self, said: Said, bare: bool, words: &str, here: ErrorHere) {
        if self.refused.as_ref().is_some_and(|refused| bare && said.by == Some(refused.mover)) {
            return self.end(Said { end: End::Foul, ..said }, words, here);
        }
        if !self.is_ended() {
            return self.end(said, words, here);
        }
        let is_same = bare || self.has_end(&said.end);
        let Some((end, by)) = self.records.ended() else { return };
        if !is_same {
            return self.sum_up_otherwise(said, (end, by), words, here);
        }
        // A result without a name adds nothing to the turn.
        let Some(loser) = said.by.filter(|_| said.is_named) else { return };
        // The player who declared wins by a declaration.
        let named = if end.is_won_by_its_player() && bare { !loser } else { loser };
        if by == Some(named) {
            return;
        }
        let words_of_end = core::mem::take(&mut self.words_of_end);
        if !end.leaves_player_open() {
            // After an illegal move, a word may concern either player.
            if self.by_turn != Some(named) {
                self.comment(&words_of_end);
            }
            self.notice(here, NoticeReason::OtherLoser(loser));
        }
        self.records.end(end, Some(named));
    }

    /// Ends the line by an illegal move; [`Builder::end_as`] adds details.
    pub(super) fn end_by_foul(&mut self, mv: AnyMove) {
        let mover = self.side();
        self.records.end_by_foul(Some(mv), mover);
    }

    /// The comments, bookmarks and time of the illegal move that ended the line.
    pub(super) fn latest_of_illegal_move(&mut self) -> Option<NotesMut<'_>> {
        self.records.latest(true)
    }

    /// Ends the line by this end, replacing any other.
    pub(super) fn end_as(&mut self, said: Said) {
        match self.refused.take() {
            Some(refused) => self.end_after(refused, said, ""),
            None => self.records.end(said.end, said.by),
        }
    }

    /// Leaves kings in hand out of the start; each comes with the error to return if both kings are on the
    /// board.
    pub(super) fn leave_out_kings(
        &mut self,
        start: &AnyPlacement,
        kings: Vec<RecordError>,
    ) -> Result<(), RecordError> {
        let vocabulary = self.vocabulary;
        let royal = vocabulary.notation.kinds().filter(|&kind| vocabulary.stays_on_board(kind));
        let has_both = royal.map(|kind| start.on_board(kind)).sum::<usize>() >= 2;
        for king in kings {
            if has_both {
                return Err(king);
            }
            self.notice_at(&king, NoticeReason::KingInHand);
        }
        Ok(())
    }

    /// Keeps words without another place as a comment on the last move or end.
    pub(super) fn comment(&mut self, words: &str) {
        let Some(notes) = self.latest() else { return };
        let words = words.trim();
        // Reading a written record back must not add the comment twice.
        if !words.is_empty() && !notes.comments.iter().any(|comment| comment == words) {
            notes.comments.push(words.into());
        }
    }

    /// Keeps a line that the format does not know as a comment on the last move or end.
    pub(super) fn free_text(&mut self, line: Cursor) {
        self.comment(line.rest());
        self.notice(&|reason| line.error(reason), NoticeReason::FreeText);
    }

    /// The comments, bookmarks and time of the last move or end.
    pub(super) fn latest(&mut self) -> Option<NotesMut<'_>> {
        self.records.latest(self.refused.is_some())
    }

    /// Begins a variation at a place.
    pub(super) fn branch(&mut self, branch: Branch) {
        self.end_line();
        self.records.branch(branch);
    }

    /// Begins a variation with the move of this number.
    pub(super) fn branch_at(&mut self, number: usize, at: Cursor) -> Result<(), RecordError> {
        self.end_line();
        let first = self.records.first_number();
        let before = number.checked_sub(first);
        let found = before.is_some_and(|before| self.records.branch_behind(before));
        if found { Ok(()) } else { Err(at.error(RecordReason::NoSuchPlace)) }
    }
}
