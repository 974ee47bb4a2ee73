//! The one renderer: what an agent reads is written here and nowhere else [P2]. Text that others wrote stands
//! inside fences; outside stand ids, kinds, trust and our own words.

pub mod fence;
pub mod inbox;
pub mod page;

pub use fence::{Nonces, fence, hides};
