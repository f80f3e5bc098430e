#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room; each line builds on those above it.
//
// score, packed                 scores with wins by plies; a move in two bytes
// limits, parameters, settings  clocks, what a move may take, and how to stop it; the numbers that matches decide; bounds
// evaluate, evaluation          material, tables, weighted features, networks: behind the trait Evaluator
// table, path                   what was searched before; repetitions
// history, correction           which quiet moves were good; what the evaluation was wrong by
// see, move_picker              what a capture brings; which move first
// thread, worker                one thread of a search: what does not depend on the rules, and what does
// search, quiescence            alpha-beta, step by step: null move, futility, late moves, exchanges, extensions; captures at its leaves
// root, known, report           the position with its game and its moves; values from tablebases; what a search reports and finds
// deepening                     depth by depth with aspiration windows, or move by move
// think, player                 known values, else the mate probe, else alpha-beta on several threads; what a player keeps
// usi                           the protocol, for a variant chosen while the engine runs
// oracle, bench                 moves named for a builder; fixed searches

#[cfg(feature = "evaluations")]
mod bench;
mod correction;
mod deepening;
mod evaluate;
#[cfg(feature = "evaluations")]
mod evaluation;
mod frames;
mod history;
mod keys;
mod known;
mod level;
mod limits;
mod move_picker;
mod moves;
#[cfg(feature = "oracle")]
mod oracle;
mod outgrown;
pub mod packed;
mod parameters;
mod path;
mod player;
mod quiescence;
mod report;
mod root;
mod score;
mod search;
mod see;
mod settings;
mod statistics;
mod table;
mod think;
mod thread;
#[cfg(feature = "evaluations")]
pub mod usi;
mod worker;

#[cfg(feature = "evaluations")]
pub use bench::{Bench, bench};
pub use evaluate::{EvaluateBy, Evaluator, Material, Term, evaluate_by};
#[cfg(feature = "evaluations")]
pub use evaluation::{EVALUATIONS, Evaluation, EvaluationState};
pub use known::{KnownValue, KnownValues};
pub use level::Level;
pub use limits::{Allotment, Clock, Control, Limits};
#[cfg(feature = "oracle")]
pub use oracle::Oracle;
pub use parameters::{Parameter, Parameters};
pub use player::{Player, Settings};
pub use report::{Action, BestLine, SearchReport};
pub use score::Score;
pub use settings::{MAX_LINES, MAX_THREADS, SettingsError};

#[cfg(feature = "evaluations")]
pub use shogi_eval::{FileError, FileReason, NnBin, ValueNet};
pub use shogi_eval::{Values, Weighted};

pub use shogi_core;
pub use shogi_rules;
