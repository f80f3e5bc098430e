//! Every loop of every search spends budget: with tables far too small, a search returns before it
//! has played more moves than its budget can account for.

use std::cell::Cell;

use crate::graphs;

use graphs::start;
use shogi_rules::{Minishogi, Rules, Shogi, Shogi34, parse_problem};
use shogi_solve::df_pn::{self, DfPn};
use shogi_solve::hikiwake::{hikiwake_pds, hikiwake_pds_search};
use shogi_solve::mate::{self, Status};
use shogi_solve::pds::Pds;
use shogi_solve::shogi_core::{
    Board5x5, Board9x9, Colour, KindSpec, Move, Placement, Position, RuleTable,
};
use shogi_solve::{
    Algorithm, Budget, EFFORT, GameGraph, Ghi, Goal, Mobility, Options, Parts, RulesGame, Search,
    Unit, Verdict, decide, prevent, reach_plan, solve_within,
};

/// Nodes that each search may spend; of searches for proofs those of the nightly run.
const NODES: u64 = 200_000;
/// Nodes that each search for a proof may spend by day.
const NODES_BY_DAY: u64 = 80_000;
/// Moves that may be played for each of them: a node is a move, whose moves in turn may be looked
/// up, or a step of a simulation, which looks at all moves of a position.
const MOVES_A_NODE: u64 = 60;

/// 3x4 shogi that panics where a search goes on for too long.
struct Watched {
    game: RulesGame<Shogi34>,
    /// Nodes that each search may spend.
    nodes: u64,
    left: Cell<u64>,
}

impl Watched {
    fn new(nodes: u64) -> Self {
        Self { game: RulesGame::new(), nodes, left: Cell::new(0) }
    }

    /// A budget, and the moves that go with it.
    fn budget<'b>(&self) -> Budget<'b> {
        self.left.set(self.nodes * MOVES_A_NODE);
        Budget::nodes(self.nodes)
    }
}

impl GameGraph for Watched {
    type Position = Position<Shogi34>;
    type Move = Move<Shogi34>;

    fn side(&self, position: &Self::Position) -> Colour {
        self.game.side(position)
    }

    fn verdict(&self, position: &Self::Position) -> Option<Verdict> {
        self.game.verdict(position)
    }

    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) {
        self.game.moves(position, moves);
    }

    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        let left = self.left.get();
        assert!(left > 0, "a loop that spends nothing");
        self.left.set(left - 1);
        self.game.play(position, mv)
    }

    fn key(&self, position: &Self::Position) -> u64 {
        self.game.key(position)
    }

    fn parts(&self, position: &Self::Position) -> Parts {
        self.game.parts(position)
    }

    fn dominates(&self, hand: u32, other: u32) -> bool {
        self.game.dominates(hand, other)
    }
}

/// Starts with searches of millions of nodes.
fn starts() -> impl Iterator<Item = Position<Shogi34>> {
    ["KBB", "RKB", "KSG"].into_iter().map(start)
}

/// Bytes for tables of thousands of entries.
const BYTES: [usize; 2] = [1 << 16, 2 << 20];

/// Runs a search, and all that can be made of what it has found.
fn run<S: Search<Watched>>(mut search: S, root: &Position<Shogi34>) {
    let game = |search: &S| search.game().budget();
    for _ in 0..2 {
        let mut budget = game(&search);
        search.search(root, &mut budget);
        search.unwind();
    }
    let mut budget = game(&search);
    let _ = decide(&mut search, root, &mut budget);
    let mut budget = game(&search);
    let _ = prevent(&mut search, root, EFFORT, &mut budget);
    let mut budget = game(&search);
    let _ = reach_plan(&mut search, root, &mut budget);
}

fn run_pds(nodes: u64) {
    let game = Watched::new(nodes);
    for root in starts() {
        for bytes in BYTES {
            for goal in Colour::ALL.map(Goal::win) {
                run(Pds::new(&game, goal, Unit, bytes), &root);
                run(Pds::new(&game, goal, Mobility, bytes), &root);
            }
        }
    }
}

fn run_df_pn(nodes: u64) {
    let game = Watched::new(nodes);
    for root in starts() {
        for bytes in BYTES {
            for ghi in [Ghi::Provisional, Ghi::ByPath, Ghi::Simulation] {
                for goal in Colour::ALL.map(Goal::win) {
                    let options =
                        df_pn::Options { ghi, hash_bytes: bytes, ..df_pn::Options::default() };
                    run(DfPn::new(&game, goal, Unit, options), &root);
                }
            }
        }
    }
}

