//! The fast way back: a greedy descent to a KK position that considers one unmove at a time.
//!
//! Nearly every reachable position can be taken apart without search. The player who moved last takes back
//! drops as long as they have unpromoted pieces on the board, else walks a promoted piece back to where it
//! turned over, else passes the turn with the king. Each of these keeps the position *quiet* (no king
//! attacked), and in a quiet position the un-drop of a piece that shields no king is always legal. Unmoves are
//! generated and scored only in check, or when none of these is possible.
//!
//! Success is a proof: every step is a legal unmove. Failure says nothing.

use core::marker::PhantomData;
use core::ops::ControlFlow;

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, MAX_KINDS, Move, Placement, Promotion, Role, RuleTable,
    Square, Unmove, camp, face_attacks,
};

use crate::stages::is_hub;

/// The most steps of a descent, by the size of the board: 80 on 5x5, 259 on 9x9. One step takes back one or
/// several moves.
fn max_steps<R: RuleTable>() -> usize {
    16 * R::Geometry::area() / 5
}

/// Number of descents from a position, each with different choices, before a search.
pub(crate) const TRIES: u64 = 4;

/// For each promoted piece and square, the fewest unmoves on an empty board that turn it back.
pub(crate) struct Distances<R> {
    /// By player, kind and square; [`Self::NEVER`] where it cannot be turned back.
    table: [[[u8; 128]; MAX_KINDS]; 2],
    rules: PhantomData<R>,
}

impl<R: RuleTable> Distances<R> {
    const NEVER: u8 = u8::MAX;

    pub(crate) fn new() -> Self {
        let mut distances =
            Self { table: [[[Self::NEVER; 128]; MAX_KINDS]; 2], rules: PhantomData };
        for colour in Colour::ALL {
            for kind in Kind::all::<R>() {
                if kind.spec::<R>().back.is_some() {
                    distances.fill(colour, kind);
                }
            }
        }
        distances
    }

    /// Breadth-first over an empty board.
    fn fill(&mut self, colour: Colour, kind: Kind) {
        let mut reached = Bitboard::<R::Geometry>::EMPTY;
        for square in Square::all() {
            if !turned_from::<R>(kind, colour, square, Bitboard::EMPTY).is_empty() {
                reached.insert(square);
            }
        }
        let mut layer = reached;
        let mut distance = 1;
        while !layer.is_empty() {
            for square in layer {
                self.table[colour.index()][kind.index()][square.index()] = distance;
            }
            // From which squares an unmove leads into the layer: a piece on `square` un-moves to
            // where it attacks `square` from, so go the other way.
            let mut next = Bitboard::EMPTY;
            for square in !reached {
                if came_from::<R>(Face::back(kind), colour, square, Bitboard::EMPTY).meets(layer) {
                    next.insert(square);
                }
            }
            reached |= next;
            layer = next;
            distance += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn of(&self, colour: Colour, kind: Kind, square: Square<R::Geometry>) -> u8 {
        self.table[colour.index()][kind.index()][square.index() & 127]
    }

    /// The distance of a position from a KK position: 40 for each piece except the kings and 10 for each unmove
    /// that its promoted pieces need.
    #[inline]
    pub(crate) fn score(&self, placement: &Placement<R>) -> u32 {
        let pieces = placement.occupied() - placement.royals();
        let mut score = 40 * pieces.len();
        if !R::drops_either_face() {
            for square in placement.promoted() {
                if let Some(piece) = placement.piece(square) {
                    score += 10 * u32::from(self.of(piece.colour, piece.face.kind, square));
                }
            }
        }
        score
    }
}

/// Empty squares from which a piece with this face can have moved to `to` without turning over.
#[inline(always)]
pub(crate) fn came_from<R: RuleTable>(
    face: Face,
    colour: Colour,
    to: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    let Some(movement) = face.movement::<R>() else { return Bitboard::EMPTY };
    face_attacks::<R>((face, movement), !colour, to, occupied) - occupied
}

/// Empty squares from which a piece can have moved to `to` and been promoted by that move.
#[inline(always)]
pub(crate) fn turned_from<R: RuleTable>(
    kind: Kind,
    colour: Colour,
    to: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    let mut origins = came_from::<R>(Face::front(kind), colour, to, occupied);
    let zone = camp(colour, R::zone());
    if R::promotion() != Promotion::EveryMove && !zone.contains(to) {
        origins &= zone;
    }
    if !R::allows_immobile() {
        origins -= camp(colour, kind.spec::<R>().front.dead_ranks());
    }
    origins
}

/// Tries several times to take a position back to a KK position, or to a quiet position that is known to be
/// reachable. Calls `taken` with every unmove of every try; `None` starts a new try. Returns whether the last
/// try succeeded.
///
/// The position must have passed the first three stages.
pub(crate) fn descend<R: RuleTable>(
    distances: &Distances<R>,
    start: &Placement<R>,
    tries: u64,
    is_reachable: impl Fn(&Placement<R>) -> bool,
    mut taken: impl FnMut(Option<Unmove<R>>),
) -> bool {
    (0..tries).any(|seed| {
        taken(None);
        let mut descent = Descent {
            distances,
            // No unmove here puts a captured piece back, so the hands do not matter and are left
            // as they are.
            placement: *start,
            quiet: false,
            choice: TieBreak::new(seed),
        };
        for _ in 0..max_steps::<R>() {
            let placement = &descent.placement;
            if is_hub(placement) || descent.quiet && is_reachable(placement) {
                return true;
            }
            if descent.step(&mut taken).is_none() {
                return false;
            }
        }
        is_hub(&descent.placement)
    })
}

/// Picks among equals, by SplitMix64 (Steele, Lea & Flood 2014).
struct TieBreak {
    state: u64,
    /// Whether un-drops are picked at random too: not at the first try.
    shuffle: bool,
}

impl TieBreak {
    fn new(seed: u64) -> Self {
        Self { state: seed, shuffle: seed != 0 }
    }

    fn pick<G: Geometry>(&mut self, squares: Bitboard<G>) -> Option<Square<G>> {
        if squares.is_empty() {
            return None;
        }
        let nth = self.random() % u64::from(squares.len());
        squares.iter().nth(nth as usize)
    }

    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 31)
    }
}

