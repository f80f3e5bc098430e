//! What can be read of the table in Shibahara, Tajima & Kotani, "A New Method of Dealing with GHI
//! Problem for Proving Draw and Application to 3x4 Boards of Shogi" (2006).
//!
//! Which arrays the rows stand for is not known, nor are the pieces and the promotion zone of their
//! game; so the rows can be set beside ours only as a whole.

/// A row: nodes, seconds, and two columns under a head that cannot be read: a count and seconds, which never exceed those
/// of the second column and make up 85 % of all time. Most likely they are how often the draw was checked, and what that
/// took.
pub type Row = (u64, f64, u32, Option<f64>);

/// The rows, in the order of the table.
pub const ROWS: [Row; 30] = [
    (30_909_738, 4540.4, 28, Some(3262.2)),
    (21_338_655, 6477.5, 32, Some(5118.2)),
    (16_480_505, 5299.0, 10, Some(4957.2)),
    (18_399_717, 3264.3, 23, Some(2644.7)),
    (10_798_276, 10647.8, 21, Some(9538.4)),
    (2_032_084, 1937.7, 6, Some(10.9)),
    (37_263_843, 3989.0, 30, Some(3154.7)),
    (1_006_724, 83.7, 13, Some(32.4)),
    (54_117_302, 9775.5, 28, Some(6799.7)),
    (4_329_485, 2966.9, 14, Some(2839.8)),
    (857_221, 79.8, 9, Some(78.9)),
    (18_079_496, 4371.3, 18, Some(3037.3)),
    (86_060_953, 9862.6, 81, Some(8828.4)),
    (49_954_877, 13849.2, 32, Some(13816.3)),
    (25_841_883, 5433.3, 38, Some(5431.0)),
    (72_487, 5.6, 4, Some(0.1)),
    (7_197_196, 586.9, 19, Some(562.1)),
    (51_683_749, 7571.3, 44, Some(6762.0)),
    (20_194_880, 1661.4, 12, Some(1137.9)),
    (26_434_769, 2014.5, 78, Some(1983.5)),
    (2_795_154, 182.6, 10, Some(177.8)),
    (34_416_710, 5986.5, 29, Some(5539.9)),
    (19_445_292, 3358.4, 28, Some(2702.2)),
    (27_587_759, 6370.1, 24, Some(2427.3)),
    (556_300, 44.7, 15, Some(23.8)),
    (24_422_053, 1921.5, 55, None),
    (16_261_065, 12067.0, 31, Some(12000.0)),
    (6_993_226, 4360.3, 13, Some(4297.2)),
    (156_496_834, 15799.2, 55, Some(14374.7)),
    (20_354_974, 991.7, 4, Some(462.4)),
];
