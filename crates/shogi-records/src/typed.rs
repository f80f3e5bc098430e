//! Moves as people type them: `7g7f`, `77-76`, `P-7f`, `Gx3b`, `S*3c`, `７六歩`, `７六歩(77)`, `同銀`.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Face, Move, Position, Square};

use super::any::AnyPosition;
use super::builder;
use super::error::RecordReason;
use super::ki2;
use super::names::{Recorded, Vocabulary, write_square};
use super::readable::western;
use shogi_core::notation::Notation;
use shogi_core::plain::{AnyMove, AnySquare};
use shogi_core::usi;

/// Why a typed text is not a move in a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TypedMoveError {
    /// The text fits none of the notations.
    #[error("this is no move: write moves as 7g7f, P-7f or ７六歩, drops as P*5e or ５五歩打")]
    Notation,
    /// The square is outside the board.
    #[error("a square is a file 1 to {files} and a rank a to {last_rank}")]
    Square {
        /// The number of files.
        files: u8,
        /// The letter of the last rank.
        last_rank: char,
    },
    /// No piece of the game has this letter.
    #[error("no piece has the letter {0:?}")]
    Piece(char),
    /// No piece of the kind can go there.
    #[error("none of the pieces {0} can go there")]
    NoSuchMove(String),
    /// The text means a capture, but the square is empty.
    #[error("there is nothing to capture")]
    NothingToCapture,
    /// More than one legal move fits the text: these, in western notation.
    #[error("this may be {}", .0.join(" or "))]
    Ambiguous(Vec<String>),
    /// A move in Japanese notation that cannot be read.
    #[error("{0}")]
    Japanese(RecordReason),
}

/// Reads a move as a person types it: in USI notation, by two squares, in western notation, or in Japanese as
/// in KIF and KI2, with letters of either case and digits of any script. `last` is the target of the previous
/// move, for 同.
///
/// A move that only one piece can make needs no origin; a move that must promote needs no mark. An illegal move
/// that names a piece and a square is returned as it is; the rules can then say why it is illegal.
///
/// ```
/// use shogi_records::read_move;
/// use shogi_rules::{Minishogi, Rules, to_usi};
/// let start = Minishogi::start();
/// for text in ["4e3d", "45-34", "G-3d", "g3d", "３四金", "▲34金(45)"] {
///     assert_eq!(to_usi(read_move(&start, None, text)?), "4e3d");
/// }
/// assert_eq!(read_move(&start, None, "castle").unwrap_err().to_string().split(':').next(), Some("this is no move"));
/// # Ok::<(), shogi_records::TypedMoveError>(())
/// ```
///
/// # Errors
///
/// If the text is not a move, or fits several.
pub fn read_move<R: Recorded>(
    position: &Position<R>,
    last: Option<Square<R::Geometry>>,
    text: &str,
) -> Result<Move<R>, TypedMoveError> {
    let legal: Vec<_> = position.legal_moves().into_iter().map(AnyMove::of).collect();
    let vocabulary = &Vocabulary::of::<R>();
    let typed = Typed { position, legal: &legal, vocabulary };
    let text = text.trim();
    let read = match typed.read_letters(text) {
        // A text in no letters at all may be one in Japanese.
        Err(TypedMoveError::Notation) if !text.is_empty() => {
            let text = with_target(text, last.map(AnySquare::of));
            let read = builder::read_one_move(position, &text, vocabulary, ki2::read_move);
            let mv = read.map_err(|reason| match reason {
                RecordReason::Expected(_) => TypedMoveError::Notation,
                reason => TypedMoveError::Japanese(reason),
            })?;
            Written { mv, says_turn: text.contains('不') }
        }
        read => read?,
    };
    typed.turned(read).typed().ok_or_else(|| off_board(vocabulary.notation))
}

/// A text in Japanese with 同 replaced by its square, and with the brackets of KIF.
fn with_target(text: &str, last: Option<AnySquare>) -> String {
    let text = text.replace('（', "(").replace('）', ")");
    let unmarked = text.trim_start_matches(['▲', '☗', '▼', '△', '☖', '▽']);
    let Some((rest, last)) = unmarked.strip_prefix('同').zip(last) else { return text };
    let mut written = String::new();
    write_square(last, &mut written);
    written.push_str(rest.trim_start());
    written
}

