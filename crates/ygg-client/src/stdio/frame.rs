//! One frame as it came in: the bytes that are passed on, and what has to be known of them to do it.

use serde::Deserialize;
use serde_json::Value;

/// The revision from which on requests carry headers of their method and name.
const WITH_STANDARD_HEADERS: &str = "2026-07-28";
const VERSION_IN_META: &str = "io.modelcontextprotocol/protocolVersion";

/// Why a line cannot be passed on, in the words and the code of JSON-RPC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFrame {
    TooLong,
    NotJson,
    NotOne,
}

impl NoFrame {
    pub fn code(self) -> i64 {
        match self {
            Self::TooLong | Self::NotJson => -32700,
            Self::NotOne => -32600,
        }
    }

    pub fn message(self) -> &'static str {
        match self {
            Self::TooLong => "Parse error: the line is longer than any message may be",
            Self::NotJson => "Parse error: the line is not JSON",
            Self::NotOne => "Invalid Request: send one JSON object per line",
        }
    }
}

/// The id of a line that cannot be passed on, read past what cannot be: half a surrogate pair, or JSON that is nested too
/// deep. Whoever asked is told, instead of waiting.
fn id(line: &[u8]) -> Option<Value> {
    #[derive(Deserialize)]
    struct Request {
        id: Value,
    }
    // A list would be read as fields in their order.
    line.first().filter(|first| **first == b'{')?;
    let request: Request = serde_json::from_slice(line).ok()?;
    (request.id.is_string() || request.id.is_i64() || request.id.is_u64()).then_some(request.id)
}

#[derive(Debug)]
pub struct Frame {
    pub bytes: Vec<u8>,
    /// Absent for notifications, which nobody answers.
    pub id: Option<Value>,
    pub method: Option<String>,
    /// What the method is about, where a header names it.
    pub name: Option<String>,
    /// The revision that the frame itself speaks.
    pub version: Option<String>,
    /// For `notifications/cancelled`: the request that is meant.
    pub cancels: Option<Value>,
}

impl Frame {
    /// What is no frame comes with its id, where it has one.
    pub fn read(bytes: Vec<u8>) -> Result<Self, (NoFrame, Option<Value>)> {
        let fields = match serde_json::from_slice(&bytes) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Err((NoFrame::NotOne, None)),
            Err(_) => return Err((NoFrame::NotJson, id(&bytes))),
        };
        let method = fields.get("method").and_then(Value::as_str).map(str::to_owned);
        let params = fields.get("params");
        let text = |name: &str| params?.get(name)?.as_str().map(str::to_owned);
        let name = match method.as_deref() {
            Some("tools/call" | "prompts/get") => text("name"),
            Some("resources/read" | "resources/subscribe" | "resources/unsubscribe") => text("uri"),
            Some("tasks/get" | "tasks/update" | "tasks/cancel") => text("taskId"),
            Some(_) | None => None,
        };
        let meta = params.and_then(|params| params.get("_meta"));
        let version = meta.and_then(|meta| meta.get(VERSION_IN_META)).and_then(Value::as_str);
        let cancels = match method.as_deref() {
            Some("notifications/cancelled") => params.and_then(|params| params.get("requestId")).cloned(),
            Some(_) | None => None,
        };
        Ok(Self {
            id: fields.get("id").cloned(),
            name,
            version: version.map(str::to_owned),
            cancels,
            method,
            bytes,
        })
    }

    /// A request: somebody waits for its answer.
    pub fn wants_answer(&self) -> bool {
        self.method.is_some() && self.id.is_some()
    }

    pub fn is_initialize(&self) -> bool {
        self.method.as_deref() == Some("initialize")
    }

    /// The headers that the revision asks for. `negotiated` is the revision of an earlier handshake.
    pub fn headers(&self, negotiated: Option<&str>) -> Vec<(&'static str, String)> {
        // The handshake names its revision in the body, and none is agreed on before it.
        if self.is_initialize() {
            return Vec::new();
        }
        let Some(version) = self.version.as_deref().or(negotiated) else { return Vec::new() };
        let mut headers = vec![("mcp-protocol-version", version.to_owned())];
        if version >= WITH_STANDARD_HEADERS {
            headers.extend(self.method.iter().map(|method| ("mcp-method", method.clone())));
            headers.extend(self.name.iter().map(|name| ("mcp-name", as_header(name))));
        }
        headers
    }
}

