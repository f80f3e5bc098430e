//! What the program claims of a problem, and what the judge says to it.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use testing::book_oracle::Oracle;
use testing::problem_judge::{Judge, pieces, useless};
use testing::shogi_rules::shogi_core::{Move, Position, checks, parse_problem};
use testing::shogi_rules::{Rules, parse_usi, to_usi};

/// A line of the program's answers.
#[derive(Deserialize)]
pub struct Claim {
    sfen: String,
    pub plies: Option<u32>,
    complete: bool,
    pv: Vec<String>,
    unique: bool,
    pub sound: bool,
    first: Vec<String>,
    last: Vec<String>,
    cooks: Vec<Cook>,
    unnecessary: Vec<String>,
    left: u32,
    useless: Vec<Useless>,
}

#[derive(Deserialize)]
struct Cook {
    number: usize,
    #[serde(rename = "move")]
    mv: String,
}

#[derive(Deserialize)]
struct Useless {
    number: usize,
    moves: Vec<String>,
}

/// What the judge says to a claim.
#[derive(Default, Serialize)]
pub struct Judged {
    sfen: String,
    /// What is wrong.
    pub objections: Vec<String>,
    /// What is neither shown nor refuted.
    pub undecided: Vec<String>,
    #[serde(skip)]
    pub is_too_long: bool,
    #[serde(skip)]
    pub shown_unique: bool,
    #[serde(skip)]
    pub shown_no_mate: bool,
}

impl Judged {
    pub fn has_remarks(&self) -> bool {
        !self.objections.is_empty() || !self.undecided.is_empty()
    }

    fn object(&mut self, is_right: bool, objection: impl FnOnce() -> String) {
        if !is_right {
            self.objections.push(objection());
        }
    }
}

impl Claim {
    /// Compares every item of the claim with what brute force finds.
    pub fn judge<R: Rules>(&self, judge: Judge, deepest: u32) -> Result<Judged> {
        if !self.complete {
            bail!("the claim is not complete");
        }
        let root = parse_problem::<R>(&self.sfen)?;
        let line = moves::<R>(&self.pv)?;
        let mut judged = Judged { sfen: self.sfen.clone(), ..Judged::default() };
        let mut oracle = Oracle::default();
        let Some(plies) = self.plies.filter(|&plies| plies <= deepest) else {
            judged.is_too_long = self.plies.is_some();
            judged.shown_no_mate = judge.is_refuted(&mut oracle, &root, true);
            let found = oracle.length(&root, true, deepest);
            judged.object(found.is_none(), || format!("mate in {found:?}"));
            let is_right = !judged.is_too_long || !judged.shown_no_mate;
            judged.object(is_right, || "there is no mate at all".into());
            return Ok(judged);
        };
        let found = oracle.length(&root, true, plies);
        judged.object(found == Some(plies), || format!("mate in {found:?}"));
        if found != Some(plies) {
            return Ok(judged);
        }
        let is_best = judge.is_best_line(&mut oracle, &root, &line);
        judged.object(is_best, || "the line is not best for both".into());
        self.judge_moves(&mut judged, &mut oracle, &root, &line)?;
        self.judge_others(&mut judged, judge, &mut oracle, &root, &line)?;
        self.judge_pieces(&mut judged, judge, &root, &line);
        let sound = self.unique && self.left == 0 && self.unnecessary.is_empty();
        judged.object(sound == self.sound, || "the verdict contradicts its reasons".into());
        Ok(judged)
    }

