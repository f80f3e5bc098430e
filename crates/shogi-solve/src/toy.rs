//! Small games for testing searches: written as text, or drawn at random.

#[cfg(any(feature = "random", test))]
use rand_chacha::ChaCha8Rng;
#[cfg(any(feature = "random", test))]
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;

use crate::game::GameGraph;

/// A game on a graph: the players take turns moving a token along its edges until it reaches a node
/// with a result.
///
/// As text, `W`, `L` and `D` are ends that Sente has won, lost or drawn, and parentheses hold the
/// moves of a node. A lower-case letter before a node names it; alone it leads to the node of that
/// name, which may come later. Sente moves first, from the first node.
///
/// ```
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Options, Verdict, solve};
///
/// let value = |text: &str| {
///     let game = Graph::parse(text)?;
///     Ok::<_, Box<dyn std::error::Error>>(solve(&game, &game.start(), &Options::default()).value)
/// };
/// assert_eq!(value("(WL(DW))")?, Some(Verdict::Win));
/// assert_eq!(value("(L(DW))")?, Some(Verdict::Draw));
/// // Both players do best to go round in a circle.
/// assert_eq!(value("a(L(W a))")?, Some(Verdict::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
}

/// A node of a [`Graph`].
#[derive(Clone, PartialEq, Eq, Debug)]
enum Node {
    /// The game is over, with this result for Sente.
    End(Verdict),
    /// The nodes that the moves lead to, at least one.
    Moves(Vec<u32>),
}

/// The place of the token and the player to move it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Token {
    /// The number of the node.
    pub node: u32,
    /// The player to move.
    pub side: Colour,
}

/// Why a text is not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}, at character {at} of {text:?}")]
pub struct ParseError {
    /// The fault.
    pub reason: &'static str,
    /// The index of the character, from 0.
    pub at: usize,
    /// The whole text.
    pub text: String,
}

impl Graph {
    /// Reads a game from text.
    ///
    /// # Errors
    ///
    /// If the text is malformed; the error has the place.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut parser = Parser { text, nodes: Vec::new(), names: [None; 26], open: Vec::new() };
        parser.run().map_err(|(reason, at)| ParseError { reason, at, text: text.to_owned() })?;
        Ok(Self { nodes: parser.nodes })
    }

    /// Draws a game with this many nodes at random: each is an end with the given chance in 256,
    /// or has one to `degree` moves to any nodes, so that cycles and transpositions abound.
    ///
    /// # Panics
    ///
    /// If `nodes` or `degree` is 0.
    #[cfg(any(feature = "random", test))]
    pub fn random(seed: u64, nodes: u32, degree: u32, end: u8) -> Self {
        assert!(nodes > 0 && degree > 0, "a game needs nodes and moves");
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut below = |bound: u32| random.next_u32() % bound;
        let node = |index| {
            if index > 0 && below(256) < u32::from(end) {
                return Node::End([Verdict::Win, Verdict::Loss, Verdict::Draw][below(3) as usize]);
            }
            Node::Moves((0..1 + below(degree)).map(|_| below(nodes)).collect())
        };
        Self { nodes: (0..nodes).map(node).collect() }
    }

    /// The token on the first node, Sente to move.
    pub const fn start(&self) -> Token {
        Token { node: 0, side: Colour::Sente }
    }
}

impl GameGraph for Graph {
    type Position = Token;
    type Move = u32;

    fn side(&self, token: &Token) -> Colour {
        token.side
    }

    fn verdict(&self, token: &Token) -> Option<Verdict> {
        match (&self.nodes[token.node as usize], token.side) {
            (Node::End(verdict), Colour::Sente) => Some(*verdict),
            (Node::End(verdict), Colour::Gote) => Some(verdict.for_opponent()),
            (Node::Moves(_), _) => None,
        }
    }

    fn moves(&self, token: &Token, moves: &mut Vec<u32>) {
        if let Node::Moves(targets) = &self.nodes[token.node as usize] {
            moves.extend(targets);
        }
    }

    fn play(&self, token: &Token, target: u32) -> Token {
        Token { node: target, side: !token.side }
    }

