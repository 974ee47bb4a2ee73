//! `ygg send`: one message, and what became of it.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;
use tokio::io::AsyncReadExt;
use ygg_domain::limits;
use ygg_wire::draft::Draft;

use crate::cli::Global;
use crate::command::files::LocalFile;
use crate::failure::{Failure, Outcome};
use crate::identity;
use crate::names::Names;
use crate::words;

#[derive(Args)]
pub struct Send {
    /// An id, @handle, group:NAME or conversation; again for each
    #[arg(long, value_name = "WHO", required = true)]
    to: Vec<String>,
    /// What it wants of its recipients
    #[arg(long = "type", value_name = "TYPE", value_parser = ["request", "response", "inform"])]
    kind: Option<String>,
    /// A topic's id, or new
    #[arg(long, value_name = "ID")]
    topic: Option<String>,
    /// Title of a new topic
    #[arg(long)]
    title: Option<String>,
    /// What to say; - reads it from standard input
    #[arg(long)]
    text: Option<String>,
    /// JSON that goes with it and that nobody interprets
    #[arg(long, value_name = "JSON")]
    body: Option<String>,
    /// A file to go along; again for each
    #[arg(long, value_name = "FILE")]
    attach: Vec<PathBuf>,
    /// Where you stand in the topic from now on
    #[arg(long, value_parser = ["working", "waiting", "needs_human", "done"])]
    state: Option<String>,
    /// Whom you wait for; again for each
    #[arg(long, value_name = "WHO")]
    waiting_for: Vec<String>,
    /// The request that a response answers
    #[arg(long, value_name = "MESSAGE")]
    in_reply_to: Option<String>,
    /// Where a new topic goes, if not where its recipients say
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// The same key again is the same send
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

impl Send {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        // All are read before the first is brought: a name that is mistyped leaves nothing behind.
        let files = self.attach.iter().map(|path| LocalFile::read(path)).collect::<Outcome<Vec<_>>>()?;
        let mut draft = self.draft().await?;
        for file in files {
            draft.attachments.push(file.upload(&client).await?.id);
        }
        let receipt = client.send(&draft).await?;
        let names = Names::known(&client, global.output).await;
        global.output.confirm(&receipt, || words::receipt(&receipt, &names))
    }

    async fn draft(self) -> Outcome<Draft> {
        let text = match self.text.as_deref() {
            Some("-") => Some(from_input().await?),
            _ => self.text,
        };
        let body = match &self.body {
            None => None,
            Some(body) => Some(
                serde_json::from_str(body)
                    .map_err(|error| Failure::usage(format!("--body is no JSON: {error}.")))?,
            ),
        };
        Ok(Draft {
            to: Value::from(self.to),
            kind: self.kind,
            topic_id: self.topic,
            title: self.title,
            text,
            body,
            attachments: Vec::new(),
            in_reply_to: self.in_reply_to,
            state: self.state,
            waiting_for: Some(self.waiting_for).filter(|named| !named.is_empty()).map(Value::from),
            conversation_id: self.conversation,
            idempotency_key: self.key,
        })
    }
}

/// All of standard input, up to a little more than a message may have: the server says what is too much.
async fn from_input() -> Outcome<String> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limits::MESSAGE_TEXT_BYTES + 1).unwrap_or(u64::MAX);
    let read = tokio::io::stdin().take(most).read_to_end(&mut bytes).await;
    read.map_err(|error| Failure::usage(format!("standard input cannot be read: {error}.")))?;
    let cut = bytes.len() > limits::MESSAGE_TEXT_BYTES;
    String::from_utf8(bytes).or_else(|error| {
        // The cut may have gone through a character.
        if cut && error.utf8_error().error_len().is_none() {
            Ok(String::from_utf8_lossy(error.as_bytes()).into_owned())
        } else {
            Err(Failure::usage("standard input is no text: it is not UTF-8."))
        }
    })
}
