//! Games by hand for each way in which a game ends.

use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{
    Dobutsu, EnteringKingRule, Game, GameOver, ImpasseError, ImpasseRule, KyotoShogi, Minishogi,
    Outcome, PlayError, Reason, RepetitionResult, RepetitionRule, Rules, Shogi, Shogi34,
    Violations, parse_position, parse_usi,
};

use Colour::{Gote, Sente};

fn game<R: Rules>(sfen: &str) -> Game<R> {
    Game::new(parse_position(sfen).unwrap())
}

/// A game under the variant's repetition rule with perpetual check changed.
fn with_perpetual_check<R: Rules>(sfen: &str, perpetual_check: bool) -> Game<R> {
    let rule = RepetitionRule { perpetual_check, ..R::REPETITION };
    Game::with_rules(parse_position(sfen).unwrap(), rule, None)
}

/// Plays moves of which none but the last may end the game.
fn play<R: Rules>(game: &mut Game<R>, moves: &str) -> Option<Outcome> {
    for usi in moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "over before {usi}");
        game.play(parse_usi(usi).unwrap()).unwrap_or_else(|error| panic!("{usi}: {error}"));
    }
    game.outcome()
}

/// Plays a round that leads back to the position it starts from, and sees that the game ends just
/// when the position comes up for the `count`-th time.
fn assert_repeats<R: Rules>(mut game: Game<R>, round: &str, count: usize, expected: &str) {
    let start = *game.position();
    for times in 1..count {
        assert_eq!((game.repetitions(), *game.position()), (times, start));
        play(&mut game, round);
    }
    assert_eq!((game.repetitions(), *game.position()), (count, start));
    assert_eq!(game.outcome().map(|outcome| outcome.to_string()).as_deref(), Some(expected));
}

#[test]
fn sennichite_in_each_variant() {
    let round = "1e1d 5a5b 1d1e 5b5a";
    assert_repeats::<Minishogi>(game(Minishogi::START), round, 4, "Gote wins (repetition)");
    let round = "2h3h 8b7b 3h2h 7b8b";
    assert_repeats::<Shogi>(game(Shogi::START), round, 4, "no result (repetition)");
    let round = "3e3d 3a3b 3d3e 3b3a";
    assert_repeats::<KyotoShogi>(game(KyotoShogi::START), round, 4, "draw (repetition)");
    let round = "3d3c 1a1b 3c3d 1b1a";
    assert_repeats::<Shogi34>(game(Shogi34::START), round, 4, "draw (repetition)");
    let round = "1d1c 3a3b 1c1d 3b3a";
    assert_repeats::<Dobutsu>(game(Dobutsu::START), round, 3, "draw (repetition)");
}

#[test]
fn sennichite_by_another_rule() {
    let start = KyotoShogi::start();
    let round = "3e3d 3a3b 3d3e 3b3a ";
    let rule = RepetitionRule { count: 3, result: RepetitionResult::Draw, perpetual_check: false };
    assert_repeats(Game::with_rules(start, rule, None), round, 3, "draw (repetition)");
    let mut endless = Game::with_rules(start, RepetitionRule { count: 0, ..rule }, None);
    assert_eq!(play(&mut endless, &round.repeat(20)), None);
    assert_eq!(endless.repetitions(), 21);
}

/// A position comes up from where it was first reached, not only from the start.
#[test]
fn sennichite_off_the_start() {
    let mut game = game::<Shogi>(Shogi::START);
    play(&mut game, "7g7f 3c3d");
    assert_repeats(game, "2h3h 8b7b 3h2h 7b8b", 4, "no result (repetition)");
}

#[test]
fn another_side_to_move_is_another_position() {
    let mut game = game::<Minishogi>("4k/5/5/5/K4 b - 1");
    let start = *game.position().placement();
    // Sente's king walks a triangle while Gote's goes out and back.
    play(&mut game, "5e5d 1a1b 5d4d 1b1a 4d5e");
    let mut now = *game.position().placement();
    now.set_side(Sente);
    assert_eq!((now, game.repetitions()), (start, 1));
}

