//! Where a person is told outside of Ygg.

use reqwest::Method;
use serde_json::json;
use ygg_wire::notification::{NotificationTested, NotificationsSet, NotificationsView, SetNotifications};

use crate::{Client, Result};

const PATH: [&str; 2] = ["me", "notifications"];

impl Client {
    pub async fn notifications(&self) -> Result<NotificationsView> {
        self.get(&PATH, &[]).await
    }

    pub async fn set_notifications(&self, set: &SetNotifications) -> Result<NotificationsSet> {
        self.call(Method::PUT, &PATH, set).await
    }

    pub async fn stop_notifications(&self) -> Result<NotificationsView> {
        self.delete(&PATH).await
    }

    pub async fn test_notifications(&self) -> Result<NotificationTested> {
        self.post(&["me", "notifications", "test"], &json!({})).await
    }
}
