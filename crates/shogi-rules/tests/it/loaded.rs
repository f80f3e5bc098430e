//! Rule sets read at run time: against the compiled ones, against published numbers, and with random
//! boards, movements and switches against the naive oracle.

use std::fs;
use std::path::Path;

use shogi_rules::shogi_core::{
    Bitboard, Direction, Drops, KindRules, KindSpec, Lookup, Move, Movement, Position, Promotion,
    RaysAndJumps, Region, Role, RuleTable, SpecFault, TableSpec, checks, perft,
};
use shogi_rules::text::Definition;
use shogi_rules::threads::spawn;
use shogi_rules::{
    Dobutsu, GameResult, KyotoShogi, LargeBoard, LoadError, LoadedRules, MicroShogi, Minishogi,
    RepetitionRule, RuleSpec, Rules, Shogi, Shogi34, SmallBoard, Stalemate, ToriShogi, Verdict,
    Violations, mate_in_one, parse_position, parse_usi, rules_text, to_sfen, to_usi, violations,
};
use testing::random::Random;
use testing::sample::{Style, legal};

use crate::{differential, game_random as goal, mate, notation, unmoves};

/// Runs a block with `R` as the type of a loaded rule set, entered.
macro_rules! with {
    ($rules:expr, $type:ident => $block:block) => {{
        let rules: LoadedRules = $rules;
        rules.within(|| {
            if rules.is_small() {
                type $type = SmallBoard;
                $block
            } else {
                type $type = LargeBoard;
                $block
            }
        })
    }};
}

fn loaded<R: Rules>() -> LoadedRules {
    LoadedRules::new(Definition::of::<R>(R::NAME).unwrap().rules).unwrap()
}

/// All results of move generation in a position, as text.
fn described<R: Rules>(position: &Position<R>) -> Vec<String> {
    let mut texts: Vec<String> =
        position.legal_moves().iter().map(|&mv| to_usi(mv).to_string()).collect();
    texts.sort_unstable();
    let mut checking: Vec<String> =
        checks(position).iter().map(|&mv| to_usi(mv).to_string()).collect();
    checking.sort_unstable();
    texts.push(format!("checks {}", checking.join(" ")));
    texts.push(format!("mate in one {}", mate_in_one(position).is_some()));
    texts.push(format!("verdict {:?}", R::verdict(position)));
    let mut before: Vec<String> =
        position.predecessors().iter().map(|(_, before)| to_sfen(before)).collect();
    before.sort_unstable();
    texts.extend(before);
    texts
}

/// A compiled rule set and the same one loaded agree on random positions.
fn agrees_with_itself<R: Rules>(positions: usize) {
    let rules = loaded::<R>();
    let mut random = Random::new(11);
    for _ in 0..positions {
        let style = random.pick(&Style::ALL);
        let position = legal::<R>(&mut random, style);
        let sfen = to_sfen(&position);
        let found = with!(rules, L => { described(&parse_position::<L>(&sfen).unwrap()) });
        assert_eq!(found, described(&position), "{sfen}");
    }
    let start = R::start();
    let (text, nodes) = with!(rules, L => { (rules_text::<L>(), perft(&L::start(), 3)) });
    assert_eq!(nodes, perft(&start, 3));
    assert_eq!(text, rules_text::<R>());
}

#[test]
fn a_loaded_rule_set_is_the_compiled_one() {
    agrees_with_itself::<Minishogi>(300);
    agrees_with_itself::<KyotoShogi>(300);
    agrees_with_itself::<Shogi34>(300);
    agrees_with_itself::<Dobutsu>(300);
    agrees_with_itself::<MicroShogi>(300);
    agrees_with_itself::<ToriShogi>(100);
    agrees_with_itself::<Shogi>(60);
}

