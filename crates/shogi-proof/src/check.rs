//! The checker: does the proof prove its claim, by the rules alone?

use shogi_core::{Colour, Position};
use shogi_rules::{Declaration, RepetitionResult, RepetitionRule, Rules, Verdict, to_sfen};

use crate::cycle::checking_cycle;
use crate::strategy::{Repetition, Strategy, StrategyStep};
use crate::{Claim, Proof};

/// Figures of a proof that holds, for all its strategies together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Entries; mirror images count once.
    pub entries: u64,
    /// Replies of the opponent that were checked.
    pub replies: u64,
    /// Ends of the game that were met, counted once for each line that leads there from an entry.
    pub ends: u64,
    /// The most plies from the root to the end; `None` where a strategy has no ranks. 4,294,967,295
    /// stands for that many or more.
    pub plies: Option<u32>,
}

/// Why a proof does not prove its claim, and where it fails.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fault} (at {sfen})")]
pub struct RefutedProof {
    /// The fault.
    pub fault: ProofFault,
    /// The position where it is wrong, in SFEN.
    pub sfen: String,
}

/// How a proof can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofFault {
    /// The game ends here with another result than the claim needs.
    #[error("the game ends here with a {} for the player to move", .0.name())]
    End(Verdict),
    /// There is no move here, yet the game has not ended.
    #[error("there is no legal move, but the game has not ended")]
    NoMove,
    /// The opponent may declare here on entering the camp (see [`Declaration`]).
    #[error("the opponent can declare impasse here")]
    Declaration,
    /// The prover may reach this position, and no move is stored for it.
    #[error("the position has no entry")]
    Missing,
    /// The rank is lower than the plies that are still to come.
    #[error("the rank is {rank}, but {needed} plies may be to come")]
    Rank {
        /// The rank.
        rank: u32,
        /// One more than the largest rank after a reply, and the prover's ply.
        needed: u64,
    },
    /// No line leads to this entry.
    #[error("no line leads to this entry")]
    Unneeded,
    /// A repetition is worth less than the strategy assumes; the position is the root.
    #[error("a repetition is not taken for what it is worth to {0} by the rules")]
    Repetition(Colour),
    /// A line runs in a cycle through this position in which all the prover's moves are checks.
    #[error("a line from here leads back with nothing but checks")]
    PerpetualCheck,
}

impl ProofFault {
    pub(crate) fn at<R: Rules>(self, position: &Position<R>) -> RefutedProof {
        RefutedProof { fault: self, sfen: to_sfen(position) }
    }
}

impl<R: Rules> Proof<R> {
    /// Checks the whole proof, from the root on, by legal moves, ends of the game and the variant's
    /// rule on repetition.
    ///
    /// The game starts at the root: earlier moves do not count for repetition. Each entry is visited
    /// once; memory is needed for the entries only.
    ///
    /// # Errors
    ///
    /// The first fault found.
    pub fn check(&self) -> Result<Checked, RefutedProof> {
        self.check_with(&mut |_| {})
    }

    /// Like [`Proof::check`]; calls `report` at each entry with the number of entries visited.
    ///
    /// # Errors
    ///
    /// The first fault found.
    pub fn check_with(&self, report: &mut dyn FnMut(u64)) -> Result<Checked, RefutedProof> {
        let mut checked = Checked { plies: Some(0), ..Checked::default() };
        let wins = matches!(self.claim(), Claim::Win { .. });
        for strategy in self.strategies() {
            let (prover, repetition) = (strategy.prover(), strategy.repetition());
            if !is_supported(R::repetition(), prover, repetition, wins) {
                return Err(ProofFault::Repetition(prover).at(self.root()));
            }
            let mut walk = StrategyWalk {
                strategy,
                wins,
                met: vec![false; strategy.bound()],
                open: Vec::new(),
                checked: &mut checked,
                report,
                at: *self.root(),
            };
            let plies = match walk.run(self.root()) {
                Ok(plies) => plies,
                Err(fault) => return Err(fault.at(&walk.at)),
            };
            if let Some(number) = strategy.first_without(&walk.met)
                && let Some(position) = strategy.position(number)
            {
                return Err(ProofFault::Unneeded.at(&position));
            }
            checked.count_plies(plies, repetition);
            let judged = R::repetition().count > 0 && R::repetition().perpetual_check;
            if judged
                && repetition != Repetition::Absent
                && let Some(position) = checking_cycle(strategy)
            {
                return Err(ProofFault::PerpetualCheck.at(&position));
            }
        }
        Ok(checked)
    }
}

impl Checked {
    /// Counts the most plies from the root to the end by one strategy.
    fn count_plies(&mut self, plies: u64, repetition: Repetition) {
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        self.plies = match (self.plies, repetition) {
            (Some(longest), Repetition::Absent) => Some(longest.max(plies)),
            (None, Repetition::Absent) | (_, Repetition::Draw | Repetition::Win) => None,
        };
    }
}

