//! Tablebases: building, probing, summing up and verifying.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use std::path::{Path, PathBuf};

#[cfg(feature = "text")]
use shogi_rules::SmallBoard;
use shogi_rules::shogi_core::Placement;
#[cfg(feature = "text")]
use shogi_rules::text::TextVariant;
use shogi_rules::{Dialect, Dobutsu, Rules as _, Shogi34, Verdict, to_sfen_in, to_usi_in};
use shogi_tablebase::{
    BuildProgress, Builder, Index, Members, PieceSet, Reachable, Source, Statistics, Stored,
    Tablebase, Totals, Value, World, check_checkpoint, file_name,
};

use super::Error;
use super::held::Held;
use super::position::position;
#[cfg(feature = "solve")]
use super::proofs::{AnyProof, held};
use super::tablebase_answers::{Probed, ProbedMove, StartValue, TablebaseMaking, TablebaseSummary};
use crate::{RuleSet, Variant};

/// Tasks on the tablebases of a variant: [`Variant::tablebases`].
#[derive(Clone, Copy, Debug)]
pub struct TablebaseTasks(Tabled);

/// A variant whose games are small enough for tablebases.
#[derive(Clone, Copy, Debug)]
enum Tabled {
    Shogi34,
    Dobutsu,
    #[cfg(feature = "text")]
    Text(TextVariant),
}

/// As [`call`](crate::variant::call), of variants with tablebases.
macro_rules! call {
    ($tabled:expr, $R:ident => $call:expr) => {
        match $tabled {
            Tabled::Shogi34 => {
                type $R = Shogi34;
                $call
            }
            Tabled::Dobutsu => {
                type $R = Dobutsu;
                $call
            }
            #[cfg(feature = "text")]
            Tabled::Text(text) => {
                type $R = SmallBoard;
                text.rules().within(|| $call)
            }
        }
    };
}

impl TablebaseTasks {
    /// The name of the set of pieces of a position, and the usual name of the file of its tablebase.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    pub fn set_of(self, text: &str) -> Result<(String, String), Error> {
        call!(self.0, R => set_of::<R>(text))
    }

    /// The pieces of a set, whichever of its names is given; `None` stands for the only one of the variant.
    ///
    /// # Errors
    ///
    /// If the variant has no such set.
    pub fn pieces_of(self, set: Option<&str>) -> Result<String, Error> {
        call!(self.0, R => Ok(set_named::<R>(set)?.to_string()))
    }

    /// How many positions the tablebase with the pieces of a position goes through: about a byte of memory
    /// each.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or there is no tablebase with its pieces.
    pub fn size_for(self, text: &str) -> Result<u64, Error> {
        call!(self.0, R => size_for::<R>(text))
    }

    /// How the tablebase with the pieces of a position is made, and what that takes; `None` where the pieces, set up by hand,
    /// have too many positions for any.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let world = Variant::Dobutsu.tablebases().expect("tablebases");
    /// let making = world.making("startpos")?.unwrap();
    /// assert_eq!(making.command, "shogi tablebase build dobutsu --out dobutsu.tablebase");
    /// assert!(making.seconds < 60.0);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    pub fn making(self, text: &str) -> Result<Option<TablebaseMaking>, Error> {
        let (set, file) = self.set_of(text)?;
        let variant = call!(self.0, R => R::name());
        #[cfg(feature = "text")]
        if matches!(self.0, Tabled::Text(_)) {
            // The tables that number its positions may take longer than the question, and its file has any name.
            return Ok(None);
        }
        Ok(self.size_for(text).ok().map(|size| TablebaseMaking::new(variant, &set, file, size)))
    }

    /// Bytes that [`TablebaseTasks::count_reachable`] takes, and how many placements the pieces of the start have.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or positions with its pieces cannot be numbered.
    pub fn listing_for(self, text: &str) -> Result<(u64, u64), Error> {
        call!(self.0, R => Reachable::size_for(position::<R>(text)?.placement()).map_err(Error::library))
    }

    /// How many positions games from a start can reach, by listing them all, on all threads of the current rayon pool. The
    /// players exchanged and mirror images count as one. Where kings can be captured, play ends wherever one can be, so that
    /// positions after the capture are left out.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let world = Variant::Dobutsu.tablebases().expect("tablebases");
    /// let reachable = world.count_reachable("2l/3/3/L2 b - 1")?;
    /// assert!(reachable > 10 && reachable < world.listing_for("2l/3/3/L2 b - 1")?.1);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`TablebaseTasks::listing_for`].
    pub fn count_reachable(self, text: &str) -> Result<u64, Error> {
        call!(self.0, R => count_reachable::<R>(text))
    }

    /// Builds a tablebase and writes its file; `None` if `watch` broke, which leaves the checkpoint if
    /// one is kept. Uses all threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// If the variant has no such set, the memory does not suffice, or a file cannot be read or
    /// written.
    pub fn build(
        self,
        build: &TablebaseBuild,
        watch: &mut dyn FnMut(&BuildProgress) -> ControlFlow<()>,
    ) -> Result<Option<Totals>, Error> {
        call!(self.0, R => build_table::<R>(build, watch))
    }

    /// Checks a checkpoint of a build by its checksums and against the rule set. Gives the number of
    /// positions that the build goes through and the plies it has come to, `None` while the moves are being
    /// counted; all is `None` for a finished tablebase.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged or of another variant.
    pub fn check_checkpoint(self, path: &Path) -> Result<Option<(u64, Option<u32>)>, Error> {
        call!(self.0, R => check_checkpoint::<R>(path).map_err(Error::library))
    }

    /// Opens a tablebase.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged or of another variant.
    pub fn open(self, path: &Path) -> Result<Box<dyn AnyTablebase>, Error> {
        call!(self.0, R => Ok(opened(Tablebase::<R>::open(path).map_err(Error::library)?)))
    }

    /// Reads a tablebase that need not be a file, such as one in memory; errors call it by a path.
    ///
    /// # Errors
    ///
    /// As [`TablebaseTasks::open`].
    pub fn read(
        self,
        source: Box<dyn Source>,
        path: &Path,
    ) -> Result<Box<dyn AnyTablebase>, Error> {
        call!(self.0, R => {
            Ok(opened(Tablebase::<R>::read(source, path).map_err(Error::library)?))
        })
    }
}

