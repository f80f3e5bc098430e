//! How a position stands to its last move: the checks on the king of the player to move.
//!
//! Who is to move was not in check before the opponent's last move, so that move accounts for every
//! check there is. Often that decides alone whether there can have been such a move; what is asked
//! here looks at nothing but the checkers, their lines and the squares they can have come from.

use std::fmt;
use std::ops::ControlFlow;

use shogi_core::{Bitboard, Colour, Face, Move, Piece, Placement, RuleTable, Square, between};

use crate::constants::Constants;

/// What the checks on Sente's king, with Sente to move, say about Gote's last move.
///
/// The classes are disjoint and every position is in one. The mirror image is in the same one.
///
/// ```
/// use shogi_rank::Checks;
/// use shogi_rules::{Minishogi, parse_sfen};
/// let checks = |sfen| Checks::of(&parse_sfen::<Minishogi>(sfen).unwrap().0);
/// assert_eq!(checks("2k2/5/5/5/2K2 b 2R2B2G2S2P 1"), Checks::None);
/// // A bishop gives check from afar; two neighbours of the king cannot both have come.
/// assert_eq!(checks("k3b/5/5/5/K4 b 2RB2G2S2P 1").to_string(), "B distant");
/// assert_eq!(checks("4k/5/5/gg3/K4 b 2R2B2S2P 1"), Checks::Excluded);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Checks {
    /// No check.
    None,
    /// One check.
    One(Check),
    /// Two checks, one of them from a piece that can have left the line of the other, as far as
    /// the squares of kings and checkers tell.
    Two {
        /// Whether one of the two pieces gives check from the next square.
        adjacent: bool,
    },
    /// No legal move can have led here:
    ///
    /// - more than two checks, or two and neither of the pieces can have left the line of the
    ///   other;
    /// - one check, from the next square, by a piece that cannot have been dropped with this face
    ///   up, and all [ways](Ways) by which it can have come are barred.
    Excluded,
}

/// A single check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Check {
    /// The face of the piece that gives it.
    pub face: Face,
    /// The letter of its kind.
    letter: char,
    /// Whether nothing is between it and the king.
    pub adjacent: bool,
    /// Whether it alone stands between the king and a second piece that would give check.
    pub backed: bool,
    /// The ways by which it can have come, for a face that is not dropped.
    pub ways: Option<Ways>,
}

/// The ways by which a checker can have come: its origin and all squares between must be empty,
/// and from there it must not have given check already.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ways {
    /// One is free, from where it gives no check on an empty board.
    Open,
    /// None is, or only such from where it gives no check if something stands between: another
    /// piece, or one that was captured by the last move.
    Doubtful,
}

impl fmt::Display for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("quiet"),
            Self::One(check) => check.fmt(f),
            Self::Two { adjacent: true } => f.write_str("two, one adjacent"),
            Self::Two { adjacent: false } => f.write_str("two distant"),
            Self::Excluded => f.write_str("excluded"),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let promoted = if self.face.promoted { "+" } else { "" };
        let distance = if self.adjacent { "adjacent" } else { "distant" };
        write!(f, "{promoted}{} {distance}", self.letter)?;
        match self.ways {
            None => {}
            Some(Ways::Open) => f.write_str(" open")?,
            Some(Ways::Doubtful) => f.write_str(" doubtful")?,
        }
        f.write_str(if self.backed { " backed" } else { "" })
    }
}

/// A way by which a checker can have come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Way<R: RuleTable> {
    /// Its origin.
    pub(crate) from: Square<R::Geometry>,
    /// The squares that must be empty: where it came from, and those between.
    pub(crate) squares: Bitboard<R::Geometry>,
    /// Whether it gives no check from there on an empty board.
    pub(crate) is_sure: bool,
}

/// A piece of Gote's that gives check.
pub(crate) type Checker<R> = (Square<<R as RuleTable>::Geometry>, Face);