#[test]
fn other_hands_are_another_position() {
    let mut game = game::<Minishogi>("4k/5/p4/5/R3K b p 1");
    let start = *game.position().placement();
    // The rook takes the pawn, and Gote drops the other one in its place.
    play(&mut game, "5e5c 1a1b 5c5e 1b2a 1e1d 2a1a 1d1e P*5c");
    let mut now = *game.position().placement();
    now.hand_mut(Sente).take(Minishogi::PAWN.any());
    now.hand_mut(Gote).add(Minishogi::PAWN.any());
    assert_eq!((now, game.repetitions()), (start, 1));
}

#[test]
fn perpetual_check_by_sente() {
    let expected = "Gote wins (perpetual check)";
    let answered = game::<Minishogi>("4k/5/3+R1/5/K4 b - 1");
    assert_repeats(answered, "2c1c 1a2a 1c2c 2a1a", 4, expected);
    // The position that comes up again may also be one in which check is given.
    let given = game::<Minishogi>("4k/5/4+R/5/K4 w - 1");
    assert_repeats(given, "1a2a 1c2c 2a1a 2c1c", 4, expected);
}

/// Gote's dragon chases Sente's king, and both have something else to move.
const CHASE: &str = "4k/5/1+r3/5/K3G w - 1";
const CHECKS: &str = "4c5c 5e4e 5c4c 4e5e ";
const QUIET: &str = "1a2a 1e1d 2a1a 1d1e ";

#[test]
fn perpetual_check_by_gote() {
    assert_repeats::<Minishogi>(game(CHASE), CHECKS, 4, "Sente wins (perpetual check)");
}

/// One quiet round among the checks makes it the ordinary repetition that Sente loses.
#[test]
fn quiet_moves_break_perpetual_check() {
    for quiet_round in 0..3 {
        let mut game = game::<Minishogi>(CHASE);
        for round in 0..3 {
            play(&mut game, if round == quiet_round { QUIET } else { CHECKS });
        }
        assert_eq!(game.outcome(), Some(Outcome::win(Gote, Reason::Repetition)));
    }
    // Quiet moves before the position came up do not.
    let mut game = game::<Minishogi>(CHASE);
    play(&mut game, "1a2a 1e1d");
    assert_repeats(game, CHECKS, 4, "Sente wins (perpetual check)");
}

#[test]
fn perpetual_check_in_other_variants() {
    let mut shogi = game::<Shogi>(Shogi::START);
    play(&mut shogi, "5g5f 5c5d 2h5h 5a5b 5f5e 5b5c 5h5f 5c6d 5f6f");
    assert_repeats(shogi, "6d7d 6f7f 7d6d 7f6f", 4, "Gote wins (perpetual check)");
    // A tokin steps back, becoming a lance, and forward again.
    let (sfen, round) = ("3k1/5/3T1/5/2K2 b - 1", "2c2d+ 2a3b 2d2c+ 3b2a");
    assert_repeats::<KyotoShogi>(game(sfen), round, 4, "Gote wins (perpetual check)");
    let lishogi = with_perpetual_check::<KyotoShogi>(sfen, false);
    assert_repeats(lishogi, round, 4, "draw (repetition)");
    let (sfen, round) = ("lK1/LP1/+b1+P/Sk1 b 2RSbgnp 1", "1c2c 2d1d 2c1c 1d2d");
    assert_repeats::<Shogi34>(game(sfen), round, 4, "draw (repetition)");
    let strict = with_perpetual_check::<Shogi34>(sfen, true);
    assert_repeats(strict, round, 4, "Gote wins (perpetual check)");
}

/// Lions side by side are both attacked all the time: nobody is *the* checking player.
#[test]
fn checks_by_both_are_an_ordinary_repetition() {
    let game = with_perpetual_check::<Dobutsu>("g2/1l1/1L1/2G b - 1", true);
    assert_repeats(game, "1d1c 3a3b 1c1d 3b3a", 3, "draw (repetition)");
}

