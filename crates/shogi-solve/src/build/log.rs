//! What a builder has done as a file that only grows, so that nothing of it is lost.
//!
//! One line for each step: a JSON value, a blank, and 32 hexadecimal digits of the BLAKE3 hash of the hash
//! of the line before and the JSON. The first line names the format, the rules and the root. A process that
//! is killed leaves at most a last line without its end, which is dropped. Where another line is damaged, what
//! stands before it can be gone on from ([`open`]); elsewhere it is an error.
//! The family's other files are sealed by one checksum at their end, which a file that is whole after
//! each line cannot have. The second line has the moves of the skeleton that is expanded, if one is.
//!
//! Proofs are checked by the rules when they are read. All else is a hint that may cost time and changes
//! no result: a position that is noted as refuted is searched again.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shogi_core::Move;
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Rules, to_sfen, to_usi};

use super::coordinator::Step;
use super::replay::{Replay, Replaying};
use super::text::{moves_to_text, position_from_text, rules_digits};
use super::{Builder, Cost, Event, Named, Settings, State, by_rank};
use crate::game::{Goal, RulesGame};
use crate::leaf::{AnyLeaf, Leaf, Unit};

/// The version of the format.
const VERSION: u32 = 3;

/// How every log begins.
pub const LOG_BEGINS: &[u8] = b"{\"proof_build\":";

/// Hexadecimal digits of the hash of a line.
const DIGITS: usize = 32;

/// The most bytes of a line of a log: as many as of a skeleton, which may be one.
pub const MOST_LINE_BYTES: u64 = 1 << 28;

/// Why a file is no log of building this proof.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Head {
    proof_build: u32,
    variant: String,
    rules: String,
    root: String,
    sente_proves: bool,
    draw_suffices: bool,
}

/// A step, at a position in SFEN, with moves in USI notation.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Line {
    /// The moves of a skeleton, as in its file; the second line, or none.
    Skeleton {
        moves: String,
    },
    Proved {
        sfen: String,
        cost: [u64; 3],
        moves: String,
    },
    Open {
        sfen: String,
        cost: [u64; 3],
        numbers: [u32; 2],
    },
    Refuted {
        sfen: String,
        cost: [u64; 3],
    },
    Known {
        sfen: String,
    },
    /// Without factors the moves are [by rank](by_rank).
    Expanded {
        sfen: String,
        moves: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        factors: Option<Vec<f64>>,
    },
    Followed {
        sfen: String,
        mv: String,
    },
}

/// A log that is being written.
#[derive(Debug)]
pub struct Log<W> {
    out: W,
    chain: blake3::Hash,
}

impl<W: Write> Log<W> {
    /// Begins the log of a builder that has not done anything yet.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn new<R: Rules, L: Leaf<RulesGame<R>>>(
        out: W,
        builder: &Builder<'_, RulesGame<R>, L>,
    ) -> io::Result<Self> {
        Self::begin(out, &head(builder), builder.skeleton_moves.clone())
    }

    fn begin(out: W, head: &Head, skeleton_moves: Option<String>) -> io::Result<Self> {
        let mut log = Self { out, chain: blake3::hash(&[]) };
        log.write(&head.to_json()?)?;
        if let Some(moves) = skeleton_moves {
            log.write(&Line::Skeleton { moves }.to_json()?)?;
        }
        Ok(log)
    }

    /// Goes on with a log that was read to its end; `out` stands at [`Replayed::bytes`].
    pub const fn resume(out: W, replayed: Replayed) -> Self {
        Self { out, chain: replayed.chain }
    }

    /// Adds a step, as the observer of [`Builder::run`] receives it.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn append<R: Rules>(
        &mut self,
        position: &Position<R>,
        event: &Event<Move<R>>,
    ) -> io::Result<()> {
        match Line::of(position, event) {
            Some(line) => self.write(&line.to_json()?),
            None => Ok(()),
        }
    }

    fn write(&mut self, json: &str) -> io::Result<()> {
        self.chain = chained(self.chain, json);
        let digits = &self.chain.to_hex()[..DIGITS];
        // In one piece, so that a process that is killed leaves no more than one line without its end.
        self.out.write_all(format!("{json} {digits}\n").as_bytes())?;
        self.out.flush()
    }
}

