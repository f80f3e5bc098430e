//! 3x4 shogi, solved set by set: the values of all starts, with proofs drawn from the tablebases.
//!
//! ```text
//! cargo run --release --example shogi34_tables -- GG NN --proofs   # the smallest two
//! cargo run --release --example shogi34_tables -- --all            # 21 sets: hours, 2 GB of memory
//! cargo run --release --example shogi34_tables -- --all --pawns    # and those with a pawn as an officer
//! ```

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use shogi_rules::Shogi34;
use shogi_tablebase::{PieceSet, Tablebase, file_name};
use shogi_variants_examples::tablebases::{Compared, Record, Start, build, compare, publish};
use shogi_variants_examples::{exit_code, say};

/// Officers in the order of the names of sets, the pawn last.
const OFFICERS: [char; 7] = ['R', 'B', 'G', 'S', 'N', 'L', 'P'];

/// Solves 3x4 shogi with some sets of pieces.
#[derive(Parser)]
struct Arguments {
    /// Sets, each two officers in the order R B G S N L P [default: GG].
    sets: Vec<String>,
    /// All 21 sets without a pawn as an officer.
    #[arg(long)]
    all: bool,
    /// The 7 sets with one.
    #[arg(long)]
    pawns: bool,
    /// Where the tablebases go; those that are there are not built again.
    #[arg(long, default_value = "target/shogi34_tables")]
    out: PathBuf,
    /// Leave out what is not there instead of building it.
    #[arg(long)]
    only_built: bool,
    /// Draw a proof of each start and check it by the rules alone.
    #[arg(long)]
    proofs: bool,
    /// Leave out proofs of more positions: ten million take about 2 GB of memory, beside the tablebase.
    #[arg(long, default_value_t = 50_000_000)]
    most: usize,
    /// Compare with proof search on so many random positions of each set.
    #[arg(long, default_value_t = 0)]
    compare: usize,
    /// Nodes of proof search for each of them.
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Take the results into tablebases.json and tablebases.md of this folder.
    #[arg(long)]
    page: Option<PathBuf>,
}

fn main() -> ExitCode {
    exit_code("shogi34_tables", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    let cannot_make = || format!("cannot make {}", arguments.out.display());
    fs::create_dir_all(&arguments.out).with_context(cannot_make)?;
    for name in sets(&arguments) {
        let set = PieceSet::officers(&name).with_context(|| format!("there is no set {name}"))?;
        let path = arguments.out.join(file_name(&set));
        if arguments.only_built && !path.exists() {
            continue;
        }
        let seconds = if path.exists() { None } else { build(set, &path, &arguments.out)? };
        let table = Tablebase::<Shogi34>::open(&path)?;
        let mut record = Record::of(&table, seconds)?;
        if arguments.proofs {
            record.prove(&table, arguments.most)?;
        }
        if arguments.compare > 0 {
            record.compared = Some(compare(&table, arguments.compare, arguments.nodes)?);
        }
        print(&name, &record);
        if let Some(folder) = &arguments.page {
            publish(folder, &name, record)?;
        }
    }
    Ok(())
}

/// The names of the sets that are wanted.
fn sets(arguments: &Arguments) -> Vec<String> {
    let of = |first: usize| OFFICERS[first..].iter().map(move |&b| [OFFICERS[first], b]);
    let pairs = (0..OFFICERS.len()).flat_map(of);
    let wanted = pairs.filter(|pair| match pair {
        [_, 'P'] => arguments.pawns,
        _ => arguments.all,
    });
    let sets: Vec<_> = wanted.map(String::from_iter).chain(arguments.sets.clone()).collect();
    if sets.is_empty() { vec!["GG".to_owned()] } else { sets }
}

fn print(name: &str, record: &Record) {
    let Record { positions, win, loss, draw, longest, bytes, .. } = record;
    say!(
        "{name}: {positions} positions, {win} won, {loss} lost, {draw} drawn, at most {longest} \
         plies, {bytes} bytes"
    );
    for (name, Start { value, plies, proof }) in &record.starts {
        let plies = plies.map_or(String::new(), |plies| format!(" in {plies} plies"));
        let proof =
            proof.map_or(String::new(), |entries| format!(", a proof of {entries} entries holds"));
        say!("  {name}: {value}{plies}{proof}");
    }
    if let Some(Compared { positions, solved, drawn, .. }) = record.compared {
        say!("  proof search proves {solved} of {positions} positions, {drawn} of them drawn");
    }
}
