//! Rule sets that are loaded at run time.
//!
//! Generic code is compiled for a rule set as a type. [`Loaded`] is the type of all rule sets that are loaded
//! at run time: each thread decides which one it stands for. A thread *enters* a rule set, works with positions
//! of it, and leaves it; threads that `threads` starts enter the rule set of their parent by [`inherit`].

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use std::boxed::Box;
use std::string::{String, ToString as _};
use std::sync::{Mutex, PoisonError};
use std::thread::LocalKey;
use std::vec::Vec;

use shogi_core::{Lookup, LookupSource, SpecFault, TableSpec, Word, parse_position};

use crate::impasse::ImpasseRule;
use crate::repetition::RepetitionRule;
use crate::rules::Rules;
use crate::spec::{RuleSpec, Stalemate};

/// The rule set that the current thread has entered, on a board with one bit of `W` for each square:
/// [`SmallBoard`] or [`LargeBoard`].
///
/// On a thread that has entered none, the board has no squares and there are no pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Loaded<W>(PhantomData<W>);

/// A loaded rule set on a board of at most 64 squares.
pub type SmallBoard = Loaded<u64>;
/// A loaded rule set on a board of 65 to 128 squares.
pub type LargeBoard = Loaded<u128>;

static NO_SMALL: Lookup<u64> = Lookup::EMPTY;
static NO_LARGE: Lookup<u128> = Lookup::EMPTY;

std::thread_local! {
    static SMALL: Cell<&'static Lookup<u64>> = const { Cell::new(&NO_SMALL) };
    static LARGE: Cell<&'static Lookup<u128>> = const { Cell::new(&NO_LARGE) };
    static ENTERED: Cell<Option<LoadedRules>> = const { Cell::new(None) };
}

/// The word type of a loaded rule set's bitboards: `u64` or `u128`.
pub trait LoadedWord: Word {
    /// The tables that the current thread uses.
    #[doc(hidden)]
    fn in_use() -> &'static LocalKey<Cell<&'static Lookup<Self>>>;
}

impl LoadedWord for u64 {
    #[inline(always)]
    fn in_use() -> &'static LocalKey<Cell<&'static Lookup<Self>>> {
        &SMALL
    }
}

impl LoadedWord for u128 {
    #[inline(always)]
    fn in_use() -> &'static LocalKey<Cell<&'static Lookup<Self>>> {
        &LARGE
    }
}

impl<W: LoadedWord> LookupSource for Loaded<W> {
    type Word = W;

    #[inline(always)]
    fn lookup() -> &'static Lookup<W> {
        W::in_use().get()
    }
}

impl<W: LoadedWord> Rules for Loaded<W> {
    const NAME: &'static str = "";
    const START: &'static str = "";

    fn name() -> &'static str {
        LoadedRules::entered().map_or("", |rules| &rules.spec().name)
    }
    fn start_sfen() -> &'static str {
        LoadedRules::entered().map_or("", |rules| &rules.spec().start)
    }
    fn repetition() -> RepetitionRule {
        LoadedRules::entered().map_or(RepetitionRule::SENNICHITE, |rules| rules.spec().repetition)
    }
    fn stalemate() -> Stalemate {
        LoadedRules::entered().map_or(Stalemate::Loss, |rules| rules.spec().stalemate)
    }
    fn impasse() -> Option<ImpasseRule> {
        LoadedRules::entered()?.spec().impasse
    }
    #[cfg(feature = "text")]
    fn text() -> Option<String> {
        Some(crate::text::TextVariant::entered()?.definition().to_string())
    }
    #[cfg(feature = "text")]
    fn value(face: shogi_core::Face) -> Option<i32> {
        let said = crate::text::TextVariant::entered()?.definition().face(face).value;
        said.and_then(|value| value.try_into().ok())
    }
}

