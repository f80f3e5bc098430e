//! Records as programs, servers and people write them, each kind in a file of its own: what is read of
//! each, and laws that hold for all of them.

use std::fs;
use std::path::{Path, PathBuf};

use shogi_records::{Branch, End, Format, Record, RecordError, Recorded, decode, json};
use shogi_rules::shogi_core::Move;
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Shogi};
use testing::random::Random;

/// Calls a generic function with the rule set of a file.
macro_rules! of_file {
    ($file:expr, $function:ident($($argument:expr),*)) => {
        match $file.variant.as_str() {
            "shogi" => $function::<Shogi>($($argument),*),
            "minishogi" => $function::<Minishogi>($($argument),*),
            "kyotoshogi" => $function::<KyotoShogi>($($argument),*),
            "dobutsu" => $function::<Dobutsu>($($argument),*),
            other => panic!("no variant {other}"),
        }
    };
}

/// A file of the corpus, and the line of JSON that is read of each game in it.
struct File {
    name: String,
    variant: String,
    text: String,
    format: Format,
    expected: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/wild")
}

/// The files that `expected.txt` lists: name and variant on a line, the games below it.
fn corpus() -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for line in fs::read_to_string(folder().join("expected.txt")).unwrap().lines() {
        if line.starts_with('{') {
            files.last_mut().unwrap().expected.push(line.to_owned());
        } else if let Some((name, variant)) = line.split_once(' ') {
            let (text, _) = decode(&fs::read(folder().join(name)).unwrap()).unwrap();
            let format = Format::detect(&text).unwrap();
            let (name, variant) = (name.to_owned(), variant.to_owned());
            files.push(File { name, variant, text, format, expected: Vec::new() });
        }
    }
    files
}

fn as_json<R: Recorded>(format: Format, text: &str) -> Result<Vec<String>, RecordError> {
    Ok(format.parse_all::<R>(text)?.iter().map(json::write).collect())
}

#[test]
fn every_file_is_read_as_intended() {
    let files = corpus();
    for file in &files {
        let read = of_file!(file, as_json(file.format, &file.text));
        let read = read.unwrap_or_else(|error| panic!("{}: {error}", file.name));
        assert_eq!(read, file.expected, "{}", file.name);
        let extension = file.name.rsplit('.').next().unwrap();
        assert_eq!(file.format.name(), extension, "{}", file.name);
    }
    // No file is forgotten.
    let entries = fs::read_dir(folder()).unwrap().count();
    assert_eq!(entries, files.len() + 1);
}

fn written_and_read_again<R: Recorded>(format: Format, text: &str) -> usize {
    let mut held = 0;
    for mut record in format.parse_all::<R>(text).unwrap() {
        // CSA has the players first.
        record.headers.sort();
        for format in Format::ALL {
            let Ok(written) = format.write(&record) else { continue };
            // CSA has a word for games broken off, and a comment says how.
            let is_sealed = record.ending().is_some_and(|ending| ending.end == End::SealedMove);
            let is_other = format == Format::Csa && is_sealed;
            if format.left_out(&record).is_nothing() && !is_other {
                let mut again = format.parse::<R>(&written);
                again.iter_mut().for_each(|again| again.headers.sort());
                assert_eq!(again.as_ref(), Ok(&record), "{format}\n{written}");
                held += 1;
            } else {
                let again = format.parse::<R>(&written).unwrap();
                assert_eq!(main_line(&again), main_line(&record), "{format}\n{written}");
            }
        }
    }
    held
}

fn main_line<R: Recorded>(record: &Record<R>) -> Vec<Move<R>> {
    record.moves().iter().map(|one| one.mv()).collect()
}

#[test]
fn every_format_that_can_hold_a_record_holds_all_of_it() {
    let mut held = 0;
    for file in corpus() {
        held += of_file!(file, written_and_read_again(file.format, &file.text));
    }
    assert!(held > 130, "{held}");
}

/// The moves from the start along each line of a record.
fn paths<R: Recorded>(record: &Record<R>) -> Vec<Vec<Move<R>>> {
    let mut paths: Vec<Vec<Move<R>>> = Vec::new();
    for line in record.lines() {
        let mut path = Vec::new();
        if let Some(Branch { line: parent, at }) = line.branch() {
            let before = record.lines()[parent].moves_before() + at;
            path.extend_from_slice(&paths[parent][..before]);
        }
        path.extend(line.moves().iter().map(|one| one.mv()));
        paths.push(path);
    }
    paths
}

