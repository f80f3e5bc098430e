//! The bar of a verb that knows how much it has to do.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error, hidden where that is no terminal, with so many of `things` done. A message
/// stands right behind the time left.
pub fn bar(total: u64, done: u64, things: &str) -> ProgressBar {
    let bar = ProgressBar::new(total).with_position(done);
    let template = format!(
        "{{bar:30}} {{human_pos}} of {{human_len}} {things}, {{per_sec}}, {{eta}} left{{msg}}"
    );
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}
