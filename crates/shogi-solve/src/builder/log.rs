//! The steps of a builder in an append-only file, so that no work is lost.
//!
//! One line for each step: a JSON value, a blank, and 32 hexadecimal digits of the BLAKE3 hash of the hash of
//! the line before and the JSON. The first line names the format, the rules and the root. A killed process
//! leaves at most an incomplete last line, which is dropped. If another line is damaged, a build resumes from
//! the lines before it ([`open`]); for other readers that is an error. Other files are sealed by one checksum
//! at their end, which a file that must be complete after each line cannot have. The second line has the moves
//! of the skeleton to expand, if there is one.
//!
//! Proofs are checked by the rules when they are read. Everything else is a hint that may cost time and changes
//! no result: a position noted as refuted is searched again.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use shogi_core::Move;
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Rules, to_sfen, to_usi};

use super::replay::Replayed;
use super::text::{moves_to_text, rules_digits};
use super::{Builder, Cost, Event, NamedMove, by_rank};
use crate::game::{Goal, RulesGame};
use crate::leaf::Leaf;

/// The version of the format.
pub(super) const VERSION: u32 = 3;

/// The beginning of every log.
pub const LOG_BEGINS: &[u8] = b"{\"proof_build\":";

/// Hexadecimal digits of the hash of a line.
pub(super) const DIGITS: usize = 32;

/// The most bytes of a line of a log, as many as of a skeleton, which one line may hold.
pub const MOST_LINE_BYTES: u64 = 1 << 28;

/// The first line of a log, which identifies it.
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct LogHead {
    pub(super) proof_build: u32,
    pub(super) variant: String,
    pub(super) rules: String,
    pub(super) root: String,
    pub(super) sente_proves: bool,
    pub(super) draw_suffices: bool,
}

/// Another line of a log: an event, at a position in SFEN, with moves in USI notation.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(super) enum LogLine {
    /// The moves of a skeleton, as in its file; only the second line may be of this kind.
    Skeleton {
        moves: String,
    },
    Proved {
        sfen: String,
        cost: [u64; 3],
        moves: String,
    },
    Open {
        sfen: String,
        cost: [u64; 3],
        numbers: [u32; 2],
    },
    Refuted {
        sfen: String,
        cost: [u64; 3],
    },
    Known {
        sfen: String,
    },
    /// Without factors the moves are [by rank](by_rank).
    Expanded {
        sfen: String,
        moves: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        factors: Option<Vec<f64>>,
    },
    Followed {
        sfen: String,
        mv: String,
    },
}

/// A log open for writing.
#[derive(Debug)]
pub struct Log<W> {
    out: W,
    chain: blake3::Hash,
}

impl<W: Write> Log<W> {
    /// Begins the log of a new builder.
    pub fn new<R: Rules, L: Leaf<RulesGame<R>>>(
        out: W,
        builder: &Builder<'_, RulesGame<R>, L>,
    ) -> io::Result<Self> {
        let mut log = Self { out, chain: blake3::hash(&[]) };
        log.write(&serde_json::to_string(&LogHead::of(builder))?)?;
        if let Some(moves) = builder.skeleton_moves.clone() {
            log.write(&serde_json::to_string(&LogLine::Skeleton { moves })?)?;
        }
        Ok(log)
    }

    /// Resumes a log that was read to its end; `out` must be positioned at [`Replayed::bytes`].
    pub const fn resume(out: W, replayed: Replayed) -> Self {
        Self { out, chain: replayed.chain }
    }

    /// Appends a step, as the observer of [`Builder::run`] receives it.
    pub fn append<R: Rules>(
        &mut self,
        position: &Position<R>,
        event: &Event<Move<R>>,
    ) -> io::Result<()> {
        match LogLine::of(position, event) {
            Some(line) => self.write(&serde_json::to_string(&line)?),
            None => Ok(()),
        }
    }

    fn write(&mut self, json: &str) -> io::Result<()> {
        self.chain = chained(self.chain, json);
        let digits = &self.chain.to_hex()[..DIGITS];
        // In one write, so that a killed process leaves at most one incomplete line.
        self.out.write_all(format!("{json} {digits}\n").as_bytes())?;
        self.out.flush()
    }
}

impl LogHead {
    pub(super) fn of<R: Rules, L: Leaf<RulesGame<R>>>(
        builder: &Builder<'_, RulesGame<R>, L>,
    ) -> Self {
        Self {
            proof_build: VERSION,
            variant: R::name().to_owned(),
            rules: rules_digits::<R>(),
            root: to_sfen(builder.root()),
            sente_proves: builder.goal().prover == Colour::Sente,
            draw_suffices: builder.goal().draw_suffices,
        }
    }

    pub(super) fn goal(&self) -> Goal {
        let prover = if self.sente_proves { Colour::Sente } else { Colour::Gote };
        Goal { prover, draw_suffices: self.draw_suffices }
    }
}

impl LogLine {
    /// The line of an event, if there is one.
    fn of<R: Rules>(position: &Position<R>, event: &Event<Move<R>>) -> Option<Self> {
        let sfen = to_sfen(position);
        Some(match event {
            Event::Proved { cost, moves } => {
                Self::Proved { sfen, cost: numbers_of(*cost), moves: moves_to_text(moves) }
            }
            Event::LeftOpen { cost, proof, disproof } => {
                Self::Open { sfen, cost: numbers_of(*cost), numbers: [*proof, *disproof] }
            }
            Event::Refuted { cost } => Self::Refuted { sfen, cost: numbers_of(*cost) },
            // Proofs that come later may rest on what follows for the positions above it.
            Event::Known { .. } => Self::Known { sfen },
            Event::Expanded { moves: named } => {
                let (mut moves, mut factors) = (Vec::new(), Vec::new());
                for &NamedMove { mv, factor } in named {
                    moves.push(mv);
                    factors.push(factor);
                }
                let are_by_rank = by_rank(&factors).iter().all(|named| *named.mv == named.factor);
                let factors = (!are_by_rank).then_some(factors);
                Self::Expanded { sfen, moves: moves_to_text(&moves), factors }
            }
            Event::Followed { mv } => Self::Followed { sfen, mv: to_usi(*mv) },
            // These follow from the others.
            Event::NoMoveLeft | Event::MoveFails { .. } => return None,
        })
    }
}

/// A cost in the form of a line.
const fn numbers_of(cost: Cost) -> [u64; 3] {
    [cost.budget, cost.nodes, cost.expansions]
}

/// The hash of a line after one with this hash.
pub(super) fn chained(before: blake3::Hash, json: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes()).update(json.as_bytes());
    hasher.finalize()
}
