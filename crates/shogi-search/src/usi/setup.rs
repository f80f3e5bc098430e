//! The position of `position`, and moves in it.

use shogi_core::{Faults, Move, Position};
use shogi_rules::{
    EnteringKingRule, Game, PlayError, Rules, SfenError, UsiError, parse_sfen, parse_usi,
};

use super::command::Setup;

/// Why a position, or a move in a list, is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum SetupError {
    #[error("in the SFEN, {0}")]
    Sfen(#[from] SfenError),
    #[error("the position breaks the rules: {0}")]
    Faults(Faults),
    #[error("move {number}, {text:?}: {reason}")]
    Notation { number: usize, text: String, reason: UsiError },
    #[error("move {number}, {text:?}: {reason}")]
    Illegal { number: usize, text: String, reason: PlayError },
}

/// The game of a position and the moves from it, with this rule on entering kings if the variant
/// has one.
pub(super) fn game<R: Rules>(
    setup: &Setup,
    entering_king: EnteringKingRule,
) -> Result<Game<R>, SetupError> {
    let (placement, number) = parse_sfen::<R>(setup.sfen.as_deref().unwrap_or(R::start_sfen()))?;
    // Mate problems are set without the attacker's king.
    let start = match Position::new_problem(placement) {
        Ok(start) => start,
        Err(invalid) => return Err(SetupError::Faults(invalid.faults)),
    };
    let entering_king = if R::impasse().is_some() { entering_king } else { EnteringKingRule::None };
    let mut game = Game::with_rules(start, R::repetition(), entering_king).numbered_from(number);
    for (number, text) in (1..).zip(&setup.moves) {
        // The opponent plays by another rule, or has agreed to go on.
        game.play_on();
        play(&mut game, number, text)?;
    }
    Ok(game)
}

/// Plays move number `number` of a list.
pub(super) fn play<R: Rules>(
    game: &mut Game<R>,
    number: usize,
    text: &str,
) -> Result<Move<R>, SetupError> {
    let notation = |reason| SetupError::Notation { number, text: text.to_owned(), reason };
    let illegal = |reason| SetupError::Illegal { number, text: text.to_owned(), reason };
    let mv = parse_usi(text).map_err(notation)?;
    game.play(mv).map_err(illegal)?;
    Ok(mv)
}
