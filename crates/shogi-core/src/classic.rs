//! Which rule tables counting, numbering and backward search are made for.

use crate::attack::camp;
use crate::colour::Colour;
use crate::geometry::Geometry as _;
use crate::movement::{Slide, Step};
use crate::spec::TableSpec;
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
    /// The piece with this letter moves otherwise to its left than to its right.
    #[error("the piece {0} moves otherwise to its left than to its right")]
    Lopsided(char),
    /// The piece with this letter captures otherwise than it moves.
    #[error("the piece {0} captures otherwise than it moves")]
    Captures(char),
    /// The piece with this letter may not stand on every square.
    #[error("the piece {0} may not stand on every square")]
    Region(char),
    /// The piece with this letter may not be dropped on every square.
    #[error("the piece {0} may not be dropped on every square")]
    DropRegion(char),
    /// The royal pieces must not face each other.
    #[error("the royal pieces must not face each other")]
    FacingKings,
    /// A player who can capture must.
    #[error("a player who can capture must")]
    MustCapture,
    /// A royal piece that must be safe wins by coming to the far side.
    #[error("the game ends when a royal piece comes to the far side")]
    SafeGoal,
    /// Not all pieces are dropped with the same side up.
    #[error("some pieces are dropped with another face up than others")]
    Drops,
}

/// Whether placements of a rule table can be counted and numbered: left and right are alike, one pawn or any number may
/// stand on a file, the squares where pieces can never move again are whole ranks, and the same for drops as for moves,
/// and every face can come up. How the pieces move matters no further.
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
    if let Some(spec) = R::spec() {
        check_kind_rules(spec)?;
    }
    for kind in Kind::all::<R>() {
        let spec = kind.spec::<R>();
        if !spec.is_mirror_symmetric() {
            return Err(NotClassic::Lopsided(spec.letter));
        }
        for face in [Face::front(kind), Face::back(kind)] {
            let Some(movement) = face.movement::<R>() else { continue };
            // Compiled tables are counted with the ranks that the named patterns have.
            let fits = |ranks| R::RUNTIME || ranks == movement.dead_ranks();
            if !dead_ranks::<R>(face).is_some_and(fits) {
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

/// Whether the checks in placements of a rule table can be counted: its pieces move by named patterns, and the royal one
/// as a king.
///
/// # Errors
///
/// The first kind of which this is not so.
///
/// ```
/// use shogi_core::check_named;
/// use shogi_rules::KyotoShogi;
/// assert_eq!(check_named::<KyotoShogi>(), Ok(()));
/// ```
pub fn check_named<R: RuleTable>() -> Result<(), NotClassic> {
    unnamed(R::kinds()).map_or(Ok(()), Err)
}

/// The first kind that does not move by named patterns, or is royal and does not move as a king.
#[doc(hidden)]
pub const fn unnamed(kinds: &[KindSpec]) -> Option<NotClassic> {
    let mut number = 0;
    while number < kinds.len() {
        let KindSpec { letter, role, front, back, .. } = kinds[number];
        let is_special = match back {
            Some(back) => front.is_special() || back.is_special(),
            None => front.is_special(),
        };
        if is_special {
            return Some(NotClassic::Movement(letter));
        }
        let is_king = matches!((front.step, front.slide), (Step::King, Slide::None));
        if matches!(role, Role::Royal) && !is_king {
            return Some(NotClassic::Royal(letter));
        }
        number += 1;
    }
    None
}

/// On how many of the farthest ranks a face can never move again, if it can on all other squares.
#[doc(hidden)]
pub fn dead_ranks<R: RuleTable>(face: Face) -> Option<u8> {
    let dead = R::dead_squares(face, Colour::Sente);
    (0..R::Geometry::height().min(15)).find(|&ranks| dead == camp(Colour::Sente, ranks))
}

/// Whether kinds have no rules besides their movements, and kings may face each other.
fn check_kind_rules(spec: &TableSpec) -> Result<(), NotClassic> {
    for (kind, extra) in spec.kinds.iter().zip(&spec.extras) {
        if extra.captures != [None; 2] {
            return Err(NotClassic::Captures(kind.letter));
        }
        if extra.region.is_some() {
            return Err(NotClassic::Region(kind.letter));
        }
        if extra.drop_region.is_some() {
            return Err(NotClassic::DropRegion(kind.letter));
        }
    }
    if spec.forbids_facing_kings {
        return Err(NotClassic::FacingKings);
    }
    Ok(())
}

/// Whether positions of a rule table can be traced back: they [can be counted](check_countable) and so can their
/// [checks](check_named), pieces turn
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
    check_named::<R>()?;
    if R::must_capture() {
        return Err(NotClassic::MustCapture);
    }
    if R::safe_goal() > 0 {
        return Err(NotClassic::SafeGoal);
    }
    if R::promotion() == Promotion::OnCapture {
        return Err(NotClassic::TurnsOnCapture);
    }
    let drops = if R::drops_either_face() { Drops::Either } else { Drops::Front };
    // A compiled table states once for all kinds that either face may be dropped, and then not for single
    // kinds.
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
