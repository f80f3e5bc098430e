//! All tests of the crate's public interface in one program, since each program links the libraries anew.

#[cfg(feature = "files")]
mod linear;
#[cfg(feature = "files")]
mod network;
