//! Networks of the form HalfKP: what is fitted is learnt, and the file says the same.

use std::ops::ControlFlow;

use shogi_eval::NnBin;
use shogi_eval::nn_bin::Inputs;
use shogi_learn::evaluation_fit::{EvaluationFit, Form};
use shogi_learn::shogi_search::{Evaluation, Evaluator as _};
use shogi_learn::targets::Target;
use shogi_learn::value::NetFit;
use shogi_rules::{Shogi, parse_position};

#[test]
fn a_network_learns_who_is_ahead_and_its_file_is_read_back() {
    let position = |sfen| parse_position::<Shogi>(sfen).unwrap();
    // A rook and a bishop up and down, for the player to move.
    let ahead = position("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    let behind = position("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    let targets = [(ahead, 0.95), (behind, 0.05)].repeat(100);
    let targets: Vec<_> =
        targets.into_iter().map(|(position, share)| Target { position, share }).collect();
    let settings = NetFit { passes: 40, batch: 10, rate: 5e-4, ..NetFit::default() };
    let form = Form::NnBin(settings, Inputs::new().unwrap());
    let mut fit = EvaluationFit::new(form, targets, 0, "two positions");
    let evaluation = fit.run(|_| ControlFlow::Continue(())).expect("nothing breaks it");
    let passes = fit.progress().passes;
    // The cross-entropy of what is aimed at is 0.2.
    assert!(passes.len() == 40 && passes[39].loss < 0.25, "{passes:?}");
    let value = |position| evaluation.evaluate(&evaluation.start(position), position);
    // The logit of 0.95 is 3, and 600 hundredths of a pawn are one.
    assert!((1_200..2_400).contains(&value(&ahead)), "{}", value(&ahead));
    assert!((-2_400..-1_200).contains(&value(&behind)), "{}", value(&behind));

    let Evaluation::NnBin(net) = &evaluation else { panic!("HalfKP was fitted") };
    assert_eq!(net.description(), "two positions");
    let mut file = Vec::new();
    net.write(&mut file).unwrap();
    assert!(NnBin::<Shogi>::read(&file[..]).unwrap() == **net);
}
