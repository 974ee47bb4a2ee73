//! The binary as its users drive it: real processes, real files, ports that the system chooses.

mod audit;
mod claims;
mod clients;
mod crash;
mod demo;
mod exits;
mod files;
mod frozen;
mod keeping;
mod logged;
mod node;
mod notify;
mod proxy;
mod python;
mod reading;
mod secrets;
mod serving;
mod stopping;
mod story;
mod streamed;
mod workspaces;
mod world;
