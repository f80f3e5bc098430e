//! Laws on texts.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Holds a law to random texts.
///
/// Compiles the code of proptest once for all laws; `proptest!` would compile it for each.
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
