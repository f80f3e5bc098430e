//! Tablebases in searches, and proofs drawn from tablebases.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use shogi_core::{Colour, Move, Position};
use shogi_proof::{Claim, Packed, Proof, Repetition, StepError, Strategy};
use shogi_rules::Verdict;

use crate::game::{GameGraph, Parts, RulesGame};

pub use shogi_tablebase::*;

/// The game of a rule set in which positions of a tablebase are ends with their stored values.
///
/// A search of it stops where the tablebase begins, so its plans are only as reliable as the tablebase;
/// [`draw_proof`] makes a proof by the rules alone.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_core::Position;
/// use shogi_rules::{Dobutsu, parse_sfen};
/// use shogi_solve::tablebase::{Builder, KnownGame, PieceSet, Stored, Tablebase};
/// use shogi_solve::{Options, solve};
/// let set = PieceSet::<Dobutsu>::parse("G1L2").ok_or("no such set")?;
/// let mut builder = Builder::new(set, None)?;
/// let finished = builder.run(|_| ControlFlow::Continue(()))?.ok_or("stopped")?;
/// # let directory = std::env::temp_dir().join(format!("shogi-known-game-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// # let file = directory.join("giraffe.tablebase");
/// finished.write(&file, Stored::Plies)?;
/// let table = Tablebase::<Dobutsu>::open(&file)?;
/// let root = Position::new(parse_sfen("2l/3/G2/L2 b - 1")?.0)?;
/// let solution = solve(&KnownGame::new(&table), &root, &Options::default());
/// assert_eq!(solution.value, Some(table.probe(&root)?.verdict));
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct KnownGame<'a, R: World> {
    game: RulesGame<R>,
    table: &'a Tablebase<R>,
}

impl<'a, R: World> KnownGame<'a, R> {
    /// The game with the values of a tablebase.
    pub const fn new(table: &'a Tablebase<R>) -> Self {
        Self { game: RulesGame::new(), table }
    }
}

impl<R: World> GameGraph for KnownGame<'_, R> {
    type Position = Position<R>;
    type Move = Move<R>;

    fn side(&self, position: &Position<R>) -> Colour {
        self.game.side(position)
    }

    /// The result by the rules, or else by the tablebase. Positions that the tablebase lacks or cannot read are
    /// open.
    fn verdict(&self, position: &Position<R>) -> Option<Verdict> {
        let known = || Some(self.table.probe(position).ok()?.verdict);
        self.game.verdict(position).or_else(known)
    }

    fn moves(&self, position: &Position<R>, moves: &mut Vec<Move<R>>) {
        self.game.moves(position, moves);
    }

    fn play(&self, position: &Position<R>, mv: Move<R>) -> Position<R> {
        self.game.play(position, mv)
    }

    fn key(&self, position: &Position<R>) -> u64 {
        self.game.key(position)
    }

    fn parts(&self, position: &Position<R>) -> Parts {
        self.game.parts(position)
    }

    fn dominates(&self, hand: u32, other: u32) -> bool {
        self.game.dominates(hand, other)
    }

    fn is_check(&self, position: &Position<R>) -> bool {
        self.game.is_check(position)
    }
}

/// Why no proof could be drawn from a tablebase.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// A position has no value.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The proof has more positions than the limit.
    #[error("the proof has more than {0} positions")]
    TooLarge(usize),
    /// The tablebase has no plies, without which wins need not come nearer.
    #[error("the tablebase holds verdicts without plies, from which no win can be proved")]
    NoPlies,
    /// A move of the tablebase is illegal by the rules.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// Bytes of a tablebase kept decompressed while a proof is drawn.
const KEPT: u64 = 2 << 30;

