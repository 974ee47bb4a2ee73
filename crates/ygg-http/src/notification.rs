//! Where a person is told outside of Ygg what needs them.

use axum::Json;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use ygg_wire::notification::{NotificationTested, NotificationsSet, NotificationsView, SetNotifications};

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::router::App;

/// Where you are told outside of Ygg what needs you, and how that goes.
#[utoipa::path(
    get, path = "/me/notifications", tag = "notifications",
    responses((status = 200, description = "Where you are told.", body = NotificationsView))
)]
pub async fn notifications(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<NotificationsView>, Failure> {
    Ok(Json(app.engine.notifications(&caller).await?))
}

/// Be told somewhere: by a webhook, which is signed, or by mail.
#[utoipa::path(
    put, path = "/me/notifications", tag = "notifications", request_body = SetNotifications,
    responses((status = 200, description = "Where you are told now; a new secret is shown this once.", body = NotificationsSet))
)]
pub async fn set_notifications(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(body): JsonBody<SetNotifications>,
) -> Result<Response, Failure> {
    let set = app.engine.set_notifications(&caller, body).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(set)).into_response())
}

/// Be told nowhere any more. What waits is not sent.
#[utoipa::path(
    delete, path = "/me/notifications", tag = "notifications",
    responses((status = 200, description = "You are told nowhere.", body = NotificationsView))
)]
pub async fn stop_notifications(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<NotificationsView>, Failure> {
    Ok(Json(app.engine.stop_notifications(&caller).await?))
}

/// Have a message sent to you at once.
#[utoipa::path(
    post, path = "/me/notifications/test", tag = "notifications",
    responses((status = 200, description = "What came of it.", body = NotificationTested))
)]
pub async fn test_notifications(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<NotificationTested>, Failure> {
    Ok(Json(app.engine.test_notifications(&caller).await?))
}
