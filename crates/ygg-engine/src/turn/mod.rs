//! Turns: an inbox that is read, and a supervised turn from its beginning to its end. One mechanism [U0].

mod again;
mod close;
mod facts;
mod inbox;
mod left;
mod list;
mod supervised;

pub use close::{end_with_key, fire};
