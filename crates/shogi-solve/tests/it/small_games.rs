//! Small games, which are looked at as a whole.

use std::time::Duration;

use shogi_solve::shogi_core::Colour;
use shogi_solve::toy::Graph;
use shogi_solve::{
    Budget, Ended, GameGraph, Method, Options, RepetitionValue, Solution, Verdict, solve,
    solve_within,
};

use crate::graphs::graphs;
use crate::solve::exact_value;

/// Four in a row on a board of 4x4, with or without gravity: the stones of either player, a bit for each square.
struct FourInARow {
    falls: bool,
}

type Stones = [u16; 2];

impl FourInARow {
    fn has_won(stones: u16) -> bool {
        let rows = (0..4).map(|row| 0xf << (4 * row));
        let columns = (0..4).map(|column| 0x1111 << column);
        let lines = rows.chain(columns).chain([0x8421, 0x1248]);
        lines.into_iter().any(|line| stones & line == line)
    }
}

impl GameGraph for FourInARow {
    type Position = Stones;
    type Move = u16;

    fn side(&self, stones: &Stones) -> Colour {
        let placed = stones[0].count_ones() + stones[1].count_ones();
        if placed.is_multiple_of(2) { Colour::Sente } else { Colour::Gote }
    }

    fn verdict(&self, stones: &Stones) -> Option<Verdict> {
        // Who has just moved.
        if Self::has_won(stones[!self.side(stones) as usize]) {
            return Some(Verdict::Loss);
        }
        (stones[0] | stones[1] == u16::MAX).then_some(Verdict::Draw)
    }

    fn moves(&self, stones: &Stones, moves: &mut Vec<u16>) {
        let taken = stones[0] | stones[1];
        let below = |square: u16| square < 4 || taken >> (square - 4) & 1 == 1;
        let is_free = |&square: &u16| taken >> square & 1 == 0 && (!self.falls || below(square));
        moves.extend((0..16).filter(is_free));
    }

    fn play(&self, stones: &Stones, square: u16) -> Stones {
        let mut next = *stones;
        next[self.side(stones) as usize] |= 1 << square;
        next
    }

