//! `Space`: a numbered set of placements, sampled into arrays of numpy.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use num_bigint::BigUint;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::core::{NotClassic, Placement, check_countable};
use shogi_variants::operations::{Error, Numbering};
use shogi_variants::rank::{
    KingLegal, Order, RankError, Ranked as Image, Ranking, Sampler, Space as TypedSpace, rank_image,
};
use shogi_variants::reach::{Reach, SearchLimit, Stage, Unavailable};
use shogi_variants::rules::{Dialect, to_sfen_in};
use shogi_variants::{OfVariant, RuleSet, Variant, Visitor};

use crate::batch::{Placements, Ranks, each, room};
use crate::error::{Raise, value_error};
use crate::given::Placed;
use crate::interrupt::{abandonable, stoppable};
use crate::limits::{self, MOST_SAMPLES, MOST_WIDE_SAMPLES, within};
use crate::names::dialect;
use crate::number::{Number, Rank};
use crate::pickle::reduced;
use crate::progress::{Progress, Watch, watched};
use crate::variant::NameOrVariant;

/// Ranks drawn between two looks at the stop signal.
const PART: u64 = 1 << 16;

/// The stages of classification in the order of their codes in [`Space::stages`].
pub const STAGES: [&str; 6] = ["flip", "pawn", "king", "unreachable", "ok", "unknown"];

/// A numbered set, whose rule set is not known where it is used.
pub trait AnySpace: Send + Sync {
    fn size(&self) -> BigUint;
    fn has_u64(&self) -> bool;
    fn rank(&self, placement: &Placed) -> PyResult<Image<BigUint>>;
    fn rank_u64(&self, placement: &Placed) -> PyResult<u64>;
    fn unrank(&self, rank: &BigUint, dialect: Option<Dialect>) -> Result<String, RankError>;
    fn unrank_of(
        &self,
        ranks: &Ranks,
        number: usize,
        dialect: Option<Dialect>,
    ) -> Result<String, RankError>;
    fn sample(&self, seed: u64, numbers: Range<u64>, ranks: &mut Vec<u64>);
    fn sample_wide(&self, seed: u64, numbers: Range<u64>) -> Vec<BigUint>;
    fn check_classifiable(&self) -> Result<(), Error>;
    fn stage(&self, ranks: &Ranks, number: usize) -> Result<u8, RankError>;
}

/// The candidates in one of their orders.
struct Ordered<R: RuleSet> {
    space: TypedSpace<R>,
    order: Order,
}

impl<R: RuleSet> Ranking<R> for Ordered<R> {
    fn size(&self) -> BigUint {
        self.space.size()
    }

    fn size_u64(&self) -> Option<u64> {
        self.space.size_u64()
    }

    fn unrank(&self, rank: &BigUint) -> Result<Placement<R>, RankError> {
        self.space.unrank(rank.clone(), self.order)
    }

    fn unrank_u64(&self, rank: u64) -> Result<Placement<R>, RankError> {
        self.space.unrank(rank, self.order)
    }

    fn rank(&self, placement: &Placement<R>) -> Result<BigUint, RankError> {
        self.space.rank::<BigUint>(placement, self.order)
    }
}

/// A set with what classifies its members.
struct Numbered<R: RuleSet, S> {
    variant: Variant,
    set: S,
    /// Made on first use; where the variant has no reachability, why.
    reach: OnceLock<Result<Reach<R>, Unavailable>>,
}

impl<R: RuleSet, S: Ranking<R>> Numbered<R, S> {
    /// The placement with one of many ranks.
    fn placement(&self, ranks: &Ranks, number: usize) -> Result<Placement<R>, RankError> {
        match ranks {
            Ranks::Narrow(ranks) if self.set.size_u64().is_some() => {
                self.set.unrank_u64(ranks[number])
            }
            Ranks::Narrow(ranks) => self.set.unrank(&ranks[number].into()),
            Ranks::Wide(ranks) => self.set.unrank(&ranks[number]),
        }
    }

    fn reach(&self) -> Result<&Reach<R>, &Unavailable> {
        let make = || {
            Reach::<R>::check_available()?;
            Ok(Reach::new(SearchLimit::default()))
        };
        self.reach.get_or_init(make).as_ref()
    }
}

impl<R: RuleSet, S: Ranking<R> + Send + Sync> AnySpace for Numbered<R, S> {
    fn size(&self) -> BigUint {
        self.set.size()
    }

    fn has_u64(&self) -> bool {
        self.set.size_u64().is_some()
    }

    fn rank(&self, placement: &Placed) -> PyResult<Image<BigUint>> {
        let placement = placement.placement(self.variant)?;
        rank_image(&placement, |placement| self.set.rank(placement)).map_err(Raise::raise)
    }

