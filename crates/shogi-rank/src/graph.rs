//! The nodes of a [`Trellis`](crate::trellis::Trellis), made layer by layer, merged and counted; and the walks over them
//! that number boards.

use std::hash::{BuildHasher as _, Hash};
use std::mem;

use rustc_hash::{FxBuildHasher, FxHashMap};
use shogi_core::{Colour, Face, Kind, MAX_KINDS, Piece, Placement, RuleTable, Square, Word};

use crate::board::Board;
use crate::number::CountWord;
use crate::table::Table;
use crate::trellis::{End, Filling, Section, Walk};

/// No square: a node at the end.
const END: u8 = u8::MAX;
/// No kind: an empty square.
const NOTHING: u8 = u8::MAX;

/// Bit 0: Gote's, bit 1: promoted.
fn face_bits(piece: Piece) -> u8 {
    piece.colour.index() as u8 | u8::from(piece.face.promoted) << 1
}

/// All that can be on a square: nothing, Sente's king, or any other piece; those of a kind one after another.
fn contents(table: &Table) -> Vec<Option<Piece>> {
    let king = Piece { face: Face::front(table.royal), colour: Colour::Sente };
    let mut contents = vec![None, Some(king)];
    for (face, _) in table.faces().filter(|(face, _)| face.kind != table.royal) {
        contents.extend(Colour::ALL.map(|colour| Some(Piece { face, colour })));
    }
    contents
}

/// The ways to fill the square of a layer: contents that are alike by one of them, and branches for those of one kind that
/// are alike.
#[derive(Default)]
struct Fillings {
    /// One of each likeness.
    contents: Vec<Option<Piece>>,
    likenesses: Vec<u8>,
    /// Those of a kind one after another; for each the place of its likeness, and the faces as a set of their numbers.
    branches: Vec<(usize, Branch, u8)>,
}

impl Fillings {
    fn new<W: Walk>(walk: &W, depth: usize, contents: &[Option<Piece>], graph: &Graph) -> Self {
        let mut this = Self::default();
        for &content in contents {
            let Some(likeness) = walk.likeness(depth, content) else { continue };
            let place = this.likenesses.iter().position(|&other| other == likeness);
            let place = place.unwrap_or_else(|| {
                this.contents.push(content);
                this.likenesses.push(likeness);
                this.contents.len() - 1
            });
            let branch = Branch::of(content, &graph.strides);
            let face = content.map_or(0, |piece| 1 << face_bits(piece));
            let is_same = |(of, other, _): &&mut (usize, Branch, u8)| {
                *of == place && other.kind == branch.kind
            };
            match this.branches.iter_mut().find(is_same) {
                Some((_, _, faces)) => *faces |= face,
                None => this.branches.push((place, branch, face)),
            }
        }
        this
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    square: u8,
    branches: u8,
    first: u32,
}

impl Node {
    const fn end(end: End) -> Self {
        Self { square: END, branches: 0, first: end as u32 }
    }

    /// Its branches, of those of all nodes.
    #[inline]
    fn of<'b>(&self, branches: &'b [Branch]) -> &'b [Branch] {
        &branches[self.first as usize..][..usize::from(self.branches)]
    }
}

/// The nodes behind the last square, as the [`End`]s are numbered.
const END_NODES: [Node; End::ALL.len()] =
    [Node::end(End::Any), Node::end(End::GoteHasSome), Node::end(End::GoteHasNone)];

/// The ways to fill a square that lead to the same node: empty, or with one kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Branch {
    next: u32,
    /// By how much the number of the stock falls.
    stride: u16,
    /// The bit of the kind, if it must be in stock.
    kinds: u8,
    /// [`NOTHING`] where the square stays empty.
    kind: u8,
    /// How many faces, colours included.
    number: u8,
    /// Bit 0: Gote's, bit 1: promoted.
    faces: [u8; 4],
}

impl Branch {
    /// To put a piece of this kind on a square, with no node and no faces yet; or nothing.
    fn of(content: Option<Piece>, strides: &[u16; MAX_KINDS]) -> Self {
        let nothing =
            Self { next: 0, stride: 0, kinds: 0, kind: NOTHING, number: 1, faces: [0; 4] };
        let Some(Piece { face, .. }) = content else { return nothing };
        let kind = face.kind.index();
        let stride = strides[kind];
        // Kings are not in stocks.
        let kinds = if stride == 0 { 0 } else { 1 << kind };
        Self { stride, kinds, kind: kind as u8, ..nothing }
    }

    /// With the faces of a set of their numbers, in order.
    fn with_faces(mut self, mut set: u8) -> Self {
        if set != 0 {
            self.number = 0;
        }
        while set != 0 {
            self.faces[usize::from(self.number)] = set.trailing_zeros() as u8;
            self.number += 1;
            set &= set - 1;
        }
        self
    }

