#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room: "Inside `shogi-search`" in docs/architecture.md.

#[cfg(feature = "evaluations")]
mod bench;
mod correction;
mod deepening;
mod evaluate;
#[cfg(feature = "evaluations")]
mod evaluation;
mod history;
mod known;
mod level;
mod limits;
mod move_picker;
#[cfg(feature = "oracle")]
mod oracle;
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
