//! The report of an estimate as text for people, in the shape of Ishii & Tanaka's tables.

use std::fmt;

use shogi_rank::Report;

/// Displays a report.
pub struct Table<'a>(pub &'a Report);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.0;
        write!(
            f,
            "{}, seed {}: {} of {} samples",
            report.variant, report.seed, report.done, report.samples
        )?;
        writeln!(f, ", {} candidates\n", report.candidates)?;
        writeln!(f, "{:<22}{:>20}{:>12}", "stage", "samples left", "share")?;
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
        writeln!(f, "\n{:<22}{:>20}", "plies traced back", "unreachable")?;
        for (plies, count) in &report.unreachable_by_plies {
            writeln!(f, "{plies:<22}{count:>20}")?;
        }
        let ([p_low, p_high], [low, high]) = (report.p_interval, report.interval);
        writeln!(f, "\np = {:.6}, in [{p_low:.6}, {p_high:.6}]", report.p)?;
        write!(f, "estimate {:.5e}, in [{low:.5e}, {high:.5e}]", report.estimate)?;
        write!(f, " ({})", report.method)
    }
}
