//! All placements around one pair of kings, by the class of their checks.
//!
//! The checkers are put first, then the rest of the board is filled by a walk that allows no
//! further check on either king. What a class demands beyond that is a *plan*: squares that stay
//! empty between checker and king, a second slider behind the checker or none, and ways by which
//! the checker can have come that must be free, or must not be. As soon as nothing of a plan is
//! left to be seen to, the walk goes on as without it, so that plans share most of their future.

use std::iter;

use rustc_hash::FxHashMap;
use shogi_core::{Colour, Direction, Face, Piece, Placement, RuleTable, Square};

use crate::board::{Board, WordOf};
use crate::checks::{Checker, Checks, FindWays, Way, Ways};
use crate::constants::Constants;
use crate::king_legal::with_pawn;
use crate::table::{Squares, Table, has, members, one};
use crate::trellis::{Trellis, Walk};
use crate::watch::{Rays, Wanted, Watch};

/// The numbered placements around a pair of kings.
#[derive(Debug)]
pub(crate) struct Around {
    kings: [u8; 2],
    trellis: Trellis,
    /// Ordered by class.
    roots: Vec<Root>,
}

/// The placements with certain checkers and a certain plan.
#[derive(Debug)]
struct Root {
    class: Checks,
    checkers: Vec<Checker>,
    node: u32,
    stock: u16,
    /// The first number within the class.
    start: u64,
}

impl Around {
    /// Makes the tables for kings on these squares, Sente's first; some 12 MB for Minishogi.
    pub(crate) fn new(table: &'static Table, find_ways: FindWays, kings: [u8; 2]) -> Self {
        let mut plans = Plans::new(table, find_ways, kings);
        let mut demands = plans.all();
        demands.sort_by_key(|(class, ..)| *class);
        let states: Vec<_> = demands.iter().map(|&(.., state)| state).collect();
        let (trellis, nodes) = Trellis::new(table, &plans, &states);
        let mut roots: Vec<Root> = Vec::new();
        let mut start = 0;
        for ((class, checkers, _), node) in demands.into_iter().zip(nodes) {
            if roots.last().is_none_or(|last| last.class != class) {
                start = 0;
            }
            let stock = trellis.without(checkers.iter().map(|(_, face)| face.kind));
            let ways = trellis.ways(node, stock);
            if ways > 0 {
                roots.push(Root { class, checkers, node, stock, start });
                start += ways;
            }
        }
        Self { kings, trellis, roots }
    }

    /// The number of placements in each class that has any.
    pub(crate) fn sizes(&self) -> Vec<(Checks, u64)> {
        let mut sizes = Vec::new();
        for roots in self.roots.chunk_by(|a, b| a.class == b.class) {
            let last = &roots[roots.len() - 1];
            sizes.push((last.class, last.start + self.trellis.ways(last.node, last.stock)));
        }
        sizes
    }

    fn of_class(&self, class: Checks) -> &[Root] {
        let start = self.roots.partition_point(|root| root.class < class);
        let end = self.roots.partition_point(|root| root.class <= class);
        &self.roots[start..end]
    }

    /// Where member number `rank` of a class begins.
    fn root(&self, class: Checks, rank: u64) -> Option<&Root> {
        let roots = self.of_class(class);
        roots[..roots.partition_point(|root| root.start <= rank)].last()
    }

    /// Member number `rank` of a class, which must be less than its size.
    pub(crate) fn unrank<R: RuleTable>(&self, class: Checks, rank: u64) -> Placement<R> {
        let mut board = Board::<WordOf<R>>::EMPTY;
        let royal = Constants::<R>::ROYAL.index() as u8;
        for (king, owner) in self.kings.into_iter().zip(0..) {
            board.put(king, royal, owner);
        }
        if let Some(root) = self.root(class, rank) {
            for &(square, face) in &root.checkers {
                board.put_piece(square, Piece { face, colour: Colour::Gote });
            }
            self.trellis.unrank(root.node, root.stock, rank - root.start, &mut board);
        }
        board.placement()
    }

