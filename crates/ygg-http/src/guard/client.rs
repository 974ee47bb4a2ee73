//! Where a request comes from: the other end of its connection, or whom a trusted proxy names [O7b].

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

use crate::config::Config;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// Any of them says that somebody stands between, as does any that begins with `x-forwarded-`.
const PASSED_ON: [&str; 8] = [
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-forwarded-for",
    "true-client-ip",
    "cf-connecting-ip",
];

fn is_passed_on(name: &HeaderName) -> bool {
    name.as_str().starts_with("x-forwarded-") || PASSED_ON.contains(&name.as_str())
}

/// Addresses of proxies, such as `10.0.0.0/8` or a single `10.0.0.5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let one = || text.parse::<IpAddr>().map(IpNet::from);
        let network = text.parse::<IpNet>().or_else(|_| one());
        network.map(Self).map_err(|_| "write it like 10.0.0.0/8, fd00::/8 or 10.0.0.5".to_owned())
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who sent a request, as far as it can be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Client {
    /// Where it is not known, all clients count as one.
    pub address: IpAddr,
    /// It runs on this machine, and nothing stands between.
    pub is_local: bool,
}

/// Known of every request behind the guard; elsewhere nobody is.
impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let unknown = Self { address: IpAddr::V4(Ipv4Addr::UNSPECIFIED), is_local: false };
        Ok(parts.extensions.get().copied().unwrap_or(unknown))
    }
}

pub struct Proxies {
    trusted: Vec<Network>,
    /// The server has an address outside: whoever comes from loopback may be its proxy.
    is_public: bool,
}

impl Proxies {
    pub fn new(config: &Config) -> Self {
        Self { trusted: config.trusted_proxies.clone(), is_public: config.public_url.is_some() }
    }

    pub fn client(&self, request: &Request) -> Client {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(address)| address.ip().to_canonical());
        let Some(peer) = peer else {
            return Client { address: IpAddr::V4(Ipv4Addr::UNSPECIFIED), is_local: false };
        };
        let headers = request.headers();
        if self.trusts(peer) {
            // A proxy that names nobody, or two, leaves only itself to be counted.
            return match self.named(headers) {
                Some(address) => Client { address, is_local: address.is_loopback() },
                None => Client { address: peer, is_local: false },
            };
        }
        let direct = !self.is_public && !headers.keys().any(is_passed_on);
        Client { address: peer, is_local: direct && peer.is_loopback() }
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.0.contains(&address))
    }

    /// Whom the proxies name. Most proxies write one of the two headers and pass the other on as the client sent it:
    /// if both are there, they have to agree.
    fn named(&self, headers: &HeaderMap) -> Option<IpAddr> {
        let by = |name: HeaderName, read: fn(&str) -> Option<IpAddr>| {
            let sent = headers.contains_key(&name);
            sent.then(|| self.rightmost_untrusted(headers, &name, read))
        };
        match (by(X_FORWARDED_FOR, plain), by(header::FORWARDED, tagged)) {
            (Some(one), Some(other)) => one.filter(|_| one == other),
            (one, other) => one.or(other).flatten(),
        }
    }

    /// Each proxy adds whom it heard at the right, so what stands left of the first stranger is the stranger's word.
    /// Commas are cut without a look at quotes: a quote that the client left open cannot hide what was added.
    fn rightmost_untrusted(
        &self,
        headers: &HeaderMap,
        name: &HeaderName,
        read: fn(&str) -> Option<IpAddr>,
    ) -> Option<IpAddr> {
        let mut nearest = None;
        for line in headers.get_all(name).iter().rev() {
            for hop in line.to_str().ok()?.rsplit(',') {
                let address = read(hop.trim())?;
                nearest = Some(address);
                if !self.trusts(address) {
                    return nearest;
                }
            }
        }
        nearest
    }
}

/// An address, with or without a port.
fn plain(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop);
    let address = bare.parse().ok().or_else(|| hop.parse().ok().map(|hop: SocketAddr| hop.ip()));
    address.map(|address| address.to_canonical())
}

