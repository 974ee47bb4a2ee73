//! The HTTP underneath: one way to make a client, and one to read an answer.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Response, StatusCode, Url};
use serde::de::DeserializeOwned;
use ygg_wire::Problem;

use crate::{Error, Result};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Characters that are quoted of what no Ygg would answer.
const WORDS: usize = 200;
/// Between two bytes of an answer. Streams show a sign of life more often; a longer silence is a dead line.
const SILENCE: Duration = Duration::from_secs(90);

/// Reads where a server is. A path in it stays in front of ours, for servers behind a proxy.
pub fn base(text: &str) -> Result<Url> {
    let bad =
        || Error::Address(format!("{text:?} is no address of a server; write it like http://127.0.0.1:7411"));
    let mut url = Url::parse(text).map_err(|_| bad())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(bad());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::Address("a server's address carries no name and no password".to_owned()));
    }
    url.set_query(None);
    url.set_fragment(None);
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

/// A key as it is sent; nothing that prints a request shows it.
pub fn bearer(key: &str) -> Result<HeaderValue> {
    let bad = |_| Error::Address("the key has characters that no key has".to_owned());
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.trim())).map_err(bad)?;
    value.set_sensitive(true);
    Ok(value)
}

/// Redirects are not followed: the key is for the server that was named, and for no other.
pub fn http(base: &Url) -> Result<reqwest::Client> {
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("ygg/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .read_timeout(SILENCE)
        .redirect(reqwest::redirect::Policy::none());
    if base.scheme() == "http" {
        // Without certificates there is nothing to read from disk, and a machine that has none can still talk.
        builder = builder.tls_certs_only([]);
    }
    if is_loopback(base) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| Error::Address(format!("no HTTP client can be made: {error}")))
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The body of an answer, or the problem that it tells of.
pub async fn read<T: DeserializeOwned>(url: &str, response: Response) -> Result<T> {
    let response = accepted(url, response).await?;
    let body = response.bytes().await.map_err(|error| Error::of_request(url, error))?;
    serde_json::from_slice(&body).map_err(|error| Error::decode(url, error.to_string()))
}

/// An answer that is no problem.
pub async fn accepted(url: &str, response: Response) -> Result<Response> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    if status.is_redirection() {
        return Err(Error::decode(url, format!("{status}; use the address that it sends you to")));
    }
    let body = response.bytes().await.map_err(|error| Error::of_request(url, error))?;
    Err(trouble(url, status, &body))
}

/// What an answer without success tells. What a gateway says for a server that is away is no word of ours.
pub fn trouble(url: &str, status: StatusCode, body: &[u8]) -> Error {
    if let Ok(mut problem) = serde_json::from_slice::<Problem>(body) {
        problem.status = status.as_u16();
        return Error::Problem(Box::new(problem));
    }
    if matches!(status.as_u16(), 502..=504) {
        return Error::Connection { url: url.to_owned(), cause: status.to_string(), sent: true };
    }
    let told: String = String::from_utf8_lossy(body).chars().take(WORDS).collect();
    Error::decode(url, format!("{status} {}", told.trim()).trim_end())
}

/// Whether the answer's body is of a media type, whatever its parameters.
pub fn is_type(response: &Response, media_type: &str) -> bool {
    let declared = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = declared.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(media_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_or_refused() {
        for (text, expected) in [
            ("http://127.0.0.1:7411", Some("http://127.0.0.1:7411/")),
            ("https://ygg.example/team?x=1#y", Some("https://ygg.example/team/")),
            ("127.0.0.1:7411", None),
            ("ftp://example", None),
            ("http://me:secret@example", None),
            ("", None),
        ] {
            assert_eq!(base(text).ok().map(|url| url.to_string()).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_key_is_not_shown() {
        let value = bearer("yggp_secret").expect("a header");
        assert!(!format!("{value:?}").contains("secret"));
        assert!(bearer("two\nlines").is_err());
    }

    #[test]
    fn loopback_goes_past_no_proxy() {
        for (url, expected) in [
            ("http://127.0.0.1:1", true),
            ("http://[::1]:1", true),
            ("http://localhost", true),
            ("http://10.0.0.1", false),
            ("http://localhost.example", false),
        ] {
            assert_eq!(is_loopback(&base(url).expect("an address")), expected, "{url}");
        }
    }
}
