//! The evaluation of a proof search on disk: a network, the linear evaluation beside it, and the origin of
//! both.

use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use shogi_files::sealed::{FileFormat, Writer};
use shogi_rules::Rules;

use super::{EffortHead, EffortNet, HIDDEN};
use crate::evaluation::Evaluation;
use crate::file::{FileError, FileReason, WeightsReader, of_crate, open};
use crate::file::{read_heading, read_sealed, read_variant};
use crate::linear::Linear;
use crate::network::{Dense, ROW_SET, Rows, Transformer, read_numbers, write_numbers};
use crate::packed::unpack;

/// The file format of a [`ProofEvaluation`].
pub const FORMAT: FileFormat = FileFormat {
    magic: *b"\x89EFNET\r\n",
    version: 1,
    name: "evaluation for proof searches",
    most: 1 << 28,
};

/// The evaluations in the crate, by the name of the variant; made by `shogi learn proofs`.
const TRAINED: [(&str, &[u8]); 1] = [("kyotoshogi", include_bytes!("nets/kyotoshogi.net.zst"))];

/// The origin of a network, from which it can be made again.
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

/// The evaluation of a proof search: a network that estimates effort, and a linear evaluation that predicts
/// the winner.
///
/// ```
/// use shogi_eval::ProofEvaluation;
/// use shogi_rules::KyotoShogi;
///
/// let trained = ProofEvaluation::<KyotoShogi>::trained().ok_or("Kyoto shogi has one")?;
/// let mut file = Vec::new();
/// trained.write(&mut file)?;
/// assert_eq!(ProofEvaluation::<KyotoShogi>::read(&file[..])?, trained);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofEvaluation<R> {
    evaluation: Evaluation<R>,
    net: EffortNet<R>,
    origin: Origin,
}

/// The head of a file, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EffortHeading {
    variant: String,
    rows: String,
    origin: Origin,
}

impl<R: Rules> ProofEvaluation<R> {
    /// Combines a network with a linear evaluation.
    pub const fn new(evaluation: Evaluation<R>, net: EffortNet<R>, origin: Origin) -> Self {
        Self { evaluation, net, origin }
    }

    /// The linear evaluation with its origin.
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

    /// The origin of the network.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The evaluation of the crate, for Kyoto shogi; `None` for other variants. [`ProofEvaluation::origin`]
    /// says how it was made.
    pub fn trained() -> Option<Self> {
        let file = unpack(of_crate(&TRAINED, R::NAME)?)?;
        // A user's rules may have the name of a variant, but then the rows differ.
        Self::read(&file[..]).ok()
    }

    /// Writes the file: see docs/reference/formats.md in the repository. Half a megabyte for Kyoto shogi.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let (variant, rows) = (R::NAME.to_owned(), ROW_SET.to_owned());
        let heading = EffortHeading { variant, rows, origin: self.origin.clone() };
        let mut out = Writer::new(out, &FORMAT)?;
        out.sized_text(&serde_json::to_string(&heading)?)?;
        out.sized_text(&self.evaluation.to_json())?;
        self.net.write_weights(&mut out)?;
        out.finish().map(drop)
    }

    /// Reads a file that [`ProofEvaluation::write`] has written.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another variant, version or list of rows, or cannot be read.
    pub fn read(mut input: impl Read) -> Result<Self, FileReason> {
        let read = || {
            read_sealed(&mut input, &FORMAT, |reader| {
                let EffortHeading { variant, rows, origin } = read_heading(reader)?;
                FileReason::check_names([(variant, R::NAME), (rows, ROW_SET)])?;
                let evaluation = Evaluation::from_json(&reader.sized_text("linear evaluation")?)
                    .map_err(|reason| reason.within("linear evaluation"))?;
                Ok(Self { evaluation, net: EffortNet::read_weights(reader)?, origin })
            })
        };
        R::compiled_or_loaded(read, || Err(FileReason::Uncompiled))
    }

    /// Reads an evaluation from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be used; the error names it.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        open(path, |file| Self::read(file))
    }
}

impl<R: Rules> EffortNet<R> {
    /// Writes all weights in the order of a file: the first layer, then the layers for the prover and for
    /// the opponent to move, 16-bit weights before 32-bit biases, all little-endian.
    pub fn write_weights(&self, out: &mut dyn Write) -> io::Result<()> {
        write_numbers(out, &self.transformer.layer.weights())?;
        for EffortHead { middle, last } in &self.heads {
            middle.write(out)?;
            last.write(out)?;
        }
        Ok(())
    }

    /// Reads weights that [`EffortNet::write_weights`] has written.
    ///
    /// # Errors
    ///
    /// If the input ends early or a weight is out of range.
    pub fn read_weights(reader: &mut WeightsReader<'_>) -> Result<Self, FileReason> {
        let rows = read_numbers(reader, (Rows::<R>::COUNT + 1) * HIDDEN)?;
        let transformer = Transformer::new(&rows)?;
        let mut head = || -> Result<_, FileReason> {
            Ok(EffortHead { middle: Dense::read(reader)?, last: Dense::read(reader)? })
        };
        Ok(Self { transformer, heads: [head()?, head()?] })
    }
}

/// The name of the variant of an evaluation for proof searches.
///
/// # Errors
///
/// If the file is not such an evaluation.
pub fn read_effort_variant(mut input: impl Read) -> Result<String, FileReason> {
    read_variant(&mut input, &FORMAT)
}
