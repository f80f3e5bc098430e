//! Numbers for the ways in which restricted faces stand on the files.
//!
//! Nifu and the dead ranks concern one file at a time, so each file is numbered by itself and the
//! files are put side by side. For a file, and for files side by side, the tables have the number
//! of ways to hold given numbers of restricted faces of each kind (a *term*). Given the term of the
//! whole board, the files are read one after another: each takes a term of its own, in proportion
//! to the ways in which the files after it make up the rest, and then one of its ways to have that
//! term.

use shogi_core::{Colour, Kind, MAX_KINDS};

use crate::restricted_faces::{Pieces, Restricted};
use crate::table::Table;

/// Most entries of a table; above it there is no order.
const MAX_ENTRIES: usize = 1 << 22;

/// Numbers of pieces by kind up to given ones, numbered; the last kind counts fastest.
#[derive(Debug)]
pub(crate) struct Terms {
    pieces: Vec<Pieces>,
    most: Pieces,
    strides: [usize; MAX_KINDS],
}

impl Terms {
    /// `None` if there are too many.
    fn new(most: Pieces) -> Option<Self> {
        let mut pieces = vec![[0; MAX_KINDS]];
        let mut strides = [0; MAX_KINDS];
        for kind in (0..MAX_KINDS).rev() {
            strides[kind] = pieces.len();
            let fewer = pieces.clone();
            for number in 1..=most[kind] {
                pieces.extend(fewer.iter().map(|&(mut more)| {
                    more[kind] = number;
                    more
                }));
            }
            if pieces.len() > MAX_ENTRIES {
                return None;
            }
        }
        Some(Self { pieces, most, strides })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The numbers of pieces of a term.
    #[inline(always)]
    pub(crate) fn pieces(&self, term: usize) -> &Pieces {
        &self.pieces[term]
    }

    /// The term with all pieces that the terms differ in.
    pub(crate) fn last(&self) -> usize {
        self.pieces.len() - 1
    }

    /// By how much the number of a term grows with one more piece of a kind.
    pub(crate) fn stride(&self, kind: Kind) -> usize {
        self.strides[kind.index()]
    }

    fn index(&self, pieces: &Pieces) -> usize {
        pieces.iter().zip(self.strides).map(|(&number, stride)| usize::from(number) * stride).sum()
    }

    /// Whether a term is left if these pieces are taken from the given ones.
    #[inline(always)]
    fn fits(pieces: &Pieces, within: &Pieces) -> bool {
        // All kinds at once: no count reaches the highest bit of its byte.
        const GUARDS: u64 = 0x8080_8080_8080_8080;
        let rest = (u64::from_le_bytes(*within) | GUARDS) - u64::from_le_bytes(*pieces);
        rest & GUARDS == GUARDS
    }
}

/// A restricted face of a player that may stand on a rank.
#[derive(Debug)]
pub(crate) struct Stone {
    pub(crate) restricted: Restricted,
    pub(crate) colour: Colour,
    /// The bit of the player if only one such face may stand on a file.
    alone: usize,
    /// By how much the number of the file's term grows with it.
    stride: usize,
}

/// The ways to fill one file around the kings on it.
#[derive(Debug)]
struct File {
    /// One bit for each rank with a king.
    kings: u16,
    /// By rank, players who have a face that must stay alone, and term: ways to put just so many
    /// pieces on this rank and those below it.
    ways: Vec<u64>,
    /// The terms that have a way, most ways first.
    totals: Vec<Total>,
}

/// In how many ways a file has a term.
#[derive(Debug)]
struct Total {
    pieces: Pieces,
    /// The number of the term among those of a file.
    in_file: usize,
    /// The number of the term among those of the board.
    on_board: usize,
    ways: u64,
}

/// On which files and ranks the kings stand, as far as it matters for the number of ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KingRanks {
    same_file: bool,
    sente: u8,
    gote: u8,
}

impl KingRanks {
    pub(crate) fn of(table: &Table, (sente, gote): (u8, u8)) -> Self {
        let same_file = table.column(sente) == table.column(gote);
        Self { same_file, sente: table.rank(sente), gote: table.rank(gote) }
    }
}

