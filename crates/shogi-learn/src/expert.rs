//! Expert iteration: an effort net learns from searches that begin their leaves with the net of the
//! round before (after Anthony, Tian & Barber, "Thinking Fast and Slow with Deep Learning and Tree
//! Search", 2017).
//!
//! A round takes positions from games of the linear evaluation against itself, searches each by df-pn
//! within a budget, collects what the searches find ([`Harvest`]), and fits a new net to it and to what
//! the rounds before have collected. The first round's leaves know the linear evaluation alone, the others
//! the mean of both. Many small searches teach more than a few large ones, which leave most positions
//! open.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shogi_eval::effort::Origin;
use shogi_eval::{EffortNet, Evaluation, FileReason, ProofEvaluation, TrainingSettings};
use shogi_rules::sealed::{self, At, FileFormat, Flaw, Reader, Writer};
use shogi_rules::shogi_core::Position;
use shogi_rules::{Rules, parse_position, to_sfen};
use shogi_solve::df_pn::{DfPn, Options, Tuning};
use shogi_solve::{
    AnyLeaf, Blend, Budget, Effort, Finding, Goal, Harvest, RulesGame, Search, SearchOutcome,
};

use crate::effort::{EffortFit, EffortProgress, Record, RecordError, fit, to_records};
use crate::linear::sample_position;

/// Searches between two reports of progress.
const BLOCK: u32 = 16;

/// How to learn. The default makes 2,000 searches of 100,000 nodes each.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpertSettings {
    /// Seed of everything drawn: the same seed makes the same net, on any number of threads.
    pub seed: u64,
    /// How many times positions are searched and learnt from.
    pub rounds: u32,
    /// Searches of each round.
    pub searches: u32,
    /// Nodes of each search: moves played.
    pub nodes: u64,
    /// Of a thousand positions that stay open so many are learnt from.
    pub open_per_mille: u32,
    /// Records to learn from at most, the latest ones; each takes about a hundred bytes on 5x5.
    pub records: u32,
    /// Passes of a fit over the records.
    pub passes: u32,
}

impl Default for ExpertSettings {
    fn default() -> Self {
        Self {
            seed: 1,
            rounds: 4,
            searches: 500,
            nodes: 100_000,
            open_per_mille: 80,
            records: 2_000_000,
            passes: 5,
        }
    }
}

/// What the searches of a round have come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Searches that proved or disproved their position.
    pub solved: u32,
    /// Positions collected that were proved.
    pub proved: u64,
    /// Positions collected that were disproved.
    pub disproved: u64,
    /// Positions collected that stayed open.
    pub open: u64,
}

impl Round {
    /// Counts a position that was collected.
    fn count(&mut self, outcome: SearchOutcome) {
        *match outcome {
            SearchOutcome::Proved => &mut self.proved,
            SearchOutcome::Disproved => &mut self.disproved,
            SearchOutcome::Open => &mut self.open,
        } += 1;
    }
}

/// How far learning has come.
#[derive(Clone, Copy, Debug)]
pub enum ExpertProgress<'a> {
    /// Positions were searched.
    Searched,
    /// A net is being fitted to what was collected.
    Fitting(EffortProgress<'a>),
}

/// Expert iteration with what was collected so far, which can be saved and resumed.
///
/// Positions are searched on all threads of the rayon pool. The result depends on the start, the
/// evaluation and the settings alone, whether it was made in one run or in several.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_learn::expert::{ExpertIteration, ExpertSettings};
/// use shogi_eval::TrainingSettings;
/// use shogi_learn::linear::train;
/// use shogi_rules::{Dobutsu, Rules, parse_position};
///
/// let start = parse_position::<Dobutsu>(Dobutsu::START)?;
/// let settings = TrainingSettings { games: 60, generations: 1, ..TrainingSettings::default() };
/// let linear = train(&start, settings, |_| ControlFlow::Continue(())).unwrap().evaluation;
/// let settings = ExpertSettings { rounds: 1, searches: 20, nodes: 2000, ..Default::default() };
/// let mut iteration = ExpertIteration::new(start, linear, settings);
/// let evaluation = iteration.run("an example", |_, _| ControlFlow::Continue(())).unwrap();
/// assert!(evaluation.origin().records > 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ExpertIteration<R: Rules> {
    start: Position<R>,
    evaluation: Evaluation<R>,
    settings: ExpertSettings,
    /// The rounds begun so far.
    rounds: Vec<Round>,
    /// Searches done in the last of them.
    searches: u32,
    /// Rounds whose net is fitted, and the last net.
    fitted: u32,
    net: Option<EffortNet<R>>,
    records: Vec<Record<R>>,
}

