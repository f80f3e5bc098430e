//! Files that prove the value of a position.

use std::borrow::ToOwned as _;
use std::boxed::Box;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::string::{String, ToString as _};
use std::vec::Vec;

use shogi_proof::{
    Checked, Claim, Header, Proof, ReadError, Reader, RefutedProof, Repetition, Reply, Section,
    Shortening, Unfit, WriteError,
};
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Dialect, Rules, Verdict, to_sfen, to_sfen_in, to_usi_in};

use super::Error;
use super::held::Held;
use super::position::{play, play_in_usi, position};
use crate::variant::call;
use crate::{RuleSet, Variant};

/// A proof file whose head has been read, from any input.
pub type AnyReader<'i> = Reader<Box<dyn Read + 'i>>;

/// Tasks that need proof files: [`Variant::proofs`].
#[derive(Clone, Copy, Debug)]
pub struct ProofTasks(pub(super) Variant);

impl ProofTasks {
    /// Reads a whole proof.
    ///
    /// # Errors
    ///
    /// If the rest of the file is no proof of this variant, or cannot be read.
    pub fn load(self, reader: AnyReader<'_>) -> Result<Box<dyn AnyProof>, ReadError> {
        call!(self.0, R => Ok(held(reader.proof::<R>()?)))
    }

    /// Reads a file entry by entry and says how large it is, without keeping it.
    ///
    /// # Errors
    ///
    /// If the rest of the file is no proof of this variant, or cannot be read.
    pub fn stats(
        self,
        reader: AnyReader<'_>,
        dialect: Option<Dialect>,
    ) -> Result<ProofStats, ReadError> {
        call!(self.0, R => stats::<R>(reader, dialect))
    }

    /// No position yet of those that this player wins: [`Shortening`].
    pub fn shortening(self, prover: Colour) -> Box<dyn AnyShortening> {
        call!(self.0, R => Box::new(Held::new(Shortening::<R>::new(prover))))
    }
}

/// Shorter proofs from proofs, for [`ProofTasks::shortening`].
pub trait AnyShortening {
    /// Takes in the entries of a proof file: [`Shortening::add`]. Gives its root in SFEN.
    ///
    /// # Errors
    ///
    /// If the rest of the file cannot be read, or is no proof of this variant and player.
    fn add(&mut self, reader: AnyReader<'_>) -> Result<String, Unfit>;

    /// Looks for shorter ways: [`Shortening::pass`].
    fn pass(&mut self, above: u32, report: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> u64;

    /// Searches for a win within so many plies, and notes what it takes: [`win_within`](shogi_solve::win_within).
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, there is no such evaluation, or no room for what is found.
    #[cfg(feature = "solve")]
    fn win_within(
        &mut self,
        root: &str,
        plies: u32,
        options: &super::WorkOptions,
        budget: &mut shogi_solve::Budget<'_>,
    ) -> Result<shogi_solve::Within, Error>;

    /// The most plies to the end from a position, if that follows from the proofs taken in: [`Shortening::plies`].
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    fn plies(&self, root: &str) -> Result<Option<u32>, Error>;

    /// The proof of a win in a position, if it follows from those taken in: [`Shortening::proof`].
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    fn proof(&self, root: &str) -> Result<Option<Box<dyn AnyProof>>, Error>;
}

/// A proof in memory, for [`ProofTasks::load`].
pub trait AnyProof: Send + Sync {
    /// Its claim.
    fn claimed(&self, dialect: Option<Dialect>) -> Claimed;

    /// Number of positions with a stored move.
    fn entries(&self) -> usize;

    /// Writes the file: see [`Proof::write`].
    fn write(&self, out: &mut dyn Write) -> Result<(), WriteError>;

    /// Checks it by the rules alone: [`Proof::check`].
    ///
    /// # Errors
    ///
    /// If it does not hold.
    fn check(&self) -> Result<Checked, RefutedProof> {
        self.check_with(&mut |_| {})
    }

    /// The same, with reports of the entries visited: [`Proof::check_with`].
    ///
    /// # Errors
    ///
    /// If it does not hold.
    fn check_with(&self, report: &mut dyn FnMut(u64)) -> Result<Checked, RefutedProof>;

    /// The answer that programs print of a check: [`AnyProof::check_with`], with the claim in a dialect.
    fn verify(&self, dialect: Option<Dialect>, report: &mut dyn FnMut(u64)) -> VerifiedProof {
        VerifiedProof::new(self.claimed(dialect), self.check_with(report))
    }

    /// The line that lasts longest: by the ranks stored, or with `exact` by how long the game really
    /// lasts.
    fn line(&self, exact: bool, dialect: Option<Dialect>) -> ProofLine;

    /// The step of the proof after a list of moves in USI notation from the root on.
    ///
    /// # Errors
    ///
    /// If the moves cannot be played, or the proof does not answer them.
    fn step(&self, moves: &str, dialect: Option<Dialect>) -> Result<ProofStep, Error>;

    /// The step of the proof in a position, whichever moves lead to it.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the proof does not know it.
    fn look_up(&self, position: &str, dialect: Option<Dialect>) -> Result<ProofStep, Error>;
}

/// The claim of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Claimed {
    /// The name of the variant.
    pub variant: &'static str,
    /// The position that the claim is about, in SFEN.
    pub root: String,
    /// The claim.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::serde::claim"))]
    pub claim: Claim,
    /// The players whose moves are stored.
    pub provers: Vec<Colour>,
    /// The value for the player to move; `None` where the claim leaves it open.
    pub value: Option<Verdict>,
}

/// Whether a proof holds, for [`AnyProof::verify`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct VerifiedProof {
    /// Whether it holds.
    pub ok: bool,
    /// Its claim; `None` where that cannot be read.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub claimed: Option<Claimed>,
    /// The counts of the check, or the reason why the proof does not hold.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub found: CheckFinding,
}