/// Numbers of move sequences on which Fairy-Stockfish and a plain generator agree, those of Whale
/// shogi by the plain generator alone.
#[test]
fn texts_of_games_have_the_published_numbers_of_move_sequences() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let games = "crates/shogi-rules/src/text/games";
    for (folder, name, expected) in [
        (games, "gorogoro", [16, 250, 4166, 67517]),
        (games, "gorogoroplus", [39, 1438, 44436, 1_330_443]),
        ("variants", "judkins", [20, 336, 6183, 118_345]),
        (games, "micro", [9, 80, 767, 7256]),
        (games, "torishogi", [17, 288, 5430, 103_857]),
        ("variants", "euroshogi", [25, 625, 15424, 380_499]),
        ("variants", "yarishogi", [20, 400, 7960, 158_404]),
        ("variants", "whale", [7, 49, 398, 3230]),
    ] {
        let path = root.join(folder).join(format!("{name}.toml"));
        let Ok(text) = fs::read_to_string(&path) else {
            panic!("{} is missing", path.display());
        };
        let rules = LoadedRules::new(Definition::parse(&text).unwrap().rules).unwrap();
        let found = with!(rules, L => {
            let start = L::start();
            [1, 2, 3, 4].map(|depth| perft(&start, depth))
        });
        assert_eq!(found, expected, "{name}");
    }
}

/// The games that come as texts, and those of the folder of variants.
fn texts_of_games() -> Vec<LoadedRules> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut games = Vec::new();
    for folder in ["crates/shogi-rules/src/text/games", "variants"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let text = fs::read_to_string(&path).unwrap();
                let rules = Definition::parse(&text).unwrap().rules;
                games.push(LoadedRules::new(rules).unwrap());
            }
        }
    }
    games
}

#[test]
fn games_of_texts_are_read_back_in_both_dialects() {
    let mut random = Random::new(16);
    let games = texts_of_games();
    assert!(games.len() >= 8);
    for rules in games {
        with!(rules, L => { notation::games_are_read_back::<L>(&mut random, 5) });
    }
    for _ in 0..20 {
        let (width, height) = (3 + random.below(9) as u8, 3 + random.below(6) as u8);
        let rules = random_rules(&mut random, width, height, None);
        with!(rules, L => { notation::games_are_read_back::<L>(&mut random, 2) });
    }
}

#[test]
fn moves_on_boards_of_nine_to_twelve_files_are_read_as_they_are_written() {
    for files in 9..=12 {
        let text = format!(
            "name = \"wide\"\nstart = \"{}k/{files}/K{} b R 1\"\n[pieces]\nR = {{ front = \"rook\" }}\nK = {{ front = \"king\", royal = true }}\n",
            files - 1,
            files - 1,
        );
        let rules = LoadedRules::new(Definition::parse(&text).unwrap().rules).unwrap();
        let mut targets = with!(rules, L => {
            let start = L::start();
            let moves = start.legal_moves();
            for &mv in &moves {
                assert_eq!(parse_usi::<L>(&to_usi(mv)), Ok(mv), "{files} files: {}", to_usi(mv));
            }
            moves.iter().map(|&mv| to_usi(mv)).filter(|mv| mv.starts_with("R*")).collect::<Vec<_>>()
        });
        targets.sort();
        // Every square but those of the kings, by its file and rank.
        let squares =
            (1..=files).flat_map(|file| ["a", "b", "c"].map(|rank| format!("R*{file}{rank}")));
        let mut expected: Vec<_> =
            squares.filter(|mv| !["R*1a".to_owned(), format!("R*{files}c")].contains(mv)).collect();
        expected.sort();
        assert_eq!(targets, expected);
    }
}

/// A random set of rays and jumps that is not empty.
fn random_reach(random: &mut Random) -> RaysAndJumps {
    loop {
        let mut reach = RaysAndJumps::NONE;
        for direction in Direction::ALL {
            let range = random.pick(&[0, 0, 0, 1, 1, 2, 3, RaysAndJumps::FAR]);
            reach = reach.with_ray(direction, range);
        }
        for _ in 0..random.below(3) {
            let (forward, right) = (random.below(7) as i8 - 3, random.below(7) as i8 - 3);
            reach = reach.with_jump(forward, right).unwrap_or(reach);
        }
        if !reach.is_empty() {
            return reach;
        }
    }
}

fn random_movement(random: &mut Random) -> Movement {
    let named = [Movement::SILVER, Movement::LANCE, Movement::KNIGHT, Movement::HORSE];
    if random.percent(25) { random.pick(&named) } else { Movement::of(random_reach(random)) }
}

