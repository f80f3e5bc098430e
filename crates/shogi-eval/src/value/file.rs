//! Networks on disk, and those of the crate.

use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use shogi_rules::Rules;
use shogi_rules::sealed::{self, At, FileFormat, Flaw, Reader, Writer};

use super::{HIDDEN, Origin, ROW_FACTOR, ValueNet, layer_of_pieces, written};
use crate::file::{FileError, FileReason, of_crate, open};
use crate::linear::WeightsError;
use crate::network::{Dense, FirstLayer, LayerError, Rows, Transformer};
use crate::packed::unpack;
use crate::values::{Values, ValuesError};
use crate::weighted::Weighted;

/// How the file of a [`ValueNet`] begins.
pub const FORMAT: FileFormat = FileFormat {
    magic: *b"\x89VALUE\r\n",
    version: 2,
    name: "network for the player",
    most: 1 << 28,
};

/// The name of the list of rows in a file; a network learnt on another list is of no use here.
///
/// The second list leaves out rows that no position has. On boards that have no such rows it is the first.
fn row_set(all_are_met: bool) -> &'static str {
    if all_are_met { "king-zone-rows-1" } else { "king-zone-rows-2" }
}

/// The networks in the crate, by the name of the variant; made by `shogi learn`.
const TRAINED: [(&str, &[u8]); 4] = [
    ("minishogi", include_bytes!("nets/minishogi.net.zst")),
    ("kyotoshogi", include_bytes!("nets/kyotoshogi.net.zst")),
    ("shogi", include_bytes!("nets/shogi.net.zst")),
    ("dobutsu", include_bytes!("nets/dobutsu.net.zst")),
];

/// What a file begins with, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Heading {
    variant: String,
    rows: String,
    origin: Origin,
    /// What each face is worth in exchanges.
    board: Vec<i32>,
    /// The file of the weighted features that the network corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<String>,
}

impl<R: Rules> ValueNet<R> {
    /// The network of the crate, for Minishogi, Kyoto shogi, shogi and Dobutsu shogi; `None` for other variants. What it was made from is in
    /// [`ValueNet::origin`].
    pub fn trained() -> Option<Self> {
        let file = unpack(of_crate(&TRAINED, R::NAME)?)?;
        // Rules of a user's own may have the name of a variant, but then other rows.
        Self::read(&file[..]).ok()
    }

    /// Writes the file: see docs/reference/formats.md in the repository. Half a megabyte for the small boards, one
    /// for 9x9.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        self.write_to(&mut out)
    }

    fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let met = Rows::<R>::met();
        let row_set = row_set(met.len() == Rows::<R>::PIECES);
        let base = self.base.as_ref().map(Weighted::to_json);
        let heading = heading(R::NAME, row_set, &self.origin, self.values.list::<R>(), base);
        write(out, &heading, &self.transformer.layer, &met, &self.output)
    }

    /// Reads what [`ValueNet::write`] has written.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another variant, version or list of rows, or cannot be read.
    pub fn read(mut input: impl Read) -> Result<Self, NetError> {
        Self::read_from(&mut input)
    }

    fn read_from(input: &mut dyn Read) -> Result<Self, NetError> {
        let form = Form {
            variant: R::NAME,
            met: Rows::<R>::met(),
            pieces: Rows::<R>::PIECES,
            rows: Rows::<R>::COUNT,
            max: Transformer::<R, HIDDEN>::MAX_WEIGHT,
            values: Values::from_list::<R>,
        };
        let (content, mut reader) = form.read(input)?;
        let net = Self::of_content(content).map_err(|reason| reader.at(reason))?;
        reader.finish().map_err(At::convert)?;
        Ok(net)
    }

    fn of_content(content: Content) -> Result<Self, NetReason> {
        let Content { layer, output, values, origin, base } = content;
        let net = Self::of_layers(Transformer::of_layer(layer), output, values, origin);
        let Some(base) = base else { return Ok(net) };
        match Weighted::from_json(&base) {
            Ok(base) => Ok(net.with_base(base)),
            Err(reason) => Err(NetReason::Base(Box::new(reason))),
        }
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    ///
    /// The file, and why it cannot be used.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        open(path, |file| Ok(Self::read(file)?))
    }
}

