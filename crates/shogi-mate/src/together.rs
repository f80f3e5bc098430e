//! A search for one mate by several threads.

use std::panic::resume_unwind;
use std::thread;

use shogi_core::Position;
use shogi_rules::Rules;
use shogi_rules::threads::spawn_scoped;

use super::memory::{Known, UNLIMITED};
use super::search::MateSearch;
use super::store::SharedTable;
use crate::budget::{Budget, SharedWork};

/// The work of a thread.
struct Part {
    known: Known,
    nodes: u64,
    expansions: u64,
    path_bytes: usize,
}

/// The work of all threads together.
pub struct Whole {
    /// The knowledge about the root.
    pub known: Known,
    /// Positions entered.
    pub expansions: u64,
    /// The peak of bytes in use by their paths.
    pub path_bytes: usize,
}

/// Searches for any mate with this many threads, or as many as the system grants, until one has the answer.
/// Each may spend its share of the remaining budget.
pub fn together<R: Rules>(
    table: &SharedTable,
    root: &Position<R>,
    threads: usize,
    budget: &mut Budget<'_>,
) -> Whole {
    let work = SharedWork::after(budget);
    let share = budget.share(threads as u64, &work);
    let search = |mut budget: Budget<'_>| {
        let mut search = MateSearch::new(table, root.side());
        let known = search.run(root, UNLIMITED, &mut budget);
        if known.is_final() {
            work.finish();
        }
        let (expansions, path_bytes) = (search.expansions(), search.path_bytes());
        Part { known, nodes: budget.spent(), expansions, path_bytes }
    };
    let parts = thread::scope(|scope| {
        let search = &search;
        let run = move || search(share.budget());
        let spawn = |_| spawn_scoped(scope, run).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let mut parts = vec![search(budget.reporting_share(share))];
        for other in others {
            parts.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        parts
    });
    let mut whole = Whole { known: parts[0].known, expansions: 0, path_bytes: 0 };
    for part in parts {
        if part.known.is_final() {
            whole.known = part.known;
        }
        budget.take(part.nodes, part.expansions);
        whole.expansions += part.expansions;
        whole.path_bytes += part.path_bytes;
    }
    whole
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;
    use shogi_core::checks;
    use shogi_rules::{Minishogi, Shogi, parse_problem, to_sfen};

    use super::*;

    /// Asserts that the table has a mate within this many plies for each reply to a mating move, down to the
    /// end; a lost one is proved again.
    fn walk<R: Rules>(
        search: &mut MateSearch<'_, R>,
        seen: &mut FxHashSet<u64>,
        position: &Position<R>,
        length: u16,
    ) {
        let known = search.known_length(position).unwrap_or(length).min(length);
        if !seen.insert(position.key() ^ u64::from(known) << 40) {
            return;
        }
        if search.is_attacking(position) {
            let (again, mv) = search.run_anew(position, known, &mut Budget::nodes(1_000_000));
            assert!(again.is_proved() && again.length <= known, "{} {known}", to_sfen(position));
            walk(search, seen, &position.play_unchecked(mv.unwrap()), known - 1);
            return;
        }
        for mv in position.legal_moves() {
            assert!(known > 0, "{}", to_sfen(position));
            walk(search, seen, &position.play_unchecked(mv), known - 1);
        }
    }

    fn assert_proof<R: Rules>(sfen: &str, threads: usize) -> usize {
        let root = parse_problem::<R>(sfen).unwrap();
        let table = SharedTable::growing_to(64 << 20, threads);
        let budget = &mut Budget::nodes(20_000_000);
        let whole = together(&table, &root, threads, budget);
        assert!(whole.known.is_proved() && !checks(&root).is_empty());
        let mut seen = FxHashSet::default();
        let mut search = MateSearch::new(&table, root.side());
        walk(&mut search, &mut seen, &root, whole.known.length);
        seen.len()
    }

    /// Every position of proofs that several threads have put together, with all replies.
    #[test]
    fn a_proof_made_together_holds_against_every_defence() {
        let mut positions = 0;
        for threads in [2, 4] {
            positions += assert_proof::<Minishogi>("+R3K/5/+S1G2/+p3B/1Bkrs b Gp 1", threads);
            positions += assert_proof::<Minishogi>("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1", threads);
            // Shogi Zuko 98, a king alone.
            positions += assert_proof::<Shogi>(ZUKO_98, threads);
        }
        assert!(positions > 1000, "{positions}");
    }

    const ZUKO_98: &str = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1";
}
