//! Faults of lines, and the engine's answers.

use shogi_rules::{Minishogi, Shogi};

use super::{engine, script};

#[test]
fn an_error_names_the_faults_of_a_position() {
    for (position, words) in [
        ("position startpos moves 5d5c 5d5c", "move 2, \"5d5c\": illegal move"),
        ("position startpos moves 5d5c 9z", "move 2, \"9z\": at character 1"),
        ("position sfen 5/5/5/5 b - 1", "in the SFEN, at character 8"),
        ("position sfen rbsgk/4p/5/P4/KGSBR", "the side to move"),
        ("position sfen K3k/5/5/PP3/P4 b - 1", "breaks the rules"),
        ("position sfen", "in the SFEN, at character 1"),
    ] {
        let lines = script(&engine::<Minishogi>(), format!("{position}\ngo nodes 10\n"));
        assert!(lines[0].starts_with("info string error: the position is refused: "), "{lines:?}");
        assert!(lines[0].contains(words), "{lines:?}");
        assert_eq!(lines.last().unwrap(), "bestmove resign");
        let lines = script(&engine::<Minishogi>(), format!("{position}\ngo mate 100\n"));
        assert_eq!(lines.last().unwrap(), "checkmate timeout");
        // And the next one is played.
        let lines =
            script(&engine::<Minishogi>(), format!("{position}\nposition startpos\ngo nodes 10\n"));
        let best = lines.last().unwrap();
        assert!(best.starts_with("bestmove ") && best != "bestmove resign", "{lines:?}");
    }
}

#[test]
fn unknown_commands_change_nothing() {
    let mut input =
        b"\xff\xfe\0\nposition\nsetoption\nsetoption name Absent value 3\nperft 5\n".to_vec();
    input.extend(vec![b'x'; (1 << 20) + 7]);
    input.extend(b"\nsetoption name Hash value 99999999999999999999\nposition startpos\r\n");
    input.extend(b"go depth 2 \xff\ngo byoyomi soon\nisready");
    let lines = script(&engine::<Minishogi>(), input);
    let errors = lines.iter().filter(|line| line.starts_with("info string error: ")).count();
    assert_eq!(errors, 9, "{lines:?}");
    let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(answers, 2, "{lines:?}");
    assert!(lines.contains(&"readyok".to_owned()));
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_skipped() {
    let lines = script(&engine::<Minishogi>(), "\u{feff}isready\n");
    assert!(lines.contains(&"readyok".to_owned()), "{lines:?}");
}

#[test]
fn words_that_end_a_game_are_named_where_a_move_should_stand() {
    for word in ["resign", "win"] {
        let line = format!("position startpos moves 7g7f 3c3d {word}\n");
        let expected = format!(
            "info string error: the position is refused: move 3, \"{word}\": at character 1: \
             \"{word}\" ends the record of a game and is no move"
        );
        assert_eq!(script(&engine::<Shogi>(), line), [expected]);
    }
}
