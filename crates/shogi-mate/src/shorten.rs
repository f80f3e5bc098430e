//! Shortens mates.
//!
//! A proof found by a search for any mate has detours, most of which a few moves avoid. So the line of play is
//! walked from its end to its start, and each position with the attacker to move is searched for a shorter mate
//! with a small budget. Known mates end that search, so most of its lines are short. If it succeeds, the
//! players choose again: another reply may now be the longest, and its line is walked next. When a whole walk
//! has ended, budgets double.
//!
//! A long mate is also compared with those by other checks. A first mate by another check is longer in most
//! cases, since nobody has shortened it. So it is walked as well, down to positions that were searched before.
//!
//! A position n plies from the end is searched for a mate within n - 2, the one a move later within n - 3, and so on: each
//! search begins with the numbers and refutations that those after it have left in the table, and a
//! refutation at the root settles the length.

use rustc_hash::FxHashMap;
use shogi_core::Position;
use shogi_rules::Rules;

use super::line::{Choice, Played};
use super::memory::UNLIMITED;
use super::search::{MateSearch, step};
use crate::budget::Budget;

/// Moves played for a position in the first walk.
const FIRST_EFFORT: u64 = 1 << 8;
/// The least length at which mates by other checks are looked for. Below it they cost more than they gain.
const LONG: u16 = 48;
/// The divisor of the moves played for a position that gives those played for any mate by each other check.
const BESIDE: u64 = 2;
/// The most moves played to note a length that follows from the lengths after the moves.
pub const EFFORT_TO_NOTE: u64 = 1 << 12;
/// The most positions remembered as searched in a walk; others are searched again.
const MOST_SEARCHED: usize = 1 << 16;

/// The result of a walk.
enum Walked {
    /// The start of the line, which has no mate of fewer plies than this.
    Least(u16),
    /// The start of the line.
    Start,
    /// Interrupted by the end of the budget, or by a proof that the table has lost.
    Interrupted,
}

/// The result of a search for a shorter mate.
enum Found {
    /// A shorter mate, of this many plies.
    Mate(u16),
    /// There is no shorter mate.
    Never,
    /// Nothing was found.
    NotYet,
}

/// Walks along the line of a mate, over several turns.
#[derive(Debug)]
pub struct Shortening {
    /// Moves played for a position.
    effort: u64,
    /// Positions in which this effort has found nothing shorter than these plies, by key, and those after other checks.
    searched: FxHashMap<u64, u16>,
    /// The least length at which mates by other checks are looked for.
    long: u16,
}

impl Shortening {
    /// Starts without searched positions.
    pub fn new() -> Self {
        Self { effort: FIRST_EFFORT, searched: FxHashMap::default(), long: LONG }
    }

    /// Looks for shorter mates from a known mate until the budget ends, or until there is none: then returns
    /// the least length.
    pub fn go_on<R: Rules>(
        &mut self,
        search: &mut MateSearch<'_, R>,
        root: &Position<R>,
        budget: &mut Budget<'_>,
    ) -> Option<u16> {
        loop {
            match self.walk(&mut Played::new(search, budget, root), true) {
                Walked::Least(length) => return Some(length),
                Walked::Interrupted => return None,
                Walked::Start => {
                    self.effort = self.effort.saturating_mul(2);
                    self.searched.clear();
                }
            }
        }
    }

    /// Plays the line to its end and takes it back move by move. If the player to move now has a better move
    /// than the one taken back, plays that and continues to the end, or to a position that was searched before.
    fn walk<R: Rules>(&mut self, line: &mut Played<'_, '_, '_, R>, looks_beside: bool) -> Walked {
        // The lengths before each move.
        let mut lengths = Vec::new();
        if line.has_ended() {
            return Walked::Least(0);
        }
        let Some(mut promised) = line.length_of(line.last()) else { return Walked::Interrupted };
        loop {
            while !line.has_ended() && !self.is_searched(line, promised) {
                let Some((index, length)) = choose(line, promised) else {
                    return Walked::Interrupted;
                };
                lengths.push(length);
                line.play(index);
                promised = length - 1;
            }
            promised = loop {
                let Some(length) = lengths.pop() else { return Walked::Start };
                let played = line.take_back();
                let Some((index, length)) = choose(line, length) else {
                    return Walked::Interrupted;
                };
                if Some(line.listed(index)) != played {
                    break length;
                }
                if !line.is_attacking() {
                    continue;
                }
                let mut found = self.shorten(line, length);
                if looks_beside && length >= self.long && matches!(found, Found::NotYet) {
                    found = self.walk_beside(line, length);
                }
                match found {
                    Found::Mate(shorter) => break shorter,
                    Found::Never if lengths.is_empty() => return Walked::Least(length),
                    _ => {}
                }
            };
        }
    }

    /// Looks for a mate shorter than `length` from the position at the end of a line, unless that was done
    /// before.
    fn shorten<R: Rules>(&mut self, line: &mut Played<'_, '_, '_, R>, length: u16) -> Found {
        let Some(shorter) = length.checked_sub(step::<R>()) else { return Found::Never };
        if self.is_searched(line, length) {
            return Found::NotYet;
        }
        let known = line.run(shorter, self.effort);
        if known.is_proved() {
            return Found::Mate(known.length);
        }
        if known.is_refuted() {
            return Found::Never;
        }
        self.note_searched(line.budget, line.last().key(), length);
        Found::NotYet
    }

