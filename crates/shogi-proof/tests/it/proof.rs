//! Proofs that hold, and every way in which a proof fails.

use crate::naive;

use naive::{Wins, position, safe, start, win};
use shogi_core::{Colour, Geometry, KindSpec, Move, Position, RuleTable};
use shogi_proof::{Checked, Claim, Proof, ProofFault, Repetition, Strategy};
use shogi_rules::shogi_core;
use shogi_rules::text::{BUILT_IN, TextVariant};
use shogi_rules::{
    Dobutsu, KyotoShogi, Minishogi, RepetitionResult, RepetitionRule, Rules, Shogi, Shogi34,
    SmallBoard, Verdict, parse_position, parse_usi, to_sfen,
};

use Colour::{Gote, Sente};

const BARE: &str = "4k/5/5/5/K4 b - 1";

fn any_order<R: Rules>(_: &Position<R>, mv: Move<R>) -> Move<R> {
    mv
}

fn not_lost(verdict: Verdict) -> bool {
    verdict != Verdict::Loss
}

fn fault<R: Rules>(root: Position<R>, claim: Claim, strategy: Strategy<R>) -> ProofFault {
    Proof::new(root, claim, vec![strategy]).unwrap().check().unwrap_err().fault
}

#[test]
fn shortest_wins_of_3x4_shogi_are_proved() {
    for (name, plies) in [("KNR", 1), ("KNL", 3), ("RKR", 5), ("KRB", 7), ("KGN", 9)] {
        let proof = win(start(name), Sente, 10);
        let mut visited = Vec::new();
        let checked = proof.check_with(&mut |entries| visited.push(entries)).unwrap();
        assert_eq!(proof.check(), Ok(checked));
        assert_eq!(checked.plies, Some(plies), "{name}");
        assert_eq!(checked.entries, proof.strategies()[0].len() as u64);
        assert!(visited.into_iter().eq(1..=checked.entries), "each is reported as it is visited");
        assert_eq!(proof.line().len() as u32, plies, "ranks are exact, so the line is");
        assert_eq!(proof.claim().value(proof.root().side()), Some(Verdict::Win));
    }
}

#[test]
fn a_root_may_be_the_opponents_or_at_an_end() {
    let root = start("KNL");
    let proof = win(root, Sente, 3);
    let step = proof.strategies()[0].get(&root).unwrap();
    let after = root.play_unchecked(step.mv);
    let sub = win(after, Sente, 2);
    assert_eq!(sub.check().unwrap().plies, Some(2));
    assert_eq!(sub.claim().value(Gote), Some(Verdict::Loss));

    let mated = proof.line().into_iter().fold(root, |position, mv| position.play_unchecked(mv));
    let empty = || Strategy::new(Sente, Repetition::Absent);
    let nothing = Proof::new(mated, Claim::Win { prover: Sente }, vec![empty()]).unwrap();
    let checked = Checked { ends: 1, plies: Some(0), ..Checked::default() };
    assert_eq!(nothing.check(), Ok(checked));
    let gote = Strategy::new(Gote, Repetition::Absent);
    assert_eq!(fault(mated, Claim::Win { prover: Gote }, gote), ProofFault::End(Verdict::Loss));
    assert_eq!(fault(root, Claim::Win { prover: Sente }, empty()), ProofFault::Missing);
}

/// Applies a change to a copy of the strategy of a proof, for each of its entries.
fn with_each_entry<R: Rules>(
    proof: &Proof<R>,
    change: impl Fn(&mut Strategy<R>, &Position<R>) -> bool,
) -> Vec<(Position<R>, Proof<R>)> {
    let original = &proof.strategies()[0];
    original
        .iter()
        .filter_map(|(position, _)| {
            let mut strategy = original.clone();
            let changed = change(&mut strategy, &position);
            let proof = Proof::new(*proof.root(), proof.claim(), vec![strategy]).unwrap();
            changed.then_some((position, proof))
        })
        .collect()
}

