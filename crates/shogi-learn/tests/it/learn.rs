//! Learning: the fast evaluation against the plain sum, training whatever the threads, and files.

use std::ops::ControlFlow;

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use shogi_learn::{
    Evaluation, Features, FileReason, Linear, MAX_UNITS, Settings, Trained, Training, UNITS,
    WeightsError, read_training_variant, train,
};
use shogi_rules::sealed::Flaw;
use shogi_rules::shogi_core::{Colour, Placement, Position};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_sfen};

fn start<R: Rules>() -> Position<R> {
    R::start()
}

/// Calls `visit` on the positions of random games, up to `count` of them.
fn visit_random<R: Rules>(count: usize, mut visit: impl FnMut(&Placement<R>)) {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut position = start::<R>();
    for _ in 0..count {
        visit(&position);
        let mv = position.legal_moves().choose(&mut random).copied();
        position = match mv {
            Some(mv) if R::verdict(&position).is_none() => position.play(mv),
            _ => start(),
        };
    }
}

fn random_weights<R: Rules>() -> Linear<R> {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let weight = |_| random.random_range(-2 * UNITS..=2 * UNITS);
    Linear::new((0..Features::<R>::COUNT).map(weight).collect()).unwrap()
}

/// The evaluation is the sum of the weights of the features, exactly.
fn equals_the_plain_sum<R: Rules>() {
    let linear = random_weights::<R>();
    let mut distinct = 0;
    let mut last = 0.0;
    visit_random::<R>(5000, |placement| {
        let mut sum = 0;
        Features::visit(placement, |feature| sum += linear.weights()[feature]);
        let logit = linear.logit(placement);
        assert_eq!(logit, sum as f32 / UNITS as f32, "{placement:?}");
        assert_eq!(logit, linear.logit(&placement.mirror()));
        assert_eq!(logit, linear.logit(&placement.exchange_colours()));
        distinct += usize::from(logit != last);
        last = logit;
    });
    assert!(distinct > 4900, "{distinct}");
}

#[test]
fn folded_tables_equal_the_plain_sum() {
    equals_the_plain_sum::<Minishogi>();
    equals_the_plain_sum::<KyotoShogi>();
    equals_the_plain_sum::<Shogi>();
    equals_the_plain_sum::<Shogi34>();
    equals_the_plain_sum::<Dobutsu>();
}

#[test]
fn a_missing_king_has_no_features() {
    let linear = random_weights::<Minishogi>();
    let (placement, _) = parse_sfen::<Minishogi>("k4/2S2/5/5/5 b G 1").unwrap();
    assert_eq!(placement.king(Colour::Sente), None);
    let mut sum = 0;
    Features::visit(&placement, |feature| sum += linear.weights()[feature]);
    assert_eq!(linear.logit(&placement), sum as f32 / UNITS as f32);
}

/// A checksum over the features of all positions up to three plies from the start.
fn checksum<R: Rules>() -> u64 {
    fn add<R: Rules>(position: &Position<R>, plies: u32, sum: &mut u64) {
        // FNV-1a.
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        Features::visit(position, |feature| {
            hash = (hash ^ feature as u64).wrapping_mul(0x100_0000_01b3);
        });
        *sum = sum.wrapping_add(hash);
        if plies > 0 {
            for mv in position.legal_moves() {
                add(&position.play(mv), plies - 1, sum);
            }
        }
    }
    let mut sum = 0;
    add(&start::<R>(), 3, &mut sum);
    sum
}

#[test]
fn the_list_of_features_is_the_one_its_name_stands_for() {
    // When this fails on purpose, files of the old list are no good: change `FEATURE_SET` too.
    let checksums = [
        checksum::<Minishogi>(),
        checksum::<KyotoShogi>(),
        checksum::<Shogi>(),
        checksum::<Shogi34>(),
        checksum::<Dobutsu>(),
    ];
    let expected = [
        17885273933876434480,
        13443869983278928309,
        2066815618878349344,
        10470417573384759479,
        16823764740913252841,
    ];
    assert_eq!(checksums, expected);
}

#[test]
fn bad_weights_are_refused() {
    let count = Features::<Dobutsu>::COUNT;
    let error = Linear::<Dobutsu>::new(vec![0; count - 1]).unwrap_err();
    assert_eq!(error, WeightsError::Count { found: count - 1, expected: count });
    let mut weights = vec![MAX_UNITS; count];
    assert!(Linear::<Dobutsu>::new(weights.clone()).is_ok());
    weights[7] = i32::MIN;
    let error = Linear::<Dobutsu>::new(weights).unwrap_err();
    assert_eq!(error, WeightsError::Size { index: 7, value: i32::MIN });
}

fn train_with<R: Rules>(settings: Settings, threads: usize) -> Trained<R> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let go_on = |_: shogi_learn::Progress<'_>| ControlFlow::Continue(());
    pool.install(|| train(&start(), settings, go_on)).unwrap()
}

