//! What all plots share.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

/// Width and height.
const SIZE: (u32, u32) = (760, 460);
/// Of captions and labels.
pub const FONT: (&str, i32) = ("sans-serif", 15);

/// Draws an SVG and writes it whole.
///
/// # Errors
///
/// If it cannot be drawn or written.
pub fn draw(
    path: &Path,
    content: impl FnOnce(&DrawingArea<SVGBackend, plotters::coord::Shift>) -> Result<(), DrawError>,
) -> Result<()> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)
            .and_then(|()| content(&root))
            .and_then(|()| root.present())
            .map_err(|error| anyhow!("cannot draw {}: {error}", path.display()))?;
    }
    Ok(crate::write_whole(path, &svg)?)
}

/// Why a plot cannot be drawn.
pub type DrawError = DrawingAreaErrorKind<std::io::Error>;
