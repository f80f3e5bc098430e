//! The rule sets for which reachability is available.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use shogi_core::{NotClassic, RuleTable, check_classic};
use shogi_rules::{LoadedRules, Rules, parse_sfen};

use crate::certificate::has_full_set;
use crate::hub::{Hub, HubError};
use crate::{Reach, SearchLimit, Stage};

/// Why reachability is unavailable for a rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unavailable {
    /// Positions of its rule table cannot be traced back.
    #[error(transparent)]
    Table(#[from] NotClassic),
    /// Kings can be captured.
    #[error("kings can be captured")]
    KingsAreCaptured,
    /// The start lacks pieces of the set.
    #[error("the start position has not all pieces of the set")]
    Start,
    /// No game to bare kings was found.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// Games do not lead back to the start, so that positions before bare kings may be reached that none of these reaches.
    #[error("it is not known that the start position can be reached again")]
    NoReturn,
    /// Some positions with bare kings may not be reached from others.
    #[error("it is not known that all positions with bare kings can be reached")]
    NotConnected,
}

/// The answers about the hubs of loaded rule sets; there are at most [`LoadedRules::MOST`].
struct Kept {
    rules: LoadedRules,
    found: Result<(), Unavailable>,
}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

impl Kept {
    /// Checks that the hub of the rule set that the thread has entered is connected, and that the start comes apart, too.
    fn check<R: Rules>(stop: &AtomicBool) -> Result<(), Unavailable> {
        let entered = LoadedRules::entered();
        let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().iter().find(|known| Some(known.rules) == entered) {
            return known.found.clone();
        }
        let found = match Hub::<R>::new_until(stop) {
            Ok(hub) if !hub.is_connected() => Err(Unavailable::NotConnected),
            Ok(hub) => match Reach::new(SearchLimit::default()).decide(hub.start()) {
                Stage::Ok => Ok(()),
                _ => Err(Unavailable::NoReturn),
            },
            Err(HubError::Stopped) => return Err(HubError::Stopped.into()),
            Err(error) => Err(error.into()),
        };
        if let Some(rules) = entered {
            kept().push(Self { rules, found: found.clone() });
        }
        found
    }
}

impl<R: Rules> Reach<R> {
    /// Checks that reachability is available for the rule set: kings cannot be captured, the start has all
    /// pieces of the set, the rule table is [classic](check_classic), and the [hub](Hub::is_connected) of a
    /// loaded rule set is connected and leads to the start.
    ///
    /// # Errors
    ///
    /// The first condition that is not met.
    ///
    /// ```
    /// use shogi_reach::{Reach, Unavailable};
    /// use shogi_rules::Dobutsu;
    /// assert_eq!(Reach::<Dobutsu>::check_available(), Err(Unavailable::KingsAreCaptured));
    /// ```
    pub fn check_available() -> Result<(), Unavailable> {
        Self::check_available_until(&AtomicBool::new(false))
    }

    /// Like [`Reach::check_available`], but stops when the flag is set. The answer about a loaded rule set is
    /// kept, so that its hub is searched once.
    ///
    /// # Errors
    ///
    /// As [`Reach::check_available`]; [`HubError::Stopped`], which is not kept, soon after the flag is set.
    pub fn check_available_until(stop: &AtomicBool) -> Result<(), Unavailable> {
        if !R::royal_safety() {
            return Err(Unavailable::KingsAreCaptured);
        }
        check_classic::<R>()?;
        if !parse_sfen::<R>(R::start_sfen()).is_ok_and(|(start, _)| has_full_set(&start)) {
            return Err(Unavailable::Start);
        }
        // For compiled rule sets tests ensure it.
        R::compiled_or_loaded(|| Ok(()), || Kept::check::<R>(stop))
    }

    /// Whether kings cannot be captured and the start has as many pieces as the set; otherwise reachability is
    /// unavailable. The body of an `if` on this constant is compiled only where it holds.
    ///
    /// ```
    /// use shogi_reach::Reach;
    /// use shogi_rules::{KyotoShogi, Shogi34};
    /// assert!(Reach::<KyotoShogi>::CAN_BE_AVAILABLE && !Reach::<Shogi34>::CAN_BE_AVAILABLE);
    /// ```
    pub const CAN_BE_AVAILABLE: bool =
        R::ROYAL_SAFETY && (R::RUNTIME || pieces_in(R::START) == set_size::<R>());
}

/// The number of pieces in an SFEN, on the board and in hand.
const fn pieces_in(sfen: &str) -> u32 {
    const BOARD: u32 = 0;
    const HANDS: u32 = 2;
    let (mut field, mut number, mut pieces) = (BOARD, 0, 0);
    let mut rest = sfen.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        match *byte {
            b' ' => field += 1,
            digit @ b'0'..=b'9' if field == HANDS => number = 10 * number + (digit - b'0') as u32,
            // Also the other bytes of a character that is not ASCII.
            b'0'..=b'9' | b'/' | b'+' | b'-' | 0x80..=0xbf => {}
            _ if field == BOARD || field == HANDS => {
                pieces += if number == 0 { 1 } else { number };
                number = 0;
            }
            _ => {}
        }
    }
    pieces
}

const fn set_size<R: RuleTable>() -> u32 {
    let (mut size, mut kind) = (0, 0);
    while kind < R::KINDS.len() {
        size += R::KINDS[kind].count as u32;
        kind += 1;
    }
    size
}
