//! Hundreds of agents that are hostile, chatty, silent, crashing, echoing or good, and a few people, over the real engine
//! with a clock moved by hand, a server that dies in the middle of writes, and a log that is read by whoever trusts nothing.
//! A seed is a run; `run` says how one goes.

pub mod batch;
pub mod choose;
pub mod compare;
pub mod draft;
pub mod faulty;
pub mod heard;
pub mod log;
pub mod monitor;
pub mod people;
pub mod perform;
pub mod place;
pub mod report;
pub mod run;
pub mod scene;
pub mod shrink;
pub mod silence;
pub mod step;
pub mod world;
