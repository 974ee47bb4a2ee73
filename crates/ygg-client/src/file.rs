//! Files: bringing one, and fetching one.

use std::time::Duration;

use percent_encoding::percent_decode_str;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderMap};
use reqwest::{Method, RequestBuilder, Response};
use ygg_wire::file::FileView;

use crate::{Client, Error, Result, wire};

/// For one file, from the request to the last byte: as long as the server gives it.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A file as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    pub name: String,
    pub content: Vec<u8>,
}

impl Client {
    pub async fn upload(&self, name: &str, media_type: Option<&str>, content: Vec<u8>) -> Result<FileView> {
        let query = [("name", Some(name.to_owned())), ("media_type", media_type.map(str::to_owned))];
        let request = self.open(Method::POST, self.at(&["files"], &query)?);
        let request = request.header(CONTENT_TYPE, "application/octet-stream").body(content);
        wire::read(&self.server(), self.patiently(request).await?).await
    }

    pub async fn file(&self, id: &str) -> Result<Download> {
        let response = self.patiently(self.open(Method::GET, self.at(&["files", id], &[])?)).await?;
        let response = wire::accepted(&self.server(), response).await?;
        let name = named(response.headers()).unwrap_or_else(|| id.to_owned());
        let content = response.bytes().await.map_err(|error| Error::of_request(&self.server(), error))?;
        Ok(Download { name, content: content.into() })
    }

    async fn patiently(&self, request: RequestBuilder) -> Result<Response> {
        let sent = request.timeout(TIMEOUT).send().await;
        sent.map_err(|error| Error::of_request(&self.server(), error))
    }
}

/// The name that an answer is to be saved under (RFC 6266).
fn named(headers: &HeaderMap) -> Option<String> {
    let disposition = headers.get(CONTENT_DISPOSITION)?.to_str().ok()?;
    let (_, escaped) = disposition.split_once("filename*=UTF-8''")?;
    let escaped = escaped.split(';').next().unwrap_or_default().trim();
    let name = percent_decode_str(escaped).decode_utf8().ok()?;
    (!name.is_empty()).then(|| name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_from_its_header() {
        for (header, name) in [
            ("attachment; filename=\"_.txt\"; filename*=UTF-8''%D1%91.txt", Some("ё.txt")),
            ("attachment; filename=\"a.txt\"", None),
            ("attachment; filename*=UTF-8''%FF", None),
            ("inline", None),
        ] {
            let headers = [(CONTENT_DISPOSITION, header.parse().expect("a header"))].into_iter().collect();
            assert_eq!(named(&headers).as_deref(), name, "{header}");
        }
    }
}
