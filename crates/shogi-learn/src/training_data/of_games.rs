//! Games of self-play as entries.

use shogi_rules::Rules;
use shogi_search::Score;

use super::{DataEntry, DataFormat};
use crate::self_play::{Played, is_decided};

/// The value of a pawn in the scores of PSV.
const PSV_PAWN: i32 = 90;
/// The value of a win in PSV; with n plies to go it is n less.
const PSV_WIN: i32 = 32_000;

/// The positions of a game in which the player chose a move, those after the random opening, as entries with scores
/// in the units of `format`: 90 for a pawn in PSV, hundredths of a pawn in hcpe.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_learn::self_play::{Effort, SelfPlay, play_games};
/// use shogi_learn::shogi_search::{Evaluation, Player};
/// use shogi_learn::training_data::{DataFormat, entries};
/// use shogi_rules::{Rules, Shogi};
///
/// let settings = SelfPlay { effort: Effort::Nodes(20), plies: 12, ..SelfPlay::default() };
/// let player = || Player::new(Evaluation::named("material").unwrap(), settings.player());
/// let mut file = Vec::new();
/// let _ = play_games(&Shogi::start(), &settings, 0..1, 1, player, |game| {
///     for entry in entries(&game, DataFormat::Hcpe) {
///         DataFormat::Hcpe.write(&entry, &mut file).expect("a vector takes whatever is written");
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(DataFormat::Hcpe.read::<Shogi, _>(&file[..]).count(), file.len() / 38);
/// ```
pub fn entries<R: Rules>(
    game: &Played<R>,
    format: DataFormat,
) -> impl Iterator<Item = DataEntry<R>> + '_ {
    (game.opening() + 1..).zip(game.samples()).map(move |(number, sample)| DataEntry {
        position: sample.position,
        mv: Some(sample.mv),
        score: format.score(sample.score),
        result: Some(sample.result),
        ply: u16::try_from(number).unwrap_or(u16::MAX),
    })
}

impl DataFormat {
    /// A score of the player in the units of this format.
    fn score(self, score: i16) -> i16 {
        if self != Self::Psv {
            return score;
        }
        let converted = match Score::from_search(score.into()) {
            // A win or a loss by repetition is no number of pawns.
            Score::Value(value) if is_decided(score) => value,
            Score::Value(value) => value * PSV_PAWN / 100,
            Score::WinIn(plies) => PSV_WIN - plies as i32,
            Score::LossIn(plies) => plies as i32 - PSV_WIN,
        };
        converted as i16
    }
}
