//! A report as tables, from which the text and the page are made.

use core::fmt;
use std::format;
use std::string::{String, ToString as _};
use std::vec::Vec;

use shogi_reach::{EXACT, EstimateReport};
use shogi_rules::Verdict;
use shogi_solve::Ended;

use super::super::{Estimated, Solution, counted, grouped, grouped_digits};
use super::{Candidates, Listed, LongestWin, Part, Play, Report};

/// A part of a report as a table: names with what is said of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Its subject.
    pub title: &'static str,
    /// Its rows.
    pub rows: Vec<(&'static str, String)>,
}

impl Report {
    /// The report, for people.
    pub fn sections(&self) -> Vec<Section> {
        let mut size = Vec::from([("placements", large(&self.placements))]);
        size.extend(rows(&self.candidates, "candidates", candidates));
        size.extend(rows(&self.reachable, "reachable", |estimated| match &**estimated {
            Estimated::Sampled(report) => reachable(report),
            Estimated::Listed(listed) => all_reachable(listed),
        }));
        let mut value = rows(&self.value, "value", |solution| self.value_rows(solution));
        if let Some(winner) = self.winner {
            value.insert(0, ("winner", player(winner).to_string()));
        }
        Vec::from([
            Section { title: "Who wins", rows: value },
            Section { title: "Size", rows: size },
            Section { title: "Play", rows: rows(&self.play, "games", |play| self.play_rows(play)) },
            Section { title: "The whole game", rows: rows(&self.listed, "positions", listed) },
        ])
    }

    fn value_rows(&self, solution: &Solution) -> Vec<(&'static str, String)> {
        let nodes = grouped(solution.nodes);
        let Some(value) = solution.value else {
            return Vec::from([("value", self.unknown(solution.ended, &nodes))]);
        };
        let at_most = solution.plies.map_or_else(String::new, |plies| {
            format!(" in at most {}", counted(plies.into(), "ply", "plies"))
        });
        let checked = if solution.certified { ", checked by the rules alone" } else { "" };
        let named = match value {
            Verdict::Draw => "a draw".to_string(),
            value => format!("a {} for the player to move{at_most}", value.name()),
        };
        let mut rows = Vec::from([
            ("value", format!("{named}{checked}")),
            ("found by", format!("{}, {nodes} nodes", method(solution.method))),
        ]);
        if let Some(proof) = &solution.proof {
            let entries = counted(proof.entries() as u64, "move", "moves");
            rows.push(("proof", format!("{entries} stored")));
        }
        if !solution.line.is_empty() {
            rows.push(("line", solution.line.join(" ")));
        }
        rows
    }

    /// Why the value is not known, and what searches on.
    fn unknown(&self, ended: Ended, nodes: &str) -> String {
        match ended {
            Ended::Repetition => {
                "not proved: nobody wins without a repetition, and who brings one about loses"
                    .to_string()
            }
            Ended::Solved | Ended::NoMoves | Ended::Stuck => {
                format!("not proved by the rules ({})", ended.name())
            }
            Ended::Nodes | Ended::Time | Ended::Stopped | Ended::Memory => {
                let more = self.settings.nodes.max(1).saturating_mul(100);
                format!(
                    "not known after {nodes} nodes; `shogi solve {}{} --nodes {more}` searches on",
                    self.called, self.from
                )
            }
        }
    }

    fn play_rows(&self, play: &Play) -> Vec<(&'static str, String)> {
        let Play { games, distinct, sente_wins, gote_wins, draws, .. } = play;
        let settings = &self.settings;
        let played = format!(
            "{} of the player against itself ({distinct} distinct), {} nodes a move after {} random moves or one less",
            counted(*games as u64, "game", "games"),
            grouped(settings.move_nodes),
            settings.opening,
        );
        let [low, high] = play.sente_share_interval;
        let share = play.sente_share.map_or_else(
            || "nobody won a game".to_string(),
            |share| {
                format!("{share:.3} of the games that somebody won (95 %: {low:.3} to {high:.3})")
            },
        );
        let (least, most) = (play.plies.iter().min(), play.plies.iter().max());
        let mut ends: Vec<_> = play.ends.iter().collect();
        ends.sort_by_key(|(_, games)| core::cmp::Reverse(**games));
        let ends: Vec<_> = ends.iter().map(|(end, games)| format!("{end} {games}")).collect();
        Vec::from([
            ("games", played),
            ("results", format!("Sente won {sente_wins}, Gote {gote_wins}, {draws} drawn")),
            ("Sente's share", share),
            ("moves a position", format!("{:.1}, at most {}", play.moves_mean, play.moves_most)),
            (
                "length",
                format!(
                    "{:.1} plies, from {} to {}",
                    play.plies_mean,
                    least.unwrap_or(&0),
                    most.unwrap_or(&0)
                ),
            ),
            ("ended by", ends.join(", ")),
        ])
    }
}

