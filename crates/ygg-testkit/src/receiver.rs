//! A web server for tests of what calls out: it keeps what it was sent and answers as it is told.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::Certificates;

/// What a receiver gives a caller who says nothing.
const PATIENCE: Duration = Duration::from_secs(30);

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Received {
    /// `POST /path HTTP/1.1`
    pub line: String,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Received {
    /// A header by its name in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

type Answer = dyn Fn(&Received) -> Option<String> + Send + Sync;

/// Listens on a port of its own until the test ends.
pub struct Receiver {
    pub port: u16,
    seen: Arc<Mutex<Vec<Received>>>,
    connections: Arc<AtomicUsize>,
}

/// An answer with a status, one more header line where there is one, and a body.
pub fn answer(status: &str, header: &str, body: &str) -> String {
    let header = if header.is_empty() { String::new() } else { format!("{header}\r\n") };
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{header}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

impl Receiver {
    /// Each request is answered by `answer`; with None it is left without one for as long as the caller stays.
    pub fn start(answer: impl Fn(&Received) -> Option<String> + Send + Sync + 'static) -> Self {
        Self::listen(None, answer)
    }

    /// The same behind TLS, with the certificate.
    pub fn start_tls(
        certificates: &Certificates,
        answer: impl Fn(&Received) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let chain =
            vec![CertificateDer::from_pem_slice(certificates.certificate.as_bytes()).expect("a certificate")];
        let key = PrivateKeyDer::from_pem_slice(certificates.key.as_bytes()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.expect("versions of today").with_no_client_auth();
        Self::listen(
            Some(Arc::new(config.with_single_cert(chain, key).expect("they belong together"))),
            answer,
        )
    }

    fn listen(
        tls: Option<Arc<ServerConfig>>,
        answer: impl Fn(&Received) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (seen, connections) = (Arc::<Mutex<Vec<Received>>>::default(), Arc::<AtomicUsize>::default());
        let answer: Arc<Answer> = Arc::new(answer);
        let (kept, counted) = (Arc::clone(&seen), Arc::clone(&connections));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                counted.fetch_add(1, Ordering::SeqCst);
                let (kept, answer, tls) = (Arc::clone(&kept), Arc::clone(&answer), tls.clone());
                thread::spawn(move || {
                    let _ = stream.set_read_timeout(Some(PATIENCE));
                    match tls {
                        None => serve(stream, &kept, answer.as_ref()),
                        Some(tls) => {
                            let tls = ServerConnection::new(tls).expect("a good configuration");
                            serve(StreamOwned::<_, TcpStream>::new(tls, stream), &kept, answer.as_ref());
                        }
                    }
                });
            }
        });
        Self { port, seen, connections }
    }

    /// Everything that was received so far, in order.
    pub fn seen(&self) -> Vec<Received> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often somebody connected, whether or not anything was said.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// One request and its answer; whoever hangs up in between is let go.
fn serve(mut stream: impl Read + Write, kept: &Mutex<Vec<Received>>, answer: &Answer) {
    let Some(received) = read(&mut stream) else { return };
    let told = answer(&received);
    kept.lock().unwrap_or_else(PoisonError::into_inner).push(received);
    match told {
        Some(told) => drop(stream.write_all(told.as_bytes()).and_then(|()| stream.flush())),
        // Until the caller gives up.
        None => drop(stream.read(&mut [0; 1])),
    }
}

fn read(stream: &mut impl Read) -> Option<Received> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") {
            break end;
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(chunk.get(..read)?),
        }
    };
    let head = String::from_utf8_lossy(bytes.get(..end)?).into_owned();
    let mut lines = head.lines();
    let line = lines.next()?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = bytes.split_off(end + 4);
    while body.len() < length {
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(read) => body.extend_from_slice(chunk.get(..read)?),
        }
    }
    Some(Received { line, headers, body })
}
