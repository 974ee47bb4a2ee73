//! The stream of events comes back by itself, from where it was, and ends when it has to.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use serde_json::json;
use ygg_client::{Client, Error};
use ygg_wire::Problem;

use crate::server;

fn frame(seq: i64) -> String {
    let event = json!({"seq": seq, "at": "2026-01-01T00:00:00Z", "kind": "task.set", "data": {}});
    format!("id: {seq}\nevent: task.set\ndata: {event}\n\n")
}

fn stream(body: String) -> Response {
    ([("content-type", "text/event-stream")], format!("retry: 1000\n\n: beat\n\n{body}")).into_response()
}

#[tokio::test]
async fn it_goes_on_after_the_last_event_seen() {
    let asked: Arc<Mutex<Vec<Option<String>>>> = Arc::default();
    let seen = Arc::clone(&asked);
    let app = Router::new().fallback(async move |request: Request| {
        let last = request.headers().get("last-event-id").map(|id| id.to_str().expect("a text").to_owned());
        let mut asked = seen.lock().expect("no test panicked");
        asked.push(last);
        match asked.len() {
            1 => stream(frame(5) + &frame(6)),
            2 => StatusCode::BAD_GATEWAY.into_response(),
            3 => stream(format!("{}event: problem\ndata: {{}}\n\n", frame(7))),
            // A server that was restored from a backup goes on from the end of its log.
            4 => stream(frame(3)),
            _ => {
                let problem = Problem::new(401, "unauthenticated", "no");
                (StatusCode::UNAUTHORIZED, serde_json::to_string(&problem).expect("JSON")).into_response()
            }
        }
    });
    let client = Client::new(&server::start(app).await).expect("an address");
    let all = client.events(Some(4)).collect::<Vec<_>>();
    let all = tokio::time::timeout(Duration::from_secs(60), all).await.expect("it ends");
    let seqs: Vec<i64> = all.iter().filter_map(|event| event.as_ref().ok().map(|event| event.seq)).collect();
    assert_eq!(seqs, [5, 6, 7, 3]);
    assert!(matches!(all.last(), Some(Err(Error::Problem(problem))) if problem.status == 401));
    let asked = asked.lock().expect("no test panicked").clone();
    assert_eq!(asked, ["4", "6", "6", "7", "3"].map(|id| Some(id.to_owned())));
}
