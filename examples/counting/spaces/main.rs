//! How many positions the smaller games have: exact numbers beside the published ones, and for Kyoto
//! shogi an estimate of how many can be reached, with proofs for a part of the sample.
//!
//! ```text
//! cargo run --release --example spaces
//! ```

mod page;
mod paper;
mod sets;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use rayon::prelude::*;
use shogi_core::Placement;
use shogi_rank::{Counts, KingLegal, Ranking, Sampler, by_hand};
use shogi_reach::{Certificate, EstimateReport, Hub, Reach, SearchLimit, Shard, Stage};
use shogi_rules::{Dobutsu, KyotoShogi, Rules, to_sfen};
use shogi_variants_counting_examples::reachable::follow;
use shogi_variants_counting_examples::{exit_code, parse_count, say, write_whole};

/// Counts the positions of the smaller games.
#[derive(Parser)]
struct Arguments {
    /// Samples of Kyoto shogi.
    #[arg(long, default_value = "1e6", value_parser = parse_count)]
    samples: u64,
    /// How many of them are proved.
    #[arg(long, default_value = "1e3", value_parser = parse_count)]
    proofs: u64,
    /// Seed of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the page and the JSON go.
    #[arg(long, default_value = "target/spaces")]
    out: PathBuf,
}

/// All numbers.
#[derive(serde::Serialize)]
struct Results {
    command: String,
    /// All placements of Kyoto shogi by the number of pieces in hand, and the paper's numbers.
    kyoto_by_hand: Vec<[String; 2]>,
    kyoto_total: [String; 2],
    dobutsu: [String; 2],
    shogi34: Vec<sets::Row>,
    /// Kyoto shogi with Sente to move, mirror images counted as one.
    kyoto: EstimateReport,
    /// Positions with bare kings, either side to move: all are reachable.
    bare_kings: u64,
    proofs: Proofs,
}

/// How many labels were proved, by certificates that were verified.
#[derive(Default, serde::Serialize)]
struct Proofs {
    /// Games from the start position.
    games: u64,
    /// Their plies together.
    plies: u64,
    /// Closed sets of predecessors.
    closed: u64,
}

fn main() -> ExitCode {
    exit_code("spaces", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    let Arguments { samples, proofs, seed, out } = &arguments;
    // Before the run, so that it is not lost to a bad path.
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let set = KingLegal::<KyotoShogi>::new().context("Kyoto shogi is small enough")?;
    let hub = Hub::<KyotoShogi>::new()?;
    ensure!(hub.is_connected(), "not all of the {} bare-king positions are connected", hub.total());
    let proofs = prove(&Sampler::new(&set, *seed), &hub, (*proofs).min(*samples))?;
    let shard = Shard::new(KyotoShogi::NAME, &set.size(), *seed, *samples);
    let mut shard = shard.of_set(KingLegal::<KyotoShogi>::NAME);
    follow(&set, &mut shard)?;

    let both = |ours: String, paper: u64| [ours, paper.to_string()];
    let counted = by_hand::<KyotoShogi>();
    let kyoto_by_hand = counted.iter().zip(paper::KYOTO).map(|(n, p)| both(n.to_string(), p));
    let results = Results {
        command: format!(
            "cargo run --release --example spaces -- --samples {samples} --proofs {} --seed {seed}",
            arguments.proofs
        ),
        kyoto_by_hand: kyoto_by_hand.collect(),
        kyoto_total: both(Counts::new::<KyotoShogi>()?.distinct.to_string(), paper::KYOTO_TOTAL),
        dobutsu: both(Counts::new::<Dobutsu>()?.distinct.to_string(), paper::DOBUTSU),
        shogi34: sets::count()?,
        kyoto: EstimateReport::from(&shard),
        bare_kings: hub.total(),
        proofs,
    };
    let page = page::page(&results);
    say!("{}", page.trim_end());
    write_whole(&out.join("spaces.md"), &page)?;
    let json = serde_json::to_string_pretty(&results)? + "\n";
    write_whole(&out.join("spaces.json"), &json)?;
    Ok(())
}

/// Proves the labels of the first samples, and verifies the proofs.
fn prove(
    sampler: &Sampler<'_, KyotoShogi, KingLegal<KyotoShogi>>,
    hub: &Hub<KyotoShogi>,
    number: u64,
) -> Result<Proofs> {
    let reach = Reach::<KyotoShogi>::new(SearchLimit::default());
    let prove = |position: Placement<KyotoShogi>| -> Result<Proofs> {
        let sfen = to_sfen(&position);
        let certificate = reach.certify(hub, &position).with_context(|| sfen.clone())?;
        certificate.verify::<KyotoShogi>()?;
        match (certificate, reach.classify(&position)) {
            (Certificate::Game { moves, .. }, Stage::Ok) => {
                Ok(Proofs { games: 1, plies: moves.len() as u64, closed: 0 })
            }
            (Certificate::Closed { plies, .. }, Stage::Unreachable { plies: label })
                if plies == label =>
            {
                Ok(Proofs { closed: 1, ..Proofs::default() })
            }
            (_, label) => bail!("{sfen} is said to be {label:?}, which is not what is proved"),
        }
    };
    let add = |a: Proofs, b: Proofs| {
        Ok(Proofs {
            games: a.games + b.games,
            plies: a.plies + b.plies,
            closed: a.closed + b.closed,
        })
    };
    let positions: Vec<_> = sampler.placements(0..number).collect();
    positions.into_par_iter().map(prove).try_reduce(Proofs::default, add)
}
