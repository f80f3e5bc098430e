//! The walk of [`PairRanking`](crate::pair_ranking::PairRanking): boards around two kings with
//! given checkers and no other check.
//!
//! The checkers are put first, then the rest of the board is filled by a walk that allows no further check on
//! either king. The further demands of a class are a [`Plan`]: squares that stay empty between checker and
//! king, whether a piece attacks a king from behind the checker, ways of the checker that must or must not be
//! free, and how many pieces the players have. Each filled square reduces a plan to the remaining demands, so
//! that plans share most of their future; where no demand remains, the walk continues as without a plan.

use rustc_hash::FxHashMap;
use shogi_core::{Colour, Direction, Face, Piece};

use crate::check_plan::{Coming, Plan, Put};
use crate::checks::{CheckContext, Checks, Company, Single, class_of_two};
use crate::king_view::{KingView, Rays, Wanted};
use crate::pawn_files::PawnFiles;
use crate::table::{Squares, Table, has, members, one};
use crate::trellis::{End, Filling, Walk};
use crate::ways::{Checker, FindWays, Outcome, ray_through, ways_of_two};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CheckWalkState {
    /// The number of the plan; 0 is the one that demands nothing.
    plan: u32,
    /// The rays of Sente's king and of Gote's.
    rays: [Rays; 2],
    pawns: PawnFiles,
    end: End,
    /// Sente's pieces and Gote's.
    coming: [Coming; 2],
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
    /// Those of them on the same file where Sente's pawns may stand, and Gote's.
    pawn_squares: Vec<[Squares; 2]>,
    /// Of Sente's king and of Gote's.
    views: [KingView; 2],
    list: Vec<Plan>,
    numbers: FxHashMap<Plan, u32>,
    /// The result of filling a square, if it meets the demands: the next plan, and how the remaining pieces
    /// must be shared if that is known by then.
    following: FxHashMap<Demand, Option<(u32, Option<End>)>>,
}

/// A plan by number, the layer of the square that is filled, and the relevant part of its content.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Demand {
    plan: u32,
    layer: u8,
    put: Put,
    /// The rays on which the piece that attacks has stood.
    seen: [Rays; 2],
}

/// A class with one set of checkers, and where the walk starts.
pub(crate) struct Demanded {
    pub(crate) class: Checks,
    pub(crate) checkers: Vec<Checker>,
    pub(crate) start: CheckWalkState,
    /// 1, or -1 for what is to be subtracted.
    pub(crate) sign: i8,
}