#[test]
fn mate_and_stalemate() {
    let mut mate = game::<Minishogi>("4k/5/3GP/5/K4 b G 1");
    assert_eq!(play(&mut mate, "G*1b"), Some(Outcome::win(Sente, Reason::Checkmate)));
    let mut stalemate = game::<KyotoShogi>("1+L1sk/3+pn/4L/1+SN2/2K2 b P 1");
    assert_eq!(play(&mut stalemate, "+P*3a"), Some(Outcome::win(Sente, Reason::Stalemate)));
    assert!(!stalemate.position().is_check());
    let expected = Some(Outcome::win(Sente, Reason::Stalemate));
    assert_eq!(play(&mut game::<Minishogi>("4k/5/2G1K/5/5 b - 1"), "3c3b"), expected);
    assert_eq!(play(&mut game::<Shogi34>("2k/3/G1K/3 b - 1"), "3c3b"), expected);
    assert_eq!(play(&mut game::<Shogi>("8k/9/6G1K/9/9/9/9/9/9 b - 1"), "3c3b"), expected);
    // A game that is set up in its last position is over.
    let over = game::<Minishogi>("4k/4G/3G1/5/K4 w - 1");
    assert_eq!(over.outcome(), Some(Outcome::win(Sente, Reason::Checkmate)));
}

#[test]
fn lions() {
    let mut captured = game::<Dobutsu>("1l1/1G1/3/1L1 b - 1");
    assert_eq!(play(&mut captured, "2b2a"), Some(Outcome::win(Sente, Reason::LionCaptured)));
    let mut tried = game::<Dobutsu>("2l/L2/3/3 b - 1");
    assert_eq!(play(&mut tried, "3b3a"), Some(Outcome::win(Sente, Reason::Try)));
    // Attacked on the last rank it is no try, until the attacker goes elsewhere.
    let mut attacked = game::<Dobutsu>("1g1/L1l/3/3 b - 1");
    assert_eq!(play(&mut attacked, "3b3a"), None);
    assert_eq!(play(&mut attacked, "2a2b"), Some(Outcome::win(Sente, Reason::Try)));
    // The giraffe that attacks one lion takes the giraffe that attacks the other.
    let mut both = game::<Dobutsu>("1L1/1g1/1G1/1l1 b - 1");
    assert_eq!(play(&mut both, "2c2b"), Some(Outcome::draw(Reason::BothTries)));
}

/// The rules that a move breaks, and what follows from it.
fn assert_illegal<R: Rules>(sfen: &str, usi: &str, broken: Violations) {
    let mut game = game::<R>(sfen);
    let mv = parse_usi(usi).unwrap();
    let before = game.clone();
    assert_eq!(game.play(mv), Err(PlayError::Illegal(broken)), "{usi}");
    assert_eq!(game, before);
    let loss = Outcome::win(!game.position().side(), Reason::IllegalMove(broken));
    assert_eq!(game.play_as_ruled(mv), Ok(Some(loss)));
    assert_eq!((game.outcome(), game.moves().len()), (Some(loss), 0));
    assert!(game.undo().is_some());
    assert_eq!(game, before);
}

#[test]
fn illegal_moves() {
    assert_illegal::<Shogi>(Shogi::START, "8h2b+", Violations::NO_SUCH_MOVE);
    assert_illegal::<Shogi>(Shogi::START, "5a5b", Violations::NO_SUCH_PIECE);
    assert_illegal::<Shogi>(Shogi::START, "P*5e", Violations::NO_SUCH_PIECE);
    assert_illegal::<Shogi>(Shogi::START, "7g7f+", Violations::WRONG_FACE);
    let both = Violations::NO_SUCH_MOVE | Violations::WRONG_FACE;
    assert_illegal::<Shogi>(Shogi::START, "7g7e+", both);

    assert_illegal::<Minishogi>("4k/5/r4/5/K4 b - 1", "5e5d", Violations::KING_LEFT_IN_CHECK);
    assert_illegal::<Minishogi>("k4/4P/5/5/K4 b - 1", "1b1a", Violations::IMMOBILE);
    assert_illegal::<Minishogi>("k4/5/5/4P/K4 b P 1", "P*1c", Violations::NIFU);
    assert_illegal::<Minishogi>("k4/5/5/5/K4 b P 1", "P*5a", Violations::NO_SUCH_MOVE);
    let both = Violations::NIFU | Violations::KING_LEFT_IN_CHECK;
    assert_illegal::<Minishogi>("4k/5/r4/4P/K4 b P 1", "P*1c", both);
    assert_eq!(both.to_string(), "nifu; the king is left in check");
    let mate = Violations::DROP_PAWN_MATE;
    assert_illegal::<Minishogi>("4k/2G2/4G/5/K4 b P 1", "P*1b", mate);
    assert_illegal::<Minishogi>("4k/4p/K1g2/2P2/2s2 w - 1", "1b1c+", Violations::WRONG_FACE);

    assert_illegal::<KyotoShogi>(KyotoShogi::START, "5e5d", Violations::WRONG_FACE);
    assert_illegal::<KyotoShogi>(KyotoShogi::START, "3e3d+", Violations::WRONG_FACE);
    assert_illegal::<Dobutsu>("3/C1l/3/L2 b - 1", "3b3a", Violations::WRONG_FACE);
}

