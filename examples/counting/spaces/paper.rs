//! Published numbers of placements.

/// Table 1 of Shioda & Ito, "Kyoto Shogi Is Weakly Solved" (2021): by the number of pieces in hand,
/// and the sum.
pub const KYOTO: [u64; 9] = [
    48_585_426_075_648_000,
    12_146_356_518_912_000,
    1_339_671_674_880_000,
    84_349_698_048_000,
    3_313_271_808_000,
    83_239_833_600,
    1_311_552_000,
    11_923_200,
    48_600,
];
/// See [`KYOTO`].
pub const KYOTO_TOTAL: u64 = 62_159_201_802_653_400;

/// Tanaka's number of arrangements of Dobutsu shogi, mirror images counted as two.
pub const DOBUTSU: u64 = 1_567_925_964;
