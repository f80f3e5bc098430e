//! A fixed piece of work for the player, whose node count shows whether the search is unchanged.

use std::ops::ControlFlow;
use std::time::Duration;

use shogi_rules::{Game, Rules};

use crate::evaluate::Evaluator;
use crate::limits::{Control, Limits};
use crate::player::Player;
use crate::report::{Action, BestLine};

/// The work done by [`bench`](fn@bench).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bench {
    /// Positions searched.
    pub searches: u32,
    /// Positions visited by all searches. This number is the signature: any change of the evaluation, of the
    /// order of moves, or of what is pruned, reduced or extended shows in it.
    pub nodes: u64,
    /// Time taken by the searches.
    pub time: Duration,
}

impl Bench {
    /// Positions visited per second.
    ///
    /// ```
    /// use std::time::Duration;
    /// use shogi_search::Bench;
    /// let bench = Bench { searches: 12, nodes: 3_000, time: Duration::from_millis(500) };
    /// assert_eq!(bench.nodes_per_second(), 6_000);
    /// ```
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }

    fn add<R: Rules>(&mut self, search: &BestLine<R>) {
        self.searches += 1;
        self.nodes += search.nodes;
        self.time += search.time;
    }
}

/// Clears the player and plays a game against itself at a fixed depth: at most `searches` searches, fewer if
/// the game ends earlier. With one thread the node count is the same on every machine.
///
/// `watch` is called with the work done after each search and ends the bench early by `Break`.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_rules::{Dobutsu, Game};
/// use shogi_search::{Evaluation, Player, Settings, bench};
///
/// let mut player = Player::new(Evaluation::<Dobutsu>::standard(), Settings::default());
/// let mut run = || bench(&mut player, Game::from_start(), 4, 6, |_| ControlFlow::Continue(()));
/// let (first, second) = (run(), run());
/// assert_eq!((first.searches, first.nodes), (6, second.nodes));
/// ```
pub fn bench<R: Rules, E: Evaluator<R>>(
    player: &mut Player<R, E>,
    mut game: Game<R>,
    depth: u32,
    searches: u32,
    mut watch: impl FnMut(&Bench) -> ControlFlow<()>,
) -> Bench {
    player.clear();
    let control = Control::new();
    let mut done = Bench::default();
    while done.searches < searches && game.outcome().is_none() {
        let best = player.best_line(&game, &[], &Limits::depth(depth), &control, &mut |_| {});
        done.add(&best);
        let Action::Play(mv) = best.action else { break };
        if watch(&done).is_break() || game.play(mv).is_err() {
            break;
        }
    }
    done
}
