//! `learn`: evaluations for the player and for proof searches.

mod fit;
mod linear;
mod matches;
mod play;
mod proofs;

use std::io::Read;

use anyhow::Result;
use clap::Subcommand;
use shogi_eval::effort::{FORMAT as EFFORT, read_effort_variant};
use shogi_eval::value::{FORMAT as NETWORK, read_variant as read_network_variant};
use shogi_learn::expert::{FORMAT as EXPERT, read_variant as read_expert_variant};
use shogi_learn::learner::{FORMAT as LEARNER, read_variant as read_learner_variant};
use shogi_learn::linear::{FORMAT as TRAINING_FORMAT, read_variant as read_training_variant};
use shogi_learn::matches::{FORMAT as MATCH, read_checkpoint};

use crate::common::Common;
use crate::end::Outcome;
use crate::learnt::{self, Content, Done};
use crate::variant::Variant;

/// Arguments of `learn`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Makes a network for the player from games of its own.
    ///
    /// Games of the player against itself teach a network that it judges positions by, generation by
    /// generation; a match says whether a new network is better than what the games were played with.
    Play(play::Arguments),
    /// Makes an evaluation for proof searches.
    ///
    /// A linear evaluation is trained by games against itself; then rounds of searches teach a network what proofs
    /// cost.
    Proofs(proofs::Arguments),
    /// Fits an evaluation for the player to games in archives.
    Fit(fit::Arguments),
    /// Plays a match of two evaluations, and says which is better.
    Match(matches::Arguments),
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match &arguments.verb {
        Verb::Play(arguments) => play::run(arguments, common),
        Verb::Proofs(arguments) => proofs::run(arguments, common),
        Verb::Fit(arguments) => fit::run(arguments, common),
        Verb::Match(arguments) => matches::run(arguments, common),
    }
}

/// Whether a file that begins so is one of those that [`verify`] checks.
pub fn is_known(head: &[u8]) -> bool {
    [EFFORT, NETWORK, TRAINING_FORMAT, LEARNER, EXPERT, MATCH]
        .iter()
        .any(|format| head.starts_with(&format.magic))
}

/// Checks a network or a checkpoint, for `verify`.
pub fn verify(input: &mut dyn Read, common: &Common) -> Result<Outcome> {
    learnt::verify(input, LEARNER.most, common, &|bytes| {
        let is = |magic: &[u8]| bytes.starts_with(magic);
        let variant = |name: String| name.parse::<Variant>();
        if is(&NETWORK.magic) {
            let variant = variant(read_network_variant(bytes)?)?;
            variant.playing().check_network(bytes)?;
            return Ok((variant, Content::Evaluation("a network for")));
        }
        if is(&EFFORT.magic) {
            let variant = variant(read_effort_variant(bytes)?)?;
            variant.learning().check_proof_evaluation(&mut &bytes[..])?;
            return Ok((variant, Content::Evaluation("an evaluation for proof searches of")));
        }
        let (variant, done) = if is(&MATCH.magic) {
            let (settings, tally) = read_checkpoint(bytes)?;
            (variant(settings.variant)?, Done::Games(tally.games().into()))
        } else if is(&TRAINING_FORMAT.magic) {
            let variant = variant(read_training_variant(bytes)?)?;
            (variant, Done::Games(variant.learning().check_training(&mut &bytes[..])?))
        } else if is(&EXPERT.magic) {
            let variant = variant(read_expert_variant(bytes)?)?;
            (variant, Done::Searches(variant.learning().check_expert_iteration(&mut &bytes[..])?))
        } else {
            let variant = variant(read_learner_variant(bytes)?)?;
            (variant, Done::Games(variant.learning().check_learner(bytes)? as u64))
        };
        Ok((variant, Content::Checkpoint("learn", done)))
    })
}