impl Head {
    fn goal(&self) -> Goal {
        let prover = if self.sente_proves { Colour::Sente } else { Colour::Gote };
        Goal { prover, draw_suffices: self.draw_suffices }
    }

    fn to_json(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}

impl Line {
    fn to_json(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)?)
    }

    /// The line of a step, if it has one.
    fn of<R: Rules>(position: &Position<R>, event: &Event<Move<R>>) -> Option<Self> {
        let (told, moves) = match event {
            Event::Proved { cost, moves } => (Told::Proved(*cost), moves_to_text(moves)),
            Event::LeftOpen { cost, proof, disproof } => {
                (Told::Open(*cost, [*proof, *disproof]), String::new())
            }
            Event::Refuted { cost } => (Told::Refuted(*cost), String::new()),
            // Proofs that come later may rest on what follows for the positions above it.
            Event::Known { .. } => (Told::Known, String::new()),
            Event::Expanded { moves: named } => {
                let (mut moves, mut factors) = (Vec::new(), Vec::new());
                for &Named { mv, factor } in named {
                    moves.push(mv);
                    factors.push(factor);
                }
                (Told::Expanded(factors), moves_to_text(&moves))
            }
            Event::Followed { mv } => (Told::Followed, to_usi(*mv)),
            // These follow from the others.
            Event::NoMoveLeft | Event::MoveFails { .. } => return None,
        };
        Some(Self::new(to_sfen(position), told, moves))
    }

    fn new(sfen: String, told: Told, moves: String) -> Self {
        let cost = |cost: Cost| [cost.budget, cost.nodes, cost.expansions];
        match told {
            Told::Proved(took) => Self::Proved { sfen, cost: cost(took), moves },
            Told::Open(took, numbers) => Self::Open { sfen, cost: cost(took), numbers },
            Told::Refuted(took) => Self::Refuted { sfen, cost: cost(took) },
            Told::Known => Self::Known { sfen },
            Told::Expanded(factors) => {
                let factors = (!are_by_rank(&factors)).then_some(factors);
                Self::Expanded { sfen, moves, factors }
            }
            Told::Followed => Self::Followed { sfen, mv: moves },
        }
    }
}

/// What a line tells beside a position and moves.
enum Told {
    Proved(Cost),
    Open(Cost, [u32; 2]),
    Refuted(Cost),
    Known,
    /// Moves with these factors.
    Expanded(Vec<f64>),
    Followed,
}

/// Whether moves with these factors are [by rank](by_rank).
fn are_by_rank(factors: &[f64]) -> bool {
    by_rank(factors).iter().all(|named| *named.mv == named.factor)
}

fn chained(before: blake3::Hash, json: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes()).update(json.as_bytes());
    hasher.finalize()
}

fn head<R: Rules, L: Leaf<RulesGame<R>>>(builder: &Builder<'_, RulesGame<R>, L>) -> Head {
    Head {
        proof_build: VERSION,
        variant: R::name().to_owned(),
        rules: rules_digits::<R>(),
        root: to_sfen(builder.root()),
        sente_proves: builder.goal().prover == Colour::Sente,
        draw_suffices: builder.goal().draw_suffices,
    }
}

/// A log that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// Bytes of all whole lines; what follows is to be cut off.
    pub bytes: u64,
    /// How many they are.
    lines: usize,
    /// Hash of the last of them.
    chain: blake3::Hash,
    /// Whether the line after them has an end and is damaged.
    is_damaged: bool,
}

impl Replayed {
    /// The same, or an error if a line is damaged.
    fn undamaged(self) -> Result<Self, LogError> {
        match self.is_damaged {
            false => Ok(self),
            true => Err(damaged(self.lines + 1)),
        }
    }
}

/// What of a log could not be used, for a line of it is damaged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DamagedTail {
    /// The log.
    pub log: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// Bytes of that line and of all that follow.
    pub bytes: u64,
    /// The file that they were added to.
    pub kept: PathBuf,
}

impl fmt::Display for DamagedTail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { log, line, bytes, kept } = self;
        write!(
            f,
            "{}: line {line} is damaged: the work goes on from the lines before it; it and what follows, {bytes} bytes, \
             are kept in {}",
            log.display(),
            kept.display()
        )
    }
}

