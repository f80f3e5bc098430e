//! Files: damage, checkpoints and what is refused.

use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;

use shogi_rules::{Dobutsu, Shogi34};
use shogi_tablebase::{
    BuildError, Builder, FileError, PieceSet, Stored, Tablebase, Value, World, read_variant,
    read_variant_from,
};

use crate::trail::Trail;
use crate::values::{build, path};
use crate::worlds::{Wild, set};

/// The values of all numbers, `None` if the file is refused somewhere.
fn read_all<R: World>(path: &Path) -> Option<Vec<Option<Value>>> {
    values(Tablebase::<R>::open(path))
}

fn values<R: World>(table: Result<Tablebase<R>, FileError>) -> Option<Vec<Option<Value>>> {
    let table = table.ok()?;
    (0..table.index().size()).map(|rank| table.value(rank).ok()).collect()
}

/// A table whose file has these bytes. They are read in memory: to write a file anew for each takes ten times as long.
fn read<R: World>(bytes: &[u8]) -> Result<Tablebase<R>, FileError> {
    Tablebase::read(Box::new(Cursor::new(bytes.to_owned())), Path::new("name"))
}

/// Changes each byte of a file, and cuts it anywhere: it is refused.
fn refuses_damage<R: World>(name: &str, stored: Stored) {
    let path = build(set::<R>(name), stored, &format!("damage-{name}-{stored:?}"));
    let bytes = fs::read(&path).unwrap();
    let whole = read_all::<R>(&path).unwrap();
    assert!(whole.len() > 30);
    assert_eq!(values(read::<R>(&bytes)).as_ref(), Some(&whole));
    let mut refused = 0;
    for place in 0..bytes.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= change;
            match values(read::<R>(&damaged)) {
                None => refused += 1,
                Some(read) => assert_eq!(read, whole, "byte {place}"),
            }
        }
    }
    assert_eq!(refused, 3 * bytes.len());
    for length in 0..bytes.len() {
        let error = read::<R>(&bytes[..length]).err().unwrap().reason.to_string();
        let reason = if length == 0 { "this is no tablebase" } else { "the file ends here" };
        assert!(error.starts_with(&format!("at byte {length}: {reason}")), "{length}: {error}");
    }
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    let error = Tablebase::<R>::open(&path).err().unwrap().reason.to_string();
    assert_eq!(error, format!("at byte {}: nothing may follow the checksum", bytes.len()));
    fs::remove_file(path).unwrap();
}

#[test]
fn a_file_with_any_byte_changed_is_refused_or_gives_the_same_values() {
    refuses_damage::<Shogi34>("K2", Stored::Plies);
    refuses_damage::<Shogi34>("K2", Stored::Verdict);
    // Plies that are more than a byte holds follow the bytes.
    refuses_damage::<Trail>("E1K2", Stored::Plies);
}

#[test]
fn bytes_in_memory_are_read_as_their_file() {
    let path = build(set::<Shogi34>("P1K2"), Stored::Plies, "memory");
    let bytes = fs::read(&path).unwrap();
    let name = Path::new("name");
    let source = |bytes: &[u8]| Box::new(Cursor::new(bytes.to_owned()));
    assert_eq!(read_variant_from(source(&bytes), name).unwrap(), read_variant(&path).unwrap());
    let table = Tablebase::<Shogi34>::read(source(&bytes), name).unwrap();
    let values: Vec<_> = (0..table.index().size()).map(|rank| table.value(rank).unwrap()).collect();
    assert_eq!(Some(values), read_all::<Shogi34>(&path));
    let short = Tablebase::<Shogi34>::read(source(&bytes[..bytes.len() - 1]), name);
    assert!(short.err().unwrap().to_string().starts_with("name: "));
    fs::remove_file(path).unwrap();
}

#[test]
fn a_file_of_other_rules_is_refused() {
    let path = build(set::<Shogi34>("P1K2"), Stored::Plies, "other");
    let error = Tablebase::<Dobutsu>::open(&path).err().unwrap().to_string();
    assert!(error.ends_with("the variant is shogi34, but dobutsu was expected"), "{error}");
    fs::remove_file(path).unwrap();
}

#[test]
fn verdicts_are_those_of_the_plies() {
    let [plies, verdicts] = [Stored::Plies, Stored::Verdict].map(|stored| {
        let path = build(set::<Dobutsu>("C1G1L2"), stored, &format!("verdicts-{stored:?}"));
        let values = read_all::<Dobutsu>(&path).unwrap();
        fs::remove_file(path).unwrap();
        values
    });
    let bare = |value: Option<Value>| value.map(|value| Value { plies: None, ..value });
    assert!(plies.into_iter().map(bare).eq(verdicts));
}

