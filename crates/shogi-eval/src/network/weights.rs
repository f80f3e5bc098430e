//! The weights of layers in sealed files.

use std::io::{self, Write};

use super::dense::Dense;
use crate::file::{FileReason, WeightsReader};

impl<const I: usize, const O: usize> Dense<I, O> {
    /// Writes the 16-bit weights output by output and then the 32-bit biases, little-endian.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_numbers(out, self.weight_list())?;
        self.bias().iter().try_for_each(|bias| out.write_all(&bias.to_le_bytes()))
    }

    /// Reads a layer that [`Dense::write`] has written.
    pub(crate) fn read(reader: &mut WeightsReader<'_>) -> Result<Self, FileReason> {
        let weights = read_numbers(reader, I * O)?;
        let mut bias = [0; O];
        for bias in &mut bias {
            *bias = i32::from_le_bytes(reader.array()?);
        }
        Ok(Self::new(&weights, &bias)?)
    }
}

/// Writes 16-bit numbers, little-endian.
pub(crate) fn write_numbers(out: &mut dyn Write, numbers: &[i16]) -> io::Result<()> {
    numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

/// Reads `count` 16-bit numbers, little-endian.
pub(crate) fn read_numbers(
    reader: &mut WeightsReader<'_>,
    count: usize,
) -> Result<Vec<i16>, FileReason> {
    let bytes = reader.bytes(2 * count as u64)?;
    Ok(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
}
