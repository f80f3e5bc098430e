//! Training: generations of self-play, each fitted to the results of its games.

use std::io::{self, Read, Write};
use std::ops::{ControlFlow, Range};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_eval::{Evaluation, FEATURE_SET, Linear, TrainingSettings, UNITS};
use shogi_rules::sealed::{self, At, FileFormat, Flaw, Reader, Writer};
use shogi_rules::{Game, Rules, parse_position, parse_usi, to_sfen};

use super::games::{Played, generator, play, to_text};
use super::regression::{Quality, Samples, fit};

/// Games between two reports of progress.
const BLOCK: u32 = 64;

/// Every so many games one is not learnt from, but measured on.
const HELD_OUT: u32 = 10;

/// How far training has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Games played so far in all generations.
    pub games: u64,
    /// The generations that are complete.
    pub generations: &'a [Quality],
}

/// What training has come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Trained<R> {
    /// The evaluation after the last generation.
    pub evaluation: Evaluation<R>,
    /// How well each generation's evaluation predicts the results of its own games.
    pub generations: Vec<Quality>,
}

/// Trains an evaluation by games from a start position; `None` if `progress`, which hears of every
/// 64 games, breaks. See [`Training`], which can be saved.
pub fn train<R: Rules>(
    start: &Position<R>,
    settings: TrainingSettings,
    mut progress: impl FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Option<Trained<R>> {
    Training::new(*start, settings).run(|_, now| progress(now))
}

/// Training with the games played so far, which can be saved and resumed.
///
/// Games are played on all threads of the rayon pool. The result depends on the start and the settings alone (and on the machine's exponential function), whether the games were played in one
/// run or in several: what was fitted to games that are kept is fitted again.
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
    /// The moves of the games of all generations, as files have them, in the order of their numbers.
    games: Vec<String>,
}

impl<R: Rules> Training<R> {
    /// Training without a game.
    pub const fn new(start: Position<R>, settings: TrainingSettings) -> Self {
        Self { start, settings, games: Vec::new() }
    }

    /// How it trains.
    pub const fn settings(&self) -> &TrainingSettings {
        &self.settings
    }

