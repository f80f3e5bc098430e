//! Whole tasks on a variant that is chosen while the program runs.
//!
//! The libraries are generic over the rule set, and stay so down to their hot loops. A task here (the
//! moves of one position, a perft, a proof) takes and gives text and plain structs and is one virtual
//! call; everything below that call is compiled for its rule set. Each trait needs the library behind it,
//! and so that library's feature:
//!
//! | trait | from | feature |
//! |---|---|---|
//! | [`RuleTasks`] | [`Variant::rules`] | `rules`; `record` for diagrams and records, `parallel` for threads |
//! | `RankingTasks` | `Variant::ranking` | `rank` |
//! | `AnyReach` | `Variant::reach` | `reach` |
//! | `AnyProofs` | `Variant::proofs` | `proof` |
//! | `AnyLearning` | `Variant::learning` | `learn` |
//! | `AnySolving` | `Variant::solving` | `solve` |
//! | `AnyPlaying` | `Variant::playing` | `search` |
//! | `AnyWorld`, `AnyTablebase` | `Variant::tablebases` | `tablebase` |
//!
//! Where a task takes a position, the text is in any of these forms, leading blanks and a byte-order
//! mark ignored: SFEN with or without the word `sfen` before it, `startpos`, and what USI puts after
//! and with the word `position`, moves included. `None` for a dialect stands for the variant's own.

#[cfg(feature = "serde")]
mod answers;
#[cfg(feature = "solve")]
mod builder;
#[cfg(feature = "record")]
mod diagram;
mod error;
#[cfg(feature = "learn")]
mod expert;
#[cfg(feature = "learn")]
mod fitting;
#[cfg(any(feature = "rank", feature = "proof", feature = "search"))]
mod held;
#[cfg(feature = "learn")]
mod learner;
#[cfg(feature = "learn")]
mod learning;
#[cfg(feature = "solve")]
mod leaves;
#[cfg(feature = "learn")]
mod matches;
#[cfg(feature = "solve")]
mod mates;
mod moves;
#[cfg(feature = "record")]
mod notate;
#[cfg(all(feature = "record", feature = "text"))]
mod of_record;
#[cfg(feature = "search")]
mod playing;
mod position;
#[cfg(feature = "proof")]
mod proofs;
#[cfg(feature = "rank")]
mod ranking;
#[cfg(feature = "reach")]
mod reach;
#[cfg(feature = "learn")]
mod retraining;
mod rules;
#[cfg(feature = "reach")]
mod sampling;
#[cfg(feature = "learn")]
mod self_play;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "solve")]
mod solver;
#[cfg(feature = "solve")]
mod solving;
#[cfg(feature = "tablebase")]
mod tablebase;
#[cfg(feature = "learn")]
mod training;
#[cfg(feature = "learn")]
mod training_data;

use core::marker::PhantomData;

