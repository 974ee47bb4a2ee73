//! `ygg me`: who the caller is, where, and what stands open.

use clap::Args;
use ygg_domain::render::counted;
use ygg_wire::me::{Me as Found, MyTopic};

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::names::Names;
use crate::output::{BOLD, DIM, one_line};
use crate::words::credits;

#[derive(Args)]
pub struct Me {}

impl Me {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        let found = client.me().await?;
        let names = Names::known(&client, global.output).await;
        global.output.give(&found, || words(&found, &names))
    }
}

fn words(me: &Found, names: &Names) -> String {
    let role = me.role.as_deref().map(|role| format!(", {role}")).unwrap_or_default();
    let mut out = format!(
        "{BOLD}{}{BOLD:#} ({}{role}) in workspace {BOLD}{}{BOLD:#}\n",
        one_line(&me.display_name),
        names.show(&me.id),
        me.workspace
    );
    if me.paused {
        out.push_str("Paused: a person stopped it; nothing is lost.\n");
    }
    if let (Some(pot), Some(balance)) = (&me.pot, me.balance) {
        out.push_str(&format!("Pays from {pot}, which holds {}.\n", credits(balance)));
    }
    if let Some(limit) = me.topic_limit {
        let limit = counted(i64::from(limit), "topic");
        out.push_str(&format!("Holds {} of at most {limit} that it opened.\n", me.topics_held));
    }
    let waiting = counted(i64::try_from(me.wakes_waiting).unwrap_or(i64::MAX), "topic");
    out.push_str(&format!("{} unread, {waiting} with wakes waiting.\n", me.unread));
    for topic in &me.topics {
        out.push_str(&topic_words(topic));
    }
    out
}

fn topic_words(topic: &MyTopic) -> String {
    let title = topic.title.as_deref().map_or_else(|| "(untitled)".to_owned(), one_line);
    let mut out = format!("  {} {title} {DIM}{}, you: {}{DIM:#}\n", topic.id, topic.status, topic.state);
    if !topic.owes.is_empty() {
        out.push_str(&format!("    you owe an answer to {}\n", topic.owes.join(", ")));
    }
    if !topic.owed.is_empty() {
        out.push_str(&format!("    you wait for an answer to {}\n", topic.owed.join(", ")));
    }
    out
}
