//! The positions that can arise from a start, counted.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shogi_core::{Colour, Placement};

use crate::board::Board;
use crate::error::{BuildError, IndexError};
use crate::index::{Index, Members};
use crate::parallel;
use crate::pieces::PieceSet;
use crate::world::World;

/// Words in one unit of work.
const CHUNK: usize = 1 << 12;

/// The set of all positions that can arise from a start, with both kings on the board; the
/// players exchanged and mirror images count as one.
///
/// ```
/// use shogi_rules::Dobutsu;
/// use shogi_tablebase::Reachable;
/// use shogi_tablebase::shogi_core::{Colour, Position};
///
/// let start: Position<Dobutsu> = "2l/3/3/L2 b - 1".parse()?;
/// let reachable = Reachable::new(&start, true)?;
/// let [free, attacked] = reachable.count(|placement| placement.in_check(Colour::Gote).into());
/// assert!(free > 0 && attacked > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reachable<R: World> {
    index: Index<R>,
    seen: Vec<AtomicU64>,
}

impl<R: World> Reachable<R> {
    /// Lists the positions that can arise from a start. No position follows one after the end of the game;
    /// with `until_capture`, none follows one in which a king can be captured, either.
    ///
    /// Takes three bits for each placement of the pieces.
    ///
    /// # Errors
    ///
    /// If the positions with the pieces of the start cannot be numbered.
    pub fn new(start: &Placement<R>, until_capture: bool) -> Result<Self, BuildError> {
        let index = Index::new(PieceSet::of(start), Members::All)?;
        let words = || {
            let words = index.size().div_ceil(64);
            (0..words).map(|_| AtomicU64::new(0)).collect::<Vec<_>>()
        };
        let seen = words();
        let mut fronts = [words(), words()];
        let exchanged = start.side() == Colour::Gote;
        let board = index.board_of(start).ok_or(IndexError::Kings)?;
        let root = fold(&index, &board, exchanged).ok_or(IndexError::Kings)?;
        insert(&seen, root);
        insert(&fronts[0], root);
        loop {
            let [front, next] = &fronts;
            let found: Vec<u64> = in_chunks(front, &|first, words| {
                let mut found = 0;
                members(first, words, |rank| {
                    found += expand(&index, rank, until_capture, &seen, next);
                });
                found
            });
            if found.iter().all(|&found| found == 0) {
                return Ok(Self { index, seen });
            }
            fronts.swap(0, 1);
            in_chunks(&fronts[1], &|_, words| words.iter().for_each(|word| word.store(0, Relaxed)));
        }
    }

    /// The bytes that the listing from a start takes, and the number of placements of its pieces.
    ///
    /// ```
    /// use shogi_rules::{Dobutsu, Rules};
    /// use shogi_tablebase::Reachable;
    /// let start = Dobutsu::start();
    /// let (bytes, placements) = Reachable::size_for(&start)?;
    /// assert!(bytes < 600 << 20 && placements > 246_803_167);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reachable::new`].
    pub fn size_for(start: &Placement<R>) -> Result<(u64, u64), BuildError> {
        let index = Index::<R>::new(PieceSet::of(start), Members::All)?;
        Ok((3 * 8 * index.size().div_ceil(64) + index.bytes(), index.size()))
    }

    /// Sorts all positions, given with Sente to move, by `class`, and counts each class.
    pub fn count<const N: usize>(&self, class: impl Fn(&Placement<R>) -> usize + Sync) -> [u64; N] {
        let add = |mut a: [u64; N], b: [u64; N]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let chunks = in_chunks(&self.seen, &|first, words| {
            let mut counts = [0; N];
            members(first, words, |rank| {
                let board = self.index.unrank_board(rank);
                counts[class(&self.index.placement_of(&board))] += 1;
            });
            counts
        });
        chunks.into_iter().fold([0; N], add)
    }
}

/// The results of a function on each chunk of a set with the number of its first word, on all threads.
fn in_chunks<T: Send>(
    words: &[AtomicU64],
    each: &(dyn Fn(usize, &[AtomicU64]) -> T + Sync),
) -> Vec<T> {
    parallel::map(0..words.len().div_ceil(CHUNK) as u64, &|chunk| {
        let first = chunk as usize * CHUNK;
        each(first, &words[first..words.len().min(first + CHUNK)])
    })
}

/// Adds the successors of a position to the set and the next front, and returns the number of new ones.
fn expand<R: World>(
    index: &Index<R>,
    rank: u64,
    until_capture: bool,
    seen: &[AtomicU64],
    next: &[AtomicU64],
) -> u64 {
    let board = index.unrank_board(rank);
    let placement = index.placement_of(&board);
    if R::is_over(&placement) || until_capture && placement.in_check(Colour::Gote) {
        return 0;
    }
    let mut found = 0;
    let _: ControlFlow<()> = placement.generate(|batch| {
        for mv in batch.moves() {
            let captured = board.kings[1] == mv.to().index() as u8;
            let after = board.play(mv, Colour::Sente, index.codes());
            let rank = if captured { None } else { fold(index, &after, true) };
            if let Some(rank) = rank.filter(|&rank| insert(seen, rank)) {
                insert(next, rank);
                found += 1;
            }
        }
        ControlFlow::Continue(())
    });
    found
}

/// The rank of a board, or of its mirror image if that is smaller.
fn fold<R: World>(index: &Index<R>, board: &Board, exchanged: bool) -> Option<u64> {
    let rank = index.rank_board(board, exchanged)?;
    Some(index.rank_twin(board, exchanged).map_or(rank, |twin| rank.min(twin)))
}

/// Adds a member and returns whether it is new.
fn insert(set: &[AtomicU64], rank: u64) -> bool {
    let (word, bit) = (&set[(rank / 64) as usize], 1 << (rank % 64));
    word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
}

/// Visits the members in some words of a set; `place` is the number of the first word.
fn members(place: usize, words: &[AtomicU64], mut visit: impl FnMut(u64)) {
    for (place, word) in (place as u64..).zip(words) {
        let mut rest = word.load(Relaxed);
        while rest != 0 {
            visit(64 * place + u64::from(rest.trailing_zeros()));
            rest &= rest - 1;
        }
    }
}
