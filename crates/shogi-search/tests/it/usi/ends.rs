//! Mates, and what is answered where a game ends or has ended.

use shogi_rules::{
    Dobutsu, Game, KyotoShogi, Minishogi, Reason, Rules, Shogi, parse_position, parse_problem,
    parse_usi,
};
use shogi_search::EVALUATIONS;
use shogi_search::usi::Config;

use super::{engine, script};

#[test]
fn mates_are_counted_in_plies_and_found_without_an_attackers_king() {
    let mate = |sfen: &str, go: &str| {
        script(&engine::<Minishogi>(), format!("position sfen {sfen}\n{go}\n")).pop().unwrap()
    };
    let sfen = "r1k2/2p2/5/2P2/2K2 b RBGSbgs 1";
    let found = mate(sfen, "go mate 60000");
    let mut game = Game::<Minishogi>::new(parse_position(sfen).unwrap());
    for mv in found.strip_prefix("checkmate ").unwrap().split(' ') {
        game.play(parse_usi(mv).unwrap()).unwrap();
    }
    assert_eq!(game.outcome().unwrap().reason, Reason::Checkmate, "{found}");
    assert!(mate("4k/5/4G/5/5 b R 1", "go mate infinite").starts_with("checkmate R*"));
    assert_eq!(mate("4k/5/5/5/K4 b R 1", "go mate"), "checkmate nomate");
    assert_eq!(mate("rbsgk/4p/5/P4/KGSBR b - 1", "go mate 60000"), "checkmate nomate");
    let mut config = engine::<Minishogi>();
    config.max_nodes = 10;
    let hard = "position sfen r1k2/2p2/5/2P2/2K2 b RBGSbgs 1\ngo mate 1000\n";
    assert_eq!(script(&config, hard).pop().unwrap(), "checkmate timeout");
    let info = script(&engine::<Minishogi>(), "position sfen 4k/5/4G/5/K4 b R 1\ngo depth 4\n");
    assert!(info.iter().any(|line| line.contains("score mate 1 ")), "{info:?}");
}

#[test]
fn a_side_in_check_is_the_defender_in_go_mate() {
    let ask = |options: &str, position: &str| {
        let text = format!("{options}position {position}\ngo mate 60000\n");
        let mut lines = script(&engine::<Minishogi>(), text);
        (lines.pop().unwrap(), lines)
    };
    // The king may flee, with the attacker's king or without.
    for king in ["5", "K4"] {
        let board = format!("sfen 4k/5/3G1/{king}/4R w Prbgsp 1");
        let (answer, lines) = ask("", &board);
        assert_eq!(answer, "checkmate nomate");
        let helps = |line: &String| line.starts_with("info string no mate after 1a2a");
        assert!(lines.iter().any(helps), "{lines:?}");
        let taken = lines.iter().any(|line| line.ends_with(" score mate -2 pv P*1b 2c1b"));
        assert!(taken, "{lines:?}");
    }
    // A side in check attacks if that is wanted, and has no check here.
    let attacks = "setoption name RootIsAndNodeIfChecked value false\n";
    let (answer, lines) = ask(attacks, "sfen 4k/5/3G1/K4/4R w Prbgsp 1");
    assert_eq!((answer.as_str(), lines.len()), ("checkmate nomate", 0), "{lines:?}");
    // After the first move of a mate nothing helps, and the line begins with a defence.
    let sfen = "r1k2/2p2/5/2P2/2K2 b RBGSbgs 1";
    let (attack, _) = ask("", &format!("sfen {sfen}"));
    let first = attack.strip_prefix("checkmate ").unwrap().split(' ').next().unwrap();
    let (answer, lines) = ask("", &format!("sfen {sfen} moves {first}"));
    let mut game = Game::<Minishogi>::new(parse_position(sfen).unwrap());
    game.play(parse_usi(first).unwrap()).unwrap();
    for mv in answer.strip_prefix("checkmate ").unwrap().split(' ') {
        game.play(parse_usi(mv).unwrap()).unwrap();
    }
    assert_eq!(game.outcome().unwrap().reason, Reason::Checkmate, "{answer}");
    assert!(lines.iter().all(|line| line.contains(" score mate -")), "{lines:?}");
}

/// The answer to a short search after a `position` line, and what was said before it.
fn answer_after(config: &Config, options: &str, position: &str) -> (String, Vec<String>) {
    let mut lines = script(config, format!("{options}position {position}\ngo nodes 100\n"));
    (lines.pop().unwrap(), lines)
}

/// Asserts that a legal move is answered after a `position` line whose game has ended by a rule that
/// another program may not know.
#[track_caller]
fn assert_played_on<R: Rules>(options: &str, sfen: &str, moves: &str, end: &str) {
    let position = format!("sfen {sfen} moves {moves}");
    let (best, lines) = answer_after(&engine::<R>(), options, &position);
    assert_eq!(lines[0], format!("info string the game is over: {end}"), "{lines:?}");
    let mv = best.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap();
    let after = moves.split_whitespace().fold(parse_position::<R>(sfen).unwrap(), |before, mv| {
        before.play(parse_usi(mv).unwrap()).unwrap()
    });
    let legal = parse_usi(mv).is_ok_and(|mv| after.play(mv).is_ok());
    assert!(legal, "{best} after {position}");
}

