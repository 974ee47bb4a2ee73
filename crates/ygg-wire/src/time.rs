//! Instants as text: RFC 3339 in UTC, to the millisecond.

use ygg_domain::time::Timestamp;

pub fn text(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::MAX).to_string()
}

/// An instant from what `text` wrote.
pub fn read(text: &str) -> Option<Timestamp> {
    text.parse().ok().map(|at: jiff::Timestamp| Timestamp(at.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_reads_as_utc() {
        assert_eq!(text(Timestamp(1_767_225_600_000)), "2026-01-01T00:00:00Z");
        assert_eq!(text(Timestamp(1_767_225_600_250)), "2026-01-01T00:00:00.25Z");
        assert!(!text(Timestamp(i64::MAX)).is_empty());
        assert_eq!(read(&text(Timestamp(1_767_225_600_250))), Some(Timestamp(1_767_225_600_250)));
        assert_eq!(read("tomorrow"), None);
    }
}
