//! What can be read of the table in Shibahara, Tajima & Kotani, "A New Method of Dealing with GHI
//! Problem for Proving Draw and Application to 3x4 Boards of Shogi" (2006).
//!
//! Which arrays the rows stand for is not known, nor are the pieces and the promotion zone of their
//! game; so the rows can be set beside ours only as a whole.

/// Nodes and seconds of each row, in the order of the table.
pub const ROWS: [(u64, f64); 30] = [
    (30_909_738, 4540.4),
    (21_338_655, 6477.5),
    (16_480_505, 5299.0),
    (18_399_717, 3264.3),
    (10_798_276, 10647.8),
    (2_032_084, 1937.7),
    (37_263_843, 3989.0),
    (1_006_724, 83.7),
    (54_117_302, 9775.5),
    (4_329_485, 2966.9),
    (857_221, 79.8),
    (18_079_496, 4371.3),
    (86_060_953, 9862.6),
    (49_954_877, 13849.2),
    (25_841_883, 5433.3),
    (72_487, 5.6),
    (7_197_196, 586.9),
    (51_683_749, 7571.3),
    (20_194_880, 1661.4),
    (26_434_769, 2014.5),
    (2_795_154, 182.6),
    (34_416_710, 5986.5),
    (19_445_292, 3358.4),
    (27_587_759, 6370.1),
    (556_300, 44.7),
    (24_422_053, 1921.5),
    (16_261_065, 12067.0),
    (6_993_226, 4360.3),
    (156_496_834, 15799.2),
    (20_354_974, 991.7),
];
