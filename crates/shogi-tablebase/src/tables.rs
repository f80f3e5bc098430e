//! The tables that number the positions, made once by the same code for all rule sets.
//!
//! Squares are numbers here. Code that runs for each position is in [`index`](crate::index), generic
//! over the rule set.

use shogi_core::{Colour, Face, Kind, MAX_KINDS, Piece};

use crate::board::{Codes, EMPTY, FIRST, MAX_SQUARES};
use crate::error::IndexError;
use crate::stocks::Stocks;

/// Marks the entry of a piece that cannot stand on a square. The other bits are those of the next
/// piece's entry, so that entries rise from one piece to the next.
pub(crate) const NEVER: u32 = 1 << 31;

/// The rules that the tables depend on besides the pieces.
pub(crate) struct IndexRules<'a> {
    /// The number of files.
    pub(crate) width: usize,
    /// The number of ranks.
    pub(crate) height: usize,
    /// Whether positions with Sente's and Gote's kings on these squares are left out.
    pub(crate) is_left_out: &'a dyn Fn(usize, usize) -> bool,
    /// Whether a piece may stand on a square with Gote's king on another, whatever else is on the
    /// board.
    pub(crate) may_stand: &'a dyn Fn(Piece, usize, usize) -> bool,
}

impl IndexRules<'_> {
    fn area(&self) -> usize {
        self.width * self.height
    }

    /// The square with the files exchanged.
    fn mirror(&self, square: usize) -> usize {
        (self.width - 1 - square / self.height) * self.height + square % self.height
    }

    /// The square as the other player sees it.
    fn rotate(&self, square: usize) -> usize {
        self.area() - 1 - square
    }

    fn is_middle(&self, square: usize) -> bool {
        square == self.mirror(square)
    }

    /// Whether a square is left of the middle file or on it.
    fn is_left(&self, square: usize) -> bool {
        square / self.height <= self.mirror(square) / self.height
    }
}

/// The tables of an index.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) stocks: Stocks,
    pub(crate) codes: Codes,
    /// The pieces by number.
    pub(crate) pieces: Vec<Option<Piece>>,
    pub(crate) pairs: Vec<KingPair>,
    /// By exchange and squares of the kings, the numbers of their positions.
    pub(crate) places: [Vec<Option<PairNumbers>>; 2],
    /// By pair, square, stock and number of the piece: the number of fillings before; for number 1, of
    /// those with the square empty.
    pub(crate) before: Vec<u32>,
    /// By exchange and mirroring, the square that is read as the square of this number.
    pub(crate) views: [[[u8; MAX_SQUARES]; 2]; 2],
    pub(crate) size: u64,
}

/// The numbers of the positions with the kings on two squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PairNumbers {
    /// The number of the pair of squares.
    pub(crate) pair: u16,
    /// Whether the numbers are those of the mirror images.
    pub(crate) is_mirrored: bool,
    /// Whether the mirror images have numbers too.
    pub(crate) has_twins: bool,
}

/// Squares of the kings, with the positions that have them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KingPair {
    /// The squares, Sente's first.
    pub(crate) kings: [u8; 2],
    /// Whether the mirror images of its positions have numbers too.
    pub(crate) is_symmetric: bool,
    pub(crate) start: u64,
}

/// Positions that agree on some squares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SamePrefix {
    /// The first square on which they differ.
    pub(crate) next: u8,
    /// The pieces left for this square, the squares after it and the hands.
    pub(crate) stock: u16,
    /// Their first number, and the one after the last.
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl SamePrefix {
    /// The last square on which they agree.
    #[inline]
    pub(crate) fn square(&self) -> usize {
        usize::from(self.next) - 1
    }
}