#[test]
fn a_dropped_entry_is_missed() {
    let proof = win(start("KBL"), Sente, 9);
    let dropped = with_each_entry(&proof, |strategy, position| strategy.remove(position).is_some());
    assert!(dropped.len() > 30, "{}", dropped.len());
    for (position, proof) in dropped {
        let refuted = proof.check().unwrap_err();
        assert_eq!(refuted.fault, ProofFault::Missing);
        // The line may come to the twin.
        let mirror = Position::new(position.mirror()).unwrap();
        assert!([to_sfen(&position), to_sfen(&mirror)].contains(&refuted.sfen));
    }
}

#[test]
fn a_changed_move_is_found() {
    let proof = win(start("KBL"), Sente, 9);
    let mut faults = Vec::new();
    for turn in 1..30 {
        let swapped = with_each_entry(&proof, |strategy, position| {
            let step = strategy.get(position).unwrap();
            let moves = position.legal_moves();
            let index = moves.iter().position(|&mv| mv == step.mv).unwrap();
            let other = (index + turn) % moves.len();
            strategy.insert(position, moves[other], step.rank).unwrap();
            turn < moves.len() && other != index
        });
        for (position, proof) in swapped {
            match proof.check() {
                // Another way to mate is as good, if nothing else hangs on the move.
                Ok(_) => {
                    let step = proof.strategies()[0].get(&position).unwrap();
                    assert!(Wins::new(Sente).plies(&position, step.rank).is_some());
                }
                Err(refuted) => faults.push(refuted.fault),
            }
        }
    }
    assert!(faults.len() > 50, "{faults:?}");
    assert!(faults.contains(&ProofFault::Missing));
    assert!(faults.iter().any(|fault| matches!(fault, ProofFault::Rank { .. })));
}

#[test]
fn ranks_must_fall() {
    let proof = win(start("KRB"), Sente, 7);
    let lowered = with_each_entry(&proof, |strategy, position| {
        let step = strategy.get(position).unwrap();
        strategy.insert(position, step.mv, step.rank - 1).unwrap();
        true
    });
    for (position, proof) in lowered {
        let rank = proof.strategies()[0].get(&position).unwrap().rank;
        let refuted = proof.check().unwrap_err();
        assert_eq!(refuted.fault, ProofFault::Rank { rank, needed: u64::from(rank) + 1 });
        assert_eq!(refuted.sfen, to_sfen(&position));
    }
    let raised = with_each_entry(&proof, |strategy, position| {
        let step = strategy.get(position).unwrap();
        strategy.insert(position, step.mv, u32::MAX).unwrap();
        position != proof.root()
    });
    for (_, proof) in raised {
        let refuted = proof.check().unwrap_err();
        assert!(matches!(refuted.fault, ProofFault::Rank { needed, .. } if needed > 1 << 32));
    }
}

#[test]
fn the_longest_line_does_not_trust_ranks() {
    let exact = win(start("KSL"), Sente, 11);
    assert_eq!(exact.line(), exact.longest_line());
    // All ranks as large as at the root of a longer game, falling all the same.
    let mut strategy = Strategy::new(Sente, Repetition::Absent);
    for (position, step) in exact.strategies()[0].iter() {
        let late = u32::from(step.rank < 7) * (step.rank % 4);
        strategy.insert(&position, step.mv, 3 * step.rank + late).unwrap();
    }
    let loose = Proof::new(*exact.root(), exact.claim(), vec![strategy]).unwrap();
    assert_eq!(loose.check().unwrap().plies, Some(33));
    assert_eq!(loose.longest_line().len(), 11);
}

#[test]
fn a_cycle_has_no_ranks() {
    // Bare kings: every line is endless.
    let root = position::<KyotoShogi>(BARE);
    let cyclic = safe(root, Sente, Repetition::Draw, not_lost, any_order);
    for rank in [0, 1, 7, u32::MAX] {
        let mut ranked = Strategy::new(Sente, Repetition::Absent);
        for (position, step) in cyclic.iter() {
            ranked.insert(&position, step.mv, rank).unwrap();
        }
        let found = fault(root, Claim::NotLose { prover: Sente }, ranked);
        assert_eq!(found, ProofFault::Rank { rank, needed: u64::from(rank) + 2 });
    }
}

