//! The MCP surface over a real port and a real SQLite file, driven by clients as harnesses drive it.

mod conformance;
mod exchange;
mod fences;
mod fixture;
mod frames;
mod full;
mod http;
mod python;
mod reading;
mod refusals;
mod schemas;
mod tasks;
mod world;
