//! The depth-first proof-number search over checks.
//!
//! The path from the root is a stack of frames, not of function calls: some mates take more than a
//! thousand plies.

mod others;

use rustc_hash::FxHashMap;
use shogi_core::{Bitboard, Colour, Hand, Move, Position, Square};
use shogi_rules::{Rules, Verdict};

use super::expansion::{Child, Selection, list, list_returns};
use super::first::{first_attack, first_defence};
use super::forks::{Forks, Spot};
use super::frame::Frame;
use super::hands;
use super::interposition::{self, Count};
use super::memory::{self, Known, Place, Recalled, UNLIMITED};
use super::store::Store;
use crate::budget::Budget;
use crate::bytes::map_bytes;
use crate::numbers::ProofNumbers;
use others::Others;

/// The longest path, far beyond every known mate.
const DEEPEST: usize = 20_000;
/// The most plies that predecessors are followed back to a fork.
const FARTHEST: usize = 20;
/// Table slots for each slot of [`Forks`]; the recently reached positions suffice.
const SLOTS_FOR_FORKS: usize = 8;
const MOST_FORKS: usize = 1 << 15;
/// The key of an empty path.
const ROOT_PATH: u64 = 0x1234_5678_9abc_def1;

/// The least difference between two lengths of mate: checks and replies take turns up to a checkmate, but
/// other ends of the game may come with either player's move.
pub fn step<R: Rules>() -> u16 {
    if R::royal_safety() { 2 } else { 1 }
}

/// The position after a move, for look-ups.
struct Next<R: Rules> {
    position: Position<R>,
    place: Place,
    /// The square of an interposition, if the count distinguishes that.
    interposed: Option<Square<R::Geometry>>,
    /// Whether the remaining plies suffice for the move.
    is_within: bool,
}

/// A search with its path; its findings stay in the table.
#[derive(Debug)]
pub struct MateSearch<'t, R: Rules> {
    store: Store<'t>,
    attacker: Colour,
    frames: Vec<Frame<R>>,
    /// The moves of all frames, one after the other.
    children: Vec<Child<R>>,
    /// The last frame with each board on the path.
    boards: FxHashMap<u64, u32>,
    forks: Forks,
    /// Whether a new position must be reached before limits count again; see [`MateSearch::enter`].
    is_extended: bool,
    expansions: u64,
    /// The other searches of the same root at the same time, if any.
    others: Option<Others<'t>>,
}

impl<'t, R: Rules> MateSearch<'t, R> {
    /// A search for mates by this player.
    pub fn new(table: impl Into<Store<'t>>, attacker: Colour) -> Self {
        let store = table.into();
        let forks = Forks::growing_to((store.most_slots() / SLOTS_FOR_FORKS).min(MOST_FORKS));
        Self {
            store,
            attacker,
            frames: Vec::new(),
            children: Vec::new(),
            boards: FxHashMap::default(),
            forks,
            is_extended: false,
            expansions: 0,
            others: None,
        }
    }

