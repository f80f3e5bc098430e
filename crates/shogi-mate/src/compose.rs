//! New problems from random positions.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use shogi_core::{Colour, Face, Faults, Kind, Piece, Placement, Position, Role, Square};
use shogi_rules::Rules;

use super::book::Book;
use super::cooks;
use super::interposition::Count;
use super::problem::{Examination, PieceOf, in_hand};
use super::{MateSearch, MateSolver, games};
use crate::budget::Budget;

/// The part of the generator's key after the seed, so that no other use of the same seed draws the same numbers.
const DOMAIN: [u8; 24] = *b"shogi-solve problems  01";

/// The source of the positions for problems.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ProblemSource {
    /// A few pieces drawn at random around a king.
    #[default]
    Pieces,
    /// Games of random moves.
    Games,
}

/// The requirements on a problem, besides soundness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Plies of the solution by the book's count, from 1.
    pub plies: u16,
    /// The source of the position.
    pub source: ProblemSource,
    /// The most pieces on the board and in the attacker's hand, kings included.
    pub most_pieces: u32,
    /// The fewest pieces that the defender captures in the solution.
    pub least_sacrifices: u32,
}

impl Wanted {
    /// A problem of this many plies from pieces drawn at random, without further requirements.
    pub const fn plies(plies: u16) -> Self {
        Self { plies, source: ProblemSource::Pieces, most_pieces: u32::MAX, least_sacrifices: 0 }
    }

    /// Whether a sound problem meets the requirements.
    fn suits<R: Rules>(&self, problem: &Composed<R>) -> bool {
        let Composed { position, examination } = problem;
        let pieces = position.pieces().count() as u32 + in_hand(position, position.side());
        let (mut after, mut sacrifices) = (*position, 0);
        for &mv in &examination.answer.line {
            let is_by_defender = after.side() != position.side();
            sacrifices += u32::from(is_by_defender && after.piece(mv.to()).is_some());
            after = after.play_unchecked(mv);
        }
        pieces <= self.most_pieces && sacrifices >= self.least_sacrifices
    }
}

/// A composed problem with its examination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composed<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// Its examination; it is [sound](Examination::is_sound).
    pub examination: Examination<R>,
}

impl<R: Rules> MateSolver<R> {
    /// One attempt at a problem: a random position, or one of a random game, kept if its only solution is of the
    /// wanted length by the book's count and uses up the attacker's hand. Unnecessary pieces are removed. Most
    /// attempts fail.
    ///
    /// The attempt depends only on seed and number, and on the budget if that ends first.
    ///
    /// ```
    /// use shogi_rules::Minishogi;
    /// use shogi_mate::{Budget, MateSolver, Options, Wanted};
    ///
    /// let mut solver = MateSolver::<Minishogi>::new(Options { hash_bytes: 1 << 20, shortest: true });
    /// let wanted = Wanted { most_pieces: 6, ..Wanted::plies(1) };
    /// let mut attempts =
    ///     (0..).filter_map(|number| solver.compose(1, number, &wanted, &mut Budget::nodes(20_000)));
    /// let problem = attempts.next().unwrap();
    /// assert_eq!(problem.examination.answer.plies, Some(1));
    /// assert!(problem.examination.is_sound());
    /// ```
    pub fn compose(
        &mut self,
        seed: u64,
        number: u64,
        wanted: &Wanted,
        budget: &mut Budget<'_>,
    ) -> Option<Composed<R>> {
        let mut random = generator(seed, number);
        let drawn = match wanted.source {
            ProblemSource::Pieces => draw::<R>(&mut random).into_iter().collect(),
            ProblemSource::Games => games::positions::<R>(&mut random),
        };
        for position in drawn {
            if !self.table.is_empty() {
                self.table.clear();
            }
            if self.has_one_first_move(&position, wanted.plies, budget)? {
                let problem = self.tidied(position, wanted.source, budget)?;
                return Some(problem).filter(|problem| wanted.suits(problem));
            }
        }
        None
    }

    /// The problem of a position with a single first move, without unnecessary pieces.
    fn tidied(
        &mut self,
        mut position: Position<R>,
        source: ProblemSource,
        budget: &mut Budget<'_>,
    ) -> Option<Composed<R>> {
        if source == ProblemSource::Games {
            position = self.cleared(position, budget)?;
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

    /// Removes the pieces that the solution does not need, one after the other, without retrying all after
    /// each, since games have too many. `None` if there is not a single solution.
    fn cleared(
        &mut self,
        mut position: Position<R>,
        budget: &mut Budget<'_>,
    ) -> Option<Position<R>> {
        let answer = self.solve_by_the_book(&position, budget);
        if !self.is_solved_alike(&position, &answer, budget)? {
            return None;
        }
        for piece in PieceOf::all(&position) {
            let Some(without) = piece.taken_off(&position) else { continue };
            if self.is_solved_alike(&without, &answer, budget)? {
                position = without;
            }
        }
        Some(position)
    }

    /// Whether a position is mate in exactly this many plies by a single first move; `None` if the budget ends.
    /// Nearly all positions fail here, which a search within few plies detects, where searches for longer mates
    /// would use the whole budget.
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
        Some(book.attacks(position, plies.saturating_sub(1))?.len() == 1)
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
pub fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    (random.next_u64() % bound as u64) as usize
}

/// A random position with Gote's king mostly near its edge and a few pieces, most of them around it; all other
/// pieces are in Gote's hand. `None` if it is illegal or its pieces have no room.
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

/// Takes one of the remaining pieces, all kinds with equal probability.
fn take(random: &mut ChaCha8Rng, left: &mut [(Kind, u8)]) -> Option<Kind> {
    let index = below(random, left.len().max(1));
    let (kind, count) = left.get_mut(index).filter(|(_, count)| *count > 0)?;
    *count -= 1;
    Some(*kind)
}
