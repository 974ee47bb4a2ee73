//! Where PostgreSQL is and how far it is to be trusted: `postgres://…`, with the words for TLS that psql knows too.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::tls::{self, Check, Roots};
use crate::error::whole;
use crate::{Error, Result};

/// For each address that a host has.
const CONNECT: Duration = Duration::from_secs(10);
/// After which a peer that acknowledges nothing counts as gone.
const SILENCE: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub struct Config {
    pub(super) inner: tokio_postgres::Config,
    pub(super) tls: Option<MakeRustlsConnect>,
}

/// Never with the password.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config").field("place", &self.place()).finish_non_exhaustive()
    }
}

impl FromStr for Config {
    type Err = Error;

    fn from_str(url: &str) -> Result<Self> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut mode, mut roots, mut rest) = (Mode::Prefer, None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", word)) => mode = Mode::read(word)?,
                Some(("sslrootcert", path)) => {
                    roots = Some(percent_decode_str(path).decode_utf8_lossy().into_owned());
                }
                _ => rest.push(pair),
            }
        }
        let parsed = format!("{base}?{}", rest.join("&")).parse::<tokio_postgres::Config>();
        let mut inner = parsed.map_err(|error| bad(whole(&error)))?;
        inner.ssl_mode(mode.ssl_mode());
        usual(&mut inner);
        let tls = mode.check(roots).map(|check| tls::connector(&check)).transpose()?;
        Ok(Self { inner, tls })
    }
}

/// What the URL leaves open.
fn usual(inner: &mut tokio_postgres::Config) {
    if inner.get_connect_timeout().is_none() {
        inner.connect_timeout(CONNECT);
    }
    if inner.get_tcp_user_timeout().is_none() {
        inner.tcp_user_timeout(SILENCE);
    }
    if inner.get_application_name().is_none() {
        inner.application_name("ygg");
    }
}

impl Config {
    /// Another database of the same server.
    pub fn of_database(&self, name: &str) -> Self {
        let mut other = self.clone();
        other.inner.dbname(name);
        other
    }

    /// What is meant, for errors: never the password.
    pub fn place(&self) -> String {
        let hosts: Vec<String> = self.inner.get_hosts().iter().map(host).collect();
        let ports: Vec<String> = self.inner.get_ports().iter().map(u16::to_string).collect();
        let role = self.inner.get_user().unwrap_or("nobody");
        let port = if ports.is_empty() { "5432".to_owned() } else { ports.join(",") };
        format!("database {} at {}:{port} as {role}", self.database(), hosts.join(","))
    }

    fn database(&self) -> &str {
        self.inner.get_dbname().or(self.inner.get_user()).unwrap_or("without a name")
    }
}

fn host(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(folder) => folder.display().to_string(),
    }
}

/// The words of `sslmode`, with their meaning in libpq.
#[derive(Clone, Copy)]
enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

impl Mode {
    fn read(word: &str) -> Result<Self> {
        match word {
            "disable" => Ok(Self::Disable),
            "prefer" => Ok(Self::Prefer),
            "require" => Ok(Self::Require),
            "verify-ca" => Ok(Self::VerifyCa),
            "verify-full" => Ok(Self::VerifyFull),
            _ => Err(bad("sslmode is disable, prefer, require, verify-ca or verify-full")),
        }
    }

    fn ssl_mode(self) -> SslMode {
        match self {
            Self::Disable => SslMode::Disable,
            Self::Prefer => SslMode::Prefer,
            Self::Require | Self::VerifyCa | Self::VerifyFull => SslMode::Require,
        }
    }

    /// As in libpq, `require` with certificates to check against does check.
    fn check(self, roots: Option<String>) -> Option<Check> {
        let named = |roots: Option<String>| match roots {
            Some(path) if path != "system" => Roots::File(path),
            Some(_) | None => Roots::System,
        };
        match (self, roots) {
            (Self::Disable, _) => None,
            (Self::Prefer, _) | (Self::Require, None) => Some(Check::Nothing),
            (Self::Require, roots @ Some(_)) | (Self::VerifyCa, roots) => Some(Check::Chain(named(roots))),
            (Self::VerifyFull, roots) => Some(Check::ChainAndName(named(roots))),
        }
    }
}

fn bad(problem: impl Into<String>) -> Error {
    Error::Connect { to: "the URL of PostgreSQL".to_owned(), problem: problem.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_says_how_far_the_server_is_trusted() {
        let table = [
            ("", SslMode::Prefer, true),
            ("?sslmode=disable", SslMode::Disable, false),
            ("?sslmode=prefer", SslMode::Prefer, true),
            ("?sslmode=require&application_name=x", SslMode::Require, true),
            ("?sslmode=verify-full&sslrootcert=system", SslMode::Require, true),
        ];
        for (query, mode, encrypts) in table {
            let config: Config = format!("postgres://ana@host/ygg{query}").parse().expect(query);
            assert_eq!(config.inner.get_ssl_mode(), mode, "{query}");
            assert_eq!(config.tls.is_some(), encrypts, "{query}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_told_without_the_password() {
        let table = [
            ("postgres://ana:hunter2@host/ygg?sslmode=maybe", "verify-full"),
            (
                "postgres://ana:hunter2@host/ygg?sslmode=verify-ca&sslrootcert=/not/there.pem",
                "/not/there.pem",
            ),
            ("postgres://ana:hunter2@host:port/ygg", "port"),
            ("postgres://ana:hunter2@host/ygg?colour=red", "colour"),
        ];
        for (url, expected) in table {
            let error = url.parse::<Config>().unwrap_err().to_string();
            assert!(error.contains(expected) && !error.contains("hunter2"), "{error}");
        }
        let config: Config = "postgres://ana:hunter2@host/ygg".parse().unwrap();
        assert_eq!(config.place(), "database ygg at host:5432 as ana");
        assert!(!format!("{config:?}").contains("hunter2"));
    }
}
