//! The tables beside the paper's, as a page in Markdown.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use shogi_solve::{Algorithm, StartLeaf};

use crate::readings::{LIMIT, READINGS};
use crate::runs::{Run, Runs};
use crate::{grouped, paper, starts};

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
         `cargo run --release --example shogi34_solved`; the same numbers and the lines are in \
         [shogi34.json](shogi34.json).\n\n\
         Each value has a proof, one strategy for a win or a loss and two for a draw, which was checked \
         by the rules alone. Plies are those of the proof: the win may be shorter. Nodes are moves \
         played in all searches for the start together. Where a value is unknown, two numbers are the proof and \
         disproof number at the root for a question that is left; *without proof*, the search believes an answer \
         of which it has no proof yet. Seconds are of one thread: {}.\n\n",
        summary(runs),
        machines(runs)
    );
    starts_table(&mut page, runs, StartLeaf::Unit);
    let mobility = StartLeaf::Mobility;
    if runs.runs.iter().any(|run| run.leaf == mobility.name()) {
        line(
            &mut page,
            format_args!(
                "\n## Leaves by mobility\n\nA position that was not searched yet starts with its number of moves \
                 (`shogi solve --leaf mobility`):\n"
            ),
        );
        starts_table(&mut page, runs, mobility);
    }
    paper_table(&mut page, runs);
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

fn starts_table(page: &mut String, runs: &Runs, leaf: StartLeaf) {
    page.push_str(
        "| start | value | shortest known | df-pn | nodes | s | PDS | nodes | s |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for start in starts::all() {
        let both = ALGORITHMS.map(|algorithm| runs.get(&start, (algorithm, leaf)));
        if both.iter().all(Option::is_none) {
            continue;
        }
        let value = both.iter().flatten().find_map(|run| run.value.clone());
        let known = starts::SHORTEST.iter().find(|(name, _)| *name == start);
        let known = known.map_or(String::new(), |(_, plies)| plies.to_string());
        let value = value.as_deref().unwrap_or("open");
        line(
            page,
            format_args!(
                "| {start} | {value} | {known} | {} | {} |",
                cells(both[0]),
                cells(both[1])
            ),
        );
    }
    for algorithm in ALGORITHMS {
        let solved = runs.runs.iter().filter(|run| run.is_by((algorithm, leaf)));
        let solved: Vec<_> = solved.filter(|run| run.value.is_some()).collect();
        let nodes: u64 = solved.iter().map(|run| run.nodes).sum();
        let seconds: f64 = solved.iter().map(|run| run.seconds).sum();
        line(
            page,
            format_args!(
                "\n{} solves {} starts in {} nodes and {seconds:.1} s.",
                title(algorithm),
                solved.len(),
                grouped(nodes)
            ),
        );
    }
}

/// The name of a search in a sentence.
const fn title(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::DfPn => "Df-pn",
        Algorithm::Pds => "PDS",
    }
}

fn cells(run: Option<&Run>) -> String {
    match run {
        None => "not run | | ".to_owned(),
        Some(run) => format!("{} | {} | {:.2}", run.outcome(), grouped(run.nodes), run.seconds),
    }
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
    let pds = (Algorithm::Pds, StartLeaf::Unit);
    let solved = runs.runs.iter().filter(|run| run.is_by(pds) && run.value.is_some());
    let mut ours: Vec<_> = solved.map(|run| (run.nodes, run.seconds)).collect();
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
