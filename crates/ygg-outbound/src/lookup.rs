//! From the name of a host to its addresses.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;

/// The addresses of a host, some time later.
pub type Looked<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'a>>;

pub trait Lookup: Send + Sync {
    fn lookup<'a>(&'a self, host: &'a str, port: u16) -> Looked<'a>;
}

/// As the machine does it.
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup<'a>(&'a self, host: &'a str, port: u16) -> Looked<'a> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) })
    }
}
