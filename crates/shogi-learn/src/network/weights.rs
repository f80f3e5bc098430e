//! The weights of layers in sealed files.

use std::io::{self, Write};

use shogi_rules::sealed::Flaw;

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
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for weight in self.weights() {
            out.write_all(&weight.to_le_bytes())?;
        }
        for bias in self.bias() {
            out.write_all(&bias.to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads what [`Dense::write`] has written.
    pub(crate) fn read(bytes: &mut Source<'_>) -> Result<Self, LayerError> {
        let weights = numbers(bytes, I * O)?;
        let read = bytes(4 * O as u64)?;
        let mut bias = [0; O];
        for (bias, bytes) in bias.iter_mut().zip(read.chunks_exact(4)) {
            *bias = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        Ok(Self::new(&weights, &bias)?)
    }
}

/// What gives the next bytes of a file, so many.
pub(crate) type Source<'s> = dyn FnMut(u64) -> Result<Vec<u8>, Flaw> + 's;

/// So many 16-bit numbers, little-endian.
pub(crate) fn numbers(bytes: &mut Source<'_>, count: usize) -> Result<Vec<i16>, Flaw> {
    let bytes = bytes(2 * count as u64)?;
    Ok(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
}