/// The tablebase to be built, for [`TablebaseTasks::build`].
#[derive(Clone, Debug)]
pub struct TablebaseBuild {
    /// The name of the set of pieces; `None` for the only one of the variant.
    pub set: Option<String>,
    /// Whether verdicts alone are stored, without plies.
    pub verdicts: bool,
    /// Bytes of memory that may be used.
    pub memory: Option<u64>,
    /// The directory of the checkpoint.
    pub checkpoint: Option<PathBuf>,
    /// The file to write.
    pub out: PathBuf,
}

impl TablebaseBuild {
    /// All values with plies, in memory without a limit, without a checkpoint. There is no default file.
    ///
    /// ```
    /// use shogi_variants::operations::TablebaseBuild;
    /// let build = TablebaseBuild { memory: Some(1 << 30), ..TablebaseBuild::new("dobutsu.tablebase".into()) };
    /// assert!(!build.verdicts && build.checkpoint.is_none());
    /// ```
    pub const fn new(out: PathBuf) -> Self {
        Self { set: None, verdicts: false, memory: None, checkpoint: None, out }
    }
}

/// An open tablebase.
pub trait AnyTablebase: Send + Sync {
    /// The value of a position, and of its moves for the player who makes them, the best first.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, the pieces are others than those of the tablebase, or
    /// the file cannot be read.
    fn probe(&self, position: &str, dialect: Option<Dialect>) -> Result<Probed, Error>;

    /// The value of a position alone, for the player to move.
    ///
    /// # Errors
    ///
    /// As [`AnyTablebase::probe`].
    fn value(&self, position: &str) -> Result<Value, Error>;

    /// Best play from a position, at most so many plies, in USI notation.
    ///
    /// # Errors
    ///
    /// As [`AnyTablebase::probe`].
    fn line(
        &self,
        position: &str,
        plies: u32,
        dialect: Option<Dialect>,
    ) -> Result<Vec<String>, Error>;

    /// The proof of a position's value, of at most so many positions: best play against every defence. It is as
    /// good as the tablebase until it is checked ([`AnyProof::check`]).
    ///
    /// # Errors
    ///
    /// As [`AnyTablebase::probe`], and if the proof is larger or plies are not stored.
    #[cfg(feature = "solve")]
    fn proof(&self, position: &str, most: usize) -> Result<Box<dyn AnyProof>, Error>;

    /// How many positions have each value, and the values of the starts.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn summary(&self) -> Result<TablebaseSummary, Error>;

    /// A position of the tablebase in SFEN, to look at first: a start, or else one that the player to move
    /// wins, or else any; `None` where there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn example(&self, dialect: Option<Dialect>) -> Result<Option<String>, Error>;

    /// How many numbers there are for positions: those of [`AnyTablebase::position`].
    fn numbers(&self) -> u64;

    /// The position with a number in SFEN, Sente to move. `None` where the number stands for no legal position, or for
    /// the second of two mirror images: all numbers together give each position that is counted once.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn position(&self, number: u64) -> Result<Option<String>, Error>;

    /// The positions by plies, and one whose win or loss takes the most, in SFEN. Takes memory for the
    /// whole tablebase.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn statistics(&self, dialect: Option<Dialect>) -> Result<(Statistics, Option<String>), Error>;