    /// First moves, last moves, useless interpositions and the pieces left.
    fn judge_moves<R: Rules>(
        &self,
        judged: &mut Judged,
        oracle: &mut Oracle<R>,
        root: &Position<R>,
        line: &[Move<R>],
    ) -> Result<()> {
        let plies = line.len() as u32;
        let mut first = checks(root);
        first.retain(|&mv| oracle.length(&root.play_unchecked(mv), false, plies - 1).is_some());
        compare(judged, "first moves", &first, &moves(&self.first)?);
        if let [first, before @ .., in_line] = line {
            let position = root.play_unchecked(*first);
            let position =
                before.iter().fold(position, |position, &mv| position.play_unchecked(mv));
            let mut last = checks(&position);
            last.retain(|&mv| oracle.length(&position.play_unchecked(mv), false, 0).is_some());
            last.retain(|mv| mv != in_line);
            let last = if plies % 2 == 1 { last } else { Vec::new() };
            compare(judged, "last moves", &last, &moves(&self.last)?);
        }
        let mut claimed = BTreeSet::new();
        for Useless { number, moves } in &self.useless {
            for mv in moves {
                claimed.insert((number - 1, parse_usi::<R>(mv)?));
            }
        }
        let found: BTreeSet<_> = useless(oracle, root, line).into_iter().collect();
        judged.object(found == claimed, || format!("useless interpositions {}", found.len()));
        let left = oracle.left(root, true, plies);
        judged.object(left == self.left, || format!("{left} pieces left"));
        Ok(())
    }

    /// Other solutions.
    fn judge_others<R: Rules>(
        &self,
        judged: &mut Judged,
        judge: Judge,
        oracle: &mut Oracle<R>,
        root: &Position<R>,
        line: &[Move<R>],
    ) -> Result<()> {
        let mut claimed = BTreeSet::new();
        for Cook { number, mv } in &self.cooks {
            claimed.insert((number - 1, parse_usi::<R>(mv)?));
        }
        let found = judge.beside(oracle, root, line);
        judged.shown_unique = found.is_unique() == Some(true);
        let firsts = moves::<R>(&self.first)?;
        let is_claimed =
            |at: &(usize, Move<R>)| claimed.contains(at) || at.0 == 0 && firsts.contains(&at.1);
        for at in found.mating.iter().filter(|at| !is_claimed(at)) {
            judged.objections.push(format!("a cook: {} as move {}", to_usi(at.1), at.0 + 1));
        }
        for at in &claimed {
            let text = format!("{} as move {}", to_usi(at.1), at.0 + 1);
            let is_open = found.open.contains(at);
            judged.object(is_open || found.mating.contains(at), || format!("no cook: {text}"));
            if is_open {
                judged.undecided.push(format!("a cook: {text}"));
            }
        }
        if found.open.iter().any(|at| !is_claimed(at)) {
            judged.undecided.push("another check".into());
        }
        let unique = firsts.len() == 1 && claimed.is_empty();
        judged.object(unique == self.unique, || "unique against its reasons".into());
        Ok(())
    }

    /// Pieces that are not needed.
    fn judge_pieces<R: Rules>(
        &self,
        judged: &mut Judged,
        judge: Judge,
        root: &Position<R>,
        line: &[Move<R>],
    ) {
        if !self.unique {
            let none = self.unnecessary.is_empty();
            judged.object(none, || "unnecessary pieces without a unique solution".into());
            return;
        }
        for piece in pieces(root) {
            let claimed = self.unnecessary.contains(&piece.name);
            match judge.has_only_solution(&piece.without, line) {
                None => judged.undecided.push(format!("{} is not needed", piece.name)),
                Some(found) => judged.object(found == claimed, || {
                    format!("{} is {}needed", piece.name, if found { "not " } else { "" })
                }),
            }
        }
    }
}

fn moves<R: Rules>(texts: &[String]) -> Result<Vec<Move<R>>> {
    Ok(texts.iter().map(|text| parse_usi(text)).collect::<Result<_, _>>()?)
}

fn compare<R: Rules>(judged: &mut Judged, what: &str, found: &[Move<R>], claimed: &[Move<R>]) {
    let [one, other] = [found, claimed].map(|moves| moves.iter().collect::<BTreeSet<_>>());
    let text = || found.iter().map(|&mv| to_usi(mv)).collect::<Vec<_>>().join(" ");
    judged.object(one == other, || format!("{what}: {}", text()));
}
