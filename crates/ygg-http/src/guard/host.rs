//! Which hosts and origins the server answers for: the wall against other web sites that use it through a browser
//! [O7, O7b].

use std::net::SocketAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Version, header};

use crate::config::Config;
use crate::problem::Failure;

/// Answered with any port, so that forwarded ports work.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];
/// Characters of a refused value that are told back.
const VALUE_CHARS: usize = 100;

/// Where the server is reached from outside.
#[derive(Debug)]
pub struct PublicUrl {
    /// None when the setting names only a host.
    scheme: Option<String>,
    host: String,
    port: Option<u16>,
}

impl PublicUrl {
    /// Reads `https://host`, `http://host:port`, either with a path, or a bare host.
    pub fn read(text: &str) -> Option<Self> {
        let (scheme, rest) = match text.trim().split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, text.trim()),
        };
        if scheme.as_ref().is_some_and(|scheme| scheme != "https" && scheme != "http") {
            return None;
        }
        let (host, port) = split(rest.split(['/', '?', '#']).next()?)?;
        Some(Self { scheme, host, port })
    }

    /// Whether an origin is this address, the ports of the schemes filled in.
    fn is(&self, scheme: &str, host: &str, port: Option<u16>) -> bool {
        let same_port = match &self.scheme {
            Some(own) => own == scheme && or_usual(own, self.port) == or_usual(scheme, port),
            None => self.port.is_none() || self.port == or_usual(scheme, port),
        };
        self.host == host && same_port
    }
}

#[derive(Debug)]
pub struct Hosts {
    bind: Option<SocketAddr>,
    public: Option<PublicUrl>,
}

impl Hosts {
    pub fn new(config: &Config) -> Self {
        Self {
            bind: Some(config.bind).filter(|bind| !bind.ip().is_unspecified()),
            public: config.public_url.as_deref().and_then(PublicUrl::read),
        }
    }

    /// Every Host and every Origin that a request names has to be ours. A missing Origin passes: programs that are
    /// no browsers send none.
    pub fn check(&self, request: &Request) -> Result<(), Failure> {
        let hosts: Vec<&HeaderValue> = request.headers().get_all(header::HOST).iter().collect();
        let target = request.uri().authority();
        if hosts.is_empty() && target.is_none() && request.version() == Version::HTTP_11 {
            return Err(Failure::invalid("the Host header is missing"));
        }
        if hosts.len() > 1 {
            return Err(Failure::invalid("there is more than one Host header"));
        }
        let named =
            hosts.iter().map(|host| host.as_bytes()).chain(target.map(|target| target.as_str().as_bytes()));
        for host in named {
            let ours =
                str::from_utf8(host).ok().and_then(split).is_some_and(|(host, _)| self.answers_for(&host));
            if !ours {
                return Err(refused("Host", host));
            }
        }
        for origin in request.headers().get_all(header::ORIGIN) {
            if !origin.to_str().is_ok_and(|origin| self.trusts(origin)) {
                return Err(refused("Origin", origin.as_bytes()));
            }
        }
        Ok(())
    }

    fn answers_for(&self, host: &str) -> bool {
        LOOPBACK.contains(&host)
            || self.bind.is_some_and(|bind| ip_host(bind) == host)
            || self.public.as_ref().is_some_and(|public| public.host == host)
    }

    fn trusts(&self, origin: &str) -> bool {
        let Some((scheme, rest)) = origin.split_once("://") else { return false };
        let scheme = scheme.to_ascii_lowercase();
        if scheme != "http" && scheme != "https" {
            return false;
        }
        let Some((host, port)) = split(rest) else { return false };
        LOOPBACK.contains(&host.as_str())
            || self.public.as_ref().is_some_and(|public| public.is(&scheme, &host, port))
            || self.bind.is_some_and(|bind| {
                let same_port = bind.port() == 0 || or_usual(&scheme, port) == Some(bind.port());
                ip_host(bind) == host && same_port
            })
    }
}

fn ip_host(address: SocketAddr) -> String {
    match address {
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    }
}

/// The host in lower case, and the port. None for what is no `host` or `host:port`.
fn split(authority: &str) -> Option<(String, Option<u16>)> {
    let end = if authority.starts_with('[') { authority.find(']')? + 1 } else { 0 };
    let (host, port) = match authority[end..].find(':') {
        Some(at) => (&authority[..end + at], Some(authority[end + at + 1..].parse().ok()?)),
        None => (authority, None),
    };
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'[' | b']' | b':');
    (!host.is_empty() && host.bytes().all(plain)).then(|| (host.to_ascii_lowercase(), port))
}