/// Whether a rule gives a repetition at least the value that the strategy assumes, perpetual check
/// apart.
fn is_supported(rule: RepetitionRule, prover: Colour, repetition: Repetition, wins: bool) -> bool {
    // A first occurrence that ends the game would leave nothing to prove.
    rule.count != 1
        && match repetition {
            Repetition::Absent => true,
            // Where no repetition ends the game, an endless game is not lost.
            Repetition::Draw => !wins && (rule.count == 0 || !may_lose(rule.result, prover)),
            Repetition::Win => rule.count != 0 && rule.result == RepetitionResult::Win(prover),
        }
}

/// Whether a player may lose by a repetition.
fn may_lose(result: RepetitionResult, player: Colour) -> bool {
    matches!(result, RepetitionResult::RepeaterLoses) || result == RepetitionResult::Win(!player)
}

/// Whether the opponent, who is to move, could end the game by a declaration that the claim does not
/// allow: `wins` says that a draw refutes it.
pub(crate) fn may_declare<R: Rules>(position: &Position<R>, wins: bool) -> bool {
    let Some(rule) = R::impasse() else { return false };
    let winner = rule.declared(&Declaration::counting_odds(position)).winner();
    winner == Some(position.side()) || winner.is_none() && wins
}

/// A walk over all positions of one strategy.
struct StrategyWalk<'a, R: Rules> {
    strategy: &'a Strategy<R>,
    /// Whether draws refute.
    wins: bool,
    /// Whether an entry was met, by its number.
    met: Vec<bool>,
    /// Entries whose replies have not been checked.
    open: Vec<(Position<R>, StrategyStep<R>)>,
    checked: &'a mut Checked,
    report: &'a mut dyn FnMut(u64),
    /// Where the proof fails, if it does.
    at: Position<R>,
}

impl<R: Rules> StrategyWalk<'_, R> {
    /// Walks from the root and returns the most plies from there to the end.
    fn run(&mut self, root: &Position<R>) -> Result<u64, ProofFault> {
        let plies = if self.has_ended(root)? {
            0
        } else if root.side() == self.strategy.prover() {
            self.meet(root)?
        } else {
            self.replies(root)?
        };
        while let Some((position, StrategyStep { mv, rank })) = self.open.pop() {
            self.checked.entries += 1;
            (self.report)(self.checked.entries);
            let after = position.play_unchecked(mv);
            let rest = if self.has_ended(&after)? { 0 } else { self.replies(&after)? };
            let needed = rest + 1;
            if self.strategy.repetition() == Repetition::Absent && u64::from(rank) < needed {
                return self.fail(&position, ProofFault::Rank { rank, needed });
            }
        }
        Ok(plies)
    }

    /// Whether the game has ended in a position; an error if not as the claim needs.
    fn has_ended(&mut self, position: &Position<R>) -> Result<bool, ProofFault> {
        let Some(verdict) = R::verdict(position) else { return Ok(false) };
        let for_prover = match verdict {
            Verdict::Draw => !self.wins,
            Verdict::Win => position.side() == self.strategy.prover(),
            Verdict::Loss => position.side() != self.strategy.prover(),
        };
        if !for_prover {
            return self.fail(position, ProofFault::End(verdict));
        }
        self.checked.ends += 1;
        Ok(true)
    }

    /// The rank of a position with the prover to move in which the game goes on.
    fn meet(&mut self, position: &Position<R>) -> Result<u64, ProofFault> {
        let Some((number, step)) = self.strategy.find(position) else {
            return self.fail(position, ProofFault::Missing);
        };
        if !std::mem::replace(&mut self.met[number as usize], true) {
            self.open.push((*position, step));
        }
        Ok(u64::from(step.rank))
    }

    /// The most plies from a position with the opponent to move in which the game goes on.
    fn replies(&mut self, position: &Position<R>) -> Result<u64, ProofFault> {
        if may_declare(position, self.wins) {
            return self.fail(position, ProofFault::Declaration);
        }
        let replies = position.legal_moves();
        if replies.is_empty() {
            return self.fail(position, ProofFault::NoMove);
        }
        let mut most = 0;
        for &reply in &replies {
            self.checked.replies += 1;
            let next = position.play_unchecked(reply);
            let rest = if self.has_ended(&next)? { 0 } else { self.meet(&next)? };
            most = most.max(rest + 1);
        }
        Ok(most)
    }

    fn fail<T>(&mut self, position: &Position<R>, fault: ProofFault) -> Result<T, ProofFault> {
        self.at = *position;
        Err(fault)
    }
}
