//! Shapes on the wire: API bodies, tool inputs, receipts, events.
//!
//! Every shape is plain data with names as callers see them, and converts from its domain type by a `From`
//! beside it. No rules, no IO. Instants are RFC 3339 in UTC; ids are strings.

pub mod draft;
pub mod problem;
pub mod receipt;

pub mod audit;
pub mod claim;
pub mod conversation;
pub mod credits;
pub mod cursor;
pub mod event;
pub mod file;
pub mod group;
pub mod inbox;
pub mod invite;
pub mod key;
pub mod me;
pub mod message;
pub mod needs_you;
pub mod notification;
pub mod page;
pub mod participant;
pub mod policy;
pub mod search;
pub mod secret;
pub mod session;
pub mod task;
pub mod time;
pub mod tool;
pub mod topic;
pub mod turn;
pub mod why;
pub mod workspace;

pub use page::Page;
pub use problem::Problem;
pub use receipt::Receipt;
pub use secret::Secret;
