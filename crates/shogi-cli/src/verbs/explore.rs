//! `explore`: a page in the browser.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use shogi_explore::{Explorer, Limits, Server};

use crate::end::Outcome;
use crate::print::note;

/// Arguments of `explore`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Proofs and tablebases to look into.
    files: Vec<PathBuf>,
    /// The port on 127.0.0.1; 0 takes a free one.
    #[arg(long, value_name = "P", default_value_t = 0)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

/// Runs the verb: serves until the program is ended.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let explorer = Explorer::open(&arguments.files)?;
    let port = arguments.port;
    let server = Server::bind(port).with_context(|| format!("cannot listen on port {port}"))?;
    let url = server.url();
    let mut output = io::stdout();
    writeln!(output, "{url}")?;
    output.flush()?;
    if arguments.open {
        open(&url);
    }
    server.run(explorer, Limits::default()).context("cannot serve")?;
    Ok(Outcome::Good)
}

/// Asks the desktop to show an address; where it cannot, the address has been printed.
fn open(url: &str) {
    let (program, before): (_, &[&str]) = if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(url);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        note(format_args!("warning: the browser cannot be opened: {program}: {error}"));
    }
}
