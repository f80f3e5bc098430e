//! The walk of [`PairRanking`](crate::pair_ranking::PairRanking): boards around two kings with
//! given checkers and no other check.
//!
//! The checkers are put first, then the rest of the board is filled by a walk that allows no
//! further check on either king. What a class demands beyond that is a *plan*: squares that stay
//! empty between checker and king, a second slider behind the checker or none, and ways by which
//! the checker can have come that must be free, or must not be. As soon as a plan demands nothing
//! more, the walk continues as without it, so that plans share most of their future.

use std::iter;

use rustc_hash::FxHashMap;
use shogi_core::{Colour, Direction, Face, Piece};

use crate::checks::{Checker, Checks, FindWays, Way, Ways};
use crate::king_view::{KingView, Rays, Wanted};
use crate::pawn_files::PawnFiles;
use crate::table::{Squares, Table, has, members, one};
use crate::trellis::{Filling, Walk};

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
pub(crate) struct CheckWalkState {
    /// The number of the plan; 0 is the one that demands nothing.
    plan: u16,
    /// What Sente's king sees, what Gote's does.
    rays: [Rays; 2],
    pawns: PawnFiles,
    /// The ways on which nothing has been put so far.
    ways: u32,
    /// Whether the way demanded was found.
    is_found: bool,
}

/// The walk around a pair of kings.
pub(crate) struct CheckWalk {
    table: &'static Table,
    find_ways: FindWays,
    kings: [u8; 2],
    /// All but the kings' squares, file by file from the top.
    squares: Vec<u8>,
    /// By layer, the squares that are filled after it.
    later: Vec<Squares>,
    /// Of Sente's king and of Gote's.
    views: [KingView; 2],
    list: Vec<Plan>,
    numbers: FxHashMap<Plan, u16>,
}

/// A class with one set of checkers, and where the walk starts.
pub(crate) struct Demanded {
    pub(crate) class: Checks,
    pub(crate) checkers: Vec<Checker>,
    pub(crate) start: CheckWalkState,
}

impl CheckWalk {
    pub(crate) fn new(table: &'static Table, find_ways: FindWays, kings: [u8; 2]) -> Self {
        let mut rest = table.all_squares() & !one(kings[0]) & !one(kings[1]);
        let squares: Vec<u8> = members(rest).collect();
        let view = |own: usize| KingView::new(table, kings[own], !Colour::ALL[own], &squares);
        let views = [view(0), view(1)];
        let mut later = Vec::new();
        for &square in &squares {
            rest &= !one(square);
            later.push(rest);
        }
        let (list, numbers) = (Vec::new(), FxHashMap::default());
        let mut walk = Self { table, find_ways, kings, squares, later, views, list, numbers };
        walk.number(Plan::nothing());
        walk
    }

    fn number(&mut self, plan: Plan) -> u16 {
        *self.numbers.entry(plan).or_insert_with_key(|plan| {
            self.list.push(plan.clone());
            self.list.len() as u16 - 1
        })
    }

    fn start(&mut self, plan: Plan) -> CheckWalkState {
        let ways = ((1u64 << plan.ways.len()) - 1) as u32;
        let plan = self.number(plan);
        CheckWalkState { plan, rays: [0; 2], pawns: PawnFiles::default(), ways, is_found: false }
    }

    /// Every class with every set of checkers.
    pub(crate) fn all(&mut self) -> Vec<Demanded> {
        let checkers = self.checkers();
        let start = self.start(Plan::nothing());
        let mut all = vec![Demanded { class: Checks::None, checkers: Vec::new(), start }];
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
                let start = self.start(plan);
                let class = Checks::one_by(self.table, face, adjacent, backed.is_some(), class);
                all.push(Demanded { class, checkers: vec![checker], start });
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
            let start = self.start(plan);
            all.push(Demanded { class, checkers: vec![a, b], start });
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

impl Walk for CheckWalk {
    type State = CheckWalkState;

    fn square(&self, layer: usize, _: &CheckWalkState) -> Option<u8> {
        self.squares.get(layer).copied()
    }

    fn fill(&self, state: &CheckWalkState, filling: Filling) -> Option<CheckWalkState> {
        let Filling { layer, square, content } = filling;
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
        next.rays[0] = self.views[0].fill(state.rays[0], square, seen[0], |ray| {
            if attack == Some(ray) { Wanted::Attack } else { Wanted::NoAttack }
        })?;
        next.rays[1] = self.views[1].fill(state.rays[1], square, seen[1], |_| Wanted::NoAttack)?;
        next.pawns = state.pawns.with(self.table, content, false)?;
        if has(plan.pawns, square) {
            // One of the checkers, which the walk does not put.
            next.pawns = next.pawns.with_pawn_of(self.table, Colour::Gote, false)?;
        }
        let column = |square| self.table.column(square);
        if self.squares.get(layer + 1).is_none_or(|&s| column(s) != column(square)) {
            next.pawns = PawnFiles::default();
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
        let attacks = self.views.iter().map(|view| view.attacks(square, piece));
        attacks.fold(2 + pawn, |likeness, attack| 4 * likeness + attack)
    }

    fn accepts(&self, state: &CheckWalkState) -> bool {
        state.plan == 0
    }
}
