//! Shogi on 3x4, with any back rank.

use shogi_core::{
    Board3x4, Colour, Face, Geometry, Kind, KindSpec, Movement, Piece, Placement, RuleTable, Square,
};

use crate::repetition::{RepetitionResult, RepetitionRule};
use crate::rules::Rules;
use crate::start::StartError;

/// Shogi on three files and four ranks: each player has a king and two officers on the back rank in
/// any order, and a pawn in front of the king; Gote's array is Sente's turned by 180 degrees.
///
/// Pieces promote on the last rank; nifu, drop-pawn mate and immobile pieces are illegal; a player
/// without a legal move has lost. The games of this name in Shibahara, Tajima & Kotani (2006) are
/// of this kind; their exact arrays are not known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Shogi34;

impl Shogi34 {
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

impl RuleTable for Shogi34 {
    type Geometry = Board3x4;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 6, Some(Movement::GOLD)),
        KindSpec::new('L', 4, Movement::LANCE, Some(Movement::GOLD)),
        KindSpec::new('N', 4, Movement::KNIGHT, Some(Movement::GOLD)),
        KindSpec::new('S', 4, Movement::SILVER, Some(Movement::GOLD)),
        KindSpec::new('G', 4, Movement::GOLD, None),
        KindSpec::new('B', 4, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::new('R', 4, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ];
    const CAN_BE_OVER: bool = false;
}

impl Rules for Shogi34 {
    const NAME: &'static str = "shogi34";
    const START: &'static str = "bkr/1p1/1P1/RKB b - 1";
    /// Shibahara, Tajima & Kotani (2006): repetition is a draw. They give no count; this one is that
    /// of standard shogi.
    const REPETITION: RepetitionRule =
        RepetitionRule { count: 4, result: RepetitionResult::Draw, perpetual_check: false };

    /// The start position named by Sente's back rank from left to right, such as `RKB`, in letters of
    /// either case.
    ///
    /// # Errors
    ///
    /// Unless the name has three letters, one of them K and the others officers (R B G S N L) or
    /// pawns.
    ///
    /// ```
    /// use shogi_rules::{Rules as _, Shogi34, to_sfen};
    /// let start = Shogi34::named_start("GKS")?;
    /// assert_eq!(to_sfen(&start), "skg/1p1/1P1/GKS b - 1");
    /// assert_eq!(Shogi34::named_start("gks")?, start);
    /// assert!(Shogi34::named_start("GSS").is_err());
    /// # Ok::<(), shogi_rules::StartError>(())
    /// ```
    fn named_start(name: &str) -> Result<Placement<Self>, StartError> {
        let error = || StartError::Unknown(name.into());
        let mut placement = Placement::EMPTY;
        let mut kings = 0;
        let height = Board3x4::HEIGHT;
        if name.chars().count() != usize::from(Board3x4::WIDTH) {
            return Err(error());
        }
        for (column, letter) in (0..).zip(name.chars()) {
            let kind = Kind::all::<Self>()
                .find(|kind| kind.spec::<Self>().letter == letter.to_ascii_uppercase())
                .ok_or_else(error)?;
            let mut both = |kind, rank| {
                for colour in Colour::ALL {
                    let (column, rank) = match colour {
                        Colour::Sente => (column, height - 1 - rank),
                        Colour::Gote => (Board3x4::WIDTH - 1 - column, rank),
                    };
                    if let Some(square) = Square::new(column, rank) {
                        placement.put(square, Piece { face: Face::front(kind), colour });
                    }
                }
            };
            both(kind, 0);
            if kind == Self::KING.any() {
                kings += 1;
                both(Self::PAWN.any(), 1);
            }
        }
        if kings == 1 { Ok(placement) } else { Err(error()) }
    }
}
