#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "self-play")]
pub mod archive;
#[cfg(feature = "self-play")]
pub mod arena;
#[cfg(feature = "evaluations")]
mod bench;
mod correction;
mod deepening;
mod evaluate;
#[cfg(feature = "evaluations")]
mod evaluation;
mod history;
#[cfg(feature = "self-play")]
mod in_order;
mod known;
#[cfg(feature = "self-play")]
pub mod learn;
mod limits;
mod move_picker;
#[cfg(feature = "oracle")]
mod oracle;
mod packed;
mod parameters;
mod path;
mod player;
mod quiescence;
mod report;
mod root;
mod score;
mod search;
mod see;
#[cfg(feature = "self-play")]
pub mod self_play;
mod settings;
mod table;
mod think;
mod thread;
#[cfg(feature = "evaluations")]
pub mod usi;
#[cfg(feature = "self-play")]
pub mod weigh;
mod worker;

#[cfg(feature = "evaluations")]
pub use bench::{Bench, bench};
pub use evaluate::{EvaluateBy, Evaluator, Material, Term, evaluate_by};
#[cfg(feature = "evaluations")]
pub use evaluation::{EVALUATIONS, Evaluation, EvaluationState};
pub use known::{KnownValue, KnownValues};
pub use limits::{Allotment, Clock, Control, Limits};
#[cfg(feature = "oracle")]
pub use oracle::Oracle;
pub use parameters::{Parameter, Parameters};
pub use player::{Player, Settings, Strategy};
pub use report::{Action, BestLine, Report};
pub use score::Score;
pub use settings::{MAX_LINES, MAX_THREADS, SettingsError};

#[cfg(feature = "evaluations")]
pub use shogi_eval::value::NetError;
#[cfg(feature = "evaluations")]
pub use shogi_eval::{FileError, FileReason, HalfKp, ValueNet};
pub use shogi_eval::{KingPiece, Values, Weighted};

pub use shogi_core;
pub use shogi_rules;
