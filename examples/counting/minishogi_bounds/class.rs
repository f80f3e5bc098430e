//! The class whose positions are all reachable, by its definition.
//!
//! Say that a piece sees what it would attack on a board that is empty but for itself. A position is in the class if
//!
//! 1. no piece sees the other player's king, and the kings are not adjacent;
//! 2. of the pieces that show their front, the player who moved last has as many on the board as the other, or one more;
//! 3. at most two pieces are promoted, and these alone with the kings, the *core*, come apart by lemma L7, unless none is.
//!
//! Such a position is reachable. Drops of fronts are taken back in turns until the core is left: nothing sees a king, so
//! no drop gives check or uncovers one, whatever stands on the board; nothing is nifu or dead that was not. The core is
//! reachable by L7, or because all bare kings are.

use shogi_core::{
    Bitboard, Board5x5, Colour, Face, Kind, Placement, Square, face_attacks, for_each_face,
};
use shogi_reach::Reach;
use shogi_rules::Minishogi;

/// A set of squares of Minishogi.
pub type Set = Bitboard<Board5x5>;

/// The most promoted pieces of a position of the class.
pub const MOST_PROMOTED: u32 = 2;

/// What each face of each player sees from each square.
pub struct Sights([[[Set; 25]; Face::MAX]; 2]);

impl Sights {
    pub fn new() -> Self {
        let mut sights = [[[Set::EMPTY; 25]; Face::MAX]; 2];
        for colour in Colour::ALL {
            for square in Square::all() {
                for_each_face!(Minishogi, |face, movement| {
                    sights[colour.index()][face.index()][square.index()] =
                        face_attacks::<Minishogi>((face, movement), colour, square, Set::EMPTY);
                });
            }
        }
        Self(sights)
    }

    /// Where a face of a player's may stand so that it does not see a square.
    pub fn blind(&self, colour: Colour, face: Face, king: Square<Board5x5>) -> Set {
        let sights = &self.0[colour.index()][face.index()];
        Square::all().filter(|from| !sights[from.index()].contains(king)).collect()
    }
}

/// Whether kings stand neither on one square nor beside each other.
pub fn are_apart([sente, gote]: [Square<Board5x5>; 2]) -> bool {
    sente.column().abs_diff(gote.column()).max(sente.rank().abs_diff(gote.rank())) > 1
}

/// Whether a position that passes the stage pawn is in the class.
pub fn is_member(
    reach: &Reach<Minishogi>,
    sights: &Sights,
    placement: &Placement<Minishogi>,
) -> bool {
    let (Some(sente), Some(gote)) = (placement.king(Colour::Sente), placement.king(Colour::Gote))
    else {
        return false;
    };
    let promoted = placement.promoted();
    if !are_apart([sente, gote]) || promoted.len() > MOST_PROMOTED {
        return false;
    }
    let mut core = *placement;
    let mut fronts = [0_i32; 2];
    for (square, piece) in placement.pieces().filter(|(square, _)| ![sente, gote].contains(square))
    {
        let king = if piece.colour == Colour::Sente { gote } else { sente };
        if sights.0[piece.colour.index()][piece.face.index()][square.index()].contains(king) {
            return false;
        }
        if !piece.face.promoted {
            fronts[piece.colour.index()] += 1;
            core.lift(square);
        }
    }
    let mover = placement.side();
    let more = fronts[(!mover).index()] - fronts[mover.index()];
    (0..=1).contains(&more) && (promoted.is_empty() || reach.comes_apart(&core))
}

/// The kinds of the game but the king.
pub fn kinds() -> impl Iterator<Item = Kind> {
    Kind::all::<Minishogi>().filter(|kind| kind.spec::<Minishogi>().letter != 'K')
}
