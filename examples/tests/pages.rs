//! Pages of results that are written from data: each is what its data make, and short enough to be read. Their pictures
//! are drawn by a script, which knows each that a page or an example names.

use std::fs;
use std::path::{Path, PathBuf};

use shogi_variants_examples::tablebases;

#[test]
fn the_page_of_tablebases_is_that_of_its_data() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results");
    let page = tablebases::page(&results).unwrap();
    let written = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tablebases.md");
    fs::write(&written, &page).unwrap();
    let kept = fs::read_to_string(results.join("tablebases.md")).unwrap();
    assert!(page == kept, "docs/results/tablebases.md is another than {}", written.display());
    assert!(page.lines().count() <= 150, "{} lines", page.lines().count());
}

/// The names of pictures that a text has drawn by the script: those between these words and a quotation mark.
fn named<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    let all = text.split(before).skip(1);
    all.flat_map(|rest| rest.split(['`', '"']).next().unwrap().split_whitespace()).collect()
}

/// The files of a folder and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_script_knows_the_pictures_that_pages_and_examples_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let script = fs::read_to_string(root.join("tools/plots.py")).unwrap();
    let mut found = [0, 0];
    for (kind, folder, end, before) in [
        (0, "docs", "md", "`python3 tools/plots.py "),
        (1, "examples", "rs", "say_what_draws(out, \""),
    ] {
        let paths = files(&root.join(folder));
        for path in paths.iter().filter(|path| path.extension().is_some_and(|name| name == end)) {
            for name in named(&fs::read_to_string(path).unwrap(), before) {
                let known = script.contains(&format!("\n    \"{name}\": {name},"));
                assert!(known, "{}: no picture {name}", path.display());
                found[kind] += 1;
            }
        }
    }
    assert!(found[0] >= 9 && found[1] >= 5, "{found:?}");
}
