//! Boards filled square by square, counted by dynamic programming and numbered by the counts.
//!
//! A *walk* visits the squares in some order and remembers in its state just what decides which
//! pieces may still be put where. States are nodes; what may be put on the next square leads from
//! a node to nodes of the next layer, many ways into one. For each node and each number of pieces
//! left of every kind there is the number of ways to go on to the end: a sum of products over the
//! choices, made from the last layer backwards. At the end the players share what is left. Nodes
//! with the same future, whatever their past, are merged before it is counted.
//!
//! Numbering is walking: at each node the choices divide the numbers among themselves in order, in
//! runs as long as the ways that follow.

use std::hash::{BuildHasher as _, Hash};
use std::mem;
use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashMap};
use shogi_core::{Colour, Face, Kind, MAX_KINDS, Piece, Placement, RuleTable, Square, Word};

use crate::board::Board;
use crate::table::Table;

/// How boards are filled.
pub(crate) trait Walk {
    /// What the past says about the future.
    type State: Copy + Eq + Hash;

    /// The square that is filled at a layer; `None` behind the last one.
    fn square(&self, layer: usize, state: &Self::State) -> Option<u8>;

    /// The state after filling that square so, `None` if it must not be filled so.
    ///
    /// A king that the walk puts on the board is asked for like any piece; only a state can see
    /// to it that there is one.
    fn fill(
        &self,
        layer: usize,
        state: &Self::State,
        square: u8,
        content: Option<Piece>,
    ) -> Option<Self::State>;

    /// What tells contents of the square of a layer apart: those for which it is the same lead any
    /// state to the same one.
    fn likeness(&self, layer: usize, content: Option<Piece>) -> u8;

    /// Whether a walk may end so.
    fn accepts(&self, state: &Self::State) -> bool;
}

/// No square: the node at the end.
const END: u8 = u8::MAX;
/// No kind: an empty square.
const NOTHING: u8 = u8::MAX;

/// Bit 0: Gote's, bit 1: promoted.
fn face_bits(piece: Piece) -> u8 {
    piece.colour.index() as u8 | u8::from(piece.face.promoted) << 1
}

/// All that can be on a square: nothing, Sente's king, or any other piece.
fn contents(table: &Table) -> Vec<Option<Piece>> {
    let king = Piece { face: Face::front(table.royal), colour: Colour::Sente };
    let mut contents = vec![None, Some(king)];
    for (face, _) in table.faces().filter(|(face, _)| face.kind != table.royal) {
        contents.extend(Colour::ALL.map(|colour| Some(Piece { face, colour })));
    }
    contents
}

#[derive(Debug)]
struct Node {
    square: u8,
    choices: u8,
    first: u32,
}

impl Node {
    /// Its choices, of those of all nodes.
    #[inline]
    fn of<'c>(&self, choices: &'c [Choice]) -> &'c [Choice] {
        &choices[self.first as usize..][..usize::from(self.choices)]
    }
}

/// The node behind the last square.
const END_NODE: Node = Node { square: END, choices: 0, first: 0 };

/// Ways to fill a square that lead to the same node: empty, or with one kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Choice {
    next: u32,
    /// By how much the number of the stock falls.
    stride: u16,
    /// The bit of the kind, if it has to be in stock.
    kinds: u8,
    /// [`NOTHING`] where the square stays empty.
    kind: u8,
    /// How many faces, colours included.
    number: u8,
    /// Bit 0: Gote's, bit 1: promoted.
    faces: [u8; 4],
}

