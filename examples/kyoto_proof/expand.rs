//! Whole proofs from the skeletons that are kept with the results.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use shogi_rules::KyotoShogi;
use shogi_solve::build::{AsRanked, Builder, Settings, Skeleton};
use shogi_solve::df_pn::Tuning;
use shogi_solve::learn::Evaluation;
use shogi_solve::proof::{Claim, Proof};
use shogi_solve::{Budget, Goal, Learnt, RulesGame, strategy_from_builder};
use shogi_variants_examples::say;

use crate::write_proof;

/// The replies to 1e1d+ with the skeletons of their proofs.
const SKELETONS: [(&str, &str); 1] =
    [("3a3b", include_str!("../../docs/results/kyoto/3a3b.skeleton"))];

/// The evaluation that they were made with.
const EVALUATION: &str = include_str!("../../docs/results/kyoto/evaluation.json");

/// Proves again what the skeletons leave out, writes the proofs to a folder and checks them.
pub fn expand_all(out: &Path, hash_bytes: usize) -> Result<()> {
    let evaluation = Evaluation::<KyotoShogi>::from_json(EVALUATION)?;
    let game = RulesGame::<KyotoShogi>::new();
    for (reply, text) in SKELETONS {
        let started = Instant::now();
        let skeleton = Skeleton::<KyotoShogi>::from_json(text)?;
        let goal = Goal::win(skeleton.winner);
        let settings =
            Settings { bytes: hash_bytes, tuning: Tuning::LEARNT, ..Settings::default() };
        let leaf = Learnt::new(evaluation.linear());
        let mut builder = Builder::new(&game, goal, skeleton.root, leaf, settings);
        builder.follow_skeleton(&skeleton)?;
        builder
            .run(&mut AsRanked, &mut Budget::unlimited(), &mut |_, _, _| ControlFlow::Continue(()));
        let strategy = strategy_from_builder(&builder)?;
        let strategy = strategy.with_context(|| format!("{reply} is not proved"))?;
        let claim = Claim::Win { prover: goal.prover };
        let path = out.join(format!("{reply}.expanded.proof"));
        let (entries, plies, bytes) =
            write_proof(&Proof::new(skeleton.root, claim, vec![strategy])?, &path)?;
        say!(
            "{reply}: {} of {} positions in {} bytes of skeleton expand to {entries} entries in {bytes} \
             bytes, won in at most {} plies; {} expansions, {:.1} s",
            skeleton.moves.iter().flatten().count(),
            skeleton.moves.len(),
            text.len(),
            plies.unwrap_or_default(),
            builder.expansions(),
            started.elapsed().as_secs_f64(),
        );
    }
    Ok(())
}
