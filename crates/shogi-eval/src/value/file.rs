//! Networks on disk and in the crate.

use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use shogi_files::sealed::{FileFormat, Writer};
use shogi_rules::Rules;

use super::{HIDDEN, Origin, ROW_FACTOR, ValueNet, written};
use crate::file::{self, FileError, FileReason, of_crate, open, read_heading, read_sealed};
use crate::network::{Dense, Rows};
use crate::packed::unpack;
use crate::values::Values;
use crate::weighted::Weighted;

/// The file format of a [`ValueNet`].
pub const FORMAT: FileFormat = FileFormat {
    magic: *b"\x89VALUE\r\n",
    version: 2,
    name: "network for the player",
    most: 1 << 28,
};

/// The name of the list of rows in a file; networks learnt on another list cannot be used.
///
/// The second list omits rows that no position has. On boards without such rows it equals the first.
fn row_set<R: Rules>() -> &'static str {
    let all_are_met = Rows::<R>::met().len() == Rows::<R>::PIECES;
    if all_are_met { "king-zone-rows-1" } else { "king-zone-rows-2" }
}

/// The networks in the crate, by the name of the variant; made by `shogi learn`.
const TRAINED: [(&str, &[u8]); 4] = [
    ("minishogi", include_bytes!("nets/minishogi.net.zst")),
    ("kyotoshogi", include_bytes!("nets/kyotoshogi.net.zst")),
    ("shogi", include_bytes!("nets/shogi.net.zst")),
    ("dobutsu", include_bytes!("nets/dobutsu.net.zst")),
];

/// The head of a file, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueHeading {
    variant: String,
    rows: String,
    origin: Origin,
    /// The value of each face in exchanges.
    board: Vec<i32>,
    /// The file of the weighted features that the network corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<String>,
}

impl<R: Rules> ValueNet<R> {
    /// The network of the crate, for Minishogi, Kyoto shogi, shogi and Dobutsu shogi; `None` for other
    /// variants. [`ValueNet::origin`] says how it was made.
    pub fn trained() -> Option<Self> {
        let file = unpack(of_crate(&TRAINED, R::NAME)?)?;
        // A user's rules may have the name of a variant, but then the rows differ.
        Self::read(&file[..]).ok()
    }

    /// Writes the file: see docs/reference/formats.md in the repository. Half a megabyte for the small boards, one
    /// for 9x9.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let heading = ValueHeading {
            variant: R::NAME.to_owned(),
            rows: row_set::<R>().to_owned(),
            origin: self.origin.clone(),
            board: self.values.list::<R>(),
            base: self.base.as_ref().map(Weighted::to_json),
        };
        let rows = written(&self.transformer.layer.weights(), &Rows::<R>::met());
        let rows: Vec<u8> = rows.iter().map(|weight| (weight / ROW_FACTOR) as i8 as u8).collect();
        let mut out = Writer::new(out, &FORMAT)?;
        out.sized_text(&serde_json::to_string(&heading)?)?;
        out.write_all(&rows)?;
        self.output.write(&mut out)?;
        out.finish().map(drop)
    }

    /// Reads a file that [`ValueNet::write`] has written.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another variant, version or list of rows, or cannot be read.
    pub fn read(mut input: impl Read) -> Result<Self, FileReason> {
        let read = || {
            read_sealed(&mut input, &FORMAT, |reader| {
                let ValueHeading { variant, rows, origin, board, base } = read_heading(reader)?;
                FileReason::check_names([(variant, R::NAME), (rows, row_set::<R>())])?;
                let values = Values::from_list::<R>(&board)?;
                let rows = reader.bytes(((Rows::<R>::met().len() + 1) * HIDDEN) as u64)?;
                let rows: Vec<i8> = rows.into_iter().map(|byte| byte as i8).collect();
                let net = Self::new(&rows, Dense::read(reader)?, values, origin)?;
                let Some(base) = base else { return Ok(net) };
                let base = Weighted::from_json(&base);
                Ok(net.with_base(base.map_err(|reason| reason.within("weighted features"))?))
            })
        };
        R::compiled_or_loaded(read, || Err(FileReason::Uncompiled))
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be used; the error names it.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        open(path, |file| Self::read(file))
    }
}

/// The name of the variant of a network for the player.
///
/// # Errors
///
/// If the file is not such a network.
pub fn read_variant(mut input: impl Read) -> Result<String, FileReason> {
    file::read_variant(&mut input, &FORMAT)
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
    fn files_are_read_back_and_take_at_most_a_megabyte() {
        let net = random::<Shogi>();
        let file = written(&net);
        assert!(file.len() <= 1_000_000, "{} bytes", file.len());
        assert_eq!(ValueNet::read(&file[..]).unwrap(), net);
        assert_eq!(read_variant(&file[..]).unwrap(), "shogi");
        let other = ValueNet::<Minishogi>::read(&file[..]).unwrap_err();
        assert!(other.to_string().contains("for shogi, but minishogi is wanted"));
        // No hand has more than a few pieces of most kinds, and rows for more are not written.
        let held = |row: usize| !Rows::<Shogi>::is_met(row);
        assert_eq!((0..Rows::<Shogi>::PIECES).filter(|&row| held(row)).count(), 6 * 208);
        assert_eq!(row_set::<Shogi>(), "king-zone-rows-2");
        assert_eq!(row_set::<Minishogi>(), "king-zone-rows-1");
        let small = random::<Minishogi>();
        assert_eq!(ValueNet::read(&written(&small)[..]).unwrap(), small);
    }

    #[test]
    fn a_network_is_read_back_with_the_weights_that_it_corrects() {
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
