//! Mates in one move.

use core::ops::ControlFlow;

use shogi_core::{Move, Position, generate_checks};

use crate::rules::{Rules, Verdict};

/// A check that ends the game at once with a loss of the player who is checked: the first in the
/// order of generation.
///
/// Where a royal piece may be left to capture, as in Dobutsu shogi, its capture is such a move, and
/// a mate is not.
///
/// ```
/// use shogi_rules::{Dobutsu, Minishogi, mate_in_one, parse_position, to_usi};
/// // The rook is dropped behind the king, whose other squares the gold attacks.
/// let position = parse_position::<Minishogi>("4k/5/4G/5/K4 b R 1")?;
/// let mate = mate_in_one(&position).expect("there is one");
/// assert!(position.play(mate).is_mate());
/// let capture = mate_in_one(&parse_position::<Dobutsu>("2l/2C/3/L2 b - 1")?);
/// assert_eq!(capture.map(|mv| to_usi(mv).to_string()).as_deref(), Some("1b1a+"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn mate_in_one<R: Rules>(position: &Position<R>) -> Option<Move<R>> {
    let found = generate_checks(position, |batch| {
        position.play_batch(batch, |mv, next| {
            // A player without a legal move has lost, in every game of the family.
            let lost = if R::ROYAL_SAFETY {
                next.has_no_move()
            } else {
                R::verdict(next) == Some(Verdict::Loss)
            };
            if lost { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
        })
    });
    found.break_value()
}
