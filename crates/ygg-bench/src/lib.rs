//! The load generator of `cargo xtask bench` and the counts of `cargo xtask ci`. Never shipped.
//!
//! Load: `traffic` says what is sent, a `load::Lane` sends it (to the engine, over a surface, or as bare rows), `load`
//! drives lanes, `run` does so part by part and gathers figures. Counts: `counts` does each action a few times and says
//! what it cost, `limits` what it may cost. What all of it means is told in docs/speed.md.

pub mod cli;
pub mod run;

pub mod counts;
pub mod limits;

mod baseline;
mod decide;
mod figure;
mod load;
mod recording;
mod server;
mod surface;
mod table;
mod traffic;
mod wire;
mod world;
