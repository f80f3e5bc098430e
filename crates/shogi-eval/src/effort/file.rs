//! The evaluation of a proof search on disk: a network, the linear evaluation beside it, and what
//! both were made from.

use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use shogi_rules::Rules;
use shogi_rules::sealed::{self, At, FileFormat, Flaw, Reader, Writer};

use super::{EffortHead, EffortNet, HIDDEN};
use crate::evaluation::{Content, Evaluation};
use crate::features::Features;
use crate::file::{FileError, FileReason, of_crate, open};
use crate::linear::{Linear, WeightsError};
use crate::network::{Dense, FirstLayer, LayerError, ROW_SET, Rows, Source, Transformer, numbers};
use crate::packed::unpack;

/// How the file of a [`ProofEvaluation`] begins.
pub const FORMAT: FileFormat = FileFormat {
    magic: *b"\x89EFNET\r\n",
    version: 1,
    name: "evaluation for proof searches",
    most: 1 << 28,
};

/// The evaluations in the crate, by the name of the variant; made by `shogi learn --for proofs`.
const TRAINED: [(&str, &[u8]); 1] = [("kyotoshogi", include_bytes!("nets/kyotoshogi.net.zst"))];

/// What a network was made from: the same makes it again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The command.
    pub command: String,
    /// The seed.
    pub seed: u64,
    /// Records of searched positions that the last fit learnt from.
    pub records: u64,
}

/// What a proof search judges positions by: a network that estimates effort, and a linear evaluation
/// that predicts the winner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofEvaluation<R> {
    evaluation: Evaluation<R>,
    net: EffortNet<R>,
    origin: Origin,
}

/// What a file begins with, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Heading {
    variant: String,
    rows: String,
    origin: Origin,
}

impl<R: Rules> ProofEvaluation<R> {
    /// A network with the linear evaluation that it works beside.
    pub const fn new(evaluation: Evaluation<R>, net: EffortNet<R>, origin: Origin) -> Self {
        Self { evaluation, net, origin }
    }

    /// The linear evaluation with what it was made from.
    pub const fn evaluation(&self) -> &Evaluation<R> {
        &self.evaluation
    }

    /// The linear evaluation, which predicts the winner.
    pub const fn linear(&self) -> &Linear<R> {
        self.evaluation.linear()
    }

    /// The network, which estimates effort.
    pub const fn net(&self) -> &EffortNet<R> {
        &self.net
    }

    /// What the network was made from.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The evaluation of the crate, for Kyoto shogi; `None` for other variants. What it was made from is in
    /// [`ProofEvaluation::origin`].
    pub fn trained() -> Option<Self> {
        let file = unpack(of_crate(&TRAINED, R::NAME)?)?;
        // Rules of a user's own may have the name of a variant, but then other rows.
        Self::read(&file[..]).ok()
    }

    /// Writes the file: see docs/reference/formats.md in the repository. Half a megabyte for Kyoto shogi.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let (evaluation, EffortNet { transformer, heads }) = (self.evaluation.to_json(), &self.net);
        write(&mut out, R::NAME, &self.origin, &evaluation, &transformer.layer, heads)
    }

    /// Reads what [`ProofEvaluation::write`] has written.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another variant, version or list of rows, or cannot be read.
    pub fn read(mut input: impl Read) -> Result<Self, EffortError> {
        Self::read_from(&mut input)
    }

    fn read_from(input: &mut dyn Read) -> Result<Self, EffortError> {
        let form = Form {
            variant: R::NAME,
            features: Features::<R>::COUNT,
            rows: Rows::<R>::COUNT,
            max: Transformer::<R, HIDDEN>::MAX_WEIGHT,
        };
        let Parts { origin, evaluation, layer, heads } = form.read(input)?;
        let evaluation = Evaluation::of_content(evaluation);
        let net = EffortNet { transformer: Transformer::of_layer(layer), heads };
        Ok(Self { evaluation, net, origin })
    }

    /// Reads an evaluation from a file.
    ///
    /// # Errors
    ///
    /// The file, and why it cannot be used.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        open(path, |file| Ok(Self::read(file)?))
    }
}

impl<R: Rules> EffortNet<R> {
    /// Writes all weights as they stand in a file: the first layer, then the layers for the prover and
    /// for the opponent to move, 16-bit weights before 32-bit biases, all little-endian.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_weights(&self, out: &mut impl Write) -> io::Result<()> {
        write_layers(out, &self.transformer.layer, &self.heads)
    }

    /// Reads what [`EffortNet::write_weights`] has written.
    ///
    /// # Errors
    ///
    /// If there is no more to read, or a weight is out of range.
    pub fn read_weights(reader: &mut Reader<impl Read>) -> Result<Self, EffortReason> {
        let max = Transformer::<R, HIDDEN>::MAX_WEIGHT;
        let (layer, heads) = read_layers(&mut |count| reader.bytes(count), Rows::<R>::COUNT, max)?;
        Ok(Self { transformer: Transformer::of_layer(layer), heads })
    }
}

