//! Sending messages, and one message by its id.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use ygg_wire::Receipt;
use ygg_wire::draft::Draft;
use ygg_wire::message::MessageView;
use ygg_wire::why::WhyView;

use crate::body::AnyJson;
use crate::caller::{Sender, SignedIn};
use crate::problem::Failure;
use crate::query::Path;
use crate::router::App;

const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Send a message.
///
/// A refusal is a problem with the whole receipt in it. Sending again with the same idempotency key is the same send.
#[utoipa::path(
    post, path = "/messages", tag = "messages", request_body = Draft,
    params(("Idempotency-Key" = Option<String>, Header, description = "Used when the draft has no idempotency_key.")),
    responses(
        (status = 201, description = "Delivered.", body = Receipt),
        (status = 200, description = "Absorbed, or sent before under this key.", body = Receipt),
    )
)]
pub async fn send(
    State(app): State<App>,
    Sender(caller): Sender,
    headers: HeaderMap,
    AnyJson(mut draft): AnyJson,
) -> Result<Response, Failure> {
    fill_key(&mut draft, &headers)?;
    let receipt = app.engine.send(&caller, draft).await?;
    let status = match receipt.outcome.as_str() {
        "refused" => return Err(receipt.into()),
        "delivered" if !receipt.duplicate => StatusCode::CREATED,
        _ => StatusCode::OK,
    };
    Ok((status, Json(receipt)).into_response())
}

fn fill_key(draft: &mut Value, headers: &HeaderMap) -> Result<(), Failure> {
    let (Some(key), Value::Object(fields)) = (headers.get(IDEMPOTENCY_KEY), draft) else { return Ok(()) };
    let key = key.to_str().map_err(|_| Failure::invalid("Idempotency-Key has characters beyond ASCII"))?;
    let field = fields.entry("idempotency_key").or_insert(Value::Null);
    if field.is_null() {
        *field = Value::from(key);
    }
    Ok(())
}

/// One message.
#[utoipa::path(
    get, path = "/messages/{id}", tag = "messages",
    params(("id" = String, Path, description = "The message.")),
    responses((status = 200, description = "The message.", body = MessageView))
)]
pub async fn message(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<MessageView>, Failure> {
    Ok(Json(app.engine.message(&caller, &id).await?))
}

/// Why a message did what it did.
///
/// The rules that fired when it was sent, in order, with the facts that decided them; and what has come of it since.
/// Whoever may read the message may read this.
#[utoipa::path(
    get, path = "/messages/{id}/why", tag = "messages",
    params(("id" = String, Path, description = "The message.")),
    responses((status = 200, description = "Rule by rule.", body = WhyView))
)]
pub async fn why(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<WhyView>, Failure> {
    Ok(Json(app.engine.why(&caller, &id).await?))
}

/// Take a message's words and files out for good.
///
/// A secret was pasted: a mark takes the place of text and files, everything else stays. Doing it again changes nothing.
#[utoipa::path(
    post, path = "/messages/{id}/redact", tag = "messages",
    params(("id" = String, Path, description = "The message.")),
    responses((status = 200, description = "The message as it is now.", body = MessageView))
)]
pub async fn redact(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<MessageView>, Failure> {
    Ok(Json(app.engine.redact(&caller, &id).await?))
}
