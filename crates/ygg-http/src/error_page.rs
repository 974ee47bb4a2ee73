//! The page that explains an error, from docs/errors.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::problem::Failure;
use crate::query::Path;

macro_rules! pages {
    ($($code:literal)*) => {
        &[$(($code, include_str!(concat!("../../../docs/errors/", $code, ".md")))),*]
    };
}

/// Every code with its page.
const PAGES: &[(&str, &str)] = pages! {
    "agent_paused" "chain_limit" "conflict" "credits_exhausted" "door_closed" "forbidden" "hop_limit"
    "idempotency_conflict" "internal" "invalid_message" "invalid_request" "method_not_allowed" "not_found"
    "origin_refused" "rate_limited" "title_required" "too_large" "topic_closed" "topic_limit" "topic_required"
    "turn_limit" "unauthenticated" "unavailable" "unknown_recipient" "unknown_topic" "unsupported_media_type"
    "workspace_paused"
};

/// What an error means and what to do about it.
#[utoipa::path(
    get, path = "/errors/{code}", tag = "server", security(()),
    params(("code" = String, Path, description = "The reason of a problem.")),
    responses((status = 200, description = "The page.", body = String, content_type = "text/markdown"))
)]
pub async fn error_page(Path(code): Path<String>) -> Result<Response, Failure> {
    let page = PAGES.iter().find(|(name, _)| *name == code);
    let (_, text) = page.ok_or_else(|| {
        Failure::new(404, "not_found", "There is no error of this code; a problem's type names its page.")
    })?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], *text).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors");
        let files = std::fs::read_dir(folder).expect("docs/errors");
        let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
        let mut codes: Vec<String> = names
            .filter_map(|name| name.strip_suffix(".md").map(str::to_owned))
            .filter(|code| code != "README")
            .collect();
        codes.sort();
        assert_eq!(codes, PAGES.iter().map(|(code, _)| *code).collect::<Vec<_>>());
    }
}
