//! Random games against a reference that recomputes everything from the list of positions, and the
//! rules that random moves break against the oracle.

use std::collections::HashMap;

use shogi_rules::shogi_core::{
    Colour, Face, Geometry as _, Kind, MAX_KINDS, Move, Placement, Role, RuleTable, Square,
};
use shogi_rules::text::Definition;
use shogi_rules::{
    Dobutsu, Game, KyotoShogi, LoadedRules, Minishogi, Outcome, Reason, Rules, Shogi, Shogi34,
    SmallBoard, Violations, violations,
};
use testing::for_every_variant;
use testing::naive::{Board, Illegal};
use testing::random::Random;
use testing::sample::{Style, legal};
use testing::tables;

use Colour::{Gote, Sente};

/// The end of a game by the list of its positions alone.
fn reference<R: Rules>(
    history: &[Placement<R>],
    ending: fn(&Placement<R>) -> Option<Outcome>,
) -> Option<Outcome> {
    let (now, rule) = (history.last()?, R::repetition());
    if let Some(ended) = ending(now) {
        return Some(ended);
    }
    let same: Vec<usize> = (0..history.len()).filter(|&i| history[i] == *now).collect();
    if same.len() < rule.count as usize {
        return None;
    }
    let mut quiet = [false; 2];
    for reached in &history[same[0] + 1..] {
        let mover = !reached.side();
        quiet[mover.index()] |= !Board::from(reached).in_check(reached.side());
    }
    Some(match (rule.perpetual_check, quiet) {
        (true, [false, true]) => Outcome::win(Gote, Reason::PerpetualCheck),
        (true, [true, false]) => Outcome::win(Sente, Reason::PerpetualCheck),
        _ => Outcome { result: rule.result.for_repeater(!now.side()), reason: Reason::Repetition },
    })
}

fn no_move<R: Rules>(placement: &Placement<R>) -> Option<Outcome> {
    let (board, loser) = (Board::from(placement), placement.side());
    let mate = R::royal_safety() && board.in_check(loser);
    let reason = if mate { Reason::Checkmate } else { Reason::Stalemate };
    board.moves().is_empty().then(|| Outcome::win(!loser, reason))
}

/// How the goal of a rule set has decided the game, square by square.
pub(super) fn decided<R: Rules>(placement: &Placement<R>) -> Option<Outcome> {
    let goal = R::goal().or((R::safe_goal() > 0).then(R::safe_goal))?;
    let board = Board::from(placement);
    let royal = |colour| {
        let royal = |kind: Kind| kind.spec::<R>().role == Role::Royal;
        let mut pieces = placement.pieces();
        pieces.find(|(_, piece)| piece.colour == colour && royal(piece.face.kind))
    };
    let tried = |colour| {
        let ranks_ahead =
            |rank| if colour == Sente { rank } else { R::Geometry::height() - 1 - rank };
        royal(colour).is_some_and(|(square, _)| ranks_ahead(square.rank()) < goal)
            && !board.in_check(colour)
    };
    if let Some(loser) = Colour::ALL.into_iter().find(|&colour| royal(colour).is_none()) {
        return Some(Outcome::win(!loser, Reason::LionCaptured));
    }
    match (tried(Sente), tried(Gote)) {
        (true, true) => Some(Outcome::draw(Reason::BothTries)),
        (true, false) => Some(Outcome::win(Sente, Reason::Try)),
        (false, true) => Some(Outcome::win(Gote, Reason::Try)),
        (false, false) => None,
    }
}

fn decided_or_no_move<R: Rules>(placement: &Placement<R>) -> Option<Outcome> {
    decided(placement).or_else(|| no_move(placement))
}

/// A random move, often one that gives check or leads back to an earlier position: else hardly any
/// game would repeat itself.
fn pick<R: Rules>(random: &mut Random, game: &Game<R>) -> Move<R> {
    let moves = game.position().legal_moves();
    let next = |mv| game.position().play_unchecked(mv);
    let back = |&mv: &Move<R>| game.positions().contains(&next(mv));
    let check = |&mv: &Move<R>| next(mv).is_check();
    let preferred: Vec<_> = match random.below(10) {
        0..5 => moves.iter().copied().filter(back).collect(),
        5..9 => moves.iter().copied().filter(check).collect(),
        _ => Vec::new(),
    };
    random.pick(if preferred.is_empty() { &moves } else { &preferred })
}

/// Plays random games by both, and takes them back.
fn agrees_with_reference<R: Rules>(
    games: usize,
    ending: fn(&Placement<R>) -> Option<Outcome>,
    reasons: &[Reason],
) {
    let mut random = Random::new(7);
    let mut seen: HashMap<Reason, usize> = HashMap::new();
    for _ in 0..games {
        let style = random.pick(&[Style::BARE, Style::BARE, Style::EVEN]);
        let start = legal::<R>(&mut random, style);
        let mut game = Game::new(start);
        let mut history = vec![*start.placement()];
        let mut snapshots = Vec::new();
        while game.outcome().is_none() && snapshots.len() < 100 {
            snapshots.push(game.clone());
            let mv = pick(&mut random, &game);
            let outcome = game.play(mv).unwrap();
            history.push(*game.position().placement());
            assert_eq!(outcome, game.outcome());
            assert_eq!(outcome, reference(&history, ending), "{history:?}");
            let same = history.iter().filter(|&placement| Some(placement) == history.last());
            assert_eq!(game.repetitions(), same.count());
        }
        if let Some(outcome) = game.outcome() {
            *seen.entry(outcome.reason).or_default() += 1;
        }
        while let Some(before) = snapshots.pop() {
            assert!(game.undo().is_some());
            assert_eq!(game, before);
        }
    }
    for reason in reasons {
        assert!(seen.contains_key(reason), "{reason}: {seen:?}");
    }
}

