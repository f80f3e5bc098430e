//! The numbers of the inputs: HalfKP and K-P with the pieces of Bonanza.

use shogi_core::{
    Colour, Face, Geometry, Kind, KindSpec, MAX_KINDS, Piece, Role, RuleTable, Square,
};

use crate::network::RowCounts;

/// Squares of the board.
const SQUARES: usize = 81;
/// Pieces on squares and in hands, as a player sees them; number 0 is none of them. The kings follow where they are
/// pieces, the player's and then the opponent's.
const PIECES: usize = 1548;
/// The kings on the square of number 0.
const KINGS: [u16; 2] = [PIECES as u16, (PIECES + SQUARES) as u16];

/// The inputs of a network.
///
/// ```
/// use shogi_eval::nn_bin::FeatureSet;
/// assert_eq!(FeatureSet::HalfKp.name(), "HalfKP 256x2-32-32");
/// assert_eq!(FeatureSet::Kp.name(), "K-P 256x2-32-32");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FeatureSet {
    /// Every piece but the kings together with the square of the player's own king: 125,388 inputs.
    HalfKp,
    /// Every piece, kings among them: 1,710 inputs.
    Kp,
}

impl FeatureSet {
    /// Both kinds of inputs.
    pub const ALL: [Self; 2] = [Self::HalfKp, Self::Kp];

    /// The name that the community gives to networks with these inputs and the layers that are read here.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HalfKp => "HalfKP 256x2-32-32",
            Self::Kp => "K-P 256x2-32-32",
        }
    }

    /// Number of inputs of a player.
    pub(super) const fn count(self) -> usize {
        match self {
            Self::HalfKp => SQUARES * PIECES,
            Self::Kp => PIECES + 2 * SQUARES,
        }
    }

    /// The counts of inputs, of which some depend on the square of the player's own king.
    pub(super) const fn counts(self) -> RowCounts {
        let all = self.count();
        match self {
            Self::HalfKp => RowCounts { all, pieces: all, by_king: PIECES },
            Self::Kp => RowCounts { all, pieces: 0, by_king: 0 },
        }
    }
}

/// The first piece of a kind in hand: that of the player, that of the opponent. The others follow.
const HANDS: [(char, [u16; 2]); 7] = [
    ('P', [1, 20]),
    ('L', [39, 44]),
    ('N', [49, 54]),
    ('S', [59, 64]),
    ('G', [69, 74]),
    ('B', [79, 82]),
    ('R', [85, 88]),
];

/// The player's pieces on the square of number 0; the opponent's come 81 later. Promoted pieces that move
/// like gold generals count as such.
const BOARD: [(char, [u16; 2]); 7] = [
    ('P', [90, 738]),
    ('L', [252, 738]),
    ('N', [414, 738]),
    ('S', [576, 738]),
    ('G', [738, 738]),
    ('B', [900, 1062]),
    ('R', [1224, 1386]),
];

/// The numbers of the pieces of a rule table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PieceNumbers {
    pub(super) set: FeatureSet,
    /// By face, for the player's and the opponent's pieces; 0 for kings in HalfKP, which are not inputs.
    board: [[u16; 2]; Face::MAX],
    /// By kind.
    hand: [[u16; 2]; MAX_KINDS],
}

impl PieceNumbers {
    /// `None` for other boards than 9x9 and other pieces than those of shogi.
    pub(super) fn new<R: RuleTable>(set: FeatureSet) -> Option<Self> {
        let board = (R::Geometry::WIDTH, R::Geometry::HEIGHT);
        if board == (9, 9) { Self::of_kinds(set, R::KINDS) } else { None }
    }

    fn of_kinds(set: FeatureSet, kinds: &[KindSpec]) -> Option<Self> {
        let mut numbers = Self { set, board: [[0; 2]; Face::MAX], hand: [[0; 2]; MAX_KINDS] };
        for (index, &KindSpec { letter, role, .. }) in kinds.iter().enumerate() {
            let kind = Kind::new(index as u8);
            if role == Role::Royal {
                if set == FeatureSet::Kp {
                    numbers.board[Face::front(kind).index()] = KINGS;
                }
                continue;
            }
            let (_, hand) = HANDS.into_iter().find(|&(known, _)| known == letter)?;
            let (_, faces) = BOARD.into_iter().find(|&(known, _)| known == letter)?;
            numbers.hand[index] = hand;
            for (face, number) in [Face::front(kind), Face::back(kind)].into_iter().zip(faces) {
                numbers.board[face.index()] = [number, number + SQUARES as u16];
            }
        }
        Some(numbers)
    }
}

/// A player's view of the pieces.
#[derive(Clone, Copy)]
pub(super) struct View<'n> {
    numbers: &'n PieceNumbers,
    player: Colour,
    /// The number of the first piece, in HalfKP that with the player's king.
    first: usize,
}

