//! Everything that crosses the engine's edge: random histories on every store, and whatever JSON a sender makes up.

mod drafts;
mod histories;
mod history;
mod nodes;
mod views;
mod world;
