//! A strategy: for each position with one player to move, the move to make.

use shogi_core::{Colour, Move, Placement, Position, RuleTable};

use crate::canonical::canonical;
use crate::pack::{Kings, Packed, placement};
use crate::steps::Steps;

/// The value that a strategy assumes for a repetition of positions, for its player.
///
/// [`Proof::check`](crate::Proof::check) checks that the rules agree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repetition {
    /// No repetition occurs: ranks strictly decrease along every line.
    Absent,
    /// Lines may run in cycles, and this is at least a draw (or no result).
    Draw,
    /// Lines may run in cycles, and this is a win.
    Win,
}

impl Repetition {
    /// `absent`, `draw` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

/// A strategy's move in one position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StrategyStep<R: RuleTable> {
    /// The move to make.
    pub mv: Move<R>,
    /// With [`Repetition::Absent`] the most plies until the game ends, this move included; otherwise 0.
    pub rank: u32,
}

/// Why a step cannot be part of a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StepError {
    /// It is the opponent's turn.
    #[error("the other player is to move")]
    Side,
    /// The move is not legal in the position.
    #[error("the move is not legal")]
    Illegal,
    /// A player has no king on the board, so there is no game to continue; or one has who has none elsewhere in the
    /// strategy.
    #[error("a king is missing, or is one too many")]
    MissingKing,
    /// There is no room for another entry.
    #[error("a strategy has at most 4,294,967,296 entries")]
    Full,
}

/// A move for each of a set of positions, all with the same player to move.
///
/// A position and its mirror image are one entry, whose move is mirrored with it, if the rules [treat left and right
/// alike](shogi_core::RuleTable::is_mirror_symmetric). An entry takes about 30 bytes of memory on boards up to 5x5.
///
/// ```
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{Minishogi, parse_position, parse_usi};
/// use shogi_proof::{Repetition, Strategy};
/// let mut strategy = Strategy::<Minishogi>::new(Colour::Sente, Repetition::Absent);
/// let position = parse_position("4k/5/4P/5/K4 b G 1")?;
/// strategy.insert(&position, parse_usi("G*1b")?, 1)?;
/// let twin = parse_position("k4/5/P4/5/4K b G 1")?;
/// assert_eq!(strategy.get(&twin).map(|step| step.mv), Some(parse_usi("G*5b")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy<R: RuleTable> {
    prover: Colour,
    repetition: Repetition,
    kings: Kings,
    /// By canonical positions, with their moves; each is legal.
    steps: Steps<R>,
}

impl<R: RuleTable> Strategy<R> {
    /// A strategy without any step.
    pub fn new(prover: Colour, repetition: Repetition) -> Self {
        Self { prover, repetition, kings: Kings::BOTH, steps: Steps::default() }
    }

    /// A strategy without any step for what may follow a position, which may be a problem of mate whose attacker has no
    /// king: then no position of the strategy has one.
    pub fn following(root: &Position<R>, prover: Colour, repetition: Repetition) -> Self {
        // Where kings are captured, a game without one is over.
        let kings = if R::royal_safety() { Kings::of(root) } else { Kings::BOTH };
        Self { kings, ..Self::new(prover, repetition) }
    }

    /// The player whose moves these are.
    pub const fn prover(&self) -> Colour {
        self.prover
    }

    /// The value assumed for a repetition.
    pub const fn repetition(&self) -> Repetition {
        self.repetition
    }

    /// Number of entries, twins counted once.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets the step of a position, and of its mirror image if that is equivalent, in place of an earlier one.
    /// The rank is kept with [`Repetition::Absent`] only.
    ///
    /// # Errors
    ///
    /// If it is not the prover's turn, the move is not legal or there is no room.
    pub fn insert(
        &mut self,
        position: &Position<R>,
        mv: Move<R>,
        rank: u32,
    ) -> Result<(), StepError> {
        let step = StrategyStep { mv, rank };
        let (packed, step) = entry(self.prover, self.repetition, self.kings, position, step)?;
        self.insert_packed(&packed, step)
    }

    /// Sets a step that is known to be legal in a canonical position.
    pub(crate) fn insert_packed(
        &mut self,
        packed: &Packed,
        step: StrategyStep<R>,
    ) -> Result<(), StepError> {
        self.steps.set(packed.as_bytes(), step)
    }

    /// Removes and returns the step of a position and its mirror image.
    pub fn remove(&mut self, position: &Position<R>) -> Option<StrategyStep<R>> {
        let (key, mirrored) = self.key(position)?;
        self.steps.remove(key.as_bytes()).map(|step| turned(step, mirrored))
    }

    /// The step of a position, if there is one.
    pub fn get(&self, position: &Position<R>) -> Option<StrategyStep<R>> {
        self.find(position).map(|(_, step)| step)
    }

