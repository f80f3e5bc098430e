//! The text's two trees: what minimax looks at, and what alpha-beta leaves out of it.

use anyhow::{Context, Result};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use shogi_rules::shogi_core::Position;
use shogi_rules::{Game, Minishogi, to_sfen};

/// Plies of the tree.
const DEPTH: u32 = 3;
/// Nodes of a tree that a picture has room for.
const NODES: std::ops::RangeInclusive<usize> = 14..=36;

/// A position of the tree, by how good it is for the player at its root: 1 won, 0 open, -1 lost.
#[derive(Serialize, Clone, Debug)]
struct Node {
    value: i32,
    /// When minimax and alpha-beta visit it, counted from 0.
    visited: [Option<usize>; 2],
    children: Vec<Node>,
}

/// A tree with its position and how many nodes are visited.
#[derive(Serialize, Debug)]
pub struct Tree {
    pub sfen: String,
    /// By minimax, by alpha-beta, and by alpha-beta with the moves at the root in the opposite order.
    pub nodes: [usize; 3],
    root: Node,
}

/// The first position of random games of Minishogi that is won in three plies, has a tree small enough to be drawn, at least
/// three moves, and can be decided with half of the tree.
pub fn find(seed: u64) -> Result<Tree> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..20_000 {
        let mut game = Game::<Minishogi>::from_start();
        while game.outcome().is_none() && game.moves().len() < 80 {
            if let Some(tree) = tree(game.position()) {
                return Ok(tree);
            }
            let moves = game.position().legal_moves();
            game.play(*moves.choose(&mut random).context("a game that goes on has moves")?)?;
        }
    }
    anyhow::bail!("no position has a tree that can be drawn")
}

/// The tree of a position, if it is one for a picture.
fn tree(position: &Position<Minishogi>) -> Option<Tree> {
    let mut left = *NODES.end();
    let mut root = grow(position, DEPTH, 1, &mut left)?;
    let minimax = number(&mut root, &mut 0);
    let mut opposite = root.clone();
    opposite.children.reverse();
    let (mut alpha_beta, mut reversed) = (0, 0);
    search(&mut root, true, -1, 1, &mut alpha_beta);
    search(&mut opposite, true, -1, 1, &mut reversed);
    let is_fit = root.value == 1
        && root.children.len() >= 3
        && NODES.contains(&minimax)
        && 2 * alpha_beta <= minimax
        && alpha_beta < reversed
        && reversed < minimax;
    let sfen = to_sfen(position);
    is_fit.then_some(Tree { sfen, nodes: [minimax, alpha_beta, reversed], root })
}

/// The whole tree with its values, `sign` for the player to move; `None` if it has too many nodes.
fn grow(position: &Position<Minishogi>, depth: u32, sign: i32, left: &mut usize) -> Option<Node> {
    *left = left.checked_sub(1)?;
    let moves = position.legal_moves();
    let mut children = Vec::new();
    if depth > 0 {
        (moves.len() <= *left).then_some(())?;
        for &mv in &moves {
            children.push(grow(&position.play_unchecked(mv), depth - 1, -sign, left)?);
        }
    }
    let best = children.iter().map(|child| sign * child.value).max();
    let value = if moves.is_empty() { -sign } else { sign * best.unwrap_or(0) };
    Some(Node { value, visited: [None; 2], children })
}

/// Numbers all nodes as minimax visits them, and gives how many there are.
fn number(node: &mut Node, next: &mut usize) -> usize {
    node.visited[0] = Some(*next);
    *next += 1;
    for child in &mut node.children {
        number(child, next);
    }
    *next
}

/// Numbers the nodes that alpha-beta visits.
fn search(node: &mut Node, is_first: bool, mut low: i32, mut high: i32, next: &mut usize) -> i32 {
    node.visited[1] = Some(*next);
    *next += 1;
    if node.children.is_empty() {
        return node.value;
    }
    let mut best = if is_first { -1 } else { 1 };
    for child in &mut node.children {
        let value = search(child, !is_first, low, high, next);
        if is_first {
            best = best.max(value);
            low = low.max(best);
        } else {
            best = best.min(value);
            high = high.min(best);
        }
        if low >= high {
            break;
        }
    }
    best
}

/// The tree's place in the page.
pub fn page(tree: &Tree) -> String {
    let [minimax, alpha_beta, reversed] = tree.nodes;
    format!(
        "![A tree by minimax and by alpha-beta](shogi_player_tree.svg)\n\nThe text's two trees, of the Minishogi position `{}` to three \
         plies: {minimax} nodes by minimax, {alpha_beta} by alpha-beta, and {reversed} if it looks at the first moves in \
         the opposite order. Nodes are numbered as they are visited.\n\n",
        tree.sfen
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "long: trees are drawn for minutes, as the program does"]
    fn alpha_beta_leaves_out_half_of_the_tree_and_finds_the_same() {
        let tree = find(1).unwrap();
        let [minimax, alpha_beta, reversed] = tree.nodes;
        assert!(2 * alpha_beta <= minimax && alpha_beta < reversed && reversed < minimax);
        let mut root = tree.root.clone();
        assert_eq!(search(&mut root, true, -1, 1, &mut 0), tree.root.value);
        assert!(shogi_rules::parse_position::<Minishogi>(&tree.sfen).is_ok());
    }
}