    fn rank_u64(&self, placement: &Placed) -> PyResult<u64> {
        let placement = placement.placement(self.variant)?;
        let ranked = rank_image(&placement, |placement| self.set.rank_u64(placement));
        ranked.map(|ranked| ranked.rank).map_err(Raise::raise)
    }

    fn unrank(&self, rank: &BigUint, dialect: Option<Dialect>) -> Result<String, RankError> {
        Ok(to_sfen_in(&self.set.unrank(rank)?, dialect.unwrap_or(R::dialect())))
    }

    fn unrank_of(
        &self,
        ranks: &Ranks,
        number: usize,
        dialect: Option<Dialect>,
    ) -> Result<String, RankError> {
        Ok(to_sfen_in(&self.placement(ranks, number)?, dialect.unwrap_or(R::dialect())))
    }

    fn sample(&self, seed: u64, numbers: Range<u64>, ranks: &mut Vec<u64>) {
        ranks.extend(Sampler::new(&self.set, seed).ranks(numbers));
    }

    fn sample_wide(&self, seed: u64, numbers: Range<u64>) -> Vec<BigUint> {
        let sampler = Sampler::new(&self.set, seed);
        numbers.map(|number| sampler.wide_rank(number)).collect()
    }

    fn check_classifiable(&self) -> Result<(), Error> {
        let (task, variant) = ("reachability", R::name());
        let unsuited =
            |reason: &Unavailable| Error::Unsuited { task, variant, reason: reason.to_string() };
        self.reach().map(drop).map_err(unsuited)
    }

    fn stage(&self, ranks: &Ranks, number: usize) -> Result<u8, RankError> {
        let placement = self.placement(ranks, number)?;
        let Ok(reach) = self.reach() else { return Ok(5) };
        Ok(match reach.classify(&placement) {
            Stage::Flip => 0,
            Stage::Pawn => 1,
            Stage::King => 2,
            Stage::Unreachable { .. } => 3,
            Stage::Ok => 4,
            Stage::Unknown => 5,
        })
    }
}

/// Makes the tables of a numbering.
struct New(Variant, Numbering);

impl Visitor for New {
    type Output = Result<OfVariant<Box<dyn AnySpace>>, Error>;

    fn visit<R: RuleSet>(self) -> Self::Output {
        let (Self(variant, numbering), name, reach) = (self, R::name(), OnceLock::new());
        let uncountable = |reason: NotClassic| Error::Unsuited {
            task: "counting",
            variant: name,
            reason: reason.to_string(),
        };
        check_countable::<R>().map_err(uncountable)?;
        let numbered: Box<dyn AnySpace> = match numbering {
            Numbering::Space(order) => {
                let set = Ordered { space: TypedSpace::<R>::new().map_err(uncountable)?, order };
                Box::new(Numbered { variant, set, reach })
            }
            Numbering::KingLegal => {
                let task = "to number its legal positions";
                let set = KingLegal::<R>::new().ok_or(Error::TooLarge { variant: name, task })?;
                Box::new(Numbered { variant, set, reach })
            }
        };
        Ok(OfVariant::new(numbered))
    }
}

/// A set of placements with Sente to move, each of which has a number, its rank.
///
/// `numbering` is `native` or `ishii-tanaka` for all candidates in these orders, or `king-legal` for those that
/// pass the stages flip, pawn and king.
///
/// >>> from shogi_variants import Space
/// >>> space = Space("minishogi")
/// >>> space.size
/// 16014219505238849250
/// >>> space.unrank(space.rank("startpos"))
/// 'rbsgk/4p/5/P4/KGSBR b - 1'
///
/// Games that were loaded have one where the pieces allow; otherwise `UnavailableError` names the piece or the rule in
/// the way.
///
/// >>> from shogi_variants import Variant
/// >>> nine = Variant.load('''
/// ... name = "nine"
/// ... start = "1k1/1p1/1K1 b - 1"
/// ... [pieces]
/// ... P = { front = "pawn", back = "gold" }
/// ... K = { front = "king", royal = true }
/// ... ''')
/// >>> space = Space(nine)
/// >>> space.size, space.unrank(space.rank("startpos"))
/// (1170, '1k1/1p1/1K1 b - 1')
#[pyclass(frozen, module = "shogi_variants")]
pub struct Space {
    variant: Variant,
    numbering: Numbering,
    inner: OfVariant<Box<dyn AnySpace>>,
}

impl Space {
    fn rank_of(&self, placement: &Placed) -> PyResult<Image<BigUint>> {
        self.inner.with(|space| space.rank(placement))
    }

    fn has_u64(&self) -> bool {
        self.inner.with(|space| space.has_u64())
    }
}

