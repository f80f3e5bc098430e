//! The check whether a placement is a legal position of the game, composed of named sub-checks.

use core::fmt;

use bitflags::bitflags;

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::placement::Placement;
use crate::table::{Kind, KindSpec, RuleTable};

bitflags! {
    /// The faults that a placement can have; all are reported at once.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct Faults: u8 {
        /// More pieces of a kind on the board and in the hands than the set has.
        const TOO_MANY_PIECES = 1;
        /// More unpromoted pawns of one player on a file than the rules allow, mostly two.
        const NIFU = 2;
        /// A piece stands where it can never move again (where that is illegal).
        const IMMOBILE = 4;
        /// Sente has no king on the board; where kings can be captured, Gote has none either.
        const NO_SENTE_KING = 8;
        /// A player has more than one king, or a king is in hand where none can be captured.
        const EXTRA_KING = 16;
        /// The player who just moved stands in check.
        const OPPONENT_IN_CHECK = 32;
        /// Gote has no king on the board; where kings can be captured, Sente has none either.
        const NO_GOTE_KING = 64;
        /// A piece stands outside the squares that its kind may stand on.
        const OUTSIDE_REGION = 128;
        /// A player has no king on the board, or neither has.
        const MISSING_KING = Self::NO_SENTE_KING.bits() | Self::NO_GOTE_KING.bits();
    }
}

impl Faults {
    const fn text(self) -> &'static str {
        match self {
            Self::TOO_MANY_PIECES => "more pieces of a kind than the set has",
            Self::NIFU => "two unpromoted pawns of one player on a file",
            Self::IMMOBILE => "a piece that can never move again",
            Self::NO_SENTE_KING => "Sente has no king",
            Self::NO_GOTE_KING => "Gote has no king",
            Self::OUTSIDE_REGION => "a piece stands outside its region",
            Self::EXTRA_KING => "a player has more than one king, or a king is in hand",
            _ => "the player who just moved stands in check",
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_faults(*self, None, f)
    }
}

/// A placement that is not a legal position of the game, with every reason.
///
/// ```
/// use shogi_core::{Faults, Position, parse_sfen};
/// use shogi_rules::Minishogi;
///
/// // A rook of Sente, who is to move, gives check.
/// let (placement, _) = parse_sfen::<Minishogi>("4k/4R/5/5/K4 b - 1")?;
/// assert_eq!(Position::new(placement).unwrap_err().faults, Faults::OPPONENT_IN_CHECK);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("illegal position: {}", FaultsInWords(self))]
pub struct InvalidPosition<R: RuleTable> {
    /// Everything that is wrong with it.
    pub faults: Faults,
    /// The placement itself.
    pub placement: Placement<R>,
}

/// Displays the faults of a position and names the kind of which there are too many pieces.
struct FaultsInWords<'a, R: RuleTable>(&'a InvalidPosition<R>);

impl<R: RuleTable> fmt::Display for FaultsInWords<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InvalidPosition { faults, placement } = self.0;
        write_faults(*faults, placement.kind_in_excess().map(Kind::spec::<R>), f)
    }
}

/// Writes the faults and names the kind of which there are too many pieces.
fn write_faults(
    faults: Faults,
    excess: Option<&KindSpec>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (i, fault) in faults.iter().enumerate() {
        let separator = if i == 0 { "" } else { "; " };
        write!(f, "{separator}{}", fault.text())?;
        if let Some(spec) = excess.filter(|_| fault == Faults::TOO_MANY_PIECES) {
            write!(f, ": {}, of which it has {}", spec.letter, spec.count)?;
        }
    }
    Ok(())
}

impl<R: RuleTable> Placement<R> {
    /// Every reason why this placement is not a legal position of the game; empty if it is one.
    /// Fewer pieces than the full set are allowed.
    pub fn faults(&self) -> Faults {
        let mut faults = Faults::empty();
        faults.set(Faults::TOO_MANY_PIECES, self.has_too_many_pieces());
        faults.set(Faults::NIFU, self.has_nifu());
        faults.set(Faults::IMMOBILE, self.has_immobile());
        faults.set(Faults::OUTSIDE_REGION, self.has_outsider());
        let kings = |colour| (self.royals() & self.of(colour)).len();
        let (sente, gote) = (kings(Colour::Sente), kings(Colour::Gote));
        // Where kings can be captured, one may be missing and in the other player's hand.
        let is_missing = R::royal_safety() || sente + gote == 0;
        faults.set(Faults::NO_SENTE_KING, is_missing && sente == 0);
        faults.set(Faults::NO_GOTE_KING, is_missing && gote == 0);
        let captured = R::royal_safety() && self.king_in_hand();
        faults.set(Faults::EXTRA_KING, captured || sente > 1 || gote > 1);
        faults.set(Faults::OPPONENT_IN_CHECK, R::royal_safety() && self.in_check(!self.side()));
        faults
    }

    /// Whether more pieces of a kind are on the board and in hand than the set has.
    pub fn has_too_many_pieces(&self) -> bool {
        self.kind_in_excess().is_some()
    }

    /// The first kind of which there are more pieces than the set has.
    fn kind_in_excess(&self) -> Option<Kind> {
        for kind in Kind::all::<R>() {
            let in_hands = self.hands[0].count(kind) + self.hands[1].count(kind);
            let count = self.kind(kind).len() + u32::from(in_hands);
            if count > u32::from(kind.spec::<R>().count) {
                return Some(kind);
            }
        }
        None
    }

    /// Whether a player has two unpromoted pawns on a file, where that is illegal.
    #[inline]
    pub fn has_nifu(&self) -> bool {
        let Some(limit) = R::pawns_on_a_file() else { return false };
        if limit > 1 {
            return self.has_more_on_a_file(u32::from(limit));
        }
        for colour in Colour::ALL {
            let mut pawns = self.pawns() & self.of(colour);
            while let Some(pawn) = pawns.pop() {
                if Bitboard::file(pawn).meets(pawns) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a player has more than `limit` unpromoted pawns on a file.
    fn has_more_on_a_file(&self, limit: u32) -> bool {
        Colour::ALL.into_iter().any(|colour| {
            let pawns = self.pawns() & self.of(colour);
            pawns.iter().any(|pawn| (Bitboard::file(pawn) & pawns).len() > limit)
        })
    }

    /// Whether a piece stands where it can never move again, where that is illegal.
    #[inline]
    pub fn has_immobile(&self) -> bool {
        if R::allows_immobile() || R::allows_immobile_drops() {
            return false;
        }
        let mut immobile = Bitboard::EMPTY;
        crate::for_each_face!(R, |face, _movement| {
            for colour in Colour::ALL {
                immobile |= R::dead_squares(face, colour) & self.of(colour) & self.face(face);
            }
        });
        !immobile.is_empty()
    }

    /// Whether a piece stands outside the squares that its kind may stand on.
    #[inline]
    pub fn has_outsider(&self) -> bool {
        R::has_outsider(self)
    }

    fn king_in_hand(&self) -> bool {
        R::royal().is_some_and(|king| self.hands.iter().any(|hand| hand.has(king)))
    }
}
