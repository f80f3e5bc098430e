//! How settings are read from a data format.

use core::fmt::Display;
use core::str::FromStr;
use std::string::String;
use std::time::Duration;

use serde::de::{Deserialize as _, Deserializer, Error as _};

use super::choice::{Named, named};

/// A value by its name.
pub(super) fn name<'de, D: Deserializer<'de>, T: Named>(deserializer: D) -> Result<T, D::Error> {
    named(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// A value by its name, or none for null.
///
/// # Errors
///
/// If no value has the name.
pub fn optional_name<'de, D: Deserializer<'de>, T: Named>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| named(&name).map_err(D::Error::custom)).transpose()
}

/// A value by its text.
///
/// # Errors
///
/// If the text stands for none.
pub fn text<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// A time as a number of seconds, or none for null.
pub(super) fn seconds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    let seconds = Option::<f64>::deserialize(deserializer)?;
    seconds.map(Duration::try_from_secs_f64).transpose().map_err(D::Error::custom)
}