/// A damaged text is read, and then each of its lines is the beginning of one of the whole; or it is
/// refused with a place in it.
fn is_a_beginning<R: Recorded>(format: Format, damaged: &str, whole: &str) -> bool {
    match format.parse_all::<R>(damaged) {
        Ok(records) => {
            let known: Vec<_> =
                format.parse_all::<R>(whole).unwrap().iter().flat_map(paths).collect();
            for path in records.iter().flat_map(paths) {
                assert!(known.iter().any(|known| known.starts_with(&path)), "{damaged}");
            }
            true
        }
        Err(error) => {
            let line = damaged.split('\n').nth(error.line - 1);
            assert!(line.is_some() || error.line == damaged.lines().count() + 1, "{error}");
            let length = line.map_or(0, |line| line.chars().count());
            assert!((1..=length + 1).contains(&error.column), "{error}\n{damaged}");
            false
        }
    }
}

#[test]
fn a_file_cut_at_any_line_is_a_beginning_or_refused() {
    let (mut read, mut refused) = (0, 0);
    for file in corpus() {
        let lines: Vec<&str> = file.text.split_inclusive('\n').collect();
        for count in 0..lines.len() {
            let cut = lines[..count].concat();
            let is_read = of_file!(file, is_a_beginning(file.format, &cut, &file.text));
            *(if is_read { &mut read } else { &mut refused }) += 1;
        }
    }
    assert!(read > 150 && refused > 50, "{read} read, {refused} refused");
}

#[test]
fn a_file_with_any_line_twice_is_a_beginning_or_refused() {
    let (mut read, mut refused) = (0, 0);
    for file in corpus() {
        let lines: Vec<&str> = file.text.split_inclusive('\n').collect();
        for at in 0..lines.len() {
            let doubled = [lines[..=at].concat(), lines[at..].concat()].concat();
            let is_read = of_file!(file, is_a_beginning(file.format, &doubled, &file.text));
            *(if is_read { &mut read } else { &mut refused }) += 1;
        }
    }
    assert!(read > 130 && refused > 80, "{read} read, {refused} refused");
}

#[test]
fn lines_may_end_in_any_style() {
    for file in corpus() {
        let plain = file.text.replace("\r\n", "\n");
        for end in ["\n", "\r\n", "\r"] {
            let text = plain.replace('\n', end);
            assert_eq!(Format::detect(&text), Some(file.format), "{}", file.name);
            let read = of_file!(file, as_json(file.format, &text));
            assert_eq!(read.as_ref(), Ok(&file.expected), "{} {end:?}", file.name);
        }
    }
}

/// Characters that mean something in one of the formats.
const LETTERS: &str =
    "0123456789+-*/()[]{}:,.%'\"&\r\n TVPN同　成不打右左上▲△変化：手まで中断投了１七歩銀王";

/// Reads so many changed files of the corpus in every format.
fn changed_files_are_read(count: u64) {
    let files = corpus();
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut random = Random::new(20);
    let mut read = 0;
    for _ in 0..count {
        let file = &files[random.below(files.len())];
        let mut text: Vec<char> = file.text.chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => text[at] = random.pick(&letters),
                1 => text.insert(at, random.pick(&letters)),
                2 => drop(text.remove(at)),
                _ => {
                    let end = text.len().min(at + 1 + random.below(40));
                    let part = text[at..end].to_vec();
                    let to = random.below(text.len());
                    text.splice(to..to, part);
                }
            }
        }
        let text: String = text.into_iter().collect();
        let format = Format::detect(&text).unwrap_or(file.format);
        read += usize::from(of_file!(file, as_json(format, &text)).is_ok());
    }
    let percent = read as u64 * 100 / count;
    assert!((10..90).contains(&percent), "{percent} % were read");
}

#[test]
fn changed_files_are_read_or_refused() {
    changed_files_are_read(3_000);
}

#[test]
#[ignore = "takes half a minute"]
fn many_changed_files_are_read_or_refused() {
    changed_files_are_read(100_000);
}
