//! How the crate is used: a game of one's own from its table to its last predecessor.

use std::ops::ControlFlow;

use shogi_core::{
    Batch, Bitboard, Colour, Face, Faults, IllegalMove, IllegalUnmove, Kind, KindSpec, Move,
    Movement, Piece, Placement, Position, RuleTable, Square, Unmove, Violations, checks, geometry,
    perft, picture,
};

geometry! {
    /// Four files and four ranks.
    pub Board4x4: 4 x 4 in u16;
}

/// A king, a silver that becomes a gold, and a pawn a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct SilverGame;

const PAWN: Kind = Kind::new(0);
const SILVER: Kind = Kind::new(1);

impl RuleTable for SilverGame {
    type Geometry = Board4x4;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('S', 2, Movement::SILVER, Some(Movement::GOLD)),
        KindSpec::royal('K'),
    ];
}

fn position(sfen: &str) -> Position<SilverGame> {
    sfen.parse().unwrap()
}

fn square(name: &str) -> Square<Board4x4> {
    name.parse().unwrap()
}

fn written(moves: impl IntoIterator<Item = Move<SilverGame>>) -> Vec<String> {
    let mut texts: Vec<_> = moves.into_iter().map(|mv| mv.to_string()).collect();
    texts.sort();
    texts
}

#[test]
fn a_position_is_set_up_by_hand_or_read() {
    let mut placement = Placement::<SilverGame>::EMPTY;
    for (name, kind, colour) in [
        ("4d", Kind::new(2), Colour::Sente),
        ("3d", SILVER, Colour::Sente),
        ("1a", Kind::new(2), Colour::Gote),
    ] {
        placement.put(square(name), Piece { face: Face::front(kind), colour });
    }
    placement.hand_mut(Colour::Gote).add(PAWN);
    assert_eq!(placement.to_string(), "3k/4/4/KS2 b p 1");
    assert_eq!(Position::new(placement), Ok(position("3k/4/4/KS2 b p 1")));
}

#[test]
fn moves_are_listed_counted_and_played() {
    let start = position("k3/p3/3P/SK2 b - 1");
    assert_eq!(written(start.legal_moves()), ["1c1b", "3d2c", "3d2d", "3d3c", "4d3c", "4d4c"]);
    assert_eq!(start.count_moves(), 6);
    assert_eq!(perft(&start, 1), 6);
    let next = start.play("1c1b".parse().unwrap()).unwrap();
    assert_eq!(next.side(), Colour::Gote);
    assert_eq!(next.to_string(), "k3/p2P/4/SK2 w - 1");
}

#[test]
fn an_illegal_move_is_refused_with_the_move_the_position_and_the_reason() {
    let start = position("k3/p3/3P/SK2 b - 1");
    let mv = "1c1d".parse().unwrap();
    let (placement, broken) = (*start.placement(), Violations::NO_SUCH_MOVE);
    let error = IllegalMove { mv, placement, broken };
    assert_eq!(start.play(mv), Err(error));
    assert_eq!(placement.play(mv), Err(error));
    assert_eq!(
        error.to_string(),
        "the move 1c1d is illegal in k3/p3/3P/SK2 b - 1: the piece cannot go there"
    );
}

#[test]
fn an_impossible_unmove_is_refused_with_the_position() {
    let here = position("k3/1S2/4/3K w P 1");
    let quiet = |mv: &str| Unmove { mv: mv.parse().unwrap(), captured: None };
    for unmove in here.unmoves() {
        assert_eq!(here.unmake(unmove), Ok(here.unmake_unchecked(unmove)));
    }
    // Nothing stands on the square, the king cannot have come from there, and a pawn was not captured.
    for unmove in [quiet("1a1b"), quiet("4d1d"), quiet("P*3b")] {
        assert_eq!(
            here.unmake(unmove),
            Err(IllegalUnmove { unmove, placement: *here.placement() })
        );
    }
    assert_eq!(
        here.unmake(quiet("4d1d")).unwrap_err().to_string(),
        "no legal move 4d1d leads to k3/1S2/4/3K w P 1"
    );
}

#[test]
fn a_pawn_promotes_where_it_could_not_move_again() {
    let moves = written(position("k3/3P/4/3K b - 1").legal_moves());
    assert!(moves.contains(&"1b1a+".into()) && !moves.contains(&"1b1a".into()), "{moves:?}");
}

#[test]
fn generation_stops_where_the_caller_has_seen_enough() {
    let start = position("k3/4/4/3K b PS 1");
    let mut batches = 0;
    let first_drop = start.generate(|batch: Batch<SilverGame>| {
        batches += 1;
        let drop = batch.moves().find(|mv| matches!(mv, Move::Drop { .. }));
        drop.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    });
    assert!(matches!(first_drop, ControlFlow::Break(Move::Drop { .. })), "{first_drop:?}");
    assert!(batches <= 3, "{batches}");
}

#[test]
fn checks_are_found_without_being_played() {
    let start = position("k3/4/1S2/3K b - 1");
    let found = written(checks(&start));
    let played = start.legal_moves().into_iter().filter(|&mv| start.play_unchecked(mv).is_check());
    assert_eq!(found, written(played));
    assert!(found.contains(&"3c3b".into()), "{found:?}");
}

#[test]
fn every_way_back_leads_to_a_position_from_which_a_move_leads_here() {
    let here = position("k3/1S2/4/3K w P 1");
    let unmoves = here.unmoves();
    assert!(unmoves.iter().any(|unmove| matches!(unmove.mv, Move::Drop { .. })), "{unmoves:?}");
    assert!(unmoves.iter().any(|unmove| unmove.captured.is_some()), "{unmoves:?}");
    for &unmove in &unmoves {
        let before = Position::new(here.unmake_unchecked(unmove)).unwrap();
        assert_eq!(before.play_unchecked(unmove.mv), here, "{unmove:?}");
    }
}

#[test]
fn all_faults_are_named_at_once() {
    let placement: Placement<SilverGame> = "P2k/P3/4/4 b p 1".parse().unwrap();
    let error = Position::new(placement).unwrap_err();
    let expected =
        Faults::TOO_MANY_PIECES | Faults::NIFU | Faults::IMMOBILE | Faults::NO_SENTE_KING;
    assert_eq!(error.faults, expected, "{error}");
    // A problem without the attacker's king.
    let problem = "k3/4/1S2/4 b - 1".parse().unwrap();
    assert!(Position::<SilverGame>::new_problem(problem).is_ok());
    // One without any king names both.
    let error =
        Position::<SilverGame>::new_problem("4/4/1S2/4 b - 1".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "illegal position: Sente has no king; Gote has no king");
}

#[test]
fn sets_of_squares_are_drawn_and_combined() {
    let file: Bitboard<Board4x4> = Bitboard::file(square("4a"));
    let corner = picture!(Board4x4:
        # # . .
        # # . .
        . . . .
        . . . .
    );
    assert_eq!((file & corner).iter().map(|s| s.to_string()).collect::<Vec<_>>(), ["4a", "4b"]);
    assert_eq!((corner - file).len(), 2);
}

#[test]
fn failures_in_tests_are_readable() {
    let start = position("k3/p3/3P/SK2 b - 1");
    assert_eq!(format!("{:?}", Some(start)), "Some(k3/p3/3P/SK2 b - 1)");
    assert_eq!(format!("{:?}", start.legal_moves()), "[3d3c, 3d2c, 3d2d, 1c1b, 4d4c, 4d3c]");
    let mut hand = start.hand(Colour::Sente);
    hand.add(SILVER);
    assert_eq!(format!("{hand:?}"), "{1: 1}");
}
