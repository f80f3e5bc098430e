//! `learn convert`: games and positions to learn from, in the formats that the community exchanges.

use std::fmt;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use serde::Serialize;
use shogi_learn::training_data::DataFormat;
use shogi_variants::Error;
use shogi_variants::operations::ConvertedData;

use crate::choice;
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::examples::{FORMATS, with_examples};
use crate::variant::{self, Variant};
use crate::{examples, file, print};

/// Arguments of `learn convert`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The game; training data is of standard shogi only.
    #[arg(value_parser = variant::packed())]
    variant: Variant,
    /// Archives that `selfplay` has made, or training data; all go into one file, in this order.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format of the files that are no archives [default: by the ends of their names, .psv or .bin, .hcpe, .psfen, .hcp].
    #[arg(long, value_parser = choice::parser(FORMATS), value_name = "FORMAT")]
    from: Option<DataFormat>,
    /// Format of the output [default: by the end of its name].
    #[arg(long, value_parser = choice::parser(FORMATS), value_name = "FORMAT")]
    to: Option<DataFormat>,
    /// Leave out the entries of training data whose move is illegal in their position, and report how many; without this
    /// option such a file is refused.
    #[arg(long)]
    skip_illegal: bool,
    /// Write to this file, or - for standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Serialize)]
struct ConvertedAnswer {
    file: String,
    variant: &'static str,
    format: &'static str,
    #[serde(flatten)]
    converted: ConvertedData,
    /// Entries of training data that were left out, if that was allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
    bytes: u64,
    seconds: f64,
}

impl fmt::Display for ConvertedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, format, converted, skipped, bytes, seconds, .. } = self;
        let ConvertedData { games, positions } = converted;
        if let Some(skipped) = skipped {
            writeln!(f, "{}", examples::skipped(*skipped))?;
        }
        if *games > 0 {
            write!(f, "{games} games, ")?;
        }
        write!(f, "{positions} positions as {format}: {bytes} bytes in {file}, {seconds:.1} s")
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, from, skip_illegal, ref files, ref out, .. } = arguments;
    let to = arguments.to.or_else(|| DataFormat::of_path(out)).ok_or_else(|| {
        Usage("--to is needed: the name of --out does not say the format".to_owned())
    })?;
    file::check_writable(out)?;
    let started = Instant::now();
    let (converted, skipped) = with_examples(files, from, skip_illegal, |examples| {
        let (mut converted, mut refused) = (ConvertedData::default(), None);
        let written = file::write_by(out, &mut |out| {
            let mut out = BufWriter::new(out);
            match variant.learning().convert(examples, to, &mut out) {
                Ok(all) => converted = all,
                Err(error @ Error::Archive { .. }) => {
                    refused = Some(error);
                    bail!("a file cannot be read");
                }
                Err(error) => return Err(error.into()),
            }
            Ok(out.flush()?)
        });
        // What is wrong with a file that is read is not that the output cannot be written.
        match refused {
            Some(error) => Err(error.into()),
            None => written.map(|()| converted),
        }
    })?;
    let answer = ConvertedAnswer {
        file: out.display().to_string(),
        variant: variant.name(),
        format: to.name(),
        converted,
        skipped,
        bytes: converted.positions * to.entry_bytes() as u64,
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}
