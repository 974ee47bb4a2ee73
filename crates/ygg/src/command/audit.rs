//! `ygg audit`: what people decided, who read what others say in private, and which sends were refused.

use clap::Args;
use ygg_client::WhichActs;
use ygg_wire::Page;
use ygg_wire::audit::AuditView;

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::names::Names;
use crate::output::{one_line, table};
use crate::words;

#[derive(Args)]
pub struct Audit {
    /// Only acts of this one: an id, a handle, or server
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    /// Only acts of this kind, such as key_made or send_refused
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// `next` of the page before
    #[arg(long, value_name = "PLACE")]
    after: Option<String>,
    /// Rows, 200 at most
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

impl Audit {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        let Self { by, kind, after, limit } = self;
        let page = client.audit(&WhichActs { kind, by, after, limit }).await?;
        let names = Names::known(&client, global.output).await;
        global.output.give(&page, || list(&page, &names))
    }
}

fn list(page: &Page<AuditView>, names: &Names) -> String {
    if page.items.is_empty() {
        return "Nothing was done.".to_owned();
    }
    let mut out = table(&page.items.iter().map(|act| row(act, names)).collect::<Vec<_>>());
    out.push_str(&page.next.as_deref().map(|next| format!("More: --after {next}\n")).unwrap_or_default());
    out
}

fn row(act: &AuditView, names: &Names) -> Vec<String> {
    let times = if act.times > 1 { format!("{} times", act.times) } else { String::new() };
    let whom = act.participant.as_deref().map(|id| names.show(id).to_owned());
    let place = act.topic_id.clone().or_else(|| act.conversation_id.clone());
    let data = act.data.iter().map(|(name, value)| match value.as_str() {
        Some(text) => format!("{name} {text}"),
        None => format!("{name} {value}"),
    });
    let about: Vec<String> = whom.into_iter().chain(place).chain(data).collect();
    let kind = act.kind.replace('_', " ");
    vec![words::local(&act.at), names.show(&act.by).to_owned(), kind, one_line(&about.join(", ")), times]
}
