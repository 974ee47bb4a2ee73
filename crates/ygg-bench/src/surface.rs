//! Senders that speak to a server's surfaces: HTTP and the MCP tools, one connection for each.

use std::time::Instant;

use anyhow::{Context, Result};
use hyper::Method;
use hyper::body::{Bytes, Incoming};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::load::Lane;
use crate::server::Server;
use crate::traffic::{Script, Side, Told};
use crate::wire::Connection;
use crate::world::WORKSPACE;

/// Which surface a sender uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    Http,
    Mcp,
}

pub struct SurfaceLane {
    surface: Surface,
    connection: Connection,
    asker: String,
    answerer: String,
    script: Script,
    /// Told of each message when its receipt came.
    accepted: Option<mpsc::UnboundedSender<Accepted>>,
}

/// A message's id, and when its sender knew it was taken.
pub type Accepted = (String, Instant);

impl SurfaceLane {
    pub fn tell_accepted(&mut self, accepted: mpsc::UnboundedSender<Accepted>) {
        self.accepted = Some(accepted);
    }

    /// The topic that the lane is in.
    pub fn topic(&self) -> Option<&str> {
        self.script.topic()
    }
}

impl Server {
    /// The owner's stream, which tells everything, from now on.
    pub async fn events(&self) -> Result<Incoming> {
        self.connect().await?.stream(&format!("/v1/w/{WORKSPACE}/events"), self.owner()).await
    }

    pub async fn lanes(
        &self,
        lanes: usize,
        surface: Surface,
        script: fn(usize) -> Script,
    ) -> Result<Vec<SurfaceLane>> {
        let mut made = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            let script = script(lane);
            let asker = self.key(&script.asker).await?;
            // As in this process: no agent may have as many keys as there are lanes.
            let answerer =
                if script.is_answered() { self.key(&script.answerer).await? } else { asker.clone() };
            let connection = self.connect().await?;
            made.push(SurfaceLane { surface, connection, asker, answerer, script, accepted: None });
        }
        Ok(made)
    }
}

impl Lane for SurfaceLane {
    async fn send(&mut self) -> Result<()> {
        let (side, draft) = self.script.next();
        let key = match side {
            Side::Asker => &self.asker,
            Side::Answerer => &self.answerer,
        };
        let told: Told = match self.surface {
            Surface::Http => {
                let path = format!("/v1/w/{WORKSPACE}/messages");
                let body = serde_json::to_vec(&draft)?;
                serde_json::from_slice(&self.connection.call(Method::POST, &path, key, body).await?)?
            }
            Surface::Mcp => {
                let body = serde_json::to_vec(&call("ygg_send", draft))?;
                receipt(&self.connection.call(Method::POST, "/mcp", key, body).await?)?
            }
        };
        if let (Some(accepted), Some(id)) = (&self.accepted, &told.message_id) {
            accepted.send((id.clone(), Instant::now()))?;
        }
        self.script.told(told)
    }
}

fn call(tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

fn receipt(answer: &Bytes) -> Result<Told> {
    #[derive(Deserialize)]
    struct Frame {
        result: Option<CallResult>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct CallResult {
        structured_content: Told,
    }
    let frame: Frame = serde_json::from_slice(answer)
        .with_context(|| format!("no receipt: {}", String::from_utf8_lossy(answer)))?;
    Ok(frame.result.context("a tool call was answered with an error")?.structured_content)
}