/// The order of the restricted faces on the files around the kings.
#[derive(Debug)]
pub(crate) struct FileOrder {
    table: &'static Table,
    terms: Terms,
    /// Terms of one file.
    in_file: Terms,
    /// The pieces allowed on each rank.
    stones: Vec<Vec<Stone>>,
    no_king: File,
    /// Files with one king, by its rank.
    one_king: Vec<File>,
    /// Files with both kings, by their ranks; a file with both on one rank is never needed.
    two_kings: Vec<File>,
    /// By number of files without kings and term.
    others: Vec<Vec<u128>>,
    /// A file with one king and all files without one, by the king's rank and term.
    one_and_others: Vec<Vec<u128>>,
}

impl FileOrder {
    /// The order for some restricted faces; `None` if numbers or tables become too large.
    pub(crate) fn new(table: &'static Table, faces: &[Restricted]) -> Option<Self> {
        let (width, height) = (usize::from(table.width), usize::from(table.height));
        let mut most = [0; MAX_KINDS];
        let mut max_in_file = [0; MAX_KINDS];
        for restricted in faces {
            let kind = restricted.face.kind;
            most[kind.index()] = table.spec(kind).count;
            // A face that stays alone is on a file at most once for each player.
            let room = if restricted.alone { 2 } else { table.height };
            let sum: u8 = max_in_file[kind.index()] + room;
            max_in_file[kind.index()] = sum.min(most[kind.index()]);
        }
        let (terms, in_file) = (Terms::new(most)?, Terms::new(max_in_file)?);
        if (height + 1) * (height + 1) * (height + 1) * 4 * in_file.len() > MAX_ENTRIES {
            return None;
        }
        let stones = (0..table.height).map(|rank| stones(table, faces, rank, &in_file));
        let stones: Vec<Vec<Stone>> = stones.collect();
        let file = |kings: u16| File::new(kings, &stones, &in_file, &terms);
        let no_king = file(0)?;
        let (mut one_king, mut two_kings) = (Vec::new(), Vec::new());
        for a in 0..height {
            one_king.push(file(1 << a)?);
            for b in 0..height {
                two_kings.push(file(1 << a | 1 << b)?);
            }
        }
        let mut nothing = vec![0; terms.len()];
        nothing[0] = 1;
        let mut others = vec![nothing];
        for files in 1..width {
            others.push(no_king.beside(&others[files - 1], &terms)?);
        }
        let aside = &others[width.saturating_sub(2)];
        let mut one_and_others = Vec::new();
        for one in &one_king {
            one_and_others.push(one.beside(aside, &terms)?);
        }
        Some(Self {
            table,
            terms,
            in_file,
            stones,
            no_king,
            one_king,
            two_kings,
            others,
            one_and_others,
        })
    }

    /// The numbers of restricted faces by kind.
    pub(crate) const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// By term, in how many ways the restricted faces can stand around the kings; `None` if a
    /// number becomes too large.
    pub(crate) fn ways(&self, kings: KingRanks) -> Option<Vec<u128>> {
        let (file, later) = self.first(kings);
        file.beside(later, &self.terms)
    }

    /// The first file to be read, and the ways of all others: the file of Sente's king, or of both.
    fn first(&self, kings: KingRanks) -> (&File, &[u128]) {
        let (sente, gote) = (usize::from(kings.sente), usize::from(kings.gote));
        if kings.same_file {
            let pair = sente * usize::from(self.table.height) + gote;
            (&self.two_kings[pair], &self.others[usize::from(self.table.width) - 1])
        } else {
            (&self.one_king[sente], &self.one_and_others[gote])
        }
    }

