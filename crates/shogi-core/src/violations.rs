//! The rules that an illegal move breaks, named as a referee names them.

use core::fmt;

use bitflags::bitflags;

use crate::attack::{camp, face_moves};
use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::placement::{Piece, Placement};
use crate::square::Square;
use crate::table::{Face, Role, RuleTable};

bitflags! {
    /// All rules that a move breaks; empty if it is legal.
    ///
    /// By the Japan Shogi Association's playing regulations (taikyoku kitei, article 8) a player
    /// who breaks one loses at once.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct Violations: u16 {
        /// No piece of the player stands on the square, or none of the kind is in hand.
        const NO_SUCH_PIECE = 1;
        /// The piece does not move that way, or the square is not free for it.
        const NO_SUCH_MOVE = 2;
        /// The piece turns over where it may not or keeps its face where it must turn over, or is
        /// dropped with the wrong face up.
        const WRONG_FACE = 4;
        /// The piece could never move again.
        const IMMOBILE = 8;
        /// Nifu: one unpromoted pawn too many on the file, mostly a second one.
        const NIFU = 16;
        /// The player's own king is in check after the move.
        const KING_LEFT_IN_CHECK = 32;
        /// Drop-pawn mate (uchifuzume).
        const DROP_PAWN_MATE = 64;
        /// The rules of the game let no piece of the kind be dropped on the square.
        const OUTSIDE_REGION = 128;
        /// Another move captures, where a player who can capture must.
        const MUST_CAPTURE = 256;
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.iter().map(|violation| match violation {
            Self::NO_SUCH_PIECE => "the player has no such piece",
            Self::NO_SUCH_MOVE => "the piece cannot go there",
            Self::WRONG_FACE => "the piece has the wrong face up",
            Self::IMMOBILE => "the piece could never move again",
            Self::NIFU => "nifu",
            Self::KING_LEFT_IN_CHECK => "the king is left in check",
            Self::MUST_CAPTURE => "a piece can be captured and must be",
            Self::OUTSIDE_REGION => "the piece is never dropped there",
            _ => "drop-pawn mate",
        });
        for (i, word) in words.enumerate() {
            let separator = if i == 0 { "" } else { "; " };
            write!(f, "{separator}{word}")?;
        }
        Ok(())
    }
}

/// A move that is not legal in a position: what [`Position::play`](crate::Position::play) refuses.
///
/// ```
/// use shogi_rules::{Minishogi, Rules, Violations};
/// let error = Minishogi::start().play("5d5b".parse()?).unwrap_err();
/// assert_eq!(error.broken, Violations::NO_SUCH_MOVE);
/// assert_eq!(
///     error.to_string(),
///     "the move 5d5b is illegal in rbsgk/4p/5/P4/KGSBR b - 1: the piece cannot go there",
/// );
/// # Ok::<(), shogi_rules::UsiError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the move {mv} is illegal in {placement}: {broken}")]
pub struct IllegalMove<R: RuleTable> {
    /// The move.
    pub mv: Move<R>,
    /// The position it was to be made in.
    pub placement: Placement<R>,
    /// The rules that it breaks, at least one.
    pub broken: Violations,
}

impl<R: RuleTable> Placement<R> {
    /// Refuses a move that is not legal here.
    pub(crate) fn check_move(&self, mv: Move<R>) -> Result<(), IllegalMove<R>> {
        let broken = violations(self, mv);
        if broken.is_empty() { Ok(()) } else { Err(IllegalMove { mv, placement: *self, broken }) }
    }
}

/// All rules that a move breaks in this position; empty exactly if it is legal.
///
/// The position after the move is judged only if the piece can make the move at all.
///
/// ```
/// use shogi_rules::{Minishogi, Violations, parse_position, parse_usi, violations};
/// let position = parse_position::<Minishogi>("r2gk/4s/P4/5/KGSBR b bP 1")?;
/// let broken = |usi| parse_usi(usi).map(|mv| violations(&position, mv));
/// assert_eq!(broken("P*5b")?, Violations::NIFU);
/// assert_eq!(broken("P*4a")?, Violations::IMMOBILE);
/// assert_eq!(broken("P*5a")?, Violations::NO_SUCH_MOVE);
/// assert_eq!(broken("S*3c")?, Violations::NO_SUCH_PIECE);
/// assert!(broken("P*3c")?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn violations<R: RuleTable>(placement: &Placement<R>, mv: Move<R>) -> Violations {
    let unmakable = match mv {
        Move::Board { from, to, turn } => moving(placement, from, to, turn),
        Move::Drop { face, to } => dropping(placement, face, to),
    };
    if unmakable.is_empty() { judge(placement, mv) } else { unmakable }
}

