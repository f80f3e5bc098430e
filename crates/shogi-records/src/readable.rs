//! Moves as people read them beside a board: `▲３二金`, `G-3b`.

use alloc::string::String;

use shogi_core::{Move, Position, Promotion, Square};

use super::any::AnyPosition;
use super::kakinoki::mark;
use super::ki2;
use super::names::{Recorded, Vocabulary, write_digits};
use shogi_core::plain::{AnyMove, AnySquare};

/// A legal move as books and newspapers print it, with the player's mark: `▲３二金`, `△同　銀成`.
/// `last` is the target of the previous move, for 同.
///
/// The text is that of [`ki2`](super::ki2) if its words distinguish the piece from all others; else it has
/// the origin in brackets, as in KIF.
///
/// ```
/// use shogi_records::to_japanese;
/// use shogi_rules::{Minishogi, Rules, parse_usi};
/// let start = Minishogi::start();
/// assert_eq!(to_japanese(&start, parse_usi("4e3d")?, None), "▲３四金");
/// # Ok::<(), shogi_rules::UsiError>(())
/// ```
pub fn to_japanese<R: Recorded>(
    position: &Position<R>,
    mv: Move<R>,
    last: Option<Square<R::Geometry>>,
) -> String {
    japanese(position, AnyMove::of(mv), last.map(AnySquare::of), &Vocabulary::of::<R>())
}

fn japanese(
    position: &dyn AnyPosition,
    mv: AnyMove,
    last: Option<AnySquare>,
    vocabulary: &Vocabulary,
) -> String {
    let mut text = String::from(mark(position.side()));
    if ki2::write_move(position, mv, last, vocabulary, &mut text).is_some() {
        return text;
    }
    // Target and piece are written.
    if let AnyMove::Board { from, to, turn } = mv {
        text.push_str(match could_turn(position, from, to, vocabulary) {
            _ if turn => "成",
            true => "不成",
            false => "",
        });
        text.push('(');
        write_digits(from, &mut text);
        text.push(')');
    }
    text
}

/// A legal move in western notation: `G-3b`, `Px5c+`, `S*3c`. The origin follows the piece if another one
/// like it could go there: `G6i-5h`. `=` declines a promotion.
///
/// ```
/// use shogi_records::to_western;
/// use shogi_rules::{Minishogi, Rules, parse_usi};
/// let start = Minishogi::start();
/// assert_eq!(to_western(&start, parse_usi("4e3d")?), "G-3d");
/// # Ok::<(), shogi_rules::UsiError>(())
/// ```
pub fn to_western<R: Recorded>(position: &Position<R>, mv: Move<R>) -> String {
    western(position, AnyMove::of(mv), &Vocabulary::of::<R>())
}

pub(super) fn western(position: &dyn AnyPosition, mv: AnyMove, vocabulary: &Vocabulary) -> String {
    let mut text = String::new();
    match mv {
        AnyMove::Drop { face, to } => {
            vocabulary.write_letters(face, &mut text);
            text.push('*');
            write_square(to, &mut text);
        }
        AnyMove::Board { from, to, turn } => {
            let Some(piece) = position.piece(from) else { return text };
            vocabulary.write_letters(piece.face, &mut text);
            let like = |other: &AnySquare| {
                let goes = |turn| position.is_legal(AnyMove::Board { from: *other, to, turn });
                *other != from && (goes(false) || goes(true))
            };
            if position.attackers(piece.face, to).iter().any(like) {
                write_square(from, &mut text);
            }
            text.push(if position.piece(to).is_some() { 'x' } else { '-' });
            write_square(to, &mut text);
            // If every move turns the piece, the text does not mention it.
            if vocabulary.notation.promotion != Promotion::EveryMove {
                text.push_str(match could_turn(position, from, to, vocabulary) {
                    _ if turn => "+",
                    true => "=",
                    false => "",
                });
            }
        }
    }
    text
}

/// Whether a player may choose to promote a piece.
fn could_turn(
    position: &dyn AnyPosition,
    from: AnySquare,
    to: AnySquare,
    vocabulary: &Vocabulary,
) -> bool {
    vocabulary.notation.promotion == Promotion::Optional
        && position.is_legal(AnyMove::Board { from, to, turn: true })
}

/// Writes a square as in USI: `3b`.
fn write_square(square: AnySquare, out: &mut String) {
    out.push(char::from(b'0' + square.file));
    out.push(char::from(b'a' + square.rank));
}
