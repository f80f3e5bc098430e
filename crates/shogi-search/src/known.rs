//! Values known without a search, such as those of a tablebase.

use std::path::Path;

use shogi_core::{Colour, Move, Position};
use shogi_rules::{Game, Outcome, Rules, Verdict};

use crate::packed::{packed, play, unpacked};
use crate::score::{KNOWN_WIN, MIN_WIN, WIN};

/// The longest line reported from known values, in plies.
const MAX_LINE: usize = 32;

/// Values of positions, known without a search.
///
/// A player with known values plays a win or loss of known length at once, and in other positions searches only
/// the moves that keep the value. It looks up each searched position only if the game's history prevents it
/// from playing at once; so a look-up may take microseconds.
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
    /// The values in the files of a directory. Missing or unusable files have none.
    fn in_directory(directory: &Path) -> Self
    where
        Self: Sized;

    /// The value of a legal position for the player to move, where a repetition is a draw; `None` if unknown.
    fn value(&self, position: &Position<R>) -> Option<KnownValue>;

    /// Why values of positions with these pieces are unknown, in words for a user; `None` if they are known or
    /// no reason can be given.
    fn missing(&self, position: &Position<R>) -> Option<String> {
        let _ = position;
        None
    }

    /// Why no value of any position is known, in words for a user; `None` if some may be.
    fn unusable(&self) -> Option<String> {
        None
    }

    /// The faults met by look-ups since the last call, each once, in words for a user, such as a damaged part
    /// of a file.
    fn take_faults(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The value of a position, for [`KnownValues`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownValue {
    /// Win, loss or draw for the player to move.
    pub verdict: Verdict,
    /// The fewest plies in which the winner can force the end; `None` for draws, and if only the verdict is
    /// known.
    pub plies: Option<u32>,
}

impl KnownValue {
    /// The score of a position `ply` plies from the root.
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
    /// Their score.
    pub(crate) score: i32,
    /// The moves, packed; at least one.
    pub(crate) moves: Vec<u16>,
}

/// The best of the packed moves that may be chosen in the position of a game; `None` if the value of one is
/// unknown, or there is no move.
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

/// A line of best play from the position of a game, beginning with a packed move.
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
