//! `learn convert` and `learn fit` with the community's training data.

use std::fs;

use crate::common::{folder, shogi};

const GAMES: &str = "selfplay shogi --games 4 --nodes 30 --plies 60 --seed 3 --out";

#[test]
fn games_go_through_every_format_and_are_learnt_from() {
    let folder = folder("training_data");
    let [games, psv, hcpe, again, hcp, psfen, weights] =
        ["a.games", "a.psv", "a.hcpe", "again.bin", "a.hcp", "a.psfen", "weights"]
            .map(|name| folder.join(name).display().to_string());
    let played = shogi(&format!("{GAMES} {games} --json")).json();
    let positions = played["positions"].as_u64().unwrap();
    let answer = shogi(&format!("learn convert shogi {games} --out {psv} --json")).json();
    assert_eq!((&answer["games"], &answer["format"]), (&4.into(), &"psv".into()));
    assert_eq!(answer["positions"], positions);
    assert_eq!(fs::metadata(&psv).unwrap().len(), 40 * positions);
    // Through the other form and back only the numbers of the moves are lost.
    shogi(&format!("learn convert shogi {psv} --out {hcpe}")).fails(0, "");
    shogi(&format!("learn convert shogi {hcpe} --out {again}")).fails(0, "");
    let [mut all, found] = [&psv, &again].map(|path| fs::read(path).unwrap());
    for entry in all.chunks_exact_mut(40) {
        entry[36..38].fill(0);
    }
    assert_eq!(all, found);
    // Positions alone, from two files.
    shogi(&format!("learn convert shogi {psv} {hcpe} --out {hcp}")).fails(0, "");
    shogi(&format!("learn convert shogi {hcp} --to psfen --out {psfen}")).fails(0, "");
    let positions_alone = fs::read(&psfen).unwrap();
    let packed: Vec<u8> = all.chunks_exact(40).flat_map(|entry| &entry[..32]).copied().collect();
    assert_eq!(positions_alone, [&packed[..], &packed[..]].concat());

    let fit = format!("learn fit shogi --form weighted --passes 1 --out {weights} --archive");
    let both = shogi(&format!("{fit} {psv} --archive {games} --json")).json();
    assert_eq!(both["games"], 4);
    let made = fs::read_to_string(&weights).unwrap();
    assert!(made.contains("positions of psv; 4 games by network"), "{made}");
    // The steps are of the size that is given.
    shogi(&format!("{fit} {psv}")).fails(0, "");
    let usual = fs::read_to_string(&weights).unwrap();
    shogi(&format!("{fit} {psv} --rate 0.01")).fails(0, "");
    let smaller = fs::read_to_string(&weights).unwrap();
    assert!(smaller.contains("--passes 1 --rate 0.01: "), "{smaller}");
    let values =
        |file: &str| serde_json::from_str::<serde_json::Value>(file).unwrap()["weights"].clone();
    assert_ne!(values(&smaller), values(&usual));
    for rate in ["0", "-1", "nan", "2", "fast"] {
        shogi(&format!("{fit} {psv} --rate={rate}")).fails(2, "--rate");
    }
    let alone = shogi(&format!("{fit} {hcpe}"));
    assert_eq!(alone.code, Some(0), "{}", alone.stderr);
    shogi(&format!("{fit} {hcp}")).fails(1, "there is nothing to learn from in hcp");
}

#[test]
fn what_is_wrong_with_training_data_is_said() {
    let folder = folder("training_data_wrong");
    let [games, psv, named, out] = ["a.games", "a.psv", "a.data", "out.psv"]
        .map(|name| folder.join(name).display().to_string());
    shogi(&format!("{GAMES} {games}")).fails(0, "");
    shogi(&format!("learn convert shogi {games} --out {psv}")).fails(0, "");
    fs::copy(&psv, &named).unwrap();
    shogi(&format!("learn convert shogi {named} --from psv --out {out}")).fails(0, "");
    shogi(&format!("learn convert shogi {named} --out {out}"))
        .fails(1, "this is no archive of games");
    shogi(&format!("learn convert shogi {psv} --out {named}")).fails(2, "--to is needed");
    let nowhere = folder.join("none").join("a.psv").display().to_string();
    shogi(&format!("learn convert shogi {games} --out {nowhere}"))
        .fails(1, &format!("{nowhere}: cannot write"));
    shogi(&format!("learn convert minishogi {psv} --out {out}")).fails(2, "of standard shogi");

    let mut bytes = fs::read(&psv).unwrap();
    bytes[40 + 38] = 7;
    fs::write(&psv, &bytes).unwrap();
    fs::remove_file(&out).unwrap();
    for verb in ["convert shogi", "fit shogi --archive"] {
        let run = shogi(&format!("learn {verb} {psv} --out {out}"));
        assert_eq!(run.code, Some(1));
        let message = format!("error: {psv}: at byte 78: no result has the number 7\n");
        assert_eq!(run.stderr, message);
        assert!(!fs::exists(&out).unwrap(), "nothing is left of a file that was not completed");
    }
    fs::write(&psv, b"").unwrap();
    for form in ["network", "weighted"] {
        shogi(&format!("learn fit shogi --archive {psv} --form {form} --out {out}"))
            .fails(1, "there is no position to learn from");
    }
    assert!(!fs::exists(&out).unwrap(), "what is fitted to nothing is no evaluation");
    fs::write(&psv, &bytes[..60]).unwrap();
    shogi(&format!("learn convert shogi {psv} --out {out}"))
        .fails(1, "at byte 60: the file ends here, but it is not complete");
}

