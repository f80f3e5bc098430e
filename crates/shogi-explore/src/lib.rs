#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod answers;
mod classifiers;
mod engine;
mod explorer;
mod fault;
mod files;
mod proving;
mod requests;
mod service;

#[cfg(feature = "server")]
mod connections;
#[cfg(feature = "server")]
mod guard;
#[cfg(feature = "server")]
mod page;
#[cfg(feature = "server")]
mod ranges;
#[cfg(feature = "server")]
mod rate;
#[cfg(feature = "server")]
mod search;
#[cfg(feature = "server")]
mod sent_file;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod service_router;

pub use engine::search;
pub use explorer::Explorer;
pub use fault::Fault;
pub use files::{OpenError, OpenReason};
#[cfg(feature = "server")]
pub use guard::Hosts;
pub use proving::solve;
#[cfg(feature = "server")]
pub use server::{Limits, Server, router};
pub use service::Service;
#[cfg(feature = "server")]
pub use service_router::service_router;
pub use shogi_variants::tablebase::FileParts;