impl<R: Rules> ExpertIteration<R> {
    /// An iteration that has not searched anything. Games begin at `start`.
    pub const fn new(
        start: Position<R>,
        evaluation: Evaluation<R>,
        settings: ExpertSettings,
    ) -> Self {
        Self {
            start,
            evaluation,
            settings,
            rounds: Vec::new(),
            searches: 0,
            fitted: 0,
            net: None,
            records: Vec::new(),
        }
    }

    /// The position at which games begin.
    pub const fn start(&self) -> &Position<R> {
        &self.start
    }

    /// The linear evaluation beside the nets.
    pub const fn evaluation(&self) -> &Evaluation<R> {
        &self.evaluation
    }

    /// How it learns.
    pub const fn settings(&self) -> &ExpertSettings {
        &self.settings
    }

    /// The rounds begun so far.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Searches done so far, in all rounds.
    pub fn searches(&self) -> u64 {
        let before = self.rounds.len().saturating_sub(1) as u64;
        before * u64::from(self.settings.searches) + u64::from(self.searches)
    }

    /// Records collected so far, as far as they are kept.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// Learns to the end, or until `progress` breaks, which is called after every 16 searches and
    /// every step of a fit; then returns `None`. A fit that was broken off begins anew. `command` is
    /// noted in the evaluation as that which made it.
    pub fn run(
        &mut self,
        command: &str,
        mut progress: impl FnMut(&Self, ExpertProgress<'_>) -> ControlFlow<()>,
    ) -> Option<ProofEvaluation<R>> {
        self.run_on(command, &mut progress)
    }

    fn run_on(
        &mut self,
        command: &str,
        progress: &mut dyn FnMut(&Self, ExpertProgress<'_>) -> ControlFlow<()>,
    ) -> Option<ProofEvaluation<R>> {
        let settings = self.settings;
        while self.fitted < settings.rounds {
            if self.rounds.len() == self.fitted as usize {
                self.rounds.push(Round::default());
                self.searches = 0;
            }
            let evaluation = Arc::new(self.with_net(command)?);
            while self.searches < settings.searches {
                self.search(&evaluation);
                if progress(self, ExpertProgress::Searched).is_break() {
                    return None;
                }
            }
            self.fit(progress)?;
        }
        self.with_net(command)
    }

    /// A round whose searches were done elsewhere, such as by a [builder](shogi_solve::builder): a new net
    /// is fitted to what they have found and to the records so far. `None` if `progress` breaks, which
    /// is called after every step of the fit.
    pub fn learn_from(
        &mut self,
        records: Vec<Record<R>>,
        command: &str,
        mut progress: impl FnMut(&Self, ExpertProgress<'_>) -> ControlFlow<()>,
    ) -> Option<ProofEvaluation<R>> {
        self.rounds.push(Round::default());
        self.keep(records);
        self.fit(&mut progress)?;
        self.with_net(command)
    }

    /// The evaluation with the last net; `None` if there is none yet.
    pub fn learnt(&self, command: &str) -> Option<ProofEvaluation<R>> {
        self.net.as_ref()?;
        self.with_net(command)
    }

    /// Fits a new net to the latest records.
    fn fit(
        &mut self,
        progress: &mut dyn FnMut(&Self, ExpertProgress<'_>) -> ControlFlow<()>,
    ) -> Option<()> {
        let excess = self.records.len().saturating_sub(self.settings.records as usize);
        self.records = self.records.split_off(excess);
        let net = fit_net(&self.records, &self.fit_settings(), &mut |fitting| {
            progress(self, ExpertProgress::Fitting(fitting))
        })?;
        self.net = Some(net);
        self.fitted += 1;
        Some(())
    }

    /// Notes what searches of the last round have found.
    fn keep(&mut self, mut records: Vec<Record<R>>) {
        let Some(round) = self.rounds.last_mut() else { return };
        for record in &records {
            round.count(record.outcome);
        }
        self.records.append(&mut records);
    }

    fn fit_settings(&self) -> EffortFit {
        let ExpertSettings { seed, passes, .. } = self.settings;
        EffortFit { passes, seed: seed.wrapping_add(self.fitted.into()), ..EffortFit::default() }
    }

    /// The evaluation with the last net, or a random one if there is none.
    fn with_net(&self, command: &str) -> Option<ProofEvaluation<R>> {
        let net = match &self.net {
            Some(net) => net.clone(),
            None => fit_net(&[], &self.fit_settings(), &mut |_| ControlFlow::Continue(()))?,
        };
        let (seed, records) = (self.settings.seed, self.records.len() as u64);
        let origin = Origin { command: command.to_owned(), seed, records };
        Some(ProofEvaluation::new(self.evaluation.clone(), net, origin))
    }

    /// Does the next searches of the last round.
    fn search(&mut self, evaluation: &Arc<ProofEvaluation<R>>) {
        let end = self.settings.searches.min(self.searches + BLOCK);
        let harvest = |number| self.harvest(evaluation, number);
        let found: Vec<_> = (self.searches..end).into_par_iter().map(harvest).collect();
        self.searches = end;
        for (is_solved, records) in found {
            if let Some(round) = self.rounds.last_mut() {
                round.solved += u32::from(is_solved);
            }
            self.keep(records);
        }
    }

    /// One search of the last round: whether it came to an end, and what it has found.
    fn harvest(&self, evaluation: &Arc<ProofEvaluation<R>>, number: u32) -> (bool, Vec<Record<R>>) {
        let ExpertSettings { seed, nodes, open_per_mille, .. } = self.settings;
        let games = TrainingSettings { seed, ..TrainingSettings::default() };
        let sample =
            sample_position(&self.start, evaluation.linear(), &games, (self.fitted, number));
        let Some((root, prover)) = sample else { return (false, Vec::new()) };
        let blend = if self.net.is_some() { Blend::Mean } else { Blend::Linear };
        // An entry for each position that is met, and as much for the rest.
        let bytes = nodes.saturating_mul(48).clamp(1 << 20, 1 << 28) as usize;
        let options = Options { tuning: Tuning::LEARNT, hash_bytes: bytes, ..Options::default() };
        let game = RulesGame::<R>::new();
        let leaf = AnyLeaf::from(Effort::new(Arc::clone(evaluation), blend));
        let mut search = DfPn::new(&game, Goal::win(prover), leaf, options);
        search.set_harvest(Some(Harvest::new(open_per_mille, seed)));
        let found = search.search(&root, &mut Budget::nodes(nodes));
        search.unwind();
        let harvest = search.set_harvest(None).map(|mut harvest| harvest.take());
        let is_solved = !matches!(found, Finding::Unknown { .. });
        (is_solved, to_records(harvest.unwrap_or_default(), prover).collect())
    }

    /// Writes what is needed to go on: see docs/reference/formats.md in the repository.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        self.write_to(&mut out)
    }

    fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = Head {
            variant: R::NAME.to_owned(),
            start: to_sfen(&self.start),
            settings: self.settings,
            rounds: self.rounds.clone(),
            searches: self.searches,
            fitted: self.fitted,
            records: self.records.len() as u64,
        };
        let net = &mut |out: &mut Writer<&mut dyn Write>| match &self.net {
            Some(net) => net.write_weights(out),
            None => Ok(()),
        };
        let record = &|number: usize| self.records[number].to_line();
        write_parts(out, &head, &self.evaluation.to_json(), net, record)
    }

    /// Reads what [`ExpertIteration::write`] has written.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another variant, or has what no iteration writes.
    pub fn read(mut input: impl Read) -> Result<Self, ExpertError> {
        Self::read_from(&mut input)
    }

    fn read_from(input: &mut dyn Read) -> Result<Self, ExpertError> {
        let mut reader = Reader::new(input, &FORMAT).map_err(At::convert)?;
        match Self::read_content(&mut reader) {
            Ok(read) => reader.finish().map_err(At::convert).map(|()| read),
            Err(reason) => Err(reader.at(reason)),
        }
    }

    fn read_content(reader: &mut Reader<&mut dyn Read>) -> Result<Self, ExpertReason> {
        let head = read_head(reader, R::NAME)?;
        let Ok(start) = parse_position(&head.start) else {
            return Err(ExpertReason::Start(head.start));
        };
        let evaluation = match Evaluation::from_json(&reader.sized_text("linear evaluation")?) {
            Ok(evaluation) => evaluation,
            Err(reason) => return Err(ExpertReason::Evaluation(reason)),
        };
        let mut net = None;
        if head.fitted > 0 {
            net = match EffortNet::read_weights(reader) {
                Ok(net) => Some(net),
                Err(reason) => return Err(ExpertReason::Net(reason)),
            };
        }
        let mut records = Vec::new();
        for _ in 0..head.records {
            records.push(Record::from_line(&reader.sized_text("record")?)?);
        }
        let Head { settings, rounds, searches, fitted, .. } = head;
        Ok(Self { start, evaluation, settings, rounds, searches, fitted, net, records })
    }
}

/// Writes a checkpoint with this linear evaluation; `net` writes the last net if there is one, and `record`
/// gives each record.
fn write_parts(
    out: &mut dyn Write,
    head: &Head,
    evaluation: &str,
    net: &mut dyn FnMut(&mut Writer<&mut dyn Write>) -> io::Result<()>,
    record: &dyn Fn(usize) -> String,
) -> io::Result<()> {
    let mut out = Writer::new(out, &FORMAT)?;
    out.sized_text(&head.to_json()?)?;
    out.sized_text(evaluation)?;
    net(&mut out)?;
    for number in 0..head.records as usize {
        out.sized_text(&record(number))?;
    }
    out.finish().map(drop)
}

impl Head {
    fn to_json(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}

fn read_head(
    reader: &mut Reader<&mut dyn Read>,
    variant: &'static str,
) -> Result<Head, ExpertReason> {
    let head: Head = serde_json::from_slice(reader.sized_text("head")?.as_bytes())?;
    if head.variant != variant {
        return Err(ExpertReason::Other { found: head.variant, expected: variant });
    }
    Ok(head)
}

fn fit_net<R: Rules>(
    records: &[Record<R>],
    settings: &EffortFit,
    progress: &mut dyn FnMut(EffortProgress<'_>) -> ControlFlow<()>,
) -> Option<EffortNet<R>> {
    fit(records, settings, progress)
}

/// How the checkpoint of an expert iteration begins.
pub const FORMAT: FileFormat = FileFormat {
    magic: *b"\x89LEARN\r\n",
    version: 1,
    name: "checkpoint of an expert iteration",
    most: 1 << 32,
};

/// What a checkpoint begins with, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    variant: String,
    start: String,
    settings: ExpertSettings,
    rounds: Vec<Round>,
    searches: u32,
    fitted: u32,
    records: u64,
}

/// The name of the variant of a checkpoint.
///
/// # Errors
///
/// If the file is not one.
pub fn read_variant(input: impl Read) -> Result<String, ExpertError> {
    sealed::read_variant(input, &FORMAT)
}

/// Why a file is no checkpoint of an expert iteration, and where.
pub type ExpertError = At<ExpertReason>;

/// What can be wrong with the checkpoint of an expert iteration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExpertReason {
    /// The file is not what was written.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// The head is not one that is written.
    #[error("in the head: {0}")]
    Head(#[from] serde_json::Error),
    /// It was made for another variant.
    #[error("it is for {found}, but {expected} is wanted")]
    Other {
        /// Variant of the file.
        found: String,
        /// Variant that is wanted.
        expected: &'static str,
    },
    /// The start is no position of the variant.
    #[error("the start {0:?} is no position of the variant")]
    Start(String),
    /// The linear evaluation cannot be used.
    #[error("in the linear evaluation: {0}")]
    Evaluation(FileReason),
    /// The net cannot be used.
    #[error("in the net: {0}")]
    Net(FileReason),
    /// A record is none.
    #[error(transparent)]
    Record(#[from] RecordError),
}
