//! The numbers of the inputs: HalfKP with the pieces of Bonanza.

use shogi_core::{
    Colour, Face, Geometry, Kind, KindSpec, MAX_KINDS, Piece, Role, RuleTable, Square,
};

/// Squares of the board.
const SQUARES: usize = 81;
/// Pieces on squares and in hands, as a player sees them; number 0 is none of them.
pub(super) const PIECES: usize = 1548;
/// Inputs of a player: a piece with the square of the own king.
pub(super) const COUNT: usize = SQUARES * PIECES;

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
    /// By face, for the player's and the opponent's pieces; 0 for royal pieces, which are no inputs.
    board: [[u16; 2]; Face::MAX],
    /// By kind.
    hand: [[u16; 2]; MAX_KINDS],
}

impl PieceNumbers {
    /// `None` for other boards than 9x9 and other pieces than those of shogi.
    pub(super) fn new<R: RuleTable>() -> Option<Self> {
        let board = (R::Geometry::WIDTH, R::Geometry::HEIGHT);
        if board == (9, 9) { Self::of_kinds(R::KINDS) } else { None }
    }

    fn of_kinds(kinds: &[KindSpec]) -> Option<Self> {
        let mut numbers = Self { board: [[0; 2]; Face::MAX], hand: [[0; 2]; MAX_KINDS] };
        for (index, &KindSpec { letter, role, .. }) in kinds.iter().enumerate() {
            if role == Role::Royal {
                continue;
            }
            let (_, hand) = HANDS.into_iter().find(|&(known, _)| known == letter)?;
            let (_, faces) = BOARD.into_iter().find(|&(known, _)| known == letter)?;
            numbers.hand[index] = hand;
            let kind = Kind::new(index as u8);
            for (face, number) in [Face::front(kind), Face::back(kind)].into_iter().zip(faces) {
                numbers.board[face.index()] = [number, number + SQUARES as u16];
            }
        }
        Some(numbers)
    }
}

/// How a player whose king stands on a square sees the pieces.
#[derive(Clone, Copy)]
pub(super) struct View<'n> {
    numbers: &'n PieceNumbers,
    player: Colour,
    /// The number of the first piece with this king.
    first: usize,
}

impl<'n> View<'n> {
    pub(super) fn new<G: Geometry>(
        numbers: &'n PieceNumbers,
        player: Colour,
        king: Square<G>,
    ) -> Self {
        Self { numbers, player, first: square_number(player, king) * PIECES }
    }

    /// The input of a piece on the board; `None` for a king.
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
        let numbers = PieceNumbers::new::<Shogi>().unwrap();
        let square = |text: &str| -> Square<Board9x9> { text.parse().unwrap() };
        let piece = |letter, promoted, colour| {
            let kind = Kind::all::<Shogi>().find(|kind| kind.spec::<Shogi>().letter == letter);
            Piece { face: Face { kind: kind.unwrap(), promoted }, colour }
        };
        // The king on 5i has the number 4 * 9 + 8.
        let sente = View::new(&numbers, Colour::Sente, square("5i"));
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
        let gote = View::new(&numbers, Colour::Gote, square("5a"));
        let seen = gote.on_board(square("3c"), piece('P', false, Colour::Gote));
        assert_eq!(seen, sente.on_board(square("7g"), piece('P', false, Colour::Sente)));
        let pawn = piece('P', false, Colour::Sente).face.kind;
        assert_eq!(sente.in_hand(Colour::Sente, pawn, 0), 44 * PIECES + 1);
        assert_eq!(gote.in_hand(Colour::Sente, pawn, 17), 44 * PIECES + 37);
    }

    #[test]
    fn other_games_have_none() {
        assert_eq!(PieceNumbers::new::<Minishogi>(), None);
    }
}