/// A rule set that was loaded at run time, ready for use.
///
/// Equal rule sets are the same value. They take memory until the program ends, some hundred thousand bytes for
/// each rule table, so [`LoadedRules::MOST`] limits the number of different ones. None is ever unloaded: a rule
/// set that a thread has entered stays valid.
///
/// ```
/// use shogi_rules::shogi_core::{KindSpec, Movement, TableSpec, perft};
/// use shogi_rules::{LoadedRules, RepetitionRule, RuleSpec, Rules, SmallBoard, Stalemate};
/// let rules = LoadedRules::new(RuleSpec {
///     name: "nine".into(),
///     start: "1k1/1p1/1K1 b - 1".into(),
///     table: TableSpec::new(3, 3, vec![
///         KindSpec::pawn('P', 2, Some(Movement::GOLD)),
///         KindSpec::royal('K'),
///     ]),
///     repetition: RepetitionRule::SENNICHITE,
///     stalemate: Stalemate::Loss,
///     impasse: None,
/// })?;
/// let moves = rules.within(|| SmallBoard::start().legal_moves().len());
/// assert_eq!(moves, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct LoadedRules(&'static LoadedRuleSet);

/// The data of a loaded rule set.
struct LoadedRuleSet {
    spec: RuleSpec,
    tables: BoardTables,
}

/// The lookup tables of a rule table, by the size of the board.
#[derive(Clone, Copy)]
enum BoardTables {
    Small(&'static Lookup<u64>),
    Large(&'static Lookup<u128>),
}

/// Why a rule set cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The rule table has faults.
    #[error("no rule table: {}", Joined(.0))]
    Table(Vec<SpecFault>),
    /// The start is not a position of the game.
    #[error("the start position: {0}")]
    Start(String),
    /// Too many other rule sets are loaded.
    #[error(
        "{} rule sets have been loaded, and there is no room for another until the program starts again",
        LoadedRules::MOST
    )]
    TooMany,
}

/// Displays faults one after the other.
struct Joined<'a>(&'a [SpecFault]);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

/// Everything that has been loaded.
static LOADED: Mutex<Registry> = Mutex::new(Registry { tables: Vec::new(), rules: Vec::new() });

/// The loaded tables, which several rule sets may share, and the loaded rule sets.
struct Registry {
    tables: Vec<BoardTables>,
    rules: Vec<LoadedRules>,
}

impl Registry {
    /// A rule set, loaded if it is new.
    fn rule_set(&mut self, spec: RuleSpec) -> Result<LoadedRules, LoadError> {
        if let Some(known) = self.rules.iter().find(|known| *known.spec() == spec) {
            return Ok(*known);
        }
        // Many rule sets may share a table, so the bound on tables does not bound them.
        if self.rules.len() >= LoadedRules::MOST {
            return Err(LoadError::TooMany);
        }
        let tables = self.tables(&spec.table)?;
        let entered = ENTERED.get();
        BoardTables::select(Some(tables));
        let fault = tables.fault_of(&spec.start);
        switch_to(entered);
        if let Some(fault) = fault {
            return Err(LoadError::Start(fault));
        }
        let rules = LoadedRules(Box::leak(Box::new(LoadedRuleSet { spec, tables })));
        self.rules.push(rules);
        Ok(rules)
    }

    /// The lookup tables of a rule table, made if they are missing.
    fn tables(&mut self, table: &TableSpec) -> Result<BoardTables, LoadError> {
        if let Some(known) = self.tables.iter().find(|known| known.spec() == table) {
            return Ok(*known);
        }
        if self.tables.len() >= LoadedRules::MOST {
            return Err(LoadError::TooMany);
        }
        let tables = if table.area() <= 64 {
            Lookup::leaked(table.clone()).map(BoardTables::Small)
        } else {
            Lookup::leaked(table.clone()).map(BoardTables::Large)
        };
        let tables = tables.map_err(LoadError::Table)?;
        self.tables.push(tables);
        Ok(tables)
    }
}

impl BoardTables {
    fn spec(self) -> &'static TableSpec {
        match self {
            Self::Small(lookup) => lookup.spec(),
            Self::Large(lookup) => lookup.spec(),
        }
    }

    /// The fault of a start position, if there is one.
    fn fault_of(self, start: &str) -> Option<String> {
        let text = |error: &dyn fmt::Display| error.to_string();
        match self {
            Self::Small(_) => parse_position::<SmallBoard>(start).err().map(|error| text(&error)),
            Self::Large(_) => parse_position::<LargeBoard>(start).err().map(|error| text(&error)),
        }
    }

    /// Makes lookups on this thread use these tables, or those of an empty board if `tables` is `None`.
    fn select(tables: Option<Self>) {
        let (small, large) = match tables {
            Some(Self::Small(lookup)) => (lookup, &NO_LARGE),
            Some(Self::Large(lookup)) => (&NO_SMALL, lookup),
            None => (&NO_SMALL, &NO_LARGE),
        };
        SMALL.set(small);
        LARGE.set(large);
    }
}