/// Has a builder that has not done anything yet do again what a log tells; `None` if not even the
/// first line is whole.
///
/// # Errors
///
/// If the log is damaged, or not one of building this proof by these rules.
pub fn replay<R: Rules, L: Leaf<RulesGame<R>>>(
    mut input: impl BufRead,
    builder: &mut Builder<'_, RulesGame<R>, L>,
) -> Result<Option<Replayed>, LogError> {
    let replayed = do_again(Vec::new(), &mut input, builder)?;
    replayed.map(Replayed::undamaged).transpose()
}

/// Goes on from the first line, which is empty if it was not read before.
fn do_again<R: Rules, L: Leaf<RulesGame<R>>>(
    first: Vec<u8>,
    input: &mut dyn BufRead,
    builder: &mut Builder<'_, RulesGame<R>, L>,
) -> Result<Option<Replayed>, LogError> {
    let head = head(builder);
    let replayed = replay_from(first, input, &head, &mut Replaying { builder, moves: Vec::new() })?;
    builder.end_replay();
    Ok(replayed)
}

fn replay_from(
    first: Vec<u8>,
    input: &mut dyn BufRead,
    head: &Head,
    replay: &mut dyn Replay,
) -> Result<Option<Replayed>, LogError> {
    each_line(first, input, &mut |line, json| match line {
        1 => check_head(json, head),
        _ => match read_line(json)? {
            Line::Skeleton { moves } if line == 2 => replay.follow_skeleton(&moves),
            step => again(step, replay),
        },
    })
}

