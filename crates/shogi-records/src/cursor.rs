//! Reading a text line by line and character by character, keeping track of the place.

use super::error::{RecordError, RecordReason};

/// A place in one line of the text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    line: usize,
    whole: &'a str,
    /// The number of bytes read so far.
    read: usize,
    /// The end, in bytes, of the statement being read.
    end: usize,
}

/// Cursors at the starts of the lines of a text, which may begin with a byte order mark.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Cursor<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(split_lines(text)).map(|(line, whole)| Cursor::new(line, whole))
}

/// The lines of a text, however they end: with LF, CR or both.
pub(super) fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let line = &rest[..rest.find(['\r', '\n']).unwrap_or(rest.len())];
        let behind = &rest[line.len()..];
        let is_last = rest.is_empty();
        let end = ["\r\n", "\r", "\n"].into_iter().find(|end| behind.starts_with(end));
        rest = end.map_or(behind, |end| &behind[end.len()..]);
        (!is_last).then_some(line)
    })
}

/// An error after the last line of the text.
pub(super) fn error_at_end(text: &str, reason: RecordReason) -> RecordError {
    RecordError { line: split_lines(text).count() + 1, column: 1, reason }
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(line: usize, whole: &'a str) -> Self {
        Self { line, whole, read: 0, end: whole.len() }
    }

    /// The rest of the statement.
    pub(super) fn rest(&self) -> &'a str {
        &self.whole[self.read..self.end]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.read == self.end
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.read += next.len_utf8();
        Some(next)
    }

    /// Reads `word` if it comes next.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.read += word.len();
        }
        found
    }

    /// Reads the next character if it is one of these.
    pub(super) fn eat_one_of(&mut self, characters: &[char]) -> Option<char> {
        self.peek().filter(|next| characters.contains(next))?;
        self.next()
    }

    /// Reads spaces, full-width ones too.
    pub(super) fn skip_spaces(&mut self) {
        self.read = self.end - self.rest().trim_start().len();
    }

    /// Skips the rest.
    pub(super) const fn skip_all(&mut self) {
        self.read = self.end;
    }

    /// The text between this place and a later one on the same line.
    pub(super) fn before(&self, later: Self) -> &'a str {
        &self.whole[self.read..later.read.max(self.read)]
    }

    /// Reads up to the next of these characters, or all.
    pub(super) fn until(&mut self, characters: &[char]) -> &'a str {
        let rest = self.rest();
        let text = &rest[..rest.find(characters).unwrap_or(rest.len())];
        self.read += text.len();
        text
    }

    /// Reads ASCII digits; `None` if there are none or too many.
    pub(super) fn number(&mut self) -> Option<u32> {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[..length].parse().ok()?;
        self.read += length;
        Some(number)
    }

    /// The statements of a line, separated by commas; a comment begins with an apostrophe and extends to
    /// the end of the line.
    pub(super) fn statements(self) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        core::iter::from_fn(move || {
            let mut statement = rest?;
            statement.skip_spaces();
            let text = statement.rest();
            let is_comment = text.starts_with('\'');
            let comma = text.find(',').filter(|_| !is_comment);
            let end = statement.read + comma.unwrap_or(text.len());
            rest = comma.map(|_| Self { read: end + 1, ..statement });
            Some(Self { end, ..statement })
        })
    }

    /// An error at the next character.
    pub(super) fn error(&self, reason: RecordReason) -> RecordError {
        let column = self.whole[..self.read].chars().count() + 1;
        RecordError { line: self.line, column, reason }
    }

    /// An error that says what was expected here.
    pub(super) fn expected(&self, what: &'static str) -> RecordError {
        self.error(RecordReason::Expected(what))
    }

    /// An error `characters` characters after the next one.
    pub(super) fn error_after(&self, characters: usize, reason: RecordReason) -> RecordError {
        let error = self.error(reason);
        RecordError { column: error.column + characters, ..error }
    }
}
