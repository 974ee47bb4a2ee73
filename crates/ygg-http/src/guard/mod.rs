//! What stands before every route, this surface's and the MCP tools' alike: Host and Origin, size, time, panics,
//! request ids and traces [O7, O9].

mod body;
mod client;
mod host;
mod request_id;
mod sign_in;

pub use client::{Client, Network};
pub use host::{PublicUrl, same_origin};
pub use request_id::RequestId;
pub use sign_in::network;

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::body::HttpBody;
use axum::extract::{Extension, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use tracing::field::Empty;
use tracing::{Instrument, Span, error_span};

use ygg_domain::limits;

use crate::config::Config;
use crate::figures::Figures;
use crate::problem::{self, Failure, without_keys};
use client::Proxies;
use host::Hosts;
use sign_in::SignIns;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// What a read that took too long is told.
const READ_LATE: &str = "This took too long; send the same request again.";
/// What anything else is: it goes on behind the time-out, so it may be done all the same, or become so [M8].
const WRITE_LATE: &str = "This took too long, and it may have been done all the same. Send a message again with the \
    idempotency_key it had, and read an inbox again with again: true; before you repeat anything else, look whether \
    it was done.";
/// How much longer a file may take than anything else.
const FILE_PATIENCE: u32 = 4;
/// Bytes of a path that a trace shows.
const PATH_BYTES: usize = 200;

pub struct Guard {
    hosts: Hosts,
    body_limit_bytes: usize,
    request_timeout: Duration,
    sign_ins: SignIns,
    proxies: Proxies,
    figures: Arc<Figures>,
}

impl Guard {
    pub fn new(config: &Config, figures: Arc<Figures>) -> Self {
        Self {
            hosts: Hosts::new(config),
            body_limit_bytes: config.body_limit_bytes,
            request_timeout: config.request_timeout,
            sign_ins: SignIns::new(config.failed_sign_ins_per_minute),
            proxies: Proxies::new(config),
            figures,
        }
    }
}

/// The middleware around everything. Each request is one line in the log; the span around it gives its id to
/// whatever is logged meanwhile, and the engine adds who called. Never headers, query or bodies [O9].
pub async fn stand(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = RequestId::of(request.headers());
    let method = request.method().clone();
    let client = guard.proxies.client(&request);
    // As high as lines can be: a warning in a quiet log has its request too.
    let span = error_span!(
        "request",
        id = id.as_str(),
        method = shown_method(&method),
        route = Empty,
        workspace = Empty,
        participant = Empty,
        client = %client.address,
    );
    // The tools are another surface: they find the id where a client would have put it.
    request.headers_mut().insert(X_REQUEST_ID, id.header());
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(client);
    let route = Route::default();
    request.extensions_mut().insert(route.clone());
    async {
        tracing::debug!(path = shown_path(request.uri().path()), "asked");
        let bytes_in = length(request.headers());
        let response = guard.answer(request, client, next).await;
        let mut response = problem::write(response, &method, id.as_str());
        let headers = response.headers_mut();
        headers.insert(X_REQUEST_ID, id.header());
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        let status = response.status();
        let bytes_out = response.body().size_hint().exact();
        let took = begun.elapsed();
        guard.figures.count_request(shown_method(&method), route.template(), status, took);
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        tracing::info!(status = status.as_u16(), duration_ms, bytes_in, bytes_out, "answered");
        response
    }
    .instrument(span)
    .await
}

/// Where a request's route is noted for the guard, which sees neither routes nor, after a panic or a time-out, what
/// the route said.
#[derive(Clone, Default)]
pub struct Route(Arc<OnceLock<MatchedPath>>);

impl Route {
    /// `none` for addresses where nothing is: they are endless, templates are few.
    fn template(&self) -> &str {
        self.0.get().map_or("none", MatchedPath::as_str)
    }
}

/// The middleware of each route: only here is its template known.
pub async fn name_route(
    matched: MatchedPath,
    Extension(route): Extension<Route>,
    request: Request,
    next: Next,
) -> Response {
    Span::current().record("route", matched.as_str());
    let _ = route.0.set(matched);
    next.run(request).await
}

/// What the client announces to send.
fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

impl Guard {
    async fn answer(&self, request: Request, client: Client, next: Next) -> Response {
        if let Err(failure) = self.hosts.check(&request) {
            return failure.into_response();
        }
        let late = if request.method().is_safe() { READ_LATE } else { WRITE_LATE };
        let (body_limit_bytes, patience) = match body::brings_file(&request) {
            true => (limits::FILE_BYTES, self.request_timeout * FILE_PATIENCE),
            false => (self.body_limit_bytes, self.request_timeout),
        };
        let (request, size) = body::limit(request, body_limit_bytes);
        if size.declared_too_large() {
            return size.failure().into_response();
        }
        let run = AssertUnwindSafe(next.run(request)).catch_unwind();
        let response = match tokio::time::timeout(patience, run).await {
            Ok(Ok(response)) => response,
            Ok(Err(panic)) => {
                tracing::error!(panic = without_keys(words(panic.as_ref())), "a handler panicked");
                Failure::internal().into_response()
            }
            Err(_) if size.awaited() => Failure::invalid("its body did not come in time").into_response(),
            Err(_) => Failure::unavailable(late).into_response(),
        };
        if size.exceeded() {
            return size.failure().into_response();
        }
        if response.status() == StatusCode::UNAUTHORIZED {
            self.figures.refused_sign_ins.inc();
            if let Err(failure) = self.sign_ins.failed(client.address) {
                return failure.into_response();
            }
        }
        response
    }
}

/// What a panic said.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// A method is any word the client likes; only the usual ones are shown.
fn shown_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

/// The path without what could hide a key: up to the first escape, none of its letters [O9].
fn shown_path(path: &str) -> String {
    let plain = path.split('%').next().unwrap_or_default();
    let mut path = without_keys(plain.to_owned());
    while path.len() > PATH_BYTES {
        path.pop();
    }
    path
}
