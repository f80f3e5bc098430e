//! Goro-goro shogi on 5x6: generals and pawns only.

use shogi_rules::Rules;
use shogi_rules::shogi_core::{KindSpec, Movement, RuleTable, geometry};

geometry! {
    /// Five files by six ranks: 30 squares, so a 32-bit word.
    pub Board5x6: 5 x 6 in u32;
}

/// Goro-goro shogi, by the rules of standard shogi; pieces promote on the last two ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GoroGoro;

impl RuleTable for GoroGoro {
    type Geometry = Board5x6;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 6, Some(Movement::GOLD)),
        KindSpec::new('S', 4, Movement::SILVER, Some(Movement::GOLD)),
        KindSpec::new('G', 4, Movement::GOLD, None),
        KindSpec::royal('K'),
    ];
    const ZONE: u8 = 2;
}

impl Rules for GoroGoro {
    const NAME: &'static str = "gorogoro";
    const START: &'static str = "sgkgs/5/1ppp1/1PPP1/5/SGKGS b - 1";
}