/// Reads a line with its end, or what there is of it where the log ends.
fn read_until_end(input: &mut dyn BufRead, text: &mut Vec<u8>) -> io::Result<()> {
    input.take(MOST_LINE_BYTES).read_until(b'\n', text)?;
    if text.len() as u64 == MOST_LINE_BYTES && text.last() != Some(&b'\n') {
        let reason = format!("a line of more than {MOST_LINE_BYTES} bytes, the most that is read");
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(())
}

/// Calls `done` with the number and the JSON of each whole line up to one that is damaged; `text` is the first one
/// if that was read before.
fn each_line(
    mut text: Vec<u8>,
    input: &mut dyn BufRead,
    done: &mut dyn FnMut(usize, &str) -> Result<(), String>,
) -> Result<Option<Replayed>, LogError> {
    let chain = blake3::hash(&[]);
    let mut replayed = Replayed { bytes: 0, lines: 0, chain, is_damaged: false };
    for line in 1.. {
        if text.is_empty() {
            read_until_end(input, &mut text)?;
        }
        let Some(whole) = text.strip_suffix(b"\n") else { break };
        let Some((json, chain)) = undamaged(whole, replayed.chain) else {
            replayed.is_damaged = true;
            break;
        };
        replayed = Replayed { chain, lines: line, ..replayed };
        replayed.bytes += text.len() as u64;
        done(line, json).map_err(|reason| LogError::Line { line, reason })?;
        text.clear();
    }
    match replayed {
        // Of a file without a first line nothing is known.
        Replayed { lines: 0, is_damaged: true, .. } => Err(damaged(1)),
        Replayed { lines: 0, .. } => Ok(None),
        _ => Ok(Some(replayed)),
    }
}

/// The JSON of a line after one with this hash, and its own; `None` if it is damaged.
fn undamaged(line: &[u8], before: blake3::Hash) -> Option<(&str, blake3::Hash)> {
    let (json, digits) = std::str::from_utf8(line).ok()?.rsplit_once(' ')?;
    let chain = chained(before, json);
    (digits == &chain.to_hex()[..DIGITS]).then_some((json, chain))
}

fn damaged(line: usize) -> LogError {
    let reason = "the checksum does not match: the file is damaged".to_owned();
    LogError::Line { line, reason }
}

fn check_head(json: &str, own: &Head) -> Result<(), String> {
    let found: Head = serde_json::from_slice(json.as_bytes()).map_err(|error| error.to_string())?;
    if found == *own {
        return Ok(());
    }
    if found.proof_build != VERSION {
        return Err(format!(
            "the log is of version {}, and {VERSION} is needed",
            found.proof_build
        ));
    }
    if found.variant == own.variant && found.rules != own.rules {
        return Err(format!("the log is of {} by other rules", found.variant));
    }
    let prover = if found.sente_proves { "Sente" } else { "Gote" };
    let what = if found.draw_suffices { "at least draws" } else { "wins" };
    let Head { variant, root, .. } = found;
    Err(format!("this is the log of another proof: that {prover} {what} in {variant} from {root}"))
}

/// Does again what a line tells.
fn again(line: Line, replay: &mut dyn Replay) -> Result<(), String> {
    let cost = |[budget, nodes, expansions]: [u64; 3]| Cost { budget, nodes, expansions };
    let at = |replay: &mut dyn Replay, sfen: &str| {
        let found = replay.find(sfen)?;
        found.ok_or_else(|| format!("the position is not in the tree: {sfen}"))
    };
    let (sfen, done) = match line {
        Line::Skeleton { .. } => return Err("a skeleton stands in the second line only".to_owned()),
        Line::Proved { sfen, cost: took, moves } => {
            replay.read_moves(&moves)?;
            let number = at(replay, &sfen)?;
            (sfen, replay.prove(number, cost(took)))
        }
        Line::Open { sfen, cost: took, numbers: [proof, disproof] } => {
            let step = Step::LeftOpen { cost: cost(took), numbers: (proof, disproof) };
            let number = at(replay, &sfen)?;
            (sfen, replay.step(number, &step))
        }
        Line::Refuted { sfen, cost: took } => {
            let number = at(replay, &sfen)?;
            (sfen, replay.step(number, &Step::Refuted { cost: cost(took) }))
        }
        Line::Known { sfen } => {
            let number = at(replay, &sfen)?;
            (sfen, replay.step(number, &Step::Known { plies: 0 }))
        }
        Line::Expanded { sfen, moves, factors } => {
            let count = replay.read_moves(&moves)?;
            let factors = match factors {
                None => by_rank(0..count).iter().map(|named| named.factor).collect(),
                Some(factors) => factors,
            };
            if factors.len() != count || !factors.iter().all(|factor| *factor > 0.0) {
                return Err("not one factor above 0 for each move".to_owned());
            }
            let number = at(replay, &sfen)?;
            (sfen, replay.expand(number, &factors))
        }
        Line::Followed { sfen, mv } => {
            replay.read_move(&mv)?;
            let number = at(replay, &sfen)?;
            (sfen, replay.follow(number))
        }
    };
    done.map_err(|reason| format!("{reason}: {sfen}"))
}

fn read_line(json: &str) -> Result<Line, String> {
    serde_json::from_slice(json.as_bytes()).map_err(|error| error.to_string())
}

/// What a log tells, its proofs checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked<R: Rules> {
    /// The position that is to be proved.
    pub root: Position<R>,
    /// Whether all of it is proved by now. A refutation has no certificate, and stays open here.
    pub state: State,
    /// Jobs.
    pub jobs: u64,
    /// Expansions of all jobs.
    pub expansions: u64,
    /// Positions that have proofs, each checked by the rules.
    pub steps: usize,
    /// Bytes of all whole lines; a process that was killed leaves a part of a line after them.
    pub bytes: u64,
}

/// Checks a log from its first line to its last whole one: that it is undamaged, that its steps follow
/// from each other, and every proof by the rules.
///
/// # Errors
///
/// If the log is damaged, or none of a proof by these rules.
pub fn check<R: Rules>(mut input: impl BufRead) -> Result<Checked<R>, LogError> {
    check_from(&mut input)
}

fn check_from<R: Rules>(input: &mut dyn BufRead) -> Result<Checked<R>, LogError> {
    let (first, head) = read_first(input)?;
    let root: Position<R> = match position_from_text(&head.root) {
        Ok(root) => root,
        Err(reason) => return Err(LogError::Line { line: 1, reason }),
    };
    let goal = head.goal();
    let game = RulesGame::<R>::new();
    // Nothing is searched; whoever checks logs has most likely a builder with any leaf too.
    let settings = Settings { bytes: 1 << 16, ..Settings::default() };
    let mut builder = Builder::new(&game, goal, root, AnyLeaf::from(Unit), settings);
    let replayed = do_again(first, input, &mut builder)?;
    let replayed = replayed.map(Replayed::undamaged).transpose()?;
    Ok(Checked {
        root,
        state: builder.state(),
        jobs: builder.jobs(),
        expansions: builder.expansions(),
        steps: builder.steps(),
        bytes: bytes(replayed),
    })
}

