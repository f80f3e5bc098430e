use std::io::Write as _;
use std::path::PathBuf;
use std::string::{String, ToString as _};
use std::vec::Vec;
use std::{format, fs, thread};

use serde::{Deserialize, Serialize};
use testing::damage::assert_damage_is_found;

use super::*;

const FORMAT: FileFormat =
    FileFormat { magic: *b"\x89TESTS\r\n", version: 3, name: "test file", most: 1 << 20 };

/// A file of 200,000 numbers and a text.
fn long_file() -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &FORMAT).unwrap();
    for number in 0..200_000u32 {
        writer.write_all(&number.to_le_bytes()).unwrap();
    }
    writer.write_all("終".as_bytes()).unwrap();
    writer.sized_text("了").unwrap();
    writer.finish().unwrap()
}

#[test]
fn a_written_file_is_read() {
    let file = long_file();
    let mut reader = Reader::new(&file[..], &FORMAT).unwrap();
    for number in 0..100_000u32 {
        assert_eq!(u32::from_le_bytes(reader.array().unwrap()), number);
    }
    let rest = reader.bytes(400_000).unwrap();
    assert_eq!(rest[..4], 100_000u32.to_le_bytes());
    assert_eq!(reader.text(3, "end").unwrap(), "終");
    assert_eq!(reader.sized_text("end").unwrap(), "了");
    assert_eq!(reader.offset(), file.len() as u64 - CHECKSUM_BYTES as u64);
    reader.finish().unwrap();
}

#[test]
fn every_damage_to_bytes_is_found() {
    let mut writer = Writer::new(Vec::new(), &FORMAT).unwrap();
    writer.write_all(b"content").unwrap();
    let file = writer.finish().unwrap();
    let read = |file: &[u8]| -> Result<(), At<Flaw>> {
        let mut reader = Reader::new(file, &FORMAT)?;
        reader.bytes(7).map_err(|flaw| reader.at(flaw))?;
        reader.finish()
    };
    assert_damage_is_found(&file, read);
    let reason = |file: &[u8]| read(file).unwrap_err().to_string();
    assert_eq!(reason(b""), "at byte 0: this is no test file");
    assert_eq!(reason(b"GIF89a"), "at byte 0: this is no test file");
    assert_eq!(reason(&file[..9]), "at byte 9: the file ends here, but it is not complete");
    let later = [&file[..8], &[4, 0], &file[10..]].concat();
    assert_eq!(reason(&later), "at byte 8: version 4 of the format, but only 3 is known");
    let longer = [&file[..], &[0]].concat();
    assert_eq!(reason(&longer), "at byte 49: nothing may follow the checksum");
}

#[test]
fn refused_content_is_damaged_or_wrong() {
    let refusal = |file: &[u8]| {
        let mut reader = Reader::new(file, &FORMAT).unwrap();
        reader.bytes(90_000).unwrap();
        reader.refusal(Flaw::Number).to_string()
    };
    let mut file = long_file();
    assert_eq!(refusal(&file), "at byte 90010: the number is too long");
    for place in [11, 90_011, 300_000, file.len() - 1] {
        file[place] ^= 1;
        assert!(refusal(&file).contains("checksum"), "byte {place}");
        file[place] ^= 1;
    }
    assert!(refusal(&file[..file.len() - 1]).contains("checksum"));
}

#[test]
fn forged_lengths_take_no_memory() {
    let file = long_file();
    let mut reader = Reader::new(&file[..], &FORMAT).unwrap();
    assert!(matches!(reader.bytes(u64::MAX), Err(Flaw::Truncated)));
}

#[test]
fn an_endless_file_is_refused_at_the_bound_of_its_format() {
    let head = &long_file()[..10];
    let endless = || io::Read::chain(head, io::repeat(7));
    let reader = || Reader::new(endless(), &FORMAT).unwrap();
    let is_bounded = |flaw| matches!(flaw, Flaw::TooLarge { most } if most == FORMAT.most);
    assert!(is_bounded(reader().bytes(u64::MAX).unwrap_err()));
    assert!(is_bounded(reader().check_rest().unwrap_err().reason));
    assert!(is_bounded(reader().refusal(Flaw::Number).reason));
    assert!(is_bounded(FORMAT.read_whole(endless()).unwrap_err().reason));
    assert!(is_bounded(read_bounded(endless(), FORMAT.most).unwrap_err()));
    // A file with another beginning is not read further.
    let mut zeros = io::Read::take(io::repeat(0), 1 << 20);
    assert!(matches!(FORMAT.read_whole(&mut zeros).unwrap_err().reason, Flaw::Format(_)));
    assert_eq!(zeros.limit(), (1 << 20) - 8);
}

#[test]
fn a_file_as_large_as_its_format_allows_is_read() {
    let file = long_file();
    let format = |most| FileFormat { most, ..FORMAT };
    let length = file.len() as u64;
    let read = |most| Reader::new(&file[..], &format(most)).unwrap().check_rest();
    read(length).unwrap();
    assert!(matches!(read(length - 1).unwrap_err().reason, Flaw::TooLarge { .. }));
    assert_eq!(format(length).read_whole(&file[..]).unwrap(), file);
    let at = format(length - 1).read_whole(&file[..]).unwrap_err();
    assert!(
        matches!((at.offset, at.reason), (offset, Flaw::TooLarge { .. }) if offset == length - 1)
    );
}

