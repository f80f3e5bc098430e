//! Reachability in shogi and Kyoto shogi: labels against certificates and against predecessors
//! found by trying everything.

use crate::predecessors;
use testing::games::games;

use predecessors::naive_predecessors;
use shogi_rank::{PawnLegal, Ranking, Sampler, Space};
use shogi_reach::Stage;
use shogi_reach::{Certificate, Hub, Reach, SearchLimit, passes_king, passes_pawn, published};
use shogi_rules::shogi_core::{Colour, Face, Piece, Placement};
use shogi_rules::{KyotoShogi, Minishogi, Rules, Shogi, parse_sfen, to_sfen};

/// Samples that reach the last stage.
pub fn judged<R: Rules>(set: &impl Ranking<R>, seed: u64, samples: u64) -> Vec<Placement<R>> {
    let sampler = Sampler::new(set, seed);
    sampler.placements(0..samples).filter(|p| passes_pawn(p) && passes_king(p)).collect()
}

/// Each label is proved by a certificate, which is verified by the rules.
pub fn labels_are_certified<R: Rules>(positions: &[Placement<R>]) -> [usize; 2] {
    let reach = Reach::<R>::new(SearchLimit::default());
    let hub = Hub::new().unwrap();
    let mut found = [0, 0];
    for position in positions {
        let certificate = reach.certify(&hub, position).unwrap();
        match (&certificate, reach.reach(position)) {
            (Certificate::Game { .. }, Stage::Ok) => found[0] += 1,
            (Certificate::Closed { plies, .. }, Stage::Unreachable { plies: label }) => {
                assert_eq!(*plies, label, "{}", to_sfen(position));
                found[1] += 1;
            }
            (_, stage) => panic!("{stage:?} is not what is proved: {}", to_sfen(position)),
        }
        assert_eq!(certificate.verify::<R>(), Ok(()), "{}", to_sfen(position));
    }
    found
}

/// Positions said to be unreachable have just the predecessors that the label names, and those
/// that have none are said to be unreachable.
pub fn labels_agree_with_naive_predecessors<R: Rules>(positions: &[Placement<R>]) -> usize {
    let reach = Reach::<R>::new(SearchLimit::default());
    let mut unreachable = 0;
    for position in positions {
        let label = reach.reach(position);
        match label {
            Stage::Unreachable { plies } => {
                unreachable += 1;
                assert_eq!(naive_depth(position), plies, "{}", to_sfen(position));
            }
            Stage::Ok => {
                assert!(!naive_predecessors(position).is_empty(), "{}", to_sfen(position));
            }
            other => panic!("{other:?}: {}", to_sfen(position)),
        }
    }
    unreachable
}

/// How many plies a position can be traced back, layer by layer, until nothing new is found.
fn naive_depth<R: Rules>(position: &Placement<R>) -> u32 {
    let mut seen = vec![*position];
    let mut layer = vec![*position];
    for plies in 0..100 {
        let mut next = Vec::new();
        for before in layer.iter().flat_map(naive_predecessors) {
            if !seen.contains(&before) {
                seen.push(before);
                next.push(before);
            }
        }
        if next.is_empty() {
            return plies;
        }
        layer = next;
    }
    panic!("{} can be traced back further", to_sfen(position));
}

#[test]
fn labels_of_shogi_are_certified() {
    let set = PawnLegal::<Shogi>::new().unwrap();
    let [reachable, unreachable] = labels_are_certified(&judged(&set, 21, 1_500));
    assert!(reachable > 250 && unreachable > 100, "{reachable} {unreachable}");
}

#[test]
fn labels_of_kyoto_shogi_are_certified() {
    let space = Space::<KyotoShogi>::new().unwrap();
    let [reachable, unreachable] = labels_are_certified(&judged(&space, 22, 5_000));
    assert!(reachable > 1_500 && unreachable > 150, "{reachable} {unreachable}");
}

#[test]
fn labels_of_shogi_agree_with_naive_predecessors() {
    let set = PawnLegal::<Shogi>::new().unwrap();
    let unreachable = labels_agree_with_naive_predecessors(&judged(&set, 23, 600));
    assert!(unreachable > 40, "{unreachable}");
}

#[test]
fn labels_of_kyoto_shogi_agree_with_naive_predecessors() {
    let space = Space::<KyotoShogi>::new().unwrap();
    let unreachable = labels_agree_with_naive_predecessors(&judged(&space, 24, 8_000));
    assert!(unreachable > 250, "{unreachable}");
}

#[test]
fn labels_of_shogi_agree_with_the_published_algorithm() {
    let set = PawnLegal::<Shogi>::new().unwrap();
    let reach = Reach::<Shogi>::new(SearchLimit::default());
    let agree = |position: &Placement<Shogi>| {
        let label = reach.classify(position);
        assert_eq!(label, published::classify(position), "{}", to_sfen(position));
        label
    };
    let labels: Vec<Stage> = Sampler::new(&set, 27).placements(0..300).map(|p| agree(&p)).collect();
    let reachable = labels.iter().filter(|&&label| label == Stage::Ok).count();
    assert!(reachable > 40, "{reachable}");
    // Nearly none of the whole space gets to the search.
    for position in Sampler::new(&Space::<Shogi>::new().unwrap(), 28).placements(0..1_000) {
        agree(&position);
    }
}

