//! Material and what a player sees beside it.

use shogi_rules::Rules;
use shogi_rules::shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, Movement, Placement, Position, Role, Slide, Square,
    Step, attacks, camp, step_attacks,
};
use shogi_search::{Evaluator, Material, Term, Values};

use crate::castle::Castle;

/// Material with the strategic terms of "AI for playing shogi (Japanese chess)", see the references
/// of docs/how/engine.md: good and bad shape, castles, control of the board, generals near either king,
/// and locked-in pieces.
///
/// Castles are those of the variant, [`Rules::CASTLES`]; the other terms are for every board. Each
/// term is what the player to move has of it, less what the opponent has.
#[derive(Debug)]
pub struct Strategic<R: Rules> {
    material: Material<R>,
    castles: Vec<Castle<R>>,
    parts: Parts,
}

/// What an evaluation sees beside the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Pieces in hand are worth 30 % more than on the board.
    pub hands: bool,
    /// Which of the strategic terms count, in the order of [`NAMES`].
    pub terms: [bool; NAMES.len()],
}

impl Parts {
    /// Material alone.
    pub const NONE: Self = Self { hands: false, terms: [false; NAMES.len()] };
    /// Material, more for pieces in hand.
    pub const HANDS: Self = Self { hands: true, ..Self::NONE };
    /// All that the text proposes.
    pub const ALL: Self = Self { hands: true, terms: [true; NAMES.len()] };

    /// More for pieces in hand, and one of the strategic terms.
    pub const fn term(number: usize) -> Self {
        let mut parts = Self::HANDS;
        parts.terms[number] = true;
        parts
    }
}

/// A general that none of its own side protects.
const UNPROTECTED: i32 = -30;
/// A complete castle.
const CASTLE: i32 = 150;
/// A square that a player attacks.
const CONTROL: i32 = 4;
/// The same in the enemy camp, on top of it.
const CONTROL_OF_CAMP: i32 = 4;
/// A general within two steps of the own king.
const GUARD: i32 = 20;
/// A piece that moves like a general or more within two steps of the enemy king.
const ATTACKER: i32 = 16;
/// A piece without a move.
const LOCKED: i32 = -25;

/// The strategic terms, in the order of [`NAMES`].
type Terms = [i32; NAMES.len()];

/// The names of the strategic terms.
pub const NAMES: [&str; 5] =
    ["shape", "castles", "control", "generals near kings", "locked pieces"];

/// What is seen of a player's pieces in one pass over the board.
struct Side<R: Rules> {
    /// The squares that they attack.
    seen: Bitboard<R::Geometry>,
    generals: Bitboard<R::Geometry>,
    /// Pieces that move like a general or more.
    strong: Bitboard<R::Geometry>,
    locked: i32,
}

impl<R: Rules> Strategic<R> {
    /// With these values.
    pub fn new(values: Values, parts: Parts) -> Self {
        Self { material: Material::new(values), castles: Castle::all(), parts }
    }

    /// What pieces count: material, without what it adds for pieces in hand unless that is chosen.
    fn pieces(&self, position: &Position<R>) -> i32 {
        let material = self.material.evaluate(&(), position);
        if self.parts.hands {
            return material;
        }
        let values = self.material.values();
        let bonus = |colour: Colour| -> i32 {
            let of = |kind: Kind| {
                let more = values.hand(kind) - values.board(Face::front(kind));
                i32::from(position.placement().hand(colour).count(kind)) * more
            };
            Kind::all::<R>().map(of).sum()
        };
        material - bonus(position.side()) + bonus(!position.side())
    }

    /// What is seen of both players' pieces.
    fn survey(placement: &Placement<R>) -> [Side<R>; 2] {
        let occupied = placement.occupied();
        let side = || Side {
            seen: Bitboard::EMPTY,
            generals: Bitboard::EMPTY,
            strong: Bitboard::EMPTY,
            locked: 0,
        };
        let mut sides = [side(), side()];
        for (square, piece) in placement.pieces() {
            let Some(movement) = piece.face.movement::<R>() else { continue };
            let targets = attacks(movement, piece.colour, square, occupied);
            let side = &mut sides[piece.colour.index()];
            side.seen |= targets;
            if piece.face.kind.spec::<R>().role == Role::Royal {
                continue;
            }
            if is_general(movement) {
                side.generals.insert(square);
            }
            if movement.slide != Slide::Forward && movement.step != Step::Pawn {
                side.strong.insert(square);
                side.locked += i32::from((targets - placement.of(piece.colour)).is_empty());
            }
        }
        sides
    }

