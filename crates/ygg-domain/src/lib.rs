//! The nouns and the rules of Ygg: who may do what, and what follows.
//!
//! Every rule is a pure function from facts to changes: no IO, no clock, no randomness, no logging. Time and
//! fresh ids are passed in. Whatever is written anywhere is first decided here; the ids in brackets (`[K3]`)
//! are those of `docs/rules/`.

pub mod fault;
pub mod id;
pub mod limits;
pub mod loops;
pub mod name;
pub mod policy;
pub mod time;
pub mod words;

pub mod account;
pub mod audit;
pub mod conversation;
pub mod credits;
pub mod cursor;
pub mod file;
pub mod group;
pub mod invite;
pub mod key;
pub mod message;
pub mod notice;
pub mod notification;
pub mod participant;
pub mod rule;
pub mod search;
pub mod session;
pub mod task;
pub mod topic;
pub mod turn;
pub mod wake;
pub mod workspace;

pub mod change;
pub mod claim;
pub mod refusal;
pub mod render;

pub use change::{Change, Scope};
pub use refusal::Refusal;
