//! Judkins shogi on 6x6: Minishogi with a knight more on each side.

use shogi_rules::Rules;
use shogi_rules::shogi_core::{KindSpec, Movement, RuleTable, geometry};

geometry! {
    /// Six by six: 36 squares, so a 64-bit word.
    pub Board6x6: 6 x 6 in u64;
}

/// Judkins shogi, by the rules of standard shogi; pieces promote on the last two ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Judkins;

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
}

impl Rules for Judkins {
    const NAME: &'static str = "judkins";
    const START: &'static str = "rbnsgk/5p/6/6/P5/KGSNBR b - 1";
}
