//! Tuning in several runs.

use std::ops::ControlFlow;

use shogi_rules::{Dobutsu, Rules};
use shogi_search::archive::Archive;
use shogi_search::self_play::{Effort, SelfPlay};
use shogi_search::tune::{Fit, Progress, Tuner, Tuning, tune};

fn tuning() -> Tuning {
    let self_play = SelfPlay { effort: Effort::Nodes(40), plies: 40, ..SelfPlay::default() };
    let fit = Fit { passes: 2, ..Fit::default() };
    Tuning { generations: 4, games: 5, self_play, fit }
}

#[test]
fn tuning_in_several_runs_makes_the_same_tables() {
    let start = Dobutsu::start();
    let tuning = tuning();
    let whole = tune(&start, &tuning, 2, "test", |_| ControlFlow::Continue(())).unwrap().unwrap();
    let mut tuner = Tuner::new(start, tuning, "test");
    let mut runs = 0;
    // Each run goes on from the archive of the one before, and is broken off after 3 games more.
    let tables = loop {
        let before = tuner.archive().games.len();
        let tables = tuner.run(1, |archive, progress| {
            assert_eq!(
                progress_games(progress).unwrap_or(archive.games.len()),
                archive.games.len()
            );
            if archive.games.len() >= before + 3 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if let Some(tables) = tables.unwrap() {
            break tables;
        }
        runs += 1;
        let mut file = Vec::new();
        tuner.archive().write(&mut file).unwrap();
        tuner = Tuner::new(start, tuning, "test");
        assert!(tuner.resume(Archive::read(&file).unwrap()));
    };
    assert!(runs >= 6, "{runs} runs");
    assert_eq!(tables.to_json(), whole.to_json());
}

fn progress_games(progress: Progress) -> Option<usize> {
    match progress {
        Progress::Games(games) => Some(games as usize),
        Progress::Fitted { .. } => None,
    }
}

#[test]
fn an_archive_of_another_tuning_is_refused() {
    let start = Dobutsu::start();
    let tuning = tuning();
    let mut tuner = Tuner::new(start, tuning, "test");
    let other = SelfPlay { seed: 9, ..tuning.self_play };
    assert!(!tuner.resume(Archive::new(start, other, "test".to_owned())));
    assert!(!tuner.resume(Archive::new(start, tuning.self_play, "another".to_owned())));
    assert!(tuner.resume(Archive::new(start, tuning.self_play, "test".to_owned())));
}