    /// Positions entered so far.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The peak of bytes in use by the path and the predecessors: frames and moves are never freed.
    pub fn path_bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame<R>>()
            + self.children.capacity() * size_of::<Child<R>>()
            + map_bytes::<u32>(self.boards.capacity())
            + self.forks.peak_bytes()
    }

    /// Whether the attacker is to move.
    pub fn is_attacking(&self, position: &Position<R>) -> bool {
        position.side() == self.attacker
    }

    /// The place of a position searched as a root.
    fn place(&self, position: &Position<R>, count: Count, limit: u16) -> Place {
        let hand = position.hand(self.attacker);
        let board = position.board_key() ^ count.key();
        Place { board, hand, limit, depth: 0, path: ROOT_PATH }
    }

    /// The least length of the known mates from a position.
    pub fn known_length(&self, position: &Position<R>) -> Option<u16> {
        let place = self.place(position, Count::Moves, UNLIMITED);
        self.store.read(place.board, |table| memory::min_length(table, &place))
    }

    /// The known length of a position, which may be the end of the game.
    pub fn length_of(&self, position: &Position<R>) -> Option<u16> {
        if R::is_over(position) || !self.is_attacking(position) && position.has_no_move() {
            return Some(0);
        }
        self.known_length(position)
    }

    /// Searches for a mate in at most `limit` plies, or [`UNLIMITED`]; open if the budget ends.
    pub fn run(&mut self, root: &Position<R>, limit: u16, budget: &mut Budget<'_>) -> Known {
        self.run_as::<false>(root, limit, budget)
    }

    /// Like [`MateSearch::run`], but searches the moves even if the table has the answer, and also returns the
    /// best one.
    pub fn run_anew(
        &mut self,
        root: &Position<R>,
        limit: u16,
        budget: &mut Budget<'_>,
    ) -> (Known, Option<Move<R>>) {
        let place = self.place(root, Count::Moves, limit);
        self.search::<false>(root, place, budget)
    }

    /// Like [`MateSearch::run`], with a given count of plies; the findings of each count are separate.
    pub fn run_counting(
        &mut self,
        count: Count,
        root: &Position<R>,
        limit: u16,
        budget: &mut Budget<'_>,
    ) -> Known {
        match count {
            Count::Moves => self.run_as::<false>(root, limit, budget),
            Count::Book => self.run_as::<true>(root, limit, budget),
        }
    }

    /// A search that counts as [`Count::Book`] if `BOOK`, compiled separately since it is the inner loop.
    fn run_as<const BOOK: bool>(
        &mut self,
        root: &Position<R>,
        limit: u16,
        budget: &mut Budget<'_>,
    ) -> Known {
        let place = self.place(root, if BOOK { Count::Book } else { Count::Moves }, limit);
        let attacking = root.side() == self.attacker;
        let (known, _) = self.look_at::<BOOK>(root, &place, attacking, None);
        if known.is_final() { known } else { self.search::<BOOK>(root, place, budget).0 }
    }

    /// Searches the moves of a position as the root. Returns the knowledge gained and the best move.
    fn search<const BOOK: bool>(
        &mut self,
        root: &Position<R>,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> (Known, Option<Move<R>>) {
        self.is_extended = false;
        self.others = self.others(place.limit);
        let mut stop = false;
        self.enter::<BOOK>(*root, place, None, ProofNumbers::UNLIMITED, budget);
        loop {
            if budget.wants_report() {
                let (_, ProofNumbers { phi: pn, delta: dn }) = self.select(0);
                budget.report(pn, dn, self.store.hashfull());
            }
            let top = self.frames.len() - 1;
            let frame = &self.frames[top];
            let (selection, numbers) = self.select(top);
            let threshold = match self.is_extended {
                false => frame.threshold,
                // A final position is left in any case.
                true => frame.threshold.above(numbers),
            };
            // Once it is set, all frames are left.
            stop |= budget.is_over() || self.frames.len() > DEEPEST;
            let start = frame.start;
            if !numbers.reach_either(threshold) && !stop && !self.is_decided() {
                let selection = self.divert(selection, threshold);
                self.descend::<BOOK>(&selection, threshold, budget);
                continue;
            }
            let best = self.children.get(start + selection.best).map(|child| child.mv);
            let known = self.leave::<BOOK>(&selection, budget);
            if self.frames.is_empty() {
                return (known, best);
            }
            self.update::<BOOK>(known, budget);
        }
    }

    /// The combined numbers of a frame's moves, with its numbers as the attacker sees them.
    fn select(&self, index: usize) -> (Selection, ProofNumbers) {
        let frame = &self.frames[index];
        let end = self.frames.get(index + 1).map_or(self.children.len(), |next| next.start);
        let selection = Selection::new(&self.children[frame.start..end], frame.attacking);
        (selection, selection.numbers.oriented(frame.attacking))
    }

    /// Enters the best move.
    fn descend<const BOOK: bool>(
        &mut self,
        selection: &Selection,
        threshold: ProofNumbers,
        budget: &mut Budget<'_>,
    ) {
        let top = self.frames.len() - 1;
        let frame = &mut self.frames[top];
        frame.current = selection.best;
        let (index, attacking) = (frame.start + selection.best, frame.attacking);
        let Next { position, place, interposed, .. } = self.next::<BOOK>(top, selection.best);
        budget.spend(1);
        if let Some(news) = self.news(&place, &self.children[index].known) {
            self.children[index].is_new = false;
            self.update::<BOOK>(news, budget);
            return;
        }
        let child = &mut self.children[index];
        if child.is_new {
            child.is_new = false;
            self.is_extended = false;
        }
        let numbers = child.known.numbers.oriented(attacking);
        let threshold = selection.child_threshold(threshold.oriented(attacking), numbers);
        let threshold = threshold.oriented(attacking);
        if let Some(others) = &self.others {
            others.enter(place.spot());
        }
        self.enter::<BOOK>(position, place, interposed, threshold, budget);
    }

    /// Puts a position on the path and looks up its moves.
    ///
    /// If one of them leads to a position that was met nearer to the root, the numbers here may depend on those
    /// of an ancestor, and the limits may never let the search through. So limits do not count until a new
    /// position is reached: the threshold controlling algorithm of Kishimoto, "Dealing with infinite loops,
    /// underestimation, and overestimation of depth-first proof-number search" (2010).
    fn enter<const BOOK: bool>(
        &mut self,
        position: Position<R>,
        place: Place,
        interposed: Option<Square<R::Geometry>>,
        threshold: ProofNumbers,
        budget: &mut Budget<'_>,
    ) {
        let attacking = position.side() == self.attacker;
        let line = match attacking {
            false if BOOK => interposition::squares(&position),
            _ => Bitboard::EMPTY,
        };
        let same_board = self.boards.insert(place.board, self.frames.len() as u32);
        let start = self.children.len();
        list(&position, attacking, &mut self.children);
        let returns = match interposed {
            Some(square) if BOOK => list_returns(&position, square, start, &mut self.children),
            _ => usize::MAX,
        };
        self.expansions += 1;
        budget.count_expansion();
        self.frames.push(Frame {
            position,
            place,
            attacking,
            line,
            interposed,
            returns,
            threshold,
            start,
            current: 0,
            entered: budget.spent(),
            same_board,
        });
        if !attacking && place.limit == UNLIMITED {
            let meeting = self.forks.meeting(place.spot());
            for (child, bit) in self.children[start..].iter_mut().zip(0..u32::BITS) {
                child.meets = meeting >> bit & 1 == 1;
            }
        }
        let mut old = false;
        for index in start..self.children.len() {
            if self.children[index].waits {
                continue;
            }
            self.look::<BOOK>(index, budget);
            let child = &self.children[index];
            old |= child.known.old;
            if child.is_enough(attacking) {
                break;
            }
        }
        self.is_extended |= old;
    }

    /// Looks up a move of the top frame, and those that wait for it as long as they are refuted.
    fn look<const BOOK: bool>(&mut self, mut index: usize, budget: &mut Budget<'_>) {
        let top = self.frames.len() - 1;
        let (start, attacking) = (self.frames[top].start, self.frames[top].attacking);
        loop {
            let Next { position, place, interposed, is_within } =
                self.next::<BOOK>(top, index - start);
            budget.spend(1);
            let (known, is_new) = match is_within {
                true => self.look_at::<BOOK>(&position, &place, !attacking, interposed),
                false => (Known::refuted(0, hands::total(&position)), false),
            };
            let child = &mut self.children[index];
            (child.known, child.is_new, child.waits) = (known, is_new, false);
            if place.limit == UNLIMITED {
                child.spot = place.spot().key();
                if !is_new && !known.is_final() {
                    self.find_fork(place.spot());
                }
            }
            let child = &self.children[index];
            match child.follower() {
                Some(follower) if child.is_refuted(attacking) => index = start + follower,
                _ => return,
            }
        }
    }

    /// If a spot after the top frame was last reached by another line from a defender's position on the path,
    /// notes there that the moves of both lines meet.
    fn find_fork(&mut self, spot: Spot) {
        let top = self.frames.len() - 1;
        let mut after = spot;
        for _ in 0..FARTHEST {
            let Some(before) = self.forks.before(after) else { return };
            if let Some(index) = self.index_of(before) {
                if index < top && !self.frames[index].attacking {
                    self.note_meeting(index, after);
                }
                return;
            }
            after = before;
        }
    }

    /// The last frame at a spot.
    fn index_of(&self, spot: Spot) -> Option<usize> {
        let mut same = self.boards.get(&spot.board).copied();
        while let Some(index) = same {
            let frame = &self.frames[index as usize];
            if frame.place.hand == spot.hand {
                return Some(index as usize);
            }
            same = frame.same_board;
        }
        None
    }

    /// Notes that the move of a frame to this spot meets the one on the path.
    fn note_meeting(&mut self, index: usize, spot: Spot) {
        let (key, end) = (spot.key(), self.frames[index + 1].start);
        let Frame { start, current, .. } = self.frames[index];
        let children = &mut self.children[start..end];
        let other = children.iter().position(|child| child.spot == key && !child.waits);
        if let Some(other) = other.filter(|&other| other != current) {
            children[other].meets = true;
            children[current].meets = true;
        }
    }

    /// Stores the predecessor of the top frame and its meeting moves.
    fn keep_way(&mut self) {
        let [.., above, frame] = &self.frames[..] else { return };
        let children = self.children[frame.start..].iter().zip(0..u32::BITS);
        let meeting = children.fold(0, |bits, (child, bit)| bits | u32::from(child.meets) << bit);
        self.forks.store(frame.place.spot(), above.place.spot(), meeting);
    }

    /// The position after a move of a frame, counted from its first.
    #[inline(always)]
    fn next<const BOOK: bool>(&self, top: usize, index: usize) -> Next<R> {
        let frame = &self.frames[top];
        let mv = self.children[frame.start + index].mv;
        let before = &frame.place;
        let mut position = frame.position.play_unchecked(mv);
        let (mut plies, mut key, mut interposed) = (1, 0, None);
        if BOOK {
            plies = frame.plies::<true>(mv, index);
            key = Count::Book.key();
            if frame.line.contains(mv.to()) {
                interposed = Some(mv.to());
                key ^= interposition::key(mv.to());
            } else if index >= frame.returns {
                position = interposition::returned(&frame.position, mv);
            }
        }
        let is_within = !BOOK || before.limit >= plies;
        let limit = match before.limit {
            UNLIMITED => UNLIMITED,
            limit if is_within => limit - plies,
            _ => 0,
        };
        let place = Place {
            board: position.board_key() ^ key,
            hand: position.hand(self.attacker),
            limit,
            depth: before.depth + 1,
            path: memory::longer_path(before.path, before.board, before.hand),
        };
        Next { position, place, interposed, is_within }
    }

    /// The knowledge about a position without a search, and whether the table lacks it.
    fn look_at<const BOOK: bool>(
        &self,
        position: &Position<R>,
        place: &Place,
        attacking: bool,
        interposed: Option<Square<R::Geometry>>,
    ) -> (Known, bool) {
        if R::is_over(position) {
            let won = match R::verdict(position) {
                Some(Verdict::Win) => attacking,
                Some(Verdict::Loss) => !attacking,
                _ => false,
            };
            let refuted = Known::refuted(UNLIMITED, hands::total(position));
            return (if won { Known::proved(0, Hand::EMPTY) } else { refuted }, false);
        }
        if let Some(depth) = self.repeats(place) {
            let refuted = Known::refuted(UNLIMITED, place.hand);
            return (Known { loops: depth, ..refuted }, false);
        }
        match self.recall(place) {
            Recalled::Known(known) => (known, false),
            Recalled::New(least) => {
                let known = match attacking {
                    // A piece that is taken and given back takes no ply.
                    true if BOOK && interposed.is_some() => first_attack(position, UNLIMITED),
                    true => first_attack(position, place.limit),
                    false => first_defence::<R, BOOK>(position, place.limit),
                };
                if known.is_final() {
                    (known, false)
                } else {
                    (Known::open(known.numbers.max(least)), true)
                }
            }
        }
    }

    #[inline]
    fn recall(&self, place: &Place) -> Recalled {
        self.store.read(place.board, |table| memory::find(table, place, step::<R>()))
    }

    /// The depth of a position on the path that this one repeats: the board is the same and the attacker has no
    /// more in hand. A mate from here would have been one there.
    ///
    /// With a limit repetitions do not matter, since fewer plies are left.
    fn repeats(&self, place: &Place) -> Option<u16> {
        if place.limit != UNLIMITED {
            return None;
        }
        let mut same = self.boards.get(&place.board).copied();
        while let Some(index) = same {
            let frame = &self.frames[index as usize];
            if frame.place.hand.dominates(place.hand) {
                return Some(frame.place.depth);
            }
            same = frame.same_board;
        }
        None
    }

    /// Removes the top frame from the path and stores the knowledge about it.
    fn leave<const BOOK: bool>(&mut self, selection: &Selection, budget: &Budget<'_>) -> Known {
        let top = self.frames.len() - 1;
        let frame = &self.frames[top];
        let children = &self.children[frame.start..];
        let ProofNumbers { phi, delta } = selection.numbers;
        let known = match (frame.attacking, phi, delta) {
            (true, 0, _) => frame.proved_attack::<BOOK>(&children[selection.best], selection.best),
            (true, _, 0) => frame.refuted_attack::<BOOK>(children),
            (false, 0, _) => {
                frame.refuted_defence::<BOOK>(&children[selection.best], selection.best)
            }
            (false, _, 0) => frame.proved_defence::<BOOK>(children),
            (attacking, ..) => Known::open(selection.numbers.oriented(attacking)),
        };
        let known = self.keep(known, budget.spent() - frame.entered);
        let frame = &self.frames[top];
        if !known.is_final() && frame.place.limit == UNLIMITED {
            self.keep_way();
        }
        let frame = &self.frames[top];
        match frame.same_board {
            Some(above) => self.boards.insert(frame.place.board, above),
            None => self.boards.remove(&frame.place.board),
        };
        self.children.truncate(frame.start);
        self.frames.truncate(top);
        known
    }

    /// Updates the current move of the top frame with new knowledge.
    fn update<const BOOK: bool>(&mut self, known: Known, budget: &mut Budget<'_>) {
        let frame = &self.frames[self.frames.len() - 1];
        let (start, attacking) = (frame.start, frame.attacking);
        let child = &mut self.children[start + frame.current];
        child.known = known;
        if let Some(follower) = child.follower().filter(|_| child.is_refuted(attacking)) {
            self.look::<BOOK>(start + follower, budget);
        }
    }
}
