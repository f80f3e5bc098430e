//! `classify`: whether positions can come about in a game, with proof if wanted.

use anyhow::{Result, anyhow, ensure};
use serde::Serialize;
use shogi_rules::shogi_core::Faults;
use shogi_rules::{Rules, parse_sfen};
use shogi_solve::reach::{Certificate, CertifyError, Hub, Limit, Reach, Stage, has_full_set};

use crate::end::Outcome;
use crate::variant::{self, Variant, dispatch};
use crate::{amount, batch};

/// Arguments of `classify`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// Prove each answer: by a game from the start, or by all positions it can be traced back to.
    #[arg(long)]
    certificate: bool,
    /// Most positions kept in one backward search; where they do not do the answer is unknown.
    #[arg(long, value_name = "N", default_value_t = Limit::default().nodes, value_parser = amount::count::<usize>(..))]
    nodes: usize,
}

#[derive(Serialize)]
struct Answer {
    stage: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    /// Absent where it was not asked for, null where there is none: an illegal position needs
    /// none, an undecided one has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<Option<Certificate>>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    dispatch!(arguments.variant, [Minishogi KyotoShogi Shogi], R => run_for::<R>(arguments))
}

fn run_for<R: Rules>(arguments: &Arguments) -> Result<Outcome> {
    let reach = Reach::<R>::new(Limit { nodes: arguments.nodes });
    // Only games lead through the hub.
    let hub = if arguments.certificate { Some(Hub::<R>::new()?) } else { None };
    batch::run(|line| answer(line, &reach, hub.as_ref()))
}

fn answer<R: Rules>(line: &str, reach: &Reach<R>, hub: Option<&Hub<R>>) -> Result<Answer> {
    let (placement, _) = parse_sfen::<R>(line)?;
    // The stages judge arrangements of the whole set; anything else is no question for them.
    let absurd = Faults::TOO_MANY_PIECES | Faults::MISSING_KING | Faults::EXTRA_KING;
    let faults = placement.faults() & absurd;
    ensure!(faults.is_empty(), "{faults}");
    ensure!(has_full_set(&placement), "{}", CertifyError::Incomplete);
    let stage = reach.classify(&placement);
    let certificate = match hub {
        None => None,
        Some(hub) => Some(match reach.certify(hub, &placement) {
            Ok(certificate) => Some(certificate),
            Err(CertifyError::Illegal(_) | CertifyError::Limit(_)) => None,
            Err(error) => return Err(anyhow!(error)),
        }),
    };
    let plies = match stage {
        Stage::Unreachable { plies } => Some(plies),
        _ => None,
    };
    Ok(Answer { stage: name(stage), plies, certificate })
}

const fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Flip => "flip",
        Stage::Pawn => "pawn",
        Stage::King => "king",
        Stage::Unreachable { .. } => "unreachable",
        Stage::Ok => "ok",
        Stage::Unknown => "unknown",
    }
}
