//! The walk of [`KingLegal`](crate::KingLegal): boards in which Gote's king is not attacked.
//!
//! With Gote's king on its square, the rest of the board is filled file by file, Sente's king being
//! one more piece. Nifu then needs a bit for each player, and Gote's king a bit for each ray.
//!
//! Mirror images are folded thus. With Gote's king on the left half each pair has one member. With
//! Gote's king on the middle file and Sente's off it, Sente's is kept on the left half. With both
//! on the middle file the walk goes by pairs of squares that are mirror images of each other, and
//! knows whether the board is symmetric so far; the first pair of squares that differ must differ
//! in one direction.

use std::cmp::Ordering;

use shogi_core::{Colour, Piece};

use crate::king_view::{KingView, Rays, Wanted};
use crate::pawn_files::PawnFiles;
use crate::table::{Squares, Table, has, set_of};
use crate::trellis::{End, Filling, Walk};

/// In which order the squares are filled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FillOrder {
    /// From file to file, and through each from the top.
    Files,
    /// Square and mirror image in turn, from the edges to the middle file.
    Mirrors,
}

/// Which of two mirror images are walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Images {
    /// One, as the module says.
    One,
    /// Both.
    Both,
}

/// The walk, from one start for each square of Gote's king and order.
pub(crate) struct KingWalk {
    table: &'static Table,
    plans: Vec<FillPlan>,
}

/// How the board is filled around one square of Gote's king.
struct FillPlan {
    king: u8,
    order: FillOrder,
    squares: Vec<u8>,
    /// Where Sente's king may stand.
    admits: Squares,
    view: KingView,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct KingWalkState {
    /// The number of the plan; that of a representative where Gote's king does not matter any more.
    plan: u8,
    /// The view of Gote's king; `None` if no later square can attack it.
    rays: Option<Rays>,
    has_sente_king: bool,
    /// On the file that is being filled, and on its mirror image.
    pawns: PawnFiles,
    symmetry: Symmetry,
}

/// The symmetry of the board so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symmetry {
    /// The board is asymmetric, or its symmetry does not matter.
    Free,
    /// So far each square is like its mirror image.
    Kept,
    /// So far it was, and now the mirror image of what this numbers is to follow, or something
    /// with a higher number.
    Owed(u8),
}

/// A number for what is on a square.
fn number(content: Option<Piece>) -> u8 {
    content.map_or(0, |Piece { face, colour }| {
        1 + 4 * face.kind.index() as u8 + 2 * u8::from(face.promoted) + colour.index() as u8
    })
}

impl KingWalk {
    pub(crate) fn new(table: &'static Table, images: Images) -> Self {
        let is_one = images == Images::One;
        let mut plans = Vec::new();
        for king in table.squares().filter(|&king| !(is_one && table.is_right(king))) {
            let is_folded = is_one && table.is_middle(king);
            let left = |square: &u8| !table.is_middle(*square) && !table.is_right(*square);
            let admits = table.squares().filter(|square| !is_folded || left(square));
            plans.push(FillPlan::new(table, king, FillOrder::Files, set_of(admits)));
            if is_folded {
                let admits = table.squares().filter(|&square| table.is_middle(square));
                plans.push(FillPlan::new(table, king, FillOrder::Mirrors, set_of(admits)));
            }
        }
        Self { table, plans }
    }

    /// For each start the square of Gote's king and the order.
    pub(crate) fn kings(&self) -> impl Iterator<Item = (u8, FillOrder)> {
        self.plans.iter().map(|plan| (plan.king, plan.order))
    }

    /// The starts.
    pub(crate) fn starts(&self) -> Vec<KingWalkState> {
        let start = |(number, plan): (usize, &FillPlan)| KingWalkState {
            plan: number as u8,
            rays: Some(0),
            has_sente_king: false,
            pawns: PawnFiles::default(),
            symmetry: match plan.order {
                FillOrder::Files => Symmetry::Free,
                FillOrder::Mirrors => Symmetry::Kept,
            },
        };
        self.plans.iter().enumerate().map(start).collect()
    }

    /// The plan that stands for all with this order where Gote's king does not matter any more: by
    /// then all its squares are filled that are not squares of the others too.
    fn representative(&self, order: FillOrder) -> u8 {
        self.plans.iter().position(|plan| plan.order == order).unwrap_or(0) as u8
    }
}

impl FillPlan {
    fn new(table: &Table, king: u8, order: FillOrder, admits: Squares) -> Self {
        let mut squares: Vec<u8> = table.squares().collect();
        if order == FillOrder::Mirrors {
            squares.clear();
            for square in table.squares().filter(|&square| !table.is_right(square)) {
                squares.push(square);
                if !table.is_middle(square) {
                    squares.push(table.mirror(square));
                }
            }
        }
        squares.retain(|&square| square != king);
        let view = KingView::new(table, king, Colour::Sente, &squares);
        Self { king, order, squares, admits, view }
    }
}

impl Walk for KingWalk {
    type State = KingWalkState;

    fn square(&self, layer: usize, state: &KingWalkState) -> Option<u8> {
        self.plans[usize::from(state.plan)].squares.get(layer).copied()
    }

    fn fill(&mut self, state: &KingWalkState, filling: Filling) -> Option<KingWalkState> {
        let Filling { layer, square, content } = filling;
        let (table, plan) = (self.table, &self.plans[usize::from(state.plan)]);
        let mut next = *state;
        if let Some(piece) = content {
            if table.is_dead(piece, square) {
                return None;
            }
            if piece.face.kind == table.royal {
                if state.has_sente_king || !has(plan.admits, square) {
                    return None;
                }
                next.has_sente_king = true;
            }
        }
        if let Some(rays) = state.rays {
            next.rays = Some(plan.view.fill(rays, square, content, |_| Wanted::NoAttack)?);
        }
        let mirrored = plan.order == FillOrder::Mirrors;
        let on_image = mirrored && table.is_right(square);
        next.pawns = state.pawns.with(table, content, on_image)?;
        if let Symmetry::Owed(owed) = state.symmetry {
            next.symmetry = match number(content).cmp(&owed) {
                Ordering::Less => return None,
                Ordering::Equal => Symmetry::Kept,
                Ordering::Greater => Symmetry::Free,
            };
        } else if state.symmetry == Symmetry::Kept {
            next.symmetry = Symmetry::Owed(number(content));
        }
        if let Some(&following) = plan.squares.get(layer + 1) {
            let file = |square| {
                let column = table.column(square);
                if mirrored { column.min(table.width - 1 - column) } else { column }
            };
            if file(following) != file(square) {
                next.pawns = PawnFiles::default();
                if mirrored && table.is_middle(following) {
                    next.symmetry = Symmetry::Free;
                }
            }
            let king_is_late =
                !mirrored && table.is_middle(following) && !has(plan.admits, following);
            if king_is_late && !next.has_sente_king {
                return None;
            }
            if !next.rays.is_some_and(|rays| plan.view.is_open(rays, layer)) {
                (next.plan, next.rays) = (self.representative(plan.order), None);
            }
        }
        Some(next)
    }

    /// Kings on different squares see different pieces, and symmetry compares numbers: no content is
    /// like another.
    fn likeness(&self, _: usize, content: Option<Piece>) -> Option<u8> {
        Some(number(content))
    }

    fn end(&self, state: &KingWalkState) -> Option<End> {
        state.has_sente_king.then_some(End::Any)
    }
}