#[test]
fn entries_that_no_line_needs_are_refused() {
    let root = start("KBL");
    let proof = win(root, Sente, 9);
    let mut strategy = proof.strategies()[0].clone();
    let replies = root.legal_moves().into_iter().map(|mv| root.play_unchecked(mv));
    let mut later = replies.map(|reply| reply.play_unchecked(reply.legal_moves()[0]));
    let other = later.find(|later| strategy.get(later).is_none()).unwrap();
    strategy.insert(&other, other.legal_moves()[0], 1).unwrap();
    assert_eq!(fault(root, proof.claim(), strategy), ProofFault::Unneeded);
}

#[test]
fn a_win_needs_winning_ends() {
    let proof = win(start("KNL"), Sente, 3);
    let strategy = proof.strategies()[0].clone();
    let claim = Claim::NotLose { prover: Sente };
    assert!(Proof::new(*proof.root(), claim, vec![strategy.clone()]).unwrap().check().is_ok());
    for claim in [Claim::Win { prover: Gote }, Claim::Draw] {
        assert!(Proof::new(*proof.root(), claim, vec![strategy.clone()]).is_err());
    }

    // Giraffe takes giraffe, and both lions are safe on their last ranks: a draw.
    let root = position::<Dobutsu>("L2/g2/G2/l2 b - 1");
    let mut strategy = Strategy::new(Sente, Repetition::Absent);
    strategy.insert(&root, parse_usi("3c3b").unwrap(), 1).unwrap();
    assert!(Proof::new(root, claim, vec![strategy.clone()]).unwrap().check().is_ok());
    let win = Claim::Win { prover: Sente };
    assert_eq!(fault(root, win, strategy), ProofFault::End(Verdict::Draw));
}

#[test]
fn bare_kings_have_the_value_of_the_rule() {
    // Kyoto shogi: a draw.
    let root = position::<KyotoShogi>(BARE);
    let of = |prover| safe(root, prover, Repetition::Draw, not_lost, any_order);
    let draw = Proof::new(root, Claim::Draw, vec![of(Sente), of(Gote)]).unwrap();
    let checked = draw.check().unwrap();
    assert_eq!((checked.plies, checked.ends), (None, 0));
    assert_eq!(draw.claim().value(Sente), Some(Verdict::Draw));
    assert!(!draw.line().is_empty(), "it ends where a position comes again");
    assert_eq!(
        fault(root, Claim::Win { prover: Sente }, of(Sente)),
        ProofFault::Repetition(Sente),
        "a draw is no win"
    );

    // Minishogi: Gote wins by repetition.
    let root = position::<Minishogi>(BARE);
    let of = |prover, repetition| safe(root, prover, repetition, not_lost, any_order);
    let gote = of(Gote, Repetition::Win);
    let proof = Proof::new(root, Claim::Win { prover: Gote }, vec![gote.clone()]).unwrap();
    assert!(proof.check().is_ok());
    assert_eq!(proof.claim().value(Sente), Some(Verdict::Loss));
    let safe_draw = of(Gote, Repetition::Draw);
    let claim = Claim::NotLose { prover: Gote };
    assert!(Proof::new(root, claim, vec![safe_draw.clone()]).unwrap().check().is_ok());
    assert_eq!(fault(root, Claim::Win { prover: Gote }, safe_draw), ProofFault::Repetition(Gote));
    for repetition in [Repetition::Draw, Repetition::Win] {
        let claim = Claim::NotLose { prover: Sente };
        assert_eq!(fault(root, claim, of(Sente, repetition)), ProofFault::Repetition(Sente));
    }
}

#[test]
fn a_cycle_of_checks_loses() {
    // Gote's rook can check for ever, which would lose by the rule on perpetual check.
    let root = position::<Minishogi>("4k/5/5/r4/2K2 w - 1");
    let of = |checks_first: bool| {
        safe(root, Gote, Repetition::Win, not_lost, |position: &Position<Minishogi>, mv| {
            (position.play_unchecked(mv).is_check() != checks_first, mv)
        })
    };
    let claim = Claim::Win { prover: Gote };
    let checking = of(true);
    let proof = Proof::new(root, claim, vec![checking]).unwrap();
    let refuted = proof.check().unwrap_err();
    assert_eq!(refuted.fault, ProofFault::PerpetualCheck);
    let named = position::<Minishogi>(&refuted.sfen);
    let step = proof.strategies()[0].get(&named).unwrap();
    assert!(named.play_unchecked(step.mv).is_check());
    assert!(Proof::new(root, claim, vec![of(false)]).unwrap().check().is_ok());
}

