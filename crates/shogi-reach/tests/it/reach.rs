//! Reachability against the paper's own algorithm, and certificates against the rules.

use std::ops::ControlFlow;

use shogi_rank::{Sampler, Space};
use shogi_reach::{
    Certificate, Hub, Reach, SearchLimit, Stage, StageTally, is_hub, passes_flip, passes_king,
    passes_pawn, published, tally_samples,
};
use shogi_rules::shogi_core::{Placement, Position, RuleTable};
use shogi_rules::{KyotoShogi, Minishogi, Shogi, parse_sfen, to_sfen};

fn placement(sfen: &str) -> Placement<Minishogi> {
    parse_sfen(sfen).unwrap().0
}

#[test]
fn ten_thousand_labels_are_certified() {
    let space = Space::<Minishogi>::new().unwrap();
    let sampler = Sampler::new(&space, 20_241_105);
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let hub = Hub::new().unwrap();
    let (mut reachable, mut unreachable) = (0, 0);
    for position in sampler.placements(0..100_000) {
        let stage = reach.classify(&position);
        match stage {
            Stage::Flip | Stage::Pawn | Stage::King => continue,
            Stage::Unknown => panic!("undecided: {}", to_sfen(&position)),
            Stage::Ok => reachable += 1,
            Stage::Unreachable { .. } => unreachable += 1,
        }
        let certificate = reach.certify(&hub, &position).unwrap();
        match (&certificate, stage) {
            (Certificate::Game { .. }, Stage::Ok) => {}
            (Certificate::Closed { plies, .. }, Stage::Unreachable { plies: labelled }) => {
                assert_eq!(*plies, labelled);
            }
            _ => panic!("label and certificate differ: {}", to_sfen(&position)),
        }
        assert_eq!(certificate.verify::<Minishogi>(), Ok(()), "{}", to_sfen(&position));
        if reachable >= 10_000 {
            break;
        }
    }
    assert!(reachable >= 10_000 && unreachable >= 3_000, "{reachable} {unreachable}");
}

#[test]
fn labels_agree_with_the_published_algorithm() {
    let space = Space::<Minishogi>::new().unwrap();
    let sampler = Sampler::new(&space, 7);
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    for position in sampler.placements(0..6_000) {
        let expected = published::classify(&position);
        assert_eq!(reach.classify(&position), expected, "{}", to_sfen(&position));
    }
}

/// The published program's own labels: all its positions that have something before them and cannot be reached, and one
/// in a hundred of those that have nothing.
#[test]
fn labels_agree_with_those_that_were_published() {
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let lines = include_str!("data/published_labels.tsv").lines().skip(1);
    let mut counts = [0, 0];
    for (label, sfen) in lines.map(|line| line.split_once('\t').unwrap()) {
        // The program leaves mirror images out later than this project does.
        match (reach.reach(&placement(sfen)), label) {
            (Stage::Unreachable { plies: 0 }, "none-before") => counts[0] += 1,
            (Stage::Unreachable { plies: 1.. }, "unreachable") => counts[1] += 1,
            (stage, label) => panic!("{sfen}: {stage:?} for {label}"),
        }
    }
    assert_eq!(counts, [663, 79]);
}

#[test]
fn a_line_that_goes_round_behind_an_unreachable_position_is_legal_and_the_shortest() {
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let known = [
        ("+b+sGB1/2G2/+PK2P/+S1R+R1/1k3 b - 1", Some(4)),
        ("K2gk/+p1r1r/1p+bg1/1s1+s+b/5 b - 1", Some(4)),
        ("K+p+ps1/s3+r/4+b/3r+b/2g1k b G 1", None),
        // A game leads here.
        ("4k/1+P3/3+s1/5/K4 b 2R2B2GSP 1", None),
    ];
    for (sfen, plies) in known {
        let cycle = reach.cycle(&placement(sfen)).unwrap();
        assert_eq!(cycle.as_ref().map(|cycle| cycle.moves.len()), plies, "{sfen}");
        let Some(cycle) = cycle else { continue };
        let mut position = Position::new(cycle.position).unwrap();
        for mv in cycle.moves {
            assert!(position.legal_moves().contains(&mv), "{sfen}");
            position = position.play(mv).unwrap();
        }
        assert_eq!(*position.placement(), cycle.position, "{sfen}");
    }
    let nodes = Reach::<Minishogi>::new(SearchLimit { nodes: 2 });
    assert!(nodes.cycle(&placement("K2gk/+p1r1r/1p+bg1/1s1+s+b/5 b - 1")).is_err());
}

