//! Rule tables for tests only: between them they set every switch of a rule table both ways.

use shogi_rules::shogi_core::{
    Board3x4, Board5x5, Board9x9, Direction, KindSpec, Movement, Promotion, RaysAndJumps, geometry,
};

geometry! {
    /// The smallest board on which a king can be mated in a corner in every way.
    pub Board3x3: 3 x 3 in u16;
    /// Two files: nifu matters at once.
    pub Board2x4: 2 x 4 in u16;
}

/// A rule table for tests: kinds of pieces on a board, and the switches that differ from the defaults.
#[macro_export]
macro_rules! rule_table {
    ($(#[$meta:meta])* $name:ident on $board:ty: [$($kind:expr),+ $(,)?] $($switch:ident: $type:ty = $value:expr;)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name;

        impl $crate::shogi_rules::shogi_core::RuleTable for $name {
            type Geometry = $board;
            const KINDS: &'static [$crate::shogi_rules::shogi_core::KindSpec] = &[$($kind),+];
            $(const $switch: $type = $value;)*
        }
    };
}

const GOLD: Option<Movement> = Some(Movement::GOLD);

/// A movement by steps, by slides with their range, and by jumps: squares forward and to the right.
const fn moving(steps: &[Direction], slides: &[(Direction, u8)], jumps: &[(i8, i8)]) -> Movement {
    let (mut reach, mut i) = (RaysAndJumps::NONE, 0);
    while i < steps.len() {
        reach = reach.with_step(steps[i]);
        i += 1;
    }
    i = 0;
    while i < slides.len() {
        reach = reach.with_ray(slides[i].0, slides[i].1);
        i += 1;
    }
    i = 0;
    while i < jumps.len() {
        reach = reach.with_jump(jumps[i].0, jumps[i].1).expect("a jump of at most five squares");
        i += 1;
    }
    Movement::of(reach)
}

rule_table! {
    /// Birds of Tori shogi: jumps, steps and slides of all kinds, two pawns on a file.
    Birds on Board5x5: [
        KindSpec::pawn('S', 4, Some(moving(&[], &[], &[(2, -2), (2, 2), (-2, 0)]))),
        KindSpec::new('F', 2, moving(&[
            Direction::North, Direction::NorthEast, Direction::East, Direction::SouthEast,
            Direction::SouthWest, Direction::West, Direction::NorthWest,
        ], &[], &[]), Some(moving(&Direction::ALL, &[
            (Direction::South, RaysAndJumps::FAR), (Direction::NorthEast, RaysAndJumps::FAR),
            (Direction::NorthWest, RaysAndJumps::FAR), (Direction::SouthEast, 2), (Direction::SouthWest, 2),
        ], &[]))),
        KindSpec::new('P', 2, moving(&[Direction::SouthEast, Direction::SouthWest], &[], &[(2, 0)]), None),
        KindSpec::new('L', 2, moving(&[Direction::SouthWest], &[
            (Direction::North, RaysAndJumps::FAR), (Direction::SouthEast, RaysAndJumps::FAR),
        ], &[]), None),
        KindSpec::royal('K'),
    ]
    PROMOTION: Promotion = Promotion::Forced;
    ZONE: u8 = 2;
    PAWNS_ON_A_FILE: u8 = 2;
}

rule_table! {
    /// Pieces turn over when they capture, and pawns without a back stop before the last rank.
    Flipping on Board5x5: [
        KindSpec::pawn('P', 2, None),
        KindSpec::new('S', 2, Movement::SILVER, Some(Movement::LANCE)),
        KindSpec::new('N', 2, Movement::KNIGHT, Some(Movement::ROOK)),
        KindSpec::royal('K'),
    ]
    PROMOTION: Promotion = Promotion::OnCapture;
    DROP_EITHER_FACE: bool = true;
    ALLOWS_NIFU: bool = true;
    ALLOWS_IMMOBILE_DROPS: bool = true;
}

rule_table! {
    /// Kings that only go forward, and so must stop before the last rank.
    Advancing on Board3x4: [
        KindSpec::pawn('P', 2, GOLD),
        KindSpec::new('R', 2, Movement::ROOK, None),
        KindSpec { front: moving(&[Direction::North, Direction::NorthEast, Direction::NorthWest], &[], &[]), ..KindSpec::royal('K') },
    ]
}

rule_table! {
    /// Kings that jump as knights and must stop before the last two ranks.
    Jumping on Board5x5: [
        KindSpec::pawn('P', 2, GOLD),
        KindSpec::new('S', 2, Movement::SILVER, GOLD),
        KindSpec { front: Movement::KNIGHT, ..KindSpec::royal('K') },
    ]
}

rule_table! {
    /// Pieces turn over with every move and are dropped either way up; nothing else is forbidden.
    Turning on Board5x5: [
        KindSpec::pawn('P', 2, Some(Movement::ROOK)),
        KindSpec::new('L', 2, Movement::LANCE, GOLD),
        KindSpec::new('S', 2, Movement::SILVER, Some(Movement::BISHOP)),
        KindSpec::new('N', 2, Movement::KNIGHT, GOLD),
        KindSpec::royal('K'),
    ]
    PROMOTION: Promotion = Promotion::EveryMove;
    DROP_EITHER_FACE: bool = true;
    ALLOWS_NIFU: bool = true;
    ALLOWS_DROP_PAWN_MATE: bool = true;
    ALLOWS_IMMOBILE: bool = true;
}

rule_table! {
    /// No check: kings are captured, chicks must promote.
    Capture on Board3x4: [
        KindSpec::pawn('C', 2, GOLD),
        KindSpec::new('E', 2, Movement::ELEPHANT, None),
        KindSpec::new('G', 2, Movement::GIRAFFE, None),
        KindSpec::royal('L'),
    ]
    PROMOTION: Promotion = Promotion::Forced;
    ALLOWS_NIFU: bool = true;
    ALLOWS_DROP_PAWN_MATE: bool = true;
    ALLOWS_IMMOBILE: bool = true;
    ROYAL_SAFETY: bool = false;
}

rule_table! {
    /// A large board with a deep zone and all kinds of dead ranks.
    Large on Board9x9: [
        KindSpec::pawn('P', 18, GOLD),
        KindSpec::new('L', 4, Movement::LANCE, GOLD),
        KindSpec::new('N', 4, Movement::KNIGHT, GOLD),
        KindSpec::new('S', 4, Movement::SILVER, GOLD),
        KindSpec::new('G', 4, Movement::GOLD, None),
        KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ]
    ZONE: u8 = 3;
}

rule_table! {
    /// A zone shallower than the knight's dead ranks, several pawns, mate by drop allowed.
    Shallow on Board3x4: [
        KindSpec::pawn('P', 4, GOLD),
        KindSpec::new('L', 2, Movement::LANCE, GOLD),
        KindSpec::new('N', 2, Movement::KNIGHT, GOLD),
        KindSpec::new('R', 1, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ]
    ALLOWS_DROP_PAWN_MATE: bool = true;
}

rule_table! {
    /// Forced promotion in a zone of two ranks, drops either way up, drop-pawn mate forbidden but
    /// nifu and immobile pieces not.
    Mixed on Board5x5: [
        KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::pawn('P', 5, Some(Movement::SILVER)),
        KindSpec::new('L', 2, Movement::LANCE, Some(Movement::KNIGHT)),
        KindSpec::royal('K'),
        KindSpec::new('G', 2, Movement::GOLD, None),
    ]
    PROMOTION: Promotion = Promotion::Forced;
    ZONE: u8 = 2;
    DROP_EITHER_FACE: bool = true;
    ALLOWS_NIFU: bool = true;
    ALLOWS_IMMOBILE: bool = true;
}

rule_table! {
    /// Small enough to list every position: one pawn, one rook.
    TinyRook on Board3x4: [
        KindSpec::pawn('P', 1, GOLD),
        KindSpec::new('R', 1, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// Likewise, with two pawns for nifu.
    TinyPawns on Board2x4: [
        KindSpec::pawn('P', 2, GOLD),
        KindSpec::new('L', 1, Movement::LANCE, GOLD),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// Likewise, turning over with every move.
    TinyTurning on Board3x3: [
        KindSpec::pawn('P', 1, Some(Movement::ROOK)),
        KindSpec::new('S', 1, Movement::SILVER, Some(Movement::BISHOP)),
        KindSpec::royal('K'),
    ]
    PROMOTION: Promotion = Promotion::EveryMove;
    DROP_EITHER_FACE: bool = true;
    ALLOWS_NIFU: bool = true;
    ALLOWS_DROP_PAWN_MATE: bool = true;
    ALLOWS_IMMOBILE: bool = true;
}

rule_table! {
    /// Likewise, without check.
    TinyCapture on Board3x3: [
        KindSpec::pawn('C', 2, GOLD),
        KindSpec::new('E', 1, Movement::ELEPHANT, None),
        KindSpec::royal('L'),
    ]
    PROMOTION: Promotion = Promotion::Forced;
    ALLOWS_NIFU: bool = true;
    ALLOWS_IMMOBILE: bool = true;
    ROYAL_SAFETY: bool = false;
}