#[test]
fn an_opponent_who_can_declare_has_not_lost() {
    // Gote's king has entered with ten pieces and enough points; Sente, to mate at leisure, must
    // not allow a declaration.
    let root = position::<Shogi>("K8/9/9/9/9/9/pppbbrrgg/ggss5/4k4 b - 1");
    let moved = root.play_unchecked(root.legal_moves()[0]);
    let mut strategy = Strategy::new(Sente, Repetition::Absent);
    strategy.insert(&root, root.legal_moves()[0], 9).unwrap();
    let refuted =
        Proof::new(root, Claim::NotLose { prover: Sente }, vec![strategy]).unwrap().check();
    let refuted = refuted.unwrap_err();
    assert_eq!((refuted.fault, refuted.sfen), (ProofFault::Declaration, to_sfen(&moved)));
}

/// 3x4 shogi where the first occurrence of a position already counts as a repetition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct AtOnce;

impl RuleTable for AtOnce {
    type Geometry = <Shogi34 as RuleTable>::Geometry;
    const KINDS: &'static [KindSpec] = Shogi34::KINDS;
}

impl Rules for AtOnce {
    const NAME: &'static str = "at-once";
    const START: &'static str = Shogi34::START;
    const REPETITION: RepetitionRule =
        RepetitionRule { count: 1, result: RepetitionResult::Draw, perpetual_check: false };
}

#[test]
fn a_game_that_ends_at_once_has_no_proof() {
    assert_eq!(<AtOnce as RuleTable>::Geometry::WIDTH, 3);
    let proof = win(position::<AtOnce>(&to_sfen(&start("KNR"))), Sente, 1);
    assert_eq!(proof.check().unwrap_err().fault, ProofFault::Repetition(Sente));
}

#[test]
fn steps_are_what_a_strategy_can_hold() {
    use shogi_proof::StepError;
    let root = start("KNR");
    let mut strategy = Strategy::new(Gote, Repetition::Absent);
    let mv = root.legal_moves()[0];
    assert_eq!(strategy.insert(&root, mv, 1), Err(StepError::Side));
    let mut strategy = Strategy::new(Sente, Repetition::Absent);
    let illegal = parse_usi("1a1b").unwrap();
    assert_eq!(strategy.insert(&root, illegal, 1), Err(StepError::Illegal));
    assert!(strategy.is_empty());
    strategy.insert(&root, mv, 1).unwrap();
    let twin = Position::new(root.mirror()).unwrap();
    assert!(twin.is_legal(strategy.get(&twin).unwrap().mv));
    assert_eq!(strategy.len(), 1);
    assert!(strategy.remove(&twin).is_some());
    assert_eq!((strategy.remove(&root), strategy.is_empty()), (None, true));
}

#[test]
fn an_entry_stands_for_its_mirror_image_only_where_that_is_as_good() {
    let tori = BUILT_IN.iter().find(|game| game.name == "torishogi").unwrap();
    TextVariant::load(tori.text).unwrap().rules().within(|| {
        // The left quail slides back to the right only: in the mirror it does not reach the king.
        let position = parse_position::<SmallBoard>("5k1/7/7/7/7/7/K2L3 b - 1").unwrap();
        let mirror = parse_position::<SmallBoard>("1k5/7/7/7/7/7/3L2K b - 1").unwrap();
        assert_eq!(position.mirror(), *mirror.placement());
        let mv = position.legal_moves()[0];
        let mut strategy = Strategy::new(Colour::Sente, Repetition::Draw);
        strategy.insert(&position, mv, 0).unwrap();
        assert_eq!(strategy.get(&position).map(|step| step.mv), Some(mv));
        assert_eq!((strategy.get(&mirror), strategy.len()), (None, 1));
        let other = mirror.legal_moves()[0];
        strategy.insert(&mirror, other, 0).unwrap();
        assert_eq!(strategy.get(&mirror).map(|step| step.mv), Some(other));
        assert_eq!((strategy.get(&position).map(|step| step.mv), strategy.len()), (Some(mv), 2));
    });
}
