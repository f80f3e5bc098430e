//! Tori shogi, Toyota Genryu 1799.

use shogi_core::{
    Direction, Kind, KindSpec, Movement, Promotion, RaysAndJumps, RuleTable, geometry,
};

use crate::repetition::{RepetitionResult, RepetitionRule};
use crate::rules::Rules;

geometry! {
    /// Seven by seven: Tori shogi.
    pub Board7x7: 7 x 7 in u64;
}

/// Tori shogi on 7x7: each player has sixteen birds, eight of them swallows.
///
/// Swallows and falcons must turn over by a move that begins or ends on the last two ranks. At most two
/// swallows of a player may stand on a file, a swallow's drop may not mate, and a swallow may not stand where
/// it can never move again. The player who repeats a position for the third time has lost, and so has a player
/// who gave only checks meanwhile; a player without a legal move has lost. Sources conflict: on Little Golem
/// promotion is optional and the fourth repetition is a draw.
///
/// ```
/// use shogi_rules::{Rules, ToriShogi, shogi_core::perft};
/// assert_eq!(perft(&ToriShogi::start(), 3), 5_430);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ToriShogi;

impl ToriShogi {
    /// The swallow; its back is a goose.
    pub const SWALLOW: Kind<Self> = Kind::of(0);
    /// The falcon; its back is an eagle.
    pub const FALCON: Kind<Self> = Kind::of(1);
    /// The crane.
    pub const CRANE: Kind<Self> = Kind::of(2);
    /// The pheasant.
    pub const PHEASANT: Kind<Self> = Kind::of(3);
    /// The left quail.
    pub const LEFT_QUAIL: Kind<Self> = Kind::of(4);
    /// The right quail.
    pub const RIGHT_QUAIL: Kind<Self> = Kind::of(5);
    /// The phoenix, which is royal.
    pub const PHOENIX: Kind<Self> = Kind::of(6);
}

const FAR: u8 = RaysAndJumps::FAR;
const FORWARD: Direction = Direction::North;
const BACK: Direction = Direction::South;
const LEFT: Direction = Direction::West;
const RIGHT: Direction = Direction::East;
const FORWARD_LEFT: Direction = Direction::NorthWest;
const FORWARD_RIGHT: Direction = Direction::NorthEast;
const BACK_LEFT: Direction = Direction::SouthWest;
const BACK_RIGHT: Direction = Direction::SouthEast;

const GOOSE: Movement = bird(&[], &[(2, -2), (2, 2), (-2, 0)]);
const FALCON: Movement = bird(
    &[
        (FORWARD, 1),
        (LEFT, 1),
        (RIGHT, 1),
        (FORWARD_LEFT, 1),
        (FORWARD_RIGHT, 1),
        (BACK_LEFT, 1),
        (BACK_RIGHT, 1),
    ],
    &[],
);
const EAGLE: Movement = bird(
    &[
        (FORWARD, 1),
        (LEFT, 1),
        (RIGHT, 1),
        (BACK, FAR),
        (FORWARD_LEFT, FAR),
        (FORWARD_RIGHT, FAR),
        (BACK_LEFT, 2),
        (BACK_RIGHT, 2),
    ],
    &[],
);
const CRANE: Movement = bird(
    &[
        (FORWARD, 1),
        (BACK, 1),
        (FORWARD_LEFT, 1),
        (FORWARD_RIGHT, 1),
        (BACK_LEFT, 1),
        (BACK_RIGHT, 1),
    ],
    &[],
);
const PHEASANT: Movement = bird(&[(BACK_LEFT, 1), (BACK_RIGHT, 1)], &[(2, 0)]);
const LEFT_QUAIL: Movement = bird(&[(FORWARD, FAR), (BACK_RIGHT, FAR), (BACK_LEFT, 1)], &[]);
const RIGHT_QUAIL: Movement = bird(&[(FORWARD, FAR), (BACK_LEFT, FAR), (BACK_RIGHT, 1)], &[]);

/// A movement by rays with their ranges and by jumps, given as squares forward and to the right; padding, jumps
/// farther than any piece's, is left out.
const fn bird(rays: &[(Direction, u8)], jumps: &[(i8, i8)]) -> Movement {
    let (mut reach, mut i) = (RaysAndJumps::NONE, 0);
    while i < rays.len() {
        reach = reach.with_ray(rays[i].0, rays[i].1);
        i += 1;
    }
    i = 0;
    while i < jumps.len() {
        if let Some(farther) = reach.with_jump(jumps[i].0, jumps[i].1) {
            reach = farther;
        }
        i += 1;
    }
    Movement::of(reach)
}

impl RuleTable for ToriShogi {
    type Geometry = Board7x7;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('S', 16, Some(GOOSE)),
        KindSpec::new('F', 2, FALCON, Some(EAGLE)),
        KindSpec::new('C', 4, CRANE, None),
        KindSpec::new('P', 4, PHEASANT, None),
        KindSpec::new('L', 2, LEFT_QUAIL, None),
        KindSpec::new('R', 2, RIGHT_QUAIL, None),
        KindSpec::royal('K'),
    ];
    const PROMOTION: Promotion = Promotion::Forced;
    const ZONE: u8 = 2;
    const PAWNS_ON_A_FILE: u8 = 2;
    const CAN_BE_OVER: bool = false;
}

impl Rules for ToriShogi {
    const NAME: &'static str = "torishogi";
    const START: &'static str = "rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1";
    const REPETITION: RepetitionRule =
        RepetitionRule { count: 3, result: RepetitionResult::RepeaterLoses, perpetual_check: true };
}
