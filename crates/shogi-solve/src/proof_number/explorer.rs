//! The walk through the graph.

use crate::game::{GameGraph, Goal, Parts};
use crate::ghi::{Ghi, PathDependence};
use crate::harvest::Harvest;
use crate::leaf::Leaf;
use crate::order::in_rising_order;
use crate::path::grow;
use crate::plan::reached;
use crate::proof_number::lookup::{INITIAL, INVALIDATED, Lookup};
use crate::proof_number::walk::path_key_below;
use crate::proof_number::{Assessment, ProofNumbers, Sums, Walk};
use crate::search::{Finding, Knowledge};
use crate::table::Entry;
use shogi_mate::Budget;

/// The game of a search for one goal, with the place of the search.
pub(crate) struct Explorer<'g, G: GameGraph> {
    pub(crate) game: &'g G,
    pub(crate) walk: Walk,
    /// The positions on the path, and all their moves.
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
    /// The moves of one position and their targets, during look-ups.
    below: Vec<Below<G>>,
    /// Whether a position without moves and without a verdict was met.
    pub(crate) has_dead_end: bool,
    /// The harvest that collects findings, if any.
    pub(crate) harvest: Option<Harvest<G::Position>>,
}

/// A move, and the position it leads to.
struct Below<G: GameGraph> {
    mv: G::Move,
    parts: Parts,
    key: u64,
    position: G::Position,
}

impl<'g, G: GameGraph> Explorer<'g, G> {
    /// Panics if the system refuses the memory.
    pub(crate) fn new(
        game: &'g G,
        goal: Goal,
        ghi: Ghi,
        sums: Box<dyn Sums>,
        bytes: usize,
    ) -> Self {
        Self {
            game,
            walk: Walk::new::<G::Position, G::Move>(goal, ghi, sums, bytes),
            positions: Vec::new(),
            moves: Vec::new(),
            below: Vec::new(),
            has_dead_end: false,
            harvest: None,
        }
    }

    pub(super) fn look_up(&self, parts: Parts, key: u64) -> Lookup {
        self.walk.memory.look_up(self.game, self.walk.goal, parts, key)
    }

    /// Whether the prover is to move.
    pub(crate) fn is_prover(&self, position: &G::Position) -> bool {
        self.game.side(position) == self.walk.goal.prover
    }

    /// Starts a search of a position: resumes the paused one, or begins a new one with this threshold, as seen
    /// by the prover. Returns the finding if the game is over.
    pub(crate) fn take_up(
        &mut self,
        root: &G::Position,
        threshold: ProofNumbers,
        leaf: &mut impl Leaf<G>,
        budget: &mut Budget,
    ) -> Option<Finding> {
        if let Some(reached) = reached(self.game, self.walk.goal, root) {
            // No move decides it, and no path leads on.
            self.walk.end();
            return Some(if reached { Finding::Proved { plies: 0 } } else { Finding::Disproved });
        }
        let key = self.game.key(root);
        if !self.walk.is_at_work_on(key) {
            self.unwind();
            self.walk.begin(key);
            if let Some(harvest) = &mut self.harvest {
                harvest.begin();
            }
            self.enter(root.clone(), 0, threshold, 1, leaf, budget);
        }
        None
    }

    /// Leaves all positions of a paused search, the root last. Returns the finding about it.
    pub(crate) fn unwind(&mut self) -> Option<Finding> {
        let mut root = None;
        while self.walk.is_at_work() {
            root = Some(self.leave(self.walk.last_numbers()).finding());
        }
        root
    }

    /// The position after the current move of the last position.
    #[inline]
    pub(crate) fn position_below(&self) -> G::Position {
        let depth = self.walk.path.depth();
        let (frame, children) = self.walk.path.last();
        let first = self.walk.path.moves() - children.len();
        self.game.play(&self.positions[depth], self.moves[first + frame.current])
    }

    /// Puts the position after the current move on the path, which must not be full. The threshold is as seen
    /// by the player who makes the move.
    pub(crate) fn enter_below(
        &mut self,
        position: G::Position,
        threshold: ProofNumbers,
        floor: u32,
        leaf: &mut impl Leaf<G>,
        budget: &mut Budget,
    ) {
        let (frame, _) = self.walk.path.last();
        let threshold = threshold.oriented(frame.prover_moves);
        self.enter(position, frame.path_key, threshold, floor, leaf, budget);
    }

