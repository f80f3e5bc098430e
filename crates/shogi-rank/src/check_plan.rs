//! What a class demands of the squares around two kings, and how much of it is met while they are
//! filled.

use crate::checks::Company;
use crate::king_view::Rays;
use crate::table::{Squares, has};
use crate::trellis::End;
use crate::ways::{Outcome, Way};

/// What a class demands of a board besides its checkers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Plan {
    pub(crate) checkers: Squares,
    /// Those of them that are unpromoted pawns, which count for nifu.
    pub(crate) pawns: Squares,
    /// The checkers through which Sente's king looks to what is behind, and those through which
    /// Gote's does.
    pub(crate) transparent: [Squares; 2],
    /// The rays from Sente's king, and from Gote's, on which a piece must attack behind a checker.
    pub(crate) attacked: [Rays; 2],
    pub(crate) empty: Squares,
    pub(crate) ways: Vec<Way>,
    /// The outcomes of the ways that are demanded, as the bits of their numbers.
    pub(crate) outcomes: u8,
}

/// What is known of the ways of a plan on a board that is half filled, a bit for each.
///
/// On a ray towards the checker at most its nearest square and those on lines from the king matter, so
/// that the bits are enough.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct WaysLeft {
    /// The ways that matter and are neither barred nor free so far.
    open: Squares,
    /// Those that are screened.
    screened: Squares,
    /// Whether one that captures is free.
    captures: bool,
}

/// What the ways of a plan come to.
pub(crate) enum Verdict {
    /// It is open.
    Open(WaysLeft),
    /// They are as demanded if what is left is shared so.
    Met(End),
    /// They are not as demanded.
    Missed,
}

impl Plan {
    /// No demand but that these squares have checkers and those between them and the king are empty.
    pub(crate) fn nothing() -> Self {
        Self {
            checkers: 0,
            pawns: 0,
            transparent: [0; 2],
            attacked: [0; 2],
            empty: 0,
            ways: Vec::new(),
            outcomes: Outcome::ALL.into_iter().fold(0, |all, outcome| all | bit(outcome)),
        }
    }

    /// The plan with ways whose outcome is one of these; `None` where it cannot be.
    pub(crate) fn with_ways(
        mut self,
        mut ways: Vec<Way>,
        outcomes: impl IntoIterator<Item = Outcome>,
    ) -> Option<Self> {
        self.outcomes = outcomes.into_iter().fold(0, |all, outcome| all | bit(outcome));
        // Captures that would change nothing, and all ways where no outcome is refused.
        if self.wants(Outcome::Capture) == self.wants(Outcome::Barred) {
            ways.retain(|way| !way.captures);
        }
        if Outcome::ALL.into_iter().all(|outcome| self.wants(outcome)) {
            ways.clear();
        }
        self.ways = undominated(ways);
        match self.verdict(self.ways_left(), false) {
            Verdict::Missed => None,
            Verdict::Met(_) | Verdict::Open(_) => Some(self),
        }
    }

    /// The ways before a square is filled.
    pub(crate) fn ways_left(&self) -> WaysLeft {
        let open = (0..self.ways.len()).fold(0, |open, way| open | 1 << way);
        WaysLeft { open, ..WaysLeft::default() }
    }

    fn wants(&self, outcome: Outcome) -> bool {
        self.outcomes & bit(outcome) != 0
    }

    /// What the ways come to when a square has been filled, with something or a pawn of Gote's, and
    /// these squares are to be filled yet.
    pub(crate) fn fill(
        &self,
        mut left: WaysLeft,
        square: u8,
        (is_filled, is_pawn): (bool, bool),
        later: Squares,
    ) -> Verdict {
        let mut is_quiet = false;
        for (i, way) in self.ways.iter().enumerate() {
            let bit = 1 << i;
            if left.open & bit == 0 {
                continue;
            }
            if is_filled && has(way.empty, square) || is_pawn && has(way.pawnless, square) {
                left.open &= !bit;
                continue;
            }
            if is_filled && has(way.screen, square) {
                left.screened |= bit;
            }
            let is_screened = way.screen == 0 || left.screened & bit != 0;
            if !is_screened && way.screen & later == 0 {
                left.open &= !bit;
            } else if is_screened && (way.empty | way.pawnless) & later == 0 {
                left.open &= !bit;
                is_quiet |= !way.captures;
                left.captures |= way.captures;
            }
        }
        self.verdict(left, is_quiet)
    }

    fn verdict(&self, mut left: WaysLeft, is_quiet: bool) -> Verdict {
        if is_quiet {
            return if self.wants(Outcome::Quiet) {
                Verdict::Met(End::Any)
            } else {
                Verdict::Missed
            };
        }
        let capturing = self.ways.iter().zip(0..).filter(|(way, _)| way.captures);
        let capturing = capturing.fold(0, |bits: Squares, (_, i)| bits | 1 << i);
        if left.captures {
            left.open &= !capturing;
        }
        let (capture, barred) = (self.wants(Outcome::Capture), self.wants(Outcome::Barred));
        if left.open != 0 {
            let may_still = left.open & !capturing != 0 && self.wants(Outcome::Quiet);
            if !capture && !barred && !may_still {
                return Verdict::Missed;
            }
            left.screened &= left.open;
            return Verdict::Open(left);
        }
        match (left.captures, capture, barred) {
            (true, true, true) | (false, _, true) => Verdict::Met(End::Any),
            (true, true, false) => Verdict::Met(End::GoteHasSome),
            (true, false, true) => Verdict::Met(End::GoteHasNone),
            (true | false, _, false) => Verdict::Missed,
        }
    }
}

/// The ways without those for which another one is as good, and free whenever they are.
fn undominated(ways: Vec<Way>) -> Vec<Way> {
    let is_within = |fewer: Squares, more: Squares| fewer & !more == 0;
    let mut kept: Vec<Way> = Vec::new();
    for way in ways {
        let beats = |a: &Way, b: &Way| {
            a.captures <= b.captures
                && is_within(a.empty, b.empty)
                && is_within(a.pawnless, b.pawnless)
                && (a.screen == 0 || a.screen == b.screen)
        };
        if !kept.iter().any(|other| beats(other, &way)) {
            kept.retain(|other| !beats(&way, other));
            kept.push(way);
        }
    }
    kept
}

fn bit(outcome: Outcome) -> u8 {
    1 << outcome as u8
}

/// How many more pieces of a player may come.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Coming {
    AtLeast(u8),
    Exactly(u8),
}

impl Coming {
    /// Any number.
    pub(crate) const ANY: Self = Self::AtLeast(0);

    /// As many as give the king this company.
    pub(crate) const fn company(company: Company) -> Self {
        match company {
            Company::Bare => Self::Exactly(0),
            Company::One => Self::Exactly(1),
            Company::Several => Self::AtLeast(2),
        }
    }

    /// What may come after one more; `None` where none may come.
    pub(crate) fn after_one(self) -> Option<Self> {
        match self {
            Self::AtLeast(number) => Some(Self::AtLeast(number.saturating_sub(1))),
            Self::Exactly(number) => number.checked_sub(1).map(Self::Exactly),
        }
    }

    /// Whether no more need to come.
    pub(crate) const fn may_end(self) -> bool {
        matches!(self, Self::AtLeast(0) | Self::Exactly(0))
    }
}
