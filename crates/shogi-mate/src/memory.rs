//! The mate search's use of the table.
//!
//! Four sorts of entries share one [`TranspositionTable`], distinguished by what is mixed into the board key:
//!
//! * *Proved* (in the hands of the proof hand and above: mate in at most `length` plies) and
//!   *refuted* for good, under the board key itself; in the unlimited search also *open* ones, with
//!   the least depth at which they were met as `length`.
//! * *Refuted within a limit*: no mate in at most `length` plies.
//! * *Open with a limit*: proof and disproof numbers for just so many plies.
//! * *Refuted on a path*: by a repetition, which holds only after just these moves (the twin of
//!   Kishimoto & Müller, "A general solution to the graph history interaction problem", 2004);
//!   `length` is the depth of the earliest position returned to.

use shogi_core::Hand;

use super::forks::Spot;
use crate::numbers::ProofNumbers;
use crate::table::{Entry, TranspositionTable};

/// The number of plies that means no limit.
pub const UNLIMITED: u16 = u16::MAX;
/// The greatest length stored for a mate.
pub const LONGEST: u16 = UNLIMITED - 1;
/// The depth of a repetition where there is none.
pub const NEVER: u16 = u16::MAX;

/// Mixed into the key of refutations within a limit.
const WITHIN: u64 = 0x3c79_ac49_2ba7_b653;
/// Mixed, with the limit, into the key of open positions with a limit.
const OPEN: u64 = 0x1c69_b3f7_4ac4_ae35;
/// The flag of an open entry that has twins.
const HAS_TWINS: u8 = 1;

/// A position in the form of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Key without the hands.
    pub board: u64,
    /// The attacker's hand.
    pub hand: Hand,
    /// Plies left to mate in, or [`UNLIMITED`].
    pub limit: u16,
    /// Plies from the root.
    pub depth: u16,
    /// Key of the positions before it, in order.
    pub path: u64,
}

impl Place {
    /// The spot of this place, independent of the path.
    pub const fn spot(&self) -> Spot {
        Spot { board: self.board, hand: self.hand }
    }
}

/// The knowledge about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Proof and disproof number of a mate by the attacker.
    pub numbers: ProofNumbers,
    /// If proved, the most plies to mate; if refuted, the plies within which there is no mate.
    pub length: u16,
    /// If proved, the proof hand; if refuted, the disproof hand.
    pub kept: Hand,
    /// If refuted by repetition, the depth of the earliest position returned to, otherwise [`NEVER`].
    pub loops: u16,
    /// Whether it was met before at a lesser depth, so that it may lie on a cycle.
    pub old: bool,
}

impl Known {
    /// Mate in at most `length` plies, with this hand or more.
    pub const fn proved(length: u16, kept: Hand) -> Self {
        Self { numbers: ProofNumbers::SUCCESS, length, kept, loops: NEVER, old: false }
    }

    /// No mate in `length` plies, with this hand or less.
    pub const fn refuted(length: u16, kept: Hand) -> Self {
        Self { numbers: ProofNumbers::FAILURE, length, kept, loops: NEVER, old: false }
    }

    /// Neither proved nor refuted.
    pub const fn open(numbers: ProofNumbers) -> Self {
        Self { numbers, length: 0, kept: Hand::EMPTY, loops: NEVER, old: false }
    }

    /// Proved to be mate.
    pub const fn is_proved(&self) -> bool {
        self.numbers.phi == 0
    }

    /// Refuted: no mate, or none within a limit.
    pub const fn is_refuted(&self) -> bool {
        self.numbers.delta == 0
    }

    /// Proved or refuted.
    pub const fn is_final(&self) -> bool {
        self.numbers.is_final()
    }
}

/// The result of looking up a place.
pub enum Recalled {
    /// The same position, or one that decides it.
    Known(Known),
    /// A new position, with the least numbers that other hands on the board suggest: a proof number at least
    /// that with more in hand, a disproof number at least that with less. With a limit, the numbers are those
    /// of the previous limit.
    New(ProofNumbers),
}

/// Looks up a place. Limits of searches of the same root differ by at least `step` plies.
pub fn find(table: &TranspositionTable, place: &Place, step: u16) -> Recalled {
    let mut least = ProofNumbers::UNIT;
    let mut exact = None;
    for entry in table.entries(place.board) {
        let hand = Hand::from_bits(entry.hand);
        if entry.pn == 0 {
            if entry.length <= place.limit && place.hand.dominates(hand) {
                return Recalled::Known(Known::proved(entry.length, hand));
            }
        } else if entry.dn == 0 {
            if hand.dominates(place.hand) {
                return Recalled::Known(Known::refuted(entry.length, hand));
            }
        } else if hand == place.hand {
            exact = Some(entry);
        } else if place.hand.dominates(hand) {
            least.delta = least.delta.max(entry.dn);
        } else if hand.dominates(place.hand) {
            least.phi = least.phi.max(entry.pn);
        }
    }
    if place.limit != UNLIMITED {
        return find_limited(table, place, step);
    }
    let Some(entry) = exact else { return Recalled::New(least) };
    if entry.flags & HAS_TWINS != 0
        && let Some(twin) = table.find(place.board ^ place.path, place.hand.bits())
    {
        let refuted = Known::refuted(UNLIMITED, place.hand);
        return Recalled::Known(Known { loops: twin.length, ..refuted });
    }
    let open = Known::open(numbers_of(&entry).max(least));
    Recalled::Known(Known { old: entry.length < place.depth, ..open })
}

