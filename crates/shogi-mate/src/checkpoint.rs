//! A search for a mate in a file, to resume from later: docs/reference/formats.md in the repository describes it.
//!
//! What is read is not taken on trust as far as the file may be damaged. The table's entries are those of the search that wrote
//! it, and no certificates: a proof of the mate, which the rules alone check, is [`MateRun::proof`].

use std::io::{self, Read, Write};
use std::time::Duration;

use shogi_files::sealed::{self, At, FileFormat};
use shogi_proof::rules_hash;
use shogi_rules::shogi_core::Position;
use shogi_rules::{Rules, parse_problem, parse_usi, to_sfen, to_usi};

use super::Options;
use super::memory::Known;
use super::run::{MateRun, Wish};
use crate::numbers::ProofNumbers;
use crate::saved::{
    CheckpointError, CheckpointReason, item, mismatch, number, read_count, read_entries, refusal,
    text, write_text,
};
use crate::table::Entry;

/// The format of checkpoints of searches for a mate.
pub const FORMAT: FileFormat = FileFormat {
    magic: *b"\x89MATES\r\n",
    version: 1,
    name: "checkpoint of a search for a mate",
    most: 1 << 38,
};

/// The head of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateHeader {
    /// The name of the rule set.
    pub variant: String,
    /// The rules, see [`rules_hash`].
    pub rules: [u8; 32],
    /// The problem in SFEN.
    pub root: String,
    /// Which mate is looked for.
    pub wish: Wish,
    /// Bytes that the search may take.
    pub hash_bytes: u64,
    /// Moves played.
    pub nodes: u64,
    /// Positions entered.
    pub expansions: u64,
    /// Time spent.
    pub elapsed: Duration,
}

impl<R: Rules> MateRun<R> {
    /// Writes the state, so that [`MateReader::run`] can make the search again.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = sealed::Writer::new(out, &FORMAT)?;
        write_text(&mut out, R::name())?;
        out.write_all(&rules_hash::<R>())?;
        write_text(&mut out, &to_sfen(&self.root))?;
        out.write_all(&[number(&Wish::ALL, &self.wish)])?;
        let elapsed = u64::try_from(self.elapsed.as_micros()).unwrap_or(u64::MAX);
        let counts =
            [self.options.hash_bytes as u64, self.nodes, self.expansions, elapsed, self.turns.turn];
        for count in counts {
            out.write_all(&count.to_le_bytes())?;
        }
        let Known { numbers, length, .. } = self.turns.any;
        out.write_all(&self.turns.limit.to_le_bytes())?;
        out.write_all(&numbers.phi.to_le_bytes())?;
        out.write_all(&numbers.delta.to_le_bytes())?;
        out.write_all(&length.to_le_bytes())?;
        let line = self.turns.first.iter().flatten().map(|&mv| to_usi(mv)).collect::<Vec<_>>();
        let line = line.join(" ");
        out.write_all(&(line.len() as u32).to_le_bytes())?;
        out.write_all(line.as_bytes())?;
        out.write_all(&self.entries().to_le_bytes())?;
        self.each_entry(&mut |entry| out.write_all(&entry.to_bytes()))?;
        out.finish().map(drop)
    }
}

/// A checkpoint whose head has been read.
///
/// Whatever the numbers in the file say, the table does not grow beyond the given bytes, and the rest takes memory only for
/// what has been read.
pub struct MateReader<I> {
    input: sealed::Reader<I>,
    header: MateHeader,
    turn: u64,
}

impl<I: Read> MateReader<I> {
    /// Reads the head of a file.
    ///
    /// # Errors
    ///
    /// If it is not the head of such a checkpoint, or cannot be read.
    pub fn new(input: I) -> Result<Self, CheckpointError> {
        let mut input = sealed::Reader::new(input, &FORMAT).map_err(At::convert)?;
        match header(&mut input) {
            Ok((header, turn)) => Ok(Self { input, header, turn }),
            Err(reason) => Err(refusal(input, reason)),
        }
    }

    /// The head.
    pub const fn header(&self) -> &MateHeader {
        &self.header
    }

