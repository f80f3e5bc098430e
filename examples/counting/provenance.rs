//! Where and when a run was made, as it recorded itself.

use std::fmt;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The command of a run, its machine and its day, for the file of its results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Provenance {
    /// What was called.
    pub command: String,
    /// The processor's name and how many threads the program was given.
    pub machine: String,
    /// The day on which it ended, in UTC: `2026-11-28`.
    pub date: String,
}

impl Provenance {
    /// That of a run that ends now, on this machine, by this command.
    pub fn of(command: impl Into<String>) -> Self {
        let threads = rayon::current_num_threads();
        let unit = if threads == 1 { "thread" } else { "threads" };
        let machine = format!("{}, {threads} {unit}", processor());
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { command: command.into(), machine, date: date_of(since.as_secs() / 86_400) }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.machine, self.date)
    }
}

/// The name of the processor where the system reports it, else its architecture.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

/// The date so many days after 1970-01-01, in the Gregorian calendar.
fn date_of(mut days: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::date_of;

    #[test]
    fn days_are_dates_of_the_calendar() {
        for (days, date) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_785, "2026-11-28"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date_of(days), date);
        }
    }
}
