//! Minishogi (gogo shogi), Shigenobu Kusumoto 1970.

use shogi_core::{Board5x5, Colour, Face, Kind, KindSpec, Movement, RuleTable};

use crate::repetition::{RepetitionResult, RepetitionRule};
use crate::rules::Rules;

/// Minishogi on 5x5: standard shogi without lances and knights, with one piece of each kind for
/// each player.
///
/// Pieces promote on the last rank; nifu, drop-pawn mate and immobile pieces are illegal as in
/// standard shogi; a player without a legal move has lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Minishogi;

impl Minishogi {
    /// The pawn.
    pub const PAWN: Kind<Self> = Kind::of(0);
    /// The silver general.
    pub const SILVER: Kind<Self> = Kind::of(1);
    /// The gold general.
    pub const GOLD: Kind<Self> = Kind::of(2);
    /// The bishop.
    pub const BISHOP: Kind<Self> = Kind::of(3);
    /// The rook.
    pub const ROOK: Kind<Self> = Kind::of(4);
    /// The king.
    pub const KING: Kind<Self> = Kind::of(5);
}

impl RuleTable for Minishogi {
    type Geometry = Board5x5;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('S', 2, Movement::SILVER, Some(Movement::GOLD)),
        KindSpec::new('G', 2, Movement::GOLD, None),
        KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ];
    const CAN_BE_OVER: bool = false;

    /// The order of Ishii & Tanaka's program: gold, pawn, silver, rook and bishop, backs before
    /// fronts.
    #[inline]
    fn flip_order() -> impl Iterator<Item = Face> {
        const ORDER: [Face; 9] = [
            Face::front(Minishogi::GOLD).any(),
            Face::back(Minishogi::PAWN).any(),
            Face::front(Minishogi::PAWN).any(),
            Face::back(Minishogi::SILVER).any(),
            Face::front(Minishogi::SILVER).any(),
            Face::back(Minishogi::ROOK).any(),
            Face::front(Minishogi::ROOK).any(),
            Face::back(Minishogi::BISHOP).any(),
            Face::front(Minishogi::BISHOP).any(),
        ];
        ORDER.into_iter()
    }
}

impl Rules for Minishogi {
    const NAME: &'static str = "minishogi";
    const START: &'static str = "rbsgk/4p/5/P4/KGSBR b - 1";
    /// At the fourth occurrence Sente has lost; there is no draw (so also on lishogi and PyChess
    /// and in Fairy-Stockfish).
    const REPETITION: RepetitionRule = RepetitionRule {
        count: 4,
        result: RepetitionResult::Win(Colour::Gote),
        perpetual_check: true,
    };
}
