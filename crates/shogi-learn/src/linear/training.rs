//! Training: generations of self-play, each fitted to the results of its games.

use std::io::{self, Read, Write};
use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_eval::{Evaluation, FEATURE_SET, Linear, TrainingSettings, UNITS};
use shogi_rules::threads::map;
use shogi_rules::{Game, Rules, parse_position, parse_usi, to_sfen};

use super::games::{Played, generator, play, to_text};
use super::regression::{Quality, Samples, fit};
use crate::error::{LearnError, LearnReason};
use crate::saved::{self, Work};

/// Games between two reports of progress.
const BLOCK: u32 = 64;

/// One in this many games is held out.
const HELD_OUT: u32 = 10;

/// The progress of training.
#[derive(Clone, Copy, Debug)]
pub struct TrainingProgress<'a> {
    /// Games played so far in all generations.
    pub games: u64,
    /// The generations that are complete.
    pub generations: &'a [Quality],
}

/// The result of training.
#[derive(Clone, PartialEq, Debug)]
pub struct Trained<R> {
    /// The evaluation after the last generation.
    pub evaluation: Evaluation<R>,
    /// The quality of each generation's evaluation on its own games.
    pub generations: Vec<Quality>,
}

/// Trains an evaluation by games from a start position; `None` if `progress` breaks, which is called after
/// every 64 games. See [`Training`], which can be saved.
pub fn train<R: Rules>(
    start: &Position<R>,
    settings: TrainingSettings,
    mut progress: impl FnMut(TrainingProgress<'_>) -> ControlFlow<()>,
) -> Option<Trained<R>> {
    Training::new(*start, settings).run(|_, now| progress(now))
}

/// Training with the games played so far; it can be saved and resumed.
///
/// Games are played on all threads of the rayon pool. The result depends on the start and the settings alone
/// (and on the machine's exponential function), whether the games were played in one run or in several: fits to
/// kept games are repeated.
///
/// ```
/// use std::ops::{ControlFlow, Range};
/// use shogi_eval::TrainingSettings;
/// use shogi_learn::linear::Training;
/// use shogi_rules::{Dobutsu, Rules, parse_position};
///
/// let start = parse_position::<Dobutsu>(Dobutsu::START)?;
/// let settings = TrainingSettings { games: 100, generations: 1, ..TrainingSettings::default() };
/// let mut training = Training::new(start, settings);
/// assert!(training.run(|_, _| ControlFlow::Break(())).is_none());
/// let mut saved = Vec::new();
/// training.write(&mut saved)?;
///
/// let mut training = Training::read(&saved[..])?;
/// let trained = training.run(|_, _| ControlFlow::Continue(()));
/// assert_eq!(trained, Training::new(start, settings).run(|_, _| ControlFlow::Continue(())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Training<R: Rules> {
    start: Position<R>,
    settings: TrainingSettings,
    /// The moves of the games of all generations, in the form of files, in order of number.
    games: Vec<String>,
}

impl<R: Rules> Training<R> {
    /// Training that has not begun.
    pub const fn new(start: Position<R>, settings: TrainingSettings) -> Self {
        Self { start, settings, games: Vec::new() }
    }

    /// The settings.
    pub const fn settings(&self) -> &TrainingSettings {
        &self.settings
    }