/// `for="[2001:db8::1]:4711";proto=https`.
fn tagged(hop: &str) -> Option<IpAddr> {
    let mut pairs = hop.split(';').filter_map(|pair| pair.split_once('='));
    let (_, node) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    plain(node.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn client(peer: &str, public: bool, trusted: &[&str], headers: &[(&str, &str)]) -> (String, bool) {
        let proxies = Proxies {
            trusted: trusted.iter().map(|network| network.parse().expect("a network")).collect(),
            is_public: public,
        };
        let mut request = Request::builder();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(Body::empty()).expect("a request");
        let peer = SocketAddr::new(peer.parse().expect("an address"), 1);
        request.extensions_mut().insert(ConnectInfo(peer));
        let found = proxies.client(&request);
        (found.address.to_string(), found.is_local)
    }

    #[test]
    fn loopback_is_this_machine_only_when_nothing_can_stand_between() {
        for (peer, public, headers, local) in [
            ("127.0.0.1", false, &[][..], true),
            ("::1", false, &[], true),
            ("::ffff:127.0.0.1", false, &[], true),
            ("10.0.0.5", false, &[], false),
            ("127.0.0.1", true, &[], false),
            ("127.0.0.1", false, &[("x-forwarded-for", "127.0.0.1")], false),
            ("127.0.0.1", false, &[("forwarded", "for=127.0.0.1")], false),
            ("127.0.0.1", false, &[("x-real-ip", "127.0.0.1")], false),
            ("127.0.0.1", false, &[("via", "1.1 proxy")], false),
            ("127.0.0.1", false, &[("x-forwarded-proto", "https")], false),
            ("127.0.0.1", false, &[("cf-connecting-ip", "203.0.113.7")], false),
            ("127.0.0.1", false, &[("x-request-id", "1")], true),
        ] {
            assert_eq!(client(peer, public, &[], headers).1, local, "{peer} {public} {headers:?}");
        }
    }

    #[test]
    fn a_client_is_the_rightmost_that_is_no_trusted_proxy() {
        let trusted = &["127.0.0.0/8", "10.1.0.0/16", "10.9.9.9", "fd00::/8"];
        let xff = |chain: &'static str| vec![("x-forwarded-for", chain)];
        let forwarded = |chain: &'static str| vec![("forwarded", chain)];
        for (peer, headers, address, local) in [
            // Nobody believes a stranger.
            ("203.0.113.7", xff("127.0.0.1"), "203.0.113.7", false),
            ("10.9.9.8", xff("127.0.0.1"), "10.9.9.8", false),
            // What the client wrote stands left of what the proxy added.
            ("127.0.0.1", xff("203.0.113.7"), "203.0.113.7", false),
            ("127.0.0.1", xff("127.0.0.1, 203.0.113.7"), "203.0.113.7", false),
            ("127.0.0.1", xff("198.51.100.1, 203.0.113.7,10.1.2.3 , 10.9.9.9"), "203.0.113.7", false),
            ("fd00::1", xff("2001:db8::1"), "2001:db8::1", false),
            ("127.0.0.1", xff("203.0.113.7:4711"), "203.0.113.7", false),
            ("127.0.0.1", xff("[2001:db8::1]:4711"), "2001:db8::1", false),
            (
                "127.0.0.1",
                vec![("x-forwarded-for", "127.0.0.1"), ("x-forwarded-for", "203.0.113.7")],
                "203.0.113.7",
                false,
            ),
            // A client of this very machine, through its proxy.
            ("127.0.0.1", xff("127.0.0.1"), "127.0.0.1", true),
            // Nobody is named, or nobody that reads: the proxy itself counts, and it proves nothing.
            ("127.0.0.1", vec![], "127.0.0.1", false),
            ("127.0.0.1", xff(""), "127.0.0.1", false),
            ("127.0.0.1", xff("127.0.0.1, unknown"), "127.0.0.1", false),
            ("127.0.0.1", xff("203.0.113.7, "), "127.0.0.1", false),
            ("127.0.0.1", forwarded("for=203.0.113.7"), "203.0.113.7", false),
            (
                "127.0.0.1",
                forwarded("proto=https;For=\"[2001:db8::1]:4711\";by=10.1.0.1"),
                "2001:db8::1",
                false,
            ),
            ("127.0.0.1", forwarded("for=127.0.0.1;by=\", for=203.0.113.7"), "203.0.113.7", false),
            ("127.0.0.1", forwarded("for=_hidden"), "127.0.0.1", false),
            // The header that the proxy does not write is the client's own.
            (
                "127.0.0.1",
                vec![("x-forwarded-for", "203.0.113.7"), ("forwarded", "for=127.0.0.1")],
                "127.0.0.1",
                false,
            ),
            (
                "127.0.0.1",
                vec![("x-forwarded-for", "203.0.113.7"), ("forwarded", "for=203.0.113.7")],
                "203.0.113.7",
                false,
            ),
        ] {
            let found = client(peer, true, trusted, &headers);
            assert_eq!(found, (address.to_owned(), local), "{peer} {headers:?}");
        }
    }

    #[test]
    fn a_network_is_an_address_or_a_prefix() {
        for (text, reads) in [
            ("10.0.0.0/8", true),
            ("10.0.0.5", true),
            ("::1", true),
            ("fd00::/8", true),
            ("10.0.0.0/33", false),
            ("proxy", false),
        ] {
            assert_eq!(text.parse::<Network>().is_ok(), reads, "{text}");
        }
    }
}