/// The findings of a check of a proof, for [`VerifiedProof`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum CheckFinding {
    /// The proof holds.
    Holds {
        /// Positions with a stored move.
        entries: u64,
        /// Replies of the opponent.
        replies: u64,
        /// Of them, those that end the game.
        ends: u64,
        /// The most plies to the end; `None` where the strategy may run in cycles.
        plies: Option<u32>,
    },
    /// The proof does not hold.
    Refuted {
        /// Why.
        reason: String,
        /// The position in SFEN where it fails; `None` if it fails in none.
        position: Option<String>,
    },
}

impl VerifiedProof {
    fn new(claimed: Claimed, checked: Result<Checked, RefutedProof>) -> Self {
        match checked {
            Ok(Checked { entries, replies, ends, plies }) => {
                let found = CheckFinding::Holds { entries, replies, ends, plies };
                Self { ok: true, claimed: Some(claimed), found }
            }
            Err(RefutedProof { fault, sfen }) => {
                let found =
                    CheckFinding::Refuted { reason: fault.to_string(), position: Some(sfen) };
                Self { ok: false, claimed: Some(claimed), found }
            }
        }
    }

    /// The answer for a file that is no proof, for this reason.
    ///
    /// ```
    /// use shogi_variants::operations::VerifiedProof;
    /// assert!(!VerifiedProof::unreadable("the file is truncated".to_owned()).ok);
    /// ```
    pub const fn unreadable(reason: String) -> Self {
        Self { ok: false, claimed: None, found: CheckFinding::Refuted { reason, position: None } }
    }
}

/// How large a proof file is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ProofStats {
    /// The claim of the file.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub claimed: Claimed,
    /// Positions with a stored move.
    pub entries: u64,
    /// The greatest rank; `None` where a strategy may run in cycles.
    pub longest: Option<u32>,
    /// The strategies one by one.
    pub sections: Vec<SectionStats>,
}

/// How large one strategy of a proof file is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SectionStats {
    /// The player whose moves are stored.
    pub prover: Colour,
    /// Whether the game may run in cycles.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::serde::repetition"))]
    pub repetition: Repetition,
    /// Positions with a stored move.
    pub entries: u64,
    /// The greatest rank; `None` where the strategy may run in cycles.
    pub longest: Option<u32>,
}

