//! Runs the built program and looks at what it says.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::{fs, thread};

use serde_json::Value;

/// The start position of Minishogi.
pub const START: &str = "rbsgk/4p/5/P4/KGSBR b - 1";

/// The results of a run of the program.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The one JSON object on standard output, of a run that went well.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        assert_eq!(self.stdout.lines().count(), 1, "{}", self.stdout);
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// The JSON objects on standard output, line by line.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Asserts the exit code and that standard error holds the words.
    #[track_caller]
    pub fn fails(&self, code: i32, words: &str) {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        assert!(self.stderr.contains(words), "{}", self.stderr);
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The program with these arguments, separated by spaces.
pub fn command(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shogi"));
    command.args(arguments.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program without input.
pub fn shogi(arguments: &str) -> Run {
    command(arguments).output().unwrap().into()
}

/// Runs the program with these bytes on standard input.
pub fn shogi_with(arguments: &str, input: impl AsRef<[u8]> + Send) -> Run {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|threads| {
        threads.spawn(move || {
            // A program that refuses its arguments does not read.
            let _ = stdin.write_all(input.as_ref());
        });
        child.wait_with_output().unwrap().into()
    })
}

/// A new empty folder for one test, with a path without spaces.
pub fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// The names of the files in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Waits until the program listens for Ctrl-C, and sends it that.
#[cfg(target_os = "linux")]
pub fn interrupt(child: Child) -> Run {
    let listens = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(caught.trim(), 16).unwrap() & 2 != 0
    };
    while !listens() {
        thread::sleep(std::time::Duration::from_millis(10));
    }
    // One request may arrive twice, as from `timeout`, which signals its whole group, too.
    let twice = "kill -INT $0 && kill -TERM $0";
    let kill = Command::new("sh").args(["-c", twice, &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    child.wait_with_output().unwrap().into()
}
