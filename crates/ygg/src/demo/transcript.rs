//! What is shown of the demonstration while it runs: who does what, and what came of it, in words or as data.

use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value, json};
use ygg_wire::receipt::Receipt;

use crate::demo::stage::WORKSPACE;
use crate::failure::Outcome;
use crate::names::Names;
use crate::output::{BAD, BOLD, DIM, GOOD, NAME, Output, one_line};
use crate::places::Places;
use crate::words;

/// Characters of a message that are shown.
const TEXT_CHARS: usize = 110;

pub struct Transcript {
    output: Output,
}

impl Transcript {
    pub fn new(output: Output) -> Self {
        Self { output }
    }

    pub fn open(&self, url: &str) -> Outcome {
        self.output.confirm(&json!({"url": url, "workspace": WORKSPACE}), || {
            format!(
                "{BOLD}A server at {url}{BOLD:#} with the workspace {WORKSPACE}: its owner {NAME}@ana{NAME:#} and the \
                 agents {NAME}codex{NAME:#} and {NAME}reviewer{NAME:#}.\n{DIM}Each agent is an MCP client in a process \
                 of its own and speaks through its own `ygg mcp`.{DIM:#}\n"
            )
        })
    }

    pub fn scene(&self, title: &str) -> Outcome {
        self.output.hint(&format!("\n{BOLD}{title}{BOLD:#}\n"))
    }

    /// Something was read.
    pub fn looks(&self, who: &str, what: &str, found: &str, data: &impl Serialize) -> Outcome {
        self.output.confirm(&json!({"who": who, "does": what, "answer": data}), || {
            format!("  {NAME}{who}{NAME:#} {what}: {found}\n")
        })
    }

    pub fn sends(&self, who: &str, draft: &Map<String, Value>, receipt: &Receipt) -> Outcome {
        self.output.confirm(
            &json!({"who": who, "does": "ygg_send", "draft": draft, "answer": receipt}),
            || {
                let (mut out, names) = (heading(who, draft), Names::default());
                let text = draft.get("text").and_then(Value::as_str).unwrap_or_default();
                out.push_str(&format!("      {DIM}{}{DIM:#}\n", shortened(text)));
                if receipt.outcome == "refused" {
                    let reason = receipt.reason.as_deref().unwrap_or_default();
                    let help = receipt.help.as_deref().map(one_line).unwrap_or_default();
                    out.push_str(&format!("    {BAD}refused: {reason}{BAD:#} {help}\n"));
                }
                for recipient in &receipt.recipients {
                    out.push_str(&format!("    {GOOD}✓{GOOD:#} {}\n", words::effect(recipient, &names)));
                }
                let after = words::price(receipt)
                    .into_iter()
                    .chain(receipt.topic.as_ref().map(|after| words::topic(after, &names)));
                out.push_str(&format!("    {}\n\n", after.collect::<Vec<_>>().join("; ")));
                out
            },
        )
    }

    /// What the figures alone do not say.
    pub fn aside(&self, text: &str) -> Outcome {
        self.output.hint(&format!("    {DIM}{text}{DIM:#}\n\n"))
    }

    pub fn go_on(&self) -> Outcome {
        self.output.confirm(&json!({"outcome": "as it must be"}), || {
            let mut out = format!(
                "{GOOD}Everything came out as it must.{GOOD:#} Nothing of it is left on this machine.\n\nTo go on:\n"
            );
            out.push_str(&ways(&[
                ("ygg demo --keep", "the same, left running to look around"),
                ("ygg up --agent codex --agent reviewer", "a server of your own"),
                ("ygg mcp --profile codex", "what an MCP client starts to be codex there"),
            ]));
            out
        })
    }

    pub fn kept(&self, url: &str, places: &Places, folder: &Path) -> Outcome {
        let data = json!({
            "outcome": "as it must be", "url": url, "workspace": WORKSPACE, "folder": folder,
            "data": places.data, "config": places.config,
        });
        self.output.confirm(&data, || {
            let mut out = format!(
                "{GOOD}Everything came out as it must.{GOOD:#} The server stays at {BOLD}{url}{BOLD:#}, with its data in \
                 {}.\n\nIn another terminal:\n  export {}\n",
                folder.display(),
                places.in_front().trim_end()
            );
            out.push_str(&ways(&[
                ("ygg topics", "as @ana, who owns the workspace"),
                ("ygg inbox --profile reviewer", "as an agent"),
                ("ygg credits grant codex 50", "so that codex can send again"),
                ("ygg mcp --profile codex", "what an MCP client starts to be codex"),
            ]));
            out.push_str(&format!("\n{DIM}Ctrl-C stops the server.{DIM:#}\n"));
            out
        })
    }

    pub fn stopped(&self, places: &Places, folder: &Path) -> Outcome {
        self.output.hint(&format!(
            "Stopped. To go on with the same data: {}ygg up --agent codex --agent reviewer\nIt lies in {}; remove that folder when you are done.",
            places.in_front(),
            folder.display()
        ))
    }
}

/// Commands, each with what it is for.
fn ways(commands: &[(&str, &str)]) -> String {
    let width = commands.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    commands.iter().map(|(command, what)| format!("  {command:<width$}   {DIM}{what}{DIM:#}\n")).collect()
}

/// `codex → reviewer  request · new topic "…" · waiting`
fn heading(who: &str, draft: &Map<String, Value>) -> String {
    let field = |name: &str| draft.get(name).and_then(Value::as_str);
    let mut about = vec![field("type").unwrap_or("no type").to_owned()];
    about.push(match (field("topic_id"), field("title")) {
        (None, _) => "no topic".to_owned(),
        (Some("new"), Some(title)) => format!("new topic {BOLD}{}{BOLD:#}", one_line(title)),
        (Some("new"), None) => "new topic without a title".to_owned(),
        (Some(topic), _) => {
            format!("topic …{}", topic.chars().skip(topic.len().saturating_sub(6)).collect::<String>())
        }
    });
    about.extend(field("state").map(|state| format!("state {state}")));
    format!(
        "  {NAME}{who}{NAME:#} → {NAME}{}{NAME:#}  {}\n",
        field("to").unwrap_or_default(),
        about.join(" · ")
    )
}

fn shortened(text: &str) -> String {
    let chars = text.chars().count();
    if chars <= TEXT_CHARS {
        return one_line(text);
    }
    let beginning: String = text.chars().take(TEXT_CHARS - 30).collect();
    format!("{}… ({chars} characters)", one_line(beginning.trim_end()))
}