#[test]
fn a_game_that_a_rule_on_its_history_ends_is_played_on() {
    let drawn = "no result (repetition)";
    let rounds = "2h3h 8b7b 3h2h 7b8b ".repeat(3);
    assert_played_on::<Shogi>("", Shogi::START, &rounds, drawn);
    assert_played_on::<Dobutsu>(
        "",
        Dobutsu::START,
        &"2d3c 2a1b 3c2d 1b2a ".repeat(2),
        "draw (repetition)",
    );
    // Whoever has won or lost by the rule: Sente loses a repetition, and both may be to move.
    let rounds = "1e1d 5a5b 1d1e 5b5a ".repeat(3);
    assert_played_on::<Minishogi>("", Minishogi::START, &rounds, "Gote wins (repetition)");
    let rounds = format!("5d5c {}", "5a5b 1e1d 5b5a 1d1e ".repeat(3));
    assert_played_on::<Minishogi>("", Minishogi::START, &rounds, "Gote wins (repetition)");
    let end = "Gote wins (perpetual check)";
    let checks = "2c1c 1a2a 1c2c 2a1a ".repeat(3);
    assert_played_on::<Minishogi>("", "4k/5/3+R1/5/K4 b - 1", &checks, end);
    let checks = "1a2a 1c2c 2a1a 2c1c ".repeat(3);
    assert_played_on::<Minishogi>("", "4k/5/4+R/5/K4 w - 1", &checks, end);
    let tried = "setoption name EnteringKingRule value TryRule\n";
    assert_played_on::<Shogi>(tried, "9/5K3/9/9/9/9/9/9/8k b - 1", "4b5a", "Sente wins (try)");
    // And goes on being played on.
    for rounds in ["1e1d 5a5b 1d1e 5b5a ".repeat(4), "1e1d 5a5b 1d1e 5b5a ".repeat(150)] {
        let (best, _) =
            answer_after(&engine::<Minishogi>(), "", &format!("startpos moves {rounds}"));
        assert!(best.starts_with("bestmove ") && best != "bestmove resign", "{best}");
    }
    // A mate is looked for in the position alone.
    let checks = "2c1c 1a2a 1c2c 2a1a ".repeat(3) + "2c1c 1a2a";
    let mate = format!("position sfen 4k/5/3+R1/5/K4 b - 1 moves {checks}\ngo mate 1000\n");
    assert_eq!(script(&engine::<Minishogi>(), mate).pop().unwrap(), "checkmate nomate");
}

/// A position whose game has ended on the board has no legal move.
#[test]
fn only_a_lost_game_without_a_legal_move_is_resigned() {
    let resigns = "bestmove resign";
    for (answer, position) in [
        (resigns, "sfen 4k/5/3GP/5/K4 b G 1 moves G*1b"),
        (resigns, "sfen 4k/5/2G1K/5/5 b - 1 moves 3c3b"),
    ] {
        assert_eq!(answer_after(&engine::<Minishogi>(), "", position).0, answer, "{position}");
    }
    let stalemate = "sfen 1+L1sk/3+pn/4L/1+SN2/2K2 b P 1 moves +P*3a";
    assert_eq!(answer_after(&engine::<KyotoShogi>(), "", stalemate).0, resigns);
    for (answer, position) in [
        // The lion is captured, or stands safe on the last rank.
        (resigns, "sfen 1l1/1G1/3/1L1 b - 1 moves 2b2a"),
        (resigns, "sfen 2l/L2/3/3 b - 1 moves 3b3a"),
        ("bestmove win", "sfen 1L1/3/1l1/3 b - 1"),
        // Both lions do.
        ("bestmove (none)", "sfen 2L/3/3/l2 b - 1"),
    ] {
        let (found, lines) = answer_after(&engine::<Dobutsu>(), "", position);
        assert_eq!(found, answer, "{position}");
        assert!(lines[0].starts_with("info string the game is over: "), "{lines:?}");
    }
}

#[test]
fn a_lost_position_is_resigned_only_by_the_option() {
    // The only move is mated by the drop of the other gold.
    let position = "sfen 4k/5/4G/5/K4 w G 1";
    let resign = "setoption name ResignValue value 20000\n";
    let (best, lines) = answer_after(&engine::<Minishogi>(), "", position);
    assert!(lines.last().unwrap().contains(" score mate -"), "{lines:?}");
    assert!(best.starts_with("bestmove 1a2a"), "{best}");
    assert_eq!(answer_after(&engine::<Minishogi>(), resign, position).0, "bestmove resign");
}

#[test]
fn an_entered_king_declares() {
    // Ten pieces beside the king, and far more than 28 points.
    let camp = "sfen +R+R+B+BK4/PPPPPP3/9/9/9/9/9/9/8k b 4G4S4N4L12P 1";
    assert_eq!(answer_after(&engine::<Shogi>(), "", camp).0, "bestmove win");
}

