//! The id by which a request is found in the log.

use axum::http::{HeaderMap, HeaderValue};

/// Letters, digits and hyphens: no key reads like that.
#[derive(Debug, Clone)]
pub struct RequestId(String);

const LONGEST: usize = 64;

impl RequestId {
    /// The caller's own, if it is harmless in a log; else a fresh one.
    pub fn of(headers: &HeaderMap) -> Self {
        let sent = headers.get(super::X_REQUEST_ID).and_then(|sent| sent.to_str().ok());
        let sent = sent.filter(|sent| (1..=LONGEST).contains(&sent.len()) && sent.bytes().all(harmless));
        Self(sent.map_or_else(fresh, str::to_owned))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn header(&self) -> HeaderValue {
        HeaderValue::from_str(&self.0).unwrap_or(HeaderValue::from_static("unknown"))
    }
}

fn harmless(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

fn fresh() -> String {
    let mut bits = [0; 8];
    getrandom::fill(&mut bits).expect("the system's random source is there on every platform we run on");
    format!("{:016x}", u64::from_le_bytes(bits))
}
