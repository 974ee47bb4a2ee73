//! Files coming in and going out. What goes out is for saving: no browser shows it as a page of ours [O7b].

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::{IntoParams, ToSchema};
use ygg_domain::file::UNKNOWN_TYPE;
use ygg_engine::{Caller, Fetched};
use ygg_wire::file::FileView;

use crate::caller::{SignedIn, Uploader};
use crate::held::{Held, Place};
use crate::problem::Failure;
use crate::query::{Path, Query};
use crate::router::App;

/// Files on their way at once, each in memory as a whole: of one key, and of all together.
const PER_KEY: usize = 4;
const IN_ALL: usize = 32;
/// What a connection is handed at a time.
const SLICE_BYTES: usize = 64 * 1024;

/// How many files are on their way.
pub struct Ways {
    held: Arc<Held>,
    in_all: Arc<Semaphore>,
}

/// Held while a file is on its way.
struct Way {
    _of_key: Place,
    _of_all: Option<tokio::sync::OwnedSemaphorePermit>,
}

impl Ways {
    pub fn new() -> Self {
        let held = Arc::new(Held::new(PER_KEY, "files on their way"));
        Self { held, in_all: Arc::new(Semaphore::new(IN_ALL)) }
    }

    async fn enter(&self, caller: &Caller) -> Result<Way, Failure> {
        let of_key = self.held.take(caller.credential())?;
        let of_all = Arc::clone(&self.in_all).acquire_owned().await.ok();
        Ok(Way { _of_key: of_key, _of_all: of_all })
    }
}

/// What is said of a file that comes in.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// One line, at most 200 characters, without `/` and `\`; `file` unless said.
    name: Option<String>,
    /// Counts before the Content-Type of the request.
    media_type: Option<String>,
}

/// Bytes as they are.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct FileBytes(#[expect(dead_code, reason = "it is only described")] Vec<u8>);

/// Upload a file, to be sent with a message.
///
/// At most 10 MiB. Until a message carries it only you see it; without one it goes after 24 hours. A browser session sends
/// it as application/octet-stream and says its type in `media_type`.
#[utoipa::path(
    post, path = "/files", tag = "files", params(UploadQuery),
    request_body(content = FileBytes, content_type = "application/octet-stream"),
    responses((status = 201, description = "Kept.", body = FileView))
)]
pub async fn upload(
    State(app): State<App>,
    Uploader(caller): Uploader,
    Query(query): Query<UploadQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let _way = app.ways.enter(&caller).await?;
    let declared = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = query.media_type.or_else(|| declared.map(str::to_owned));
    // The guard bounds the size, and answers for a body that goes beyond.
    let content = to_bytes(body, usize::MAX).await.map_err(|_| Failure::invalid("the body broke off"))?;
    let kept = app.engine.upload(&caller, query.name, media_type, content.into()).await?;
    Ok((StatusCode::CREATED, Json(kept)).into_response())
}

/// Download a file.
///
/// Its uploader may until a message carries it, then whoever may read such a message.
#[utoipa::path(
    get, path = "/files/{id}", tag = "files",
    params(
        ("id" = String, Path, description = "The file."),
        ("If-None-Match" = Option<String>, Header, description = "ETags of what you have already."),
    ),
    responses(
        (status = 200, description = "What is in it.", body = FileBytes, content_type = "application/octet-stream"),
        (status = 304, description = "You have it already, and may still read it."),
    )
)]
pub async fn download(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let way = app.ways.enter(&caller).await?;
    let fetched = app.engine.file(&caller, &id, &known(&headers)).await?;
    Ok(answer(fetched, way))
}

/// The tags of a request that has something already.
fn known(headers: &HeaderMap) -> Vec<String> {
    let sent = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let tags = sent.flat_map(|value| value.split(','));
    tags.map(|tag| tag.trim().trim_start_matches("W/").trim_matches('"').to_owned()).collect()
}

fn answer(fetched: Fetched, way: Way) -> Response {
    let Fetched { about, tag, content } = fetched;
    let length = content.as_ref().map(Vec::len);
    let mut response = match content {
        None => StatusCode::NOT_MODIFIED.into_response(),
        Some(content) => Body::from_stream(slices(content, way)).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::ETAG, format!("\"{tag}\"")),
        // Asked again each time: who may read it changes, and it may be redacted [W6].
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
        (header::CONTENT_DISPOSITION, disposition(&about.name)),
        (header::CONTENT_TYPE, shown_type(&about.media_type).to_owned()),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin".to_owned()),
    ] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    match length {
        Some(length) => drop(headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length))),
        None => drop(headers.remove(header::CONTENT_TYPE)),
    }
    response
}

/// The way is given back when the connection has taken the last of it.
fn slices(content: Vec<u8>, way: Way) -> impl futures::Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold((Bytes::from(content), way), async |(mut rest, way)| {
        if rest.is_empty() {
            return None;
        }
        let slice = rest.split_to(SLICE_BYTES.min(rest.len()));
        Some((Ok(slice), (rest, way)))
    })
}

/// What may stand unescaped in `filename*` (RFC 8187).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// To be saved, under its name; clients that read no other letters get a plain one (RFC 6266).
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || " .-_()".contains(c) { c } else { '_' })
        .collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{}", utf8_percent_encode(name, ESCAPED))
}

/// The type that its uploader said, if nothing in it is run by whoever opens it.
fn shown_type(media_type: &str) -> &str {
    let (kind, subtype) = media_type.split_once('/').unwrap_or_default();
    let harmless = match kind {
        "image" => !subtype.contains("svg") && !subtype.contains("xml"),
        "audio" | "video" => true,
        "text" => matches!(subtype, "plain" | "csv" | "markdown"),
        "application" => matches!(subtype, "json" | "pdf" | "zip" | "gzip"),
        _ => false,
    };
    if harmless { media_type } else { UNKNOWN_TYPE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_header_and_is_read_whole() {
        for (name, expected) in [
            ("plan.md", "attachment; filename=\"plan.md\"; filename*=UTF-8''plan.md"),
            ("a\"; x=\"b", "attachment; filename=\"a__ x__b\"; filename*=UTF-8''a%22%3B%20x%3D%22b"),
            (
                "отчёт 1.txt",
                "attachment; filename=\"_____ 1.txt\"; filename*=UTF-8''%D0%BE%D1%82%D1%87%D1%91%D1%82%201.txt",
            ),
            ("100%.txt", "attachment; filename=\"100_.txt\"; filename*=UTF-8''100%25.txt"),
        ] {
            assert_eq!(disposition(name), expected);
        }
    }

    #[test]
    fn what_a_browser_would_run_has_no_type() {
        for harmless in ["image/png", "text/plain", "application/pdf", "audio/ogg"] {
            assert_eq!(shown_type(harmless), harmless);
        }
        for active in [
            "text/html",
            "image/svg+xml",
            "application/xhtml+xml",
            "text/xml",
            "text/javascript",
            "application/javascript",
            "multipart/related",
            "message/rfc822",
            "application/octet-stream",
            "text",
        ] {
            assert_eq!(shown_type(active), UNKNOWN_TYPE, "{active}");
        }
    }
}
