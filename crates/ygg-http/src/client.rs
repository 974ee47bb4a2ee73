//! The client at the other end: its address, and how its browser names itself.

use std::convert::Infallible;
use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use ygg_engine::Browser;

use crate::guard::{Client, network};
use crate::router::App;

/// Where a request came from, as far as attempts are counted: one network of IPv6 is one client.
#[derive(Debug, Clone, Copy)]
pub struct Address(pub IpAddr);

impl FromRequestParts<App> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let Client { address, .. } = Client::from_request_parts(parts, app).await?;
        Ok(Self(network(address)))
    }
}

pub fn browser(headers: &HeaderMap, Address(address): Address) -> Browser {
    let named = headers.get(header::USER_AGENT).and_then(|named| named.to_str().ok());
    Browser { user_agent: named.unwrap_or_default().to_owned(), address }
}
