//! The page as it is served, and whether it was built from the sources that are there.

use std::path::Path;
use std::process::Command;

use shogi_explore::Limits;

use crate::common::{own, serve};

/// The most bytes of the page without tables.
const MOST_BYTES: usize = 500_000;

#[test]
fn the_page_is_small_complete_and_loads_nothing_from_elsewhere() {
    let port = serve(Limits::default());
    let mut bytes = 0;
    for (path, media_type) in [
        ("/?variant=dobutsu&tab=reach", "text/html"),
        ("/explore.js", "text/javascript"),
        ("/explore.css", "text/css"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let file = own(port, "GET", path, "");
        assert_eq!(file.status, 200, "{path}");
        assert!(file.head.contains(&format!("content-type: {media_type}")), "{}", file.head);
        assert!(file.head.contains("content-security-policy: default-src 'none'"), "{}", file.head);
        assert!(file.head.contains("x-content-type-options: nosniff"), "{}", file.head);
        for elsewhere in ["https://", "//cdn", "@import"] {
            assert!(!file.body.contains(elsewhere), "{path} has {elsewhere}");
        }
        assert!(file.body.len() > 100, "{path}");
        bytes += file.body.len();
    }
    assert!(bytes < MOST_BYTES, "{bytes}");
}

#[test]
fn the_page_is_the_build_of_its_sources() {
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/build.mjs");
    match Command::new("node").arg(&build).arg("--check").output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        Err(error) => println!("NOTICE: no Node.js here ({error}): not checked"),
    }
}
