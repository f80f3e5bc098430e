//! Variety in the opening: moves nearly as good as the best are drawn at random.

use std::hash::{BuildHasher, Hasher, RandomState};

use crate::score::Score;

/// How many of the best moves are considered.
pub(super) const LINES: usize = 8;

/// The rule by which the first moves of a game are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Opening {
    /// Plies of the game in which moves are drawn; 0 for always the best move.
    pub(super) plies: usize,
    /// The most by which a move may be worse than the best, in hundredths of a pawn.
    pub(super) margin: i32,
    /// The seed of the moves; 0 draws differently each time.
    pub(super) seed: u64,
}

impl Opening {
    /// The random number for the moves of game number `game` of a series.
    pub(super) fn random(&self, game: u64) -> u64 {
        match self.seed {
            0 => RandomState::new().build_hasher().finish(),
            seed => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(game),
        }
    }

    /// Whether the move after this many plies is drawn.
    pub(super) const fn covers(&self, plies: usize) -> bool {
        plies < self.plies
    }

    /// One of the lines that are nearly as good as the best; `None` if the best wins or loses. `key` is that of
    /// the position. An interrupted search may have a move twice, its latest finding first.
    pub(super) fn draw<'c>(
        &self,
        lines: &'c [OpeningLine],
        best: Score,
        key: u64,
        random: u64,
    ) -> Option<&'c OpeningLine> {
        let Score::Value(best) = best else { return None };
        let mut met = Vec::new();
        let mut near = Vec::new();
        for line in lines {
            let mv = line.moves.first()?;
            let is_near = matches!(line.score, Score::Value(value) if value >= best - self.margin);
            if !met.contains(&mv) && is_near {
                near.push(line);
            }
            met.push(mv);
        }
        if near.is_empty() {
            return None;
        }
        // Keys of positions are random already; the product brings all their bits to the upper half.
        let drawn = (key ^ random).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        Some(near[drawn as usize % near.len()])
    }
}

/// A line that may be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OpeningLine {
    pub(super) score: Score,
    /// The line in USI notation.
    pub(super) moves: Vec<String>,
    /// The line as it is reported.
    pub(super) info: String,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use shogi_rules::{Minishogi, Rules};

    use super::*;

    const OPENING: Opening = Opening { plies: 4, margin: 30, seed: 7 };

    fn line(text: &str, score: Score) -> OpeningLine {
        OpeningLine { score, moves: vec![text.to_owned()], info: format!("{text} {score}") }
    }

    /// How often each line is drawn in a thousand games.
    fn drawn(lines: &[OpeningLine]) -> BTreeMap<usize, u32> {
        let start = Minishogi::start().key();
        let mut counts = BTreeMap::new();
        for game in 0..1_000 {
            let drawn = OPENING.draw(lines, lines[0].score, start, OPENING.random(game)).unwrap();
            let index = lines.iter().position(|line| line == drawn).unwrap();
            *counts.entry(index).or_default() += 1;
        }
        counts
    }

    #[test]
    fn each_move_within_the_margin_is_drawn_about_as_often() {
        let value = Score::Value;
        let lines = [
            line("5d5c", value(10)),
            line("3e3d", value(0)),
            line("5d5c", value(-3)),
            line("4e4d", value(-20)),
            line("2e2d", value(-21)),
            line("1e1d", Score::LossIn(8)),
        ];
        let counts = drawn(&lines);
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [0, 1, 3]);
        assert!(counts.values().all(|count| (280..390).contains(count)), "{counts:?}");
    }

    #[test]
    fn nothing_is_drawn_where_the_game_is_decided() {
        let start = Minishogi::start().key();
        for score in [Score::WinIn(5), Score::LossIn(4)] {
            let lines = [line("5d5c", score), line("3e3d", Score::Value(-900))];
            assert_eq!(OPENING.draw(&lines, score, start, 1), None);
        }
        assert_eq!(OPENING.draw(&[], Score::Value(0), start, 1), None);
    }

    #[test]
    fn without_a_seed_games_differ() {
        let unseeded = Opening { seed: 0, ..OPENING };
        assert_ne!(unseeded.random(0), unseeded.random(0));
        assert_eq!(OPENING.random(3), OPENING.random(3));
        assert_ne!(OPENING.random(3), OPENING.random(4));
    }
}
