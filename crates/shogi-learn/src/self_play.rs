//! Games of a player against itself, each of which depends only on the settings and its number.

use std::ops::ControlFlow;
use std::time::Duration;

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};
use shogi_core::{Colour, Move, Position};
use shogi_records::{End, Ending, Record};
use shogi_rules::{Game, Outcome, Reason, Rules, Verdict};
use shogi_search::{Action, Control, Evaluator, Limits, Player, Score, Settings};

use crate::in_order::{Worker, in_order};
use crate::value::Judged;

/// The most plies of a game: archives store the number in 16 bits.
pub const MAX_PLIES: u32 = u16::MAX as u32;

/// Settings of self-play.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_learn::self_play::{Effort, SelfPlay, play_games};
/// use shogi_learn::shogi_search::{Evaluation, Player};
/// use shogi_rules::{Minishogi, Rules};
///
/// let settings = SelfPlay { effort: Effort::Nodes(100), ..SelfPlay::default() };
/// let player = || Player::new(Evaluation::<Minishogi>::standard(), settings.player());
/// let mut winners = Vec::new();
/// let _ = play_games(&Minishogi::start(), &settings, 0..2, 1, player, |played| {
///     winners.push(played.winner());
///     ControlFlow::Continue(())
/// });
/// assert_eq!(winners.len(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// The seed of the random numbers. Game n of a seed is always the same if the effort is in nodes.
    pub seed: u64,
    /// Number of random moves at the beginning, or one less, with equal chances; at most [`MAX_PLIES`].
    pub opening: u32,
    /// The effort of each move.
    pub effort: Effort,
    /// Plies after which a game is stopped as a draw; at most [`MAX_PLIES`].
    pub plies: u32,
    /// Size of the player's transposition table, in bytes; it is emptied before each game.
    pub hash_bytes: usize,
    /// Whether the player looks for mates by checks first.
    pub mate_probe: bool,
}

/// The effort of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// A number of nodes.
    Nodes(u64),
    /// A time; games then differ from machine to machine.
    Milliseconds(u64),
}

impl Default for SelfPlay {
    /// Seed 1, seven or eight random moves, 1,000 nodes a move, 400 plies, 2 MiB, and no mate probe, which
    /// would cost more than so short a search.
    fn default() -> Self {
        let effort = Effort::Nodes(1_000);
        Self { seed: 1, opening: 8, effort, plies: 400, hash_bytes: 2 << 20, mate_probe: false }
    }
}

impl SelfPlay {
    /// The player's settings.
    pub fn player(&self) -> Settings {
        let Self { hash_bytes, mate_probe, .. } = *self;
        Settings { hash_bytes, mate_probe, ..Settings::default() }
    }

    /// The limits of a move.
    pub fn limits(&self) -> Limits {
        match self.effort {
            Effort::Nodes(nodes) => Limits::nodes(nodes),
            Effort::Milliseconds(time) => Limits::time(Duration::from_millis(time)),
        }
    }
}

/// The end of a game of self-play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Finish {
    /// By the rules, on the board.
    Board,
    /// The player to move resigned: the search had found a forced loss.
    Resignation,
    /// The player to move declared by the impasse rule, and won.
    Declaration,
    /// The longest game allowed was reached; a draw.
    Limit,
}

impl Finish {
    /// The winner of a game with this end, given the outcome by the rules and the player to move.
    pub(crate) fn winner(self, outcome: Option<Outcome>, side: Colour) -> Option<Colour> {
        match self {
            Self::Board => outcome.and_then(|outcome| outcome.winner()),
            Self::Resignation => Some(!side),
            Self::Declaration => Some(side),
            Self::Limit => None,
        }
    }

    /// The end in the words of records.
    fn ending<R: Rules>(self, outcome: Option<Outcome>) -> Option<Ending<R>> {
        match self {
            Self::Board => outcome.map(Into::into),
            Self::Resignation => Some(End::Resignation.into()),
            Self::Declaration => Some(End::Declaration.into()),
            Self::Limit => Some(End::MoveLimit.into()),
        }
    }
}

/// The verdict of a game with this winner for a player.
pub(crate) fn verdict(winner: Option<Colour>, player: Colour) -> Verdict {
    match winner {
        None => Verdict::Draw,
        Some(winner) if winner == player => Verdict::Win,
        Some(_) => Verdict::Loss,
    }
}

/// A game of self-play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<R: Rules> {
    game: Game<R>,
    opening: usize,
    scores: Vec<i16>,
    finish: Finish,
}