    fn key(&self, stones: &Stones) -> u64 {
        (u64::from(stones[0]) << 16 | u64::from(stones[1])).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Asserts that the certificates hold.
fn assert_certified<G: GameGraph>(game: &G, root: &G::Position, answer: &Solution<G>) {
    assert!(!answer.certificates.is_empty());
    for certificate in &answer.certificates {
        certificate.check(game, root).unwrap();
    }
}

#[test]
fn four_in_a_row_on_sixteen_squares_is_solved_as_a_whole() {
    for falls in [true, false] {
        let (game, root) = (FourInARow { falls }, [0, 0]);
        let mut budget = Budget::nodes(2_000_000).time(Duration::from_secs(60));
        let answer = solve_within(&game, &root, &Options::default(), &mut budget);
        assert_eq!((answer.value, answer.method), (Some(Verdict::Draw), Method::Whole));
        assert_certified(&game, &root, &answer);
        assert!(answer.nodes < 1_000_000, "{}", answer.nodes);
    }
}

/// Stones go round a ring of squares, one step at a time, until Sente's catches Gote's or the other way round: a game with
/// cycles of all lengths, with a way for who is ahead.
struct Chase {
    squares: u32,
}

impl GameGraph for Chase {
    type Position = (u32, u32, Colour);
    type Move = u32;

    fn side(&self, &(_, _, side): &Self::Position) -> Colour {
        side
    }

    fn verdict(&self, &(hunter, hunted, side): &Self::Position) -> Option<Verdict> {
        (hunter == hunted).then_some(match side {
            Colour::Gote => Verdict::Loss,
            Colour::Sente => Verdict::Win,
        })
    }

    fn moves(&self, &(_, _, side): &Self::Position, moves: &mut Vec<u32>) {
        // Sente may take a step of one or two, Gote one; both may go back.
        moves.extend([1, self.squares - 1]);
        moves.extend((side == Colour::Sente).then_some(2));
    }

    fn play(&self, &(hunter, hunted, side): &Self::Position, step: u32) -> Self::Position {
        let to = |from: u32| (from + step) % self.squares;
        match side {
            Colour::Sente => (to(hunter), hunted, Colour::Gote),
            Colour::Gote => (hunter, to(hunted), Colour::Sente),
        }
    }

    fn key(&self, &(hunter, hunted, side): &Self::Position) -> u64 {
        let number = (u64::from(hunter) << 32 | u64::from(hunted)) << 1 | side.index() as u64;
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

#[test]
fn a_small_game_with_cycles_is_listed() {
    let game = Chase { squares: 301 };
    let root = (0, 150, Colour::Sente);
    let answer = solve_within(&game, &root, &Options::default(), &mut Budget::nodes(20_000_000));
    assert_eq!(answer.value, Some(Verdict::Win));
    assert_certified(&game, &root, &answer);
    let searched = Options { small_game: 0, ..Options::default() };
    let budget = &mut Budget::nodes(answer.nodes);
    assert_eq!(solve_within(&game, &root, &searched, budget).value, None, "too tame");
    assert_eq!(answer.method, Method::Whole);
}

#[test]
fn a_solver_that_lists_the_whole_game_has_the_values_of_every_graph() {
    let worth = [
        RepetitionValue::Draw,
        RepetitionValue::LosesFor(Colour::Sente),
        RepetitionValue::LosesFor(Colour::Gote),
    ];
    for game in graphs(300, 3_000, 37) {
        let root = game.start();
        let listing = shogi_solve::retrograde::Listing::new(&game, &root, 10_000).unwrap();
        for repetition in worth {
            let options = Options { repetition, ..Options::default() };
            let answer = solve(&game, &root, &options);
            assert_eq!(answer.value, exact_value(&listing, repetition), "{repetition:?} {game:?}");
            assert_certified(&game, &root, &answer);
        }
    }
}

/// A counter that stops at a number without a result.
struct Stops;

impl GameGraph for Stops {
    type Position = (u32, Colour);
    type Move = u32;

    fn side(&self, &(_, side): &(u32, Colour)) -> Colour {
        side
    }

    fn verdict(&self, _: &(u32, Colour)) -> Option<Verdict> {
        None
    }

    fn moves(&self, &(height, _): &(u32, Colour), moves: &mut Vec<u32>) {
        moves.extend((1..3).filter(|step| height + step <= 9));
    }

    fn play(&self, &(height, side): &(u32, Colour), step: u32) -> (u32, Colour) {
        (height + step, !side)
    }

    fn key(&self, &(height, side): &(u32, Colour)) -> u64 {
        u64::from(height) << 1 | side.index() as u64
    }
}

#[test]
fn a_position_without_moves_and_without_a_verdict_is_named_as_the_reason() {
    for small_game in [0, 1_000] {
        for height in [0, 8, 9] {
            let options = Options { small_game, ..Options::default() };
            let answer = solve(&Stops, &(height, Colour::Sente), &options);
            assert_eq!(
                (answer.value, answer.ended),
                (None, Ended::NoMoves),
                "{small_game} {height}"
            );
        }
    }
    // The end of this plan is no end.
    let plan = shogi_solve::Plan::<Stops>::new();
    let goal = shogi_solve::Goal::win(Colour::Sente);
    assert!(plan.check_reaches(&Stops, &(9, Colour::Gote), goal).is_err());
}

#[test]
fn a_game_that_is_larger_than_the_bound_is_left_to_the_searches() {
    let game = Graph::random(5, 3_000, 3, 10);
    for small_game in [0, 10] {
        let options = Options { small_game, ..Options::default() };
        let answer = solve(&game, &game.start(), &options);
        assert_eq!(answer.method, Method::Search);
        assert_certified(&game, &game.start(), &answer);
    }
}
