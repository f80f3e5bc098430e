//! The numbers of the inputs: HalfKP and K-P with the pieces of Bonanza, and K-P with the pieces of any other rule table.

use shogi_core::{
    Colour, Face, Geometry, Kind, KindSpec, MAX_KINDS, Piece, Placement, Role, RuleTable, Square,
};

use crate::network::{RowCounts, own_side};

/// Squares of the board.
const SQUARES: usize = 81;
/// Pieces on squares and in hands, as a player sees them; number 0 stands for no piece. The kings follow where they are
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
    /// Every piece but the kings together with the square of the player's own king: 125,388 inputs. For standard shogi.
    HalfKp,
    /// Every piece, kings among them: 1,710 inputs in standard shogi, 467 in Kyoto shogi.
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
    /// How many inputs there are for a player.
    pub(super) count: usize,
    /// Whether they are the community's numbers for standard shogi.
    pub(super) of_shogi: bool,
    /// By face, for the player's and the opponent's pieces; 0 for what is no input, kings in HalfKP.
    board: [[u16; 2]; Face::MAX],
    /// By kind.
    hand: [[u16; 2]; MAX_KINDS],
}

impl PieceNumbers {
    /// `None` for HalfKP with other pieces than those of standard shogi, and for rules that were read as text.
    pub(super) fn new<R: RuleTable>(set: FeatureSet) -> Option<Self> {
        let numbers = || {
            let board = (R::Geometry::WIDTH, R::Geometry::HEIGHT);
            let of_shogi = if board == (9, 9) { Self::of_shogi(set, R::KINDS) } else { None };
            match set {
                FeatureSet::HalfKp => of_shogi,
                FeatureSet::Kp => Some(of_shogi.unwrap_or_else(|| Self::in_order::<R>())),
            }
        };
        R::compiled_or_loaded(numbers, || None)
    }

    /// The community's numbers; `None` for other pieces than those of shogi.
    fn of_shogi(set: FeatureSet, kinds: &[KindSpec]) -> Option<Self> {
        let count = match set {
            FeatureSet::HalfKp => SQUARES * PIECES,
            FeatureSet::Kp => PIECES + 2 * SQUARES,
        };
        let (board, hand) = ([[0; 2]; Face::MAX], [[0; 2]; MAX_KINDS]);
        let mut numbers = Self { set, count, of_shogi: true, board, hand };
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

    /// Numbers in K-P for the pieces of any rule table, in the order of its kinds: the pieces in hand, then the faces on
    /// the board, kings last; of each the player's and then the opponent's. Number 0 stands for no piece, as in shogi.
    fn in_order<R: RuleTable>() -> Self {
        let squares = u16::from(R::Geometry::WIDTH) * u16::from(R::Geometry::HEIGHT);
        let (mut board, mut hand) = ([[0; 2]; Face::MAX], [[0; 2]; MAX_KINDS]);
        let mut next = 1;
        let mut take = |count: u16| {
            let first = next;
            next += 2 * count;
            [first, first + count]
        };
        let is_royal = |kind: &Kind| R::KINDS[kind.index()].role == Role::Royal;
        let (kings, others): (Vec<_>, Vec<_>) = Kind::all::<R>().partition(is_royal);
        for &kind in &others {
            hand[kind.index()] = take(R::KINDS[kind.index()].count.into());
        }
        for kind in others.into_iter().chain(kings) {
            board[Face::front(kind).index()] = take(squares);
            if R::KINDS[kind.index()].back.is_some() {
                board[Face::back(kind).index()] = take(squares);
            }
        }
        Self { set: FeatureSet::Kp, count: next.into(), of_shogi: false, board, hand }
    }

    /// How many inputs depend on the player's own king, so many for each of its squares.
    pub(super) const fn counts(&self) -> RowCounts {
        let all = self.count;
        match self.set {
            FeatureSet::HalfKp => RowCounts { all, pieces: all, by_king: PIECES },
            FeatureSet::Kp => RowCounts { all, pieces: 0, by_king: 0 },
        }
    }

    /// Calls `input` with the number of each input of a player; in HalfKP a player without a king has none.
    #[inline]
    pub(super) fn visit<R: RuleTable>(
        &self,
        placement: &Placement<R>,
        player: Colour,
        mut input: impl FnMut(usize),
    ) {
        let Some(view) = View::new(self, player, placement.king(player)) else { return };
        for (square, piece) in placement.pieces() {
            if let Some(number) = view.on_board(square, piece) {
                input(number);
            }
        }
        for owner in Colour::ALL {
            for kind in Kind::all::<R>() {
                for nth in 0..usize::from(placement.hand(owner).count(kind)) {
                    input(view.in_hand(owner, kind, nth));
                }
            }
        }
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
    let seen = own_side(square, player);
    (usize::from(seen.file()) - 1) * usize::from(G::HEIGHT) + usize::from(seen.rank())
}

#[cfg(test)]
mod tests {
    use shogi_core::Board9x9;
    use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Shogi};

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
    fn half_kp_is_of_shogi_alone_and_kp_numbers_the_pieces_of_every_board() {
        assert_eq!(PieceNumbers::new::<Minishogi>(FeatureSet::HalfKp), None);
        let counts = [
            (PieceNumbers::new::<Shogi>(FeatureSet::Kp), 1548 + 2 * 81),
            // Two of each of five kinds in two hands, nine faces and the king on 25 squares.
            (PieceNumbers::new::<Minishogi>(FeatureSet::Kp), 1 + 2 * (5 * 2 + 10 * 25)),
            (PieceNumbers::new::<KyotoShogi>(FeatureSet::Kp), 1 + 2 * (4 * 2 + 9 * 25)),
            // Chick, hen, elephant, giraffe and lion.
            (PieceNumbers::new::<Dobutsu>(FeatureSet::Kp), 1 + 2 * (3 * 2 + 5 * 12)),
        ];
        for (numbers, count) in counts {
            assert_eq!(numbers.unwrap().count, count);
        }
    }
}
