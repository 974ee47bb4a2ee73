//! `ygg why`: the decision about a message, rule by rule, and what came of it.

use clap::Args;
use ygg_wire::receipt::Recipient;
use ygg_wire::why::{CameOfIt, FiredView, WhyView};

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::names::Names;
use crate::output::{BOLD, DIM, one_line};
use crate::words;

#[derive(Args)]
pub struct Why {
    /// The message (msg_…)
    message: String,
}

impl Why {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        let why = client.why(&self.message).await?;
        let names = Names::known(&client, global.output).await;
        global.output.give(&why, || told(&why, &names))
    }
}

fn told(why: &WhyView, names: &Names) -> String {
    let mut out = format!("{BOLD}When it was sent{BOLD:#}\n");
    out.extend(why.rules.iter().map(rule));
    if why.rules.is_empty() {
        out.push_str("  Nothing of it was kept.\n");
    }
    out.push_str(&format!("{BOLD}What came of it{BOLD:#}\n"));
    out.extend(why.recipients.iter().map(|one| came_of_it(one, names)));
    out
}

fn rule(fired: &FiredView) -> String {
    let title = fired.title.as_deref().unwrap_or("a rule of another version");
    let says = words::flags(&one_line(&fired.says));
    format!("  {BOLD}{}{BOLD:#} {DIM}{}{DIM:#}\n      {says}\n", one_line(&fired.rule), one_line(title))
}

fn came_of_it(one: &CameOfIt, names: &Names) -> String {
    let delivery = &one.delivery;
    let recipient = Recipient {
        id: delivery.id.clone(),
        effect: delivery.effect.clone(),
        reason: delivery.reason.clone(),
    };
    let mut out =
        format!("  {}; the message is {}", words::effect(&recipient, names), one_line(&delivery.step));
    if let Some(debt) = delivery.debt.as_deref() {
        out.push_str(&format!("; {}", owed(debt)));
    }
    if let Some(wake) = &one.wake {
        out.push_str(&format!("; {} {}", one_line(&wake.id), became(&wake.status)));
    }
    out.push('\n');
    out
}

/// What became of an answer that is owed.
fn owed(debt: &str) -> &'static str {
    match debt {
        "open" => "an answer is owed",
        "settled" => "the answer was given",
        "closed" => "the topic closed without the answer",
        _ => "there will be no answer",
    }
}

/// What became of a wake.
fn became(status: &str) -> &'static str {
    match status {
        "pending" => "waits to be taken",
        "taken" => "was taken and is at work",
        "answered" => "was answered",
        "spent" => "was taken by a turn that ended without a word here",
        "lapsed" => "was let go without a word here",
        _ => "was cancelled",
    }
}

#[cfg(test)]
mod tests {
    use ygg_wire::message::DeliveryView;
    use ygg_wire::why::CarrierView;

    use super::*;

    #[test]
    fn a_decision_is_told_rule_by_rule_with_what_came_of_it() {
        let fired = |rule: &str, title: Option<&str>, says: &str| FiredView {
            rule: rule.into(),
            title: title.map(str::to_owned),
            says: says.into(),
            link: None,
        };
        let delivery = DeliveryView {
            id: "codex".into(),
            effect: "wake".into(),
            reason: None,
            ended_by: None,
            step: "read".into(),
            debt: Some("open".into()),
        };
        let wake = CarrierView {
            id: "wak_1".into(),
            kind: "request".into(),
            status: "taken".into(),
            made_at: "2026-01-01T00:00:00Z".into(),
        };
        let why = WhyView {
            message_id: "msg_1".into(),
            rules: vec![
                fired("M5", Some("Malformed is never a wake"), "waiting_for: dropped:\u{1b}[2J."),
                fired("Z9", None, "something"),
            ],
            recipients: vec![CameOfIt { delivery, wake: Some(wake) }],
        };
        let said = anstream::adapter::strip_str(&told(&why, &Names::default())).to_string();
        assert_eq!(
            said,
            "When it was sent\n  M5 Malformed is never a wake\n      --waiting-for: dropped:\\u{1b}[2J.\n  \
             Z9 a rule of another version\n      something\nWhat came of it\n  \
             codex is woken; the message is read; an answer is owed; wak_1 was taken and is at work\n"
        );
    }
}
