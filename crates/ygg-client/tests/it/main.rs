//! The client against servers that behave and servers that do not, in this process.

mod answers;
mod events;
mod server;
mod stdio;