/// Writes what an evaluation is made of.
fn write(
    out: &mut dyn Write,
    variant: &str,
    origin: &Origin,
    evaluation: &str,
    layer: &FirstLayer<HIDDEN>,
    heads: &[EffortHead; 2],
) -> io::Result<()> {
    let (variant, rows) = (variant.to_owned(), ROW_SET.to_owned());
    let heading = Heading { variant, rows, origin: origin.clone() };
    let mut out = Writer::new(out, &FORMAT)?;
    out.sized_text(&serde_json::to_string(&heading)?)?;
    out.sized_text(evaluation)?;
    write_layers(&mut out, layer, heads)?;
    out.finish().map(drop)
}

fn write_layers(
    out: &mut dyn Write,
    layer: &FirstLayer<HIDDEN>,
    heads: &[EffortHead; 2],
) -> io::Result<()> {
    for weight in layer.weights() {
        out.write_all(&weight.to_le_bytes())?;
    }
    for EffortHead { middle, last } in heads {
        middle.write(out)?;
        last.write(out)?;
    }
    Ok(())
}

/// What a file that can be read has to be.
struct Form {
    variant: &'static str,
    /// Features of the linear evaluation.
    features: usize,
    /// Rows of the first layer, and the largest weight in them either way.
    rows: usize,
    max: i16,
}

/// What is in a file.
struct Parts {
    origin: Origin,
    evaluation: Content,
    layer: FirstLayer<HIDDEN>,
    heads: [EffortHead; 2],
}

impl Form {
    fn read(&self, input: &mut dyn Read) -> Result<Parts, EffortError> {
        let mut reader = Reader::new(input, &FORMAT).map_err(At::convert)?;
        let parts = self.read_parts(&mut reader).map_err(|reason| reader.at(reason))?;
        reader.finish().map_err(At::convert)?;
        Ok(parts)
    }

    fn read_parts(&self, reader: &mut Reader<&mut dyn Read>) -> Result<Parts, EffortReason> {
        let (origin, evaluation) = read_texts(reader, self.variant)?;
        let evaluation = Content::read(&evaluation, self.variant, self.features)
            .map_err(|reason| EffortReason::Evaluation(Box::new(reason)))?;
        let (layer, heads) = read_layers(&mut |count| reader.bytes(count), self.rows, self.max)?;
        Ok(Parts { origin, evaluation, layer, heads })
    }
}

/// Reads the origin and the linear evaluation.
fn read_texts(
    reader: &mut Reader<&mut dyn Read>,
    variant: &'static str,
) -> Result<(Origin, String), EffortReason> {
    let heading: Heading = serde_json::from_str(&reader.sized_text("heading")?)?;
    for (found, expected) in [(heading.variant, variant), (heading.rows, ROW_SET)] {
        if found != expected {
            return Err(EffortReason::Other { found, expected });
        }
    }
    Ok((heading.origin, reader.sized_text("linear evaluation")?))
}

/// Reads what [`write_layers`] has written: so many rows, no weight above `max` either way, and the layers above.
fn read_layers(
    bytes: &mut Source<'_>,
    rows: usize,
    max: i16,
) -> Result<(FirstLayer<HIDDEN>, [EffortHead; 2]), EffortReason> {
    let layer = FirstLayer::new(&numbers(bytes, (rows + 1) * HIDDEN)?, rows, max)?;
    let mut head = || -> Result<_, EffortReason> {
        Ok(EffortHead { middle: Dense::read(bytes)?, last: Dense::read(bytes)? })
    };
    Ok((layer, [head()?, head()?]))
}

/// The name of the variant of an evaluation for proof searches.
///
/// # Errors
///
/// If the file is not one.
pub fn read_effort_variant(input: impl Read) -> Result<String, EffortError> {
    sealed::read_variant(input, &FORMAT)
}

/// Why a file is no evaluation for proof searches, and where.
pub type EffortError = At<EffortReason>;

/// What can be wrong with the file of an evaluation for proof searches.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EffortReason {
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
    /// The linear evaluation in it cannot be used.
    #[error("in the linear evaluation: {0}")]
    Evaluation(Box<FileReason>),
    /// The weights do not fit the network.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl From<LayerError> for EffortReason {
    fn from(error: LayerError) -> Self {
        match error {
            LayerError::Flaw(flaw) => Self::Flaw(flaw),
            LayerError::Weights(error) => Self::Weights(error),
        }
    }
}