    /// The search, as it was. The number of bytes is taken from the options and not from the file, and the number of threads
    /// may be another one; the problem and the wish must be those of the file, but a search for any mate goes on as one for a
    /// mate of least length as well.
    ///
    /// # Errors
    ///
    /// If the checkpoint is of another run, or something in it is wrong.
    pub fn run<R: Rules>(
        mut self,
        root: Position<R>,
        wish: Wish,
        threads: usize,
        options: Options,
    ) -> Result<MateRun<R>, CheckpointError> {
        let MateHeader { root: found, wish: was, .. } = &self.header;
        let wanted = to_sfen(&root);
        let same = root_of::<R>(&self.header).and_then(|_| {
            same("root", found, &wanted)?;
            match was {
                // A search for one of least length begins so, too.
                Wish::Any => Ok(()),
                _ => same("wish", was.name(), wish.name()),
            }
        });
        if let Err(reason) = same {
            return Err(refusal(self.input, reason));
        }
        let mut run = MateRun::new(root, wish, threads, options);
        if let Err(reason) = self.content(Some(&mut run)) {
            return Err(refusal(self.input, reason));
        }
        run.turns.turn = self.turn;
        run.nodes = self.header.nodes;
        run.expansions = self.header.expansions;
        run.elapsed = self.header.elapsed;
        Ok(run)
    }

    /// Reads through the whole file and keeps nothing of it; how many entries it has.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with the file.
    pub fn check<R: Rules>(mut self) -> Result<u64, CheckpointError> {
        let checked = root_of::<R>(&self.header).and_then(|_| self.content::<R>(None));
        checked.map_err(|reason| refusal(self.input, reason))
    }

    /// Reads what follows the head into a search, if there is one; how many entries there are.
    fn content<R: Rules>(
        &mut self,
        mut run: Option<&mut MateRun<R>>,
    ) -> Result<u64, CheckpointReason> {
        let input = &mut self.input;
        let limit = u16::from_le_bytes(input.array()?);
        let [phi, delta] = [u32::from_le_bytes(input.array()?), u32::from_le_bytes(input.array()?)];
        let length = u16::from_le_bytes(input.array()?);
        if phi == 0 && delta == 0 || phi.max(delta) > Entry::INFINITE {
            return Err(CheckpointReason::Field("numbers of the root"));
        }
        let any = Known { length, ..Known::open(ProofNumbers { phi, delta }) };
        let bytes = u32::from_le_bytes(input.array()?);
        let line = input.text(bytes.into(), "line")?;
        let first = line.split_whitespace().map(parse_usi::<R>).collect::<Result<Vec<_>, _>>();
        let first = first.map_err(|_| CheckpointReason::Field("line"))?;
        if let Some(run) = run.as_deref_mut() {
            (run.turns.limit, run.turns.any) = (limit, any);
            run.turns.first = Some(first).filter(|line| !line.is_empty());
        }
        let entries = read_count(input)?;
        if let Some(run) = run.as_deref_mut() {
            run.reserve(entries);
        }
        read_entries(input, entries, |entry| {
            if let Some(run) = run.as_deref_mut() {
                run.store(entry);
            }
        })?;
        input.finish().map_err(|flaw| flaw.reason)?;
        Ok(entries)
    }
}

fn header(input: &mut sealed::Reader<impl Read>) -> Result<(MateHeader, u64), CheckpointReason> {
    let variant = text(input, "name of the rule set")?;
    let rules = input.array()?;
    let root = text(input, "root")?;
    let wish = item(input, &Wish::ALL, "wish")?;
    let mut counts = [0; 5];
    for count in &mut counts {
        *count = u64::from_le_bytes(input.array()?);
    }
    let [hash_bytes, nodes, expansions, elapsed, turn] = counts;
    if turn == 0 {
        return Err(CheckpointReason::Field("turn"));
    }
    let elapsed = Duration::from_micros(elapsed);
    let header = MateHeader { variant, rules, root, wish, hash_bytes, nodes, expansions, elapsed };
    Ok((header, turn))
}

/// The root, if the file is for these rules.
fn root_of<R: Rules>(header: &MateHeader) -> Result<Position<R>, CheckpointReason> {
    same("variant", &header.variant, R::name())?;
    if header.rules != rules_hash::<R>() {
        return Err(CheckpointReason::Rules);
    }
    let root = parse_problem::<R>(&header.root).ok();
    root.filter(|root| to_sfen(root) == header.root).ok_or(CheckpointReason::Field("root"))
}

fn same(field: &'static str, found: &str, wanted: &str) -> Result<(), CheckpointReason> {
    if found == wanted {
        return Ok(());
    }
    Err(mismatch(field, found, wanted))
}
