//! The commands in the documents run as they stand: quick ones are run, of the others the program takes the arguments
//! and what they name is there. Blocks of Rust are whole programs, and links lead somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::folder;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder with this ending, without what was built or installed.
pub fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && !["target", "node_modules", ".git", "venv"].contains(&&*name) {
            files(&path, ending, found);
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
}

/// The documents of the repository by their paths.
fn documents() -> Vec<(PathBuf, String)> {
    let mut paths = vec![root().join("README.md"), root().join("python/README.md")];
    files(&root().join("docs"), ".md", &mut paths);
    files(&root().join("crates"), "README.md", &mut paths);
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The blocks of a text that are marked as one of these languages.
fn blocks(text: &str, languages: &[&str]) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else { continue };
        let block: Vec<_> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        if languages.contains(&language) {
            blocks.push(block.join("\n") + "\n");
        }
    }
    blocks
}

/// The comment that a source file begins with.
fn module_comment(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect()
}

/// A command with the document that it stands in and, in a console, what it prints.
struct Written {
    place: String,
    command: String,
    printed: Vec<String>,
}

/// The commands of a block, lines that go on joined, without prompts and comments.
fn commands(place: &str, block: &str) -> Vec<Written> {
    let is_console = block.lines().any(|line| line.starts_with("$ "));
    let mut commands: Vec<Written> = Vec::new();
    let mut goes_on = false;
    for line in block.lines() {
        let text = match line.strip_prefix("$ ") {
            Some(text) => text,
            None if goes_on || !is_console => line,
            None => {
                commands.last_mut().unwrap().printed.push(line.to_owned());
                continue;
            }
        };
        let text = if text.starts_with('#') { "" } else { text.split("  #").next().unwrap() };
        let (text, more) = match text.trim_end().strip_suffix('\\') {
            Some(text) => (text, true),
            None => (text.trim_end(), false),
        };
        if goes_on {
            commands.last_mut().unwrap().command.push_str(text.trim_start());
        } else if !text.is_empty() {
            let (place, command) = (place.to_owned(), text.to_owned());
            commands.push(Written { place, command, printed: Vec::new() });
        }
        goes_on = more;
    }
    commands
}

/// All commands of documents and module comments.
fn all_commands() -> Vec<Written> {
    let mut all = Vec::new();
    for (path, text) in documents() {
        for block in blocks(&text, &["sh", "console", "bash"]) {
            all.append(&mut commands(path.to_str().unwrap(), &block));
        }
    }
    let mut sources = Vec::new();
    for folder in ["crates", "examples", "tests", "benches", "testing"] {
        files(&root().join(folder), ".rs", &mut sources);
    }
    for path in sources {
        let comment = module_comment(&fs::read_to_string(&path).unwrap());
        for block in blocks(&comment, &["text", "sh", "console"]) {
            let written = commands(path.to_str().unwrap(), &block);
            all.extend(written.into_iter().filter(|written| is_a_program(&written.command)));
        }
    }
    all
}

fn is_a_program(command: &str) -> bool {
    ["cargo ", "shogi "].iter().any(|program| command.starts_with(program))
}