/// Some programs write the position at the end of a search with the move at its beginning.
#[test]
fn entries_with_illegal_moves_are_skipped_and_counted_where_that_is_allowed() {
    let folder = folder("training_data_skipped");
    let [games, psv, good, out] = ["a.games", "a.psv", "good.psv", "out.psv"]
        .map(|name| folder.join(name).display().to_string());
    shogi(&format!("{GAMES} {games}")).fails(0, "");
    shogi(&format!("learn convert shogi {games} --out {psv}")).fails(0, "");
    let whole = fs::read(&psv).unwrap();
    let (mut bytes, mut left) = (whole.clone(), whole.clone());
    // The moves of the second and the last entry end on a square that no move ends on.
    let last = whole.len() - 40;
    for entry in [40, last] {
        bytes[entry + 34] = 0x7f;
    }
    left.truncate(last);
    left.drain(40..80);
    fs::write(&psv, &bytes).unwrap();
    fs::write(&good, &left).unwrap();
    shogi(&format!("learn convert shogi {psv} --out {out}")).fails(1, "at byte 74: ");
    let convert = format!("learn convert shogi {psv} --skip-illegal --out {out}");
    let answer = shogi(&format!("{convert} --json")).json();
    assert_eq!((&answer["skipped"], &answer["positions"]), (&2.into(), &(left.len() / 40).into()));
    assert_eq!(fs::read(&out).unwrap(), left);
    let said = shogi(&convert).stdout;
    assert!(said.starts_with("2 entries with illegal moves skipped\n"), "{said}");
    let none = shogi(&format!("learn convert shogi {good} --skip-illegal --out {out} --json"));
    assert_eq!(none.json()["skipped"], 0);

    // What is fitted is what the other entries say.
    let fit = "learn fit shogi --form weighted --passes 1 --skip-illegal";
    let [skipped, plain] = [&psv, &good].map(|data| {
        let answer = shogi(&format!("{fit} --archive {data} --out {out} --json")).json();
        (answer["skipped"].clone(), fs::read_to_string(&out).unwrap())
    });
    assert_eq!((&skipped.0, &plain.0), (&2.into(), &0.into()));
    assert_eq!(skipped.1, plain.1);
    assert!(plain.1.contains("--passes 1 --skip-illegal: "), "{}", plain.1);
}

#[test]
fn networks_for_other_programs_are_fitted_and_play() {
    let folder = folder("training_data_network");
    let [games, psv, net, again] =
        ["a.games", "a.psv", "nn.bin", "again"].map(|name| folder.join(name).display().to_string());
    // Games that somebody wins.
    shogi(&format!("selfplay shogi --games 12 --nodes 30 --seed 3 --out {games}")).fails(0, "");
    shogi(&format!("learn convert shogi {games} --out {psv}")).fails(0, "");
    for form in ["halfkp", "kp"] {
        let fit = format!("learn fit shogi --form {form} --passes 2 --archive {psv} --out");
        let answer = shogi(&format!("{fit} {net} --json")).json();
        assert_eq!(answer["bytes"], fs::metadata(&net).unwrap().len());
        // There are too few positions for some to be kept out.
        assert_eq!(answer["passes"][0]["held_out"], serde_json::Value::Null);
        let losses = answer["passes"].as_array().unwrap().iter().map(|pass| pass["loss"].as_f64());
        let losses: Vec<f64> = losses.map(Option::unwrap).collect();
        assert!(losses.len() == 2 && losses[1] < losses[0], "{losses:?}");
        let table = shogi(&format!("{fit} {again}")).stdout;
        assert!(table.lines().nth(1).is_some_and(|pass| pass.ends_with("         -")), "{table}");
        assert!(fs::read(&net).unwrap() == fs::read(&again).unwrap());
        let play =
            format!("selfplay shogi --games 1 --nodes 20 --plies 20 --eval {net} --out {again}");
        shogi(&play).fails(0, "");
    }
    shogi(&format!("selfplay dobutsu --games 2 --nodes 10 --plies 20 --out {games}")).fails(0, "");
    shogi(&format!("learn fit dobutsu --form halfkp --archive {games} --out {again}"))
        .fails(2, "a network of the form HalfKP is not available for dobutsu");
}
