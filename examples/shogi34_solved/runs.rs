//! What has been solved so far, and its file.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Shogi34, to_usi};
use shogi_solve::{Algorithm, Finding, Solved, StartLeaf};
use shogi_variants_examples::provenance::Provenance;
use shogi_variants_examples::write_whole;

use crate::drawn_sets::DrawnSet;
use crate::grouped;

/// A search, and what it starts leaves with.
pub type Way = (Algorithm, StartLeaf);

/// A start that was solved by an algorithm, or resisted.
#[derive(Clone, Serialize, Deserialize)]
pub struct Run {
    pub start: String,
    pub algorithm: String,
    /// What positions started with that were not searched yet: unit or mobility.
    pub leaf: String,
    /// For Sente, who moves first: win, loss or draw; absent if it resisted.
    pub value: Option<String>,
    /// Plies to the end at most, of a win or a loss.
    pub plies_at_most: Option<u32>,
    /// Moves played, and how many were allowed.
    pub nodes: u64,
    pub nodes_allowed: u64,
    pub seconds: f64,
    /// Megabytes for the tables.
    pub hash: usize,
    /// Entries of the proof.
    pub entries: Option<usize>,
    /// The line of the proof with the longest resistance.
    pub line: Vec<String>,
    /// The questions that are left.
    pub open: Vec<Open>,
    /// Where and on which day it ran.
    pub machine: String,
    pub date: String,
}

/// A question that resisted: whether a player wins.
#[derive(Clone, Serialize, Deserialize)]
pub struct Open {
    pub prover: String,
    /// The root's numbers; absent if the search has an answer of which it has no proof yet.
    pub proof: Option<u32>,
    pub disproof: Option<u32>,
}

impl Run {
    pub fn new(
        start: &str,
        (algorithm, leaf): Way,
        nodes_allowed: u64,
        hash: usize,
        elapsed: Duration,
        solved: &Solved<Shogi34>,
    ) -> Self {
        let open = solved.open.iter().map(|(goal, finding)| {
            let (proof, disproof) = match *finding {
                Finding::Unknown { proof, disproof } => (Some(proof), Some(disproof)),
                Finding::Proved { .. } | Finding::Disproved => (None, None),
            };
            let prover = match goal.prover {
                Colour::Sente => "sente",
                Colour::Gote => "gote",
            };
            Open { prover: prover.to_owned(), proof, disproof }
        });
        let Provenance { machine, date, .. } = Provenance::of("");
        let proof = solved.proof.as_ref().filter(|_| solved.value.is_some());
        let strategies = proof.map(|proof| proof.strategies());
        let line = if proof.is_some() { &solved.line[..] } else { &[] };
        Self {
            start: start.to_owned(),
            algorithm: algorithm.name().to_owned(),
            leaf: leaf.name().to_owned(),
            value: solved.value.map(|value| value.name().to_owned()),
            plies_at_most: solved.plies.filter(|_| proof.is_some()),
            nodes: solved.nodes,
            nodes_allowed,
            seconds: (elapsed.as_secs_f64() * 1e3).round() / 1e3,
            hash,
            entries: strategies.map(|strategies| strategies.iter().map(|s| s.len()).sum()),
            line: line.iter().copied().map(to_usi).collect(),
            open: open.collect(),
            machine,
            date,
        }
    }

    /// Whether it was made so.
    pub fn is_by(&self, (algorithm, leaf): Way) -> bool {
        self.algorithm == algorithm.name() && self.leaf == leaf.name()
    }

    /// How far it got.
    pub fn outcome(&self) -> String {
        match (&self.value, self.plies_at_most) {
            (Some(value), Some(plies)) => format!("{value}, {plies} plies"),
            (Some(value), None) => value.clone(),
            (None, _) => {
                let open = |open: &Open| match (open.proof, open.disproof) {
                    (Some(proof), Some(disproof)) => {
                        format!("win for {} {proof}/{disproof}", open.prover)
                    }
                    _ => format!("win for {} without proof", open.prover),
                };
                let open: Vec<_> = self.open.iter().map(open).collect();
                format!("unknown: {}", open.join("; "))
            }
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, algorithm, leaf, nodes, seconds, .. } = self;
        let outcome = self.outcome();
        write!(
            f,
            "{start} {algorithm:>4} {leaf:>8} {:>15} nodes {seconds:>9.2} s  {outcome}",
            grouped(*nodes)
        )
    }
}

/// The last run of each start by each algorithm with each leaf.
#[derive(Default, Serialize, Deserialize)]
pub struct Runs {
    pub runs: Vec<Run>,
    /// The least sets of drawn starts by the paper's condition, as far as they were counted.
    #[serde(default)]
    pub drawn_sets: Vec<DrawnSet>,
}

impl Runs {
    /// What is in the file, if there is one.
    pub fn load(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let runs: Self = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        runs.check().with_context(|| path.display().to_string())?;
        Ok(runs)
    }

    pub fn save(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        write_whole(path, &text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The run of a start by an algorithm with a leaf.
    pub fn get(&self, start: &str, way: Way) -> Option<&Run> {
        self.runs.iter().find(|run| run.start == start && run.is_by(way))
    }

    /// Whether there is nothing more to find out with so many nodes.
    pub fn is_done(&self, start: &str, way: Way, nodes: u64, hash: usize) -> bool {
        let enough = |run: &Run| run.nodes_allowed >= nodes && run.hash >= hash;
        self.get(start, way).is_some_and(|run| run.value.is_some() || enough(run))
    }

    /// Puts a run in place of the one of the same start, algorithm and leaf.
    pub fn add(&mut self, run: Run) -> Result<()> {
        let key = |run: &Run| (run.start.clone(), run.algorithm.clone(), run.leaf.clone());
        let same = |other: &Run| key(other) == key(&run);
        match self.runs.iter().position(same) {
            Some(at) => self.runs[at] = run,
            None => self.runs.push(run),
        }
        self.check()
    }

    /// The algorithms must not contradict each other.
    fn check(&self) -> Result<()> {
        for run in &self.runs {
            for other in self.runs.iter().filter(|other| other.start == run.start) {
                let agree =
                    run.value.is_none() || other.value.is_none() || run.value == other.value;
                ensure!(agree, "{} has two values: {run} and {other}", run.start);
            }
        }
        Ok(())
    }
}
