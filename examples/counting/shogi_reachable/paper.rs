//! The figures for shogi on 9x9 of the authors of "Estimating the number of reachable positions in
//! Minishogi", Ishii & Tanaka.

/// Samples of the published run.
pub const SAMPLES: u64 = 5_000_000_000;

/// What is left of them after the flip and pawn stages.
pub const FLIP: u64 = 4_945_063_843;
/// See [`FLIP`].
pub const PAWN: u64 = 187_220_063;

/// What is left after the stages that come then.
pub const STAGES: [(&str, u64); 2] = [("king", 58_981_117), ("reachable", 40_491_613)];

/// The number of candidates.
pub const CANDIDATES: &str =
    "80880932079767835177773204009328769812438521503800714936366945233084532";

/// Pairs of squares of the kings among the candidates.
pub const KING_PAIRS: usize = 3_276;
/// Vectors that say how many pieces of each kind are in hand.
pub const HAND_CLASSES: u64 = 106_875;

/// The estimate, and three standard deviations to either side.
pub const ESTIMATE: [f64; 3] = [6.547e68, 6.550e68, 6.553e68];
