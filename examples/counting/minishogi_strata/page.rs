//! The page in Markdown, and the tables of classes and positions beside it.

use std::fmt::Write as _;

use shogi_reach::{ClassTally, Classes, Deep};
use shogi_variants_counting_examples::reachable::tables::grouped;

use crate::{Number, Results, decimal};

/// Ishii & Tanaka's candidates, of which their Table 2 is a sample of 1e8.
const PAPER: [u64; 9] = [6_650_818, 4_175, 2_494, 114, 104, 2, 4, 1, 1];
const CANDIDATES: f64 = 16_014_219_505_238_849_250.0;

/// The page of results.
pub fn page(results: &Results, classes: &Classes) -> String {
    let report = &results.report;
    let [low, high] = report.interval;
    let mut page = format!(
        "# Reachable Minishogi positions, class by class\n\n\
         How is the [number of reachable positions](minishogi.md) known from {} million samples? By \
         drawing them class by\nclass, more where less is certain ([how](../how/ranking.md)). All numbers are in \
         [minishogi_strata.json](minishogi_strata.json),\nthe tallies as the program saved them in \
         [minishogi_strata_shard.json](minishogi_strata_shard.json).\n\n\
         ```sh\n{} --out strata.json\n\
         cargo run --release --example minishogi_strata -- strata.json\n```\n\n\
         The second command writes this page. The run is the same on every machine.\n\n\
         | Sente to move | estimate | 95 % interval |\n|---|---:|---|\n",
        report.samples / 1_000_000,
        results.command
    );
    // Writing to a string cannot fail.
    for (name, factor) in [("mirror images counted as one", 1.0), ("as two", 2.0)] {
        let [n, low, high] = [report.estimate, low, high].map(|n| n * factor);
        let _ = writeln!(page, "| {name} | **{n:.6e}** | [{low:.6e}, {high:.6e}] |");
    }
    let effective = report.uniform_samples.unwrap_or_default();
    let _ = write!(
        page,
        "\nHalf of the interval is {:.1e} of the estimate. {} samples of the last stage were \
         classified, none\nwas undecided. An interval as narrow would take {effective:.2e} samples \
         drawn uniformly from what passes the\nking stage ({} positions, counted exactly): these are \
         the *effective samples* of the run.\nA pilot of {} samples \
         of each class, with the complement of the seed, said how many each class gets.\n\nThe interval is Wilson's for each class, the squares \
         of the distances added with the exact sizes as\nweights. It does not use that the samples \
         are spread evenly over each class, which can only make\nthem better. Its coverage is \
         checked by simulation (`crates/shogi-rank/tests/it/strata.rs`), and on a board of 3x4 against the exact \
         number,\nwhich playing gives (`crates/shogi-reach/tests/it/whole.rs`).\n",
        results.relative_half_width,
        grouped(report.samples),
        grouped(&report.candidates),
        grouped((report.samples / 20 / classes.classes.len() as u64).min(100_000)),
    );
    estimators(&mut page, results);
    unreachable(&mut page, results);
    classes_in_short(&mut page, classes);
    page
}

fn estimators(page: &mut String, results: &Results) {
    let samples = results.report.samples as f64;
    let _ = write!(
        page,
        "\n## Errors on the same budget\n\n\
         Relative standard errors with {samples:.0e} samples, and how many plain samples one sample \
         is worth. All follow\nfrom the shares that this run has found.\n\n\
         ![Errors](minishogi_strata.svg)\n\nThe lowest lines are the best. Drawn by `python3 tools/plots.py strata`.\n\n\
         | samples | standard error | variance, plain = 1 | worth |\n|---|---:|---:|---:|\n"
    );
    let plain = results.estimators.first().map_or(1.0, |estimator| estimator.variance);
    for estimator in &results.estimators {
        let (error, ratio) = ((estimator.variance / samples).sqrt(), estimator.variance / plain);
        let _ = writeln!(
            page,
            "| {} | {error:.2e} | {ratio:.2e} | {:.0} |",
            estimator.name,
            1.0 / ratio
        );
    }
}

