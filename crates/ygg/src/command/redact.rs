//! `ygg redact`: takes a message's words and files out for good.

use clap::Args;

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::names::Names;
use crate::words::local;

#[derive(Args)]
pub struct Redact {
    /// The message's id (msg_…)
    message: String,
}

impl Redact {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        let message = client.redact(&self.message).await?;
        let names = Names::known(&client, global.output).await;
        global.output.confirm(&message, || {
            let by = message.redacted.as_ref();
            let by =
                by.map(|redacted| format!(" by {} at {}", names.show(&redacted.by), local(&redacted.at)));
            format!(
                "{} was redacted{}: its text and files are gone for good, a mark stands in their place.\n\
                 Whoever read it before has seen it: revoke what it gave away.\n",
                message.id,
                by.unwrap_or_default()
            )
        })
    }
}
