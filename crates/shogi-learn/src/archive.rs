//! Games of self-play in a file: four bytes a move, with the positions to learn from.
//!
//! docs/reference/formats.md in the repository describes the file. Everything in it is checked when it is
//! read: each game is played through by the rules, so no position comes out of a file that its
//! variant does not have, and no result that was not played.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_rules::sealed::{At, FileFormat, Flaw, Reader, Writer};
use shogi_rules::{Game, PlayError, Rules, parse_position, rules_hash, to_sfen};
use shogi_search::packed::{pack, unpack};

use crate::self_play::{Finish, Played, PlayedError, Sample, SelfPlay};

/// The format of archives.
pub const FORMAT: FileFormat =
    FileFormat { magic: *b"\x89GAMES\r\n", version: 1, name: "archive of games", most: 1 << 32 };

/// Games of self-play with the settings they were played with.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_search::shogi_rules::{Dobutsu, Rules, parse_position};
/// use shogi_learn::archive::Archive;
/// use shogi_learn::self_play::{Effort, SelfPlay, play_games};
/// use shogi_search::{Evaluation, Player};
///
/// let start = parse_position::<Dobutsu>(Dobutsu::START)?;
/// let settings = SelfPlay { effort: Effort::Nodes(50), opening: 4, ..SelfPlay::default() };
/// let mut archive = Archive::new(start, settings, "material".to_owned());
/// let player = || Player::new(Evaluation::standard(), settings.player());
/// let _ = play_games(&start, &settings, 0..3, 2, player, |game| {
///     archive.games.push(game);
///     ControlFlow::Continue(())
/// });
/// let mut file = Vec::new();
/// archive.write(&mut file)?;
/// let again = Archive::<Dobutsu>::read(&file)?;
/// assert_eq!(again.games.len(), 3);
/// assert!(again.samples().all(|sample| sample.position.try_play(sample.mv).is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archive<R: Rules> {
    /// The games, numbered from 0 without a gap.
    pub games: Vec<Played<R>>,
    start: Position<R>,
    settings: SelfPlay,
    evaluation: String,
}

/// Why an archive cannot be read, and where.
pub type ArchiveError = At<ArchiveReason>;

