//! Typed caller of the public API: one method per route, and MCP frames passed on for `ygg mcp`.
//!
//! It holds no rules and keeps nothing: what it gives back is what the server said. A key leaves it in the
//! `Authorization` header alone, never in an address, an error or a log. Whoever uses it installs a TLS provider
//! for the process first.

mod client;
mod error;
mod wire;

mod audit;
mod claim;
mod conversation;
mod credits;
mod event;
mod file;
mod group;
mod health;
mod inbox;
mod invite;
mod key;
mod message;
mod notification;
mod participant;
mod server;
mod task;
mod topic;

pub mod stdio;

pub use audit::WhichActs;
pub use claim::take_claim;
pub use client::{Client, Target};
pub use error::Error;
pub use event::Events;
pub use file::Download;
pub use health::is_there;
pub use server::Server;
pub use topic::WhichTopics;

pub type Result<T> = std::result::Result<T, Error>;
