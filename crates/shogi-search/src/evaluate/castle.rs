//! Castles of standard shogi: formations around the king that are known to hold.

use std::sync::LazyLock;

use shogi_core::{Board9x9, Colour, Face, Kind, Placement, Square};
use shogi_rules::Shogi;

/// A formation, as Sente builds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Castle {
    /// Its name.
    pub name: &'static str,
    king: Square<Board9x9>,
    guards: Vec<(Face, Square<Board9x9>)>,
}

/// Name, and pieces with their squares, the king first.
const PATTERNS: [(&str, &[&str]); 4] = [
    ("Yagura", &["K8h", "G7h", "G6g", "S7g"]),
    ("Mino", &["K2h", "S3h", "G4i", "G5h"]),
    ("Anaguma", &["K9i", "L9h", "S8h", "G7i", "G7h"]),
    ("Funa", &["K7h", "S7i", "G6i", "G5h"]),
];

static CASTLES: LazyLock<Vec<Castle>> = LazyLock::new(|| {
    let built = PATTERNS.iter().filter_map(|(name, pieces)| Castle::new(name, pieces));
    built.flat_map(|castle| [castle.mirror(), castle]).collect()
});

impl Castle {
    /// `None` for a pattern that names no kind or no square, which those here do.
    fn new(name: &'static str, pieces: &[&str]) -> Option<Self> {
        let piece = |text: &&str| {
            let letter = text.chars().next()?;
            let kind = Kind::all::<Shogi>().find(|kind| kind.spec::<Shogi>().letter == letter)?;
            Some((Face::front(kind), text.get(1..)?.parse().ok()?))
        };
        let mut pieces = pieces.iter().map(piece).collect::<Option<Vec<_>>>()?;
        let (_, king) = pieces.remove(0);
        Some(Self { name, king, guards: pieces })
    }

    fn mirror(&self) -> Self {
        let guards = self.guards.iter().map(|&(face, square)| (face, square.mirror())).collect();
        Self { name: self.name, king: self.king.mirror(), guards }
    }

    /// How many of its pieces stand beside the king, and of how many; `None` if the king stands
    /// elsewhere.
    fn found(&self, placement: &Placement<Shogi>, colour: Colour) -> Option<(u32, u32)> {
        let seen = |square: Square<Board9x9>| match colour {
            Colour::Sente => square,
            Colour::Gote => rotated(square),
        };
        if placement.king(colour) != Some(seen(self.king)) {
            return None;
        }
        let own = placement.of(colour);
        let stands = |(face, square): &&(Face, Square<Board9x9>)| {
            (placement.face(*face) & own).contains(seen(*square))
        };
        let found = self.guards.iter().filter(stands).count();
        Some((found as u32, self.guards.len() as u32))
    }
}

fn rotated(square: Square<Board9x9>) -> Square<Board9x9> {
    // Turning the board reverses the numbers of the squares.
    Square::from_index(80 - square.index()).unwrap_or(square)
}

/// The castle of a player that is most nearly complete, with the pieces of it that stand and all of
/// its pieces but the king.
///
/// Yagura, Mino, Anaguma and Funa (boat), each on either side of the board.
///
/// ```
/// use shogi_search::shogi_rules::{Shogi, parse_position};
/// use shogi_search::shogi_core::Colour;
/// use shogi_search::castle;
/// let yagura = parse_position::<Shogi>("4k4/9/9/9/9/9/2SG5/1KG6/9 b - 1")?;
/// let (found, standing, of) = castle(&yagura, Colour::Sente).expect("the king is at home");
/// assert_eq!((found.name, standing, of), ("Yagura", 3, 3));
/// assert!(castle(&yagura, Colour::Gote).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn castle(placement: &Placement<Shogi>, colour: Colour) -> Option<(&'static Castle, u32, u32)> {
    let found = CASTLES.iter().filter_map(|castle| {
        let (standing, of) = castle.found(placement, colour)?;
        (standing > 0).then_some((castle, standing, of))
    });
    found.max_by_key(|&(_, standing, of)| standing * 100 / of)
}
