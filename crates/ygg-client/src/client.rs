//! One participant's line to one workspace of one server.

use std::fmt;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{Method, RequestBuilder, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Error, Result, wire};

/// For one answer, from the request to its last byte.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Where a server is, which workspace of it is meant, and the key that says who calls.
#[derive(Clone)]
pub struct Target {
    pub url: String,
    pub workspace: String,
    pub key: String,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target")
            .field("url", &self.url)
            .field("workspace", &self.workspace)
            .finish_non_exhaustive()
    }
}

/// Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    /// `…/v1/w/<workspace>` or `…/v1/server`
    root: Url,
    bearer: HeaderValue,
}

impl Client {
    pub fn new(target: &Target) -> Result<Self> {
        Self::below(&target.url, &["v1", "w", &target.workspace], &target.key)
    }

    pub(crate) fn below(url: &str, path: &[&str], key: &str) -> Result<Self> {
        let base = wire::base(url)?;
        let http = wire::http(&base)?;
        Ok(Self { http, root: join(base, path)?, bearer: wire::bearer(key)? })
    }

    /// The address of a route, with a query of what is given.
    pub(crate) fn at(&self, path: &[&str], query: &[(&str, Option<String>)]) -> Result<Url> {
        let mut url = join(self.root.clone(), path)?;
        for (name, value) in query {
            if let Some(value) = value {
                url.query_pairs_mut().append_pair(name, value);
            }
        }
        Ok(url)
    }

    /// A request without a limit on its time: for streams.
    pub(crate) fn open(&self, method: Method, url: Url) -> RequestBuilder {
        self.http.request(method, url).header(AUTHORIZATION, self.bearer.clone())
    }

    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, Option<String>)],
    ) -> Result<T> {
        self.answer(self.open(Method::GET, self.at(path, query)?)).await
    }

    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &[&str],
        body: &impl Serialize,
    ) -> Result<T> {
        self.answer(self.open(method, self.at(path, &[])?).json(body)).await
    }

    pub(crate) async fn post<T: DeserializeOwned>(&self, path: &[&str], body: &impl Serialize) -> Result<T> {
        self.call(Method::POST, path, body).await
    }

    pub(crate) async fn delete<T: DeserializeOwned>(&self, path: &[&str]) -> Result<T> {
        self.answer(self.open(Method::DELETE, self.at(path, &[])?)).await
    }

    async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T> {
        let sent = request.timeout(TIMEOUT).send().await;
        let response = sent.map_err(|error| Error::of_request(&self.server(), error))?;
        wire::read(&self.server(), response).await
    }

    /// The server as people write it, for errors.
    pub(crate) fn server(&self) -> String {
        self.root.origin().ascii_serialization()
    }
}

/// Appends segments, each escaped, so that no id can lead elsewhere.
fn join(mut base: Url, path: &[&str]) -> Result<Url> {
    if let Some(dots) = path.iter().find(|segment| matches!(**segment, "" | "." | "..")) {
        return Err(Error::Address(format!("{dots:?} is neither an id nor a name")));
    }
    base.path_segments_mut()
        .map_err(|()| Error::Address("this address has no path".to_owned()))?
        .pop_if_empty()
        .extend(path);
    Ok(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_leads_out_of_its_route() {
        let base = wire::base("http://127.0.0.1:1/behind").expect("an address");
        let at = |id: &str| join(base.clone(), &["v1", "topics", id]).map(|url| url.path().to_owned()).ok();
        assert_eq!(at("top_1").as_deref(), Some("/behind/v1/topics/top_1"));
        assert_eq!(at("../../keys?x#y").as_deref(), Some("/behind/v1/topics/..%2F..%2Fkeys%3Fx%23y"));
        assert_eq!(at(".."), None);
        assert_eq!(at(""), None);
    }

    #[test]
    fn a_target_does_not_show_its_key() {
        let target = Target { url: "http://x".into(), workspace: "main".into(), key: "yggp_secret".into() };
        assert!(!format!("{target:?}").contains("secret"));
    }
}
