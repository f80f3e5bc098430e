//! Rule sets: the name, the start and the end of a game, added to the rule table of single moves.

use alloc::string::String;
use core::fmt;

use shogi_core::{Colour, Face, Placement, Position, RuleTable, parse_position};

use crate::impasse::ImpasseRule;
use crate::outcome::{Outcome, Reason};
use crate::repetition::RepetitionRule;
use crate::spec::Stalemate;
use crate::start::StartError;

/// The result of a game for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Verdict {
    /// The player to move has won.
    Win,
    /// The player to move has lost.
    Loss,
    /// Nobody has won.
    Draw,
}

impl fmt::Display for Verdict {
    /// Its [name](Verdict::name).
    ///
    /// ```
    /// assert_eq!(shogi_rules::Verdict::Loss.to_string(), "loss");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Verdict {
    /// `win`, `loss` or `draw`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Draw => "draw",
        }
    }

    /// The result from the opponent's view.
    ///
    /// ```
    /// use shogi_rules::Verdict;
    /// assert_eq!(Verdict::Win.for_opponent(), Verdict::Loss);
    /// assert_eq!(Verdict::Draw.for_opponent(), Verdict::Draw);
    /// ```
    #[must_use]
    pub const fn for_opponent(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
        }
    }

    /// The points for the result: 1 for a win, 1/2 for a draw, 0 for a loss.
    pub const fn points(self) -> f32 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
        }
    }
}

/// How the rules judge a position, as a method of it.
pub trait Judged {
    /// How the game has ended in this position, whatever its history: [`Rules::ending`]. A repetition ends a
    /// [`Game`](crate::Game) only.
    ///
    /// ```
    /// use shogi_rules::{Judged as _, Minishogi, Reason, Rules as _, parse_position};
    /// assert_eq!(Minishogi::start().outcome(), None);
    /// let mated = parse_position::<Minishogi>("4k/4G/4P/5/K4 w - 1")?;
    /// assert_eq!(mated.outcome().map(|end| end.reason), Some(Reason::Checkmate));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn outcome(&self) -> Option<Outcome>;
}

impl<R: Rules> Judged for Placement<R> {
    fn outcome(&self) -> Option<Outcome> {
        R::ending(self)
    }
}

/// A complete rule set: a [`RuleTable`] with its name, its start and its end.
///
/// ```
/// use shogi_rules::{Minishogi, Rules};
/// let start = Minishogi::start();
/// assert_eq!(start.count_moves(), 14);
/// assert_eq!(Minishogi::verdict(&start), None);
/// ```
pub trait Rules: RuleTable {
    /// The name in scripts, such as `minishogi`.
    const NAME: &'static str;
    /// The start position in SFEN.
    const START: &'static str;

    /// The rule on repeated positions.
    const REPETITION: RepetitionRule = RepetitionRule::SENNICHITE;
    /// The result for a player who has no legal move and is not in check.
    const STALEMATE: Stalemate = Stalemate::Loss;
    /// How points decide a game that no mate will decide, if they can.
    const IMPASSE: Option<ImpasseRule> = None;

    /// The values of faces on the board from the literature, in hundredths of a pawn, by letters, with a plus
    /// before a promoted one. Royal pieces are left out; the list is empty if there is no source.
    const VALUES: &'static [(&'static str, i32)] = &[];
    /// Well-known castles as Sente builds them: their names, and their pieces with squares, the king first.
    const CASTLES: &'static [(&'static str, &'static [&'static str])] = &[];

    /// The name in scripts. This function and its siblings return the constants of the same meaning; only rule
    /// sets loaded at run time override them.
    #[inline]
    fn name() -> &'static str {
        Self::NAME
    }

    /// The start position in SFEN.
    #[inline]
    fn start_sfen() -> &'static str {
        Self::START
    }

    /// The rule on repeated positions.
    #[inline]
    fn repetition() -> RepetitionRule {
        Self::REPETITION
    }

    /// The result for a player who has no legal move and is not in check.
    #[inline]
    fn stalemate() -> Stalemate {
        Self::STALEMATE
    }

    /// How points decide a game that no mate will decide, if they can.
    #[inline]
    fn impasse() -> Option<ImpasseRule> {
        Self::IMPASSE
    }

    /// The text of a rule set that was loaded at run time. Files that carry their rules contain it.
    fn text() -> Option<String> {
        None
    }

    /// The value of a face on the board, in hundredths of a pawn, if a rule set loaded at run time states one.
    fn value(_face: Face) -> Option<i32> {
        None
    }

    /// The start position with a name, in variants that have several.
    ///
    /// # Errors
    ///
    /// If the variant has no named starts, or none with this name.
    ///
    /// ```
    /// use shogi_rules::{Minishogi, Rules, Shogi34, to_sfen};
    /// assert_eq!(to_sfen(&Shogi34::named_start("GKS")?), "skg/1p1/1P1/GKS b - 1");
    /// assert!(Minishogi::named_start("GKS").is_err());
    /// # Ok::<(), shogi_rules::StartError>(())
    /// ```
    fn named_start(_name: &str) -> Result<Placement<Self>, StartError> {
        Err(StartError::Unnamed { variant: Self::name() })
    }

    /// The start position, [`Rules::START`].
    ///
    /// # Panics
    ///
    /// If [`Rules::START`] is not a legal position, which is a mistake in the rule set.
    fn start() -> Position<Self> {
        match parse_position(Self::start_sfen()) {
            Ok(start) => start,
            Err(error) => panic!("the start position of {}: {error}", Self::name()),
        }
    }

    /// The end of the game in this position, if it ends whatever its history: by the [`GOAL`](RuleTable::GOAL)
    /// of the rule table, or because the player to move has no legal move.
    #[inline]
    fn ending(placement: &Placement<Self>) -> Option<Outcome> {
        if (Self::goal().is_some() || Self::safe_goal() > 0)
            && let Some(decided) = decided(placement)
        {
            return Some(decided);
        }
        placement.has_no_move().then(|| {
            let loser = placement.side();
            let attacked = placement.in_check(loser);
            if !attacked && Self::stalemate() == Stalemate::Draw {
                return Outcome::draw(Reason::Stalemate);
            }
            let mate = attacked && Self::royal_safety();
            let reason = if mate { Reason::Checkmate } else { Reason::Stalemate };
            Outcome::win(!loser, reason)
        })
    }

    /// The result of [`Rules::ending`] for the player to move.
    #[inline]
    fn verdict(placement: &Placement<Self>) -> Option<Verdict> {
        Some(Self::ending(placement)?.verdict(placement.side()))
    }
}

/// The end of the game by the [`GOAL`](RuleTable::GOAL) of a rule table, once that is reached.
fn decided<R: RuleTable>(placement: &Placement<R>) -> Option<Outcome> {
    let winner = match Colour::ALL.map(|colour| placement.has_won(colour)) {
        [true, true] => return Some(Outcome::draw(Reason::BothTries)),
        [true, false] => Colour::Sente,
        [false, true] => Colour::Gote,
        [false, false] => return None,
    };
    let captured = !R::royal_safety() && placement.king(!winner).is_none();
    let reason = if captured { Reason::LionCaptured } else { Reason::Try };
    Some(Outcome::win(winner, reason))
}
