//! The defender's side of a mate: what helps against it, and what refutes each other move.
//!
//! After each legal move the opponent is searched for a mate by checks. The searches share the table,
//! and take turns that double in size, since it is unknown which move is hard to refute.

use shogi_core::{Move, Position};
use shogi_rules::{Rules, Verdict};

use super::interposition::Count;
use super::memory::UNLIMITED;
use super::search::MateSearch;
use super::shortest::Turns;
use super::{MateAnswer, Status, answer_to};
use crate::budget::Budget;

/// Moves played for each undecided reply in the first round; each further round has twice as many.
const FIRST_TURN: u64 = 1 << 12;

/// When [`MateSolver::defend`](super::MateSolver::defend) ends, unless its budget does before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DefendUntil {
    /// Each reply is decided.
    EachIsDecided,
    /// It is known whether one of them helps. Each reply that is undecided then was searched in as many moves as the one that
    /// helps was.
    OneHelps,
}

/// The answer of [`MateSolver::defend`](super::MateSolver::defend).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence<R: Rules> {
    /// [`Status::Mate`] if the player to move is mated whatever they play, with the line of the reply that lasts longest,
    /// itself included; [`Status::NoMate`] if a reply is known after which the opponent does not mate.
    pub answer: MateAnswer<R>,
    /// All legal moves, sorted.
    pub replies: Vec<Reply<R>>,
}

/// A move of a player who is threatened with mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply<R: Rules> {
    /// The move.
    pub mv: Move<R>,
    /// Whether the opponent mates by checks after it; plies and line are those after the move.
    pub attack: MateAnswer<R>,
}

/// A reply under search.
struct Open<R: Rules> {
    mv: Move<R>,
    after: Position<R>,
    turns: Turns<R>,
    nodes: u64,
    attack: Option<MateAnswer<R>>,
}

/// The replies of a player who is not to be mated, by a search in which the opponent attacks.
pub fn defend<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    shortest: bool,
    until: DefendUntil,
    budget: &mut Budget<'_>,
) -> Defence<R> {
    let mut replies = open_replies(root);
    let mut turn = FIRST_TURN;
    while replies.iter().any(Open::is_open) && !budget.is_over() {
        for reply in replies.iter_mut().filter(|reply| reply.is_open()) {
            reply.take_turn(search, shortest, turn, budget);
        }
        if until == DefendUntil::OneHelps && replies.iter().any(Open::helps) {
            break;
        }
        turn = turn.saturating_mul(2);
    }
    let replies: Vec<_> = replies.into_iter().map(|reply| reply.end(search, budget)).collect();
    Defence { answer: whole(root, &replies), replies }
}

/// The legal moves of a game that is not over.
fn open_replies<R: Rules>(root: &Position<R>) -> Vec<Open<R>> {
    let mut moves = Vec::new();
    if !R::is_over(root) {
        moves.extend(root.legal_moves());
    }
    Move::sort(&mut moves);
    let open = |mv| Open {
        mv,
        after: root.play_unchecked(mv),
        turns: Turns::new(),
        nodes: 0,
        attack: None,
    };
    moves.into_iter().map(open).collect()
}

impl<R: Rules> Open<R> {
    const fn is_open(&self) -> bool {
        self.attack.is_none()
    }

    fn helps(&self) -> bool {
        self.attack.as_ref().is_some_and(|attack| attack.status == Status::NoMate)
    }

    fn take_turn(
        &mut self,
        search: &mut MateSearch<'_, R>,
        shortest: bool,
        turn: u64,
        budget: &mut Budget<'_>,
    ) {
        let before = budget.spent();
        let (turns, after) = (&mut self.turns, &self.after);
        let has_ended = budget.slice(turn, |budget| {
            if shortest {
                turns.run(search, after, Count::Moves, budget);
                return turns.has_ended();
            }
            turns.any = search.run(after, UNLIMITED, budget);
            turns.any.is_final()
        });
        self.nodes += budget.spent() - before;
        if has_ended {
            self.attack = Some(self.answer(search, budget));
        }
    }

    /// The answer so far, with the line of a mate while the table has its proof.
    fn answer(&mut self, search: &mut MateSearch<'_, R>, budget: &mut Budget<'_>) -> MateAnswer<R> {
        let before = budget.spent();
        let answer = answer_to(search, &self.after, self.turns.result(), budget, self.nodes);
        self.nodes += budget.spent() - before;
        MateAnswer { nodes: self.nodes, ..answer }
    }

    fn end(mut self, search: &mut MateSearch<'_, R>, budget: &mut Budget<'_>) -> Reply<R> {
        let attack = self.attack.take();
        let attack = attack.unwrap_or_else(|| self.answer(search, budget));
        Reply { mv: self.mv, attack }
    }
}

/// The answer for the position before these replies.
fn whole<R: Rules>(root: &Position<R>, replies: &[Reply<R>]) -> MateAnswer<R> {
    let has = |status| replies.iter().any(|Reply { attack, .. }| attack.status == status);
    let status = match R::verdict(root) {
        Some(Verdict::Win | Verdict::Draw) => Status::NoMate,
        _ if has(Status::NoMate) => Status::NoMate,
        _ if has(Status::Unknown) => Status::Unknown,
        _ => Status::Mate,
    };
    let (mut line, mut exact) = (Vec::new(), status == Status::Mate);
    let longest = replies.iter().rev().max_by_key(|reply| (reply.attack.plies, reply.attack.exact));
    if let Some(Reply { mv, attack }) = longest.filter(|_| status == Status::Mate) {
        line.push(*mv);
        line.extend(&attack.line);
        exact = attack.exact;
    }
    let plies = (status == Status::Mate).then_some(line.len() as u32);
    MateAnswer { status, plies, exact, line, nodes: 0, expansions: 0 }
}