/// Why the parts of a game do not fit together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayedError {
    /// The number of scores is not that of moves after the opening.
    #[error("{moves} moves after the opening, but {scores} scores")]
    Scores {
        /// Moves after the opening.
        moves: usize,
        /// Scores.
        scores: usize,
    },
    /// The end contradicts the rules.
    #[error("a game that ended by {claimed:?} has ended by {found:?} on the board")]
    Finish {
        /// The claimed end.
        claimed: Finish,
        /// The end by the rules, if the game is over by them.
        found: Option<Reason>,
    },
    /// A declaration that the rules do not allow.
    #[error("the declaration does not hold")]
    Declaration,
}

/// Checks that a game with these moves and this end by the rules can have these parts.
fn check_parts(
    moves: usize,
    opening: usize,
    scores: usize,
    finish: Finish,
    found: Option<Reason>,
) -> Result<(), PlayedError> {
    let chosen = moves.saturating_sub(opening);
    if opening > moves || scores != chosen {
        return Err(PlayedError::Scores { moves: chosen, scores });
    }
    if found.is_some() != (finish == Finish::Board) {
        return Err(PlayedError::Finish { claimed: finish, found });
    }
    Ok(())
}

impl<R: Rules> Played<R> {
    /// A game from its parts: `scores` has one number, as of [`Score::order`], for each move after
    /// the first `opening` ones.
    ///
    /// # Errors
    ///
    /// If the parts do not fit together.
    pub fn new(
        game: Game<R>,
        opening: usize,
        scores: Vec<i16>,
        finish: Finish,
    ) -> Result<Self, PlayedError> {
        let found = game.outcome().map(|outcome| outcome.reason);
        check_parts(game.moves().len(), opening, scores.len(), finish, found)?;
        if finish == Finish::Declaration && !game.may_declare() {
            return Err(PlayedError::Declaration);
        }
        Ok(Self { game, opening, scores, finish })
    }

    /// The game by the rules, without a resignation or declaration.
    pub const fn game(&self) -> &Game<R> {
        &self.game
    }

    /// The number of random moves that it begins with.
    pub const fn opening(&self) -> usize {
        self.opening
    }

    /// For each move after the opening, the [`Score::order`] of the search's score of the position before it.
    pub fn scores(&self) -> &[i16] {
        &self.scores
    }

    /// The end.
    pub const fn finish(&self) -> Finish {
        self.finish
    }

    /// The winner, if there is one.
    pub fn winner(&self) -> Option<Colour> {
        self.finish.winner(self.game.outcome(), self.game.position().side())
    }

    /// The positions in which the player chose a move, with scores and results.
    pub fn samples(&self) -> impl Iterator<Item = Sample<R>> + '_ {
        (0..self.scores.len()).map(|number| self.sample(number))
    }

    /// The position in which move `number` after the opening was chosen.
    pub(crate) fn sample(&self, number: usize) -> Sample<R> {
        let at = self.opening + number;
        let (position, mv) = (self.game.positions()[at], self.game.moves()[at]);
        let result = verdict(self.winner(), position.side());
        let quiet = is_quiet(&position, mv);
        Sample { position, mv, score: self.scores[number], result, quiet }
    }

    /// The record of the game, with the scores as comments.
    ///
    /// A game that ended by the number of plies ends as a draw by that.
    pub fn record(&self) -> Record<R> {
        let positions = self.game.positions();
        let mut record = Record::new(positions[0]);
        for (at, &mv) in self.game.moves().iter().enumerate() {
            // The game allowed it, so a record does.
            let Ok(recorded) = record.push(mv) else { break };
            if at >= self.opening {
                let score = i32::from(self.scores[at - self.opening]);
                recorded.comments.push(Score::from_search(score).to_string());
            }
        }
        if let Some(ending) = self.finish.ending(self.game.outcome()) {
            record.end(ending);
        }
        record
    }
}

/// A position to learn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// The move that was chosen.
    pub mv: Move<R>,
    /// The score of the search, for the player to move: hundredths of a pawn; from 25,000 on and up to
    /// -25,000 a win or a loss, by repetition or by a number of plies, see [`Score::order`].
    pub score: i16,
    /// How the game ended, for the player to move.
    pub result: Verdict,
    /// Whether the player is not in check and the chosen move neither captures nor promotes.
    pub quiet: bool,
}

impl<R: Rules> Sample<R> {
    /// Whether the search has found the end of the game: its score is a win or a loss.
    pub const fn is_decided(&self) -> bool {
        is_decided(self.score)
    }

    /// The position with its score and result, for fits of evaluations.
    pub const fn judged(&self) -> Judged<R> {
        Judged { position: self.position, score: self.score, result: self.result }
    }
}

