//! The size of request bodies, announced or not, and what becomes of a body that nobody reads to its end.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{Method, header};
use hyper::body::{Frame, SizeHint};

use crate::problem::Failure;

/// How long, and how much of, the rest of a body is taken in and dropped: a client that is still sending when the
/// connection closes would lose the answer.
const DRAIN: Duration = Duration::from_secs(5);
const DRAIN_BYTES: usize = 512 * 1024 * 1024;

/// Whether a request brings a file: the one route that takes more, and longer.
pub fn brings_file(request: &Request) -> bool {
    let within = request.uri().path().strip_prefix("/v1/w/").and_then(|rest| rest.split_once('/'));
    request.method() == Method::POST && within.is_some_and(|(_, route)| route == "files")
}

/// What is known of a request's body.
pub struct Size {
    limit: usize,
    declared: Option<u64>,
    progress: Arc<Progress>,
}

#[derive(Default)]
struct Progress {
    /// More was sent than may be.
    exceeded: AtomicBool,
    /// Somebody reads, and nothing comes.
    awaited: AtomicBool,
}

impl Size {
    pub fn declared_too_large(&self) -> bool {
        self.declared.is_some_and(|size| size > u64::try_from(self.limit).unwrap_or(u64::MAX))
    }

    /// Whether more was read than may be.
    pub fn exceeded(&self) -> bool {
        self.progress.exceeded.load(Ordering::Relaxed)
    }

    /// Whether the client has yet to send what is being read.
    pub fn awaited(&self) -> bool {
        self.progress.awaited.load(Ordering::Relaxed)
    }

    pub fn failure(&self) -> Failure {
        let limit = self.limit;
        let size = self.declared.map_or(String::new(), |size| format!("{size} bytes, and "));
        let help =
            format!("The request is too large: {size}{limit} bytes are the most; shorten or split it.");
        let failure = Failure::new(413, "too_large", help)
            .fact("what", "request body")
            .fact("limit", limit)
            .fact("unit", "bytes");
        match self.declared {
            Some(size) => failure.fact("size", size),
            None => failure,
        }
    }
}

/// The request with a body that ends in an error beyond the limit.
pub fn limit(request: Request, limit: usize) -> (Request, Size) {
    let progress = Arc::<Progress>::default();
    let awaits_leave = request.headers().contains_key(header::EXPECT);
    let (parts, body) = request.into_parts();
    let size = Size { limit, declared: body.size_hint().exact(), progress: Arc::clone(&progress) };
    let body = Limited { body, left: limit, progress, awaits_leave, ended: false };
    (Request::from_parts(parts, Body::new(body)), size)
}

struct Limited {
    body: Body,
    left: usize,
    progress: Arc<Progress>,
    /// The client sends nothing before somebody reads (`Expect: 100-continue`).
    awaits_leave: bool,
    ended: bool,
}

impl HttpBody for Limited {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.awaits_leave = false;
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.progress.awaited.store(polled.is_pending(), Ordering::Relaxed);
        match ready!(polled) {
            Some(Ok(frame)) => {
                let size = frame.data_ref().map_or(0, Bytes::len);
                if size > self.left {
                    self.progress.exceeded.store(true, Ordering::Relaxed);
                    return Poll::Ready(Some(Err(axum::Error::new("the body is too large"))));
                }
                self.left -= size;
                Poll::Ready(Some(Ok(frame)))
            }
            ended => {
                self.ended = true;
                Poll::Ready(ended)
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        if self.ended || self.awaits_leave || self.body.is_end_stream() {
            return;
        }
        let rest = std::mem::take(&mut self.body);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(DRAIN, drain(rest)));
        }
    }
}

async fn drain(mut rest: Body) {
    let mut taken = 0;
    while taken < DRAIN_BYTES {
        let next = std::future::poll_fn(|context| Pin::new(&mut rest).poll_frame(context)).await;
        let Some(Ok(frame)) = next else { return };
        taken += frame.data_ref().map_or(0, Bytes::len);
    }
}