impl Tables {
    /// The tables for these numbers of pieces of each kind, kings left out.
    pub(crate) fn new(kinds: &[(Kind, u8)], ground: &IndexRules<'_>) -> Result<Self, IndexError> {
        let stocks = Stocks::new(kinds).ok_or(IndexError::TooMany)?;
        let mut codes = Codes { fronts: [0; MAX_KINDS], units: [0; 64] };
        let mut pieces = vec![None; usize::from(FIRST)];
        for (&(kind, _), &unit) in kinds.iter().zip(&stocks.units) {
            codes.fronts[kind.index()] = pieces.len() as u8;
            for face in [Face::front(kind), Face::back(kind)] {
                for colour in Colour::ALL {
                    codes.units[pieces.len()] = unit;
                    pieces.push(Some(Piece { face, colour }));
                }
            }
        }
        let views = [false, true].map(|exchanged| {
            [false, true].map(|mirrored| {
                let mut view = [0; MAX_SQUARES];
                for (square, viewed) in view.iter_mut().take(ground.area()).enumerate() {
                    let seen = if mirrored { ground.mirror(square) } else { square };
                    *viewed = if exchanged { ground.rotate(seen) } else { seen } as u8;
                }
                view
            })
        });
        let squares = ground.area() * ground.area();
        let mut tables = Self {
            stocks,
            codes,
            pieces,
            pairs: Vec::new(),
            places: [vec![None; squares], vec![None; squares]],
            before: Vec::new(),
            views,
            size: 0,
        };
        for sente in 0..ground.area() {
            for gote in (0..ground.area()).filter(|&gote| gote != sente) {
                tables.add_pair(sente, gote, ground)?;
            }
        }
        Ok(tables)
    }

    /// Adds the positions with the kings on these squares, unless they are mirror images of others.
    fn add_pair(
        &mut self,
        sente: usize,
        gote: usize,
        ground: &IndexRules<'_>,
    ) -> Result<(), IndexError> {
        let is_first = ground.is_left(sente) && (ground.is_left(gote) || !ground.is_middle(sente));
        if !is_first || (ground.is_left_out)(sente, gote) {
            return Ok(());
        }
        let is_symmetric = ground.is_middle(sente) && ground.is_middle(gote);
        for is_mirrored in [true, false] {
            let number = self.pairs.len() as u16;
            let place = PairNumbers { pair: number, is_mirrored, has_twins: is_symmetric };
            let squares = [sente, gote];
            let images =
                if is_mirrored { squares.map(|square| ground.mirror(square)) } else { squares };
            let [s, g] = images;
            self.places[0][s * ground.area() + g] = Some(place);
            let [s, g] = images.map(|square| ground.rotate(square));
            self.places[1][g * ground.area() + s] = Some(place);
        }
        let kings = [sente as u8, gote as u8];
        self.pairs.push(KingPair { kings, is_symmetric, start: self.size });
        let ways = self.fill(sente, gote, ground).ok_or(IndexError::TooMany)?;
        self.size += u64::from(ways);
        Ok(())
    }

    /// Makes the table for the kings on these squares and returns the number of fillings.
    fn fill(&mut self, sente: usize, gote: usize, ground: &IndexRules<'_>) -> Option<u32> {
        let (stocks, width) = (self.stocks.len, self.pieces.len());
        let start = self.before.len();
        self.before.resize(start + ground.area() * stocks * width, NEVER);
        let mut ways: Vec<u32> =
            (0..stocks).map(|stock| self.stocks.shares(stock as u16).len() as u32).collect();
        for square in (0..ground.area()).rev() {
            if square == sente || square == gote {
                continue;
            }
            let may_stand = |piece: &Option<Piece>| {
                piece.is_some_and(|piece| (ground.may_stand)(piece, square, gote))
            };
            let standing: Vec<_> = self.pieces.iter().map(may_stand).collect();
            let mut next = ways.clone();
            for stock in 0..stocks {
                let row = start + (square * stocks + stock) * width;
                let mut sum = ways[stock];
                self.before[row + usize::from(EMPTY)] = 0;
                self.before[row + 1] = sum;
                for (code, &may_stand) in standing.iter().enumerate().skip(usize::from(FIRST)) {
                    let kind = (code - usize::from(FIRST)) / 4;
                    let left = self.stocks.count(stock as u16, kind);
                    if left == 0 || !may_stand {
                        self.before[row + code] = NEVER | sum;
                        continue;
                    }
                    self.before[row + code] = sum;
                    let unit = usize::from(self.stocks.units[kind]);
                    sum += ways[stock - unit];
                    if sum >= NEVER {
                        return None;
                    }
                }
                next[stock] = sum;
            }
            ways = next;
        }
        ways.last().copied()
    }

    /// The number of the pair of squares of the kings.
    #[inline]
    pub(crate) fn pair_of(&self, rank: u64) -> usize {
        self.pairs.partition_point(|pair| pair.start <= rank) - 1
    }

    /// All positions with the kings on these squares.
    #[inline]
    pub(crate) fn empty_part(&self, number: usize) -> SamePrefix {
        let start = self.pairs[number].start;
        let end = self.pairs.get(number + 1).map_or(self.size, |next| next.start);
        SamePrefix { next: 0, stock: self.stocks.full(), start, end }
    }
}
