//! Values that are known without a search, such as those of a tablebase.

use std::path::Path;

use shogi_core::{Colour, Move, Position};
use shogi_rules::{Game, Outcome, Rules, Verdict};

use crate::packed::{packed, play, unpacked};
use crate::score::{KNOWN_WIN, MIN_WIN, WIN};

/// Longest line that is reported from known values, in plies.
const MAX_LINE: usize = 32;

/// Values of positions, known without a search.
///
/// A player with known values plays a win or loss of known length at once, and of the moves of
/// other positions searches only those that keep the value. It looks up the value of each position
/// that it searches only where the game's history does not let it play at once; so a look-up may
/// take microseconds.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
/// use shogi_rules::shogi_core::Position;
/// use shogi_rules::{Minishogi, Verdict};
/// use shogi_search::{Evaluation, KnownValue, KnownValues, Player, Settings};
///
/// /// Knows who is mated.
/// struct Mates;
///
/// impl KnownValues<Minishogi> for Mates {
///     fn in_directory(_: &Path) -> Self {
///         Self
///     }
///
///     fn value(&self, position: &Position<Minishogi>) -> Option<KnownValue> {
///         position.is_mate().then_some(KnownValue { verdict: Verdict::Loss, plies: Some(0) })
///     }
/// }
///
/// let player = Player::new(Evaluation::standard(), Settings::default());
/// let player = player.with_known_values(Arc::new(Mates));
/// ```
pub trait KnownValues<R: Rules>: Send + Sync {
    /// The values in the files of a directory. Files that are not there or cannot be used have none.
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

/// The best moves of a position by known values.
pub(crate) struct KnownMoves {
    /// The score that they have.
    pub(crate) score: i32,
    /// The moves, packed; at least one.
    pub(crate) moves: Vec<u16>,
}

/// The best of the moves of a game's position that may be chosen, which are packed; `None` if the value of one is not
/// known, or there is none.
pub(crate) fn known_moves<R: Rules>(
    known: &dyn KnownValues<R>,
    game: &Game<R>,
    may_choose: &dyn Fn(u16) -> bool,
) -> Option<KnownMoves> {
    let (position, mut scores) = (game.position(), Vec::new());
    let mut moves = packed(&position.legal_moves());
    moves.retain(|&mv| may_choose(mv));
    for &mv in &moves {
        let mut next = game.clone();
        if !play(&mut next, mv) {
            return None;
        }
        scores.push(match next.outcome() {
            None => -known.value(next.position())?.score(1),
            Some(end) => score_of_end(end, position.side()),
        });
    }
    best_of(&moves, &scores)
}

/// The score for the player whose move has ended the game.
fn score_of_end(end: Outcome, player: Colour) -> i32 {
    match end.winner() {
        None => 0,
        Some(winner) if winner == player => WIN - 1,
        Some(_) => 1 - WIN,
    }
}

/// The moves with the greatest score.
fn best_of(moves: &[u16], scores: &[i32]) -> Option<KnownMoves> {
    let &score = scores.iter().max()?;
    let best = moves.iter().zip(scores).filter(|&(_, &other)| other == score);
    Some(KnownMoves { score, moves: best.map(|(&mv, _)| mv).collect() })
}

/// A line of best play from the position of a game, beginning with a move, which is packed.
pub(crate) fn known_line<R: Rules>(
    known: &dyn KnownValues<R>,
    game: &Game<R>,
    first: u16,
) -> Vec<Move<R>> {
    let mut game = game.clone();
    let mut line = Vec::new();
    let mut next = Some(first);
    while let Some(mv) = next {
        if line.len() == MAX_LINE || !play(&mut game, mv) {
            break;
        }
        line.push(mv);
        let is_over = game.outcome().is_some();
        let moves = if is_over { None } else { known_moves(known, &game, &|_| true) };
        next = moves.map(|known| known.moves[0]);
    }
    unpacked(&line)
}
