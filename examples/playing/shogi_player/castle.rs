//! Castles: formations around the king that are known to hold.

use shogi_rules::Rules;
use shogi_rules::shogi_core::{Colour, Face, Kind, KindSpec, Placement, Square};

/// A formation, as Sente builds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Castle<R: Rules> {
    /// Its name.
    pub name: &'static str,
    king: Square<R::Geometry>,
    guards: Vec<(Face, Square<R::Geometry>)>,
}

impl<R: Rules> Castle<R> {
    /// The castles of the variant, [`Rules::CASTLES`], each on either side of the board.
    pub fn all() -> Vec<Self> {
        let mut castles = Vec::new();
        for (name, pieces) in R::CASTLES {
            if let Some(castle) = Self::new(name, pieces) {
                castles.push(castle.mirror());
                castles.push(castle);
            }
        }
        castles
    }

    /// `None` for a pattern that names no kind or no square.
    fn new(name: &'static str, pieces: &[&str]) -> Option<Self> {
        let (king, guards) = pieces.split_first()?;
        let mut castle = Self { name, king: piece::<R>(king)?.1, guards: Vec::new() };
        for guard in guards {
            castle.guards.push(piece::<R>(guard)?);
        }
        Some(castle)
    }

    fn mirror(&self) -> Self {
        let mut castle = self.clone();
        castle.king = self.king.mirror();
        for (_, square) in &mut castle.guards {
            *square = square.mirror();
        }
        castle
    }

    /// How many of its pieces stand beside the king, and of how many; `None` if the king stands
    /// elsewhere.
    fn found(&self, placement: &Placement<R>, colour: Colour) -> Option<(u32, u32)> {
        let seen = |square: Square<R::Geometry>| match colour {
            Colour::Sente => square,
            Colour::Gote => square.rotate(),
        };
        if placement.king(colour) != Some(seen(self.king)) {
            return None;
        }
        let own = placement.of(colour);
        let mut found = 0;
        for &(face, square) in &self.guards {
            found += u32::from((placement.face(face) & own).contains(seen(square)));
        }
        Some((found, self.guards.len() as u32))
    }

    /// The castle of a player that is most nearly complete, the last of several, with the pieces of it that stand and all of
    /// its pieces but the king.
    pub fn best<'c>(
        castles: &'c [Self],
        placement: &Placement<R>,
        colour: Colour,
    ) -> Option<(&'c Self, u32, u32)> {
        let mut best = None;
        let mut most = 0;
        for castle in castles {
            let Some((standing, of)) = castle.found(placement, colour) else { continue };
            if standing > 0 && standing * 100 / of >= most {
                most = standing * 100 / of;
                best = Some((castle, standing, of));
            }
        }
        best
    }
}

/// The piece with a letter and a square, such as `K8h`.
fn piece<R: Rules>(text: &str) -> Option<(Face, Square<R::Geometry>)> {
    let (kind, square) = kind_and_square(text, R::KINDS)?;
    Some((Face::front(kind), square.parse().ok()?))
}

fn kind_and_square<'t>(text: &'t str, kinds: &[KindSpec]) -> Option<(Kind, &'t str)> {
    let letter = text.chars().next()?;
    let kind = kinds.iter().position(|kind| kind.letter == letter)?;
    Some((Kind::new(kind as u8), text.get(1..)?))
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Shogi, parse_position};

    use super::*;

    #[test]
    fn a_yagura_is_found_for_its_owner_alone() {
        let castles = Castle::<Shogi>::all();
        let yagura = parse_position::<Shogi>("4k4/9/9/9/9/9/2SG5/1KG6/9 b - 1").unwrap();
        let (found, standing, of) = Castle::best(&castles, &yagura, Colour::Sente).unwrap();
        assert_eq!((found.name, standing, of), ("Yagura", 3, 3));
        assert!(Castle::best(&castles, &yagura, Colour::Gote).is_none());
    }
}
