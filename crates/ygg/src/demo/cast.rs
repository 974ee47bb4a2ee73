//! The conductor's hold on one agent process: it says which tool to call, and gets what came of it.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::demo::agent::{Order, Told};
use crate::failure::{Failure, Outcome};
use crate::identity::{KEY_VARIABLE, URL_VARIABLE, WORKSPACE_VARIABLE};
use crate::places::{CONFIG_VARIABLE, DATA_VARIABLE, Places};

/// For one answer, on a machine that is busy with other things.
const ANSWER: Duration = Duration::from_secs(30);
/// For an agent and its proxy to end by themselves.
const FAREWELL: Duration = Duration::from_secs(5);

/// Ended when dropped, whatever the reason.
pub struct Agent {
    pub id: &'static str,
    child: Child,
    orders: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

/// What a tool gave back.
pub struct Answer {
    pub is_error: bool,
    pub data: Value,
}

impl Agent {
    /// Starts the process and waits until it has the server's tools.
    pub async fn start(id: &'static str, places: &Places) -> Outcome<Self> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::Failed(format!("this program cannot be found: {error}.")))?;
        let mut command = Command::new(program);
        command.args(["demo-agent", "--profile", id]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.kill_on_drop(true);
        for name in [KEY_VARIABLE, URL_VARIABLE, WORKSPACE_VARIABLE] {
            command.env_remove(name);
        }
        for (name, folder) in [(DATA_VARIABLE, &places.data), (CONFIG_VARIABLE, &places.config)] {
            if let Some(folder) = folder {
                command.env(name, folder);
            }
        }
        let mut child = command.spawn().map_err(|error| lost(id, &error.to_string()))?;
        let (Some(orders), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(lost(id, "it has no input or output"));
        };
        let mut agent = Self { id, child, orders, answers: BufReader::new(answers).lines() };
        match agent.next().await? {
            Told::Ready { tools } if tools.iter().any(|tool| tool == "ygg_send") => Ok(agent),
            other => Err(lost(id, &format!("it began with {other:?}"))),
        }
    }

    pub async fn call(&mut self, tool: &str, arguments: Map<String, Value>) -> Outcome<Answer> {
        let order = Order { tool: tool.to_owned(), arguments };
        let mut line = serde_json::to_vec(&order).map_err(|error| lost(self.id, &error.to_string()))?;
        line.push(b'\n');
        self.orders.write_all(&line).await.map_err(|error| lost(self.id, &error.to_string()))?;
        match self.next().await? {
            Told::Result { is_error, data } => Ok(Answer { is_error, data }),
            Told::Failed(why) => Err(lost(self.id, &why)),
            Told::Ready { .. } => Err(lost(self.id, "it began once more")),
        }
    }

    async fn next(&mut self) -> Outcome<Told> {
        let line = match tokio::time::timeout(ANSWER, self.answers.next_line()).await {
            Ok(Ok(Some(line))) => line,
            Ok(Ok(None)) => return Err(lost(self.id, "it has ended")),
            Ok(Err(error)) => return Err(lost(self.id, &error.to_string())),
            Err(_) => return Err(lost(self.id, "it does not answer")),
        };
        serde_json::from_str(&line).map_err(|error| lost(self.id, &error.to_string()))
    }

    /// Its input ends, so it ends, and its proxy with it.
    pub async fn end(self) {
        let Self { mut child, orders, .. } = self;
        drop(orders);
        if tokio::time::timeout(FAREWELL, child.wait()).await.is_err() {
            // Its proxy ends as well then, for want of input.
            let _ = child.kill().await;
        }
    }
}

fn lost(id: &str, why: &str) -> Failure {
    Failure::Failed(format!("the agent {id} of the demonstration is lost: {why}."))
}