/// A move that is illegal in one variant is a good move in another.
#[test]
fn legal_elsewhere() {
    let mut kyoto = game::<KyotoShogi>("4k/2G2/4G/5/K4 b P 1");
    assert_eq!(play(&mut kyoto, "P*1b"), Some(Outcome::win(Sente, Reason::Checkmate)));
    let mut dobutsu = game::<Dobutsu>("1l1/3/C2/L2 b C 1");
    assert_eq!(play(&mut dobutsu, "C*3b 2a2b 3b3a+"), None);
}

#[test]
fn resignation_ends_the_game() {
    let mut game = game::<Shogi>(Shogi::START);
    play(&mut game, "7g7f");
    let before = game.clone();
    let outcome = Outcome::win(Gote, Reason::Resignation);
    assert_eq!(game.resign(Sente), Ok(outcome));
    let over = GameOver(outcome);
    let mv = parse_usi("3c3d").unwrap();
    assert_eq!(game.play(mv), Err(PlayError::Over(over)));
    assert_eq!(game.play_as_ruled(mv), Err(over));
    assert_eq!(game.resign(Gote), Err(over));
    assert_eq!(game.declare(), Err(ImpasseError::Over(over)));
    assert_eq!(game.agree_impasse(), Err(ImpasseError::Over(over)));
    assert_eq!(over.to_string(), "the game is over: Gote wins (resignation)");
    // First the resignation is taken back, then the move, and then there is nothing.
    assert!(game.undo().is_some());
    assert_eq!(game, before);
    assert!(game.undo().is_some());
    assert_eq!((game.moves().len(), game.undo()), (0, None));
}

/// Sente's king and ten tokins in the camp, and 18 points in hand.
const ENTERED: &str = "+P+P+P+PK+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b 2RB3P 1";

/// The outcomes of the declaration under both rules, odds not being counted, by Sente here and by Gote in the same position
/// with the players exchanged.
fn declared(sfen: &str) -> [String; 4] {
    let position = parse_position::<Shogi>(sfen).unwrap();
    let exchanged = Position::new(position.exchange_colours()).unwrap();
    let rules = [ImpasseRule::TwentySevenPoints, ImpasseRule::TwentyFourPoints];
    [(position, 0), (exchanged, 0), (position, 1), (exchanged, 1)].map(|(start, rule)| {
        let rule = EnteringKingRule::Points { rule: rules[rule], odds: false };
        let mut game = Game::with_rules(start, Shogi::REPETITION, rule);
        let before = game.clone();
        let outcome = game.declare().unwrap();
        assert_eq!(game.outcome(), Some(outcome));
        assert!(game.undo().is_some());
        assert_eq!(game, before);
        outcome.to_string()
    })
}

const SENTE_WINS: &str = "Sente wins (declaration)";
const GOTE_WINS: &str = "Gote wins (declaration)";
const DRAW: &str = "draw (declaration)";
const SENTE_FAILS: &str = "Gote wins (failed declaration)";
const GOTE_FAILS: &str = "Sente wins (failed declaration)";

#[test]
fn declaration_by_points() {
    let with_hand = |hand| declared(&ENTERED.replace("2RB3P", hand));
    // By the 27-point rule Sente needs 28 and Gote 27; by the 24-point rule 24 is a draw and 31
    // wins for either.
    assert_eq!(with_hand("2RB6P"), [SENTE_WINS, GOTE_WINS, SENTE_WINS, GOTE_WINS]);
    assert_eq!(with_hand("2RB5P"), [SENTE_WINS, GOTE_WINS, DRAW, DRAW]);
    assert_eq!(with_hand("2RB3P"), [SENTE_WINS, GOTE_WINS, DRAW, DRAW]);
    assert_eq!(with_hand("2RB2P"), [SENTE_FAILS, GOTE_WINS, DRAW, DRAW]);
    assert_eq!(with_hand("2RBP"), [SENTE_FAILS, GOTE_FAILS, DRAW, DRAW]);
    assert_eq!(with_hand("RB4P"), [SENTE_FAILS, GOTE_FAILS, DRAW, DRAW]);
    assert_eq!(with_hand("RB3P"), [SENTE_FAILS, GOTE_FAILS, SENTE_FAILS, GOTE_FAILS]);
}

