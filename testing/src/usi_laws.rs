//! The law of the fuzz target on USI.
//!
//! It stands apart from the other laws, which need the rules only, so that an ordinary test of the
//! player's crate can run it over the seed corpus (crates/shogi-search/tests/it/corpus.rs).

use shogi_search::usi::run;
use shogi_variants::Variant;

/// Lines longer than this are not read.
const LONGEST: usize = 1 << 20;

/// A session survives every input, gives one answer to each `go` and each `isready`, and writes
/// lines of text. After `quit` it owes no answer.
pub fn usi_session(input: &[u8]) {
    let answers = answers(input);
    let mut owed = [0; 2];
    let mut quits = false;
    for line in input.split(|&byte| byte == b'\n').filter(|line| line.len() < LONGEST) {
        match line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()) {
            Some(b"go") => owed[0] += 1,
            Some(b"isready") => owed[1] += 1,
            Some(b"quit") => {
                quits = true;
                break;
            }
            _ => {}
        }
    }
    let count = |starts: &[&str]| {
        let answer = |line: &&str| starts.iter().any(|start| line.starts_with(start));
        answers.lines().filter(answer).count()
    };
    let moves = count(&["bestmove ", "checkmate "]);
    assert_eq!(count(&["readyok"]), owed[1], "{answers}");
    assert!(moves == owed[0] || quits && moves + 1 == owed[0], "{answers}");
    let known = ["id ", "option ", "info ", "usiok", "readyok", "bestmove ", "checkmate "];
    assert_eq!(count(&known), answers.lines().count(), "{answers}");
}

/// What is answered, by an engine that takes little time and memory.
pub fn answers(input: &[u8]) -> String {
    let mut config = Variant::Shogi.engine();
    (config.max_hash, config.max_threads, config.max_nodes) = (1, 2, 100);
    let mut output = Vec::new();
    let ended = run(input, &mut output, &config);
    assert!(ended.is_ok(), "{ended:?}");
    String::from_utf8(output).unwrap_or_else(|error| panic!("{error}"))
}