#[test]
fn random_games() {
    use Reason::*;
    let all = [Checkmate, Stalemate, Repetition, PerpetualCheck];
    agrees_with_reference::<Minishogi>(2_000, no_move, &all);
    agrees_with_reference::<KyotoShogi>(2_000, no_move, &[Checkmate, Repetition, PerpetualCheck]);
    agrees_with_reference::<Shogi>(200, no_move, &[Repetition]);
    agrees_with_reference::<Shogi34>(2_000, no_move, &[Checkmate, Stalemate, Repetition]);
    let lions = [LionCaptured, Try, Repetition];
    agrees_with_reference::<Dobutsu>(2_000, decided_or_no_move, &lions);
}

#[test]
fn random_games_of_texts_with_royal_pieces_to_capture() {
    use Reason::*;
    let mut spec = Definition::of::<Dobutsu>("Dobutsu shogi").unwrap().rules;
    for (goal, reasons) in [
        (0, &[LionCaptured, Repetition][..]),
        (1, &[LionCaptured, Try, Repetition]),
        (2, &[LionCaptured, Try, BothTries]),
    ] {
        spec.table.goal = Some(goal);
        LoadedRules::new(spec.clone()).unwrap().within(|| {
            agrees_with_reference::<SmallBoard>(500, decided_or_no_move, reasons);
        });
    }
}

/// No rule is broken exactly by the legal moves, and the rule that the oracle finds broken is named.
fn violations_agree<R: RuleTable>(positions: usize) {
    let mut random = Random::new(8);
    let squares: Vec<Square<R::Geometry>> = Square::all().collect();
    for _ in 0..positions {
        let style = random.pick(&Style::ALL);
        let position = legal::<R>(&mut random, style);
        let board_moves = squares.iter().flat_map(|&from| {
            let to = squares.iter().flat_map(|&to| [(to, false), (to, true)]);
            to.map(move |(to, turn)| Move::Board { from, to, turn })
        });
        let faces = (0..MAX_KINDS as u8)
            .map(Kind::new)
            .flat_map(|kind| [Face::front(kind), Face::back(kind)]);
        let drops = faces.flat_map(|face| squares.iter().map(move |&to| Move::Drop { face, to }));
        let legal_moves = position.legal_moves();
        for mv in board_moves.chain(drops) {
            let broken = violations(position.placement(), mv);
            let is_legal = legal_moves.contains(&mv);
            assert_eq!(broken.is_empty(), is_legal, "{mv:?} in {position:?}: {broken}");
            let expected = is_legal.then(|| position.play_unchecked(mv)).ok_or(broken);
            assert_eq!(position.play(mv).map_err(|illegal| illegal.broken), expected);
        }
        let board = Board::from(position.placement());
        for candidate in board.candidates() {
            let expected = match board.judge(candidate) {
                Ok(_) => Violations::empty(),
                Err(Illegal::Immobile) => Violations::IMMOBILE,
                Err(Illegal::Nifu) => Violations::NIFU,
                Err(Illegal::KingLeftInCheck) => Violations::KING_LEFT_IN_CHECK,
                Err(Illegal::DropPawnMate) => Violations::DROP_PAWN_MATE,
                Err(Illegal::MustCapture) => Violations::MUST_CAPTURE,
            };
            let mv = candidate.into();
            let broken = violations(position.placement(), mv);
            assert!(broken.contains(expected), "{mv:?} in {position:?}: {broken}");
        }
    }
}

for_every_variant!(violations_are_named: violations_agree(2_000; shogi: 50));

#[test]
fn violations_are_named_under_any_switches() {
    violations_agree::<tables::Turning>(1_000);
    violations_agree::<tables::Capture>(1_000);
    violations_agree::<tables::Large>(50);
    violations_agree::<tables::Shallow>(1_000);
    violations_agree::<tables::Mixed>(1_000);
    violations_agree::<tables::Advancing>(1_000);
    violations_agree::<tables::Jumping>(1_000);
}

/// Moves end games on the board under the rule tables that say so, and under no others.
fn over_where_it_can_be<R: Rules>(positions: usize) {
    let mut random = Random::new(9);
    let mut over = false;
    for _ in 0..positions {
        let style = random.pick(&Style::ALL);
        let position = legal::<R>(&mut random, style);
        let placement = position.placement();
        over |= position.legal_moves().iter().any(|&mv| R::is_over(&placement.play_unchecked(mv)));
    }
    assert_eq!(over, R::CAN_BE_OVER);
}

for_every_variant!(games_are_over_where_they_can_be: over_where_it_can_be(1_000; shogi: 100));