#[test]
fn declaration_by_conditions() {
    let fails = [SENTE_FAILS, GOTE_FAILS, SENTE_FAILS, GOTE_FAILS];
    let enough = ENTERED.replace("2RB3P", "2RB7P");
    assert_eq!(declared(&enough)[0], SENTE_WINS);
    // One piece too few in the camp, the king before the camp, the king in check.
    assert_eq!(declared(&enough.replace("/+P+P7/9/9/", "/+P8/9/+P8/")), fails);
    let outside =
        enough.replace("+P+P+P+PK", "+P+P+P+P1").replace("/9/9/9/9/9/9/", "/9/4K4/9/9/9/9/");
    assert_eq!(declared(&outside), fails);
    assert_eq!(declared(&enough.replace("/9/9/9/", "/9/1b7/9/")), fails);
    // The third rank is the last of the camp; pieces behind it count neither there nor as points.
    let third_rank = enough.replace("+P+P+P+PK", "+P+P+P+P1").replace("P7/9/", "P7/4K4/");
    assert_eq!(declared(&third_rank)[0], SENTE_WINS);
    let behind = ENTERED.replace("2RB3P", "2RB2P").replace("/9/9/9/9/9/9/", "/9/P8/9/9/9/9/");
    assert_eq!(declared(&behind)[0], SENTE_FAILS);
}

#[test]
fn impasse_by_agreement() {
    let agreed = |sfen: &str, rule| {
        let start = parse_position::<Shogi>(sfen).unwrap();
        let mut game = Game::with_rules(start, Shogi::REPETITION, Some(rule));
        assert_eq!(game.points(Sente) + game.points(Gote), 54);
        game.agree_impasse().unwrap().to_string()
    };
    let hands = |hands: &str| format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1");
    let (pro, amateur) = (ImpasseRule::TwentyFourPoints, ImpasseRule::TwentySevenPoints);
    // 27 each, 28 and 26, 30 and 24, 31 and 23.
    assert_eq!(agreed(Shogi::START, pro), "draw (impasse)");
    assert_eq!(agreed(Shogi::START, amateur), "Gote wins (impasse)");
    let more = hands("2R2B8P4g4s4n4l10p");
    assert_eq!(agreed(&more, pro), "draw (impasse)");
    assert_eq!(agreed(&more, amateur), "Sente wins (impasse)");
    assert_eq!(agreed(&hands("2R2B10P4g4s4n4l8p"), pro), "draw (impasse)");
    assert_eq!(agreed(&hands("2R2B11P4g4s4n4l7p"), pro), "Sente wins (impasse)");
    assert_eq!(agreed(&hands("7P4G4S4N4L11p2r2b"), pro), "Gote wins (impasse)");
}

/// Pieces missing from a full set count for Gote if odds count.
#[test]
fn odds_count() {
    let two_pieces = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let mut odds = game::<Shogi>(two_pieces);
    assert_eq!((odds.points(Sente), odds.points(Gote)), (27, 27));
    assert_eq!(odds.declaration().points, 10);
    play(&mut odds, "5a5b");
    assert_eq!((odds.points(Gote), odds.declaration().points), (27, 0));
    let later = game::<Shogi>(ENTERED);
    assert_eq!((later.points(Sente), later.points(Gote)), (28, 26));
}

