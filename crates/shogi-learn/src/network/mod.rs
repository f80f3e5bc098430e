//! How a player sees the board, and what a move changes there.

mod item;
mod view;

pub(crate) use item::{Item, changes, moves_king};
pub(crate) use view::View;