/// A pawn: mostly the usual one, else one that stays on its file by other steps.
fn random_pawn(random: &mut Random) -> KindSpec {
    let back = random.percent(80).then(|| random_movement(random));
    let mut pawn = KindSpec::pawn('P', 4, back);
    if random.percent(40) {
        let mut reach = RaysAndJumps::NONE
            .with_ray(Direction::North, random.pick(&[0, 1, 2, RaysAndJumps::FAR]));
        reach = reach.with_jump(random.pick(&[2, 3]), 0).unwrap();
        pawn.front = Movement::of(reach);
    }
    pawn
}

/// A random rule table on a board of this size.
fn random_table(random: &mut Random, width: u8, height: u8) -> TableSpec {
    let mut kinds = vec![random_pawn(random)];
    for letter in ['A', 'B', 'C', 'D'].into_iter().take(1 + random.below(4)) {
        let back = random.percent(60).then(|| random_movement(random));
        kinds.push(KindSpec::new(letter, 2, random_movement(random), back));
    }
    for kind in &mut kinds {
        let drops = random.pick(&[Drops::Front, Drops::Front, Drops::Either, Drops::Back]);
        if kind.back.is_some() {
            kind.drops = drops;
        }
    }
    let royal = KindSpec::royal('K');
    let odd = random.percent(40);
    kinds.push(if odd { KindSpec { front: random_movement(random), ..royal } } else { royal });
    let promotion = random.pick(&[
        Promotion::Optional,
        Promotion::Forced,
        Promotion::EveryMove,
        Promotion::OnCapture,
        Promotion::Never,
    ]);
    let turning = matches!(promotion, Promotion::EveryMove | Promotion::OnCapture);
    let limit = random.pick(&[Some(1), Some(1), Some(2), None]);
    TableSpec {
        promotion,
        zone: random.below(usize::from(height) / 2 + 1) as u8,
        pawns_on_a_file: limit.filter(|_| !turning),
        allows_drop_pawn_mate: random.percent(30),
        allows_immobile: random.percent(30),
        allows_immobile_drops: random.percent(30),
        ..TableSpec::new(width, height, kinds)
    }
}

/// Random rules of single kinds besides their movements, with at least one of each sort among several tables.
fn random_extras(random: &mut Random, table: &TableSpec) -> Vec<KindRules> {
    let all = u128::MAX >> (128 - table.area());
    let region = |random: &mut Random, missing: usize| {
        let gone = (0..missing).fold(0, |gone, _| gone | 1 << random.below(table.area()));
        Region::of_word(all & !gone)
    };
    let mut rules = |kind: &KindSpec| {
        let mut own = KindRules::default();
        let is_pawn = kind.role == Role::Pawn;
        for (face, captures) in own.captures.iter_mut().enumerate() {
            let exists = face == 0 && !is_pawn || face == 1 && kind.back.is_some();
            *captures = (exists && random.percent(50)).then(|| match random.percent(20) {
                true => Movement::of(RaysAndJumps::NONE),
                false => random_movement(random),
            });
        }
        own.region = random.percent(25).then(|| region(random, 1 + table.area() / 5));
        if kind.role == Role::Royal {
            // Both kings start in a corner.
            own.region =
                own.region.map(|region| Region::of_word(region.word() | 1 << (table.area() - 1)));
        } else {
            own.drop_region = random.percent(30).then(|| region(random, table.area() / 2));
        }
        own
    };
    table.kinds.iter().map(&mut rules).collect()
}

/// A rule set with kings alone at its start.
fn with_table(table: TableSpec) -> LoadedRules {
    starting_with_kings(table).unwrap()
}

/// The same, unless the kings of such a table may not stand where they start.
fn starting_with_kings(table: TableSpec) -> Result<LoadedRules, LoadError> {
    let (others, between) = (table.width - 1, table.height - 2);
    let ranks = format!("{}/", table.width).repeat(between.into());
    let others = if others == 0 { String::new() } else { others.to_string() };
    let start = format!("k{others}/{ranks}{others}K b - 1");
    let (repetition, impasse) = (RepetitionRule::SENNICHITE, None);
    let (name, stalemate) = ("random".to_owned(), Stalemate::Draw);
    LoadedRules::new(RuleSpec { name, start, table, repetition, stalemate, impasse })
}

