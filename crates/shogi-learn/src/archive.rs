//! Games of self-play in a file: four bytes a move, with the positions to learn from.
//!
//! docs/reference/formats.md in the repository describes the file. Everything in it is checked when it is read:
//! each game is replayed by the rules, so a file cannot produce an impossible position or a result that was not
//! played.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_files::sealed::{At, FileFormat, Reader};
use shogi_rules::{Game, Rules, hash_digits, parse_position, rules_hash, to_sfen};
use shogi_search::packed::{pack, unpack};

use crate::error::{LearnError, LearnReason};
use crate::saved::{self, Input, Output};
use crate::self_play::{Finish, Played, Sample, SelfPlay};

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
/// assert!(again.samples().all(|sample| sample.position.play(sample.mv).is_ok()));
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

/// The head of an archive, as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchiveHead {
    /// The name of the rule set.
    pub variant: String,
    /// The hash of the rules, hexadecimal; see [`rules_hash`].
    pub rules: String,
    /// The start position of the games, in SFEN.
    pub start: String,
    /// The player's evaluation.
    pub evaluation: String,
    /// How the games were played.
    pub settings: SelfPlay,
    /// Number of games.
    pub games: u32,
}

impl<R: Rules> Archive<R> {
    /// An archive without games.
    pub const fn new(start: Position<R>, settings: SelfPlay, evaluation: String) -> Self {
        Self { games: Vec::new(), start, settings, evaluation }
    }

    /// The start position of the games.
    pub const fn start(&self) -> &Position<R> {
        &self.start
    }

    /// The settings of the games.
    pub const fn settings(&self) -> &SelfPlay {
        &self.settings
    }

    /// The player's evaluation.
    pub fn evaluation(&self) -> &str {
        &self.evaluation
    }

    /// Whether the games of both are of one run: from the same start, with the same settings and
    /// evaluation.
    pub fn is_of_the_same_run(&self, other: &Self) -> bool {
        self.differing(other).is_none()
    }

    /// How the run of the games differs from that of others, in the words of [`saved::differing`]; `None` if
    /// they are of one run.
    ///
    /// ```
    /// use shogi_learn::archive::Archive;
    /// use shogi_learn::self_play::SelfPlay;
    /// use shogi_rules::{Dobutsu, Rules};
    ///
    /// let archive = |settings| Archive::new(Dobutsu::start(), settings, "material".to_owned());
    /// let default = SelfPlay::default();
    /// let (found, wanted) = (archive(default), archive(SelfPlay { seed: 7, plies: 90, ..default }));
    /// assert_eq!(found.differing(&wanted).unwrap(), "plies 400, not 90; seed 1, not 7");
    /// assert_eq!(found.differing(&found), None);
    /// ```
    pub fn differing(&self, wanted: &Self) -> Option<String> {
        #[derive(Serialize)]
        struct Run<'a> {
            start: String,
            evaluation: &'a str,
            settings: SelfPlay,
        }
        let [found, wanted] = [self, wanted].map(|games| Run {
            start: to_sfen(&games.start),
            evaluation: &games.evaluation,
            settings: games.settings,
        });
        saved::differing(&found, &wanted)
    }

    /// The positions of all games in which the player chose a move, with scores and results.
    pub fn samples(&self) -> impl Iterator<Item = Sample<R>> + '_ {
        self.games.iter().flat_map(Played::samples)
    }

    /// Writes the archive.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let head = ArchiveHead {
            variant: R::name().to_owned(),
            rules: hash_digits(rules_hash::<R>()),
            start: to_sfen(&self.start),
            evaluation: self.evaluation.clone(),
            settings: self.settings,
            games: self.games.len() as u32,
        };
        saved::write(&mut out, &FORMAT, &head, |out| {
            self.games.iter().try_for_each(|game| write_game(out, game))
        })
    }

    /// Reads an archive from the bytes of a file.
    ///
    /// # Errors
    ///
    /// The first fault in it; for a damaged file, that it is damaged.
    pub fn read(mut bytes: &[u8]) -> Result<Self, LearnError> {
        saved::read(&mut bytes, &FORMAT, |head: ArchiveHead, input| {
            LearnReason::check_name(&head.variant, R::name())?;
            if head.rules != hash_digits(rules_hash::<R>()) {
                return Err(LearnReason::Rules);
            }
            // Only the text that `to_sfen` writes is accepted.
            let start = parse_position(&head.start).ok();
            let Some(start) = start.filter(|start| to_sfen(start) == head.start) else {
                return Err(LearnReason::Field("start"));
            };
            let mut archive = Self::new(start, head.settings, head.evaluation);
            for game in 1..=head.games as usize {
                archive.games.push(read_game(input, start, game)?);
            }
            Ok(archive)
        })
    }
}

/// The head of an archive of any variant, after its checksum has been verified.
///
/// # Errors
///
/// If the head or the checksum is wrong.
pub fn read_head(mut bytes: &[u8]) -> Result<ArchiveHead, LearnError> {
    let input: &mut dyn Read = &mut bytes;
    let mut input = Reader::new(input, &FORMAT).map_err(At::convert)?;
    match saved::read_head(&mut input) {
        Ok(head) => input.check_rest().map(|()| head).map_err(At::convert),
        Err(reason) => Err(saved::refusal(input, reason)),
    }
}

fn write_game<R: Rules>(out: &mut Output<'_>, game: &Played<R>) -> io::Result<()> {
    let moves = game.game().moves();
    let finish = FINISHES.iter().position(|&listed| listed == game.finish());
    out.write_all(&(moves.len() as u16).to_le_bytes())?;
    out.write_all(&(game.opening() as u16).to_le_bytes())?;
    out.write_all(&[finish.unwrap_or(FINISHES.len()) as u8])?;
    for &mv in moves {
        out.write_all(&pack(mv).to_le_bytes())?;
    }
    game.scores().iter().try_for_each(|score| out.write_all(&score.to_le_bytes()))
}

/// Reads the game with this number, from 1, and replays it.
fn read_game<R: Rules>(
    input: &mut Input<'_>,
    start: Position<R>,
    number: usize,
) -> Result<Played<R>, LearnReason> {
    let (moves, opening, finish) = lengths_and_end(input)?;
    let mut game = Game::new(start);
    for ply in 1..=moves {
        let packed = u16::from_le_bytes(input.array()?);
        let Some(mv) = unpack(packed) else {
            return Err(LearnReason::Packed { game: number, ply, packed });
        };
        let played = game.play(mv);
        played.map_err(|reason| LearnReason::Play { game: number, ply, reason })?;
    }
    let mut scores = Vec::new();
    for _ in opening..moves {
        scores.push(i16::from_le_bytes(input.array()?));
    }
    let played = Played::new(game, opening, scores, finish);
    played.map_err(|reason| LearnReason::Game { game: number, reason })
}

/// The numbers of moves and random moves of a game, and its end.
fn lengths_and_end(input: &mut Input<'_>) -> Result<(usize, usize, Finish), LearnReason> {
    let moves = usize::from(u16::from_le_bytes(input.array()?));
    let opening = usize::from(u16::from_le_bytes(input.array()?));
    let finish = usize::from(input.byte()?);
    let finish = FINISHES.get(finish).ok_or(LearnReason::Field("end of a game"))?;
    Ok((moves, opening, *finish))
}

/// The ends of games by their number in the file.
const FINISHES: [Finish; 4] =
    [Finish::Board, Finish::Resignation, Finish::Declaration, Finish::Limit];
