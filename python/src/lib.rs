//! The native part of the Python package `shogi_variants`.
//!
//! Each file is a class, or a few that belong together. A class is generic over no rule set: positions, games and records
//! wrap the values of any variant that `shogi_variants` has. The others hold a trait object whose methods are the few
//! that Python needs, implemented once for every rule set. Coarse tasks go through `shogi_variants::operations`.

mod batch;
mod boards;
mod encoding;
mod error;
mod estimate;
mod game;
mod given;
mod interrupt;
mod layout;
mod limits;
mod names;
mod number;
mod outcome;
mod packing;
mod pickle;
mod player;
mod position;
mod progress;
mod proof;
mod reach;
mod record;
mod report;
mod solve;
mod space;
mod tablebase;
mod unmoves;
mod variant;
mod vector_env;

/// Rules, counting, reachability, solving and playing for the boards of the shogi family.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::encoding::Encoding;
    #[pymodule_export]
    use crate::estimate::{Estimate, counts, estimate};
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::names::variants;
    #[pymodule_export]
    use crate::outcome::Outcome;
    #[pymodule_export]
    use crate::packing::Packing;
    #[pymodule_export]
    use crate::player::{Choice, Line, Player, Score};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::proof::{Checked, Proof, ProofReply, ProofStep, ProofWalk};
    #[pymodule_export]
    use crate::reach::{Certificate, Classification, Classifier};
    #[pymodule_export]
    use crate::record::{Record, RecordLine, RecordMove};
    #[pymodule_export]
    use crate::report::{Report, report};
    #[pymodule_export]
    use crate::solve::{Mate, Solution, mate, solve};
    #[pymodule_export]
    use crate::space::{Ranked, Space};
    #[pymodule_export]
    use crate::tablebase::{Probed, ProbedMove, Tablebase};
    #[pymodule_export]
    use crate::unmoves::Unmoves;
    #[pymodule_export]
    use crate::variant::Variant;
    #[pymodule_export]
    use crate::vector_env::VectorEnv;

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    const STAGES: [&str; 6] = crate::space::STAGES;
}
