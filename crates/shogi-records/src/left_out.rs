//! The parts of a record that a format cannot hold.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::AddAssign;

use shogi_core::Colour;

use super::Format;
use super::any::{AnyEnding, AnyPosition, AnyRecord, Notes};
use super::names::Vocabulary;
use super::{csa_write, jkf, kakinoki, ki2, kif, summary};
use shogi_core::plain::AnyMove;

/// The number of parts of records that a format cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct LeftOut {
    /// Headers, including those that would be read back as something else.
    pub headers: usize,
    /// Variations.
    pub variations: usize,
    /// Comments.
    pub comments: usize,
    /// Times.
    pub times: usize,
    /// Bookmarks.
    pub bookmarks: usize,
    /// Illegal moves that ended games.
    pub illegal_moves: usize,
    /// Ends, including those for which the format has no word.
    pub ends: usize,
    /// Numbers of first moves other than 1.
    pub numbers: usize,
}

impl LeftOut {
    /// Whether the format holds the whole record.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// A sentence, without a full stop, that counts the parts left out; `None` if there are none.
    pub fn sentence(&self, format: Format) -> Option<String> {
        let counts = [
            (self.variations, "variation"),
            (self.times, "time"),
            (self.comments, "comment"),
            (self.bookmarks, "bookmark"),
            (self.headers, "header"),
            (self.illegal_moves, "illegal move"),
            (self.ends, "end"),
            (self.numbers, "move number"),
        ];
        let mut parts = Vec::new();
        let mut total = 0;
        for (count, name) in counts.into_iter().filter(|(count, _)| *count > 0) {
            parts.push(format!("{count} {name}{}", if count == 1 { "" } else { "s" }));
            total += count;
        }
        let last = parts.pop()?;
        let list = if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) };
        let verb = if total == 1 { "is" } else { "are" };
        let why = if self.lacks_kinds_only(format) { "has none" } else { "cannot hold that" };
        let name = format.name().to_uppercase();
        Some(format!("{list} {verb} not written: {name} {why}"))
    }

    /// Whether everything left out is of a kind that the format cannot hold at all.
    fn lacks_kinds_only(&self, format: Format) -> bool {
        let held = Held::by(format);
        (self.headers == 0 || !held.headers)
            && self.illegal_moves == 0
            && (self.numbers == 0 || !held.numbers)
            && (self.ends == 0 || !held.ends)
    }

    fn add(&mut self, notes: Notes, held: Held) {
        self.comments += if held.comments { 0 } else { notes.comments.len() };
        self.bookmarks += if held.bookmarks { 0 } else { notes.bookmarks.len() };
        self.times += usize::from(!held.times && notes.seconds.is_some());
    }
}

impl AddAssign for LeftOut {
    fn add_assign(&mut self, other: Self) {
        self.headers += other.headers;
        self.variations += other.variations;
        self.comments += other.comments;
        self.times += other.times;
        self.bookmarks += other.bookmarks;
        self.illegal_moves += other.illegal_moves;
        self.ends += other.ends;
        self.numbers += other.numbers;
    }
}

/// The kinds of parts that a format can hold.
#[derive(Clone, Copy)]
struct Held {
    headers: bool,
    variations: bool,
    comments: bool,
    times: bool,
    bookmarks: bool,
    ends: bool,
    numbers: bool,
}

impl Held {
    const fn by(format: Format) -> Self {
        let all = Self {
            headers: true,
            variations: true,
            comments: true,
            times: true,
            bookmarks: true,
            ends: true,
            numbers: true,
        };
        match format {
            Format::Kif | Format::Json => all,
            Format::Jkf => Self { numbers: false, ..all },
            Format::Ki2 => Self { times: false, numbers: false, ..all },
            Format::Csa => Self { variations: false, bookmarks: false, numbers: false, ..all },
            Format::Usi => Self {
                headers: false,
                variations: false,
                comments: false,
                times: false,
                bookmarks: false,
                ends: false,
                numbers: true,
            },
        }
    }
}