impl Choice {
    /// Adds to the ways from a node, by stock, those through this choice, after which there are so
    /// many.
    fn add_ways(&self, digits: &[Digit], after: &[u64], sum: &mut [u64]) {
        let (stocks, stride) = (sum.len(), usize::from(self.stride));
        let number = u64::from(self.number);
        let mut add = |to: Range<usize>, from: Range<usize>| {
            for (sum, ways) in sum[to].iter_mut().zip(&after[from]) {
                *sum = sum.wrapping_add(ways.wrapping_mul(number));
            }
        };
        if stride == 0 {
            return add(0..stocks, 0..stocks);
        }
        // Stocks in blocks that differ in this kind and the ones below it only.
        let digit = digits.iter().find(|digit| digit.kind.index() == usize::from(self.kind));
        let block = stride * (digit.map_or(0, |digit| usize::from(digit.count)) + 1);
        for start in (0..stocks).step_by(block) {
            add(start + stride..start + block, start..start + block - stride);
        }
    }
}

/// All ways to fill boards by a walk.
///
/// A *stock* says how many pieces of each kind are left; stocks are numbered by mixed radix.
#[derive(Debug)]
pub(crate) struct Trellis {
    /// The end, then every node behind those that it leads to.
    nodes: Vec<Node>,
    choices: Vec<Choice>,
    /// For each node and stock, modulo 2^64.
    ways: Vec<u64>,
    /// For each stock the kinds that are in it.
    in_stock: Vec<u8>,
    strides: [u16; MAX_KINDS],
    /// The kinds that stocks are made of, in order.
    digits: Vec<Digit>,
}

/// A kind as a digit of the number of a stock.
#[derive(Clone, Copy, Debug)]
struct Digit {
    kind: Kind,
    stride: u16,
    /// How many pieces the set has.
    count: u8,
}

/// The number of stocks of a rule table.
pub(crate) fn stocks(table: &Table) -> u64 {
    table.kinds().map(|kind| u64::from(table.count(kind)) + 1).product()
}

impl Trellis {
    /// Everything that can be reached from some states, with the nodes of these states.
    ///
    /// There must be less than 2^16 stocks. Of a number of ways that exceeds 64 bits only the
    /// lowest 64 are kept; where the ways from a node and stock fit, so do those of all that
    /// follow.
    pub(crate) fn new<W: Walk>(table: &Table, walk: &W, roots: &[W::State]) -> (Self, Vec<u32>) {
        let mut trellis = Self::empty(table);
        let contents = contents(table);
        let mut layer: Vec<W::State> = Vec::new();
        let mut numbers = FxHashMap::default();
        let mut nodes_of_roots = Vec::new();
        for root in roots {
            let number = *numbers.entry(*root).or_insert_with(|| {
                layer.push(*root);
                layer.len() as u32
            });
            nodes_of_roots.push(number);
        }
        // Node 0 is the end; the states of a layer follow one another, until nodes are merged.
        let mut depth = 0;
        while !layer.is_empty() {
            let mut next_layer = Vec::new();
            let mut numbers = FxHashMap::default();
            let next_first = (trellis.nodes.len() + layer.len()) as u32;
            let mut go_on = |state: &W::State, square, content| {
                let after = walk.fill(depth, state, square, content)?;
                if walk.square(depth + 1, &after).is_none() {
                    return walk.accepts(&after).then_some(0);
                }
                Some(*numbers.entry(after).or_insert_with(|| {
                    next_layer.push(after);
                    next_first + next_layer.len() as u32 - 1
                }))
            };
            let likenesses: Vec<_> = contents.iter().map(|&c| walk.likeness(depth, c)).collect();
            // For each content the first one that it is like.
            let like = likenesses.iter().map(|&own| likenesses.iter().position(|&l| l == own));
            let like: Vec<_> = like.flatten().collect();
            let mut next = vec![None; contents.len()];
            for state in &layer {
                let Some(square) = walk.square(depth, state) else { continue };
                let first = trellis.choices.len();
                for (i, &content) in contents.iter().enumerate() {
                    next[i] =
                        if like[i] < i { next[like[i]] } else { go_on(state, square, content) };
                    if let Some(next) = next[i] {
                        trellis.add_choice(first, content, next);
                    }
                }
                let choices = (trellis.choices.len() - first) as u8;
                trellis.nodes.push(Node { square, choices, first: first as u32 });
            }
            layer = next_layer;
            depth += 1;
        }
        let numbers = trellis.merge();
        trellis.count();
        let merged = nodes_of_roots.iter().map(|&node: &u32| numbers[node as usize]);
        (trellis, merged.collect())
    }