#[pymethods]
impl Space {
    #[new]
    #[pyo3(signature = (variant, numbering = "native"))]
    fn new(py: Python<'_>, variant: NameOrVariant, numbering: &str) -> PyResult<Self> {
        let NameOrVariant(variant) = variant;
        let numbering: Numbering = numbering.parse().map_err(value_error)?;
        let inner = abandonable(py, move || variant.visit(New(variant, numbering)))?;
        Ok(Self { variant, numbering, inner: inner.map_err(Raise::raise)? })
    }

    /// The name of the variant.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.variant)
    }

    /// The name of the numbering.
    #[getter]
    fn numbering(&self) -> String {
        self.numbering.to_string()
    }

    /// How many placements there are.
    #[getter]
    fn size(&self) -> Number {
        Number(self.inner.with(|space| space.size()))
    }

    /// The number of a placement: a text, legal or not, or a position; with Gote to move that of the one with colours
    /// exchanged, and of two mirror images that of the one that is counted. Raises `RankError` outside the set.
    fn rank(&self, placement: Placed) -> PyResult<Number> {
        self.rank_of(&placement).map(|ranked| Number(ranked.rank))
    }

    /// The number of a placement as `rank` gives it, and whether it is that of the placement with colours exchanged, or
    /// of the mirror image.
    ///
    /// >>> from shogi_variants import Space
    /// >>> space = Space("minishogi")
    /// >>> found = space.ranked("rbsgk/4p/P4/5/KGSBR w - 1")
    /// >>> found.exchanged, found.mirrored
    /// (True, False)
    /// >>> found.rank == space.rank("rbsgk/4p/P4/5/KGSBR w - 1")
    /// True
    fn ranked(&self, py: Python<'_>, placement: Placed) -> PyResult<Ranked> {
        let Image { rank, exchanged, mirrored, .. } = self.rank_of(&placement)?;
        Ok(Ranked { rank: Number(rank).into_pyobject(py)?.unbind(), exchanged, mirrored })
    }

    /// The numbers of many placements on all threads: an array of numpy, of `uint64`, or of `object` where they do
    /// not fit in 64 bits.
    ///
    /// >>> from shogi_variants import Position, Space
    /// >>> space = Space("minishogi")
    /// >>> space.unrank_many(space.rank_many(["startpos", Position("minishogi")]))
    /// ['rbsgk/4p/5/P4/KGSBR b - 1', 'rbsgk/4p/5/P4/KGSBR b - 1']
    #[pyo3(signature = (placements, *, progress = None))]
    fn rank_many<'py>(
        &self,
        py: Python<'py>,
        placements: Placements,
        progress: Option<Progress>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let placements = &placements.0;
        let count = placements.len();
        let watch = Watch::of(count);
        if self.has_u64() {
            let rank = |number: usize| self.inner.with(|space| space.rank_u64(&placements[number]));
            let ranks = watched(py, progress, &watch, || each(count, &watch, rank))??;
            return Ok(PyArray1::from_vec(py, ranks).into_any());
        }
        let rank = |number: usize| self.rank_of(&placements[number]).map(|ranked| ranked.rank);
        let ranks = watched(py, progress, &watch, || each(count, &watch, rank))??;
        let mut numbers = room(count)?;
        objects(py, ranks, &mut numbers)?;
        Ok(PyArray1::from_vec(py, numbers).into_any())
    }

    /// The placement with a number, in SFEN; it may break the rules. Raises `RankError` beyond the set.
    #[pyo3(signature = (rank, dialect = None))]
    fn unrank(&self, rank: Rank, dialect: Option<&str>) -> PyResult<String> {
        let dialect = self::dialect(dialect)?;
        self.inner.with(|space| space.unrank(&rank.0, dialect)).map_err(Raise::raise)
    }

    /// The placements with many numbers on all threads: an array of integers or of objects, or a list.
    #[pyo3(signature = (ranks, dialect = None, *, progress = None))]
    fn unrank_many(
        &self,
        py: Python<'_>,
        ranks: Ranks,
        dialect: Option<&str>,
        progress: Option<Progress>,
    ) -> PyResult<Vec<String>> {
        let (dialect, watch) = (self::dialect(dialect)?, Watch::of(ranks.len()));
        let unrank = |number| {
            let text = self.inner.with(|space| space.unrank_of(&ranks, number, dialect));
            text.map_err(Raise::raise)
        };
        watched(py, progress, &watch, || each(ranks.len(), &watch, unrank))?
    }

    /// Ranks drawn uniformly, as an array of numpy; of `object` where they do not fit in 64 bits. At most 2**28 of
    /// 64 bits can be drawn by one call, and 2**24 objects.
    ///
    /// Sample i depends on nothing but the seed and i; `first` is the number of the first.
    ///
    /// >>> from shogi_variants import Space
    /// >>> space = Space("minishogi")
    /// >>> space.sample(5, seed=7)[3] == space.sample(1, seed=7, first=3)[0]
    /// np.True_
    #[pyo3(signature = (count, *, seed = 1, first = 0))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = limits::seed)] seed: u64,
        #[pyo3(from_py_with = limits::first)] first: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let most = if self.has_u64() { MOST_SAMPLES } else { MOST_WIDE_SAMPLES };
        let count: usize = within(count, "count", 0..=most)?;
        let numbers = first..first.saturating_add(count as u64);
        let parts = numbers.clone().step_by(PART as usize);
        let parts = parts.map(|from| from..from.saturating_add(PART).min(numbers.end));
        if self.has_u64() {
            let mut ranks = room(count)?;
            stoppable(py, |stop| {
                let parts = parts.take_while(|_| !stop.load(Ordering::Relaxed));
                parts
                    .for_each(|part| self.inner.with(|space| space.sample(seed, part, &mut ranks)));
            })?;
            return Ok(PyArray1::from_vec(py, ranks).into_any());
        }
        // Ranks of 9x9 need 236 bits: whole numbers of Python in an array of objects.
        let mut ranks = room(count)?;
        for part in parts {
            py.check_signals()?;
            objects(
                py,
                py.detach(|| self.inner.with(|space| space.sample_wide(seed, part))),
                &mut ranks,
            )?;
        }
        Ok(PyArray1::from_vec(py, ranks).into_any())
    }

    /// Classifies ranks on all threads: an array of indices into `STAGES`. The ranks are an array of integers or of
    /// objects, or a list.
    ///
    /// >>> from shogi_variants import STAGES, Space
    /// >>> space = Space("minishogi")
    /// >>> stages = space.stages(space.sample(1_000, seed=1))
    /// >>> STAGES[4], int((stages == 4).sum())
    /// ('ok', 144)
    #[pyo3(signature = (ranks, *, progress = None))]
    fn stages<'py>(
        &self,
        py: Python<'py>,
        ranks: Ranks,
        progress: Option<Progress>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        py.detach(|| self.inner.with(|space| space.check_classifiable())).map_err(Raise::raise)?;
        let watch = Watch::of(ranks.len());
        let stage =
            |number| self.inner.with(|space| space.stage(&ranks, number)).map_err(Raise::raise);
        let stages = watched(py, progress, &watch, || each(ranks.len(), &watch, stage))??;
        Ok(PyArray1::from_vec(py, stages))
    }

    /// How pickle stores it: by its name, from which the tables are made again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf, "_restore", (slf.get().variant(), slf.get().numbering()))
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, variant: NameOrVariant, numbering: &str) -> PyResult<Self> {
        Self::new(py, variant, numbering)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// A space never changes.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __len__(&self) -> PyResult<usize> {
        let size = self.inner.with(|space| space.size());
        // Python's lengths are signed.
        isize::try_from(&size).map(|size| size as usize).map_err(|_| {
            pyo3::exceptions::PyOverflowError::new_err("the size does not fit in len(): see size")
        })
    }

    fn __repr__(&self) -> String {
        format!("Space({}, '{}')", self.variant().repr(), self.numbering)
    }
}

