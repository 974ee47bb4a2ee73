//! What the server's operator declared: hosts that may be called although they are not public [O4b].

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// A host by name or address, on one port or on all. What it is called by has to be written like this in the address
/// that is called; a name is not the same as what it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    host: String,
    port: Option<u16>,
}

impl Allowed {
    pub(crate) fn is(&self, host: &str, port: u16) -> bool {
        self.host == host && self.port.is_none_or(|allowed| allowed == port)
    }
}

impl FromStr for Allowed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || {
            format!(
                "{text:?} is no host; write it like hooks.internal, hooks.internal:8080, 10.0.0.5 or [fd00::5]:80"
            )
        };
        // An address of IPv6 has colons of its own.
        if let Ok(ip) = text.parse::<Ipv6Addr>() {
            return Ok(Self { host: written(&ip.to_string()), port: None });
        }
        let end = text.rfind(']').unwrap_or(0);
        let (host, port) = match text.get(end..).and_then(|rest| rest.rfind(':')) {
            Some(colon) => {
                let (host, port) = text.split_at(end + colon);
                (host, Some(port.get(1..).unwrap_or_default().parse().map_err(|_| bad())?))
            }
            None => (text, None),
        };
        let strange = |c: char| !c.is_ascii_alphanumeric() && !"-._:[]".contains(c);
        let host = written(host);
        let is_address = !host.contains(':') || host.parse::<IpAddr>().is_ok();
        if host.is_empty() || host.contains(strange) || !is_address {
            return Err(bad());
        }
        Ok(Self { host, port })
    }
}

/// A host in the one spelling in which hosts are compared.
pub fn written(host: &str) -> String {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(ip) => ip.to_canonical().to_string(),
        Err(_) => bare.trim_end_matches('.').to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_allowed_as_it_was_declared() {
        for (declared, host, port, is) in [
            ("hooks.internal", "hooks.internal", 80, true),
            ("Hooks.Internal.", "hooks.internal", 443, true),
            ("hooks.internal:8080", "hooks.internal", 8080, true),
            ("hooks.internal:8080", "hooks.internal", 80, false),
            ("hooks.internal", "other.internal", 80, false),
            ("10.0.0.5", "10.0.0.5", 1, true),
            ("10.0.0.5:80", "10.0.0.5", 81, false),
            ("[fd00::5]:80", "fd00::5", 80, true),
            ("fd00::5", "fd00::5", 7, true),
            ("[::ffff:10.0.0.5]", "10.0.0.5", 7, true),
        ] {
            let allowed: Allowed = declared.parse().expect(declared);
            assert_eq!(allowed.is(&written(host), port), is, "{declared} {host} {port}");
        }
        for bad in ["", ":80", "http://x", "a b", "x:port", "x:99999", "[fd00::5", "a:b:c", "x/y"] {
            assert!(bad.parse::<Allowed>().is_err(), "{bad}");
        }
    }
}
