//! One proof of several, and shorter ones.

use crate::naive;

use std::ops::ControlFlow::{self, Break, Continue};

use naive::{Wins, start, win};
use shogi_core::Colour::{Gote, Sente};
use shogi_core::{Colour, Position};
use shogi_proof::{Claim, Proof, Reader, Repetition, Shortening, Strategy, Unfit};
use shogi_rules::{Minishogi, Rules, Shogi34, parse_position, shogi_core};

fn add<R: Rules>(shortening: &mut Shortening<R>, proof: &Proof<R>) -> Result<Position<R>, Unfit> {
    let mut file = Vec::new();
    proof.write(&mut file).unwrap();
    shortening.add(Reader::new(&file[..]).unwrap().entries().unwrap())
}

fn shortening(proofs: &[Proof<Shogi34>]) -> Shortening<Shogi34> {
    let mut shortening = Shortening::new(Sente);
    for proof in proofs {
        assert_eq!(add(&mut shortening, proof).unwrap(), *proof.root());
    }
    shortening
}

const fn go_on(_: u64, _: u64) -> ControlFlow<()> {
    Continue(())
}

fn plies<R: Rules>(shortening: &Shortening<R>, root: &Position<R>) -> Option<u32> {
    let plies = shortening.proof(root).and_then(|proof| proof.check().unwrap().plies);
    assert_eq!(shortening.plies(root), plies);
    plies
}

/// The positions in which Sente is to move after a move at a root with the shortest win.
fn replies(root: &Position<Shogi34>, most: u32) -> Vec<Position<Shogi34>> {
    let after = root.play_unchecked(win(*root, Sente, most).strategies()[0].get(root).unwrap().mv);
    let next = after.legal_moves().into_iter().map(|reply| after.play_unchecked(reply));
    next.filter(|next| Shogi34::verdict(next).is_none()).collect()
}

#[test]
fn proofs_of_all_replies_prove_the_position_before() {
    for (name, most) in [("KNL", 3), ("RKR", 5), ("KRB", 7), ("KGN", 9)] {
        let root = start(name);
        let proofs: Vec<_> =
            replies(&root, most).iter().map(|next| win(*next, Sente, most - 2)).collect();
        let all = shortening(&proofs);
        assert_eq!(plies(&all, &root), Some(most), "{name}");
        let without_one = shortening(&proofs[1..]);
        assert_eq!(plies(&without_one, &root), None, "{name}: a reply is not answered");
    }
}

#[test]
fn the_opponent_may_be_to_move_and_the_game_be_over() {
    let root = start("KNL");
    let proof = win(root, Sente, 3);
    let known = shortening(std::slice::from_ref(&proof));
    let after = root.play_unchecked(proof.strategies()[0].get(&root).unwrap().mv);
    assert_eq!(plies(&known, &after), Some(2));
    let end = proof.line().into_iter().fold(root, |position, mv| position.play_unchecked(mv));
    assert_eq!(plies(&known, &end), Some(0));
    assert!(known.proof(&start("RKR")).is_none());
}

/// A proof with the longest ways: at each position the winning move that lasts longest, among those that
/// win within so many plies.
fn slow(root: Position<Shogi34>, most: u32) -> Proof<Shogi34> {
    let mut wins = Wins::new(Sente);
    let mut strategy = Strategy::new(Sente, Repetition::Absent);
    let mut open = vec![(root, most)];
    // The same position may come with more plies left, and its entry then lasts longer.
    while let Some((position, most)) = open.pop() {
        if Shogi34::verdict(&position).is_some() {
            continue;
        }
        if position.side() == Gote {
            let next = position.legal_moves().into_iter();
            open.extend(next.map(|mv| (position.play_unchecked(mv), most - 1)));
        } else if strategy.get(&position).is_none_or(|step| step.rank < most) {
            let after = |&mv: &_| wins.plies(&position.play_unchecked(mv), most - 1);
            let mv = position.legal_moves().into_iter().max_by_key(after).unwrap();
            strategy.insert(&position, mv, most).unwrap();
            open.push((position.play_unchecked(mv), most - 1));
        }
    }
    Proof::new(root, Claim::Win { prover: Sente }, vec![strategy]).unwrap()
}

#[test]
fn long_ways_become_the_shortest() {
    for (name, shortest, most) in [("KNL", 3, 7), ("RKR", 5, 7), ("KRB", 7, 9)] {
        let root = start(name);
        let long = slow(root, most);
        assert!(long.check().unwrap().plies > Some(shortest), "{name}");
        let mut known = shortening(&[long, win(root, Sente, shortest)]);
        let mut passes = 0;
        while known.pass(0, &mut go_on) > 0 {
            passes += 1;
        }
        assert!(passes > 0, "{name}");
        assert_eq!(plies(&known, &root), Some(shortest), "{name}");
        // No position is left with a longer way than it needs among those that are known.
        let proof = known.proof(&root).unwrap();
        let mut wins = Wins::new(Sente);
        for (position, step) in proof.strategies()[0].iter() {
            assert!(Some(step.rank) >= wins.plies(&position, step.rank), "{name}");
        }
    }
}

#[test]
fn a_pass_leaves_short_wins_alone_and_can_be_stopped() {
    let long = slow(start("RKR"), 7);
    let mut known = shortening(&[long]);
    let positions = known.len() as u64;
    assert_eq!(known.pass(7, &mut |_, _| Break(())), 0);
    let mut reports = Vec::new();
    known.clone().pass(0, &mut |done, all| {
        reports.push((done, all));
        Continue(())
    });
    assert!(reports.into_iter().eq((1..=positions).map(|done| (done, positions))));
    assert!(known.pass(0, &mut |_, _| Break(())) <= 1);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut known = Shortening::<Minishogi>::new(Sente);
    let root = parse_position("4k/5/4P/5/K4 b G 1").unwrap();
    let proof = |claim: Claim, prover: Colour, repetition| {
        Proof::new(root, claim, vec![Strategy::new(prover, repetition)]).unwrap()
    };
    let lost = proof(Claim::Win { prover: Gote }, Gote, Repetition::Absent);
    assert!(matches!(add(&mut known, &lost), Err(Unfit::Claim(Sente))));
    let not_lost = proof(Claim::NotLose { prover: Sente }, Sente, Repetition::Absent);
    assert!(matches!(add(&mut known, &not_lost), Err(Unfit::Claim(Sente))));
    let cyclic = proof(Claim::Win { prover: Sente }, Sente, Repetition::Win);
    assert!(matches!(add(&mut known, &cyclic), Err(Unfit::Unranked)));
    let mut file = Vec::new();
    win(root, Sente, 1).write(&mut file).unwrap();
    let last = file.len() - 1;
    file[last] ^= 1;
    let damaged = known.add(Reader::new(&file[..]).unwrap().entries().unwrap());
    assert!(matches!(damaged, Err(Unfit::File(_))));
}
