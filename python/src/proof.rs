//! `Proof`: proof files, checked and walked through.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Cursor, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use shogi_variants::Variant;
use shogi_variants::operations::{AnyProof, Claimed, ProofReply as Replied, ProofStep as Stepped};
use shogi_variants::proof::{Header, Reader, WriteError};
use shogi_variants::rules::Verdict;
use shogi_variants::rules::sealed::replace;

use crate::error::{Raise, file_error, named, os_error, unreadable};
use crate::given::Placed;
use crate::interrupt::abandonable;
use crate::names::{colour, dialect};
use crate::pickle::reduced;
use crate::position::Position;
use crate::progress::{Progress, unstoppable};
use crate::variant::{NameOrVariant, named as named_variant};

/// A proof of the value of a position, or of what one player has at least.
///
/// >>> from shogi_variants import Position, solve
/// >>> proof = solve(Position.named_start("shogi34", "RKR")).proof
/// >>> proof.check().entries == len(proof)
/// True
/// >>> step = proof.step([])
/// >>> after = proof.step([step.move, step.replies[0].move])
/// >>> after.rank < step.rank
/// True
#[pyclass(frozen, module = "shogi_variants")]
pub struct Proof {
    variant: Variant,
    inner: Arc<dyn AnyProof>,
}

impl Proof {
    /// A proof of this variant.
    pub fn new(variant: Variant, inner: Box<dyn AnyProof>) -> Self {
        Self { variant, inner: inner.into() }
    }

    /// What it is.
    fn inner(&self) -> &dyn AnyProof {
        &*self.inner
    }

    /// The same for another thread.
    fn shared(&self) -> Arc<dyn AnyProof> {
        self.inner.clone()
    }

    fn claimed(&self) -> Claimed {
        self.inner().claimed(None)
    }

    /// Reads a proof file, which errors call by `path`.
    fn read(input: Box<dyn Read>, path: &Path) -> PyResult<Self> {
        let fails = |error| unreadable(&error, path);
        let reader = Reader::new(input).map_err(fails)?;
        let Header { variant, text, .. } = reader.header();
        let variant = match text {
            Some(text) => Variant::from_text(text).map_err(|error| file_error(&error, path))?,
            None => named_variant(variant).map_err(|error| file_error(&error, path))?,
        };
        Ok(Self::new(variant, variant.proofs().load(reader).map_err(fails)?))
    }
}

