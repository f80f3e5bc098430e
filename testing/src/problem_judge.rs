//! Whether a position is a problem as books print them, by brute force: see [`Oracle`].

use shogi_rules::shogi_core::{Colour, Face, Faults, Kind, Move, Position, Role, checks};
use shogi_rules::{Rules, write_face};

use crate::book_oracle::{Oracle, interposes};

/// The deepest lines by which a check is shown never to mate.
const DEEPEST: u32 = 99;

/// A judge of problems.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Other mates are looked for in so many plies more than are left in the line.
    pub beyond: u32,
    /// Positions that are looked at to show that another check never mates.
    pub effort: u64,
}

/// The checks beside a line that would be other solutions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beside<R: Rules> {
    /// Those that mate within the plies looked at: the plies of the line before each, and the move.
    pub mating: Vec<(usize, Move<R>)>,
    /// Those that do not mate within these plies, but are not shown never to.
    pub open: Vec<(usize, Move<R>)>,
}

impl<R: Rules> Beside<R> {
    /// Whether the line is the only solution; `None` if that is not shown.
    pub fn is_unique(&self) -> Option<bool> {
        match (self.mating.is_empty(), self.open.is_empty()) {
            (false, _) => Some(false),
            (true, true) => Some(true),
            (true, false) => None,
        }
    }
}

/// A piece that may be taken off a problem.
#[derive(Clone, Debug)]
pub struct Piece<R: Rules> {
    /// Its square such as `5d`, or the piece in hand such as `G*`.
    pub name: String,
    /// The problem without it: the defender holds it.
    pub without: Position<R>,
}

impl Judge {
    /// Whether both sides' moves in a line are best by the definition, whether it ends in mate, and no such line leaves
    /// fewer pieces in the attacker's hand.
    pub fn is_best_line<R: Rules>(
        &self,
        oracle: &mut Oracle<R>,
        root: &Position<R>,
        line: &[Move<R>],
    ) -> bool {
        let mut position = *root;
        for (ply, &mv) in line.iter().enumerate() {
            let (left, attacking) = ((line.len() - ply) as u32, ply % 2 == 0);
            if oracle.length(&position, attacking, left) != Some(left)
                || !position.legal_moves().contains(&mv)
                || attacking && !checks(&position).contains(&mv)
            {
                return false;
            }
            let defence = (!attacking).then(|| oracle.defence(&position, left)).flatten();
            if defence.is_some_and(|(_, replies)| !replies.contains(&mv)) {
                return false;
            }
            position = position.play_unchecked(mv);
        }
        let attacking = line.len().is_multiple_of(2);
        oracle.length(&position, attacking, 0) == Some(0)
            && oracle.left(&position, attacking, 0) == oracle.left(root, true, line.len() as u32)
    }

    /// The checks that mate beside a line, but for other last moves of a line of more than one ply.
    pub fn beside<R: Rules>(
        &self,
        oracle: &mut Oracle<R>,
        root: &Position<R>,
        line: &[Move<R>],
    ) -> Beside<R> {
        let mut beside = Beside { mating: Vec::new(), open: Vec::new() };
        let mut position = *root;
        for (ply, &in_line) in line.iter().enumerate() {
            let left = (line.len() - ply) as u32;
            let is_choice = ply % 2 == 0 && (ply == 0 || left > 1);
            for mv in if is_choice { checks(&position) } else { Vec::new() } {
                let after = position.play_unchecked(mv);
                if mv == in_line || self.is_refuted(oracle, &after, false) {
                    continue;
                }
                match oracle.length(&after, false, left - 1 + self.beyond) {
                    Some(_) => beside.mating.push((ply, mv)),
                    None => beside.open.push((ply, mv)),
                }
            }
            position = position.play_unchecked(in_line);
        }
        beside
    }

    /// Whether it is shown, one depth after the other, that there is no mate from a position, however long.
    pub fn is_refuted<R: Rules>(
        &self,
        oracle: &mut Oracle<R>,
        position: &Position<R>,
        attacking: bool,
    ) -> bool {
        let mut effort = self.effort;
        (1..=DEEPEST)
            .any(|depth| effort > 0 && oracle.is_refuted(position, attacking, depth, &mut effort))
    }

    /// Whether a position has a line as its only solution; `None` if that is not shown.
    pub fn has_only_solution<R: Rules>(
        &self,
        root: &Position<R>,
        line: &[Move<R>],
    ) -> Option<bool> {
        let mut oracle = Oracle::default();
        if !self.is_best_line(&mut oracle, root, line) {
            return Some(false);
        }
        self.beside(&mut oracle, root, line).is_unique()
    }
}

/// The pieces of a problem that may be taken off: all but royal ones, and of several of a kind in hand one.
pub fn pieces<R: Rules>(problem: &Position<R>) -> Vec<Piece<R>> {
    let (attacker, mut found) = (problem.side(), Vec::new());
    for (square, piece) in problem.pieces() {
        if piece.face.kind.spec::<R>().role != Role::Royal {
            let mut placement = *problem.placement();
            placement.lift(square);
            placement.hand_mut(!attacker).add(piece.face.kind);
            found.push((format!("{square}"), placement));
        }
    }
    for kind in Kind::all::<R>().filter(|&kind| problem.hand(attacker).has(kind)) {
        let mut placement = *problem.placement();
        placement.hand_mut(attacker).take(kind);
        placement.hand_mut(!attacker).add(kind);
        let mut name = String::new();
        write_face::<R>(Face::front(kind), Colour::Sente, R::dialect(), &mut name);
        found.push((name + "*", placement));
    }
    let position = |(name, placement)| {
        let without = Position::new_allowing(placement, Faults::MISSING_KING).ok()?;
        Some(Piece { name, without })
    };
    found.into_iter().filter_map(position).collect()
}

/// The useless interpositions at each ply of a line and at its end.
pub fn useless<R: Rules>(
    oracle: &mut Oracle<R>,
    root: &Position<R>,
    line: &[Move<R>],
) -> Vec<(usize, Move<R>)> {
    let (mut position, mut found) = (*root, Vec::new());
    for ply in 0..=line.len() {
        let left = (line.len() - ply) as u32;
        for &reply in &position.legal_moves() {
            let is_reply = ply % 2 == 1 && interposes(&position, reply);
            if is_reply && oracle.is_useless(&position, reply, left) {
                found.push((ply, reply));
            }
        }
        if let Some(&mv) = line.get(ply) {
            position = position.play_unchecked(mv);
        }
    }
    found
}
