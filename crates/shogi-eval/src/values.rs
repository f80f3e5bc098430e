//! The values of pieces, on the board and in hand.

use shogi_core::{
    Bitboard, Colour, Drops, Face, Geometry, Kind, KindSpec, MAX_KINDS, Promotion, Role, RuleTable,
    Square, face_attacks,
};
use shogi_rules::Rules;

/// The value of each face on the board and of each kind in hand, in hundredths of a pawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    board: [i32; Face::MAX],
    hand: [i32; MAX_KINDS],
}

impl Values {
    /// A royal piece: more than all others together.
    pub const ROYAL: i32 = 10_000;
    /// The bonus of a piece in hand over one on the board, in per cent, as in "AI for playing shogi
    /// (Japanese chess)"; see the references of docs/how/engine.md.
    pub const HAND_BONUS: i32 = 30;

    /// Values from a function of the face; in hand the front's value and 30 % more.
    ///
    /// ```
    /// use shogi_rules::Shogi;
    /// use shogi_rules::shogi_core::{Face, Kind};
    /// use shogi_eval::Values;
    /// let values = Values::new::<Shogi>(|face| if face.promoted { 300 } else { 200 });
    /// assert_eq!(values.board(Face::back(Kind::new(0))), 300);
    /// assert_eq!(values.hand(Kind::new(0)), 260);
    /// ```
    pub fn new<R: RuleTable>(value: impl Fn(Face) -> i32) -> Self {
        Self::of_kinds(R::kinds(), R::DROP_EITHER_FACE, &value)
    }

    fn of_kinds(kinds: &[KindSpec], drop_either_face: bool, value: &dyn Fn(Face) -> i32) -> Self {
        let (mut board, mut hand) = ([0; Face::MAX], [0; MAX_KINDS]);
        for (index, spec) in kinds.iter().enumerate() {
            let kind = Kind::new(index as u8);
            let (front, back) = (Face::front(kind), Face::back(kind));
            let royal = spec.role == Role::Royal;
            let worth = |face| if royal { Self::ROYAL } else { value(face) };
            board[front.index()] = worth(front);
            if spec.back.is_some() {
                board[back.index()] = worth(back);
            }
            let (front, back) = (board[front.index()], board[back.index()]);
            let best = match spec.drops {
                Drops::Front if !drop_either_face => front,
                Drops::Back => back,
                _ => front.max(back),
            };
            if !royal {
                hand[index] = best * (100 + Self::HAND_BONUS) / 100;
            }
        }
        Self { board, hand }
    }

    /// Values for any rule table: 60 for a piece and 40 for each square that it attacks on an empty
    /// board, averaged over the squares it can stand on.
    ///
    /// In Kyoto shogi and Micro shogi, where pieces turn over as they move or capture, the mean of both
    /// faces.
    pub fn by_freedom<R: RuleTable>() -> Self {
        let freedom = |face: Face| {
            let Some(movement) = face.movement::<R>() else { return 0 };
            let mut total = 0;
            for square in Square::<R::Geometry>::all() {
                let reached =
                    face_attacks::<R>((face, movement), Colour::Sente, square, Bitboard::EMPTY);
                total += reached.len() as i32;
            }
            60 + 40 * total / R::Geometry::area() as i32
        };
        Self::new::<R>(|face| match R::promotion() {
            Promotion::EveryMove | Promotion::OnCapture => {
                (freedom(Face::front(face.kind)) + freedom(Face::back(face.kind))) / 2
            }
            _ => freedom(face),
        })
    }

    /// The values of the literature, [`Rules::VALUES`], in hand 30 % more. Without them the values of
    /// [`Rules::value`], and [`Values::by_freedom`] for faces that it does not know.
    ///
    /// ```
    /// use shogi_rules::Shogi;
    /// use shogi_eval::Values;
    /// let values = Values::standard::<Shogi>();
    /// assert_eq!((values.hand(Shogi::PAWN), values.hand(Shogi::ROOK)), (130, 1950));
    /// ```
    pub fn standard<R: Rules>() -> Self {
        if R::VALUES.is_empty() {
            let estimated = Self::by_freedom::<R>();
            return Self::new::<R>(|face| R::value(face).unwrap_or(estimated.board(face)));
        }
        Self::new::<R>(|face| named(R::VALUES, face.kind.spec::<R>().letter, face.promoted))
    }

    /// The values of the faces of each kind on the board, front and back, as in files.
    #[cfg(feature = "files")]
    pub(crate) fn list<R: RuleTable>(&self) -> Vec<i32> {
        self.board[..2 * R::kinds().len()].to_vec()
    }

    /// Values from a list made by [`Values::list`].
    #[cfg(feature = "files")]
    pub(crate) fn from_list<R: RuleTable>(board: &[i32]) -> Result<Self, ValuesError> {
        Self::of_list(R::kinds(), R::DROP_EITHER_FACE, board)
    }

    #[cfg(feature = "files")]
    fn of_list(
        kinds: &[KindSpec],
        drop_either_face: bool,
        board: &[i32],
    ) -> Result<Self, ValuesError> {
        ValuesError::check(board, 2 * kinds.len())?;
        Ok(Self::of_kinds(kinds, drop_either_face, &|face| board[face.index()]))
    }

    /// The value of a face on the board.
    #[inline(always)]
    pub const fn board<T: Copy>(&self, face: Face<T>) -> i32 {
        self.board[face.index()]
    }

    /// The value of a piece in hand.
    #[inline(always)]
    pub const fn hand<T: Copy>(&self, kind: Kind<T>) -> i32 {
        self.hand[kind.index()]
    }

    /// The change of balance when this face is captured: it leaves the board, and its kind goes to the
    /// other hand.
    #[inline(always)]
    pub const fn capture<T: Copy>(&self, face: Face<T>) -> i32 {
        self.board(face) + self.hand(face.kind)
    }
}

/// The faces of kinds, each kind's front before its back.
pub fn faces(kinds: &[KindSpec]) -> Vec<Face> {
    let mut faces = Vec::new();
    for (index, spec) in kinds.iter().enumerate() {
        let kind = Kind::new(index as u8);
        faces.push(Face::front(kind));
        if spec.back.is_some() {
            faces.push(Face::back(kind));
        }
    }
    faces
}

/// The value of a face by its name, a letter behind `+` if it is promoted; 0 without one.
fn named(values: &[(&str, i32)], letter: char, promoted: bool) -> i32 {
    let is = |name: &str| name.ends_with(letter) && name.starts_with('+') == promoted;
    values.iter().find(|(name, _)| is(name)).map_or(0, |&(_, value)| value)
}

/// Why numbers are not valid values of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ValuesError {
    /// The number of values is not that of faces.
    #[error("{found} values of pieces instead of {expected}")]
    Count {
        /// Numbers given.
        found: usize,
        /// Numbers needed.
        expected: usize,
    },
    /// A value is out of range.
    #[error("the value of a piece is {value}, which is not between 0 and {max}", max = Values::ROYAL)]
    Range {
        /// The value, in hundredths of a pawn.
        value: i32,
    },
}

#[cfg(feature = "files")]
impl ValuesError {
    /// Checks the number of values and their ranges.
    fn check(values: &[i32], expected: usize) -> Result<(), Self> {
        if values.len() != expected {
            return Err(Self::Count { found: values.len(), expected });
        }
        match values.iter().find(|value| !(0..=Values::ROYAL).contains(*value)) {
            Some(&value) => Err(Self::Range { value }),
            None => Ok(()),
        }
    }
}
