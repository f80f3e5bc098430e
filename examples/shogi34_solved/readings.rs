//! Readings of the rules that differ in stalemate and in what a piece may do where it could never move
//! again, and the shortest wins under each, by looking at all moves.

use rustc_hash::FxHashMap;
use shogi_rules::shogi_core::{
    Colour, Face, KindSpec, Move, Piece, Placement, Position, RuleTable,
};
use shogi_rules::{
    GameResult, Outcome, PositionError, Reason, RepetitionRule, Rules, Shogi34, Verdict,
    parse_position, to_sfen,
};
use shogi_solve::{GameGraph, RulesGame};

/// The plies within which the shortest wins are looked for.
pub const LIMIT: u32 = 7;

/// A reading of the rules.
pub struct Reading {
    /// What is different.
    pub name: &'static str,
    /// The plies of the shortest win from a start, if it is at most [`LIMIT`].
    pub shortest: fn(&Position<Shogi34>) -> Option<u32>,
}

/// All readings, the one of the rule table first.
pub const READINGS: [Reading; 5] = [
    Reading { name: "no legal move loses (ours)", shortest: by_rules::<Shogi34> },
    Reading {
        name: "a stalemated king has to be taken",
        shortest: |start| shortest(&TakenGame, &(*start, 0)),
    },
    Reading { name: "stalemate is a draw", shortest: by_rules::<StalemateDraws> },
    Reading {
        name: "pieces may go where they can never move again",
        shortest: by_rules::<Immobile>,
    },
    Reading {
        name: "a piece guards no square where it could never move again",
        shortest: |start| shortest(&GuardGame, &convert(start).ok()?),
    },
];

fn by_rules<R: Rules>(start: &Position<Shogi34>) -> Option<u32> {
    shortest(&RulesGame::<R>::new(), &convert(start).ok()?)
}

/// The same position under other rules.
fn convert<R: Rules>(start: &Position<Shogi34>) -> Result<Position<R>, PositionError<R>> {
    parse_position(&to_sfen(start))
}

