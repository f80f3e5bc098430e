//! Writing a checkpoint.

use std::io::{self, Write};

use shogi_proof::rules_hash;
use shogi_rules::{Rules, sealed, to_sfen};

use super::{ALGORITHMS, FORMAT, GHI, SUM, certificate};
use crate::df_pn::Combine;
use crate::game::RulesGame;
use crate::memory::Memory;
use crate::search::{FinalValue, Finding};
use crate::solve::{Options, Solver, Turn};

impl<R: Rules> Solver<'static, RulesGame<R>> {
    /// Writes the state, so that [`Reader::solver`](super::Reader::solver) can make the solver again.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = Output { out: sealed::Writer::new(out, &FORMAT)? };
        let Options { algorithm, ghi, tuning, hash_bytes, .. } = self.options;
        out.text(R::name())?;
        out.write(&rules_hash::<R>())?;
        out.text(&to_sfen(&self.root))?;
        out.write(&[number(&ALGORITHMS, &algorithm), number(&GHI, &ghi)])?;
        for combine in [tuning.proof, tuning.disproof] {
            let sixteenths = match combine {
                Combine::Sum => SUM,
                Combine::Weak { sixteenths } => sixteenths,
            };
            out.write(&sixteenths.to_le_bytes())?;
        }
        out.write(&tuning.epsilon.to_le_bytes())?;
        let elapsed = u64::try_from(self.elapsed.as_micros()).unwrap_or(u64::MAX);
        let Turn { nodes: turn, left, .. } = self.turn;
        for count in [hash_bytes as u64, self.nodes, self.expansions, elapsed, turn, left] {
            out.write(&count.to_le_bytes())?;
        }
        out.write(&[self.turn.question as u8])?;
        for question in &self.questions {
            out.finding(question.finding)?;
            match &question.search {
                None => out.write(&[0])?,
                Some(search) => out.memory(search.memory())?,
            }
        }
        out.write(&[self.certificates.len() as u8])?;
        for certificate in &self.certificates {
            let bytes = certificate::to_proof(&self.root, certificate)?;
            out.write(&(bytes.len() as u64).to_le_bytes())?;
            out.write(&bytes)?;
        }
        out.out.finish().map(drop)
    }
}

/// The number of an item of a list that holds every value.
fn number<T: PartialEq>(list: &[T], item: &T) -> u8 {
    list.iter().position(|listed| listed == item).unwrap_or(list.len()) as u8
}

/// Writes the parts of a checkpoint.
struct Output<W: Write> {
    out: sealed::Writer<W>,
}

impl<W: Write> Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        let length = u16::try_from(text.len()).map_err(io::Error::other)?;
        self.write(&length.to_le_bytes())?;
        self.write(text.as_bytes())
    }

    fn finding(&mut self, finding: Option<Finding>) -> io::Result<()> {
        let (kind, first, second) = match finding {
            None => (0, 0, 0),
            Some(Finding::Proved { plies }) => (1, plies, 0),
            Some(Finding::Disproved) => (2, 0, 0),
            Some(Finding::Unknown { proof, disproof }) => (3, proof, disproof),
        };
        self.write(&[kind])?;
        self.write(&first.to_le_bytes())?;
        self.write(&second.to_le_bytes())
    }

    fn memory(&mut self, memory: &Memory) -> io::Result<()> {
        let table = &memory.table;
        self.write(&[1])?;
        self.write(&(table.len() as u64).to_le_bytes())?;
        for entry in table.iter() {
            self.write(&entry.to_bytes())?;
        }
        let values = memory.all_final_values();
        self.write(&(values.len() as u64).to_le_bytes())?;
        for (key, value) in values {
            let (proved, plies) = match value {
                FinalValue::Disproved => (0, 0),
                FinalValue::Proved { plies } => (1, u16::try_from(plies).unwrap_or(u16::MAX)),
            };
            self.write(&key.to_le_bytes())?;
            self.write(&[proved])?;
            self.write(&plies.to_le_bytes())?;
        }
        Ok(())
    }
}
