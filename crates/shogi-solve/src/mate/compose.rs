//! New problems from random positions.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use shogi_core::{Colour, Face, Faults, Kind, Piece, Placement, Position, Role, Square};
use shogi_rules::Rules;

use super::book::Book;
use super::cooks;
use super::interposition::Count;
use super::problem::Examination;
use super::{MateSearch, MateSolver};
use crate::budget::Budget;

/// What follows the seed in the key of the generator, so that no other use of the same seed draws the same numbers.
const DOMAIN: [u8; 24] = *b"shogi-solve problems  01";

/// A problem with the position that it is set from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composed<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// What is known of it; it is [sound](Examination::is_sound).
    pub examination: Examination<R>,
}

impl<R: Rules> MateSolver<R> {
    /// One attempt at a problem of so many plies by the book's count: a random position, if it has one solution of
    /// that length that uses up the attacker's hand; pieces without use are taken off. Mostly it is none.
    ///
    /// The attempt depends on seed and number alone, and on the budget, if that ends before.
    ///
    /// ```
    /// use shogi_rules::Minishogi;
    /// use shogi_solve::Budget;
    /// use shogi_solve::mate::{MateSolver, Options};
    ///
    /// let mut solver = MateSolver::<Minishogi>::new(Options { hash_bytes: 1 << 20, shortest: true });
    /// let mut attempts =
    ///     (0..).filter_map(|number| solver.compose(1, number, 1, &mut Budget::nodes(20_000)));
    /// let problem = attempts.next().unwrap();
    /// assert_eq!(problem.examination.answer.plies, Some(1));
    /// assert!(problem.examination.is_sound());
    /// ```
    pub fn compose(
        &mut self,
        seed: u64,
        number: u64,
        plies: u16,
        budget: &mut Budget<'_>,
    ) -> Option<Composed<R>> {
        let mut position = draw::<R>(&mut generator(seed, number))?;
        if !self.table.is_empty() {
            self.table.clear();
        }
        if !self.has_one_first_move(&position, plies, budget)? {
            return None;
        }
        let look = cooks::another_by_the_book;
        let mut found = self.examine_beside(&position, look, budget);
        if !found.complete || !found.is_unique() || found.left > 0 {
            return None;
        }
        while let Some(&piece) = found.unnecessary.first() {
            position = piece.taken_off(&position)?;
            found = self.examine_beside(&position, look, budget);
        }
        found.is_sound().then_some(Composed { position, examination: found })
    }

    /// Whether a position is mate in just so many plies by one first move; `None` if the budget ends. Nearly all
    /// positions fail here. A search within few plies sees it, where those for longer mates take the whole budget.
    fn has_one_first_move(
        &mut self,
        position: &Position<R>,
        plies: u16,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let mut search = MateSearch::new(&mut self.table, position.side());
        // Hardly any position has a mate at all, and most have a shorter one.
        if !search.run_counting(Count::Book, position, plies, budget).is_proved() {
            return Some(false);
        }
        let mut book = Book::new(&mut search, budget);
        if book.length(position, plies)? != Some(plies) {
            return Some(false);
        }
        Some(book.attacks(position, plies - 1)?.len() == 1)
    }
}

/// The generator of an attempt.
fn generator(seed: u64, number: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..].copy_from_slice(&DOMAIN);
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(number);
    generator
}

/// A number below a bound, which is not 0.
fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    (random.next_u64() % bound as u64) as usize
}

/// A random position with Gote's king mostly near its edge and a few pieces, most of them around it; all others are in
/// Gote's hand. `None` if it is not legal, or its pieces find no room.
fn draw<R: Rules>(random: &mut ChaCha8Rng) -> Option<Position<R>> {
    let mut placement = Placement::<R>::EMPTY;
    placement.set_side(Colour::Sente);
    let squares: Vec<Square<R::Geometry>> = Square::all().collect();
    let far = |random: &mut ChaCha8Rng| squares[below(random, squares.len())];
    let (one, other) = (far(random), far(random));
    let king = if one.rank() < other.rank() { one } else { other };
    let is_near = |square: &&Square<R::Geometry>| {
        king.file().abs_diff(square.file()).max(king.rank().abs_diff(square.rank())) <= 2
    };
    let near: Vec<_> = squares.iter().filter(is_near).copied().collect();
    let mut left: Vec<(Kind, u8)> = Vec::new();
    for kind in Kind::all::<R>() {
        let spec = kind.spec::<R>();
        if spec.role != Role::Royal {
            left.push((kind, spec.count));
            continue;
        }
        placement.put(king, Piece { face: Face::front(kind), colour: Colour::Gote });
        if !R::royal_safety() {
            // There a side without its royal piece has lost.
            let square = far(random);
            if placement.piece(square).is_some() {
                return None;
            }
            placement.put(square, Piece { face: Face::front(kind), colour: Colour::Sente });
        }
    }
    let attackers = 1 + below(random, 4);
    for number in 0..attackers + below(random, 4) {
        let colour = if number < attackers { Colour::Sente } else { Colour::Gote };
        let kind = take(random, &mut left)?;
        let promoted = kind.spec::<R>().back.is_some() && below(random, 3) == 0;
        let places = if below(random, 4) == 0 { &squares } else { &near };
        let square = places[below(random, places.len())];
        if placement.piece(square).is_some() {
            return None;
        }
        placement.put(square, Piece { face: Face { kind, promoted }, colour });
    }
    for _ in 0..below(random, 4) {
        placement.hand_mut(Colour::Sente).add(take(random, &mut left)?);
    }
    for (kind, count) in left {
        let hand = placement.hand_mut(Colour::Gote);
        hand.set(kind, count);
    }
    Position::new_allowing(placement, Faults::MISSING_KING).ok()
}

/// Takes one of the pieces that are left, all kinds with the same probability.
fn take(random: &mut ChaCha8Rng, left: &mut [(Kind, u8)]) -> Option<Kind> {
    let index = below(random, left.len().max(1));
    let (kind, count) = left.get_mut(index).filter(|(_, count)| *count > 0)?;
    *count -= 1;
    Some(*kind)
}
