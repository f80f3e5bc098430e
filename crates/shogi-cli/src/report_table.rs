//! The report of an estimate as text for people, in the shape of Ishii & Tanaka's tables.

use std::fmt;

use shogi_solve::reach::{ClassTally, Classes, EXACT, EstimateReport};

/// Displays a report.
pub struct ReportTable<'a>(pub &'a EstimateReport);

impl fmt::Display for ReportTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.0;
        let EstimateReport { variant, seed, done, samples, candidates, .. } = report;
        let is_exact = report.method == EXACT;
        if is_exact {
            writeln!(f, "{variant}: {done} of {candidates} candidates, without sampling\n")?;
        } else {
            write!(f, "{variant}, seed {seed}: {done} of {samples} samples")?;
            writeln!(f, ", {candidates} candidates\n")?;
        }
        let left = if is_exact { "candidates left" } else { "samples left" };
        writeln!(f, "{:<22}{left:>20}{:>12}", "stage", "share")?;
        let funnel = &report.funnel;
        for (stage, left) in [
            ("all", funnel.samples),
            ("flip", funnel.flip),
            ("pawn", funnel.pawn),
            ("king", funnel.king),
            ("reachable", funnel.ok),
        ] {
            let share = left as f64 / funnel.samples.max(1) as f64;
            writeln!(f, "{stage:<22}{left:>20}{share:>12.6}")?;
        }
        if funnel.unknown > 0 {
            writeln!(f, "{:<22}{:>20}", "undecided", funnel.unknown)?;
        }
        writeln!(f, "\n{:<22}{:>20}", "plies until none new", "unreachable")?;
        for (plies, count) in &report.unreachable_by_plies {
            writeln!(f, "{plies:<22}{count:>20}")?;
        }
        if let Some(Classes { excluded, classes, .. }) = &report.strata {
            writeln!(f, "\n{:<42}{:>20}{:>14}{:>12}", "class", "size", "samples", "reachable")?;
            writeln!(f, "{:<42}{excluded:>20}{:>14}{:>12}", "excluded", 0, 0)?;
            for ClassTally { checks, size, tally, .. } in classes {
                let share = tally.ok as f64 / tally.samples.max(1) as f64;
                writeln!(f, "{checks:<42}{size:>20}{:>14}{share:>12.6}", tally.samples)?;
            }
        }
        if is_exact && report.interval[0] == report.interval[1] {
            return write!(
                f,
                "\np = {:.6}\n{} reachable positions (exact)",
                report.p, report.estimate
            );
        }
        let ([p_low, p_high], [low, high]) = (report.p_interval, report.interval);
        writeln!(f, "\np = {:.6}, in [{p_low:.6}, {p_high:.6}]", report.p)?;
        write!(f, "estimate {:.5e}, in [{low:.5e}, {high:.5e}]", report.estimate)?;
        write!(f, " ({})", report.method)?;
        match report.uniform_samples {
            Some(samples) => write!(f, "\nas narrow as from {samples:.3e} uniform samples"),
            None => Ok(()),
        }
    }
}
