//! What all plots share.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

/// Width and height.
const SIZE: (u32, u32) = (760, 500);
/// Height of a line of text above the plot.
const LINE: i32 = 20;
/// Where such a line begins.
const LEFT: i32 = 64;
/// Of captions and labels.
pub const FONT: (&str, i32) = ("sans-serif", 15);

/// Turns light colours into dark ones, and keeps hues, on pages with dark colours.
const DARK: &str = "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(.9) hue-rotate(180deg) } }</style>";

/// Draws an SVG, with light colours or dark ones as the page has, and writes it whole.
///
/// # Errors
///
/// If it cannot be drawn or written.
pub fn draw(
    path: &Path,
    content: impl FnOnce(&DrawingArea<SVGBackend, Shift>) -> Result<(), DrawError>,
) -> Result<()> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)
            .and_then(|()| content(&root))
            .and_then(|()| root.present())
            .map_err(|error| anyhow!("cannot draw {}: {error}", path.display()))?;
    }
    // Behind the element that it is about.
    let svg = svg.replacen('\n', &format!("\n{DARK}\n"), 1);
    Ok(crate::write_whole(path, &svg)?)
}

/// Writes the title and what each colour stands for above the plot, where no line of the plot can hide it, and
/// gives what is left of the picture.
///
/// # Errors
///
/// If it cannot be drawn.
pub fn head<'a>(
    root: &DrawingArea<SVGBackend<'a>, Shift>,
    title: &str,
    legend: &[(&str, RGBColor)],
) -> Result<DrawingArea<SVGBackend<'a>, Shift>, DrawError> {
    let lines = 1 + legend.len() as i32;
    let (head, plot) = root.split_vertically(12 + LINE * lines);
    head.draw(&Text::new(title, (LEFT, 10), FONT))?;
    for (line, (name, colour)) in (1..).zip(legend) {
        let y = 10 + LINE * line;
        head.draw(&Rectangle::new([(LEFT, y + 2), (LEFT + 20, y + 12)], colour.filled()))?;
        head.draw(&Text::new(*name, (LEFT + 28, y), FONT))?;
    }
    Ok(plot)
}

/// Why a plot cannot be drawn.
pub type DrawError = DrawingAreaErrorKind<std::io::Error>;
