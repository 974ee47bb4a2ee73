//! Signing a request in, for the workspace in its address: by the key of its `Authorization` header, or by the cookie
//! of a browser session [O8].

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use ygg_domain::key::SecretKey;
use ygg_domain::session::IDLE;
use ygg_engine::Caller;

use crate::cookie::{self, Jar};
use crate::problem::Failure;
use crate::router::App;
use crate::{body, guard};

/// Who calls, within its rate.
pub struct SignedIn(pub Caller);

/// Who sends. A send that is one too many is refused by the engine, as a receipt.
pub struct Sender(pub Caller);

/// Who brings a file: its body is any bytes.
pub struct Uploader(pub Caller);

/// What a browser has to send, so that no page of another's can make it.
#[derive(Clone, Copy)]
enum Sends {
    Json,
    Bytes,
}

impl FromRequestParts<App> for Uploader {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let caller = sign_in(parts, app, Sends::Bytes).await?;
        caller.check_rate()?;
        Ok(Self(caller))
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let caller = sign_in(parts, app, Sends::Json).await?;
        caller.check_rate()?;
        Ok(Self(caller))
    }
}

impl FromRequestParts<App> for Sender {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        Ok(Self(sign_in(parts, app, Sends::Json).await?))
    }
}

async fn sign_in(parts: &mut Parts, app: &App, sends: Sends) -> Result<Caller, Failure> {
    let names = RawPathParams::from_request_parts(parts, app).await;
    let names = names.map_err(|problem| Failure::invalid(format!("the address: {}", problem.body_text())))?;
    let workspace = names.iter().find(|(name, _)| *name == "workspace").map(|(_, slug)| slug);
    if let (Some(workspace), false) = (workspace, parts.headers.contains_key(header::AUTHORIZATION))
        && let Some(secret) = cookie::secret(&app.config, &parts.headers, workspace)
    {
        check_browser(parts, app, sends)?;
        let (caller, fresh) = app.engine.authenticate_session(workspace, secret).await?;
        if let (Some(secret), Some(jar)) = (fresh, parts.extensions.get::<Jar>()) {
            jar.put(cookie::kept(&app.config, workspace, &secret, IDLE));
        }
        return Ok(caller);
    }
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

/// A browser sends the cookie whoever made it ask. What changes something must come from our own page, which says
/// where it is from and sends a type that no form does: JSON, but for files [O7b].
fn check_browser(parts: &Parts, app: &App, sends: Sends) -> Result<(), Failure> {
    if parts.method.is_safe() {
        return Ok(());
    }
    guard::same_origin(&app.config, &parts.headers)?;
    match sends {
        Sends::Bytes => body::check_no_form(&parts.headers),
        Sends::Json if parts.headers.contains_key(header::CONTENT_TYPE) => body::check_type(&parts.headers),
        Sends::Json => Err(body::not_json("")),
    }
}

/// The one bearer key of a request.
fn bearer(headers: &HeaderMap) -> Result<&str, Failure> {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(only), None) = (sent.next(), sent.next()) else { return Err(Failure::unauthenticated()) };
    let (scheme, key) = only
        .to_str()
        .ok()
        .and_then(|text| text.trim().split_once(' '))
        .ok_or_else(Failure::unauthenticated)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(key.trim()) } else { Err(Failure::unauthenticated()) }
}
