//! Networks of the community: what is fitted is learnt, and the file says the same.

use std::ops::ControlFlow;
use std::sync::Arc;

use shogi_eval::NnBin;
use shogi_eval::nn_bin::{FeatureSet, Inputs};
use shogi_learn::evaluation_fit::{EvaluationFit, Form};
use shogi_learn::shogi_search::{Evaluation, Evaluator as _};
use shogi_learn::targets::Target;
use shogi_learn::value::NetFit;
use shogi_rules::shogi_core::Position;
use shogi_rules::{KyotoShogi, Rules as _, Shogi, parse_position};

#[test]
fn a_network_learns_who_is_ahead_and_its_file_is_read_back() {
    FeatureSet::ALL.into_iter().for_each(learns_who_is_ahead);
}

/// A position with a rook and a bishop more for the player to move, and one with as much less.
fn ahead_and_behind() -> [Position<Shogi>; 2] {
    let up_and_down = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    ["b", "w"].map(|turn| parse_position(&format!("{up_and_down} {turn} - 1")).unwrap())
}

/// A fit of a network with these inputs to the two positions.
fn fit_of(set: FeatureSet, passes: u32) -> EvaluationFit<Shogi> {
    let [ahead, behind] = ahead_and_behind();
    let targets = [(ahead, 0.95), (behind, 0.05)].repeat(100);
    let targets: Vec<_> =
        targets.into_iter().map(|(position, share)| Target { position, share }).collect();
    let settings = NetFit { passes, batch: 10, rate: 5e-4, ..NetFit::default() };
    let form = Form::NnBin(settings, Inputs::new(set).unwrap());
    EvaluationFit::new(form, targets, 0, "two positions")
}

fn learns_who_is_ahead(set: FeatureSet) {
    let mut fit = fit_of(set, 40);
    let evaluation = fit.run(|_| ControlFlow::Continue(())).expect("nothing breaks it");
    let passes = fit.progress().passes;
    // The cross-entropy of what is aimed at is 0.2.
    assert!(passes.len() == 40 && passes[39].loss < 0.25, "{passes:?}");
    // The logit of 0.95 is 3, and 600 hundredths of a pawn are one.
    let values = ahead_and_behind()
        .map(|position| evaluation.evaluate(&evaluation.start(&position), &position));
    assert!((1_200..2_400).contains(&values[0]), "{values:?}");
    assert!((-2_400..-1_200).contains(&values[1]), "{values:?}");

    let Evaluation::NnBin(net) = &evaluation else { panic!("an nn.bin was fitted") };
    assert_eq!((net.description(), net.feature_set()), ("two positions", set));
    let mut file = Vec::new();
    net.write(&mut file).unwrap();
    assert!(NnBin::<Shogi>::read(&file[..]).unwrap() == **net);
}

#[test]
fn a_fit_in_two_runs_makes_the_same_network_and_cannot_resume_as_another_form() {
    let whole = fit_of(FeatureSet::Kp, 3).run(|_| ControlFlow::Continue(())).unwrap();
    let (mut part, mut steps) = (fit_of(FeatureSet::Kp, 3), 0);
    let end = part.run(|_| {
        steps += 1;
        if steps < 25 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(end.is_none());
    let mut checkpoint = Vec::new();
    part.write(&mut checkpoint).unwrap();
    let mut resumed = fit_of(FeatureSet::Kp, 3);
    assert_eq!(resumed.resume(&checkpoint[..]).unwrap(), None);
    let again = resumed.run(|_| ControlFlow::Continue(())).unwrap();
    assert_eq!(again.name(), whole.name());
    assert!(whole.name().starts_with("kp "), "{}", whole.name());
    let other = fit_of(FeatureSet::HalfKp, 3).resume(&checkpoint[..]).unwrap();
    assert_eq!(other.as_deref(), Some("other settings or positions"));
}

/// A fit on Kyoto shogi: the start is won by who is to move.
fn kyoto_fit(form: Form<KyotoShogi>) -> EvaluationFit<KyotoShogi> {
    let targets = vec![Target { position: KyotoShogi::start(), share: 0.9 }; 50];
    EvaluationFit::new(form, targets, 0, "the start")
}

#[test]
fn a_fit_goes_on_from_the_weights_of_a_network_on_any_board() {
    let settings = NetFit { passes: 30, batch: 10, rate: 5e-4, ..NetFit::default() };
    let inputs = Inputs::new(FeatureSet::Kp).unwrap();
    let fitted = |form| {
        let mut fit = kyoto_fit(form);
        let evaluation = fit.run(|_| ControlFlow::Continue(())).unwrap();
        let Evaluation::NnBin(net) = evaluation else { panic!("an nn.bin was fitted") };
        (net, fit.progress().passes[0].loss)
    };
    let (first, loss) = fitted(Form::NnBin(settings, inputs));
    // The weights of whole numbers promise about the same.
    let still = NetFit { passes: 1, rate: 1e-9, ..settings };
    let (same, found) = fitted(Form::Continued(still, Arc::clone(&first)));
    assert!(found < loss - 0.1 && found < 0.34, "{loss}, then {found}");
    let start = KyotoShogi::start();
    let value = |net: &NnBin<KyotoShogi>| net.evaluate(&net.accumulate(&start), &start);
    assert_eq!(value(&same), value(&first));
    let mut checkpoint = Vec::new();
    kyoto_fit(Form::Continued(still, first)).write(&mut checkpoint).unwrap();
    let zero = Arc::new(NnBin::zero(Inputs::new(FeatureSet::Kp).unwrap()));
    let mut other = kyoto_fit(Form::Continued(still, Arc::clone(&zero)));
    let differing = other.resume(&checkpoint[..]).unwrap();
    assert_eq!(differing.as_deref(), Some("other settings or positions"));
    // No step leads away from weights that are all 0: the first ones are random then.
    let (from_zero, loss) = fitted(Form::Continued(settings, zero));
    assert!(loss > found && value(&from_zero) > 600, "{}", value(&from_zero));
}
