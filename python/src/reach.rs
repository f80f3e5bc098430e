//! `Classifier`: whether a game can lead to a position, with certificates.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::Variant;
use shogi_variants::operations::AnyClassifier;
use shogi_variants::reach::{Certificate as Proved, SearchLimit};

use crate::error::{Raise, named, value_error};
use crate::given::Placed;
use crate::interrupt::abandonable;
use crate::limits;
use crate::pickle::reduced;
use crate::position::Position;
use crate::variant::{NameOrVariant, named as named_variant};

/// How a position was classified: whether a game leads to it, the stage that drops it from those that are counted (one of
/// `STAGES`; `flip` drops one of two mirror images), the plies backwards until nothing new is found if it is unreachable,
/// and the certificate, if one is wanted.
#[pyclass(frozen, get_all, module = "shogi_variants")]
pub struct Classification {
    /// Whether a game leads to this very position; `None` if that was not found out.
    reachable: Option<bool>,
    /// One of `STAGES`.
    stage: Cow<'static, str>,
    /// For an unreachable one, the plies backwards until nothing new is found.
    plies: Option<u32>,
    /// The proof, if it is wanted and there is one.
    certificate: Option<Py<Certificate>>,
}

#[pymethods]
impl Classification {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { reachable, stage, plies, certificate } = slf.get();
        let certificate = certificate.as_ref().map(|certificate| certificate.clone_ref(slf.py()));
        reduced(slf, "_restore", (*reachable, stage, *plies, certificate))
    }

    #[staticmethod]
    fn _restore(
        reachable: Option<bool>,
        stage: String,
        plies: Option<u32>,
        certificate: Option<Py<Certificate>>,
    ) -> Self {
        Self { reachable, stage: stage.into(), plies, certificate }
    }

    fn __repr__(&self) -> String {
        let answer = match self.reachable {
            Some(true) => "reachable",
            Some(false) => "not reachable",
            None => "not decided",
        };
        match self.plies {
            Some(plies) => format!("<Classification: {answer}, {}, plies {plies}>", self.stage),
            None => format!("<Classification: {answer}, {}>", self.stage),
        }
    }
}

/// Decides whether games lead to positions of a variant, with certificates if they are wanted; at most
/// `max_positions` are kept in one backward search.
///
/// >>> from shogi_variants import Classifier
/// >>> classifier = Classifier("minishogi", certificates=True)
/// >>> found = classifier.classify("1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1")
/// >>> found.reachable, found.stage, found.plies
/// (False, 'unreachable', 8)
/// >>> found.certificate.verify()
///
/// Of two mirror images only one is counted, and either can be reached:
///
/// >>> classifier.classify("kgsbr/p4/5/4P/RBSGK b - 1")
/// <Classification: reachable, flip>
///
/// Raises `UnavailableError` for variants without reachability.
#[pyclass(frozen, module = "shogi_variants")]
pub struct Classifier {
    variant: Variant,
    certificates: bool,
    max_positions: usize,
    inner: Arc<dyn AnyClassifier>,
}

#[pymethods]
impl Classifier {
    #[new]
    #[pyo3(signature = (variant, *, certificates = false, max_positions = 1_000_000))]
    fn new(
        py: Python<'_>,
        variant: NameOrVariant,
        certificates: bool,
        #[pyo3(from_py_with = limits::max_positions)] max_positions: usize,
    ) -> PyResult<Self> {
        let NameOrVariant(variant) = variant;
        let limit = SearchLimit { nodes: max_positions };
        let made = abandonable(py, move || variant.reach().classifier(limit, certificates))?;
        let inner = made.map_err(Raise::raise)?.into();
        Ok(Self { variant, certificates, max_positions, inner })
    }

    /// How pickle stores it: by its settings.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { variant, certificates, max_positions, .. } = slf.get();
        reduced(slf, "_restore", (NameOrVariant(*variant), *certificates, *max_positions))
    }

    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        variant: NameOrVariant,
        certificates: bool,
        max_positions: usize,
    ) -> PyResult<Self> {
        Self::new(py, variant, certificates, max_positions)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// A classifier never changes.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// The name of the variant.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.variant)
    }

    /// Classifies a placement: a text, legal or not, or a position.
    fn classify(&self, py: Python<'_>, placement: Placed) -> PyResult<Classification> {
        let (text, classifier) = (placement.text(self.variant)?, self.inner.clone());
        let classified = abandonable(py, move || classifier.classify(&text))?;
        let classified = classified.map_err(Raise::raise)?;
        let proved = classified.certificate.map(|proved| Py::new(py, Certificate(proved)));
        Ok(Classification {
            reachable: classified.decided.is_reachable(),
            stage: classified.stage.name().into(),
            plies: classified.decided.plies(),
            certificate: proved.transpose()?,
        })
    }

    /// A reachable position, drawn uniformly from all of them, of mirror images the one that is counted: the
    /// same for the same seed.
    ///
    /// >>> from shogi_variants import Classifier
    /// >>> classifier = Classifier("minishogi")
    /// >>> classifier.classify(classifier.draw(1)).stage
    /// 'ok'
    fn draw(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = limits::seed)] seed: u64,
    ) -> PyResult<Position> {
        let classifier = self.inner.clone();
        let drawn = abandonable(py, move || classifier.draw(seed, None))?;
        Position::read(self.variant, &drawn.map_err(Raise::raise)?, false)
    }

    fn __repr__(&self) -> String {
        format!("Classifier({})", self.variant().repr())
    }
}

/// A proof that a position can or cannot arise in a game, checked by the rules alone.
#[pyclass(frozen, eq, module = "shogi_variants")]
#[derive(PartialEq)]
pub struct Certificate(Proved);

#[pymethods]
impl Certificate {
    /// Reads what `to_json` writes.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        let proved = serde_json::from_str(text);
        proved.map(Self).map_err(|error| named("FileError", &error))
    }

    /// The certificate as `shogi classify --certificate` writes it and `shogi verify` reads it.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(value_error)
    }

    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf, "from_json", (slf.get().to_json()?,))
    }

    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &str {
        self.0.variant()
    }

    /// The position.
    #[getter]
    fn sfen(&self) -> &str {
        match &self.0 {
            Proved::Game { sfen, .. } | Proved::Closed { sfen, .. } => sfen,
        }
    }

    /// Whether it can be reached.
    #[getter]
    const fn reachable(&self) -> bool {
        matches!(self.0, Proved::Game { .. })
    }

    /// A game from the start to the position, if it can be reached.
    #[getter]
    fn moves(&self) -> Option<Vec<String>> {
        match &self.0 {
            Proved::Game { moves, .. } => Some(moves.clone()),
            Proved::Closed { .. } => None,
        }
    }

    /// All positions that it can be traced back to, by plies, if it cannot be reached.
    #[getter]
    fn predecessors(&self) -> Option<Vec<Vec<String>>> {
        match &self.0 {
            Proved::Game { .. } => None,
            Proved::Closed { predecessors, .. } => Some(predecessors.clone()),
        }
    }

    /// Checks every claim by the rules. Raises `RefutedError`.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let variant = named_variant(self.0.variant()).map_err(Raise::raise)?;
        let certificate = self.0.clone();
        let verified = abandonable(py, move || variant.reach().verify(&certificate))?;
        verified.map_err(Raise::raise)
    }

    fn __repr__(&self) -> String {
        let reachable = if self.reachable() { "reachable" } else { "unreachable" };
        format!("<Certificate: {} is {reachable}>", self.sfen())
    }
}
