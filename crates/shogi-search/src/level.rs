//! Strengths of the player, from one that a beginner beats up.

use shogi_rules::{Game, Rules};

use crate::evaluate::Evaluator;
use crate::limits::{Control, Limits};
use crate::player::{Player, Settings};
use crate::report::BestLine;

/// A strength of the player: a number of nodes and, at the low levels, a random error in the values of its
/// moves.
///
/// Matches of the levels against each other measure the worth of a step: see docs/guide/play.md.
///
/// ```
/// use shogi_rules::{Game, Minishogi};
/// use shogi_search::{Action, Control, Evaluation, Level, Limits, Player};
/// let level = Level::new(1).unwrap();
/// let mut player = Player::new(Evaluation::<Minishogi>::standard(), level.settings());
/// let game = Game::from_start();
/// let mut choose = |seed| player.think_at(level, seed, &game, &Limits::default(), &Control::new());
/// assert!(matches!(choose(7).action, Action::Play(_)));
/// // A seed always leads to the same move.
/// assert_eq!(choose(7).action, choose(7).action);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// The definition of a level.
struct Strength {
    /// Positions visited for each choice, or, if there is an error, for each of the compared moves.
    nodes: u64,
    /// The standard deviation of the error, in hundredths of a pawn.
    error: u32,
}

const fn strength(nodes: u64, error: u32) -> Strength {
    Strength { nodes, error }
}

/// From the weakest to the strongest.
const LEVELS: [Strength; 10] = [
    strength(100, 2_400),
    strength(100, 1_200),
    strength(100, 600),
    strength(100, 300),
    strength(100, 150),
    strength(200, 60),
    strength(8_000, 0),
    strength(24_000, 0),
    strength(80_000, 0),
    strength(250_000, 0),
];

/// The value of wins and losses that the search has found, low enough that the weakest levels overlook them.
const DECIDED: i32 = 3_000;

impl Level {
    /// The weakest.
    pub const LOWEST: Self = Self(1);
    /// The strongest.
    pub const HIGHEST: Self = Self(LEVELS.len() as u8);

    /// The level with a number, from 1 for the weakest; `None` if there is none.
    pub fn new(number: u8) -> Option<Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).contains(&number).then_some(Self(number))
    }

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    const fn strength(self) -> &'static Strength {
        &LEVELS[self.0 as usize - 1]
    }

    /// Positions visited for each choice, or, if the level makes errors, for each of the compared moves.
    pub const fn nodes(self) -> u64 {
        self.strength().nodes
    }

    /// The standard deviation of the error in the values of moves, in hundredths of a pawn; 0 at the high
    /// levels.
    pub const fn error(self) -> u32 {
        self.strength().error
    }

    /// The settings of a player of this level: a table for its nodes, and no mate probe where it makes errors.
    pub fn settings(self) -> Settings {
        let hash_bytes = if self.nodes() > 20_000 { 16 << 20 } else { 1 << 20 };
        Settings { hash_bytes, mate_probe: self.error() == 0, ..Settings::default() }
    }
}

impl<R: Rules, E: Evaluator<R>> Player<R, E> {
    /// Chooses an action as a player of a level does, also within `limits`. The player should have the level's
    /// [settings](Level::settings).
    ///
    /// Clears the tables first: regardless of earlier searches, the same game, level and seed lead to the same
    /// move unless a limit is one of time.
    pub fn think_at(
        &mut self,
        level: Level,
        seed: u64,
        game: &Game<R>,
        limits: &Limits,
        control: &Control,
    ) -> BestLine<R> {
        self.clear();
        let nodes = Some(limits.nodes.map_or(level.nodes(), |nodes| nodes.min(level.nodes())));
        let limits = Limits { nodes, ..*limits };
        if level.error() == 0 || game.may_declare() {
            return self.think(game, &limits, control, |_| {});
        }
        let mut errors = Errors::new(seed, game.moves().len() as u64);
        let mut chosen: Option<(f64, BestLine<R>)> = None;
        // A move by itself, whose value no better one hides.
        for mv in game.position().legal_moves() {
            let found = self.best_line(game, &[mv], &limits, control, &mut |_| {});
            let value = f64::from(found.score.order().clamp(-DECIDED, DECIDED));
            let value = value + f64::from(level.error()) * errors.next();
            if chosen.as_ref().is_none_or(|(most, _)| *most < value) {
                chosen = Some((value, found));
            }
        }
        chosen.map_or_else(BestLine::resignation, |(_, found)| found)
    }
}

/// Errors with mean 0 and standard deviation 1, by SplitMix64 (Steele, Lea & Flood 2014).
struct Errors(u64);

impl Errors {
    /// The errors of a move of a game.
    const fn new(seed: u64, ply: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ ply.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The sum of twelve numbers between -1/2 and 1/2, which is about normal.
    fn next(&mut self) -> f64 {
        (0..12).map(|_| self.random() as f64 / u64::MAX as f64 - 0.5).sum()
    }

    const fn random(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_about_normal() {
        let mut errors = Errors::new(1, 5);
        let drawn: Vec<_> = (0..10_000).map(|_| errors.next()).collect();
        let mean = drawn.iter().sum::<f64>() / 1e4;
        let variance = drawn.iter().map(|error| error * error).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.04 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn each_level_sees_more_or_errs_less_than_the_one_below() {
        for (low, high) in Level::all().zip(Level::all().skip(1)) {
            let more = high.nodes() > low.nodes() || high.error() < low.error();
            assert!(more && high.nodes() >= low.nodes() && high.error() <= low.error());
        }
        assert_eq!([0, 11].map(Level::new), [None; 2]);
    }
}