    /// The files in the order in which they are read, each with its column and the ways of those
    /// after it: the kings' files, then the others from the left.
    #[inline(always)]
    fn files(&self, kings: (u8, u8)) -> impl Iterator<Item = (u8, &File, &[u128])> {
        let columns = [self.table.column(kings.0), self.table.column(kings.1)];
        let kings = KingRanks::of(self.table, kings);
        let (file, later) = self.first(kings);
        let first = (columns[0], file, later);
        let left = usize::from(self.table.width) - if kings.same_file { 1 } else { 2 };
        let second = (!kings.same_file)
            .then(|| (columns[1], &self.one_king[usize::from(kings.gote)], &self.others[left][..]));
        let others = (0..self.table.width).filter(move |column| !columns.contains(column));
        let others = others.zip((0..left).rev());
        let others = others.map(|(column, later)| (column, &self.no_king, &self.others[later][..]));
        std::iter::once(first).chain(second).chain(others)
    }

    /// The restricted faces around the kings with this term and number, one by one.
    #[inline]
    pub(crate) fn unrank(
        &self,
        kings: (u8, u8),
        mut term: usize,
        mut number: u128,
        mut put: impl FnMut(u8, &Stone),
    ) {
        for (column, file, later) in self.files(kings) {
            if term == 0 {
                return;
            }
            let pieces = *self.terms.pieces(term);
            for total in &file.totals {
                if !Terms::fits(&total.pieces, &pieces) {
                    continue;
                }
                let followers = later[term - total.on_board];
                let block = followers * u128::from(total.ways);
                if number < block {
                    let in_file = (number / followers) as u64;
                    number %= followers;
                    term -= total.on_board;
                    self.unrank_file(file, total.in_file, in_file, |rank, stone| {
                        put(column * self.table.height + rank, stone);
                    });
                    break;
                }
                number -= block;
            }
        }
    }

    #[inline(always)]
    fn unrank_file(
        &self,
        file: &File,
        mut term: usize,
        mut number: u64,
        mut put: impl FnMut(u8, &Stone),
    ) {
        let mut alone = 0;
        for (rank, stones) in (0..).zip(&self.stones) {
            if term == 0 {
                return;
            }
            if file.kings >> rank & 1 == 1 {
                continue;
            }
            let empty = file.ways_below(rank, alone, term, &self.in_file);
            if number < empty {
                continue;
            }
            number -= empty;
            for stone in stones {
                if !stone.may_follow(alone, term, &self.in_file) {
                    continue;
                }
                let (next, fewer) = (alone | stone.alone, term - stone.stride);
                let ways = file.ways_below(rank, next, fewer, &self.in_file);
                if number < ways {
                    put(rank, stone);
                    (alone, term) = (next, fewer);
                    break;
                }
                number -= ways;
            }
        }
    }

    /// Term and number of the restricted faces that stand around the kings; `stands` returns
    /// whether a stone stands on a square.
    pub(crate) fn rank(
        &self,
        kings: (u8, u8),
        stands: impl Fn(u8, &Stone) -> bool,
    ) -> (usize, u128) {
        let found = |column, rank| {
            let square = column * self.table.height + rank;
            self.stones[usize::from(rank)].iter().find(|stone| stands(square, stone))
        };
        let ranks = 0..self.table.height;
        let term_of = |column, terms: &Terms| -> usize {
            let kinds = ranks.clone().filter_map(|rank| found(column, rank));
            kinds.map(|stone| terms.stride(stone.restricted.face.kind)).sum()
        };
        let whole = (0..self.table.width).map(|column| term_of(column, &self.terms)).sum();
        let (mut term, mut number) = (whole, 0);
        for (column, file, later) in self.files(kings) {
            let (own, pieces) = (term_of(column, &self.in_file), *self.terms.pieces(term));
            for total in file.totals.iter().filter(|t| Terms::fits(&t.pieces, &pieces)) {
                let followers = later[term - total.on_board];
                if total.in_file == own {
                    let in_file = self.rank_file(file, own, |rank| found(column, rank));
                    number += u128::from(in_file) * followers;
                    break;
                }
                number += followers * u128::from(total.ways);
            }
            term -= term_of(column, &self.terms);
        }
        (whole, number)
    }

