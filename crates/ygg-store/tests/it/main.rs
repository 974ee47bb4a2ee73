//! The store: the same histories on SQLite and in memory, told apart by no question; then what each does alone.

mod cast;
mod connecting;
mod deleting;
mod held_up;
mod history;
mod jobs;
mod known;
mod memory;
mod plans;
mod postgres;
mod questions;
mod refused;
mod same;
mod second_wall;
mod shuffled;
mod sqlite;
mod stories;