    /// Games played so far in all generations.
    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Trains to the end, or returns `None` if `progress` breaks, which is called after every 64 games.
    pub fn run(
        &mut self,
        mut progress: impl FnMut(&Self, TrainingProgress<'_>) -> ControlFlow<()>,
    ) -> Option<Trained<R>> {
        let settings = self.settings;
        let mut linear = Linear::<R>::zero();
        let mut generations = Vec::new();
        for generation in 0..settings.generations {
            let mut samples = GameSamples::default();
            let mut next = 0;
            while next < settings.games {
                let block = next..next.saturating_add(BLOCK).min(settings.games);
                let played = self.play(&linear, generation, block.clone());
                let number = self.number(generation, next);
                samples.take(&block, number, played, &mut self.games);
                next = block.end;
                let games = self.number(generation, next) as u64;
                if progress(self, TrainingProgress { games, generations: &generations }).is_break()
                {
                    return None;
                }
            }
            let (weights, quality) = samples.fit(linear.weights(), &settings, generation);
            generations.push(quality);
            linear = Linear::nearest(&weights);
        }
        let evaluation = Evaluation::new(to_sfen(&self.start), settings, linear);
        Some(Trained { evaluation, generations })
    }

    /// The number of a game of a generation among the games of all.
    const fn number(&self, generation: u32, game: u32) -> usize {
        generation as usize * self.settings.games as usize + game as usize
    }

    /// Plays games of a generation, or replays kept ones.
    fn play(&self, linear: &Linear<R>, generation: u32, games: Range<u32>) -> Vec<Played> {
        let play = |game: u32| {
            let known = self.games.get(self.number(generation, game)).map(String::as_str);
            play(&self.start, linear, &self.settings, (generation, game), known)
        };
        map(games.collect(), &play)
    }

    /// Writes a checkpoint of the games: see docs/reference/formats.md in the repository.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let head = TrainingHead {
            variant: R::NAME.to_owned(),
            features: FEATURE_SET.to_owned(),
            start: to_sfen(&self.start),
            settings: self.settings,
            games: self.games.len() as u64,
        };
        saved::write(&mut out, &Work::Training.format(), &head, |out| {
            self.games.iter().try_for_each(|moves| out.sized_text(moves))
        })
    }

    /// Reads a checkpoint that [`Training::write`] has written, and replays all games.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another variant or feature set, or has an illegal position or move.
    // Long, and called from several places.
    #[inline(never)]
    pub fn read(mut input: impl Read) -> Result<Self, LearnError> {
        saved::read(&mut input, &Work::Training.format(), |head: TrainingHead, input| {
            LearnReason::check_name(&head.variant, R::NAME)?;
            LearnReason::check_name(&head.features, FEATURE_SET)?;
            let start = parse_position(&head.start).map_err(|_| LearnReason::Start(head.start))?;
            let mut training = Self::new(start, head.settings);
            for game in 1..=head.games {
                let moves = replay(&start, &input.sized_text("game")?);
                training.games.push(moves.map_err(|text| LearnReason::Move { game, text })?);
            }
            Ok(training)
        })
    }

    /// Whether the games of both are of one run: from the same start, with the same settings.
    pub fn is_of_the_same_run(&self, other: &Self) -> bool {
        (self.start, self.settings) == (other.start, other.settings)
    }
}

/// Replays the moves of a game and returns them in the form of files, or the first illegal one.
fn replay<R: Rules>(start: &Position<R>, moves: &str) -> Result<String, String> {
    let mut game = Game::new(*start);
    for usi in moves.split_ascii_whitespace() {
        let mv = parse_usi(usi).ok();
        if mv.is_none_or(|mv| game.play(mv).is_err()) {
            return Err(usi.to_owned());
        }
    }
    Ok(to_text(game.moves()))
}

/// The head of a checkpoint, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrainingHead {
    variant: String,
    features: String,
    start: String,
    settings: TrainingSettings,
    games: u64,
}

/// The samples from the games of a generation.
#[derive(Default)]
struct GameSamples {
    fitted: Samples,
    held_out: Samples,
}

impl GameSamples {
    /// Adds the new games of a block, whose first game has this number among all.
    fn take(
        &mut self,
        block: &Range<u32>,
        number: usize,
        played: Vec<Played>,
        games: &mut Vec<String>,
    ) {
        let known = games.len() - number.min(games.len());
        for (nth, (game, played)) in block.clone().zip(played).enumerate() {
            let is_held_out = game % HELD_OUT == HELD_OUT - 1;
            let samples = if is_held_out { &mut self.held_out } else { &mut self.fitted };
            samples.append(&played.samples);
            if nth >= known {
                games.push(played.moves);
            }
        }
    }

    /// Fits the weights of the last generation, in units of 1/[`UNITS`], to the games, and measures them.
    fn fit(
        &self,
        weights: &[i32],
        settings: &TrainingSettings,
        generation: u32,
    ) -> (Vec<f32>, Quality) {
        let units = UNITS as f32;
        let weights = weights.iter().map(|&w| w as f32 / units).collect();
        let random = generator(settings.seed, (1 << 63) | u64::from(generation));
        let weights = fit(weights, &self.fitted, settings.epochs, random);
        let quality = Quality::measure(&weights, &self.fitted, &self.held_out);
        (weights, quality)
    }
}
