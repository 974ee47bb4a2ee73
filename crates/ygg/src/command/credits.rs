//! `ygg credits`: what there is, how it moved, and handing it out.

use clap::{Args, Subcommand};
use ygg_wire::Page;
use ygg_wire::credits::{CreditsView, EntryView};

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::names::Names;
use crate::output::table;
use crate::words;

#[derive(Args)]
pub struct Credits {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// What the pool, the wallets and the budgets hold
    Show,
    /// Every movement, newest first
    Ledger {
        /// `next` of the page before
        #[arg(long, value_name = "PLACE")]
        after: Option<String>,
        /// Rows, 200 at most
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
    /// Hand out credits; an agent that is funded by itself gets its own wallet
    Grant {
        /// pool, an agent's id, or a topic's id
        to: String,
        credits: i64,
    },
}

impl Credits {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        match self.what.unwrap_or(What::Show) {
            What::Show => {
                let held = client.credits().await?;
                global.output.give(&held, || pots(&held))
            }
            What::Ledger { after, limit } => {
                let page = client.ledger(after.as_deref(), limit).await?;
                let names = Names::known(&client, global.output).await;
                global.output.give(&page, || ledger(&page, &names))
            }
            What::Grant { to, credits } => {
                let entry = client.grant(&to, credits).await?;
                global.output.confirm(&entry, || {
                    format!(
                        "{} granted; {} holds {} now.",
                        words::credits(entry.amount),
                        entry.pot,
                        entry.balance
                    )
                })
            }
        }
    }
}

fn pots(held: &CreditsView) -> String {
    let mut rows = vec![vec!["pool".to_owned(), held.pool.to_string()]];
    rows.extend(
        held.wallets.iter().map(|(agent, credits)| vec![format!("wallet:{agent}"), credits.to_string()]),
    );
    rows.extend(
        held.budgets.iter().map(|(topic, credits)| vec![format!("budget:{topic}"), credits.to_string()]),
    );
    table(&rows)
}

fn ledger(page: &Page<EntryView>, names: &Names) -> String {
    let row = |entry: &EntryView| {
        vec![
            words::local(&entry.at),
            entry.pot.clone(),
            format!("{:+}", entry.amount),
            format!("→ {}", entry.balance),
            entry.reason.clone(),
            format!("by {}", names.show(&entry.by)),
            entry.message_id.clone().unwrap_or_default(),
        ]
    };
    let mut out = table(&page.items.iter().map(row).collect::<Vec<_>>());
    if let Some(next) = &page.next {
        out.push_str(&format!("More: --after {next}\n"));
    }
    out
}
