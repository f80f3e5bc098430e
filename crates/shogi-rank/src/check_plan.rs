//! The demands of a class on the squares around two kings, and their state while the squares are filled.

use crate::checks::Company;
use crate::king_view::Rays;
use crate::table::{Squares, has};
use crate::trellis::End;
use crate::ways::{Outcome, Way};

/// The demands of a class on the rest of a half-filled board, or on a whole board.
///
/// Squares that are filled are in none of its sets, and ways that are barred or free in none of its lists, so that boards
/// whose pasts demand the same have the same plan.
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
    /// The ways that matter and are neither barred nor free so far; none where the outcome is as demanded.
    ways: Vec<OpenWay>,
    /// Whether a way that captures is free.
    captures: bool,
    /// The outcomes of the ways that are demanded, as the bits of their numbers.
    outcomes: u8,
}

/// The squares on which an open [`Way`] still depends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct OpenWay {
    empty: Squares,
    /// Empty once a screening piece has been found.
    screen: Squares,
    pawnless: Squares,
    captures: bool,
}

/// The content of a square, as far as it matters to ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Put {
    Nothing,
    /// An unpromoted pawn of Gote's.
    Pawn,
    Other,
}

/// The verdict on the ways of a plan.
enum Verdict {
    /// It is open.
    Open,
    /// They are as demanded if what is left is shared so.
    Met(End),
    /// They are not as demanded.
    Missed,
}

impl Plan {
    /// No demand.
    pub(crate) fn nothing() -> Self {
        Self {
            checkers: 0,
            pawns: 0,
            transparent: [0; 2],
            attacked: [0; 2],
            empty: 0,
            ways: Vec::new(),
            captures: false,
            outcomes: ANY_OUTCOME,
        }
    }

    /// The plan with ways whose outcome is one of these; `None` if that is impossible.
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
        if self.outcomes == ANY_OUTCOME {
            ways.clear();
        }
        let ways = ways.iter().map(|&Way { empty, screen, pawnless, captures, .. }| OpenWay {
            empty,
            screen,
            pawnless,
            captures,
        });
        self.ways = undominated(ways);
        Some(self.judged(false)?.0)
    }

    /// Whether the plan depends on any way.
    pub(crate) fn has_ways(&self) -> bool {
        !self.ways.is_empty()
    }

    fn wants(&self, outcome: Outcome) -> bool {
        self.outcomes & bit(outcome) != 0
    }

    /// The demands after a square has been filled, given the squares still to be filled and the undecided rays;
    /// and how the remaining pieces must be shared, if this square has decided the ways. `None` if the demands
    /// are not met.
    pub(crate) fn after(
        &self,
        square: u8,
        put: Put,
        later: Squares,
        attacked: [Rays; 2],
    ) -> Option<(Self, Option<End>)> {
        let rest = Self {
            checkers: self.checkers & later,
            pawns: self.pawns & later,
            transparent: self.transparent.map(|squares| squares & later),
            attacked,
            empty: self.empty & later,
            ways: Vec::new(),
            ..*self
        };
        if self.ways.is_empty() {
            return Some((rest, None));
        }
        let (mut captures, mut is_quiet) = (self.captures, false);
        let mut open = Vec::new();
        for way in &self.ways {
            let mut way = *way;
            if put != Put::Nothing && has(way.empty, square)
                || put == Put::Pawn && has(way.pawnless, square)
            {
                continue;
            }
            if put != Put::Nothing && has(way.screen, square) {
                way.screen = 0;
            } else if way.screen != 0 && way.screen & later == 0 {
                continue;
            }
            way.empty &= later;
            way.screen &= later;
            way.pawnless &= later;
            if way.screen == 0 && way.empty | way.pawnless == 0 {
                is_quiet |= !way.captures;
                captures |= way.captures;
            } else {
                open.push(way);
            }
        }
        Self { ways: undominated(open.into_iter()), captures, ..rest }.judged(is_quiet)
    }

    /// The plan without its ways once they are decided, and how the remaining pieces must then be shared;
    /// `None` if the ways are not as demanded.
    fn judged(mut self, is_quiet: bool) -> Option<(Self, Option<End>)> {
        if self.captures {
            self.ways.retain(|way| !way.captures);
        }
        let end = match self.verdict(is_quiet) {
            Verdict::Missed => return None,
            Verdict::Open => return Some((self, None)),
            Verdict::Met(end) => end,
        };
        self.ways.clear();
        (self.captures, self.outcomes) = (false, ANY_OUTCOME);
        Some((self, Some(end)))
    }

    fn verdict(&self, is_quiet: bool) -> Verdict {
        let wants_quiet = self.wants(Outcome::Quiet);
        if is_quiet {
            return if wants_quiet { Verdict::Met(End::Any) } else { Verdict::Missed };
        }
        let (capture, barred) = (self.wants(Outcome::Capture), self.wants(Outcome::Barred));
        if !self.ways.is_empty() {
            let may_still = wants_quiet && self.ways.iter().any(|way| !way.captures);
            return if capture || barred || may_still { Verdict::Open } else { Verdict::Missed };
        }
        match (self.captures, capture, barred) {
            (true, true, true) | (false, _, true) => Verdict::Met(End::Any),
            (true, true, false) => Verdict::Met(End::GoteHasSome),
            (true, false, true) => Verdict::Met(End::GoteHasNone),
            (true | false, _, false) => Verdict::Missed,
        }
    }
}

/// The ways in order, without those that another way dominates: one that is as good, and free whenever they
/// are.
fn undominated(ways: impl Iterator<Item = OpenWay>) -> Vec<OpenWay> {
    let is_within = |fewer: Squares, more: Squares| fewer & !more == 0;
    let beats = |a: &OpenWay, b: &OpenWay| {
        a.captures <= b.captures
            && is_within(a.empty, b.empty)
            && is_within(a.pawnless, b.pawnless)
            && (a.screen == 0 || a.screen == b.screen)
    };
    let mut kept: Vec<OpenWay> = Vec::new();
    for way in ways {
        if !kept.iter().any(|other| beats(other, &way)) {
            kept.retain(|other| !beats(&way, other));
            kept.push(way);
        }
    }
    kept.sort_unstable();
    kept
}

/// All outcomes.
const ANY_OUTCOME: u8 = 0b111;

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

    /// Numbers that give the king this company.
    pub(crate) const fn company(company: Company) -> &'static [(Self, i8)] {
        match company {
            Company::Bare => &[(Self::Exactly(0), 1)],
            Company::One => &[(Self::Exactly(1), 1)],
            Company::Several => &[(Self::AtLeast(2), 1)],
        }
    }

    /// Numbers that give the king this company, as a sum of fewer different demands, some with a negative sign.
    pub(crate) const fn company_by_difference(company: Company) -> &'static [(Self, i8)] {
        match company {
            Company::Bare | Company::One => Self::company(company),
            Company::Several => &[(Self::ANY, 1), (Self::Exactly(0), -1), (Self::Exactly(1), -1)],
        }
    }

    /// The condition after one more; `None` if no more is allowed.
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
