//! Games in which the player who brings a repetition about has lost: a win without a repetition is proved, and nothing
//! is said of the rest.

use shogi_rules::text::TextVariant;
use shogi_rules::{SmallBoard, Verdict, parse_position};
use shogi_solve::{Algorithm, Budget, Ended, Options, Solved, Solver};

/// Solves a position with kings and golds on 3x4.
fn solved(sfen: &str, algorithm: Algorithm, result: &str) -> Solved<SmallBoard> {
    let text = format!(
        "name = \"golds\"\nstart = \"gk1/3/3/1KG b - 1\"\n[pieces]\nG = {{ front = \"gold\" }}\n\
         K = {{ front = \"king\", royal = true }}\n[repetition]\ntimes = 3\nresult = \"{result}\"\n"
    );
    TextVariant::load(&text).unwrap().rules().within(|| {
        let root = parse_position::<SmallBoard>(sfen).unwrap();
        let options =
            Options { algorithm, hash_bytes: 4 << 20, small_game: 0, ..Options::default() };
        let mut solver = Solver::of_position(root, options);
        solver.run(&mut Budget::nodes(3_000_000));
        // The bounds known during the work hold in the end.
        let value = solver.value();
        let solved = solver.into_solved();
        assert_eq!(solved.value, value);
        assert!(solved.proof.iter().all(|proof| proof.check().is_ok()));
        solved
    })
}

#[test]
fn a_win_without_a_repetition_is_proved() {
    for algorithm in [Algorithm::DfPn, Algorithm::Pds] {
        let mate = solved("1k1/3/1G1/1K1 b G 1", algorithm, "repeater loses");
        assert_eq!((mate.value, mate.ended), (Some(Verdict::Win), Ended::Solved));
        assert!(mate.proof.is_some() && mate.refuted.is_none());
    }
}

#[test]
fn positions_decided_by_a_repetition_are_refused() {
    for algorithm in [Algorithm::DfPn, Algorithm::Pds] {
        // Bare kings walk for ever.
        let endless = |result| solved("k2/3/3/2K b - 1", algorithm, result);
        let draw = endless("draw");
        assert_eq!((draw.value, draw.ended), (Some(Verdict::Draw), Ended::Solved));
        let refused = endless("repeater loses");
        assert_eq!((refused.value, refused.ended), (None, Ended::Repetition));
        assert!(refused.proof.is_none() && refused.refuted.is_none());
    }
}