/// The shortest length of the known mates from a place, for any limit.
pub fn min_length(table: &TranspositionTable, place: &Place) -> Option<u16> {
    let proved = table
        .entries(place.board)
        .filter(|entry| entry.pn == 0 && place.hand.dominates(Hand::from_bits(entry.hand)));
    proved.map(|entry| entry.length).min()
}

fn find_limited(table: &TranspositionTable, place: &Place, step: u16) -> Recalled {
    for entry in table.entries(place.board ^ WITHIN) {
        let hand = Hand::from_bits(entry.hand);
        if entry.length >= place.limit && hand.dominates(place.hand) {
            return Recalled::Known(Known::refuted(entry.length, hand));
        }
    }
    let open = |place: &Place| table.find(open_key(place), place.hand.bits());
    match open(place) {
        Some(entry) => Recalled::Known(Known::open(numbers_of(&entry))),
        // A position that was hard with the previous limit is likely to be hard again.
        None => {
            let before = place.limit.checked_sub(step).map(|limit| Place { limit, ..*place });
            let entry = before.and_then(|before| open(&before));
            Recalled::New(entry.map_or(ProofNumbers::UNIT, |entry| numbers_of(&entry)))
        }
    }
}

const fn numbers_of(entry: &Entry) -> ProofNumbers {
    ProofNumbers { phi: entry.pn, delta: entry.dn }
}

/// Stores the knowledge about a place gained by this much work.
pub fn store(table: &mut TranspositionTable, place: &Place, known: &Known, work: u64) {
    let amount = Entry::amount_of(work);
    let entry = Entry {
        board: place.board,
        hand: known.kept.bits(),
        pn: known.numbers.phi,
        dn: known.numbers.delta,
        length: known.length,
        amount,
        flags: 0,
    };
    if known.is_proved() {
        // The shorter mate stays, so that lengths fall along every line of a proof.
        let old = table.find(place.board, entry.hand).filter(|old| old.pn == 0);
        if old.is_none_or(|old| old.length > entry.length) {
            table.store(entry);
        }
    } else if !known.is_refuted() {
        store_open(table, place, known.numbers, amount);
    } else if known.loops != NEVER {
        let twin = Entry {
            board: place.board ^ place.path,
            hand: place.hand.bits(),
            // Not final for the table: a repetition is soon found again.
            pn: 1,
            dn: 1,
            length: known.loops,
            ..entry
        };
        table.store(twin);
        let base = table.find(place.board, place.hand.bits());
        let base = base.unwrap_or(Entry {
            board: place.board,
            hand: place.hand.bits(),
            length: place.depth,
            amount,
            ..Entry::default()
        });
        table.store(Entry { flags: base.flags | HAS_TWINS, ..base });
    } else if known.length == UNLIMITED {
        table.store(entry);
    } else {
        let board = place.board ^ WITHIN;
        let old = table.find(board, entry.hand);
        if old.is_none_or(|old| old.length < entry.length) {
            table.store(Entry { board, ..entry });
        }
    }
}

fn store_open(table: &mut TranspositionTable, place: &Place, numbers: ProofNumbers, amount: u8) {
    let ProofNumbers { phi: pn, delta: dn } = numbers;
    let hand = place.hand.bits();
    if place.limit != UNLIMITED {
        let board = open_key(place);
        table.store(Entry { board, hand, pn, dn, length: place.limit, amount, flags: 0 });
        return;
    }
    let board = place.board;
    let old = table.find(board, hand);
    if old.is_some_and(|old| old.is_final()) {
        // Another search has advanced further meanwhile.
        return;
    }
    let (length, flags, amount) = old.map_or((place.depth, 0, amount), |old| {
        (old.length.min(place.depth), old.flags, old.amount.max(amount))
    });
    table.store(Entry { board, hand, pn, dn, length, amount, flags });
}

/// The key of open numbers for a limit.
fn open_key(place: &Place) -> u64 {
    place.board ^ (OPEN.wrapping_mul(u64::from(place.limit) * 2 + 1))
}

/// The key of a path with one more position at its end.
pub fn longer_path(path: u64, board: u64, hand: Hand) -> u64 {
    let step = board ^ u64::from(hand.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (path.rotate_left(5) ^ step).wrapping_mul(0xd6e8_feb8_6659_fd93) | 1
}
