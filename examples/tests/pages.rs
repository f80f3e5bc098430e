//! Pages of results that are written from data: each is what its data make, and short enough to be read.

use std::fs;
use std::path::Path;

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
