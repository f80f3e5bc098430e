//! Logs of proofs that are built from small jobs.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;

use crate::build::{Builder34, Game34, SMALL, Wavering, assert_proved, builder_of, run};
use crate::graphs::start;

use shogi_rules::Shogi34;
use shogi_solve::Budget;
use shogi_solve::builder::{
    AsRanked, Log, LogError, NextMove, ProofState, Settings, Skeleton, check, open, replay,
};

/// The log of a run of a builder.
fn log_of(builder: &mut Builder34, oracle: &mut impl NextMove<Game34>, nodes: u64) -> String {
    let mut text = Vec::new();
    let mut log = Log::new(&mut text, builder).unwrap();
    run_logged(builder, oracle, nodes, &mut log);
    String::from_utf8(text).unwrap()
}

/// Runs a builder, and adds what it does to a log.
fn run_logged<W: Write>(
    builder: &mut Builder34,
    oracle: &mut impl NextMove<Game34>,
    nodes: u64,
    log: &mut Log<W>,
) {
    builder.run(oracle, &mut Budget::nodes(nodes), &mut |_, position, event| {
        log.append(position, event).unwrap();
        ControlFlow::Continue(())
    });
}

/// The log of a run, and the builder after it.
pub(super) fn logged(nodes: u64) -> (String, Builder34) {
    logged_from("KGR", SMALL, nodes)
}

fn logged_from(name: &str, settings: Settings, nodes: u64) -> (String, Builder34) {
    let mut builder = builder_of(name, settings);
    (log_of(&mut builder, &mut AsRanked, nodes), builder)
}

/// A builder that has done again what a log says.
fn replayed(text: &str, name: &str) -> Result<Builder34, LogError> {
    let mut builder = builder_of(name, SMALL);
    replay(text.as_bytes(), &mut builder).map(|_| builder)
}