/// A rule set with a random table on a board of this size, with kings to capture where there is a goal.
fn random_rules(random: &mut Random, width: u8, height: u8, goal: Option<u8>) -> LoadedRules {
    random_rules_with(random, width, height, goal, |_, _| {})
}

/// The same, after a change of the table.
fn random_rules_with(
    random: &mut Random,
    width: u8,
    height: u8,
    goal: Option<u8>,
    change: impl Fn(&mut Random, &mut TableSpec),
) -> LoadedRules {
    loop {
        let mut table = TableSpec { goal, ..random_table(random, width, height) };
        change(random, &mut table);
        println!("{table:?}");
        match starting_with_kings(table) {
            Ok(rules) => return rules,
            // A king that cannot leave its corner, or that attacks the other from there.
            Err(error) => assert!(matches!(error, LoadError::Start(_)), "{error}"),
        }
    }
}

/// The contents of a sample of random rule tables.
#[derive(Default, Debug)]
struct Tally {
    moves: differential::Tally,
    unmoves: unmoves::Tally,
    checking: usize,
    mates_in_one: usize,
    /// Moves of a king to where it could never move again.
    dead_ends_of_kings: usize,
    /// Positions in which a royal piece has won or was captured.
    decided: usize,
}

impl Tally {
    fn compare<R: Rules>(&mut self, position: &Position<R>) {
        self.moves.compare(position);
        let ended = goal::decided(position.placement());
        assert_eq!(R::is_over(position), ended.is_some(), "{position:?}");
        match ended {
            None => self.compare_checks(position),
            Some(_) => {
                assert_eq!(R::ending(position), ended, "{position:?}");
                self.decided += 1;
            }
        }
        for mv in testing::naive::Board::from(position.placement()).candidates() {
            let mv = mv.into();
            let broken = violations(position, mv);
            assert_eq!(broken.is_empty(), position.is_legal(mv), "{mv:?}: {broken}");
            let royal = |from| position.royals().contains(from);
            let by_king = matches!(mv, Move::Board { from, .. } if royal(from));
            let stuck = broken == Violations::IMMOBILE;
            self.dead_ends_of_kings += usize::from(by_king && stuck);
        }
        self.unmoves.assert_sound(position.placement());
        unmoves::assert_complete(position.placement());
    }

    fn compare_checks<R: Rules>(&mut self, position: &Position<R>) {
        let gives_check = |&mv: &Move<R>| {
            let next = position.play_unchecked(mv);
            next.is_check() || next.king(next.side()).is_none()
        };
        let mut expected: Vec<_> = position.legal_moves().into_iter().filter(gives_check).collect();
        let mut found = checks(position);
        Move::sort(&mut expected);
        Move::sort(&mut found);
        assert_eq!(found, expected, "{position:?}");
        self.checking += found.len();
        let mate = mate_in_one(position);
        assert_eq!(mate, mate::tried(position), "{position:?}");
        self.mates_in_one += usize::from(mate.is_some());
    }

    /// Compares scattered positions and those some random moves on from them.
    fn play<R: Rules>(&mut self, random: &mut Random, positions: usize) {
        for _ in 0..positions {
            let style = random.pick(&Style::ALL);
            let mut position = legal::<R>(random, style);
            for _ in 0..3 {
                self.compare(&position);
                let moves = position.legal_moves();
                // Play on after the end would lead to positions of no game.
                if moves.is_empty() || R::is_over(&position) {
                    break;
                }
                position = position.play_unchecked(random.pick(&moves));
            }
        }
    }

    fn assert_at_stake(&self) {
        let moves = &self.moves;
        let counts = [
            moves.checks,
            moves.mates,
            moves.immobile,
            moves.nifu,
            moves.king_left_in_check,
            moves.drop_pawn_mates,
            self.checking,
            self.mates_in_one,
            self.dead_ends_of_kings,
            self.unmoves.undrops,
            self.unmoves.unturns,
        ];
        let enough = moves.stalemates > 0 && counts.into_iter().all(|count| count >= 10);
        assert!(enough, "{self:#?}");
    }
}

