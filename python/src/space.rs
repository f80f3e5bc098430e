//! `Space`: a numbered set of placements, sampled into arrays of numpy.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use num_bigint::BigUint;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;
use shogi_variants::core::Placement;
use shogi_variants::operations::{Numbering, read_placement};
use shogi_variants::rank::{KingLegal, Order, RankError, Ranking, Sampler, Space as TypedSpace};
use shogi_variants::reach::{Limit, Reach, Stage};
use shogi_variants::rules::{Dialect, to_sfen_in};
use shogi_variants::{RuleSet, Variant, Visitor};

use crate::error::{Raise, named, value_error};
use crate::interrupt::{abandonable, stoppable};
use crate::names::{dialect, variant};
use crate::number::Number;
use crate::reach::Placed;

/// Ranks that one thread handles between two looks at the stop signal.
const PART: usize = 4096;

/// The stages of classification in the order of their codes in [`Space::stages`].
pub const STAGES: [&str; 6] = ["flip", "pawn", "king", "unreachable", "ok", "unknown"];

/// A numbered set, whose rule set is not known where it is used.
pub trait AnySpace: Send + Sync {
    fn size(&self) -> BigUint;
    fn has_u64(&self) -> bool;
    fn rank(&self, text: &str) -> PyResult<BigUint>;
    fn unrank(&self, rank: &BigUint, dialect: Option<Dialect>) -> Result<String, RankError>;
    fn sample(&self, seed: u64, first: u64, count: u64) -> Vec<u64>;
    fn sample_wide(&self, seed: u64, first: u64, count: u64) -> Vec<BigUint>;
    fn stages(&self, ranks: &[u64], stop: &AtomicBool) -> Option<Result<Vec<u8>, RankError>>;
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
        self.space.unrank_in(self.order, rank)
    }

    fn unrank_u64(&self, rank: u64) -> Result<Placement<R>, RankError> {
        self.space.unrank_in_u64(self.order, rank)
    }

    fn rank(&self, placement: &Placement<R>) -> Result<BigUint, RankError> {
        self.space.rank_in(self.order, placement)
    }
}

/// A set with what classifies its members.
struct Numbered<R: RuleSet, S> {
    set: S,
    /// Made when first asked for; none where the variant has no reachability.
    reach: OnceLock<Option<Reach<R>>>,
}

impl<R: RuleSet, S: Ranking<R> + Send + Sync> AnySpace for Numbered<R, S> {
    fn size(&self) -> BigUint {
        self.set.size()
    }

    fn has_u64(&self) -> bool {
        self.set.size_u64().is_some()
    }

    fn rank(&self, text: &str) -> PyResult<BigUint> {
        let placement = read_placement(text).map_err(Raise::raise)?;
        self.set.rank(&placement).map_err(Raise::raise)
    }

    fn unrank(&self, rank: &BigUint, dialect: Option<Dialect>) -> Result<String, RankError> {
        Ok(to_sfen_in(&self.set.unrank(rank)?, dialect.unwrap_or(R::DIALECT)))
    }

    fn sample(&self, seed: u64, first: u64, count: u64) -> Vec<u64> {
        Sampler::new(&self.set, seed).ranks(first..first.saturating_add(count)).collect()
    }

    fn sample_wide(&self, seed: u64, first: u64, count: u64) -> Vec<BigUint> {
        let sampler = Sampler::new(&self.set, seed);
        (first..first.saturating_add(count)).map(|i| sampler.wide_rank(i)).collect()
    }

    fn stages(&self, ranks: &[u64], stop: &AtomicBool) -> Option<Result<Vec<u8>, RankError>> {
        let make = || Reach::<R>::is_available().then(|| Reach::new(Limit::default()));
        let reach = self.reach.get_or_init(make).as_ref()?;
        let stage = |&rank: &u64| match reach.classify(&self.set.unrank_u64(rank)?) {
            Stage::Flip => Ok(0),
            Stage::Pawn => Ok(1),
            Stage::King => Ok(2),
            Stage::Unreachable { .. } => Ok(3),
            Stage::Ok => Ok(4),
            Stage::Unknown => Ok(5),
        };
        let part = |part: &[u64]| -> Result<Vec<u8>, RankError> {
            let stopped = stop.load(Ordering::Relaxed);
            if stopped { Ok(Vec::new()) } else { part.iter().map(stage).collect() }
        };
        let stages: Result<Vec<_>, _> = ranks.par_chunks(PART).map(part).collect();
        Some(stages.map(|parts| parts.concat()))
    }
}

