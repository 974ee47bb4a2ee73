//! One connection kept alive, and requests on it: as little of a client as there can be, since it shares the
//! machine's cores with what it measures.

use anyhow::{Context, Result, bail};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

pub struct Connection {
    requests: SendRequest<Full<Bytes>>,
    /// `127.0.0.1:7411`
    address: String,
}

impl Connection {
    pub async fn open(address: &str) -> Result<Self> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        let (requests, connection) = handshake(TokioIo::new(socket)).await?;
        // Ends with the connection; what went wrong on it is told to the request.
        tokio::spawn(connection);
        Ok(Self { requests, address: address.to_owned() })
    }

    /// The whole answer, which has to be a good one.
    pub async fn call(&mut self, method: Method, path: &str, key: &str, body: Vec<u8>) -> Result<Bytes> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.address)
            .header(AUTHORIZATION, format!("Bearer {key}"))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .body(Full::new(Bytes::from(body)))?;
        self.requests.ready().await?;
        let response = self.requests.send_request(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await.context("an answer broke off")?.to_bytes();
        if !status.is_success() {
            bail!("{path} was answered with {status}: {}", String::from_utf8_lossy(&body));
        }
        Ok(body)
    }

    /// The beginning of an answer that goes on; the connection is used up by it.
    pub async fn stream(mut self, path: &str, key: &str) -> Result<hyper::body::Incoming> {
        let request = Request::builder()
            .uri(path)
            .header(HOST, &self.address)
            .header(AUTHORIZATION, format!("Bearer {key}"))
            .header(ACCEPT, "text/event-stream")
            .body(Full::default())?;
        let response = self.requests.send_request(request).await?;
        let status = response.status();
        if !status.is_success() {
            bail!("{path} was answered with {status}");
        }
        Ok(response.into_body())
    }
}
