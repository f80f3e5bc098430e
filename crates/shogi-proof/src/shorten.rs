//! Combines proofs into a shorter one, with the moves that end the game soonest.

use std::io::Read;
use std::ops::ControlFlow;

use shogi_core::{Colour, Move, Position};
use shogi_rules::{Rules, Verdict};

use crate::check::may_declare;
use crate::strategy::{Repetition, StepError, Strategy, StrategyStep};
use crate::{Claim, Entries, Entry, Header, Proof, ReadError};

/// Why a proof cannot be added.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The proof does not claim a win for the same player.
    #[error("the proof is not one of a win for {0}")]
    Claim(Colour),
    /// Its entries have no ranks.
    #[error("the proof has no ranks, so that lines may run in cycles")]
    Unranked,
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] ReadError),
    /// There are too many entries.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// Positions that a player wins, each with a move, from any number of proofs.
///
/// For a position in several proofs the entry with the lowest rank is kept: ranks still fall along every line.
/// [`Shortening::pass`] tries all other moves that lead to known positions. So proofs of all replies to a move
/// become one proof of the position before it, and a position proved in several ways is won in the shortest.
///
/// ```
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{Shogi34, parse_position, parse_usi};
/// use shogi_proof::{Claim, Proof, Reader, Repetition, Shortening, Strategy};
/// let root = parse_position::<Shogi34>("rnk/2p/P2/KNR b - 1")?;
/// let mut strategy = Strategy::new(Colour::Sente, Repetition::Absent);
/// // One ply is enough.
/// strategy.insert(&root, parse_usi("1d1b")?, 9)?;
/// let proof = Proof::new(root, Claim::Win { prover: Colour::Sente }, vec![strategy])?;
///
/// let mut file = Vec::new();
/// proof.write(&mut file)?;
///
/// let mut shortening = Shortening::new(Colour::Sente);
/// shortening.add(Reader::new(&file[..])?.entries()?)?;
/// shortening.pass(0, &mut |_, _| std::ops::ControlFlow::Continue(()));
/// let shortened = shortening.proof(&root).ok_or("not among the positions")?;
/// assert_eq!(shortened.check()?.plies, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shortening<R: Rules> {
    known: Strategy<R>,
}

impl<R: Rules> Shortening<R> {
    /// An empty set of positions that this player wins.
    pub fn new(prover: Colour) -> Self {
        Self { known: Strategy::new(prover, Repetition::Absent) }
    }