fn off_board(notation: &Notation) -> TypedMoveError {
    let last_rank = char::from(b'a' + notation.height.saturating_sub(1));
    TypedMoveError::Square { files: notation.width, last_rank }
}

/// A move as read, and whether the text says that it promotes or not.
struct Written {
    mv: AnyMove,
    says_turn: bool,
}

/// The position and the names by which a text is read.
struct Typed<'a> {
    position: &'a dyn AnyPosition,
    legal: &'a [AnyMove],
    vocabulary: &'a Vocabulary,
}

impl Typed<'_> {
    /// The move, promoting if the text says nothing about it and only the promotion is legal.
    fn turned(&self, Written { mv, says_turn }: Written) -> AnyMove {
        let AnyMove::Board { from, to, turn: false } = mv else { return mv };
        let turned = AnyMove::Board { from, to, turn: true };
        let must_turn = !says_turn && !self.legal.contains(&mv) && self.legal.contains(&turned);
        if must_turn { turned } else { mv }
    }

    /// Reads a move in USI notation, by squares or in western notation.
    fn read_letters(&self, text: &str) -> Result<Written, TypedMoveError> {
        let notation = self.vocabulary.notation;
        if let Ok(mv) = usi::read(&usi_case(text), notation) {
            return Ok(Written { mv, says_turn: false });
        }
        let mut rest = Rest { text, notation };
        match text.chars().next() {
            Some(first) if first.is_ascii_digit() => self.read_squares(&mut rest),
            Some(first) if first.is_ascii_alphabetic() || first == '+' => {
                self.read_western(&mut rest)
            }
            _ => Err(TypedMoveError::Notation),
        }
    }

    /// Reads two squares.
    fn read_squares(&self, rest: &mut Rest) -> Result<Written, TypedMoveError> {
        let from = rest.square()?.ok_or(TypedMoveError::Notation)?;
        rest.one_of(&['-', 'x', ' ']);
        let to = rest.square()?.ok_or(TypedMoveError::Notation)?;
        let turn = rest.end()?;
        let mv = AnyMove::Board { from, to, turn: turn.unwrap_or(false) };
        Ok(Written { mv, says_turn: turn.is_some() })
    }

    /// Reads a piece, its origin if given, a sign, and the target.
    fn read_western(&self, rest: &mut Rest) -> Result<Written, TypedMoveError> {
        // A whole word is not a move with an unknown piece.
        if !rest.text.contains(|c: char| c.is_ascii_digit()) {
            return Err(TypedMoveError::Notation);
        }
        let face = rest.face()?;
        let first = rest.square()?;
        let sign =
            rest.one_of(&['-', 'x', '*', '\'', ' ']).map(|c| if c == '\'' { '*' } else { c });
        let (origin, to) = match (first, rest.square()?) {
            (origin, Some(to)) => (origin, to),
            (Some(to), None) if sign.is_none() => (None, to),
            _ => return Err(TypedMoveError::Notation),
        };
        let turn = rest.end()?;
        if sign == Some('x') && self.position.piece(to).is_none() {
            return Err(TypedMoveError::NothingToCapture);
        }
        self.fitting(face, origin, to, turn, sign)
    }

    /// The one legal move that fits the text in western notation.
    fn fitting(
        &self,
        face: Face,
        origin: Option<AnySquare>,
        to: AnySquare,
        turn: Option<bool>,
        sign: Option<char>,
    ) -> Result<Written, TypedMoveError> {
        let fits = |mv: &&AnyMove| match **mv {
            AnyMove::Drop { .. } => false,
            AnyMove::Board { from, to: target, turn: turns } => {
                target == to
                    && origin.is_none_or(|origin| origin == from)
                    && turn.is_none_or(|turn| turn == turns)
                    && self.position.piece(from).is_some_and(|piece| piece.face == face)
            }
        };
        let drop = AnyMove::Drop { face, to };
        let mut found: Vec<_> = Vec::new();
        if sign != Some('*') {
            found.extend(self.legal.iter().filter(fits).copied());
        }
        let may_drop = origin.is_none() && sign.is_none() && self.legal.contains(&drop);
        if sign == Some('*') || found.is_empty() && may_drop {
            found.push(drop);
        }
        match found.as_slice() {
            [] => self.illegal(face, origin, to, turn),
            &[mv] => Ok(Written { mv, says_turn: turn.is_some() }),
            several => {
                let written = |&mv| western(self.position, mv, self.vocabulary);
                Err(TypedMoveError::Ambiguous(several.iter().map(written).collect()))
            }
        }
    }

    /// The illegal move, if it is clear which piece is meant.
    fn illegal(
        &self,
        face: Face,
        origin: Option<AnySquare>,
        to: AnySquare,
        turn: Option<bool>,
    ) -> Result<Written, TypedMoveError> {
        let Notation { width, height, .. } = *self.vocabulary.notation;
        let squares = (1..=width)
            .flat_map(|file| (0..height).map(move |rank| AnySquare { file, rank }))
            .filter(|square| origin.is_none_or(|origin| origin == *square))
            .filter(|&square| {
                let piece = self.position.piece(square);
                piece.is_some_and(|one| one.face == face && one.colour == self.position.side())
            });
        let squares: Vec<_> = squares.collect();
        match squares.as_slice() {
            &[from] => {
                let mv = AnyMove::Board { from, to, turn: turn.unwrap_or(false) };
                Ok(Written { mv, says_turn: turn.is_some() })
            }
            _ => {
                let mut letters = String::new();
                self.vocabulary.write_letters(face, &mut letters);
                Err(TypedMoveError::NoSuchMove(letters))
            }
        }
    }
}

