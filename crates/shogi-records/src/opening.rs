//! The lines of KIF and KI2 before the moves, and the start that they give.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::Colour;

use super::board;
use super::builder::{Builder, ErrorHere};
use super::cursor::Cursor;
use super::error::{RecordError, RecordReason};
use super::growing::NotesMut;
use super::kakinoki::{COLONS, GOTE, HAND, OTHER, ROTATED, SENTE, TITLE};
use super::names::Vocabulary;
use shogi_core::plain::AnyPlacement;
use shogi_core::sfen;

/// The endings of names of handicaps.
const HANDICAP: [&str; 2] = ["落ち", "落"];
const TO_MOVE: &str = "番";

/// The kinds of lines before the moves, in the order of writing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Title,
    Diagram,
    Header,
    /// Comments and bookmarks, and the line before them.
    Notes,
}

/// The lines before the moves, as far as they have been read.
pub(super) struct Opening<'v> {
    vocabulary: &'v Vocabulary,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    bookmarks: Vec<String>,
    /// The start that 手合割 names, or why there is none, and the words of the line.
    title: Option<(Result<AnyPlacement, RecordError>, String)>,
    /// The board and the hands as drawn.
    pub(super) drawn: AnyPlacement,
    /// Kings listed in hands.
    kings: Vec<RecordError>,
    /// The number of ranks drawn so far.
    pub(super) ranks: u8,
    side: Option<Colour>,
    /// The player of the first move, if the text shows it.
    pub(super) first_mover: Option<Colour>,
    /// The kind of each line so far.
    pub(super) parts: Vec<Part>,
    /// Whether the moves have begun.
    pub(super) is_closed: bool,
}

impl<'v> Opening<'v> {
    pub(super) fn new(vocabulary: &'v Vocabulary) -> Self {
        Self {
            vocabulary,
            headers: Vec::new(),
            comments: Vec::new(),
            bookmarks: Vec::new(),
            title: None,
            drawn: vocabulary.notation.empty(),
            kings: Vec::new(),
            ranks: 0,
            side: None,
            first_mover: None,
            parts: Vec::new(),
            is_closed: false,
        }
    }

    /// The place for comments and bookmarks: the last move or end, or, before the moves, the record.
    pub(super) fn notes<'n>(&'n mut self, builder: &'n mut Builder) -> NotesMut<'n> {
        if self.is_closed
            && let Some(notes) = builder.latest()
        {
            return notes;
        }
        self.parts.push(Part::Notes);
        NotesMut { comments: &mut self.comments, bookmarks: &mut self.bookmarks, seconds: None }
    }

    /// Whether this line begins another game.
    pub(super) fn is_followed_by(&self, line: Cursor) -> Result<bool, RecordError> {
        let behind = line.rest().strip_prefix(TITLE).map(str::trim_start);
        let is_title = behind.is_some_and(|behind| behind.starts_with(COLONS));
        if !is_title || !(self.is_closed || self.title.is_some()) {
            return Ok(false);
        }
        let is_named =
            matches!(self.title, Some((Ok(_), _))) && !self.vocabulary.handicaps.is_empty();
        let is_drawn_too = is_named && self.parts.contains(&Part::Diagram);
        let is_in_order = self.parts.first() == Some(&Part::Title) && self.parts.is_sorted();
        if self.is_closed || (is_in_order && !is_drawn_too) {
            Ok(true)
        } else {
            Err(line.error(RecordReason::UnclearBeginning))
        }
    }

    /// Reads a line that is neither a move nor a comment.
    pub(super) fn read(&mut self, line: Cursor) -> Result<(), RecordError> {
        let part = self.read_part(line)?;
        self.parts.push(part);
        Ok(())
    }

