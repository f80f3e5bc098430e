//! Classes of positions by what the checks on the player to move imply about the opponent's last move.
//!
//! The player to move was not in check before that move, so the move accounts for every check. Often this alone
//! decides whether such a move can exist. Undecided positions are divided by features that make it likely that
//! a game leads there. The proofs are in docs/how/ranking.md.

use std::fmt;

use shogi_core::{Colour, Face, Placement, RuleTable, Word};

use crate::constants::Constants;
use crate::table::{Squares, Table, has, one};
use crate::ways::{Checker, FindWays, Outcome, Way, alone_before, ray_through, ways, ways_of_two};

/// The conclusions about Gote's last move from the checks on Sente's king, with Sente to move.
///
/// Every position is in exactly one class, and its mirror image is in the same one.
///
/// ```
/// use shogi_rank::{Checks, Company};
/// use shogi_rules::{Minishogi, parse_sfen};
/// let checks = |sfen| Checks::of(&parse_sfen::<Minishogi>(sfen).unwrap().0);
/// let quiet = Checks::Quiet { mover: Company::Bare, waiting: Company::Several };
/// assert_eq!(checks("2k2/5/5/1PP2/2K2 b 2R2B2G2S 1"), quiet);
/// // A bishop gives check from afar; two neighbours of the king cannot both have come.
/// assert_eq!(checks("k3b/5/5/5/K4 b 2RB2G2S2P 1").to_string(), "B distant on a bare king");
/// assert_eq!(checks("4k/5/5/gg3/K4 b 2R2B2S2P 1"), Checks::Excluded);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Checks {
    /// No check.
    Quiet {
        /// The company of the king of the player who has just moved.
        mover: Company,
        /// The company of the king of the player to move.
        waiting: Company,
    },
    /// One check.
    One(Check),
    /// Two checks, of which one piece can have left the line of the other.
    Two {
        /// Whether one of the two pieces gives check from the next square.
        adjacent: bool,
        /// Whether one has left the line of the other by a [way](Ways) that is open.
        ways: Ways,
    },
    /// No legal move can have led here:
    ///
    /// - more than two checks, or two and neither of the pieces can have left the line of the
    ///   other;
    /// - one check, from the next square, by a piece that cannot have been dropped, and all
    ///   [ways](Ways) by which it can have come are barred.
    Excluded,
}

/// How many pieces a player has on the board besides the king.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Company {
    /// None.
    Bare,
    /// One.
    One,
    /// Two or more.
    Several,
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
    /// Whether it can have come by itself, dropped or by a move of its own.
    pub ways: Ways,
    /// Further features; `None` if the check is backed or its ways are doubtful.
    pub context: Option<CheckContext>,
}

/// Features that make it more or less likely that a game leads to a position with one check, given that some
/// legal move leads to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CheckContext {
    /// Whether the piece that gives check stands alone between the king of its own side and a piece
    /// of the other side that would attack that king.
    pub shields: bool,
    /// The company of the king that is in check.
    pub waiting: Company,
}

/// Whether a checker can have come by itself: dropped where it is, or by a move from where it gave no
/// check and left none open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ways {
    /// The checker can have come by itself: a legal move leads to the position.
    Open,
    /// Unknown: the answer depends on more than is examined here, or the piece cannot have come by itself while
    /// another one may have uncovered the check.
    Doubtful,
}

impl fmt::Display for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quiet { mover, waiting } => {
                let by = match mover {
                    Company::Bare => " by a bare king",
                    Company::One => " by a king and one",
                    Company::Several => "",
                };
                write!(f, "quiet{by}{waiting}")
            }
            Self::One(check) => check.fmt(f),
            Self::Two { adjacent, ways } => {
                f.write_str(if *adjacent { "two, one adjacent" } else { "two distant" })?;
                ways.fmt(f)
            }
            Self::Excluded => f.write_str("excluded"),
        }
    }
}

/// As part of the name of a class: the company of the king of the player to move.
impl fmt::Display for Company {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bare => " on a bare king",
            Self::One => " on a king and one",
            Self::Several => "",
        })
    }
}

impl fmt::Display for Ways {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Doubtful { " doubtful" } else { "" })
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let promoted = if self.face.promoted { "+" } else { "" };
        let distance = if self.adjacent { "adjacent" } else { "distant" };
        write!(f, "{promoted}{} {distance}{}", self.letter, self.ways)?;
        f.write_str(if self.backed { " backed" } else { "" })?;
        if let Some(CheckContext { shields, waiting }) = self.context {
            f.write_str(if shields { " shielding" } else { "" })?;
            waiting.fmt(f)?;
        }
        Ok(())
    }
}

impl Company {
    pub(crate) const ALL: [Self; 3] = [Self::Bare, Self::One, Self::Several];

    /// The company of a king beside so many other pieces.
    const fn of(pieces: u32) -> Self {
        match pieces {
            0 => Self::Bare,
            1 => Self::One,
            _ => Self::Several,
        }
    }
}

