//! Signing a request in: the key of its `Authorization` header, for the workspace in its address [O8].

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use ygg_domain::key::SecretKey;
use ygg_engine::Caller;

use crate::problem::Failure;
use crate::router::App;

/// Who calls, within its rate.
pub struct SignedIn(pub Caller);

/// Who sends. A send that is one too many is refused by the engine, as a receipt.
pub struct Sender(pub Caller);

impl FromRequestParts<App> for SignedIn {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let caller = sign_in(parts, app).await?;
        caller.check_rate()?;
        Ok(Self(caller))
    }
}

impl FromRequestParts<App> for Sender {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        Ok(Self(sign_in(parts, app).await?))
    }
}

async fn sign_in(parts: &mut Parts, app: &App) -> Result<Caller, Failure> {
    let names = RawPathParams::from_request_parts(parts, app).await;
    let names = names.map_err(|problem| Failure::invalid(format!("the address: {}", problem.body_text())))?;
    let workspace = names.iter().find(|(name, _)| *name == "workspace").map(|(_, slug)| slug);
    Ok(app.engine.authenticate(workspace, bearer(&parts.headers)?).await?)
}

/// Whoever can read the data folder of the server's machine, by the key that is kept there. No other key is good here,
/// and this one is good nowhere else [O4a].
pub struct ServerOperator;

impl FromRequestParts<App> for ServerOperator {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let key = SecretKey::read(bearer(&parts.headers)?).ok_or_else(Failure::unauthenticated)?;
        if app.config.server_key == Some(key.hash()) { Ok(Self) } else { Err(Failure::unauthenticated()) }
    }
}

/// The one bearer key of a request.
pub fn bearer(headers: &HeaderMap) -> Result<&str, Failure> {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(only), None) = (sent.next(), sent.next()) else { return Err(Failure::unauthenticated()) };
    let (scheme, key) = only
        .to_str()
        .ok()
        .and_then(|text| text.trim().split_once(' '))
        .ok_or_else(Failure::unauthenticated)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(key.trim()) } else { Err(Failure::unauthenticated()) }
}
