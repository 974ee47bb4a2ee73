//! Claim links: the code stands in the fragment, which no browser sends and no server logs [O7a].

use serde_json::{Value, json};
use ygg_domain::key::SecretKey;
use ygg_wire::claim::ClaimMade;

use crate::output::{BOLD, DIM};

const MARK: &str = "#claim=";

pub fn of(url: &str, made: &ClaimMade) -> String {
    format!("{}/{MARK}{}", url.trim_end_matches('/'), made.code.expose())
}

/// The server and the code of a link. A code by itself says no server.
pub fn read(text: &str) -> Option<(Option<&str>, &str)> {
    let (url, code) = match text.trim().split_once(MARK) {
        Some((url, code)) => (Some(url), code),
        None => (None, text.trim()),
    };
    SecretKey::read(code).map(|_| (url, code))
}

pub fn data(link: &str, made: &ClaimMade) -> Value {
    json!({"link": link, "handle": made.handle, "workspace": made.workspace, "expires_at": made.expires_at})
}

/// The link, and what to do with it today.
pub fn words(link: &str) -> String {
    format!(
        "  {BOLD}{link}{BOLD:#}\n  {DIM}Good once, for 15 minutes. `ygg claim` asks for the link and for a password; the page \
         behind the link comes with the console.{DIM:#}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use ygg_domain::key::KeyKind;
    use ygg_wire::Secret;

    #[test]
    fn a_link_reads_back_and_so_does_a_bare_code() {
        let code = SecretKey::new(KeyKind::Claim, [5; 32]);
        let made = ClaimMade {
            code: Secret::new(code.expose()),
            handle: "ana".into(),
            workspace: "main".into(),
            expires_at: String::new(),
        };
        let link = of("https://ygg.example/team/", &made);
        assert!(link.starts_with("https://ygg.example/team/#claim=yggc_"));
        assert_eq!(read(&format!(" {link}\n")), Some((Some("https://ygg.example/team/"), code.expose())));
        assert_eq!(read(code.expose()), Some((None, code.expose())));
        assert_eq!(read("http://x/#claim=short"), None);
        assert_eq!(read(""), None);
    }
}
