//! Comments, messages and documents are written in the words of the field: plain and impersonal.

use std::fs;

use crate::documents::{files, root};

/// Words that no sentence needs, with what is said instead.
const WORDS: [(&str, &str); 31] = [
    ("tell", "report, show, distinguish"),
    ("tells", "reports, shows, distinguishes"),
    ("telling", "reporting"),
    ("told", "reported, named"),
    ("ask", "request, look up, consult"),
    ("asks", "requests, looks up, consults"),
    ("asked", "wanted, looked up, consulted"),
    ("asking", "requesting, looking up"),
    ("he", "it, they, sente, gote, the prover, the opponent"),
    ("his", "its, their"),
    ("him", "it, them"),
    ("himself", "itself, themselves"),
    ("gone on with", "resumed"),
    ("goes on with", "resumes, continues"),
    ("go on with", "resume, continue"),
    ("gone on from", "resumed"),
    ("goes on from", "resumes from"),
    ("go on from", "resume from"),
    ("come about", "arise"),
    ("comes about", "arises"),
    ("came about", "arose"),
    ("coming about", "arising"),
    ("for chance 2^-64", "with probability 2^-64"),
    ("by chance 2^-64", "with probability 2^-64"),
    ("come to the same", "agree, have the same result"),
    ("comes to the same", "agrees, has the same result"),
    ("has the thread", "the thread ..."),
    ("in silence", "silently"),
    ("known when the program is compiled", "compiled"),
    ("read while the program runs", "loaded at run time"),
    ("whence", "from which, the origin"),
];

/// Beginnings of comments on items that leave the reader to find the noun, with what is said instead.
const BEGINNINGS: [(&str, &str); 7] = [
    ("what ", "the noun: the fault, the rule, the piece"),
    ("whatever ", "the noun"),
    ("the same of ", "the noun again"),
    ("the same for ", "the noun again"),
    ("the same with ", "the noun again"),
    ("the same in ", "the noun again"),
    ("the same where ", "the noun again, and the condition"),
];

/// The places that follow the rule.
const PLACES: [&str; 9] =
    ["README.md", "benches", "crates", "docs", "examples", "fuzz", "python", "testing", "tools"];

/// The comments of a line, and what stands in quotes.
fn comments(line: &str, mark: &str) -> String {
    let quoted: Vec<_> = line.split('"').skip(1).step_by(2).collect();
    let comment = line.find(mark).map_or("", |at| &line[at..]);
    format!("{comment} {}", quoted.join(" "))
}

/// The sentences of a file, by the numbers of their lines.
fn sentences(name: &str, text: &str) -> Vec<(usize, String)> {
    let lines = (1..).zip(text.lines());
    let mut is_code = false;
    match name.rsplit('.').next() {
        Some("md") => lines
            .filter(|(_, line)| {
                is_code ^= line.starts_with("```");
                !is_code
            })
            .map(|(number, line)| (number, line.to_owned()))
            .collect(),
        Some("rs" | "mjs" | "ts") => lines.map(|(n, line)| (n, comments(line, "//"))).collect(),
        _ => lines.map(|(n, line)| (n, comments(line, "#"))).collect(),
    }
}

/// Whether a phrase stands in a sentence: not as part of a word, of code or of a message's argument.
fn has(sentence: &str, phrase: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || ['_', '`', '{'].contains(&c);
    sentence.match_indices(phrase).any(|(at, _)| {
        !sentence[..at].ends_with(is_letter)
            && !sentence[at + phrase.len()..].starts_with(is_letter)
    })
}

/// The places of such words in a file or folder, with what is said instead.
fn found(place: &str) -> Vec<String> {
    let path = root().join(place);
    let mut paths = Vec::new();
    if path.is_dir() {
        for ending in [".rs", ".md", ".py", ".sh", ".mjs", ".sbatch", ".toml"] {
            files(&path, ending, &mut paths);
        }
    } else {
        paths.push(path);
    }
    let mut found = Vec::new();
    // This list itself has them all.
    paths.retain(|path| !path.ends_with("it/words.rs"));
    for path in paths {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
        for (number, sentence) in sentences(name, &fs::read_to_string(&path).unwrap()) {
            let sentence = sentence.to_lowercase();
            for (phrase, instead) in WORDS {
                if has(&sentence, phrase) {
                    found.push(format!("{name}:{number}: {phrase:?}; rather: {instead}"));
                }
            }
        }
    }
    found
}

#[test]
fn sentences_use_the_words_of_the_field() {
    let odd: Vec<_> = PLACES.into_iter().flat_map(found).collect();
    assert!(odd.is_empty(), "{}", odd.join("\n"));
}

/// The text of a comment on an item or a module, in a line that is the first of it.
fn beginning<'a>(line: &'a str, before: &str) -> Option<&'a str> {
    let text = |line: &'a str| {
        let line = line.trim_start();
        line.strip_prefix("/// ").or_else(|| line.strip_prefix("//! "))
    };
    let before = before.trim_start();
    let goes_on = before.starts_with("///") || before.starts_with("//!");
    text(line).filter(|_| !goes_on)
}

#[test]
fn comments_of_the_crates_begin_with_their_subject() {
    let (mut odd, mut paths) = (Vec::new(), Vec::new());
    files(&root().join("crates"), ".rs", &mut paths);
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let mut before = "";
        for (number, line) in (1..).zip(text.lines()) {
            let sentence = beginning(line, before).unwrap_or_default().to_lowercase();
            for (phrase, instead) in BEGINNINGS {
                if sentence.starts_with(phrase) {
                    let name = path.strip_prefix(root()).unwrap().display();
                    odd.push(format!("{name}:{number}: {phrase:?}; rather: {instead}"));
                }
            }
            before = line;
        }
    }
    assert!(odd.is_empty(), "{}", odd.join("\n"));
}

#[test]
fn beginnings_are_those_of_comments_on_items() {
    assert_eq!(beginning("    /// What is wrong.", "}"), Some("What is wrong."));
    assert_eq!(beginning("//! What is wrong.", ""), Some("What is wrong."));
    assert_eq!(beginning("/// What is wrong.", "/// A line."), None);
    assert_eq!(beginning("// What is wrong.", ""), None);
}

#[test]
fn words_are_found_in_sentences_only() {
    let found = |name, text| {
        let mut all = sentences(name, text).into_iter();
        all.find(|(_, sentence)| has(&sentence.to_lowercase(), "told")).map(|(number, _)| number)
    };
    assert_eq!(found("a.rs", "let told = 1;\n// Nobody is told."), Some(2));
    assert_eq!(found("a.rs", "error(\"Told too late\")"), Some(1));
    assert_eq!(found("a.sh", "told=1 # retold `told`"), None);
    assert_eq!(found("a.md", "```\ntold\n```\nAs told"), Some(4));
}
