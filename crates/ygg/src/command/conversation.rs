//! `ygg conversation`: reads back what was said. The id says what: a conversation, a topic or a message; without
//! one, the conversations there are.

use clap::Args;
use ygg_client::{Client, WhichTopics};
use ygg_domain::key::KeyKind;
use ygg_wire::Page;
use ygg_wire::conversation::ConversationView;
use ygg_wire::message::MessageView;

use crate::cli::Global;
use crate::command::files;
use crate::command::topics::block;
use crate::failure::Outcome;
use crate::identity;
use crate::names::Names;
use crate::output::{BOLD, DIM, NAME, indented, table};
use crate::words::{self, effect};

#[derive(Args)]
pub struct Conversation {
    /// A conversation (cnv_…), a topic (top_…) or a message (msg_…)
    id: Option<String>,
    /// `next` of the page before
    #[arg(long, value_name = "PLACE")]
    after: Option<String>,
    /// Look at a topic without marking it read; only people mark
    #[arg(long)]
    peek: bool,
    /// Rows, 200 at most
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

impl Conversation {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        let names = Names::known(&client, global.output).await;
        let (after, limit) = (self.after.as_deref(), self.limit);
        match self.id.as_deref() {
            None => {
                let page = client.conversations(after, limit).await?;
                global.output.give(&page, || list(&page, &names))
            }
            Some(id) if id.starts_with("top_") => {
                let page = client.messages(id, after, limit).await?;
                global.output.give(&page, || messages(&page, &names))?;
                // What was shown is read, and nothing before that: a page that was not printed is still unread.
                match page.items.last().filter(|_| !self.peek && by_a_person(global)) {
                    Some(last) => client.read_topic(id, last.seq).await.map(|_| ()).map_err(Into::into),
                    None => Ok(()),
                }
            }
            Some(id) if id.starts_with("msg_") => {
                let message = client.message(id).await?;
                global.output.give(&message, || whole(&message, &names))
            }
            Some(id) => one(global, &client, &names, id, self.after.clone(), limit).await,
        }
    }
}

/// Agents have no read cursor: their inbox marks what it hands out.
fn by_a_person(global: &Global) -> bool {
    identity::find(global).is_ok_and(|target| target.key.starts_with(KeyKind::Person.prefix()))
}

/// A conversation with its topics.
async fn one(
    global: &Global,
    client: &Client,
    names: &Names,
    id: &str,
    after: Option<String>,
    limit: Option<usize>,
) -> Outcome {
    let conversation = client.conversation(id).await?;
    let topics = client.topics(&WhichTopics { conversation: Some(id.to_owned()), after, limit }).await?;
    let data = serde_json::json!({"conversation": conversation, "topics": topics});
    global.output.give(&data, || {
        let mut out = table(&[row(&conversation, names)]);
        out.extend(topics.items.iter().map(|topic| block(topic, names)));
        out.push_str(&more(topics.next.as_deref()));
        out
    })
}

fn list(page: &Page<ConversationView>, names: &Names) -> String {
    let mut out = table(&page.items.iter().map(|one| row(one, names)).collect::<Vec<_>>());
    out.push_str(&more(page.next.as_deref()));
    out
}

pub fn row(conversation: &ConversationView, names: &Names) -> Vec<String> {
    let kind = match &conversation.group {
        Some(group) => format!("group:{group}"),
        None if conversation.private => format!("private {}", conversation.kind),
        None => conversation.kind.clone(),
    };
    vec![conversation.id.clone(), kind, names.joined(&conversation.participants, ", ")]
}

fn messages(page: &Page<MessageView>, names: &Names) -> String {
    if page.items.is_empty() {
        return "No messages.".to_owned();
    }
    let mut out: String = page.items.iter().map(|message| whole(message, names)).collect();
    out.push_str(&more(page.next.as_deref()));
    out
}

fn whole(message: &MessageView, names: &Names) -> String {
    let state = message.state.as_deref().map(|state| format!(", {state}")).unwrap_or_default();
    let answer = message.in_reply_to.as_deref().map(|id| format!(" to {id}")).unwrap_or_default();
    let mut out = format!(
        "{NAME}{}{NAME:#} {BOLD}{}{BOLD:#}{answer}{state} {DIM}{} at {}{DIM:#}\n",
        names.show(&message.sender),
        message.kind,
        message.id,
        words::local(&message.sent_at)
    );
    out.push_str(&indented(&message.text, "  "));
    if let Some(redacted) = &message.redacted {
        let at = words::local(&redacted.at);
        out.push_str(&format!("  {DIM}redacted by {} at {at}{DIM:#}\n", names.show(&redacted.by)));
    }
    for file in &message.attachments {
        out.push_str(&format!("  {DIM}with {}{DIM:#}", files::line(file)));
    }
    for met in &message.recipients {
        let recipient = ygg_wire::receipt::Recipient {
            id: met.id.clone(),
            effect: met.effect.clone(),
            reason: met.reason.clone(),
        };
        let debt = match met.debt.as_deref() {
            Some("open") => ", owes an answer",
            Some("settled") => ", has answered",
            Some(_) | None => "",
        };
        out.push_str(&format!("  {DIM}{}: {}{debt}{DIM:#}\n", effect(&recipient, names), met.step));
    }
    out
}

fn more(next: Option<&str>) -> String {
    next.map(|next| format!("More: --after {next}\n")).unwrap_or_default()
}
