//! Fits of evaluations: the same in one run or in several.

use std::ops::ControlFlow;

use shogi_eval::Weighted;
use shogi_learn::archive::Archive;
use shogi_learn::evaluation_fit::{EvaluationFit, Form, check};
use shogi_learn::self_play::{Finish, Played, SelfPlay};
use shogi_learn::targets::targets;
use shogi_learn::value::NetFit;
use shogi_learn::weighted::WeightedFit;
use shogi_rules::shogi_core::Position;
use shogi_rules::{Dobutsu, Minishogi, Rules, Shogi};
use shogi_search::Evaluation;
use testing::games::games;

/// Games of random moves with scores between them that say who has more in hand: what is learnt from does not depend
/// on any search.
pub fn archive<R: Rules>(count: usize) -> Archive<R> {
    let mut archive = Archive::new(R::start(), SelfPlay::default(), "nothing".to_owned());
    for game in games::<R>(5, count, 60) {
        let opening = game.moves().len().min(4);
        let chosen = &game.positions()[opening..game.moves().len()];
        let score = |position: &Position<R>| {
            let held = |player| position.hand(player).bits().count_ones() as i16;
            80 * (held(position.side()) - held(!position.side()))
        };
        let scores = chosen.iter().map(score).collect();
        let finish = if game.outcome().is_some() { Finish::Board } else { Finish::Limit };
        archive.games.push(Played::new(game, opening, scores, finish).unwrap());
    }
    archive
}

fn begun<R: Rules>(form: &Form<R>, count: usize) -> EvaluationFit<R> {
    EvaluationFit::new(form.clone(), targets(&[archive(count)]), count, "a test")
}

fn saved<R: Rules>(fit: &mut EvaluationFit<R>) -> Vec<u8> {
    let mut file = Vec::new();
    fit.write(&mut file).unwrap();
    file
}

/// Fits in one run, and in runs of so many steps each, of which every one resumes from a file.
fn comes_to_the_same<R: Rules>(form: &Form<R>, count: usize, steps: usize) {
    let mut whole = begun(form, count);
    let made = whole.run(|_| ControlFlow::Continue(())).unwrap();
    assert_ne!(made.name(), Evaluation::<R>::standard().name());
    let (mut part, mut runs) = (begun(form, count), 0);
    let again = loop {
        let mut taken = 0;
        let made = part.run(|_| {
            taken += 1;
            if taken == steps { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        runs += 1;
        let file = saved(&mut part);
        assert!(check::<R>(&file[..]).unwrap() >= (steps * (runs - 1)) as u64);
        if let Some(made) = made {
            break made;
        }
        part = begun(form, count);
        assert_eq!(part.resume(&file[..]).unwrap(), None);
        assert_eq!(saved(&mut part), file);
    };
    assert!(runs > 3, "{runs}");
    assert_eq!(again.name(), made.name());
    assert_eq!(part.progress().passes, whole.progress().passes);
    assert!(saved(&mut part) == saved(&mut whole));
}

#[test]
fn fits_in_several_runs_have_the_same_result() {
    let settings = NetFit { passes: 3, batch: 16, ..NetFit::default() };
    comes_to_the_same::<Minishogi>(&Form::Network(settings), 12, 7);
    let weighted = WeightedFit { passes: 5, batch: 30, ..WeightedFit::default() };
    comes_to_the_same::<Dobutsu>(&Form::Weighted(weighted), 30, 3);
    let base = Weighted::<Shogi>::fitted().unwrap();
    let settings = NetFit { batch: 8, ..NetFit::correction() };
    comes_to_the_same::<Shogi>(&Form::Correction(settings, base), 3, 1);
}

#[test]
fn damaged_and_other_checkpoints_are_refused() {
    let form = Form::<Dobutsu>::Weighted(WeightedFit { passes: 1, ..WeightedFit::default() });
    let mut fit = begun(&form, 10);
    assert!(fit.run(|_| ControlFlow::Break(())).is_none());
    let file = saved(&mut fit);
    for place in (0..600).chain((600..file.len()).step_by(401)) {
        let mut damaged = file.clone();
        damaged[place] ^= 0x41;
        assert!(begun(&form, 10).resume(&damaged[..]).is_err(), "byte {place}");
        assert!(begun(&form, 10).resume(&file[..place]).is_err(), "cut at {place}");
    }
    // Of other games, other settings and another variant.
    let refused = |fit: &mut EvaluationFit<Dobutsu>| fit.resume(&file[..]).unwrap().unwrap();
    let words = refused(&mut begun(&form, 11));
    assert!(words.starts_with("games 10, not 11; positions "), "{words}");
    let other =
        Form::<Dobutsu>::Weighted(WeightedFit { seed: 2, passes: 1, ..WeightedFit::default() });
    assert_eq!(refused(&mut begun(&other, 10)), "seed 1, not 2");
    let network = Form::<Dobutsu>::Network(NetFit { passes: 1, ..NetFit::default() });
    assert_eq!(refused(&mut begun(&network, 10)), "other settings or positions");
    let command = "learn fit --form weighted --passes 1 --skip-illegal: 10 games";
    let mut other = EvaluationFit::new(form.clone(), targets(&[archive(10)]), 10, command);
    let words = "archive \"\", not \"10 games\"; command \"a test\", not \"learn fit\"; form unset, not \"weighted\"; \
                 passes unset, not 1; skip-illegal unset, not true";
    assert_eq!(refused(&mut other), words);
    let error = check::<Minishogi>(&file[..]).unwrap_err().to_string();
    assert!(error.ends_with("it is for dobutsu, but minishogi is wanted"), "{error}");
}
