//! The file `nn.bin`. All numbers are little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 4, 4 | the version `0x7AF32F16`; the hash of the form, which is that of both parts, exclusive-or |
//! | 4, n | the length of the description, and the description |
//! | 4 | the hash of the first layer, which says with the form of its inputs how many outputs it has |
//! | 2 x 256 | its biases |
//! | 2 x 256 x N | its weights, input by input: N is 125,388 in HalfKP and 1,710 in K-P of standard shogi |
//! | 4 | the hash of the layers above |
//! | 4 x O, O x I | for each of them the biases, and the weights of one byte, output by output |
//!
//! Of other rules than those of standard shogi there are networks of the form K-P. The hashes of the form and of the
//! first layer are then combined, by exclusive or, with the first 32 bits of the hash of the rules, so that no program
//! takes such a file for one of another game.
//!
//! There is no checksum, so a weight that was changed cannot be distinguished from one that was meant.

use std::io::{self, ErrorKind, Read, Write};
use std::marker::PhantomData;

use shogi_files::sealed::{At, Flaw};
use shogi_rules::{Rules, rules_hash};

use super::features::{FeatureSet, PieceNumbers};
use super::layer::Layer;
use super::{HIDDEN, Network, NnBin, SCALE};
use crate::file::FileReason;
use crate::network::{Dense, FirstLayer, Row};
use crate::values::Values;

/// The version at the beginning of a file.
pub const VERSION: u32 = 0x7AF3_2F16;
/// The hash of the layers above.
const LAYERS: u32 = 0x6333_7156;
/// The longest description that is read.
pub(super) const MAX_DESCRIPTION: u32 = 4096;

impl FeatureSet {
    /// The hash of the first layer.
    const fn layer_hash(self) -> u32 {
        match self {
            Self::HalfKp => 0x5D69_D7B8,
            Self::Kp => 0x3F57_15FF,
        }
    }

    /// The hash of a network of standard shogi.
    const fn hash(self) -> u32 {
        self.layer_hash() ^ LAYERS
    }

    /// The set of a network of standard shogi with this hash.
    fn of_hash(found: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.hash() == found)
    }
}

/// The rules that a network is for, as its file has them.
#[derive(Clone, Copy)]
struct Game {
    /// The key that is combined with the hashes of a network of standard shogi.
    key: u32,
    name: &'static str,
}

impl Game {
    fn of<R: Rules>(numbers: &PieceNumbers) -> Self {
        let [a, b, c, d, ..] = if numbers.of_shogi { [0; 32] } else { rules_hash::<R>() };
        Self { key: u32::from_le_bytes([a, b, c, d]), name: R::NAME }
    }

    /// Which of these sets the network with this hash is of.
    fn numbers(
        self,
        found: u32,
        sets: [Option<PieceNumbers>; 2],
    ) -> Result<PieceNumbers, FileReason> {
        let set = FeatureSet::of_hash(found ^ self.key);
        let numbers = sets.into_iter().flatten().find(|numbers| Some(numbers.set) == set);
        numbers.ok_or_else(|| match FeatureSet::of_hash(found) {
            Some(_) => FileReason::Other { found: "shogi".to_owned(), expected: self.name },
            None => FileReason::UnknownForm { found },
        })
    }
}

impl<R: Rules> NnBin<R> {
    /// Reads a file: 64 million bytes in HalfKP, 0.9 million in K-P of standard shogi.
    ///
    /// # Errors
    ///
    /// If it is of another form or of other rules, ends too early, has more in it or cannot be read, and for rules that
    /// were read as text.
    ///
    /// ```
    /// use shogi_eval::NnBin;
    /// use shogi_rules::{Minishogi, Shogi};
    /// let error = NnBin::<Shogi>::read(&b"\x16\x2f\xf3\x7a"[..]).unwrap_err();
    /// assert_eq!(error.to_string(), "at byte 4: the file ends here, but it is not complete");
    /// assert!(NnBin::<Minishogi>::read(&b""[..]).is_err());
    /// ```
    pub fn read(mut input: impl Read) -> Result<Self, FileReason> {
        Self::read_wanted(&mut input, None)
    }

    /// Reads a file of a network with these inputs.
    ///
    /// # Errors
    ///
    /// As [`NnBin::read`], and if the network has other inputs.
    ///
    /// ```
    /// use shogi_eval::NnBin;
    /// use shogi_eval::nn_bin::FeatureSet;
    /// use shogi_rules::Shogi;
    /// let half_kp = b"\x16\x2f\xf3\x7a\xee\xa6\x5a\x3e";
    /// let error = NnBin::<Shogi>::read_of(FeatureSet::Kp, &half_kp[..]).unwrap_err();
    /// let expected = "at byte 8: the network is HalfKP 256x2-32-32, but K-P 256x2-32-32 is wanted";
    /// assert_eq!(error.to_string(), expected);
    /// ```
    pub fn read_of(set: FeatureSet, mut input: impl Read) -> Result<Self, FileReason> {
        Self::read_wanted(&mut input, Some(set))
    }

    /// Reads a network with the wanted inputs, or with any.
    fn read_wanted(input: &mut dyn Read, wanted: Option<FeatureSet>) -> Result<Self, FileReason> {
        let sets = FeatureSet::ALL.map(PieceNumbers::new::<R>);
        let Some(numbers) = sets.iter().flatten().next() else {
            return Err(FileReason::Uncompiled);
        };
        let game = Game::of::<R>(numbers);
        let mut source = Source { input, offset: 0 };
        let network = Network::read(&mut source, wanted, sets, game, Values::standard::<R>());
        let network = network.map_err(|reason| match reason {
            // It is about the whole file.
            reason @ FileReason::Other { .. } => reason,
            reason => At { offset: source.offset, reason }.into(),
        })?;
        Ok(Self { network, rules: PhantomData })
    }
}