    /// A player's terms.
    fn of(&self, placement: &Placement<R>, colour: Colour, side: &Side<R>) -> Terms {
        let unprotected = (side.generals - side.seen).len() as i32;
        let guards = (side.generals & near(placement.king(colour))).len() as i32;
        let attackers = (side.strong & near(placement.king(!colour))).len() as i32;
        let in_camp = (side.seen & camp(colour, R::ZONE)).len() as i32;
        [
            unprotected * UNPROTECTED,
            self.castle_bonus(placement, colour),
            side.seen.len() as i32 * CONTROL + in_camp * CONTROL_OF_CAMP,
            guards * GUARD + attackers * ATTACKER,
            side.locked * LOCKED,
        ]
    }

    /// The credit for a castle: in proportion to the square of what stands of it, since half a castle
    /// is less than half as good.
    fn castle_bonus(&self, placement: &Placement<R>, colour: Colour) -> i32 {
        match Castle::best(&self.castles, placement, colour) {
            Some((_, standing, of)) => CASTLE * (standing * standing) as i32 / (of * of) as i32,
            None => 0,
        }
    }

    /// The terms of the player to move, less the opponent's.
    fn terms(&self, position: &Position<R>) -> Terms {
        if self.parts.terms == Parts::NONE.terms {
            return Terms::default();
        }
        let sides = Self::survey(position);
        let us = position.side();
        let terms = self.of(position, us, &sides[us.index()]);
        let mut terms = less(terms, self.of(position, !us, &sides[(!us).index()]));
        for (term, counts) in terms.iter_mut().zip(self.parts.terms) {
            *term *= i32::from(counts);
        }
        terms
    }
}

/// A player's terms less the opponent's.
fn less(mut terms: Terms, theirs: Terms) -> Terms {
    for (term, other) in terms.iter_mut().zip(theirs) {
        *term -= other;
    }
    terms
}

/// The squares within two steps of a king.
fn near<G: Geometry>(king: Option<Square<G>>) -> Bitboard<G> {
    let Some(king) = king else { return Bitboard::EMPTY };
    let first = step_attacks(Step::King, Colour::Sente, king) | Bitboard::of(king);
    let mut all = first;
    for square in first {
        all |= step_attacks(Step::King, Colour::Sente, square);
    }
    all
}

/// Whether a piece moves like a silver or a gold general.
fn is_general(movement: Movement) -> bool {
    movement == Movement::SILVER || movement == Movement::GOLD
}

impl<R: Rules> Evaluator<R> for Strategic<R> {
    type State = ();

    fn evaluate(&self, _: &(), position: &Position<R>) -> i32 {
        self.pieces(position) + self.terms(position).iter().sum::<i32>()
    }

    fn values(&self) -> &Values {
        self.material.values()
    }

    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        let mut terms = vec![Term { name: "material", value: self.pieces(position) }];
        terms.append(&mut named(self.terms(position)));
        terms
    }
}

/// The strategic terms with their names.
fn named(terms: Terms) -> Vec<Term> {
    NAMES.into_iter().zip(terms).map(|(name, value)| Term { name, value }).collect()
}

#[cfg(test)]
mod tests {
    use shogi_rules::shogi_core::Faults;
    use shogi_rules::{Game, Minishogi, Shogi, parse_position};

    use super::*;

    fn terms<R: Rules>(evaluation: &Strategic<R>, sfen: &str) -> Vec<(&'static str, i32)> {
        let position = parse_position(sfen).unwrap();
        let terms = evaluation.explain(&position);
        let total: i32 = terms.iter().map(|term| term.value).sum();
        assert_eq!(total, evaluation.evaluate(&(), &position));
        terms.into_iter().map(|term| (term.name, term.value)).collect()
    }

