//! All tests of the crate's public interface in one program, since each program links the libraries
//! anew.

mod file;
mod naive;
mod parts;
mod reachable;
#[cfg(feature = "text")]
mod texts;
mod trail;
mod values;
mod worlds;
