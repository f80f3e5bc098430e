//! The tables beside the paper's, as a page in Markdown.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use shogi_solve::{Algorithm, StartLeaf};

use crate::readings::{LIMIT, READINGS};
use crate::runs::{Run, Runs, Way};
use crate::{drawn_sets, grouped, paper, starts};

const ALGORITHMS: [Algorithm; 2] = [Algorithm::DfPn, Algorithm::Pds];

/// How many starts have each value.
pub fn summary(runs: &Runs) -> String {
    let runs_of = |start: &String| {
        let ways =
            StartLeaf::ALL.iter().flat_map(|&leaf| ALGORITHMS.map(|algorithm| (algorithm, leaf)));
        ways.filter_map(|way| runs.get(start, way)).collect::<Vec<_>>()
    };
    let tried =
        starts::all().iter().map(runs_of).filter(|runs| !runs.is_empty()).collect::<Vec<_>>();
    let value = |runs: &Vec<&Run>| runs.iter().find_map(|run| run.value.clone());
    let values: Vec<_> = tried.iter().map(value).collect();
    let count = |wanted: Option<&str>| values.iter().filter(|v| v.as_deref() == wanted).count();
    format!(
        "Proof search finds {1} wins for Sente, {2} losses and {3} draws among {0} starts, and leaves {4} open.",
        tried.len(),
        count(Some("win")),
        count(Some("loss")),
        count(Some("draw")),
        count(None)
    )
}

/// The whole page.
pub fn page(runs: &Runs, readings: &str) -> String {
    let mut page = format!(
        "# The starts of 3x4 shogi\n\n\
         Who wins 3x4 shogi from each of its starts? {} [Tablebases](tablebases.md#starts-of-3x4-shogi) have the \
         values of all.\n\n\
         A start is a king and two officers of R B G S N L on the back rank in any order, a pawn \
         before the king; of mirror images only one is listed. Repetition is a draw. This page is written by \
         `cargo run --release --example shogi34_solved -- --leaves unit,mobility`; the same numbers, seconds, lines \
         and the machine and day of each run are in [shogi34.json](shogi34.json).\n\n\
         Each value has a proof, one strategy for a win or a loss and two for a draw, which was checked \
         by the rules alone. Plies are those of the proof: the win may be shorter. Nodes are moves \
         played in all searches for the start together. A position that was not searched yet starts with 1 and 1, or \
         with its number of moves (*mobility*, `shogi solve --leaf mobility`).\n\n",
        summary(runs),
    );
    starts_table(&mut page, runs);
    totals(&mut page, runs);
    paper_table(&mut page, runs);
    drawn_sets::section(&mut page, runs);
    page + readings
        + "\n## What remains open\n\nWhich arrays the paper's rows stand for, and proofs by search of the open \
           starts.\n"
}

/// The machines and days of the runs, as they recorded themselves.
fn machines(runs: &Runs) -> String {
    let all: BTreeSet<_> =
        runs.runs.iter().map(|run| format!("{}, {}", run.machine, run.date)).collect();
    all.into_iter().collect::<Vec<_>>().join("; ")
}

/// The ways in the order of their columns.
fn ways() -> impl Iterator<Item = Way> {
    ALGORITHMS.into_iter().flat_map(|algorithm| StartLeaf::ALL.map(|leaf| (algorithm, leaf)))
}

/// The name of a way in a sentence or a head.
fn title((algorithm, leaf): Way) -> String {
    let algorithm = match algorithm {
        Algorithm::DfPn => "df-pn",
        Algorithm::Pds => "PDS",
    };
    match leaf {
        StartLeaf::Unit => algorithm.to_owned(),
        leaf => format!("{algorithm}, {}", leaf.name()),
    }
}

