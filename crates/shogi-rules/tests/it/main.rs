//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod arbitrary;
mod corpus;
mod differential;
mod flip;
mod game;
mod game_random;
mod games;
mod loaded;
mod mate;
mod notation;
mod packed;
mod perft;
mod readable;
mod record;
mod record_notes;
mod record_peer;
mod record_samples;
mod record_several;
mod record_wild;
mod serde;
mod text;
mod texts;
mod threads;
mod unmoves;
mod variant_text;
