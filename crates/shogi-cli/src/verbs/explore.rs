//! `explore`: a page in the browser.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use shogi_explore::{Explorer, Hosts, Limits, Server};

use crate::end::Outcome;
use crate::print::note;

/// Arguments of `explore`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Proofs and tablebases to look into, and files of variants (.toml).
    files: Vec<PathBuf>,
    /// The port; 0 takes a free one.
    #[arg(long, value_name = "P", default_value = "0")]
    port: u16,
    /// Listen on this host's address instead of 127.0.0.1, so that other machines reach it, and answer
    /// requests for this host only; further ones are other names of it. 0.0.0.0, before a name, is all
    /// addresses. There is no password and no encryption.
    #[arg(long, value_name = "HOST")]
    host: Vec<String>,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

/// Runs the verb: serves until the program is ended.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let explorer = Explorer::open(&arguments.files)?;
    let port = arguments.port;
    let hosts = match arguments.host.as_slice() {
        [] => Hosts::loop_back(),
        hosts => Hosts::named(hosts).context("cannot listen on --host")?,
    };
    if hosts.is_open() {
        note(format_args!(
            "warning: whoever reaches this machine can read the files named here and have it search; the \
             server answers requests for {hosts}, without password and encryption"
        ));
    }
    let server = Server::bind_to(hosts, port);
    let server = server.with_context(|| format!("cannot listen on port {port}"))?;
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

/// Opens an address in the browser; where that fails, the address has been printed.
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
