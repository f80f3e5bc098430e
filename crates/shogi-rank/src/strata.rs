//! The legal positions divided by their checks, each class counted and numbered.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use num_bigint::BigUint;
use shogi_core::{Colour, Placement, RuleTable, check_classic};
#[cfg(feature = "parallel")]
use shogi_rules::threads::join;

use crate::checks::Checks;
use crate::constants::Constants;
use crate::error::{Outside, RankError};
use crate::king_legal::{counts_and_width, walked_distinct};
use crate::number::Width;
use crate::pair_ranking::{PairRanking, sizes_around};
use crate::ranking::Ranking;
use crate::space::check_set;
use crate::table::Table;
use crate::trellis::WayCounts;
use crate::ways::{FindWays, ways};

/// The placements that pass the stages pawn and king, mirror images counted as two, divided by the
/// checks on the player to move.
///
/// All classes except [`Checks::Excluded`] are numbered, king pair by king pair; the excluded placements
/// are counted as the remainder. Only the sizes are kept: the tables around a pair of kings, some 35 MB for
/// Minishogi, are made when needed, in the memory of earlier ones.
///
/// ```no_run
/// use shogi_rank::{BigUint, Checks, Company, Ranking, Strata, Stratified};
/// use shogi_rules::Minishogi;
/// let strata = Strata::<Minishogi>::new().expect("Minishogi is small enough");
/// assert_eq!(strata.excluded(), 2_108_475_168_251_078_526);
/// let checks = Checks::Quiet { mover: Company::Several, waiting: Company::Several };
/// let quiet = strata.stratum(checks).expect("there are quiet positions");
/// let first = quiet.unrank(&BigUint::ZERO)?;
/// assert_eq!((Checks::of(&first), quiet.rank(&first)), (checks, Ok(BigUint::ZERO)));
/// // Three samples of the first class and five of the second.
/// let samples = Stratified::new(&strata, 1, &[3, 5]);
/// let mut classes = [0; 2];
/// samples.for_each(0..samples.samples(), |class, _| classes[class] += 1);
/// assert_eq!(classes, [3, 5]);
/// # Ok::<(), shogi_rank::RankError>(())
/// ```
#[derive(Debug)]
pub struct Strata<R: RuleTable> {
    division: Division,
    rules: PhantomData<R>,
}

/// The classes, with what it takes to make the tables around any pair of kings.
#[derive(Debug)]
pub(crate) struct Division {
    table: &'static Table,
    width: Width,
    find_ways: FindWays,
    /// Sente's king on the left half, or on the middle file and Gote's not to the right of it.
    pairs: Vec<Pair>,
    classes: Vec<Class>,
    excluded: u128,
    /// The tables used last.
    tables: Mutex<Option<(usize, Arc<PairRanking>)>>,
    /// The memory of tables that are no longer used, at most as many as were used at a time. To get it from
    /// the system for each pair takes almost half as long as to fill it.
    spares: Mutex<Vec<WayCounts>>,
}

/// A pair of kings that represents itself and its mirror image.
#[derive(Debug)]
struct Pair {
    kings: [u8; 2],
    has_mirror: bool,
}

/// A class with its members counted.
#[derive(Debug)]
struct Class {
    checks: Checks,
    /// The first number of each pair, and the size of the class.
    starts: Vec<u128>,
}

impl<R: RuleTable> Strata<R> {
    /// The name of the classes in shards and reports.
    pub const NAME: &'static str = "strata";

    /// Counts the classes, for Minishogi within seconds, with the feature `parallel` on the current rayon thread pool.
    ///
    /// `None` where [`KingLegal::new`](crate::KingLegal::new) returns `None`, where kings can be left in
    /// check, and where positions [cannot be traced back](check_classic).
    pub fn new() -> Option<Self> {
        if !R::royal_safety() {
            return None;
        }
        check_classic::<R>().ok()?;
        let division = Division::new(Constants::<R>::table(), ways::<R>)?;
        Some(Self { division, rules: PhantomData })
    }