#[test]
fn unmoves_are_the_naive_predecessors() {
    fn agree<R: Rules>(positions: &[Placement<R>]) {
        for position in positions {
            let mut unmoves: Vec<_> = position
                .unmoves()
                .into_iter()
                .map(|u| to_sfen(&position.unmake_unchecked(u)))
                .collect();
            let mut naive: Vec<_> = naive_predecessors(position).iter().map(to_sfen).collect();
            unmoves.sort();
            naive.sort();
            assert_eq!(unmoves, naive, "{}", to_sfen(position));
        }
    }
    agree(&judged(&PawnLegal::<Shogi>::new().unwrap(), 25, 300));
    agree(&judged(&Space::<KyotoShogi>::new().unwrap(), 26, 1_000));
}

/// Every position of random games is reachable, and so is its mirror image, whoever is to move.
fn what_games_lead_to_is_reachable<R: Rules>(number: usize, plies: usize) {
    let reach = Reach::<R>::new(SearchLimit::default());
    let (mut flipped, mut gote) = (0, 0);
    for game in games::<R>(5, number, plies) {
        let placement = game.position().placement();
        for image in [*placement, placement.mirror(), placement.exchange_colours()] {
            assert_eq!(reach.decide(&image), Stage::Ok, "{}", to_sfen(&image));
            flipped += usize::from(reach.classify(&image) == Stage::Flip);
            gote += usize::from(image.side() == Colour::Gote);
        }
    }
    assert!(flipped > 0 && gote > 0, "{flipped} {gote}");
}

#[test]
fn positions_of_random_games_and_their_mirror_images_are_reachable() {
    what_games_lead_to_is_reachable::<Minishogi>(200, 30);
    what_games_lead_to_is_reachable::<KyotoShogi>(100, 31);
    what_games_lead_to_is_reachable::<Shogi>(20, 60);
}

#[test]
fn start_positions_are_reachable() {
    fn is_reachable<R: Rules>() {
        let start = parse_sfen::<R>(R::START).unwrap().0;
        assert_eq!(Reach::<R>::new(SearchLimit::default()).reach(&start), Stage::Ok);
    }
    is_reachable::<Shogi>();
    is_reachable::<KyotoShogi>();
}

#[test]
fn games_on_9x9_lead_through_bare_kings() {
    let reach = Reach::<Shogi>::new(SearchLimit::default());
    let hub = Hub::new().unwrap();
    let start = *hub.start();
    // Without its king's pawn: it has come home again, and the pawn is in the opponent's hand.
    let mut odd = start;
    let pawn = shogi_rules::shogi_core::Square::new(4, 6).unwrap();
    let expected = Piece { face: Face::front(Shogi::PAWN).any(), colour: start.side() };
    assert_eq!(odd.lift(pawn), Some(expected));
    odd.hand_mut(!start.side()).add(Shogi::PAWN.any());
    let Certificate::Game { moves, .. } = reach.certify(&hub, &odd).unwrap() else {
        panic!("it can be reached");
    };
    assert!((100..800).contains(&moves.len()), "{} plies", moves.len());
}

/// Certificates of shogi that are kept: a crowded board, the start position with Gote to move, its
/// mirror image, and the start position with a pawn in the other's hand, each at the end of a game
/// of more than a hundred plies; and a position that no move leads to.
#[test]
fn kept_certificates_hold() {
    let text = include_str!("data/shogi-certificates.jsonl");
    let (mut games, mut closed) = (0, 0);
    for line in text.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).unwrap();
        let certificate = serde_json::from_value(answer["certificate"].clone()).unwrap();
        let verify = |certificate: &Certificate| certificate.verify::<Shogi>();
        assert_eq!(verify(&certificate), Ok(()));
        match certificate {
            Certificate::Game { version, variant, sfen, moves } => {
                games += 1;
                assert!(moves.len() >= 100, "{} plies", moves.len());
                // Each move counts: no game that lacks one leads there.
                for ply in 0..moves.len() {
                    let mut moves = moves.clone();
                    moves.remove(ply);
                    let (variant, sfen) = (variant.clone(), sfen.clone());
                    let shorter = Certificate::Game { version, variant, sfen, moves };
                    assert!(verify(&shorter).is_err(), "without move {}", ply + 1);
                }
            }
            Certificate::Closed { sfen, .. } => {
                closed += 1;
                let (position, _) = parse_sfen::<Shogi>(&sfen).unwrap();
                assert_eq!(naive_depth(&position), 0);
            }
        }
    }
    assert_eq!((games, closed), (4, 1));
}