    /// The number of a placement in its class, `None` if it is not around these kings or not a
    /// member of any.
    pub(crate) fn rank<R: RuleTable>(
        &self,
        class: Checks,
        placement: &Placement<R>,
    ) -> Option<u64> {
        let king = Square::from_index(usize::from(self.kings[0]))?;
        let mut checkers = Vec::new();
        // The walk takes the squares of checkers for empty.
        let mut rest = *placement;
        for square in placement.attackers(king, Colour::Gote, placement.occupied()) {
            checkers.extend(rest.lift(square).map(|piece| (square.index() as u8, piece.face)));
        }
        let is_its = |root: &&Root| {
            root.checkers.len() == checkers.len()
                && root.checkers.iter().all(|checker| checkers.contains(checker))
        };
        let root = self.of_class(class).iter().find(is_its)?;
        Some(root.start + self.trellis.rank(root.node, root.stock, &rest)?)
    }
}

/// What a class demands besides its checkers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Plan {
    checkers: Squares,
    /// Those of them that are unpromoted pawns, which count for nifu.
    pawns: Squares,
    /// Whether Sente's king looks through the checkers to what is behind.
    transparent: bool,
    empty: Squares,
    /// The ray on which a second piece must attack behind the checker.
    backed: Option<Direction>,
    /// The squares of ways, and whether each is sure.
    ways: Vec<(Squares, bool)>,
    demand: Demand,
}

/// What is demanded of the ways by which the checker can have come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Demand {
    Nothing,
    /// A sure one is free.
    Sure,
    /// No sure one is free, but another.
    Unsure,
    /// No sure one is free.
    NoneSure,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    /// The number of the plan; 0 is the one that demands nothing.
    plan: u16,
    /// What Sente's king sees, what Gote's does.
    rays: [Rays; 2],
    pawns: u8,
    /// The ways on which nothing has been put so far.
    ways: u32,
    /// Whether the way demanded was found.
    is_found: bool,
}

/// The walk around a pair of kings.
struct Plans {
    table: &'static Table,
    find_ways: FindWays,
    kings: [u8; 2],
    /// All but the kings' squares, file by file from the top.
    squares: Vec<u8>,
    /// By layer, the squares that are filled after it.
    later: Vec<Squares>,
    /// Of Sente's king and of Gote's.
    watches: [Watch; 2],
    list: Vec<Plan>,
    numbers: FxHashMap<Plan, u16>,
}

type Demanded = (Checks, Vec<Checker>, State);

impl Plans {
    fn new(table: &'static Table, find_ways: FindWays, kings: [u8; 2]) -> Self {
        let mut rest = table.all_squares() & !one(kings[0]) & !one(kings[1]);
        let squares: Vec<u8> = members(rest).collect();
        let watch = |own: usize| Watch::new(table, kings[own], !Colour::ALL[own], &squares);
        let watches = [watch(0), watch(1)];
        let mut later = Vec::new();
        for &square in &squares {
            rest &= !one(square);
            later.push(rest);
        }
        let (list, numbers) = (Vec::new(), FxHashMap::default());
        let mut plans = Self { table, find_ways, kings, squares, later, watches, list, numbers };
        plans.number(Plan::nothing());
        plans
    }

    fn number(&mut self, plan: Plan) -> u16 {
        *self.numbers.entry(plan).or_insert_with_key(|plan| {
            self.list.push(plan.clone());
            self.list.len() as u16 - 1
        })
    }

    fn start(&mut self, plan: Plan) -> State {
        let ways = ((1u64 << plan.ways.len()) - 1) as u32;
        State { plan: self.number(plan), rays: [0; 2], pawns: 0, ways, is_found: false }
    }

    /// Every class with every set of checkers: where to begin.
    fn all(&mut self) -> Vec<Demanded> {
        let checkers = self.checkers();
        let quiet = self.start(Plan::nothing());
        let mut all = vec![(Checks::None, Vec::new(), quiet)];
        for &checker in &checkers {
            self.add_single(checker, &mut all);
        }
        for (i, &a) in checkers.iter().enumerate() {
            for &b in &checkers[..i] {
                self.add_pair(a, b, &mut all);
            }
        }
        all
    }

    /// Every piece of Gote's that gives check if nothing stands between.
    fn checkers(&self) -> Vec<Checker> {
        let [king, other] = self.kings;
        let mut checkers = Vec::new();
        for (face, movement) in self.table.faces().filter(|(face, _)| face.kind != self.table.royal)
        {
            let steps = self.table.step_attacks(movement.step, Colour::Sente, king);
            let slides = self.table.slide_attacks(movement.slide, Colour::Sente, king, one(other));
            let piece = Piece { face, colour: Colour::Gote };
            let squares = members((steps | slides) & !one(other));
            let alive = squares.filter(|&square| !self.table.is_dead(piece, square));
            checkers.extend(alive.map(|square| (square, face)));
        }
        checkers
    }

