//! Positions as people and programs write them.

use alloc::borrow::ToOwned;
use alloc::string::String;

use shogi_rules::shogi_core::{Faults, Placement, Position};
use shogi_rules::{
    Dialect, Game, GameOver, PlayError, Rules, SfenError, UsiError, parse_irregular_sfen,
    parse_usi, to_sfen_numbered,
};

use super::Error;

/// Reads a placement, legal or not, in any of the forms that [the module's page](super) names.
///
/// # Errors
///
/// If the text is in none of them, or moves in it cannot be played.
pub fn placement<R: Rules>(text: &str) -> Result<Placement<R>, Error> {
    let line = PositionText::of(text)?;
    from_placement(line.start()?.0, line.moves)
}

/// The number of the move that comes next where a text stands for a position: that of its SFEN, and one
/// more for each move behind it.
///
/// ```
/// use shogi_variants::operations::read_move_number;
/// use shogi_variants::rules::Minishogi;
/// assert_eq!(read_move_number::<Minishogi>("startpos moves 5d5c")?, 2);
/// assert_eq!(read_move_number::<Minishogi>("4k/5/5/5/K4 b - 7")?, 7);
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// # Errors
///
/// If the text is in none of the forms that [the module's page](super) names.
pub fn move_number<R: Rules>(text: &str) -> Result<u32, Error> {
    let line = PositionText::of(text)?;
    let (_, number) = line.start::<R>()?;
    let moves = u32::try_from(line.moves.split_whitespace().count()).unwrap_or(u32::MAX);
    Ok(number.saturating_add(moves))
}

/// Writes a position that a text stands for, with the number of its next move.
pub(super) fn written<R: Rules>(
    text: &str,
    placement: &Placement<R>,
    dialect: Option<Dialect>,
) -> Result<String, Error> {
    let number = move_number::<R>(text)?;
    Ok(to_sfen_numbered(placement, dialect.unwrap_or(R::dialect()), number))
}

/// A text that stands for a placement, divided into its parts.
struct PositionText<'t> {
    /// Where the line begins; `None` for the start of the variant.
    sfen: Option<&'t str>,
    /// Characters before the SFEN.
    before: usize,
    moves: &'t str,
}

impl<'t> PositionText<'t> {
    fn of(text: &'t str) -> Result<Self, Error> {
        let text = text.trim_end();
        let line = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        let (start, moves) = match line.split_once(" moves") {
            Some((start, moves)) if moves.is_empty() || moves.starts_with(' ') => (start, moves),
            _ => (line, ""),
        };
        let described = strip_word(start, "position").unwrap_or(start);
        if described.trim_end() == "startpos" {
            return Ok(Self { sfen: None, before: 0, moves });
        }
        let sfen = if let Some(sfen) = strip_word(described, "sfen") {
            sfen
        } else if described.len() < line.len() {
            return Err(Error::Line { line: line.to_owned(), expected: "startpos or sfen" });
        } else {
            line
        };
        let before = &text[..text.len() - line.len() + start.len() - sfen.len()];
        Ok(Self { sfen: Some(sfen), before: before.chars().count(), moves })
    }

    /// The placement before the moves, and the number of the first of them.
    fn start<R: Rules>(&self) -> Result<(Placement<R>, u32), SfenError> {
        match parse_irregular_sfen(self.sfen.unwrap_or(R::start_sfen())) {
            Ok(read) => Ok((read.placement, read.number)),
            // Counted from the beginning of the text.
            Err(error) => Err(SfenError { position: self.before + error.position, ..error }),
        }
    }
}

/// The part of a position that is left out when it is read, if there is one.
pub(super) fn left_out<R: Rules>(text: &str) -> Option<&'static str> {
    let sfen = PositionText::of(text).ok()?.sfen?;
    let read = parse_irregular_sfen::<R>(sfen).ok()?;
    (read.kings > 0).then_some("the king in hand is left out")
}

/// Reads a legal position in any of the forms that [the module's page](super) names.
///
/// ```
/// use shogi_variants::operations::read_position;
/// use shogi_variants::rules::{Minishogi, to_sfen};
/// let position = read_position::<Minishogi>("startpos moves 5d5c")?;
/// assert_eq!(to_sfen(&position), "rbsgk/4p/P4/5/KGSBR w - 1");
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// # Errors
///
/// If the text stands for no legal position.
pub fn position<R: Rules>(text: &str) -> Result<Position<R>, Error> {
    Ok(Position::new(placement(text)?)?)
}

