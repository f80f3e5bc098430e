//! Which rows of the first layer a position adds up, for programs that fit HalfKP networks.

use std::marker::PhantomData;

use shogi_core::{Colour, Kind, Placement, RuleTable};

use super::features::{COUNT, PIECES, PieceNumbers, View};

/// The inputs of a HalfKP network: for each player, every piece but the kings together with the square of the player's
/// own king.
///
/// ```
/// use shogi_eval::nn_bin::Inputs;
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{Minishogi, Rules, Shogi};
/// let inputs = Inputs::<Shogi>::new().unwrap();
/// let mut rows = Vec::new();
/// inputs.visit(&Shogi::start(), Colour::Sente, |row| rows.push(row));
/// assert_eq!(rows.len(), 38);
/// // The king stands on 5i, the square of number 44.
/// assert!(rows.iter().all(|row| row / Inputs::<Shogi>::PIECES == 44));
/// assert!(Inputs::<Minishogi>::new().is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inputs<R> {
    numbers: PieceNumbers,
    rules: PhantomData<R>,
}

impl<R> Inputs<R> {
    /// How many there are for a player.
    pub const COUNT: usize = COUNT;
    /// How many there are for each square of the king. The number of an input is the number of that square times this,
    /// plus the number of the piece.
    pub const PIECES: usize = PIECES;
}

impl<R: RuleTable> Inputs<R> {
    /// The inputs of standard shogi; `None` for other boards and other pieces.
    pub fn new() -> Option<Self> {
        PieceNumbers::new::<R>().map(|numbers| Self { numbers, rules: PhantomData })
    }

    /// Calls `input` with the number of each input of a player that is set, once for each. There are none for a player
    /// without a king.
    pub fn visit(&self, placement: &Placement<R>, player: Colour, mut input: impl FnMut(usize)) {
        let Some(king) = placement.king(player) else { return };
        let view = View::new(&self.numbers, player, king);
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
