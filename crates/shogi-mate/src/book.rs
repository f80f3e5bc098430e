//! Lengths by the count of problem books.
//!
//! The definition and its consequences are in `docs/how/mate.md`. The book's length lies between two lengths
//! that proof-number search finds: one in which the attacker may treat every interposition as useless, and one
//! in which every move counts. Only where these differ are the moves of a position compared with each other.

use rustc_hash::FxHashMap;
use shogi_core::{Move, Position, checks};
use shogi_rules::Rules;

use super::interposition::{self, Count};
use super::memory::UNLIMITED;
use super::search::{MateSearch, step};
use crate::budget::Budget;

/// The known bound of a length.
#[derive(Clone, Copy)]
struct Bound {
    /// A lower bound.
    least: u16,
    /// Whether the bound is exact.
    exact: bool,
}

/// A length, if it is at most a limit; `None` if it is more.
pub type Within = Option<u16>;

/// The replies that last as long as a position does, by the book's count.
pub struct Defence<R: Rules> {
    /// The length.
    pub length: u16,
    /// The replies, none of them useless.
    pub replies: Vec<Move<R>>,
}

/// Lengths by the book's count; it remembers its findings.
pub struct Book<'s, 't, 'b, R: Rules> {
    search: &'s mut MateSearch<'t, R>,
    budget: &'s mut Budget<'b>,
    known: FxHashMap<u64, Bound>,
}

impl<'s, 't, 'b, R: Rules> Book<'s, 't, 'b, R> {
    /// Starts without findings.
    pub fn new(search: &'s mut MateSearch<'t, R>, budget: &'s mut Budget<'b>) -> Self {
        Self { search, budget, known: FxHashMap::default() }
    }

    /// Whether the attacker is to move.
    pub fn is_attacking(&self, position: &Position<R>) -> bool {
        self.search.is_attacking(position)
    }

    /// The length of a mate from a position on, if it is within a limit. The outer `None` means that the budget
    /// ended.
    pub fn length(&mut self, position: &Position<R>, within: u16) -> Option<Within> {
        let bound = self.known.get(&position.key()).copied();
        let bound = bound.unwrap_or(Bound { least: 0, exact: false });
        if bound.exact || bound.least > within {
            return Some((bound.least <= within).then_some(bound.least));
        }
        let length = self.search_length(position, bound.least, within)?;
        let bound = match length {
            Some(least) => Bound { least, exact: true },
            None => Bound { least: within + 1, exact: false },
        };
        self.known.insert(position.key(), bound);
        Some(length)
    }

    fn search_length(&mut self, position: &Position<R>, from: u16, within: u16) -> Option<Within> {
        let Some(least) = self.relaxed(position, from, within)? else { return Some(None) };
        if self.is_mate(Count::Moves, position, least)? {
            return Some(Some(least));
        }
        if !self.is_attacking(position) {
            return Some(self.defence(position, within)?.map(|defence| defence.length));
        }
        let moves = checks(position);
        let mut limit = least;
        while limit <= within {
            for &mv in &moves {
                if self.is_within(&position.play_unchecked(mv), limit - 1)? {
                    return Some(Some(limit));
                }
            }
            limit += step::<R>();
        }
        Some(None)
    }

    /// The attacker's moves after which the mate takes at most `left` plies.
    pub fn attacks(&mut self, position: &Position<R>, left: u16) -> Option<Vec<Move<R>>> {
        let mut found = checks(position);
        let mut ended = false;
        found.retain(|&mv| {
            let within =
                if ended { None } else { self.is_within(&position.play_unchecked(mv), left) };
            ended |= within.is_none();
            within == Some(true)
        });
        (!ended).then_some(found)
    }

