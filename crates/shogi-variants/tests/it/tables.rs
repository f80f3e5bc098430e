//! Tables that sessions keep for each other.
#![cfg(all(feature = "reach", feature = "solve", feature = "text"))]

use std::sync::{Arc, Barrier};
use std::thread;

use shogi_variants::Variant;
use shogi_variants::operations::{AnyNumbered, Numbering};
use shogi_variants::tasks::{ClassifyTask, Tables};

/// Small games that differ in their name.
fn game(number: usize) -> Variant {
    let pieces = "P = { front = \"pawn\" }\nK = { front = \"king\", royal = true }";
    let start = "1k1/1p1/1P1/1K1 b - 1";
    let text = format!("name = \"kept{number}\"\nstart = \"{start}\"\n[pieces]\n{pieces}\n");
    Variant::from_text(&text).unwrap()
}

fn numbered(tables: &Tables, game: Variant) -> Arc<dyn AnyNumbered> {
    tables.numbered(game, Numbering::default()).unwrap()
}

#[test]
fn threads_at_once_make_one_table() {
    let (tables, barrier) = (Tables::default(), Barrier::new(8));
    let made = thread::scope(|scope| {
        let make = || {
            barrier.wait();
            numbered(&tables, game(0))
        };
        [(); 8].map(|()| scope.spawn(make)).map(|thread| thread.join().unwrap())
    });
    assert!(made.iter().all(|one| Arc::ptr_eq(one, &made[0])));
    let other = tables.numbered(game(0), Numbering::KingLegal).unwrap();
    assert!(!Arc::ptr_eq(&other, &made[0]), "settings have tables of their own");
}

#[test]
fn the_tables_used_last_are_kept() {
    let tables = Tables::default();
    let first: Vec<_> = (0..Tables::MOST).map(|number| numbered(&tables, game(number))).collect();
    let is_kept = |number: usize| Arc::ptr_eq(&numbered(&tables, game(number)), &first[number]);
    assert!(is_kept(0), "it was made before");
    numbered(&tables, game(Tables::MOST));
    assert!(is_kept(0), "it was used a moment ago");
    assert!(!is_kept(1), "no other was unused for longer");
    let proving = ClassifyTask { certificate: true, ..ClassifyTask::default() };
    let [one, other] = [(); 2].map(|()| tables.classifier(Variant::Minishogi, proving).unwrap());
    assert!(Arc::ptr_eq(&one, &other));
}

#[test]
fn a_failure_is_told_each_time() {
    let tables = Tables::default();
    for _ in 0..2 {
        assert!(tables.classifier(Variant::Dobutsu, ClassifyTask::default()).is_err());
        assert!(tables.numbered(Variant::Shogi, Numbering::KingLegal).is_err());
    }
}
