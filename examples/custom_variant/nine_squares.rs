//! Shogi on 3x3: a king, a gold general and a pawn each. All its positions fit into a tablebase.

use shogi_rules::Rules;
use shogi_rules::shogi_core::{KindSpec, Movement, RuleTable, geometry};
use shogi_tablebase::World;

geometry! {
    /// Three by three: 9 squares, so a 16-bit word.
    pub Board3x3: 3 x 3 in u16;
}

/// Shogi on nine squares, by the rules of standard shogi; pieces promote on the last rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NineSquares;

impl RuleTable for NineSquares {
    type Geometry = Board3x3;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('G', 2, Movement::GOLD, None),
        KindSpec::royal('K'),
    ];
}

impl Rules for NineSquares {
    const NAME: &'static str = "ninesquares";
    const START: &'static str = "pgk/3/KGP b - 1";
}

/// Pieces never leave the game, so that its positions are a closed world.
impl World for NineSquares {}
