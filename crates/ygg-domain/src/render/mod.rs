//! The one renderer: what an agent reads is written here and nowhere else [P2]. Text that others wrote stands
//! inside fences; outside stand ids, kinds, trust and our own words.

pub mod fence;
mod hidden;
pub mod inbox;
pub mod page;

pub use fence::{Nonces, fence, hides_something, show};
pub use hidden::{hides, reorders};

use crate::time::Timestamp;

/// `1 credit`, `2 credits`.
pub fn counted(number: i64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// How long ago, in words: a reader that was away sees what is stale.
pub fn age(now: Timestamp, then: Timestamp) -> String {
    let seconds = now.since(then).as_secs();
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..172_800 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_the_unit_that_fits() {
        for (seconds, words) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 min ago"),
            (54_000, "15 h ago"),
            (200_000, "2 days ago"),
        ] {
            assert_eq!(age(Timestamp(seconds * 1000), Timestamp(0)), words);
        }
        assert_eq!(age(Timestamp(0), Timestamp(9_000_000)), "just now");
    }
}
