//! `ygg serve`: the same server with the flags that a deployment needs. It makes a first workspace only when one is
//! named.

use std::net::SocketAddr;
use std::num::NonZeroU32;

use clap::Args;
use serde_json::json;
use ygg_engine::RateLimit;

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::output::BOLD;
use crate::server::courier::Outside;
use crate::server::first_run::{self, Founding};
use crate::server::signals::Signals;
use crate::server::{Plan, Server, log, store};

#[derive(Args)]
pub struct Serve {
    /// Address and port to listen at; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7411")]
    bind: SocketAddr,
    /// sqlite:PATH, PATH or postgres://ROLE:PASSWORD@HOST/DATABASE [default: ygg.db in the data folder]
    #[arg(long, value_name = "DATABASE", env = "YGG_DATABASE", hide_env_values = true)]
    database: Option<String>,
    /// Where the server is reached from outside, such as https://ygg.example.com
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Accept that keys travel unencrypted to a public http:// address
    #[arg(long)]
    insecure_http: bool,
    #[command(flatten)]
    founding: Founding,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    outside: Outside,
    /// What to log, such as info or ygg_http=debug [env: YGG_LOG, default: info]
    #[arg(long, value_name = "FILTER")]
    log: Option<String>,
    /// How to log
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    log_format: log::Format,
}

#[derive(Args)]
struct Limits {
    /// Requests per second that a key may make in the long run; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 200)]
    rate_per_second: u32,
    /// Requests that a key may make at once
    #[arg(long, value_name = "N", default_value = "2000")]
    rate_burst: NonZeroU32,
    /// Requests with a wrong key that an address may make in a minute
    #[arg(long, value_name = "N")]
    wrong_keys_per_minute: Option<NonZeroU32>,
    /// Proxy whose X-Forwarded-For or Forwarded header is believed, as an address or a network; again for each
    #[arg(long, value_name = "CIDR")]
    trusted_proxy: Vec<ygg_http::Network>,
    /// Event streams that a key may hold open
    #[arg(long, value_name = "N")]
    streams_per_key: Option<usize>,
}

impl Limits {
    fn rate(&self) -> RateLimit {
        match NonZeroU32::new(self.rate_per_second) {
            Some(per_second) => RateLimit::PerKey { per_second, burst: self.rate_burst },
            None => RateLimit::Off,
        }
    }
}

impl Serve {
    pub async fn run(self, global: &Global) -> Outcome {
        check_address(self.bind, self.public_url.as_deref(), self.insecure_http)?;
        log::start(self.log.as_deref(), "info", self.log_format)?;
        let signals = Signals::listen()?;
        let place = match &self.database {
            Some(database) => store::Place::named(database)?,
            None => store::Place::of(&global.places)?,
        };
        let server = Server::open(Plan {
            public_url: self.public_url.clone(),
            rate: self.limits.rate(),
            streams_per_key: self.limits.streams_per_key,
            failed_sign_ins_per_minute: self.limits.wrong_keys_per_minute,
            trusted_proxies: self.limits.trusted_proxy.clone(),
            outside: self.outside.clone(),
            ..Plan::new(place, &global.places, self.bind)
        })
        .await?;
        if let Some(workspace) = &global.workspace {
            first_run::prepare(&server, &global.places, Some(workspace), &self.founding).await?;
        } else if server.engine.workspaces().await?.is_empty() {
            tracing::warn!("there is no workspace yet; start with --workspace NAME to have one made");
        }
        let url = server.url.clone();
        let running = server.start();
        let facts = json!({"url": url, "public_url": self.public_url});
        let told = global.output.confirm(&facts, || match &self.public_url {
            Some(public) => format!("{BOLD}Ygg serves {public}{BOLD:#}, here at {url}."),
            None => format!("{BOLD}Ygg serves {url}{BOLD:#}."),
        });
        running.until(signals).await;
        told
    }
}

/// Nobody is to open a server to others by accident, or to send keys in the clear [O7].
fn check_address(bind: SocketAddr, public_url: Option<&str>, insecure_http: bool) -> Outcome {
    let known = ygg_http::Config { public_url: public_url.map(str::to_owned), ..ygg_http::Config::default() };
    known.check().map_err(|problem| Failure::usage(format!("{problem}.")))?;
    let encrypted = |url: &str| url.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"));
    match public_url {
        None if bind.ip().is_loopback() => Ok(()),
        None => Err(Failure::usage(format!(
            "{bind} can be reached by others, so say under which address they do: --public-url \
             https://ygg.example.com, with a proxy in front that ends TLS. Or listen at 127.0.0.1 only."
        ))),
        Some(url) if encrypted(url) || insecure_http => Ok(()),
        Some(url) => Err(Failure::usage(format!(
            "Over {url} keys and messages travel in the clear. Use an https:// address, or accept that with \
             --insecure-http."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_opens_to_others_only_on_purpose() {
        let check = |bind: &str, url: Option<&str>, insecure: bool, expected: bool| {
            let bind = bind.parse().expect("an address");
            assert_eq!(check_address(bind, url, insecure).is_ok(), expected, "{bind} {url:?} {insecure}");
        };
        check("127.0.0.1:7411", None, false, true);
        check("[::1]:7411", None, false, true);
        check("0.0.0.0:7411", None, false, false);
        check("10.0.0.5:7411", None, true, false);
        check("0.0.0.0:7411", Some("https://ygg.example.com"), false, true);
        check("127.0.0.1:7411", Some("https://ygg.example.com"), false, true);
        check("0.0.0.0:7411", Some("http://10.0.0.5:7411"), false, false);
        check("0.0.0.0:7411", Some("http://10.0.0.5:7411"), true, true);
        check("127.0.0.1:7411", Some("http://ygg.example.com"), false, false);
        check("0.0.0.0:7411", Some("https://"), false, false);
        check("0.0.0.0:7411", Some("ftp://ygg.example.com"), true, false);
    }
}