    /// Adds to the ways from a node, by stock, those through this branch, after which there are so
    /// many.
    fn add_ways<N: CountWord>(&self, digits: &[Digit], after: &[N], sum: &mut [N]) {
        let kind = usize::from(self.kind);
        let digit = digits.iter().find(|digit| digit.kind.index() == kind);
        // A constant factor is as cheap as an addition or two.
        match self.number {
            1 => add_shifted::<N, 1>(digit, after, sum),
            2 => add_shifted::<N, 2>(digit, after, sum),
            3 => add_shifted::<N, 3>(digit, after, sum),
            _ => add_shifted::<N, 4>(digit, after, sum),
        }
    }
}

/// Adds multiples of the ways with one piece less of a kind, where the stock has one; without a kind those with the same
/// stock.
fn add_shifted<N: CountWord, const FACTOR: u8>(digit: Option<&Digit>, after: &[N], sum: &mut [N]) {
    let add = |sum: &mut [N], after: &[N]| {
        for (sum, ways) in sum.iter_mut().zip(after) {
            *sum = sum.plus(ways.times(FACTOR));
        }
    };
    let Some(digit) = digit else { return add(sum, after) };
    let stride = usize::from(digit.stride);
    // Blocks of stocks that differ only in this kind and those below it.
    let block = stride * (usize::from(digit.count) + 1);
    let mut add_blocks = |stride: usize, block: usize| {
        for (sum, after) in sum.chunks_exact_mut(block).zip(after.chunks_exact(block)) {
            add(&mut sum[stride..], &after[..block - stride]);
        }
    };
    // A block of constant length needs no loop.
    match (stride, block) {
        (1, 3) => add_blocks(1, 3),
        (3, 9) => add_blocks(3, 9),
        _ => add_blocks(stride, block),
    }
}

/// The different states behind so many squares. Their nodes are numbered one after another.
struct Layer<S> {
    /// The number of the first node.
    first: u32,
    states: Vec<S>,
    nodes: FxHashMap<S, u32>,
}

impl<S: Copy + Eq + Hash> Layer<S> {
    fn new(first: usize) -> Self {
        Self { first: first as u32, states: Vec::new(), nodes: FxHashMap::default() }
    }

    /// The node of a state, which is added if it is new.
    fn node(&mut self, state: S) -> u32 {
        *self.nodes.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.first + self.states.len() as u32 - 1
        })
    }

    /// The state to which a step leads, and its node in this layer or the end; `None` if it is not allowed.
    fn after<W: Walk<State = S>>(
        &mut self,
        walk: &mut W,
        state: &S,
        filling: Filling,
    ) -> Option<(S, u32)> {
        let after = walk.fill(state, filling)?;
        let layers = filling.layer + 1;
        let node = match walk.square(layers, &after) {
            None => walk.end(&after)? as u32,
            Some(_) => self.node(walk.simplified(layers, &after)),
        };
        Some((after, node))
    }
}

/// The nodes and what leads from one to the next.
///
/// A *stock* says how many pieces of each kind are left; stocks are numbered by mixed radix.
#[derive(Debug)]
pub(crate) struct Graph {
    /// The ends, then every node behind those that it leads to.
    nodes: Vec<Node>,
    branches: Vec<Branch>,
    /// For each stock, in how many ways the players can share it.
    shares: Vec<u64>,
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

impl Graph {
    /// Everything that can be reached from some states, with the nodes of these states.
    pub(crate) fn new<W: Walk>(
        table: &Table,
        walk: &mut W,
        roots: &[W::State],
    ) -> (Self, Vec<u32>) {
        let mut graph = Self::empty(table);
        let contents = contents(table);
        // The states of a layer follow one another, until nodes are merged.
        let mut layer = Layer::new(END_NODES.len());
        let nodes_of_roots: Vec<u32> = roots.iter().map(|root| layer.node(*root)).collect();
        let mut depth = 0;
        while !layer.states.is_empty() {
            layer = graph.add_layer(walk, depth, &layer, &contents);
            depth += 1;
        }
        let numbers = graph.merge();
        let roots = nodes_of_roots.iter().map(|&node| numbers[node as usize]).collect();
        (graph, roots)
    }

    /// How many stocks there are.
    pub(crate) fn stocks(&self) -> usize {
        self.in_stock.len()
    }

    /// The number of the full stock.
    pub(crate) fn full(&self) -> u16 {
        self.in_stock.len() as u16 - 1
    }

    /// The number of the full stock without some pieces.
    pub(crate) fn without(&self, kinds: impl Iterator<Item = Kind>) -> u16 {
        self.full() - kinds.map(|kind| self.strides[kind.index()]).sum::<u16>()
    }

