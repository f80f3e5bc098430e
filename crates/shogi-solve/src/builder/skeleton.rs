//! Skeletons: proofs without the parts that a search finds again.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use shogi_core::Move;
use shogi_files::sealed::{Flaw, JsonFormat, from_json, to_json};
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Rules, to_sfen, to_usi};

use super::text::{move_from_text, position_from_text, rules_digits};
use super::{Builder, NamedMove, ProofState};
use crate::game::{GameGraph, Goal, RulesGame};
use crate::leaf::Leaf;
use crate::plan::children_for_files;

/// The format of a skeleton's file.
pub const SKELETON_FORMAT: JsonFormat =
    JsonFormat { format: Some("proof skeleton"), version: 1, name: "skeleton" };

/// Marks a position whose proof is left out.
const LEAF: &str = "-";

/// The prover's moves at the expanded positions of a proof. The other positions are left out, since df-pn
/// proves them again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skeleton<R: Rules> {
    /// The proved position.
    pub root: Position<R>,
    /// The player who wins.
    pub winner: Colour,
    /// Expansions of the largest job that proved a left-out position.
    pub expansions: u64,
    /// The moves in depth-first order, replies in the order of proof files, each position where it is
    /// first met; `None` for a left-out position.
    pub moves: Vec<Option<Move<R>>>,
}

