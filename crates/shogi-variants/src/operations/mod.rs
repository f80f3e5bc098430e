//! Whole tasks on a variant that is chosen while the program runs.
//!
//! The libraries are generic over the rule set, and stay so down to their hot loops. A task here (the
//! moves of one position, a perft, a proof) takes and gives text and plain structs; everything below the call is compiled
//! for its rule set. A rule set that was read as text is entered for the call and left at its end, so that several of them
//! can be used in turns and on any thread; what outlives a call, such as a solver, holds its rule set and does the same.
//! Tasks need the library behind them, and so that library's feature:
//!
//! | tasks | from | feature |
//! |---|---|---|
//! | [`RuleTasks`] | [`Variant::rules`] | `rules`; `record` for diagrams and records, `parallel` for threads |
//! | `RankingTasks` | `Variant::ranking` | `rank` |
//! | `ReachTasks` | `Variant::reach` | `reach` |
//! | `ProofTasks` | `Variant::proofs` | `proof` |
//! | `LearningTasks` | `Variant::learning` | `learn` |
//! | `SolvingTasks` | `Variant::solving` | `solve` |
//! | `PlayingTasks` | `Variant::playing` | `search` |
//! | `TablebaseTasks`, `AnyTablebase` | `Variant::tablebases` | `tablebase` |
//!
//! Where a task takes a position, the text is in any of these forms, leading blanks and a byte-order
//! mark ignored: SFEN with or without the word `sfen` before it, `startpos`, and what USI puts after
//! and with the word `position`, moves included. `None` for a dialect stands for the variant's own.

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
pub(crate) mod held;
#[cfg(feature = "learn")]
mod learning;
#[cfg(feature = "solve")]
mod leaves;
#[cfg(feature = "learn")]
mod matches;
#[cfg(feature = "solve")]
mod mate_run;
mod moves;
#[cfg(feature = "record")]
mod notate;
#[cfg(all(feature = "record", feature = "text"))]
mod of_record;
#[cfg(all(feature = "reach", feature = "text"))]
mod other_start;
#[cfg(feature = "search")]
mod playing;
mod position;
#[cfg(feature = "proof")]
mod proof_link;
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
#[cfg(feature = "tablebase")]
mod tablebase_answers;
#[cfg(feature = "learn")]
mod training;
#[cfg(feature = "learn")]
mod training_data;

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
pub use learning::LearningTasks;
#[cfg(feature = "solve")]
pub use leaves::{LeafNumbers, MoveOracle};
#[cfg(feature = "learn")]
pub use matches::AnyMatch;
#[cfg(feature = "solve")]
pub use mate_run::AnyMateRun;
pub use moves::{Moves, Retraction, legal_moves};
#[cfg(feature = "record")]
pub use notate::{MoveNotation, UnknownMoveNotation};
#[cfg(feature = "search")]
pub use playing::{AnyEvaluation, Explanation, JudgedBy, PlayingTasks};
#[cfg(feature = "solve")]
pub(crate) use position::problem as read_problem;
pub use position::{
    MoveError, move_number as read_move_number, placement as read_placement,
    position as read_position,
};
pub(crate) use position::{game as read_game, played};
#[cfg(feature = "solve")]
pub(crate) use position::{moves_of, play_in_usi};
#[cfg(feature = "proof")]
pub use proof_link::{EXPLORER_PAGE, LinkError, MOST_LINKED_BYTES, proof_link};
#[cfg(feature = "solve")]
pub(crate) use proofs::held as held_proof;
#[cfg(feature = "proof")]
pub use proofs::{
    AnyProof, AnyReader, AnyShortening, CheckFinding, Claimed, ProofLine, ProofReply, ProofStats,
    ProofStep, ProofTasks, SectionStats, VerifiedProof,
};
#[cfg(feature = "rank")]
pub use ranking::{AnyNumbered, CheckClasses, Numbering, RankingTasks, UnknownNumbering};
#[cfg(feature = "reach")]
pub use reach::{AnyClassifier, Classified, PositionStages, ReachTasks};
pub use rules::RuleTasks;
#[cfg(feature = "record")]
pub use rules::{Converted, PieceFace, PieceKind};
#[cfg(feature = "parallel")]
pub use rules::{Divided, PART_PLIES};
#[cfg(feature = "reach")]
pub use sampling::{AnySampling, Method, PilotProgress, SamplingProgress, UnknownMethod};
#[cfg(feature = "learn")]
pub use self_play::{AnyArchive, AnySelfPlay, ArchiveSummary, PlayCounts};
#[cfg(feature = "solve")]
pub(crate) use serde::{claim, ended, known_value, status};
#[cfg(feature = "solve")]
pub use solver::AnySolver;
#[cfg(feature = "solve")]
pub(crate) use solver::solver;
#[cfg(feature = "solve")]
pub use solving::SolvingTasks;
#[cfg(feature = "tablebase")]
pub use tablebase::{AnyTablebase, TablebaseBuild, TablebaseTasks, probe};
#[cfg(feature = "tablebase")]
pub use tablebase_answers::{Probed, ProbedMove, StartValue, TablebaseMaking, TablebaseSummary};
#[cfg(feature = "learn")]
pub use training::{AnyTraining, TrainedEvaluation};
#[cfg(feature = "learn")]
pub use training_data::{ConvertedData, Examples};

use crate::Variant;

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

    /// Reachability: classes of positions, certificates, and samples for estimates.
    #[cfg(feature = "reach")]
    pub const fn reach(self) -> ReachTasks {
        ReachTasks(self)
    }

    /// Files that prove the value of a position.
    #[cfg(feature = "proof")]
    pub const fn proofs(self) -> ProofTasks {
        ProofTasks(self)
    }

    /// Mates and values of positions.
    #[cfg(feature = "solve")]
    pub const fn solving(self) -> SolvingTasks {
        SolvingTasks(self)
    }

    /// The player's evaluations.
    #[cfg(feature = "search")]
    pub const fn playing(self) -> PlayingTasks {
        PlayingTasks(self)
    }

    /// Games of the player against itself, and evaluations learnt from games and searches.
    #[cfg(feature = "learn")]
    pub const fn learning(self) -> LearningTasks {
        LearningTasks(self)
    }
}