    /// Puts a position on the path, below one with this path key, and looks up its moves. The threshold is as
    /// seen by the prover.
    fn enter(
        &mut self,
        position: G::Position,
        above: u64,
        threshold: ProofNumbers,
        floor: u32,
        leaf: &mut impl Leaf<G>,
        budget: &mut Budget,
    ) {
        self.put(position, above, threshold, floor);
        let (frame, _) = self.walk.path.last();
        let (path_key, prover_moves) = (frame.path_key, frame.prover_moves);
        let depth = self.walk.path.depth_below();
        let below = std::mem::take(&mut self.below);
        for below in &below {
            let known = self.assess(below, depth, path_key, leaf).oriented(prover_moves);
            self.walk.path.add(known);
            grow(&mut self.moves);
            self.moves.push(below.mv);
        }
        let nodes = below.len() as u64;
        self.below = below;
        self.walk.count(nodes, budget);
    }

    /// Puts a position on the path and lists its moves, without look-ups.
    fn put(&mut self, position: G::Position, above: u64, threshold: ProofNumbers, floor: u32) {
        let (key, prover_moves) = (self.game.key(&position), self.is_prover(&position));
        self.look_below(&position);
        self.positions.truncate(self.walk.path.len());
        grow(&mut self.positions);
        self.positions.push(position);
        self.moves.truncate(self.walk.path.moves());
        self.walk.enter(key, above, prover_moves, threshold, floor);
        if let Some(harvest) = &mut self.harvest {
            harvest.enter();
        }
    }

    /// Lists the moves of a position: first all keys, then all table look-ups, so that their memory accesses
    /// overlap.
    fn look_below(&mut self, position: &G::Position) {
        let Self { game, walk, below, .. } = self;
        below.clear();
        game.children(position, |mv, position| {
            let (parts, key) = (game.parts(&position), game.key(&position));
            below.push(Below { mv, parts, key, position });
        });
        walk.memory.table.touch(below.iter().map(|below| below.parts.board));
        self.has_dead_end |= self.below.is_empty();
    }

    /// The assessment of a position one move below the path, at this depth, as seen by the prover.
    fn assess(
        &mut self,
        below: &Below<G>,
        depth: u32,
        path_key: u64,
        leaf: &mut impl Leaf<G>,
    ) -> Assessment {
        match self.remembered(below, depth, path_key) {
            Ok(known) => known,
            Err(is_new) => self.initial(below, depth, is_new, leaf),
        }
    }

    /// As [`Explorer::assess`], without a leaf's numbers; for an unknown position, whether the table lacks it.
    #[inline(always)]
    fn remembered(
        &mut self,
        below: &Below<G>,
        depth: u32,
        path_key: u64,
    ) -> Result<Assessment, bool> {
        let &Below { parts, key, ref position, .. } = below;
        if let Some(at) = self.walk.path.depth_of(key) {
            return Ok(Assessment::disproved(PathDependence::Path(at)));
        }
        let lookup = self.look_up(parts, key);
        if let Some(known) = lookup.ended {
            return Ok(known);
        }
        if self.walk.ghi == Ghi::ByPath {
            let board = parts.board ^ path_key_below(path_key, key);
            if let Some(entry) = self.walk.memory.table.find(board, parts.hand) {
                return Ok(Assessment::disproved(PathDependence::Path(entry.length.into())));
            }
        }
        if let Some(entry) = lookup.open {
            let simulates = self.walk.ghi == Ghi::Simulation || entry.flags & INVALIDATED != 0;
            if simulates
                && lookup.was_disproved_once()
                && let Some(dependence) = self.simulate(position, depth)
            {
                return Ok(Assessment::disproved(dependence));
            }
        }
        if let Some(entry) = lookup.open_at(depth) {
            // Met before on a shorter path: a cycle may lead back up here.
            self.walk.raised |= entry.flags & INITIAL == 0 && u32::from(entry.length) < depth;
            return Ok(Assessment::of_entry(entry));
        }
        match reached(self.game, self.walk.goal, position) {
            Some(true) => Ok(Assessment::proved(0)),
            Some(false) => Ok(Assessment::disproved(PathDependence::None)),
            None => Err(lookup.open.is_none()),
        }
    }

