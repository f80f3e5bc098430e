//! Standard shogi.

use shogi_core::{Board9x9, Kind, KindSpec, Movement, RuleTable};

use crate::impasse::ImpasseRule;
use crate::repetition::RepetitionRule;
use crate::rules::Rules;

/// Standard shogi on 9x9, by the rules of the Japan Shogi Association.
///
/// Pieces promote on the last three ranks; nifu, drop-pawn mate and immobile pieces are illegal; a
/// player without a legal move has lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Shogi;

impl Shogi {
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
    /// The bishop.
    pub const BISHOP: Kind<Self> = Kind::of(5);
    /// The rook.
    pub const ROOK: Kind<Self> = Kind::of(6);
    /// The king.
    pub const KING: Kind<Self> = Kind::of(7);
}

impl RuleTable for Shogi {
    type Geometry = Board9x9;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 18, Some(Movement::GOLD)),
        KindSpec::new('L', 4, Movement::LANCE, Some(Movement::GOLD)),
        KindSpec::new('N', 4, Movement::KNIGHT, Some(Movement::GOLD)),
        KindSpec::new('S', 4, Movement::SILVER, Some(Movement::GOLD)),
        KindSpec::new('G', 4, Movement::GOLD, None),
        KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ];
    const ZONE: u8 = 3;
    const CAN_BE_OVER: bool = false;
}

impl Rules for Shogi {
    const NAME: &'static str = "shogi";
    const START: &'static str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    /// Japan Shogi Association, playing regulations (taikyoku kitei).
    const REPETITION: RepetitionRule = RepetitionRule::SENNICHITE;
    /// The rule of amateurs and programs; professionals play by [`ImpasseRule::TwentyFourPoints`].
    const IMPASSE: Option<ImpasseRule> = Some(ImpasseRule::TwentySevenPoints);
    /// The values of Tanigawa Koji, as quoted in the text on an AI for playing shogi.
    const VALUES: &'static [(&'static str, i32)] = &[
        ("P", 100),
        ("L", 500),
        ("N", 600),
        ("S", 800),
        ("G", 900),
        ("+S", 900),
        ("+L", 1000),
        ("+N", 1000),
        ("+P", 1200),
        ("B", 1300),
        ("R", 1500),
        ("+B", 1500),
        ("+R", 1700),
    ];
    const CASTLES: &'static [(&'static str, &'static [&'static str])] = &[
        ("Yagura", &["K8h", "G7h", "G6g", "S7g"]),
        ("Mino", &["K2h", "S3h", "G4i", "G5h"]),
        ("Anaguma", &["K9i", "L9h", "S8h", "G7i", "G7h"]),
        ("Funa", &["K7h", "S7i", "G6i", "G5h"]),
    ];
}