/// Without any part of the published heuristic, a search that ends has the same answer.
#[test]
fn the_published_search_finds_the_same_without_a_term() {
    use published::{Weights, search};
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let space = Space::<Minishogi>::new().unwrap();
    let (mut decided, mut open) = (0, 0);
    for position in Sampler::new(&space, 5).placements(0..400) {
        let expected = match reach.classify(&position) {
            Stage::Ok => true,
            Stage::Unreachable { .. } => false,
            _ => continue,
        };
        let printed = Weights::MINISHOGI;
        for weights in [
            printed,
            Weights { promoted: 0, ..printed },
            Weights { rank: 0, ..printed },
            Weights { kings: 0, ..printed },
        ] {
            let found = search(&position, weights, 3_000);
            assert!(found.taken <= found.met);
            match found.reached {
                Some(reached) => assert_eq!(reached, expected, "{}", to_sfen(&position)),
                None => open += 1,
            }
            decided += u32::from(found.reached.is_some());
        }
    }
    assert!(decided > 200 && open > 0, "{decided} {open}");
}

/// Ranges begin and end where no batch of samples does.
fn tallies_are_sums_of_labels<R: RuleTable>() {
    let space = Space::<R>::new().unwrap();
    let (sampler, reach) = (Sampler::new(&space, 3), Reach::<R>::new(SearchLimit::default()));
    for range in [0..0, 5..6, 1..64, 64..129, 100..9_001] {
        let mut expected = StageTally::default();
        for position in sampler.placements(range.clone()) {
            expected.record(reach.classify(&position));
        }
        let end = range.end;
        let found = tally_samples(&reach, &sampler, range, |_, _| ControlFlow::Continue(()));
        assert_eq!(found, (end, expected));
    }
}

#[test]
fn tallies_are_sums_of_labels_whatever_the_range() {
    tallies_are_sums_of_labels::<Minishogi>();
    tallies_are_sums_of_labels::<KyotoShogi>();
    tallies_are_sums_of_labels::<Shogi>();
}

#[test]
fn known_depths_of_unreachable_positions() {
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    for (sfen, plies) in
        [("1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1", 8), ("K1kp1/2+s2/g1bg1/+r1sb1/rP3 b - 1", 14)]
    {
        let position = placement(sfen);
        assert_eq!(reach.reach(&position), Stage::Unreachable { plies }, "{sfen}");
        assert_eq!(published::backward_depth(&position), plies, "{sfen}");
        let hub = Hub::new().unwrap();
        let certificate = reach.certify(&hub, &position).unwrap();
        assert_eq!(certificate.verify::<Minishogi>(), Ok(()));
    }
}

#[test]
fn of_a_pair_of_mirror_images_exactly_one_passes_flip() {
    let space = Space::<Minishogi>::new().unwrap();
    let mut symmetric = 0;
    for position in Sampler::new(&space, 3).placements(0..50_000) {
        let mirror = position.mirror();
        if mirror == position {
            symmetric += 1;
            assert!(passes_flip(&position));
        } else {
            assert_ne!(passes_flip(&position), passes_flip(&mirror), "{}", to_sfen(&position));
        }
        assert_eq!(passes_pawn(&position), passes_pawn(&mirror));
        assert_eq!(passes_king(&position), passes_king(&mirror));
    }
    let bare = placement("2k2/5/5/5/2K2 b 2R2B2G2S2P 1");
    assert!(symmetric < 10 && passes_flip(&bare) && is_hub(&bare));
}