    /// The initial numbers of a position after a move from the last one on the path; they are stored if the
    /// table lacks the position.
    fn initial(
        &mut self,
        &Below { mv, parts: Parts { board, hand }, ref position, .. }: &Below<G>,
        depth: u32,
        is_new: bool,
        leaf: &mut impl Leaf<G>,
    ) -> Assessment {
        let above = &self.positions[self.walk.path.depth()];
        let known = match leaf.numbers_below(self.game, self.walk.goal, above, mv, position) {
            (0, _) => Assessment::proved(1),
            (phi, delta) => Assessment::open(ProofNumbers { phi, delta }, depth),
        };
        if is_new && leaf.is_costly() {
            let ProofNumbers { phi: pn, delta: dn } = known.numbers;
            let length = if known.numbers.is_final() { known.plies } else { 0 };
            let entry = Entry { board, hand, pn, dn, length, amount: 1, flags: INITIAL };
            self.walk.memory.table.store(entry);
        }
        known
    }

    /// The remembered assessment of a position below the last one, as seen by the prover.
    pub(crate) fn recall(&self, position: &G::Position) -> Option<Assessment> {
        let depth = self.walk.path.depth_below();
        let lookup = self.look_up(self.game.parts(position), self.game.key(position));
        lookup.ended.or_else(|| lookup.open_at(depth).map(Assessment::of_entry))
    }

    /// Removes the last position from the path and stores its finding in the table and in the position above.
    /// The numbers are as the player to move sees them, the result as the prover does.
    pub(crate) fn leave(&mut self, numbers: ProofNumbers) -> Assessment {
        let position = &self.positions[self.walk.path.depth()];
        let known = self.walk.leave(self.game.parts(position), numbers);
        if let Some(harvest) = &mut self.harvest {
            harvest.leave(self.game.key(position), position, known.numbers);
        }
        known
    }

    /// The move that decides the root: the shortest proof, or the disproof that depends on least.
    pub(crate) fn decisive_move(&self) -> Option<G::Move> {
        let index = self.walk.decisive_move()?;
        Some(self.moves[index])
    }

    /// The moves of a position ranked by the table, the most promising for the player to move first.
    pub(crate) fn ranked_moves(&self, position: &G::Position) -> Vec<G::Move> {
        let prover_moves = self.is_prover(position);
        let (mut moves, mut ranks) = (Vec::new(), Vec::new());
        self.game.moves(position, &mut moves);
        for &mv in &moves {
            let child = self.game.play(position, mv);
            let lookup = self.look_up(self.game.parts(&child), self.game.key(&child));
            ranks.push(lookup.rank(prover_moves));
        }
        let mut ranked = Vec::with_capacity(moves.len());
        for index in in_rising_order(&ranks) {
            ranked.push(moves[index]);
        }
        ranked
    }

    /// Prefetches the table entries of these positions.
    pub(crate) fn prefetch(&self, positions: &[G::Position]) {
        let mut boards = Vec::with_capacity(positions.len());
        for position in positions {
            boards.push(self.game.parts(position).board);
        }
        self.walk.memory.table.touch(boards.into_iter());
    }

    /// The knowledge of a position in which the game is not over.
    pub(crate) fn knowledge(&self, position: &G::Position) -> Knowledge {
        self.look_up(self.game.parts(position), self.game.key(position)).knowledge()
    }
}

/// The common part of [`Search`](crate::Search) for searches with an `explorer`.
macro_rules! search_by_explorer {
    () => {
        fn game(&self) -> &G {
            self.explorer.game
        }

        fn goal(&self) -> Goal {
            self.explorer.walk.goal
        }

        fn unwind(&mut self) -> Option<Finding> {
            self.explorer.unwind()
        }

        fn moves_on_path(&self) -> usize {
            self.explorer.walk.moves_on_path()
        }

        fn decisive_move(&self) -> Option<G::Move> {
            self.explorer.decisive_move()
        }

        fn prefetch(&self, positions: &[G::Position]) {
            self.explorer.prefetch(positions);
        }

        fn knowledge(&self, position: &G::Position) -> Knowledge {
            self.explorer.knowledge(position)
        }

        fn set_final(&mut self, position: &G::Position, value: FinalValue) {
            let key = self.explorer.game.key(position);
            self.explorer.walk.memory.set_final(key, value);
        }

        fn forget(&mut self) {
            // The search that is at work, too.
            self.explorer.walk.end();
            self.explorer.walk.memory.forget();
        }

        fn spare_bytes(&self) -> usize {
            self.explorer.walk.memory.spare_bytes()
        }
    };
}

pub(crate) use search_by_explorer;
