//! Rule sets whose games form closed worlds.

use shogi_core::{Colour, Placement, Square, camp};
#[cfg(feature = "text")]
use shogi_rules::SmallBoard;
use shogi_rules::{Dobutsu, Rules, Shogi34, parse_sfen};

use crate::pieces::PieceSet;

/// A rule set whose positions can be listed, small enough for a table.
///
/// A custom variant needs no method, or only the squares of the kings that end the game, so that no numbers are
/// kept for them:
///
/// ```
/// # use shogi_rules::shogi_core::*;
/// # use shogi_rules::Rules;
/// # use shogi_tablebase::World;
/// # #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
/// # struct PawnGame;
/// # impl RuleTable for PawnGame {
/// #     type Geometry = Board3x4;
/// #     const KINDS: &'static [KindSpec] =
/// #         &[KindSpec::pawn('P', 2, Some(Movement::GOLD)), KindSpec::royal('K')];
/// # }
/// # impl Rules for PawnGame {
/// #     const NAME: &'static str = "pawn game";
/// #     const START: &'static str = "1k1/1p1/1P1/1K1 b - 1";
/// # }
/// impl World for PawnGame {}
/// ```
///
/// Left and right must be alike, no capture may be a duty, and a repetition must be a win for nobody: it counts as a
/// draw. An [`Index`](crate::Index) refuses other rules.
pub trait World: Rules {
    /// Whether the game is over, by [`is_over`](shogi_core::RuleTable::is_over), in every position
    /// with Sente to move, Gote's king not attacked and the kings on these squares.
    fn is_over_with_kings(_sente: Square<Self::Geometry>, _gote: Square<Self::Geometry>) -> bool {
        false
    }

    /// The form of the names of sets, for messages.
    const SET_NAMES: &str =
        "letters of pieces with their numbers, as many as the game has at most, such as G1L2";

    /// The set to use if none is named; `None` if a name is required. By default all pieces.
    fn default_set() -> Option<PieceSet<Self>> {
        Some(PieceSet::full())
    }

    /// The set with a name, by default the text that its `Display` writes.
    fn set_named(name: &str) -> Option<PieceSet<Self>> {
        PieceSet::parse(name)
    }

    /// The name of a set.
    fn name_of(set: &PieceSet<Self>) -> String {
        set.to_string()
    }

    /// The starts with the pieces of a set and their names, one of each two mirror images. By default
    /// the start of the game, as `startpos`.
    fn starts(set: &PieceSet<Self>) -> Vec<(String, Placement<Self>)> {
        let start = parse_sfen(Self::start_sfen()).map(|(start, _)| ("startpos".to_owned(), start));
        start.into_iter().filter(|(_, start)| PieceSet::of(start) == *set).collect()
    }
}

/// A rule set loaded at run time, if its board is small.
#[cfg(feature = "text")]
impl World for SmallBoard {}

impl World for Shogi34 {
    const SET_NAMES: &str = "two officers in the order R B G S N L P, such as GS";

    fn default_set() -> Option<PieceSet<Self>> {
        None
    }

    /// Two officers; see [`PieceSet::officers`].
    fn set_named(name: &str) -> Option<PieceSet<Self>> {
        PieceSet::officers(name).or_else(|| PieceSet::parse(name))
    }

    fn name_of(set: &PieceSet<Self>) -> String {
        set.officer_names().unwrap_or_else(|| set.to_string())
    }

    fn starts(set: &PieceSet<Self>) -> Vec<(String, Placement<Self>)> {
        let start = |name: String| Some((name.clone(), Self::named_start(&name).ok()?));
        set.starts().into_iter().filter_map(start).collect()
    }
}

impl World for Dobutsu {
    /// A lion that is not attacked on the last rank has won.
    fn is_over_with_kings(_sente: Square<Self::Geometry>, gote: Square<Self::Geometry>) -> bool {
        camp(Colour::Gote, 1).contains(gote)
    }
}