    /// Adds the nodes of the states of a layer, and returns the layer that follows it.
    fn add_layer<W: Walk>(
        &mut self,
        walk: &mut W,
        depth: usize,
        layer: &Layer<W::State>,
        contents: &[Option<Piece>],
    ) -> Layer<W::State> {
        let mut following = Layer::new(layer.first as usize + layer.states.len());
        let fillings = Fillings::new(walk, depth, contents, self);
        let mut next = Vec::new();
        for state in &layer.states {
            let Some(square) = walk.square(depth, state) else { continue };
            next.clear();
            next.extend(fillings.contents.iter().map(|&content| {
                following.after(walk, state, Filling { layer: depth, square, content })
            }));
            self.add_node(square, &fillings, &next);
        }
        following
    }

    /// Adds a node, given for each likeness the state and the node that follow. Contents of a kind become one branch if they
    /// lead to the same state.
    fn add_node<S: Copy + Eq>(
        &mut self,
        square: u8,
        fillings: &Fillings,
        next: &[Option<(S, u32)>],
    ) {
        let first = self.branches.len();
        for of_kind in fillings.branches.chunk_by(|(_, a, _), (_, b, _)| a.kind == b.kind) {
            // There are at most four faces, so four branches suffice.
            let (mut found, mut number) = ([None; 4], 0);
            for &(place, _, faces) in of_kind {
                let Some((state, node)) = next[place] else { continue };
                let is_same = |other: &&mut Option<(S, u32, u8)>| {
                    other.is_some_and(|(other, end, _)| {
                        end == node && (other == state || (node as usize) < END_NODES.len())
                    })
                };
                if let Some(Some((_, _, all))) = found[..number].iter_mut().find(is_same) {
                    *all |= faces;
                } else {
                    found[number] = Some((state, node, faces));
                    number += 1;
                }
            }
            let branches = found
                .into_iter()
                .flatten()
                .map(|(_, next, faces)| Branch { next, ..of_kind[0].1 }.with_faces(faces));
            self.branches.extend(branches);
        }
        let branches = (self.branches.len() - first) as u8;
        self.nodes.push(Node { square, branches, first: first as u32 });
    }

    /// A graph with nothing but the ends.
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
        let (nodes, branches) = (END_NODES.to_vec(), Vec::new());
        Self { nodes, branches, shares, in_stock, strides, digits }
    }

    /// Numbers the nodes anew, the last first, without branches that lead nowhere. Nodes with the
    /// same branches become one, more than half of them in Minishogi. Returns the number of each.
    fn merge(&mut self) -> Vec<u32> {
        let nodes = mem::replace(&mut self.nodes, END_NODES.to_vec());
        let branches = mem::take(&mut self.branches);
        let ends = END_NODES.len();
        let mut numbers: Vec<u32> = (0..nodes.len() as u32).collect();
        // By the hash of square and branches. Where different nodes have the same hash, both stay.
        let mut by_hash = FxHashMap::default();
        for (old, node) in nodes.iter().enumerate().skip(ends).rev() {
            let first = self.branches.len();
            for branch in node.of(&branches) {
                let next = numbers[branch.next as usize];
                if (next as usize) < ends || self.nodes[next as usize].branches > 0 {
                    self.branches.push(Branch { next, ..*branch });
                }
            }
            let own = &self.branches[first..];
            let new = self.nodes.len() as u32;
            let number = *by_hash.entry(FxBuildHasher.hash_one((node.square, own))).or_insert(new);
            let is_same = self.nodes.get(number as usize).is_some_and(|other| {
                other.square == node.square && other.of(&self.branches) == own
            });
            if is_same {
                self.branches.truncate(first);
                numbers[old] = number;
            } else {
                let branches = own.len() as u8;
                self.nodes.push(Node { square: node.square, branches, first: first as u32 });
                numbers[old] = new;
            }
        }
        numbers
    }

    /// The ways at the ends, by stock.
    fn at_ends<N: CountWord>(&self) -> Vec<N> {
        let at_end =
            |end: End| self.shares.iter().map(move |&all| N::lowest(end.of_ways(u128::from(all))));
        End::ALL.into_iter().flat_map(at_end).collect()
    }

    /// Adds up the ways from a node, by stock, given those of the nodes from `first` on.
    fn add_ways<N: CountWord>(&self, node: &Node, (first, after): (usize, &[N]), sum: &mut [N]) {
        let stocks = sum.len();
        for branch in node.of(&self.branches) {
            let next = &after[(branch.next as usize - first) * stocks..][..stocks];
            branch.add_ways(&self.digits, next, sum);
        }
    }