/// Games that have come to these positions with 14 and 12 points of odds.
const ODDS: [&str; 2] = [
    "K6n1/+PG1P5/+P3G4/1P+P6/9/9/4P4/1p+pp1p+ppp/1+p1+pkb3 w GSNL3Pr2n3l 1",
    "5+B+P2/K+P1+P+R+P3/+P+P+NPP4/9/9/9/2p+p+pgsg1/1+p1+n1+n1kg/9 w G2SNL3Psl3p 1",
];

#[test]
fn declarations_follow_the_rule_that_is_set() {
    // 30 points of Sente's, with all pieces there.
    let thirty = "+P+P+P+PK+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b 2RB5P4g4s4n4lb3p 1";
    let win = "bestmove win";
    let declares = |rule: &str, sfen: &str| {
        let option = format!("setoption name EnteringKingRule value {rule}\n");
        let (best, lines) = answer_after(&engine::<Shogi>(), &option, &format!("sfen {sfen}"));
        assert!(best.starts_with("bestmove ") && best != "bestmove resign", "{lines:?}");
        assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
        best == win
    };
    for (rule, expected) in [
        ("NoEnteringKing", [false, false, false]),
        // 38 and 27 points with those of odds, 24 and 15 without.
        ("CSARule24", [false, false, false]),
        ("CSARule24H", [false, true, false]),
        ("CSARule27", [true, false, false]),
        ("CSARule27H", [true, true, true]),
        ("TryRule", [false, false, false]),
    ] {
        let found = [declares(rule, thirty), declares(rule, ODDS[0]), declares(rule, ODDS[1])];
        assert_eq!(found, expected, "{rule}");
    }
    for sfen in ODDS {
        assert_eq!(answer_after(&engine::<Shogi>(), "", &format!("sfen {sfen}")).0, win);
    }
}

#[test]
fn a_declaration_that_the_rule_allows_is_seen_by_the_search() {
    // Sente's king enters with the next move and declares after any reply; Gote has nothing to stop it.
    let sfen = "+R+R+B+B1+P+P+P+P/+P+P+P+P5/9/4K4/9/9/9/9/4k4 b - 1";
    let sees_win = |rule: &str| {
        let option = format!("setoption name EnteringKingRule value {rule}\n");
        let input = format!(
            "{option}setoption name MateProbe value false\nposition sfen {sfen}\ngo depth 4\n"
        );
        let lines = script(&engine::<Shogi>(), input);
        lines.iter().any(|line| line.contains(" score mate 2 "))
    };
    assert!(sees_win("CSARule27"));
    assert!(!sees_win("NoEnteringKing"));
}

#[test]
fn by_the_try_rule_the_king_is_moved_to_its_goal() {
    let option = "setoption name EnteringKingRule value TryRule\n";
    let free = "sfen 9/5K3/9/9/9/9/9/9/8k b - 1";
    let (best, lines) = answer_after(&engine::<Shogi>(), option, free);
    assert_eq!(best, "bestmove 4b5a", "{lines:?}");
    assert!(lines.last().unwrap().contains(" score mate 1 "), "{lines:?}");
    assert!(!answer_after(&engine::<Shogi>(), "", free).1.last().unwrap().contains("mate"));
    // The goal is guarded, or an own piece stands there.
    for guarded in ["3g5/5K3/9/9/9/9/9/9/8k b - 1", "4G4/5K3/9/9/9/9/9/9/8k b - 1"] {
        let best = answer_after(&engine::<Shogi>(), option, &format!("sfen {guarded}")).0;
        assert_ne!(best, "bestmove 4b5a", "{guarded}");
    }
}

/// Mate problems are set without the attacker's king; the attacker may have to move, and so may
/// the defender.
#[test]
fn positions_with_one_king_are_played() {
    let problem = "8k/9/8P/9/9/9/9/9/9";
    for evaluation in EVALUATIONS {
        for sfen in [
            format!("{problem} b G2r2b3g4s4n4l17p 1"),
            format!("{problem} w G2r2b3g4s4n4l17p 1"),
            "4k4/9/9/9/9/9/9/9/4L4 w RB 1".to_owned(),
            "9/9/9/9/9/9/9/9/4K4 w rb 1".to_owned(),
        ] {
            let option = format!("setoption name Evaluation value {evaluation}\n");
            let (best, lines) = answer_after(&engine::<Shogi>(), &option, &format!("sfen {sfen}"));
            let mv = best.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap();
            let position = parse_problem::<Shogi>(&sfen).unwrap();
            let is_legal = parse_usi(mv).is_ok_and(|mv| position.play(mv).is_ok());
            assert!(is_legal, "{evaluation}, {sfen}: {best} {lines:?}");
        }
    }
    let mate = format!("position sfen {problem} b G2r2b3g4s4n4l17p 1\ngo mate 1000\n");
    assert_eq!(script(&engine::<Shogi>(), mate), ["checkmate G*1b"]);
    let lines = script(&engine::<Shogi>(), "position sfen 9/9/9/9/9/9/9/9/9 b R 1\n");
    assert!(lines[0].contains("Sente has no king; Gote has no king"), "{lines:?}");
}
