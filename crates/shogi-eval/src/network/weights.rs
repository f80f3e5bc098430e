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
        write(out, self.weight_list(), self.bias())
    }

    /// Reads what [`Dense::write`] has written.
    pub(crate) fn read(bytes: &mut Source<'_>) -> Result<Self, LayerError> {
        Ok(Self::new(&numbers(bytes, I * O)?, &biases(bytes, O)?)?)
    }
}

fn write(out: &mut dyn Write, weights: &[i16], bias: &[i32]) -> io::Result<()> {
    for weight in weights {
        out.write_all(&weight.to_le_bytes())?;
    }
    for bias in bias {
        out.write_all(&bias.to_le_bytes())?;
    }
    Ok(())
}

/// What gives the next bytes of a file, so many.
pub(crate) type Source<'s> = dyn FnMut(u64) -> Result<Vec<u8>, Flaw> + 's;

/// So many 16-bit numbers, little-endian.
pub(crate) fn numbers(bytes: &mut Source<'_>, count: usize) -> Result<Vec<i16>, Flaw> {
    let bytes = bytes(2 * count as u64)?;
    Ok(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
}

/// So many 32-bit numbers, little-endian.
fn biases(bytes: &mut Source<'_>, count: usize) -> Result<Vec<i32>, Flaw> {
    let bytes = bytes(4 * count as u64)?;
    Ok(bytes.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}
