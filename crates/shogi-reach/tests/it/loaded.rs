//! Reachability by rule sets that are read at run time: the labels of the compiled ones, certificates of others, and a
//! reason where it is not there.

use std::ops::ControlFlow;

use shogi_rank::{KingLegal, PawnLegal, Sampler};
use shogi_reach::{
    Certificate, Hub, Reach, SearchLimit, Stage, StageTally, Unavailable, tally_samples,
};
use shogi_rules::shogi_core::{NotClassic, Placement};
use shogi_rules::text::{BUILT_IN, Definition, TextVariant};
use shogi_rules::{
    Gorogoro, Judkins, KyotoShogi, LargeBoard, LoadedRules, Minishogi, Rules, Shogi, SmallBoard,
    parse_sfen, to_sfen,
};

use crate::reach_variants::{judged, labels_agree_with_naive_predecessors, labels_are_certified};

fn loaded<R: Rules>() -> LoadedRules {
    LoadedRules::new(Definition::of::<R>(R::NAME).unwrap().rules).unwrap()
}

/// Samples with their labels, the flip stage apart, in which Minishogi compares pieces in an order of its own.
fn labels<R: Rules>(samples: u64) -> Vec<(String, Stage)> {
    let (set, reach) = (PawnLegal::<R>::new().unwrap(), Reach::<R>::new(SearchLimit::default()));
    let stage = |placement: &Placement<R>| match reach.classify(placement) {
        Stage::Flip => reach.classify(&placement.mirror()),
        stage => stage,
    };
    let label = |placement| (to_sfen(&placement), stage(&placement));
    Sampler::new(&set, 31).placements(0..samples).map(label).collect()
}

/// A compiled rule set and the same one read at run time give the same labels.
fn agrees_with_itself<R: Rules>(samples: u64) {
    assert_eq!(Reach::<R>::check_available(), Ok(()));
    let rules = loaded::<R>();
    let found = rules.within(|| {
        if rules.is_small() {
            assert_eq!(Reach::<SmallBoard>::check_available(), Ok(()));
            labels::<SmallBoard>(samples)
        } else {
            assert_eq!(Reach::<LargeBoard>::check_available(), Ok(()));
            labels::<LargeBoard>(samples)
        }
    });
    let expected = labels::<R>(samples);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    let reachable = expected.iter().filter(|(_, stage)| *stage == Stage::Ok).count();
    assert!(reachable as u64 > samples / 20, "{}: {reachable}", R::NAME);
}

#[test]
fn labels_by_rules_read_at_run_time_are_those_by_compiled_ones() {
    agrees_with_itself::<Minishogi>(3_000);
    agrees_with_itself::<KyotoShogi>(3_000);
    agrees_with_itself::<Gorogoro>(1_000);
    agrees_with_itself::<Judkins>(1_000);
    agrees_with_itself::<Shogi>(300);
}

#[test]
fn labels_of_goro_goro_are_certified() {
    let set = PawnLegal::<Gorogoro>::new().unwrap();
    let [reachable, unreachable] = labels_are_certified(&judged(&set, 21, 1_500));
    assert!(reachable > 250 && unreachable > 20, "{reachable} {unreachable}");
    assert!(Hub::<Gorogoro>::new().unwrap().is_connected());
}

#[test]
fn labels_of_judkins_shogi_agree_with_naive_predecessors() {
    let set = PawnLegal::<Judkins>::new().unwrap();
    let unreachable = labels_agree_with_naive_predecessors(&judged(&set, 23, 600));
    assert!(unreachable > 20, "{unreachable}");
    assert!(Hub::<Judkins>::new().unwrap().is_connected());
}

/// Pieces on 4x4 with switches of all kinds.
const TEXTS: [&str; 4] = [
    "promotion.when = \"forced\"",
    "drops.face = \"either\"",
    "moves.dead_end = \"legal\"\ndrops.dead_end = \"legal\"\ndrops.pawns_on_a_file = \"any\"",
    "promotion.when = \"every move\"\ndrops.face = \"either\"\ndrops.pawns_on_a_file = \"any\"\n\
     drops.pawn_mate = \"legal\"",
];