    /// Whether plies are stored, and not verdicts alone.
    fn has_plies(&self) -> bool;

    /// Proves by the rules alone that every value is right ([`Tablebase::verify_all`]), or checks that so many
    /// positions, spread evenly, agree with their successors; `watch` is called with how many are done and of how
    /// many. Returns how many were checked.
    ///
    /// # Errors
    ///
    /// The first position that does not agree, or why the file cannot be read.
    fn verify(&self, samples: Option<u64>, watch: &mut dyn FnMut(u64, u64)) -> Result<u64, Error>;
}

impl Variant {
    /// Tablebases, in variants whose games are small enough. Of one that was read as text only the size of the board is
    /// looked at here: each task says whether its rules and its pieces allow any.
    pub fn tablebases(self) -> Option<TablebaseTasks> {
        match self {
            #[cfg(feature = "text")]
            Self::Text(text) => {
                let fits = text.rules().spec().table.area() <= shogi_tablebase::MAX_SQUARES;
                fits.then_some(TablebaseTasks(Tabled::Text(text)))
            }
            Self::Shogi34 => Some(TablebaseTasks(Tabled::Shogi34)),
            Self::Dobutsu => Some(TablebaseTasks(Tabled::Dobutsu)),
            _ => None,
        }
    }
}

/// The set of this name; `None` stands for the only one of the variant.
fn set_named<R: World>(name: Option<&str>) -> Result<PieceSet<R>, Error> {
    name.map_or_else(R::default_set, R::set_named).ok_or_else(|| Error::Set {
        variant: R::name(),
        name: name.unwrap_or_default().to_owned(),
        expected: R::SET_NAMES,
    })
}

/// An open tablebase that enters its rule set by itself.
fn opened<R: RuleSet + World>(table: Tablebase<R>) -> Box<dyn AnyTablebase> {
    Box::new(Held::new(table))
}

fn set_of<R: RuleSet + World>(text: &str) -> Result<(String, String), Error> {
    let set = PieceSet::of(position::<R>(text)?.placement());
    Ok((R::name_of(&set), file_name(&set)))
}

fn size_for<R: RuleSet + World>(text: &str) -> Result<u64, Error> {
    let set = PieceSet::of(position::<R>(text)?.placement());
    Ok(Index::new(set, Members::Safe).map_err(Error::library)?.size())
}

fn count_reachable<R: RuleSet + World>(text: &str) -> Result<u64, Error> {
    let reachable = Reachable::new(position::<R>(text)?.placement(), true);
    let [all] = reachable.map_err(Error::library)?.count(|_| 0);
    Ok(all)
}

fn build_table<R: RuleSet + World>(
    build: &TablebaseBuild,
    watch: &mut dyn FnMut(&BuildProgress) -> ControlFlow<()>,
) -> Result<Option<Totals>, Error> {
    let set = set_named::<R>(build.set.as_deref())?;
    let mut builder = Builder::new(set, build.memory).map_err(Error::library)?;
    if let Some(directory) = &build.checkpoint {
        builder = builder.with_checkpoint(directory).map_err(Error::library)?;
    }
    let Some(finished) = builder.run(watch).map_err(Error::library)? else { return Ok(None) };
    let stored = if build.verdicts { Stored::Verdict } else { Stored::Plies };
    finished.write(&build.out, stored).map_err(Error::library)?;
    Ok(Some(*finished.totals()))
}

/// [`AnyTablebase::probe`] of a rule set, for programs that need no other task: a program that calls one of [`AnyTablebase`]
/// has the code of all of them.
///
/// ```no_run
/// use std::path::Path;
/// use shogi_variants::operations::probe;
/// use shogi_variants::rules::Dobutsu;
/// use shogi_variants::tablebase::Tablebase;
/// let table = Tablebase::<Dobutsu>::open(Path::new("dobutsu.tablebase"))?;
/// assert_eq!(probe(&table, "startpos", None)?.plies, Some(78));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As [`AnyTablebase::probe`].
pub fn probe<R: RuleSet + World>(
    table: &Tablebase<R>,
    text: &str,
    dialect: Option<Dialect>,
) -> Result<Probed, Error> {
    let position = position::<R>(text)?;
    let dialect = dialect.unwrap_or(R::dialect());
    // The moves first, which read all that is needed at once.
    let legal = table.moves(&position).map_err(Error::library)?;
    let Value { verdict, plies } = table.probe(&position).map_err(Error::library)?;
    let moves = legal.into_iter().map(|(mv, value)| {
        let mv = to_usi_in(mv, &position, dialect);
        ProbedMove { mv, value: value.verdict, plies: value.plies }
    });
    Ok(Probed { value: verdict, plies, moves: moves.collect() })
}

