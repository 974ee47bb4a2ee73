//! One call: where it may go, and the answer, step by step from redirect to redirect.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Method, Response, StatusCode, Url, redirect};
use rustls::RootCertStore;

use crate::address::is_public;
use crate::allowed::written;
use crate::{ANSWER_BYTES, Allowed, Error, Outbound, REDIRECTS, Result, config};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// What is to be called. Headers that are marked as sensitive go to no other host than this one.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: Method,
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Where an address leads.
pub struct Host {
    /// As it stands in the address.
    name: String,
    /// As hosts are compared.
    written: String,
    port: u16,
}

impl Host {
    pub fn of(url: &Url) -> Result<Self> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Error::Address("an address begins with https:// or http://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Error::Address("an address holds no name and no password"));
        }
        let name = url.host_str().filter(|host| !host.is_empty());
        let name = name.ok_or(Error::Address("the address names no host"))?;
        let port = url.port_or_known_default().ok_or(Error::Address("the address names no port"))?;
        Ok(Self { name: name.to_owned(), written: written(name), port })
    }

    fn is_allowed(&self, allowed: &[Allowed]) -> bool {
        allowed.iter().any(|allowed| allowed.is(&self.written, self.port))
    }

    fn private(&self) -> Error {
        Error::Private { host: self.written.clone() }
    }

    /// What can be said without looking up a name.
    pub fn check_itself(&self, allowed: &[Allowed]) -> Result<()> {
        match self.written.parse::<IpAddr>() {
            Ok(ip) if !is_public(ip) && !self.is_allowed(allowed) => Err(self.private()),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// The addresses that may be called; none where the host is one itself.
    async fn addresses(&self, outbound: &Outbound) -> Result<Option<Vec<SocketAddr>>> {
        self.check_itself(&outbound.allowed)?;
        if self.written.parse::<IpAddr>().is_ok() {
            return Ok(None);
        }
        let unresolved = || Error::Unresolved { host: self.written.clone() };
        let mut found = outbound.lookup.lookup(&self.name, self.port).await.map_err(|_| unresolved())?;
        if found.is_empty() {
            return Err(unresolved());
        }
        if !self.is_allowed(&outbound.allowed) {
            found.retain(|address| is_public(address.ip()));
        }
        if found.is_empty() { Err(self.private()) } else { Ok(Some(found)) }
    }
}

pub async fn follow(outbound: &Outbound, mut request: Request) -> Result<Answer> {
    for _ in 0..=REDIRECTS {
        let response = once(outbound, &request).await?;
        match next(&request, &response)? {
            None => return read(response).await,
            Some(further) => request = further,
        }
    }
    Err(Error::Redirects)
}

/// A client for this call alone: it knows no other address of the host than those that were looked at, and keeps
/// nothing.
async fn once(outbound: &Outbound, request: &Request) -> Result<Response> {
    let host = Host::of(&request.url)?;
    let addresses = host.addresses(outbound).await?;
    let mut client = reqwest::Client::builder()
        .user_agent(concat!("ygg/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(redirect::Policy::none())
        .referer(false)
        .no_proxy();
    // What travels in the clear asks for no certificate, and a machine that has none can still call.
    let tls =
        if request.url.scheme() == "https" { outbound.tls().await? } else { config(RootCertStore::empty()) };
    client = client.tls_backend_preconfigured(tls);
    if let Some(addresses) = &addresses {
        client = client.resolve_to_addrs(&host.name, addresses);
    }
    let client = client.build().map_err(Error::of)?;
    let call = client.request(request.method.clone(), request.url.clone());
    let call = call.headers(request.headers.clone()).body(request.body.clone());
    call.send().await.map_err(Error::of)
}

/// What a redirect asks for. One that would make another call of it is not followed: what was to be told would not be.
fn next(request: &Request, response: &Response) -> Result<Option<Request>> {
    let same = matches!(response.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
    let read_only = matches!(request.method, Method::GET | Method::HEAD)
        && matches!(
            response.status(),
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER
        );
    let Some(location) = response.headers().get(LOCATION).filter(|_| same || read_only) else {
        return Ok(None);
    };
    let bad = Error::Address("it sends on to what is no address");
    let Some(url) = location.to_str().ok().and_then(|to| request.url.join(to).ok()) else { return Err(bad) };
    if request.url.scheme() == "https" && url.scheme() != "https" {
        return Err(Error::Downgrade);
    }
    let mut further = Request { url, ..request.clone() };
    if further.url.origin() != request.url.origin() {
        let open = request.headers.iter().filter(|(_, value)| !value.is_sensitive());
        further.headers = open.map(|(name, value)| (name.clone(), value.clone())).collect();
    }
    Ok(Some(further))
}

async fn read(mut response: Response) -> Result<Answer> {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Error::of)? {
        if body.len() + chunk.len() > ANSWER_BYTES {
            return Err(Error::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer { status, headers, body })
}