#[test]
fn a_log_is_continued() {
    let folder = std::env::temp_dir().join(format!("builder-log-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("log");
    let _ = std::fs::remove_file(&path);
    let mut runs = 0;
    loop {
        let mut builder = builder_of("KGR", SMALL);
        let (mut log, damaged) = open(&path, &mut builder).unwrap();
        assert_eq!(damaged, None);
        if builder.state() != ProofState::Open {
            assert_proved(&builder);
            break;
        }
        let before = builder.spent();
        run_logged(&mut builder, &mut AsRanked, 6_000, &mut log);
        assert!(builder.spent() > before);
        runs += 1;
    }
    assert!(runs > 1, "one run was enough");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_replayed_log_leaves_the_builder_where_it_was() {
    for nodes in [2_000, 8_000, 30_000] {
        let (text, builder) = logged(nodes);
        let again = replayed(&text, "KGR").unwrap();
        assert_eq!(again.state(), builder.state());
        assert_eq!(again.steps(), builder.steps());
        assert_eq!(again.jobs(), builder.jobs());
        assert_eq!(again.expansions(), builder.expansions());
        assert_eq!(again.open().count(), builder.open().count());
        // However the builder came there, all its estimates follow from what it knows of the leaves.
        for (again, before) in again.open().zip(builder.open()) {
            assert_eq!(again.position, before.position);
            assert!((again.estimate - before.estimate).abs() <= 1e-9 * before.estimate);
        }
    }
}

#[test]
fn a_proof_that_rests_on_what_others_have_proved_is_replayed() {
    let settings =
        Settings { first_expansions: 3, max_expansions: 9, root_max_expansions: 9, ..SMALL };
    let mut known = 0;
    for name in ["KGR", "KSR", "KRG", "KRS", "KGS", "KSG"] {
        let (text, builder) = logged_from(name, settings, 300_000);
        let again = replayed(&text, name).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.steps(), builder.steps(), "{name}");
        known += text.matches("{\"known\"").count();
    }
    assert!(known > 10, "{known}");
}

/// A process may be killed at any byte: what was written before is kept.
#[test]
fn a_log_cut_anywhere_loses_at_most_its_last_line() {
    let (text, _) = logged(8_000);
    let lines = text.lines().count();
    assert!(lines > 10, "{lines}");
    for cut in (0..text.len()).step_by(7) {
        let part = &text[..cut];
        let mut builder = replayed(part, "KGR").unwrap();
        let whole = part.matches('\n').count();
        let mut kept = Vec::new();
        let mut again = Log::new(&mut kept, &builder).unwrap();
        // The rest of the work resumes from there.
        if cut % 5 == 0 {
            run_logged(&mut builder, &mut AsRanked, 3_000, &mut again);
        }
        assert!(builder.jobs() + 1 >= whole as u64 / 3, "{cut}");
    }
}

#[test]
fn damage_inside_a_log_is_an_error() {
    let (text, _) = logged(8_000);
    let body = text.trim_end();
    for place in (0..body.len()).step_by(11) {
        let mut bytes = body.as_bytes().to_vec();
        bytes[place] ^= 1;
        bytes.push(b'\n');
        let damaged = String::from_utf8_lossy(&bytes);
        assert!(replayed(&damaged, "KGR").is_err(), "{place}");
    }
    let refused = |text: &str, name: &str| replayed(text, name).err().unwrap().to_string();
    assert!(refused(&text, "KSR").contains("another proof: that Sente wins in shogi34 from"));
    let missing: String = text.lines().filter(|line| !line.contains("expanded")).collect();
    assert!(refused(&(missing + "\n"), "KGR").contains("damaged"));
}

#[test]
fn a_log_is_used_up_to_a_damaged_line_and_the_rest_is_kept() {
    let (text, _) = logged(8_000);
    let folder = std::env::temp_dir().join(format!("builder-damaged-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (path, kept) = (folder.join("log"), folder.join("log.damaged"));
    let ends: Vec<_> = text.match_indices('\n').map(|(end, _)| end + 1).collect();
    let mut tails: Vec<u8> = Vec::new();
    for line in [2, ends.len() / 2, ends.len() - 1] {
        // Another run has written into it, as of the first lines.
        let mixed = format!("{}{}", &text[..ends[line - 1]], &text[ends[0]..]);
        fs::write(&path, &mixed).unwrap();
        let mut builder = builder_of("KGR", SMALL);
        let (log, damaged) = open(&path, &mut builder).unwrap();
        drop(log);
        let damaged = damaged.unwrap();
        assert_eq!((damaged.line, &damaged.kept), (line + 1, &kept));
        assert_eq!(fs::read_to_string(&path).unwrap(), text[..ends[line - 1]]);
        tails.extend(&mixed.as_bytes()[ends[line - 1]..]);
        assert_eq!(fs::read(&kept).unwrap(), tails, "what was kept before stays");
        let again = replayed(&text[..ends[line - 1]], "KGR").unwrap();
        assert_eq!((builder.jobs(), builder.steps()), (again.jobs(), again.steps()));
    }
    fs::write(&path, format!("notes\n{text}")).unwrap();
    assert!(open(&path, &mut builder_of("KGR", SMALL)).is_err(), "what is no log is left alone");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_log_of_an_expanded_skeleton_has_its_moves() {
    let settings =
        Settings { first_expansions: 10, max_expansions: 30, root_max_expansions: 30, ..SMALL };
    let (_, builder) = logged_from("KGR", settings, u64::MAX);
    let skeleton = builder.skeleton().unwrap();
    assert!(skeleton.moves.iter().flatten().count() > 1, "too tame");
    let fresh = || builder_of("KGR", settings);
    let mut expanding = fresh();
    expanding.follow_skeleton(&skeleton).unwrap();
    let text = log_of(&mut expanding, &mut AsRanked, u64::MAX);
    assert_eq!(expanding.state(), ProofState::Proved);
    let checked = check::<Shogi34>(text.as_bytes()).unwrap();
    assert_eq!((checked.state, checked.steps), (ProofState::Proved, expanding.steps()));

    // It is read with and without the skeleton at hand, and so is one of before the moves stood in it.
    let (first, rest) = text.split_once('\n').unwrap();
    let (moves, rest) = rest.split_once('\n').unwrap();
    assert!(moves.starts_with("{\"skeleton\""), "{moves}");
    let old = forged(&format!("{first}\n{rest}"), usize::MAX, "");
    for (text, follows) in [(&text, true), (&text, false), (&old, true)] {
        let mut again = fresh();
        if follows {
            again.follow_skeleton(&skeleton).unwrap();
        }
        replay(text.as_bytes(), &mut again).unwrap();
        assert_eq!(again.state(), ProofState::Proved);
    }
    let refused = |text: &str, follows: Option<&Skeleton<Shogi34>>| {
        let mut again = fresh();
        if let Some(skeleton) = follows {
            again.follow_skeleton(skeleton).unwrap();
        }
        replay(text.as_bytes(), &mut again).unwrap_err().to_string()
    };
    assert!(refused(&old, None).contains("line 2: the position is not in the tree"));
    let other = Skeleton { moves: vec![None], ..skeleton.clone() };
    assert!(refused(&text, Some(&other)).contains("line 2: the log is one of expanding another"));
    let (json, _) = moves.rsplit_once(' ').unwrap();
    assert!(refused(&forged(&text, 2, json), None).contains("line 3: a skeleton stands in"));
    let misfit = json.replacen(":\"", ":\"- ", 1);
    assert!(refused(&forged(&text, 1, &misfit), None).contains("line 2: move 2 of the skeleton"));
}

#[test]
fn a_log_records_that_moves_were_named_again() {
    let settings =
        Settings { first_expansions: 10, max_expansions: 30, root_max_expansions: 30, ..SMALL };
    let (mut builder, mut oracle) = (builder_of("KGR", settings), Wavering::default());
    let text = log_of(&mut builder, &mut oracle, 100_000);
    let keys: std::collections::HashSet<_> = oracle.asked.iter().map(|&(key, _)| key).collect();
    assert!(keys.len() < oracle.asked.len(), "{}", keys.len());
    let named = text.lines().filter(|line| line.contains("\"expanded\"") && line.contains("1.5"));
    assert_eq!(named.count(), oracle.asked.len());
    let mut again = builder_of("KGR", settings);
    replay(text.as_bytes(), &mut again).unwrap().unwrap();
    assert_eq!((again.jobs(), again.steps()), (builder.jobs(), builder.steps()));
}

/// The same log with another line, and the hashes that belong to it.
fn forged(text: &str, at: usize, line: &str) -> String {
    let mut chain = blake3::hash(&[]);
    let mut forged = String::new();
    for (number, old) in text.lines().enumerate() {
        let (json, _) = old.rsplit_once(' ').unwrap();
        let json = if number == at { line } else { json };
        chain = blake3::hash(&[&chain.as_bytes()[..], json.as_bytes()].concat());
        forged += &format!("{json} {}\n", &chain.to_hex()[..32]);
    }
    forged
}

#[test]
fn log_entries_without_a_certificate_are_searched_again() {
    let (text, _) = logged(12_000);
    let mut edits = 0;
    for (at, line) in text.lines().enumerate() {
        let (json, _) = line.rsplit_once(' ').unwrap();
        if !json.starts_with("{\"open\"") {
            continue;
        }
        let (start, _) = json.split_once(",\"numbers\"").unwrap();
        let refuted = start.replace("{\"open\"", "{\"refuted\"") + "}}";
        let mut builder = replayed(&forged(&text, at, &refuted), "KGR").unwrap();
        run(&mut builder, &mut AsRanked, 5_000_000);
        assert_proved(&builder);
        edits += 1;
    }
    assert!(edits > 5, "{edits}");
}

#[test]
fn a_move_that_proves_nothing_is_not_taken() {
    let (text, _) = logged(0);
    let sfen = shogi_rules::to_sfen(&start("KGR"));
    let line = |moves: &str| {
        format!("{{\"proved\":{{\"sfen\":\"{sfen}\",\"cost\":[1,1,1],\"moves\":\"{moves}\"}}}}")
    };
    for moves in ["2d2c", "1a1a", "P*1a", "2d2c 2c2b", ""] {
        let forged = forged(&(text.clone() + "{} 0\n"), 1, &line(moves));
        assert!(replayed(&forged, "KGR").is_err(), "{moves}");
    }
}