/// Implements the rules of 3x4 shogi, but for some constants of the rule table and functions.
macro_rules! reading {
    ($(#[$doc:meta])* $name:ident { $($constant:item)* } { $($function:item)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        struct $name;

        impl RuleTable for $name {
            type Geometry = <Shogi34 as RuleTable>::Geometry;
            const KINDS: &'static [KindSpec] = Shogi34::KINDS;
            $($constant)*
        }

        impl Rules for $name {
            const NAME: &'static str = stringify!($name);
            const START: &'static str = Shogi34::START;
            const REPETITION: RepetitionRule = Shogi34::REPETITION;
            $($function)*
        }
    };
}

reading! {
    /// A player who has no legal move and is not in check draws.
    StalemateDraws {} {
        fn ending(placement: &Placement<Self>) -> Option<Outcome> {
            placement.has_no_move().then(|| {
                let loser = placement.side();
                if placement.in_check(loser) {
                    Outcome::win(!loser, Reason::Checkmate)
                } else {
                    Outcome { result: GameResult::Draw, reason: Reason::Stalemate }
                }
            })
        }
    }
}

reading! {
    /// Pieces may be moved and dropped where they can never move again.
    Immobile { const ALLOWS_IMMOBILE: bool = true; } {}
}

reading! {
    /// Kings may be left in attack; [`GuardGame`] says what attack is.
    Unguarded { const ROYAL_SAFETY: bool = false; } {}
}

/// 3x4 shogi in which a king in stalemate has to move into attack, and is lost when it is taken two
/// plies later.
///
/// A position comes with the plies since the stalemate.
struct TakenGame;

impl GameGraph for TakenGame {
    type Position = (Position<Shogi34>, u8);
    type Move = Option<Move<Shogi34>>;

    fn side(&self, &(ref position, since): &Self::Position) -> Colour {
        if since == 1 { !position.side() } else { position.side() }
    }

    fn verdict(&self, &(ref position, since): &Self::Position) -> Option<Verdict> {
        let ended = since == 2 || since == 0 && position.is_mate();
        ended.then_some(Verdict::Loss)
    }

    fn moves(&self, (position, _): &Self::Position, moves: &mut Vec<Self::Move>) {
        moves.extend(position.legal_moves().into_iter().map(Some));
        if moves.is_empty() {
            // Into attack, or to take the king there.
            moves.push(None);
        }
    }

    fn play(&self, &(ref position, since): &Self::Position, mv: Self::Move) -> Self::Position {
        match mv {
            Some(mv) => (position.play_unchecked(mv), since),
            None => (*position, since + 1),
        }
    }

    fn key(&self, (position, since): &Self::Position) -> u64 {
        position.key() ^ u64::from(*since)
    }
}

/// 3x4 shogi in which a king is attacked only by what could take it, that is not by a piece that
/// could never move again on the king's square.
struct GuardGame;

impl GuardGame {
    /// Whether the player to move can take the other one's king.
    fn takes_king(position: &Position<Unguarded>) -> bool {
        let king = position.king(!position.side());
        position.legal_moves().into_iter().any(|mv| Some(mv.to()) == king)
    }

    /// Whether a move is a pawn drop before the king that leaves the other player no move.
    fn mates_by_pawn(position: &Position<Unguarded>, mv: Move<Unguarded>) -> bool {
        let Move::Drop { face, to } = mv else { return false };
        let mut board = Placement::<Unguarded>::EMPTY;
        board.put(to, Piece { face, colour: position.side() });
        let king = position.king(!position.side());
        let checks =
            king.is_some_and(|king| board.attacked(king, position.side(), board.occupied()));
        let after = position.play_unchecked(mv);
        face == Face::front(Shogi34::PAWN).any() && checks && Self::legal(&after).next().is_none()
    }

    /// The moves after which the king cannot be taken.
    fn legal(position: &Position<Unguarded>) -> impl Iterator<Item = Move<Unguarded>> {
        let moves = position.legal_moves().into_iter();
        moves.filter(|&mv| !Self::takes_king(&position.play_unchecked(mv)))
    }
}

impl GameGraph for GuardGame {
    type Position = Position<Unguarded>;
    type Move = Move<Unguarded>;

    fn side(&self, position: &Self::Position) -> Colour {
        position.side()
    }

    fn verdict(&self, position: &Self::Position) -> Option<Verdict> {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.is_empty().then_some(Verdict::Loss)
    }

    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) {
        moves.extend(Self::legal(position).filter(|&mv| !Self::mates_by_pawn(position, mv)));
    }

    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        position.play_unchecked(mv)
    }

    fn key(&self, position: &Self::Position) -> u64 {
        position.key()
    }
}

/// The plies of the shortest win for the player to move, by looking at all moves.
fn shortest<G: GameGraph>(game: &G, root: &G::Position) -> Option<u32> {
    let mut search = Exhaustive { game, prover: game.side(root), seen: FxHashMap::default() };
    (1..=LIMIT).step_by(2).find(|&plies| search.wins(root, plies))
}

struct Exhaustive<'g, G> {
    game: &'g G,
    prover: Colour,
    /// Whether a position is won within so many plies.
    seen: FxHashMap<(u64, u32), bool>,
}

impl<G: GameGraph> Exhaustive<'_, G> {
    fn wins(&mut self, position: &G::Position, plies: u32) -> bool {
        let side = self.game.side(position);
        if let Some(verdict) = self.game.verdict(position) {
            let won = if side == self.prover { Verdict::Win } else { Verdict::Loss };
            return verdict == won;
        }
        let Some(left) = plies.checked_sub(1) else { return false };
        let key = (self.game.key(position), plies);
        if let Some(&known) = self.seen.get(&key) {
            return known;
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut children = moves.into_iter().map(|mv| self.game.play(position, mv));
        let wins = if side == self.prover {
            children.any(|child| self.wins(&child, left))
        } else {
            children.all(|child| self.wins(&child, left))
        };
        self.seen.insert(key, wins);
        wins
    }
}
