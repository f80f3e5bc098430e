//! Tiny worlds.

use shogi_core::*;
use shogi_rules::{Outcome, Reason, RepetitionResult, RepetitionRule, Rules};
use shogi_tablebase::{
    BuildError, Builder, Index, IndexError, Members, PieceSet, World, shogi_core,
};

geometry! {
    /// Three files and three ranks.
    pub Board3x3: 3 x 3 in u16;
    /// Two files: no middle one.
    pub Board2x4: 2 x 4 in u16;
}

/// Rooks and pawns on nine squares; kings can be captured, and nothing is forbidden.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Wild;

impl RuleTable for Wild {
    type Geometry = Board3x3;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ];
    const ALLOWS_NIFU: bool = true;
    const ALLOWS_DROP_PAWN_MATE: bool = true;
    const ALLOWS_IMMOBILE: bool = true;
    const ROYAL_SAFETY: bool = false;

    fn is_over(placement: &Placement<Self>) -> bool {
        Colour::ALL.into_iter().any(|colour| placement.king(colour).is_none())
    }
}

impl Rules for Wild {
    const NAME: &'static str = "wild";
    const START: &'static str = "1k1/3/1K1 b RP 1";

    fn ending(placement: &Placement<Self>) -> Option<Outcome> {
        let mover = placement.side();
        if placement.king(mover).is_none() {
            return Some(Outcome::win(!mover, Reason::LionCaptured));
        }
        placement.has_no_move().then(|| Outcome::win(!mover, Reason::Stalemate))
    }
}

impl World for Wild {}

/// Two files, so that no square is its own mirror image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Narrow;

impl RuleTable for Narrow {
    type Geometry = Board2x4;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::royal('K'),
    ];
}

impl Rules for Narrow {
    const NAME: &'static str = "narrow";
    const START: &'static str = "1k/p1/1P/K1 b - 1";
}

impl World for Narrow {}

/// Declares a world of kings and a piece on nine squares that no index is made for.
macro_rules! refused_world {
    ($name:ident: $piece:expr; $($constant:ident: $type:ty = $value:expr),*; $repetition:expr) => {
        /// A world that no index is made for.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        struct $name;

        impl RuleTable for $name {
            type Geometry = Board3x3;
            const KINDS: &'static [KindSpec] = &[$piece, KindSpec::royal('K')];
            $(const $constant: $type = $value;)*
        }

        impl Rules for $name {
            const NAME: &'static str = "refused";
            const START: &'static str = "1k1/3/1K1 b - 1";
            const REPETITION: RepetitionRule = $repetition;
        }

        impl World for $name {}
    };
}

const PIECE: KindSpec = KindSpec::new('P', 2, Movement::GOLD, Some(Movement::ROOK));

refused_world! { Quails: KindSpec::new('L', 2, QUAIL, None);; RepetitionRule::SENNICHITE }
refused_world! { Repeater: PIECE;; REPEATER }

/// A piece that moves otherwise in the mirror.
const QUAIL: Movement = Movement::of(
    RaysAndJumps::NONE
        .with_ray(Direction::North, RaysAndJumps::FAR)
        .with_ray(Direction::SouthEast, RaysAndJumps::FAR),
);

/// Who brings a repetition about has lost.
const REPEATER: RepetitionRule =
    RepetitionRule { result: RepetitionResult::RepeaterLoses, ..RepetitionRule::SENNICHITE };

#[test]
fn there_is_no_index_for_rules_that_it_is_not_made_for() {
    fn refused<R: World>() -> IndexError {
        Index::new(PieceSet::<R>::full(), Members::Safe).unwrap_err()
    }
    assert_eq!(refused::<Quails>(), IndexError::Mirror);
    assert_eq!(refused::<Repeater>(), IndexError::Repetition);
    let building = Builder::new(PieceSet::<Quails>::full(), None).map(drop);
    assert!(matches!(building, Err(BuildError::Index(IndexError::Mirror))));
}

/// A set of pieces by its name.
pub fn set<R: World>(name: &str) -> PieceSet<R> {
    PieceSet::parse(name).expect("the name of a set")
}
