//! An evaluation learnt from self-play, cheap enough for every new leaf of a proof search.
//!
//! [`train`] lets a linear evaluation play against itself, looking two plies ahead, and fits it to
//! the results, generation by generation; it needs a start position and two minutes, no games and
//! no knowledge. [`Linear::logit`] then tells within a fraction of a microsecond how likely the
//! player to move wins, and [`pn_dn`] turns that into the numbers with which a proof-number search
//! begins a leaf. An evaluation proves nothing; it only says where to look first.
//!
//! ```
//! use std::ops::ControlFlow;
//! use shogi_rules::{Dobutsu, Rules, parse_position};
//! use shogi_solve::learn::{Evaluation, Settings, train};
//! let start = parse_position::<Dobutsu>(Dobutsu::START)?;
//! let settings = Settings { games: 50, generations: 1, ..Settings::default() };
//! let trained = train(&start, settings, |_| ControlFlow::Continue(())).unwrap();
//! let logit = trained.evaluation.linear().logit(&start);
//! assert!(logit.abs() < 3.0);
//!
//! let text = trained.evaluation.to_json();
//! assert_eq!(Evaluation::<Dobutsu>::from_json(&text)?, trained.evaluation);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evaluation;
mod features;
mod leaf;
mod linear;
mod numbers;
mod regression;
mod self_play;
mod train;

pub use evaluation::{Evaluation, EvaluationError, EvaluationReason};
pub use features::{FEATURE_SET, Features};
pub use leaf::Learnt;
pub use linear::{Linear, MOST_UNITS, UNITS, WeightsError};
pub use numbers::{MOST, SCALE, SLOPE, pn_dn, pn_in_check};
pub use regression::Quality;
pub use train::{Progress, Settings, Trained, train};