impl LoadedRules {
    /// The largest number of different rule sets, and of different rule tables, that a program can load.
    pub const MOST: usize = 256;

    /// Loads a rule set.
    ///
    /// # Errors
    ///
    /// If its rule table has faults, its start is not a position of the game, or too many others have been
    /// loaded.
    pub fn new(spec: RuleSpec) -> Result<Self, LoadError> {
        LOADED.lock().unwrap_or_else(PoisonError::into_inner).rule_set(spec)
    }

    /// The rule set as a plain value.
    pub fn spec(self) -> &'static RuleSpec {
        &self.0.spec
    }

    /// Whether its positions are of the type [`SmallBoard`] rather than [`LargeBoard`].
    pub fn is_small(self) -> bool {
        matches!(self.0.tables, BoardTables::Small(_))
    }

    /// The rule set that the current thread has entered, if any.
    #[inline]
    pub fn entered() -> Option<Self> {
        ENTERED.get()
    }

    /// Calls a function on this thread with the rule set entered; afterwards the one before is in use again.
    pub fn within<T>(self, work: impl FnOnce() -> T) -> T {
        let _entered = enter(Some(self));
        work()
    }
}

impl PartialEq for LoadedRules {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}

impl Eq for LoadedRules {}

impl fmt::Debug for LoadedRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LoadedRules").field(&self.spec().name).finish()
    }
}

/// A rule set is in use on this thread for as long as this is kept.
struct Entered {
    before: Option<LoadedRules>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        switch_to(self.before);
    }
}

/// Enters a rule set until the return value is dropped; without one the thread leaves that which it has entered.
fn enter(rules: Option<LoadedRules>) -> Entered {
    let before = ENTERED.get();
    switch_to(rules);
    Entered { before }
}

/// Sets the rule set of this thread.
fn switch_to(rules: Option<LoadedRules>) {
    BoardTables::select(rules.map(|rules| rules.0.tables));
    ENTERED.set(rules);
}

/// The rule set that threads inherit from the one that starts them.
#[cfg(feature = "threads")]
#[derive(Clone, Copy)]
pub(crate) struct Inheritance(Option<LoadedRules>);

/// The rule set that other threads inherit from this one.
#[cfg(feature = "threads")]
pub(crate) fn inheritance() -> Inheritance {
    Inheritance(ENTERED.get())
}

#[cfg(feature = "threads")]
impl Inheritance {
    /// Calls a function with that rule set entered.
    pub(crate) fn within<T>(self, work: impl FnOnce() -> T) -> T {
        let _entered = enter(self.0);
        work()
    }
}

#[cfg(all(test, feature = "text"))]
mod tests {
    use super::*;
    use crate::text::{BUILT_IN, Definition};

    #[test]
    fn rule_sets_that_share_a_table_are_bounded_too_and_stay_valid() {
        let spec = Definition::parse(BUILT_IN[3].text).unwrap().rules;
        let named =
            |number: usize| RuleSpec { name: std::format!("micro{number}"), ..spec.clone() };
        let mut registry = Registry { tables: Vec::new(), rules: Vec::new() };
        let first = registry.rule_set(named(0)).unwrap();
        for number in 1..LoadedRules::MOST {
            registry.rule_set(named(number)).unwrap();
        }
        assert_eq!(registry.rule_set(named(LoadedRules::MOST)), Err(LoadError::TooMany));
        assert_eq!((registry.tables.len(), registry.rules.len()), (1, LoadedRules::MOST));
        assert_eq!(registry.rule_set(named(0)), Ok(first));
        assert_eq!(first.within(|| SmallBoard::start().legal_moves().len()), 9);
    }
}
