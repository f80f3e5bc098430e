//! The position that `position` sets up.

use shogi_core::{Faults, Position};
use shogi_rules::{
    EnteringKingRule, Game, PlayError, Rules, SfenError, UsiError, parse_sfen, parse_usi,
};

use super::command::Setup;

/// Why a position is refused.
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

/// The game of a position and the moves from it, by this rule if the variant has any of the kind.
pub(super) fn game<R: Rules>(
    setup: &Setup,
    entering_king: EnteringKingRule,
) -> Result<Game<R>, SetupError> {
    let (placement, _) = parse_sfen::<R>(setup.sfen.as_deref().unwrap_or(R::start_sfen()))?;
    // Mate problems are set without the attacker's king.
    let start = match Position::new_problem(placement) {
        Ok(start) => start,
        Err(invalid) => return Err(SetupError::Faults(invalid.faults)),
    };
    let entering_king = if R::impasse().is_some() { entering_king } else { EnteringKingRule::None };
    let mut game = Game::with_rules(start, R::repetition(), entering_king);
    play_all(&setup.moves, &mut |text| {
        let mv = parse_usi(text).map_err(Refusal::Notation)?;
        // The opponent plays by another rule, or has agreed to go on.
        game.play_on();
        game.play(mv).map(drop).map_err(Refusal::Illegal)
    })?;
    Ok(game)
}

/// Why a move is refused.
enum Refusal {
    Notation(UsiError),
    Illegal(PlayError),
}

/// Plays moves until one is refused.
fn play_all(
    moves: &[String],
    play: &mut dyn FnMut(&str) -> Result<(), Refusal>,
) -> Result<(), SetupError> {
    for (before, text) in moves.iter().enumerate() {
        let number = before + 1;
        match play(text) {
            Ok(()) => {}
            Err(Refusal::Notation(reason)) => {
                return Err(SetupError::Notation { number, text: text.clone(), reason });
            }
            Err(Refusal::Illegal(reason)) => {
                return Err(SetupError::Illegal { number, text: text.clone(), reason });
            }
        }
    }
    Ok(())
}
