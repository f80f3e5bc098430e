//! Games and goals that the searches are tried on.

use shogi_solve::Goal;
use shogi_solve::shogi_core::Colour;
use shogi_solve::toy::Graph;

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
