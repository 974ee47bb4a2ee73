//! Taking a claim. Needs no key: the code says it all.

use std::time::Duration;

use reqwest::Method;
use ygg_wire::claim::TakeClaim;
use ygg_wire::session::SignedIn;

use crate::{Error, Result, wire};

/// Passwords are hashed two at a time, and others may be before this one.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Sets the password. The code and the password travel in the body alone.
pub async fn take_claim(url: &str, claim: &TakeClaim) -> Result<SignedIn> {
    let base = wire::base(url)?;
    let at = base.join("v1/claims").map_err(|_| Error::Address(format!("{url} has no /v1/claims")))?;
    let sent = wire::http(&base)?.request(Method::POST, at).json(claim).timeout(TIMEOUT).send().await;
    let server = base.origin().ascii_serialization();
    let response = sent.map_err(|error| Error::of_request(&server, error))?;
    wire::read(&server, response).await
}
