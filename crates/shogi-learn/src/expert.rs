//! Expert iteration: an effort net learns from searches that begin their leaves with the net of the
//! round before (after Anthony, Tian & Barber, "Thinking Fast and Slow with Deep Learning and Tree
//! Search", 2017).
//!
//! A round takes positions from games of the linear evaluation against itself, searches each by df-pn
//! within a budget, collects the findings ([`Harvest`]), and fits a new net to them and to those of
//! earlier rounds. The first round's leaves use the linear evaluation alone, the others the mean of both.
//! Many small searches teach more than a few large ones, which leave most positions open.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use shogi_eval::effort::Origin;
use shogi_eval::{EffortNet, Evaluation, ProofEvaluation, TrainingSettings};
use shogi_rules::shogi_core::Position;
use shogi_rules::{Rules, parse_position, to_sfen};
use shogi_solve::df_pn::{DfPn, Options, Tuning};
use shogi_solve::{
    AnyLeaf, Blend, Budget, Effort, Finding, Goal, Harvest, RulesGame, Search, SearchOutcome,
};

use crate::effort::{EffortFit, EffortPass, Record, fit, to_records};
use crate::error::{LearnError, LearnReason};
use crate::fit::FitProgress;
use crate::in_order::{Worker, in_order};
use crate::linear::sample_position;
use crate::saved::{self, Work};

/// Searches between two reports of progress.
const BLOCK: u32 = 16;

/// Settings of expert iteration. The default makes 2,000 searches of 100,000 nodes each.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpertSettings {
    /// The seed: the same seed makes the same net, on any number of threads.
    pub seed: u64,
    /// Number of rounds of searches and fits.
    pub rounds: u32,
    /// Searches of each round.
    pub searches: u32,
    /// Nodes of each search: moves played.
    pub nodes: u64,
    /// Open positions to learn from, per thousand.
    pub open_per_mille: u32,
    /// The most records to learn from, the latest ones; each takes about a hundred bytes on 5x5.
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

/// The results of the searches of a round.
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

/// The progress of learning.
#[derive(Clone, Copy, Debug)]
pub enum ExpertProgress<'a> {
    /// Positions were searched.
    Searched,
    /// A net is being fitted to the collected records.
    Fitting(FitProgress<'a, EffortPass>),
}

/// Expert iteration with the records collected so far; it can be saved and resumed.
///
/// Positions are searched on as many threads as the rayon pool has. The result depends on the start, the
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
    /// An iteration that has not begun. Games begin at `start`.
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

    /// The start position of the games.
    pub const fn start(&self) -> &Position<R> {
        &self.start
    }

    /// The linear evaluation beside the nets.
    pub const fn evaluation(&self) -> &Evaluation<R> {
        &self.evaluation
    }

    /// The settings.
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

    /// Number of records kept so far.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// Learns to the end, or returns `None` if `progress` breaks, which is called after every 16 searches
    /// and every step of a fit. An interrupted fit starts anew. `command` is recorded in the evaluation as
    /// its origin.
    pub fn run(
        &mut self,
        command: &str,
        mut progress: impl FnMut(&Self, ExpertProgress<'_>) -> ControlFlow<()>,
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
            self.fit(&mut progress)?;
        }
        self.with_net(command)
    }

    /// Adds a round whose searches were done elsewhere, such as by a builder of `shogi-solve`: fits a new
    /// net to their findings and to the records so far. `None` if `progress` breaks, which is called after
    /// every step of the fit.
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
        let net = fit(&self.records, &self.fit_settings(), |fitting| {
            progress(self, ExpertProgress::Fitting(fitting))
        })?;
        self.net = Some(net);
        self.fitted += 1;
        Some(())
    }

    /// Keeps the findings of searches of the last round.
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
            None => fit(&[], &self.fit_settings(), |_| ControlFlow::Continue(()))?,
        };
        let (seed, records) = (self.settings.seed, self.records.len() as u64);
        let origin = Origin { command: command.to_owned(), seed, records };
        Some(ProofEvaluation::new(self.evaluation.clone(), net, origin))
    }

    /// Does the next searches of the last round.
    fn search(&mut self, evaluation: &Arc<ProofEvaluation<R>>) {
        let end = self.settings.searches.min(self.searches + BLOCK);
        let mut found = Vec::new();
        let worker = || -> Worker<'_, (bool, Vec<Record<R>>)> {
            Box::new(|number, _| Some(self.harvest(evaluation, number)))
        };
        // The closure never breaks.
        let threads = rayon::current_num_threads();
        let _ = in_order(self.searches..end, threads, &worker, &mut |harvest| {
            found.push(harvest);
            ControlFlow::Continue(())
        });
        self.searches = end;
        for (is_solved, records) in found {
            if let Some(round) = self.rounds.last_mut() {
                round.solved += u32::from(is_solved);
            }
            self.keep(records);
        }
    }

    /// One search of the last round: whether it was solved, and its findings.
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

    /// Writes a checkpoint: see docs/reference/formats.md in the repository.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let head = ExpertHead {
            variant: R::NAME.to_owned(),
            start: to_sfen(&self.start),
            settings: self.settings,
            rounds: self.rounds.clone(),
            searches: self.searches,
            fitted: self.fitted,
            records: self.records.len() as u64,
        };
        saved::write(&mut out, &Work::Searches.format(), &head, |out| {
            out.sized_text(&self.evaluation.to_json())?;
            if let Some(net) = &self.net {
                net.write_weights(out)?;
            }
            self.records.iter().try_for_each(|record| out.sized_text(&record.to_line()))
        })
    }

    /// Reads a checkpoint that [`ExpertIteration::write`] has written.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another variant, or impossible as a checkpoint.
    pub fn read(mut input: impl Read) -> Result<Self, LearnError> {
        saved::read(&mut input, &Work::Searches.format(), |head: ExpertHead, input| {
            LearnReason::check_name(&head.variant, R::NAME)?;
            let start = parse_position(&head.start).map_err(|_| LearnReason::Start(head.start))?;
            let evaluation = Evaluation::from_json(&input.sized_text("linear evaluation")?)
                .map_err(LearnReason::of("linear evaluation"))?;
            let net = match head.fitted {
                0 => None,
                _ => Some(EffortNet::read_weights(input).map_err(LearnReason::of("net"))?),
            };
            let mut records = Vec::new();
            for _ in 0..head.records {
                records.push(Record::from_line(&input.sized_text("record")?)?);
            }
            let ExpertHead { settings, rounds, searches, fitted, .. } = head;
            Ok(Self { start, evaluation, settings, rounds, searches, fitted, net, records })
        })
    }
}

/// The head of a checkpoint, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpertHead {
    variant: String,
    start: String,
    settings: ExpertSettings,
    rounds: Vec<Round>,
    searches: u32,
    fitted: u32,
    records: u64,
}