#[test]
fn the_mirror_image_and_the_exchange_of_colours_keep_the_label() {
    let space = Space::<Minishogi>::new().unwrap();
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    for position in Sampler::new(&space, 11).placements(0..20_000) {
        if passes_pawn(&position) && passes_king(&position) {
            let (label, decided) = (reach.reach(&position), reach.decide(&position));
            for image in [position.mirror(), position.exchange_colours()] {
                assert_eq!(reach.reach(&image), label, "{}", to_sfen(&position));
                assert_eq!(reach.decide(&image), decided, "{}", to_sfen(&position));
            }
        }
    }
}

#[test]
fn a_limit_gives_unknown_never_a_wrong_label() {
    let reach = Reach::<Minishogi>::new(SearchLimit { nodes: 1 });
    let full = Reach::<Minishogi>::new(SearchLimit::default());
    let space = Space::<Minishogi>::new().unwrap();
    let deep = placement("K1kp1/2+s2/g1bg1/+r1sb1/rP3 b - 1");
    assert_eq!(reach.reach(&deep), Stage::Unknown);
    for position in Sampler::new(&space, 5).placements(0..20_000) {
        let limited = reach.classify(&position);
        assert!(limited == Stage::Unknown || limited == full.classify(&position));
    }
}

/// A game and a closed set, to be damaged.
fn certificates() -> (Certificate, Certificate) {
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let hub = Hub::new().unwrap();
    let certify = |sfen| reach.certify(&hub, &placement(sfen)).unwrap();
    (certify("+sk3/3+pr/1BK1+R/g+P2s/2Bg1 b - 1"), certify("1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1"))
}

#[test]
fn damaged_games_are_refuted() {
    let (game, _) = certificates();
    assert_eq!(game.verify::<Minishogi>(), Ok(()));
    let Certificate::Game { version, variant, sfen, moves } = game else { panic!("a game") };
    let refuted = |sfen: &str, moves: Vec<String>, variant: &str, version| {
        let (sfen, variant) = (sfen.to_owned(), variant.to_owned());
        let damaged = Certificate::Game { version, variant, sfen, moves };
        assert!(damaged.verify::<Minishogi>().is_err(), "{damaged:?}");
    };
    for ply in 0..moves.len() {
        let mut dropped = moves.clone();
        dropped.remove(ply);
        refuted(&sfen, dropped, &variant, version);
        let mut unreadable = moves.clone();
        unreadable[ply] = "9z9z".to_owned();
        refuted(&sfen, unreadable, &variant, version);
    }
    for ply in 1..moves.len() {
        let mut swapped = moves.clone();
        swapped.swap(ply - 1, ply);
        refuted(&sfen, swapped, &variant, version);
    }
    refuted("+sk3/3+pr/1BK1+R/g+P2s/2Bg1 w - 1", moves.clone(), &variant, version);
    refuted("nonsense", moves.clone(), &variant, version);
    refuted(&sfen, moves.clone(), "shogi", version);
    refuted(&sfen, moves, &variant, version + 1);
}

#[test]
fn damaged_closed_sets_are_refuted() {
    let (_, closed) = certificates();
    assert_eq!(closed.verify::<Minishogi>(), Ok(()));
    let Certificate::Closed { version, variant, sfen, plies, predecessors } = closed else {
        panic!("a closed set")
    };
    let refuted = |plies, predecessors| {
        let (variant, sfen) = (variant.clone(), sfen.clone());
        let damaged = Certificate::Closed { version, variant, sfen, plies, predecessors };
        assert!(damaged.verify::<Minishogi>().is_err(), "{damaged:?}");
    };
    for layer in 0..predecessors.len() {
        for position in 0..predecessors[layer].len() {
            let mut dropped = predecessors.clone();
            let one = dropped[layer].remove(position);
            refuted(plies, dropped.clone());
            let last = dropped.len() - 1;
            dropped[last].push(one);
            if layer != last {
                refuted(plies, dropped);
            }
        }
    }
    let mut extra = predecessors.clone();
    extra[0].push("rbsgk/4p/5/P4/KGSBR b - 1".to_owned());
    refuted(plies, extra);
    refuted(plies + 1, predecessors.clone());
    refuted(0, Vec::new());
}
