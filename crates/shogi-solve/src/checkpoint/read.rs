//! Reads a checkpoint.

use std::io::Read;
use std::time::Duration;

use shogi_files::sealed::{self, At};
use shogi_mate::saved::{item, mismatch, read_count, read_entries, refusal, text};
use shogi_proof::rules_hash;
use shogi_rules::shogi_core::Position;
use shogi_rules::{Rules, parse_position, to_sfen};

use super::{
    CheckpointError, CheckpointReason, Content, FORMAT, GHI, Header, SEARCHES, SUM, certificate,
};
use crate::df_pn::{Combine, Tuning};
use crate::game::RulesGame;
use crate::memory::Memory;
use crate::question::AnySearch;
use crate::search::{FinalValue, Finding};
use crate::solve::{Options, Solver, Turn};

/// A solver of a variant's positions.
type FamilySolver<R> = Solver<'static, RulesGame<R>>;

/// A checkpoint whose head has been read.
///
/// Memory is allocated only for data that has been read, whatever the numbers in the file say.
pub struct Reader<I> {
    input: sealed::Reader<I>,
    header: Header,
    turn: Turn,
}

impl<I: Read> Reader<I> {
    /// Reads the head of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or does not begin with the head of a checkpoint.
    pub fn new(input: I) -> Result<Self, CheckpointError> {
        let mut input = sealed::Reader::new(input, &FORMAT).map_err(At::convert)?;
        match header(&mut input) {
            Ok((header, turn)) => Ok(Self { input, header, turn }),
            Err(reason) => Err(refusal(input, reason)),
        }
    }

    /// The error for a checkpoint refused at this place: damage if the file is damaged, otherwise
    /// `reason`.
    pub fn refusal(self, reason: CheckpointReason) -> CheckpointError {
        refusal(self.input, reason)
    }

    /// The head.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Restores the solver. The size of its tables comes from the options instead of the file;
    /// everything else in the file must agree with the options.
    ///
    /// # Errors
    ///
    /// If the checkpoint is of another run or invalid.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory for the tables.
    pub fn solver<R: Rules>(
        mut self,
        root: Position<R>,
        options: Options,
    ) -> Result<Solver<'static, RulesGame<R>>, CheckpointError> {
        let same = root_of::<R>(&self.header)
            .and_then(|_| check_search(&self.header, &to_sfen(&root), &options));
        if let Err(reason) = same {
            return Err(self.refusal(reason));
        }
        let mut solver = Solver::of_position(root, options);
        if let Err(reason) = self.content(&root, Some(&mut solver)) {
            return Err(self.refusal(reason));
        }
        solver.turn = self.turn;
        solver.nodes = self.header.nodes;
        solver.expansions = self.header.expansions;
        solver.elapsed = self.header.elapsed;
        Ok(solver)
    }

    /// Reads and checks the whole file without keeping it.
    ///
    /// # Errors
    ///
    /// The first fault in the file.
    pub fn check<R: Rules>(mut self) -> Result<Content, CheckpointError> {
        let content = root_of::<R>(&self.header).and_then(|root| self.content(&root, None));
        content.map_err(|reason| self.refusal(reason))
    }

    /// Reads the content after the head, into a solver if there is one.
    fn content<R: Rules>(
        &mut self,
        root: &Position<R>,
        mut solver: Option<&mut FamilySolver<R>>,
    ) -> Result<Content, CheckpointReason> {
        let input = &mut self.input;
        let mut content = Content::default();
        for index in 0..2 {
            let finding = finding(input)?;
            let has_search = flag(input, "presence of a search")?;
            let mut memory = None;
            if let Some(Solver { game, options, questions, .. }) = solver.as_deref_mut() {
                let question = &mut questions[index];
                question.finding = finding;
                question.search = has_search.then(|| AnySearch::new(*game, question.goal, options));
                memory = question.search.as_mut().map(AnySearch::memory_mut);
            }
            if has_search {
                read_memory(input, &mut content, memory)?;
            }
        }
        let certificates = input.byte()?;
        for _ in 0..certificates {
            let length = u64::from_le_bytes(input.array()?);
            let bytes = input.bytes(length)?;
            let certificate = certificate::from_proof(root, &bytes)?;
            if let Some(solver) = &mut solver {
                solver.certificates.push(certificate);
            }
            content.certificates += 1;
        }
        input.finish().map_err(|flaw| flaw.reason)?;
        Ok(content)
    }
}