/// Draws the proof of a position's value: best play against every defence, at most `most` positions. Keeps up
/// to 2 GiB of the tablebase decompressed in memory.
///
/// [`Proof::check`], which knows no tablebase, checks whether it holds.
///
/// # Errors
///
/// If the proof is larger, or the tablebase lacks positions or plies.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_core::Position;
/// use shogi_rules::{Dobutsu, parse_sfen};
/// use shogi_solve::tablebase::{Builder, PieceSet, Stored, Tablebase, draw_proof};
/// let set = PieceSet::<Dobutsu>::parse("G1L2").ok_or("no such set")?;
/// let mut builder = Builder::new(set, None)?;
/// let finished = builder.run(|_| ControlFlow::Continue(()))?.ok_or("stopped")?;
/// # let directory = std::env::temp_dir().join(format!("shogi-draw-proof-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// # let file = directory.join("giraffe.tablebase");
/// finished.write(&file, Stored::Plies)?;
/// let table = Tablebase::<Dobutsu>::open(&file)?;
/// let root = Position::new(parse_sfen("2l/3/G2/L2 b - 1")?.0)?;
/// let proof = draw_proof(&table, &root, 100_000)?;
/// assert_eq!(proof.check()?.plies, table.probe(&root)?.plies);
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn draw_proof<R: World>(
    table: &Tablebase<R>,
    root: &Position<R>,
    most: usize,
) -> Result<Proof<R>, DrawError> {
    table.keep(KEPT);
    let side = root.side();
    let claim = match table.probe(root)?.verdict {
        Verdict::Win => Claim::Win { prover: side },
        Verdict::Loss => Claim::Win { prover: !side },
        Verdict::Draw => Claim::Draw,
    };
    let is_draw = claim == Claim::Draw;
    if !is_draw && table.stored() == Stored::Verdict {
        return Err(DrawError::NoPlies);
    }
    let mut strategies = Vec::new();
    for &prover in claim.provers() {
        strategies.push(match is_draw {
            true => small_safe_play(table, root, prover, most)?,
            false => best_play(table, root, prover, most)?,
        });
    }
    // The strategies are those of the provers in their order.
    Proof::new(*root, claim, strategies).map_err(|_| DrawError::Step(StepError::Side))
}

/// The best move in every position that arises from a root under a player's best moves.
fn best_play<R: World>(
    table: &Tablebase<R>,
    root: &Position<R>,
    prover: Colour,
    most: usize,
) -> Result<Strategy<R>, DrawError> {
    let mut strategy = Strategy::new(prover, Repetition::Absent);
    let mut met = FxHashSet::default();
    met.insert(*root);
    let mut open = vec![*root];
    while let Some(position) = open.pop() {
        if R::verdict(&position).is_some() || strategy.get(&position).is_some() {
            continue;
        }
        let mut moves = table.moves(&position)?;
        if position.side() == prover {
            moves.truncate(1);
            for (mv, value) in &moves {
                strategy.insert(&position, *mv, value.plies.unwrap_or(0))?;
            }
        }
        for (mv, _) in moves {
            let after = position.play_unchecked(mv);
            if met.insert(after) {
                open.push(after);
            }
        }
        if met.len() > most {
            return Err(DrawError::TooLarge(most));
        }
    }
    Ok(strategy)
}