fn or_usual(scheme: &str, port: Option<u16>) -> Option<u16> {
    port.or(match scheme {
        "https" => Some(443),
        "http" => Some(80),
        _ => None,
    })
}

/// What a cookie is believed for: a page of this very server, by the host and port that the request went to or by its
/// public address. Another program on this machine is another origin, though the browser sends it the cookie.
pub fn same_origin(config: &Config, headers: &HeaderMap) -> Result<(), Failure> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let origin = text(header::ORIGIN).unwrap_or_default();
    let Some((scheme, rest)) = origin.split_once("://") else {
        return Err(refused("Origin", origin.as_bytes()));
    };
    let public = config.public_url.as_deref().and_then(PublicUrl::read);
    let is_public = || {
        let (host, port) = split(rest)?;
        Some(public.is_some_and(|public| public.is(&scheme.to_ascii_lowercase(), &host, port)))
    };
    if text(header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(rest)) || is_public() == Some(true) {
        return Ok(());
    }
    Err(refused("Origin", origin.as_bytes()))
}

fn refused(header: &str, value: &[u8]) -> Failure {
    let value: String = String::from_utf8_lossy(value).chars().take(VALUE_CHARS).collect();
    let help = format!(
        "The {header} {value:?} is not one that this server answers for; if it is the server's own public \
         address, start it with --public-url set to that address."
    );
    Failure::new(403, "origin_refused", help)
        .fact("header", header)
        .fact("value", value)
        .fact("setting", "--public-url")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn hosts(bind: &str, public: Option<&str>) -> Hosts {
        let bind = bind.parse().expect("an address");
        Hosts::new(&Config { bind, public_url: public.map(str::to_owned), ..Config::default() })
    }

    fn passes(hosts: &Hosts, host: &str, origin: Option<&str>) -> bool {
        let mut request = Request::builder().uri("/").header(header::HOST, host);
        if let Some(origin) = origin {
            request = request.header(header::ORIGIN, origin);
        }
        hosts.check(&request.body(Body::empty()).expect("a request")).is_ok()
    }

    #[test]
    fn loopback_names_pass_and_others_do_not() {
        let local = hosts("127.0.0.1:7411", None);
        for host in ["127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:7411", "localhost:5173", "LocalHost"] {
            assert!(passes(&local, host, None), "{host}");
            assert!(passes(&local, host, Some(&format!("http://{host}"))), "{host}");
        }
        let foreign = [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "0.0.0.0:7411",
            "127.0.0.1@evil.example",
            "evil.example:7411",
            "localhost:port",
            "localhost:99999",
            "[::1",
            "[::1]x",
            "::1",
            "",
            "localhost ",
            "10.0.0.5",
        ];
        for host in foreign {
            assert!(!passes(&local, host, None), "{host}");
            assert!(!passes(&local, "localhost", Some(&format!("http://{host}"))), "{host}");
        }
        for origin in [
            "null",
            "",
            "localhost",
            "file://",
            "ftp://localhost",
            "http://localhost/path",
            "http:/localhost",
        ] {
            assert!(!passes(&local, "localhost", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn the_public_url_and_the_bound_address_are_ours_too() {
        let open = hosts("10.0.0.5:7411", Some("https://Ygg.Example.com/team"));
        for host in ["ygg.example.com", "ygg.example.com:8443", "10.0.0.5:7411", "localhost"] {
            assert!(passes(&open, host, None), "{host}");
        }
        assert!(passes(&open, "ygg.example.com", Some("https://ygg.example.com")));
        assert!(passes(&open, "ygg.example.com", Some("https://ygg.example.com:443")));
        assert!(passes(&open, "10.0.0.5:7411", Some("http://10.0.0.5:7411")));
        for origin in [
            "http://ygg.example.com",
            "https://ygg.example.com:8443",
            "http://10.0.0.5:80",
            "https://example.com",
        ] {
            assert!(!passes(&open, "ygg.example.com", Some(origin)), "{origin}");
        }
        let everywhere = hosts("0.0.0.0:7411", Some("ygg.lan"));
        assert!(passes(&everywhere, "ygg.lan:7411", Some("http://ygg.lan:7411")));
        assert!(!passes(&everywhere, "0.0.0.0:7411", None));
        let six = hosts("[fd00::5]:7411", None);
        assert!(passes(&six, "[fd00::5]:7411", Some("http://[fd00::5]:7411")));
    }

    #[test]
    fn a_public_url_has_to_read() {
        for bad in ["", "https://", "ftp://host", "https://user@host", "https://host:port", "https://ho st"] {
            assert!(PublicUrl::read(bad).is_none(), "{bad}");
        }
    }
}