/// Builds a set in one go, and stopped at every step, and returns how many there were.
fn stopped_at_every_step<R: World>(name: &str) -> u32 {
    let set = set::<R>(name);
    let whole = build(set, Stored::Plies, &format!("whole-{name}"));
    let directory = path(&format!("checkpoint-{name}"));
    let parts = path(&format!("parts-{name}"));
    let mut steps = 0;
    loop {
        // As after a kill: nothing is left but the checkpoint.
        let mut builder = Builder::new(set, None).unwrap().with_checkpoint(&directory).unwrap();
        let mut looks = 0;
        let stop = |_: &_| {
            looks += 1;
            if looks == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        steps += 1;
        if let Some(finished) = builder.run(stop).unwrap() {
            finished.write(&parts, Stored::Plies).unwrap();
            break;
        }
    }
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&parts).unwrap());
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "the checkpoint is left");
    fs::remove_dir(directory).unwrap();
    fs::remove_file(whole).unwrap();
    fs::remove_file(parts).unwrap();
    steps
}

#[test]
fn a_build_stopped_at_every_step_makes_the_same_file() {
    let steps = stopped_at_every_step::<Shogi34>("P1R1K2");
    assert!(steps > 5, "{steps} steps");
    // Also where plies are more than a byte holds.
    let steps = stopped_at_every_step::<Trail>("E1K2");
    assert!(steps > 120, "{steps} steps");
}

#[test]
fn checkpoint_files_left_by_a_killed_save_are_removed() {
    let directory = path("leftover");
    fs::create_dir_all(&directory).unwrap();
    let leftover = |set: &str| directory.join(format!(".dobutsu-{set}.checkpoint.1-0.new"));
    for set in ["C1L2", "C2L2"] {
        fs::write(leftover(set), "half").unwrap();
    }
    let set = set::<Dobutsu>("C1L2");
    let mut builder = Builder::new(set, None).unwrap().with_checkpoint(&directory).unwrap();
    builder.run(|_| ControlFlow::Continue(())).unwrap().unwrap();
    assert!(!leftover("C1L2").exists());
    assert!(leftover("C2L2").exists(), "it is of another build, which may be running");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn more_plies_than_a_byte_holds_are_refused_where_they_do_not_fit() {
    let set = set::<Trail>("E1K2");
    let fits = |bytes: u64| Builder::new(set, Some(bytes)).is_ok();
    // The fewest bytes with which a build begins.
    let least = (0..40)
        .rev()
        .fold(0, |sum, bit| if fits(sum + (1 << bit)) { sum } else { sum + (1 << bit) })
        + 1;
    let directory = path("memory");
    let out = path("memory-out");
    let build = |bytes: u64| {
        let builder = Builder::new(set, Some(bytes)).unwrap();
        let mut builder = builder.with_checkpoint(&directory).unwrap();
        let finished = builder.run(|_| ControlFlow::Continue(()))?;
        finished.unwrap().write(&out, Stored::Plies).unwrap();
        Ok::<_, BuildError>(())
    };
    let error = build(least).unwrap_err();
    assert!(matches!(error, BuildError::Memory { .. }), "{error}");
    assert!(!out.exists());
    build(least + (1 << 20)).unwrap();
    let whole = self::build(set, Stored::Plies, "memory-whole");
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&out).unwrap());
    fs::remove_dir(directory).unwrap();
    fs::remove_file(whole).unwrap();
    fs::remove_file(out).unwrap();
}

#[test]
fn the_number_of_threads_does_not_change_the_file() {
    let file = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let path = pool.install(|| {
            build(set::<Dobutsu>("C2E1L2"), Stored::Plies, &format!("threads-{threads}"))
        });
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        bytes
    };
    assert!(file(1) == file(4));
}

#[test]
fn a_build_that_does_not_fit_is_refused_with_its_need() {
    let set = PieceSet::officers("RS").unwrap();
    let error = Builder::new(set, Some(1 << 30)).err().unwrap();
    assert!(matches!(error, BuildError::Memory { need: 1600..1800, allowed: 1024 }), "{error}");
}

#[test]
fn every_table_built_is_verified_by_the_rules() {
    fn verified<R: World>(name: &str) {
        for stored in [Stored::Plies, Stored::Verdict] {
            let path = build(set::<R>(name), stored, &format!("verify-{name}-{stored:?}"));
            let table = Tablebase::<R>::open(&path).unwrap();
            table.verify_all(|_| ()).unwrap();
            table.verify_some((0..table.index().size()).step_by(97)).unwrap();
            fs::remove_file(path).unwrap();
        }
    }
    verified::<Shogi34>("P1S1K2");
    verified::<Dobutsu>("C2G1L2");
    verified::<Wild>("P1R1K2");
    verified::<Trail>("E1K2");
}