/// The number of a placement, or of the one that stands for it: see `Space.ranked`.
#[pyclass(frozen, get_all, module = "shogi_variants")]
pub struct Ranked {
    /// The number.
    rank: Py<PyAny>,
    /// Whether it is that of the placement with colours exchanged: in a space Sente is to move.
    exchanged: bool,
    /// Whether it is that of the mirror image: of two only one is counted.
    mirrored: bool,
}

#[pymethods]
impl Ranked {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { rank, exchanged, mirrored } = slf.get();
        reduced(slf, "_restore", (rank.clone_ref(slf.py()), *exchanged, *mirrored))
    }

    #[staticmethod]
    fn _restore(rank: Py<PyAny>, exchanged: bool, mirrored: bool) -> Self {
        Self { rank, exchanged, mirrored }
    }

    fn __repr__(&self) -> String {
        let of = match (self.exchanged, self.mirrored) {
            (false, false) => "",
            (true, false) => ", colours exchanged",
            (false, true) => ", mirrored",
            (true, true) => ", colours exchanged and mirrored",
        };
        format!("<Ranked: {}{of}>", self.rank)
    }
}

/// Appends whole numbers of Python.
fn objects(py: Python<'_>, ranks: Vec<BigUint>, objects: &mut Vec<Py<PyAny>>) -> PyResult<()> {
    for rank in ranks {
        objects.push(Number(rank).into_pyobject(py)?.unbind());
    }
    Ok(())
}