#[pymethods]
impl Proof {
    /// Reads a proof file. Raises `FileError` where it is damaged.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = move || {
            let file = File::open(&path).map_err(|error| os_error(&error, &path))?;
            Self::read(Box::new(BufReader::new(file)), &path)
        };
        abandonable(py, read)?
    }

    /// Writes a proof file; an old one is replaced in one step.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let write = || {
            replace(&path, |file| {
                let mut out = BufWriter::new(file);
                self.inner().write(&mut out).map_err(|error| match error {
                    WriteError::Io(error) => error,
                    error => std::io::Error::other(error),
                })?;
                out.flush()
            })
        };
        py.detach(write).map_err(|error| os_error(&error, &path))
    }

    /// The name of the variant; of one that was loaded the `Variant`.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.variant)
    }

    /// The position that the claim is about.
    #[getter]
    fn root(&self) -> PyResult<Position> {
        Position::read(self.variant, &self.claimed().root, true)
    }

    /// What is claimed.
    #[getter]
    fn claim(&self) -> &'static str {
        self.claimed().claim.name()
    }

    /// The players whose moves are stored.
    #[getter]
    fn provers(&self) -> Vec<&'static str> {
        self.claimed().provers.into_iter().map(colour).collect()
    }

    /// The value for the player to move; `None` where the claim leaves it open.
    #[getter]
    fn value(&self) -> Option<&'static str> {
        self.claimed().value.map(Verdict::name)
    }

    /// Checks the whole proof by the rules alone. Raises `RefutedError`.
    #[pyo3(signature = (*, progress = None))]
    fn check(&self, py: Python<'_>, progress: Option<Progress>) -> PyResult<Checked> {
        let (proof, entries) = (self.shared(), self.inner().entries() as u64);
        let checked = unstoppable(py, progress, move |watch| {
            proof.check_with(&mut |done| watch.set(done, entries))
        });
        let checked = checked?.map_err(Raise::raise)?;
        let shogi_variants::proof::Checked { entries, replies, ends, plies, .. } = checked;
        Ok(Checked { entries, replies, ends, plies })
    }

    /// The line that lasts longest: by the ranks stored, or with `exact` by how long the game really lasts.
    #[pyo3(signature = (*, exact = false, dialect = None))]
    fn line(&self, py: Python<'_>, exact: bool, dialect: Option<&str>) -> PyResult<Vec<String>> {
        let (proof, dialect) = (self.shared(), self::dialect(dialect)?);
        abandonable(py, move || proof.line(exact, dialect).moves)
    }

    /// What the proof says after these moves from the root on. Raises `NotInProofError`.
    #[pyo3(signature = (moves = Vec::new(), *, dialect = None))]
    fn step(&self, moves: Vec<String>, dialect: Option<&str>) -> PyResult<ProofStep> {
        let stepped = self.inner().step(&moves.join(" "), self::dialect(dialect)?);
        Ok(ProofStep::new(moves, stepped.map_err(Raise::raise)?))
    }

    /// What the proof says of a position, a text or a position, whichever moves lead to it: `moves` of the answer is empty. Raises `NotInProofError`.
    ///
    /// >>> from shogi_variants import Position, solve
    /// >>> proof = solve(Position.named_start("shogi34", "RKR")).proof
    /// >>> proof.look_up(proof.root).move == proof.step().move
    /// True
    #[pyo3(signature = (position, *, dialect = None))]
    fn look_up(&self, position: Placed, dialect: Option<&str>) -> PyResult<ProofStep> {
        let text = position.text(self.variant)?;
        let stepped = self.inner().look_up(&text, self::dialect(dialect)?);
        Ok(ProofStep::new(Vec::new(), stepped.map_err(Raise::raise)?))
    }

    /// The positions that the proof answers, one after another, each once, in depth-first order.
    ///
    /// >>> from itertools import islice
    /// >>> from shogi_variants import Position, solve
    /// >>> proof = solve(Position.named_start("shogi34", "RKR")).proof
    /// >>> all(step.move for step in islice(proof.walk(), 20))
    /// True
    fn walk(&self) -> ProofWalk {
        let proof = Self { variant: self.variant, inner: self.inner.clone() };
        ProofWalk { proof, open: vec![Vec::new()], met: HashSet::new() }
    }

    /// How pickle stores it: as a proof file.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let mut file = Vec::new();
        let written = slf.get().inner().write(&mut file);
        written.map_err(|error| named("Error", &error))?;
        reduced(slf, "_restore", (PyBytes::new(slf.py(), &file),))
    }

    #[staticmethod]
    fn _restore(file: &[u8]) -> PyResult<Self> {
        Self::read(Box::new(Cursor::new(file.to_vec())), Path::new("a pickled proof"))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// A proof never changes.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __len__(&self) -> usize {
        self.inner().entries()
    }

    fn __repr__(&self) -> String {
        let Claimed { root, claim, .. } = self.claimed();
        format!("<Proof: {}, {root}, {} entries>", claim.name(), self.inner().entries())
    }
}

/// What the check of a proof has seen: entries, replies of the opponent, ends of the game, and the most plies to an end.
#[pyclass(frozen, get_all, eq, hash, module = "shogi_variants")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Checked {
    /// Entries; mirror images count once.
    entries: u64,
    /// Replies of the opponent that were looked at.
    replies: u64,
    /// Ends of the game that were met.
    ends: u64,
    /// The most plies from the root to the end.
    plies: Option<u32>,
}

#[pymethods]
impl Checked {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { entries, replies, ends, plies } = *slf.get();
        reduced(slf, "_restore", (entries, replies, ends, plies))
    }

    #[staticmethod]
    const fn _restore(entries: u64, replies: u64, ends: u64, plies: Option<u32>) -> Self {
        Self { entries, replies, ends, plies }
    }

    fn __repr__(&self) -> String {
        format!("<Checked: {} entries, {} replies>", self.entries, self.replies)
    }
}