    /// The classes that are numbered, in order, with their sizes.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = (Checks, u128)> {
        self.division.classes()
    }

    /// The number of placements that are [excluded](Checks::Excluded): no move can have led there.
    pub const fn excluded(&self) -> u128 {
        self.division.excluded
    }

    /// A class as a numbered set; `None` for [`Checks::Excluded`] and for classes without members.
    pub fn stratum(&self, checks: Checks) -> Option<Stratum<'_, R>> {
        let class = self.division.classes.iter().position(|class| class.checks == checks)?;
        Some(Stratum { strata: self, class })
    }

    #[cfg(feature = "sample")]
    pub(crate) const fn division(&self) -> &Division {
        &self.division
    }

    /// The member of a class with a number that belongs to the king pair of these tables.
    #[inline]
    pub(crate) fn unrank_in_pair(
        &self,
        ranking: &PairRanking,
        class: usize,
        pair: usize,
        rank: u128,
    ) -> Placement<R> {
        let Class { checks, starts } = &self.division.classes[class];
        let rank = rank - starts[pair];
        if !self.division.pairs[pair].has_mirror {
            return ranking.unrank(*checks, rank);
        }
        let placement = ranking.unrank(*checks, rank / 2);
        if rank.is_multiple_of(2) { placement } else { placement.mirror() }
    }
}

impl Division {
    fn new(table: &'static Table, find_ways: FindWays) -> Option<Self> {
        let (counts, width) = counts_and_width(table)?;
        let total = match counts.king_distinct {
            Some(total) => u128::try_from(&total).ok()?,
            None => walked_distinct(table),
        };
        let mut pairs = Vec::new();
        for sente in table.squares().filter(|&square| !table.is_right(square)) {
            for gote in table.squares() {
                let apart = table.column(sente).abs_diff(table.column(gote)) > 1
                    || table.rank(sente).abs_diff(table.rank(gote)) > 1;
                if apart && !(table.is_middle(sente) && table.is_right(gote)) {
                    let has_mirror = !(table.is_middle(sente) && table.is_middle(gote));
                    pairs.push(Pair { kings: [sente, gote], has_mirror });
                }
            }
        }
        let sizes = sizes(table, width, find_ways, &pairs);
        let mut classes: Vec<Class> = Vec::new();
        for &(checks, _) in sizes.iter().flatten() {
            if let Err(place) = classes.binary_search_by(|class| class.checks.cmp(&checks)) {
                classes.insert(place, Class { checks, starts: vec![0] });
            }
        }
        for Class { checks, starts } in &mut classes {
            for (pair, sizes) in pairs.iter().zip(&sizes) {
                let size = sizes.iter().find(|(class, _)| class == checks);
                let size = size.map_or(0, |&(_, size)| size * pair.images());
                starts.push(starts[starts.len() - 1] + size);
            }
        }
        let numbered: u128 = classes.iter().map(Class::size).sum();
        let excluded = total - numbered;
        let (tables, spares) = Default::default();
        Some(Self { table, width, find_ways, pairs, classes, excluded, tables, spares })
    }

    fn classes(&self) -> impl ExactSizeIterator<Item = (Checks, u128)> {
        self.classes.iter().map(|class| (class.checks, class.size()))
    }

    /// The ranking around a king pair; [`Division::reuse`] takes it back.
    pub(crate) fn ranking_of(&self, pair: usize) -> PairRanking {
        let spare = lock(&self.spares).pop().unwrap_or(WayCounts::none(self.width));
        PairRanking::new(self.table, spare, self.find_ways, self.pairs[pair].kings)
    }

    /// Keeps the memory of a ranking for the next one.
    pub(crate) fn reuse(&self, ranking: PairRanking) {
        lock(&self.spares).push(ranking.into_spare());
    }

    /// The ranking around a king pair, made unless it was used last.
    fn cached(&self, pair: usize) -> Arc<PairRanking> {
        let mut tables = lock(&self.tables);
        match &*tables {
            Some((present, ranking)) if *present == pair => ranking.clone(),
            _ => {
                let unused = tables.take().and_then(|(_, ranking)| Arc::into_inner(ranking));
                unused.into_iter().for_each(|ranking| self.reuse(ranking));
                let ranking = Arc::new(self.ranking_of(pair));
                *tables = Some((pair, ranking.clone()));
                ranking
            }
        }
    }
}

