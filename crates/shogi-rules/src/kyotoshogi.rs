//! Kyoto shogi, Tamiya Katsuya about 1976.

use shogi_core::{Board5x5, Dialect, Face, Kind, KindSpec, Movement, Promotion, RuleTable};

use crate::repetition::{RepetitionResult, RepetitionRule};
use crate::rules::Rules;

/// Kyoto shogi on 5x5: every piece but the king turns over with each move on the board and may be
/// dropped with either face up.
///
/// The pairs of faces are pawn and rook, silver and bishop, gold and knight, lance and tokin. The
/// fronts here are those of Fairy-Stockfish. Nifu, drop-pawn mate and immobile pieces are legal; a
/// player without a legal move has lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct KyotoShogi;

impl KyotoShogi {
    /// The pawn; its back is the rook.
    pub const PAWN: Kind<Self> = Kind::of(0);
    /// The lance; its back is the tokin.
    pub const LANCE: Kind<Self> = Kind::of(1);
    /// The knight; its back is the gold general.
    pub const KNIGHT: Kind<Self> = Kind::of(2);
    /// The silver general; its back is the bishop.
    pub const SILVER: Kind<Self> = Kind::of(3);
    /// The king.
    pub const KING: Kind<Self> = Kind::of(4);
}

impl RuleTable for KyotoShogi {
    type Geometry = Board5x5;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 2, Some(Movement::ROOK)),
        KindSpec::new('L', 2, Movement::LANCE, Some(Movement::GOLD)),
        KindSpec::new('N', 2, Movement::KNIGHT, Some(Movement::GOLD)),
        KindSpec::new('S', 2, Movement::SILVER, Some(Movement::BISHOP)),
        KindSpec::royal('K'),
    ];
    const PROMOTION: Promotion = Promotion::EveryMove;
    const ZONE: u8 = 0;
    const DROP_EITHER_FACE: bool = true;
    const ALLOWS_NIFU: bool = true;
    const ALLOWS_DROP_PAWN_MATE: bool = true;
    const ALLOWS_IMMOBILE: bool = true;
    const CAN_BE_OVER: bool = false;
    const DIALECT: Dialect = Dialect::Lishogi;
    const LISHOGI_LETTERS: &'static [(char, Face)] = &[
        ('R', Face::back(Self::PAWN).any()),
        ('T', Face::back(Self::LANCE).any()),
        ('G', Face::back(Self::KNIGHT).any()),
        ('B', Face::back(Self::SILVER).any()),
    ];
}

impl Rules for KyotoShogi {
    const NAME: &'static str = "kyotoshogi";
    const START: &'static str = "pgkst/5/5/5/TSKGP b - 1";
    /// As in Fairy-Stockfish; on lishogi and PyChess the third occurrence is a draw, even with
    /// perpetual check.
    const REPETITION: RepetitionRule =
        RepetitionRule { count: 4, result: RepetitionResult::Draw, perpetual_check: true };
}
