//! The cookie of a session: named after port and workspace, so that two servers or workspaces in one browser do not
//! overwrite each other's [O7b].

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};
use ygg_domain::key::SecretKey;

use crate::config::Config;

/// A cookie that an answer is to set, put in while the request is worked on. The last one counts.
#[derive(Clone, Default)]
pub struct Jar(Arc<Mutex<Option<HeaderValue>>>);

impl Jar {
    pub fn put(&self, cookie: HeaderValue) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(cookie);
    }

    pub fn take(&self) -> Option<HeaderValue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

fn name(config: &Config, workspace: &str) -> String {
    format!("ygg_{}_{workspace}", config.bind.port())
}

/// The secret that a request carries for this workspace.
pub fn secret<'a>(config: &Config, headers: &'a HeaderMap, workspace: &str) -> Option<&'a str> {
    let name = name(config, workspace);
    let sent = headers.get_all(header::COOKIE).iter().filter_map(|sent| sent.to_str().ok());
    let mut pairs = sent.flat_map(|sent| sent.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(named, _)| *named == name).map(|(_, value)| value)
}

/// A cookie that keeps a secret for as long as its session lasts without use.
pub fn kept(config: &Config, workspace: &str, secret: &SecretKey, lasts: Duration) -> HeaderValue {
    write(config, workspace, secret.expose(), lasts.as_secs())
}

/// A cookie that takes the place of the one there, and is forgotten at once.
pub fn cleared(config: &Config, workspace: &str) -> HeaderValue {
    write(config, workspace, "", 0)
}

fn write(config: &Config, workspace: &str, value: &str, seconds: u64) -> HeaderValue {
    let https = config.public_url.as_deref().is_some_and(|url| url.trim().starts_with("https://"));
    let secure = if https { "; Secure" } else { "" };
    let name = name(config, workspace);
    let text = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}");
    let mut cookie = HeaderValue::from_str(&text).expect("slugs, secrets and numbers are plain letters");
    cookie.set_sensitive(true);
    cookie
}

#[cfg(test)]
mod tests {
    use super::*;
    use ygg_domain::key::KeyKind;

    #[test]
    fn a_cookie_is_named_after_port_and_workspace_and_read_back() {
        let secret_key = SecretKey::new(KeyKind::Session, [5; 32]);
        let config = Config::default();
        let set = kept(&config, "team", &secret_key, Duration::from_secs(60));
        let text = set.to_str().expect("plain");
        let (pair, rest) = text.split_once(';').expect("attributes");
        assert_eq!(pair, format!("ygg_7411_team={}", secret_key.expose()));
        assert_eq!(rest, " HttpOnly; SameSite=Strict; Path=/; Max-Age=60");
        assert!(!format!("{set:?}").contains("yggs_"));
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, format!("a=b; {pair}").parse().expect("a header"));
        headers.append(header::COOKIE, HeaderValue::from_static("ygg_7411_team2=other"));
        assert_eq!(secret(&config, &headers, "team"), Some(secret_key.expose()));
        assert_eq!(secret(&config, &headers, "team2"), Some("other"));
        assert_eq!(secret(&config, &headers, "tea"), None);
    }

    #[test]
    fn behind_https_it_is_secure() {
        let config = Config { public_url: Some("https://ygg.example".into()), ..Config::default() };
        assert!(cleared(&config, "team").to_str().is_ok_and(|text| text.ends_with("Max-Age=0; Secure")));
    }
}