fn starts_table(page: &mut String, runs: &Runs) {
    page.push_str("| start | value | shortest known |");
    for way in ways() {
        let _ = write!(page, " {} | nodes |", title(way));
    }
    page.push_str("\n|---|---|---|");
    page.push_str(&"---|---|".repeat(ways().count()));
    page.push('\n');
    for start in starts::all() {
        let all: Vec<_> = ways().map(|way| runs.get(&start, way)).collect();
        if all.iter().all(Option::is_none) {
            continue;
        }
        let value = all.iter().flatten().find_map(|run| run.value.clone());
        let known = starts::SHORTEST.iter().find(|(name, _)| *name == start);
        let known = known.map_or(String::new(), |(_, plies)| plies.to_string());
        let value = value.as_deref().unwrap_or("open");
        let cells: Vec<_> = all.into_iter().map(cells).collect();
        line(page, format_args!("| {start} | {value} | {known} | {} |", cells.join(" | ")));
    }
}

fn cells(run: Option<&Run>) -> String {
    match run {
        None => "not run |".to_owned(),
        Some(run) if run.value.is_none() => format!("open | {}", grouped(run.nodes)),
        Some(run) => format!("{} | {}", run.outcome(), grouped(run.nodes)),
    }
}

/// What each way has solved, and what is to be said of PDS.
fn totals(page: &mut String, runs: &Runs) {
    page.push_str(
        "\n| | starts tried | solved | within 10,000,000 nodes | nodes of all solved | seconds | nodes allowed for the others \
         |\n|---|---|---|---|---|---|---|\n",
    );
    for way in ways() {
        let tried: Vec<_> = runs.runs.iter().filter(|run| run.is_by(way)).collect();
        let (solved, open): (Vec<&Run>, Vec<&Run>) =
            tried.iter().partition(|run| run.value.is_some());
        let nodes: u64 = solved.iter().map(|run| run.nodes).sum();
        let seconds: f64 = solved.iter().map(|run| run.seconds).sum();
        let allowed = open.iter().map(|run| run.nodes_allowed);
        let allowed = match (allowed.clone().min(), allowed.max()) {
            (Some(least), Some(most)) if least < most => {
                format!("{} to {}", grouped(least), grouped(most))
            }
            (Some(least), _) => grouped(least),
            _ => String::new(),
        };
        let soon = solved.iter().filter(|run| run.nodes <= 10_000_000).count();
        let [tried, solved] = [tried.len(), solved.len()];
        let (title, nodes) = (title(way), grouped(nodes));
        line(
            page,
            format_args!(
                "| {title} | {tried} | {solved} | {soon} | {nodes} | {seconds:.0} | {allowed} |"
            ),
        );
    }
    line(page, format_args!("\nSeconds are of one thread: {}.", machines(runs)));
}

fn paper_table(page: &mut String, runs: &Runs) {
    let total: u64 = paper::ROWS.iter().map(|row| row.0).sum();
    let seconds: f64 = paper::ROWS.iter().map(|row| row.1).sum();
    let checks: f64 = paper::ROWS.iter().filter_map(|row| row.3).sum();
    line(
        page,
        format_args!(
            "\n## The paper's rows\n\n\
         Shibahara, Tajima & Kotani (2006) solve their starts by PDS with proofs of draws on a machine \
         of that time. Of their table 30 rows can be read, {} nodes and {seconds:.0} s in all, but not \
         which array a row stands for, nor their pieces and promotion zone. **So the rows cannot be \
         compared with ours start by start**; both are sorted by nodes here, to show the range. The head of the \
         paper's last two columns cannot be read. They are a count and seconds, {checks:.0} in all; most likely how \
         often the draw was checked, and what that took.\n\n\
         | | paper, nodes | s | nodes/s | count | s | PDS, nodes | s | nodes/s |\n|---|---|---|---|---|---|---|---|---|",
            grouped(total)
        ),
    );
    let mut theirs: Vec<_> = paper::ROWS.into();
    theirs.sort_unstable_by_key(|row| row.0);
    let mut ours: Vec<_> = pds_solved(runs).iter().map(|run| (run.nodes, run.seconds)).collect();
    ours.sort_unstable_by_key(|row| row.0);
    // Short wins are no match for anything that they list.
    ours.retain(|row| row.0 >= theirs[0].0 / 10);
    let cells = |nodes: u64, seconds: f64| {
        let rate = grouped((nodes as f64 / seconds.max(1e-3)) as u64);
        format!("{} | {seconds:.2} | {rate}", grouped(nodes))
    };
    for index in 0..theirs.len().max(ours.len()) {
        line(
            page,
            format_args!(
                "| {} | {} | {} |",
                index + 1,
                theirs.get(index).map_or(
                    " | | | | ".to_owned(),
                    |&(nodes, seconds, count, checks)| {
                        let checks = checks.map_or(String::new(), |checks| format!("{checks:.1}"));
                        format!("{} | {count} | {checks}", cells(nodes, seconds))
                    }
                ),
                ours.get(index).map_or(" | | ".to_owned(), |row| cells(row.0, row.1))
            ),
        );
    }
    line(
        page,
        format_args!(
            "\nThe paper says that PDS solved all its starts; ours solves {} of {} within the nodes above, and df-pn \
             more at every one of these budgets. PDS leaves a position only when both of its numbers have reached their \
             thresholds, df-pn when one has ([why](../how/pds.md#3-depth-first)); whether the paper's starts are easier \
             for it, or its program had more than its text says, cannot be read.",
            pds_solved(runs).len(),
            starts::all().len()
        ),
    );
}

