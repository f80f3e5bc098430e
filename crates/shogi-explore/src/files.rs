//! The files that an explorer was given: proofs, tablebases, and variants.

use std::fs::File;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use shogi_files::sealed::read_bounded;
use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;
use shogi_variants::Variant;
use shogi_variants::operations::{AnyProof, AnyTablebase, Claimed, TablebaseSummary};
use shogi_variants::proof::{ReadError, Reader};
use shogi_variants::tablebase::{FileError, FileParts, Source, read_variant_from};

use crate::requests::key;

/// A file that could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// Why it could not.
    pub reason: OpenReason,
}

/// Why a file could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenReason {
    /// The file cannot be read.
    #[error("cannot read: {0}")]
    Io(#[from] std::io::Error),
    /// The file is neither a proof nor a tablebase.
    #[error("neither a proof ({0}) nor a tablebase")]
    Unknown(ReadError),
    /// The file is a damaged proof.
    #[error(transparent)]
    Proof(ReadError),
    /// The tablebase cannot be used.
    #[error(transparent)]
    Table(#[from] shogi_variants::Error),
    /// The beginning is not that of a tablebase.
    #[error("{}", .0.reason)]
    Beginning(#[from] FileError),
    /// The file is a proof, where only tablebases are served.
    #[error("a proof, no tablebase")]
    NoTable,
    /// The tablebase has no position.
    #[error("a tablebase without a position")]
    Empty,
    /// The rules in the file cannot be read.
    #[error("the rules in the file: {0}")]
    Text(shogi_variants::rules::text::TextLoadError),
    /// The file should describe a variant.
    #[error("this is no variant: {0}")]
    Rules(shogi_variants::rules::text::TextLoadError),
    /// The file is of a variant that this version does not have, and that was not opened before.
    #[error(
        "there is no variant {0:?}, or it has no such files; of a game of your own, open the game first"
    )]
    Variant(String),
}

/// An open file.
pub(crate) struct Opened {
    /// The last part of its path.
    pub(crate) name: String,
    pub(crate) variant: Variant,
    pub(crate) content: FileContent,
}

/// The content of a file.
pub(crate) enum FileContent {
    Proof(Box<dyn AnyProof>),
    Table {
        table: Arc<dyn AnyTablebase>,
        /// A position to look at first.
        root: Option<String>,
    },
}

/// A file as the list of files shows it.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Listed<'a> {
    Proof {
        name: &'a str,
        variant: String,
        root: String,
        claim: &'static str,
        provers: Vec<Colour>,
        value: Option<&'static str>,
        entries: usize,
    },
    Tablebase {
        name: &'a str,
        variant: String,
        pieces: String,
        positions: u64,
        /// The name of the first start that the table has.
        start: Option<String>,
        /// A position to look at first.
        root: Option<&'a str>,
    },
}

impl Opened {
    /// Opens a proof or a tablebase.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        Self::of(path, || Ok(Box::new(File::open(path)?)))
    }

    /// Reads the bytes of a proof or a tablebase.
    pub(crate) fn read(name: &str, bytes: Vec<u8>) -> Result<Self, OpenError> {
        let bytes: Arc<[u8]> = bytes.into();
        Self::of(Path::new(name), || Ok(Box::new(Cursor::new(Arc::clone(&bytes)))))
    }

    /// Opens a tablebase elsewhere; that it is no tablebase is known from its beginning.
    pub(crate) fn remote(name: &str, parts: FileParts) -> Result<Self, OpenError> {
        let source = || -> Box<dyn Source> { Box::new(parts.clone()) };
        let path = Path::new(name);
        let content = read_variant_from(source(), path)
            .map_err(OpenReason::from)
            .and_then(|variant| table(&variant, || Ok(source()), path));
        Self::named(path, content)
    }

    fn of(
        path: &Path,
        source: impl Fn() -> io::Result<Box<dyn Source>>,
    ) -> Result<Self, OpenError> {
        Self::named(path, content(path, source))
    }

    fn named(
        path: &Path,
        content: Result<(Variant, FileContent), OpenReason>,
    ) -> Result<Self, OpenError> {
        let (variant, content) =
            content.map_err(|reason| OpenError { path: path.to_owned(), reason })?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Self { name, variant, content })
    }

    /// Its line in the list of files.
    pub(crate) fn listed(&self) -> Result<Listed<'_>, shogi_variants::Error> {
        let name = self.name.as_str();
        Ok(match &self.content {
            FileContent::Proof(proof) => {
                let Claimed { root, claim, provers, value, .. } = proof.claimed(None);
                Listed::Proof {
                    name,
                    variant: key(self.variant),
                    root,
                    claim: claim.name(),
                    provers,
                    value: value.map(Verdict::name),
                    entries: proof.entries(),
                }
            }
            FileContent::Table { table, root } => {
                let TablebaseSummary { pieces, totals, starts, .. } = table.summary()?;
                let start = starts.into_iter().next().map(|(name, _)| name);
                let variant = key(self.variant);
                let (positions, root) = (totals.positions(), root.as_deref());
                Listed::Tablebase { name, variant, pieces, positions, start, root }
            }
        })
    }
}

/// The variant that a file describes.
pub(crate) fn read_rules(path: &Path) -> Result<Variant, OpenError> {
    let read = || -> Result<Variant, OpenReason> {
        // More than a text may have, which is then refused with that reason.
        let bytes = read_bounded(File::open(path)?, 1 << 20).map_err(io::Error::other)?;
        let text = String::from_utf8(bytes).map_err(io::Error::other)?;
        Variant::from_text(&text).map_err(OpenReason::Rules)
    };
    read().map_err(|reason| OpenError { path: path.to_owned(), reason })
}

/// The content of a file, which is opened as often as it has to be.
fn content(
    path: &Path,
    source: impl Fn() -> io::Result<Box<dyn Source>>,
) -> Result<(Variant, FileContent), OpenReason> {
    if let Ok(variant) = read_variant_from(source()?, path) {
        return table(&variant, source, path);
    }
    let reader =
        Reader::new(Box::new(source()?) as Box<dyn io::Read>).map_err(OpenReason::Unknown)?;
    let header = reader.header();
    let variant = match &header.text {
        Some(text) => Variant::from_text(text).map_err(OpenReason::Text)?,
        None => variant(&header.variant)?,
    };
    let proof = variant.proofs().load(reader).map_err(OpenReason::Proof)?;
    Ok((variant, FileContent::Proof(proof)))
}

/// A tablebase of the variant that it names: of several games with this name, the one whose rules it has.
fn table(
    name: &str,
    source: impl Fn() -> io::Result<Box<dyn Source>>,
    path: &Path,
) -> Result<(Variant, FileContent), OpenReason> {
    let absent = || OpenReason::Variant(name.to_owned());
    let mut refused = None;
    for variant in Variant::all_named(name) {
        let world = variant.tablebases().ok_or_else(absent)?;
        match world.read(source()?, path) {
            Ok(table) => {
                let root = table.example(None)?;
                return Ok((variant, FileContent::Table { table: table.into(), root }));
            }
            // The reason of the game that is built in says most.
            Err(error) => refused = refused.or(Some(OpenReason::Table(error))),
        }
    }
    Err(refused.unwrap_or_else(absent))
}

fn variant(name: &str) -> Result<Variant, OpenReason> {
    Variant::built_in_named(name).map_err(|_| OpenReason::Variant(name.to_owned()))
}
