//! Board diagrams and hands, as KIF and KI2 draw them.

use alloc::string::String;

use shogi_core::{Colour, Geometry, Hand, Kind, Piece, Placement, Role, Square};

use super::cursor::Cursor;
use super::error::{RecordError, RecordReason};
use super::names::{
    Recorded, in_hand, kanji_digit, mark_of, read_face, read_kanji, wide_digit, write_kanji,
};

const EMPTY: char = '・';

/// Writes hands, board and, if it is Gote, the side to move.
pub(super) fn write<R: Recorded>(placement: &Placement<R>, out: &mut String) {
    let (width, height) = (R::Geometry::WIDTH, R::Geometry::HEIGHT);
    write_hand(placement, Colour::Gote, out);
    out.push(' ');
    for file in (1..=width).rev() {
        out.push(' ');
        out.push(wide_digit(file));
    }
    let line = || core::iter::repeat_n("---", width.into());
    out.push_str("\n+");
    out.extend(line());
    out.push_str("+\n");
    for rank in 0..height {
        out.push('|');
        for column in 0..width {
            let piece = Square::new(column, rank).and_then(|square| placement.piece(square));
            match piece {
                None => out.extend([' ', EMPTY]),
                Some(Piece { face, colour }) => {
                    out.push(if colour == Colour::Sente { ' ' } else { 'v' });
                    out.push(mark_of::<R>(face));
                }
            }
        }
        out.extend(['|', kanji_digit(rank + 1), '\n']);
    }
    out.push('+');
    out.extend(line());
    out.push_str("+\n");
    write_hand(placement, Colour::Sente, out);
    if placement.side() == Colour::Gote {
        out.push_str("後手番\n");
    }
}

fn write_hand<R: Recorded>(placement: &Placement<R>, colour: Colour, out: &mut String) {
    let hand = placement.hand(colour);
    out.push_str(if colour == Colour::Sente { "先手の持駒：" } else { "後手の持駒：" });
    if hand.is_empty() {
        out.push_str("なし");
    }
    for kind in Kind::all::<R>().rev().filter(|&kind| hand.has(kind)) {
        out.push(mark_of::<R>(in_hand::<R>(kind)));
        if hand.count(kind) > 1 {
            write_kanji(hand.count(kind), out);
        }
        out.push('　');
    }
    out.push('\n');
}

/// Reads a rank of the board, behind its first bar.
pub(super) fn read_rank<R: Recorded>(
    cursor: &mut Cursor,
    rank: u8,
    placement: &mut Placement<R>,
) -> Result<(), RecordError> {
    for column in 0..R::Geometry::WIDTH {
        let square = Square::new(column, rank);
        let square = square.ok_or_else(|| cursor.error(RecordReason::OffBoard))?;
        let colour = match cursor.eat_one_of(&[' ', '　', 'v', 'ｖ']) {
            Some('v' | 'ｖ') => Colour::Gote,
            Some(_) => Colour::Sente,
            None => return Err(cursor.expected("a space or v before each square")),
        };
        if cursor.eat_one_of(&[EMPTY, '.', '．', '･']).is_none() {
            let face = read_face::<R>(cursor)?;
            placement.put(square, Piece { face, colour });
        }
    }
    if cursor.eat("|") { Ok(()) } else { Err(cursor.expected("a bar after the last square")) }
}

/// Reads the pieces in a hand: なし, or pieces with their numbers.
pub(super) fn read_hand<R: Recorded>(cursor: &mut Cursor) -> Result<Hand, RecordError> {
    let mut hand = Hand::EMPTY;
    cursor.skip_spaces();
    if cursor.eat("なし") {
        cursor.skip_spaces();
    }
    while !cursor.is_at_end() {
        let piece = *cursor;
        let kind = read_face::<R>(cursor)?.kind;
        if kind.spec::<R>().role == Role::Royal && R::ROYAL_SAFETY {
            return Err(piece.error(RecordReason::NotInHand));
        }
        let number = *cursor;
        let count = read_kanji(cursor);
        let total = hand.count(kind).saturating_add(count);
        if total > Hand::capacity(kind) {
            return Err(number.error(RecordReason::TooLarge));
        }
        hand.set(kind, total);
        cursor.skip_spaces();
    }
    Ok(hand)
}