#[cfg(feature = "serde")]
pub use answers::{Answered, Predecessors, PrintedPosition, PrintedRank, Unanswered};
#[cfg(feature = "solve")]
pub use builder::{
    AnyBuilder, BuilderOptions, BuilderState, CheckedBuild, FailedMove, Frontier, OpenPosition,
    SkeletonOf, WorkOptions,
};
#[cfg(feature = "record")]
pub use diagram::{Diagram, Held, Mark};
pub use error::Error;
#[cfg(feature = "learn")]
pub use expert::{AnyExpertIteration, TrainedProofEvaluation};
#[cfg(feature = "learn")]
pub use fitting::{AnyFit, FitSettings, LearntEvaluation};
#[cfg(feature = "learn")]
pub use learner::AnyLearner;
#[cfg(feature = "learn")]
pub use learning::AnyLearning;
#[cfg(feature = "solve")]
pub use leaves::{LeafNumbers, MoveOracle};
#[cfg(feature = "learn")]
pub use matches::AnyMatch;
#[cfg(all(feature = "solve", feature = "record"))]
pub use mates::ProblemRecord;
#[cfg(feature = "solve")]
pub use mates::{Attempt, Mate, MateTask, OtherMate, OtherMates, Problem};
pub use moves::{Moves, Retraction, legal_moves};
#[cfg(feature = "record")]
pub use notate::{MoveNotation, UnknownMoveNotation};
#[cfg(feature = "search")]
pub use playing::{AnyEvaluation, AnyPlaying, Explanation, JudgedBy};
pub use position::{
    move_number as read_move_number, placement as read_placement, position as read_position,
};
#[cfg(feature = "proof")]
pub use proofs::{
    AnyProof, AnyProofs, AnyReader, AnyShortening, CheckFinding, Claimed, ProofLine, ProofReply,
    ProofStats, ProofStep, SectionStats, VerifiedProof,
};
#[cfg(feature = "rank")]
pub use ranking::{AnyNumbered, CheckClasses, Numbering, RankingTasks, UnknownNumbering};
#[cfg(feature = "reach")]
pub use reach::{AnyClassifier, AnyReach, Classified};
pub use rules::RuleTasks;
#[cfg(feature = "record")]
pub use rules::{Converted, PieceFace, PieceKind};
#[cfg(feature = "parallel")]
pub use rules::{Divided, PART_PLIES};
#[cfg(feature = "reach")]
pub use sampling::{AnySampling, Method, PilotProgress, SamplingProgress, UnknownMethod};
#[cfg(feature = "learn")]
pub use self_play::{AnyArchive, AnySelfPlay, ArchiveSummary};
#[cfg(feature = "solve")]
pub use solver::{AnySolver, OpenGoal, PrintedProof, PrintedSolution, Refutation, Solution};
#[cfg(feature = "solve")]
pub use solving::AnySolving;
#[cfg(feature = "tablebase")]
pub use tablebase::{
    AnyTablebase, AnyWorld, Probed, ProbedMove, StartValue, TablebaseBuild, TablebaseSummary, probe,
};
#[cfg(feature = "learn")]
pub use training::{AnyTraining, TrainedEvaluation};
#[cfg(feature = "learn")]
pub use training_data::{ConvertedData, Examples};

use crate::{RuleSet, Variant, Visitor};

/// A rule set as a value: what implements the traits of this module.
struct Of<R>(PhantomData<fn() -> R>);

impl<R: 'static> Of<R> {
    const NEW: &'static Self = &Self(PhantomData);
}

/// Gives [`Variant`] a method for each trait.
macro_rules! tasks {
    ($($(#[$meta:meta])* $method:ident: $tasks:ident;)*) => {
        impl Variant {
            $(
                $(#[$meta])*
                // A crate that it is inlined into compiles all tasks again.
                #[inline(never)]
                pub fn $method(self) -> &'static dyn $tasks {
                    struct Select;
                    impl Visitor for Select {
                        type Output = &'static dyn $tasks;
                        fn visit<R: RuleSet>(self) -> Self::Output {
                            Of::<R>::NEW
                        }
                    }
                    self.enter();
                    self.visit(Select)
                }
            )*
        }
    };
}

impl Variant {
    /// Has the thread work with this variant from now on, if it was read as text; to take its tasks does so, too.
    /// What a thread got of one variant it may use only while it works with that.
    pub fn enter(self) {
        #[cfg(feature = "text")]
        if let Self::Text(text) = self {
            // What leaves the rules again is forgotten.
            core::mem::forget(text.rules().enter());
        }
    }
}

impl Variant {
    /// Exact numbers of placements, and placements by number.
    #[cfg(feature = "rank")]
    pub const fn ranking(self) -> RankingTasks {
        RankingTasks(self)
    }

    /// Positions, moves and perft.
    pub const fn rules(self) -> RuleTasks {
        RuleTasks(self)
    }
}

tasks! {
    /// Reachability: classes of positions, certificates, and samples for estimates.
    #[cfg(feature = "reach")]
    reach: AnyReach;
    /// Files that prove the value of a position.
    #[cfg(feature = "proof")]
    proofs: AnyProofs;
    /// Games of the player against itself, and evaluations learnt from games and searches.
    #[cfg(feature = "learn")]
    learning: AnyLearning;
    /// Mates and values of positions.
    #[cfg(feature = "solve")]
    solving: AnySolving;
    /// What the player judges positions by.
    #[cfg(feature = "search")]
    playing: AnyPlaying;
}
