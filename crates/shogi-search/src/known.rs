//! Values that are known without a search, such as those of a tablebase.

use std::path::Path;

use shogi_core::{Colour, Position};
use shogi_rules::{Game, Outcome, Rules, Verdict};

use crate::packed::{packed, play};
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

    /// Why no values are known of any position, in words for a user; `None` where some may be known.
    fn unusable(&self) -> Option<String> {
        None
    }

    /// What has gone wrong since the last call with values that were looked for, each thing once, in words
    /// for a user: such as a part of a file that is damaged.
    fn take_faults(&self) -> Vec<String> {
        Vec::new()
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

/// The moves of the position of a game, packed, with their scores, the best first; `None` if one of them is
/// not known, or there is none.
pub(crate) fn known_moves<R: Rules>(
    known: &dyn KnownValues<R>,
    game: &Game<R>,
) -> Option<Vec<(i32, u16)>> {
    let (position, mut worse) = (game.position(), Vec::new());
    let moves = packed(&position.legal_moves());
    for &mv in &moves {
        let mut next = game.clone();
        if !play(&mut next, mv) {
            return None;
        }
        worse.push(match next.outcome() {
            None => known.value(next.position())?.score(1),
            Some(end) => score_after(end, position.side()),
        });
    }
    best_first(&moves, &worse)
}

/// The score for the opponent of the player who has ended the game.
fn score_after(end: Outcome, player: Colour) -> i32 {
    match end.winner() {
        None => 0,
        Some(winner) if winner == player => 1 - WIN,
        Some(_) => WIN - 1,
    }
}

/// Moves with their scores, the best first, where the opponent has these scores; `None` without a move.
fn best_first(moves: &[u16], worse: &[i32]) -> Option<Vec<(i32, u16)>> {
    let scored = |number: usize| (-worse[number], moves[number]);
    let scored: Vec<_> = ascending(worse).into_iter().map(scored).collect();
    (!scored.is_empty()).then_some(scored)
}

/// A line of best play from the position of a game, packed, beginning with a move.
pub(crate) fn known_line<R: Rules>(
    known: &dyn KnownValues<R>,
    game: &Game<R>,
    first: u16,
) -> Vec<u16> {
    let mut game = game.clone();
    let mut line = Vec::new();
    let mut next = Some(first);
    while let Some(mv) = next {
        if line.len() == MAX_LINE || !play(&mut game, mv) {
            break;
        }
        line.push(mv);
        let moves = if game.outcome().is_none() { known_moves(known, &game) } else { None };
        next = first_of(moves);
    }
    line
}

fn first_of(moves: Option<Vec<(i32, u16)>>) -> Option<u16> {
    Some(moves?.first()?.1)
}
