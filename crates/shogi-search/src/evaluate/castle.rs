//! Castles: formations around the king that are known to hold.

use shogi_core::{Colour, Face, Kind, Placement, Square};
use shogi_rules::Rules;

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
    ///
    /// ```
    /// use shogi_search::Castle;
    /// use shogi_search::shogi_core::Colour;
    /// use shogi_search::shogi_rules::{Shogi, parse_position};
    /// let castles = Castle::<Shogi>::all();
    /// let yagura = parse_position::<Shogi>("4k4/9/9/9/9/9/2SG5/1KG6/9 b - 1")?;
    /// let (found, standing, of) = Castle::best(&castles, &yagura, Colour::Sente).expect("a castle");
    /// assert_eq!((found.name, standing, of), ("Yagura", 3, 3));
    /// assert!(Castle::best(&castles, &yagura, Colour::Gote).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        let mut guards = Vec::new();
        for &(face, square) in &self.guards {
            guards.push((face, square.mirror()));
        }
        Self { name: self.name, king: self.king.mirror(), guards }
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
        let stands = |(face, square): &&(Face, Square<R::Geometry>)| {
            (placement.face(*face) & own).contains(seen(*square))
        };
        let found = self.guards.iter().filter(stands).count();
        Some((found as u32, self.guards.len() as u32))
    }

    /// The castle of a player that is most nearly complete, with the pieces of it that stand and all of
    /// its pieces but the king.
    pub fn best<'c>(
        castles: &'c [Self],
        placement: &Placement<R>,
        colour: Colour,
    ) -> Option<(&'c Self, u32, u32)> {
        let found = castles.iter().filter_map(|castle| {
            let (standing, of) = castle.found(placement, colour)?;
            (standing > 0).then_some((castle, standing, of))
        });
        found.max_by_key(|&(_, standing, of)| standing * 100 / of)
    }
}

/// The piece with a letter and a square, such as `K8h`.
fn piece<R: Rules>(text: &str) -> Option<(Face, Square<R::Geometry>)> {
    let letter = text.chars().next()?;
    let square = text.get(1..)?.parse().ok()?;
    for kind in Kind::all::<R>() {
        if kind.spec::<R>().letter == letter {
            return Some((Face::front(kind), square));
        }
    }
    None
}
