//! Bare-king positions: the proof that all can be reached, against a list of all of them.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use shogi_rank::{Order, Space};
use shogi_reach::Hub;
use shogi_rules::shogi_core::{Bitboard, Colour, Hand, Kind, Move, Origin, Piece, Placement, Role};
use shogi_rules::shogi_core::{Geometry, RuleTable, Square, Step, step_attacks};
use shogi_rules::{KyotoShogi, Minishogi, Rules, Shogi, parse_sfen, to_sfen};

/// The bare-king positions one step away: after a king's move, or after a drop beside the other
/// king and its capture.
fn neighbours<R: RuleTable>(placement: &Placement<R>) -> Vec<Placement<R>> {
    let mut found = Vec::new();
    let _: ControlFlow<()> = placement.generate(|batch| {
        for mv in batch.moves() {
            let after = placement.play_unchecked(mv);
            if let Origin::Board(_) = batch.origin {
                found.push(after);
                continue;
            }
            let from = after.king(after.side()).unwrap();
            let capture = Move::Board { from, to: mv.to(), turn: false };
            found.extend(after.is_legal(capture).then(|| after.play_unchecked(capture)));
        }
        ControlFlow::Continue(())
    });
    found
}

/// All bare-king positions that one leads to.
fn explore<R: RuleTable>(first: Placement<R>) -> FxHashSet<Placement<R>> {
    let mut seen = FxHashSet::from_iter([first]);
    let mut queue = vec![first];
    while let Some(placement) = queue.pop() {
        queue.extend(neighbours(&placement).into_iter().filter(|&next| seen.insert(next)));
    }
    seen
}

/// Plays a game to a position and checks it.
fn is_played<R: Rules>(hub: &Hub<R>, target: &Placement<R>) -> usize {
    let game = hub.game_to(target).unwrap_or_else(|| panic!("{}", to_sfen(target)));
    let mut placement = *hub.start();
    for &mv in &game {
        assert!(placement.is_legal(mv) && R::verdict(&placement).is_none());
        placement = placement.play_unchecked(mv);
    }
    assert_eq!(placement, *target);
    game.len()
}

/// A listing finds as many positions as there are, and a game leads to each of them.
fn agrees_with_a_listing<R: Rules>(total: u64) {
    let hub = Hub::<R>::new().unwrap();
    assert!(hub.is_connected());
    assert_eq!(hub.total(), total);
    let space = Space::<R>::new().unwrap();
    let last = space.unrank(space.size() - 1u8, Order::Native).unwrap();
    let mut bare = last;
    // The last placement has all pieces in hand; apart, the kings make it a legal one.
    bare.remove(Bitboard::ALL);
    for (square, colour) in [(0, Colour::Sente), (R::Geometry::AREA - 1, Colour::Gote)] {
        let king = last.king(colour).and_then(|king| last.piece(king)).unwrap();
        bare.put(Square::from_index(square).unwrap(), king);
    }
    let all = explore(bare);
    assert_eq!(all.len() as u64, total);
    for target in all.iter().take(60) {
        is_played(&hub, target);
    }
}

#[test]
fn every_bare_king_position_of_5x5_is_connected() {
    agrees_with_a_listing::<Minishogi>(221_616);
    agrees_with_a_listing::<KyotoShogi>(73_872);
}

/// Bare kings on 9x9, with shares of the hands that change with the number.
fn bare(number: u8) -> Option<Placement<Shogi>> {
    let start = parse_sfen::<Shogi>(Shogi::START).unwrap().0;
    let mut placement = start;
    placement.remove(Bitboard::ALL);
    let squares = [usize::from(number) * 7 % 81, usize::from(number) * 31 % 81];
    for (colour, square) in Colour::ALL.into_iter().zip(squares) {
        let square = Square::from_index(square)?;
        if (step_attacks(Step::King, colour, square) | Bitboard::of(square))
            .meets(placement.occupied())
        {
            return None;
        }
        let king: Piece = start.king(colour).and_then(|king| start.piece(king))?;
        placement.put(square, king);
    }
    for kind in Kind::all::<Shogi>().filter(|k| k.spec::<Shogi>().role != Role::Royal) {
        let count = kind.spec::<Shogi>().count;
        let share = (number >> kind.index()) % (count + 1);
        placement.hand_mut(Colour::Sente).set(kind, share);
        placement.hand_mut(Colour::Gote).set(kind, count - share);
    }
    placement.set_side(if number.is_multiple_of(2) { Colour::Sente } else { Colour::Gote });
    Some(placement)
}

#[test]
fn every_bare_king_position_of_9x9_is_connected() {
    let hub = Hub::<Shogi>::new().unwrap();
    assert!(hub.is_connected());
    // 5,936 ordered pairs of squares apart, either side to move, 106,875 divisions of the pieces.
    assert_eq!(hub.total(), 2 * 5_936 * 106_875);
    let lengths: Vec<usize> =
        (0..=255).step_by(8).filter_map(bare).map(|target| is_played(&hub, &target)).collect();
    assert!(lengths.len() > 20);
    assert!(lengths.iter().all(|length| (90..400).contains(length)), "{lengths:?}");
}

#[test]
fn only_bare_king_positions_have_a_game() {
    let hub = Hub::<Shogi>::new().unwrap();
    assert_eq!(hub.game_to(hub.start()), None);
    let mut incomplete = bare(5).unwrap();
    *incomplete.hand_mut(Colour::Sente) = Hand::EMPTY;
    assert_eq!(hub.game_to(&incomplete), None);
    let adjacent = parse_sfen::<Minishogi>("kK3/5/5/5/5 b 2R2B2G2S2P 1").unwrap().0;
    assert_eq!(Hub::new().unwrap().game_to(&adjacent), None);
}
