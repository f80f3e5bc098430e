//! Training: the same whatever the threads, in one run or in several.

use std::ops::ControlFlow;

use shogi_eval::{Linear, TrainingSettings};
use shogi_learn::linear::{Trained, Training, TrainingProgress, train};
use shogi_learn::saved::Work;
use shogi_rules::shogi_core::Position;
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi34};

fn start<R: Rules>() -> Position<R> {
    R::start()
}

fn train_with<R: Rules>(settings: TrainingSettings, threads: usize) -> Trained<R> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let go_on = |_: TrainingProgress<'_>| ControlFlow::Continue(());
    pool.install(|| train(&start(), settings, go_on)).unwrap()
}

#[test]
fn training_depends_on_the_seed_and_not_on_the_threads() {
    let settings =
        TrainingSettings { seed: 9, generations: 2, games: 90, ..TrainingSettings::default() };
    let one = train_with::<KyotoShogi>(settings, 1);
    assert_eq!(one, train_with(settings, 3));
    assert_eq!(one.evaluation.settings(), &settings);
    assert_eq!(one.evaluation.start(), KyotoShogi::START);
    let other = train_with::<KyotoShogi>(TrainingSettings { seed: 10, ..settings }, 2);
    assert_ne!(one.evaluation.linear(), other.evaluation.linear());
}

/// Training on so many games of each small board foretells the results of games held out.
fn training_foretells_results(games: u32) {
    fn learns<R: Rules>(games: u32) {
        let settings =
            TrainingSettings { games, plies: 150, generations: 2, ..TrainingSettings::default() };
        let trained = train_with::<R>(settings, 1);
        assert_eq!(trained.generations.len(), 2);
        let last = trained.generations[1];
        assert!(last.positions > 8 * last.held_out && last.held_out > 0);
        assert!(last.log_loss < last.log_loss_of_mean - 0.03, "{}: {last:?}", R::NAME);
        assert!(last.accuracy > last.accuracy_of_mean + 0.03, "{}: {last:?}", R::NAME);
    }
    learns::<Minishogi>(games);
    learns::<KyotoShogi>(games);
    learns::<Shogi34>(games);
    learns::<Dobutsu>(games);
}

#[test]
fn training_predicts_results_on_small_boards() {
    training_foretells_results(400);
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn training_predicts_results_on_small_boards_at_length() {
    training_foretells_results(800);
}

#[test]
fn training_can_be_stopped() {
    let settings = TrainingSettings { games: 1000, ..TrainingSettings::default() };
    let mut heard = Vec::new();
    let stopped = train(&start::<Dobutsu>(), settings, |progress| {
        heard.push(progress.games);
        if progress.games < 128 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(stopped, None);
    assert_eq!(heard, [64, 128]);
}

#[test]
fn training_in_several_runs_has_the_same_result() {
    let settings = TrainingSettings { games: 150, generations: 2, ..TrainingSettings::default() };
    let whole = train_with::<Dobutsu>(settings, 1);
    let mut training = Training::<Dobutsu>::new(start(), settings);
    let mut runs = 0;
    // Each run resumes from what the one before has saved, and is broken off after 64 games more.
    let trained = loop {
        let before = training.games();
        let trained = training.run(|training, progress| {
            if training.games() > before {
                assert_eq!(training.games(), progress.games);
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if let Some(trained) = trained {
            break trained;
        }
        runs += 1;
        training = Training::read(&saved(&training)[..]).unwrap();
    };
    assert_eq!((runs, training.games()), (6, 300));
    assert_eq!(trained, whole);
}

fn saved<R: Rules>(training: &Training<R>) -> Vec<u8> {
    let mut file = Vec::new();
    training.write(&mut file).unwrap();
    file
}

#[test]
fn a_checkpoint_of_another_training_or_a_damaged_one_is_refused() {
    let settings =
        TrainingSettings { games: 64, generations: 1, plies: 6, ..TrainingSettings::default() };
    let mut training = Training::<Dobutsu>::new(start(), settings);
    assert!(training.run(|_, _| ControlFlow::Break(())).is_none());
    let file = saved(&training);
    assert!(Training::read(&file[..]).unwrap().is_of_the_same_run(&training));
    assert_eq!(Work::Training.read_variant(&file[..]).unwrap(), "dobutsu");
    let other = Training::<Dobutsu>::new(start(), TrainingSettings { seed: 2, ..settings });
    assert!(!training.is_of_the_same_run(&other));
    let error = Training::<Minishogi>::read(&file[..]).unwrap_err().to_string();
    assert!(error.ends_with("it is for dobutsu, but minishogi is wanted"), "{error}");
    for place in 0..file.len() {
        let mut damaged = file.clone();
        damaged[place] ^= 1;
        assert!(Training::<Dobutsu>::read(&damaged[..]).is_err(), "byte {place}");
        assert!(Training::<Dobutsu>::read(&file[..place]).is_err(), "cut at {place}");
    }
}

#[test]
fn training_without_games_makes_an_even_evaluation() {
    for settings in [
        TrainingSettings { games: 0, ..TrainingSettings::default() },
        TrainingSettings { generations: 0, ..TrainingSettings::default() },
        TrainingSettings { games: 30, plies: 0, ..TrainingSettings::default() },
    ] {
        let trained = train_with::<Dobutsu>(settings, 1);
        assert_eq!(trained.evaluation.linear(), &Linear::zero());
        assert_eq!(trained.generations.len(), settings.generations as usize);
        assert!(trained.generations.iter().all(|quality| quality.log_loss.is_nan()));
    }
}