    /// The number of a position's entry, and the step there.
    pub(crate) fn find(&self, position: &Position<R>) -> Option<(u32, StrategyStep<R>)> {
        let (key, mirrored) = self.key(position)?;
        let number = self.steps.find(key.as_bytes())?;
        Some((number, turned(self.steps.step(number), mirrored)))
    }

    /// The key of a position with the prover to move, and whether its mirror image is stored.
    fn key(&self, position: &Position<R>) -> Option<(Packed, bool)> {
        if position.side() != self.prover {
            return None;
        }
        let (placement, mirrored) = canonical(position);
        Some((Packed::of_canonical(&placement, self.kings)?, mirrored))
    }

    /// The canonical positions and their steps, in the order of a proof file. Sorts them first.
    pub fn iter(&self) -> impl Iterator<Item = (Position<R>, StrategyStep<R>)> + '_ {
        let entry = |number| Some((self.position(number)?, self.steps.step(number)));
        self.sorted().into_iter().filter_map(entry)
    }

    /// A bound above all numbers of entries.
    pub(crate) fn bound(&self) -> usize {
        self.steps.bound()
    }

    /// The numbers of the entries in the order of a proof file.
    pub(crate) fn sorted(&self) -> Vec<u32> {
        self.steps.sorted()
    }

    /// The numbers of the entries in rising order of ranks.
    pub(crate) fn by_rank(&self) -> Vec<u32> {
        self.steps.by_rank()
    }

    /// The numbers of the entries with a rank above this one, in rising order of ranks.
    pub(crate) fn by_rank_above(&self, rank: u32) -> Vec<u32> {
        self.steps.by_rank_above(rank)
    }

    /// The first entry in the order of a proof file of those that are not marked.
    pub(crate) fn first_without(&self, marks: &[bool]) -> Option<u32> {
        self.steps.first_without(marks)
    }

    /// The packed position of an entry.
    pub(crate) fn packed(&self, number: u32) -> &[u8] {
        self.steps.key(number)
    }

    /// The canonical position of an entry; there is one, since it was packed.
    pub(crate) fn position(&self, number: u32) -> Option<Position<R>> {
        let placement = placement(self.packed(number), self.kings, self.prover).ok()?;
        Position::new_allowing(placement, self.kings.faults()).ok()
    }

    /// Sets a step that is known to be legal in a canonical position, unless the position has one of equal or
    /// lower rank.
    pub(crate) fn lower(
        &mut self,
        packed: &Packed,
        step: StrategyStep<R>,
    ) -> Result<(), StepError> {
        match self.steps.find(packed.as_bytes()) {
            Some(known) if self.steps.rank(known) <= step.rank => Ok(()),
            _ => self.insert_packed(packed, step),
        }
    }

    /// Sets the step of an entry, legal in its canonical position.
    pub(crate) fn set_step(&mut self, number: u32, step: StrategyStep<R>) {
        self.steps.set_step(number, step);
    }

    /// The step of an entry in its canonical position.
    pub(crate) fn step(&self, number: u32) -> StrategyStep<R> {
        self.steps.step(number)
    }
}

/// The key and the step of an entry of a strategy, if it can be one.
pub(crate) fn entry<R: RuleTable>(
    prover: Colour,
    repetition: Repetition,
    kings: Kings,
    position: &Position<R>,
    step: StrategyStep<R>,
) -> Result<(Packed, StrategyStep<R>), StepError> {
    if position.side() != prover {
        return Err(StepError::Side);
    }
    if !position.is_legal(step.mv) {
        return Err(StepError::Illegal);
    }
    let (placement, mirrored) = canonical(position);
    let Some(packed) = Packed::of_canonical(&placement, kings) else {
        return Err(StepError::MissingKing);
    };
    let rank = if repetition == Repetition::Absent { step.rank } else { 0 };
    Ok((packed, StrategyStep { rank, ..turned(step, mirrored) }))
}

fn turned<R: RuleTable>(step: StrategyStep<R>, mirrored: bool) -> StrategyStep<R> {
    if mirrored { StrategyStep { mv: mirror(step.mv), ..step } } else { step }
}

/// The move in the mirror image of its position.
fn mirror<R: RuleTable>(mv: Move<R>) -> Move<R> {
    match mv {
        Move::Board { from, to, turn } => {
            Move::Board { from: from.mirror(), to: to.mirror(), turn }
        }
        Move::Drop { face, to } => Move::Drop { face, to: to.mirror() },
    }
}

/// The legal moves in the order that a proof file counts them in: moves on the board by origin,
/// target and whether the piece turns over, then drops by face and target.
pub(crate) fn sorted_moves<R: RuleTable>(placement: &Placement<R>) -> Vec<Move<R>> {
    let mut moves = placement.legal_moves().to_vec();
    Move::sort(&mut moves);
    moves
}