/// Reads a legal position in which one player may have no king, as in most mate problems.
///
/// # Errors
///
/// If the text stands for no such position.
pub(crate) fn problem<R: Rules>(text: &str) -> Result<Position<R>, Error> {
    Ok(Position::new_problem(placement(text)?)?)
}

/// Reads a game: a position, in which one player may have no king, and the moves from it. After a
/// repetition that ends it the game may go on, as when it is played on in a program.
///
/// # Errors
///
/// If the text stands for no such game.
pub(crate) fn game<R: Rules>(text: &str) -> Result<Game<R>, Error> {
    let line = PositionText::of(text)?;
    let (start, number) = line.start()?;
    let mut game = Game::new(Position::new_problem(start)?).numbered_from(number);
    each_move(line.moves, &mut |text| {
        game.play_on();
        Ok(game.play(parse_usi(text)?).map(drop)?)
    })?;
    Ok(game)
}

/// The text after a word and the blanks behind it.
fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

/// Plays moves from a placement that has to be legal if there are any.
fn from_placement<R: Rules>(placement: Placement<R>, moves: &str) -> Result<Placement<R>, Error> {
    if moves.trim().is_empty() {
        return Ok(placement);
    }
    // Mate problems are set without the attacker's king.
    let position = Position::new_allowing(placement, Faults::MISSING_KING)?;
    Ok(*play(position, moves)?.placement())
}

/// Plays moves in USI notation, separated by blanks.
pub(super) fn play<R: Rules>(mut position: Position<R>, moves: &str) -> Result<Position<R>, Error> {
    each_move(moves, &mut |text| {
        position = played(&position, text)?;
        Ok(())
    })?;
    Ok(position)
}

/// The moves of a line in USI notation from a position.
#[cfg(feature = "solve")]
pub(crate) fn moves_of<R: Rules>(
    mut position: Position<R>,
    line: &str,
) -> Result<alloc::vec::Vec<shogi_rules::shogi_core::Move<R>>, Error> {
    let mut moves = alloc::vec::Vec::new();
    each_move(line, &mut |text| {
        position = played(&position, text)?;
        moves.push(parse_usi::<R>(text)?);
        Ok(())
    })?;
    Ok(moves)
}

/// The position after a move in USI notation.
pub(crate) fn played<R: Rules>(position: &Position<R>, mv: &str) -> Result<Position<R>, MoveError> {
    let mv = parse_usi::<R>(mv)?;
    let over = || R::ending(position).map(|outcome| PlayError::from(GameOver(outcome)));
    if let Some(over) = R::is_over(position).then(over).flatten() {
        return Err(over.into());
    }
    position.play(mv).map_err(|illegal| over().unwrap_or_else(|| illegal.into()).into())
}

/// Why a move that is given as text is not played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The text is no move in USI notation.
    #[error(transparent)]
    Notation(#[from] UsiError),
    /// The move is against the rules, or the game is over.
    #[error(transparent)]
    Illegal(#[from] PlayError),
}

/// Has one move after the other of a text played.
pub(super) fn each_move(
    moves: &str,
    play: &mut dyn FnMut(&str) -> Result<(), MoveError>,
) -> Result<(), Error> {
    for (number, text) in (1..).zip(moves.split_whitespace()) {
        play(text).map_err(|error| match error {
            MoveError::Notation(reason) => {
                Error::Notation { number, text: text.to_owned(), reason }
            }
            MoveError::Illegal(reason) => Error::Illegal { number, text: text.to_owned(), reason },
        })?;
    }
    Ok(())
}

/// Plays a line of moves, and gives it in USI notation.
#[cfg(feature = "proof")]
pub(crate) fn play_in_usi<R: Rules>(
    position: &mut Position<R>,
    line: &[shogi_rules::shogi_core::Move<R>],
    dialect: Option<shogi_rules::Dialect>,
) -> alloc::vec::Vec<alloc::string::String> {
    let dialect = dialect.unwrap_or(R::dialect());
    let mut texts = alloc::vec::Vec::new();
    for &mv in line {
        texts.push(shogi_rules::to_usi_in(mv, position, dialect));
        *position = position.play_unchecked(mv);
    }
    texts
}
