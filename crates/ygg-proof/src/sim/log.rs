//! What was committed: the events of the whole workspace, as the store has them, with the messages that they tell of.

use anyhow::Result;
use serde_json::Value;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::{Store, Within};

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub seq: i64,
    pub kind: String,
    pub data: Value,
    /// Of a message that was posted.
    pub posted: Option<Box<Posted>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Posted {
    pub topic: String,
    pub sender: String,
    pub kind: &'static str,
    pub text: String,
    pub in_reply_to: Option<String>,
    pub charged: i64,
    pub recipients: Vec<Recipient>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Recipient {
    pub id: String,
    /// `wake`, `context` or `notify`.
    pub effect: &'static str,
    pub reason: Option<&'static str>,
    pub operator: bool,
}

/// Rows of the log looked at in one go.
const ROWS: usize = 500;

/// All that came after `after`.
pub fn read(store: &dyn Store, workspace: WorkspaceKey, after: i64) -> Result<Vec<Entry>> {
    let mut found: Vec<Entry> = Vec::new();
    let mut trouble = Ok(());
    store.read(Within::Workspace(workspace), &mut |rows| {
        loop {
            let from = found.last().map_or(after, |entry| entry.seq);
            let logged = rows.events(workspace, from, ROWS)?;
            let more = logged.len() == ROWS;
            for row in logged {
                let data: Value = match serde_json::from_str(&row.data) {
                    Ok(data) => data,
                    Err(error) => {
                        trouble = Err(error);
                        return Ok(());
                    }
                };
                let posted = match row.kind.as_str() {
                    "conversation.message.posted" => posted(rows, workspace, &data)?.map(Box::new),
                    _ => None,
                };
                found.push(Entry { seq: row.seq, kind: row.kind, data, posted });
            }
            if !more {
                return Ok(());
            }
        }
    })?;
    trouble?;
    Ok(found)
}

fn posted(
    rows: &dyn ygg_store::Rows,
    workspace: WorkspaceKey,
    data: &Value,
) -> ygg_store::Result<Option<Posted>> {
    let Some(id) = data["message_id"].as_str().and_then(|id| id.parse().ok()) else { return Ok(None) };
    let Some(logged) = rows.message(workspace, id)? else { return Ok(None) };
    let message = logged.message;
    let recipients = rows.deliveries(workspace, id)?.into_iter().map(|delivered| Recipient {
        id: delivered.recipient.to_string(),
        effect: delivered.effect.name(),
        reason: delivered.effect.reason(),
        operator: delivered.trust == ygg_domain::participant::Trust::Operator,
    });
    Ok(Some(Posted {
        topic: message.topic.to_string(),
        sender: message.sender.to_string(),
        kind: message.kind.name(),
        text: message.text,
        in_reply_to: message.in_reply_to.map(|id| id.to_string()),
        charged: message.charged,
        recipients: recipients.collect(),
    }))
}
