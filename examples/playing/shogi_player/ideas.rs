//! What each idea of the text saves a search that has the ideas before it.

use std::fmt::Write as _;
use std::time::Instant;

use indicatif::{HumanCount, ProgressBar};
use serde::Serialize;
use shogi_rules::{Game, Shogi};
use shogi_search::Material;

use crate::text::{Ideas, TextSearch};

const MINIMAX: Ideas = Ideas { cutoffs: false, order: false, cache: false, order_by_cache: false };
const CUTOFFS: Ideas = Ideas { cutoffs: true, ..MINIMAX };
const ORDER: Ideas = Ideas { order: true, ..CUTOFFS };
const CACHE: Ideas = Ideas { cache: true, ..ORDER };
/// All ideas: what is searched deeper and deeper finds its order in the cache.
pub const ALL: Ideas = Ideas { order_by_cache: true, ..CACHE };

/// The ideas, each with those before it.
pub const STEPS: [(&str, Ideas); 5] = [
    ("minimax", MINIMAX),
    ("alpha-beta", CUTOFFS),
    ("and an order of moves", ORDER),
    ("and a cache", CACHE),
    ("and the cache's order", ALL),
];
/// The steps that the text's claim on the cache is about: without it, with it, and with all of it.
const CLAIM: [usize; 3] = [2, 3, 4];

/// What a step takes to a depth, all positions together.
#[derive(Serialize, Clone, Copy, Default, Debug)]
pub struct Cost {
    pub nodes: u64,
    pub seconds: f64,
}

/// What all steps take.
#[derive(Serialize, Default, Debug)]
pub struct Costs {
    /// By step and depth, from 1 on.
    steps: Vec<Vec<Cost>>,
    /// Nodes of the last step for searches that it has just made, with its cache kept.
    again: u64,
}

/// Searches some positions with each of the steps to depth after depth, for as long as none takes more than `most`
/// positions. A search that finds its order in the cache has all shallower searches behind it, which are counted, too.
pub fn measure(games: &[Game<Shogi>], deepest: u32, most: u64) -> Costs {
    let bar = ProgressBar::new((STEPS.len() * games.len()) as u64);
    let mut costs = Costs::default();
    for (_, ideas) in STEPS {
        let mut of_step = vec![Cost::default(); deepest as usize];
        costs.again = 0;
        for game in games {
            let (reached, again) = add_position(&mut of_step, game, ideas, most);
            // All positions count at a depth, or none.
            of_step.truncate(reached);
            costs.again += again;
            bar.inc(1);
        }
        costs.steps.push(of_step);
    }
    bar.finish_and_clear();
    costs
}

/// Adds what a position costs at each depth. Gives how many depths it has reached, and how many nodes the deepest takes
/// once more with what is in the cache, if there is one.
fn add_position(costs: &mut [Cost], game: &Game<Shogi>, ideas: Ideas, most: u64) -> (usize, u64) {
    let evaluation = Material::tanigawa();
    let mut search = TextSearch::new(&evaluation, ideas);
    let (mut before, mut started) = (0, Instant::now());
    for (index, cost) in costs.iter_mut().enumerate() {
        if !ideas.order_by_cache {
            search.clear();
            (before, started) = (search.nodes(), Instant::now());
        }
        search.allow(most - (search.nodes() - before));
        if search.value(game.position(), index as u32 + 1).is_none() {
            return (index, 0);
        }
        cost.nodes += search.nodes() - before;
        cost.seconds += started.elapsed().as_secs_f64();
    }
    let before = search.nodes();
    if ideas.cache {
        search.value(game.position(), costs.len() as u32);
    }
    (costs.len(), search.nodes() - before)
}

/// The tables.
pub fn page(costs: &Costs, positions: usize, most: u64) -> String {
    let mut page = format!(
        "## Minimax, cut-offs, order, cache\n\nA search that has nothing but the text's ideas, each with those before it \
         ([text.rs](../../examples/playing/shogi_player/text.rs)): nodes to a fixed depth, {positions} positions of 9x9 games of \
         self-play together, at most {} nodes a position. No idea changes a value; the order puts captures, promotions and \
         checks first; the last column searches depth after depth, all of which it counts.\n\n\
         ![Nodes by depth, idea by idea](shogi_player_ideas.svg)\n\n",
        HumanCount(most)
    );
    let names = STEPS.map(|(name, _)| name).join(" | ");
    let _ = writeln!(page, "| depth | {names} |\n|---:|{}", "---:|".repeat(STEPS.len()));
    let deepest = costs.steps.iter().map(Vec::len).max().unwrap_or_default();
    let cell = |of_step: &Vec<Cost>, depth: usize| {
        of_step.get(depth).map_or_else(String::new, |cost| HumanCount(cost.nodes).to_string())
    };
    for depth in 0..deepest {
        let cells: Vec<_> = costs.steps.iter().map(|of_step| cell(of_step, depth)).collect();
        let _ = writeln!(page, "| {} | {} |", depth + 1, cells.join(" | "));
    }
    page + "\n" + &claim(costs, positions)
}

/// The text's claim on the cache beside what is measured.
fn claim(costs: &Costs, positions: usize) -> String {
    let [without, cache, order] = CLAIM.map(|step| &costs.steps[step]);
    let mut text = "The text says that with the cache 5 s reach the depth of 100 s without, a factor of **20** in time. \
                    Without the cache a search takes so many times as long:\n\n\
                    | depth | s without | s with a cache | ratio | ratio of nodes | s with its order, too | ratio | ratio of nodes |\n\
                    |---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (index, ((without, cache), order)) in without.iter().zip(cache).zip(order).enumerate() {
        let ratios = |with: &Cost| {
            let nodes = without.nodes as f64 / with.nodes as f64;
            format!("{:.3} | {:.2} | {nodes:.2}", with.seconds, without.seconds / with.seconds)
        };
        let (cache, order) = (ratios(cache), ratios(order));
        let _ = writeln!(text, "| {} | {:.3} | {cache} | {order} |", index + 1, without.seconds);
    }
    if costs.again > 0 {
        let _ = writeln!(
            text,
            "\nThe text speaks of positions that come back: searched once more with the cache kept, all {positions} positions \
             together take {} nodes.",
            HumanCount(costs.again)
        );
    }
    text + "\n"
}