/// A descent under way.
struct Descent<'a, R: RuleTable> {
    distances: &'a Distances<R>,
    placement: Placement<R>,
    /// Whether the position is known to be quiet.
    quiet: bool,
    choice: TieBreak,
}

impl<R: RuleTable> Descent<'_, R> {
    /// One or more legal unmoves towards a KK position; `None` where there is no unmove without
    /// capture.
    #[inline]
    fn step(&mut self, taken: &mut impl FnMut(Option<Unmove<R>>)) -> Option<()> {
        let placement = &self.placement;
        let (mover, waiting) = (!placement.side(), placement.side());
        let (own_king, king) = (placement.king(mover)?, placement.king(waiting)?);
        let checkers = if self.quiet {
            Bitboard::EMPTY
        } else {
            placement.attackers(king, mover, placement.occupied())
        };
        let found = if !checkers.is_empty() {
            undrop_checker(placement, checkers)
        } else {
            let (own_alone, own_together) = placement.blockers(own_king, waiting);
            let (alone, together) = placement.blockers(king, mover);
            // Pieces whose removal would open a line on a king.
            let shields = own_alone | alone;
            let gone = undrop_pairs(placement, shields | own_together | together, taken);
            if !gone.is_empty() {
                self.placement.remove(gone);
                self.quiet = true;
                return Some(());
            }
            quiet_unmove(self.distances, placement, shields, &mut self.choice)
        };
        self.quiet = found.is_some();
        let unmove = found.or_else(|| scored(self.distances, placement, &mut self.choice))?;
        taken(Some(unmove));
        self.placement = placement.unmake_unchecked(unmove);
        Some(())
    }
}

/// In a quiet position, un-drops pieces of both players in turn, as long as both have pieces that stand on no
/// line to a king (the caller gives the squares on lines): removing one changes nothing for the others. Returns
/// the emptied squares.
#[inline]
fn undrop_pairs<R: RuleTable>(
    placement: &Placement<R>,
    lines: Bitboard<R::Geometry>,
    taken: &mut impl FnMut(Option<Unmove<R>>),
) -> Bitboard<R::Geometry> {
    let idle = |colour| droppable(placement, colour) - lines;
    let (mut first, mut second) = (idle(!placement.side()), idle(placement.side()));
    let mut gone = Bitboard::EMPTY;
    while let (Some(a), Some(b)) = (first.pop(), second.pop()) {
        for square in [a, b] {
            gone.insert(square);
            taken(undrop(placement, square));
        }
    }
    gone
}

/// A player's pieces that show a face with which they can have been dropped.
#[inline]
fn droppable<R: RuleTable>(placement: &Placement<R>, colour: Colour) -> Bitboard<R::Geometry> {
    let pieces = placement.of(colour) - placement.royals();
    if R::drops_either_face() { pieces } else { pieces - placement.promoted() }
}

/// The un-drop of the piece on a square.
#[inline]
fn undrop<R: RuleTable>(placement: &Placement<R>, to: Square<R::Geometry>) -> Option<Unmove<R>> {
    let face = placement.piece(to)?.face;
    Some(Unmove { mv: Move::Drop { face, to }, captured: None })
}

