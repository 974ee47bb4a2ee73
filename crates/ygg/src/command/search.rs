//! `ygg search`: messages, topics and names by their words, as far as you may read them.

use clap::Args;
use ygg_wire::search::{HitView, SearchPage};

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::names::Names;
use crate::output::{BOLD, DIM, NAME, one_line};
use crate::words::local;

#[derive(Args)]
pub struct Search {
    /// All of them have to be there; the last may go on
    #[arg(required = true, value_name = "WORD")]
    words: Vec<String>,
    /// `next` of the page before
    #[arg(long, value_name = "PLACE")]
    after: Option<String>,
    /// Rows, 200 at most
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

impl Search {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        let page = client.search(&self.words.join(" "), self.after.as_deref(), self.limit).await?;
        let names = Names::known(&client, global.output).await;
        global.output.give(&page, || shown(&page, &names))
    }
}

fn shown(page: &SearchPage, names: &Names) -> String {
    let mut out = String::new();
    for found in &page.participants {
        out.push_str(&format!("{NAME}{}{NAME:#} {}\n", names.show(&found.id), one_line(&found.display_name)));
    }
    out.extend(page.items.iter().map(|hit| row(hit, names)));
    if out.is_empty() && page.next.is_none() {
        return "Nothing was found.".to_owned();
    }
    out.extend(page.next.as_ref().map(|next| format!("More: --after {next}\n")));
    out
}

fn row(hit: &HitView, names: &Names) -> String {
    let id = hit.message_id.as_ref().unwrap_or(&hit.topic_id);
    let title = hit.title.as_deref().map(one_line).unwrap_or_default();
    let snippet = match hit.kind.as_str() {
        "topic" => String::new(),
        _ => format!("  {}\n", one_line(&hit.snippet)),
    };
    format!(
        "{NAME}{}{NAME:#} {BOLD}{title}{BOLD:#} {DIM}{id} at {}{DIM:#}\n{snippet}",
        names.show(&hit.sender),
        local(&hit.sent_at)
    )
}