    /// The player who wins.
    pub const fn prover(&self) -> Colour {
        self.known.prover()
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The most plies to the end from a known position with the player to move; `None` for other positions.
    pub fn rank(&self, position: &Position<R>) -> Option<u32> {
        self.known.get(position).map(|step| step.rank)
    }

    /// The most plies to the end from any position that is known, or one ply before known ones.
    pub fn plies(&self, position: &Position<R>) -> Option<u32> {
        if R::verdict(position).is_some() {
            return Some(0);
        }
        if position.side() == self.prover() {
            return self.step(position).map(|step| step.rank);
        }
        let (mut after, mut most) = (Vec::new(), 0);
        self.add_after(position, &mut after)?;
        for (_, step) in &after {
            most = most.max(step.rank);
        }
        Some(most.saturating_add(1))
    }

    /// Notes that a move wins a position within `within` plies, if all replies lead to known positions of low
    /// enough rank; returns whether they do. An entry of equal or lower rank stays.
    ///
    /// # Errors
    ///
    /// If the move is illegal, the opponent is to move, or there is no room.
    pub fn note(
        &mut self,
        position: &Position<R>,
        mv: Move<R>,
        within: u32,
    ) -> Result<bool, StepError> {
        if !position.is_legal(mv) {
            return Err(StepError::Illegal);
        }
        let Some(rank) = self.rank_after(position, mv, within) else { return Ok(false) };
        if self.rank(position).is_none_or(|known| rank < known) {
            self.known.insert(position, mv, rank)?;
        }
        Ok(true)
    }

    /// Adds the entries of a proof file, which is read to its end, and returns its root. Does not check what
    /// the entries prove: a proof made of wrong entries will not hold.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is a proof of another kind; see [`Unfit`].
    pub fn add<I: Read>(&mut self, mut entries: Entries<R, I>) -> Result<Position<R>, Unfit> {
        check_fit(entries.header(), self.known.prover())?;
        while let Some((packed, Entry { step, .. })) = entries.read()? {
            self.known.lower(&packed, step)?;
        }
        Ok(*entries.root())
    }

    /// Gives each position with a rank above `above`, from the lowest rank on, the move that wins soonest among
    /// those after which all replies lead to known positions, with the rank that it needs. Returns the number
    /// of changed positions.
    ///
    /// Nine tenths of a large proof are positions won in three plies, for which another move is hardly ever
    /// better. `report` is called with the number of positions done and the total; if it breaks, the rest stays
    /// as it is. A position takes some tens of microseconds; ranks that fall late in a pass let others fall in
    /// the next one.
    pub fn pass(&mut self, above: u32, report: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> u64 {
        let mut changed = 0;
        let numbers = self.known.by_rank_above(above);
        let size = numbers.len() as u64;
        for (index, &number) in numbers.iter().enumerate() {
            let Some(position) = self.known.position(number) else { continue };
            let old = self.known.step(number);
            let rank = self.rank_after(&position, old.mv, old.rank).unwrap_or(old.rank);
            let step = self.shortest(&position, StrategyStep { rank, ..old });
            if step != old {
                self.known.set_step(number, step);
                changed += 1;
            }
            if report(index as u64 + 1, size).is_break() {
                break;
            }
        }
        changed
    }

    /// The proof of a win in a position, with only the entries that it needs; `None` if the position is neither
    /// known nor one ply before known ones.
    pub fn proof(&self, root: &Position<R>) -> Option<Proof<R>> {
        let prover = self.known.prover();
        let mut needed = Strategy::following(root, prover, Repetition::Absent);
        let mut open = Vec::new();
        if R::verdict(root).is_some() {
            // The check decides whether it is won.
        } else if root.side() == prover {
            open.push((*root, self.step(root)?));
        } else {
            self.add_after(root, &mut open)?;
        }
        while let Some((position, step)) = open.pop() {
            if needed.get(&position).is_none() {
                needed.insert(&position, step.mv, step.rank).ok()?;
                self.add_after(&position.play_unchecked(step.mv), &mut open)?;
            }
        }
        Proof::new(*root, Claim::Win { prover }, vec![needed]).ok()
    }

    /// The step in a position with the prover to move; searches for one if none is stored.
    fn step(&self, position: &Position<R>) -> Option<StrategyStep<R>> {
        if let Some(step) = self.known.get(position) {
            return Some(step);
        }
        let none = StrategyStep { mv: *position.legal_moves().first()?, rank: u32::MAX };
        let step = self.shortest(position, none);
        if step != none { Some(step) } else { None }
    }

    /// Adds the positions with the prover to move after a position with the opponent to move, with their
    /// steps; `None` if one is not known.
    fn add_after(
        &self,
        position: &Position<R>,
        after: &mut Vec<(Position<R>, StrategyStep<R>)>,
    ) -> Option<()> {
        if R::verdict(position).is_some() {
            return Some(());
        }
        for &reply in &position.legal_moves() {
            let next = position.play_unchecked(reply);
            if R::verdict(&next).is_none() {
                after.push((next, self.known.get(&next)?));
            }
        }
        Some(())
    }

    /// The step with the lowest rank in a position, if it is lower than that of a known one.
    fn shortest(&self, position: &Position<R>, known: StrategyStep<R>) -> StrategyStep<R> {
        let mut best = known;
        for &mv in &position.legal_moves() {
            let below = best.rank.saturating_sub(1);
            if let Some(rank) = self.rank_after(position, mv, below) {
                best = StrategyStep { mv, rank };
            }
        }
        best
    }

    /// The most plies to the end with a move, itself included, if it wins within a bound.
    fn rank_after(&self, position: &Position<R>, mv: Move<R>, within: u32) -> Option<u32> {
        let after = position.play_unchecked(mv);
        match R::verdict(&after) {
            Some(Verdict::Loss) => return (within >= 1).then_some(1),
            Some(_) => return None,
            None => {}
        }
        if within < 2 || may_declare(&after, true) {
            return None;
        }
        let mut most = None;
        for &reply in &after.legal_moves() {
            let next = after.play_unchecked(reply);
            let rest = match R::verdict(&next) {
                Some(Verdict::Win) => 0,
                Some(_) => return None,
                None => self.known.get(&next)?.rank,
            };
            if rest > within - 2 {
                return None;
            }
            most = most.max(Some(rest + 2));
        }
        most
    }
}

/// Whether a proof is one of a win for a player, with ranks.
fn check_fit(header: &Header, prover: Colour) -> Result<(), Unfit> {
    if header.claim != (Claim::Win { prover }) {
        return Err(Unfit::Claim(prover));
    }
    if header.sections.iter().any(|section| section.repetition != Repetition::Absent) {
        return Err(Unfit::Unranked);
    }
    Ok(())
}
