//! Linear evaluations: the fast sum against the plain one, and files.

use shogi_eval::{
    Evaluation, Features, FileReason, Linear, MAX_UNITS, TrainingSettings, UNITS, WeightsError,
};
use shogi_files::sealed::Flaw;
use shogi_rules::shogi_core::{Colour, Placement, Position};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_sfen};
use testing::random::Random;

fn start<R: Rules>() -> Position<R> {
    R::start()
}

/// Calls `visit` on the positions of random games, up to `count` of them.
fn visit_random<R: Rules>(count: usize, mut visit: impl FnMut(&Placement<R>)) {
    let mut random = Random::new(3);
    let mut position = start::<R>();
    for _ in 0..count {
        visit(&position);
        let moves = position.legal_moves();
        let goes_on = R::verdict(&position).is_none() && !moves.is_empty();
        position = if goes_on { position.play_unchecked(random.pick(&moves)) } else { start() };
    }
}

fn random_weights<R: Rules>() -> Linear<R> {
    let mut random = Random::new(4);
    let weight = |_| random.below(4 * UNITS as usize + 1) as i32 - 2 * UNITS;
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
                add(&position.play_unchecked(mv), plies - 1, sum);
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

fn evaluation() -> Evaluation<Dobutsu> {
    Evaluation::new(Dobutsu::START.to_owned(), TrainingSettings::default(), random_weights())
}

#[test]
fn a_file_holds_the_whole_evaluation() {
    let evaluation = evaluation();
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
    let text = evaluation().to_json();
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
    let text = evaluation().to_json();
    let message = |text: &str| Evaluation::<KyotoShogi>::from_json(text).unwrap_err().to_string();
    assert_eq!(message(&text), "it is for dobutsu, but kyotoshogi is wanted");
    let newer = text.replacen("\"version\":1", "\"version\":2", 1);
    assert_eq!(message(&newer), "version 2 of the format, but only 1 is known");
    let other = text.replacen("king-offsets-1", "king-offsets-0", 1);
    assert_eq!(message(&other), "the checksum does not match: the file was changed or damaged");
    assert_eq!(message("{}"), "this is no evaluation");
}