/// All ways by which a checker can have come with nothing else on the board than the kings and
/// perhaps some `others`, except those from where it surely gave check already.
pub(crate) fn ways<R: RuleTable>(
    kings: [Square<R::Geometry>; 2],
    (to, face): Checker<R>,
    others: &[Checker<R>],
) -> Vec<Way<R>> {
    let gote = |face| Piece { face, colour: Colour::Gote };
    let mut board = Placement::<R>::EMPTY;
    board.put(kings[1], gote(Face::front(Constants::<R>::ROYAL)));
    board.put(to, gote(face));
    for &(square, other) in others {
        board.put(square, gote(other));
    }
    // Without Sente's king no unmove is refused for a check.
    let king = kings[0];
    let mut ways: Vec<Way<R>> = Vec::new();
    let _: ControlFlow<()> = board.generate_quiet_unmoves(|unmove, before| {
        let Move::Board { from, to: target, .. } = unmove.mv else {
            return ControlFlow::Continue(());
        };
        let path = between(from, to);
        let squares = path | Bitboard::of(from);
        if target != to || squares.contains(king) {
            return ControlFlow::Continue(());
        }
        let attackers = before.attackers(king, Colour::Gote, before.occupied());
        let is_sure = !attackers.contains(from);
        if is_sure || !(between(from, king) - path).is_empty() {
            ways.push(Way { from, squares, is_sure });
        }
        ControlFlow::Continue(())
    });
    ways
}

impl Checks {
    /// The class of a placement with Sente to move.
    ///
    /// Positions with a king missing or with Gote in check have no meaning here.
    pub fn of<R: RuleTable>(placement: &Placement<R>) -> Self {
        let kings = Colour::ALL.map(|colour| placement.king(colour));
        let [Some(king), Some(other)] = kings else { return Self::None };
        let checkers = placement.attackers(king, Colour::Gote, placement.occupied());
        let faced = |square| placement.piece(square).map(|piece| (square, piece.face));
        let list: Vec<Checker<R>> = checkers.into_iter().filter_map(faced).collect();
        match list[..] {
            [] => Self::None,
            [checker] => Self::one(placement, [king, other], checker),
            [a, b] => Self::two::<R>([king, other], a, b),
            _ => Self::Excluded,
        }
    }

    fn one<R: RuleTable>(
        placement: &Placement<R>,
        kings: [Square<R::Geometry>; 2],
        checker: Checker<R>,
    ) -> Self {
        let (square, face) = checker;
        let (king, occupied) = (kings[0], placement.occupied());
        let is_backed = |sniper| between(king, sniper) & occupied == Bitboard::of(square);
        let is_free = |way: &Way<R>| !way.squares.meets(occupied);
        let ways = (!face.is_droppable::<R>()).then(|| ways::<R>(kings, checker, &[]));
        let ways = ways.map(|mut ways| {
            ways.retain(is_free);
            ways
        });
        let adjacent = between(king, square).is_empty();
        if adjacent && ways.as_ref().is_some_and(Vec::is_empty) {
            return Self::Excluded;
        }
        let sure = |ways: Vec<Way<R>>| ways.iter().any(|way| way.is_sure);
        Self::One(Check {
            face,
            letter: face.kind.spec::<R>().letter,
            adjacent,
            backed: placement.snipers(king, Colour::Gote).into_iter().any(is_backed),
            ways: ways.map(|ways| if sure(ways) { Ways::Open } else { Ways::Doubtful }),
        })
    }

    /// The class of two checks by these pieces.
    pub(crate) fn two<R: RuleTable>(
        kings: [Square<R::Geometry>; 2],
        a: Checker<R>,
        b: Checker<R>,
    ) -> Self {
        let left = |one: Checker<R>, other: Checker<R>| {
            let line = between(kings[0], other.0);
            let all = if line.is_empty() { Vec::new() } else { ways::<R>(kings, one, &[other]) };
            all.iter().any(|way| line.contains(way.from))
        };
        if left(a, b) || left(b, a) {
            let adjacent = [a, b].iter().any(|c| between(kings[0], c.0).is_empty());
            Self::Two { adjacent }
        } else {
            Self::Excluded
        }
    }

    /// The class of one check by this piece, with these of its properties.
    pub(crate) fn one_by<R: RuleTable>(
        face: Face,
        adjacent: bool,
        backed: bool,
        ways: Option<Ways>,
    ) -> Self {
        Self::One(Check { face, letter: face.kind.spec::<R>().letter, adjacent, backed, ways })
    }
}
