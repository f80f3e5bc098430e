//! The page of results in Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Compared, ReachableCounts, Record, Records};
use crate::reachable::tables::grouped;

/// Bounds of the rows of tables by plies.
const ROWS: [(usize, usize); 7] = [(0, 0), (1, 1), (2, 2), (3, 9), (10, 19), (20, 39), (40, 59)];
/// The rows from here on span so many plies.
const SPAN: usize = 20;
/// The longest line of the page.
const WIDTH: usize = 110;

/// What proof search says of each start: the value and the fewest plies of a proof.
pub fn searched(json: &str) -> BTreeMap<String, (String, Option<u64>)> {
    let results: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    let mut starts = BTreeMap::new();
    for run in results["runs"].as_array().into_iter().flatten() {
        let (Some(start), Some(value)) = (run["start"].as_str(), run["value"].as_str()) else {
            continue;
        };
        let plies = run["plies_at_most"].as_u64();
        let known = starts.entry(start.to_owned()).or_insert((value.to_owned(), plies));
        known.1 = known.1.into_iter().chain(plies).min();
    }
    starts
}

/// The page.
pub fn page(records: &Records, searched: &BTreeMap<String, (String, Option<u64>)>) -> String {
    let mut page = "# Tablebases\n\nWritten by `cargo run --release --example dobutsu_solved -- --whole --reachable \
         --page docs/results` and\n`cargo run --release --example shogi34_tables -- --all --pawns --proofs \
         --page docs/results`; all numbers are in\n[tablebases.json](tablebases.json). How tablebases are made is told in \
         [tablebases.md](../how/tablebases.md).\n\nPositions have Sente to move, players exchanged and mirror \
         images count as one, and nobody can capture a king; plies\ncount up to the end, the capture of a lion \
         or the try included. Seconds are processor time, all threads \
         together;\nthey are missing where a build went on from a checkpoint.\n\n"
        .to_owned();
    // Writing to a string cannot fail.
    page += "| pieces | positions | won | lost | drawn | longest | bytes | s |\n|---|---:|---:|---:|---:|---:|---:|---:|\n";
    for (name, record) in records {
        let [positions, win, loss, draw, bytes] =
            [record.positions, record.win, record.loss, record.draw, record.bytes].map(grouped);
        let seconds = record.seconds.map_or(String::new(), |seconds| format!("{seconds:.0}"));
        let longest = record.longest;
        let _ = writeln!(
            page,
            "| {name} | {positions} | {win} | {loss} | {draw} | {longest} | {bytes} | {seconds} |"
        );
    }
    starts(&mut page, records, searched);
    compared(&mut page, records);
    for (name, record) in records {
        let _ = write!(page, "\n## {name}\n\n");
        if let Some(reachable) = &record.reachable {
            compare(&mut page, reachable);
        }
        by_plies(&mut page, record);
        let _ = write!(page, "\nThe longest, `{}`:\n\n```text\n", record.longest_position);
        wrapped(&mut page, &record.longest_line);
        page += "```\n";
    }
    page
}

/// The starts of 3x4 shogi beside what proof search says.
fn starts(
    page: &mut String,
    records: &Records,
    searched: &BTreeMap<String, (String, Option<u64>)>,
) {
    let plies = |plies: Option<u64>| plies.map_or(String::new(), |plies| format!(" in {plies}"));
    let mut agree = 0;
    *page += "\n## Starts of 3x4 shogi\n\nA proof is drawn from the tablebase and checked by the rules alone. \
         Proof search ([shogi34.md](shogi34.md)) gives plies\nof a proof, which may be more than the \
         fewest.\n\n| start | value | by proof search | entries of a proof |\n|---|---|---|---:|\n";
    for record in records.values().filter(|record| record.variant == "shogi34") {
        for (name, start) in &record.starts {
            let found = searched.get(name);
            let is_same = found.is_some_and(|(value, _)| *value == start.value);
            agree += u32::from(is_same);
            let found = match found {
                Some((value, most)) => format!("{value}{}", plies(*most)),
                None => "open".to_owned(),
            };
            let proof = start.proof.map_or(String::new(), grouped);
            let value = format!("{}{}", start.value, plies(start.plies.map(u64::from)));
            let _ = writeln!(page, "| {name} | {value} | {found} | {proof} |");
        }
    }
    let _ = writeln!(page, "\n{agree} starts have the value that proof search gives.");
}

