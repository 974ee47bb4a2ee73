//! Surface: REST, server-sent events, OpenAPI.
//!
//! A handler decodes, signs the caller in, calls the engine once and encodes. It knows no rules and never sees the
//! store or another surface. Every error is `application/problem+json` with a page under `/errors`.

mod config;
mod router;
mod serve;

mod guard;

mod audit;
mod body;
mod caller;
mod client;
mod cookie;
mod figures;
mod held;
mod problem;
mod query;
mod stream;

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
mod me;
mod message;
mod metrics;
mod needs_you;
mod notification;
mod openapi;
mod page;
mod participant;
mod search;
mod session;
mod task;
mod topic;
mod turn;
mod workspace;

pub use config::Config;
pub use guard::Network;
pub use openapi::openapi;
pub use router::app;
pub use serve::serve;
