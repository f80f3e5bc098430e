//! Variants, dialects and players by their names.

use pyo3::prelude::*;
use shogi_variants::core::Colour;
use shogi_variants::rules::Dialect;
use shogi_variants::tasks::choice::{Named, named};

use crate::error::value_error;
use crate::variant::built_in;

/// The names of all variants that are built in.
///
/// >>> from shogi_variants import variants
/// >>> variants()
/// ['minishogi', 'kyotoshogi', 'shogi', 'shogi34', 'dobutsu', 'gorogoro', 'gorogoroplus', 'judkins', 'micro', 'torishogi']
#[pyfunction]
pub fn variants() -> Vec<&'static str> {
    built_in().iter().map(|variant| variant.name()).collect()
}

/// The dialect with this name; `None` stands for the variant's own.
pub fn dialect(name: Option<&str>) -> PyResult<Option<Dialect>> {
    name.map(of_name).transpose()
}

/// The value of a setting with this name.
pub fn of_name<T: Named>(name: &str) -> PyResult<T> {
    named(name).map_err(value_error)
}

/// The name of a player.
pub const fn colour(colour: Colour) -> &'static str {
    match colour {
        Colour::Sente => "sente",
        Colour::Gote => "gote",
    }
}

/// The player with this name.
pub fn colour_named(name: &str) -> PyResult<Colour> {
    match name {
        "sente" => Ok(Colour::Sente),
        "gote" => Ok(Colour::Gote),
        _ => Err(value_error(format!("{name:?} is no player: sente or gote"))),
    }
}