/// The rows of a part, or one row that says why it is missing.
fn rows<T>(
    part: &Part<T>,
    name: &'static str,
    known: impl FnOnce(&T) -> Vec<(&'static str, String)>,
) -> Vec<(&'static str, String)> {
    match part {
        Part::Known(part) => known(part),
        Part::Missing { missing, command: None } => Vec::from([(name, missing.clone())]),
        Part::Missing { missing, command: Some(command) } => {
            Vec::from([(name, format!("{missing}; `{command}` goes on"))])
        }
    }
}

fn candidates(counts: &Candidates) -> Vec<(&'static str, String)> {
    let mut rows = Vec::from([
        ("candidates", large(&counts.candidates)),
        ("after flip", large(&counts.flip)),
        ("after pawn", large(&counts.pawn)),
    ]);
    rows.extend(counts.king.as_ref().map(|king| ("after king", large(king))));
    rows
}

fn reachable(estimate: &EstimateReport) -> Vec<(&'static str, String)> {
    let EstimateReport { p, p_interval: [low, high], done, method, .. } = estimate;
    let set = large(&estimate.candidates);
    if method == EXACT && estimate.complete && estimate.interval[0] == estimate.interval[1] {
        let number = grouped(estimate.estimate as u64);
        return Vec::from([("reachable", format!("{number}, exactly: {p:.6} of {set}"))]);
    }
    let [least, most] = estimate.interval;
    Vec::from([
        ("reachable", format!("{p:.5} of {set} (95 %: {low:.5} to {high:.5})")),
        ("", format!("about {:.3e} positions ({least:.3e} to {most:.3e})", estimate.estimate)),
        ("by", format!("{} samples, {method}", grouped(*done))),
    ])
}

fn all_reachable(all: &super::super::Listed) -> Vec<(&'static str, String)> {
    let (number, set) = (grouped(all.estimate), large(&all.candidates));
    let said = format!(
        "{number}, exactly: {:.6} of {set} placements, the players exchanged and mirror images counted once",
        all.p
    );
    Vec::from([("reachable", said)])
}

fn listed(listed: &Listed) -> Vec<(&'static str, String)> {
    let &Listed { positions, wins, losses, others, ref longest } = listed;
    let [positions, wins, losses, others] =
        [positions, wins, losses, others].map(|number| grouped(number as u64));
    let mut rows = Vec::from([
        ("positions", format!("{positions} that games reach, all listed")),
        (
            "values",
            format!(
                "{wins} won and {losses} lost for the player to move, {others} that neither wins without a repetition"
            ),
        ),
    ]);
    if let Some(LongestWin { plies, winner, sfen }) = longest {
        let plies = counted((*plies).into(), "ply", "plies");
        rows.push(("longest win", format!("{plies}, by {}, from {sfen}", player(winner))));
    }
    rows
}

/// The word for a winner in sentences.
fn player(winner: &str) -> &str {
    match winner {
        "sente" => "Sente",
        "gote" => "Gote",
        other => other,
    }
}

/// How a value was found, in words.
fn method(name: &str) -> &str {
    if name == "whole" { "looking at the whole of a small game" } else { name }
}

/// A whole number in decimal digits as people read it: in groups, and a large one rounded as well.
fn large(digits: &str) -> String {
    match digits.parse::<f64>() {
        Ok(number) if digits.len() > 15 => format!("{} ({number:.3e})", grouped_digits(digits)),
        _ => grouped_digits(digits),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({}), from {}", self.title, self.variant, self.start)?;
        write!(f, "rules {}", self.hash)?;
        for Section { title, rows } in self.sections() {
            write!(f, "\n\n{title}")?;
            for (name, said) in rows {
                write!(f, "\n  {name:<17} {said}")?;
            }
        }
        if !self.complete {
            f.write_str("\n\nbroken off: this is what was known by then")?;
        }
        Ok(())
    }
}
