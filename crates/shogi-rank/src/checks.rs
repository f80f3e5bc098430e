//! How a position stands to its last move: the checks on the king of the player to move.
//!
//! Who is to move was not in check before the opponent's last move, so that move accounts for every
//! check there is. Often that decides alone whether there can have been such a move; this
//! module looks at nothing but the checkers, their lines and the squares they can have come from.

use std::fmt;
use std::ops::ControlFlow;

use shogi_core::{Colour, Face, Move, Piece, Placement, RuleTable, Square, Word};

use crate::board::Board;
use crate::constants::Constants;
use crate::table::{Squares, Table, has, members, one};

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
    /// the squares of kings and checkers show.
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
pub(crate) struct Way {
    /// Its origin.
    pub(crate) from: u8,
    /// The squares that must be empty: where it came from, and those between.
    pub(crate) squares: Squares,
    /// Whether it gives no check from there on an empty board.
    pub(crate) is_sure: bool,
}

/// A piece of Gote's that gives check.
pub(crate) type Checker = (u8, Face);

/// [`ways`] for a rule table.
pub(crate) type FindWays = fn([u8; 2], Checker, &[Checker]) -> Vec<Way>;

/// All ways by which a checker can have come with nothing else on the board than the kings and
/// perhaps some `others`, except those from where it surely gave check already.
pub(crate) fn ways<R: RuleTable>(
    kings: [u8; 2],
    (to, face): Checker,
    others: &[Checker],
) -> Vec<Way> {
    let table = Constants::<R>::table();
    let gote = |face| Piece { face, colour: Colour::Gote };
    let mut board = Board::<Squares>::EMPTY;
    board.put_piece(kings[1], gote(Face::front(table.royal)));
    board.put_piece(to, gote(face));
    for &(square, other) in others {
        board.put_piece(square, gote(other));
    }
    let mut ways = Vec::new();
    let Some(king) = Square::<R::Geometry>::from_index(usize::from(kings[0])) else {
        return ways;
    };
    // Without Sente's king no unmove is refused for a check.
    let _: ControlFlow<()> = board.placement::<R>().generate_quiet_unmoves(|unmove, before| {
        let Move::Board { from, to: target, .. } = unmove.mv else {
            return ControlFlow::Continue(());
        };
        let (from, target) = (from.index() as u8, target.index() as u8);
        let path = table.between(from, to);
        let squares = path | one(from);
        if target == to && !has(squares, kings[0]) {
            let attackers = before.attackers(king, Colour::Gote, before.occupied());
            let is_sure = !has(attackers.word().widen(), from);
            if is_sure || table.between(from, kings[0]) & !path != 0 {
                ways.push(Way { from, squares, is_sure });
            }
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
        let mut list = Vec::new();
        for square in checkers {
            if let Some(piece) = placement.piece(square) {
                list.push((square.index() as u8, piece.face));
            }
        }
        let (table, kings) = (Constants::<R>::table(), [king, other].map(|k| k.index() as u8));
        match list[..] {
            [] => Self::None,
            [checker] => {
                let snipers = placement.snipers(king, Colour::Gote).word().widen();
                let occupied = placement.occupied().word().widen();
                Self::one(table, ways::<R>, kings, checker, (snipers, occupied))
            }
            [a, b] => Self::two(table, ways::<R>, kings, a, b),
            _ => Self::Excluded,
        }
    }

    /// The class of one check, with these pieces that would give check over an empty board and
    /// these occupied squares.
    fn one(
        table: &Table,
        find_ways: FindWays,
        kings: [u8; 2],
        checker: Checker,
        (snipers, occupied): (Squares, Squares),
    ) -> Self {
        let (square, face) = checker;
        let is_backed = |sniper| table.between(kings[0], sniper) & occupied == one(square);
        let ways = (!table.is_droppable(face)).then(|| {
            let mut ways = find_ways(kings, checker, &[]);
            ways.retain(|way| way.squares & occupied == 0);
            ways
        });
        let adjacent = table.between(kings[0], square) == 0;
        if adjacent && ways.as_ref().is_some_and(Vec::is_empty) {
            return Self::Excluded;
        }
        let sure = |ways: Vec<Way>| ways.iter().any(|way| way.is_sure);
        let ways = ways.map(|ways| if sure(ways) { Ways::Open } else { Ways::Doubtful });
        Self::one_by(table, face, adjacent, members(snipers).any(is_backed), ways)
    }

    /// The class of two checks by these pieces.
    pub(crate) fn two(
        table: &Table,
        find_ways: FindWays,
        kings: [u8; 2],
        a: Checker,
        b: Checker,
    ) -> Self {
        let left = |one: Checker, other: Checker| {
            let line = table.between(kings[0], other.0);
            line != 0 && find_ways(kings, one, &[other]).iter().any(|way| has(line, way.from))
        };
        if left(a, b) || left(b, a) {
            let adjacent = [a, b].iter().any(|c| table.between(kings[0], c.0) == 0);
            Self::Two { adjacent }
        } else {
            Self::Excluded
        }
    }

    /// The class of one check by this piece, with these of its properties.
    pub(crate) fn one_by(
        table: &Table,
        face: Face,
        adjacent: bool,
        backed: bool,
        ways: Option<Ways>,
    ) -> Self {
        Self::One(Check { face, letter: table.spec(face.kind).letter, adjacent, backed, ways })
    }
}
