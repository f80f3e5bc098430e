//! Writes a checkpoint.

use std::io::{self, Write};

use shogi_files::sealed;
use shogi_mate::saved::{number, write_text};
use shogi_proof::rules_hash;
use shogi_rules::{Rules, to_sfen};

use super::{FORMAT, GHI, SEARCHES, SUM, certificate};
use crate::df_pn::Combine;
use crate::game::RulesGame;
use crate::memory::Memory;
use crate::search::{FinalValue, Finding};
use crate::solve::{Options, Solver, Turn};

impl<R: Rules> Solver<'static, RulesGame<R>> {
    /// Writes the state, from which [`Reader::solver`](super::Reader::solver) can restore the solver.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = sealed::Writer::new(out, &FORMAT)?;
        let Options { algorithm, leaf, ghi, tuning, hash_bytes, .. } = self.options;
        write_text(&mut out, R::name())?;
        out.write_all(&rules_hash::<R>())?;
        write_text(&mut out, &to_sfen(&self.root))?;
        out.write_all(&[number(&SEARCHES, &(algorithm, leaf)), number(&GHI, &ghi)])?;
        for combine in [tuning.proof, tuning.disproof] {
            let sixteenths = match combine {
                Combine::Sum => SUM,
                Combine::Weak { sixteenths } => sixteenths,
            };
            out.write_all(&sixteenths.to_le_bytes())?;
        }
        out.write_all(&tuning.epsilon.to_le_bytes())?;
        let elapsed = u64::try_from(self.elapsed.as_micros()).unwrap_or(u64::MAX);
        let Turn { nodes: turn, left, .. } = self.turn;
        for count in [hash_bytes as u64, self.nodes, self.expansions, elapsed, turn, left] {
            out.write_all(&count.to_le_bytes())?;
        }
        out.write_all(&[self.turn.question as u8])?;
        for question in &self.questions {
            write_finding(&mut out, question.finding)?;
            match &question.search {
                None => out.write_all(&[0])?,
                Some(search) => write_memory(&mut out, search.memory())?,
            }
        }
        out.write_all(&[self.certificates.len() as u8])?;
        for certificate in &self.certificates {
            let bytes = certificate::to_proof(&self.root, certificate)?;
            out.write_all(&(bytes.len() as u64).to_le_bytes())?;
            out.write_all(&bytes)?;
        }
        out.finish().map(drop)
    }
}

fn write_finding(out: &mut impl Write, finding: Option<Finding>) -> io::Result<()> {
    let (kind, first, second) = match finding {
        None => (0, 0, 0),
        Some(Finding::Proved { plies }) => (1, plies, 0),
        Some(Finding::Disproved) => (2, 0, 0),
        Some(Finding::Unknown { proof, disproof }) => (3, proof, disproof),
    };
    out.write_all(&[kind])?;
    out.write_all(&first.to_le_bytes())?;
    out.write_all(&second.to_le_bytes())
}

/// Writes the memory of a search.
fn write_memory(out: &mut impl Write, memory: &Memory) -> io::Result<()> {
    let table = &memory.table;
    out.write_all(&[1])?;
    out.write_all(&(table.len() as u64).to_le_bytes())?;
    for entry in table.iter() {
        out.write_all(&entry.to_bytes())?;
    }
    let values = memory.all_final_values();
    out.write_all(&(values.len() as u64).to_le_bytes())?;
    for (key, value) in values {
        let (proved, plies) = match value {
            FinalValue::Disproved => (0, 0),
            FinalValue::Proved { plies } => (1, u16::try_from(plies).unwrap_or(u16::MAX)),
        };
        out.write_all(&key.to_le_bytes())?;
        out.write_all(&[proved])?;
        out.write_all(&plies.to_le_bytes())?;
    }
    Ok(())
}