/// The smaller of two strategies by which a player does not lose: one counts every new position alike, the
/// other a won position as its plies and a drawn one as 20. Either may be a hundred times larger, so both are
/// tried with growing limits until one of them is complete.
fn small_safe_play<R: World>(
    table: &Tablebase<R>,
    root: &Position<R>,
    prover: Colour,
    most: usize,
) -> Result<Strategy<R>, DrawError> {
    let mut limit = most.min(1 << 16);
    loop {
        let mut smallest: Option<Strategy<R>> = None;
        for weighted in [false, true] {
            match SafePlay::new(table, prover, weighted, limit).run(root) {
                Ok((strategy, met)) => {
                    limit = met;
                    if smallest.as_ref().is_none_or(|other| strategy.len() < other.len()) {
                        smallest = Some(strategy);
                    }
                }
                Err(DrawError::TooLarge(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if let Some(strategy) = smallest {
            return Ok(strategy);
        }
        if limit == most {
            return Err(DrawError::TooLarge(most));
        }
        limit = limit.saturating_mul(8).min(most);
    }
}

/// Finds a move that does not lose in every position that arises from a root by such moves: the nearest win if
/// there is one. Among drawing moves it prefers one back to a known position, or else the least total cost of
/// new positions, since a player who need not win may cycle.
struct SafePlay<'t, R: World> {
    table: &'t Tablebase<R>,
    strategy: Strategy<R>,
    /// Whether a new position costs as much as the plies of its value.
    weighted: bool,
    /// The most positions.
    most: usize,
    /// A position and its mirror image are one.
    met: FxHashSet<(Colour, Option<Packed>)>,
    /// The player's positions that need a move, those near the root first, since moves lead back to them more
    /// easily.
    open: VecDeque<Position<R>>,
}

impl<'t, R: World> SafePlay<'t, R> {
    fn new(table: &'t Tablebase<R>, prover: Colour, weighted: bool, most: usize) -> Self {
        let strategy = Strategy::new(prover, Repetition::Draw);
        let (met, open) = (FxHashSet::default(), VecDeque::new());
        Self { table, strategy, weighted, most, met, open }
    }

    /// Returns the moves and the number of positions met.
    fn run(mut self, root: &Position<R>) -> Result<(Strategy<R>, usize), DrawError> {
        self.meet(*root)?;
        while let Some(position) = self.open.pop_front() {
            let mv = self.choose(&position)?;
            self.strategy.insert(&position, mv, 0)?;
            // At once, so that the moves chosen next can lead back to the replies, too.
            self.meet(position.play_unchecked(mv))?;
        }
        Ok((self.strategy, self.met.len()))
    }

    /// Adds a position and all that follow from it by the opponent's moves.
    fn meet(&mut self, position: Position<R>) -> Result<(), DrawError> {
        let mut reached = vec![position];
        while let Some(position) = reached.pop() {
            if !self.met.insert(key(&position)) || R::verdict(&position).is_some() {
                continue;
            }
            if position.side() == self.strategy.prover() {
                self.open.push_back(position);
            } else {
                for &reply in &position.legal_moves() {
                    reached.push(position.play_unchecked(reply));
                }
            }
        }
        if self.met.len() > self.most { Err(DrawError::TooLarge(self.most)) } else { Ok(()) }
    }

    /// The nearest win, or the cheapest drawing move.
    fn choose(&self, position: &Position<R>) -> Result<Move<R>, DrawError> {
        let mut cheapest: Option<(u32, Move<R>)> = None;
        // The best moves come first, the nearest wins before all.
        for (mv, value) in self.table.moves(position)? {
            match value.verdict {
                Verdict::Win => return Ok(mv),
                Verdict::Draw => {
                    let cost = self.cost(&position.play_unchecked(mv))?;
                    if cheapest.is_none_or(|(least, _)| cost < least) {
                        cheapest = Some((cost, mv));
                    }
                }
                Verdict::Loss => {}
            }
        }
        // A position that is not lost has a move.
        cheapest.map(|(_, mv)| mv).ok_or(DrawError::Step(StepError::Illegal))
    }

    /// The cost of the new positions after a move of the player.
    fn cost(&self, after: &Position<R>) -> Result<u32, ProbeError> {
        let mut cost = 0;
        if self.met.contains(&key(after)) || R::verdict(after).is_some() {
            return Ok(cost);
        }
        for &reply in &after.legal_moves() {
            let new = after.play_unchecked(reply);
            if !self.met.contains(&key(&new)) {
                cost += match self.weighted {
                    true => self.table.probe(&new)?.plies.unwrap_or(20),
                    false => 1,
                };
            }
        }
        Ok(cost)
    }
}

fn key<R: World>(position: &Position<R>) -> (Colour, Option<Packed>) {
    (position.side(), Packed::of(position))
}
