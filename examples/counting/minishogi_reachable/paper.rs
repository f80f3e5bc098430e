//! The figures of Ishii & Tanaka, "Estimating the number of reachable positions in Minishogi".

/// Samples of the paper's run.
pub const SAMPLES: u64 = 100_000_000;

/// Table 1: what is left after each stage.
pub const TABLE_1: [(&str, u64); 4] =
    [("flip", 96_774_076), ("pawn", 77_795_825), ("king", 21_506_911), ("reachable", 14_849_198)];

/// Table 2: unreachable positions by the plies until nothing new is found.
pub const TABLE_2: [u64; 9] = [6_650_818, 4_175, 2_494, 114, 104, 2, 4, 1, 1];

/// The 95 % interval for the share of reachable positions, as printed (truncated).
pub const P_INTERVAL: [f64; 2] = [0.14842, 0.14856];
