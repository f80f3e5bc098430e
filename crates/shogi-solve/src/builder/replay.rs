//! Reads the log of an earlier run, so that its work need not be repeated.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use shogi_core::Position;
use shogi_rules::Rules;

use super::log::{DIGITS, LOG_BEGINS, Log, LogHead, LogLine, MOST_LINE_BYTES, VERSION, chained};
use super::text::{move_from_text, moves_from_texts, position_from_text};
use super::{Builder, Cost, Event, NamedMove, ProofState, Settings, by_rank};
use crate::game::RulesGame;
use crate::leaf::{AnyLeaf, Leaf, Unit};

/// Why a file is not a log of building this proof.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The fault.
        reason: String,
    },
}

/// A log that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// Bytes of all complete lines; the rest must be cut off.
    pub bytes: u64,
    /// Number of complete lines.
    lines: usize,
    /// Hash of the last of them.
    pub(super) chain: blake3::Hash,
    /// Whether the next line is terminated and damaged.
    is_damaged: bool,
}

impl Replayed {
    /// Returns `self`, or an error if a line is damaged.
    fn undamaged(self) -> Result<Self, LogError> {
        match self.is_damaged {
            false => Ok(self),
            true => Err(damaged(self.lines + 1)),
        }
    }
}

/// The part of a log after a damaged line, which could not be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DamagedTail {
    /// The log.
    pub log: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// Bytes of that line and all later ones.
    pub bytes: u64,
    /// The file to which they were appended.
    pub kept: PathBuf,
}

impl fmt::Display for DamagedTail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { log, line, bytes, kept } = self;
        write!(
            f,
            "{}: line {line} is damaged: the work resumes from the lines before it; it and what follows, {bytes} bytes, \
             are kept in {}",
            log.display(),
            kept.display()
        )
    }
}

/// Repeats the steps of a log on a new builder; `None` if not even the first line is complete.
///
/// # Errors
///
/// If the log is damaged or of another proof or other rules.
pub fn replay<R: Rules, L: Leaf<RulesGame<R>>>(
    mut input: impl BufRead,
    builder: &mut Builder<'_, RulesGame<R>, L>,
) -> Result<Option<Replayed>, LogError> {
    let replayed = builder.replay(Vec::new(), &mut input)?;
    replayed.map(Replayed::undamaged).transpose()
}

