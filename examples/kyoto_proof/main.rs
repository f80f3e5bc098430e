//! Shioda & Ito, "Kyoto Shogi Is Weakly Solved" (2021): proofs from nothing that Sente wins with 1e1d+ against
//! all twelve replies, and that six other first moves lose.
//!
//! ```text
//! cargo run --release --example kyoto_proof
//! ```
//!
//! Expands the skeleton of the proof after 3a3b that is kept in docs/results/kyoto, with `--all` all that are
//! kept there, and checks the whole proofs by the rules. With `--from-nothing` it trains an evaluation by self-play, then proves Gote's replies to the
//! first move one by one with df-pn that starts its leaves from it, writes a proof file for each and
//! checks it by the rules. A reply that resists is followed move by move until its nodes are spent, and
//! the table shows how far that came. What is done is not done again: run it once more with more
//! `--nodes`. With `--published` the paper's Algorithm 1 is run as it is published. With `--courses` it writes the courses of builds from their logs.

mod courses;
mod expand;
mod published;
mod tables;

use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use shogi_eval::{Evaluation, TrainingSettings};
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Dialect, KyotoShogi, Rules, parse_usi, to_usi_in};
use shogi_solve::builder::{AsRanked, Builder, ProofState, Settings, open};
use shogi_solve::df_pn::Tuning;
use shogi_solve::proof::{Claim, Proof, Strategy};
use shogi_solve::{Budget, Goal, Learnt, RulesGame, strategy_from_builder};
use shogi_variants_examples::provenance::Provenance;
use shogi_variants_examples::{exit_code, parse_count, say, say_what_draws, write_whole};

use tables::{Row, SubReply};

/// Proves Gote's replies to 1e1d+ in Kyoto shogi.
#[derive(Parser)]
struct Arguments {
    /// Train an evaluation and prove the replies anew, instead of expanding skeletons.
    #[arg(long)]
    from_nothing: bool,
    /// Replies to prove, in the Fairy dialect, separated by commas [default: 3a3b, and all with
    /// --from-nothing]; 3e4d, 2e1d-, 3e2d, 3e3d, 4e5d+ and 2e3d-, which are first moves that lose, can be
    /// expanded, too.
    #[arg(long, value_delimiter = ',')]
    replies: Vec<String>,
    /// Expand all skeletons; those of 1a1b-, 2a2b+, 5a5b+ and the first moves take minutes, that of
    /// 1a2b- an hour.
    #[arg(long, conflicts_with_all = ["replies", "from_nothing"])]
    all: bool,
    /// Write the courses of builds instead: the logs of --from-nothing, or directories of `shogi proof build --checkpoint` that are
    /// named like the replies.
    #[arg(long, value_name = "BUILD", num_args = 1.., conflicts_with_all = ["replies", "from_nothing", "all"])]
    courses: Vec<PathBuf>,
    /// Run Algorithm 1 as published instead, with at most so many moves named after each reply, such as 2e4.
    #[arg(long, value_name = "POSITIONS", value_parser = parse_count, conflicts_with_all = ["from_nothing", "all", "courses"])]
    published: Option<u64>,
    /// Nodes for each move that the player names for --published.
    #[arg(long, value_name = "NODES", default_value = "1e3", value_parser = parse_count)]
    player_nodes: u64,
    /// Games of each of the four generations that the evaluation learns from.
    #[arg(long, default_value_t = 40_000)]
    games: u32,
    /// Seed of these games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Most expansions of a search of one position: one that resists is followed move by move then.
    #[arg(long, default_value = "4e4", value_parser = parse_count)]
    limit: u64,
    /// Most nodes for a reply, those of earlier runs included.
    #[arg(long, default_value = "4e8", value_parser = parse_count)]
    nodes: u64,
    /// Megabytes for the table.
    #[arg(long, default_value_t = 2048)]
    hash: usize,
    /// Where evaluation, proofs, checkpoints and tables go.
    #[arg(long, default_value = "target/kyoto_proof")]
    out: PathBuf,
}