fn header(input: &mut sealed::Reader<impl Read>) -> Result<(Header, Turn), CheckpointReason> {
    let variant = text(input, "name of the rule set")?;
    let rules = input.array()?;
    let root = text(input, "root")?;
    let (algorithm, leaf) = item(input, &SEARCHES, "algorithm")?;
    let ghi = item(input, &GHI, "treatment of the history")?;
    let combine = |bytes| match u32::from_le_bytes(bytes) {
        SUM => Ok(Combine::Sum),
        sixteenths @ 0..=16 => Ok(Combine::Weak { sixteenths }),
        _ => Err(CheckpointReason::Field("tuning")),
    };
    let tuning = Tuning {
        proof: combine(input.array()?)?,
        disproof: combine(input.array()?)?,
        epsilon: u32::from_le_bytes(input.array()?),
    };
    let mut counts = [0; 6];
    for count in &mut counts {
        *count = u64::from_le_bytes(input.array()?);
    }
    let [hash_bytes, nodes, expansions, elapsed, turn, left] = counts;
    let elapsed = Duration::from_micros(elapsed);
    let question = item(input, &[0, 1], "turn")?;
    let turn = Turn { question, nodes: turn, left };
    if turn.nodes == 0 || turn.left > turn.nodes {
        return Err(CheckpointReason::Field("turn"));
    }
    let header = Header {
        variant,
        rules,
        root,
        algorithm,
        leaf,
        ghi,
        tuning,
        hash_bytes,
        nodes,
        expansions,
        elapsed,
    };
    Ok((header, turn))
}

/// The root, if the file is for these rules.
fn root_of<R: Rules>(header: &Header) -> Result<Position<R>, CheckpointReason> {
    if header.variant != R::name() {
        return Err(mismatch("variant", &header.variant, R::name()));
    }
    if header.rules != rules_hash::<R>() {
        return Err(CheckpointReason::Rules);
    }
    let root = parse_position::<R>(&header.root).ok();
    root.filter(|root| to_sfen(root) == header.root).ok_or(CheckpointReason::Field("root"))
}

/// Checks that the file is of a run with this root and these options.
fn check_search(header: &Header, root: &str, options: &Options) -> Result<(), CheckpointReason> {
    if header.root != root {
        return Err(mismatch("root", &header.root, root));
    }
    let Options { algorithm, leaf, ghi, tuning, .. } = *options;
    if header.algorithm != algorithm {
        return Err(mismatch("algorithm", header.algorithm.name(), algorithm.name()));
    }
    if header.leaf != leaf {
        return Err(mismatch("leaf", header.leaf.name(), leaf.name()));
    }
    if (header.ghi, header.tuning) != (ghi, tuning) {
        let [found, wanted] =
            [(header.ghi, header.tuning), (ghi, tuning)].map(|tuning| format!("{tuning:?}"));
        return Err(mismatch("tuning", &found, &wanted));
    }
    Ok(())
}

fn flag(
    input: &mut sealed::Reader<impl Read>,
    name: &'static str,
) -> Result<bool, CheckpointReason> {
    item(input, &[false, true], name)
}

fn finding(input: &mut sealed::Reader<impl Read>) -> Result<Option<Finding>, CheckpointReason> {
    let kind = input.byte()?;
    let [first, second] = [u32::from_le_bytes(input.array()?), u32::from_le_bytes(input.array()?)];
    let finding = match (kind, first, second) {
        (0, 0, 0) => None,
        (1, plies, 0) => Some(Finding::Proved { plies }),
        (2, 0, 0) => Some(Finding::Disproved),
        (3, _, _) => Some(Finding::Unknown { proof: first, disproof: second }),
        _ => return Err(CheckpointReason::Field("finding of a search")),
    };
    Ok(finding)
}

/// Reads the memory of a search, into `memory` if there is one.
fn read_memory(
    input: &mut sealed::Reader<impl Read>,
    content: &mut Content,
    mut memory: Option<&mut Memory>,
) -> Result<(), CheckpointReason> {
    let entries = read_count(input)?;
    read_entries(input, entries, |entry| {
        if let Some(memory) = &mut memory {
            memory.table.store(entry);
        }
    })?;
    content.entries += entries;
    let values = u64::from_le_bytes(input.array()?);
    for _ in 0..values {
        let key = u64::from_le_bytes(input.array()?);
        let proved = flag(input, "final value")?;
        let value = match (proved, u16::from_le_bytes(input.array()?)) {
            (true, plies) => FinalValue::Proved { plies: plies.into() },
            (false, 0) => FinalValue::Disproved,
            (false, _) => return Err(CheckpointReason::Field("final value")),
        };
        content.final_values += 1;
        if let Some(memory) = &mut memory {
            memory.set_final(key, value);
        }
    }
    Ok(())
}
