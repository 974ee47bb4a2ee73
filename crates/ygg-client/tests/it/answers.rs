//! What becomes of answers: what was asked for, a problem, or something that is no answer of ours.

use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect};
use axum::routing::any;
use serde_json::json;
use ygg_client::{Client, Error, Target};
use ygg_wire::Problem;

use crate::server;

async fn at(app: Router) -> Client {
    Client::new(&server::start(app).await).expect("an address")
}

#[tokio::test]
async fn a_request_carries_its_key_in_a_header_alone() {
    let app = Router::new().fallback(async |request: Request| {
        let key = request.headers()[header::AUTHORIZATION].to_str().expect("a text").to_owned();
        let problem = Problem::new(418, "seen", format!("{} {key}", request.uri()));
        (StatusCode::IM_A_TEAPOT, serde_json::to_string(&problem).expect("JSON"))
    });
    let error = at(app).await.topic("top_1/../2").await.expect_err("a problem");
    let Error::Problem(problem) = error else { panic!("{error}") };
    assert_eq!(problem.help, "/v1/w/main/topics/top_1%2F..%2F2 Bearer ygga_key");
    assert_eq!(problem.status, 418);
}

#[tokio::test]
async fn what_is_no_answer_of_ours_is_told_so() {
    let app = Router::new()
        .route("/v1/w/main/me", any(async || "hello"))
        .route("/v1/w/main/directory", any(async || (StatusCode::BAD_GATEWAY, "<html>")))
        .route("/v1/w/main/credits", any(async || Redirect::temporary("/v1/w/main/me")));
    let client = at(app).await;
    assert!(matches!(client.me().await, Err(Error::Decode { .. })));
    let error = client.directory().await.expect_err("a gateway's page").to_string();
    assert!(error.contains("502"), "{error}");
    let error = client.credits().await.expect_err("a redirect").to_string();
    assert!(error.contains("307"), "a redirect is not followed with a key: {error}");
}

#[tokio::test]
async fn nobody_there_is_no_connection() {
    let gone = server::start(Router::new()).await;
    let target = Target { url: "http://127.0.0.1:1".to_owned(), ..gone };
    let error = Client::new(&target).expect("an address").me().await.expect_err("nobody listens");
    let Error::Connection { sent, cause, .. } = &error else { panic!("{error}") };
    assert!(!sent && cause.contains("refused"), "{error}");
    assert!(ygg_client::is_there(&target.url).await.is_err());
}

#[tokio::test]
async fn a_page_is_asked_for_by_its_query() {
    let app = Router::new().fallback(async |request: Request| {
        json!({"items": [], "next": request.uri().query().unwrap_or_default()}).to_string().into_response()
    });
    let client = at(app).await;
    let page = client.messages("top_1", Some("7"), Some(3)).await.expect("a page");
    assert_eq!(page.next.as_deref(), Some("after=7&limit=3"));
    let page = client.conversations(None, None).await.expect("a page");
    assert_eq!(page.next.as_deref(), Some(""));
}