/// The notation that the papers and their replies are known in.
const DIALECT: Dialect = Dialect::Fairy;

fn main() -> ExitCode {
    exit_code("kyoto_proof", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make {}", arguments.out.display()))?;
    if !arguments.courses.is_empty() {
        let out = &arguments.out;
        courses::write(&arguments.courses, out)?;
        say_what_draws(out, "progress effort");
        return Ok(());
    }
    if let Some(most) = arguments.published {
        return run_published(&arguments, most);
    }
    if !arguments.from_nothing {
        let replies = match &arguments.replies[..] {
            [] if !arguments.all => &["3a3b".to_owned()],
            replies => replies,
        };
        return expand::expand(replies, &arguments.out, arguments.hash << 20);
    }
    let started = Instant::now();
    let evaluation = evaluation(&arguments)?;
    say!("evaluation after {:.1} s", started.elapsed().as_secs_f64());

    let mut rows = Vec::new();
    for (reply, root) in asked_for(&arguments)? {
        let row = prove(&reply, &root, &evaluation, &arguments)?;
        say!("{}", row.line());
        std::io::stdout().flush()?;
        rows.push(row);
    }
    say!("\n{}", tables::markdown(&rows));
    write_whole(&arguments.out.join("kyoto.md"), tables::markdown(&rows))?;
    write_whole(&arguments.out.join("kyoto.json"), &(serde_json::to_string_pretty(&rows)? + "\n"))?;
    Ok(())
}

/// The replies to 1e1d+ that are to be worked on, all if none is named, with the positions after them.
fn asked_for(arguments: &Arguments) -> Result<Vec<(String, Position<KyotoShogi>)>> {
    let after = KyotoShogi::start().play(parse_usi("1e1d+")?)?;
    let mut replies = Vec::new();
    for mv in after.legal_moves() {
        let reply = to_usi_in(mv, &after, DIALECT);
        if arguments.replies.is_empty() || arguments.replies.contains(&reply) {
            replies.push((reply, after.play_unchecked(mv)));
        }
    }
    let is_found = |name: &String| replies.iter().any(|(reply, _)| reply == name);
    if let Some(unknown) = arguments.replies.iter().find(|name| !is_found(name)) {
        bail!("{unknown} is no reply to 1e1d+");
    }
    Ok(replies)
}

/// Algorithm 1 as published, after each reply.
fn run_published(arguments: &Arguments, most: u64) -> Result<()> {
    let Arguments { player_nodes: nodes, out, .. } = arguments;
    let bounds = (usize::try_from(most)?, *nodes);
    let mut courses = Vec::new();
    for (reply, root) in asked_for(arguments)? {
        courses.push(published::course(&reply, &root, bounds, out)?);
    }
    let mut command = format!(
        "cargo run --release --example kyoto_proof -- --published {most} --player-nodes {nodes}"
    );
    if !arguments.replies.is_empty() {
        command += &format!(" --replies {}", arguments.replies.join(","));
    }
    let run = Provenance::of(command);
    let page = published::page(&courses, bounds, &run);
    say!("{}", page.trim_end());
    write_whole(&out.join("kyoto_published.md"), &page)?;
    let json = serde_json::json!({ "run": run, "most": most, "nodes": nodes, "replies": courses });
    let json = serde_json::to_string_pretty(&json)? + "\n";
    Ok(write_whole(&out.join("kyoto_published.json"), json)?)
}

/// The evaluation of an earlier run with the same settings, or a new one.
fn evaluation(arguments: &Arguments) -> Result<Evaluation<KyotoShogi>> {
    let settings = TrainingSettings {
        seed: arguments.seed,
        games: arguments.games,
        ..TrainingSettings::default()
    };
    let path =
        arguments.out.join(format!("evaluation-{}-{}.json", arguments.games, arguments.seed));
    if path.exists() {
        return Ok(Evaluation::load(&path)?);
    }
    let start = KyotoShogi::start();
    let bar = ProgressBar::new(u64::from(settings.games) * u64::from(settings.generations));
    bar.set_style(ProgressStyle::with_template(
        "{bar:30} {human_pos} of {human_len} games, {eta} left",
    )?);
    let trained = shogi_learn::linear::train(&start, settings, |progress| {
        bar.set_position(progress.games);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let trained = trained.context("the training was broken off")?;
    write_whole(&path, &(trained.evaluation.to_json() + "\n"))?;
    Ok(trained.evaluation)
}

/// Works on the position after a reply, and returns the result.
fn prove(
    reply: &str,
    root: &Position<KyotoShogi>,
    evaluation: &Evaluation<KyotoShogi>,
    arguments: &Arguments,
) -> Result<Row> {
    let (game, goal) = (RulesGame::<KyotoShogi>::new(), Goal::win(Colour::Sente));
    let settings = Settings {
        max_expansions: arguments.limit,
        hash_bytes: arguments.hash << 20,
        tuning: Tuning::LEARNT,
        ..Settings::default()
    };
    let leaf = Learnt::new(evaluation.linear());
    let [log, proof] = ["log", "proof"].map(|end| arguments.out.join(format!("{reply}.{end}")));
    let mut builder = Builder::new(&game, goal, *root, leaf, settings);
    let opened = open(&log, &mut builder).with_context(|| log.display().to_string())?;
    let (mut log_file, damaged) = opened;
    if let Some(damaged) = damaged {
        eprintln!("{damaged}");
    }
    let started = Instant::now();
    let mut budget = Budget::nodes(arguments.nodes.saturating_sub(builder.spent()));
    let bar = ProgressBar::new_spinner();
    let mut written = Ok(());
    builder.run(&mut AsRanked, &mut budget, &mut |builder, position, event| {
        let open = builder.open().filter(|open| !open.expanded).count();
        bar.set_message(format!("{reply}: {} nodes, {open} positions open", builder.spent()));
        bar.tick();
        written = log_file.append(position, event);
        if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    written.with_context(|| log.display().to_string())?;

    let name = |position: &Position<KyotoShogi>, mv| to_usi_in(mv, position, DIALECT);
    let mut row = Row {
        reply: reply.to_owned(),
        plies: None,
        entries: None,
        bytes: None,
        answer: None,
        nodes: builder.spent(),
        seconds: started.elapsed().as_secs_f64(),
        numbers: None,
        replies: Vec::new(),
    };
    if let Some(strategy) = strategy_from_builder(&builder)? {
        row.answer = strategy.get(root).map(|step| name(root, step.mv));
        let claim = Claim::Win { prover: goal.prover };
        let (entries, plies, bytes) =
            write_proof(&Proof::new(*root, claim, vec![strategy])?, &proof)?;
        (row.entries, row.plies, row.bytes) = (Some(entries), plies, Some(bytes));
    } else if let Some((mv, replies)) = builder.followed(root) {
        row.answer = Some(name(root, mv));
        let after = root.play_unchecked(mv);
        for mv in after.legal_moves() {
            let below = after.play_unchecked(mv);
            let state = replies.iter().find(|(position, _)| **position == below);
            row.replies.push(SubReply {
                reply: name(&after, mv),
                proved: state.is_none_or(|(_, state)| *state == ProofState::Proved),
            });
        }
    }
    if builder.state() != ProofState::Proved {
        let last = builder.open().find(|open| open.position == root);
        row.numbers = last.map(|open| (open.proof, open.disproof));
    }
    Ok(row)
}

/// Writes a proof, reads it back and checks it: its entries, plies and bytes.
fn write_proof(proof: &Proof<KyotoShogi>, path: &Path) -> Result<(usize, Option<u32>, usize)> {
    let mut bytes = Vec::new();
    proof.write(&mut bytes)?;
    write_whole(path, &bytes)?;
    let read = Proof::<KyotoShogi>::read(&fs::read(path)?[..])?;
    let checked = read.check()?;
    Ok((read.strategies().iter().map(Strategy::len).sum(), checked.plies, bytes.len()))
}
