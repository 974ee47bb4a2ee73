//! The agent's side: a real MCP client over a child process, doing the tool calls that it is told to. Orders come on
//! standard input and answers go to standard output, a JSON object per line.

use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

use crate::failure::{Failure, Outcome};

#[derive(Debug, Serialize, Deserialize)]
pub struct Order {
    pub tool: String,
    pub arguments: Map<String, Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// The first line: the tools that the server offers.
    Ready {
        tools: Vec<String>,
    },
    Result {
        is_error: bool,
        data: Value,
    },
    /// No result: the protocol itself failed.
    Failed(String),
}

pub async fn run(profile: &str) -> Outcome {
    let client = connect(profile).await?;
    let tools =
        client.list_all_tools().await.map_err(|error| broken("the tools cannot be listed", &error))?;
    tell(&Told::Ready { tools: tools.into_iter().map(|tool| tool.name.into_owned()).collect() }).await?;
    let mut orders = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) =
        orders.next_line().await.map_err(|error| broken("orders cannot be read", &error))?
    {
        let order: Order =
            serde_json::from_str(&line).map_err(|error| broken("an order does not read", &error))?;
        tell(&obey(&client, order).await).await?;
    }
    // Ends the proxy as well: its input ends.
    client.cancel().await.map(|_| ()).map_err(|error| broken("the client did not end well", &error))
}

/// The agent's own `ygg mcp`, with its key in the profile and nowhere on a command line.
async fn connect(profile: &str) -> Outcome<RunningService<RoleClient, ()>> {
    let program = std::env::current_exe().map_err(|error| broken("this program cannot be found", &error))?;
    let mut proxy = Command::new(program);
    proxy.args(["mcp", "--profile", profile]);
    let transport =
        TokioChildProcess::new(proxy).map_err(|error| broken("no `ygg mcp` can be started", &error))?;
    ().serve(transport).await.map_err(|error| broken("`ygg mcp` does not speak", &error))
}

async fn obey(client: &RunningService<RoleClient, ()>, order: Order) -> Told {
    let call = CallToolRequestParams::new(order.tool).with_arguments(order.arguments);
    match client.call_tool(call).await {
        Ok(CallToolResult { is_error, structured_content, .. }) => {
            Told::Result { is_error: is_error.unwrap_or(false), data: structured_content.unwrap_or_default() }
        }
        Err(error) => Told::Failed(error.to_string()),
    }
}

async fn tell(told: &Told) -> Outcome {
    let mut line = serde_json::to_vec(told).map_err(|error| broken("an answer does not write", &error))?;
    line.push(b'\n');
    let mut out = tokio::io::stdout();
    let written = async {
        out.write_all(&line).await?;
        out.flush().await
    };
    written.await.map_err(|error| broken("nobody listens", &error))
}

fn broken(what: &str, error: &dyn std::error::Error) -> Failure {
    Failure::Failed(format!("an agent of the demonstration: {what}: {error}."))
}
