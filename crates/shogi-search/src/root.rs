//! The root position of a search and its moves.

use shogi_core::Position;
use shogi_eval::Values;
use shogi_rules::{Game, RepetitionResult, Rules};

use crate::packed::pack;
use crate::path::{Path, PathEntry};
use crate::score::{INFINITE, Score};
use crate::see::see_ge;
use crate::thread::Line;

/// The root position of a search, with the game before it.
pub(crate) struct RootPosition<'g, R: Rules> {
    pub(crate) game: &'g Game<R>,
    /// The positions up to this one.
    pub(crate) path: Path,
    /// Whether a forced win may be played regardless of the game before.
    ///
    /// Each of its lines meets a position once, so positions that are at least two occurrences short of the end
    /// do no harm.
    pub(crate) may_play_at_once: bool,
}

impl<'g, R: Rules> RootPosition<'g, R> {
    /// The position of a game, to be searched for this many lines.
    pub(crate) fn new(game: &'g Game<R>, lines: usize) -> Self {
        let mut positions = Vec::new();
        for position in game.positions() {
            positions.push(PathEntry::of(position, position.is_check()));
        }
        let rule = game.repetition_rule();
        let path = Path::new(positions, rule);
        let count = rule.count as usize;
        let may_play_at_once = lines <= 1 && (count == 0 || path.most_repeated() + 1 < count);
        Self { game, path, may_play_at_once }
    }

    /// Whether every repetition is a draw, so that a drawn position stays drawn regardless of the game before.
    pub(crate) fn repetition_draws(&self) -> bool {
        let rule = self.game.repetition_rule();
        !rule.perpetual_check
            && matches!(rule.result, RepetitionResult::Draw | RepetitionResult::NoResult)
    }
}

/// A move at the root with the findings of the search.
#[derive(Clone)]
pub(crate) struct RootMove {
    /// The move, packed.
    pub(crate) mv: u16,
    /// The score of the last search that found one, or a bound below all others.
    pub(crate) score: i32,
    /// The score after the iteration before.
    pub(crate) previous: i32,
    /// The mean of the scores, the later ones weighing more; `None` before any search.
    pub(crate) mean: Option<i32>,
    /// The line, beginning with the move.
    pub(crate) line: Line,
    /// The depth of the search that found the score.
    pub(crate) depth: i32,
}

impl RootMove {
    /// A move that has not been searched.
    fn new(mv: u16) -> Self {
        let mut line = Line::new();
        line.push(mv);
        Self { mv, score: -INFINITE, previous: -INFINITE, mean: None, line, depth: 0 }
    }

    /// The score, an even one before any search.
    pub(crate) fn score(&self) -> Score {
        if self.score == -INFINITE { Score::Value(0) } else { Score::from_search(self.score) }
    }
}

/// The legal moves in search order: the packed table move first, then captures and moves that lose no material.
pub(crate) fn root_moves<R: Rules>(
    values: &Values,
    position: &Position<R>,
    best: u16,
) -> Vec<RootMove> {
    let mut moves = Vec::new();
    for &mv in &position.legal_moves() {
        let loses = !see_ge(position, values, mv, 0);
        let quiet = !position.of(!position.side()).contains(mv.to());
        let packed = pack(mv);
        let rank = 4 * u8::from(packed != best) + 2 * u8::from(loses) + u8::from(quiet);
        moves.push((rank, packed));
    }
    ranked(moves)
}

/// Moves sorted by rising rank.
fn ranked(mut moves: Vec<(u8, u16)>) -> Vec<RootMove> {
    moves.sort_by_key(|&(rank, _)| rank);
    moves.into_iter().map(|(_, mv)| RootMove::new(mv)).collect()
}

/// Inserts the last of several moves at its place among those before it, which are sorted best first, and
/// returns that place: a later line may turn out better than earlier ones.
pub(crate) fn insert_last(moves: &mut [RootMove]) -> usize {
    let Some((last, before)) = moves.split_last() else { return 0 };
    let place = before.partition_point(|found| found.score >= last.score);
    moves[place..].rotate_right(1);
    place
}
