//! Whether a server is there. Needs no key.

use std::time::Duration;

use crate::{Error, Result, wire};

const TIMEOUT: Duration = Duration::from_secs(2);

pub async fn is_there(url: &str) -> Result<()> {
    let base = wire::base(url)?;
    let at = base.join("healthz").map_err(|_| Error::Address(format!("{url} has no /healthz")))?;
    let sent = wire::http(&base)?.get(at).timeout(TIMEOUT).send().await;
    let response = sent.map_err(|error| Error::of_request(url, error))?;
    wire::accepted(url, response).await.map(|_| ())
}
