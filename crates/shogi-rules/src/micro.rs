//! Micro shogi, which its publisher Kerry Handscomb credits to Oyama Yasuharu, before 1982.

use shogi_core::{Kind, KindSpec, Movement, Promotion, RuleTable, geometry};

use crate::repetition::{RepetitionResult, RepetitionRule};
use crate::rules::Rules;

geometry! {
    /// Four files by five ranks: Micro shogi.
    pub Board4x5: 4 x 5 in u32;
}

/// Micro shogi on 4x5: each player has five pieces, which turn over whenever they capture.
///
/// A piece turns over when it captures, back and forth, and at no other time; from the hand it is dropped with
/// either face up. Nifu, pawn-drop mate and pieces that can never move are legal. The fourth repetition is a draw, and
/// perpetual check loses; a player without a legal move has lost.
///
/// ```
/// use shogi_rules::{MicroShogi, Rules, shogi_core::perft};
/// assert_eq!(perft(&MicroShogi::start(), 3), 767);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct MicroShogi;

impl MicroShogi {
    /// The pawn; its back is a knight.
    pub const PAWN: Kind<Self> = Kind::of(0);
    /// The lance; its back is a silver general.
    pub const LANCE: Kind<Self> = Kind::of(1);
    /// The bishop; its back is a tokin.
    pub const BISHOP: Kind<Self> = Kind::of(2);
    /// The rook; its back is a gold general.
    pub const ROOK: Kind<Self> = Kind::of(3);
    /// The king.
    pub const KING: Kind<Self> = Kind::of(4);
}

impl RuleTable for MicroShogi {
    type Geometry = Board4x5;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 2, Some(Movement::KNIGHT)),
        KindSpec::new('L', 2, Movement::LANCE, Some(Movement::SILVER)),
        KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::GOLD)),
        KindSpec::new('R', 2, Movement::ROOK, Some(Movement::GOLD)),
        KindSpec::royal('K'),
    ];
    const PROMOTION: Promotion = Promotion::OnCapture;
    const ZONE: u8 = 0;
    const DROP_EITHER_FACE: bool = true;
    const ALLOWS_NIFU: bool = true;
    const ALLOWS_DROP_PAWN_MATE: bool = true;
    const ALLOWS_IMMOBILE: bool = true;
    const CAN_BE_OVER: bool = false;
}

impl Rules for MicroShogi {
    const NAME: &'static str = "micro";
    const START: &'static str = "kb+r+l/p3/4/3P/+L+RBK b - 1";
    const REPETITION: RepetitionRule =
        RepetitionRule { count: 4, result: RepetitionResult::Draw, perpetual_check: true };
}
