//! Serving connections until told to stop, and stopping within seconds whatever the clients do [O6].

mod patience;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower::ServiceExt;

use crate::stream::stopped;
use patience::Patient;

/// Connections held at once; more wait in the system's queue.
const CONNECTIONS: usize = 10_000;
/// How long a connection may take to say what it wants, also between two requests.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// How long connections may take to finish after the word to stop.
const GRACE: Duration = Duration::from_secs(5);
/// Pause after a connection could not be taken, such as for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Serves `app` over HTTP/1.1 until `shutdown` becomes true (a dropped sender means never). Then no connection is
/// taken any more, streams end (`Config::shutdown` has to come from the same sender), requests under way finish,
/// and after 5 seconds what is left is cut.
pub async fn serve(listener: TcpListener, app: Router, shutdown: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    let mut stop = pin!(stopped(shutdown.clone()));
    loop {
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            accepted = listener.accept(), if connections.len() < CONNECTIONS => match accepted {
                Ok((socket, address)) => {
                    connections.spawn(connection(socket, address, app.clone(), shutdown.clone()));
                }
                Err(problem) => {
                    tracing::warn!(%problem, "a connection could not be taken");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    let finish = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(GRACE, finish).await.is_err() {
        tracing::warn!(left = connections.len(), "connections that did not finish are cut");
        connections.shutdown().await;
    }
}

async fn connection(socket: TcpStream, address: SocketAddr, app: Router, shutdown: watch::Receiver<bool>) {
    // An answer goes out at once, not when there is more to send.
    if let Err(problem) = socket.set_nodelay(true) {
        tracing::debug!(%problem, "a connection is slower than need be");
    }
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        answer(app.clone(), request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let mut serving = pin!(http.serve_connection(TokioIo::new(Patient::new(socket)), service));
    let ended = tokio::select! {
        ended = serving.as_mut() => ended,
        () = stopped(shutdown) => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(problem) = ended {
        tracing::trace!(%problem, "a connection broke off");
    }
}

async fn answer(app: Router, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    app.oneshot(request).await
}