/// For samples.
#[cfg(feature = "sample")]
impl Division {
    /// The number of classes.
    pub(crate) fn len(&self) -> usize {
        self.classes.len()
    }

    /// The number of king pairs.
    pub(crate) fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The first number of a class around a king pair; for the number of pairs its size.
    pub(crate) fn start(&self, class: usize, pair: usize) -> u128 {
        self.classes[class].starts[pair]
    }
}

/// Locks a mutex, even a poisoned one: all guarded values are replaced as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls both functions, one after the other.
#[cfg(not(feature = "parallel"))]
fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

/// The sizes of the classes around each of some pairs of kings, computed on all threads with the feature `parallel`.
fn sizes(
    table: &'static Table,
    width: Width,
    find_ways: FindWays,
    pairs: &[Pair],
) -> Vec<Vec<(Checks, u128)>> {
    if pairs.len() <= 1 {
        let of_pair = |pair: &Pair| sizes_around(table, width, find_ways, pair.kings);
        return pairs.iter().map(of_pair).collect();
    }
    let (left, right) = pairs.split_at(pairs.len() / 2);
    let (mut all, others) =
        join(|| sizes(table, width, find_ways, left), || sizes(table, width, find_ways, right));
    all.extend(others);
    all
}

impl Pair {
    fn images(&self) -> u128 {
        1 + u128::from(self.has_mirror)
    }
}

impl Class {
    fn size(&self) -> u128 {
        self.starts.last().copied().unwrap_or(0)
    }
}

/// One class of [`Strata`] as a numbered set.
///
/// The numbers of a king pair follow one another. The tables around the pair used last are kept,
/// so numbers in order are fast and others take as long as it takes to make tables: some 10
/// milliseconds for Minishogi.
#[derive(Debug)]
pub struct Stratum<'a, R: RuleTable> {
    strata: &'a Strata<R>,
    class: usize,
}

impl<R: RuleTable> Stratum<'_, R> {
    fn class(&self) -> &Class {
        &self.strata.division.classes[self.class]
    }
}

impl<R: RuleTable> Ranking<R> for Stratum<'_, R> {
    fn size(&self) -> BigUint {
        self.class().size().into()
    }

    fn size_u64(&self) -> Option<u64> {
        u64::try_from(self.class().size()).ok()
    }

    fn unrank(&self, rank: &BigUint) -> Result<Placement<R>, RankError> {
        let Class { starts, .. } = self.class();
        let division = &self.strata.division;
        let out_of_range = || RankError::OutOfRange { rank: rank.clone(), size: self.size() };
        let narrow = u128::try_from(rank).map_err(|_| out_of_range())?;
        let pair = starts.partition_point(|&start| start <= narrow) - 1;
        if pair == division.pairs.len() {
            return Err(out_of_range());
        }
        let ranking = division.cached(pair);
        Ok(self.strata.unrank_in_pair(&ranking, self.class, pair, narrow))
    }

    fn unrank_u64(&self, rank: u64) -> Result<Placement<R>, RankError> {
        self.unrank(&rank.into())
    }

    fn rank(&self, placement: &Placement<R>) -> Result<BigUint, RankError> {
        check_set(placement)?;
        let division = &self.strata.division;
        for (image, number) in [(*placement, 0u8), (placement.mirror(), 1)] {
            let kings = Colour::ALL.map(|colour| image.king(colour).map(|king| king.index() as u8));
            let is_it = |pair: &Pair| pair.kings.map(Some) == kings;
            let Some(pair) = division.pairs.iter().position(is_it) else { continue };
            let Class { checks, starts } = self.class();
            if let Some(rank) = division.cached(pair).rank(*checks, &image) {
                let images = division.pairs[pair].images();
                return Ok((starts[pair] + rank * images + u128::from(number)).into());
            }
        }
        Err(RankError::Outside(if placement.has_nifu() {
            Outside::Nifu
        } else if placement.has_immobile() {
            Outside::Immobile
        } else if placement.in_check(Colour::Gote) {
            Outside::GoteInCheck
        } else {
            Outside::OtherChecks
        }))
    }
}