fn text(switches: &str) -> LoadedRules {
    let text = format!(
        "name = \"switches\"\nstart = \"kspn/4/4/NPSK b - 1\"\npromotion.zone = 2\n{switches}\n\
         [pieces]\nP = {{ front = \"pawn\", back = \"rook\" }}\n\
         N = {{ front = \"knight\", back = \"gold\" }}\nS = {{ front = \"silver\", back = \"lance\" }}\n\
         K = {{ front = \"king\", royal = true }}\n"
    );
    TextVariant::load(&text).unwrap().rules()
}

#[test]
fn labels_are_certified_whatever_the_switches_are() {
    for switches in TEXTS {
        text(switches).within(|| {
            assert_eq!(Reach::<SmallBoard>::check_available(), Ok(()), "{switches}");
            let set = PawnLegal::<SmallBoard>::new().unwrap();
            // In such a game a few positions have more predecessors than are looked at.
            let reach = Reach::<SmallBoard>::new(SearchLimit { nodes: 10_000 });
            let mut positions = judged(&set, 41, 1_000);
            let all = positions.len();
            positions.retain(|position| reach.reach(position) != Stage::Unknown);
            assert!(positions.len() > all * 3 / 4, "{switches}: {} of {all}", positions.len());
            let [reachable, unreachable] = labels_are_certified(&positions);
            assert!(reachable > 50 && unreachable > 5, "{switches}: {reachable} {unreachable}");
            labels_agree_with_naive_predecessors(&positions);
        });
    }
}

#[test]
fn samples_are_classified_on_all_threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let rules = loaded::<Minishogi>();
    let tally = |threads: bool| -> StageTally {
        rules.within(|| {
            let set = KingLegal::<SmallBoard>::new().unwrap();
            let (sampler, reach) = (Sampler::new(&set, 2), Reach::new(SearchLimit::default()));
            let run =
                || tally_samples(&reach, &sampler, 0..30_000, |_, _| ControlFlow::Continue(())).1;
            if threads { pool.install(|| rules.within(run)) } else { run() }
        })
    };
    assert_eq!(tally(true), tally(false));
    assert!(tally(true).ok > 10_000);
}

#[test]
fn reachability_that_is_not_there_is_refused_with_the_reason() {
    let built_in = |name| {
        let game = BUILT_IN.iter().find(|game| game.name == name).unwrap();
        TextVariant::load(game.text).unwrap().rules()
    };
    let refused = |rules: LoadedRules| rules.within(Reach::<SmallBoard>::check_available).err();
    assert_eq!(refused(built_in("micro")), Some(NotClassic::TurnsOnCapture.into()));
    assert_eq!(refused(built_in("torishogi")), Some(NotClassic::Lopsided('L').into()));
    let text = |start: &str, count: &str| {
        let text = format!(
            "name = \"few\"\nstart = \"{start}\"\n[pieces]\nG = {{ front = \"gold\"{count} }}\n\
             K = {{ front = \"king\", royal = true }}\n"
        );
        TextVariant::load(&text).unwrap().rules()
    };
    assert_eq!(refused(text("gk1/3/3/1KG b - 1", ", count = 4")), Some(Unavailable::Start));
    // On one file no king can go round the other.
    let narrow = refused(text("k/g/1/1/G/K b - 1", ""));
    assert!(matches!(narrow, Some(Unavailable::Hub(_) | Unavailable::NotConnected)), "{narrow:?}");
    assert_eq!(refused(text("gk1/3/3/1KG b - 1", "")), None);
}

#[test]
fn a_certificate_by_rules_read_at_run_time_is_checked_by_the_compiled_ones() {
    let sfen = "2k2/5/5/5/2K2 b 2R2B2G2S2P 1";
    let certificate = loaded::<Minishogi>().within(|| {
        let (position, hub) = (parse_sfen::<SmallBoard>(sfen).unwrap().0, Hub::new().unwrap());
        Reach::new(SearchLimit::default()).certify(&hub, &position).unwrap()
    });
    assert!(matches!(certificate, Certificate::Game { .. }));
    assert_eq!(certificate.verify::<Minishogi>(), Ok(()));
}