/// How many pieces give a king its company, as a sum of demands with their signs.
pub(crate) type Companies = fn(Company) -> &'static [(Coming, i8)];

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
        let pawn_squares = squares.iter().zip(&later).map(|(&square, later)| {
            let on_file = later & table.file_of(square);
            Colour::ALL.map(|colour| on_file & table.pawn_squares(colour))
        });
        let pawn_squares = pawn_squares.collect();
        let (list, numbers) = (Vec::new(), FxHashMap::default());
        let following = FxHashMap::default();
        let mut walk = Self {
            table,
            find_ways,
            kings,
            squares,
            later,
            pawn_squares,
            views,
            list,
            numbers,
            following,
        };
        walk.number(Plan::nothing());
        walk
    }

    fn number(&mut self, plan: Plan) -> u32 {
        *self.numbers.entry(plan).or_insert_with_key(|plan| {
            self.list.push(plan.clone());
            self.list.len() as u32 - 1
        })
    }

    /// Adds a class with a set of checkers to the list, if there is room for every attacker.
    fn add(
        &mut self,
        (class, checkers): (Checks, &[Checker]),
        plan: Plan,
        (coming, sign): ([Coming; 2], i8),
        all: &mut Vec<Demanded>,
    ) {
        if (0..2).all(|view| self.has_room(&plan, view)) {
            let (plan, pawns) = (self.number(plan), PawnFiles::default());
            let start = CheckWalkState { plan, rays: [0; 2], pawns, end: End::Any, coming };
            all.push(Demanded { class, checkers: checkers.to_vec(), start, sign });
        }
    }

    /// Whether there are squares behind the checkers from which pieces can attack a king as demanded.
    fn has_room(&self, plan: &Plan, view: usize) -> bool {
        let [king, other] = [self.kings[view], self.kings[1 - view]];
        let rays = Direction::ALL.into_iter().filter(|&ray| plan.attacked[view] & bit(ray) != 0);
        rays.map(|ray| self.table.ray_attacks(ray, king, one(other))).all(|ray| {
            members(ray & !plan.empty & !plan.checkers).any(|square| {
                self.table.between(king, square) & plan.transparent[view] != 0
                    && self.views[view].has_slides(square)
            })
        })
    }

    /// The plan after filling a square in this way, and how the remaining pieces must be shared if that is
    /// known by then.
    fn follow(&mut self, demand: Demand) -> Option<(u32, Option<End>)> {
        if let Some(&known) = self.following.get(&demand) {
            return known;
        }
        let Demand { plan, layer, put, seen } = demand;
        let (plan, layer) = (&self.list[plan as usize], usize::from(layer));
        let later = self.later[layer];
        let attacked = [0, 1].map(|view| {
            let rays = plan.attacked[view] & !seen[view];
            let has_squares =
                |ray: &Direction| self.table.ray_attacks(*ray, self.kings[view], 0) & later != 0;
            let rays = Direction::ALL.into_iter().filter(|&ray| rays & bit(ray) != 0);
            rays.filter(has_squares).fold(0, |rays, ray| rays | bit(ray))
        });
        let after = plan.after(self.squares[layer], put, later, attacked);
        let after = after.map(|(plan, end)| (self.number(plan), end));
        self.following.insert(demand, after);
        after
    }

    /// Every class with every set of checkers.
    pub(crate) fn all(&mut self, companies: Companies) -> Vec<Demanded> {
        let checkers = self.checkers();
        let mut all = Vec::new();
        for waiting in Company::ALL {
            for mover in Company::ALL {
                let class = Checks::Quiet { mover, waiting };
                let [waiting, mover] = [waiting, mover].map(companies);
                for (a, b) in waiting.iter().flat_map(|a| mover.iter().map(move |b| (a, b))) {
                    let coming = ([a.0, b.0], a.1 * b.1);
                    self.add((class, &[]), Plan::nothing(), coming, &mut all);
                }
            }
        }
        for &checker in &checkers {
            self.add_single(checker, companies, &mut all);
        }
        for (i, &a) in checkers.iter().enumerate() {
            for &b in &checkers[..i] {
                self.add_pair([a, b], &mut all);
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

    fn add_single(&mut self, checker: Checker, companies: Companies, all: &mut Vec<Demanded>) {
        let ray = self.sliding_ray(0, checker.0);
        for is_backed in [false, true] {
            let single = Single::new(self.table, self.kings, checker, is_backed);
            if is_backed && ray.is_none() {
                continue;
            }
            let mut plan = self.plan(&[checker]);
            plan.empty = single.gap();
            plan.transparent[0] = one(checker.0);
            plan.attacked[0] = ray.filter(|_| is_backed).map_or(0, bit);
            let ways = single.ways(self.find_ways);
            let any = CheckContext { shields: false, waiting: Company::Several };
            let mut classes: Vec<Checks> =
                Outcome::ALL.iter().map(|&outcome| single.class(outcome, any)).collect();
            classes.dedup();
            for class in classes {
                if class == Checks::Excluded {
                    continue;
                }
                let is_wanted = |outcome: &Outcome| single.class(*outcome, any) == class;
                let outcomes = Outcome::ALL.into_iter().filter(is_wanted);
                let Some(plan) = plan.clone().with_ways(ways.clone(), outcomes) else { continue };
                match class {
                    Checks::One(check) if check.context.is_some() => {
                        self.add_contexts(&single, &plan, companies, all);
                    }
                    _ => self.add((class, &[checker]), plan, ANY, all),
                }
            }
        }
    }

    /// Adds a single check once for each context.
    fn add_contexts(
        &mut self,
        single: &Single,
        plan: &Plan,
        companies: Companies,
        all: &mut Vec<Demanded>,
    ) {
        let checker = single.checker;
        let shield = self.sliding_ray(1, checker.0).filter(|_| single.is_before_own_king());
        for shields in [false, true] {
            let mut plan = plan.clone();
            if let Some(ray) = shield {
                plan.transparent[1] = one(checker.0);
                if shields {
                    plan.attacked[1] = bit(ray);
                    plan.empty |= self.table.between(self.kings[1], checker.0);
                }
            } else if shields {
                continue;
            }
            for waiting in Company::ALL {
                let class = single.class(Outcome::Quiet, CheckContext { shields, waiting });
                for &(coming, sign) in companies(waiting) {
                    let coming = ([coming, Coming::ANY], sign);
                    self.add((class, &[checker]), plan.clone(), coming, all);
                }
            }
        }
    }

    fn add_pair(&mut self, pair: [Checker; 2], all: &mut Vec<Demanded>) {
        let [king, _] = self.kings;
        let [a, b] = pair;
        let gaps = pair.map(|(square, _)| self.table.between(king, square));
        let on_one_line = a.0 == b.0 || has(gaps[0], b.0) || has(gaps[1], a.0);
        if on_one_line || a.1.kind == b.1.kind && self.table.count(a.1.kind) < 2 {
            return;
        }
        if ways_of_two(self.table, self.find_ways, self.kings, pair, [false; 2]).is_empty() {
            return;
        }
        let rays = pair.map(|(square, _)| self.sliding_ray(0, square));
        for backed in [[false, false], [false, true], [true, false], [true, true]] {
            if (0..2).any(|i| backed[i] && rays[i].is_none()) {
                continue;
            }
            let mut plan = self.plan(&pair);
            plan.empty = gaps[0] | gaps[1];
            plan.transparent[0] = one(a.0) | one(b.0);
            for (ray, _) in rays.iter().zip(backed).filter(|(_, is_backed)| *is_backed) {
                plan.attacked[0] |= ray.map_or(0, bit);
            }
            let ways = ways_of_two(self.table, self.find_ways, self.kings, pair, backed);
            let class_of = |outcome| class_of_two(self.table, king, pair, outcome);
            let mut classes: Vec<Checks> = Outcome::ALL.map(class_of).to_vec();
            classes.dedup();
            for class in classes.into_iter().filter(|class| *class != Checks::Excluded) {
                let outcomes = Outcome::ALL.into_iter().filter(|&o| class_of(o) == class);
                let Some(plan) = plan.clone().with_ways(ways.clone(), outcomes) else { continue };
                self.add((class, &pair), plan, ANY, all);
            }
        }
    }

    /// The ray from Sente's king (0) or Gote's (1) through a square, if a piece can attack along it.
    fn sliding_ray(&self, view: usize, square: u8) -> Option<Direction> {
        let ray = ray_through(self.table, self.kings[view], square);
        ray.filter(|&ray| self.views[view].is_sliding(ray))
    }

    /// The plan that demands nothing except these checks.
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

/// Any number of pieces.
const ANY: ([Coming; 2], i8) = ([Coming::ANY; 2], 1);

/// The rays whose squares are filled outwards.
const OUTWARDS: Rays = {
    let (mut rays, mut i) = (0, 0);
    while i < Direction::ALL.len() {
        let ray = Direction::ALL[i];
        if ray.ascends() {
            rays |= 1 << ray as u8;
        }
        i += 1;
    }
    rays
};

/// A ray as a bit of [`Rays`].
fn bit(ray: Direction) -> Rays {
    1 << ray as u8
}

impl Walk for CheckWalk {
    type State = CheckWalkState;

    fn square(&self, layer: usize, _: &CheckWalkState) -> Option<u8> {
        self.squares.get(layer).copied()
    }

    fn fill(&mut self, state: &CheckWalkState, filling: Filling) -> Option<CheckWalkState> {
        let Filling { layer, square, content } = filling;
        let plan = &self.list[state.plan as usize];
        let is_checker = has(plan.checkers, square);
        let mut next = *state;
        if let Some(piece) = content {
            if is_checker || has(plan.empty, square) {
                return None;
            }
            let coming = &mut next.coming[piece.colour.index()];
            *coming = coming.after_one()?;
        }
        for (view, colour) in Colour::ALL.into_iter().enumerate() {
            // Any piece of a king's own side stands for a checker that only blocks.
            let own = Some(Piece { face: Face::front(self.table.royal), colour });
            let hides = is_checker && !has(plan.transparent[view], square);
            let seen = if hides { own } else { content };
            let wanted = |ray: u8| match plan.attacked[view] >> ray & 1 {
                1 => Wanted::Attack,
                _ => Wanted::NoAttack,
            };
            next.rays[view] = self.views[view].fill(state.rays[view], square, seen, wanted)?;
        }
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
            let is_pawn =
                |piece: Piece| piece.colour == Colour::Gote && self.table.is_pawn(piece.face);
            let put = match content {
                // Only ways depend on the piece that is put.
                _ if !plan.has_ways() => Put::Nothing,
                None => Put::Nothing,
                Some(piece) if is_pawn(piece) => Put::Pawn,
                Some(_) => Put::Other,
            };
            // Outwards, the piece behind has been found when one has stood.
            let seen = [0, 1].map(|view| plan.attacked[view] & next.rays[view] & OUTWARDS);
            let (plan, end) =
                self.follow(Demand { plan: state.plan, layer: layer as u8, put, seen })?;
            (next.plan, next.end) = (plan, end.unwrap_or(state.end));
        }
        Some(next)
    }

    /// Pawns on the file do not matter where their players can have no more on it.
    fn simplified(&self, layers: usize, state: &CheckWalkState) -> CheckWalkState {
        let plan = &self.list[state.plan as usize];
        let [sente, gote] = self.pawn_squares[layers - 1];
        let barred = plan.checkers | plan.empty;
        let squares = [sente & !barred, gote & (!barred | plan.pawns)];
        let pawns = state.pawns.without(squares.map(|squares| squares == 0));
        CheckWalkState { pawns, ..*state }
    }

    /// Pieces differ in whose they are, in how they attack the kings from here, and in the nifu of
    /// pawns.
    fn likeness(&self, layer: usize, content: Option<Piece>) -> Option<u8> {
        let Some(piece) = content else { return Some(0) };
        let square = self.squares[layer];
        if piece.face.kind == self.table.royal || self.table.is_dead(piece, square) {
            return None;
        }
        let is_barred_twice = !self.table.allows_nifu && self.table.is_pawn(piece.face);
        let owner = 2 + 2 * piece.colour.index() as u8 + u8::from(is_barred_twice);
        let attacks = self.views.iter().map(|view| view.attacks(square, piece));
        Some(attacks.fold(owner, |likeness, attack| 4 * likeness + attack))
    }

    fn end(&self, state: &CheckWalkState) -> Option<End> {
        let is_met = state.plan == 0 && state.coming.into_iter().all(Coming::may_end);
        is_met.then_some(state.end)
    }
}
