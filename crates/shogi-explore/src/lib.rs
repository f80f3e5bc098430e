#![doc = include_str!("../README.md")]

mod answers;
mod explorer;
mod fault;
mod files;
mod guard;
mod page;
mod requests;
mod search;
mod server;

pub use explorer::Explorer;
pub use fault::Fault;
pub use files::OpenError;
pub use server::{Limits, Server, router};
