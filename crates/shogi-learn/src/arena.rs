//! Matches of two players at a fixed number of nodes a move, and estimates of their strength.
//!
//! Openings are random moves; each is played twice, with the colours exchanged. A sequential probability
//! ratio test (Wald, 1945) ends a match as soon as it is decided.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use shogi_core::{Colour, Position};
use shogi_rules::{Rules, Verdict};
use shogi_search::{Evaluator, Player};

use crate::in_order::{Worker, in_order};
use crate::self_play::{SelfPlay, play_out, random_opening, verdict};

/// Wins, draws and losses of the first of two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchScore {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

impl MatchScore {
    /// Games played.
    pub const fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The share of points, between 0 and 1; one half without a game.
    pub fn share(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(self.games())
    }

    /// The variance of the points of a game.
    fn variance(&self) -> f64 {
        let share = self.share();
        let of = |count: u32, points: f64| f64::from(count) * (points - share).powi(2);
        (of(self.won, 1.0) + of(self.drawn, 0.5) + of(self.lost, 0.0))
            / f64::from(self.games().max(1))
    }

    /// The Elo difference that corresponds to the share of points, and the bounds of its 95 % interval;
    /// infinite if one side got all points.
    ///
    /// ```
    /// use shogi_learn::arena::MatchScore;
    /// let [elo, low, high] = MatchScore { won: 60, drawn: 0, lost: 40 }.elo();
    /// assert_eq!([elo, low, high].map(f64::round), [70.0, 3.0, 144.0]);
    /// ```
    pub fn elo(&self) -> [f64; 3] {
        let error = 1.96 * (self.variance() / f64::from(self.games().max(1))).sqrt();
        let share = self.share();
        [share, share - error, share + error].map(|share| {
            let share = share.clamp(0.0, 1.0);
            // Not -0 where both are as strong.
            -400.0 * (1.0 / share - 1.0).log10() + 0.0
        })
    }

    /// The log-likelihood ratio of these results for a first player who is `high` Elo stronger against
    /// one who is `low`, with points distributed about normally.
    pub fn log_likelihood_ratio(&self, low: f64, high: f64) -> f64 {
        let share = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let (low, high) = (share(low), share(high));
        // Early results that are all the same say nothing yet of how they vary.
        let variance = self.variance().max(0.05);
        (high - low) * (self.share() - (low + high) / 2.0) * f64::from(self.games()) / variance
    }

    pub(crate) fn add(&mut self, pair: [Verdict; 2]) {
        for verdict in pair {
            match verdict {
                Verdict::Win => self.won += 1,
                Verdict::Draw => self.drawn += 1,
                Verdict::Loss => self.lost += 1,
            }
        }
    }
}

/// The end of a match: after a number of pairs of games, or earlier if a test with error probabilities
/// of 5 % decides between two differences in Elo.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// The most pairs of games.
    pub pairs: u32,
    /// The difference in Elo of a first player who is not stronger.
    pub low: f64,
    /// The difference in Elo of a first player who is stronger.
    pub high: f64,
}

impl Test {
    /// Whether the test is decided.
    fn decides(&self, score: &MatchScore) -> bool {
        let bound = (0.95_f64 / 0.05).ln();
        score.log_likelihood_ratio(self.low, self.high).abs() >= bound
    }
}

/// Plays a match from `start` with `settings`, on several threads, until the test is decided or `each`
/// breaks, which is called with the score after every pair. The score does not depend on the number of
/// threads.
pub fn play_match<R: Rules, A: Evaluator<R>, B: Evaluator<R>>(
    start: &Position<R>,
    settings: &SelfPlay,
    test: &Test,
    threads: usize,
    players: (impl Fn() -> Player<R, A> + Sync, impl Fn() -> Player<R, B> + Sync),
    each: impl FnMut(&MatchScore) -> ControlFlow<()>,
) -> ControlFlow<(), MatchScore> {
    play_on(start, settings, test, MatchScore::default(), threads, players, each)
}