    /// A trellis with nothing but the end.
    fn empty(table: &Table) -> Self {
        let mut strides = [0; MAX_KINDS];
        let mut in_stock = vec![0];
        let mut shares = vec![1];
        let mut digits = Vec::new();
        for kind in table.kinds() {
            let (stride, count) = (in_stock.len() as u16, table.spec(kind).count);
            strides[kind.index()] = stride;
            digits.push(Digit { kind, stride, count });
            let fewer = (in_stock.clone(), shares.clone());
            for number in 1..=u64::from(count) {
                in_stock.extend(fewer.0.iter().map(|kinds| kinds | 1 << kind.index()));
                shares.extend(fewer.1.iter().map(|ways| ways * (number + 1)));
            }
        }
        let (nodes, choices) = (vec![END_NODE], Vec::new());
        Self { nodes, choices, ways: shares, in_stock, strides, digits }
    }

    /// Adds a way to fill a square to the choices of its node, which begin at `first`.
    fn add_choice(&mut self, first: usize, content: Option<Piece>, next: u32) {
        let mut choice =
            Choice { next, stride: 0, kinds: 0, kind: NOTHING, number: 1, faces: [0; 4] };
        if let Some(piece) = content {
            choice.kind = piece.face.kind.index() as u8;
            choice.faces[0] = face_bits(piece);
            choice.stride = self.strides[piece.face.kind.index()];
            // A king is in no stock.
            choice.kinds = if choice.stride == 0 { 0 } else { 1 << choice.kind };
        }
        let same = |other: &&mut Choice| other.next == next && other.kind == choice.kind;
        if let Some(same) = self.choices[first..].iter_mut().find(same) {
            same.faces[usize::from(same.number)] = choice.faces[0];
            same.number += 1;
        } else {
            self.choices.push(choice);
        }
    }

    /// Numbers the nodes anew, the last first, without choices that lead nowhere. Nodes with the
    /// same choices become one, more than half of them in Minishogi. Returns the number of each.
    fn merge(&mut self) -> Vec<u32> {
        let nodes = mem::replace(&mut self.nodes, vec![END_NODE]);
        let choices = mem::take(&mut self.choices);
        let mut numbers = vec![0; nodes.len()];
        // By the hash of square and choices. Two nodes with the same hash by chance both stay.
        let mut by_hash = FxHashMap::default();
        for (old, node) in nodes.iter().enumerate().skip(1).rev() {
            let first = self.choices.len();
            for choice in node.of(&choices) {
                let next = numbers[choice.next as usize];
                if next == 0 || self.nodes[next as usize].choices > 0 {
                    self.choices.push(Choice { next, ..*choice });
                }
            }
            let own = &self.choices[first..];
            let new = self.nodes.len() as u32;
            let number = *by_hash.entry(FxBuildHasher.hash_one((node.square, own))).or_insert(new);
            let is_same = self
                .nodes
                .get(number as usize)
                .is_some_and(|other| other.square == node.square && other.of(&self.choices) == own);
            if is_same {
                self.choices.truncate(first);
                numbers[old] = number;
            } else {
                let choices = own.len() as u8;
                self.nodes.push(Node { square: node.square, choices, first: first as u32 });
                numbers[old] = new;
            }
        }
        numbers
    }

    /// Counts the ways from every node.
    fn count(&mut self) {
        let stocks = self.in_stock.len();
        self.ways.resize(self.nodes.len() * stocks, 0);
        for (number, node) in self.nodes.iter().enumerate() {
            let (before, rest) = self.ways.split_at_mut(number * stocks);
            for choice in node.of(&self.choices) {
                let next = &before[choice.next as usize * stocks..][..stocks];
                choice.add_ways(&self.digits, next, &mut rest[..stocks]);
            }
        }
    }

    /// The number of the full stock.
    pub(crate) fn full(&self) -> u16 {
        self.in_stock.len() as u16 - 1
    }