/// What a proof says of a position: the stored move, the most plies to the end (`rank`), and the replies of the opponent after it.
#[pyclass(frozen, get_all, eq, hash, module = "shogi_variants")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ProofStep {
    /// The moves from the root to the position; none where it was looked up.
    moves: Vec<String>,
    /// The position.
    sfen: String,
    /// How the game has ended for the player to move, if it has.
    end: Option<Cow<'static, str>>,
    /// The move stored for the player to move.
    #[pyo3(name = "move")]
    mv: Option<String>,
    /// The most plies to the end; `None` where the strategy may run in cycles.
    rank: Option<u32>,
    /// The replies of the opponent, after the stored move if there is one.
    replies: Vec<ProofReply>,
}

impl ProofStep {
    fn new(moves: Vec<String>, stepped: Stepped) -> Self {
        let Stepped { sfen, end, mv, rank, replies, .. } = stepped;
        let name = |end: Option<Verdict>| end.map(|end| Cow::Borrowed(end.name()));
        let reply = |Replied { mv, end, rank, .. }| ProofReply { mv, end: name(end), rank };
        let replies = replies.into_iter().map(reply).collect();
        Self { moves, sfen, end: name(end), mv, rank, replies }
    }
}

#[pymethods]
impl ProofStep {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { moves, sfen, end, mv, rank, replies } = slf.get().clone();
        reduced(slf, "_restore", (moves, sfen, end, mv, rank, replies))
    }

    #[staticmethod]
    fn _restore(
        moves: Vec<String>,
        sfen: String,
        end: Option<String>,
        mv: Option<String>,
        rank: Option<u32>,
        replies: Vec<ProofReply>,
    ) -> Self {
        Self { moves, sfen, end: end.map(Cow::Owned), mv, rank, replies }
    }

    fn __repr__(&self) -> String {
        let mv = self.mv.as_deref().unwrap_or("-");
        format!("<ProofStep: {mv}, {} replies, {}>", self.replies.len(), self.sfen)
    }
}

/// A reply of the opponent in a proof.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "shogi_variants")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ProofReply {
    /// The move.
    #[pyo3(name = "move")]
    mv: String,
    /// The result for the prover, where it has ended the game.
    end: Option<Cow<'static, str>>,
    /// The most plies to the end after it.
    rank: Option<u32>,
}

#[pymethods]
impl ProofReply {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { mv, end, rank } = slf.get().clone();
        reduced(slf, "_restore", (mv, end, rank))
    }

    #[staticmethod]
    fn _restore(mv: String, end: Option<String>, rank: Option<u32>) -> Self {
        Self { mv, end: end.map(Cow::Owned), rank }
    }

    fn __repr__(&self) -> String {
        format!("<ProofReply {}>", self.mv)
    }
}

/// An iterator over the positions that a proof answers.
#[pyclass(module = "shogi_variants")]
pub struct ProofWalk {
    proof: Proof,
    /// Lines from the root that are still to be visited.
    open: Vec<Vec<String>>,
    met: HashSet<String>,
}

#[pymethods]
impl ProofWalk {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// How pickle stores it: the proof, the lines still to be visited, and the positions met.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let walk = slf.borrow();
        let proof = Proof { variant: walk.proof.variant, inner: walk.proof.inner.clone() };
        reduced(slf, "_restore", (proof, walk.open.clone(), walk.met.clone()))
    }

    #[staticmethod]
    fn _restore(proof: &Proof, open: Vec<Vec<String>>, met: HashSet<String>) -> Self {
        let proof = Proof { variant: proof.variant, inner: proof.inner.clone() };
        Self { proof, open, met }
    }

    fn __next__(&mut self) -> PyResult<Option<ProofStep>> {
        while let Some(moves) = self.open.pop() {
            let step = self.proof.inner().step(&moves.join(" "), None).map_err(Raise::raise)?;
            if !self.met.insert(step.sfen.clone()) {
                continue;
            }
            for reply in step.replies.iter().rev().filter(|reply| reply.end.is_none()) {
                let line = moves.iter().chain(&step.mv).chain([&reply.mv]);
                self.open.push(line.cloned().collect());
            }
            return Ok(Some(ProofStep::new(moves, step)));
        }
        Ok(None)
    }
}