/// An open tablebase; its rule set may have been read as text, which each task enters.
impl<R: RuleSet + World> AnyTablebase for Held<Tablebase<R>> {
    fn probe(&self, text: &str, dialect: Option<Dialect>) -> Result<Probed, Error> {
        self.with(|table| probe(table, text, dialect))
    }

    fn value(&self, text: &str) -> Result<Value, Error> {
        self.with(|table| table.probe(position::<R>(text)?.placement()).map_err(Error::library))
    }

    fn line(&self, text: &str, plies: u32, dialect: Option<Dialect>) -> Result<Vec<String>, Error> {
        self.with(|table| line(table, text, plies, dialect))
    }

    #[cfg(feature = "solve")]
    fn proof(&self, text: &str, most: usize) -> Result<Box<dyn AnyProof>, Error> {
        self.with(|table| {
            let root = position::<R>(text)?;
            let proof = shogi_solve::tablebase::draw_proof(table, &root, most);
            Ok(held(proof.map_err(Error::library)?))
        })
    }

    fn summary(&self) -> Result<TablebaseSummary, Error> {
        self.with(|table| {
            let mut starts = Vec::new();
            for (name, start) in R::starts(table.set()) {
                let Value { verdict, plies } = table.probe(&start).map_err(Error::library)?;
                starts.push((name, StartValue { value: verdict, plies }));
            }
            let pieces = table.set().to_string();
            Ok(TablebaseSummary { pieces, totals: *table.totals(), starts })
        })
    }

    fn example(&self, dialect: Option<Dialect>) -> Result<Option<String>, Error> {
        self.with(|table| {
            let found = example(table)?;
            Ok(found.map(|found| to_sfen_in(&found, dialect.unwrap_or(R::dialect()))))
        })
    }

    fn numbers(&self) -> u64 {
        self.get().index().size()
    }

    fn position(&self, number: u64) -> Result<Option<String>, Error> {
        self.with(|table| {
            if table.value(number).map_err(Error::library)?.is_none()
                || table.index().is_second_twin(number)
            {
                return Ok(None);
            }
            let placement = table.index().unrank_u64(number).filter(is_legal);
            Ok(placement.map(|placement| to_sfen_in(&placement, R::dialect())))
        })
    }

    fn statistics(&self, dialect: Option<Dialect>) -> Result<(Statistics, Option<String>), Error> {
        self.with(|table| {
            let dialect = dialect.unwrap_or(R::dialect());
            let statistics = table.statistics().map_err(Error::library)?;
            let longest = table.longest().map_err(Error::library)?;
            Ok((statistics, longest.map(|longest| to_sfen_in(&longest, dialect))))
        })
    }

    fn has_plies(&self) -> bool {
        self.get().stored() == Stored::Plies
    }

    fn verify(&self, samples: Option<u64>, watch: &mut dyn FnMut(u64, u64)) -> Result<u64, Error> {
        self.with(|table| {
            let size = table.index().size();
            let Some(samples) = samples else {
                table.verify_all(|done| watch(done, size)).map_err(Error::library)?;
                return Ok(size);
            };
            let checked = samples.min(size);
            let spread =
                |number| (u128::from(number) * u128::from(size) / u128::from(checked)) as u64;
            table.verify_some((0..checked).map(spread)).map_err(Error::library)?;
            Ok(checked)
        })
    }
}

/// The line of best moves from a position, in USI notation.
fn line<R: RuleSet + World>(
    table: &Tablebase<R>,
    text: &str,
    plies: u32,
    dialect: Option<Dialect>,
) -> Result<Vec<String>, Error> {
    let mut placement = *position::<R>(text)?.placement();
    let dialect = dialect.unwrap_or(R::dialect());
    let line = table.line(&placement, plies).map_err(Error::library)?;
    let mut texts = Vec::new();
    for mv in line {
        texts.push(to_usi_in(mv, &placement, dialect));
        placement = placement.play_unchecked(mv);
    }
    Ok(texts)
}

/// A start, or else a position of the table, won if there is one.
fn example<R: RuleSet + World>(table: &Tablebase<R>) -> Result<Option<Placement<R>>, Error> {
    if let Some((_, start)) = R::starts(table.set()).into_iter().next() {
        return Ok(Some(start));
    }
    let size = table.index().size();
    let mut any = None;
    // Numbers in the middle have neither all pieces on the board nor all in hand.
    for rank in (size / 2..size).chain(0..size / 2) {
        let Some(value) = table.value(rank).map_err(Error::library)? else { continue };
        let Some(placement) = table.index().unrank_u64(rank).filter(is_legal) else { continue };
        if value.verdict == Verdict::Win {
            return Ok(Some(placement));
        }
        any = any.or(Some(placement));
    }
    Ok(any)
}

fn is_legal<R: RuleSet>(placement: &Placement<R>) -> bool {
    placement.faults().is_empty()
}