/// The starts that PDS has solved, each by the leaf with fewer nodes.
fn pds_solved(runs: &Runs) -> Vec<&Run> {
    let best = |start: String| {
        let by = StartLeaf::ALL.map(|leaf| runs.get(&start, (Algorithm::Pds, leaf)));
        let solved = by.into_iter().flatten().filter(|run| run.value.is_some());
        solved.min_by_key(|run| run.nodes)
    };
    starts::all().into_iter().filter_map(best).collect()
}

/// The shortest wins under each reading of the rules, worked out anew.
pub fn readings() -> String {
    let mut page = format!(
        "\n## Readings of the rules\n\n\
         The shortest wins listed as known come from an exhaustive search by another program. Do its rules read as \
         ours? The table has the shortest wins found by looking at all moves under several readings of the \
         rules, with a dash where there is none within {LIMIT} plies.\n\n| start | known |"
    );
    for reading in &READINGS {
        let _ = write!(page, " {} |", reading.name);
    }
    page.push_str("\n|---|---|");
    page.push_str(&"---|".repeat(READINGS.len()));
    page.push('\n');
    let mut agrees = READINGS.map(|_| true);
    for (start, known) in starts::SHORTEST.into_iter().filter(|(_, plies)| *plies <= LIMIT) {
        let Ok(position) = starts::position(start) else { continue };
        let _ = write!(page, "| {start} | {known} |");
        for (reading, agrees) in READINGS.iter().zip(&mut agrees) {
            let plies = (reading.shortest)(&position);
            *agrees &= plies == Some(known);
            let plies = plies.map_or("-".to_owned(), |plies| plies.to_string());
            let _ = write!(page, " {plies} |");
        }
        page.push('\n');
    }
    let agreeing = READINGS.iter().zip(agrees).filter(|(_, agrees)| *agrees);
    let agreeing: Vec<_> = agreeing.map(|(reading, _)| reading.name).collect();
    line(
        &mut page,
        format_args!(
            "\nAll known numbers come out under: {}.\n\n{}",
            if agreeing.is_empty() { "none".to_owned() } else { agreeing.join("; ") },
            WHY_OURS
        ),
    );
    page
}

/// Why the rule table reads as it does.
const WHY_OURS: &str = "\
In NKN and NKL the pawn takes with check, 2c2b; a knight guards it, so the king steps aside, to 3b say; \
and with a piece on 1b Gote, who is not in check, has no legal move left, because the knights would \
come to where they could never move again. By the rule table a player without a legal move has lost \
there and then, as on lishogi and in Fairy-Stockfish: three plies. A program for which a game ends \
only by checkmate or when a king is taken lets the king step into attack and takes it: five. The winner is \
the same, and the plies here are those of the rule table.";

fn line(page: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(page, "{line}");
}
