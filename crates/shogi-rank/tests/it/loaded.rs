//! Rule sets that are read at run time: the same numbers as the compiled ones, and a reason where there are none.

use shogi_core::{NotClassic, RuleTable, check_classic, check_countable};
use shogi_rank::{
    Checks, Counts, KingLegal, PawnLegal, Ranking, Sampler, Space, Strata, by_hand, by_hand_of,
};
use shogi_rules::text::{BUILT_IN, Definition, TextVariant};
use shogi_rules::{
    Gorogoro, GorogoroPlus, Judkins, KyotoShogi, LargeBoard, LoadedRules, Minishogi, Rules, Shogi,
    SmallBoard, parse_sfen, to_sfen,
};

/// Numbers and texts that stand for a set: its size, and some members with their ranks.
fn described<R: Rules>(set: &impl Ranking<R>) -> Vec<(String, String)> {
    let mut described = vec![(set.size().to_string(), String::new())];
    let sampler = Sampler::new(set, 3);
    for placement in sampler.placements(0..40) {
        let rank = set.rank(&placement).unwrap();
        assert_eq!(set.unrank(&rank).as_ref(), Ok(&placement));
        described.push((rank.to_string(), to_sfen(&placement)));
    }
    described
}

/// All that the crate says of a rule set.
fn all_of<R: Rules>() -> Vec<(String, String)> {
    let space = Space::<R>::new().unwrap();
    let mut all = described(&space);
    all.extend(PawnLegal::<R>::new().map(|set| described(&set)).unwrap_or_default());
    all.extend(KingLegal::<R>::new().map(|set| described(&set)).unwrap_or_default());
    all.push((format!("{:?}", Counts::new::<R>()), format!("{:?}", by_hand::<R>())));
    let start = parse_sfen::<R>(R::start_sfen()).unwrap().0;
    all.push((format!("{:?}", by_hand_of(&start)), space.hand_classes().to_string()));
    let mut classes: Vec<_> = Sampler::new(&space, 5)
        .placements(0..400)
        .filter(|placement| !placement.in_check(!placement.side()))
        .map(|placement| (to_sfen(&placement), Checks::of(&placement).to_string()))
        .collect();
    all.append(&mut classes);
    all
}

/// Calls one of two functions with the rule set entered.
fn within<T>(rules: LoadedRules, small: impl FnOnce() -> T, large: impl FnOnce() -> T) -> T {
    rules.within(|| if rules.is_small() { small() } else { large() })
}

/// A compiled rule set and the same one read at run time have the same numbers.
fn agrees_with_itself<R: Rules>() {
    let rules = LoadedRules::new(Definition::of::<R>(R::NAME).unwrap().rules).unwrap();
    let found = within(rules, all_of::<SmallBoard>, all_of::<LargeBoard>);
    for (found, expected) in found.into_iter().zip(all_of::<R>()) {
        assert_eq!(found, expected, "{}", R::NAME);
    }
}

#[test]
fn minishogi_read_at_run_time_has_the_numbers_of_minishogi() {
    agrees_with_itself::<Minishogi>();
}

#[test]
fn kyoto_shogi_read_at_run_time_has_the_numbers_of_kyoto_shogi() {
    agrees_with_itself::<KyotoShogi>();
}

#[test]
fn shogi_read_at_run_time_has_the_numbers_of_shogi() {
    agrees_with_itself::<Shogi>();
}

#[test]
fn goro_goro_read_at_run_time_has_the_numbers_of_goro_goro() {
    agrees_with_itself::<Gorogoro>();
    agrees_with_itself::<GorogoroPlus>();
}

#[test]
fn judkins_shogi_read_at_run_time_has_the_numbers_of_judkins_shogi() {
    agrees_with_itself::<Judkins>();
}

fn of_text(text: &str) -> LoadedRules {
    TextVariant::load(text).unwrap().rules()
}

/// Two kings, a pawn each and what else is said, on 3x4.
fn small(pieces: &str, other: &str) -> LoadedRules {
    of_text(&format!(
        "name = \"small\"\nstart = \"1k1/1p1/1P1/1K1 b - 1\"\n{other}\n[pieces]\n\
         P = {pieces}\nK = {{ front = \"king\", royal = true }}\n"
    ))
}

#[test]
fn classes_of_a_rule_set_read_at_run_time_are_those_of_the_compiled_one_on_all_threads() {
    let strata = |classes: Vec<(Checks, u128)>| -> Vec<String> {
        classes.iter().map(|(checks, size)| format!("{checks}: {size}")).collect()
    };
    let text = "name = \"small\"\nstart = \"pgk/3/KGP b - 1\"\npromotion.zone = 1\n[pieces]\n\
                P = { front = \"pawn\", back = \"gold\" }\nG = { front = \"gold\" }\n\
                K = { front = \"king\", royal = true }\n";
    let compiled = Strata::<crate::tables::PawnsAndGolds>::new().unwrap();
    let loaded = of_text(text).within(|| {
        let classes = Strata::<SmallBoard>::new().unwrap();
        (classes.excluded(), strata(classes.classes().collect()))
    });
    assert_eq!(loaded, (compiled.excluded(), strata(compiled.classes().collect())));
    assert!(loaded.1.len() > 3, "{loaded:?}");
}