/// A text as a header may carry it: plain, or wrapped where it would not survive.
fn as_header(text: &str) -> String {
    use base64::prelude::{BASE64_STANDARD, Engine};
    let edge = text.starts_with([' ', '\t']) || text.ends_with([' ', '\t']);
    let looks_wrapped = text.starts_with("=?base64?") && text.ends_with("?=");
    let plain = !edge && !looks_wrapped && text.chars().all(|c| (' '..='~').contains(&c));
    if plain { text.to_owned() } else { format!("=?base64?{}?=", BASE64_STANDARD.encode(text)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn headers(frame: &str, negotiated: Option<&str>) -> Vec<(&'static str, String)> {
        Frame::read(frame.as_bytes().to_vec()).expect("a frame").headers(negotiated)
    }

    #[test]
    fn each_revision_gets_its_headers() {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ygg_me"}}"#;
        assert_eq!(headers(call, None), []);
        let version = ("mcp-protocol-version", "2025-11-25".to_owned());
        assert_eq!(headers(call, Some("2025-11-25")), [version]);
        let modern = r#"{"id":1,"method":"tools/call","params":{"name":"ygg_me","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let expected = [
            ("mcp-protocol-version", "2026-07-28".to_owned()),
            ("mcp-method", "tools/call".to_owned()),
            ("mcp-name", "ygg_me".to_owned()),
        ];
        assert_eq!(headers(modern, None), expected);
        assert_eq!(headers(modern, Some("2025-11-25")), expected);
        let handshake = r#"{"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
        assert_eq!(headers(handshake, Some("2025-06-18")), []);
        let told = r#"{"method":"notifications/initialized"}"#;
        let expected = [
            ("mcp-protocol-version", "2026-07-28".to_owned()),
            ("mcp-method", "notifications/initialized".to_owned()),
        ];
        assert_eq!(headers(told, Some("2026-07-28")), expected);
    }

    #[test]
    fn what_is_no_frame_is_told_by_code() {
        for (line, expected) in [
            (&b"hello"[..], NoFrame::NotJson),
            (b"{\"id\":1", NoFrame::NotJson),
            (b"\xff\xfe", NoFrame::NotJson),
            (b"[]", NoFrame::NotOne),
            (b"7", NoFrame::NotOne),
        ] {
            assert_eq!(Frame::read(line.to_vec()).err(), Some((expected, None)), "{line:?}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(Frame::read(deep.into_bytes()).err(), Some((NoFrame::NotJson, None)));
    }

    #[test]
    fn what_cannot_be_read_is_told_to_whoever_asked() {
        let deep = format!(r#"{{"params":{}{},"id":7}}"#, "[".repeat(100_000), "]".repeat(100_000));
        for (line, expected) in [
            (r#"{"id":1,"method":"tools/call","params":{"a":"\ud800"}}"#, Some(json!(1))),
            (r#"{"method":"\udc00","id":"two"}"#, Some(json!("two"))),
            (&deep, Some(json!(7))),
            (r#"{"id":"\ud800"}"#, None),
            (r#"{"id":1.5,"a":"\ud800"}"#, None),
            (r#"{"id":1,"id":2,"a":"\ud800"}"#, None),
            (r#"{"id":1"#, None),
        ] {
            assert_eq!(
                Frame::read(line.as_bytes().to_vec()).err(),
                Some((NoFrame::NotJson, expected)),
                "{line:.60}"
            );
        }
    }

    #[test]
    fn a_name_survives_as_a_header() {
        for (name, expected) in [
            ("ygg_me", "ygg_me"),
            ("a b", "a b"),
            ("café", "=?base64?Y2Fmw6k=?="),
            (" x", "=?base64?IHg=?="),
            ("a\r\nevil: 1", "=?base64?YQ0KZXZpbDogMQ==?="),
        ] {
            assert_eq!(as_header(name), expected);
        }
    }
}
