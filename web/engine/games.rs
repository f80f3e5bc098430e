//! The games of the engine, and its bounds.

use std::sync::OnceLock;

#[cfg(feature = "text")]
use shogi_rules::text::BUILT_IN;
use shogi_search::usi::{Config, EngineVariant};

/// The games that are played.
const VARIANTS: &[EngineVariant] = &[
    #[cfg(feature = "shogi")]
    EngineVariant::of::<shogi_rules::Shogi>(),
    #[cfg(feature = "minishogi")]
    EngineVariant::of::<shogi_rules::Minishogi>(),
    #[cfg(feature = "kyotoshogi")]
    EngineVariant::of::<shogi_rules::KyotoShogi>(),
    #[cfg(feature = "shogi34")]
    EngineVariant::of::<shogi_rules::Shogi34>(),
    #[cfg(feature = "dobutsu")]
    EngineVariant::of::<shogi_rules::Dobutsu>(),
    #[cfg(feature = "gorogoro")]
    EngineVariant::built_in(BUILT_IN[0]),
    #[cfg(feature = "gorogoroplus")]
    EngineVariant::built_in(BUILT_IN[1]),
    #[cfg(feature = "judkins")]
    EngineVariant::built_in(BUILT_IN[2]),
    #[cfg(feature = "micro")]
    EngineVariant::built_in(BUILT_IN[3]),
    #[cfg(feature = "torishogi")]
    EngineVariant::built_in(BUILT_IN[4]),
];

/// Megabytes for the table: a tab that grows much larger is ended by the browser.
const MAX_HASH: u32 = 256;

/// The bounds of an engine in a tab, which has so many threads at most.
pub(crate) fn config(max_threads: u32) -> &'static Config {
    static CONFIG: OnceLock<Config> = OnceLock::new();
    CONFIG.get_or_init(|| {
        let mut config = Config::new(VARIANTS, VARIANTS[0]);
        (config.max_hash, config.max_threads, config.files) = (MAX_HASH, max_threads, false);
        config
    })
}
