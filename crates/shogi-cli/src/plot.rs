//! A plot of an estimate as it becomes certain, as an SVG that is always the same for the same points.

use std::fmt::Write as _;

/// An estimate from so many samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Samples so far.
    pub samples: u64,
    /// The share of reachable positions.
    pub share: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

impl Point {
    /// Half of the interval, relative to the share.
    fn error(&self) -> f64 {
        (self.interval[1] - self.interval[0]) / 2.0 / self.share
    }
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 500.0;
/// The edges of the plot itself, in the picture.
const LEFT: f64 = 76.0;
const RIGHT: f64 = WIDTH - 24.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = HEIGHT - 52.0;
/// Turns light colours into dark ones, and keeps hues, on pages with dark colours.
const DARK: &str = "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(.9) hue-rotate(180deg) } }</style>";

/// An axis by powers of ten.
struct Axis {
    /// The exponents at both ends.
    decades: [f64; 2],
    /// Where these are in the picture.
    ends: [f64; 2],
}

impl Axis {
    fn of(values: impl Iterator<Item = f64> + Clone, ends: [f64; 2]) -> Self {
        let logarithms = values.map(f64::log10);
        let least = logarithms.clone().fold(f64::INFINITY, f64::min).floor();
        let most = logarithms.fold(f64::NEG_INFINITY, f64::max).ceil();
        Self { decades: [least, most.max(least + 1.0)], ends }
    }

    fn place(&self, value: f64) -> f64 {
        let [least, most] = self.decades;
        let [from, to] = self.ends;
        from + (value.log10() - least) / (most - least) * (to - from)
    }

    /// The whole powers of ten on it, with their names.
    fn marks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let [least, most] = self.decades.map(|decade| decade as i32);
        (least..=most).map(|decade| (self.place(10_f64.powi(decade)), format!("1e{decade}")))
    }
}

/// Draws half of the interval, relative to the share, over the number of samples, both by powers of ten.
pub fn certainty(title: &str, points: &[Point]) -> String {
    let drawn: Vec<_> =
        points.iter().filter(|point| point.error() > 0.0 && point.error().is_finite()).collect();
    let mut svg = format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" font-size=\"15\">\n{DARK}\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"28\">{}</text>\n",
        title.replace('&', "&amp;").replace('<', "&lt;")
    );
    // Writing to a string does not fail.
    let _ = match drawn.is_empty() {
        true => writeln!(svg, "<text x=\"{LEFT}\" y=\"{TOP}\">There is no interval.</text>"),
        false => draw(&drawn, &mut svg),
    };
    svg + "</svg>\n"
}

fn draw(points: &[&Point], svg: &mut String) -> std::fmt::Result {
    let across = Axis::of(points.iter().map(|point| point.samples as f64), [LEFT, RIGHT]);
    let up = Axis::of(points.iter().map(|point| point.error()), [BOTTOM, TOP]);
    for (x, name) in across.marks() {
        writeln!(svg, "<path d=\"M{x:.1} {TOP}V{BOTTOM}\" stroke=\"#ccc\"/>")?;
        let y = BOTTOM + 20.0;
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{name}</text>")?;
    }
    for (y, name) in up.marks() {
        writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#ccc\"/>")?;
        let (x, y) = (LEFT - 8.0, y + 5.0);
        writeln!(svg, "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{name}</text>")?;
    }
    let (x, y) = ((LEFT + RIGHT) / 2.0, HEIGHT - 10.0);
    writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">samples</text>")?;
    let mut line = String::new();
    for point in points {
        let (x, y) = (across.place(point.samples as f64), up.place(point.error()));
        write!(line, "{}{x:.1} {y:.1}", if line.is_empty() { 'M' } else { 'L' })?;
    }
    writeln!(svg, "<path d=\"{line}\" fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"2\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(samples: u64, half: f64) -> Point {
        Point { samples, share: 0.1, interval: [0.1 - half, 0.1 + half] }
    }

    #[test]
    fn a_line_falls_from_decade_to_decade() {
        let svg = certainty("p < 1", &[point(100, 0.01), point(10_000, 0.001)]);
        assert!(svg.contains("<text x=\"76\" y=\"28\">p &lt; 1</text>"), "{svg}");
        assert!(
            svg.contains(&format!("d=\"M{LEFT:.1} {TOP:.1}L{RIGHT:.1} {BOTTOM:.1}\"")),
            "{svg}"
        );
        for name in ["1e2", "1e3", "1e4", "1e-1", "1e-2"] {
            assert!(svg.contains(&format!(">{name}</text>")), "{name}: {svg}");
        }
    }

    #[test]
    fn without_an_interval_the_plot_says_so() {
        assert!(certainty("exact", &[point(100, 0.0)]).contains("There is no interval."));
    }
}
