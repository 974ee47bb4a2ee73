//! The pages that the server carries with it: what it is, what errors mean, and the rules that they name.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::problem::Failure;
use crate::query::Path;

macro_rules! pages {
    ($folder:literal, $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../docs/", $folder, "/", $name, ".md")))),*]
    };
}

/// Every code with its page, and what is true of all of them.
const ERRORS: &[(&str, &str)] = pages! {
    "errors",
    "README" "agent_paused" "chain_limit" "conflict" "credits_exhausted" "door_closed" "forbidden" "hop_limit"
    "idempotency_conflict" "internal" "invalid_message" "invalid_request" "last_owner" "method_not_allowed" "not_found"
    "origin_refused" "rate_limited" "title_required" "too_large" "topic_closed" "topic_limit" "topic_required"
    "turn_limit" "unauthenticated" "unavailable" "unknown_recipient" "unknown_topic" "unsupported_media_type"
    "workspace_paused" "wrong_password"
};

/// The rules, which the pages of errors link to.
const RULES: &[(&str, &str)] = pages! { "rules", "agents" "console" "mesh" "operations" "plane" "protocol" };

const ROOT: &str = concat!(
    "Ygg ",
    env!("CARGO_PKG_VERSION"),
    ", where people and agents work together. The API is below /v1/w/<workspace>/ and described at /openapi.json; \
     errors are explained at /errors/README.md.\n"
);

/// What this server is, in a line.
#[utoipa::path(
    get, path = "/", tag = "server", security(()),
    responses((status = 200, description = "The line.", body = String, content_type = "text/plain"))
)]
pub async fn root() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], ROOT)
}

/// What an error means and what to do about it.
#[utoipa::path(
    get, path = "/errors/{code}", tag = "server", security(()),
    params(("code" = String, Path, description = "The reason of a problem.")),
    responses((status = 200, description = "The page.", body = String, content_type = "text/markdown"))
)]
pub async fn error_page(Path(code): Path<String>) -> Result<Response, Failure> {
    find(ERRORS, &code, "There is no error of this code; a problem's type names its page.")
}

/// The rules that the server follows.
#[utoipa::path(
    get, path = "/rules/{part}", tag = "server", security(()),
    params(("part" = String, Path, description = "protocol, plane, operations, mesh, agents or console.")),
    responses((status = 200, description = "The page.", body = String, content_type = "text/markdown"))
)]
pub async fn rules_page(Path(part): Path<String>) -> Result<Response, Failure> {
    find(RULES, &part, "There is no such part of the rules; pages of errors name theirs.")
}

/// Pages link to each other as the files they are.
fn find(pages: &'static [(&str, &str)], name: &str, missing: &str) -> Result<Response, Failure> {
    let bare = name.strip_suffix(".md").unwrap_or(name);
    let page = pages.iter().find(|(known, _)| *known == bare);
    let (_, text) = page.ok_or_else(|| Failure::new(404, "not_found", missing))?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], *text).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_served() {
        for (folder, pages, others) in [("errors", ERRORS, &[][..]), ("rules", RULES, &["README"])] {
            let path = format!("{}/../../docs/{folder}", env!("CARGO_MANIFEST_DIR"));
            let files = std::fs::read_dir(path).expect("a folder of docs");
            let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
            let mut names: Vec<String> = names
                .filter_map(|name| name.strip_suffix(".md").map(str::to_owned))
                .filter(|name| !others.contains(&name.as_str()))
                .collect();
            names.sort();
            assert_eq!(names, pages.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "{folder}");
        }
    }
}
