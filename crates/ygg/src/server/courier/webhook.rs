//! A webhook: JSON that Slack-style receivers show, with headers for ntfy, and a signature over time and body.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use ygg_domain::key::SecretKey;
use ygg_domain::notification::outbox::Attempt;
use ygg_engine::Parcel;
use ygg_outbound::{HeaderMap, HeaderName, HeaderValue, Method, Outbound, Request, Url};
use ygg_wire::notification::Notification;

const ID: HeaderName = HeaderName::from_static("x-ygg-id");
const SIGNATURE: HeaderName = HeaderName::from_static("x-ygg-signature");
const CONTENT_TYPE: HeaderName = HeaderName::from_static("content-type");
/// What ntfy shows above the body, and where a tap leads.
const TITLE: HeaderName = HeaderName::from_static("title");
const CLICK: HeaderName = HeaderName::from_static("click");
/// Whoever answers this is gone for good.
const GONE: u16 = 410;

pub async fn carry(
    outbound: &Outbound,
    parcel: &Parcel,
    url: &str,
    secret: &SecretKey,
    link: Option<String>,
) -> Attempt {
    let Ok(url) = Url::parse(url) else { return Attempt::Refused("its address does not read".to_owned()) };
    let notification = Notification {
        text: parcel.text.clone(),
        title: parcel.title.clone(),
        kind: parcel.kind.to_owned(),
        topic_id: parcel.topic.map(|topic| topic.to_string()),
        link,
        workspace: parcel.workspace.to_string(),
        id: parcel.id.clone(),
    };
    let Ok(body) = serde_json::to_vec(&notification) else {
        return Attempt::Refused("it does not write as JSON".to_owned());
    };
    let seconds = parcel.at.0.div_euclid(1000);
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in [
        (ID, notification.id),
        (SIGNATURE, format!("t={seconds},v1={}", signature(secret, seconds, &body))),
        (TITLE, notification.title),
        (CLICK, notification.link.unwrap_or_default()),
    ] {
        if let Some(value) = HeaderValue::from_str(&value).ok().filter(|value| !value.is_empty()) {
            headers.insert(name, value);
        }
    }
    match outbound.call(Request { method: Method::POST, url, headers, body }).await {
        Ok(answer) if (200..300).contains(&answer.status) => Attempt::Arrived,
        Ok(answer) if answer.status == GONE => Attempt::Refused(format!("it answered {GONE}: gone for good")),
        Ok(answer) => Attempt::Failed(format!("it answered {}", answer.status)),
        Err(error) => Attempt::Failed(error.to_string()),
    }
}

pub fn check(outbound: &Outbound, url: &str) -> Result<(), String> {
    let url = Url::parse(url).map_err(|_| "an address is like https://hooks.example.com/…".to_owned())?;
    outbound.check(&url).map_err(|error| error.to_string())
}

/// HMAC-SHA-256 of `<seconds>.<body>` in hexadecimal.
fn signature(secret: &SecretKey, seconds: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).expect("any length is a key");
    mac.update(format!("{seconds}.").as_bytes());
    mac.update(body);
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ygg_domain::key::KeyKind;

    /// The same by Python's `hmac`: whoever receives it needs no library of ours.
    #[test]
    fn a_signature_is_that_of_time_and_body() {
        let secret = SecretKey::new(KeyKind::Webhook, [0; 32]);
        let expected = "0b8467b8e8daef9daac12221df0020adc9b0adc0f03d9594bc76fdf7dfb52ded";
        assert_eq!(signature(&secret, 1_767_268_800, br#"{"text":"x"}"#), expected);
    }
}
