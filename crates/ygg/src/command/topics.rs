//! `ygg topics`: the list, and what a person may do with one.

use clap::{Args, Subcommand};
use ygg_client::WhichTopics;
use ygg_wire::topic::TopicView;

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::names::Names;
use crate::output::{BOLD, DIM, one_line};
use crate::words;

#[derive(Args)]
pub struct Topics {
    #[command(subcommand)]
    what: Option<What>,
    /// Only those of this conversation
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// `next` of the page before
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    /// Topics, 200 at most
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

#[derive(Subcommand)]
enum What {
    /// Show one topic
    Show { id: String },
    /// Close a topic for good
    Close { id: String },
    /// Give a topic another title
    Title { id: String, title: String },
}

impl Topics {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        match self.what {
            None => {
                let which =
                    WhichTopics { conversation: self.conversation, after: self.after, limit: self.limit };
                let page = client.topics(&which).await?;
                let names = Names::known(&client, global.output).await;
                global.output.give(&page, || list(&page.items, page.next.as_deref(), &names))
            }
            Some(What::Show { id }) => {
                let topic = client.topic(&id).await?;
                let names = Names::known(&client, global.output).await;
                global.output.give(&topic, || block(&topic, &names))
            }
            Some(What::Close { id }) => {
                let topic = client.close_topic(&id).await?;
                let names = Names::known(&client, global.output).await;
                global.output.confirm(&topic, || block(&topic, &names))
            }
            Some(What::Title { id, title }) => {
                let topic = client.retitle_topic(&id, &title).await?;
                let names = Names::known(&client, global.output).await;
                global.output.confirm(&topic, || block(&topic, &names))
            }
        }
    }
}

fn list(topics: &[TopicView], next: Option<&str>, names: &Names) -> String {
    if topics.is_empty() {
        return "No topics.".to_owned();
    }
    let mut out: String = topics.iter().map(|topic| block(topic, names)).collect();
    if let Some(next) = next {
        out.push_str(&format!("More: --after {next}\n"));
    }
    out
}

/// A topic over two or three lines.
pub fn block(topic: &TopicView, names: &Names) -> String {
    let title = topic.title.as_deref().map_or_else(|| "(untitled)".to_owned(), one_line);
    let paused = match topic.paused_for.as_deref() {
        Some("credits") => ", for want of credits",
        Some(_) => ", for a person",
        None => "",
    };
    let mut out = format!(
        "{BOLD}{title}{BOLD:#}\n  {DIM}{} in {}, opened by {} at {}{DIM:#}\n  {}{paused}",
        topic.id,
        topic.conversation_id,
        names.show(&topic.opener),
        words::local(&topic.opened_at),
        topic.status
    );
    for (who, state) in &topic.states {
        out.push_str(&format!(", {} {state}", names.show(who)));
        if let Some(for_whom) = topic.waiting_for.get(who) {
            out.push_str(&format!(" for {}", names.joined(for_whom, " and ")));
        }
    }
    if let Some(budget) = topic.budget {
        out.push_str(&format!("; budget {}", words::credits(budget)));
    }
    if let Some(unread) = topic.unread.filter(|unread| *unread > 0) {
        out.push_str(&format!(", {BOLD}{unread} unread{BOLD:#}"));
    }
    out.push('\n');
    out
}
