//! `ygg_inbox`: what waits for the caller, rendered and fenced by the engine.

use ygg_engine::{Caller, Engine};
use ygg_wire::inbox::ReadInbox;

use crate::answer::{Answer, done};
use crate::arguments::Arguments;

pub async fn read(engine: &Engine, caller: &Caller, arguments: &Arguments) -> Answer {
    let read = ReadInbox { peek: arguments.flag("peek")?, again: arguments.flag("again")? };
    let inbox = engine.inbox(caller, read).await?;
    Ok(done(inbox.text.clone(), &inbox))
}