    fn add_single(&mut self, checker: Checker, all: &mut Vec<Demanded>) {
        let (square, face) = checker;
        let [king, _] = self.kings;
        let empty = self.table.between(king, square);
        let adjacent = empty == 0;
        let droppable = self.table.is_droppable(face);
        let ways = if droppable { Vec::new() } else { (self.find_ways)(self.kings, checker, &[]) };
        let demands: &[_] = match (droppable, adjacent) {
            (true, _) => &[(None, Demand::Nothing)],
            (false, true) => {
                &[(Some(Ways::Open), Demand::Sure), (Some(Ways::Doubtful), Demand::Unsure)]
            }
            (false, false) => {
                &[(Some(Ways::Open), Demand::Sure), (Some(Ways::Doubtful), Demand::NoneSure)]
            }
        };
        let ray = Direction::ALL
            .into_iter()
            .find(|&ray| has(self.table.ray_attacks(ray, king, 0), square));
        for &(class, demand) in demands {
            for backed in iter::once(None).chain(ray.map(Some)) {
                let plan = Plan {
                    transparent: true,
                    empty,
                    backed,
                    ways: minimal(&ways, demand),
                    demand,
                    ..self.plan(&[checker])
                };
                let state = self.start(plan);
                let class = Checks::one_by(self.table, face, adjacent, backed.is_some(), class);
                all.push((class, vec![checker], state));
            }
        }
    }

    fn add_pair(&mut self, a: Checker, b: Checker, all: &mut Vec<Demanded>) {
        let [king, _] = self.kings;
        let (before_a, before_b) = (self.table.between(king, a.0), self.table.between(king, b.0));
        let on_one_line = a.0 == b.0 || has(before_a, b.0) || has(before_b, a.0);
        if on_one_line || a.1.kind == b.1.kind && self.table.count(a.1.kind) < 2 {
            return;
        }
        let class = Checks::two(self.table, self.find_ways, self.kings, a, b);
        if class != Checks::Excluded {
            let plan = Plan { empty: before_a | before_b, ..self.plan(&[a, b]) };
            let state = self.start(plan);
            all.push((class, vec![a, b], state));
        }
    }
    /// No demand but that these give check.
    fn plan(&self, checkers: &[Checker]) -> Plan {
        let mut plan = Plan::nothing();
        for &(square, face) in checkers {
            plan.checkers |= one(square);
            if self.table.is_pawn(face) {
                plan.pawns |= one(square);
            }
        }
        plan
    }
}

/// The ways that matter to a demand: where one way is free whenever another is, and no surer, it
/// need not be looked at.
fn minimal(ways: &[Way], demand: Demand) -> Vec<(Squares, bool)> {
    let matters = |way: &&Way| way.is_sure || demand == Demand::Unsure;
    let key = |(squares, is_sure): &(Squares, bool)| (!is_sure, squares.count_ones());
    let mut all = Vec::new();
    for way in ways.iter().filter(matters) {
        let way = (way.squares, way.is_sure);
        let place = all.partition_point(|before| key(before) <= key(&way));
        all.insert(place, way);
    }
    let mut kept: Vec<(Squares, bool)> = Vec::new();
    for (squares, is_sure) in all {
        // Sure ones come first, and fewer squares before more.
        if !kept.iter().any(|(fewer, _)| fewer & !squares == 0) {
            kept.push((squares, is_sure));
        }
    }
    kept
}

impl Plan {
    fn nothing() -> Self {
        Self {
            checkers: 0,
            pawns: 0,
            transparent: false,
            empty: 0,
            backed: None,
            ways: Vec::new(),
            demand: Demand::Nothing,
        }
    }

