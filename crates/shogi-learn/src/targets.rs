//! Target values of the positions of games, for fits of evaluations.

use shogi_core::{Position, RuleTable};
use shogi_rules::Rules;

use crate::archive::Archive;
use crate::self_play::{Played, is_decided};
use crate::value::{Judged, NetFit, to_targets};
use crate::weighted::PAWNS;

/// A position with its target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target<R: RuleTable> {
    /// The position.
    pub position: Position<R>,
    /// The share of points of the player to move, between 0 and 1.
    pub share: f32,
}

/// The weight of later positions in a target; the rest is the search's score of the position itself (the lambda
/// of temporal differences).
const LATER: f32 = 0.8;

/// The quiet positions of games in which no search has found the end.
///
/// The target of a position combines the search's scores of it and of the positions after it, each with a fifth
/// less weight than the one before, and finally the result of the game (temporal differences; Sutton 1988).
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_search::shogi_rules::{Minishogi, Rules};
/// use shogi_learn::archive::Archive;
/// use shogi_learn::self_play::{Effort, SelfPlay, play_games};
/// use shogi_learn::targets::targets;
/// use shogi_search::{Evaluation, Player};
///
/// let settings = SelfPlay { effort: Effort::Nodes(50), ..SelfPlay::default() };
/// let mut archive = Archive::new(Minishogi::start(), settings, "material".to_owned());
/// let player = || Player::new(Evaluation::named("material").unwrap(), settings.player());
/// let _ = play_games(&Minishogi::start(), &settings, 0..10, 2, player, |game| {
///     archive.games.push(game);
///     ControlFlow::Continue(())
/// });
/// let targets = targets(&[archive]);
/// assert!(targets.iter().all(|target| (0.0..=1.0).contains(&target.share)));
/// ```
pub fn targets<R: Rules>(archives: &[Archive<R>]) -> Vec<Target<R>> {
    let mut all = Vec::new();
    for archive in archives {
        for game in &archive.games {
            add_targets(&mut all, game);
        }
    }
    all
}

/// Targets of single positions, as in the community's training data: a mixture of the game's result and the
/// share that the score predicts, in the shares of [`NetFit::default`]. The predictions are first calibrated on
/// all of these results: 200 to 1,000 units of score multiply the odds of winning by e.
pub fn targets_of<R: Rules>(judged: &[Judged<R>]) -> Vec<Target<R>> {
    to_targets(judged, NetFit::default().result_share)
}

/// The target values of positions of games.
///
/// ```
/// use shogi_learn::targets::Aim;
/// use shogi_learn::value::Judged;
/// use shogi_rules::{KyotoShogi, Rules, Verdict};
/// // The search thought the position even, and the game was won.
/// let judged = [Judged { position: KyotoShogi::start(), score: 0, result: Verdict::Win }];
/// let share = |result_share| Aim::Mixture { result_share }.of_positions(&judged)[0].share;
/// assert_eq!([0.0, 0.1, 0.5].map(share), [0.5, 0.55, 0.75]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Aim {
    /// The search's values of a position and of all later ones in the game, see [`targets`]. For single
    /// positions, a mixture in the shares of [`NetFit::default`].
    #[default]
    Later,
    /// This share of the game's result, the rest what the search thought of the position itself, as in the learning of
    /// YaneuraOu and the programs made from it. Where the search saw the end, that is a win or a loss: nothing else can be
    /// learnt from searches whose evaluation knows nothing.
    Mixture {
        /// Between 0 and 1.
        result_share: f32,
    },
}

impl Aim {
    /// The targets of the quiet positions of games.
    pub fn of_games<R: Rules>(self, archives: &[Archive<R>]) -> Vec<Target<R>> {
        let Self::Mixture { result_share } = self else { return targets(archives) };
        let games = archives.iter().flat_map(|archive| &archive.games);
        let quiet = games.flat_map(Played::samples).filter(|sample| sample.quiet);
        to_targets(&quiet.map(|sample| sample.judged()).collect::<Vec<_>>(), result_share)
    }

    /// The targets of single positions.
    pub fn of_positions<R: Rules>(self, judged: &[Judged<R>]) -> Vec<Target<R>> {
        match self {
            Self::Later => targets_of(judged),
            Self::Mixture { result_share } => to_targets(judged, result_share),
        }
    }
}

/// Adds the positions of a game to learn from, with what is aimed at.
fn add_targets<R: Rules>(targets: &mut Vec<Target<R>>, game: &Played<R>) {
    let Some(last) = game.scores().len().checked_sub(1) else { return };
    let shares = shares(game.scores(), game.sample(last).result.points());
    for (number, share) in shares.into_iter().enumerate() {
        let sample = game.sample(number);
        if sample.quiet && !sample.is_decided() {
            targets.push(Target { position: sample.position, share });
        }
    }
}

/// The targets of positions with these scores, if the player to move in the last one gets `points`.
fn shares(scores: &[i16], points: f32) -> Vec<f32> {
    let mut shares = Vec::with_capacity(scores.len());
    let mut later = points;
    for &score in scores.iter().rev() {
        let share = share(score, later);
        shares.push(share);
        // As the opponent sees it, who made the move before.
        later = 1.0 - share;
    }
    shares.reverse();
    shares
}

/// The target of a position with this score, given the target of the next one.
fn share(score: i16, later: f32) -> f32 {
    (1.0 - LATER) * promised(score) + LATER * later
}

/// The share of points that a score predicts.
fn promised(score: i16) -> f32 {
    if is_decided(score) {
        return if score > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f32::from(score) / (100.0 * PAWNS)).exp())
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Game, Minishogi};

    use super::*;
    use crate::self_play::Finish;

    #[test]
    fn later_results_count_less() {
        let mut game = Game::<Minishogi>::from_start();
        for _ in 0..3 {
            // Golds and rooks along the back rank: quiet moves.
            let quiet = |mv: &shogi_core::Move<Minishogi>| {
                game.position().piece(mv.to()).is_none()
                    && !game.position().play_unchecked(*mv).is_check()
            };
            let mv = *game.position().legal_moves().iter().find(|mv| quiet(mv)).unwrap();
            game.play(mv).unwrap();
        }
        // Gote is to move and resigns, after the search had seen the loss coming.
        let played = Played::new(game, 0, vec![0, 0, 29_990], Finish::Resignation).unwrap();
        let mut targets = Vec::new();
        add_targets(&mut targets, &played);
        let shares: Vec<f32> = targets.iter().map(|target| target.share).collect();
        // The last position is left out, but its result counts.
        assert_eq!(shares.len(), 2);
        assert!((shares[1] - 0.1).abs() < 1e-6, "{shares:?}");
        assert!((shares[0] - (0.1 + LATER * 0.9)).abs() < 1e-6, "{shares:?}");
    }
}
