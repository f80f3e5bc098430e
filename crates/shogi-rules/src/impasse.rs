//! Impasse (jishogi): the count of points when kings have entered the enemy camp.

use shogi_core::{Bitboard, Colour, Kind, Placement, Role, RuleTable, Slide, camp};

use crate::outcome::{Outcome, Reason};

/// How points decide a game that no mate will decide.
///
/// Rook and bishop, promoted or not, count 5 points, the king none, every other piece 1. A game can
/// end by points in two ways, each with its own count:
///
/// * *by agreement* of the players, who then count all their pieces on the board and in hand
///   ([`Game::agree_impasse`](crate::Game::agree_impasse));
/// * *by declaration* (nyugyoku sengen) of the player to move, without the opponent's consent. Only
///   pieces in the enemy camp and in hand count then, and the conditions of a [`Declaration`] must
///   hold; if one fails, the player who declared has lost
///   ([`Game::declare`](crate::Game::declare)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImpasseRule {
    /// The 24-point rule of professional games (Japan Shogi Association, playing regulations).
    ///
    /// By agreement: a player with fewer than 24 points has lost; if both have at least 24, the
    /// game is drawn. By declaration (since October 2013): with 31 points or more the declaring
    /// player has won, with 24 to 30 the game is drawn.
    TwentyFourPoints,
    /// The 27-point rule of amateur tournaments (Japan Shogi Association), computer shogi (CSA) and
    /// lishogi.
    ///
    /// By agreement: the player with more points has won; with 27 each Gote has won. By
    /// declaration: Sente wins with 28 points or more, Gote with 27 or more. There is no draw.
    TwentySevenPoints,
}

impl ImpasseRule {
    /// The end of a game when the players agree on impasse; `points` are those of all of Sente's
    /// and of all of Gote's pieces.
    ///
    /// ```
    /// use shogi_rules::shogi_core::Colour;
    /// use shogi_rules::ImpasseRule;
    /// assert_eq!(ImpasseRule::TwentyFourPoints.agreed([30, 24]).winner(), None);
    /// assert_eq!(ImpasseRule::TwentyFourPoints.agreed([31, 23]).winner(), Some(Colour::Sente));
    /// assert_eq!(ImpasseRule::TwentySevenPoints.agreed([27, 27]).winner(), Some(Colour::Gote));
    /// ```
    pub fn agreed(self, points: [u32; 2]) -> Outcome {
        let [sente, gote] = points;
        let winner = match self {
            Self::TwentyFourPoints => match points.map(|points| points >= 24) {
                [true, false] => Some(Colour::Sente),
                [false, true] => Some(Colour::Gote),
                _ => None,
            },
            Self::TwentySevenPoints if sente > gote => Some(Colour::Sente),
            Self::TwentySevenPoints => Some(Colour::Gote),
        };
        let draw = Outcome::draw(Reason::Impasse);
        winner.map_or(draw, |winner| Outcome::win(winner, Reason::Impasse))
    }

    /// The end of a game by a declaration.
    pub fn declared(self, declaration: &Declaration) -> Outcome {
        let declarer = declaration.declarer;
        let (draw, win) = match (self, declarer) {
            (Self::TwentyFourPoints, _) => (24, 31),
            (Self::TwentySevenPoints, Colour::Sente) => (28, 28),
            (Self::TwentySevenPoints, Colour::Gote) => (27, 27),
        };
        if !declaration.has_entered() || declaration.points < draw {
            return Outcome::win(!declarer, Reason::FailedDeclaration);
        }
        if declaration.points < win {
            Outcome::draw(Reason::Declaration)
        } else {
            Outcome::win(declarer, Reason::Declaration)
        }
    }
}

/// The facts that decide a declaration by the player to move.
///
/// The enemy camp is the promotion zone: the last three ranks in standard shogi.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Declaration {
    /// The player to move, who declares.
    pub declarer: Colour,
    /// Whether the player's king stands in the enemy camp.
    pub king_in_camp: bool,
    /// Whether it is in check.
    pub in_check: bool,
    /// How many of the player's other pieces stand in the enemy camp.
    pub pieces_in_camp: u32,
    /// Points of the player's pieces in the enemy camp and in hand.
    pub points: u32,
}

impl Declaration {
    /// How many pieces other than the king must stand in the enemy camp.
    pub const PIECES_IN_CAMP: u32 = 10;

    /// The facts that decide a declaration in a position, without counting odds.
    pub fn new<R: RuleTable>(placement: &Placement<R>) -> Self {
        let declarer = placement.side();
        let entered = placement.of(declarer) & camp(declarer, R::zone());
        Self {
            declarer,
            king_in_camp: entered.meets(placement.royals()),
            in_check: placement.in_check(declarer),
            pieces_in_camp: (entered - placement.royals()).len(),
            points: count(placement, declarer, entered),
        }
    }

    /// Like [`Declaration::new`], with the points of odds: pieces missing from the full set count
    /// for Gote, see [`EnteringKingRule`](crate::EnteringKingRule).
    ///
    /// ```
    /// use shogi_rules::{Declaration, Shogi, parse_position};
    /// // Gote gave rooks, bishops and lances (four-piece odds).
    /// let sfen = "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    /// let start = parse_position::<Shogi>(sfen)?;
    /// assert_eq!(Declaration::new(start.placement()).points, 0);
    /// assert_eq!(Declaration::counting_odds(start.placement()).points, 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counting_odds<R: RuleTable>(placement: &Placement<R>) -> Self {
        let mut declaration = Self::new(placement);
        declaration.points += odds(placement, declaration.declarer);
        declaration
    }

    /// Whether all conditions but the points hold: the king in the enemy camp and not in check, ten
    /// other pieces there.
    pub const fn has_entered(&self) -> bool {
        self.king_in_camp && !self.in_check && self.pieces_in_camp >= Self::PIECES_IN_CAMP
    }
}

/// Points of all pieces of a player, on the board and in hand.
pub(crate) fn points<R: RuleTable>(placement: &Placement<R>, colour: Colour) -> u32 {
    count(placement, colour, Bitboard::all())
}

/// Points of a player's pieces on some squares and in hand.
fn count<R: RuleTable>(
    placement: &Placement<R>,
    colour: Colour,
    squares: Bitboard<R::Geometry>,
) -> u32 {
    let mut points = 0;
    for kind in Kind::all::<R>() {
        let on_board = (placement.kind(kind) & placement.of(colour) & squares).len();
        let pieces = on_board + u32::from(placement.hand(colour).count(kind));
        points += pieces * worth::<R>(kind);
    }
    points
}

/// Points of one piece: 5 for the major pieces, which slide in four directions.
fn worth<R: RuleTable>(kind: Kind) -> u32 {
    let spec = kind.spec::<R>();
    match (spec.role, spec.front.slide) {
        (Role::Royal, _) => 0,
        (_, Slide::Diagonal | Slide::Orthogonal) => 5,
        _ => 1,
    }
}

/// The points of the pieces that a player gave as odds in the game that led to this position.
pub(crate) fn odds<R: RuleTable>(placement: &Placement<R>, colour: Colour) -> u32 {
    if colour == Colour::Sente {
        return 0;
    }
    let [sente, gote] = Colour::ALL.map(|colour| placement.hand(colour));
    let mut lacking = 0;
    for kind in Kind::all::<R>() {
        let there = placement.kind(kind).len() + u32::from(sente.count(kind) + gote.count(kind));
        let all = u32::from(kind.spec::<R>().count);
        lacking += all.saturating_sub(there) * worth::<R>(kind);
    }
    lacking
}