impl<R: Rules, L: Leaf<RulesGame<R>>> Builder<'_, RulesGame<R>, L> {
    /// Repeats the steps of a log; `first` is the first line if it was read before.
    fn replay(
        &mut self,
        first: Vec<u8>,
        input: &mut dyn BufRead,
    ) -> Result<Option<Replayed>, LogError> {
        let head = LogHead::of(self);
        let replayed = each_line(first, input, &mut |line, json| match line {
            1 => check_head(json, &head),
            _ => match read_line(json)? {
                LogLine::Skeleton { moves } if line == 2 => self.follow_text(&moves),
                line => self.replay_line(line),
            },
        })?;
        self.tree.update();
        // Logs do not contain a search's ranking of moves.
        if let Some(search) = self.searches.first() {
            for number in self.tree.ripe() {
                let at = &mut self.positions[number as usize];
                at.ranked = search.ranked_moves(&at.position);
            }
        }
        Ok(replayed)
    }

    /// Notes the event of a line as when it happened. Proofs are checked; refutations, which have no
    /// certificate, are searched again.
    fn replay_line(&mut self, line: LogLine) -> Result<(), String> {
        match line {
            LogLine::Skeleton { .. } => {
                return Err("a skeleton stands in the second line only".to_owned());
            }
            LogLine::Proved { sfen, cost, moves } => {
                let moves = moves_from_texts(&mut moves.split(' '))?;
                let (number, first) = (self.number(&sfen)?, self.steps());
                let mut next = moves.into_iter();
                let added = self.add_proof(number, &mut |_| next.next());
                added.map_err(|_| format!("the moves are no proof: {sfen}"))?;
                self.share_proofs(first);
                let cost = cost_of(cost);
                self.count_nodes(cost.nodes);
                self.note_proof(number, cost, Vec::new());
            }
            LogLine::Open { sfen, cost, numbers: [proof, disproof] } => {
                let (number, cost) = (self.number(&sfen)?, cost_of(cost));
                self.count_nodes(cost.nodes);
                self.leave_open(number, cost, (proof, disproof));
            }
            LogLine::Refuted { sfen, cost } => {
                let (number, cost) = (self.number(&sfen)?, cost_of(cost));
                self.count_nodes(cost.nodes);
                self.count_job(number, cost);
            }
            LogLine::Known { sfen } => {
                let number = self.number(&sfen)?;
                if self.tree.node(number).state == ProofState::Open {
                    let plies = self.known_plies(number);
                    let plies =
                        plies.ok_or_else(|| format!("no proof holds for the position: {sfen}"))?;
                    self.close(number, ProofState::Proved, Event::Known { plies });
                }
            }
            LogLine::Expanded { sfen, moves, factors } => {
                self.replay_names(&sfen, &moves, factors)?
            }
            LogLine::Followed { sfen, mv } => {
                let mv = move_from_text(&mv)?;
                let number = self.number(&sfen)?;
                let mut candidates = 0..self.tree.node(number).candidates.len();
                let index = candidates.find(|&index| self.candidate(number, index) == mv);
                let index = index.ok_or_else(|| format!("the move is no candidate: {sfen}"))?;
                if self.tree.node(number).candidates[index].replies.is_none() {
                    self.follow(number, index);
                }
            }
        }
        // These were events of the earlier run.
        self.events.clear();
        Ok(())
    }

    /// Notes the moves named at a position.
    fn replay_names(
        &mut self,
        sfen: &str,
        moves: &str,
        factors: Option<Vec<f64>>,
    ) -> Result<(), String> {
        let moves = moves_from_texts(&mut moves.split(' '))?;
        let named = match factors {
            None => by_rank(moves),
            Some(factors) => {
                if factors.len() != moves.len() || !factors.iter().all(|factor| *factor > 0.0) {
                    return Err("not one factor above 0 for each move".to_owned());
                }
                moves
                    .into_iter()
                    .zip(factors)
                    .map(|(mv, factor)| NamedMove { mv, factor })
                    .collect()
            }
        };
        let number = self.number(sfen)?;
        let legal = self.legal_moves(number);
        if !named.iter().all(|named| legal.contains(&named.mv)) {
            return Err(format!("the moves are not those of the position: {sfen}"));
        }
        self.expand(number, &named);
        Ok(())
    }

    /// The number of a position of the tree.
    fn number(&self, sfen: &str) -> Result<u32, String> {
        let found = self.find(&position_from_text(sfen)?);
        found.ok_or_else(|| format!("the position is not in the tree: {sfen}"))
    }
}

/// A cost from a line.
const fn cost_of([budget, nodes, expansions]: [u64; 3]) -> Cost {
    Cost { budget, nodes, expansions }
}

/// Reads a line with its end, or the rest of the log.
fn read_until_end(input: &mut dyn BufRead, text: &mut Vec<u8>) -> io::Result<()> {
    input.take(MOST_LINE_BYTES).read_until(b'\n', text)?;
    if text.len() as u64 == MOST_LINE_BYTES && text.last() != Some(&b'\n') {
        let reason = format!("a line of more than {MOST_LINE_BYTES} bytes, the most that is read");
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(())
}

/// Calls `handle` with the number and the JSON of each complete line before a damaged one; `text` is the first
/// line if it was read before.
fn each_line(
    mut text: Vec<u8>,
    input: &mut dyn BufRead,
    handle: &mut dyn FnMut(usize, &str) -> Result<(), String>,
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
        handle(line, json).map_err(|reason| LogError::Line { line, reason })?;
        text.clear();
    }
    match replayed {
        // Nothing is known about a file without a first line.
        Replayed { lines: 0, is_damaged: true, .. } => Err(damaged(1)),
        Replayed { lines: 0, .. } => Ok(None),
        _ => Ok(Some(replayed)),
    }
}

/// The JSON and the hash of a line that follows one with this hash; `None` if it is damaged.
fn undamaged(line: &[u8], before: blake3::Hash) -> Option<(&str, blake3::Hash)> {
    let (json, digits) = std::str::from_utf8(line).ok()?.rsplit_once(' ')?;
    let chain = chained(before, json);
    (digits == &chain.to_hex()[..DIGITS]).then_some((json, chain))
}

fn damaged(line: usize) -> LogError {
    let reason = "the checksum does not match: the file is damaged".to_owned();
    LogError::Line { line, reason }
}

/// Parses a line after the first.
fn read_line(json: &str) -> Result<LogLine, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

fn check_head(json: &str, own: &LogHead) -> Result<(), String> {
    let found: LogHead = serde_json::from_str(json).map_err(|error| error.to_string())?;
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
    let LogHead { variant, root, .. } = found;
    Err(format!("this is the log of another proof: that {prover} {what} in {variant} from {root}"))
}

