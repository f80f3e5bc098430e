//! Dobutsu shogi, Madoka Kitao 2008.

use shogi_core::{Board3x4, Dialect, Face, Kind, KindSpec, Movement, Promotion, RuleTable};

use crate::repetition::{RepetitionResult, RepetitionRule};
use crate::rules::Rules;

/// Dobutsu shogi ("Let's catch the lion!"): on 3x4, capture the lion or bring yours safely to the
/// last rank.
///
/// There is no check: a lion may be left in attack or moved into it. A chick becomes a hen on the
/// last rank and returns as a chick when captured; nifu, chick-drop mate and drops on the last rank
/// are legal. A lion on the last rank that is not attacked there wins at once (the try), also when
/// the opponent's own move ends the attack on it; if both lions stand so, the game is drawn. A
/// player without a legal move has lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Dobutsu;

impl Dobutsu {
    /// The chick; its back is the hen.
    pub const CHICK: Kind<Self> = Kind::of(0);
    /// The elephant.
    pub const ELEPHANT: Kind<Self> = Kind::of(1);
    /// The giraffe.
    pub const GIRAFFE: Kind<Self> = Kind::of(2);
    /// The lion.
    pub const LION: Kind<Self> = Kind::of(3);
}

impl RuleTable for Dobutsu {
    type Geometry = Board3x4;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('C', 2, Some(Movement::GOLD)),
        KindSpec::new('E', 2, Movement::ELEPHANT, None),
        KindSpec::new('G', 2, Movement::GIRAFFE, None),
        KindSpec::royal('L'),
    ];
    const PROMOTION: Promotion = Promotion::Forced;
    const ALLOWS_NIFU: bool = true;
    const ALLOWS_DROP_PAWN_MATE: bool = true;
    const ALLOWS_IMMOBILE: bool = true;
    const ROYAL_SAFETY: bool = false;
    const GOAL: Option<u8> = Some(1);
    const DIALECT: Dialect = Dialect::Fairy;
    const LISHOGI_LETTERS: &'static [(char, Face)] = &[
        ('P', Face::front(Self::CHICK).any()),
        ('B', Face::front(Self::ELEPHANT).any()),
        ('R', Face::front(Self::GIRAFFE).any()),
        ('K', Face::front(Self::LION).any()),
    ];
}

impl Rules for Dobutsu {
    const NAME: &'static str = "dobutsu";
    const START: &'static str = "gle/1c1/1C1/ELG b - 1";

    /// As in Tanaka, "An analysis of a board game 'Doubutsu Shogi'" (2009), and on lishogi; in
    /// Fairy-Stockfish the fourth occurrence is a draw.
    const REPETITION: RepetitionRule =
        RepetitionRule { count: 3, result: RepetitionResult::Draw, perpetual_check: false };
}
