//! Board diagrams and hands, as KIF and KI2 draw them.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Hand, Piece};

use super::cursor::Cursor;
use super::error::{RecordError, RecordReason};
use super::names::{Vocabulary, kanji_digit, read_count, wide_digit, write_kanji};
use shogi_core::notation::Notation;
use shogi_core::plain::{AnyPlacement, AnySquare};

const EMPTY: char = '・';

/// Writes the hands, the board and, if Gote is to move, the side to move.
pub(super) fn write(placement: &AnyPlacement, vocabulary: &Vocabulary, out: &mut String) {
    let Notation { width, height, .. } = *vocabulary.notation;
    write_hand(placement, Colour::Gote, vocabulary, out);
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
        for file in (1..=width).rev() {
            match placement.piece(AnySquare { file, rank }) {
                None => out.extend([' ', EMPTY]),
                Some(Piece { face, colour }) => {
                    out.push(if colour == Colour::Sente { ' ' } else { 'v' });
                    out.push(vocabulary.mark_of(face));
                }
            }
        }
        out.extend(['|', kanji_digit(rank + 1), '\n']);
    }
    out.push('+');
    out.extend(line());
    out.push_str("+\n");
    write_hand(placement, Colour::Sente, vocabulary, out);
    if placement.side == Colour::Gote {
        out.push_str("後手番\n");
    }
}

fn write_hand(placement: &AnyPlacement, colour: Colour, vocabulary: &Vocabulary, out: &mut String) {
    let hand = placement.hands[colour.index()];
    out.push_str(if colour == Colour::Sente { "先手の持駒：" } else { "後手の持駒：" });
    if hand.is_empty() {
        out.push_str("なし");
    }
    for kind in vocabulary.notation.kinds().rev().filter(|&kind| hand.has(kind)) {
        out.push(vocabulary.mark_of(vocabulary.in_hand(kind)));
        if hand.count(kind) > 1 {
            write_kanji(hand.count(kind), out);
        }
        out.push('　');
    }
    out.push('\n');
}

/// Reads a rank of the board after its first bar.
pub(super) fn read_rank(
    cursor: &mut Cursor,
    rank: u8,
    vocabulary: &Vocabulary,
    placement: &mut AnyPlacement,
) -> Result<(), RecordError> {
    for file in (1..=vocabulary.notation.width).rev() {
        let colour = match cursor.eat_one_of(&[' ', '　', 'v', 'ｖ']) {
            Some('v' | 'ｖ') => Colour::Gote,
            Some(_) => Colour::Sente,
            None => return Err(cursor.expected("a space or v before each square")),
        };
        if cursor.eat_one_of(&[EMPTY, '.', '．', '･']).is_none() {
            let face = vocabulary.read_face(cursor)?;
            *placement.at(AnySquare { file, rank }) = Some(Piece { face, colour });
        }
    }
    if cursor.eat("|") { Ok(()) } else { Err(cursor.expected("a bar after the last square")) }
}

/// Reads the pieces in a hand: なし, or pieces with their numbers. Some programs list a king there that is not on
/// the board; it is left out and returned as an error, for the case that it is one.
pub(super) fn read_hand(
    cursor: &mut Cursor,
    vocabulary: &Vocabulary,
    kings: &mut Vec<RecordError>,
) -> Result<Hand, RecordError> {
    let mut hand = Hand::EMPTY;
    cursor.skip_spaces();
    if cursor.eat("なし") {
        cursor.skip_spaces();
    }
    while !cursor.is_at_end() {
        let piece = *cursor;
        let kind = vocabulary.read_face(cursor)?.kind;
        let number = *cursor;
        let count = read_count(cursor).ok_or_else(|| number.error(RecordReason::TooLarge))?;
        cursor.eat("枚");
        if vocabulary.stays_on_board(kind) {
            kings.push(piece.error(RecordReason::NotInHand));
            cursor.skip_spaces();
            continue;
        }
        let total = hand.count(kind).saturating_add(count);
        if total > Hand::capacity(kind) {
            return Err(number.error(RecordReason::TooLarge));
        }
        hand.set(kind, total);
        cursor.skip_spaces();
    }
    Ok(hand)
}