    /// Games played so far in all generations.
    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Trains to the end, or until `progress`, which is called after every 64 games, breaks; then
    /// returns `None`.
    pub fn run(
        &mut self,
        mut progress: impl FnMut(&Self, Progress<'_>) -> ControlFlow<()>,
    ) -> Option<Trained<R>> {
        self.run_dyn(&mut progress)
    }

    fn run_dyn(
        &mut self,
        progress: &mut dyn FnMut(&Self, Progress<'_>) -> ControlFlow<()>,
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
                if progress(self, Progress { games, generations: &generations }).is_break() {
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

    /// Plays games of a generation, or plays again those that are kept.
    fn play(&self, linear: &Linear<R>, generation: u32, games: Range<u32>) -> Vec<Played> {
        let play = |game| {
            let known = self.games.get(self.number(generation, game)).map(String::as_str);
            play(&self.start, linear, &self.settings, (generation, game), known)
        };
        games.into_par_iter().map(play).collect()
    }

    /// Writes the games with what they depend on: see docs/reference/formats.md in the repository.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        write(&mut out, R::NAME, to_sfen(&self.start), self.settings, &self.games)
    }

    /// Reads what [`Training::write`] has written, and plays through all games.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another variant or feature set, or has a position or a move that the
    /// variant does not have.
    pub fn read(mut input: impl Read) -> Result<Self, TrainingError> {
        Self::read_from(&mut input)
    }

    fn read_from(input: &mut dyn Read) -> Result<Self, TrainingError> {
        let (head, mut reader) = read_head(input, R::NAME)?;
        let read = Self::read_games(head, &mut reader);
        let training = read.map_err(|reason| reader.at(reason))?;
        reader.finish().map_err(At::convert)?;
        Ok(training)
    }

    fn read_games(head: Head, reader: &mut Reader<&mut dyn Read>) -> Result<Self, TrainingReason> {
        let start = parse_position(&head.start).map_err(|_| TrainingReason::Start(head.start))?;
        let mut training = Self::new(start, head.settings);
        read_moves(reader, head.games, &mut training.games, &|moves| replay(&start, moves))?;
        Ok(training)
    }

    /// Whether the games of both are of one run: from the same start, with the same settings.
    pub fn is_of_the_same_run(&self, other: &Self) -> bool {
        (self.start, self.settings) == (other.start, other.settings)
    }
}

/// Plays the moves of a game, and gives them as files have them; or the first that cannot be played.
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

/// Reads so many games, which `replay` plays.
fn read_moves(
    reader: &mut Reader<&mut dyn Read>,
    count: u64,
    games: &mut Vec<String>,
    replay: &dyn Fn(&str) -> Result<String, String>,
) -> Result<(), TrainingReason> {
    for game in 1..=count {
        let moves = replay(&reader.sized_text("game")?);
        games.push(moves.map_err(|text| TrainingReason::Move { game, text })?);
    }
    Ok(())
}

/// How the checkpoint of a training begins.
pub const FORMAT: FileFormat = FileFormat {
    magic: *b"\x89TRAIN\r\n",
    version: 1,
    name: "checkpoint of a training",
    most: 1 << 32,
};

/// What a checkpoint begins with, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    variant: String,
    features: String,
    start: String,
    settings: TrainingSettings,
    games: u64,
}

/// The name of the variant of a checkpoint.
///
/// # Errors
///
/// If the file is not one.
pub fn read_variant(input: impl Read) -> Result<String, TrainingError> {
    sealed::read_variant(input, &FORMAT)
}

/// Why a file is no checkpoint of a training, and where.
pub type TrainingError = At<TrainingReason>;

/// What can be wrong with the checkpoint of a training.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingReason {
    /// The file is not what was written.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// The head is not one that is written.
    #[error("in the head: {0}")]
    Head(#[from] serde_json::Error),
    /// It was made for another variant or with other features.
    #[error("it is for {found}, but {expected} is wanted")]
    Other {
        /// Variant or feature set of the file.
        found: String,
        /// Variant or feature set that is wanted.
        expected: &'static str,
    },
    /// The start is no position of the variant.
    #[error("the start {0:?} is no position of the variant")]
    Start(String),
    /// A move cannot be played.
    #[error("game {game}: the move {text:?} cannot be played")]
    Move {
        /// The game, from 1.
        game: u64,
        /// The move.
        text: String,
    },
}

/// What is learnt from the games of a generation.
#[derive(Default)]
struct GameSamples {
    fitted: Samples,
    held_out: Samples,
}

impl GameSamples {
    /// Takes a block of games, the first of which has this number among all, and adds those that are new.
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
        let mut weights: Vec<f32> = weights.iter().map(|&w| w as f32 / units).collect();
        let mut random = generator(settings.seed, (1 << 63) | u64::from(generation));
        fit(&mut weights, &self.fitted, settings.epochs, &mut random);
        let quality = Quality::measure(&weights, &self.fitted, &self.held_out);
        (weights, quality)
    }
}

fn write(
    out: &mut dyn Write,
    variant: &str,
    start: String,
    settings: TrainingSettings,
    games: &[String],
) -> io::Result<()> {
    let (variant, features) = (variant.to_owned(), FEATURE_SET.to_owned());
    let head = Head { variant, features, start, settings, games: games.len() as u64 };
    let mut out = Writer::new(out, &FORMAT)?;
    out.sized_text(&serde_json::to_string(&head)?)?;
    for moves in games {
        out.sized_text(moves)?;
    }
    out.finish().map(drop)
}

/// Reads what a checkpoint of a variant begins with.
fn read_head<'i>(
    input: &'i mut dyn Read,
    variant: &'static str,
) -> Result<(Head, Reader<&'i mut dyn Read>), TrainingError> {
    let mut reader = Reader::new(input, &FORMAT).map_err(At::convert)?;
    let head = reader.sized_text("head").map_err(TrainingReason::from);
    match head.and_then(|text| Head::parse(&text, variant)) {
        Ok(head) => Ok((head, reader)),
        Err(reason) => Err(reader.at(reason)),
    }
}

impl Head {
    /// A head that is of a variant and of the features known here.
    fn parse(text: &str, variant: &'static str) -> Result<Self, TrainingReason> {
        let head: Self = serde_json::from_str(text)?;
        for (found, expected) in [(&head.variant, variant), (&head.features, FEATURE_SET)] {
            if found != expected {
                return Err(TrainingReason::Other { found: found.clone(), expected });
            }
        }
        Ok(head)
    }
}