impl<'n> View<'n> {
    /// The view of a player whose king stands there; `None` where inputs depend on the king and there is none.
    #[inline]
    pub(super) fn new<G: Geometry>(
        numbers: &'n PieceNumbers,
        player: Colour,
        king: Option<Square<G>>,
    ) -> Option<Self> {
        let first = match numbers.set {
            FeatureSet::HalfKp => square_number(player, king?) * PIECES,
            FeatureSet::Kp => 0,
        };
        Some(Self { numbers, player, first })
    }

    /// The input of a piece on the board; `None` for a king in HalfKP.
    #[inline]
    pub(super) fn on_board<G: Geometry>(&self, square: Square<G>, piece: Piece) -> Option<usize> {
        let number = self.numbers.board[piece.face.index()][self.owner(piece.colour)];
        let seen = usize::from(number) + square_number(self.player, square);
        (number > 0).then_some(self.first + seen)
    }

    /// The input of the piece of a kind in a hand with this number, from 0.
    #[inline]
    pub(super) fn in_hand(&self, owner: Colour, kind: Kind, nth: usize) -> usize {
        self.first + usize::from(self.numbers.hand[kind.index()][self.owner(owner)]) + nth
    }

    fn owner(&self, colour: Colour) -> usize {
        usize::from(colour != self.player)
    }
}

/// Squares are numbered file by file from the right, each from the far side, as the player sees them.
fn square_number<G: Geometry>(player: Colour, square: Square<G>) -> usize {
    let seen = match player {
        Colour::Sente => square,
        Colour::Gote => square.rotate(),
    };
    (usize::from(seen.file()) - 1) * usize::from(G::HEIGHT) + usize::from(seen.rank())
}

#[cfg(test)]
mod tests {
    use shogi_core::Board9x9;
    use shogi_rules::{Minishogi, Shogi};

    use super::*;

    #[test]
    fn pieces_have_the_numbers_of_the_format() {
        let numbers = PieceNumbers::new::<Shogi>(FeatureSet::HalfKp).unwrap();
        let square = |text: &str| -> Square<Board9x9> { text.parse().unwrap() };
        let piece = |letter, promoted, colour| {
            let kind = Kind::all::<Shogi>().find(|kind| kind.spec::<Shogi>().letter == letter);
            Piece { face: Face { kind: kind.unwrap(), promoted }, colour }
        };
        // The king on 5i has the number 4 * 9 + 8.
        let sente = View::new(&numbers, Colour::Sente, Some(square("5i"))).unwrap();
        let of = |text, letter, promoted, colour| {
            let number = sente.on_board(square(text), piece(letter, promoted, colour));
            number.map(|number| number - 44 * PIECES)
        };
        assert_eq!(of("7g", 'P', false, Colour::Sente), Some(90 + 60));
        assert_eq!(of("3c", 'P', false, Colour::Gote), Some(171 + 20));
        assert_eq!(of("1a", 'S', true, Colour::Sente), Some(738));
        assert_eq!(of("9i", 'R', true, Colour::Gote), Some(1547));
        assert_eq!(of("5i", 'K', false, Colour::Sente), None);
        // Gote sees the same with the board turned.
        let gote = View::new(&numbers, Colour::Gote, Some(square("5a"))).unwrap();
        let seen = gote.on_board(square("3c"), piece('P', false, Colour::Gote));
        assert_eq!(seen, sente.on_board(square("7g"), piece('P', false, Colour::Sente)));
        let pawn = piece('P', false, Colour::Sente).face.kind;
        assert_eq!(sente.in_hand(Colour::Sente, pawn, 0), 44 * PIECES + 1);
        assert_eq!(gote.in_hand(Colour::Sente, pawn, 17), 44 * PIECES + 37);
        assert!(View::new::<Board9x9>(&numbers, Colour::Gote, None).is_none());
        // In K-P the kings are pieces, and no number depends on them.
        let numbers = PieceNumbers::new::<Shogi>(FeatureSet::Kp).unwrap();
        let gote = View::new::<Board9x9>(&numbers, Colour::Gote, None).unwrap();
        let of = |text, letter, colour| gote.on_board(square(text), piece(letter, false, colour));
        assert_eq!(of("5a", 'K', Colour::Gote), Some(1548 + 44));
        assert_eq!(of("1i", 'K', Colour::Sente), Some(1629 + 72));
        assert_eq!(of("3c", 'P', Colour::Gote), Some(90 + 60));
        assert_eq!(gote.in_hand(Colour::Sente, pawn, 17), 37);
    }

    #[test]
    fn other_games_have_none() {
        for set in FeatureSet::ALL {
            assert_eq!(PieceNumbers::new::<Minishogi>(set), None);
        }
    }
}
