//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod amount;
mod bounds;
mod dependencies;
mod diagram;
mod family;
#[cfg(feature = "text")]
mod known;
mod mate;
mod numbers;
#[cfg(all(feature = "learn", feature = "reach", feature = "tablebase", feature = "text"))]
mod report;
#[cfg(all(feature = "search", feature = "tablebase"))]
mod tablebases;
mod tables;
mod text;
mod texts;
mod values;
mod variant;
