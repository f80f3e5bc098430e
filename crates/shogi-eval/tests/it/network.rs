//! Networks: exact sums, updates from position to position, and the evaluation for proofs in the crate.

use shogi_eval::network::{Dense, Rows, Transformer};
use shogi_eval::{Features, ProofEvaluation};
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, parse_position};
use testing::for_every_variant;
use testing::games::games;
use testing::random::Random;

/// A first layer without any pattern, as large as it may be.
fn random_transformer<R: Rules>() -> (Transformer<R, 4>, Vec<i16>) {
    let mut random = Random::new(3);
    let max = Transformer::<R, 4>::MAX_WEIGHT;
    let weight = |_| random.below(2 * max as usize + 1) as i16 - max;
    let weights: Vec<i16> = (0..(Rows::<R>::COUNT + 1) * 4).map(weight).collect();
    (Transformer::new(&weights).unwrap(), weights)
}

/// Sums kept up to date over random games equal sums of rows in wide numbers.
fn follow<R: Rules>(count: usize) {
    let (transformer, weights) = random_transformer::<R>();
    for game in games::<R>(5, count, 80) {
        let mut position = parse_position::<R>(R::START).unwrap();
        let mut accumulators = transformer.accumulate(&position);
        for &mv in game.moves() {
            let next = position.play_unchecked(mv);
            accumulators = transformer.after(&accumulators, &position, mv, &next);
            assert_eq!(accumulators, transformer.accumulate(&next));
            position = next;
            let attacked = Features::attacked(&position);
            let mut sums = [[0_i64; 4]; 2];
            let row = |sum: &mut [i64; 4], row: usize| {
                for (sum, &weight) in sum.iter_mut().zip(&weights[4 * row..]) {
                    *sum += i64::from(weight);
                }
            };
            for (sum, player) in sums.iter_mut().zip(Colour::ALL) {
                row(sum, 0);
                Rows::visit_pieces(&position, player, |number| row(sum, number + 1));
            }
            Rows::visit_state(&position, &attacked, |player, number| {
                row(&mut sums[player.index()], number + 1);
            });
            let [sente, gote] = sums.map(|sum| sum.map(|sum| sum.clamp(0, 2048) as i16));
            let hidden = |first| transformer.hidden(&accumulators, &position, &attacked, first);
            assert_eq!(hidden(Colour::Sente), [sente, gote]);
            assert_eq!(hidden(Colour::Gote), [gote, sente]);
        }
    }
}

for_every_variant!(hidden_values_are_kept_up_to_date_exactly: follow(40; shogi: 4));

#[test]
fn a_layer_adds_up_exactly_at_the_largest_numbers() {
    let max = Dense::<64, 2>::MAX_WEIGHT;
    let mut weights = [max; 128];
    weights[64..].fill(-max);
    let layer = Dense::<64, 2>::new(&weights, &[Dense::<64, 2>::MAX_BIAS; 2]).unwrap();
    let sum = 64 * 2048 * i32::from(max);
    let bias = Dense::<64, 2>::MAX_BIAS;
    assert_eq!(layer.outputs(&[2048; 64]), [bias + sum, bias - sum]);
    let error = Dense::<64, 2>::new(&[max + 1; 128], &[0; 2]).unwrap_err().to_string();
    assert_eq!(error, "weight 0 is 4097, more than 4096 either way");
    assert!(Dense::<64, 2>::new(&weights[1..], &[0; 2]).is_err());
}

#[test]
fn a_first_layer_of_weights_that_could_overflow_is_refused() {
    let (_, mut weights) = random_transformer::<Dobutsu>();
    weights[17] = i16::MIN;
    let error = Transformer::<Dobutsu, 4>::new(&weights).unwrap_err().to_string();
    assert!(error.starts_with("weight 17 is -32768"), "{error}");
    assert!(Transformer::<Dobutsu, 4>::new(&weights[4..]).is_err());
}

#[test]
fn the_evaluation_of_the_crate_can_be_read_and_says_what_made_it() {
    let evaluation = ProofEvaluation::<KyotoShogi>::trained().unwrap();
    let command = &evaluation.origin().command;
    assert!(command.starts_with("shogi learn kyotoshogi --for proofs"), "{command}");
    assert!(evaluation.origin().records > 100_000);
    let mut file = Vec::new();
    evaluation.write(&mut file).unwrap();
    assert!(file.len() < 1 << 20, "{}", file.len());
    assert!(ProofEvaluation::<Minishogi>::trained().is_none());
}
