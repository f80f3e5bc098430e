//! Proves of a sample of Minishogi's legal positions that they can or cannot arise in a game:
//! a certificate a line, for `shogi verify`.
//!
//! ```text
//! cargo run --release -p shogi-reach --example certificates -- 1000 2026 > certificates.jsonl
//! ```

use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use shogi_rank::{KingLegal, Sampler};
use shogi_reach::{Hub, Reach, SearchLimit};
use shogi_rules::Minishogi;

fn main() -> ExitCode {
    let Err(error) = run() else { return ExitCode::SUCCESS };
    // Standard error may be closed.
    let _ = writeln!(stderr(), "certificates: error: {error}");
    ExitCode::FAILURE
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |what: &str| -> Result<u64, Box<dyn Error>> {
        let text = arguments.next().ok_or(format!("give {what}"))?;
        Ok(text.parse().map_err(|_| format!("{text:?} is no number: give {what}"))?)
    };
    let (samples, seed) = (number("a number of samples")?, number("a seed")?);
    let set = KingLegal::<Minishogi>::new().ok_or("Minishogi is small enough")?;
    let (hub, reach) = (Hub::new()?, Reach::new(SearchLimit::default()));
    let mut out = stdout().lock();
    for placement in Sampler::new(&set, seed).placements(0..samples) {
        let certificate = reach.certify(&hub, &placement)?;
        writeln!(out, "{}", serde_json::to_string(&certificate)?)?;
    }
    Ok(())
}
