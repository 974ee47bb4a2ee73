//! A client that says exactly the bytes it is told to.

use std::collections::HashMap;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use crate::world::{PATIENCE, World};

pub struct Wire {
    reading: OwnedReadHalf,
    pub writing: OwnedWriteHalf,
    held: Vec<u8>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl Wire {
    pub async fn to(world: &World) -> Self {
        Self::over(TcpStream::connect(world.address()).await.expect("a connection"))
    }

    pub fn over(socket: TcpStream) -> Self {
        let (reading, writing) = socket.into_split();
        Self { reading, writing, held: Vec::new() }
    }

    pub async fn say(&mut self, bytes: impl AsRef<[u8]>) {
        self.writing.write_all(bytes.as_ref()).await.expect("a connection that takes bytes");
    }

    /// The next answer; none when the connection ends instead.
    pub async fn hear(&mut self) -> Option<Answer> {
        tokio::time::timeout(PATIENCE, self.hear_on()).await.expect("an answer in time")
    }

    async fn hear_on(&mut self) -> Option<Answer> {
        let end = loop {
            if let Some(end) = self.held.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            self.more().await?;
        };
        let head = String::from_utf8_lossy(&self.held[..end]).into_owned();
        self.held.drain(..end + 4);
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: HashMap<String, String> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let size: usize = headers.get("content-length").and_then(|size| size.parse().ok()).unwrap_or(0);
        while self.held.len() < size {
            self.more().await?;
        }
        let body = String::from_utf8_lossy(&self.held[..size]).into_owned();
        self.held.drain(..size);
        Some(Answer { status, headers, body })
    }

    /// Everything up to the end of the connection.
    pub async fn rest(&mut self) -> String {
        let read = async { while self.more().await.is_some() {} };
        tokio::time::timeout(PATIENCE, read).await.expect("an end in time");
        String::from_utf8_lossy(&self.held).into_owned()
    }

    /// Reads on until the text has come.
    pub async fn until(&mut self, text: &str) {
        let read = async {
            let mut looked_at: usize = 0;
            loop {
                let from = looked_at.saturating_sub(text.len());
                if self.held[from..].windows(text.len()).any(|part| part == text.as_bytes()) {
                    return;
                }
                looked_at = self.held.len();
                self.more().await.expect("a connection that goes on");
            }
        };
        tokio::time::timeout(PATIENCE, read).await.expect("the text in time");
    }

    async fn more(&mut self) -> Option<()> {
        let read = self.reading.read_buf(&mut self.held).await.ok()?;
        (read > 0).then_some(())
    }
}

impl Answer {
    /// The problem, after what every problem has to have.
    pub fn problem(&self) -> Value {
        assert_eq!(
            self.headers.get("content-type").map(String::as_str),
            Some("application/problem+json"),
            "{self:?}"
        );
        let problem: Value = serde_json::from_str(&self.body).expect("JSON");
        assert_eq!(problem["status"], self.status, "{self:?}");
        let reason = problem["reason"].as_str().expect("a reason");
        assert_eq!(problem["type"], format!("/errors/{reason}"));
        for field in ["title", "help"] {
            assert!(!problem[field].as_str().unwrap_or_default().is_empty(), "{field}: {self:?}");
        }
        assert!(problem["facts"].is_object(), "{self:?}");
        assert!(self.headers.contains_key("x-request-id"), "{self:?}");
        problem
    }
}
