#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room. `Proof`, below, joins them.
//
// canonical, pack, steps   mirror images; positions as strings of bits; the entries of a strategy in little memory
// strategy                 a move for each position that a player can come into. Start reading here
// check, cycle             the checker, by the rules alone; cycles of checks
// header, read, write      the file, entry by entry
// line, shorten            the longest line of a proof; one proof of several

mod canonical;
mod check;
mod cycle;
mod header;
mod line;
mod pack;
mod read;
mod shorten;
mod steps;
mod strategy;
mod write;

pub use check::{Checked, ProofFault, RefutedProof};
pub use header::{FORMAT, Header, Section};
pub use line::Reply;
pub use pack::{Packed, TooManyPieces};
pub use read::{Entries, Entry, ReadError, ReadReason, Reader};
use shogi_core::{Colour, Position};
use shogi_rules::{Rules, Verdict};
pub use shogi_rules::{rules_hash, rules_text};
pub use shorten::{Shortening, Unfit};
pub use strategy::{Repetition, StepError, Strategy, StrategyStep};
pub use write::{WriteError, Writer};

/// The claim of a proof about its root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// This player wins.
    Win {
        /// The player.
        prover: Colour,
    },
    /// This player wins or draws.
    NotLose {
        /// The player.
        prover: Colour,
    },
    /// Neither player loses: the position is a draw.
    Draw,
}

impl Claim {
    /// `win`, `not-lose` or `draw`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win { .. } => "win",
            Self::NotLose { .. } => "not-lose",
            Self::Draw => "draw",
        }
    }

    /// The players whose strategies prove it, in the order they stand in a proof.
    pub const fn provers(self) -> &'static [Colour] {
        match self {
            Self::Win { prover } | Self::NotLose { prover } => match prover {
                Colour::Sente => &[Colour::Sente],
                Colour::Gote => &[Colour::Gote],
            },
            Self::Draw => &Colour::ALL,
        }
    }

    /// The value for the player to move; `None` where the claim leaves it open.
    pub fn value(self, side: Colour) -> Option<Verdict> {
        match self {
            Self::Win { prover } if prover == side => Some(Verdict::Win),
            Self::Win { .. } => Some(Verdict::Loss),
            Self::NotLose { .. } => None,
            Self::Draw => Some(Verdict::Draw),
        }
    }
}

/// The strategies are not those that the claim needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the claim needs one strategy of each of its provers, in order")]
pub struct WrongStrategies;

/// A claim about a position, with the strategies that prove it.
///
/// ```
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{Shogi34, parse_position, parse_usi};
/// use shogi_proof::{Claim, Proof, Repetition, Strategy};
/// // 3x4 shogi from KNR: mate in one.
/// let root = parse_position::<Shogi34>("rnk/2p/P2/KNR b - 1")?;
/// let mut strategy = Strategy::new(Colour::Sente, Repetition::Absent);
/// strategy.insert(&root, parse_usi("1d1b")?, 1)?;
/// let proof = Proof::new(root, Claim::Win { prover: Colour::Sente }, vec![strategy])?;
/// assert_eq!(proof.check()?.plies, Some(1));
///
/// let mut file = Vec::new();
/// proof.write(&mut file)?;
/// assert_eq!(Proof::read(&file[..])?, proof);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof<R: Rules> {
    root: Position<R>,
    claim: Claim,
    strategies: Vec<Strategy<R>>,
}

impl<R: Rules> Proof<R> {
    /// A proof made of one strategy for each of the claim's [`Claim::provers`].
    ///
    /// Does not check that they prove it; see [`Proof::check`].
    ///
    /// # Errors
    ///
    /// If the strategies do not belong to these players in this order.
    pub fn new(
        root: Position<R>,
        claim: Claim,
        strategies: Vec<Strategy<R>>,
    ) -> Result<Self, WrongStrategies> {
        let mut provers = claim.provers().iter();
        for strategy in &strategies {
            if provers.next() != Some(&strategy.prover()) {
                return Err(WrongStrategies);
            }
        }
        match provers.next() {
            None => Ok(Self { root, claim, strategies }),
            Some(_) => Err(WrongStrategies),
        }
    }

    /// The position that the claim is about.
    pub const fn root(&self) -> &Position<R> {
        &self.root
    }

    /// The claim about it.
    pub const fn claim(&self) -> Claim {
        self.claim
    }

    /// The strategies, in the order of [`Claim::provers`].
    pub fn strategies(&self) -> &[Strategy<R>] {
        &self.strategies
    }

    /// The strategy of a player, if the claim needs one.
    pub fn strategy(&self, prover: Colour) -> Option<&Strategy<R>> {
        self.strategies.iter().find(|strategy| strategy.prover() == prover)
    }
}