    fn term(evaluation: &Strategic<Shogi>, name: &str, sfen: &str) -> i32 {
        terms(evaluation, sfen).into_iter().find(|(found, _)| *found == name).unwrap().1
    }

    #[test]
    fn each_term_sees_what_it_is_about() {
        let evaluation = Strategic::new(Values::standard::<Shogi>(), Parts::ALL);
        let term = |name, sfen| term(&evaluation, name, sfen);
        // A gold beside the king is protected, one alone in the middle is not.
        assert_eq!(term("shape", "4k4/9/9/9/9/9/9/9/3GK4 b - 1"), 0);
        assert_eq!(term("shape", "4k4/9/9/9/4G4/9/9/9/4K4 b - 1"), UNPROTECTED);
        assert_eq!(term("shape", "4k4/9/9/9/4G4/9/9/9/4K4 w - 1"), -UNPROTECTED);
        // Two of three guards of a Yagura; the same on the other side for Gote.
        let two = CASTLE * 4 / 9;
        assert_eq!(term("castles", "4k4/9/9/9/9/9/2S6/1KG6/9 b - 1"), two);
        assert_eq!(term("castles", "9/6gk1/6s2/9/9/9/9/9/4K4 b - 1"), -two);
        assert_eq!(term("castles", "9/1kg6/2s6/9/9/9/9/9/4K4 w - 1"), two);
        // A bishop in the corner behind its own pawn cannot move.
        assert_eq!(term("locked pieces", "4k4/9/9/9/9/9/9/1P7/B3K4 b - 1"), LOCKED);
        assert_eq!(term("locked pieces", "4k4/9/9/9/9/9/9/9/B3K4 b - 1"), 0);
        // A gold near the own king guards it, near the enemy's it attacks.
        assert_eq!(term("generals near kings", "4k4/9/9/9/9/9/9/9/3GK4 b - 1"), GUARD);
        assert_eq!(term("generals near kings", "4k4/9/4G4/9/9/9/9/9/4K4 b - 1"), ATTACKER);
        assert!(term("control", "4k4/9/9/9/3R5/9/9/9/4K4 b - 1") > 12 * CONTROL);
    }

    #[test]
    fn only_the_parts_that_are_chosen_count() {
        let values = || Values::standard::<Shogi>();
        // A rook on the board against a pawn in hand, and an unprotected gold.
        let sfen = "4k4/9/9/9/4G4/9/9/9/3RK4 b p 1";
        let value = |parts| {
            let terms = terms(&Strategic::<Shogi>::new(values(), parts), sfen);
            terms.iter().map(|(_, value)| value).sum::<i32>()
        };
        assert_eq!(value(Parts::NONE), 1500 + 900 - 100);
        assert_eq!(value(Parts::HANDS), 1500 + 900 - 130);
        let single: i32 = (0..NAMES.len()).map(|term| value(Parts::term(term))).sum();
        assert_eq!(single - 4 * value(Parts::HANDS), value(Parts::ALL));
        assert_eq!(value(Parts::term(0)) - value(Parts::HANDS), UNPROTECTED);
    }

    #[test]
    fn the_colours_are_alike_and_other_boards_have_no_castles() {
        let evaluation = Strategic::<Minishogi>::new(Values::by_freedom::<Minishogi>(), Parts::ALL);
        let mut game = Game::<Minishogi>::from_start();
        while game.outcome().is_none() && game.moves().len() < 60 {
            let position = game.position();
            let exchanged = Position::new_allowing(position.exchange_colours(), Faults::all());
            let value = evaluation.evaluate(&(), position);
            assert_eq!(evaluation.evaluate(&(), &exchanged.unwrap()), value);
            let castles = evaluation.explain(position).into_iter().find(|t| t.name == "castles");
            assert_eq!(castles.unwrap().value, 0);
            let moves = position.legal_moves();
            game.play(moves[game.moves().len() * 7 % moves.len()]).unwrap();
        }
    }
}
