//! `serve`: tablebases for programs on other machines.

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use shogi_explore::{Hosts, Limits, Server, Service};

use crate::end::Outcome;

/// Arguments of `serve`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The tablebases.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The port; 0 takes a free one.
    #[arg(long, value_name = "P", default_value = "0")]
    port: u16,
    /// Listen on this host's address instead of 127.0.0.1, so that other machines reach it. There is no encryption.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Answer each address so many requests a second in the long run, twice as many at once; 0 is no bound.
    #[arg(long, value_name = "N", default_value = "50")]
    rate: u32,
}

/// Runs the verb: serves until the program is ended.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let service = Service::open(&arguments.files)?;
    let hosts = match &arguments.host {
        None => Hosts::loop_back(),
        Some(host) => Hosts::listening_on(host).context("cannot listen on --host")?,
    };
    let server = Server::bind_to(hosts, arguments.port);
    let server = server.with_context(|| format!("cannot listen on port {}", arguments.port))?;
    let mut output = io::stdout();
    writeln!(output, "{}", server.url())?;
    output.flush()?;
    server.run_service(service, Limits::default(), arguments.rate).context("cannot serve")?;
    Ok(Outcome::Good)
}