/// Bytes of all whole lines.
fn bytes(replayed: Option<Replayed>) -> u64 {
    replayed.map_or(0, |replayed| replayed.bytes)
}

/// The first line, and what it tells.
fn read_first(input: &mut dyn BufRead) -> Result<(Vec<u8>, Head), LogError> {
    let mut first = Vec::new();
    read_until_end(input, &mut first)?;
    match read_head(&first) {
        Ok(head) => Ok((first, head)),
        Err(reason) => Err(LogError::Line { line: 1, reason }),
    }
}

/// The name of the rule set that a log is of, from its first line.
///
/// # Errors
///
/// If that is not the first line of one.
pub fn log_variant(first: &[u8]) -> Result<String, LogError> {
    let head = read_head(first).map_err(|reason| LogError::Line { line: 1, reason })?;
    Ok(head.variant)
}

/// What the first line tells; its checksum is for [`replay`] to look at.
fn read_head(line: &[u8]) -> Result<Head, String> {
    let mut values = serde_json::Deserializer::from_slice(line).into_iter::<Head>();
    match values.next() {
        Some(Ok(head)) => Ok(head),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("it is empty".to_owned()),
    }
}

/// Opens the log at `path`, has the builder do again what it tells, and goes on with it; begins a new
/// one where there is none. Of a log with a damaged line those before it are used; the others are added to the file
/// of the same name with `.damaged` after it, as the second value tells.
///
/// Nobody else may write to the log at the same time.
///
/// # Errors
///
/// If the files cannot be read or written, or the log is one of something else.
pub fn open<R: Rules, L: Leaf<RulesGame<R>>>(
    path: &Path,
    builder: &mut Builder<'_, RulesGame<R>, L>,
) -> Result<(Log<File>, Option<DamagedTail>), LogError> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let replayed = do_again(Vec::new(), &mut BufReader::new(&file), builder)?;
    let damaged = match replayed {
        Some(replayed) if replayed.is_damaged => Some(keep_tail(&file, path, replayed)?),
        _ => None,
    };
    Ok((go_on(file, replayed, &head(builder), builder.skeleton_moves.clone())?, damaged))
}

/// Keeps a damaged line and all that follows in another file.
fn keep_tail(mut file: &File, path: &Path, before: Replayed) -> io::Result<DamagedTail> {
    let mut name = path.as_os_str().to_owned();
    name.push(".damaged");
    let kept = PathBuf::from(name);
    file.seek(SeekFrom::Start(before.bytes))?;
    let mut out = OpenOptions::new().append(true).create(true).open(&kept)?;
    let bytes = io::copy(&mut file, &mut out)?;
    out.sync_all()?;
    Ok(DamagedTail { log: path.to_owned(), line: before.lines + 1, bytes, kept })
}

/// Cuts off what no line ends, and begins a log with no line but the first anew.
fn go_on(
    mut file: File,
    replayed: Option<Replayed>,
    head: &Head,
    skeleton_moves: Option<String>,
) -> Result<Log<File>, LogError> {
    if replayed.is_none() {
        // A run that was killed at once leaves a part of the first line; what is none stays as it is.
        let mut begins = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        (&file).take(LOG_BEGINS.len() as u64).read_to_end(&mut begins)?;
        if !LOG_BEGINS.starts_with(&begins) {
            let reason = "this is not the log of a build".to_owned();
            return Err(LogError::Line { line: 1, reason });
        }
    }
    // A run may have been killed before it could note its skeleton.
    let replayed = replayed.filter(|replayed| replayed.lines > 1);
    file.set_len(bytes(replayed))?;
    file.seek(SeekFrom::End(0))?;
    match replayed {
        Some(replayed) => Ok(Log::resume(file, replayed)),
        None => Ok(Log::begin(file, head, skeleton_moves)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_is_refused() {
        let mut endless = BufReader::new(io::repeat(b'0'));
        let error = each_line(Vec::new(), &mut endless, &mut |_, _| Ok(())).err().unwrap();
        let LogError::Io(error) = error else { panic!("{error}") };
        assert_eq!(error.to_string(), "a line of more than 268435456 bytes, the most that is read");
    }
}
