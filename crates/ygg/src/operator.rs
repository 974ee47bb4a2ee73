//! The server's operator: whoever can read the data folder of the server that runs on this machine.

use std::path::PathBuf;

use ygg_client::{Error, Server};

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::profile::ServerKey;

pub struct Operator {
    pub server: Server,
    pub url: String,
    /// Where people reach the server.
    pub public_url: String,
    /// Where the key was found.
    path: PathBuf,
}

impl Operator {
    pub fn find(global: &Global) -> Outcome<Self> {
        let path = global.places.server_key()?;
        let Some(kept) = ServerKey::load(&global.places)? else {
            return Err(Failure::NoConnection(format!(
                "No server runs on this data: {} is missing. Start one with `ygg up`, or name the data of the one that \
                 runs with --data.",
                path.display()
            )));
        };
        let url = global.url.clone().unwrap_or(kept.url);
        let public_url = kept.public_url.unwrap_or_else(|| url.clone());
        Ok(Self { server: Server::new(&url, &kept.key)?, url, public_url, path })
    }

    /// A server that does not know the key is another one than the one that left it.
    pub fn explain(&self, error: Error) -> Failure {
        match error {
            Error::Problem(problem) if problem.status == 401 => Failure::usage(format!(
                "The server at {} does not know the key in {}: it runs on other data, or was started anew since. Name \
                 its data with --data, or start it again.",
                self.url,
                self.path.display()
            )),
            other => other.into(),
        }
    }
}
