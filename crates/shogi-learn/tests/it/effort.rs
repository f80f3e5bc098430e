//! Effort nets: fits, files, and records of searches.

use std::ops::ControlFlow;

use shogi_eval::effort::{Estimate, Origin, read_effort_variant};
use shogi_eval::{EffortNet, Evaluation, Features, ProofEvaluation, TrainingSettings};
use shogi_learn::effort::{EffortFit, EffortPass, Record, fit};
use shogi_rules::shogi_core::{Colour, Faults, Placement, Position};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, parse_position};
use shogi_solve::SearchOutcome;
use testing::games::games;

/// Records of random positions with an effort and an outcome that a network can find out.
pub fn records<R: Rules>(count: usize) -> Vec<Record<R>> {
    let mut records = Vec::new();
    for game in games::<R>(11, usize::MAX, 60) {
        let mut position = parse_position::<R>(R::START).unwrap();
        for &mv in game.moves() {
            let prover = if records.len() % 3 == 0 { Colour::Gote } else { Colour::Sente };
            let held = |player: Colour| position.hand(player).bits().count_ones();
            let (ours, theirs) = (held(prover), held(!prover));
            let outcome = match ours.cmp(&theirs) {
                std::cmp::Ordering::Greater => SearchOutcome::Proved,
                std::cmp::Ordering::Less => SearchOutcome::Disproved,
                std::cmp::Ordering::Equal => SearchOutcome::Open,
            };
            let [sente, gote] = Colour::ALL.map(|player| position.king(player).unwrap());
            let expansions = 8 << sente.manhattan(gote);
            records.push(Record { position, prover, outcome, expansions });
            if records.len() == count {
                return records;
            }
            position = position.play_unchecked(mv);
        }
    }
    records
}

fn fitted<R: Rules>(records: &[Record<R>], settings: &EffortFit) -> (EffortNet<R>, EffortPass) {
    let mut last = None;
    let net = fit(records, settings, |progress| {
        last = progress.passes.last().copied();
        ControlFlow::Continue(())
    });
    (net.unwrap(), last.unwrap())
}

fn estimate<R: Rules>(net: &EffortNet<R>, placement: &Placement<R>, prover: Colour) -> Estimate {
    let attacked = Features::attacked(placement);
    net.estimate(&net.accumulate(placement), placement, &attacked, prover)
}

#[test]
fn a_fit_finds_effort_and_outcome_of_positions_it_has_not_seen() {
    fn learns<R: Rules>() {
        let records = records::<R>(6000);
        let (net, last) = fitted(&records, &EffortFit { batch: 128, ..EffortFit::default() });
        assert!(last.error < 0.7 * last.error_of_mean, "{}: {last:?}", R::NAME);
        assert!(last.log_loss < 0.7 * last.log_loss_of_mean, "{}: {last:?}", R::NAME);
        // Open positions mostly cost at least the effort spent.
        let open = records.iter().filter(|record| record.outcome == SearchOutcome::Open);
        let (mut all, mut enough) = (0, 0);
        for record in open {
            let ln = f64::from(estimate(&net, &record.position, record.prover).expansions)
                / f64::from(1 << 18);
            all += 1;
            enough += usize::from(ln > f64::from(record.expansions).ln() - 1.0);
        }
        assert!(all > 500 && enough * 10 > all * 8, "{}: {enough} of {all}", R::NAME);
    }
    learns::<KyotoShogi>();
    learns::<Minishogi>();
}