/// A line of play by a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ProofLine {
    /// The claim of the proof.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub claimed: Claimed,
    /// The moves from the root on in USI notation.
    pub moves: Vec<String>,
    /// How many they are.
    pub plies: u32,
    /// The result for the player to move at the end of the line; `None` where it runs into a cycle.
    pub end: Option<Verdict>,
}

/// A position of a proof, with the stored move and the replies.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ProofStep {
    /// The position.
    pub sfen: String,
    /// The result for the player to move, if the game is over.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub end: Option<Verdict>,
    /// The move stored for the player to move; `None` where only the opponent's are.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: Option<String>,
    /// The most plies to the end; `None` where the strategy may run in cycles.
    pub rank: Option<u32>,
    /// The opponent's replies, after the stored move if there is one.
    pub replies: Vec<ProofReply>,
}

/// A reply in a [`ProofStep`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ProofReply {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: String,
    /// The result for the prover to move, where the reply has ended the game.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub end: Option<Verdict>,
    /// The most plies to the end after it; `None` where the strategy may run in cycles.
    pub rank: Option<u32>,
}

impl ProofStats {
    /// The head of a file.
    fn new(claimed: Claimed, header: &Header) -> Self {
        let mut sections = Vec::new();
        let (mut all, mut cyclic) = (0, false);
        for (&prover, section) in claimed.provers.iter().zip(&header.sections) {
            let &Section { repetition, entries } = section;
            let longest = (repetition == Repetition::Absent).then_some(0);
            sections.push(SectionStats { prover, repetition, entries, longest });
            all += entries;
            cyclic |= longest.is_none();
        }
        let longest = (!cyclic && !sections.is_empty()).then_some(0);
        Self { claimed, entries: all, longest, sections }
    }

    /// Counts in the rank of an entry.
    fn add(&mut self, section: usize, rank: u32) {
        for longest in [&mut self.sections[section].longest, &mut self.longest] {
            *longest = longest.map(|longest| longest.max(rank));
        }
    }
}

fn stats<R: RuleSet>(
    reader: AnyReader<'_>,
    dialect: Option<Dialect>,
) -> Result<ProofStats, ReadError> {
    let entries = reader.entries::<R>()?;
    let claimed = claimed(entries.header().claim, entries.root(), dialect);
    let mut stats = ProofStats::new(claimed, entries.header());
    for entry in entries {
        let entry = entry?;
        stats.add(entry.section, entry.step.rank);
    }
    Ok(stats)
}

/// A proof for any caller.
pub(crate) fn held<R: Rules>(proof: Proof<R>) -> Box<dyn AnyProof> {
    Box::new(Held::new(proof))
}

impl<R: RuleSet> AnyShortening for Held<Shortening<R>> {
    fn add(&mut self, reader: AnyReader<'_>) -> Result<String, Unfit> {
        self.with_mut(|known| {
            let root: Position<R> = known.add(reader.entries()?)?;
            Ok(to_sfen(&root))
        })
    }

    fn pass(&mut self, above: u32, report: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> u64 {
        self.with_mut(|known| known.pass(above, report))
    }

    #[cfg(feature = "solve")]
    fn win_within(
        &mut self,
        root: &str,
        plies: u32,
        options: &super::WorkOptions,
        budget: &mut shogi_solve::Budget<'_>,
    ) -> Result<shogi_solve::Within, Error> {
        self.with_mut(|known| {
            let (leaf, tuning) = super::builder::one_leaf(options)?;
            let hash_bytes = options.hash_bytes;
            let options = shogi_solve::df_pn::Options { tuning, hash_bytes, ..Default::default() };
            let root = position(root)?;
            let found = shogi_solve::win_within(known, &root, plies, leaf, options, budget);
            found.map_err(Error::library)
        })
    }

    fn plies(&self, root: &str) -> Result<Option<u32>, Error> {
        self.with(|known| Ok(known.plies(&position(root)?)))
    }

    fn proof(&self, root: &str) -> Result<Option<Box<dyn AnyProof>>, Error> {
        self.with(|known| Ok(known.proof(&position(root)?).map(held)))
    }
}

fn claimed<R: Rules>(claim: Claim, root: &Position<R>, dialect: Option<Dialect>) -> Claimed {
    Claimed::new(R::name(), claim, to_sfen_in(root, dialect.unwrap_or(R::dialect())), root.side())
}

impl Claimed {
    /// A claim about a position in SFEN, in which `side` is to move.
    fn new(variant: &'static str, claim: Claim, root: String, side: Colour) -> Self {
        let (provers, value) = (claim.provers().to_owned(), claim.value(side));
        Self { variant, root, claim, provers, value }
    }
}

impl<R: Rules> AnyProof for Held<Proof<R>> {
    fn claimed(&self, dialect: Option<Dialect>) -> Claimed {
        self.with(|proof| claimed(proof.claim(), proof.root(), dialect))
    }

