//! `Variant`: a game by its name, or one of a caller's own that was read as text.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use shogi_variants::rules::sealed::{Flaw, read_bounded};
use shogi_variants::rules::text::TextLoadError;
use shogi_variants::{UnknownVariant, Variant as Typed};

use crate::error::{Raise, file_error, no_variant, os_error};
use crate::given::needed;
use crate::pickle::reduced;

/// Most bytes that are read of a file: more than a text may have, which is then refused with that reason.
const MOST_BYTES: u64 = 1 << 20;

/// All games that are built in. What a caller loads cannot take their names.
pub fn built_in() -> &'static [Typed] {
    static GAMES: OnceLock<Vec<Typed>> = OnceLock::new();
    GAMES.get_or_init(|| {
        Typed::built_in().filter_map(|(name, _)| Typed::built_in_named(name).ok()).collect()
    })
}

/// The built-in game with this name.
pub fn named(name: &str) -> Result<Typed, UnknownVariant> {
    let compiled = Typed::ALL.iter();
    let known = compiled.chain(built_in()).find(|variant| variant.name() == name);
    known.copied().ok_or_else(|| UnknownVariant(name.to_owned()))
}

/// A variant as a caller gives and gets it: the name of one that is built in, or a `Variant`.
#[derive(Clone, Copy)]
pub struct NameOrVariant(pub Typed);

impl<'a, 'py> FromPyObject<'a, 'py> for NameOrVariant {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(variant) = value.cast::<Variant>() {
            return Ok(Self(variant.get().0));
        }
        let name = value.cast::<PyString>();
        let name = name.map_err(|_| needed("the name of a variant or a Variant", &value))?;
        named(name.to_cow()?.as_ref()).map(Self).map_err(Raise::raise)
    }
}

impl<'py> IntoPyObject<'py> for NameOrVariant {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        if Variant(self.0).is_built_in() {
            return self.0.name().into_bound_py_any(py);
        }
        Variant(self.0).into_bound_py_any(py)
    }
}

impl NameOrVariant {
    /// What stands for it in the representations of other objects.
    pub fn repr(self) -> String {
        if Variant(self.0).is_built_in() {
            return format!("'{}'", self.0);
        }
        Variant(self.0).__repr__()
    }
}

/// A variant: a built-in one by its name, or with `load` a game of one's own. What takes the name of a
/// variant takes a `Variant`, too.
///
/// >>> from shogi_variants import Game, Variant
/// >>> nine = Variant.load('''
/// ... name = "nine"
/// ... start = "1k1/1p1/1K1 b - 1"
/// ... [pieces]
/// ... P = { front = "pawn", back = "gold" }
/// ... K = { front = "king", royal = true }
/// ... ''')
/// >>> nine, nine.name
/// (<Variant nine, 3x3>, 'nine')
/// >>> Game(nine).position.legal_moves()
/// ['2c3c', '2c1c']
/// >>> Variant("judkins").title
/// 'Judkins shogi, 6x6'
///
/// Games that were loaded have counts, ranks, estimates and tablebases where the rules allow: `UnavailableError` says why
/// not.
#[pyclass(frozen, eq, hash, module = "shogi_variants")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant(Typed);

#[pymethods]
impl Variant {
    #[new]
    const fn new(name: NameOrVariant) -> Self {
        Self(name.0)
    }

    /// Reads a variant from a file, or from the text of one: a string of more than one line is a text. The format is
    /// that of `shogi variant check`.
    ///
    /// Equal texts give equal variants. Several can be used at once.
    ///
    /// Raises `VariantError` with line, key and fix of all that is wrong, or an `OSError`.
    ///
    /// >>> from shogi_variants import Variant, VariantError
    /// >>> try:
    /// ...     Variant.load('name = "mine"\nstart = "1k1/3/1K1 b - 1"\n[promotion]\nzonne = 1')
    /// ... except VariantError as error:
    /// ...     print(error.faults[0])
    /// VariantFault(line=4, key='promotion.zonne', reason='there is no such key; did you mean "zone"?')
    #[staticmethod]
    fn load(path_or_text: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = path_or_text.cast::<PyString>() {
            let text = text.to_cow()?;
            if text.contains('\n') {
                return Self::parse(&text).map_err(|error| no_variant(error, None));
            }
        }
        let path: PathBuf = path_or_text
            .extract()
            .map_err(|_| needed("the path of a file, or a text of several lines", path_or_text))?;
        Self::parse(&read(&path)?).map_err(|error| no_variant(error, Some(&path)))
    }

    /// The name, such as `minishogi`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The name for people, and the size of the board in files and ranks.
    #[getter]
    fn title(&self) -> &'static str {
        self.0.title()
    }

    /// The variant as a text that `load` reads; `None` for a built-in one that decides more than a text can say.
    ///
    /// >>> from shogi_variants import Variant
    /// >>> Variant.load(Variant("minishogi").text).rules_hash == Variant("minishogi").rules_hash
    /// True
    /// >>> Variant.load(Variant("micro").text) == Variant("micro")
    /// True
    #[getter]
    fn text(&self) -> Option<String> {
        self.0.to_text().ok()
    }

    /// The hash by which files name the rules, in hexadecimal digits.
    #[getter]
    fn rules_hash(&self) -> String {
        self.0.rules_hash().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether it is a game of this package, which its name stands for.
    #[getter]
    fn is_built_in(&self) -> bool {
        named(self.0.name()) == Ok(self.0)
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        if self.is_built_in() {
            return format!("Variant('{}')", self.0);
        }
        let (title, size) = self.0.title().rsplit_once(", ").unwrap_or_default();
        let name = self.0.name();
        if title == name {
            return format!("<Variant {name}, {size}>");
        }
        format!("<Variant {name}: {title}, {size}>")
    }

    /// How pickle stores it: by its name, or by its text.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let variant = slf.get();
        match variant.0.to_text() {
            Ok(text) if !variant.is_built_in() => reduced(slf, "load", (text,)),
            _ => reduced(slf, "_named", (variant.name(),)),
        }
    }

    #[staticmethod]
    const fn _named(name: NameOrVariant) -> Self {
        Self::new(name)
    }
}

impl Variant {
    fn parse(text: &str) -> Result<Self, TextLoadError> {
        Typed::from_text(text).map(Self)
    }
}

/// The text of a file.
fn read(path: &Path) -> PyResult<String> {
    let file = File::open(path).map_err(|error| os_error(&error, path))?;
    let bytes = read_bounded(&mut { file }, MOST_BYTES);
    let bytes = bytes.map_err(|flaw| match flaw {
        Flaw::Io(error) => os_error(&error, path),
        flaw => file_error(&flaw, path),
    })?;
    String::from_utf8(bytes).map_err(|error| file_error(&error, path))
}
