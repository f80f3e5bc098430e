//! The task `mate`: its settings, and its answer as people read it.
#![cfg(all(feature = "serde", feature = "solve"))]

use shogi_variants::Variant;
use shogi_variants::solve::Budget;
use shogi_variants::solve::mate::Status;
use shogi_variants::tasks::{Mate, MateTask, OtherMate, OtherMates, Session, Task as _};

#[test]
fn a_person_reads_what_was_found() {
    let mut mate = Mate {
        plies: Some(3),
        exact: true,
        status: Status::Mate,
        line: vec!["1a2b".to_owned(), "3c3d".to_owned()],
        nodes: 1_234_567,
        expansions: 7,
        others: None,
        replies: None,
        seconds: Some(0.26),
        proof: None,
        brink: false,
    };
    let shown = "mate in 3 plies, the shortest, 1,234,567 nodes, 0.3 s\n1a2b 3c3d";
    assert_eq!(mate.to_string(), shown);
    (mate.plies, mate.nodes, mate.seconds) = (Some(1), 45, None);
    assert!(mate.to_string().starts_with("mate in 1 ply, the shortest, 45 nodes\n"));
    mate.plies = Some(3);
    (mate.exact, mate.line) = (false, Vec::new());
    assert_eq!(mate.to_string(), "mate in 3 plies at most, 45 nodes");
    (mate.plies, mate.status) = (None, Status::NoMate);
    assert_eq!(mate.to_string(), "no mate by checks, 45 nodes");
    mate.brink = true;
    assert_eq!(mate.to_string(), "no brinkmate, 45 nodes");
    mate.status = Status::Unknown;
    assert_eq!(mate.to_string(), "unknown, 45 nodes");
    let cooks = vec![OtherMate { number: 3, mv: "2c2b".to_owned(), plies: 1 }];
    let first_moves = vec!["1a2b".to_owned(), "G*2b".to_owned()];
    mate.others = Some(OtherMates { first_moves, cooks, last_moves: None, complete: false });
    assert_eq!(
        mate.to_string(),
        "unknown, 45 nodes\nfirst moves: 1a2b G*2b\ncook: 2c2b as move 3, mate in 1 at most\n\
         other moves may mate, too: not all are decided"
    );
}

#[test]
fn a_program_is_within_the_memory_asked_for() {
    let session = Session { program_megabytes: 10, ..Session::new(Budget::unlimited()) };
    assert_eq!(session.table_bytes(256), 246 << 20);
    assert_eq!(session.table_bytes(64), 54 << 20);
    assert_eq!((session.table_bytes(12), session.table_bytes(1)), (3 << 20, 1 << 18));
    let bytes = |megabytes| session.table_bytes(megabytes);
    assert!((1..2000).all(|megabytes| bytes(megabytes) <= bytes(megabytes + 1)));
    assert_eq!(Session::new(Budget::unlimited()).table_bytes(64), 64 << 20);
}

#[test]
fn each_setting_has_its_effect() {
    let answer = |task: MateTask, line: &str| {
        let mut session = Session::new(Budget::nodes(1_000_000));
        MateTask { hash: 1, ..task }.answer(Variant::Minishogi, line, &mut session).unwrap()
    };
    let any = MateTask::default;
    let two = "k4/5/1G3/5/4K b G 1";
    let found = answer(MateTask { all: true, ..any() }, two).others.unwrap();
    assert_eq!((found.first_moves, found.last_moves), (vec!["G*5b".into(), "G*4b".into()], None));
    let interposed = "4k/2S2/4G/5/R4 b rbgsp 1";
    let [book, plain] =
        [true, false].map(|tsume| answer(MateTask { shortest: true, tsume, ..any() }, interposed));
    assert_eq!((book.plies, book.line), (Some(1), vec!["5e5a".to_owned()]));
    assert!(plain.plies > Some(1) && plain.exact);
    let line = Some("5e5a P*2a".to_owned());
    assert_eq!(answer(MateTask { line, ..any() }, interposed).status, Status::Mate);
    assert_eq!(answer(MateTask { together: 2, ..any() }, two).status, Status::Mate);
}

/// After a check nothing helps against the quiet move, though there is no mate by checks.
#[test]
fn a_brinkmate_is_found_where_checks_do_not_mate() {
    let problem = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1";
    let answer = |brink| {
        let task = MateTask { brink, hash: 16, ..MateTask::default() };
        let mut session = Session::new(Budget::unlimited());
        task.answer(Variant::Shogi, problem, &mut session).unwrap()
    };
    let [checks, brink] = [false, true].map(answer);
    assert_eq!((checks.status, brink.status), (Status::NoMate, Status::Mate));
    assert_eq!(brink.line[..3], ["S*2c", "2b1c", "2c3d+"]);
    assert_eq!(brink.plies, Some(brink.line.len() as u32));
}

/// The king may flee, or two pawns be interposed, which the attacker gets for no mate; all other pieces are taken and mate.
#[test]
fn a_defence_names_what_helps_and_what_refutes_the_rest() {
    let answer = |line: &str| {
        let task = MateTask { defend: true, shortest: true, hash: 16, ..MateTask::default() };
        let mut session = Session::new(Budget::unlimited());
        task.answer(Variant::Minishogi, line, &mut session).unwrap()
    };
    let found = answer("4k/5/3G1/5/4R w Prbgsp 1");
    let replies = found.replies.clone().unwrap();
    assert_eq!((found.status, found.plies), (Status::NoMate, None));
    assert_eq!(
        (replies.defences.join(" "), replies.undecided.len()),
        ("1a2a P*1c P*1d".to_owned(), 0)
    );
    let text = found.to_string();
    let moves = replies.refuted.len() + 3;
    assert!(text.starts_with(&format!("not mated: 3 of {moves} moves help, ")), "{text}");
    assert!(text.contains("\ndefences: 1a2a P*1c P*1d\n"), "{text}");
    assert!(text.contains("\nP*1b: mate in 1 ply, 2c1b"), "{text}");
    // The player to move is mated.
    let mated = answer("4k/4G/5/5/K3R w rbgs2p 1");
    assert_eq!((mated.status, mated.plies, mated.line.len()), (Status::Mate, Some(0), 0));
    assert!(mated.to_string().starts_with("nothing helps: mated in 0 plies, "), "{mated}");
}

#[test]
fn settings_that_exclude_each_other_are_refused() {
    let task = MateTask { brink: true, shortest: true, ..MateTask::default() };
    let mut session = Session::new(Budget::nodes(1_000));
    let refused = task.answer(Variant::Minishogi, "4k/5/3P1/5/K4 b G 1", &mut session);
    let said = refused.unwrap_err().to_string();
    assert_eq!(said, "brink cannot be combined with shortest, all, tsume or several threads");
    let task = MateTask { defend: true, brink: true, ..MateTask::default() };
    let refused = task.answer(Variant::Minishogi, "4k/5/3P1/5/K4 b G 1", &mut session);
    let said = refused.unwrap_err().to_string();
    assert_eq!(said, "defend cannot be combined with all, tsume, brink or several threads");
    let task = MateTask { line: Some("G*1b".to_owned()), together: 2, ..MateTask::default() };
    let refused = task.answer(Variant::Minishogi, "4k/5/3P1/5/K4 b G 1", &mut session);
    let said = refused.unwrap_err().to_string();
    assert_eq!(said, "line cannot be combined with all, brink, defend or several threads");
}