/// Why a text is not a usable skeleton.
#[derive(Debug, thiserror::Error)]
pub enum SkeletonError {
    /// The file is damaged, or of another format.
    #[error(transparent)]
    File(#[from] Flaw),
    /// The skeleton is of another rule set.
    #[error("the skeleton is of {0} by other rules")]
    Rules(String),
    /// A position or a move cannot be read.
    #[error("{0}")]
    Text(String),
    /// The moves do not fit the positions.
    #[error("move {number} of the skeleton does not fit its position")]
    Move {
        /// The number of the move, from 1.
        number: usize,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SkeletonFile {
    variant: String,
    rules: String,
    root: String,
    sente_wins: bool,
    expansions: u64,
    moves: String,
}

impl<R: Rules> Skeleton<R> {
    /// Writes the skeleton as JSON.
    pub fn to_json(&self) -> String {
        let file = SkeletonFile {
            variant: R::name().to_owned(),
            rules: rules_digits::<R>(),
            root: to_sfen(&self.root),
            sente_wins: self.winner == Colour::Sente,
            expansions: self.expansions,
            moves: moves_to_text(&self.moves),
        };
        to_json(&file, &SKELETON_FORMAT)
    }

    /// Reads a skeleton from JSON.
    ///
    /// # Errors
    ///
    /// If the text is damaged or not a skeleton by these rules.
    pub fn from_json(text: &str) -> Result<Self, SkeletonError> {
        let file: SkeletonFile = from_json(text, &SKELETON_FORMAT)?;
        if file.rules != rules_digits::<R>() {
            return Err(SkeletonError::Rules(file.variant));
        }
        let root = position_from_text(&file.root).map_err(SkeletonError::Text)?;
        let moves = moves_from_text(&file.moves).map_err(SkeletonError::Text)?;
        let winner = if file.sente_wins { Colour::Sente } else { Colour::Gote };
        Ok(Self { root, winner, expansions: file.expansions, moves })
    }
}

/// The moves as in a file.
fn moves_to_text<R: Rules>(moves: &[Option<Move<R>>]) -> String {
    let mut texts = Vec::with_capacity(moves.len());
    for mv in moves {
        texts.push(match *mv {
            Some(mv) => to_usi(mv),
            None => LEAF.to_owned(),
        });
    }
    texts.join(" ")
}

/// The moves from a file.
fn moves_from_text<R: Rules>(text: &str) -> Result<Vec<Option<Move<R>>>, String> {
    let mut moves = Vec::new();
    for text in text.split_whitespace() {
        moves.push(match text {
            LEAF => None,
            usi => Some(move_from_text(usi)?),
        });
    }
    Ok(moves)
}

/// The name of the rule set of a skeleton.
///
/// # Errors
///
/// If the text is damaged or not a skeleton.
pub fn skeleton_variant(text: &str) -> Result<String, SkeletonError> {
    let file: SkeletonFile = from_json(text, &SKELETON_FORMAT)?;
    Ok(file.variant)
}

impl<R: Rules, L: Leaf<RulesGame<R>>> Builder<'_, RulesGame<R>, L> {
    /// The skeleton of the proof, once the root is proved.
    pub fn skeleton(&self) -> Option<Skeleton<R>> {
        if self.state() != ProofState::Proved {
            return None;
        }
        let mut skeleton = Skeleton {
            root: *self.root(),
            winner: self.goal().prover,
            expansions: 0,
            moves: Vec::new(),
        };
        let mut walk = SkeletonWalk::new(self.game, self.goal(), self.root());
        while let Some(position) = walk.next() {
            let mut mv = None;
            if let Some(number) = self.find(&position) {
                let proving = self.tree.proving_candidate(number);
                mv = proving.map(|index| self.candidate(number, index));
                if mv.is_none() {
                    let largest = self.tree.node(number).proved_by;
                    skeleton.expansions = skeleton.expansions.max(largest);
                }
            }
            skeleton.moves.push(mv);
            if let Some(mv) = mv {
                walk.follow(&position.play_unchecked(mv));
            }
        }
        Some(skeleton)
    }

    /// Makes a new builder follow the moves of a skeleton, so that only the left-out positions remain to
    /// be proved.
    ///
    /// # Errors
    ///
    /// If the moves do not fit the positions, or the skeleton is of another proof.
    pub fn follow_skeleton(&mut self, skeleton: &Skeleton<R>) -> Result<(), SkeletonError> {
        if skeleton.root != *self.root() || skeleton.winner != self.goal().prover {
            return Err(SkeletonError::Text("the skeleton is of another proof".to_owned()));
        }
        self.follow_moves(&skeleton.moves)
    }

    /// Follows the moves of a skeleton, as in its file, unless they were followed before.
    ///
    /// # Errors
    ///
    /// If the moves do not fit the positions, or other moves were followed before.
    pub(super) fn follow_text(&mut self, moves: &str) -> Result<(), String> {
        match &self.skeleton_moves {
            Some(own) if own == moves => Ok(()),
            Some(_) => Err("the log is one of expanding another skeleton".to_owned()),
            None => {
                let moves = moves_from_text(moves)?;
                self.follow_moves(&moves).map_err(|error| error.to_string())
            }
        }
    }

    /// Follows only this legal move of a position of the tree. Returns whether the tree has the position.
    fn follow_only(&mut self, position: &Position<R>, mv: Move<R>) -> bool {
        let Some(number) = self.find(position) else { return false };
        let node = self.tree.node(number);
        if node.state == ProofState::Open && node.is_leaf() {
            self.expand(number, &[NamedMove { mv, factor: 1.0 }]);
            self.tree.node_mut(number).total_when_named = u64::MAX;
            self.follow(number, 0);
            self.events.clear();
        }
        true
    }

    fn follow_moves(&mut self, skeleton: &[Option<Move<R>>]) -> Result<(), SkeletonError> {
        self.skeleton_moves = Some(moves_to_text(skeleton));
        let mut walk = SkeletonWalk::new(self.game, self.goal(), self.root());
        let mut moves = 0;
        while let Some(position) = walk.next() {
            let Some(&mv) = skeleton.get(moves) else { return misfit(moves) };
            moves += 1;
            if let Some(mv) = mv {
                if !position.is_legal(mv) || !self.follow_only(&position, mv) {
                    return misfit(moves - 1);
                }
                walk.follow(&position.play_unchecked(mv));
            }
        }
        self.tree.update();
        if moves < skeleton.len() { misfit(moves) } else { Ok(()) }
    }
}

/// The error for a move that does not fit its position, after `before` moves that do.
const fn misfit(before: usize) -> Result<(), SkeletonError> {
    Err(SkeletonError::Move { number: before + 1 })
}

/// A walk through the prover's positions, depth first.
struct SkeletonWalk<'g, G: GameGraph> {
    game: &'g G,
    met: FxHashSet<u64>,
    open: Vec<G::Position>,
}

impl<'g, G: GameGraph> SkeletonWalk<'g, G> {
    fn new(game: &'g G, goal: Goal, root: &G::Position) -> Self {
        let mut walk = Self { game, met: FxHashSet::default(), open: Vec::new() };
        match game.side(root) == goal.prover {
            true if game.verdict(root).is_some() => {}
            true => walk.open.push(root.clone()),
            false => walk.follow(root),
        }
        walk
    }

    /// The next position that was not met before.
    fn next(&mut self) -> Option<G::Position> {
        loop {
            let position = self.open.pop()?;
            if self.met.insert(self.game.key(&position)) {
                return Some(position);
            }
        }
    }

    /// Enters the replies to the move that led to a position.
    fn follow(&mut self, after: &G::Position) {
        if self.game.verdict(after).is_none() {
            let first = self.open.len();
            for reply in children_for_files(self.game, after) {
                if self.game.verdict(&reply).is_none() {
                    self.open.push(reply);
                }
            }
            self.open[first..].reverse();
        }
    }
}