    fn rank_file<'a>(
        &self,
        file: &File,
        mut term: usize,
        found: impl Fn(u8) -> Option<&'a Stone>,
    ) -> u64 {
        let (mut alone, mut number) = (0, 0);
        for (rank, stones) in (0..).zip(&self.stones) {
            let Some(here) = found(rank) else { continue };
            number += file.ways_below(rank, alone, term, &self.in_file);
            for stone in stones {
                let (next, fewer) = (alone | stone.alone, term.wrapping_sub(stone.stride));
                if std::ptr::eq(stone, here) {
                    (alone, term) = (next, fewer);
                    break;
                }
                if stone.may_follow(alone, term, &self.in_file) {
                    number += file.ways_below(rank, next, fewer, &self.in_file);
                }
            }
        }
        number
    }
}

/// The pieces allowed on a rank, counted from the top.
fn stones(table: &Table, faces: &[Restricted], rank: u8, in_file: &Terms) -> Vec<Stone> {
    let mut stones = Vec::new();
    for &restricted in faces {
        for colour in Colour::ALL {
            if restricted.may_stand(table, colour, rank) {
                let alone = if restricted.alone { 1 << colour.index() } else { 0 };
                let stride = in_file.stride(restricted.face.kind);
                stones.push(Stone { restricted, colour, alone, stride });
            }
        }
    }
    stones
}

impl Stone {
    /// Whether it may stand below faces of players who must not have another such one, with
    /// pieces of this term left.
    #[inline(always)]
    fn may_follow(&self, alone: usize, term: usize, in_file: &Terms) -> bool {
        self.alone & alone == 0 && in_file.pieces(term)[self.restricted.face.kind.index()] > 0
    }
}

impl File {
    /// `None` if a number becomes too large.
    fn new(kings: u16, stones: &[Vec<Stone>], in_file: &Terms, terms: &Terms) -> Option<Self> {
        let row = 4 * in_file.len();
        let mut file = Self { kings, ways: vec![0; (stones.len() + 1) * row], totals: Vec::new() };
        for alone in 0..4 {
            file.ways[stones.len() * row + alone * in_file.len()] = 1;
        }
        for (rank, stones) in stones.iter().enumerate().rev() {
            let rank = rank as u8;
            for alone in 0..4 {
                for term in 0..in_file.len() {
                    let mut ways = file.ways_below(rank, alone, term, in_file);
                    let free = kings >> rank & 1 == 0;
                    for stone in stones.iter().filter(|_| free) {
                        if stone.may_follow(alone, term, in_file) {
                            let (next, fewer) = (alone | stone.alone, term - stone.stride);
                            let more = file.ways_below(rank, next, fewer, in_file);
                            ways = ways.checked_add(more)?;
                        }
                    }
                    file.ways[usize::from(rank) * row + alone * in_file.len() + term] = ways;
                }
            }
        }
        for (term, pieces) in in_file.pieces.iter().enumerate() {
            let ways = file.ways[term];
            if ways > 0 {
                let total =
                    Total { pieces: *pieces, in_file: term, on_board: terms.index(pieces), ways };
                let place = file.totals.partition_point(|before| before.ways >= ways);
                file.totals.insert(place, total);
            }
        }
        Some(file)
    }

    /// Ways to put the pieces of a term below a rank.
    #[inline(always)]
    fn ways_below(&self, rank: u8, alone: usize, term: usize, in_file: &Terms) -> u64 {
        self.ways[((usize::from(rank) + 1) * 4 + alone) * in_file.len() + term]
    }

    /// By term, the ways of this file and others side by side; `None` if one becomes too large.
    fn beside(&self, others: &[u128], terms: &Terms) -> Option<Vec<u128>> {
        let mut product = vec![0u128; terms.len()];
        for (term, &ways) in others.iter().enumerate().filter(|&(_, &ways)| ways > 0) {
            let room = std::array::from_fn(|k| terms.most[k] - terms.pieces(term)[k]);
            for total in self.totals.iter().filter(|total| Terms::fits(&total.pieces, &room)) {
                let more = ways.checked_mul(u128::from(total.ways))?;
                let sum = &mut product[term + total.on_board];
                *sum = sum.checked_add(more)?;
            }
        }
        Some(product)
    }
}
