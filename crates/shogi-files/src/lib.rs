// The example of the README needs sealed files.
#![cfg_attr(any(not(doctest), feature = "sealed"), doc = include_str!("../README.md"))]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room.
//
// sealed      files with a version and a checksum, as bytes and as JSON, replaced in one step
// packed      positions of standard shogi in 256 bits, moves in 16

#[cfg(any(feature = "sealed", test))]
extern crate std;

pub mod packed;
#[cfg(feature = "sealed")]
pub mod sealed;
