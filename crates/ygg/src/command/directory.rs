//! `ygg directory`: people, agents and groups of the workspace.

use clap::Args;
use ygg_wire::participant::{AgentView, Directory as Found};

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::output::{BOLD, one_line, table};

#[derive(Args)]
pub struct Directory {}

impl Directory {
    pub async fn run(self, global: &Global) -> Outcome {
        let found = identity::client(global)?.directory().await?;
        global.output.give(&found, || words(&found))
    }
}

fn words(found: &Found) -> String {
    let people = found.people.iter().map(|one| vec![format!("@{}", one.handle), one.role.clone()]);
    let groups =
        found.groups.iter().map(|group| vec![format!("group:{}", group.name), group.members.join(", ")]);
    let mut out = String::new();
    section(&mut out, "People", people.collect());
    section(&mut out, "Agents", found.agents.iter().map(|agent| present(found, agent)).collect());
    section(&mut out, "Groups", groups.collect());
    out
}

fn section(out: &mut String, title: &str, rows: Vec<Vec<String>>) {
    if !rows.is_empty() {
        out.push_str(&format!("{BOLD}{title}{BOLD:#}\n"));
        let indented: Vec<Vec<String>> = rows
            .into_iter()
            .map(|row| {
                row.into_iter().enumerate().map(|(at, cell)| if at == 0 { format!("  {cell}") } else { cell })
            })
            .map(Iterator::collect)
            .collect();
        out.push_str(&table(&indented));
    }
}

/// One agent, and whether it was seen.
fn present(found: &Found, agent: &AgentView) -> Vec<String> {
    let mut row = row(agent);
    if let (Some(true), Some(about)) = (found.presence.get(&agent.id).map(|seen| seen.online), row.get_mut(1))
    {
        about.push_str(", online");
    }
    row
}

/// One agent in a list.
pub fn row(agent: &AgentView) -> Vec<String> {
    let paused = if agent.paused { "paused" } else { "" };
    let woken = match agent.wake.as_str() {
        "none" => "polls".to_owned(),
        by => format!("woken by {by}"),
    };
    let wallet = agent.wallet.map(|held| format!("wallet {held}")).unwrap_or_default();
    let about = [woken, wallet, paused.to_owned()];
    let about: Vec<String> = about.into_iter().filter(|part| !part.is_empty()).collect();
    vec![agent.id.clone(), about.join(", "), one_line(&agent.description)]
}