fn unreachable(page: &mut String, results: &Results) {
    let _ = write!(
        page,
        "\n## Unreachable positions\n\n\
         By plies backwards until nothing new is found; mirror images counted as one. \
         {:.1} % of the\npositions without predecessor are counted exactly, by proof. The last two \
         columns are per 10^8\ncandidates, as in Table 2 of the paper.\n\n\
         | plies | positions | standard error | per 10^8 | paper |\n|---:|---:|---:|---:|---:|\n",
        100.0 * results.excluded_share
    );
    for (&plies, &Number { number, error }) in &results.unreachable {
        let scaled = number / CANDIDATES * 1e8;
        let paper = PAPER.get(plies as usize).map(grouped).unwrap_or_default();
        let _ = writeln!(page, "| {plies} | {number:.4e} | {error:.1e} | {scaled:.1} | {paper} |");
    }
    page.push_str(
        "\nThose found beyond five plies are listed in [minishogi_deep.tsv](minishogi_deep.tsv): the plies and the \
         SFEN, Sente to move, of\ntwo mirror images one. `shogi classify minishogi --certificate` lists everything \
         that lies behind one, and `shogi show minishogi`\ndraws it.\n",
    );
}

/// What is said of the classes: how they are named, and those that take most samples.
fn classes_in_short(page: &mut String, classes: &Classes) {
    const SHOWN: usize = 12;
    let mut by_samples: Vec<&ClassTally> = classes.classes.iter().collect();
    by_samples.sort_by_key(|class| std::cmp::Reverse(class.samples));
    let shown = &by_samples[..SHOWN.min(by_samples.len())];
    let samples: u64 = classes.classes.iter().map(|class| class.samples).sum();
    let in_shown: u64 = shown.iter().map(|class| class.samples).sum();
    let numbered: f64 = classes.classes.iter().map(|class| decimal(&class.size)).sum();
    let _ = write!(
        page,
        "\n## Classes\n\n\
         A class is named by the checks on the player to move (`Checks` in `shogi-rank`). Sizes count mirror images as two. \
         {} positions are\n*excluded*: they have no predecessor, by proof, and are not sampled. {numbered:.4e} are in the {} classes \
         that are sampled.\n\n\
         | word | meaning |\n|---|---|\n\
         | quiet | no check |\n\
         | adjacent, distant | where the checker is, seen from the king |\n\
         | backed | a second slider is behind it |\n\
         | doubtful | no way by which it can have come itself is known to be free |\n\
         | shielding | it shields its own king |\n\
         | on, by | the king of the player to move (on) or of the other player (by), and how many other pieces that player has on the board: \
         none (bare) or one. Where the word is missing there are more, or the class is not divided so ([why](../how/ranking.md#6-strata)) |\n\n\
         The {SHOWN} classes with most samples have {:.0} % of them: these classes are large, or much is uncertain there. All classes \
         are in\n[minishogi_classes.tsv](minishogi_classes.tsv).\n\n\
         | class | size | samples | reachable | no predecessor | other |\n|---|---:|---:|---:|---:|---:|\n",
        grouped(&classes.excluded),
        classes.classes.len(),
        100.0 * in_shown as f64 / samples.max(1) as f64,
    );
    for class in shown {
        let [reachable, none, other] = shares(class);
        let _ = writeln!(
            page,
            "| {} | {} | {} | {reachable:.6} | {none:.6} | {other:.6} |",
            class.checks,
            grouped(&class.size),
            grouped(class.samples),
        );
    }
    page.push_str(
        "\n## What remains open\n\nThe exact number, and classes in which more is decided by proof.\n",
    );
}

/// The shares of a class that are reachable, that have no predecessor, and that are unreachable otherwise.
fn shares(class: &ClassTally) -> [f64; 3] {
    let ClassTally { samples, tally, .. } = class;
    let none = tally.unreachable.get(&0).copied().unwrap_or(0);
    let other = tally.unreachable.values().sum::<u64>() - none;
    [tally.ok, none, other].map(|count| count as f64 / (*samples).max(1) as f64)
}

/// All classes, one a line.
pub fn classes(classes: &Classes) -> String {
    let mut table = "class\tsize\tsamples\treachable\tno_predecessor\tother\n".to_owned();
    for class in &classes.classes {
        let [reachable, none, other] = shares(class);
        let ClassTally { checks, size, samples, .. } = class;
        let _ =
            writeln!(table, "{checks}\t{size}\t{samples}\t{reachable:.6}\t{none:.6}\t{other:.6}");
    }
    table
}

/// The positions that can be traced back far, one a line.
pub fn deep(classes: &Classes) -> String {
    let mut table = "plies\tsfen\n".to_owned();
    for Deep { plies, sfen, .. } in &classes.deep {
        let _ = writeln!(table, "{plies}\t{sfen}");
    }
    table
}
