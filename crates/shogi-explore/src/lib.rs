#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room.
//
// explorer                        all questions and their answers. Start reading here
// requests, fault                 questions in JSON, errors
// files                           open proofs and tablebases
// engine, proving                 the engine; mates, values and moves within bounds
// reporting                       reports on games within bounds
// problems                        composed mates
// service                         values from tablebases for other programs
//
// server, guard, connections      the questions over HTTP; what keeps foreign pages out; who gives way where it is full
// search, page                    searches as streams of events; the files of the page
// service_router, rate, ranges, sent_file   the tablebase service over HTTP; its files, whole or in part

mod engine;
mod explorer;
mod fault;
mod files;
mod problems;
mod proving;
mod reporting;
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
pub use proving::{solve, solve_watched};
pub use reporting::report_watched;
#[cfg(feature = "server")]
pub use server::{Limits, Server, router};
pub use service::Service;
#[cfg(feature = "server")]
pub use service_router::service_router;
pub use shogi_variants::tablebase::FileParts;
