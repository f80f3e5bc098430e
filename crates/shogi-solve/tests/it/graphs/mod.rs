//! Games and goals that the searches are tried on.

use shogi_rules::{Rules as _, Shogi34};
use shogi_solve::shogi_core::{Colour, Position};
use shogi_solve::toy::Graph;
use shogi_solve::{Goal, RulesGame};

/// That Sente wins.
pub const SENTE: Goal = Goal::win(Colour::Sente);

pub const GAME: &RulesGame<Shogi34> = &RulesGame::new();

/// A start of 3x4 shogi.
pub fn start(name: &str) -> Position<Shogi34> {
    Position::new(Shogi34::named_start(name).unwrap()).unwrap()
}

/// Every goal there is.
pub fn goals() -> impl Iterator<Item = Goal> {
    Colour::ALL
        .into_iter()
        .flat_map(|prover| [false, true].map(|draw_suffices| Goal { prover, draw_suffices }))
}

/// Random games of many shapes: so many sizes from the smallest on, two to four moves, three
/// chances of an end.
pub fn graphs(count: u64, smallest: u32, sizes: u64) -> impl Iterator<Item = Graph> {
    (0..count).map(move |seed| {
        let nodes = smallest + (seed % sizes) as u32;
        let degree = 2 + (seed / sizes % 3) as u32;
        let end = [24, 64, 100][(seed / (3 * sizes) % 3) as usize];
        Graph::random(seed, nodes, degree, end)
    })
}
