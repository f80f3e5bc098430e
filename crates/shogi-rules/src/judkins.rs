//! Judkins shogi, Paul Judkins, before 1998.

use shogi_core::{Kind, KindSpec, Movement, RuleTable, geometry};

use crate::rules::Rules;

geometry! {
    /// Six by six: Judkins shogi.
    pub Board6x6: 6 x 6 in u64;
}

/// Judkins shogi on 6x6: each player has one piece of each kind of standard shogi except the lance.
///
/// Pieces promote on the last two ranks; nifu, drop-pawn mate and immobile pieces are illegal, repetition is
/// sennichite as in standard shogi; a player without a legal move has lost.
///
/// ```
/// use shogi_rules::{Judkins, Rules, shogi_core::perft};
/// assert_eq!(perft(&Judkins::start(), 3), 6_183);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Judkins;

impl Judkins {
    /// The pawn.
    pub const PAWN: Kind<Self> = Kind::of(0);
    /// The knight.
    pub const KNIGHT: Kind<Self> = Kind::of(1);
    /// The silver general.
    pub const SILVER: Kind<Self> = Kind::of(2);
    /// The gold general.
    pub const GOLD: Kind<Self> = Kind::of(3);
    /// The bishop.
    pub const BISHOP: Kind<Self> = Kind::of(4);
    /// The rook.
    pub const ROOK: Kind<Self> = Kind::of(5);
    /// The king.
    pub const KING: Kind<Self> = Kind::of(6);
}

impl RuleTable for Judkins {
    type Geometry = Board6x6;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('N', 2, Movement::KNIGHT, Some(Movement::GOLD)),
        KindSpec::new('S', 2, Movement::SILVER, Some(Movement::GOLD)),
        KindSpec::new('G', 2, Movement::GOLD, None),
        KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ];
    const ZONE: u8 = 2;
    const CAN_BE_OVER: bool = false;
}

impl Rules for Judkins {
    const NAME: &'static str = "judkins";
    const START: &'static str = "rbnsgk/5p/6/6/P5/KGSNBR b - 1";
}