/// Makes the tables of a numbering.
struct New(Numbering);

impl Visitor for New {
    type Output = Option<Box<dyn AnySpace>>;

    fn visit<R: RuleSet>(self) -> Self::Output {
        let reach = OnceLock::new();
        Some(match self.0 {
            Numbering::Space(order) => {
                let set = Ordered { space: TypedSpace::<R>::new(), order };
                Box::new(Numbered { set, reach })
            }
            Numbering::KingLegal => Box::new(Numbered { set: KingLegal::<R>::new()?, reach }),
        })
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
#[pyclass(frozen, module = "shogi_variants")]
pub struct Space {
    variant: Variant,
    numbering: Numbering,
    inner: Box<dyn AnySpace>,
}

#[pymethods]
impl Space {
    #[new]
    #[pyo3(signature = (variant, numbering = "native"))]
    fn new(py: Python<'_>, variant: &str, numbering: &str) -> PyResult<Self> {
        let variant = self::variant(variant)?;
        let numbering: Numbering = numbering.parse().map_err(value_error)?;
        let inner = abandonable(py, move || variant.visit(New(numbering)))?;
        let inner = inner.ok_or_else(|| {
            let message = format!("{variant} is too large to number its legal positions");
            named("UnavailableError", &message)
        })?;
        Ok(Self { variant, numbering, inner })
    }

    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.variant.name()
    }

    /// The name of the numbering.
    #[getter]
    fn numbering(&self) -> String {
        self.numbering.to_string()
    }

    /// How many placements there are.
    #[getter]
    fn size(&self) -> Number {
        Number(self.inner.size())
    }

    /// The number of a placement: a text, legal or not, or a position. Raises `RankError` outside the set.
    fn rank(&self, placement: Placed) -> PyResult<Number> {
        self.inner.rank(&placement.text(self.variant)?).map(Number)
    }

    /// The placement with a number, in SFEN; it may break the rules. Raises `RankError` beyond the set.
    #[pyo3(signature = (rank, dialect = None))]
    fn unrank(&self, rank: Number, dialect: Option<&str>) -> PyResult<String> {
        self.inner.unrank(&rank.0, self::dialect(dialect)?).map_err(Raise::raise)
    }

    /// Ranks drawn uniformly, as an array of numpy; of `object` where they do not fit in 64 bits.
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
        count: u64,
        seed: u64,
        first: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.inner.has_u64() {
            let ranks = py.detach(|| self.inner.sample(seed, first, count));
            return Ok(PyArray1::from_vec(py, ranks).into_any());
        }
        // Ranks of 9x9 need 236 bits: whole numbers of Python in an array of objects.
        let ranks = py.detach(|| self.inner.sample_wide(seed, first, count));
        let numbers = ranks.into_iter().map(|rank| Ok(Number(rank).into_pyobject(py)?.unbind()));
        let numbers: PyResult<Vec<Py<PyAny>>> = numbers.collect();
        Ok(PyArray1::from_vec(py, numbers?).into_any())
    }

    /// Classifies ranks on all threads: an array of indices into `STAGES`.
    ///
    /// >>> from shogi_variants import STAGES, Space
    /// >>> space = Space("minishogi")
    /// >>> stages = space.stages(space.sample(1_000, seed=1))
    /// >>> STAGES[4], int((stages == 4).sum())
    /// ('ok', 144)
    fn stages<'py>(
        &self,
        py: Python<'py>,
        ranks: PyReadonlyArray1<'py, u64>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        // The array may be changed by others as soon as the interpreter's lock is released.
        let ranks = ranks.as_array().to_vec();
        let stages = stoppable(py, |stop| self.inner.stages(&ranks, stop))?;
        let stages = stages.ok_or_else(|| {
            let message =
                format!("reachability is not available for {} in this version", self.variant);
            named("UnavailableError", &message)
        })?;
        Ok(PyArray1::from_vec(py, stages.map_err(Raise::raise)?))
    }

    fn __len__(&self) -> PyResult<usize> {
        let size = self.inner.size();
        usize::try_from(&size).map_err(|_| {
            pyo3::exceptions::PyOverflowError::new_err("the size does not fit in len(): see size")
        })
    }

    fn __repr__(&self) -> String {
        format!("Space('{}', '{}')", self.variant, self.numbering)
    }
}