    fn read_part(&mut self, mut line: Cursor) -> Result<Part, RecordError> {
        let rest = line.rest().trim_end();
        let is_frame =
            rest.starts_with("+-") || rest.chars().all(|c| c.is_whitespace() || is_wide(c));
        if is_frame {
            return Ok(Part::Diagram);
        }
        if line.eat("|") {
            if self.ranks >= self.vocabulary.notation.height {
                return Err(line.error(RecordReason::OffBoard));
            }
            board::read_rank(&mut line, self.ranks, self.vocabulary, &mut self.drawn)?;
            self.ranks += 1;
            return Ok(Part::Diagram);
        }
        for (colour, names) in [(Colour::Sente, SENTE), (Colour::Gote, GOTE)] {
            if names.iter().any(|name| rest.strip_prefix(name) == Some(TO_MOVE)) {
                self.side = Some(colour);
                return Ok(Part::Diagram);
            }
        }
        if rest == ROTATED {
            self.headers.push((ROTATED.into(), String::new()));
            return Ok(Part::Header);
        }
        let start = line;
        let key = line.until(&COLONS).trim_end();
        if line.next().is_none() || key.is_empty() {
            return Err(start.error(RecordReason::UnknownLine));
        }
        line.skip_spaces();
        if key == TITLE {
            let words = line.rest().trim_end().to_owned();
            self.title = Some((title(line, self.vocabulary), words));
            return Ok(Part::Title);
        }
        for (colour, names) in [(Colour::Sente, SENTE), (Colour::Gote, GOTE)] {
            if names.iter().any(|name| key.strip_prefix(name) == Some(HAND)) {
                self.drawn.hands[colour.index()] =
                    board::read_hand(&mut line, self.vocabulary, &mut self.kings)?;
                return Ok(Part::Diagram);
            }
        }
        self.headers.push((key.into(), line.rest().trim_end().into()));
        Ok(Part::Header)
    }

    /// Begins the record with the lines read so far, unless that has been done.
    pub(super) fn close(
        &mut self,
        builder: &mut Builder,
        error: ErrorHere,
    ) -> Result<(), RecordError> {
        if self.is_closed {
            return Ok(());
        }
        let start = self.start(error)?;
        builder.leave_out_kings(&start, core::mem::take(&mut self.kings))?;
        builder.begin(&start).map_err(|faults| error(RecordReason::Start(faults)))?;
        builder.set_headers(core::mem::take(&mut self.headers));
        if let Some(notes) = builder.latest() {
            *notes.comments = core::mem::take(&mut self.comments);
            *notes.bookmarks = core::mem::take(&mut self.bookmarks);
        }
        self.is_closed = true;
        Ok(())
    }

    /// The side to move of a drawn board.
    fn side_of_drawn(&self) -> Colour {
        let by_name = match &self.title {
            // The board is that of the named start, which decides who begins.
            Some((Ok(start), _)) if is_same_board(start, &self.drawn) => {
                return self.side.unwrap_or(start.side);
            }
            Some((Ok(start), _)) => start.side,
            Some((Err(_), words)) if HANDICAP.iter().any(|end| words.ends_with(end)) => {
                Colour::Gote
            }
            _ => Colour::Sente,
        };
        self.side.or(self.first_mover).unwrap_or(by_name)
    }

    /// The start position.
    fn start(&mut self, error: ErrorHere) -> Result<AnyPlacement, RecordError> {
        if self.ranks > 0 {
            if self.ranks < self.vocabulary.notation.height {
                return Err(error(RecordReason::Missing("a rank of the board diagram")));
            }
            self.drawn.side = self.side_of_drawn();
            // Another title of the start, such as 詰将棋, describes it and is kept.
            if let Some((Err(_), words)) = self.title.take().filter(|(_, words)| words != OTHER) {
                self.headers.insert(0, (TITLE.into(), words));
            }
            return Ok(self.drawn.clone());
        }
        if !self.drawn.hands.iter().all(|hand| hand.is_empty()) {
            return Err(error(RecordReason::Missing("the board diagram")));
        }
        match self.title.take() {
            Some((named, _)) => named,
            None => {
                let own = sfen::read(self.vocabulary.start, self.vocabulary.notation);
                Ok(own.map_err(|e| error(RecordReason::Sfen(e.reason)))?.0)
            }
        }
    }
}

/// Whether two placements are equal except for the side to move.
fn is_same_board(one: &AnyPlacement, other: &AnyPlacement) -> bool {
    one.squares == other.squares && one.hands == other.hands
}

const fn is_wide(character: char) -> bool {
    matches!(character, '１'..='９')
}

/// The start that 手合割 names.
fn title(line: Cursor, vocabulary: &Vocabulary) -> Result<AnyPlacement, RecordError> {
    let title = line.rest().trim_end();
    if title == OTHER {
        return Err(line.error(RecordReason::Missing("the board diagram")));
    }
    // Some programs leave the last kana out.
    let named = |name: &str| name == title || name.strip_suffix('ち') == Some(title);
    let handicap = vocabulary.handicaps.iter().find(|(name, _)| named(name));
    let own = || vocabulary.titles.contains(&title).then_some(vocabulary.start);
    let text = handicap.map(|&(_, sfen)| sfen).or_else(own);
    let text = text.ok_or_else(|| line.error(RecordReason::UnknownStart(title.into())))?;
    let read = sfen::read(text, vocabulary.notation);
    Ok(read.map_err(|error| line.error(RecordReason::Sfen(error.reason)))?.0)
}
