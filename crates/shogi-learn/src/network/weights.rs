//! The weights of layers in sealed files.

use std::io::{self, Read, Write};

use shogi_rules::sealed::{Flaw, Reader};

use super::dense::Dense;
use crate::linear::WeightsError;

/// Why the weights of a layer cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LayerError {
    #[error(transparent)]
    Flaw(#[from] Flaw),
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl<const I: usize, const O: usize> Dense<I, O> {
    /// Writes the 16-bit weights output by output and then the 32-bit biases, little-endian.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for weight in self.weights() {
            out.write_all(&weight.to_le_bytes())?;
        }
        for bias in self.bias() {
            out.write_all(&bias.to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads what [`Dense::write`] has written.
    pub(crate) fn read(reader: &mut Reader<impl Read>) -> Result<Self, LayerError> {
        let weights = numbers(reader, I * O)?;
        let mut bias = [0; O];
        for bias in &mut bias {
            *bias = i32::from_le_bytes(reader.array()?);
        }
        Ok(Self::new(&weights, &bias)?)
    }
}

/// So many 16-bit numbers, little-endian.
pub(crate) fn numbers(reader: &mut Reader<impl Read>, count: usize) -> Result<Vec<i16>, Flaw> {
    let bytes = reader.bytes(2 * count as u64)?;
    Ok(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
}
