//! The composed mates, judged by brute force: no search for mates takes part.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shogi_variants::{RuleSet, Variant, Visitor};
use testing::book_oracle::Oracle;
use testing::problem_judge::Judge;
use testing::shogi_rules::parse_usi;
use testing::shogi_rules::shogi_core::{Move, parse_problem};

use crate::common::explorer;

/// The problems of a variant.
fn problems(variant: Variant) -> Vec<Value> {
    let request = json!({ "variant": variant.name() }).to_string();
    let answer = explorer().answer("problems", request.as_bytes()).unwrap();
    answer["problems"].as_array().unwrap().clone()
}

/// Whether a problem has its line as the only solution, up to the last move.
struct Court<'a> {
    sfen: &'a str,
    line: Vec<&'a str>,
    last: Vec<&'a str>,
}

impl Visitor for Court<'_> {
    type Output = bool;

    fn visit<R: RuleSet>(self) -> bool {
        let moves = |texts: &[&str]| -> Vec<Move<R>> {
            texts.iter().map(|mv| parse_usi(mv).unwrap()).collect()
        };
        let (root, line) = (parse_problem::<R>(self.sfen).unwrap(), moves(&self.line));
        let last = moves(&self.last);
        let before =
            line[..line.len() - 1].iter().fold(root, |position, &mv| position.play_unchecked(mv));
        let judge = Judge { beyond: 2, effort: 20_000 };
        let mut oracle = Oracle::default();
        judge.has_only_solution(&root, &line) == Some(true)
            && last.iter().all(|&mv| oracle.length(&before.play_unchecked(mv), false, 0).is_some())
    }
}

#[test]
fn every_game_of_mates_has_problems_of_one_three_and_five_plies_each_with_one_solution() {
    let mut wrong = Vec::new();
    for (name, _) in Variant::built_in() {
        let variant = Variant::built_in_named(name).unwrap();
        let mut lengths = BTreeMap::new();
        for problem in problems(variant) {
            let sfen = problem["sfen"].as_str().unwrap();
            let moves = |key: &str| -> Vec<&str> {
                problem[key].as_array().unwrap().iter().filter_map(Value::as_str).collect()
            };
            let (line, last) = (moves("pv"), moves("last"));
            assert_eq!(problem["plies"], line.len(), "{sfen}");
            *lengths.entry(line.len()).or_insert(0) += 1;
            if !variant.visit(Court { sfen, line, last }) {
                wrong.push(format!("{name}: {sfen}"));
            }
        }
        // Where kings can be captured nobody is mated.
        let least: &[usize] = if variant == Variant::Dobutsu { &[] } else { &[1, 3, 5] };
        for plies in least {
            assert!(lengths.get(plies).is_some_and(|&count| count >= 2), "{name}: {lengths:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_game_of_ones_own_has_no_problems() {
    let text = "name = \"minishogi\"\nstart = \"1k1/3/1K1 b - 1\"\n[pieces]\nK = { front = \"king\", royal = true }\n";
    let answer = explorer().answer("problems", json!({ "variant": text }).to_string().as_bytes());
    assert_eq!(answer.unwrap()["problems"], json!([]));
}
