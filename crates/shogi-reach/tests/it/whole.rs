//! The whole method against truth: on a small board every position that a game leads to is listed
//! by playing, and classes, labels and estimates must come to the same number.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use shogi_rank::{
    Checks, Counts, KingsLast, PawnLegal, Ranking, Strata, Stratified, Z_95, weighted_sum, wilson,
};
use shogi_reach::{Reach, SearchLimit, Stage, is_hub, passes_flip, tally_kings_last};
use shogi_rules::shogi_core::{
    Board3x4, Colour, Face, Hand, Kind, KindSpec, Movement, Piece, Placement, Role, RuleTable,
    Square,
};
use testing::rule_table;

rule_table! {
    /// Minishogi's pieces that slide, on a board small enough to list all positions.
    Sliders on Board3x4: [
        KindSpec::new('R', 1, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::new('B', 1, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// A pawn, and what shields and is shielded.
    PawnAndRook on Board3x4: [
        KindSpec::pawn('P', 1, Some(Movement::GOLD)),
        KindSpec::new('R', 1, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ]
}

/// The positions of two distant kings and nothing else on the board, Sente to move, with all pieces in
/// Sente's hand.
pub fn hubs<R: RuleTable>() -> Vec<Placement<R>> {
    let royal = Kind::all::<R>().find(|kind| kind.spec::<R>().role == Role::Royal).unwrap();
    let mut hand = Hand::EMPTY;
    for kind in Kind::all::<R>().filter(|&kind| kind != royal) {
        hand.set(kind, kind.spec::<R>().count);
    }
    let mut hubs = Vec::new();
    for sente in Square::<R::Geometry>::all() {
        for gote in Square::all().filter(|&gote| gote != sente) {
            let mut hub = Placement::<R>::EMPTY;
            for (square, colour) in [(sente, Colour::Sente), (gote, Colour::Gote)] {
                let face = Face::front(royal);
                hub.put(square, Piece { face, colour });
            }
            *hub.hand_mut(Colour::Sente) = hand;
            hubs.extend(is_hub(&hub).then_some(hub));
        }
    }
    hubs
}

/// All positions that games from one position lead to.
pub fn played<R: RuleTable>(first: Placement<R>) -> FxHashSet<Placement<R>> {
    let mut seen = FxHashSet::from_iter([first]);
    let mut queue = vec![first];
    while let Some(placement) = queue.pop() {
        let _: ControlFlow<()> = placement.generate(|batch| {
            for mv in batch.moves() {
                let next = placement.play_unchecked(mv);
                if seen.insert(next) {
                    queue.push(next);
                }
            }
            ControlFlow::Continue(())
        });
    }
    seen
}

/// A class, its size, and how many of its members are reachable.
type Found = (Checks, u128, u64);

/// The findings for each class. Labels are compared one by one with the positions played, which are returned
/// too.
fn agrees_with_playing<R: RuleTable>() -> (FxHashSet<Placement<R>>, Vec<Found>) {
    let hubs = hubs::<R>();
    let played = played(hubs[0]);
    assert!(hubs.iter().all(|hub| played.contains(hub)));
    let (strata, reach) = (Strata::<R>::new().unwrap(), Reach::<R>::new(SearchLimit::default()));
    let mut found = Vec::new();
    for (checks, size) in strata.classes() {
        let stratum = strata.stratum(checks).unwrap();
        let mut reachable = 0;
        for rank in 0..size {
            let placement = stratum.unrank(&rank.into()).unwrap();
            let label = reach.reach(&placement);
            assert_eq!(label == Stage::Ok, played.contains(&placement), "{checks} {placement:?}");
            assert_ne!(label, Stage::Unknown);
            reachable += u64::from(label == Stage::Ok);
        }
        found.push((checks, size, reachable));
    }
    // Not a position is missing, and none that is excluded was played.
    let of_sente = played.iter().filter(|p| p.side() == Colour::Sente).count() as u64;
    assert_eq!(found.iter().map(|(.., reachable)| reachable).sum::<u64>(), of_sente);
    (played, found)
}

/// The number of stratified estimates, out of `runs`, whose interval covers the exact number.
fn covered<R: RuleTable>(played: &FxHashSet<Placement<R>>, found: &[Found], runs: u64) -> u64 {
    let strata = Strata::<R>::new().unwrap();
    let truth: u64 = found.iter().map(|(.., reachable)| reachable).sum();
    let allotted: Vec<u64> = found.iter().map(|(_, size, _)| 20 + *size as u64 / 50).collect();
    let covers = |seed: &u64| {
        let design = Stratified::new(&strata, *seed, &allotted);
        let mut hits = vec![0; found.len()];
        design.for_each(0..design.samples(), |class, placement| {
            hits[class] += u64::from(played.contains(&placement));
        });
        let parts =
            found.iter().zip(hits.iter().zip(&allotted)).map(|(&(_, size, _), (&k, &n))| {
                (size as f64, k as f64 / n as f64, wilson(k, n, Z_95))
            });
        weighted_sum(parts.collect::<Vec<_>>()).contains(truth as f64)
    };
    (0..runs).filter(covers).count() as u64
}

/// Classes, labels and so many estimates against what is played.
fn classes_and_labels_give_the_number(runs: u64) {
    let (played, found) = agrees_with_playing::<Sliders>();
    let covered = covered(&played, &found, runs);
    assert!(covered * 100 >= runs * 95, "{covered} of {runs}");
    // Some of each sort are there: reachable ones, and unreachable ones that are no class of their own.
    assert!(
        found.iter().any(|&(_, size, reachable)| 0 < reachable && u128::from(reachable) < size)
    );
}

#[test]
fn classes_and_labels_give_the_number_that_playing_gives() {
    classes_and_labels_give_the_number(60);
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn classes_and_labels_give_the_number_that_playing_gives_at_length() {
    classes_and_labels_give_the_number(200);
}

/// How many of so many estimates with the kings put last cover the exact number, which their mean must be near.
fn kings_last_covered<R: RuleTable>(played: &FxHashSet<Placement<R>>, runs: u64) -> u64 {
    const SAMPLES: u64 = 1_000;
    let (set, reach) = (PawnLegal::<R>::new().unwrap(), Reach::<R>::new(SearchLimit::default()));
    let counts = Counts::new::<R>().unwrap();
    let own = &counts.pawn * 2u8 - &counts.pawn_distinct;
    let is_counted = |p: &&Placement<R>| p.side() == Colour::Sente && passes_flip(p);
    let truth = played.iter().filter(is_counted).count() as f64;
    let (mut covered, mut unreachable, mut sum, mut squares) = (0, 0, 0.0, 0.0);
    for seed in 0..runs {
        let tally = tally_kings_last(&reach, &KingsLast::new(&set, seed), 0..SAMPLES);
        assert!(tally.samples == SAMPLES && tally.unknown == 0);
        unreachable += tally.unreachable;
        let estimate = tally.estimate(&set.size(), &own);
        covered += u64::from(estimate.low <= truth && truth <= estimate.high);
        // Half of those that are their own mirror image are missing.
        sum += estimate.positions;
        squares += estimate.positions.powi(2);
    }
    // Some had a predecessor and were searched.
    assert!(unreachable > 20, "{unreachable}");
    let mean = sum / runs as f64;
    let error = ((squares / runs as f64 - mean * mean) / runs as f64).sqrt();
    let own: f64 = own.to_string().parse().unwrap();
    assert!(mean - 4.0 * error < truth && truth < mean + own / 2.0 + 4.0 * error, "{mean} {truth}");
    covered
}

#[test]
fn drops_of_pawns_are_judged_as_in_play() {
    const RUNS: u64 = 400;
    let (played, found) = agrees_with_playing::<PawnAndRook>();
    assert!(found.iter().any(|(checks, ..)| checks.to_string().starts_with("P adjacent doubtful")));
    let covered = kings_last_covered(&played, RUNS);
    assert!(covered * 100 >= RUNS * 93, "{covered} of {RUNS}");
}

#[test]
fn parts_of_a_tally_with_the_kings_put_last_add_up() {
    let set = PawnLegal::<Sliders>::new().unwrap();
    let (samples, reach) = (KingsLast::new(&set, 1), Reach::new(SearchLimit::default()));
    let whole = tally_kings_last(&reach, &samples, 0..20_000);
    let mut parts = tally_kings_last(&reach, &samples, 9_000..20_000);
    parts.merge(&tally_kings_last(&reach, &samples, 0..9_000));
    assert_eq!(parts, whole);
}
