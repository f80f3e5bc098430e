//! Values that are known without a search, such as those of a tablebase.

use std::path::Path;

use shogi_core::{Move, Position};
use shogi_rules::{Game, Rules, Verdict};

use crate::score::{KNOWN_WIN, MIN_WIN, WIN};
use crate::sorting::ascending;

/// Longest line that is reported from known values, in plies.
const MAX_LINE: usize = 32;

/// Values of positions, known without a search.
///
/// A player with known values plays a win or loss of known length at once, and of the moves of
/// other positions searches only those that keep the value. It asks for the value of each position
/// that it searches only where the game's history does not let it play at once; so a look-up may
/// take microseconds.
pub trait KnownValues<R: Rules>: Send + Sync {
    /// The values in the files of a directory. Files that are not there or cannot be used give none.
    fn in_directory(directory: &Path) -> Self
    where
        Self: Sized;

    /// The value of a legal position for the player to move, a repetition being a draw; `None` if
    /// it is not known.
    fn value(&self, position: &Position<R>) -> Option<KnownValue>;

    /// Why no values are known of positions with the pieces of this one, in words for a user; `None` where
    /// they are known, or nothing more can be said.
    fn missing(&self, position: &Position<R>) -> Option<String> {
        let _ = position;
        None
    }
}

/// The value of a position, for [`KnownValues`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownValue {
    /// Win, loss or draw for the player to move.
    pub verdict: Verdict,
    /// The fewest plies in which the winner can force the end; `None` for draws, and where only the
    /// verdict is known.
    pub plies: Option<u32>,
}

impl KnownValue {
    /// The score of a position so many plies from the root.
    pub(crate) fn score(self, ply: usize) -> i32 {
        let win = self.plies.map_or(KNOWN_WIN, |plies| {
            (WIN - ply as i32).saturating_sub(i32::try_from(plies).unwrap_or(WIN)).max(MIN_WIN)
        });
        match self.verdict {
            Verdict::Win => win,
            Verdict::Draw => 0,
            Verdict::Loss => -win,
        }
    }
}

/// The moves of the position of a game with their scores, the best first; `None` if one of them is
/// not known, or there is none.
pub(crate) fn known_moves<R: Rules>(
    known: &dyn KnownValues<R>,
    game: &Game<R>,
) -> Option<Vec<(i32, Move<R>)>> {
    let moves = game.position().legal_moves();
    let mut worse = Vec::new();
    for &mv in &moves {
        let mut next = game.clone();
        next.play(mv).ok()?;
        worse.push(match next.outcome() {
            None => known.value(next.position())?.score(1),
            Some(end) => match end.winner() {
                None => 0,
                Some(winner) if winner == game.position().side() => 1 - WIN,
                Some(_) => WIN - 1,
            },
        });
    }
    let mut scored = Vec::new();
    for number in ascending(&worse) {
        scored.push((-worse[number], moves[number]));
    }
    (!scored.is_empty()).then_some(scored)
}

/// A line of best play from the position of a game, beginning with a move.
pub(crate) fn known_line<R: Rules>(
    known: &dyn KnownValues<R>,
    game: &Game<R>,
    first: Move<R>,
) -> Vec<Move<R>> {
    let mut game = game.clone();
    let mut line = Vec::new();
    let mut next = Some(first);
    while let Some(mv) = next.filter(|_| line.len() < MAX_LINE) {
        if game.play(mv).is_err() {
            break;
        }
        line.push(mv);
        next = match game.outcome() {
            Some(_) => None,
            None => known_moves(known, &game).and_then(|moves| Some(moves.first()?.1)),
        };
    }
    line
}
