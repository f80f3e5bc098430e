//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod arbitrary;
mod differential;
mod fairy;
mod flip;
mod game;
mod game_random;
mod loaded;
mod mate;
mod notation;
mod perft;
mod serde;
mod text;
mod threads;
mod unmoves;
mod variant_text;