    /// What is left of the ways after filling a square, and whether the one demanded was found;
    /// `None` where the demand can no longer be met.
    fn with_filled(
        &self,
        mut ways: u32,
        mut is_found: bool,
        square: u8,
        is_filled: bool,
        later: Squares,
    ) -> Option<(u32, bool)> {
        for (i, &(squares, is_sure)) in self.ways.iter().enumerate() {
            let bit = 1 << i;
            if ways & bit == 0 {
                continue;
            }
            if is_filled && has(squares, square) {
                ways &= !bit;
            } else if squares & later == 0 {
                ways &= !bit;
                match (self.demand, is_sure) {
                    (Demand::Sure, _) | (Demand::Unsure, false) => is_found = true,
                    (Demand::Unsure | Demand::NoneSure, true) => return None,
                    (Demand::Nothing, _) | (Demand::NoneSure, false) => {}
                }
            }
        }
        let hopes = match self.demand {
            Demand::Nothing | Demand::NoneSure => return Some((ways, false)),
            Demand::Sure => self.of_sureness(true),
            Demand::Unsure => self.of_sureness(false),
        };
        if is_found {
            Some((ways & !hopes, true))
        } else {
            (ways & hopes != 0).then_some((ways, false))
        }
    }

    fn of_sureness(&self, sure: bool) -> u32 {
        let all = self.ways.iter().zip(0..).filter(|((_, is_sure), _)| *is_sure == sure);
        all.fold(0, |bits, (_, i)| bits | 1 << i)
    }
}

impl Walk for Plans {
    type State = State;

    fn square(&self, layer: usize, _: &State) -> Option<u8> {
        self.squares.get(layer).copied()
    }

    fn fill(
        &self,
        layer: usize,
        state: &State,
        square: u8,
        content: Option<Piece>,
    ) -> Option<State> {
        let (plan, later) = (&self.list[usize::from(state.plan)], self.later[layer]);
        let is_checker = has(plan.checkers, square);
        if let Some(piece) = content {
            let is_barred = is_checker || has(plan.empty, square);
            let royal = piece.face.kind == self.table.royal;
            if is_barred || royal || self.table.is_dead(piece, square) {
                return None;
            }
        }
        // Any piece of a king's own side stands for a checker that only blocks.
        let own = |colour| Some(Piece { face: Face::front(self.table.royal), colour });
        let seen = match is_checker {
            false => [content; 2],
            true if plan.transparent => [None, own(Colour::Gote)],
            true => [own(Colour::Sente), own(Colour::Gote)],
        };
        let mut next = *state;
        let attack = plan.backed.map(|ray| ray as u8);
        next.rays[0] = self.watches[0].fill(state.rays[0], square, seen[0], |ray| {
            if attack == Some(ray) { Wanted::Attack } else { Wanted::NoAttack }
        })?;
        next.rays[1] =
            self.watches[1].fill(state.rays[1], square, seen[1], |_| Wanted::NoAttack)?;
        next.pawns = with_pawn(self.table, state.pawns, content, 0)?;
        if has(plan.pawns, square) && !self.table.allows_nifu {
            let bit = 1 << Colour::Gote.index();
            if next.pawns & bit != 0 {
                return None;
            }
            next.pawns |= bit;
        }
        let column = |square| self.table.column(square);
        if self.squares.get(layer + 1).is_none_or(|&s| column(s) != column(square)) {
            next.pawns = 0;
        }
        if state.plan != 0 {
            let is_filled = content.is_some();
            (next.ways, next.is_found) =
                plan.with_filled(state.ways, state.is_found, square, is_filled, later)?;
            let is_backed = plan.backed.is_none_or(|ray| {
                // Outwards, the piece behind has been found when one has stood.
                let is_seen = ray.ascends() && next.rays[0] >> ray as u8 & 1 == 1;
                is_seen || self.table.ray_attacks(ray, self.kings[0], 0) & later == 0
            });
            if next.ways == 0 && is_backed && (plan.checkers | plan.empty) & later == 0 {
                (next.plan, next.is_found) = (0, false);
            }
        }
        Some(next)
    }

    /// Pieces differ in how they attack the kings from here, and in the nifu of pawns.
    fn likeness(&self, layer: usize, content: Option<Piece>) -> u8 {
        let Some(piece) = content else { return 0 };
        let square = self.squares[layer];
        if piece.face.kind == self.table.royal || self.table.is_dead(piece, square) {
            return 1;
        }
        let is_barred_twice = !self.table.allows_nifu && self.table.is_pawn(piece.face);
        let pawn = if is_barred_twice { 1 + piece.colour.index() as u8 } else { 0 };
        let attacks = self.watches.iter().map(|watch| watch.attacks(square, piece));
        attacks.fold(2 + pawn, |likeness, attack| 4 * likeness + attack)
    }

    fn accepts(&self, state: &State) -> bool {
        state.plan == 0
    }
}