/// The content of a log with checked proofs.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckedLog<R: Rules> {
    /// The position to prove.
    pub root: Position<R>,
    /// The state of the root. A refutation has no certificate and stays open here.
    pub state: ProofState,
    /// Number of jobs.
    pub jobs: u64,
    /// Expansions of all jobs.
    pub expansions: u64,
    /// Number of proved positions, each checked by the rules.
    pub steps: usize,
    /// Bytes of all complete lines; a killed process may leave a part of a line after them.
    pub bytes: u64,
}

/// Checks a log from its first to its last complete line: that it is undamaged, that its steps are consistent,
/// and every proof by the rules.
///
/// # Errors
///
/// If the log is damaged or not one of a proof by these rules.
pub fn check<R: Rules>(mut input: impl BufRead) -> Result<CheckedLog<R>, LogError> {
    let in_first_line = |reason| LogError::Line { line: 1, reason };
    let mut first = Vec::new();
    read_until_end(&mut input, &mut first)?;
    let head = read_head(&first).map_err(in_first_line)?;
    let root = position_from_text::<R>(&head.root).map_err(in_first_line)?;
    let game = RulesGame::new();
    // Nothing is searched, so any leaf will do; programs that check logs mostly have a builder with this one.
    let settings = Settings { hash_bytes: 1 << 16, ..Settings::default() };
    let mut builder = Builder::new(&game, head.goal(), root, AnyLeaf::from(Unit), settings);
    let replayed = builder.replay(first, &mut input)?;
    let replayed = replayed.map(Replayed::undamaged).transpose()?;
    Ok(CheckedLog {
        root,
        state: builder.state(),
        jobs: builder.jobs(),
        expansions: builder.expansions(),
        steps: builder.steps(),
        bytes: replayed.map_or(0, |replayed| replayed.bytes),
    })
}

/// The name of the rule set of a log, from its first line.
///
/// # Errors
///
/// If this is not the first line of a log.
pub fn log_variant(first: &[u8]) -> Result<String, LogError> {
    let head = read_head(first).map_err(|reason| LogError::Line { line: 1, reason })?;
    Ok(head.variant)
}

/// Parses the first line; [`replay`] verifies its checksum.
fn read_head(line: &[u8]) -> Result<LogHead, String> {
    let mut values = serde_json::Deserializer::from_slice(line).into_iter::<LogHead>();
    match values.next() {
        Some(Ok(head)) => Ok(head),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("it is empty".to_owned()),
    }
}

/// Opens the log at `path`, repeats its steps on the builder, and resumes it; begins a new log if the file is
/// missing. If a line is damaged, the lines before it are used and the rest is appended to the file of the same
/// name with `.damaged` added; the second value reports that.
///
/// No other process may write to the log at the same time.
///
/// # Errors
///
/// If the files cannot be read or written, or the log is of another proof.
pub fn open<R: Rules, L: Leaf<RulesGame<R>>>(
    path: &Path,
    builder: &mut Builder<'_, RulesGame<R>, L>,
) -> Result<(Log<File>, Option<DamagedTail>), LogError> {
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let replayed = builder.replay(Vec::new(), &mut BufReader::new(&file))?;
    let damaged = match replayed {
        Some(replayed) if replayed.is_damaged => Some(keep_tail(&file, path, replayed)?),
        Some(_) => None,
        None => {
            check_beginning(&file)?;
            None
        }
    };
    // A run may have been killed before it could note its skeleton: such a log begins anew.
    let replayed = replayed.filter(|replayed| replayed.lines > 1);
    file.set_len(replayed.map_or(0, |replayed| replayed.bytes))?;
    file.seek(SeekFrom::End(0))?;
    let log = match replayed {
        Some(replayed) => Log::resume(file, replayed),
        None => Log::new(file, builder)?,
    };
    Ok((log, damaged))
}

/// Moves a damaged line and all later ones to another file.
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

/// Refuses a file without a complete line that does not begin like a log. A run killed at once leaves a part of
/// the first line.
fn check_beginning(mut file: &File) -> Result<(), LogError> {
    let mut begins = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(LOG_BEGINS.len() as u64).read_to_end(&mut begins)?;
    if LOG_BEGINS.starts_with(&begins) {
        return Ok(());
    }
    let reason = "this is not the log of a build".to_owned();
    Err(LogError::Line { line: 1, reason })
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