fn heading(
    variant: &str,
    rows: &str,
    origin: &Origin,
    board: Vec<i32>,
    base: Option<String>,
) -> Heading {
    let (variant, rows, origin) = (variant.to_owned(), rows.to_owned(), origin.clone());
    Heading { variant, rows, origin, board, base }
}

/// Writes what a network is made of; of the rows only those that a position may have.
fn write(
    out: &mut dyn Write,
    heading: &Heading,
    layer: &FirstLayer<HIDDEN>,
    met: &[usize],
    output: &Dense<{ 2 * HIDDEN }, 1>,
) -> io::Result<()> {
    let mut out = Writer::new(out, &FORMAT)?;
    out.sized_text(&serde_json::to_string(heading)?)?;
    let rows = written(&layer.weights(), met);
    let rows: Vec<u8> = rows.iter().map(|weight| (weight / ROW_FACTOR) as i8 as u8).collect();
    out.write_all(&rows)?;
    output.write(&mut out)?;
    out.finish().map(drop)
}

/// What a file that can be read has to be.
struct Form {
    variant: &'static str,
    /// The rows of pieces that a position may have, of so many.
    met: Vec<usize>,
    pieces: usize,
    /// All rows of the first layer, and the largest weight in them either way.
    rows: usize,
    max: i16,
    values: fn(&[i32]) -> Result<Values, ValuesError>,
}

/// What is in a file.
struct Content {
    layer: FirstLayer<HIDDEN>,
    output: Dense<{ 2 * HIDDEN }, 1>,
    values: Values,
    origin: Origin,
    base: Option<String>,
}

impl Form {
    /// Reads up to the checksum.
    fn read<'i>(
        &self,
        input: &'i mut dyn Read,
    ) -> Result<(Content, Reader<&'i mut dyn Read>), NetError> {
        let mut reader = Reader::new(input, &FORMAT).map_err(At::convert)?;
        let content = self.read_content(&mut reader).map_err(|reason| reader.at(reason))?;
        Ok((content, reader))
    }

    fn read_content(&self, reader: &mut Reader<&mut dyn Read>) -> Result<Content, NetReason> {
        let heading: Heading = serde_json::from_str(&reader.sized_text("heading")?)?;
        let Heading { variant, rows, origin, board, base } = heading;
        let row_set = row_set(self.met.len() == self.pieces);
        for (found, expected) in [(variant, self.variant), (rows, row_set)] {
            if found != expected {
                return Err(NetReason::Other { found, expected });
            }
        }
        let values = (self.values)(&board)?;
        let rows = reader.bytes(((self.met.len() + 1) * HIDDEN) as u64)?;
        let rows: Vec<i8> = rows.into_iter().map(|byte| byte as i8).collect();
        let output = Dense::read(&mut |count| reader.bytes(count))?;
        let layer = layer_of_pieces(&rows, &self.met, self.pieces, self.max)?.with_rows(self.rows);
        Ok(Content { layer, output, values, origin, base })
    }
}

/// The name of the variant of a network for the player.
///
/// # Errors
///
/// If the file is not one.
pub fn read_variant(input: impl Read) -> Result<String, NetError> {
    sealed::read_variant(input, &FORMAT)
}

/// Why a file is no network for the player, and where.
pub type NetError = At<NetReason>;

