//! The start position in the text of a variant, which also gives the size of its board.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, KindSpec};

use super::definition::is_royal;
use super::error::TextReason;

/// The smallest and the largest number of ranks of a board.
const RANKS: core::ops::RangeInclusive<usize> = 3..=15;
/// The largest number of squares of a board.
const MAX_SQUARES: usize = 128;

/// A piece on a square: the index of its kind, whether its back is up, and its owner.
pub(super) type Standing = (usize, bool, Colour);

/// The pieces of a variant and their letters.
#[derive(Clone, Copy)]
pub(super) struct Pieces<'a> {
    pub(super) kinds: &'a [KindSpec],
    /// Letters for single faces.
    pub(super) letters: &'a [(char, Face)],
}

impl Pieces<'_> {
    /// The piece that a letter stands for.
    fn find(self, letter: char) -> Result<Standing, TextReason> {
        let upper = letter.to_ascii_uppercase();
        let colour = if letter.is_ascii_uppercase() { Colour::Sente } else { Colour::Gote };
        let front = self.kinds.iter().position(|kind| kind.letter == upper);
        let named = || self.letters.iter().find(|(name, _)| *name == upper);
        let found = front
            .map(|kind| (kind, false))
            .or_else(|| named().map(|(_, face)| (face.kind.index(), face.promoted)));
        let (kind, promoted) = found.ok_or_else(|| {
            bad_start(format!(
                "no piece has the letter {letter:?}; write it in [pieces], or another letter here"
            ))
        })?;
        Ok((kind, promoted, colour))
    }

    /// No pieces in either hand.
    fn no_hands(self) -> [Vec<usize>; 2] {
        [vec![0; self.kinds.len()], vec![0; self.kinds.len()]]
    }
}

/// A start position.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The squares rank by rank from the top, each from the left.
    pub(super) squares: Vec<Option<Standing>>,
    /// The number of pieces by player, then by kind.
    pub(super) hands: [Vec<usize>; 2],
    pub(super) side: Colour,
}

impl Start {
    /// Reads an SFEN for these pieces.
    pub(super) fn parse(text: &str, pieces: Pieces<'_>) -> Result<Self, TextReason> {
        let mut fields = text.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let (width, height, squares) = read_board(board, pieces)?;
        let side = match fields.next() {
            Some("b") => Colour::Sente,
            Some("w") => Colour::Gote,
            _ => {
                return Err(bad_start(
                    "write b (Sente) or w (Gote) to move behind the board".into(),
                ));
            }
        };
        let hands = match fields.next() {
            Some("-") => pieces.no_hands(),
            Some(hands) => read_hands(hands, pieces)?,
            None => {
                return Err(bad_start(
                    "write the pieces in hand behind the side to move, - for none".into(),
                ));
            }
        };
        match fields.next() {
            None | Some("1") => {}
            Some(number) => {
                return Err(bad_start(format!("the move number must be 1, not {number}")));
            }
        }
        match fields.next() {
            None => Ok(Self { width, height, squares, hands, side }),
            Some(more) => Err(bad_start(format!("nothing may follow the move number, not {more}"))),
        }
    }

    /// The squares with pieces: the column from the left, the rank from the top, and the piece.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (usize, usize, Standing)> {
        let width = self.width;
        let squares = self.squares.iter().enumerate();
        squares.filter_map(move |(i, piece)| Some((i % width, i / width, (*piece)?)))
    }

    /// The piece on a square of the board.
    pub(super) fn at(&self, column: usize, rank: usize) -> Option<Standing> {
        self.squares[rank * self.width + column]
    }

    /// The number of pieces of a kind, on the board and in hand.
    pub(super) fn count(&self, kind: usize) -> usize {
        let on_board = self.pieces().filter(|(_, _, piece)| piece.0 == kind).count();
        on_board + self.hands[0][kind] + self.hands[1][kind]
    }
}

const fn bad_start(reason: String) -> TextReason {
    TextReason::Start(reason)
}

/// Reads the ranks of a board: its width, its height and its squares.
fn read_board(
    text: &str,
    pieces: Pieces<'_>,
) -> Result<(usize, usize, Vec<Option<Standing>>), TextReason> {
    let mut squares = Vec::new();
    let (mut width, mut height) = (0, 0);
    for rank in text.split('/') {
        let before = squares.len();
        read_rank(rank, pieces, &mut squares)?;
        let found = squares.len() - before;
        height += 1;
        if height == 1 {
            width = found;
        }
        if found != width {
            let reason =
                format!("rank {height} ({rank:?}) has {found} squares; the first has {width}");
            return Err(bad_start(reason));
        }
        if !(1..=MAX_SQUARES).contains(&squares.len()) || height > *RANKS.end() {
            return Err(TextReason::Board { width, height, most: MAX_SQUARES });
        }
    }
    match RANKS.contains(&height) {
        true => Ok((width, height, squares)),
        false => Err(TextReason::Board { width, height, most: MAX_SQUARES }),
    }
}

fn read_rank(
    text: &str,
    pieces: Pieces<'_>,
    squares: &mut Vec<Option<Standing>>,
) -> Result<(), TextReason> {
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if next.is_ascii_digit() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let run = rest[..digits].parse().ok().filter(|run| (1..=MAX_SQUARES).contains(run));
            let run = run.ok_or_else(|| {
                bad_start(format!("{} is no number of empty squares", &rest[..digits]))
            })?;
            squares.resize(squares.len() + run, None);
            rest = &rest[digits..];
            if squares.len() > 2 * MAX_SQUARES {
                return Err(TextReason::Board {
                    width: squares.len(),
                    height: 1,
                    most: MAX_SQUARES,
                });
            }
            continue;
        }
        let plus = next == '+';
        let mut chars = rest.chars();
        let letter = if plus { chars.nth(1) } else { chars.next() };
        rest = chars.as_str();
        let letter = letter.ok_or_else(|| bad_start("a + stands before no piece".into()))?;
        let (kind, promoted, colour) = pieces.find(letter)?;
        if plus && (promoted || pieces.kinds[kind].back.is_none()) {
            return Err(bad_start(format!(
                "+{letter}: this piece has no back; write back = \"...\" for it"
            )));
        }
        squares.push(Some((kind, promoted || plus, colour)));
    }
    Ok(())
}

fn read_hands(text: &str, pieces: Pieces<'_>) -> Result<[Vec<usize>; 2], TextReason> {
    let mut hands = pieces.no_hands();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let count = match &rest[..digits] {
            "" => 1,
            digits => digits
                .parse()
                .ok()
                .filter(|count| (1..=MAX_SQUARES).contains(count))
                .ok_or_else(|| bad_start(format!("{digits} is no number of pieces in hand")))?,
        };
        let letter = rest[digits..].chars().next();
        let letter = letter
            .ok_or_else(|| bad_start("a number in the hands stands before no piece".into()))?;
        let (kind, _, colour) = pieces.find(letter)?;
        let held = &mut hands[colour.index()][kind];
        if *held > 0 {
            return Err(bad_start(format!("{letter} is in the hands twice")));
        }
        if is_royal(&pieces.kinds[kind]) {
            return Err(bad_start(format!("{letter} is royal and cannot be in hand")));
        }
        *held = count;
        rest = &rest[digits + letter.len_utf8()..];
    }
    Ok(hands)
}
