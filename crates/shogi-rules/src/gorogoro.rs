//! Goro-goro shogi, Japan Shogi Association 2012, and its form with a lance and a knight in hand.

use shogi_core::{Kind, KindSpec, Movement, RuleTable, geometry};

use crate::rules::Rules;

geometry! {
    /// Five files by six ranks: Goro-goro shogi.
    pub Board5x6: 5 x 6 in u32;
}

/// Goro-goro shogi: generals and pawns of standard shogi on 5x6.
///
/// Pieces promote on the last two ranks; nifu, drop-pawn mate and immobile pieces are illegal, repetition is
/// sennichite as in standard shogi; a player without a legal move has lost.
///
/// ```
/// use shogi_rules::{Gorogoro, Rules, shogi_core::perft};
/// assert_eq!(perft(&Gorogoro::start(), 3), 4_166);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Gorogoro;

impl Gorogoro {
    /// The pawn.
    pub const PAWN: Kind<Self> = Kind::of(0);
    /// The silver general.
    pub const SILVER: Kind<Self> = Kind::of(1);
    /// The gold general.
    pub const GOLD: Kind<Self> = Kind::of(2);
    /// The king.
    pub const KING: Kind<Self> = Kind::of(3);
}

impl RuleTable for Gorogoro {
    type Geometry = Board5x6;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 6, Some(Movement::GOLD)),
        KindSpec::new('S', 4, Movement::SILVER, Some(Movement::GOLD)),
        KindSpec::new('G', 4, Movement::GOLD, None),
        KindSpec::royal('K'),
    ];
    const ZONE: u8 = 2;
    const CAN_BE_OVER: bool = false;
}

impl Rules for Gorogoro {
    const NAME: &'static str = "gorogoro";
    const START: &'static str = "sgkgs/5/1ppp1/1PPP1/5/SGKGS b - 1";
}

/// Goro-goro plus: [`Gorogoro`] with a lance and a knight in each player's hand at the start.
///
/// ```
/// use shogi_rules::{GorogoroPlus, Rules, shogi_core::perft};
/// assert_eq!(perft(&GorogoroPlus::start(), 2), 1_438);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GorogoroPlus;

impl GorogoroPlus {
    /// The pawn.
    pub const PAWN: Kind<Self> = Kind::of(0);
    /// The lance.
    pub const LANCE: Kind<Self> = Kind::of(1);
    /// The knight.
    pub const KNIGHT: Kind<Self> = Kind::of(2);
    /// The silver general.
    pub const SILVER: Kind<Self> = Kind::of(3);
    /// The gold general.
    pub const GOLD: Kind<Self> = Kind::of(4);
    /// The king.
    pub const KING: Kind<Self> = Kind::of(5);
}

impl RuleTable for GorogoroPlus {
    type Geometry = Board5x6;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 6, Some(Movement::GOLD)),
        KindSpec::new('L', 2, Movement::LANCE, Some(Movement::GOLD)),
        KindSpec::new('N', 2, Movement::KNIGHT, Some(Movement::GOLD)),
        KindSpec::new('S', 4, Movement::SILVER, Some(Movement::GOLD)),
        KindSpec::new('G', 4, Movement::GOLD, None),
        KindSpec::royal('K'),
    ];
    const ZONE: u8 = 2;
    const CAN_BE_OVER: bool = false;
}

impl Rules for GorogoroPlus {
    const NAME: &'static str = "gorogoroplus";
    const START: &'static str = "sgkgs/5/1ppp1/1PPP1/5/SGKGS b NLnl 1";
}