#[test]
fn random_tables_agree_with_the_rules_read_aloud() {
    let mut tally = Tally::default();
    let mut random = Random::new(12);
    for _ in 0..60 {
        let (width, height) = (3 + random.below(4) as u8, 3 + random.below(4) as u8);
        let rules = random_rules(&mut random, width, height, None);
        with!(rules, L => { tally.play::<L>(&mut random, 8) });
    }
    tally.assert_at_stake();
}

#[test]
fn random_tables_with_royal_pieces_to_capture_agree_with_the_rules_read_aloud() {
    let mut tally = Tally::default();
    let mut random = Random::new(14);
    for _ in 0..40 {
        let (width, height) = (3 + random.below(4) as u8, 3 + random.below(4) as u8);
        let goal = Some(random.below(3) as u8);
        let rules = random_rules(&mut random, width, height, goal);
        with!(rules, L => { tally.play::<L>(&mut random, 8) });
    }
    let counts = [tally.checking, tally.mates_in_one, tally.decided, tally.unmoves.undrops];
    let never = [tally.moves.king_left_in_check, tally.moves.drop_pawn_mates];
    assert!(tally.dead_ends_of_kings >= 10, "{tally:#?}");
    assert!(counts.into_iter().all(|count| count >= 50) && never == [0, 0], "{tally:#?}");
}

/// A table with rules of single kinds; one of its kinds may be one that never moves.
fn with_extras(random: &mut Random, table: &mut TableSpec) {
    table.extras = random_extras(random, table);
    if random.percent(30) {
        let stone = 1 + random.below(table.kinds.len() - 2);
        table.kinds[stone].front = Movement::of(RaysAndJumps::NONE);
        table.extras[stone].captures[0] = None;
    }
}

#[test]
fn random_tables_with_rules_of_single_kinds_agree_with_the_rules_read_aloud() {
    let mut tally = Tally::default();
    let mut random = Random::new(15);
    // A program loads a limited number of rule sets, and other tests load some, too.
    for goal in [None, Some(1)] {
        for _ in 0..12 {
            let (width, height) = (3 + random.below(4) as u8, 3 + random.below(4) as u8);
            let rules = random_rules_with(&mut random, width, height, goal, with_extras);
            with!(rules, L => { tally.play::<L>(&mut random, 24) });
        }
    }
    let moves = &tally.moves;
    let counts = [moves.checks, moves.mates, moves.immobile, moves.king_left_in_check];
    let unmoved =
        [tally.unmoves.undrops, tally.unmoves.unturns, tally.checking, tally.mates_in_one];
    assert!(counts.into_iter().chain(unmoved).all(|count| count >= 20), "{tally:#?}");
}

/// A table with rules on facing kings, on captures and on a goal of kings that must be safe.
fn with_duties(random: &mut Random, table: &mut TableSpec) {
    table.must_capture = random.percent(50);
    if table.goal.is_none() {
        table.forbids_facing_kings = random.percent(60);
        table.safe_goal = random.pick(&[0, 0, 1, 2]);
    }
}

#[test]
fn random_tables_with_duties_agree_with_the_rules_read_aloud() {
    let mut tally = Tally::default();
    let mut random = Random::new(16);
    for goal in [None, None, Some(1)] {
        for _ in 0..8 {
            let (width, height) = (3 + random.below(4) as u8, 3 + random.below(4) as u8);
            let rules = random_rules_with(&mut random, width, height, goal, with_duties);
            with!(rules, L => { tally.play::<L>(&mut random, 24) });
        }
    }
    let counts = [tally.checking, tally.mates_in_one, tally.moves.duties, tally.decided];
    assert!(counts.into_iter().all(|count| count >= 50), "{tally:#?}");
}

