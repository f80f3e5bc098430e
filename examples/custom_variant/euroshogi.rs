//! EuroShogi, Vladimír Pribylinec 2000: shogi on a chessboard, whose knight also steps sideways.

use shogi_rules::Rules;
use shogi_rules::shogi_core::{Direction, KindSpec, Movement, Promotion, RuleTable, geometry};

geometry! {
    /// Eight by eight: 64 squares, so a 64-bit word.
    pub Board8x8: 8 x 8 in u64;
}

/// EuroShogi, by the rules of standard shogi; pieces must promote where they can.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct EuroShogi;

/// A movement without a name: that of a knight, with a step to each side.
const KNIGHT: Movement = {
    let knight = Movement::KNIGHT.reach();
    Movement::of(knight.with_step(Direction::East).with_step(Direction::West))
};

impl RuleTable for EuroShogi {
    type Geometry = Board8x8;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 16, Some(Movement::GOLD)),
        KindSpec::new('N', 4, KNIGHT, Some(Movement::GOLD)),
        KindSpec::new('G', 4, Movement::GOLD, None),
        KindSpec::new('B', 4, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ];
    const PROMOTION: Promotion = Promotion::Forced;
    const ZONE: u8 = 3;
}

impl Rules for EuroShogi {
    const NAME: &'static str = "euroshogi";
    const START: &'static str = "1nbgkgn1/1r4b1/pppppppp/8/8/PPPPPPPP/1B4R1/1NGKGBN1 b - 1";
}