/// A text with pieces in upper case and squares in lower case, as in USI.
fn usi_case(text: &str) -> String {
    let mut written = String::new();
    let (face, square) = text.split_once(['*', '\'']).unwrap_or(("", text));
    if face.len() + square.len() < text.len() {
        written.push_str(&face.to_ascii_uppercase());
        written.push('*');
    }
    written.push_str(&square.to_ascii_lowercase());
    written
}

/// The unread rest of a text.
struct Rest<'a> {
    text: &'a str,
    notation: &'a Notation,
}

impl Rest<'_> {
    /// Reads one of these characters, if it comes next.
    fn one_of(&mut self, characters: &[char]) -> Option<char> {
        let next = self.text.chars().next().filter(|next| characters.contains(next))?;
        self.text = &self.text[next.len_utf8()..];
        Some(next)
    }

    /// Reads a piece.
    fn face(&mut self) -> Result<Face, TypedMoveError> {
        let turned = self.one_of(&['+']).is_some();
        let letter = self.text.chars().next().ok_or(TypedMoveError::Notation)?;
        let unknown = TypedMoveError::Piece(letter);
        let face = self.notation.face_of(letter.to_ascii_uppercase());
        let (mut face, _) = face.filter(|_| letter.is_ascii_alphabetic()).ok_or(unknown.clone())?;
        if turned {
            let back = Face::back(face.kind);
            let is_back = !face.promoted && self.notation.movement(back).is_some();
            face = Some(back).filter(|_| is_back).ok_or(unknown)?;
        }
        self.text = &self.text[letter.len_utf8()..];
        Ok(face)
    }

    /// Reads a square, if one comes next: a file and the letter of a rank, or two digits.
    fn square(&mut self) -> Result<Option<AnySquare>, TypedMoveError> {
        let digits = self.text.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Ok(None);
        }
        let letter = self.text[digits..].chars().next().map(|c| c.to_ascii_lowercase());
        let letter = letter.filter(|letter| ('a'..='o').contains(letter) && digits <= 2);
        let (file, rank, length) = match letter {
            Some(letter) => {
                let rank = letter as u8 - b'a';
                (self.text[..digits].parse().unwrap_or(0), rank, digits + 1)
            }
            None => {
                let [file, rank, ..] = self.text.as_bytes() else {
                    return Err(TypedMoveError::Notation);
                };
                if digits < 2 {
                    return Err(TypedMoveError::Notation);
                }
                // Rank 0 becomes a rank that no board has.
                (file - b'0', (rank - b'0').wrapping_sub(1), 2)
            }
        };
        if !(1..=self.notation.width).contains(&file) || rank >= self.notation.height {
            return Err(off_board(self.notation));
        }
        self.text = &self.text[length..];
        Ok(Some(AnySquare { file, rank }))
    }

    /// Reads the end of the text: whether the move promotes, if it says so.
    fn end(&mut self) -> Result<Option<bool>, TypedMoveError> {
        let turn = self.one_of(&['+', '=']).map(|mark| mark == '+');
        if self.text.is_empty() { Ok(turn) } else { Err(TypedMoveError::Notation) }
    }
}