impl Checks {
    /// The class of a placement with Sente to move.
    ///
    /// Positions with a king missing or with Gote in check have no meaning here.
    pub fn of<R: RuleTable>(placement: &Placement<R>) -> Self {
        let companies = Colour::ALL
            .map(|colour| Company::of((placement.of(colour) - placement.royals()).len()));
        let [waiting, mover] = companies;
        let (Some(king), Some(other)) =
            (placement.king(Colour::Sente), placement.king(Colour::Gote))
        else {
            return Self::Quiet { mover, waiting };
        };
        let mut list = Vec::new();
        for square in placement.attackers(king, Colour::Gote, placement.occupied()) {
            if let Some(piece) = placement.piece(square) {
                list.push((square.index() as u8, piece.face));
            }
        }
        let (table, occupied) = (Constants::<R>::table(), placement.occupied().word().widen());
        let alone = |king, by| {
            let snipers = placement.snipers(king, by).word().widen();
            alone_before(table, king.index() as u8, snipers, occupied)
        };
        let around = Surroundings {
            table,
            find_ways: ways::<R>,
            kings: [king, other].map(|king| king.index() as u8),
            occupied,
            pawns: (placement.pawns() & placement.of(Colour::Gote)).word().widen(),
            has_hand: table.kinds().any(|kind| placement.hand(Colour::Gote).has(kind)),
            alone: [alone(king, Colour::Gote), alone(other, Colour::Sente)],
            waiting,
        };
        match list[..] {
            [] => Self::Quiet { mover, waiting },
            [checker] => around.one(checker),
            [a, b] => around.two(a, b),
            _ => Self::Excluded,
        }
    }
}

/// The examined part of a placement.
struct Surroundings {
    table: &'static Table,
    find_ways: FindWays,
    kings: [u8; 2],
    occupied: Squares,
    /// Gote's.
    pawns: Squares,
    /// Whether Gote has something in hand.
    has_hand: bool,
    /// The squares of pieces that alone stand between Sente's king and Gote's pieces, and the other
    /// way round.
    alone: [Squares; 2],
    waiting: Company,
}

impl Surroundings {
    fn outcome(&self, ways: &[Way]) -> Outcome {
        Outcome::of(ways, self.occupied, self.pawns, self.has_hand)
    }

    fn one(&self, checker: Checker) -> Checks {
        let square = checker.0;
        let backed = has(self.alone[0], square);
        let single = Single::new(self.table, self.kings, checker, backed);
        let outcome = self.outcome(&single.ways(self.find_ways));
        let context = CheckContext { shields: has(self.alone[1], square), waiting: self.waiting };
        single.class(outcome, context)
    }

    fn two(&self, a: Checker, b: Checker) -> Checks {
        let backed = [a, b].map(|(square, _)| has(self.alone[0], square));
        let ways = ways_of_two(self.table, self.find_ways, self.kings, [a, b], backed);
        class_of_two(self.table, self.kings[0], [a, b], self.outcome(&ways))
    }
}

/// The class of two checks whose ways have this outcome.
pub(crate) fn class_of_two(
    table: &Table,
    king: u8,
    checkers: [Checker; 2],
    outcome: Outcome,
) -> Checks {
    let adjacent = checkers.iter().any(|(square, _)| table.between(king, *square) == 0);
    match outcome {
        Outcome::Quiet => Checks::Two { adjacent, ways: Ways::Open },
        Outcome::Capture => Checks::Two { adjacent, ways: capturing(table) },
        Outcome::Barred => Checks::Excluded,
    }
}

/// The value of a way with a capture.
fn capturing(table: &Table) -> Ways {
    if table.restores_anywhere() { Ways::Open } else { Ways::Doubtful }
}

/// A single check as far as checker and kings say.
pub(crate) struct Single {
    table: &'static Table,
    kings: [u8; 2],
    pub(crate) checker: Checker,
    backed: bool,
    adjacent: bool,
    /// Whether the checker can have been dropped; `None` if that is doubtful.
    drop: Option<bool>,
}

impl Single {
    pub(crate) fn new(
        table: &'static Table,
        kings: [u8; 2],
        checker: Checker,
        backed: bool,
    ) -> Self {
        let (square, face) = checker;
        let adjacent = table.between(kings[0], square) == 0;
        let drop = if backed || !table.is_droppable(face) {
            Some(false)
        } else if table.is_pawn(face) {
            // It depends on whether it is mate.
            None
        } else {
            Some(true)
        };
        Self { table, kings, checker, backed, adjacent, drop }
    }

    /// The ways that matter.
    pub(crate) fn ways(&self, find_ways: FindWays) -> Vec<Way> {
        if self.drop == Some(true) {
            return Vec::new();
        }
        let mut ways = find_ways(self.kings, self.checker, &[]);
        if self.backed {
            let ray = ray_through(self.table, self.kings[0], self.checker.0)
                .map_or(0, |ray| self.table.ray_attacks(ray, self.kings[0], 0));
            ways.retain(|way| way.blocks(ray));
        }
        ways
    }

    /// The class where the ways have this outcome.
    pub(crate) fn class(&self, outcome: Outcome, context: CheckContext) -> Checks {
        let ways = match outcome {
            _ if self.drop == Some(true) => Ways::Open,
            Outcome::Quiet => Ways::Open,
            Outcome::Capture => capturing(self.table),
            Outcome::Barred if self.drop == Some(false) && self.adjacent => {
                return Checks::Excluded;
            }
            Outcome::Barred => Ways::Doubtful,
        };
        let face = self.checker.1;
        Checks::One(Check {
            face,
            letter: self.table.spec(face.kind).letter,
            adjacent: self.adjacent,
            backed: self.backed,
            ways,
            context: (!self.backed && ways == Ways::Open).then_some(context),
        })
    }

    /// The squares between checker and king.
    pub(crate) fn gap(&self) -> Squares {
        self.table.between(self.kings[0], self.checker.0)
    }

    /// Whether the checker stands where it can shield the king of its own side.
    pub(crate) fn is_before_own_king(&self) -> bool {
        let [king, own] = self.kings;
        ray_through(self.table, own, self.checker.0)
            .is_some_and(|ray| has(self.table.ray_attacks(ray, own, one(king)), self.checker.0))
    }
}
