//! Tasks that games read as text do not have.
#![cfg(all(feature = "learn", feature = "text"))]

use shogi_variants::Variant;
use shogi_variants::eval::{Evaluation, FileReason, Linear, TrainingSettings, ValueNet};
use shogi_variants::rules::{Minishogi, Rules as _, SmallBoard};

#[test]
fn files_of_evaluations_are_refused() {
    let text = Variant::Minishogi.to_text().unwrap();
    let copy = Variant::from_text(&text).unwrap();
    // A file without a name of a variant, as rules that are read as text have none as a constant.
    let start = SmallBoard::start_sfen().to_owned();
    let linear = Evaluation::new(start, TrainingSettings::default(), Linear::<SmallBoard>::zero());
    let refused = copy.learning().check_evaluation(&linear.to_json());
    assert!(matches!(refused, Err(FileReason::Uncompiled)), "{refused:?}");

    let mut network = Vec::new();
    ValueNet::<Minishogi>::trained().unwrap().write(&mut network).unwrap();
    assert!(Variant::Minishogi.playing().check_network(&network).is_ok());
    let refused = copy.playing().check_network(&network);
    assert!(matches!(refused, Err(FileReason::Uncompiled)), "{refused:?}");
}
