//! One file per command: what it may be told, the one or two calls it makes, and how the answer reads.

pub mod completions;
pub mod demo;
pub mod demo_agent;
pub mod mcp;
pub mod rooms;
pub mod scenario;
pub mod serve;
pub mod up;

pub mod agents;
pub mod audit;
pub mod conversation;
pub mod credits;
pub mod directory;
pub mod files;
pub mod groups;
pub mod inbox;
pub mod keys;
pub mod me;
pub mod needs_you;
pub mod notify;
pub mod people;
pub mod redact;
pub mod search;
pub mod send;
pub mod tasks;
pub mod topics;
pub mod why;

pub mod claim;
pub mod workspaces;
