//! Laws on texts, and texts that somebody has mistyped.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Holds a law to random texts.
///
/// Compiles the code of proptest once for all laws; `proptest!` would compile it for each.
///
/// # Panics
///
/// If a text breaks the law; the message has the smallest such text that was found.
pub fn hold(
    config: ProptestConfig,
    texts: impl Strategy<Value = String> + 'static,
    law: fn(&str) -> Result<(), TestCaseError>,
) {
    run(config, &texts.boxed(), law);
}

fn run(
    config: ProptestConfig,
    texts: &BoxedStrategy<String>,
    law: fn(&str) -> Result<(), TestCaseError>,
) {
    if let Err(error) = TestRunner::new(config).run(texts, |text| law(&text)) {
        panic!("{error}");
    }
}

/// Texts with up to `most` characters replaced by those of an alphabet, left out or put in; at least one edit is tried.
pub fn edited(
    texts: impl Strategy<Value = String>,
    alphabet: &str,
    most: usize,
) -> impl Strategy<Value = String> {
    let letters: Vec<char> = alphabet.chars().collect();
    let edit = (any::<prop::sample::Index>(), 0..3u8, prop::sample::select(letters));
    (texts, prop::collection::vec(edit, 1..=most)).prop_map(|(text, edits)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (at, kind, letter) in edits {
            let at = at.index(characters.len() + 1);
            match kind {
                0 => characters.insert(at, letter),
                _ if at == characters.len() => {}
                1 => characters[at] = letter,
                _ => drop(characters.remove(at)),
            }
        }
        characters.into_iter().collect()
    })
}
