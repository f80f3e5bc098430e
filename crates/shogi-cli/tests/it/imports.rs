//! The shape of the program: which module knows of which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The modules that each module imports, by the names of their files.
fn imports(folder: &Path, found: &mut BTreeMap<String, BTreeSet<String>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            imports(&path, found);
            continue;
        }
        // A file of data imports nothing.
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let uses = text.split("use crate::").skip(1).map(|rest| rest.split(';').next().unwrap());
        let words = uses.flat_map(|list| {
            let modules = match list.split_once("::") {
                Some(("verbs", modules)) => modules,
                Some((module, _)) => module,
                None => list,
            };
            modules.split(|c: char| !(c.is_ascii_lowercase() || c == '_')).map(str::to_owned)
        });
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        found.insert(name, words.collect());
    }
}

#[test]
fn modules_import_each_other_in_no_circle() {
    let mut found = BTreeMap::new();
    imports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let known: BTreeSet<_> = found.keys().cloned().collect();
    found.values_mut().for_each(|imports| imports.retain(|name| known.contains(name)));
    assert!(found["solve"].contains("job") && found["arguments"].contains("common"), "{found:?}");
    // Modules that import nothing but what was taken away before go, until none is left.
    while !found.is_empty() {
        let free: BTreeSet<_> = found
            .iter()
            .filter(|(_, imports)| imports.iter().all(|name| !found.contains_key(name)))
            .map(|(name, _)| name.clone())
            .collect();
        assert!(!free.is_empty(), "a circle among {found:?}");
        found.retain(|name, _| !free.contains(name));
    }
}
