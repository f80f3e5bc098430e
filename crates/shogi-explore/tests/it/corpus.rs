//! The law of the fuzz target on routes, on the committed seed corpus.

use testing::explore_laws;

use std::fs;
use std::path::Path;

/// Seeds named `bad-...` are answered by a fault, all others by what was asked for.
#[test]
fn explore_routes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/explore_routes");
    let mut files = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        // The name of the file is the only trace of a failure inside the law.
        println!("{}", path.display());
        let status = explore_laws::explore_routes(&fs::read(&path).unwrap());
        let named_bad = path.file_name().unwrap().to_string_lossy().starts_with("bad-");
        assert_eq!(status != 200, named_bad, "{status}");
        files += 1;
    }
    assert!(files >= 20, "{files} files in {}", folder.display());
}