    /// Counts the ways from every node, by stock, in the memory of a list that is no longer needed.
    pub(crate) fn count<N: CountWord>(&self, spare: Vec<N>) -> Vec<N> {
        let (stocks, ends) = (self.in_stock.len(), END_NODES.len());
        let mut ways = spare;
        ways.clear();
        ways.reserve_exact(self.nodes.len() * stocks);
        ways.append(&mut self.at_ends());
        for (number, node) in self.nodes.iter().enumerate().skip(ends) {
            ways.resize((number + 1) * stocks, N::ZERO);
            let (before, own) = ways.split_at_mut(number * stocks);
            self.add_ways(node, (0, before), own);
        }
        ways
    }

    /// Counts the ways from nodes of the first layer with a stock each, keeping those of two layers at a time.
    pub(crate) fn count_of<N: CountWord>(&self, sections: &[(u32, u16)]) -> Vec<u128> {
        let stocks = self.in_stock.len();
        let (mut first, mut after) = (0, self.at_ends::<N>());
        let mut own = Vec::new();
        for layer in self.nodes[END_NODES.len()..].chunk_by(|a, b| a.square == b.square) {
            own.clear();
            own.resize(layer.len() * stocks, N::ZERO);
            for (node, own) in layer.iter().zip(own.chunks_exact_mut(stocks)) {
                self.add_ways(node, (first, &after), own);
            }
            first += after.len() / stocks;
            mem::swap(&mut own, &mut after);
        }
        let ways = |&(node, stock): &(u32, u16)| {
            after[(node as usize - first) * stocks + usize::from(stock)].widen()
        };
        sections.iter().map(ways).collect()
    }

    /// Fills a board as a number of a section says, counted from its first one.
    #[inline]
    pub(crate) fn unrank<N: CountWord, W: Word>(
        &self,
        ways: &[N],
        section: &Section,
        mut rank: N,
        board: &mut Board<W>,
    ) {
        let stocks = self.in_stock.len();
        let mut stock = usize::from(section.stock);
        let mut node = &self.nodes[section.node as usize];
        while node.square != END {
            let absent = !self.in_stock[stock];
            for branch in node.of(&self.branches) {
                if branch.kinds & absent != 0 {
                    continue;
                }
                let next = branch.next as usize;
                let rest = stock - usize::from(branch.stride);
                let following = ways[next * stocks + rest];
                let all = following.times(branch.number);
                if rank >= all {
                    rank = rank.minus(all);
                    continue;
                }
                if branch.kind != NOTHING {
                    let mut face = 0;
                    while rank >= following {
                        rank = rank.minus(following);
                        face += 1;
                    }
                    board.put(node.square, branch.kind, branch.faces[face & 3]);
                }
                stock = rest;
                node = &self.nodes[next];
                break;
            }
        }
        let share = if node.first == End::GoteHasNone as u32 {
            self.shares[stock] - 1
        } else {
            rank.widen() as u64
        };
        self.share(stock, share, board);
    }

    /// Divides what is left in stock between the players, in way number `rank`; in the last one
    /// Sente gets everything.
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

    /// The number of a placement in a section, counted from its first one; `None` if it is not in it.
    pub(crate) fn rank<N: CountWord, R: RuleTable>(
        &self,
        ways: &[N],
        section: &Section,
        placement: &Placement<R>,
    ) -> Option<N> {
        let stocks = self.in_stock.len();
        let mut stock = usize::from(section.stock);
        let mut rank = N::ZERO;
        let mut node = &self.nodes[section.node as usize];
        while node.square != END {
            let square = Square::from_index(usize::from(node.square))?;
            let content = placement.piece(square);
            let (kind, wanted) = match content {
                None => (NOTHING, 0),
                Some(piece) => (piece.face.kind.index() as u8, face_bits(piece)),
            };
            let mut taken = None;
            for branch in node.of(&self.branches) {
                if branch.kinds & !self.in_stock[stock] != 0 {
                    continue;
                }
                let rest = stock - usize::from(branch.stride);
                let following = ways[branch.next as usize * stocks + rest];
                let faces = &branch.faces[..usize::from(branch.number)];
                let face = faces.iter().position(|&face| branch.kind == kind && face == wanted);
                if let Some(face) = face {
                    rank = rank.plus(following.times(face as u8));
                    taken = Some((branch.next as usize, rest));
                    break;
                }
                rank = rank.plus(following.times(branch.number));
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
        let all = self.shares[stock];
        let shared = rank.plus(N::lowest(share.into()));
        match End::ALL.get(node.first as usize)? {
            End::Any => Some(shared),
            End::GoteHasSome => (share + 1 < all).then_some(shared),
            End::GoteHasNone => (share + 1 == all).then_some(rank),
        }
    }
}
