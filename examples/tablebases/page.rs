//! The page of results in Markdown.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Compared, ReachableCounts, Records};
use crate::reachable::tables::grouped;

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

/// Where and when tables were built, each with their sets, or without where it is the largest group.
fn builds(records: &Records) -> String {
    let mut builds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, record) in records {
        builds.entry(&record.built).or_default().push(name);
    }
    let mut builds: Vec<_> = builds.into_iter().collect();
    builds.sort_by_key(|(_, names)| Reverse(names.len()));
    let texts = builds.iter().enumerate().map(|(number, (built, names))| match number {
        0 => (*built).to_owned(),
        _ => format!("for {}: {built}", names.join(", ")),
    });
    texts.collect::<Vec<_>>().join("; ")
}

/// The page.
pub fn page(records: &Records, searched: &BTreeMap<String, (String, Option<u64>)>) -> String {
    let all: u64 = records
        .values()
        .filter(|record| record.variant == "shogi34")
        .map(|record| record.positions)
        .sum();
    let mut page = format!(
        "# Tablebases\n\nWhat is the value of every position of Dobutsu shogi, and of 3x4 shogi with any two officers? The start of \
         Dobutsu shogi\nis **lost in 78 plies**, as Tanaka found in 2009; of 3x4 shogi all **{} positions** have their value. \
         [How tablebases are\nmade](../how/tablebases.md).\n\n```sh\ncargo run --release --example dobutsu_solved -- \
         --whole --reachable --page docs/results\ncargo run --release --example shogi34_tables -- --all --pawns \
         --proofs --page docs/results\n```\n\nThese commands write this page. Positions have Sente to move, players \
         exchanged and mirror images count as one, and nobody\ncan capture a king; plies count up to the end, the capture \
         of a lion or the try included. Seconds are processor time of all\nthreads together: {}. The [speed](speed.md#tablebases) stands beside another program's. Values by plies,\nand a \
         longest line of each table, are in [tablebases.json](tablebases.json): `plies` holds the number of positions \
         decided in 0, 1, 2 ...\nplies, odd ones won and even ones lost.\n\n![Positions of Dobutsu shogi \
         by plies to the end](dobutsu_plies.svg)\n\nWon and lost positions of Dobutsu shogi by plies to the end: \
         most are short, and a thin tail reaches 173. Drawn by\n`python3 tools/plots.py plies`.\n\n",
        grouped(all),
        builds(records)
    );
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
    for reachable in records.values().filter_map(|record| record.reachable.as_ref()) {
        compare(&mut page, reachable);
    }
    starts(&mut page, records, searched);
    compared(&mut page, records);
    page + "\n## What remains open\n\nProofs of the whole tables in Coq: the checker there takes proofs of single positions.\n"
}

/// The starts of 3x4 shogi beside what proof search says, in two columns.
fn starts(
    page: &mut String,
    records: &Records,
    searched: &BTreeMap<String, (String, Option<u64>)>,
) {
    let plies = |plies: Option<u64>| plies.map_or(String::new(), |plies| format!(" in {plies}"));
    let (mut agree, mut rows) = (0, Vec::new());
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
            rows.push(format!("| {name} | {value} | {found} | {proof} "));
        }
    }
    *page += "\n## Starts of 3x4 shogi\n\nA proof is drawn from the tablebase and checked by the rules alone. \
         Proof search ([shogi34.md](shogi34.md)) gives plies\nof a proof, which may be more than the \
         fewest.\n\n| start | value | by proof search | entries of a proof \
         | start | value | by proof search | entries of a proof |\n|---|---|---|---:|---|---|---|---:|\n";
    let (left, right) = rows.split_at(rows.len().div_ceil(2));
    for (row, line) in left.iter().enumerate() {
        let beside = right.get(row).map_or("| | | | ", String::as_str);
        let _ = writeln!(page, "{line}{beside}|");
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
    *page += "\n## Reachable positions of Dobutsu shogi\n\nPositions that a game from the start can reach, if play ends \
         with a try *and wherever a lion can be captured*; positions after\nthe capture are left out.\n\n\
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
}