    /// Looks for a mate shorter than `length` from the end of a line by checks beside it: searches for any mate by each, and
    /// walks those that are at most twice as long.
    fn walk_beside<R: Rules>(&mut self, line: &mut Played<'_, '_, '_, R>, length: u16) -> Found {
        let shorter = length.saturating_sub(1 + step::<R>());
        for index in 0..line.list() {
            let after = line.after(index);
            let is_settled = self.searched.contains_key(&after.key())
                || line.try_after(index, shorter, 1).is_refuted();
            if is_settled {
                continue;
            }
            let known = line.try_after(index, UNLIMITED, self.effort / BESIDE);
            if known.is_proved() && known.length > shorter && known.length / 2 <= length {
                self.walk(&mut Played::new(line.search, line.budget, &after), false);
            }
            self.note_searched(line.budget, after.key(), length);
            if let Some(found) = line.length_of(&after).filter(|&found| found <= shorter) {
                return Found::Mate(found + 1);
            }
        }
        Found::NotYet
    }

    /// Whether this effort has found nothing shorter than `length` from the end of a line with the attacker to move.
    fn is_searched<R: Rules>(&self, line: &Played<'_, '_, '_, R>, length: u16) -> bool {
        let searched = self.searched.get(&line.last().key());
        line.is_attacking() && searched.is_some_and(|&searched| searched <= length)
    }

    /// Notes that a position was searched, unless the budget has ended that.
    fn note_searched(&mut self, budget: &Budget<'_>, key: u64, length: u16) {
        if budget.is_over() {
            return;
        }
        if self.searched.len() >= MOST_SEARCHED {
            self.searched.clear();
        }
        self.searched.insert(key, length);
    }
}

/// The best move of the player to move at the end of a line, by its index, with its length, which is stored in
/// the table. `None` if the budget ends.
fn choose<R: Rules>(line: &mut Played<'_, '_, '_, R>, promised: u16) -> Option<Choice> {
    if line.budget.is_over() {
        return None;
    }
    let choice = line.choose(false, promised)?;
    let moves = line.list() as u64;
    line.budget.spend(moves);
    if line.search.known_length(line.last()).is_none_or(|known| known > choice.1) {
        line.run(choice.1, EFFORT_TO_NOTE);
    }
    Some(choice)
}

#[cfg(test)]
mod tests {
    use shogi_core::checks;
    use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Verdict, parse_problem, to_sfen};
    use testing::random::Random;
    use testing::sample::{Style, legal};

    use super::*;
    use crate::table::TranspositionTable;

    /// Whether there is a mate within this many plies, by all checks and all replies.
    fn naive<R: Rules>(position: &Position<R>, attacking: bool, plies: u16) -> bool {
        match R::verdict(position) {
            Some(Verdict::Win) => return attacking,
            Some(Verdict::Loss) => return !attacking,
            Some(Verdict::Draw) => return false,
            None if plies == 0 => return false,
            None => {}
        }
        let after = |mv| naive(&position.play_unchecked(mv), !attacking, plies - 1);
        match attacking {
            true => checks(position).into_iter().any(after),
            false => position.legal_moves().into_iter().all(after),
        }
    }

    /// Shortens any mate with this many nodes; other checks are looked at from `long` plies on. Returns its length, the new
    /// length, and the least one if it is known.
    fn shortened<R: Rules>(
        root: &Position<R>,
        hash_bytes: usize,
        long: u16,
        nodes: u64,
    ) -> Option<(u16, u16, Option<u16>)> {
        let mut table = TranspositionTable::growing_to(hash_bytes);
        let mut search = MateSearch::new(&mut table, root.side());
        let any = search.run(root, UNLIMITED, &mut Budget::nodes(nodes));
        if !any.is_proved() {
            return None;
        }
        let mut shortening = Shortening { long, ..Shortening::new() };
        let least = shortening.go_on(&mut search, root, &mut Budget::nodes(nodes));
        let length = search.known_length(root).unwrap_or(any.length);
        Some((any.length, length.min(least.unwrap_or(length)), least))
    }

    /// Compares random mates with all lines. Returns how many became shorter, and how many are known to be
    /// shortest.
    fn compare<R: Rules>(positions: usize) -> (usize, usize) {
        let mut random = Random::new(5);
        let (mut shorter, mut least) = (0, 0);
        for number in 0..positions {
            let root = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
            if R::is_over(&root) {
                continue;
            }
            for (hash_bytes, long) in [(8 << 20, LONG), (0, LONG), (8 << 20, 0), (0, 0)] {
                let found = shortened(&root, hash_bytes, long, 20_000);
                let Some((any, length, known)) = found else { continue };
                let name = to_sfen(&root);
                assert!(length <= any && known.is_none_or(|known| known == length), "{name}");
                if length <= 5 {
                    assert!(naive(&root, true, length), "{name} {length}");
                }
                if known.is_some() {
                    let fewer = length.saturating_sub(1).min(4);
                    assert!(!naive(&root, true, fewer), "{name} {length}");
                }
                shorter += usize::from(length < any);
                least += usize::from(known.is_some());
            }
        }
        (shorter, least)
    }

    #[test]
    fn lengths_are_those_of_all_lines() {
        let found =
            [compare::<Minishogi>(400), compare::<KyotoShogi>(400), compare::<Dobutsu>(800)];
        assert!(found.iter().all(|&(shorter, least)| shorter > 6 && least > 200), "{found:?}");
    }

    /// From a mate of 29 or 35 plies to the least length, which the search upwards finds, too.
    #[test]
    fn a_long_mate_becomes_a_shortest_one() {
        for (sfen, long, least) in
            [("+R3K/5/+S1G2/+p3B/1Bkrs b Gp 1", 29, 21), ("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1", 33, 13)]
        {
            let root = parse_problem::<Minishogi>(sfen).unwrap();
            for from in [LONG, 0] {
                let found = shortened(&root, 64 << 20, from, 5_000_000).unwrap();
                assert_eq!(found, (long, least, Some(least)), "{sfen}");
            }
        }
    }
}