#[test]
fn unmoves_invert_the_moves_of_kinds_with_rules_of_their_own_in_all_positions() {
    let region = |text| Some(Region::parse(text, 3, 3).unwrap());
    let pawn = KindSpec::new('P', 1, Movement::PAWN, Some(Movement::GOLD));
    let pawn_rules = KindRules {
        captures: [Some(Movement::of(RaysAndJumps::NONE.with_step(Direction::NorthEast))), None],
        drop_region: region("*b *c"),
        ..KindRules::default()
    };
    let stone = KindSpec::new('S', 1, Movement::of(RaysAndJumps::NONE), None);
    let rook = KindSpec::new('R', 1, Movement::ROOK, None);
    let rook_rules = KindRules { region: region("*a 3b 1b 2c"), ..KindRules::default() };
    let king_rules = KindRules { region: region("*a *b 1c 2c 3c"), ..KindRules::default() };
    for (kinds, extras) in [
        (vec![pawn, rook, KindSpec::royal('K')], vec![pawn_rules, rook_rules]),
        (
            vec![stone, pawn, KindSpec::royal('K')],
            vec![KindRules::default(), pawn_rules, king_rules],
        ),
    ] {
        let table = TableSpec { extras, ..TableSpec::new(3, 3, kinds) };
        let rules = with_table(table);
        let tally = rules.within(|| unmoves::assert_inverse::<SmallBoard>(1_000));
        assert!(tally.undrops > 100 && tally.unmoves > 1_000, "{tally:?}");
    }
    let kinds = vec![pawn, rook, KindSpec::royal('K')];
    let plain = TableSpec::new(3, 3, kinds);
    for table in [
        TableSpec { forbids_facing_kings: true, ..plain.clone() },
        TableSpec { must_capture: true, ..plain.clone() },
    ] {
        let rules = with_table(table);
        let tally = rules.within(|| unmoves::assert_inverse::<SmallBoard>(1_000));
        assert!(tally.undrops > 100 && tally.unmoves > 1_000, "{tally:?}");
    }
}

#[test]
fn random_tables_on_large_boards_agree_with_the_rules_read_aloud() {
    let mut tally = Tally::default();
    let mut random = Random::new(13);
    for (width, height) in [(9, 9), (11, 11), (8, 9), (10, 7)] {
        let rules = random_rules(&mut random, width, height, None);
        with!(rules, L => { tally.play::<L>(&mut random, 4) });
    }
    assert!(tally.moves.positions > 30 && tally.checking > 10, "{tally:#?}");
}

/// A game of one's own whose king only steps forward, as a text has it.
const STEPPING_KINGS: &str = r#"
name = "race"
start = "k1p/3/3/3/3/3/P1K b - 1"
[pieces]
P = { front = "gold" }
K = { front = "step F FL FR", royal = true }
"#;

#[test]
fn a_king_does_not_step_where_it_could_never_move_again() {
    let rules = LoadedRules::new(Definition::parse(STEPPING_KINGS).unwrap().rules).unwrap();
    rules.within(|| {
        let position: Position<SmallBoard> = "2p/K2/3/3/3/2k/P2 b - 1".parse().unwrap();
        let moves: Vec<String> = position.legal_moves().iter().map(|&mv| to_usi(mv)).collect();
        assert_eq!(moves, ["3g3f", "3g2f", "3g2g"]);
        assert_eq!((perft(&position, 1), position.has_no_move()), (3, false));
        let error = position.play("3b3a".parse().unwrap()).unwrap_err();
        assert_eq!(error.broken, Violations::IMMOBILE);
        // With no other piece there is nothing left to do.
        let alone: Position<SmallBoard> = "3/K2/3/3/3/2k/3 b - 1".parse().unwrap();
        assert!(alone.has_no_move() && alone.legal_moves().is_empty());
        assert!("K2/3/3/3/3/2k/3 w - 1".parse::<Position<SmallBoard>>().is_err());
    });
}

#[test]
fn boards_of_all_shapes_with_up_to_128_squares_are_played_on() {
    let kinds = || vec![KindSpec::new('R', 2, Movement::ROOK, None), KindSpec::royal('K')];
    for (width, height) in [(1, 3), (42, 3), (8, 15), (16, 8), (2, 15), (1, 15)] {
        with!(with_table(TableSpec::new(width, height, kinds())), L => {
            assert_eq!(Bitboard::<<L as RuleTable>::Geometry>::all().len() as usize, usize::from(width) * usize::from(height));
            let start = L::start();
            let mut stepped = start.legal_moves().len();
            stepped += usize::from(start.has_no_move());
            assert!(stepped > 0 && stepped <= 8, "{width} by {height}: {start:?}");
        });
    }
}

