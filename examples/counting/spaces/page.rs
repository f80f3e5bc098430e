//! The page in Markdown.

use std::fmt::Write as _;

use shogi_variants_counting_examples::reachable::tables::grouped;

use crate::{Results, sets};

/// The whole page.
pub fn page(results: &Results) -> String {
    let mut page = format!(
        "# How many positions there are\n\n\
         How many positions do the smaller games have, and how many of Kyoto shogi can be reached? \
         Kyoto shogi has **{}** placements and Dobutsu shogi **{}**; **{:.5e}** positions of Kyoto shogi can be \
         reached.\n\n\
         ```sh\n{}\n```\n\n\
         This command writes the page; the same numbers are in [spaces.json](spaces.json). A placement is a board \
         with both hands, without the turn. Mirror images count as two unless it says otherwise.\n\n",
        grouped(&results.kyoto_total[0]),
        grouped(&results.dobutsu[0]),
        results.kyoto.estimate,
        results.command
    );
    kyoto(&mut page, results);
    dobutsu(&mut page, results);
    shogi34(&mut page, &results.shogi34);
    reachable(&mut page, results);
    page + "\n## What remains open\n\nHow many positions of 3x4 shogi can be reached: a start there has fewer \
            pieces than the set, which the backward search does not take.\n"
}

/// One line of a table of numbers beside a paper's.
fn line(page: &mut String, name: &str, [ours, paper]: &[String; 2]) {
    let verdict = if ours == paper { "the same" } else { "**differs**" };
    // Writing to a string cannot fail.
    let _ = writeln!(page, "| {name} | {} | {} | {verdict} |", grouped(ours), grouped(paper));
}

fn kyoto(page: &mut String, results: &Results) {
    page.push_str(
        "## Kyoto shogi\n\n\
         `shogi count kyotoshogi`, beside Table 1 of Shioda & Ito (2021).\n\n\
         | pieces in hand | counted | paper | |\n|---|---:|---:|---|\n",
    );
    for (in_hand, numbers) in results.kyoto_by_hand.iter().enumerate() {
        line(page, &in_hand.to_string(), numbers);
    }
    line(page, "together", &results.kyoto_total);
}

fn dobutsu(page: &mut String, results: &Results) {
    page.push_str(
        "\n## Dobutsu shogi\n\n\
         `shogi count dobutsu`, beside Tanaka's number of arrangements.\n\n\
         | | counted | Tanaka | |\n|---|---:|---:|---|\n",
    );
    line(page, "placements", &results.dobutsu);
}

fn shogi34(page: &mut String, rows: &[sets::Row]) {
    page.push_str(
        "\n## 3x4 shogi\n\n\
         A game is played with two kings, two pawns and two each of two officers, or four of one. The \
         placements are also what `shogi count shogi34 --start KRB` and so on gives, counted in another \
         way. The stages are those of reachability with Sente to move: of two mirror images one is \
         kept; no nifu and no piece that can never move; Gote's king not attacked.\n\n\
         | officers | placements | flip | pawn | king |\n|---|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let [placements, flip, pawn, king] =
            [&row.placements, &row.flip, &row.pawn, &row.king].map(grouped);
        let officers = &row.officers;
        let _ = writeln!(page, "| {officers} | {placements} | {flip} | {pawn} | {king} |");
    }
}

fn reachable(page: &mut String, results: &Results) {
    let report = &results.kyoto;
    let (funnel, proofs) = (&report.funnel, &results.proofs);
    let _ = write!(
        page,
        "\n## Reachable positions of Kyoto shogi\n\n\
         {} positions with Sente to move, mirror images counted as one, pass the stages flip, pawn and \
         king (`shogi count kyotoshogi`). Of these {} were drawn, each as likely as any other (seed \
         {}), and traced back:\n\n\
         | | samples |\n|---|---:|\n| reachable | {} |\n",
        grouped(&report.candidates),
        grouped(report.done),
        report.seed,
        grouped(funnel.ok)
    );
    for (plies, samples) in &report.unreachable_by_plies {
        let _ = writeln!(
            page,
            "| unreachable; plies until nothing new is found: {plies} | {} |",
            grouped(samples)
        );
    }
    let [p_low, p_high] = report.p_interval;
    let [low, high] = report.interval;
    let _ = write!(
        page,
        "| undecided | {} |\n\n\
         A share of {:.6} is reachable, 95 % interval [{p_low:.6}, {p_high:.6}]: **{:.5e} positions**, \
         [{low:.5e}, {high:.5e}]. No published number is known. With Gote to \
         move there are as many: a position and the one with colours exchanged lead back to \
         bare kings alike, and all positions of bare kings ({}) are reachable.\n\n\
         The labels of the first {} samples are proved: {} by games from the start, of {:.0} plies on \
         average, and {} by all positions that they can be traced back to. All these certificates \
         were verified.\n",
        grouped(funnel.unknown),
        report.p,
        report.estimate,
        grouped(results.bare_kings),
        grouped(proofs.games + proofs.closed),
        grouped(proofs.games),
        proofs.plies as f64 / proofs.games.max(1) as f64,
        grouped(proofs.closed),
    );
}