/// In a quiet position, an unmove that keeps it quiet: an un-drop, an un-promotion, or a tempo.
#[inline]
fn quiet_unmove<R: RuleTable>(
    distances: &Distances<R>,
    placement: &Placement<R>,
    shields: Bitboard<R::Geometry>,
    choice: &mut TieBreak,
) -> Option<Unmove<R>> {
    let mover = !placement.side();
    let free = droppable(placement, mover) - shields;
    let drop = if choice.shuffle { choice.pick(free) } else { free.first() };
    if let Some(to) = drop {
        return undrop(placement, to);
    }
    let movable = placement.of(mover) - shields - placement.royals();
    turn_back(distances, placement, movable).or_else(|| tempo(placement, movable, shields, choice))
}

/// Un-drops the only checker where that leaves a quiet position.
#[inline]
fn undrop_checker<R: RuleTable>(
    placement: &Placement<R>,
    checkers: Bitboard<R::Geometry>,
) -> Option<Unmove<R>> {
    if checkers.has_many() || (checkers.meets(placement.promoted()) && !R::drops_either_face()) {
        return None;
    }
    let to = checkers.first()?;
    let face = placement.piece(to)?.face;
    let unmove = undrop(placement, to)?;
    let before = placement.unmake_unchecked(unmove);
    let is_royal = face.kind.spec::<R>().role == Role::Royal;
    if is_royal || before.in_check(Colour::Sente) || before.in_check(Colour::Gote) {
        return None;
    }
    may_have_checked(placement, face).then_some(unmove)
}

/// Whether a piece that gives check may have been dropped there; a mating pawn may not where that is forbidden.
#[inline]
fn may_have_checked<R: RuleTable>(placement: &Placement<R>, face: Face) -> bool {
    let is_pawn = face.kind.spec::<R>().role == Role::Pawn && !face.promoted;
    !is_pawn || R::allows_drop_pawn_mate() || !placement.has_no_move()
}

/// A quiet position before one with the player to move in check, if the only checker can be taken back at once:
/// by an un-drop, or without capture to a square from which it does not attack the king.
#[inline]
pub(crate) fn before_check<R: RuleTable>(placement: &Placement<R>) -> Option<Placement<R>> {
    let (mover, waiting) = (!placement.side(), placement.side());
    let (own_king, king) = (placement.king(mover)?, placement.king(waiting)?);
    let checkers = placement.attackers(king, mover, placement.occupied());
    let to = checkers.first().filter(|_| !checkers.has_many())?;
    let rest = placement.occupied() - checkers;
    let uncovered = placement.attackers(king, mover, rest) - checkers;
    if !uncovered.is_empty() || placement.attacked(own_king, waiting, rest) {
        return None;
    }
    let face = placement.piece(to)?.face;
    let board_move = |from, turn| Unmove { mv: Move::Board { from, to, turn }, captured: None };
    let unmove = if !face.promoted || R::drops_either_face() {
        undrop(placement, to).filter(|_| may_have_checked(placement, face))?
    } else if let Some(from) = unpromotions(placement, face.kind, to, king).first() {
        board_move(from, true)
    } else {
        board_move(quiet_origins(placement, face, to, king).first()?, false)
    };
    Some(placement.unmake_unchecked(unmove))
}

/// In a quiet position, un-promotes a piece or brings one nearer to un-promotion.
#[inline]
fn turn_back<R: RuleTable>(
    distances: &Distances<R>,
    placement: &Placement<R>,
    movable: Bitboard<R::Geometry>,
) -> Option<Unmove<R>> {
    let mover = !placement.side();
    let king = placement.king(placement.side())?;
    for to in movable & placement.promoted() {
        let kind = placement.piece(to)?.face.kind;
        let distance = distances.of(mover, kind, to);
        if distance == 1
            && let Some(from) = unpromotions(placement, kind, to, king).first()
        {
            let mv = Move::Board { from, to, turn: true };
            return Some(Unmove { mv, captured: None });
        }
        for from in quiet_origins(placement, Face::back(kind), to, king) {
            if distances.of(mover, kind, from) < distance {
                let mv = Move::Board { from, to, turn: false };
                return Some(Unmove { mv, captured: None });
            }
        }
    }
    None
}

/// Where the promoted piece on `to` can have come from and turned over, without attacking `king`
/// from there.
#[inline]
fn unpromotions<R: RuleTable>(
    placement: &Placement<R>,
    kind: Kind,
    to: Square<R::Geometry>,
    king: Square<R::Geometry>,
) -> Bitboard<R::Geometry> {
    let mover = !placement.side();
    let own_pawns = placement.pawns() & placement.of(mover);
    let pawn = kind.spec::<R>().role == Role::Pawn;
    if pawn && R::pawns_on_a_file().is_some() && own_pawns.meets(Bitboard::file(to)) {
        return Bitboard::EMPTY;
    }
    turned_from::<R>(kind, mover, to, placement.occupied())
        - seen_from(placement, Face::front(kind), to, king)
}