/// Whether the player is not in check and the move neither captures nor promotes.
pub(crate) fn is_quiet<R: Rules>(position: &Position<R>, mv: Move<R>) -> bool {
    let capture = position.piece(mv.to()).is_some();
    // In Kyoto shogi every move turns its piece, which is nothing special there.
    let promotes = matches!(mv, Move::Board { turn: true, .. })
        && R::promotion() != shogi_core::Promotion::EveryMove;
    !capture && !promotes && !position.is_check()
}

/// Whether a score is a win or a loss that the search found.
pub(crate) const fn is_decided(score: i16) -> bool {
    (score as i32).abs() >= Score::DECIDED
}

/// The part of the generator's key after the seed, so that no other use of the same seed draws
/// the same numbers.
const DOMAIN: [u8; 24] = *b"shogi-search self-play 1";
/// The most attempts to draw an opening that does not end the game.
const OPENINGS: u32 = 1_000;

/// Plays game number `number`; `None` if `control` has stopped it.
///
/// The player should have the settings [`SelfPlay::player`]; it is cleared first. If a thousand random openings all end the game, it is played without one.
pub fn play_game<R: Rules, E: Evaluator<R>>(
    start: &Position<R>,
    settings: &SelfPlay,
    number: u32,
    player: &mut Player<R, E>,
    control: &Control,
) -> Option<Played<R>> {
    player.clear();
    let game = random_opening(start, settings, number);
    let opening = game.moves().len();
    let mut scores = Vec::new();
    let (game, finish) = play_out(game, settings, control, &mut |game, limits| {
        let best = player.think(game, limits, control, |_| {});
        scores.push(best.score.order() as i16);
        (best.action, best.score)
    })?;
    scores.truncate(game.moves().len() - opening);
    Some(Played { game, opening, scores, finish })
}

/// Chooses a player's action in a position of a game, within limits, with its score.
pub(crate) type Turn<'t, R> = dyn FnMut(&Game<R>, &Limits) -> (Action<R>, Score) + 't;

/// Plays a game to its end and returns the end; `None` if `control` has stopped it.
pub(crate) fn play_out<R: Rules>(
    mut game: Game<R>,
    settings: &SelfPlay,
    control: &Control,
    turn: &mut Turn<'_, R>,
) -> Option<(Game<R>, Finish)> {
    let limits = settings.limits();
    let finish = loop {
        if game.outcome().is_some() {
            break Finish::Board;
        }
        if game.moves().len() >= settings.plies.min(MAX_PLIES) as usize {
            break Finish::Limit;
        }
        let turn = turn(&game, &limits);
        if control.is_stopped() {
            return None;
        }
        match turn {
            (Action::Declare, _) => break Finish::Declaration,
            (Action::Resign, _) | (_, Score::LossIn(_)) => break Finish::Resignation,
            // An illegal move loses as well.
            (Action::Play(mv), _) if game.play(mv).is_err() => break Finish::Resignation,
            (Action::Play(_), _) => {}
        }
    };
    Some((game, finish))
}

/// The random moves at the beginning of game `number`; empty if a thousand openings all end the game.
pub(crate) fn random_opening<R: Rules>(
    start: &Position<R>,
    settings: &SelfPlay,
    number: u32,
) -> Game<R> {
    let mut random = generator(settings.seed, number);
    for _ in 0..OPENINGS {
        if let Some(game) = opening(start, settings.opening.min(MAX_PLIES), &mut random) {
            return game;
        }
    }
    Game::new(*start)
}

/// The random numbers of game number `number`.
fn generator(seed: u64, number: u32) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..].copy_from_slice(&DOMAIN);
    let mut random = ChaCha8Rng::from_seed(key);
    random.set_stream(number.into());
    random
}

/// Random moves, unless they end the game.
fn opening<R: Rules>(start: &Position<R>, plies: u32, random: &mut ChaCha8Rng) -> Option<Game<R>> {
    let mut game = Game::new(*start);
    for _ in 0..shortened(plies, random) {
        let mv = *game.position().legal_moves().choose(random)?;
        game.play(mv).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

/// `plies` or one less.
fn shortened(plies: u32, random: &mut ChaCha8Rng) -> u32 {
    plies.saturating_sub(random.random_range(0..=1u16).into())
}

/// Plays the games with the numbers `games` on several threads, each with a player of its own, and passes them
/// in order to `each` until it breaks. Returns whether it did.
///
/// The games do not depend on the number of threads.
pub fn play_games<R: Rules, E: Evaluator<R>>(
    start: &Position<R>,
    settings: &SelfPlay,
    games: std::ops::Range<u32>,
    threads: usize,
    player: impl Fn() -> Player<R, E> + Sync,
    mut each: impl FnMut(Played<R>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let worker = || -> Worker<'_, Played<R>> {
        let mut player = player();
        Box::new(move |number, control| play_game(start, settings, number, &mut player, control))
    };
    in_order(games, threads, &worker, &mut each)
}