fn run_hikiwake(nodes: u64) {
    let game = Watched::new(nodes);
    for root in starts() {
        for bytes in BYTES {
            hikiwake_pds(&game, &root, Unit, bytes, &mut game.budget());
            for goal in Colour::ALL.map(Goal::win) {
                let mut search = Pds::new(&game, goal, Unit, bytes);
                hikiwake_pds_search(&mut search, &root, &mut game.budget());
            }
        }
    }
}

fn run_solvers(nodes: u64) {
    let game = Watched::new(nodes);
    for root in starts() {
        for hash_bytes in BYTES {
            for algorithm in [Algorithm::DfPn, Algorithm::Pds] {
                let options =
                    Options { algorithm, hash_bytes, small_game: 0, ..Options::default() };
                solve_within(&game, &root, &options, &mut game.budget());
            }
        }
    }
}

#[test]
fn pds_returns_within_its_node_budget() {
    run_pds(NODES_BY_DAY);
}

#[test]
fn df_pn_returns_however_it_treats_the_history() {
    run_df_pn(NODES_BY_DAY);
}

#[test]
fn hikiwake_returns_within_its_node_budget() {
    run_hikiwake(NODES_BY_DAY);
}

#[test]
fn a_solver_returns_within_its_node_budget() {
    run_solvers(NODES_BY_DAY);
}

/// The same with more nodes.
mod at_length {
    use super::*;

    #[test]
    #[ignore = "long, see docs/contributing.md"]
    fn pds_returns_within_its_node_budget() {
        run_pds(NODES);
    }

    #[test]
    #[ignore = "long, see docs/contributing.md"]
    fn df_pn_returns_however_it_treats_the_history() {
        run_df_pn(NODES);
    }

    #[test]
    #[ignore = "long, see docs/contributing.md"]
    fn hikiwake_returns_within_its_node_budget() {
        run_hikiwake(NODES);
    }

    #[test]
    #[ignore = "long, see docs/contributing.md"]
    fn a_solver_returns_within_its_node_budget() {
        run_solvers(NODES);
    }
}

thread_local! {
    /// Moves that a mate search may still play: its rules are types, and have no place for a count.
    static LEFT: Cell<u64> = const { Cell::new(0) };
}

/// The pieces and the board of a variant, with rules that panic where a search goes on for too long.
macro_rules! watched {
    ($name:ident, $variant:ty, $board:ty) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        struct $name;

        impl RuleTable for $name {
            type Geometry = $board;
            const KINDS: &'static [KindSpec] = <$variant>::KINDS;
            const ZONE: u8 = <$variant>::ZONE;

            fn is_over(_: &Placement<Self>) -> bool {
                let left = LEFT.get();
                assert!(left > 0, "a loop that spends nothing");
                LEFT.set(left - 1);
                false
            }
        }

        impl Rules for $name {
            const NAME: &'static str = <$variant>::NAME;
            const START: &'static str = <$variant>::START;
        }
    };
}

watched!(WatchedMinishogi, Minishogi, Board5x5);
watched!(WatchedShogi, Shogi, Board9x9);

/// Searches for mates, which take millions of nodes, and for what mates beside their lines.
fn run_mate<R: Rules>(sfen: &str) {
    let root = parse_problem::<R>(sfen).unwrap();
    for hash_bytes in BYTES {
        for shortest in [false, true] {
            let mut solver = mate::MateSolver::<R>::new(mate::Options { hash_bytes, shortest });
            LEFT.set(NODES * MOVES_A_NODE);
            let answer = solver.solve(&root, &mut Budget::nodes(NODES));
            assert!(answer.nodes >= NODES || answer.status == Status::Mate, "too tame");
            assert!(answer.nodes < NODES + 10_000, "{}", answer.nodes);
            LEFT.set(NODES * MOVES_A_NODE);
            solver.alternatives(&root, &answer, &mut Budget::nodes(NODES));
        }
    }
}

#[test]
fn the_mate_search_returns_within_its_budget() {
    run_mate::<WatchedMinishogi>("2k2/5/5/5/2K2 b RBGSPrbgsp 1");
    run_mate::<WatchedMinishogi>("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1");
    // Mates in 13 plies and in 611.
    run_mate::<WatchedShogi>("4RB1k1/5s3/7n1/5s1LP/9/7r1/9/9/6K2 b b4g2s3n3l17p 1");
    run_mate::<WatchedShogi>(
        "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1",
    );
}