#[test]
fn numbers_have_one_form() {
    let read = |bytes: &[u8]| {
        let mut writer = Writer::new(Vec::new(), &FORMAT).unwrap();
        writer.write_all(bytes).unwrap();
        Reader::new(&writer.finish().unwrap()[..], &FORMAT).unwrap().varint()
    };
    assert_eq!(read(&[0x7f]).unwrap(), 127);
    assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0x0f]).unwrap(), u32::MAX);
    assert!(matches!(read(&[0x80, 0x00]), Err(Flaw::Number)));
    assert!(matches!(read(&[0xff, 0xff, 0xff, 0xff, 0x1f]), Err(Flaw::Number)));
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Content {
    name: String,
    weights: Vec<f32>,
}

const JSON: JsonFormat = JsonFormat { format: Some("test"), version: 2, name: "test file" };

fn content() -> Content {
    Content { name: "a \"name\" with }".to_string(), weights: Vec::from([0.1, -3e20, 7.0]) }
}

#[test]
fn every_damage_to_json_is_found() {
    let text = to_json(&content(), &JSON);
    assert_eq!(from_json::<Content>(&text, &JSON).unwrap(), content());
    assert_damage_is_found(text.as_bytes(), |bytes| {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        from_json::<Content>(text, &JSON).map_err(|flaw| flaw.to_string())
    });
    let reason = |text: &str| from_json::<Content>(text, &JSON).unwrap_err().to_string();
    let later = text.replace("\"version\":2", "\"version\":3");
    assert_eq!(reason(&later), "version 3 of the format, but only 2 is known");
    assert_eq!(reason(&text.replace("\"test\"", "\"rest\"")), "this is no test file");
    assert_eq!(reason("{}"), "this is no test file");
    assert!(reason("[]").starts_with("this is no test file: "));
    assert!(reason(&text.replace("name\":", "n\":")).contains("unknown field `n`"));
}

#[test]
fn a_key_twice_is_refused() {
    let text = to_json(&content(), &JSON);
    let twice = |key: &str, value: &str| {
        let before =
            text.replacen(&format!("\"{key}\":"), &format!("\"{key}\":{value},\"{key}\":"), 1);
        assert_ne!(before, text);
        from_json::<Content>(&before, &JSON).unwrap_err().to_string()
    };
    for (key, value) in
        [("name", "\"other\""), ("weights", "[]"), ("version", "2"), ("checksum", "\"\"")]
    {
        let refused = twice(key, value);
        let expected = format!("this is no test file: the key {key:?} is there twice at line 1");
        assert!(refused.starts_with(&expected), "{refused}");
    }
    let deep = serde_json::from_str::<Distinct>(r#"{"a": [{"b": 1, "c": {}, "b": 1}]}"#);
    assert!(deep.unwrap_err().to_string().contains("\"b\" is there twice"));
}

#[test]
fn json_may_have_another_layout() {
    let text = to_json(&content(), &JSON);
    let (head, checksum) = text.rsplit_once(',').unwrap();
    let checksum = checksum.strip_suffix('}').unwrap();
    let other = format!("{{\n  {checksum},\n  {}}}\n", head.strip_prefix('{').unwrap());
    assert_eq!(from_json::<Content>(&other, &JSON).unwrap(), content());
}

/// A folder of its own for a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sealed-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn write(text: &str) -> impl FnMut(&mut fs::File) -> io::Result<()> + '_ {
    move |file| file.write_all(text.as_bytes())
}

#[test]
fn files_left_by_a_killed_process_are_removed() {
    let folder = Folder::new("leftovers");
    let path = folder.0.join("table");
    // The first has the form of a name of another process; the others belong to other files.
    let kept = [".table.old-0.new", ".table.1-0.tmp", ".tables.1-0.new", "table.1-0.new"];
    let leftover = ".table.1-0.new";
    let leave = || {
        for name in kept.iter().chain([&leftover]) {
            fs::write(folder.0.join(name), "half").unwrap();
        }
    };
    let left = |with: Option<&'static str>| {
        let mut names: Vec<_> = kept.iter().copied().chain(with).collect();
        names.sort_unstable();
        names
    };
    leave();
    check_replaceable(&path).unwrap();
    assert_eq!(folder.names(), left(None), "at the start");
    leave();
    replace(&path, write("whole")).unwrap();
    assert_eq!(folder.names(), left(Some("table")), "at a save");
    assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
}

#[test]
fn a_file_that_is_removed_while_it_is_written_is_written_again() {
    let folder = Folder::new("again");
    let path = folder.0.join("table");
    let mut calls = 0;
    replace(&path, |file| {
        calls += 1;
        if calls < 3 {
            let [name] = &folder.names()[..] else { panic!("one new file") };
            fs::remove_file(folder.0.join(name))?;
        }
        file.write_all(b"whole")
    })
    .unwrap();
    assert_eq!((calls, fs::read_to_string(&path).unwrap()), (3, "whole".to_string()));
    assert_eq!(folder.names(), ["table"]);
}

#[test]
fn a_save_that_fails_leaves_the_old_content() {
    let folder = Folder::new("fails");
    let path = folder.0.join("table");
    replace(&path, write("old")).unwrap();
    let failed = replace(&path, |file| {
        file.write_all(b"ne")?;
        Err(io::Error::other("no more"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "no more");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(folder.names(), ["table"]);
    assert!(check_replaceable(&folder.0).is_err());
    assert!(replace(&folder.0.join("none").join("table"), write("x")).is_err());
}

#[test]
fn threads_may_replace_the_same_file() {
    let folder = Folder::new("threads");
    let path = folder.0.join("table");
    thread::scope(|scope| {
        for number in 0..4 {
            let (path, text) = (&path, number.to_string().repeat(1000));
            scope.spawn(move || (0..20).for_each(|_| replace(path, write(&text)).unwrap()));
        }
    });
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.len() == 1000 && text.bytes().all(|byte| byte == text.as_bytes()[0]));
    assert_eq!(folder.names(), ["table"]);
}
