//! Whole proofs from the skeletons that are kept with the results.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use indicatif::ProgressBar;
use shogi_eval::ProofEvaluation;
use shogi_rules::KyotoShogi;
use shogi_solve::builder::{AlphaBeta, Builder, Settings, Skeleton};
use shogi_solve::df_pn::Tuning;
use shogi_solve::proof::{Claim, Proof};
use shogi_solve::{Blend, Budget, Effort, Goal, RulesGame, strategy_from_builder};
use shogi_variants_examples::say;

use crate::write_proof;

/// The replies to 1e1d+, which Sente wins, and the first moves by which Sente loses, with the skeletons of the proofs.
const SKELETONS: [(&str, &str); 18] = [
    ("1a1b-", include_str!("../../docs/results/kyoto/1a1b-.skeleton")),
    ("1a2b-", include_str!("../../docs/results/kyoto/1a2b-.skeleton")),
    ("2a2b+", include_str!("../../docs/results/kyoto/2a2b+.skeleton")),
    ("5a5b+", include_str!("../../docs/results/kyoto/5a5b+.skeleton")),
    ("3a3b", include_str!("../../docs/results/kyoto/3a3b.skeleton")),
    ("3a4b", include_str!("../../docs/results/kyoto/3a4b.skeleton")),
    ("3a2b", include_str!("../../docs/results/kyoto/3a2b.skeleton")),
    ("4a5b-", include_str!("../../docs/results/kyoto/4a5b-.skeleton")),
    ("4a4b-", include_str!("../../docs/results/kyoto/4a4b-.skeleton")),
    ("4a3b-", include_str!("../../docs/results/kyoto/4a3b-.skeleton")),
    ("2a3b+", include_str!("../../docs/results/kyoto/2a3b+.skeleton")),
    ("2a1b+", include_str!("../../docs/results/kyoto/2a1b+.skeleton")),
    ("3e4d", include_str!("../../docs/results/kyoto/first/3e4d.skeleton")),
    ("2e1d-", include_str!("../../docs/results/kyoto/first/2e1d-.skeleton")),
    ("3e2d", include_str!("../../docs/results/kyoto/first/3e2d.skeleton")),
    ("3e3d", include_str!("../../docs/results/kyoto/first/3e3d.skeleton")),
    ("4e5d+", include_str!("../../docs/results/kyoto/first/4e5d+.skeleton")),
    ("2e3d-", include_str!("../../docs/results/kyoto/first/2e3d-.skeleton")),
];

/// Proves again what the skeletons of the proofs after these moves leave out, or of all if none is named, writes the
/// proofs to a folder and checks them.
pub fn expand(moves: &[String], out: &Path, hash_bytes: usize) -> Result<()> {
    for mv in moves {
        let is_kept = SKELETONS.iter().any(|(kept, _)| kept == mv);
        ensure!(is_kept, "there is no skeleton of a proof after {mv}");
    }
    let evaluation = ProofEvaluation::<KyotoShogi>::trained().context("there is no network")?;
    let game = RulesGame::<KyotoShogi>::new();
    let is_asked_for = |mv: &str| moves.is_empty() || moves.iter().any(|name| name == mv);
    for (mv, text) in SKELETONS.into_iter().filter(|(mv, _)| is_asked_for(mv)) {
        let started = Instant::now();
        let skeleton = Skeleton::<KyotoShogi>::from_json(text)?;
        let goal = Goal::win(skeleton.winner);
        let tuning = Tuning::LEARNT;
        let root_epsilon = Some(tuning.epsilon);
        let settings = Settings { hash_bytes, tuning, root_epsilon, ..Settings::default() };
        let leaf = Effort::new(&evaluation, Blend::Mean);
        // Names a move where the job of a position that the skeleton leaves out fails.
        let mut oracle = AlphaBeta::new(Effort::new(&evaluation, Blend::Provable));
        let mut builder = Builder::new(&game, goal, skeleton.root, leaf, settings);
        builder.follow_skeleton(&skeleton)?;
        let bar = ProgressBar::new_spinner();
        builder.run(&mut oracle, &mut Budget::unlimited(), &mut |builder, _, _| {
            let open = builder.open().filter(|open| !open.expanded).count();
            let expansions = builder.expansions();
            bar.set_message(format!("{mv}: {expansions} expansions, {open} positions open"));
            bar.tick();
            ControlFlow::Continue(())
        });
        bar.finish_and_clear();
        let strategy = strategy_from_builder(&builder)?;
        let strategy = strategy.with_context(|| format!("the value after {mv} is not proved"))?;
        let claim = Claim::Win { prover: goal.prover };
        let path = out.join(format!("{mv}.expanded.proof"));
        let (entries, plies, bytes) =
            write_proof(&Proof::new(skeleton.root, claim, vec![strategy])?, &path)?;
        say!(
            "{mv}: {} of {} positions in {} bytes of skeleton expand to {entries} entries in {bytes} \
             bytes, won by {} in at most {} plies; {} expansions, {:.1} s",
            skeleton.moves.iter().flatten().count(),
            skeleton.moves.len(),
            text.len(),
            goal.prover,
            plies.unwrap_or_default(),
            builder.expansions(),
            started.elapsed().as_secs_f64(),
        );
    }
    Ok(())
}
