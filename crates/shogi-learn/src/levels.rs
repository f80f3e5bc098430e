//! Matches of the player's levels against each other, which measure the worth of a step.

use std::ops::ControlFlow;

use shogi_core::{Colour, Position};
use shogi_rules::Rules;
use shogi_search::{Control, Evaluator, Level, Limits, Player, Score};

use crate::arena::MatchScore;
use crate::self_play::{SelfPlay, play_out, random_opening, verdict};

/// Plays games in pairs, from the same random opening with the sides exchanged, and returns the score of the
/// first of two levels. `each` is called after every pair, and ends the match by breaking.
///
/// The openings and the moves of the levels depend only on the seed.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_learn::levels::play_levels;
/// use shogi_learn::shogi_search::{Evaluation, Level};
/// use shogi_rules::{Minishogi, Rules};
/// let levels = [5, 1].map(|number| Level::new(number).unwrap());
/// let evaluation = Evaluation::<Minishogi>::standard();
/// let score = play_levels(&Minishogi::start(), &evaluation, levels, 2, 1, |_| ControlFlow::Continue(()));
/// assert_eq!(score.games(), 4);
/// assert!(score.won >= 3);
/// ```
pub fn play_levels<R: Rules, E: Evaluator<R> + Clone>(
    start: &Position<R>,
    evaluation: &E,
    levels: [Level; 2],
    pairs: u32,
    seed: u64,
    mut each: impl FnMut(&MatchScore) -> ControlFlow<()>,
) -> MatchScore {
    let settings = SelfPlay { seed, opening: 4, ..SelfPlay::default() };
    let mut players = levels.map(|level| Player::new(evaluation.clone(), level.settings()));
    let control = Control::new();
    let mut score = MatchScore::default();
    for pair in 0..pairs {
        let verdicts = [Colour::Sente, Colour::Gote].map(|first| {
            let opening = random_opening(start, &settings, pair);
            // Nobody stops the games: all are played to their ends.
            let played = play_out(opening, &settings, &control, &mut |game, _| {
                let which = usize::from(game.position().side() != first);
                let seed = seed ^ u64::from(2 * pair + u32::from(first == Colour::Gote)) << 20;
                let (player, limits) = (&mut players[which], Limits::default());
                let best = player.think_at(levels[which], seed, game, &limits, &control);
                // A weak opponent has to find a mate that is there.
                (best.action, Score::Value(0))
            });
            let winner = played
                .and_then(|(game, finish)| finish.winner(game.outcome(), game.position().side()));
            verdict(winner, first)
        });
        score.add(verdicts);
        if each(&score).is_break() {
            break;
        }
    }
    score
}
