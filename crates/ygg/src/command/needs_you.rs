//! `ygg needs-you`: what waits for a person, and what to do about it.

use ygg_wire::needs_you::NeedsYou;

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;

pub async fn run(global: &Global) -> Outcome {
    let found = identity::client(global)?.needs_you().await?;
    global.output.give(&found, || {
        if found.is_empty() {
            return "Nothing waits for you.".to_owned();
        }
        found.iter().map(told).collect::<Vec<_>>().join("\n")
    })
}

fn told(one: &NeedsYou) -> String {
    let topic = one.topic_id.as_deref().unwrap_or("a new topic");
    let title = one.title.as_deref().map(|title| format!(" \"{title}\"")).unwrap_or_default();
    match one.kind.as_str() {
        "needs_human" => format!("{topic}{title} stands still until a person writes in it."),
        "credits" => {
            let agent = one.agent.as_deref().unwrap_or("An agent");
            let (needed, pot) = (one.needed.unwrap_or(0), one.pot.as_deref().unwrap_or("pool"));
            format!(
                "{agent} lacks credits in {topic}: it needs {needed} from {pot}. `ygg credits grant {pot} N`"
            )
        }
        "closing" => format!("{topic}{title} closes within the hour unless you answer what you were asked."),
        "stalled" => format!("{topic}{title} is stalled: somebody waits there on one who does not answer."),
        kind => format!("{kind}: {topic}{title}"),
    }
}
