//! Positions, moves and hands as text: SFEN and USI, in the variant's own dialect.
//!
//! `Debug` writes the same, so that a failed assertion prints what people read.

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use crate::colour::Colour;
use crate::hand::Hand;
use crate::moves::{Move, Unmove};
use crate::notation::Notation;
use crate::picture::draw;
use crate::placement::{Piece, Placement};
use crate::position::Position;
use crate::sfen::{self, PositionError, SfenError, parse_position, parse_sfen, to_sfen};
use crate::table::{Kind, RuleTable};
use crate::usi::{UsiError, parse_usi, to_usi};

/// The hands of both players, as SFEN writes them: `2Pr` for two pawns of Sente and a rook of Gote,
/// `-` where both are empty.
///
/// ```
/// use shogi_rules::shogi_core::{Colour, Hands};
/// use shogi_rules::{Minishogi, Rules};
/// let hands: Hands<Minishogi> = "2Pr".parse()?;
/// assert_eq!(hands.of(Colour::Sente).count(Minishogi::PAWN.any()), 2);
/// assert_eq!(hands.to_string(), "2Pr");
/// assert_eq!(Minishogi::start().hands().to_string(), "-");
/// assert!("P2r".parse::<Hands<Minishogi>>().is_ok() && "X".parse::<Hands<Minishogi>>().is_err());
/// # Ok::<(), shogi_rules::SfenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hands<R: RuleTable> {
    hands: [Hand; 2],
    table: PhantomData<R>,
}

impl<R: RuleTable> Hands<R> {
    /// Sente's and Gote's hand.
    pub const fn new(sente: Hand, gote: Hand) -> Self {
        Self { hands: [sente, gote], table: PhantomData }
    }

    /// A player's hand.
    pub const fn of(self, colour: Colour) -> Hand {
        self.hands[colour.index()]
    }
}

impl<R: RuleTable> Placement<R> {
    /// The hands of both players.
    pub const fn hands(&self) -> Hands<R> {
        Hands::new(self.hand(Colour::Sente), self.hand(Colour::Gote))
    }
}

impl<R: RuleTable> fmt::Display for Hands<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        sfen::write_hands(&self.hands, Notation::of::<R>(), R::dialect(), &mut text);
        f.pad(&text)
    }
}

impl<R: RuleTable> fmt::Debug for Hands<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<R: RuleTable> FromStr for Hands<R> {
    type Err = SfenError;

    /// Reads the hands of an SFEN, in either dialect.
    fn from_str(text: &str) -> Result<Self, SfenError> {
        let [sente, gote] = sfen::read_hands(text, Notation::of::<R>())?;
        Ok(Self::new(sente, gote))
    }
}

/// Without a rule table kinds have no letters.
impl fmt::Debug for Hand {
    /// The counts by the index of the kind: `{0: 2, 4: 1}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        let mut separator = "";
        for kind in (0..crate::table::MAX_KINDS as u8).map(Kind::new).filter(|&kind| self.has(kind))
        {
            write!(f, "{separator}{}: {}", kind.index(), self.count(kind))?;
            separator = ", ";
        }
        f.write_str("}")
    }
}

impl<R: RuleTable> fmt::Display for Placement<R> {
    /// Writes SFEN with move number 1, or with `{:#}` a picture of the board and the hands.
    ///
    /// ```
    /// use shogi_rules::{Dobutsu, Rules};
    /// let start = Dobutsu::start();
    /// assert_eq!(start.to_string(), "gle/1c1/1C1/ELG b - 1");
    /// assert_eq!(
    ///     format!("{start:#}"),
    ///     "\
    /// Gote's hand:  -
    ///    3   2   1
    ///  +---+---+---+
    ///  | g | l | e | a
    ///  +---+---+---+
    ///  |   | c |   | b
    ///  +---+---+---+
    ///  |   | C |   | c
    ///  +---+---+---+
    ///  | E | L | G | d
    ///  +---+---+---+
    /// Sente's hand: -
    /// Sente to move",
    /// );
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sfen = to_sfen(self);
        if f.alternate() { draw(&sfen, f) } else { f.pad(&sfen) }
    }
}

impl<R: RuleTable> fmt::Debug for Placement<R> {
    /// SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&to_sfen(self))
    }
}

impl<R: RuleTable> FromStr for Placement<R> {
    type Err = SfenError;

    /// Reads SFEN like [`parse_sfen`], which also returns the move number.
    fn from_str(text: &str) -> Result<Self, SfenError> {
        Ok(parse_sfen(text)?.0)
    }
}

impl<R: RuleTable> fmt::Display for Position<R> {
    /// As the [`Placement`]: SFEN, or a picture with `{:#}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.placement(), f)
    }
}

impl<R: RuleTable> fmt::Debug for Position<R> {
    /// SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.placement(), f)
    }
}

impl<R: RuleTable> FromStr for Position<R> {
    type Err = PositionError<R>;

    /// Reads the SFEN of a legal position, as [`parse_position`].
    ///
    /// ```
    /// use shogi_rules::Minishogi;
    /// use shogi_rules::shogi_core::{Move, Position};
    /// let position: Position<Minishogi> = "rbsgk/4p/5/P4/KGSBR b - 1".parse()?;
    /// let pawn: Move<Minishogi> = "5d5c".parse()?;
    /// assert_eq!(position.play(pawn)?.to_string(), "rbsgk/4p/P4/5/KGSBR w - 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, PositionError<R>> {
        parse_position(text)
    }
}

impl<R: RuleTable> fmt::Display for Move<R> {
    /// USI notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&to_usi(*self))
    }
}

impl<R: RuleTable> fmt::Debug for Move<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<R: RuleTable> FromStr for Move<R> {
    type Err = UsiError;

    /// Reads USI notation, as [`parse_usi`].
    fn from_str(text: &str) -> Result<Self, UsiError> {
        parse_usi(text)
    }
}

impl<R: RuleTable> fmt::Display for Unmove<R> {
    /// The move that is taken back, and after an `x` the face that goes back to the board: `3c3dxP`.
    ///
    /// ```
    /// use shogi_rules::{Minishogi, Rules};
    /// let next = Minishogi::start().play("5d5c".parse()?)?;
    /// assert!(next.unmoves().iter().any(|unmove| unmove.to_string() == "5d5c"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = to_usi(self.mv);
        if let Some(face) = self.captured {
            text.push('x');
            Notation::of::<R>().write_face(face, Colour::Sente, R::dialect(), &mut text);
        }
        f.pad(&text)
    }
}

impl<R: RuleTable> fmt::Debug for Unmove<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Piece {
    /// Prints the piece as SFEN writes it, in the rule set's own dialect: a piece alone does not know the letters of
    /// its kinds.
    ///
    /// ```
    /// use shogi_rules::{Minishogi, Rules};
    /// let position = Minishogi::start().play("5d5c".parse()?)?;
    /// let piece = |square: &str| position.piece(square.parse().unwrap()).unwrap();
    /// assert_eq!(piece("5c").display::<Minishogi>().to_string(), "P");
    /// assert_eq!(piece("1a").display::<Minishogi>().to_string(), "k");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn display<R: RuleTable>(self) -> impl fmt::Display {
        Letters::<R> { piece: self, table: PhantomData }
    }
}

/// A piece in the letters of a rule set.
struct Letters<R> {
    piece: Piece,
    table: PhantomData<R>,
}

impl<R: RuleTable> fmt::Display for Letters<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Piece { face, colour } = self.piece;
        let mut text = String::new();
        Notation::of::<R>().write_face(face, colour, R::dialect(), &mut text);
        f.pad(&text)
    }
}