fn refused<R: RuleTable>() -> [Option<NotClassic>; 2] {
    let countable = check_countable::<R>();
    assert_eq!(Space::<R>::new().err(), countable.err());
    assert_eq!(Counts::new::<R>().err(), countable.err());
    if countable.is_err() {
        assert!(PawnLegal::<R>::new().is_none() && KingLegal::<R>::new().is_none());
    }
    if check_classic::<R>().is_err() {
        assert!(Strata::<R>::new().is_none());
    }
    [countable.err(), check_classic::<R>().err()]
}

#[test]
fn uncountable_rules_are_refused_with_the_reason() {
    use NotClassic::*;
    let expect = |rules: LoadedRules, countable, classic| {
        let found = rules.within(refused::<SmallBoard>);
        assert_eq!(found, [countable, classic], "{:?}", rules.spec());
    };
    let pawn = "{ front = \"pawn\", back = \"gold\" }";
    expect(small(pawn, ""), None, None);
    let built_in = |name| of_text(BUILT_IN.iter().find(|game| game.name == name).unwrap().text);
    expect(built_in("gorogoro"), None, None);
    expect(built_in("micro"), None, Some(TurnsOnCapture));
    expect(built_in("torishogi"), Some(Lopsided('L')), Some(Lopsided('L')));
    let either = |reason| (Some(reason), Some(reason));
    let both = |rules, reason| {
        let (countable, classic) = either(reason);
        expect(rules, countable, classic);
    };
    both(small("{ front = \"jump F2R1\" }", "drops.pawns_on_a_file = \"any\""), Lopsided('P'));
    // Checks depend on how pieces move, placements on where they can still move.
    expect(small("{ front = \"slide FL FR up to 2 + step L R\" }", ""), None, Some(Movement('P')));
    both(small(pawn, "drops.pawns_on_a_file = 2"), PawnsOnAFile(2));
    both(small(pawn, "drops.dead_end = \"legal\""), DeadEnds);
    both(small(pawn, "promotion.when = \"never\""), HiddenBack('P'));
    expect(small(pawn, "drops.face = \"back\""), None, Some(Drops));
    let every = "promotion.when = \"every move\"\ndrops.pawns_on_a_file = \"any\"";
    expect(small(pawn, every), None, Some(TurnsAtEveryMove));
    expect(small(pawn, &format!("{every}\ndrops.face = \"either\"")), None, None);
    let royal = of_text(
        "name = \"small\"\nstart = \"1k1/3/3/1K1 b - 1\"\n[pieces]\n\
         K = { front = \"gold\", royal = true }\n",
    );
    expect(royal, None, Some(Royal('K')));
    // On one file a bishop never moves, and named movements are dead on their farthest ranks only.
    let narrow = of_text(
        "name = \"small\"\nstart = \"k/b/1/B/K b - 1\"\nmoves.dead_end = \"legal\"\n\
         drops.dead_end = \"legal\"\n[pieces]\nB = { front = \"bishop\", back = \"horse\" }\n\
         K = { front = \"king\", royal = true }\n",
    );
    both(narrow, DeadSquares('B'));
}

#[test]
fn placements_of_pieces_that_move_like_none_of_standard_shogi_are_counted() {
    // One slides ahead and never from the last rank; the other also steps aside.
    for (piece, dead) in [("slide FL FR up to 2", 1), ("slide FL FR up to 2 + step L R", 0)] {
        let own = small(&format!("{{ front = \"{piece}\", back = \"gold\" }}"), "");
        let (counts, ranks) = own.within(|| {
            let space = Space::<SmallBoard>::new().unwrap();
            for rank in (0..space.size_u64().unwrap()).step_by(997) {
                let placement = space.unrank(rank, shogi_rank::Order::Native).unwrap();
                assert_eq!(space.rank::<u64>(&placement, shogi_rank::Order::Native), Ok(rank));
            }
            let counts = Counts::new::<SmallBoard>().unwrap();
            let mut legal = 0_u64;
            for rank in 0..space.size_u64().unwrap() {
                let placement = space.unrank(rank, shogi_rank::Order::Native).unwrap();
                legal += u64::from(!placement.has_immobile() && !placement.has_nifu());
            }
            (counts, legal)
        });
        assert_eq!(counts.pawn_candidates, ranks.into(), "{piece}, {dead} ranks");
        assert_eq!(
            (counts.king.is_none(), counts.candidates > counts.pawn_candidates),
            (true, dead > 0),
            "{piece}"
        );
    }
}