/// What can be wrong with the file of a network for the player.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetReason {
    /// The file is not what was written.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// The heading is not one that is written.
    #[error("in the heading: {0}")]
    Heading(#[from] serde_json::Error),
    /// It was learnt for another variant or with other rows.
    #[error("it is for {found}, but {expected} is wanted")]
    Other {
        /// Variant or list of rows of the file.
        found: String,
        /// Variant or list of rows that is wanted.
        expected: &'static str,
    },
    /// The values of pieces are none of the variant.
    #[error(transparent)]
    Values(#[from] ValuesError),
    /// The weighted features that it corrects cannot be read.
    #[error("in the weighted features: {0}")]
    Base(#[source] Box<FileReason>),
    /// The weights do not fit the network.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl From<LayerError> for NetReason {
    fn from(error: LayerError) -> Self {
        match error {
            LayerError::Flaw(flaw) => Self::Flaw(flaw),
            LayerError::Weights(error) => Self::Weights(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Shogi, Shogi34};

    use super::super::tests::random;
    use super::*;

    fn written<R: Rules>(net: &ValueNet<R>) -> Vec<u8> {
        let mut file = Vec::new();
        net.write(&mut file).unwrap();
        file
    }

    #[test]
    fn files_come_back_and_are_at_most_a_megabyte() {
        let net = random::<Shogi>();
        let file = written(&net);
        assert!(file.len() <= 1_000_000, "{} bytes", file.len());
        assert_eq!(ValueNet::read(&file[..]).unwrap(), net);
        assert_eq!(read_variant(&file[..]).unwrap(), "shogi");
        let other = ValueNet::<Minishogi>::read(&file[..]).unwrap_err();
        assert!(other.to_string().contains("for shogi, but minishogi is wanted"));
        // More than a few pieces of most kinds no hand has, and their rows are not written.
        let held = |row: usize| !Rows::<Shogi>::is_met(row);
        assert_eq!((0..Rows::<Shogi>::PIECES).filter(|&row| held(row)).count(), 6 * 208);
        let all_are_met = Rows::<Shogi>::met().len() == Rows::<Shogi>::PIECES;
        assert_eq!(row_set(all_are_met), "king-zone-rows-2");
        let all_are_met = Rows::<Minishogi>::met().len() == Rows::<Minishogi>::PIECES;
        assert_eq!(row_set(all_are_met), "king-zone-rows-1");
        let small = random::<Minishogi>();
        assert_eq!(ValueNet::read(&written(&small)[..]).unwrap(), small);
    }

    #[test]
    fn a_network_comes_back_with_the_weights_that_it_corrects() {
        let plain = random::<Shogi>();
        let base = Weighted::fitted().unwrap();
        let net = plain.clone().with_base(base.clone());
        let file = written(&net);
        let read = ValueNet::<Shogi>::read(&file[..]).unwrap();
        assert_eq!(read, net);
        assert_eq!((read.base(), read.values()), (Some(&base), base.values()));
        let start = Shogi::start();
        let value = read.evaluate(&read.accumulate(&start), &start);
        assert_eq!(value, base.evaluate(&start) + read.correction(&start));
        // Six hundred hundredths of a pawn for a factor of e instead of four hundred, both rounded down.
        let alone = plain.correction(&start);
        assert!((2 * read.correction(&start) - 3 * alone).abs() <= 3 && alone != 0);
    }

    #[test]
    fn the_networks_of_the_crate_can_be_read() {
        fn check<R: Rules>(packed: &[u8], form: &str) {
            let net = ValueNet::<R>::trained().unwrap();
            // Whole files, byte for byte.
            assert!(written(&net) == unpack(packed).unwrap());
            let command = format!("shogi learn {}{form} --seed {} ", R::NAME, net.origin().seed);
            assert!(net.origin().command.starts_with(&command));
            assert!(net.origin().games > 10_000 && net.origin().positions > 100_000);
        }
        check::<Minishogi>(TRAINED[0].1, " --form fitted");
        check::<KyotoShogi>(TRAINED[1].1, "");
        check::<Shogi>(TRAINED[2].1, " --form corrected");
        assert_eq!(ValueNet::<Shogi>::trained().unwrap().base(), Weighted::fitted().as_ref());
        check::<Dobutsu>(TRAINED[3].1, "");
        assert!(ValueNet::<Shogi34>::trained().is_none());
    }

    #[test]
    fn every_damage_is_found() {
        let file = written(&random::<Dobutsu>());
        for place in (0..file.len()).step_by(61).chain(0..300).chain(file.len() - 40..file.len()) {
            let mut damaged = file.clone();
            damaged[place] ^= 0x41;
            assert!(ValueNet::<Dobutsu>::read(&damaged[..]).is_err(), "byte {place}");
            assert!(ValueNet::<Dobutsu>::read(&file[..place]).is_err(), "cut at {place}");
        }
    }
}
