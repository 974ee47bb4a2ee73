//! Redacting a message: its words and files go, everything else stays [W6].

use ygg_domain::Refusal;
use ygg_domain::id::MessageId;
use ygg_domain::message::redact;
use ygg_wire::message::MessageView;

use super::read::{readable, view};
use crate::commit::Write;
use crate::guard::Guard;
use crate::{Caller, Engine, Result};

impl Engine {
    /// The message as it is now. Redacting it again changes nothing.
    pub async fn redact(&self, caller: &Caller, message: &str) -> Result<MessageView> {
        let id: MessageId = message.parse().map_err(|_| Refusal::NotFound { what: "message" })?;
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let change = {
                let guard = Guard::new(work.tx, &caller)?;
                redact::decide(&readable(&guard, id)?.message, &guard.reader)?
            };
            work.apply(caller.workspace, change.as_slice())?;
            let guard = Guard::new(work.tx, &caller)?;
            Ok(view(&guard, readable(&guard, id)?)?)
        })
        .await
    }
}