/// Where the piece on `to` can have come from without turning over, and without attacking `king`
/// from there.
#[inline]
fn quiet_origins<R: RuleTable>(
    placement: &Placement<R>,
    face: Face,
    to: Square<R::Geometry>,
    king: Square<R::Geometry>,
) -> Bitboard<R::Geometry> {
    came_from::<R>(face, !placement.side(), to, placement.occupied())
        - seen_from(placement, face, to, king)
}

/// The squares from which this face of the piece that leaves `to` would attack `king`.
#[inline]
fn seen_from<R: RuleTable>(
    placement: &Placement<R>,
    face: Face,
    to: Square<R::Geometry>,
    king: Square<R::Geometry>,
) -> Bitboard<R::Geometry> {
    let rest = placement.occupied() - Bitboard::of(to);
    let Some(movement) = face.movement::<R>() else { return Bitboard::EMPTY };
    face_attacks::<R>((face, movement), placement.side(), king, rest)
}

/// In a quiet position, passes the turn by an unmove that keeps it quiet: a step of the king, or
/// any move of a promoted piece, which may make way for another.
#[inline]
fn tempo<R: RuleTable>(
    placement: &Placement<R>,
    movable: Bitboard<R::Geometry>,
    shields: Bitboard<R::Geometry>,
    choice: &mut TieBreak,
) -> Option<Unmove<R>> {
    let (mover, waiting) = (!placement.side(), placement.side());
    let (own_king, king) = (placement.king(mover)?, placement.king(waiting)?);
    let occupied = placement.occupied();
    let unmove = |from, to| {
        let mv = Move::Board { from, to, turn: false };
        Unmove { mv, captured: None }
    };
    if choice.random() & 1 == 0
        && let Some(to) = choice.pick(movable & placement.promoted())
    {
        let face = placement.piece(to)?.face;
        if let Some(from) = choice.pick(quiet_origins(placement, face, to, king)) {
            return Some(unmove(from, to));
        }
    }
    if shields.contains(own_king) {
        return None;
    }
    let rest = occupied - Bitboard::of(own_king);
    let face = placement.piece(own_king)?.face;
    let mut safe = came_from::<R>(face, mover, own_king, occupied);
    for from in safe {
        if placement.attacked(from, waiting, rest) {
            safe.remove(from);
        }
    }
    let bare = !rest.has_many();
    let away = safe.iter().max_by_key(|from| from.manhattan(king)).filter(|_| bare);
    Some(unmove(away.or_else(|| choice.pick(safe))?, own_king))
}

/// The unmove without capture that leads to the best score.
#[cold]
fn scored<R: RuleTable>(
    distances: &Distances<R>,
    placement: &Placement<R>,
    choice: &mut TieBreak,
) -> Option<Unmove<R>> {
    let mut best = None;
    let _: ControlFlow<()> = placement.generate_quiet_unmoves(|unmove, before| {
        // A check in the position before has to be accounted for in turn.
        let check = if before.in_check(before.side()) { 60 } else { 0 };
        let score = distances.score(before) + check + (choice.random() & 7) as u32;
        if best.is_none_or(|(least, _)| score < least) {
            best = Some((score, unmove));
        }
        ControlFlow::Continue(())
    });
    best.map(|(_, unmove)| unmove)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi_rules::{Judkins, KyotoShogi, Minishogi, Shogi, to_sfen};
    use testing::random::Random;
    use testing::sample::{Style, legal};

    /// The number of positions in check whose predecessor was found, and of all positions in check. A found
    /// position must be a predecessor and quiet.
    fn found_before_checks<R: shogi_rules::Rules>(positions: usize) -> [usize; 2] {
        let mut random = Random::new(5);
        let mut found = [0, 0];
        for i in 0..positions {
            let position = legal::<R>(&mut random, Style::ALL[i % Style::ALL.len()]);
            let placement = *position.placement();
            if !placement.in_check(placement.side()) {
                continue;
            }
            found[1] += 1;
            if let Some(before) = before_check(&placement) {
                found[0] += 1;
                let is_quiet = !Colour::ALL.iter().any(|&colour| before.in_check(colour));
                let all = placement.predecessors();
                assert!(
                    is_quiet && all.iter().any(|(_, p)| *p == before),
                    "{}",
                    to_sfen(&placement)
                );
            }
        }
        found
    }

    #[test]
    fn a_position_before_a_check_is_quiet_and_a_predecessor() {
        for [found, all] in [
            found_before_checks::<Minishogi>(20_000),
            found_before_checks::<KyotoShogi>(20_000),
            found_before_checks::<Judkins>(20_000),
            found_before_checks::<Shogi>(10_000),
        ] {
            assert!(10 * found > all && found > 300, "{found} of {all}");
        }
    }
}
