//! The smallest set that proves a draw by the paper's own condition, beside the sets that the searches find.
//!
//! A position belongs to D_e if one of its moves leads into D_c or D_e and the others do so too or lose for the player who
//! makes them; if each position of D_c satisfies the same, all of them are drawn. So a set that holds a drawn start holds
//! with every position also what each of its moves that keep the draw leads to. The start and what such moves of both
//! players lead to is therefore the least set of the kind: whatever a search grows, it grows at least that. A tablebase
//! says which moves keep the draw.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use shogi_rules::shogi_core::Placement;
use shogi_rules::{Shogi34, Verdict};
use shogi_tablebase::Tablebase;

use crate::runs::Runs;
use crate::{grouped, starts};

/// The least set of a drawn start.
#[derive(Clone, Serialize, Deserialize)]
pub struct DrawnSet {
    pub start: String,
    pub positions: u64,
}

/// The least sets of the drawn starts of these tablebases.
pub fn of(tablebases: &[PathBuf]) -> Result<Vec<DrawnSet>> {
    let mut sets = Vec::new();
    for path in tablebases {
        let tablebase = Tablebase::<Shogi34>::open(path)?;
        for start in tablebase.set().starts() {
            let Some(start) = starts::listed(&[start]).pop() else { continue };
            let is_new = !sets.iter().any(|set: &DrawnSet| set.start == start);
            if let (true, Some(positions)) = (is_new, least_set(&tablebase, &start, path)?) {
                sets.push(DrawnSet { start, positions });
            }
        }
    }
    Ok(sets)
}

/// The number of positions that moves which keep the draw lead to, the start among them; `None` if the start is no draw.
fn least_set(tablebase: &Tablebase<Shogi34>, start: &str, path: &Path) -> Result<Option<u64>> {
    let start: Placement<Shogi34> = *starts::position(start)?;
    let damaged = || format!("cannot look up in {}", path.display());
    if tablebase.probe(&start).with_context(damaged)?.verdict != Verdict::Draw {
        return Ok(None);
    }
    let mut seen = FxHashSet::default();
    seen.insert(start);
    let mut queue = VecDeque::from([start]);
    while let Some(position) = queue.pop_front() {
        for (mv, value) in tablebase.moves(&position).with_context(damaged)? {
            let child = position.play_unchecked(mv);
            if value.verdict == Verdict::Draw && seen.insert(child) {
                queue.push_back(child);
            }
        }
    }
    Ok(Some(seen.len() as u64))
}

/// The section of the page, if any set was counted.
pub fn section(page: &mut String, runs: &Runs) {
    if runs.drawn_sets.is_empty() {
        return;
    }
    page.push_str(
        "\n## The paper's condition and ours\n\n\
         What proves a draw? The paper grows a set D_e from the repetitions D_c until each position has a move into D_c or \
         D_e and all its other moves do so too or lose. Such a set holds, with a drawn start, all that the moves of *both* \
         players lead to which keep the draw. Ours is a set for each player, with *one* move of that player and all of the \
         other's ([why](../how/pds.md#7-sets-that-cannot-be-left)). The first number is the smallest set by the paper's \
         condition, counted with a tablebase; the others are entries of the proofs that searches found, two strategies \
         together.\n\n| start | the paper's condition, at least | df-pn | PDS |\n|---|---|---|---|\n",
    );
    for set in &runs.drawn_sets {
        let fewest = |algorithm: &str| {
            let by = runs.runs.iter().filter(|run| run.start == set.start);
            let entries = by.filter(|run| run.algorithm == algorithm).filter_map(|run| run.entries);
            entries.min().map_or(String::new(), |entries| grouped(entries as u64))
        };
        let (start, positions) = (&set.start, grouped(set.positions));
        let _ =
            writeln!(page, "| {start} | {positions} | {} | {} |", fewest("dfpn"), fewest("pds"));
    }
}