#[test]
fn several_rule_sets_are_in_use_at_once() {
    let (minishogi, shogi, kyoto) =
        (loaded::<Minishogi>(), loaded::<Shogi>(), loaded::<KyotoShogi>());
    assert_eq!((loaded::<Minishogi>(), LoadedRules::entered()), (minishogi, None));
    let count = || match LoadedRules::entered() {
        Some(rules) if rules.is_small() => (SmallBoard::name(), SmallBoard::start().count_moves()),
        _ => (LargeBoard::name(), LargeBoard::start().count_moves()),
    };
    let expected = [("minishogi", 14), ("shogi", 30), ("kyotoshogi", 12)];
    std::thread::scope(|scope| {
        for (rules, expected) in [minishogi, shogi, kyoto].into_iter().zip(expected) {
            scope.spawn(move || {
                for _ in 0..200 {
                    assert_eq!(rules.within(count), expected);
                }
            });
        }
    });
    minishogi.within(|| {
        shogi.within(|| {
            let elsewhere = spawn("count", count).unwrap().join().unwrap();
            assert_eq!((count(), elsewhere), (expected[1], expected[1]));
        });
        assert_eq!(count(), expected[0]);
    });
    assert_eq!(LoadedRules::entered(), None);
}

#[test]
fn stalemate_is_drawn_where_the_rules_say_so() {
    let kings = || vec![KindSpec::new('R', 2, Movement::ROOK, None), KindSpec::royal('K')];
    let rules = with_table(TableSpec::new(3, 4, kings()));
    rules.within(|| {
        // The rook takes the squares beside the king, the other king those before it.
        let stuck = parse_position::<SmallBoard>("k2/1R1/1K1/3 w - 1").unwrap();
        let mated = parse_position::<SmallBoard>("k1R/3/1K1/3 w - 1").unwrap();
        assert!(stuck.has_no_move() && mated.count_moves() <= 1);
        assert_eq!(SmallBoard::verdict(&stuck), Some(Verdict::Draw));
        assert_eq!(SmallBoard::ending(&stuck).unwrap().result, GameResult::Draw);
    });
}

#[test]
fn rule_sets_with_faults_are_refused_with_all_reasons() {
    let pawn = KindSpec::pawn('P', 2, Some(Movement::GOLD));
    let table = TableSpec {
        promotion: Promotion::EveryMove,
        zone: 5,
        goal: Some(4),
        ..TableSpec::new(43, 3, vec![pawn, KindSpec { drops: Drops::Back, ..pawn }])
    };
    let faults = table.faults();
    assert_eq!(
        faults,
        [
            SpecFault::Board { width: 43, height: 3 },
            SpecFault::Zone { zone: 5, height: 3 },
            SpecFault::Goal { goal: 4, height: 3 },
            SpecFault::Royals(0),
            SpecFault::SameLetter('P'),
            SpecFault::TurningPawns,
        ]
    );
    assert_eq!(Lookup::<u128>::leaked(table.clone()).unwrap_err(), faults);
    let mut spec = Definition::of::<Minishogi>("Minishogi").unwrap().rules;
    spec.start = "4k/5/5/5/K3k b - 1".to_owned();
    assert!(matches!(LoadedRules::new(spec.clone()), Err(LoadError::Start(_))));
    spec.table = table;
    assert_eq!(LoadedRules::new(spec), Err(LoadError::Table(faults)));
}

#[test]
fn the_goal_of_a_text_is_part_of_the_name_of_its_rules() {
    let dobutsu = Definition::of::<Dobutsu>("Dobutsu shogi").unwrap().rules;
    for (name, goal, last) in [
        ("dobutsu", Some(1), "impasse no"),
        ("dobutsu", Some(0), "goal 0"),
        ("dobutsu", Some(2), "goal 2"),
        ("lions", Some(0), "impasse no"),
        ("lions", Some(1), "goal 1"),
    ] {
        let table = TableSpec { goal, ..dobutsu.table.clone() };
        let spec = RuleSpec { name: name.to_owned(), table, ..dobutsu.clone() };
        let text = with!(LoadedRules::new(spec).unwrap(), L => { rules_text::<L>() });
        assert_eq!(text.lines().next_back(), Some(last), "{text}");
    }
}