    /// The number of the full stock without some pieces, which it must have.
    pub(crate) fn without(&self, kinds: impl Iterator<Item = Kind>) -> u16 {
        self.full() - kinds.map(|kind| self.strides[kind.index()]).sum::<u16>()
    }

    /// The number of ways from a node with a stock.
    pub(crate) fn ways(&self, node: u32, stock: u16) -> u64 {
        self.ways[node as usize * self.in_stock.len() + usize::from(stock)]
    }

    /// Fills a board in way number `rank`, which must be less than the number of ways.
    #[inline]
    pub(crate) fn unrank<W: Word>(
        &self,
        node: u32,
        stock: u16,
        mut rank: u64,
        board: &mut Board<W>,
    ) {
        let stocks = self.in_stock.len();
        let mut stock = usize::from(stock);
        let mut node = &self.nodes[node as usize];
        while node.square != END {
            let absent = !self.in_stock[stock];
            for choice in node.of(&self.choices) {
                if choice.kinds & absent != 0 {
                    continue;
                }
                let next = choice.next as usize;
                let rest = stock - usize::from(choice.stride);
                let ways = self.ways[next * stocks + rest];
                let all = ways.wrapping_mul(u64::from(choice.number));
                if rank >= all {
                    rank -= all;
                    continue;
                }
                if choice.kind != NOTHING {
                    let mut face = 0;
                    while rank >= ways {
                        rank -= ways;
                        face += 1;
                    }
                    board.put(node.square, choice.kind, choice.faces[face & 3]);
                }
                stock = rest;
                node = &self.nodes[next];
                break;
            }
        }
        self.share(stock, rank, board);
    }

    /// Divides what is left in stock between the players, in way number `rank`.
    #[inline]
    fn share<W: Word>(&self, mut stock: usize, mut rank: u64, board: &mut Board<W>) {
        if stock == 0 {
            return;
        }
        for &Digit { kind, stride, .. } in self.digits.iter().rev() {
            let stride = usize::from(stride);
            let left = (stock / stride) as u64;
            stock %= stride;
            let sente = rank % (left + 1);
            rank /= left + 1;
            board.hands[0].set(kind, sente as u8);
            board.hands[1].set(kind, (left - sente) as u8);
        }
    }

    /// The number of the way that leads to a placement, `None` if there is none.
    pub(crate) fn rank<R: RuleTable>(
        &self,
        node: u32,
        stock: u16,
        placement: &Placement<R>,
    ) -> Option<u64> {
        let stocks = self.in_stock.len();
        let mut stock = usize::from(stock);
        let mut rank = 0;
        let mut node = &self.nodes[node as usize];
        while node.square != END {
            let square = Square::from_index(usize::from(node.square))?;
            let content = placement.piece(square);
            let (kind, wanted) = match content {
                None => (NOTHING, 0),
                Some(piece) => (piece.face.kind.index() as u8, face_bits(piece)),
            };
            let mut taken = None;
            for choice in node.of(&self.choices) {
                if choice.kinds & !self.in_stock[stock] != 0 {
                    continue;
                }
                let rest = stock - usize::from(choice.stride);
                let ways = self.ways[choice.next as usize * stocks + rest];
                let faces = &choice.faces[..usize::from(choice.number)];
                let face = faces.iter().position(|&face| choice.kind == kind && face == wanted);
                if let Some(face) = face {
                    rank += ways * face as u64;
                    taken = Some((choice.next as usize, rest));
                    break;
                }
                rank += ways * u64::from(choice.number);
            }
            let (next, rest) = taken?;
            (node, stock) = (&self.nodes[next], rest);
        }
        let mut share = 0;
        for &Digit { kind, stride, count } in &self.digits {
            let sente = u64::from(placement.hand(Colour::Sente).count(kind));
            let left = (stock / usize::from(stride)) as u64 % (u64::from(count) + 1);
            share = share * (left + 1) + sente;
        }
        Some(rank + share)
    }
}