/// The rules that keep a piece on the board from making a move.
fn moving<R: RuleTable>(
    placement: &Placement<R>,
    from: Square<R::Geometry>,
    to: Square<R::Geometry>,
    turn: bool,
) -> Violations {
    let us = placement.side();
    let face = match placement.piece(from) {
        Some(Piece { face, colour }) if colour == us => face,
        _ => return Violations::NO_SUCH_PIECE,
    };
    let reaches = face.movement::<R>().is_some_and(|movement| {
        let (occupied, enemies) = (placement.occupied(), placement.of(!us));
        let reached = face_moves::<R>((face, movement), us, from, occupied, enemies);
        (reached - placement.of(us)).contains(to)
    });
    let zone = camp(us, R::zone());
    let may_promote = !face.promoted && (zone.contains(from) || zone.contains(to));
    let fits = match face.kind.spec::<R>().back {
        None => !turn,
        Some(_) => R::promotion().allows(turn, may_promote, placement.of(!us).contains(to)),
    };
    let mut broken = Violations::empty();
    broken.set(Violations::NO_SUCH_MOVE, !reaches);
    broken.set(Violations::WRONG_FACE, !fits);
    broken
}

/// The rules that keep a piece in hand from being dropped on a square.
fn dropping<R: RuleTable>(
    placement: &Placement<R>,
    face: Face,
    to: Square<R::Geometry>,
) -> Violations {
    if !placement.hand(placement.side()).has(face.kind) {
        return Violations::NO_SUCH_PIECE;
    }
    let spec = face.kind.spec::<R>();
    let royal = spec.role == Role::Royal;
    let fits = royal && !face.promoted || face.is_droppable::<R>();
    let free = !royal && !placement.occupied().contains(to);
    let mut broken = Violations::empty();
    broken.set(Violations::NO_SUCH_MOVE, !free);
    broken.set(Violations::WRONG_FACE, !fits);
    let outside = free && fits && !R::allows_drop(face, placement.side(), to);
    broken.set(Violations::OUTSIDE_REGION, outside);
    broken
}

/// The rules that the position after a move breaks.
fn judge<R: RuleTable>(placement: &Placement<R>, mv: Move<R>) -> Violations {
    let us = placement.side();
    let to = mv.to();
    let next = placement.play_unchecked(mv);
    let pawn_drop = matches!(mv, Move::Drop { face, .. }
        if face.kind.spec::<R>().role == Role::Pawn && !face.promoted);
    let is_dead = |piece: Piece| R::dead_squares(piece.face, us).contains(to);
    let immobile = next.piece(to).is_some_and(is_dead);
    let may_be_immobile = match mv {
        Move::Board { .. } => R::allows_immobile(),
        Move::Drop { .. } => R::allows_immobile_drops(),
    };
    let pawns = (placement.pawns() & placement.of(us) & Bitboard::file(to)).len();
    let is_full = R::pawns_on_a_file().is_some_and(|limit| pawns >= u32::from(limit));
    let in_check = R::royal_safety() && next.in_check(us);
    let mut broken = Violations::empty();
    broken.set(Violations::IMMOBILE, !may_be_immobile && immobile);
    broken.set(Violations::NIFU, pawn_drop && is_full);
    broken.set(Violations::KING_LEFT_IN_CHECK, in_check);
    // A player whose own king is in check cannot give mate: the king would be captured first.
    let judged = R::royal_safety() && !R::allows_drop_pawn_mate() && pawn_drop && !in_check;
    broken.set(Violations::DROP_PAWN_MATE, judged && next.is_mate());
    let quiet = !placement.of(!us).contains(to);
    broken.set(Violations::MUST_CAPTURE, R::must_capture() && quiet && placement.has_capture());
    broken
}