impl<R: Rules> NnBin<R> {
    /// Writes the file.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        self.network.write(&mut out, Game::of::<R>(&self.network.numbers))
    }
}

impl Network {
    fn read(
        source: &mut Source<'_>,
        wanted: Option<FeatureSet>,
        sets: [Option<PieceNumbers>; 2],
        game: Game,
        values: Values,
    ) -> Result<Self, FileReason> {
        let version = source.number()?;
        if version != VERSION {
            let (found, known) = (version.into(), VERSION.into());
            return Err(Flaw::Version { found, known }.into());
        }
        let numbers = game.numbers(source.number()?, sets)?;
        let set = numbers.set;
        if let Some(expected) = wanted.filter(|&wanted| wanted != set) {
            let (found, expected) = (set.name(), expected.name());
            return Err(FileReason::Form { found, expected });
        }
        let found = source.number()?;
        if found > MAX_DESCRIPTION {
            return Err(FileReason::Description { found, most: MAX_DESCRIPTION });
        }
        let description = source.bytes(found as usize)?;
        let description = String::from_utf8_lossy(&description).into_owned();
        source.hash("the first layer", set, set.layer_hash() ^ game.key)?;
        let bias = source.row()?;
        let mut rows = Vec::new();
        for _ in 0..numbers.count {
            rows.push(source.row()?);
        }
        source.hash("the layers above", set, LAYERS)?;
        let (first, second, last) = (source.layer()?, source.layer()?, source.layer()?);
        source.end()?;
        let scale = SCALE;
        let layer = FirstLayer { rows, bias };
        Ok(Self { numbers, layer, first, second, last, description, scale, values })
    }

    fn write(&self, out: &mut dyn Write, Game { key, .. }: Game) -> io::Result<()> {
        let (set, length) = (self.numbers.set, self.description.len() as u32);
        for number in [VERSION, set.hash() ^ key, length] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(self.description.as_bytes())?;
        out.write_all(&(set.layer_hash() ^ key).to_le_bytes())?;
        for row in self.layer.all() {
            write_row(out, row)?;
        }
        out.write_all(&LAYERS.to_le_bytes())?;
        write_layer(out, &self.first)?;
        write_layer(out, &self.second)?;
        write_layer(out, &self.last)
    }
}

fn write_row(out: &mut dyn Write, row: &Row<HIDDEN>) -> io::Result<()> {
    let mut bytes = [0; 2 * HIDDEN];
    for (bytes, weight) in bytes.chunks_exact_mut(2).zip(row.0) {
        bytes.copy_from_slice(&weight.to_le_bytes());
    }
    out.write_all(&bytes)
}

fn write_layer<const I: usize, const O: usize>(
    out: &mut dyn Write,
    layer: &Layer<I, O>,
) -> io::Result<()> {
    for bias in layer.dense().bias() {
        out.write_all(&bias.to_le_bytes())?;
    }
    let weights = layer.dense().weight_list();
    let weights: Vec<u8> = weights.iter().map(|&weight| weight as i8 as u8).collect();
    out.write_all(&weights)
}

/// A file that is being read.
struct Source<'i> {
    input: &'i mut dyn Read,
    /// Bytes read.
    offset: u64,
}

impl Source<'_> {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), Flaw> {
        self.input.read_exact(buffer).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => Flaw::Truncated,
            _ => Flaw::Io(error),
        })?;
        self.offset += buffer.len() as u64;
        Ok(())
    }

    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, Flaw> {
        let mut bytes = vec![0; count];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u32, Flaw> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn hash(
        &mut self,
        part: &'static str,
        set: FeatureSet,
        expected: u32,
    ) -> Result<(), FileReason> {
        let (found, form) = (self.number()?, set.name());
        if found == expected {
            return Ok(());
        }
        Err(FileReason::Hash { part, found, expected, form })
    }

    /// The weights of one input of the first layer.
    fn row(&mut self) -> Result<Row<HIDDEN>, Flaw> {
        let mut bytes = [0; 2 * HIDDEN];
        self.fill(&mut bytes)?;
        let mut row = Row([0; HIDDEN]);
        for (weight, bytes) in row.0.iter_mut().zip(bytes.chunks_exact(2)) {
            *weight = i16::from_le_bytes([bytes[0], bytes[1]]);
        }
        Ok(row)
    }

    /// A layer above: its sums are exact in any order, since each weight has one byte.
    fn layer<const N: usize, const O: usize>(&mut self) -> Result<Layer<N, O>, FileReason> {
        let bias = self.biases(O)?;
        Ok(Dense::new(&self.weights(N * O)?, &bias)?.into())
    }

    fn biases(&mut self, count: usize) -> Result<Vec<i32>, Flaw> {
        let mut biases = Vec::new();
        for _ in 0..count {
            biases.push(self.number()? as i32);
        }
        Ok(biases)
    }

    fn weights(&mut self, count: usize) -> Result<Vec<i16>, Flaw> {
        Ok(self.bytes(count)?.iter().map(|&byte| i16::from(byte as i8)).collect())
    }

    fn end(&mut self) -> Result<(), FileReason> {
        loop {
            match self.input.read(&mut [0]) {
                Ok(0) => return Ok(()),
                Ok(_) => return Err(FileReason::Trailing),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Flaw::Io(error).into()),
            }
        }
    }
}
