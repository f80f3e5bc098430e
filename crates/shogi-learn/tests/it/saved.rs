//! Checkpoints and archives that earlier versions have written: each is read, and comes back byte for byte.

use std::fs;
use std::io;
use std::path::Path;

use shogi_learn::archive::Archive;
use shogi_learn::expert::ExpertIteration;
use shogi_learn::linear::Training;
use shogi_learn::matches::read_checkpoint;
use shogi_rules::Dobutsu;

/// A file of `tests/data`.
fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

#[track_caller]
fn assert_written(file: &[u8], write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) {
    let mut written = Vec::new();
    write(&mut written).unwrap();
    assert!(written == file);
}

#[test]
fn old_archives_are_read() {
    let file = file("games.archive");
    let archive = Archive::<Dobutsu>::read(&file).unwrap();
    assert_eq!(archive.games.len(), 6);
    assert_written(&file, |out| archive.write(out));
}

#[test]
fn old_trainings_are_resumed() {
    let file = file("training.checkpoint");
    let training = Training::<Dobutsu>::read(&file[..]).unwrap();
    assert_eq!(training.games(), 10);
    assert_written(&file, |out| training.write(out));
}

#[test]
fn old_expert_iterations_are_resumed() {
    let file = file("proofs.checkpoint");
    let iteration = ExpertIteration::<Dobutsu>::read(&file[..]).unwrap();
    assert_eq!((iteration.searches(), iteration.rounds().len()), (32, 2));
    assert_written(&file, |out| iteration.write(out));
}

#[test]
fn old_matches_are_read() {
    let (settings, score) = read_checkpoint(&file("match.checkpoint")[..]).unwrap();
    assert_eq!((settings.variant.as_str(), settings.self_play.seed), ("dobutsu", 7));
    assert_eq!(score.games(), 6);
}
