//! Which rule tables counting, numbering and backward search are made for.

use crate::attack::{camp, dead_squares};
use crate::colour::Colour;
use crate::movement::Movement;
use crate::table::{Drops, Face, Kind, KindSpec, Promotion, Role, RuleTable};

/// Why positions of a rule table cannot be counted, numbered or traced back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotClassic {
    /// The piece with this letter moves by no named pattern.
    #[error("the piece {0} moves like no piece of standard shogi, Kyoto shogi or Dobutsu shogi")]
    Movement(char),
    /// The royal piece, with this letter, does not move like a king.
    #[error("the royal piece {0} does not move as a king")]
    Royal(char),
    /// The squares on which the piece with this letter can never move again are not whole farthest ranks.
    #[error("the piece {0} can never move again on other squares than the farthest ranks")]
    DeadSquares(char),
    /// A player may have this many pawns on a file, which is neither one nor any number.
    #[error("{0} pawns of a player may stand on a file, and not one or any number")]
    PawnsOnAFile(u8),
    /// A piece may be dropped on squares to which it must not move, or the other way round.
    #[error("of moves and drops to where a piece can never move again only one is legal")]
    DeadEnds,
    /// The piece with this letter has a back that never comes up.
    #[error("the back of the piece {0} never comes up")]
    HiddenBack(char),
    /// Pieces turn over when they capture.
    #[error("pieces turn over when they capture")]
    TurnsOnCapture,
    /// Pieces turn over at every move, and only one of their faces is dropped.
    #[error("pieces turn over at every move, and are not dropped with either face up")]
    TurnsAtEveryMove,
    /// Not all pieces are dropped with the same side up.
    #[error("some pieces are dropped with another face up than others")]
    Drops,
}

/// Whether placements of a rule table can be counted and numbered: its pieces move by named patterns, the royal one
/// as a king, one pawn or any number may stand on a file, the squares where they can never move again are whole ranks, and the same
/// for drops as for moves, and every face can come up.
///
/// # Errors
///
/// The first condition that the rule table does not meet.
///
/// ```
/// use shogi_core::check_countable;
/// use shogi_rules::Shogi;
/// assert_eq!(check_countable::<Shogi>(), Ok(()));
/// ```
pub fn check_countable<R: RuleTable>() -> Result<(), NotClassic> {
    for kind in Kind::all::<R>() {
        let spec = kind.spec::<R>();
        if spec.front.is_special() || spec.back.is_some_and(Movement::is_special) {
            return Err(NotClassic::Movement(spec.letter));
        }
        if spec.role == Role::Royal && spec.front != Movement::KING {
            return Err(NotClassic::Royal(spec.letter));
        }
        for face in [Face::front(kind), Face::back(kind)] {
            let ranks = face.movement::<R>().map(Movement::dead_ranks);
            let dead = dead_squares::<R>(face, Colour::Sente);
            if ranks.is_some_and(|ranks| dead != camp(Colour::Sente, ranks)) {
                return Err(NotClassic::DeadSquares(spec.letter));
            }
        }
        let comes_up = R::promotion() != Promotion::Never || Face::back(kind).is_droppable::<R>();
        if spec.back.is_some() && !comes_up {
            return Err(NotClassic::HiddenBack(spec.letter));
        }
    }
    if let Some(limit @ 2..) = R::pawns_on_a_file() {
        return Err(NotClassic::PawnsOnAFile(limit));
    }
    if R::allows_immobile() != R::allows_immobile_drops() {
        return Err(NotClassic::DeadEnds);
    }
    Ok(())
}

/// Whether positions of a rule table can be traced back: they [can be counted](check_countable), pieces turn
/// over in the zone or at every move, and all pieces are dropped in the same way.
///
/// # Errors
///
/// The first condition that the rule table does not meet.
///
/// ```
/// use shogi_core::check_classic;
/// use shogi_rules::KyotoShogi;
/// assert_eq!(check_classic::<KyotoShogi>(), Ok(()));
/// ```
pub fn check_classic<R: RuleTable>() -> Result<(), NotClassic> {
    check_countable::<R>()?;
    if R::promotion() == Promotion::OnCapture {
        return Err(NotClassic::TurnsOnCapture);
    }
    let drops = if R::drops_either_face() { Drops::Either } else { Drops::Front };
    // A compiled table says of all kinds at once that either face is dropped, and then of none by itself.
    let said = if R::DROP_EITHER_FACE { Drops::Front } else { drops };
    let has_back = |kind: &&KindSpec| kind.back.is_some();
    if R::kinds().iter().filter(has_back).any(|kind| kind.drops != said) {
        return Err(NotClassic::Drops);
    }
    if R::promotion() == Promotion::EveryMove && drops == Drops::Front {
        return Err(NotClassic::TurnsAtEveryMove);
    }
    Ok(())
}