    fn key(&self, token: &Token) -> u64 {
        // Spread by a multiplication, since tables take their index from the key.
        (u64::from(token.node) << 1 | token.side.index() as u64 | 1 << 40)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A fault and its place.
type Fault = (&'static str, usize);

struct Parser<'a> {
    text: &'a str,
    nodes: Vec<Node>,
    /// The node of each name, once the name has occurred.
    names: [Option<u32>; 26],
    /// The nodes whose parentheses are open.
    open: Vec<u32>,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), Fault> {
        let mut characters =
            self.text.char_indices().filter(|(_, c)| !c.is_whitespace()).peekable();
        let end = self.text.len();
        while let Some((at, character)) = characters.next() {
            match character {
                'W' => self.end(Verdict::Win, at)?,
                'L' => self.end(Verdict::Loss, at)?,
                'D' => self.end(Verdict::Draw, at)?,
                '(' => {
                    let node = self.add();
                    self.enter(node, at)?;
                    self.open.push(node);
                }
                ')' => {
                    let node = self.open.pop().ok_or(("nothing is open", at))?;
                    if self.nodes[node as usize] == Node::Moves(Vec::new()) {
                        return Err(("a node without moves", at));
                    }
                }
                'a'..='z' => {
                    let node = self.named(character);
                    self.enter(node, at)?;
                    if characters.next_if(|&(_, next)| next == '(').is_some() {
                        if self.nodes[node as usize] != Node::Moves(Vec::new()) {
                            return Err(("a name given twice", at));
                        }
                        self.open.push(node);
                    }
                }
                _ => return Err(("not one of W, L, D, a letter from a to z or a parenthesis", at)),
            }
        }
        if !self.open.is_empty() || self.nodes.is_empty() {
            return Err(("the text ends too early", end));
        }
        if self.nodes.contains(&Node::Moves(Vec::new())) {
            return Err(("a name leads to no node", end));
        }
        Ok(())
    }

    fn add(&mut self) -> u32 {
        self.nodes.push(Node::Moves(Vec::new()));
        (self.nodes.len() - 1) as u32
    }

    fn named(&mut self, name: char) -> u32 {
        let index = name as usize - 'a' as usize;
        let known = self.names[index];
        let node = known.unwrap_or_else(|| self.add());
        self.names[index] = Some(node);
        node
    }

    fn end(&mut self, verdict: Verdict, at: usize) -> Result<(), Fault> {
        let node = self.add();
        self.nodes[node as usize] = Node::End(verdict);
        self.enter(node, at)
    }

    /// Makes a node a move of the innermost open one.
    fn enter(&mut self, node: u32, at: usize) -> Result<(), Fault> {
        match self.open.last() {
            Some(&parent) => {
                if let Node::Moves(moves) = &mut self.nodes[parent as usize] {
                    moves.push(node);
                }
                Ok(())
            }
            None if node == 0 => Ok(()),
            None => Err(("more than one node at the top", at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read() {
        let game = Graph::parse("a(W b(L a) (b D))").unwrap();
        let end = |verdict| Node::End(verdict);
        assert_eq!(
            game.nodes,
            [
                Node::Moves(vec![1, 2, 4]),
                end(Verdict::Win),
                Node::Moves(vec![3, 0]),
                end(Verdict::Loss),
                Node::Moves(vec![2, 5]),
                end(Verdict::Draw),
            ]
        );
        assert_eq!(Graph::parse("W").unwrap().verdict(&game.start()), None.or(Some(Verdict::Win)));
    }

    #[test]
    fn other_texts_are_refused_with_the_place() {
        let at = |text| Graph::parse(text).unwrap_err().at;
        assert_eq!(at(""), 0);
        assert_eq!(at("(W"), 2);
        assert_eq!(at("(W)L"), 3);
        assert_eq!(at("(W))"), 3);
        assert_eq!(at("(W()L)"), 3);
        assert_eq!(at("(W?)"), 2);
        assert_eq!(at("(Wa)"), 4);
        assert_eq!(at("a(W a(L))"), 4);
    }

    #[test]
    fn every_random_node_has_moves_or_is_an_end() {
        let game = Graph::random(1, 1000, 4, 64);
        let ends = game.nodes.iter().filter(|node| matches!(node, Node::End(_))).count();
        assert!((150..350).contains(&ends), "{ends}");
        assert!(!game.nodes.contains(&Node::Moves(Vec::new())));
    }
}