/// Continues [`play_match`] after the pairs of a score.
pub(crate) fn play_on<R: Rules, A: Evaluator<R>, B: Evaluator<R>>(
    start: &Position<R>,
    settings: &SelfPlay,
    test: &Test,
    so_far: MatchScore,
    threads: usize,
    players: (impl Fn() -> Player<R, A> + Sync, impl Fn() -> Player<R, B> + Sync),
    mut each: impl FnMut(&MatchScore) -> ControlFlow<()>,
) -> ControlFlow<(), MatchScore> {
    let worker = || -> Worker<'_, [Verdict; 2]> {
        let (mut first, mut second) = (players.0(), players.1());
        Box::new(move |number, control| {
            let opening = random_opening(start, settings, number);
            let mut play = |colour| {
                first.clear();
                second.clear();
                let (game, finish) =
                    play_out(opening.clone(), settings, control, &mut |game, limits| {
                        if game.position().side() == colour {
                            let best = first.think(game, limits, control, |_| {});
                            (best.action, best.score)
                        } else {
                            let best = second.think(game, limits, control, |_| {});
                            (best.action, best.score)
                        }
                    })?;
                let winner = finish.winner(game.outcome(), game.position().side());
                Some(verdict(winner, colour))
            };
            Some([play(Colour::Sente)?, play(Colour::Gote)?])
        })
    };
    score_games(test, so_far, threads, &worker, &mut each)
}

/// Plays pairs of games until the test is decided or `each` breaks.
fn score_games<'w>(
    test: &Test,
    mut score: MatchScore,
    threads: usize,
    worker: &(dyn Fn() -> Worker<'w, [Verdict; 2]> + Sync),
    each: &mut dyn FnMut(&MatchScore) -> ControlFlow<()>,
) -> ControlFlow<(), MatchScore> {
    if test.decides(&score) {
        return ControlFlow::Continue(score);
    }
    let mut is_broken_off = false;
    let _ = in_order(score.games() / 2..test.pairs, threads, worker, &mut |pair| {
        score.add(pair);
        is_broken_off = each(&score).is_break();
        if is_broken_off || test.decides(&score) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if is_broken_off { ControlFlow::Break(()) } else { ControlFlow::Continue(score) }
}

#[cfg(test)]
mod tests {
    use shogi_eval::Values;
    use shogi_rules::Minishogi;
    use shogi_search::{Evaluation, Material};

    use super::*;
    use crate::self_play::Effort;

    #[test]
    fn the_better_evaluation_wins_and_threads_change_nothing() {
        let start = Minishogi::start();
        let settings = SelfPlay { effort: Effort::Nodes(200), ..SelfPlay::default() };
        let test = Test { pairs: 40, low: 0.0, high: 100.0 };
        let score = |threads| {
            let first = || Player::new(Evaluation::named("network").unwrap(), settings.player());
            // Every piece is worth the same.
            let values = Values::new::<Minishogi>(|_| 100);
            let second = || Player::new(Material::new(values.clone()), settings.player());
            play_match(&start, &settings, &test, threads, (first, second), |_| {
                ControlFlow::Continue(())
            })
        };
        let ControlFlow::Continue(one) = score(1) else { panic!("nothing breaks it") };
        assert_eq!(score(3), ControlFlow::Continue(one));
        assert!(one.share() > 0.6 && one.games() < 80, "{one:?}");
        assert!(one.log_likelihood_ratio(0.0, 100.0) > 2.9);
    }

    #[test]
    fn an_even_match_has_no_difference() {
        let score = MatchScore { won: 30, drawn: 40, lost: 30 };
        let [elo, low, high] = score.elo();
        assert!(elo.abs() < 1e-9 && low < -40.0 && high > 40.0);
        assert!(score.log_likelihood_ratio(0.0, 50.0) < 0.0);
        assert_eq!(MatchScore { won: 3, drawn: 0, lost: 0 }.elo()[0], f64::INFINITY);
        let even = MatchScore { won: 0, drawn: 2, lost: 0 }.elo().map(|elo| format!("{elo:+.0}"));
        assert_eq!(even, ["+0", "+0", "+0"]);
    }
}