    /// The length of a position with the defender to move, and the replies that last that long.
    ///
    /// It starts with the longest reply that does not interpose, then takes the shortest longer interposition
    /// that is not useless, and so on, until all longer ones are useless. Useless interpositions of that length
    /// are left out, unless there are no other replies.
    pub fn defence(&mut self, position: &Position<R>, within: u16) -> Option<Option<Defence<R>>> {
        let line = interposition::squares(position);
        let mut length = 0;
        let mut evasions = Vec::new();
        let mut open = Vec::new();
        for &mv in &position.legal_moves() {
            if line.contains(mv.to()) {
                open.push(mv);
                continue;
            }
            let Some(after) = self.reply(position, mv, within)? else { return Some(None) };
            length = length.max(after);
            evasions.push((mv, after));
        }
        let interpositions = open.clone();
        let mut last_counted = Vec::new();
        loop {
            self.keep_longer(position, &mut open, length)?;
            self.drop_useless(position, &mut open, length)?;
            if open.is_empty() {
                break;
            }
            let mut shortest: Within = None;
            for &mv in &open {
                let limit = shortest.unwrap_or(within);
                let Some(after) = self.reply(position, mv, limit)? else { continue };
                if shortest.is_none_or(|shortest| after < shortest) {
                    last_counted.clear();
                }
                last_counted.push(mv);
                shortest = Some(after);
            }
            let Some(shortest) = shortest else { return Some(None) };
            length = shortest;
        }
        let mut replies: Vec<_> = evasions.iter().filter(|r| r.1 == length).map(|r| r.0).collect();
        for mv in interpositions {
            let lasts = self.reply(position, mv, length)? == Some(length);
            if lasts && !self.is_useless(position, mv, length)? {
                replies.push(mv);
            }
        }
        if replies.is_empty() {
            replies = last_counted;
        }
        Some(Some(Defence { length, replies }))
    }

    /// Drops the replies that do not make the mate longer.
    fn keep_longer(
        &mut self,
        position: &Position<R>,
        replies: &mut Vec<Move<R>>,
        length: u16,
    ) -> Option<()> {
        let mut ended = false;
        replies.retain(|&mv| {
            let within = if ended { None } else { self.reply(position, mv, length) };
            ended |= within.is_none();
            within == Some(None)
        });
        (!ended).then_some(())
    }

    /// Drops the interpositions that are useless, given the length of the mate without them.
    fn drop_useless(
        &mut self,
        position: &Position<R>,
        interpositions: &mut Vec<Move<R>>,
        length: u16,
    ) -> Option<()> {
        let mut ended = false;
        interpositions.retain(|&mv| {
            let useless = if ended { None } else { self.is_useless(position, mv, length) };
            ended |= useless.is_none();
            useless != Some(true)
        });
        (!ended).then_some(())
    }

    /// Whether an interposition only prolongs a mate of this length: it is captured at once with check, and
    /// with the piece given back the mate takes no longer.
    pub fn is_useless(&mut self, position: &Position<R>, mv: Move<R>, length: u16) -> Option<bool> {
        let interposed = position.play_unchecked(mv);
        for &capture in &checks(&interposed) {
            if interposition::is_capture_with_check(&interposed, capture, mv.to()) {
                let returned = interposition::returned(&interposed, capture);
                if self.is_within(&returned, length)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// The length of a position by a reply, if it is within a limit.
    fn reply(&mut self, position: &Position<R>, mv: Move<R>, within: u16) -> Option<Within> {
        let Some(within) = within.checked_sub(1) else { return Some(None) };
        let after = self.length(&position.play_unchecked(mv), within)?;
        Some(after.map(|length| length + 1))
    }

    fn is_within(&mut self, position: &Position<R>, within: u16) -> Option<bool> {
        Some(self.length(position, within)?.is_some())
    }

    /// The least length if the attacker may treat every interposition as useless, if it is within a limit.
    fn relaxed(&mut self, position: &Position<R>, from: u16, within: u16) -> Option<Within> {
        let odd = u16::from(self.is_attacking(position));
        let mut limit = if step::<R>() == 2 { from + (from + odd) % 2 } else { from.max(odd) };
        while limit <= within {
            if self.is_mate(Count::Book, position, limit)? {
                return Some(Some(limit));
            }
            limit += step::<R>();
        }
        Some(None)
    }

    /// Whether there is a mate in this many plies, counted in this way.
    fn is_mate(&mut self, count: Count, position: &Position<R>, limit: u16) -> Option<bool> {
        debug_assert!(limit < UNLIMITED, "a mate has a length");
        let known = self.search.run_counting(count, position, limit, self.budget);
        known.is_final().then_some(known.is_proved())
    }
}
