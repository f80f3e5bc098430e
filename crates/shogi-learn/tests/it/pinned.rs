//! Pins the result of each fit on a small set of data, and each file that the crate writes, byte for byte.
//!
//! A change of these numbers means that the same command makes another network than before, or that a file
//! of before may not be resumed. The exponential function and the logarithm are those of the C library, so
//! the numbers hold on one kind of machine.
#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

use std::io;
use std::ops::ControlFlow;

use shogi_eval::value::Origin;
use shogi_eval::{TrainingSettings, Values, Weighted};
use shogi_learn::archive::Archive;
use shogi_learn::effort::{EffortFit, fit as fit_effort};
use shogi_learn::evaluation_fit::{EvaluationFit, Form};
use shogi_learn::linear::Training;
use shogi_learn::targets::targets;
use shogi_learn::value::{NetFit, fit as fit_value};
use shogi_learn::weighted::WeightedFit;
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi};
use shogi_search::Evaluation;

use crate::effort::records;
use crate::evaluation_fit::archive;

/// The first digits of the hash of a file.
fn hash(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut file = Vec::new();
    write(&mut file).unwrap();
    blake3::hash(&file).to_hex()[..16].to_owned()
}

/// The hash of a text.
fn hash_text(text: &str) -> String {
    hash(|file| {
        file.extend(text.as_bytes());
        Ok(())
    })
}

/// A hash of the evaluation fitted to the games of an archive.
fn fitted_to<R: Rules>(archive: Archive<R>, form: Form<R>) -> String {
    let games = archive.games.len();
    let mut fit = EvaluationFit::new(form, targets(&[archive]), games, "pinned");
    match fit.run(|_| ControlFlow::Continue(())).unwrap() {
        Evaluation::Network(net) => hash(|file| net.write(file)),
        Evaluation::Weighted(weighted) => hash_text(&weighted.to_json()),
        other => panic!("{} is never fitted", other.name()),
    }
}

#[test]
fn linear_evaluations_are_unchanged() {
    fn trained<R: Rules>() -> [String; 2] {
        let settings =
            TrainingSettings { games: 70, generations: 2, ..TrainingSettings::default() };
        let mut training = Training::<R>::new(R::start(), settings);
        let trained = training.run(|_, _| ControlFlow::Continue(())).unwrap();
        [hash_text(&trained.evaluation.to_json()), hash(|file| training.write(file))]
    }
    assert_eq!(
        [trained::<Dobutsu>(), trained::<KyotoShogi>()],
        [["44b39415b1291d46", "604fcd561cbe0e72"], ["fbf5e8694c305f27", "33fc12b09144f5e5"]]
    );
}

#[test]
fn effort_nets_are_unchanged() {
    fn fitted<R: Rules>() -> String {
        let settings = EffortFit { passes: 2, batch: 50, ..EffortFit::default() };
        let mut passes = Vec::new();
        let net = fit_effort(&records::<R>(700), &settings, |progress| {
            passes = progress.passes.to_vec();
            ControlFlow::Continue(())
        });
        hash(|file| {
            net.unwrap().write_weights(file)?;
            file.extend(format!("{passes:?}").bytes());
            Ok(())
        })
    }
    assert_eq!(
        [fitted::<Dobutsu>(), fitted::<Minishogi>()],
        ["f2e2a1e5d4fe8e29", "ab548ab3b2a8511d"]
    );
}

#[test]
fn networks_of_the_player_are_unchanged() {
    fn fitted<R: Rules>() -> [String; 2] {
        let archive = archive::<R>(40);
        let samples: Vec<_> = archive.samples().map(|sample| sample.judged()).collect();
        // Some of them are held out.
        let samples = samples.repeat(20_000 / samples.len() + 1);
        let settings = NetFit { passes: 2, ..NetFit::default() };
        let origin = Origin { command: "pinned".to_owned(), seed: 1, games: 40, positions: 1 };
        let mut passes = Vec::new();
        let net = fit_value(&samples, &settings, Values::standard::<R>(), origin, |progress| {
            passes = progress.passes.to_vec();
            ControlFlow::Continue(())
        });
        let of_games = fitted_to(archive, Form::Network(settings));
        let judged = hash(|file| {
            net.unwrap().write(&mut *file)?;
            for pass in passes {
                let held_out = pass.held_out.unwrap();
                let numbers = format!("{} {} {held_out}", pass.number, pass.loss);
                file.extend(numbers.bytes());
            }
            Ok(())
        });
        [judged, of_games]
    }
    let base = Weighted::<Shogi>::fitted().unwrap();
    let settings = NetFit::correction();
    let corrected = fitted_to(archive(4), Form::Correction(settings, base));
    assert_eq!(fitted::<Dobutsu>(), ["9bffe7f8e8c16c1b", "7bcbf5b8cd0743a5"]);
    assert_eq!(fitted::<Minishogi>(), ["44f73b917fbe90b5", "607857c2b8f7b305"]);
    assert_eq!(corrected, "c37a07334ae06eeb");
}

#[test]
fn weights_are_unchanged() {
    fn fitted<R: Rules>(games: usize) -> String {
        let settings = WeightedFit { passes: 6, batch: 100, ..WeightedFit::default() };
        fitted_to(archive::<R>(games), Form::Weighted(settings))
    }
    assert_eq!(
        [fitted::<Dobutsu>(30), fitted::<Shogi>(6)],
        ["4c1337a8a1aa0ada", "707789c8d1e52cca"]
    );
}