/// Counts the parts of a record that a format cannot hold.
pub(super) fn left_out(record: &dyn AnyRecord, vocabulary: &Vocabulary, format: Format) -> LeftOut {
    let held = Held::by(format);
    let mut left_out =
        LeftOut { headers: headers(record, vocabulary, format), ..Default::default() };
    left_out.add(record.notes(), held);
    let written = match format {
        Format::Kif => kif::first_number(record),
        _ if held.numbers => record.first_number() as usize,
        _ => 1,
    };
    left_out.numbers += usize::from(written != record.first_number() as usize);
    for number in record.order() {
        if number > 0 && !held.variations {
            // The contents of a variation are lost with it.
            left_out.variations += 1;
            continue;
        }
        record.for_each_move(number, &mut |_, _, notes| left_out.add(notes, held));
        add_ending(record, number, vocabulary, format, &mut left_out);
    }
    left_out
}

fn add_ending(
    record: &dyn AnyRecord,
    number: usize,
    vocabulary: &Vocabulary,
    format: Format,
    left_out: &mut LeftOut,
) {
    let Some(ending) = record.ending(number) else { return };
    let held = Held::by(format);
    if let Some((mv, notes)) = ending.illegal_move {
        if holds_illegal_move(record.last(number), mv, vocabulary, format) {
            left_out.add(notes, held);
        } else {
            left_out.illegal_moves += 1;
        }
    }
    if holds_end(record, number, &ending, format) {
        let AnyEnding { end, by, .. } = ending;
        let has_time =
            format != Format::Kif || kif::has_end_line(end, by, to_move(record, number, &ending));
        left_out.add(ending.notes, Held { times: held.times && has_time, ..held });
    } else {
        left_out.ends += 1;
    }
}

/// Whether a format can write something of a line: not of a variation that has only an end which the format
/// cannot hold.
pub(super) fn holds_line(
    record: &dyn AnyRecord,
    number: usize,
    vocabulary: &Vocabulary,
    format: Format,
) -> bool {
    let line = record.line(number);
    if line.branch.is_none() || line.len > 0 {
        return true;
    }
    let Some(ending) = record.ending(number) else { return false };
    let illegal = ending
        .illegal_move
        .is_some_and(|(mv, _)| holds_illegal_move(record.last(number), mv, vocabulary, format));
    illegal || holds_end(record, number, &ending, format)
}

fn holds_illegal_move(
    position: &dyn AnyPosition,
    mv: AnyMove,
    vocabulary: &Vocabulary,
    format: Format,
) -> bool {
    match format {
        Format::Json => true,
        Format::Usi => false,
        Format::Ki2 => ki2::has_words(position, mv, vocabulary),
        Format::Kif | Format::Csa | Format::Jkf => kakinoki::is_named(position, mv),
    }
}

/// The player who would move next after a line.
fn to_move(record: &dyn AnyRecord, number: usize, ending: &AnyEnding) -> Colour {
    let side = record.last(number).side();
    if ending.illegal_move.is_some() { !side } else { side }
}

fn holds_end(record: &dyn AnyRecord, number: usize, ending: &AnyEnding, format: Format) -> bool {
    let AnyEnding { end, by, .. } = *ending;
    let to_move = to_move(record, number, ending);
    match format {
        Format::Json => true,
        Format::Usi => false,
        Format::Jkf => end.is_told_by_turn(by, to_move),
        Format::Kif => kif::holds_end(end, by, to_move, number == 0),
        Format::Ki2 => summary::can_hold(end, by, to_move),
        Format::Csa => end.csa(by, to_move).is_some(),
    }
}

/// The number of headers left out.
fn headers(record: &dyn AnyRecord, vocabulary: &Vocabulary, format: Format) -> usize {
    let all = record.headers();
    match format {
        Format::Json => 0,
        Format::Usi => all.len(),
        Format::Jkf => all.len() - jkf::headers(record).len(),
        Format::Csa => all.iter().filter(|header| !csa_write::is_header(header)).count(),
        Format::Kif | Format::Ki2 => kakinoki::headers_left_out(record, vocabulary),
    }
}
