//! Reports on games as pages.

use shogi_variants::Variant;
use shogi_variants::solve::Budget;
use shogi_variants::tasks::report::Part;
use shogi_variants::tasks::{ReportTask, Session, Task as _};

#[test]
fn every_game_stands_in_one_bar_of_the_lengths() {
    let task = ReportTask {
        games: 1,
        move_nodes: 1,
        nodes: 1,
        samples: 1,
        positions: 0,
        ..ReportTask::default()
    };
    let mut session = Session::new(Budget::unlimited());
    let mut report = task.answer(Variant::Minishogi, "startpos", &mut session).unwrap();
    for lengths in [vec![7], vec![3, 3, 5], (0..500).collect()] {
        let Part::Known(play) = &mut report.play else { panic!("a game was played") };
        play.plies = lengths.clone();
        let page = report.page(Variant::Minishogi).unwrap();
        let games = page.split(" plies: ").skip(1).map(|rest| {
            rest.split('<').next().and_then(|games| games.parse::<usize>().ok()).unwrap()
        });
        assert_eq!(games.sum::<usize>(), lengths.len(), "{page}");
    }
}