    fn entries(&self) -> usize {
        self.with(|proof| proof.strategies().iter().map(|strategy| strategy.len()).sum())
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), WriteError> {
        self.with(|proof| proof.write(out))
    }

    fn check_with(&self, report: &mut dyn FnMut(u64)) -> Result<Checked, RefutedProof> {
        self.with(|proof| proof.check_with(report))
    }

    fn line(&self, exact: bool, dialect: Option<Dialect>) -> ProofLine {
        self.with(|proof| {
            let line = if exact { proof.longest_line() } else { proof.line() };
            let mut position = *proof.root();
            ProofLine {
                claimed: claimed(proof.claim(), proof.root(), dialect),
                moves: play_in_usi(&mut position, &line, dialect),
                plies: line.len() as u32,
                end: R::verdict(&position),
            }
        })
    }

    fn step(&self, moves: &str, dialect: Option<Dialect>) -> Result<ProofStep, Error> {
        self.with(|proof| step_at(proof, play(*proof.root(), moves)?, dialect))
    }

    fn look_up(&self, text: &str, dialect: Option<Dialect>) -> Result<ProofStep, Error> {
        self.with(|proof| step_at(proof, position(text)?, dialect))
    }
}

/// A position of a proof, with the stored move and the replies.
fn step_at<R: Rules>(
    proof: &Proof<R>,
    position: Position<R>,
    dialect: Option<Dialect>,
) -> Result<ProofStep, Error> {
    let dialect = dialect.unwrap_or(R::dialect());
    let sfen = to_sfen_in(&position, dialect);
    let end = R::verdict(&position);
    if end.is_some() {
        return Ok(ProofStep { sfen, end, mv: None, rank: Some(0), replies: Vec::new() });
    }
    let (mv, rank, replied) = match proof.strategy(position.side()) {
        None => (None, None, position),
        Some(strategy) => {
            let step = strategy.get(&position).ok_or(Error::NotInProof)?;
            let mv = to_usi_in(step.mv, &position, dialect);
            (Some(mv), Some(step.rank), position.play_unchecked(step.mv))
        }
    };
    let mut replies = Vec::new();
    for Reply { mv, position, rank } in proof.replies(&replied) {
        let mv = to_usi_in(mv, &replied, dialect);
        replies.push(ProofReply { mv, end: R::verdict(&position), rank });
    }
    let repetition = proof.strategy(!replied.side()).map(|strategy| strategy.repetition());
    ProofStep { sfen, end, mv, rank, replies }.with_ranks(repetition)
}

impl ProofStep {
    /// The step with a rank that follows from its replies, if the opponent is to move, and without ranks where
    /// the strategy that the replies are to may run in cycles.
    fn with_ranks(mut self, repetition: Option<Repetition>) -> Result<Self, Error> {
        if self.mv.is_none() {
            for reply in &self.replies {
                let rank = reply.rank.ok_or(Error::NotInProof)?;
                self.rank = self.rank.max(Some(rank.saturating_add(1)));
            }
        }
        if repetition != Some(Repetition::Absent) {
            self.rank = None;
            for reply in &mut self.replies {
                reply.rank = None;
            }
        }
        Ok(self)
    }
}