#[test]
fn training_depends_on_the_seed_and_not_on_the_threads() {
    let settings = Settings { seed: 9, generations: 2, games: 90, ..Settings::default() };
    let one = train_with::<KyotoShogi>(settings, 1);
    assert_eq!(one, train_with(settings, 3));
    assert_eq!(one.evaluation.settings(), &settings);
    assert_eq!(one.evaluation.start(), KyotoShogi::START);
    let other = train_with::<KyotoShogi>(Settings { seed: 10, ..settings }, 2);
    assert_ne!(one.evaluation.linear(), other.evaluation.linear());
}

#[test]
fn training_foretells_results_on_small_boards() {
    fn learns<R: Rules>() {
        let settings = Settings { games: 800, plies: 150, generations: 2, ..Settings::default() };
        let trained = train_with::<R>(settings, 1);
        assert_eq!(trained.generations.len(), 2);
        let last = trained.generations[1];
        assert!(last.positions > 8 * last.held_out && last.held_out > 0);
        assert!(last.log_loss < last.log_loss_of_mean - 0.03, "{}: {last:?}", R::NAME);
        assert!(last.accuracy > last.accuracy_of_mean + 0.03, "{}: {last:?}", R::NAME);
    }
    learns::<Minishogi>();
    learns::<KyotoShogi>();
    learns::<Shogi34>();
    learns::<Dobutsu>();
}

#[test]
fn training_stops_when_asked() {
    let settings = Settings { games: 1000, ..Settings::default() };
    let mut heard = Vec::new();
    let stopped = train(&start::<Dobutsu>(), settings, |progress| {
        heard.push(progress.games);
        if progress.games < 128 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(stopped, None);
    assert_eq!(heard, [64, 128]);
}

#[test]
fn training_in_several_runs_comes_to_the_same() {
    let settings = Settings { games: 150, generations: 2, ..Settings::default() };
    let whole = train_with::<Dobutsu>(settings, 1);
    let mut training = Training::<Dobutsu>::new(start(), settings);
    let mut runs = 0;
    // Each run goes on from what the one before has saved, and is broken off after 64 games more.
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
    let settings = Settings { games: 64, generations: 1, plies: 6, ..Settings::default() };
    let mut training = Training::<Dobutsu>::new(start(), settings);
    assert!(training.run(|_, _| ControlFlow::Break(())).is_none());
    let file = saved(&training);
    assert!(Training::read(&file[..]).unwrap().is_of_the_same_run(&training));
    assert_eq!(read_training_variant(&file[..]).unwrap(), "dobutsu");
    let other = Training::<Dobutsu>::new(start(), Settings { seed: 2, ..settings });
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
        Settings { games: 0, ..Settings::default() },
        Settings { generations: 0, ..Settings::default() },
        Settings { games: 30, plies: 0, ..Settings::default() },
    ] {
        let trained = train_with::<Dobutsu>(settings, 1);
        assert_eq!(trained.evaluation.linear(), &Linear::zero());
        assert_eq!(trained.generations.len(), settings.generations as usize);
        assert!(trained.generations.iter().all(|quality| quality.log_loss.is_nan()));
    }
}

fn trained() -> Evaluation<Dobutsu> {
    train_with(Settings { games: 60, generations: 1, ..Settings::default() }, 1).evaluation
}

#[test]
fn a_file_holds_the_whole_evaluation() {
    let evaluation = trained();
    let text = evaluation.to_json();
    assert!(!text.contains('\n'));
    assert_eq!(Evaluation::from_json(&text).unwrap(), evaluation);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("evaluation.json");
    std::fs::write(&path, &text).unwrap();
    assert_eq!(Evaluation::load(&path).unwrap(), evaluation);
    let error = Evaluation::<Dobutsu>::load(&path.with_extension("absent")).unwrap_err();
    assert!(
        matches!(error.reason, FileReason::Flaw(Flaw::Io(_)))
            && error.to_string().contains("absent")
    );
}

#[test]
fn a_flipped_bit_is_refused() {
    let text = trained().to_json();
    for i in (0..text.len()).step_by(3) {
        let mut bytes = text.clone().into_bytes();
        bytes[i] ^= 1 << (i % 7);
        let damaged = String::from_utf8(bytes).unwrap();
        assert!(Evaluation::<Dobutsu>::from_json(&damaged).is_err(), "byte {i}");
    }
    let cut = &text[..text.len() - 1];
    assert!(matches!(
        Evaluation::<Dobutsu>::from_json(cut),
        Err(FileReason::Flaw(Flaw::Json { .. }))
    ));
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let text = trained().to_json();
    let message = |text: &str| Evaluation::<KyotoShogi>::from_json(text).unwrap_err().to_string();
    assert_eq!(message(&text), "it is for dobutsu, but kyotoshogi is wanted");
    let newer = text.replacen("\"version\":1", "\"version\":2", 1);
    assert_eq!(message(&newer), "version 2 of the format, but only 1 is known");
    let other = text.replacen("king-offsets-1", "king-offsets-0", 1);
    assert_eq!(message(&other), "the checksum does not match: the file was changed or damaged");
    assert_eq!(message("{}"), "this is no evaluation");
}