/// What can be wrong with an archive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveReason {
    /// The file cannot be read, or is not one that was written as an archive.
    #[error(transparent)]
    File(#[from] Flaw),
    /// The head is not one that is written.
    #[error("in the head: {0}")]
    Head(#[from] serde_json::Error),
    /// The archive is of another variant.
    #[error("games of {found}, not of {expected}")]
    Variant {
        /// The variant of the file.
        found: String,
        /// The variant expected.
        expected: &'static str,
    },
    /// A field has a value that is never written.
    #[error("the {0} is not one that is written")]
    Field(&'static str),
    /// A move of a game is none of the variant.
    #[error("game {game}, move {ply}: no move has the number {packed}")]
    Move {
        /// The game, from 1.
        game: usize,
        /// The move, from 1.
        ply: usize,
        /// Its number in the file.
        packed: u16,
    },
    /// A move of a game cannot be played.
    #[error("game {game}, move {ply}: {reason}")]
    Play {
        /// The game, from 1.
        game: usize,
        /// The move, from 1.
        ply: usize,
        /// Why not.
        reason: PlayError,
    },
    /// A game does not hold together.
    #[error("game {game}: {reason}")]
    Game {
        /// The game, from 1.
        game: usize,
        /// What is wrong with it.
        reason: PlayedError,
    },
}

/// What an archive begins with, as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The name of the rule set.
    pub variant: String,
    /// The hash of the rules, hexadecimal; see [`rules_hash`].
    pub rules: String,
    /// Where the games begin, in SFEN.
    pub start: String,
    /// What the player judged positions by.
    pub evaluation: String,
    /// How the games were played.
    pub settings: SelfPlay,
    /// How many games there are.
    pub games: u32,
}

impl<R: Rules> Archive<R> {
    /// An archive without games.
    pub const fn new(start: Position<R>, settings: SelfPlay, evaluation: String) -> Self {
        Self { games: Vec::new(), start, settings, evaluation }
    }

    /// Where the games begin.
    pub const fn start(&self) -> &Position<R> {
        &self.start
    }

    /// How they were played.
    pub const fn settings(&self) -> &SelfPlay {
        &self.settings
    }

    /// What the player judged positions by.
    pub fn evaluation(&self) -> &str {
        &self.evaluation
    }

    /// Whether the games of both are of one run: from the same start, with the same settings and
    /// evaluation.
    pub fn is_of_the_same_run(&self, other: &Self) -> bool {
        (self.start, self.settings, &self.evaluation)
            == (other.start, other.settings, &other.evaluation)
    }

    /// The positions of all games that the player chose a move in, with what came of them.
    pub fn samples(&self) -> impl Iterator<Item = Sample<R>> + '_ {
        self.games.iter().flat_map(Played::samples)
    }

    /// Writes the archive.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        self.write_to(&mut out)
    }

    fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = Head {
            variant: R::name().to_owned(),
            rules: rules::<R>(),
            start: to_sfen(&self.start),
            evaluation: self.evaluation.clone(),
            settings: self.settings,
            games: self.games.len() as u32,
        };
        let mut out = begin(&head, out)?;
        for game in &self.games {
            let moves: Vec<u16> = game.game().moves().iter().map(|&mv| pack(mv)).collect();
            write_game(&mut out, &moves, game.opening(), game.finish(), game.scores())?;
        }
        out.finish().map(drop)
    }

    /// Reads an archive from the bytes of a file.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it; of a damaged file, that it was damaged.
    pub fn read(mut bytes: &[u8]) -> Result<Self, ArchiveError> {
        let mut input = open(&mut bytes)?;
        match Self::read_from(&mut input) {
            Ok(archive) => {
                finish(input)?;
                Ok(archive)
            }
            Err(reason) => Err(refusal(input, reason)),
        }
    }

    fn read_from(input: &mut Input<'_>) -> Result<Self, ArchiveReason> {
        let head = head_of(input, R::name(), &rules::<R>())?;
        let Some(start) = start_of::<R>(&head.start) else {
            return Err(ArchiveReason::Field("start"));
        };
        let mut archive = Self::new(start, head.settings, head.evaluation);
        for game in 1..=head.games as usize {
            archive.games.push(played(input, start, game)?);
        }
        Ok(archive)
    }
}

/// What is written to.
type Output<'a> = Writer<&'a mut dyn Write>;

fn begin<'a>(head: &Head, out: &'a mut dyn Write) -> io::Result<Output<'a>> {
    let head = serde_json::to_vec(head)?;
    let mut out = Writer::new(out, &FORMAT)?;
    out.write_all(&(head.len() as u32).to_le_bytes())?;
    out.write_all(&head)?;
    Ok(out)
}

/// Writes a game with these moves, packed.
fn write_game(
    out: &mut Output<'_>,
    moves: &[u16],
    opening: usize,
    finish: Finish,
    scores: &[i16],
) -> io::Result<()> {
    out.write_all(&(moves.len() as u16).to_le_bytes())?;
    out.write_all(&(opening as u16).to_le_bytes())?;
    out.write_all(&[number(finish)])?;
    for packed in moves {
        out.write_all(&packed.to_le_bytes())?;
    }
    for score in scores {
        out.write_all(&score.to_le_bytes())?;
    }
    Ok(())
}

/// What is left to read.
type Input<'a> = Reader<&'a mut dyn Read>;

/// The head of an archive of whatever variant, once its checksum has been compared.
///
/// # Errors
///
/// What is wrong up to the head, or with the checksum.
pub fn read_head(mut bytes: &[u8]) -> Result<Head, ArchiveError> {
    let mut input = open(&mut bytes)?;
    match head(&mut input) {
        Ok(head) => input.check_rest().map(|()| head).map_err(At::convert),
        Err(reason) => Err(refusal(input, reason)),
    }
}

/// The position with this SFEN, if it is the one that is written.
fn start_of<R: Rules>(sfen: &str) -> Option<Position<R>> {
    let start = parse_position(sfen).ok()?;
    (to_sfen(&start) == sfen).then_some(start)
}

