//! The command line.

use anyhow::Result;
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::common::Common;
use crate::end::Outcome;
use crate::verbs;

/// Rules, counting and reachability for the shogi family.
///
/// Batch verbs read one item per line from standard input and answer one JSON object per line.
/// Exit codes: 0 good, 1 some input was bad or a claim was refuted, 2 usage.
#[derive(Parser, Debug)]
#[command(name = "shogi", version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Count the legal move sequences of a given length.
    Perft(verbs::perft::Arguments),
    /// List the legal moves of each position on standard input.
    Moves(verbs::moves::Arguments),
    /// List the positions from which one legal move leads to each position on standard input.
    Unmoves(verbs::unmoves::Arguments),
    /// Draw positions from standard input.
    Show(verbs::show::Arguments),
    /// Number the placements on standard input.
    Rank(verbs::rank::Arguments),
    /// Give the placements with the numbers on standard input.
    Unrank(verbs::unrank::Arguments),
    /// Count placements exactly.
    Count(verbs::count::Arguments),
    /// Tell of each position on standard input whether a game leads to it.
    Classify(verbs::classify::Arguments),
    /// Estimate the number of reachable positions from a sample.
    Estimate(verbs::estimate::Arguments),
    /// Tell of each position on standard input whether the player to move mates by checks.
    Mate(verbs::mate::Arguments),
    /// Prove the value of a position.
    Solve(verbs::solve::Arguments),
    /// Put the shards of an estimate together.
    Merge(verbs::merge::Arguments),
    /// Check certificates, proofs, shards and checkpoints.
    Verify(verbs::verify::Arguments),
    /// Look into files that prove the value of a position.
    Proof(verbs::proof::Arguments),
    /// Learn an evaluation from self-play, for proof searches.
    Train(verbs::train::Arguments),
    /// Make the tables that the player judges positions by from self-play.
    Tune(verbs::tune::Arguments),
    /// Play games of the player against himself, to learn from.
    Selfplay(verbs::selfplay::Arguments),
    /// Say what the player's evaluation of each position on standard input is made of.
    Explain(verbs::explain::Arguments),
    /// Be an engine that is spoken to by USI.
    Usi(verbs::usi::Arguments),
    /// Convert the record of a game from one format to another.
    Convert(verbs::convert::Arguments),
    /// Print a script that completes this program's arguments in a shell.
    Completions(verbs::completions::Arguments),
}

impl Arguments {
    /// Carries out what was asked for.
    ///
    /// # Errors
    ///
    /// Whatever kept the verb from running to its end.
    pub fn run(&self) -> Result<Outcome> {
        let common = &self.common;
        common.start_threads()?;
        match &self.verb {
            Verb::Perft(arguments) => verbs::perft::run(arguments, common),
            Verb::Moves(arguments) => verbs::moves::run(arguments, common),
            Verb::Unmoves(arguments) => verbs::unmoves::run(arguments, common),
            Verb::Show(arguments) => verbs::show::run(arguments, common),
            Verb::Rank(arguments) => verbs::rank::run(arguments),
            Verb::Unrank(arguments) => verbs::unrank::run(arguments, common),
            Verb::Count(arguments) => verbs::count::run(arguments, common),
            Verb::Classify(arguments) => verbs::classify::run(arguments),
            Verb::Estimate(arguments) => verbs::estimate::run(arguments, common),
            Verb::Mate(arguments) => verbs::mate::run(arguments, common),
            Verb::Solve(arguments) => verbs::solve::run(arguments, common),
            Verb::Merge(arguments) => verbs::merge::run(arguments, common),
            Verb::Verify(arguments) => verbs::verify::run(arguments, common),
            Verb::Proof(arguments) => verbs::proof::run(arguments, common),
            Verb::Train(arguments) => verbs::train::run(arguments, common),
            Verb::Tune(arguments) => verbs::tune::run(arguments, common),
            Verb::Selfplay(arguments) => verbs::selfplay::run(arguments, common),
            Verb::Explain(arguments) => verbs::explain::run(arguments),
            Verb::Usi(arguments) => verbs::usi::run(arguments, common),
            Verb::Convert(arguments) => verbs::convert::run(arguments, common),
            Verb::Completions(arguments) => verbs::completions::run(arguments, Self::command()),
        }
    }
}