/// The words of a command, quotes taken off.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in command.chars() {
        match (character, quote) {
            (_, Some(open)) if character == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (' ', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// Whether the program takes these arguments, as far as it reads them before it looks for `--help`.
fn takes(arguments: &[String]) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shogi"));
    // A game that a page has written stands for any.
    let game = root().join("examples/own_variant/crabs.toml");
    let there = arguments.iter().map(|word| match word.ends_with(".toml") {
        true => game.as_os_str(),
        false => word.as_ref(),
    });
    let output = command.args(there).arg("--help").stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    output.status.success().then_some(()).ok_or(told)
}

/// The examples and benchmarks of the workspace and of that of the benchmarks, each with its package.
fn targets() -> BTreeMap<(String, String), String> {
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut targets = BTreeMap::new();
    for manifest in ["Cargo.toml", "benches/Cargo.toml"] {
        let mut command = Command::new(env!("CARGO"));
        command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
        let output = command.arg("--manifest-path").arg(root().join(manifest)).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        for package in metadata["packages"].as_array().unwrap() {
            for target in package["targets"].as_array().unwrap() {
                let key = (text(&target["kind"][0]), text(&target["name"]));
                targets.insert(key, text(&package["name"]));
            }
        }
    }
    targets
}

/// The fault of a command of cargo, if it has one.
fn wrong_target(words: &[String], targets: &BTreeMap<(String, String), String>) -> Option<String> {
    let own = words.split(|word| word == "--").next().unwrap();
    let after = |names: &[&str]| {
        let at = own.iter().position(|word| names.contains(&&**word))?;
        own.get(at + 1).cloned()
    };
    let package = after(&["-p", "--package"]);
    if let Some(package) = &package
        && !targets.values().any(|name| name == package)
    {
        return Some(format!("no package {package}"));
    }
    for kind in ["example", "bench"] {
        let Some(name) = after(&[&*format!("--{kind}")]) else { continue };
        match targets.get(&(kind.to_owned(), name.clone())) {
            None => return Some(format!("no {kind} {name}")),
            Some(owner) if package.as_ref().is_some_and(|package| package != owner) => {
                return Some(format!("the {kind} {name} is in the package {owner}"));
            }
            Some(_) => {}
        }
    }
    None
}

#[test]
fn commands_of_the_documents_name_what_is_there() {
    let targets = targets();
    let (mut wrong, mut programs) = (Vec::new(), BTreeSet::new());
    for Written { place, command, .. } in all_commands() {
        for part in command.split(" | ").flat_map(|part| part.split(" && ")) {
            let words = words(part.split(" > ").next().unwrap().split(" < ").next().unwrap());
            let Some((program, arguments)) = words.split_first() else { continue };
            programs.insert(program.clone());
            let error = match &**program {
                "shogi" => takes(arguments).err(),
                "cargo" => wrong_target(arguments, &targets),
                // Scripts are named from the root.
                script if script.starts_with("tools/") || script.starts_with(".ci/") => {
                    (!root().join(script).is_file()).then(|| "no such script".to_owned())
                }
                "python3" | "node" => {
                    let script = arguments.iter().find(|word| word.starts_with("tools/"));
                    let is_missing = |script: &&String| !root().join(script).is_file();
                    script.filter(is_missing).map(|script| format!("no script {script}"))
                }
                _ => None,
            };
            wrong.extend(error.map(|error| format!("{place}: {part}\n{error}")));
        }
    }
    assert!(programs.contains("shogi") && programs.contains("cargo"), "{programs:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Commands that answer at once, by how they begin.
fn is_quick(command: &str) -> bool {
    const QUICK: [&str; 24] = [
        "echo '",
        "echo \"2r",
        "printf '%s",
        "printf 'G-3d",
        "printf '[tall",
        "printf 'usi",
        "shogi count frogs.toml",
        "shogi count kyotoshogi",
        "shogi count minishogi",
        "shogi estimate frogs.toml",
        "shogi learn convert shogi",
        "shogi learn fit shogi --archive games.psv",
        "shogi perft minishogi",
        "shogi proof line knr.proof",
        "shogi proof stats knl.proof",
        "shogi selfplay shogi --games 20",
        "shogi selftest --quick",
        "shogi show",
        "shogi solve frogs.toml",
        "shogi solve shogi34 --start KN",
        "shogi tsume generate minishogi --plies 3",
        "shogi verify certificates.jsonl",
        "shogi verify knr.proof",
        "shogi proof walk knl.proof",
    ];
    // To build a tablebase takes long, and so does an example for release; `.ci/run` has that which the tests build.
    const LONG: [&str; 2] = [".tablebase", "cargo run"];
    QUICK.iter().any(|start| command.starts_with(start))
        && !LONG.iter().any(|part| command.contains(part))
}

#[test]
fn quick_commands_of_the_documents_run_in_order_and_print_what_is_written() {
    let folder = folder("documents");
    let program = Path::new(env!("CARGO_BIN_EXE_shogi")).parent().unwrap();
    let paths = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<_>>();
    let path = env::join_paths([program.to_owned()].into_iter().chain(paths)).unwrap();
    let (mut run, mut compared) = (0, 0);
    for Written { place, command, printed } in all_commands() {
        if !is_quick(&command) {
            continue;
        }
        // What only picks fields out of an answer may be missing.
        let (command, is_whole) = match command.split_once(" | jq ") {
            Some((command, _)) => (command, false),
            None => (&*command, true),
        };
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(&folder).env("PATH", &path);
        let output = shell.stdin(Stdio::null()).output().unwrap();
        let (out, told) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{place}: {command}\n{out}{told}");
        run += 1;
        for line in printed.iter().filter(|line| line.starts_with('{') && is_whole) {
            assert!(out.lines().any(|written| written == line), "{place}: {command}\n{out}");
            compared += 1;
        }
    }
    fs::remove_dir_all(folder).unwrap();
    assert!(run >= 30 && compared >= 7, "{run} commands, {compared} lines");
}

#[test]
fn pages_that_the_program_writes_are_up_to_date() {
    let folder = folder("reference");
    let mut command = Command::new(env!("CARGO_BIN_EXE_shogi"));
    assert!(command.arg("reference").arg(&folder).status().unwrap().success());
    for name in ["program.md", "usi.md"] {
        let written = fs::read_to_string(folder.join(name)).unwrap();
        let kept = fs::read_to_string(root().join("docs/reference").join(name)).unwrap();
        assert!(written == kept, "docs/reference/{name} is old: shogi reference docs/reference");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn pages_of_results_have_at_most_150_lines() {
    let mut paths = Vec::new();
    files(&root().join("docs/results"), ".md", &mut paths);
    let lines = |path: &PathBuf| fs::read_to_string(path).unwrap().lines().count();
    let long: Vec<_> =
        paths.iter().map(|path| (path, lines(path))).filter(|(_, n)| *n > 150).collect();
    assert!(long.is_empty(), "long listings are data files: {long:?}");
    assert!(paths.len() >= 10, "{} pages", paths.len());
}

#[test]
fn blocks_of_rust_are_whole_programs() {
    let mut count = 0;
    for (path, text) in documents() {
        for block in blocks(&text, &["rust"]) {
            let is_whole =
                block.contains("fn main() ") && !block.lines().any(|line| line.starts_with("# "));
            assert!(is_whole, "{}: not a whole program:\n{block}", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "{count} blocks");
}

/// All pages in Markdown, also those whose commands are not for a reader of the book.
fn pages() -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    files(&root(), ".md", &mut paths);
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn links_of_the_documents_lead_to_files() {
    let (mut count, mut missing) = (0, Vec::new());
    for (path, text) in pages() {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()) {
            let file = target.split('#').next().unwrap();
            if file.is_empty() || file.contains("://") || file.starts_with("mailto:") {
                continue;
            }
            let linked = path.parent().unwrap().join(file);
            if !linked.exists() {
                missing.push(format!("{}: no {target}", path.display()));
            }
            count += 1;
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(count > 100, "{count} links");
}

/// The names that stand first in the lines of a section of a manifest.
fn section(manifest: &str, name: &str) -> Vec<String> {
    let lines = manifest.lines().skip_while(|line| *line != format!("[{name}]")).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| Some(line.split_once(" = ")?.0.to_owned())).collect()
}

#[test]
fn front_pages_name_the_features_of_their_crates() {
    let mut count = 0;
    for crate_folder in fs::read_dir(root().join("crates")).unwrap() {
        let folder = crate_folder.unwrap().path();
        let read = |name| fs::read_to_string(folder.join(name)).unwrap();
        let (features, page) = (section(&read("Cargo.toml"), "features"), read("README.md"));
        for feature in features.iter().filter(|feature| *feature != "default") {
            assert!(page.contains(&format!("`{feature}`")), "{}: {feature}", folder.display());
            count += 1;
        }
        // A table of features has them in its first column.
        let mut rows = page.lines().skip_while(|line| !line.starts_with("| feature"));
        for row in rows.by_ref().skip(2).take_while(|row| row.starts_with('|')) {
            let column = row.split('|').nth(1).unwrap();
            for named in column.split('`').skip(1).step_by(2) {
                let is_one = features.iter().any(|feature| feature == named);
                assert!(is_one, "{} has no feature {named}", folder.display());
            }
        }
    }
    assert!(count > 20, "{count} features");
}

#[test]
fn entry_points_are_there() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let section = text.split("\n## ").find(|part| part.starts_with("Entry points")).unwrap();
    let mut count = 0;
    for row in section.lines().filter(|line| line.starts_with("| ")) {
        let quoted = row.split('`').skip(1).step_by(2);
        let paths = quoted.filter(|path| path.ends_with(['/', 's']) && path.contains(['/', '.']));
        let mut source = root().join("crates");
        for path in paths {
            // The first path of a row leads to the sources that the others are among.
            let known = [root().join("crates").join(path), root().join(path), source.join(path)];
            let found = known.iter().find(|path| path.exists());
            let found = found.unwrap_or_else(|| panic!("{row}: {path} is not there"));
            if let Some(at) = found.ancestors().find(|at| at.ends_with("src")) {
                source = at.to_owned();
            }
            count += 1;
        }
    }
    assert!(count > 30, "{count} paths");
}