/// What proof search proved of random positions.
fn compared(page: &mut String, records: &Records) {
    let all = records.iter().filter_map(|(name, record)| Some((name, record.compared?)));
    let mut rows = String::new();
    for (name, Compared { positions, solved, drawn, nodes }) in all {
        let counts = [positions, solved, drawn, positions - solved, nodes].map(grouped);
        let _ = writeln!(rows, "| {name} | {} |", counts.join(" | "));
    }
    if !rows.is_empty() {
        *page += "\n## Random positions beside proof search\n\nEach value that proof search proves, with a \
             proof that the rules alone confirm, is that of the tablebase, and\nno proof has fewer plies than \
             the tablebase says.\n\n| pieces | positions | proved | of these drawn | left open | nodes for each \
             |\n|---|---:|---:|---:|---:|---:|\n";
        *page += &rows;
    }
}

/// Reachable positions beside the published counts.
fn compare(page: &mut String, reachable: &ReachableCounts) {
    let ReachableCounts { capture, tried, win, loss, draw, .. } = *reachable;
    let others = win + loss + draw;
    *page += "What can come about from the start, players exchanged and mirror images counted as one, if play ends \
         with a try\n*and wherever a lion can be captured*; positions after the capture are left out:\n\n\
         | reachable | here | Tanaka (2009) |\n|---|---:|---:|\n";
    for (name, here, published) in [
        ("a lion can be captured", capture, 140_298_614),
        ("decided by a try", tried, 7_018_985),
        ("others", others, 99_485_568),
        ("won", win, 56_474_473),
        ("lost", loss, 40_328_395),
        ("drawn", draw, 2_682_700),
        ("all", capture + tried + others, 246_803_167_u64),
    ] {
        let [here, published] = [here, published].map(grouped);
        let _ = writeln!(page, "| {name} | {here} | {published} |");
    }
    *page += "\n";
}

fn by_plies(page: &mut String, record: &Record) {
    let reachable = record.reachable.as_ref().map(|reachable| &reachable.plies[..]);
    let more = if reachable.is_some() { " of these reachable: won | lost |" } else { "" };
    let _ = writeln!(page, "| plies | won | lost |{more}");
    let _ = writeln!(page, "|---|---:|---:|{}", if more.is_empty() { "" } else { "---:|---:|" });
    let later = (60..=record.plies.len()).step_by(SPAN).map(|from| (from, from + SPAN - 1));
    for (from, to) in ROWS.into_iter().chain(later) {
        let sum = |plies: &[u64], parity| {
            let row = plies.iter().enumerate().take(to + 1).skip(from);
            let count: u64 = row.filter(|(n, _)| n % 2 == parity).map(|(_, count)| count).sum();
            grouped(count)
        };
        if record.plies.iter().take(to + 1).skip(from).all(|&count| count == 0) {
            continue;
        }
        let name = if from == to { from.to_string() } else { format!("{from} to {to}") };
        let _ = write!(page, "| {name} |");
        for plies in [Some(&record.plies[..]), reachable].into_iter().flatten() {
            let _ = write!(page, " {} | {} |", sum(plies, 1), sum(plies, 0));
        }
        *page += "\n";
    }
}

/// Words in lines.
fn wrapped(page: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > WIDTH {
            *page += "\n";
            width = 0;
        }
        if width > 0 {
            *page += " ";
            width += 1;
        }
        *page += word;
        width += word.len();
    }
    *page += "\n";
}
