//! Spans of time as scenarios write them: `90s`, `10m`, `1h30m`, `7d`.

use std::time::Duration;

use super::fields::{ParseError, Result, text};
use crate::yaml::Node;

pub fn span(node: &Node, what: &str) -> Result<Duration> {
    let written = text(node, what)?;
    read(&written).ok_or_else(|| {
        let message = format!("`{what}` is a span of time such as 90s, 10m, 1h30m or 7d, not `{written}`");
        ParseError::new(node.at, message)
    })
}

fn read(written: &str) -> Option<Duration> {
    let mut left = written;
    let mut seconds: u64 = 0;
    while !left.is_empty() {
        let digits = left.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = left.split_at_checked(digits)?;
        let unit = match rest.bytes().next()? {
            b's' => 1,
            b'm' => 60,
            b'h' => 3_600,
            b'd' => 86_400,
            _ => return None,
        };
        seconds = seconds.checked_add(number.parse::<u64>().ok()?.checked_mul(unit)?)?;
        left = rest.get(1..)?;
    }
    // The end of time as clocks here count it.
    (!written.is_empty() && seconds < u64::MAX / 2_000_000).then(|| Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_as_people_write_them() {
        for (written, seconds) in [
            ("0s", Some(0)),
            ("90s", Some(90)),
            ("10m", Some(600)),
            ("1h", Some(3_600)),
            ("7d", Some(604_800)),
            ("1h30m", Some(5_400)),
            ("9m59s", Some(599)),
            ("", None),
            ("10", None),
            ("m", None),
            ("10 m", None),
            ("-1s", None),
            ("1.5h", None),
            ("10min", None),
            ("10ß", None),
            ("99999999999999999999s", None),
            ("9999999999999999999s", None),
        ] {
            assert_eq!(read(written), seconds.map(Duration::from_secs), "{written}");
        }
    }
}
