//! The store: the same histories on SQLite and in memory, told apart by no question; then what each does alone.

mod cast;
mod history;
mod jobs;
mod memory;
mod questions;
mod refused;
mod same;
mod shuffled;
mod sqlite;
mod stories;