fn finish(mut input: Input<'_>) -> Result<(), ArchiveError> {
    input.finish().map_err(At::convert)
}

fn open(input: &mut dyn Read) -> Result<Input<'_>, ArchiveError> {
    Reader::new(input, &FORMAT).map_err(At::convert)
}

/// The error for content that was refused here, see [`Reader::refusal`].
fn refusal(input: Input<'_>, reason: ArchiveReason) -> ArchiveError {
    match reason {
        ArchiveReason::File(_) => input.at(reason),
        _ => input.refusal(reason),
    }
}

fn head(input: &mut Input<'_>) -> Result<Head, ArchiveReason> {
    let length = u32::from_le_bytes(input.array()?);
    Ok(serde_json::from_slice(&input.bytes(length.into())?)?)
}

/// The head, if it is of this variant and these rules.
fn head_of(
    input: &mut Input<'_>,
    variant: &'static str,
    rules: &str,
) -> Result<Head, ArchiveReason> {
    let head = head(input)?;
    if head.variant != variant {
        return Err(ArchiveReason::Variant { found: head.variant, expected: variant });
    }
    if head.rules != rules {
        return Err(ArchiveReason::Field("hash of the rules"));
    }
    Ok(head)
}

fn played<R: Rules>(
    input: &mut Input<'_>,
    start: Position<R>,
    number: usize,
) -> Result<Played<R>, ArchiveReason> {
    let mut game = Game::new(start);
    let (opening, scores, finish) = read_game(input, number, &mut |packed| {
        let Some(mv) = unpack(packed) else { return Err(None) };
        game.play(mv).map(drop).map_err(Some)
    })?;
    match Played::new(game, opening, scores, finish) {
        Ok(played) => Ok(played),
        Err(reason) => Err(ArchiveReason::Game { game: number, reason }),
    }
}

/// Reads a game and gives each of its moves, packed, to `play`, which says why a move cannot be played, or nothing of
/// one that is none: how many random moves there are, the scores of the others, and how the game ended.
fn read_game(
    input: &mut Input<'_>,
    game: usize,
    play: &mut dyn FnMut(u16) -> Result<(), Option<PlayError>>,
) -> Result<(usize, Vec<i16>, Finish), ArchiveReason> {
    let (moves, opening, finish) = lengths_and_end(input)?;
    for ply in 1..=moves {
        let packed = u16::from_le_bytes(input.array()?);
        match play(packed) {
            Ok(()) => {}
            Err(None) => return Err(ArchiveReason::Move { game, ply, packed }),
            Err(Some(reason)) => return Err(ArchiveReason::Play { game, ply, reason }),
        }
    }
    let scores = read_scores(input, moves.saturating_sub(opening))?;
    Ok((opening, scores, finish))
}

/// How many moves and random moves a game has, and how it ended.
fn lengths_and_end(input: &mut Input<'_>) -> Result<(usize, usize, Finish), ArchiveReason> {
    let moves = usize::from(u16::from_le_bytes(input.array()?));
    let opening = usize::from(u16::from_le_bytes(input.array()?));
    let finish = usize::from(input.byte()?);
    let finish = FINISHES.get(finish).ok_or(ArchiveReason::Field("end of a game"))?;
    Ok((moves, opening, *finish))
}

fn read_scores(input: &mut Input<'_>, count: usize) -> Result<Vec<i16>, Flaw> {
    let mut scores = Vec::new();
    for _ in 0..count {
        scores.push(i16::from_le_bytes(input.array()?));
    }
    Ok(scores)
}

/// The ends of games by their number in the file.
const FINISHES: [Finish; 4] =
    [Finish::Board, Finish::Resignation, Finish::Declaration, Finish::Limit];

/// The number of an end in the file.
fn number(finish: Finish) -> u8 {
    FINISHES.iter().position(|listed| *listed == finish).unwrap_or(FINISHES.len()) as u8
}

fn rules<R: Rules>() -> String {
    blake3::Hash::from(rules_hash::<R>()).to_hex().to_string()
}