/// The odds of a game that has gone on for long are known from the pieces that are left.
#[test]
fn declarations_in_handicap_games_count_the_points_of_odds() {
    // Odds of 14 points, and of rook, bishop and lances.
    for (sfen, points) in [
        ("K6n1/+PG1P5/+P3G4/1P+P6/9/9/4P4/1p+pp1p+ppp/1+p1+pkb3 w GSNL3Pr2n3l 1", [24, 38]),
        ("5+B+P2/K+P1+P+R+P3/+P+P+NPP4/9/9/9/2p+p+pgsg1/1+p1+n1+n1kg/9 w G2SNL3Psl3p 1", [15, 27]),
    ] {
        let start = parse_position::<Shogi>(sfen).unwrap();
        for (odds, points) in [false, true].into_iter().zip(points) {
            let rule = EnteringKingRule::Points { rule: ImpasseRule::TwentySevenPoints, odds };
            let mut game = Game::with_rules(start, Shogi::REPETITION, rule);
            assert_eq!((game.declaration().points, game.may_declare()), (points, points >= 27));
            let outcome = game.declare().unwrap().to_string();
            assert_eq!(outcome, if points >= 27 { GOTE_WINS } else { GOTE_FAILS }, "{sfen}");
            assert!(!game.may_declare());
        }
        assert!(game::<Shogi>(sfen).may_declare());
    }
}

#[test]
fn a_king_tries_on_the_square_of_the_other_king() {
    // Sente's king goes to 5a, which no piece attacks; Gote's king on 5a would have left it.
    let sfen = "9/4K4/9/9/9/9/9/4k4/9 b - 1";
    let start = parse_position::<Shogi>(sfen).unwrap();
    let mut tried = Game::with_rules(start, Shogi::REPETITION, EnteringKingRule::Try);
    assert_eq!(tried.declare(), Err(ImpasseError::NoRule));
    assert_eq!(play(&mut tried, "5b4a 5h4h 4a5a"), Some(Outcome::win(Sente, Reason::Try)));
    assert!(tried.undo().is_some());
    assert_eq!(play(&mut tried, "4a3a 4h5i"), Some(Outcome::win(Gote, Reason::Try)));
    assert!(tried.play_on() && tried.outcome().is_none());
    assert_eq!(play(&mut tried, "3a4a 5i5h 4a5a"), None);
    // By the other rules it is a square like the others.
    let mut other = Game::<Shogi>::new(start);
    assert_eq!(play(&mut other, "5b5a"), None);
}

#[test]
fn a_game_is_played_on_after_ends_that_not_everybody_plays_by() {
    let mut repeated = Game::<Minishogi>::from_start();
    let rounds = "1e1d 5a5b 1d1e 5b5a ".repeat(3);
    assert_eq!(play(&mut repeated, &rounds).map(|end| end.reason), Some(Reason::Repetition));
    assert!(repeated.play_on());
    assert_eq!(play(&mut repeated, &rounds.repeat(2)), None);
    // An end on the board stays, and an open game stays open.
    let mut stalemate = game::<KyotoShogi>("1+L1sk/3+pn/4L/1+SN2/2K2 b P 1");
    assert!(stalemate.play_on());
    play(&mut stalemate, "+P*3a");
    let ended = stalemate.clone();
    assert!(!stalemate.play_on());
    assert_eq!(stalemate, ended);
    let mut tried = game::<Dobutsu>("3/3/3/L1l b - 1");
    assert_eq!((tried.play_on(), tried.outcome().unwrap().reason), (false, Reason::Try));
}

#[test]
fn no_impasse_in_other_variants() {
    let mut game = game::<Minishogi>(Minishogi::START);
    assert_eq!(game.declare(), Err(ImpasseError::NoRule));
    assert_eq!(game.agree_impasse(), Err(ImpasseError::NoRule));
    assert_eq!(game.outcome(), None);
}

#[test]
fn positions_are_counted_whatever_is_taken_back() {
    // Two kings about, so that positions come up often; a generator of its own, since all else is fixed.
    let kings = parse_position("4k/5/5/5/K4 b - 1").unwrap();
    let never = RepetitionRule { count: 0, ..Minishogi::REPETITION };
    let mut game = Game::<Minishogi>::with_rules(kings, never, None);
    let mut state = 7u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let mut most = 0;
    for _ in 0..3_000 {
        if next(3) == 0 {
            game.undo();
        } else {
            let moves = game.position().legal_moves();
            game.play(moves[next(moves.len())]).unwrap();
        }
        let now = game.position();
        let count = game.positions().iter().filter(|position| *position == now).count();
        assert_eq!(game.repetitions(), count);
        most = most.max(count);
    }
    assert!(most > 3, "{most}");
}
