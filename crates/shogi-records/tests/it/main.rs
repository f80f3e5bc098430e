//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod corpus;
mod games;
mod readable;
mod record;
mod record_notes;
mod record_samples;
mod record_several;
mod record_spellings;
mod record_turns;
mod record_wild;
mod typed;