#[test]
fn a_fit_depends_only_on_its_settings_and_can_be_stopped() {
    let records = records::<Dobutsu>(600);
    let settings = EffortFit { passes: 2, batch: 50, ..EffortFit::default() };
    let (net, last) = fitted(&records, &settings);
    assert_eq!((fitted(&records, &settings).0 == net, last.number, last.records), (true, 2, 570));
    assert!(fitted(&records, &EffortFit { seed: 2, ..settings }).0 != net);
    let mut calls = 0;
    let stopped = fit(&records, &settings, |progress| {
        calls += 1;
        assert_eq!((progress.done, progress.total), (50 * calls, 1140));
        if calls < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(stopped.is_none() && calls == 3);
}

#[test]
fn a_fit_without_records_makes_a_network_all_the_same() {
    let net = fit::<Dobutsu>(&[], &EffortFit::default(), |_| ControlFlow::Continue(())).unwrap();
    let start = parse_position::<Dobutsu>(Dobutsu::START).unwrap();
    assert_eq!(estimate(&net, &start, Colour::Sente), estimate(&net, &start, Colour::Sente));
}

#[test]
fn players_exchanged_the_other_prover_has_the_same_estimate() {
    let (net, _) = fitted(&records::<KyotoShogi>(400), &EffortFit::default());
    let mut differ = 0;
    for record in records::<KyotoShogi>(300) {
        let exchanged = record.position.exchange_colours();
        let exchanged = Position::new_allowing(exchanged, Faults::all()).unwrap();
        let here = estimate(&net, &record.position, record.prover);
        assert_eq!(estimate(&net, &exchanged, !record.prover), here);
        differ += usize::from(estimate(&net, &record.position, !record.prover) != here);
    }
    assert!(differ > 250, "{differ}");
}

fn proof_evaluation() -> ProofEvaluation<Dobutsu> {
    let settings = TrainingSettings { games: 20, generations: 1, ..TrainingSettings::default() };
    let start = parse_position::<Dobutsu>(Dobutsu::START).unwrap();
    let trained =
        shogi_learn::linear::train(&start, settings, |_| ControlFlow::Continue(())).unwrap();
    let (net, _) = fitted(&records(200), &EffortFit { passes: 1, ..EffortFit::default() });
    let origin = Origin { command: "a test".to_owned(), seed: 7, records: 200 };
    ProofEvaluation::new(trained.evaluation, net, origin)
}

#[test]
fn a_file_holds_the_whole_evaluation_for_proofs() {
    let evaluation = proof_evaluation();
    let mut file = Vec::new();
    evaluation.write(&mut file).unwrap();
    assert_eq!(ProofEvaluation::read(&file[..]).unwrap(), evaluation);
    assert_eq!(read_effort_variant(&file[..]).unwrap(), "dobutsu");
    let error = ProofEvaluation::<Minishogi>::read(&file[..]).unwrap_err().to_string();
    assert!(error.ends_with("it is for dobutsu, but minishogi is wanted"), "{error}");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("effort.net");
    std::fs::write(&path, &file).unwrap();
    assert_eq!(ProofEvaluation::load(&path).unwrap(), evaluation);
    let error = ProofEvaluation::<Dobutsu>::load(&path.with_extension("absent")).unwrap_err();
    assert!(error.to_string().contains("effort.absent"), "{error}");
    assert!(Evaluation::<Dobutsu>::load(&path).is_err());
}

#[test]
fn damage_to_a_file_of_an_evaluation_for_proofs_is_found() {
    let mut file = Vec::new();
    proof_evaluation().write(&mut file).unwrap();
    let read = |file: &[u8]| ProofEvaluation::<Dobutsu>::read(file);
    // The heading, and a part of the weights as long.
    for place in (0..2000).step_by(7).chain((2000..file.len()).step_by(4001)) {
        let mut damaged = file.clone();
        damaged[place] ^= 4;
        assert!(read(&damaged).is_err(), "byte {place}");
        assert!(read(&file[..place]).is_err(), "cut at {place}");
    }
    assert!(read(&[&file[..], b"\0"].concat()).is_err());
}

#[test]
fn a_record_is_read_back_from_its_line_and_other_lines_are_refused() {
    for record in records::<Minishogi>(50) {
        assert_eq!(Record::from_line(&record.to_line()), Ok(record));
    }
    for line in ["", "b + 5", "x + 5 rbsgk/4p/5/P4/KGSBR b - 1", "b + 0 rbsgk/4p/5/P4/KGSBR b - 1"]
    {
        let error = Record::<Minishogi>::from_line(line).unwrap_err();
        assert_eq!(error.to_string(), format!("{line:?} is no record of a searched position"));
    }
}
